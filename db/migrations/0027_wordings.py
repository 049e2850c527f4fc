"""Summaries as a model worded them, and which calls were about that."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "wording" ("id" TEXT NOT NULL PRIMARY KEY, "fingerprint" TEXT NOT NULL,'
    ' "engine" TEXT NOT NULL, "content" TEXT NOT NULL, "tries" INTEGER NOT NULL,'
    ' "not_before" INTEGER NOT NULL, "is_answered" INTEGER NOT NULL)',
    'ALTER TABLE "extraction_call" ADD COLUMN "summaries" INTEGER',
)


def up(migrator: Any, db: Any) -> None:
    """Add table and column; what was summed up before was worded by nobody."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
