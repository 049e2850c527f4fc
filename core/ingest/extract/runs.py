"""Runs of commands that do something, and how each of them ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .failures import essential_line, has_failed
from .shell import Step, are_alike, steps
from .turns import Call

_LOOKS_AT = 200  # runs of one piece of work, the last ones


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command that does something."""

    call: Call
    steps: tuple[Step, ...]
    failed: bool
    error: str  # the essential line; "" where it succeeded


def runs_in(calls: Iterable[Call]) -> list[Run]:
    """The runs among `calls` that are over: none that only looks, or that a person stopped."""
    found = []
    for call in calls:
        if call.tool != "Bash" or call.result is None:
            continue
        parts = steps(call.argument("command"))
        acting = tuple(s for s in parts if not s.is_looking and not s.is_setup)
        if not acting or call.result.details.get("interrupted") is True:
            continue
        failed = has_failed(
            call.result.text, call.result.is_error, any(step.is_piped for step in acting)
        )
        if call.result.is_error and not failed:
            continue  # a person refused it
        error = essential_line(call.result.text) if failed else ""
        found.append(Run(call, acting, failed, error))
    return found


def unanswered(runs: Sequence[Run]) -> list[Run]:
    """The failures among `runs` after which nothing like them worked."""
    left = []
    runs = runs[-_LOOKS_AT:]
    for place, run in enumerate(runs):
        if not run.failed:
            continue
        later = (step for other in runs[place + 1 :] if not other.failed for step in other.steps)
        if not any(are_alike(run.steps[-1], step) for step in later):
            left.append(run)
    return left
