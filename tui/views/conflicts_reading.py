"""What the workbench asks the core, in a lane: the conflicts, one with both its sides, verdicts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.errors import NotFound, StaleEdit
from ...core.judgements import Conflict
from ...core.values import Memory
from ..widgets.side_account import MOST_INJECTIONS, Pair, Side, titles_of
from ..widgets.side_lines import Pairs, are_alike, side_lines
from .conflicts_guess import guessed_context

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

QUOTED = re.compile(r"“([^”]{1,80})”")
"""What the reason of a conflict quotes from the texts."""

MOST_ENTRIES = 200  # of each side, looked through for a verdict


def read_conflicts(
    core: MemoryCoordinator, *, decided: bool, text: str = ""
) -> tuple[list[Conflict], list[str]]:
    """The open pairs, the likeliest first, or the decided ones, newest verdict first: those that
    have a side which fits `text`, and the ids of all.
    """
    found = core.conflicts(resolved=decided)
    if decided:
        found.sort(key=lambda one: (one.resolved_at or one.detected_at, one.id), reverse=True)
    ids = [one.id for one in found]
    if text.strip():
        fitting = set(core.fitting(text))
        found = [one for one in found if {one.first.num, one.second.num} & fitting]
    return found, ids


def read_pair(core: MemoryCoordinator, ref: str) -> Pair:
    """One conflict with all there is to compare. Raises NotFound, Ambiguous."""
    conflict = core.conflict(ref)
    first, second = conflict.first, conflict.second
    lines, titles = side_lines(first.content, second.content), _titles(first, second)
    guess = _guessed(first, second, in_title=are_alike(titles), in_text=are_alike(lines))
    if not are_alike(lines):
        lines = side_lines(first.content, second.content, QUOTED.findall(conflict.reason))
    return Pair(conflict, _side(core, first), _side(core, second), lines, titles, guess)


def _titles(first: Memory, second: Memory) -> Pairs:
    titles = titles_of(first, second)
    return side_lines(*titles) if titles else ()


def _guessed(first: Memory, second: Memory, *, in_title: bool, in_text: bool) -> str:
    """What may tell the two apart. Words that are quite different anyway offer no guess."""
    ours, theirs = (
        ". ".join([memory.title] * in_title + [memory.content] * in_text)
        for memory in (first, second)
    )
    known = (f"{first.title}. {first.content}", f"{second.title}. {second.content}")
    return guessed_context(ours, theirs, known)


def _side(core: MemoryCoordinator, memory: Memory) -> Side:
    return Side(memory, core.links(memory.id), core.injections(memory.id, MOST_INJECTIONS))


def merge_sides(
    core: MemoryCoordinator, conflict: Conflict, fields: Mapping[str, Any], revision: int | None
) -> Conflict:
    """Decide the conflict with one text for both; runs in the write lane.

    Raises StaleEdit when the left one was changed since `revision`, and what the core raises.
    """
    now = core.show(conflict.first.id)
    if revision is not None and now.revision != revision:
        raise StaleEdit(f"“{now.title}” was changed meanwhile.")
    return core.resolve_conflict(conflict.id, "merged", **fields)


def verdict_entry(core: MemoryCoordinator, conflict: Conflict) -> int:
    """The journal's entry in which the conflict was decided. Raises NotFound."""
    for memory in (conflict.first.id, conflict.second.id):
        for entry in core.audit(memory=memory, limit=MOST_ENTRIES):
            if entry.undone_by is None and any(
                (change.table, change.key, change.field) == ("conflict", conflict.id, "verdict")
                and change.after is not None
                for change in core.differences(entry.seq)
            ):
                return entry.seq
    raise NotFound(
        "The entry with this verdict is not in the journal's view any more.",
        hint="Restore what is missing on the Deck: is:retired shows it.",
    )
