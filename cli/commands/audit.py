"""What was done, by whom and why."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.answers import Difference, Entry
from ...core.values import ACTORS
from ..card import entry_row
from ..choices import PAST, Count
from ..options import Door, command, complete_memory, session_called
from ..output import (
    Ink,
    age,
    clip,
    local,
    memory_count,
    narrate,
    one_line,
    readable,
    say,
    table,
    width,
)

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

NARROWING = ("session", "action", "actor", "since", "until", "before")


@command("memdeck audit --since 1d --actor rule", "memdeck audit 42   # before and after")
@click.argument("seq", type=Count(1), required=False)
@click.option("--memory", metavar="ID", shell_complete=complete_memory, help="Of this memory.")
@click.option("--session", metavar="ID", help="Of this session.")
@click.option("--action", metavar="WORD", help="Of this kind: add, edit, pin, forget, undo, …")
@click.option("--actor", type=click.Choice(ACTORS), help="By a person, an agent or a rule.")
@click.option("--since", type=PAST, metavar="WHEN", help="Not before: 2026-03-01, 7d.")
@click.option("--until", type=PAST, metavar="WHEN", help="Not after.")
@click.option("--before", type=Count(1), metavar="SEQ", help="Older than this entry.")
@click.option("--limit", type=Count(1), metavar="N", default=50, help="Entries at most (50).")
def audit(door: Door, seq: int | None, memory: str | None, **wanted: Any) -> int:
    """Show the trail of changes, newest first.

    With SEQ, the number of an entry, that one: each field before and after.
    """
    with door.memory() as core:
        if seq is not None:
            return _show_entry(door, core, seq)
        wanted["session"] = session_called(core, wanted["session"])
        entries = core.audit(memory=core.resolve(memory).id if memory else None, **wanted)
        now = core.now()
    if door.prints_json(*entries):
        return 0
    table([entry_row(entry, now) for entry in entries])
    if not entries:
        is_narrowed = memory or any(wanted[name] for name in NARROWING)
        narrate("No change matches." if is_narrowed else "Nothing was changed in this project yet.")
    elif len(entries) == wanted["limit"]:
        narrate(Ink(f"  older ones: `--before {entries[-1].seq}`", "dim"))
    return 0


def _show_entry(door: Door, core: MemoryCoordinator, seq: int) -> int:
    entry = core.services.audit.entry(seq)
    differences = core.differences(seq)
    if not door.prints_json(entry, differences=differences):
        _describe(entry, core.now())
        _compare(differences)
    return 0


def _describe(entry: Entry, now: datetime) -> None:
    say(Ink(f"#{entry.seq} {entry.action}", "bold"), f"  by {entry.actor}, ", local(entry.at))
    say(f"  {age(entry.at, now)} · {memory_count(len(entry.memories))}")
    for name, value in (("title", entry.title), ("why", entry.reason), ("session", entry.session)):
        if value and (name != "why" or value != entry.title):
            say("  ", Ink(f"{name:8}", "dim"), one_line(value))
    if entry.group is not None:
        say("  ", Ink("act     ", "dim"), f"one with #{entry.group}, taken back together")
    if entry.undoes is not None:
        say("  ", Ink("undoes  ", "dim"), f"#{entry.undoes}")
    if entry.undone_by is not None:
        say("  ", Ink("undone  ", "dim"), f"by #{entry.undone_by}")


def _compare(differences: list[Difference]) -> None:
    row = None
    aside = max((len(difference.field) for difference in differences), default=0)
    for difference in differences:
        if row != (difference.table, difference.key):
            row = (difference.table, difference.key)
            say("")
            say("  ", Ink(f"{difference.table} {one_line(difference.key)}", "dim"))
        name = f"    {difference.field:{aside}}  "
        for sign, value, style in (
            ("-", difference.before, "bad"),
            ("+", difference.after, "good"),
        ):
            if value is not None:
                shown = readable(difference.field, value)
                text = clip(f"{sign} {one_line(shown)}", width() - len(name))
                say(name, Ink(text, style))
                name = " " * len(name)
