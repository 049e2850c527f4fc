"""A tour for those without a terminal: one session's hooks in, the memories out, a prompt answered.

Everything that is printed comes from calls made at that moment; the text of the tour itself
only says what they are.
"""

from __future__ import annotations

import tempfile
import textwrap
from collections.abc import Iterable, Sequence
from datetime import datetime

from ..core.answers import Stats
from ..core.compat import MemoryCoordinator
from ..core.values import Hit, Injection, Memory, importance_10
from ..db.home import Home
from . import history
from .build import project_root_of
from .doors import Call, Chance, Clock, Doors
from .history import DEMO_NOW, Conversation, Days

WIDTH = 80
"""Columns; no line of the tour is longer."""

NEXT_PROMPT = "Print the dock list for Port Ellery on A4: how is it sorted, how small may it get?"

_MARKS = {"pinned": "★", "candidate": "?", "confirmed": "·"}
_LONGEST_TEXT = 12  # lines of the injected text that are shown


def print_tour(home: str, *, now: datetime | None = None) -> None:
    """Print the tour of the demo store in `home`, which `build_demo_store` made for `now`.

    It plays one more session through the hooks, so the store grows by what that one leaves.
    """
    days = Days(now or DEMO_NOW)
    root = project_root_of(home)
    clock = Clock(days.now)
    chance = Chance("tour")
    talk = next(talk for talk in history.conversations(days) if talk.is_tour)
    with MemoryCoordinator.open(home, root, clock=clock, entropy=chance) as memory:
        _opening(memory.stats(), memory.project.name)
        with tempfile.TemporaryDirectory() as folder:  # plays the agent's own
            calls = _first(home, root, talk, chance, folder)
        left = [one for one in memory.list(f"session:{talk.id}") if one.is_live]
        _second(calls, sorted(left, key=lambda one: one.origin.line or 0), memory)
        _third(memory.recall(NEXT_PROMPT, write_receipt=False), memory)
    _fourth()


def _opening(stats: Stats, project: str) -> None:
    _title("memdeck: what an agent learns, and what it is told")
    conflicts = f"{stats.conflicts} conflicts wait, {stats.expiring} memories expire soon"
    _say(
        f"A demo store was just built: {stats.total_count} live memories of an invented project,"
        f" {project}, a berth-booking service. {conflicts}. The four steps below are real calls."
    )


def _first(home: str, root: str, talk: Conversation, chance: Chance, folder: str) -> list[Call]:
    """Play the session, a line for each hook call."""
    _step(1, "A session's hooks go in")
    _say("Claude Code calls `memdeck-hook claude EVENT` with JSON on standard input:")
    print()
    calls = []
    for call in Doors(Home(home), root, talk, chance, folder=folder).play():
        calls.append(call)
        got = f"{_count(len(call.reply), 'character')} for the model" if call.reply else "-"
        print(f"  {call.at:%H:%M:%S}  {call.event:<17} {call.payload_bytes:>5} B in   out: {got}")
        if call.event == "UserPromptSubmit":
            _say(f"“{call.about}”", indent=12)
    return calls


def _second(calls: Sequence[Call], left: Sequence[Memory], memory: MemoryCoordinator) -> None:
    _step(2, "The memories that came out")
    reports = [call.drained for call in calls if call.drained]
    stored = sum(report.stored for report in reports)
    _say(
        f"The hooks only noted where the transcript lies. The drain then read it and found"
        f" {_count(stored, 'memory', 'memories')}. They are candidates (?), until a person"
        " accepts them. Secrets are taken out before anything is compared, logged or written."
    )
    for one in left:
        print()
        _say(f"{_MARKS[one.status]} {one.title}", indent=2, hang=4)
        _say(one.content, indent=4)
        why = memory.history(one.id)[-1].reason
        facts = f"{one.type} / {one.category}, importance {importance_10(one.importance)} of 10"
        _say(f"{facts}, line {one.origin.line}, {why}", indent=4)


def _third(injection: Injection, memory: MemoryCoordinator) -> None:
    _step(3, "What a prompt of the next session gets")
    _say(f"“{NEXT_PROMPT}”", indent=2)
    print()
    _say(f"{injection.tokens} of at most {injection.budget} tokens are added to it. Why these:")
    print()
    for hit in injection.items:
        _say(f"{hit.score:4.2f}  {hit.memory.title}", indent=2, hang=8)
        _say(_reason(hit), indent=8)
    print()
    _say(f"{_count(len(injection.left_out), 'memory', 'memories')} were left out, for example:")
    seen: set[str] = set()
    for name, why in injection.left_out:
        if why not in seen:
            seen.add(why)
            _say(f"{memory.show(name).title}: {why}", indent=2, hang=4)
    print()
    _say("The text itself, as Claude Code would get it, begins:")
    print()
    lines = [row for line in injection.text.splitlines() for row in _wrapped(line, 2, 4)]
    for row in lines[:_LONGEST_TEXT]:
        print(row)
    if len(lines) > _LONGEST_TEXT:
        print(f"  … and {len(lines) - _LONGEST_TEXT} lines more")


def _fourth() -> None:
    _step(4, "Open the app, or use it for your own work")
    for command, about in (
        ("make demo", "in a terminal: the app on this demo store"),
        ("pip install .", "install memdeck from this folder"),
        ("memdeck install claude", "connect Claude Code (--dry-run shows the change)"),
        ("memdeck install codex", "likewise; also copilot, gemini, opencode"),
        ("memdeck", "the app for the project you are in"),
        ("memdeck doctor", "is everything connected and healthy?"),
    ):
        print(f"  {command:<24} {about}")


def _reason(hit: Hit) -> str:
    """Why a memory was chosen: its pin, or the parts of its score that count most."""
    if "pinned" in hit.parts:
        return "pinned, so always told"
    parts = sorted(hit.parts.items(), key=lambda part: -part[1])
    named = ", ".join(f"{name} {value:.2f}" for name, value in parts[:3] if value > 0.005)
    words = f"; matched {', '.join(hit.matched)}" if hit.matched else ""
    return named + words


# --- how the tour looks: plain text, one column


def _title(text: str) -> None:
    print(f"{text}\n{'=' * len(text)}\n")


def _step(number: int, text: str) -> None:
    heading = f"{number}  {text}"
    print(f"\n{heading}\n{'-' * len(heading)}\n")


def _say(text: str, *, indent: int = 0, hang: int | None = None) -> None:
    for row in _wrapped(text, indent, indent if hang is None else hang):
        print(row)


def _wrapped(text: str, indent: int, hang: int) -> Iterable[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * hang,
        break_on_hyphens=False,
    )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
