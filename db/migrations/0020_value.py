"""What came of what was told: which memories an agent's answer repeated, how known errors fared.

Local records, not journaled. What was told before the tables were there is marked as not known.
"""

import time
from typing import Any

STATEMENTS = (
    'CREATE TABLE "told_use" ("session" TEXT NOT NULL, "memory" TEXT NOT NULL,'
    ' "at" INTEGER NOT NULL, PRIMARY KEY ("session", "memory")) WITHOUT ROWID',
    'CREATE TABLE "error_watch" ("session" TEXT NOT NULL, "memory" TEXT NOT NULL,'
    ' "signature" TEXT NOT NULL, "passed_at" INTEGER, "failed_at" INTEGER,'
    ' PRIMARY KEY ("session", "memory", "signature")) WITHOUT ROWID',
)


def up(migrator: Any, db: Any) -> None:
    """Add the tables, and note from when on they know what was used."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("INSERT INTO told_use VALUES ('', '', ?)", (int(time.time() * 1000),))
