"""Which memories are to be verified. Standard library only: recall reads through here."""

from __future__ import annotations

from collections.abc import Sequence

from . import quick_json
from .quick_sqlite import sqlite3

FLAGGED = (
    "NOT EXISTS (SELECT 1 FROM memory_trust v WHERE v.memory = s.memory AND v.vouched_at >= s.at)"
)
"""A condition on `memory_staleness s`: no person has stood for the memory since."""


def reasons(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """By memory why it is to be verified, and whether all files that it names are gone."""
    found = connection.execute(
        "SELECT s.memory, s.reason, s.is_gone FROM memory_staleness s"
        f" WHERE s.memory IN (SELECT value FROM json_each(?)) AND {FLAGGED}",
        (quick_json.dumps(list(ids)),),
    )
    return {memory: (reason, bool(is_gone)) for memory, reason, is_gone in found}
