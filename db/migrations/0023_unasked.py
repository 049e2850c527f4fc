"""Tellings that nobody asked for, beside all tellings, and the last of the others."""

from typing import Any

STATEMENTS = (
    'ALTER TABLE "memory_use" ADD COLUMN "unasked" INTEGER',
    'ALTER TABLE "memory_use" ADD COLUMN "last_use" INTEGER',
    'UPDATE "memory_use" SET "last_use" = "last_access"',
)


def up(migrator: Any, db: Any) -> None:
    """Add the columns; what was told before counts as it did."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
