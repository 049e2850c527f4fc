"""What a model said of two memories that speak of the same thing, and which pairs it was asked."""

from typing import Any

STATEMENTS = (
    'ALTER TABLE "conflict" ADD COLUMN "opinion" TEXT',
    'ALTER TABLE "conflict" ADD COLUMN "opinion_by" TEXT',
    'ALTER TABLE "conflict" ADD COLUMN "opinion_why" TEXT',
    'CREATE TABLE "pair_asked" ("one" TEXT NOT NULL, "other" TEXT NOT NULL,'
    ' "tries" INTEGER NOT NULL, "not_before" INTEGER NOT NULL,'
    ' "is_answered" INTEGER NOT NULL, PRIMARY KEY ("one", "other")) WITHOUT ROWID',
    'ALTER TABLE "extraction_call" ADD COLUMN "pairs" INTEGER',
)


def up(migrator: Any, db: Any) -> None:
    """Add the columns and the table; calls of before were all about sessions."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
