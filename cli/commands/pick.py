"""One memory, chosen below the prompt: its id is what is printed."""

from __future__ import annotations

import os

import click

from ...core.errors import Refused
from ...hosts.registry import running
from ..options import Door, command, complete_query, is_asking
from ..output import say

GONE = 1
"""Exit code when nothing was chosen."""


@command("memdeck pick retry is:pinned")
@click.argument("query", nargs=-1, shell_complete=complete_query)
def pick(door: Door, query: tuple[str, ...]) -> int:
    """Choose a memory below the prompt, and print its id.

    The screen stays as it is, and only the id goes to standard output. Typing narrows, `enter`
    takes, `esc` leaves with exit code 1.
    """
    if not is_asking() or running(os.environ):
        raise Refused(
            "There is no terminal to choose in.",
            hint="`memdeck search WORDS --json` lists what fits.",
        )
    from ...core.compat import MemoryCoordinator
    from ...tui.pick import Picker  # Textual, for this command only

    with door.memory() as core:
        home = core.context.home.path

        def open_core() -> MemoryCoordinator:  # of its own, in the picker's thread
            return MemoryCoordinator.open(home, door.project)

        picker = Picker(home, door.folder, open_core, core.now, " ".join(query))
        chosen = picker.run(inline=True, mouse=False)
        if chosen is None:
            return GONE
        if door.as_json:
            door.prints_json(core.resolve(chosen))
        else:
            say(chosen)
    return 0
