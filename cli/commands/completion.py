"""Shell completion of commands and options, by click."""

from __future__ import annotations

import sys

import click
from click.shell_completion import ShellComplete, get_completion_class

from ..options import Door, command


@command(
    'eval "$(memdeck completion bash)"',
    "memdeck completion fish > ~/.config/fish/completions/memdeck.fish",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(door: Door, shell: str) -> None:
    """Print a shell's completion script."""
    from ..root import root

    kind = get_completion_class(shell)
    assert kind is not None  # click knows these three
    # a class's own `source` starts a bash to ask its version
    text = ShellComplete.source(kind(root, {}, "memdeck", "_MEMDECK_COMPLETE"))
    if not door.prints_json({"shell": shell, "script": text}):
        sys.stdout.write(f"{text.rstrip()}\n")
