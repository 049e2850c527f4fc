"""Completion for shells: commands, options, ids with their titles, filters with their counts."""

from __future__ import annotations

import sys

import click
from click.shell_completion import ShellComplete, get_completion_class

from ..options import Door, command
from ..output import emit

VARIABLE = "_MEMDECK_COMPLETE"
"""The shell sets it when it asks for completions; click's name for a command `memdeck`."""


TOO_OLD = """
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  echo "memdeck: completion needs Bash 4.4 or newer; this is $BASH_VERSION." >&2
fi
"""


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
    # Not a class's own `source`, which starts a bash to ask its version: the script can ask itself.
    text = ShellComplete.source(kind(root, {}, "memdeck", VARIABLE))
    text += TOO_OLD if shell == "bash" else ""
    if door.as_json:
        emit({"shell": shell, "script": text})
    else:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
