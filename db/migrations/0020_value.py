"""How known errors fared where their lesson was told.

Local records, not journaled. What was told before the table was there is marked as not known.
"""

import time
from typing import Any

STATEMENTS = (
    'CREATE TABLE "error_watch" ("session" TEXT NOT NULL, "memory" TEXT NOT NULL,'
    ' "signature" TEXT NOT NULL, "passed_at" INTEGER, "failed_at" INTEGER,'
    ' PRIMARY KEY ("session", "memory", "signature")) WITHOUT ROWID',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table, and note from when on it knows."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql(
        "INSERT INTO error_watch VALUES ('', '', '', ?, NULL)", (int(time.time() * 1000),)
    )
