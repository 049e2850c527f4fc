"""What the judge of pairs says of two memories, and whether agents are told."""

from typing import Any

STATEMENTS = (
    'ALTER TABLE "conflict" ADD COLUMN "band" TEXT',
    'ALTER TABLE "conflict" ADD COLUMN "same" REAL',
    'ALTER TABLE "conflict" ADD COLUMN "contradict" REAL',
)


def up(migrator: Any, db: Any) -> None:
    """Add the columns; what was marked before was not judged so, and stays marked."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
