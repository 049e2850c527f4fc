"""What an agent's slash commands call, and a person may: this project's memory (002-23)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...core.config.limits import RANGES
from ...core.query.language import Filter, Query
from ...core.values import CATEGORIES
from ..acts import takes_back
from ..advice import nothing_found
from ..choices import Count
from ..encoder import emit_all, encode
from ..options import Door, command, complete_query, door_options, example
from ..output import Ink, ago, count, emit, field, memory_count, narrate, one_line, say, table
from ..rows import show_rows
from .alias import alias
from .search import show_hit
from .slash import slash

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...core.compat import MemoryCoordinator
    from ...core.services.switchboard import Reach, Switches

PRESETS = ("conservative", "balanced", "aggressive")
DEFAULT = "default"
"""The word that takes a choice back: as the settings say."""

SHOWN = 20
"""Memories listed where no limit is given: an agent pays for each line."""

LEAST, MOST = (int(end) for end in RANGES["max_budget_tokens"])


@click.group(
    invoke_without_command=True,
    epilog=example("memdeck memory status", "memdeck memory budget 3000"),
)
@door_options
@click.pass_context
def memory(context: click.Context, /, **_options: object) -> int:
    """Do what an agent's slash commands do.

    Budget, aliases, automatic memory and preset of this project; without a word, its status.
    """
    if context.invoked_subcommand is None:
        return int(context.invoke(memory_status) or 0)
    return 0


memory.add_command(slash)
memory.add_command(alias)


@command("memdeck memory status", name="status", of=memory)
def memory_status(door: Door) -> int:
    """Show how many memories there are, in which categories, and whether search is sound."""
    with door.memory() as core:
        stats, project = core.stats(), core.project.name
        problem = core.index_problem()
        receipts = core.receipts(limit=1)
        waiting, auto, now = core.waiting_count(), core.auto_memory, core.now()
        is_read_only = core.is_read_only
    last = receipts[0] if receipts else None
    if door.as_json:
        emit(
            {
                "project": project,
                "entries": stats.total_count,
                "categories": dict(stats.by_category),
                "index": {"ok": not problem, "problem": problem or None},
                "read_only": is_read_only,
                "last_injected": encode(last),
                "inbox": waiting,
                "conflicts": stats.conflicts,
                "auto": auto,
            }
        )
        return 0 if not problem else 1
    say(Ink(one_line(project), "bold"), f"  {memory_count(stats.total_count)}")
    kinds = [f"{name.replace('_', ' ')} {n:,}" for name, n in stats.by_category.items()]
    told = "nothing yet"
    if last is not None:
        told = (
            f"{memory_count(len(last.items))}, {count(last.tokens, 'token')}, {last.host}, "
            f"{ago(last.at, now)}"
        )
    index = "not checked: the store can only be read from here" if is_read_only else "sound"
    for name, value in (
        ("categories", ", ".join(kinds) or "none yet"),
        ("index", f"damaged: {problem}" if problem else index),
        ("injected", told),
        ("waiting", f"{waiting:,} in the inbox, {count(stats.conflicts, 'conflict')}"),
        ("auto", _auto_words(auto)),
    ):
        field(name, one_line(value))
    if problem:
        narrate("  `memdeck rebuild` makes the index anew.")
    return 0 if not problem else 1


def _auto_words(is_on: bool) -> str:
    return "on: sessions are taken down" if is_on else "off: only what a person writes is kept"


@command("memdeck memory list decision", name="list", of=memory)
@click.argument("category", type=click.Choice(CATEGORIES), metavar="[CATEGORY]", required=False)
@click.option("--limit", type=Count(1), metavar="N", default=SHOWN, help=f"At most ({SHOWN}).")
def memory_list(door: Door, category: str | None, limit: int) -> None:
    """List the memories, newest first, or those of one category."""
    query = Query(filters=(Filter("category", category),) if category else ())
    with door.memory() as core:
        found = core.list(query, limit=limit)
        total, now = core.count(query), core.now()
    if door.as_json:
        emit_all(found)
        return
    show_rows(found, now)
    kind = f" of category {category}" if category else ""
    if total > len(found):
        narrate(Ink(f"{len(found)} of {memory_count(total)}{kind}; --limit shows more", "dim"))
    elif not found:
        narrate(f"There are no memories{kind} yet.")


@command("memdeck memory search retry budget", name="search", of=memory)
@click.argument("query", nargs=-1, required=True, shell_complete=complete_query)
@click.option("--limit", type=Count(1, 500), metavar="N", default=10, help="At most (10).")
def memory_search(door: Door, query: tuple[str, ...], limit: int) -> None:
    """Find memories, best first, each with its score."""
    text = " ".join(query)
    with door.memory() as core:
        hits = core.search(text, limit=limit)
        if door.as_json:
            emit_all(hits)
            return
        for hit in hits:
            show_hit(hit)
        if not hits:
            nothing_found(core.suggest(text))


@command("memdeck memory budget 3000", "memdeck memory budget", name="budget", of=memory)
@click.argument("tokens", metavar="[TOKENS|default]", required=False)
def memory_budget(door: Door, tokens: str | None) -> None:
    """Show how many tokens a prompt may be given, or set the ceiling.

    `default` goes back to what the settings say.
    """
    wanted = _tokens(tokens)
    with door.memory() as core:
        if tokens is not None:
            core.set_ceiling(wanted)
        in_force = _budget(core)
    if door.as_json:
        emit(in_force)
        return
    chosen = "chosen here" if in_force["chosen"] else "as the settings say"
    say(f"budget  at most {in_force['ceiling']:,} tokens a prompt ({chosen})")
    share, assumed = in_force["context_share"], in_force["default_context_tokens"]
    say(Ink(f"        {share:.0%} of the context that is left; {assumed:,} if unknown", "dim"))
    if tokens is not None:
        takes_back()


def _tokens(text: str | None) -> int | None:
    """The ceiling that a word means; None for `default`. Raises click.UsageError."""
    if text is None or text.lower() == DEFAULT:
        return None
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise click.UsageError(f"A budget is {LEAST:,} to {MOST:,} tokens, or `{DEFAULT}`.")
    return int(digits)


def _budget(core: MemoryCoordinator) -> dict[str, Any]:
    settings = core.policy.recall
    chosen = core.ceiling
    return {
        "ceiling": settings.max_budget_tokens if chosen is None else chosen,
        "chosen": chosen is not None,
        "settings": settings.max_budget_tokens,
        "context_share": settings.context_share,
        "default_context_tokens": settings.default_context_tokens,
        "policy": settings.budget_policy,
    }


def _everywhere(what: str) -> Callable[[Any], Any]:
    return click.option(
        "--everywhere", is_flag=True, help=f"{what} in every project, not only in this one."
    )


@command("memdeck memory auto off", "memdeck memory auto", name="auto", of=memory)
@click.argument("state", type=click.Choice(["on", "off"]), metavar="[on|off]", required=False)
@_everywhere("Switch it")
def memory_auto(door: Door, state: str | None, everywhere: bool) -> None:
    """Show or switch whether this project's sessions are taken down."""
    with door.memory() as core:
        if state is not None:
            reach: Reach = "everywhere" if everywhere else "project"
            core.set_switch("auto_memory", state == "on", reach)
        is_on, switches = core.auto_memory, core.switches
    if door.as_json:
        emit({"auto": is_on, "settings": switches.by_settings} | _places(switches, "auto"))
        return
    say(f"auto  {_auto_words(is_on)}")
    if not is_on and not switches.by_settings:
        narrate("  `auto_memory = false` in the settings keeps it off.")
    elif not is_on and not switches.auto_everywhere:
        narrate("  It is off in every project; `memdeck memory auto on --everywhere` ends that.")
    elif not is_on and state == "on":
        narrate("  It is off in this project; `memdeck memory auto on` ends that.")
    if state is not None:
        takes_back()


