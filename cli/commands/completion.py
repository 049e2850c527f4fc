"""Completion for shells: commands, options, ids with their titles, filters with their counts."""

from __future__ import annotations

import sys

import click
from click.shell_completion import ShellComplete, get_completion_class

from ..options import Door, command

VARIABLE = "_MEMDECK_COMPLETE"
"""The shell sets it when it asks for completions; click's name for a command `memdeck`."""

BASH = r"""
%(complete_func)s() {
    local IFS=$'\n' response completion type value line="$COMP_LINE" words=() cut="" i
    # Bash parts words at the colons of filters: what has no space between is one word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if ((i)) && [[ $line == [![:space:]]* ]]; then
            words[-1]+="${COMP_WORDS[i]}"
        else
            words+=("${COMP_WORDS[i]}")
        fi
        line="${line#"${line%%%%[![:space:]]*}"}"
        line="${line#"${COMP_WORDS[i]}"}"
    done
    if [[ $COMP_WORDBREAKS == *:* && ${words[-1]} == *:* ]]; then
        cut="${words[-1]%%:*}:" # stands there already, as a word of its own
    fi
    response=$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \
        %(complete_var)s=bash_complete $1)
    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            [[ $value == *: ]] && compopt -o nospace # its value comes next
            COMPREPLY+=("${value#"$cut"}")
        fi
    done
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
"""Click's own, but for colons."""

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
    request = kind(root, {}, "memdeck", VARIABLE)
    if shell == "bash":
        request.source_template = BASH  # type: ignore[misc]  # of this one alone
    text = ShellComplete.source(request)
    text += TOO_OLD if shell == "bash" else ""
    if not door.prints_json({"shell": shell, "script": text}):
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
