"""What the fitted score said of a captured sentence, and the signs that made it."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "memory_salience" ("memory" TEXT NOT NULL PRIMARY KEY, "score" REAL NOT NULL,'
    ' "worth_a_look" REAL NOT NULL CHECK (worth_a_look BETWEEN 0 AND 1),'
    ' "worth_keeping" REAL NOT NULL CHECK (worth_keeping BETWEEN 0 AND 1),'
    ' "is_established" INTEGER NOT NULL, "reasons" TEXT NOT NULL)',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table; what was kept before was not judged so."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
