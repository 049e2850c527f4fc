"""What became of one client: claims, each with what was seen where it does not hold."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .stand_in import StandIn
from .surroundings import Done

SEEN_CHARS = 400
"""How much of what was seen is kept: its end, which says most."""


@dataclass(frozen=True, slots=True)
class Check:
    """One claim, and what was seen when it does not hold."""

    claim: str
    holds: bool
    seen: str = ""


@dataclass(slots=True)
class Outcome:
    """How one client did."""

    host: str
    name: str
    version: str
    could_not_run: str = ""
    told: bool = False  # the first request of the first session carried what it should
    memories: int = 0  # that came of the first session
    fired: list[str] = field(default_factory=list)  # the events that came, as the host names them
    checks: list[Check] = field(default_factory=list)

    @property
    def failed(self) -> list[Check]:
        """The claims that do not hold."""
        return [check for check in self.checks if not check.holds]

    @property
    def passed(self) -> bool:
        """Whether it ran and every claim holds."""
        return not self.could_not_run and bool(self.checks) and not self.failed


def claim(text: str, holds: bool, seen: object = "") -> Check:
    """A check with what was seen on one line, cut to its end."""
    return Check(text, holds, "" if holds else " ".join(str(seen).split())[-SEEN_CHARS:])


def went(text: str, done: Done) -> Check:
    """The claim that a program ended with 0."""
    end = "its time was up" if done.code is None else f"exit code {done.code}"
    return claim(text, done.code == 0, f"{end}: {done.err.strip() or done.out.strip()}")


def rows(done: Done) -> list[dict[str, Any]]:
    """The JSON lines that a command printed; none when it failed."""
    return [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]


def requests(model: StandIn) -> str:
    """Return the requests in short, to examine a claim that does not hold."""
    asked = [f"{one.method} {one.path}" for one in model.requests[:4]]
    return f"{len(model.requests)} requests: {', '.join(asked)}"
