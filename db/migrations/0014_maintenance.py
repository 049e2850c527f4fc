"""When a project was last maintained."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "maintenance" ("project" TEXT NOT NULL PRIMARY KEY, "at" INTEGER,'
    ' "held_at" INTEGER, "unfinished" TEXT NOT NULL)',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table; a project without a row was never maintained."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
