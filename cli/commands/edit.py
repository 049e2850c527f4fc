"""A memory changed, by options or in the person's editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...core.errors import BadInput
from ...core.values import Memory
from ..acts import changes, editing, report
from ..options import Door, command, complete_memory

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator


@command("memdeck edit 01k8f2q --importance 8 --add-tag db", "memdeck edit 01k8f2q")
@click.argument("ids", metavar="ID…", nargs=-1, required=True, shell_complete=complete_memory)
@editing
@click.option("--add-tag", multiple=True, metavar="TAG", help="One tag more.")
@click.option("--remove-tag", multiple=True, metavar="TAG", help="One tag less.")
def edit(
    door: Door,
    ids: tuple[str, ...],
    add_tag: tuple[str, ...],
    remove_tag: tuple[str, ...],
    yes: bool,
    **wanted: Any,
) -> None:
    """Change a memory; without options, in $EDITOR.

    Several memories at once take --add-tag and --remove-tag only.
    """
    fields_changed = changes(wanted)
    with door.memory(yes=yes) as core:
        if not fields_changed and (add_tag or remove_tag):
            edited = core.retag([core.resolve(one).id for one in ids], add_tag, remove_tag)
        elif len(ids) > 1:
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


def _edit_one(core: MemoryCoordinator, memory: Memory, changes: dict[str, Any]) -> Memory:
    if changes:
        return core.edit(memory.id, **changes)
    from ..editor import edit_in_editor

    return edit_in_editor(core, memory)
