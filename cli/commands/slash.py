"""What an agent's slash commands call: the person's words as data, the answer as plain text."""

from __future__ import annotations

import contextlib
import io
import sys

import click

from ...core.errors import ManagerError
from ...core.text.clean import clean
from .. import stdin
from ..acts import ids_of, report
from ..options import Door, command
from ..output import narrate
from ..targets import meant
from .forget import forget
from .remember import remember

COMMANDS = ("remember", "forget", "pin", "mem")
WORDS_OF_MEM = ("status", "list", "search", "budget", "alias", "auto", "incognito", "config")


@command("memdeck memory slash mem status", name="slash", hidden=True)
@click.argument("name", type=click.Choice(COMMANDS))
@click.argument("words", nargs=-1)
@click.option("--stdin", "from_stdin", is_flag=True, help="The words are on standard input.")
@click.pass_context
def slash(
    context: click.Context, /, door: Door, name: str, words: tuple[str, ...], from_stdin: bool
) -> int:
    """Answer one of an agent's slash commands.

    The answer is all on standard output, without colour, also when there is a reason why nothing
    was done; the exit code says that there is.
    """
    text = _given(words, from_stdin=from_stdin)
    printed = io.StringIO()  # which is no terminal either: agents run commands in one, to show it
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            code = _answer(context, door, name, text)
        except ManagerError as error:
            narrate("memdeck: ", str(error))
            if error.hint:
                narrate("  ", error.hint)
            code = error.exit_code
        except click.ClickException as error:
            narrate("memdeck: ", error.format_message())
            code = error.exit_code
        except click.exceptions.Exit as end:  # a help page that was asked for
            code = end.exit_code
    sys.stdout.write(printed.getvalue())
    return code


def _given(words: tuple[str, ...], *, from_stdin: bool) -> str:
    if not from_stdin:
        return " ".join(words).strip()
    stdin.refuse_terminal()
    raw = sys.stdin.buffer.read(stdin.LONGEST_LINE)
    return clean(raw.decode("utf-8", errors="replace")).strip()


def _answer(context: click.Context, door: Door, name: str, text: str) -> int:
    """Do what was asked for; its exit code."""
    if name == "mem":
        return _mem(context, text.split() or ["status"])
    if text in ("", "-"):
        needed = "a text" if name == "remember" else "an id, or words"
        raise click.UsageError(f"/{name} needs {needed}.")
    if name == "remember":
        return _run(context, remember, [text])
    if name == "forget":
        return _run(context, forget, text.split())
    return _toggle_pin(door, tuple(text.split()))


def _toggle_pin(door: Door, words: tuple[str, ...]) -> int:
    """Pin what the words mean; when all of it is pinned, take the pins off (002-23)."""
    with door.memory() as core:
        found = meant(core, words)
        if all(memory.status == "pinned" for memory in found):
            done, changed = "unpinned", core.unpin(ids_of(found))
        else:
            done, changed = "pinned", core.pin(ids_of(found))
    report(door, done, changed)
    return 0


def _mem(context: click.Context, words: list[str]) -> int:
    group = context.parent.command if context.parent else None
    assert isinstance(group, click.Group)
    verb, rest = words[0].lower(), words[1:]
    if verb not in WORDS_OF_MEM:
        raise click.UsageError(f"There is no /mem {words[0]}; there are {', '.join(WORDS_OF_MEM)}.")
    command = group.commands[verb]
    if verb == "search":
        return _run(context, command, rest)
    with command.make_context(verb, rest, parent=context) as inner:
        return int(command.invoke(inner) or 0)


def _run(context: click.Context, command: click.Command, words: list[str]) -> int:
    """Run `command` on words of which none is an option."""
    with command.make_context(command.name, ["--", *words], parent=context) as inner:
        return int(command.invoke(inner) or 0)
