"""Tasks that are done."""

from __future__ import annotations

from ..acts import act_on, several
from ..options import Door, agreeable, command


@command("memdeck done 01k8f2q", "memdeck list type:prospective")
@several
@agreeable
def done(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """End tasks that are done: no agent is told of them again."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "ended", core.done, within="type:prospective")
