"""Pins: what every prompt is given."""

from __future__ import annotations

from ..acts import ids_of, report, several
from ..options import Door, command
from ..targets import meant


@command("memdeck pin 01k8f2q", "memdeck pin retry budget")
@several
def pin(door: Door, words: tuple[str, ...], every: bool) -> None:
    """Pin memories: every prompt is given them."""
    with door.memory() as core:
        pinned = core.pin(ids_of(meant(core, words, every=every)))
    report(door, "pinned", pinned)


@command("memdeck unpin 01k8f2q")
@several
def unpin(door: Door, words: tuple[str, ...], every: bool) -> None:
    """Take pins off."""
    with door.memory() as core:
        unpinned = core.unpin(ids_of(meant(core, words, every=every, within="is:pinned")))
    report(door, "unpinned", unpinned)
