"""What a capture goes through before it is a memory: candidacy, envelope, weight, checkpoints."""

from typing import Any

STATEMENTS = """
CREATE TABLE "memory_candidacy" (
    "memory" TEXT NOT NULL PRIMARY KEY, "points" REAL NOT NULL, "signals" TEXT NOT NULL,
    "promoted_at" INTEGER, "quarantined_until" INTEGER, "snoozed_until" INTEGER
);
CREATE TABLE "memory_envelope" (
    "memory" TEXT NOT NULL PRIMARY KEY, "task" TEXT NOT NULL, "intent" TEXT NOT NULL,
    "actions" TEXT NOT NULL,
    "outcome" TEXT NOT NULL CHECK (outcome IN ('', 'success', 'failure', 'partial')),
    "artifacts" TEXT NOT NULL, "errors" TEXT NOT NULL, "lessons" TEXT NOT NULL,
    "tokens" INTEGER, "time_ms" INTEGER
);
CREATE TABLE "memory_weight" (
    "memory" TEXT NOT NULL PRIMARY KEY, "outcome" REAL NOT NULL, "reuse" REAL NOT NULL,
    "cross_agent" REAL NOT NULL, "novelty" REAL NOT NULL, "user_signal" REAL NOT NULL,
    "cost_savings" REAL NOT NULL, "weighed_at" INTEGER NOT NULL
);
CREATE TABLE "session_checkpoint" (
    "session" TEXT NOT NULL, "messages" INTEGER NOT NULL, "at" INTEGER NOT NULL,
    "line" INTEGER NOT NULL, "learned" TEXT NOT NULL, PRIMARY KEY ("session", "messages")
);
DROP TABLE "review";
CREATE TABLE "review" (
    "id" INTEGER NOT NULL PRIMARY KEY, "memory" TEXT, "finding" INTEGER,
    "reviewer" TEXT NOT NULL, "engine" TEXT NOT NULL,
    "status" TEXT NOT NULL
        CHECK (status IN ('ok', 'timeout', 'failed', 'invalid', 'over_budget')),
    "score" REAL, "is_trivial" INTEGER NOT NULL, "reason" TEXT NOT NULL,
    "latency_ms" REAL NOT NULL, "cost_usd" REAL NOT NULL, "tier" TEXT NOT NULL,
    "created_at" INTEGER NOT NULL
);
CREATE INDEX "reviewrow_memory" ON "review" ("memory");
CREATE INDEX "reviewrow_finding" ON "review" ("finding");
CREATE INDEX "reviewrow_created_at" ON "review" ("created_at");
CREATE INDEX "memory_candidate" ON "memory" ("project") WHERE status = 'candidate';
CREATE INDEX "findingrow_ref" ON "finding" ("ref");
CREATE INDEX "findingrow_memory" ON "finding" ("memory");
CREATE INDEX "memory_preference" ON "memory" ("project") WHERE category = 'preference';
ALTER TABLE "receipt" ADD COLUMN "source" TEXT;
ALTER TABLE "receipt" ADD COLUMN "policy" TEXT;
ALTER TABLE "receipt" ADD COLUMN "profile" TEXT;
ALTER TABLE "receipt" ADD COLUMN "context_left" INTEGER;
ALTER TABLE "receipt" ADD COLUMN "limits" TEXT;
ALTER TABLE "receipt" ADD COLUMN "about" TEXT;
ALTER TABLE "receipt_item" ADD COLUMN "revision" INTEGER;
ALTER TABLE "receipt_item" ADD COLUMN "helpful" INTEGER;
ALTER TABLE "latency" ADD COLUMN "is_degraded" INTEGER;
ALTER TABLE "conflict" ADD COLUMN "reason" TEXT;
ALTER TABLE "transcript" ADD COLUMN "messages" INTEGER;
ALTER TABLE "transcript" ADD COLUMN "incognito" INTEGER
"""


def up(migrator: Any, db: Any) -> None:
    """Add the tables, and the columns and indexes that the old ones lack."""
    for statement in STATEMENTS.split(";"):
        db.execute_sql(statement)
