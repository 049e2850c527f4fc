"""Pins: what every prompt is given."""

from __future__ import annotations

from ..acts import act_on_all, all_meant, ids_of, meant, report, several
from ..options import Door, agreeable, command


@command("memdeck pin 01k8f2q", "memdeck pin retry budget")
@several
@agreeable
def pin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Pin memories: every prompt is given them."""
    with door.memory(yes=yes) as core:
        if every:
            act_on_all(door, core, all_meant(core, words), "pinned", core.pin)
            return
        pinned = core.pin(ids_of(meant(core, words)))
    report(door, "pinned", pinned)


@command("memdeck unpin 01k8f2q")
@several
@agreeable
def unpin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Take pins off."""
    with door.memory(yes=yes) as core:
        if every:
            nums = all_meant(core, words, within="is:pinned")
            act_on_all(door, core, nums, "unpinned", core.unpin)
            return
        unpinned = core.unpin(ids_of(meant(core, words, within="is:pinned")))
    report(door, "unpinned", unpinned)
