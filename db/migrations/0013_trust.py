"""What came from elsewhere, and what a person vouched for."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "memory_trust" ("memory" TEXT NOT NULL PRIMARY KEY, "provenance" TEXT,'
    ' "vouched_at" INTEGER)',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table; of what was kept before, the degree follows from what else is stored."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
