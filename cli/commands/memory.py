"""The commands behind agents' slash commands, which the user may run too."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ...core.config.limits import RANGES
from ...core.config.settings import PRESETS
from ...core.text.words import clean
from ...core.values import CATEGORIES
from ...db.errors import ManagerError
from ..acts import count_pins, ids_of, memories_of, report, report_line, takes_back
from ..options import (
    COUNT,
    LONGEST_LINE,
    TYPED,
    Door,
    all_of,
    command,
    group,
    print_error,
    refuse_terminal,
)
from ..output import Ink, ago, count, memory_count, narrate, one_line, say, table
from .acts import forget
from .find import list_, search
from .remember import remember

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.preferences import Switches, SwitchName

DEFAULT = "default"  # the word that takes a choice back: as the settings say
SHOWN = 20  # memories listed where no limit is given: an agent pays for each line
LEAST, MOST = (int(end) for end in RANGES["max_budget_tokens"])


@group("memdeck memory status", "memdeck memory budget 3000")
def memory() -> None:
    """Do what an agent's slash commands do.

    Budget, aliases, recording and preset of this project. Without a subcommand, its status.
    """


def _print(rows: Iterable[tuple[str, str]]) -> None:
    table([[Ink(label, "dim"), one_line(text)] for label, text in rows], indent="  ")


@command("memdeck memory status", of=memory)
def memory_status(door: Door) -> int:
    """Show the number of memories, categories and index health."""
    with door.memory() as core:
        stats, now, is_on = core.stats(), core.now(), core.auto_memory
        problem = core.index_problem()
        last = next(iter(core.receipts(limit=1)), None)
        status: dict[str, Any] = {
            "project": core.project.name,
            "entries": stats.total_count,
            "categories": stats.by_category,
            "index": {"ok": not problem, "problem": problem or None},
            "read_only": core.is_read_only,
            "last_injected": last,
            "review": core.services.review_entries.count(),
            "conflicts": stats.conflicts,
            "auto": is_on,
            "incognito": core.services.preferences.is_incognito,
        }
    if not door.prints_json(status):
        say(Ink(one_line(status["project"]), "bold"), f"  {memory_count(stats.total_count)}")
        names = (f"{name.replace('_', ' ')} {n:,}" for name, n in stats.by_category.items())
        sound = "not checked: the store can only be read from here"
        size = f"{memory_count(len(last.items))}, {count(last.tokens, 'token')}" if last else ""
        _print(
            [
                ("categories", ", ".join(names) or "none yet"),
                ("index", problem or (sound if status["read_only"] else "sound")),
                (
                    "injected",
                    f"{size}, {last.host}, {ago(last.at, now)}" if last else "nothing yet",
                ),
                ("to review", count(status["review"], "item")),
                ("auto", _auto_words(is_on, status["incognito"])),
            ]
        )
        if problem:
            narrate("  `memdeck rebuild` rebuilds the index.")
    return 1 if problem else 0


@command("memdeck memory search retry budget", of=memory)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 500), metavar="N", default=10, help="At most (10).")
def memory_search(_door: Door, query: tuple[str, ...], limit: int) -> int:
    """Find memories, best first, each with its score."""
    return int(click.get_current_context().invoke(search, query=query, limit=limit) or 0)


def _auto_words(is_on: bool, is_incognito: bool = False) -> str:
    if not is_on:
        return "off: only memories that you write are kept"
    if is_incognito:
        return "on, but incognito: nothing is recorded"
    return "on: sessions are recorded"


@command("memdeck memory list decision", of=memory)
@click.argument("category", type=click.Choice(CATEGORIES), metavar="[CATEGORY]", required=False)
@click.option("--limit", type=COUNT, metavar="N", default=SHOWN, help=f"At most ({SHOWN}).")
def memory_list(_door: Door, category: str | None, limit: int) -> int:
    """List the newest memories, or those of one category."""
    query = (f"category:{category}",) if category else ()
    return int(click.get_current_context().invoke(list_, query=query, limit=limit) or 0)


@command("memdeck memory budget 3000", "memdeck memory budget", of=memory)
@click.argument("tokens", metavar="[TOKENS|default]", required=False)
def memory_budget(door: Door, tokens: str | None) -> None:
    """Show or set the token budget of a prompt.

    `default` returns to the settings.
    """
    digits = (tokens or DEFAULT).lower().replace(",", "").replace("_", "")
    if digits != DEFAULT and not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise click.UsageError(f"A budget is {LEAST:,} to {MOST:,} tokens, or `{DEFAULT}`.")
    with door.memory() as core:
        if tokens is not None:
            core.set_ceiling(None if digits == DEFAULT else int(digits))
        ceiling, is_chosen = _ceiling(core), core.ceiling is not None
    if door.prints_json({"ceiling": ceiling, "chosen": is_chosen}):
        return
    chosen = "chosen here" if is_chosen else "as the settings say"
    say(f"budget  at most {ceiling:,} tokens a prompt ({chosen})")
    if tokens is not None:
        takes_back()


def _ceiling(core: MemoryCoordinator) -> int:
    return core.policy.recall.max_budget_tokens if core.ceiling is None else core.ceiling


_switching = all_of(
    click.argument("state", type=click.Choice(["on", "off"]), metavar="[on|off]", required=False),
    click.option(
        "--everywhere", is_flag=True, help="Switch it in every project, not only in this one."
    ),
)


def _switched(door: Door, name: SwitchName, state: str | None, everywhere: bool) -> Switches:
    """Switch it, where a state is given, and return all switches."""
    with door.memory() as core:
        if state is not None:
            core.set_switch(name, state == "on", "everywhere" if everywhere else "project")
        return core.switches


@command("memdeck memory auto off", "memdeck memory auto", of=memory)
@_switching
def memory_auto(door: Door, state: str | None, everywhere: bool) -> None:
    """Show or switch the recording of sessions."""
    switches = _switched(door, "auto_memory", state, everywhere)
    here, all_projects = switches.auto_project, switches.auto_everywhere
    is_on = switches.by_settings and here and all_projects
    places = {"project": here, "everywhere": all_projects}
    if door.prints_json({"auto": is_on, "settings": switches.by_settings, **places}):
        return
    say(f"auto  {_auto_words(is_on)}")
    if not switches.by_settings:
        narrate("  `auto_memory = false` in the settings keeps it off.")
    elif not all_projects:
        narrate("  It is off in every project. `memdeck memory auto on --everywhere` ends it.")
    if state is not None:
        takes_back()


@command("memdeck memory incognito on", of=memory)
@_switching
def memory_incognito(door: Door, state: str | None, everywhere: bool) -> None:
    """Show or switch incognito: no session leaves a trace."""
    switches = _switched(door, "incognito", state, everywhere)
    here, all_projects = switches.incognito_project, switches.incognito_everywhere
    is_on = here or all_projects
    if door.prints_json({"incognito": is_on, "project": here, "everywhere": all_projects}):
        return
    say(f"incognito  {'on: nothing is recorded' if is_on else 'off'}")
    if all_projects:
        narrate("  In every project. `memdeck memory incognito off --everywhere` ends it.")
    if state is not None:
        takes_back()


@command("memdeck memory config conservative", "memdeck memory config", of=memory)
@click.argument(
    "preset", type=click.Choice([*PRESETS, DEFAULT]), metavar="[PRESET|default]", required=False
)
def memory_config(door: Door, preset: str | None) -> None:
    """Show or choose the preset.

    The preset is conservative, balanced or aggressive. `default` returns to the settings.
    """
    with door.memory() as core:
        if preset is not None:
            core.set_preset(None if preset == DEFAULT else preset)
        needed = core.policy.promotion
        values = {
            "preset": core.policy.preset,
            "min_points": needed.min_points,
            "min_importance": needed.min_importance,
            "min_length": needed.min_length,
            "budget": _ceiling(core),
            "auto": core.auto_memory,
        }
    if door.prints_json(values):
        return
    _print((name.replace("_", " "), str(value)) for name, value in values.items())
    if preset is not None:
        takes_back()


@group("memdeck memory alias", "memdeck memory alias add infra ops hosts", of=memory)
def alias() -> None:
    """Show or change words that find each other."""


@command("memdeck memory alias list", of=alias)
@click.option("--built-in", is_flag=True, help="Also those that hold everywhere.")
def alias_list(door: Door, built_in: bool) -> None:
    """List the project's own aliases."""
    with door.memory() as core:
        listed = [(word, others, False) for word, others in core.aliases().items()]
        if built_in:
            from ...core.recall.expansion import everyday_groups

            listed += [(group[0], group[1:], True) for group in everyday_groups()]
    names = ("word", "others", "built_in")
    if door.prints_json(*(dict(zip(names, item, strict=True)) for item in listed)):
        return
    _print((word, ", ".join(others)) for word, others, _ in listed)
    if not listed:
        narrate("The project has no aliases of its own. --built-in lists the built-in ones.")


