"""What a session is at work on: files, tools, failures. A local record; the journal has none."""

from typing import Any

STATEMENTS = """
CREATE TABLE "session_activity" (
    "session" TEXT NOT NULL PRIMARY KEY, "files" TEXT NOT NULL, "tools" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL, "last_failure" TEXT, "updated_at" INTEGER NOT NULL
)
"""


def up(migrator: Any, db: Any) -> None:
    """Add the table."""
    db.execute_sql(STATEMENTS)
