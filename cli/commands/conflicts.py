"""Conflicts: two memories that cannot both hold, and the verdict on them."""

from __future__ import annotations

from datetime import datetime

import click

from ...core.judgements import CONFLICT_KINDS, VERDICTS, Conflict
from ...core.values import Memory
from ..acts import must_be_here, takes_back
from ..card import origin_of, show_title
from ..options import Door, agreeable, all_of, command, complete_memory, group
from ..output import (
    Ink,
    age,
    clip,
    count,
    field,
    narrate,
    one_line,
    say,
    table,
    unique_beginnings,
    when,
    width,
    wrap,
)
from ..rows import glyph

VERDICT_WORDS = {
    "a": "a stays, b was superseded",
    "b": "b stays, a was superseded",
    "both": "both stay",
    "neither": "neither stays",
    "merged": "one memory now, at a",
    "not_a_conflict": "no conflict",
}


_listing = all_of(
    click.option("--resolved", is_flag=True, help="Only those that were decided."),
    click.option("--all", "every", is_flag=True, help="The decided ones, too."),
)


@group("memdeck conflicts", "memdeck conflicts resolve 01k8f2q --keep b")
@_listing
def conflicts() -> None:
    """Decide between memories that cannot both hold.

    Without a word, lists what waits for a verdict.
    """


@command("memdeck conflicts list --all --json", of=conflicts)
@_listing
def conflicts_list(door: Door, resolved: bool, every: bool) -> None:
    """List conflicts without a verdict, oldest first."""
    with door.memory() as core:
        known = core.conflicts(resolved=None)
        now = core.now()
    short = unique_beginnings([one.id for one in known])
    found = [one for one in known if every or one.is_open is not resolved]
    for conflict in found:
        if not door.prints_json(conflict, short_id=short[conflict.id]):
            _show_row(conflict, short[conflict.id], now)
    if door.as_json:
        return
    waiting = [one for one in known if one.is_open]
    if found:
        narrate(Ink(f"{count(len(waiting), 'conflict')} without a verdict", "dim"))
    else:
        narrate("No conflict was decided yet." if resolved else "No conflict waits for a verdict.")


def _verdict(conflict: Conflict) -> str:
    """Who stays, once that is decided; "" before."""
    if conflict.is_set_aside:
        return "taken off the list by a model"
    return VERDICT_WORDS[conflict.verdict] if conflict.verdict else ""


def _show_row(conflict: Conflict, short: str, now: datetime) -> None:
    verdict = _verdict(conflict)
    about = [conflict.kind, age(conflict.detected_at, now), verdict]
    about += [conflict.model_says, conflict.reason]
    told = one_line(" · ".join(part for part in about if part))
    say(Ink(short, "bold"), "  ", Ink(clip(told, width() - len(short) - 2), "dim"))
    _show_sides(conflict, with_standing=False)


@command("memdeck conflicts show 01k8f2q", of=conflicts)
@click.argument("identifier", metavar="ID")
def conflicts_show(door: Door, identifier: str) -> None:
    """Show both sides of a conflict: the texts, where they come from, what opposes them."""
    with door.memory() as core:
        conflict = core.conflict(identifier)
        now = core.now()
    if door.prints_json(conflict):
        return
    say(Ink(conflict.kind, "bold"), "  ", Ink(conflict.id, "dim"))
    field("detected", when(conflict.detected_at, now))
    field("because", one_line(conflict.reason))
    field("model", one_line(conflict.model_says))
    field("verdict", _verdict(conflict) or "none yet")
    field("context", one_line(conflict.context))
    if conflict.resolved_at is not None:
        field("decided", when(conflict.resolved_at, now))
    for side, memory in (("a", conflict.first), ("b", conflict.second)):
        _show_side(side, memory, now)
    if conflict.is_set_aside:
        say("")
        entry = f"memdeck history --action resolve --memory {conflict.first.short_id}"
        narrate(Ink(f"  `{entry}` has its entry; `memdeck undo SEQ` brings it back.", "dim"))
    if conflict.is_open:
        say("")
        narrate(Ink(f"  `memdeck conflicts resolve {conflict.id} --keep a|b|both|…`", "dim"))


