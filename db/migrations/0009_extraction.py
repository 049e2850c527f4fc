"""Which sessions a model is to read, and what came of each call. A local record, not journaled."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "extraction" ("session" TEXT NOT NULL PRIMARY KEY, "host" TEXT NOT NULL,'
    ' "cwd" TEXT NOT NULL, "transcript" TEXT NOT NULL,'
    ' "due_at" INTEGER, "not_before" INTEGER NOT NULL, "tries" INTEGER NOT NULL,'
    ' "line" INTEGER NOT NULL, "hidden" INTEGER NOT NULL,'
    ' "kept" INTEGER NOT NULL)',
    'CREATE TABLE "extraction_call" ("id" INTEGER NOT NULL PRIMARY KEY, "at" INTEGER NOT NULL,'
    ' "session" TEXT NOT NULL, "engine" TEXT NOT NULL,'
    ' "status" TEXT NOT NULL, "reason" TEXT NOT NULL, "tokens" INTEGER NOT NULL,'
    ' "cost_usd" REAL NOT NULL, "latency_ms" REAL NOT NULL, "kept" INTEGER NOT NULL,'
    ' "known" INTEGER NOT NULL, "merged" INTEGER NOT NULL, "replaced" INTEGER NOT NULL,'
    ' "disputed" INTEGER NOT NULL, "dropped" TEXT NOT NULL)',
    'CREATE INDEX "extractionrow_due_at" ON "extraction" ("due_at")',
    'CREATE INDEX "extractioncallrow_at" ON "extraction_call" ("at")',
)


def up(migrator: Any, db: Any) -> None:
    """Add the tables; sessions that ended before are read by hand only."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
