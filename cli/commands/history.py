"""Shows changes with their actors and reasons."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.values import ACTORS
from ...db.errors import ManagerError
from ..options import COUNT, PAST, Door, command, session_called
from ..output import Ink, age, narrate, print_document, table

if TYPE_CHECKING:
    from ...core.answers import Entry

NARROWING = ("session", "action", "actor", "since", "until", "before")


@command("memdeck history --since 1d --actor rule", "memdeck history 42   # before and after")
@click.argument("seq", type=COUNT, required=False)
@click.option("--memory", metavar="ID", help="Only changes of this memory.")
@click.option("--session", metavar="ID", help="Only changes of this session.")
@click.option(
    "--action",
    metavar="WORD",
    help="Only changes of this kind: remember, edit, pin, forget, undo, …",
)
@click.option(
    "--actor", type=click.Choice(ACTORS), help="Only changes of the user, an agent or a rule."
)
@click.option("--since", type=PAST, metavar="WHEN", help="Only changes since then: 2026-03-01, 7d.")
@click.option("--until", type=PAST, metavar="WHEN", help="Only changes until then.")
@click.option("--before", type=COUNT, metavar="SEQ", help="Only changes before this entry.")
@click.option(
    "--limit", type=COUNT, metavar="N", default=50, help="Maximum number of entries (50)."
)
def history(door: Door, seq: int | None, memory: str | None, **wanted: Any) -> None:
    """Show the changes, newest first, or one of them.

    With SEQ, show each field of this entry before and after.
    """
    with door.memory() as core:
        if seq is not None:
            from ...core.documents.entry import entry_document

            entry, problem = core.services.audit.entry(seq), ""
            try:
                differences = core.differences(seq)
            except ManagerError as error:
                differences, problem = [], str(error)
            titles = core.services.audit.titles(entry.memories)
            if not door.prints_json(entry, differences=differences):
                print_document(entry_document(entry, differences, titles, problem), core.now())
            return
        if wanted["action"]:
            from ...core.documents.entry import journal_name

            wanted["action"] = journal_name(wanted["action"])
        wanted["session"] = session_called(core, wanted["session"])
        entries = core.audit(memory=core.resolve(memory).id if memory else None, **wanted)
        now = core.now()
    if door.prints_json(*entries):
        return
    table([_entry_row(entry, now) for entry in entries])
    if not entries:
        is_narrowed = memory or any(wanted[name] for name in NARROWING)
        narrate("No change matches." if is_narrowed else "Nothing was changed in this project yet.")
    elif len(entries) == wanted["limit"]:
        narrate(Ink(f"  older ones: `--before {entries[-1].seq}`", "dim"))


def _entry_row(entry: Entry, now: datetime) -> list[str | Ink]:
    """Return a line of the history: number, age, actor, action, title."""
    from ...core.documents.entry import act_words

    about = entry.title
    if entry.count > 1 and len(entry.memories) > 1:
        about = f"{about} (and {len(entry.memories) - 1} more)"
    remarks = [about, entry.reason if entry.reason != about else ""]
    if entry.group not in (None, entry.seq):
        remarks.append(f"one act with #{entry.group}")
    if entry.undoes is not None:
        remarks.append(f"undoes #{entry.undoes}")
    if entry.undone_by is not None:
        remarks.append(f"undone by #{entry.undone_by}")
    return [
        Ink(f"#{entry.seq}", "dim"),
        f"{age(entry.at, now):>4}",
        entry.actor,
        act_words(entry),
        " · ".join(remark for remark in remarks if remark),
    ]