def _show_side(side: str, memory: Memory, now: datetime) -> None:
    say("")
    show_title(memory, f"  {side}  ")
    for line in wrap(memory.content, width() - 7):
        say("     ", line)
    standing = [memory.type, memory.category.replace("_", " "), memory.scope]
    standing.append(memory.retired_as or memory.status)
    for words in (
        " · ".join(standing),
        f"from {origin_of(memory)}, {when(memory.created_at, now)}",
        ", ".join(memory.files),
        f"told {count(memory.accesses, 'time')}" if memory.accesses else "never told",
    ):
        for line in wrap(one_line(words), width() - 5) if words else ():
            say("     ", Ink(line, "dim"))


@command(
    "memdeck conflicts resolve 01k8f2q --keep b",
    'memdeck conflicts resolve 01k8f2q --keep both --context "5433 is for tests"',
    of=conflicts,
)
@click.argument("identifier", metavar="ID")
@click.option(
    "--keep",
    type=click.Choice([verdict.replace("_", "-") for verdict in VERDICTS]),
    required=True,
    help="Which side stays, or that there is no conflict.",
)
@click.option("--context", default="", help="What tells the two apart, when both stay.")
@click.option("--content", help="With merged: the text that says it for both.")
@click.option("--title", help="With merged: its title.")
@agreeable
def conflicts_resolve(
    door: Door,
    identifier: str,
    keep: str,
    context: str,
    content: str | None,
    title: str | None,
    yes: bool,
) -> None:
    """Decide a conflict; the verdict is remembered and not asked for again.

    The side that does not stay leaves recall as superseded, and stays restorable. `merged`
    makes side a say it for both.
    """
    edits = {"content": content, "title": title}
    given = {name: value for name, value in edits.items() if value is not None}
    if given and keep != "merged":
        raise click.UsageError("--content and --title go with --keep merged.")
    with door.memory(yes=yes) as core:
        conflict = core.resolve_conflict(
            identifier, keep.replace("-", "_"), context=context, **given
        )
    _report(door, conflict, f"resolved  {conflict.id}  {VERDICT_WORDS[conflict.verdict or '']}")


def _report(door: Door, conflict: Conflict, said: str) -> None:
    """What an act did to a conflict, or the conflict as an object."""
    if not door.prints_json(conflict):
        say(said)
        _show_sides(conflict)
        takes_back()


def _show_sides(conflict: Conflict, *, with_standing: bool = True) -> None:
    """A line for each side."""
    rows: list[list[str | Ink]] = []
    for side, memory in (("a", conflict.first), ("b", conflict.second)):
        standing = [memory.retired_as or memory.status] if with_standing else []
        name = memory.title or memory.content
        rows.append([side, glyph(memory), Ink(memory.short_id, "dim"), *standing, name])
    table(rows, indent="  ")


@command('memdeck conflicts mark 01k8f2q 01k9a00 --reason "other port"', of=conflicts)
@click.argument("first", metavar="ID", shell_complete=complete_memory)
@click.argument("second", metavar="ID", shell_complete=complete_memory)
@click.option(
    "--kind",
    type=click.Choice(CONFLICT_KINDS),
    default=CONFLICT_KINDS[0],
    help="How (contradictory).",
)
@click.option("--reason", default="", help="What opposes what.")
def conflicts_mark(door: Door, first: str, second: str, kind: str, reason: str) -> None:
    """Note that two memories cannot both hold; both stay until a verdict."""
    with door.memory() as core:
        one, other = core.resolve(first), core.resolve(second)
        must_be_here(core, [one, other])
        conflict = core.conflict(core.mark_conflict(one.id, other.id, kind, reason))
    _report(door, conflict, f"marked  {conflict.id}  {conflict.kind}")
