"""Everything that a store's journal answers for, row by row, read from its database as it lies."""

import json
import sqlite3
from collections.abc import Collection
from typing import Any

ONLY_COUNTED = {
    *("memory_use", "memory_worth", "finding", "review", "receipt", "receipt_item", "receipt_text"),
    *("latency", "transcript", "session_activity", "extraction", "extraction_call"),
    *("pair_asked", "maintenance", "memory_staleness", "memory_duplicate", "memory_vector"),
    *(
        "audit",
        "audit_memory",
        "audit_group",  # of older stores
        "journal_state",
        "journal_segment",
        "schema_migration",
    ),
}
"""Tables that no journal brings back, or that follow from it: docs/reference/store.md."""


def contents(database: sqlite3.Connection, without: Collection[str] = ()) -> dict[str, list[str]]:
    """Each row of each table as text that can be compared; columns `without` are left out."""
    named = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    found = {}
    for (table,) in named:
        if table not in ONLY_COUNTED and not table.startswith(("sqlite_", "memory_fts")):
            rows = database.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in rows.description]
            found[table] = sorted(
                json.dumps(
                    {n: _plain(v) for n, v in zip(names, row, strict=True) if n not in without},
                    sort_keys=True,
                    default=repr,
                )
                for row in rows
            )
    return found


def _plain(value: Any) -> Any:
    """JSON in a column by what it says."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
