"""Memories whose files moved or are gone, and the user's answer."""

from __future__ import annotations

from functools import partial

from ..acts import act_on, several
from ..options import Door, agreeable, command, group
from ..output import Ink, narrate, one_line, say

TO_VERIFY = "is:verify"
"""The query that words are narrowed by."""


@group("memdeck stale", "memdeck stale confirm 01k8f2q")
def stale() -> None:
    """List memories whose files moved or are gone, and answer.

    `memdeck maintain` finds them once a day in the project's git history.
    """


@command("memdeck stale list", of=stale)
def stale_list(door: Door) -> int:
    """List what is to be verified, with the reason."""
    with door.memory() as core:
        flagged = [
            (memory, core.services.staleness.moves(memory.id))
            for memory in core.services.staleness.flagged()
        ]
    for memory, moves in flagged:
        moved = [{"from": old, "to": new} for old, new in moves]
        if door.prints_json(memory, moves=moved):
            continue
        say(Ink(memory.short_id, "dim"), "  ", one_line(memory.title))
        say("    ", Ink(f"verify: {one_line(memory.stale)}", "warn"))
    if not door.as_json:
        narrate(
            "  `memdeck stale confirm ID` (still true), `follow ID` (its files moved), `retire ID`."
            if flagged
            else "Nothing is to be verified."
        )
    return 0


@command("memdeck stale confirm 01k8f2q", of=stale)
@several
@agreeable
def confirm(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Say that memories are still true; it holds until new evidence comes."""
    with door.memory(yes=yes) as core:
        confirm = core.services.staleness.confirm
        act_on(door, core, words, every, "confirmed", confirm, within=TO_VERIFY)


@command("memdeck stale follow 01k8f2q", of=stale)
@several
@agreeable
def follow(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Let memories name their files where they are now."""
    with door.memory(yes=yes) as core:
        follow = core.services.staleness.follow
        act_on(door, core, words, every, "followed", follow, within=TO_VERIFY)


@command("memdeck stale retire 01k8f2q", of=stale)
@several
@agreeable
def retire(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Take memories out of recall, restorably."""
    with door.memory(yes=yes) as core:
        retire = partial(core.forget, reason="no longer so")
        act_on(door, core, words, every, "retired", retire, within=TO_VERIFY)
