"""What agents recorded themselves, and what the transcripts of their sessions say to it."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "recording" ("id" TEXT NOT NULL PRIMARY KEY, "memory" TEXT NOT NULL,'
    ' "session" TEXT NOT NULL, "at" INTEGER NOT NULL, "why" TEXT NOT NULL,'
    ' "is_new" INTEGER NOT NULL, "replaces" TEXT, "evidence" TEXT NOT NULL CHECK'
    " (evidence IN ('unchecked', 'person', 'agent', 'finding', 'quoted', 'nobody')),"
    ' "line" INTEGER, "checked_at" INTEGER)',
    'CREATE INDEX "recordingrow_memory" ON "recording" ("memory")',
    'CREATE INDEX "recordingrow_session" ON "recording" ("session")',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table; nothing was recorded so before."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
