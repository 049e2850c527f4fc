"""Several entries of the journal can be one act: the audit view learns which belong together."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "audit_group" ("seq" INTEGER NOT NULL PRIMARY KEY, "grouped" INTEGER NOT NULL)',
    'CREATE INDEX "auditgrouprow_grouped" ON "audit_group" ("grouped")',
)


def up(migrator: Any, db: Any) -> None:
    """Add the table; older entries are acts of their own."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
