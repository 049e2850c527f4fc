"""Tasks that are done."""

from __future__ import annotations

from ..acts import ids_of, meant, report, several
from ..options import Door, agreeable, command


@command("memdeck done 01k8f2q", "memdeck list type:prospective")
@several
@agreeable
def done(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """End tasks that are done: no agent is told of them again."""
    with door.memory(yes=yes) as core:
        ended = core.done(ids_of(meant(core, words, every=every, within="type:prospective")))
    report(door, "ended", ended)
