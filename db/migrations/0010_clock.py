"""The clock of the last applied line of the journal: the next one may not be behind it."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    """Add the column; lines of older versions have no clock."""
    db.execute_sql('ALTER TABLE "journal_state" ADD COLUMN "clock" TEXT')
