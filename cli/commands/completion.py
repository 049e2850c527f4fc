"""Completion for shells: commands, options, ids with their titles, filters with their counts."""

from __future__ import annotations

import sys

import click
from click.shell_completion import get_completion_class

from ..options import Door, command
from ..output import emit

VARIABLE = "_MEMDECK_COMPLETE"
"""The shell sets it when it asks for completions; click's name for a command `memdeck`."""


@command(
    'eval "$(memdeck completion bash)"        # in ~/.bashrc; zsh alike',
    "memdeck completion fish > ~/.config/fish/completions/memdeck.fish",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(door: Door, shell: str) -> None:
    """Print a shell's completion script."""
    from ..root import root

    kind = get_completion_class(shell)
    assert kind is not None  # click knows these three
    text = kind(root, {}, "memdeck", VARIABLE).source()
    if door.as_json:
        emit({"shell": shell, "script": text})
    else:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
