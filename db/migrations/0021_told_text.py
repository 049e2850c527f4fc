"""The very text that was told, beside its receipt, for as long as it is kept."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "receipt_text" ("receipt" TEXT NOT NULL PRIMARY KEY, "at" INTEGER NOT NULL,'
    ' "text" TEXT NOT NULL)',
    'CREATE INDEX "receipttextrow_at" ON "receipt_text" ("at")',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table; what was told before was not kept."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
