"""Which turns of a transcript hold no secret: marks of them, beside how far it was read."""

from typing import Any

STATEMENTS = ('ALTER TABLE "transcript" ADD COLUMN "clear" BLOB',)


def up(migrator: Any, db: Any) -> None:
    """Add the column; what was read before is looked through once more."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
