"""What speaks against memories, and what of a folder without a history was seen."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "memory_staleness" ("memory" TEXT NOT NULL PRIMARY KEY, "at" INTEGER NOT NULL,'
    ' "reason" TEXT NOT NULL, "evidence" TEXT NOT NULL, "moves" TEXT NOT NULL,'
    ' "is_gone" INTEGER NOT NULL)',
    'CREATE TABLE "memory_sighting" ("memory" TEXT NOT NULL PRIMARY KEY, "names" TEXT NOT NULL)',
)


def up(migrator: Any, db: Any) -> None:
    """Add the tables; the next maintain fills them."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
