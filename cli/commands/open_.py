"""The file that a memory names, in the person's editor at its line."""

from __future__ import annotations

import subprocess

import click

from ...core.errors import NotFound
from ...core.page import file_places, opened_with
from ..options import Door, command, complete_memory
from ..output import say


@command("memdeck open 01k8f2q", "memdeck open 01k8f2q --print")
@click.argument("identifier", metavar="ID", shell_complete=complete_memory)
@click.option("--print", "only_print", is_flag=True, help="Print the places, and open nothing.")
def open_(door: Door, identifier: str, only_print: bool) -> int:
    """Open the file that a memory names, at its line.

    In $VISUAL or $EDITOR; of several files the first that is there.
    """
    from ..acts import editor_command

    with door.memory() as core:
        memory = core.show(identifier)
        places = file_places(core, memory)
    if not places:
        raise NotFound(f"{memory.short_id} names no file.", hint="`memdeck edit ID --file PATH`.")
    if only_print or door.as_json:
        for position in places:
            if not door.prints_json(position):
                at = f":{position.line}" if position.line else ""
                say(
                    f"{position.path or position.name}{at}{'' if position.is_there else '  (gone)'}"
                )
        return 0
    first = places[0]
    if not first.is_there:
        raise NotFound(
            f"{first.name} is not there any more.",
            hint=f"It was looked for at {first.path}."
            if first.path
            else "This project has no folder to look for it in.",
        )
    editor = editor_command()
    try:
        return subprocess.call(opened_with(editor, first.path, first.line))
    except OSError as error:
        raise click.UsageError(f"Cannot start {editor[0]}: {error.strerror}.") from error
