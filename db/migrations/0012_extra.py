"""What a caller keeps with a memory, beside the fields of its type."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add the table; memories of before have nothing in it."""
    db.execute_sql(
        'CREATE TABLE "extra" ("memory" INTEGER NOT NULL PRIMARY KEY, "fields" TEXT NOT NULL)'
    )
