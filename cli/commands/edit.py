"""A memory changed, by options or in the person's editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import BadInput, Refused
from ...core.values import Memory
from ..acts import act_on_all, all_meant, changes, editing, report
from ..options import Door, command, complete_memory, is_asking
from ..output import memory_count

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

ASKED_FROM = 3
"""Memories from which on a person sees first what an act would do."""


@command(
    "memdeck edit 01k8f2q --importance 8 --add-tag db",
    "memdeck edit 01k8f2q",
    "memdeck edit --all tag:spike --remove-tag spike",
)
@click.option("--all", "every", is_flag=True, help="Every memory that the query matches.")
@click.argument("ids", metavar="ID…", nargs=-1, required=True, shell_complete=complete_memory)
@editing
@click.option("--add-tag", multiple=True, metavar="TAG", help="One tag more.")
@click.option("--remove-tag", multiple=True, metavar="TAG", help="One tag less.")
def edit(
    door: Door,
    ids: tuple[str, ...],
    every: bool,
    add_tag: tuple[str, ...],
    remove_tag: tuple[str, ...],
    yes: bool,
    **wanted: Any,
) -> None:
    """Change a memory; without options, in $EDITOR.

    Several memories at once take --add-tag and --remove-tag only. With --all the words are a
    query; from three on a person is shown first what it would do, unless --yes.
    """
    fields_changed = changes(wanted)
    with door.memory(yes=yes) as core:
        if every and not fields_changed and (add_tag or remove_tag):
            _retag_all(door, core, all_meant(core, ids), add_tag, remove_tag, yes)
            return
        elif not fields_changed and (add_tag or remove_tag):
            edited = core.retag([core.resolve(one).id for one in ids], add_tag, remove_tag)
        elif every or len(ids) > 1:
            raise BadInput(
                "Only tags can be changed in several memories at once.",
                hint="Use --add-tag and --remove-tag, or edit one memory at a time.",
            )
        else:
            memory = core.resolve(ids[0])
            if add_tag or remove_tag:
                kept = [
                    tag for tag in fields_changed.get("tags", memory.tags) if tag not in remove_tag
                ]
                fields_changed["tags"] = tuple(dict.fromkeys([*kept, *add_tag]))
            edited = [_edit_one(core, memory, fields_changed)]
    report(door, "edited", edited)


def _retag_all(
    door: Door,
    core: MemoryCoordinator,
    nums: Sequence[int],
    add: Sequence[str],
    remove: Sequence[str],
    is_agreed: bool,
) -> None:
    """Change the tags of these; from three on a person is asked first, unless they agreed."""
    effect = core.services.bulk.preview(nums, lambda _: True)
    if effect.count >= ASKED_FROM and is_asking() and not is_agreed:
        what = f": {effect.special}" if effect.special else ""
        if not click.confirm(f"Edit {memory_count(effect.count)}{what}?", err=True):
            raise Refused("Nothing was changed.")
    act_on_all(door, core, nums, "edited", lambda ids: core.retag(ids, add, remove))


def _edit_one(core: MemoryCoordinator, memory: Memory, changes: dict[str, Any]) -> Memory:
    if (
        any(changes.get("details", {}).values())
        and changes.get("privacy", memory.privacy) == "public"
    ):
        raise BadInput(f"{memory.short_id} is public.", hint="--release-after needs a --privacy.")
    if changes:
        return core.edit(memory.id, **changes)
    from ..editor import edit_in_editor

    return edit_in_editor(core, memory)