@command("memdeck memory incognito on", name="incognito", of=memory)
@click.argument("state", type=click.Choice(["on", "off"]), metavar="[on|off]", required=False)
@_everywhere("Switch it")
def memory_incognito(door: Door, state: str | None, everywhere: bool) -> None:
    """Show or switch whether this project's sessions go by without a trace, for a while."""
    with door.memory() as core:
        if state is not None:
            reach: Reach = "everywhere" if everywhere else "project"
            core.set_switch("incognito", state == "on", reach)
        switches = core.switches
    is_on = switches.incognito_project or switches.incognito_everywhere
    if door.as_json:
        emit({"incognito": is_on} | _places(switches, "incognito"))
        return
    say(f"incognito  {'on: nothing is taken down' if is_on else 'off'}")
    if is_on and switches.incognito_everywhere:
        narrate("  In every project; `memdeck memory incognito off --everywhere` ends that.")
    if state is not None:
        takes_back()


def _places(switches: Switches, name: str) -> dict[str, bool]:
    return {reach: getattr(switches, f"{name}_{reach}") for reach in ("project", "everywhere")}


@command("memdeck memory config conservative", "memdeck memory config", name="config", of=memory)
@click.argument(
    "preset", type=click.Choice([*PRESETS, DEFAULT]), metavar="[PRESET|default]", required=False
)
def memory_config(door: Door, preset: str | None) -> None:
    """Show the values in force, or choose how eagerly findings become memories.

    Presets: conservative, balanced, aggressive; `default` goes back to the settings'.
    """
    with door.memory() as core:
        if preset is not None:
            core.set_preset(None if preset == DEFAULT else preset)
        policy, auto, budget = core.policy, core.auto_memory, _budget(core)
    needed = policy.promotion
    if door.as_json:
        emit(
            {
                "preset": policy.preset,
                "min_points": needed.min_points,
                "min_importance": needed.min_importance,
                "min_length": needed.min_length,
                "budget": budget["ceiling"],
                "auto": auto,
            }
        )
        return
    table(
        [
            [Ink("preset", "dim"), policy.preset],
            [Ink("points", "dim"), f"{needed.min_points} to leave the session"],
            [Ink("importance", "dim"), f"{needed.min_importance:g} at least (0-1)"],
            [Ink("length", "dim"), f"{needed.min_length} characters at least"],
            [Ink("budget", "dim"), f"{budget['ceiling']:,} tokens a prompt at most"],
            [Ink("auto", "dim"), _auto_words(auto)],
        ],
        indent="  ",
    )
    if preset is not None:
        takes_back()
