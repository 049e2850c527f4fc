"""Words that find each other (002-14)."""

from __future__ import annotations

import click

from ..acts import takes_back
from ..options import Door, command, door_options, example
from ..output import Ink, emit, narrate, one_line, say, table


@click.group(
    "alias",
    invoke_without_command=True,
    epilog=example("memdeck memory alias", "memdeck memory alias add infra ops hosts"),
)
@door_options
@click.pass_context
def alias(context: click.Context, /, **_options: object) -> int:
    """Show or choose words that find each other; without a word, lists them."""
    if context.invoked_subcommand is None:
        return int(context.invoke(alias_list) or 0)
    return 0


@command("memdeck memory alias list", name="list", of=alias)
@click.option("--built-in", is_flag=True, help="Also those that hold everywhere.")
def alias_list(door: Door, built_in: bool) -> None:
    """List the project's own aliases."""
    with door.memory() as core:
        own = core.aliases()
        groups = core.default_aliases() if built_in else ()
    known = [(word, others, False) for word, others in own.items()]
    known += [(group[0], group[1:], True) for group in groups]
    if door.as_json:
        for word, others, is_built_in in known:
            emit({"word": word, "others": list(others), "built_in": is_built_in})
        return
    table(
        [
            [word, Ink("built in" if is_built_in else "own", "dim"), ", ".join(others)]
            for word, others, is_built_in in known
        ]
    )
    if not known:
        narrate("The project has no aliases of its own; --built-in lists those everywhere.")


@command("memdeck memory alias add infra ops hosts", name="add", of=alias)
@click.argument("word")
@click.argument("others", metavar="OTHER…", nargs=-1, required=True)
def alias_add(door: Door, word: str, others: tuple[str, ...]) -> None:
    """Let a word also find memories that say it otherwise."""
    with door.memory() as core:
        joined = core.add_alias(word, others)
    key = word.strip().lower()
    if door.as_json:
        emit({"word": key, "others": list(joined), "built_in": False})
        return
    say(f"alias  {one_line(key)} also finds {one_line(', '.join(joined))}")
    takes_back()


@command("memdeck memory alias remove infra", name="remove", of=alias)
@click.argument("word")
def alias_remove(door: Door, word: str) -> None:
    """Forget the project's own aliases of a word."""
    key = word.strip().lower()
    with door.memory() as core:
        core.remove_alias(word)
    if door.as_json:
        emit({"word": key, "others": [], "built_in": False})
        return
    say(f"alias  {one_line(key)} stands for itself")
    takes_back()
