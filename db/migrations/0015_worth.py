"""What each memory is worth, its tier, and which tellings were followed by a use."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "memory_worth" ("memory" INTEGER NOT NULL PRIMARY KEY, "worth" REAL NOT NULL,'
    ' "importance" REAL NOT NULL,'
    """ "tier" TEXT NOT NULL CHECK (tier IN ('hot', 'warm', 'cold')), "as_of" INTEGER NOT NULL)""",
    'ALTER TABLE "memory_use" ADD COLUMN "used" INTEGER',
    'ALTER TABLE "receipt_item" ADD COLUMN "used" INTEGER',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table and the columns; the next maintenance fills them."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
