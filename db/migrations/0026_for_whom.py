"""For whom a capture was: one that was refused is brought back for the same."""

from typing import Any

STATEMENTS = ('ALTER TABLE "finding" ADD COLUMN "privacy" TEXT',)


def up(migrator: Any, db: Any) -> None:
    """Add the column; of what was refused before nobody knows it, and it was public."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