@command("memdeck memory alias add infra ops hosts", of=alias)
@click.argument("word")
@click.argument("others", metavar="OTHER…", nargs=-1, required=True)
def alias_add(door: Door, word: str, others: tuple[str, ...]) -> None:
    """Let a word also find memories with other words."""
    with door.memory() as core:
        joined = core.add_alias(word, others)
    text = f"alias  {one_line(word)} also finds {one_line(', '.join(joined))}"
    report_line(door, {"word": word.strip().lower(), "others": joined, "built_in": False}, text)


@command("memdeck memory alias remove infra", of=alias)
@click.argument("word")
def alias_remove(door: Door, word: str) -> None:
    """Remove the project's aliases of a word."""
    with door.memory() as core:
        core.remove_alias(word)
    text = f"alias  {one_line(word)} finds itself"
    report_line(door, {"word": word.strip().lower(), "others": [], "built_in": False}, text)


COMMANDS = ("remember", "forget", "pin", "mem")
"""Names of an agent's slash commands; they go through `memdeck memory slash`."""

WORDS_OF_MEM = ("status", "list", "search", "budget", "alias", "auto", "incognito", "config")


@command("memdeck memory slash mem status", of=memory, hidden=True)
@click.argument("name", type=click.Choice(COMMANDS))
@click.argument("words", nargs=-1)
@click.option("--stdin", "from_stdin", is_flag=True, help="Read the words from standard input.")
@click.pass_context
def slash(
    context: click.Context, /, door: Door, name: str, words: tuple[str, ...], from_stdin: bool
) -> int:
    """Answer one of an agent's slash commands.

    The words count as the user's, once, if the prompt hook saw them typed. The answer is plain
    text on standard output, also if the command is refused. The exit code is 1 then.
    """
    from ...agents.spool import take_word
    from ...db.home import Home
    from ...hosts.registry import shell

    text = " ".join(words).strip()
    if from_stdin:
        refuse_terminal()
        raw = sys.stdin.buffer.read(LONGEST_LINE)
        text = clean(raw.decode("utf-8", errors="replace")).strip()
    context.meta[TYPED] = is_typed = take_word(Home(door.home), name, text)
    door = door._replace(is_typed=is_typed)
    printed = io.StringIO()  # which is no terminal either: agents run commands in one, to show it
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        if not is_typed and shell(os.environ).hosts:
            narrate("memdeck did not see the user type this: it counts as the agent's.")
        try:
            code = _answer(context, door, name, text)
        except (ManagerError, click.ClickException) as error:
            code = print_error(error)
        except click.exceptions.Exit as end:  # a help page
            code = end.exit_code
    sys.stdout.write(printed.getvalue())
    return code


def _answer(context: click.Context, door: Door, name: str, text: str) -> int:
    """Run a slash command; return its exit code."""
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
    """Pin the memories that the words mean; unpin them if all are pinned."""
    with door.memory() as core:
        matches = memories_of(core, words)
        is_pinned = all(memory.status == "pinned" for memory in matches)
        changed = (core.unpin if is_pinned else core.pin)(ids_of(matches))
        report(door, "unpinned" if is_pinned else "pinned", changed)
        count_pins(core.services.pin_words())
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
