"""What a person made of each candidate, and what their verdicts added to its score."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "memory_verdict" ("memory" TEXT NOT NULL PRIMARY KEY, "project" TEXT NOT NULL,'
    ' "score" REAL NOT NULL, "is_kept" INTEGER NOT NULL CHECK (is_kept IN (0, 1)),'
    ' "is_person" INTEGER NOT NULL CHECK (is_person IN (0, 1)), "at" INTEGER NOT NULL)',
    'CREATE INDEX "verdictrow_project_at" ON "memory_verdict" ("project", "at")',
    'ALTER TABLE "memory_salience" ADD COLUMN "bias" REAL',
    'ALTER TABLE "memory_salience" ADD COLUMN "is_person" INTEGER',
    'ALTER TABLE "finding" ADD COLUMN "score" REAL',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table and the columns; verdicts of before are not known."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
