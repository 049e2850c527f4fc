"""Pins: what every prompt is given."""

from __future__ import annotations

from ..acts import ids_of, report, several
from ..options import Door, agreeable, command
from ..targets import meant


@command("memdeck pin 01k8f2q", "memdeck pin retry budget")
@several
@agreeable
def pin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Pin memories: every prompt is given them."""
    with door.memory(yes=yes) as core:
        pinned = core.pin(ids_of(meant(core, words, every=every)))
    report(door, "pinned", pinned)


@command("memdeck unpin 01k8f2q")
@several
@agreeable
def unpin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Take pins off."""
    with door.memory(yes=yes) as core:
        unpinned = core.unpin(ids_of(meant(core, words, every=every, within="is:pinned")))
    report(door, "unpinned", unpinned)
