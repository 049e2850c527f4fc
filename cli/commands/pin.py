"""Pins: what every prompt is given."""

from __future__ import annotations

from ..acts import act_on, several
from ..options import Door, agreeable, command


@command("memdeck pin 01k8f2q", "memdeck pin retry budget")
@several
@agreeable
def pin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Pin memories: every prompt is given them."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "pinned", core.pin)


@command("memdeck unpin 01k8f2q")
@several
@agreeable
def unpin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Take pins off."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "unpinned", core.unpin, within="is:pinned")
