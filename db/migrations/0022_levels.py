"""Summaries of tasks and of the whole project beside those of sessions, days, weeks and months."""

from typing import Any

STATEMENTS = (
    'CREATE TABLE "summary_new" ("id" TEXT NOT NULL PRIMARY KEY, "project" TEXT NOT NULL,'
    " \"session\" TEXT, \"level\" TEXT NOT NULL CHECK (level IN ('event', 'task', 'session',"
    " 'day', 'week', 'month', 'project')), \"starts_at\" INTEGER NOT NULL,"
    ' "ends_at" INTEGER NOT NULL, "content" TEXT NOT NULL, "tokens" INTEGER NOT NULL)',
    'INSERT INTO "summary_new" SELECT "id", "project", "session", "level", "starts_at", "ends_at",'
    ' "content", "tokens" FROM "summary"',
    'DROP TABLE "summary"',
    'ALTER TABLE "summary_new" RENAME TO "summary"',
    'CREATE INDEX "summaryrow_project" ON "summary" ("project")',
    'CREATE INDEX "summaryrow_session" ON "summary" ("session")',
)


def up(migrator: Any, db: Any) -> None:
    """Make the table anew: SQLite changes no condition of a column in place."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
