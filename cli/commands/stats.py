"""Memories counted by type, status and category."""

from __future__ import annotations

from ..options import Door, command
from ..output import size, table


@command("memdeck stats --json")
def stats(door: Door) -> None:
    """Count memories by type, status and category."""
    with door.memory() as core:
        counted = core.stats()
    if door.prints_json(counted):
        return
    rows = [["memories", "", f"{counted.total_count:>7,}"]]
    for name, by in (
        ("type", counted.by_type),
        ("status", counted.by_status),
        ("category", counted.by_category),
    ):
        rows += [[name, kind.replace("_", " "), f"{number:>7,}"] for kind, number in by.items()]
    rows += [
        ["retired", "", f"{counted.retired:>7,}"],
        ["conflicts", "", f"{counted.conflicts:>7,}"],
        ["expiring", "", f"{counted.expiring:>7,}"],
        ["database", "", f"{size(counted.database_bytes):>7}"],
        ["journal", "", f"{size(counted.journal_bytes):>7}"],
    ]
    table(rows)
