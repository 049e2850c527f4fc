"""Memories out of recall, and back."""

from __future__ import annotations

import click

from ..acts import act_on, several
from ..options import Door, agreeable, command


@command('memdeck forget 01k8f2q --reason "done"', "memdeck forget --all tag:spike")
@several
@click.option("--reason", default="", help="Why, for the trail.")
@agreeable
def forget(door: Door, words: tuple[str, ...], every: bool, reason: str, yes: bool) -> None:
    """Take memories out of recall; they stay restorable."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "forgot", lambda ids: core.forget(ids, reason=reason))


@command("memdeck restore 01k8f2q", "memdeck list is:retired")
@several
@agreeable
def restore(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Bring forgotten, expired or merged memories back."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "restored", core.restore, within="is:retired")
