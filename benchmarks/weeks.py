"""What agents receive in weeks of work: projects of several sessions, played through the hooks.

`python -m benchmarks weeks [NAME]…`. Each `data/weeks/NAME.toml` holds sessions in the form of the
gallery. Each names what its agent must receive (`must`) and must not (`must_not`): at its start, or
up to `prompt` N under `[[session.at]]`. A must is a pattern, or several joined by ` & ` that one
entry matches. A must_not is a pattern that no entry
of its session, or of the prompt, matches, but for conflicts and for entries to verify, which are
marked.

Agents record with the command that their start names. `--replaces <words>` names the memory that
holds the words. It was injected, or the agent recorded it before in its session.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memdeck.cli.main import run as run_command
from memdeck.core.compat import MemoryCoordinator
from memdeck.core.context import Context
from memdeck.core.text.tokens import ESTIMATES

from .gallery.dialogue import Dialogue, steps_in
from .gallery.play import Player
from .next import entries_in, entries_of_parts, is_met
from .report import table

FOLDER = Path(__file__).parent / "data" / "weeks"
BEGINS = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HELD_OUT = ("firmware", "gateway")  # nothing was changed after reading what they receive

_MARKED = re.compile(  # so that the agent knows which is older, or what changed
    r"<memory>[^<]*<about [^>]*verify=[^>]*></memory>"
    r"|^ {4}- .*(?:\n {6}.*)*? \[[^\]\n]*verify: [^\]\n]*\] \(#\w+\)$"
    r"|<conflict>(?s:.*?)</conflict>|^ *\[⚠ CONFLICT\].*\n(?: {4}- .*(?:\n {6}.*)*\n?){2}",
    re.M,
)
_RECORDING = re.compile(r"happens: (.*?) \(options")


class Agent(Player):
    """A player whose agent runs what it runs of memdeck, at the time of its session."""

    def __init__(self, dialogue: Dialogue, folder: Path) -> None:
        super().__init__(dialogue, folder)
        self.recorded: list[str] = []  # with the ids that memdeck printed

    def write(self, upto: int) -> None:
        step = self.dialogue.steps[upto - 1]
        if step.kind == "run" and step.text.startswith("memdeck learn "):
            self.record(shlex.split(step.text)[2:])
        super().write(upto)

    def record(self, words: list[str]) -> None:
        """Record with the command that the start names; the agent knows what it may replace."""
        if "--replaces" in words:
            option = words.index("--replaces")
            part = re.escape(words[option + 1].strip("<>"))
            texts = "\n".join((*self.heard, *self.recorded))
            ids = re.findall(rf'{part}[^<]*<about id="(\w+)"|{part}.*\(#(\w+)\)', texts)
            words[option : option + 2] = ["--replaces", max(ids[0])] if ids else []
        named = _RECORDING.search(self.heard[0])
        command = shlex.split(named[1])[1:-1] if named else ["learn"]
        defaults = Context.__init__.__kwdefaults__
        assert defaults
        before, defaults["clock"] = defaults["clock"], self.clock
        out = io.StringIO()
        try:
            with (
                self.surroundings(),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(out),
            ):
                code = run_command([*command, *words, "--project", str(self.root)])
        finally:
            defaults["clock"] = before
        if code:
            raise RuntimeError(f"{shlex.join(words)}: {out.getvalue()}")
        if printed := re.search(r"recorded +(\w+)", out.getvalue()):
            self.recorded.append(f"{' '.join(words)} (#{printed[1]})")


@dataclass
class Tally:
    """Counts of one week, and every claim that failed."""

    counts: Counter[str]
    misses: list[str]

    def claim(self, kind: str, place: str, pattern: str, *, holds: bool) -> None:
        self.counts[kind] += 1
        self.counts[f"{kind} held"] += holds
        if not holds:
            self.misses.append(f"{place}: {kind} {pattern}")


def run() -> None:
    is_verbose = os.environ.get("MEMDECK_BENCH_VERBOSE") == "1"
    tallies = {}
    for path in sorted(FOLDER.glob("*.toml")):
        tallies[path.stem] = Tally(Counter(), [])
        with tempfile.TemporaryDirectory() as folder:
            _play(tomllib.loads(path.read_text("utf-8")), Path(folder), tallies[path.stem])
        if is_verbose:
            print(path.stem, *tallies[path.stem].misses, sep="\n  ", file=sys.stderr)
    rows = [_row(name, tally.counts) for name, tally in tallies.items()]
    for title, is_held_out in (("all but held out", False), ("held out", True)):
        names = [name for name in tallies if (name in HELD_OUT) is is_held_out]
        rows.append(_row(title, sum((tallies[name].counts for name in names), Counter())))
    table("Played weeks", ("", *_HEADER), rows)


_HEADER = (
    *("musts", "share", "must_nots", "share", "candidates"),
    *("at starts", "with prompts", "tokens"),
)


def _row(name: str, counts: Counter[str]) -> tuple[str, ...]:
    def of(kind: str) -> tuple[str, str]:
        held, whole = counts[f"{kind} held"], counts[kind]
        return f"{held} of {whole}", f"{held / max(1, whole):.2f}"

    def parts(event: str) -> str:
        named = [(k.partition(": ")[2], n) for k, n in counts.items() if k.startswith(f"{event}: ")]
        return ", ".join(f"{part} {number}" for part, number in sorted(named))

    sessions = max(1, counts["sessions"])
    candidates = f"{counts['candidates'] / sessions:.1f}"
    tokens = f"{counts['tokens'] // sessions}"
    return (name, *of("must"), *of("must_not"), candidates, parts("start"), parts("prompt"), tokens)


def _play(week: dict[str, Any], folder: Path, tally: Tally) -> None:
    now = BEGINS
    for number, session in enumerate(week["session"], 1):
        now += timedelta(days=session.get("days", 1))
        project = session.get("project", week["project"])
        steps = tuple(steps_in(session["script"]))
        name = f"{week['project']}-{number}"
        agent = Agent(Dialogue(name, session["host"], project, "main", now, steps), folder)
        agent.live()
        now = agent.clock.now
        _judge(session, f"{number} ({session['host']})", agent.heard, tally)
    with MemoryCoordinator.open(agent.home, agent.root, clock=lambda: now) as memory:
        tally.counts["candidates"] += len(memory.services.review_entries.queue(("candidate",)))


def _judge(session: dict[str, Any], name: str, heard: list[str], tally: Tally) -> None:
    tally.counts["sessions"] += 1
    for position, text in enumerate(heard):
        tally.counts["tokens"] += ESTIMATES["words"].of(text) if entries_in(text) else 0
        for part, count in entries_of_parts(text).items():
            tally.counts[f"{'prompt' if position else 'start'}: {part}"] += count
    for claims in (session, *session.get("at", ())):
        position = claims.get("prompt", 0)
        first = 1 if session["host"] == "gemini" else 0  # which receives its start with a prompt
        context = entries_in("\n".join(heard[: max(position, first) + 1]))
        event = f"{name}, prompt {position}" if position else f"{name}, start"
        for pattern in claims.get("must", ()):
            tally.claim("must", event, pattern, holds=is_met([pattern.split(" & ")], context))
        texts = entries_in(_MARKED.sub("", heard[position] if position else "\n".join(heard)))
        for pattern in claims.get("must_not", ()):
            tally.claim("must_not", event, pattern, holds=not is_met([[pattern]], texts))
