"""The last change taken back, and done again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...core.answers import Entry
from ...core.errors import NotFound
from ..choices import Count
from ..options import Door, agreeable, command
from ..output import Ink, count, narrate, say
from ..progress import counted

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

LONGEST_TITLE_SHOWN = 60


@command("memdeck undo", "memdeck undo 42")
@click.argument("seq", type=Count(1), required=False)
@agreeable
def undo(door: Door, seq: int | None, yes: bool) -> None:
    """Take back the last change.

    Or the one with the number SEQ in the trail, unless a later one touched the same. What was
    one act, as an import is, is taken back whole.
    """
    with door.memory(yes=yes) as core, counted("took back") as progress:
        entry = core.undo(seq, progress=progress)
        taken_back = _act(core, entry.undoes)
    _report_entry(door, "took back", entry, taken_back)
    narrate(Ink("  `memdeck redo` does it again.", "dim"))


@command("memdeck redo")
@agreeable
def redo(door: Door, yes: bool) -> None:
    """Do again what the last undo took back."""
    with door.memory(yes=yes) as core, counted("did again") as progress:
        entry = core.redo(progress=progress)
        undone = _act(core, entry.undoes)
        again = _act(core, undone.undoes) if undone is not None else None
    _report_entry(door, "did again", entry, again or undone)


def _act(core: MemoryCoordinator, seq: int | None) -> Entry | None:
    """The act that the entry with this number is of, when the trail still has it."""
    try:
        return core.act(seq) if seq is not None else None
    except NotFound:
        return None


def _report_entry(door: Door, done: str, entry: Entry, taken_back: Entry | None) -> None:
    if door.prints_json(entry):
        return
    about = taken_back or entry
    what = about.title or about.reason
    others = f" and {len(about.memories) - 1} more" if len(about.memories) > 1 else ""
    is_switch = not about.memories and what.startswith(about.action)  # which says it already
    said = what if is_switch else f"{about.action}: {what}"
    if about.group is not None:
        others += f" ({count(about.count, 'change')})"
    say(f"{done}  #{about.seq} {said[:LONGEST_TITLE_SHOWN]}{others}")
