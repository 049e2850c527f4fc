"""The first schema: the journaled tables, what is derived from them, and the search index."""

from typing import Any

STATEMENTS = """
CREATE TABLE "memory" (
    "num" INTEGER NOT NULL PRIMARY KEY, "id" TEXT NOT NULL, "key" TEXT, "type" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "scope" TEXT NOT NULL CHECK (scope IN ('task', 'session', 'project', 'global')),
    "project" TEXT NOT NULL,
    "status" TEXT NOT NULL CHECK (status IN ('candidate', 'confirmed', 'pinned')),
    "title" TEXT NOT NULL, "content" TEXT NOT NULL,
    "importance" REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    "confidence" REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    "privacy" TEXT NOT NULL CHECK (privacy IN ('public', 'agent-only', 'private')),
    "tags" TEXT NOT NULL, "files" TEXT NOT NULL, "session" TEXT, "agent" TEXT, "agent_id" TEXT,
    "role" TEXT, "transcript" TEXT, "line" INTEGER, "ref" TEXT, "fingerprint" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL, "created_at" INTEGER NOT NULL, "updated_at" INTEGER NOT NULL,
    "due" INTEGER, "expires" INTEGER, "retired_at" INTEGER, "retired_as" TEXT,
    "revision" INTEGER NOT NULL, "row_hash" TEXT NOT NULL, "terms" TEXT NOT NULL
);
CREATE UNIQUE INDEX "memoryrow_id" ON "memory" ("id");
CREATE INDEX "memoryrow_fingerprint" ON "memory" ("fingerprint");
CREATE INDEX "memoryrow_project_retired_at_created_at"
    ON "memory" ("project", "retired_at", "created_at");
CREATE INDEX "memory_key" ON "memory" ("key") WHERE key IS NOT NULL;
CREATE INDEX "memory_ref" ON "memory" ("ref") WHERE ref IS NOT NULL;
CREATE INDEX "memory_pinned" ON "memory" ("project") WHERE status = 'pinned';
CREATE INDEX "memory_session" ON "memory" ("session") WHERE session IS NOT NULL;
CREATE INDEX "memory_importance"
    ON "memory" ("importance") WHERE type IN ('episodic', 'semantic');
CREATE INDEX "memory_confidence" ON "memory" ("confidence") WHERE type = 'semantic';
CREATE TABLE "episodic" (
    "memory" INTEGER NOT NULL PRIMARY KEY, "timestamp" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL
        CHECK (event_type IN ('user_query', 'agent_response', 'decision', 'error')),
    "context" TEXT NOT NULL,
    "emotional_valence" INTEGER NOT NULL CHECK (emotional_valence BETWEEN -2 AND 2)
);
CREATE INDEX "episodicrow_timestamp" ON "episodic" ("timestamp");
CREATE TABLE "semantic" (
    "memory" INTEGER NOT NULL PRIMARY KEY, "concept" TEXT NOT NULL,
    "category" TEXT NOT NULL
        CHECK (category IN ('pattern', 'fact', 'principle', 'domain_knowledge')),
    "source_sessions" TEXT NOT NULL, "evidence_count" INTEGER NOT NULL,
    "related_concepts" TEXT NOT NULL
);
CREATE INDEX "semanticrow_concept" ON "semantic" ("concept");
CREATE INDEX "semanticrow_category" ON "semantic" ("category");
CREATE TABLE "prospective" (
    "memory" INTEGER NOT NULL PRIMARY KEY,
    "intention_type" TEXT NOT NULL
        CHECK (intention_type IN ('todo', 'reminder', 'followup', 'commitment')),
    "trigger_condition" TEXT,
    "trigger_type" TEXT CHECK (trigger_type IN ('time', 'event', 'context')),
    "priority" INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 5),
    "status" TEXT NOT NULL CHECK (status IN ('pending', 'active', 'completed', 'cancelled')),
    "due_at" INTEGER, "completed_at" INTEGER
);
CREATE INDEX "prospectiverow_priority" ON "prospective" ("priority");
CREATE INDEX "prospectiverow_status" ON "prospective" ("status");
CREATE INDEX "prospectiverow_due_at" ON "prospective" ("due_at");
CREATE TABLE "procedural" (
    "memory" INTEGER NOT NULL PRIMARY KEY, "procedure_name" TEXT NOT NULL,
    "category" TEXT NOT NULL
        CHECK (category IN ('workflow', 'pattern', 'technique', 'tool_usage')),
    "steps" TEXT NOT NULL, "prerequisites" TEXT NOT NULL, "success_conditions" TEXT NOT NULL,
    "failure_patterns" TEXT NOT NULL, "performance_metrics" TEXT NOT NULL,
    "usage_count" INTEGER NOT NULL,
    "success_rate" REAL NOT NULL CHECK (success_rate BETWEEN 0 AND 1), "last_used_at" INTEGER
);
CREATE INDEX "proceduralrow_procedure_name" ON "procedural" ("procedure_name");
CREATE INDEX "proceduralrow_category" ON "procedural" ("category");
CREATE INDEX "proceduralrow_usage_count" ON "procedural" ("usage_count");
CREATE INDEX "proceduralrow_success_rate" ON "procedural" ("success_rate");
CREATE TABLE "working" (
    "memory" INTEGER NOT NULL PRIMARY KEY, "todo_id" TEXT,
    "context_type" TEXT NOT NULL
        CHECK (context_type IN ('task_context', 'variables', 'state', 'references')),
    "scope" TEXT NOT NULL CHECK (scope IN ('task', 'subtask', 'session')),
    "priority" INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 5), "expires_at" INTEGER NOT NULL,
    "cleared_at" INTEGER
);
CREATE INDEX "workingrow_todo_id" ON "working" ("todo_id");
CREATE INDEX "workingrow_expires_at" ON "working" ("expires_at");
CREATE INDEX "workingrow_cleared_at" ON "working" ("cleared_at");
CREATE TABLE "memory_tag" (
    "tag" TEXT NOT NULL, "memory" INTEGER NOT NULL, PRIMARY KEY ("tag", "memory")
) WITHOUT ROWID;
CREATE TABLE "memory_file" (
    "path" TEXT NOT NULL, "memory" INTEGER NOT NULL, PRIMARY KEY ("path", "memory")
) WITHOUT ROWID;
CREATE TABLE "memory_link" (
    "source" TEXT NOT NULL, "target" TEXT NOT NULL,
    "kind" TEXT NOT NULL
        CHECK (kind IN ('reinforces', 'contradicts', 'extends', 'refines', 'superseded_by')),
    "strength" REAL NOT NULL, "created_at" INTEGER NOT NULL, PRIMARY KEY ("source", "target")
);
CREATE INDEX "linkrow_source" ON "memory_link" ("source");
CREATE INDEX "linkrow_target" ON "memory_link" ("target");
CREATE TABLE "conflict" (
    "id" TEXT NOT NULL PRIMARY KEY, "entry_a" TEXT NOT NULL, "entry_b" TEXT NOT NULL,
    "kind" TEXT NOT NULL CHECK (kind IN ('contradictory', 'superseded', 'ambiguous')),
    "detected_at" INTEGER NOT NULL, "resolved_at" INTEGER, "verdict" TEXT, "context" TEXT
);
CREATE INDEX "conflictrow_entry_a" ON "conflict" ("entry_a");
CREATE INDEX "conflictrow_entry_b" ON "conflict" ("entry_b");
CREATE TABLE "project" (
    "id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "root" TEXT NOT NULL, "remote" TEXT,
    "aliases" TEXT NOT NULL, "created_at" INTEGER NOT NULL
);
CREATE INDEX "projectrow_name" ON "project" ("name");
CREATE TABLE "session" (
    "id" TEXT NOT NULL PRIMARY KEY, "project" TEXT NOT NULL, "agent" TEXT NOT NULL,
    "parent" TEXT, "cwd" TEXT, "source" TEXT, "goal" TEXT, "summary" TEXT,
    "incognito" INTEGER NOT NULL, "started_at" INTEGER NOT NULL, "ended_at" INTEGER,
    "end_reason" TEXT, "finalized_at" INTEGER
);
CREATE INDEX "sessionrow_project" ON "session" ("project");
CREATE TABLE "alias" (
    "project" TEXT NOT NULL, "word" TEXT NOT NULL, "synonyms" TEXT NOT NULL,
    PRIMARY KEY ("project", "word")
);
CREATE TABLE "tombstone" (
    "project" TEXT NOT NULL, "fingerprint" TEXT NOT NULL, "reason" TEXT NOT NULL,
    "created_at" INTEGER NOT NULL, PRIMARY KEY ("project", "fingerprint")
);
CREATE TABLE "summary" (
    "id" TEXT NOT NULL PRIMARY KEY, "project" TEXT NOT NULL, "session" TEXT,
    "level" TEXT NOT NULL CHECK (level IN ('event', 'day', 'week', 'month', 'session')),
    "starts_at" INTEGER NOT NULL, "ends_at" INTEGER NOT NULL, "content" TEXT NOT NULL,
    "tokens" INTEGER NOT NULL
);
CREATE INDEX "summaryrow_project" ON "summary" ("project");
CREATE INDEX "summaryrow_session" ON "summary" ("session");
CREATE TABLE "setting" (
    "key" TEXT NOT NULL PRIMARY KEY, "value" TEXT
);
CREATE TABLE "memory_use" (
    "memory" TEXT NOT NULL PRIMARY KEY, "accesses" INTEGER NOT NULL, "last_access" INTEGER,
    "helpful" INTEGER NOT NULL, "unhelpful" INTEGER NOT NULL
);
CREATE TABLE "finding" (
    "id" INTEGER NOT NULL PRIMARY KEY, "project" TEXT NOT NULL, "session" TEXT, "ref" TEXT,
    "fingerprint" TEXT NOT NULL, "content" TEXT NOT NULL, "category" TEXT,
    "importance" REAL NOT NULL, "confidence" REAL NOT NULL, "files" TEXT NOT NULL,
    "tags" TEXT NOT NULL, "rule" TEXT NOT NULL,
    "outcome" TEXT NOT NULL CHECK (outcome IN ('stored', 'duplicate', 'refused')),
    "reason" TEXT NOT NULL, "memory" TEXT, "points" REAL NOT NULL, "created_at" INTEGER NOT NULL
);
CREATE INDEX "findingrow_project" ON "finding" ("project");
CREATE INDEX "findingrow_session" ON "finding" ("session");
CREATE TABLE "review" (
    "id" INTEGER NOT NULL PRIMARY KEY, "memory" TEXT, "finding" INTEGER,
    "reviewer" TEXT NOT NULL, "score" REAL, "is_trivial" INTEGER NOT NULL,
    "reason" TEXT NOT NULL, "latency_ms" REAL NOT NULL, "tier" TEXT NOT NULL,
    "created_at" INTEGER NOT NULL
);
CREATE INDEX "reviewrow_memory" ON "review" ("memory");
CREATE INDEX "reviewrow_finding" ON "review" ("finding");
CREATE TABLE "receipt" (
    "id" TEXT NOT NULL PRIMARY KEY, "at" INTEGER NOT NULL, "host" TEXT NOT NULL,
    "project" TEXT NOT NULL, "session" TEXT, "event" TEXT NOT NULL,
    "prompt_fingerprint" TEXT NOT NULL, "prompt" TEXT, "tokens" INTEGER NOT NULL,
    "budget" INTEGER NOT NULL, "per_tier" TEXT NOT NULL, "items" TEXT NOT NULL,
    "left_out" TEXT NOT NULL, "latency_ms" REAL NOT NULL
);
CREATE INDEX "receiptrow_at" ON "receipt" ("at");
CREATE INDEX "receiptrow_project" ON "receipt" ("project");
CREATE INDEX "receiptrow_session" ON "receipt" ("session");
CREATE TABLE "receipt_item" (
    "receipt" TEXT NOT NULL, "memory" TEXT NOT NULL, PRIMARY KEY ("receipt", "memory")
) WITHOUT ROWID;
CREATE INDEX "receiptitemrow_memory" ON "receipt_item" ("memory");
CREATE TABLE "latency" (
    "id" INTEGER NOT NULL PRIMARY KEY, "at" INTEGER NOT NULL, "kind" TEXT NOT NULL,
    "milliseconds" REAL NOT NULL
);
CREATE INDEX "latencyrow_kind" ON "latency" ("kind");
CREATE TABLE "transcript" (
    "path" TEXT NOT NULL PRIMARY KEY, "offset" INTEGER NOT NULL, "line" INTEGER NOT NULL,
    "updated_at" INTEGER NOT NULL
);
CREATE TABLE "audit" (
    "seq" INTEGER NOT NULL PRIMARY KEY, "at" INTEGER NOT NULL, "actor" TEXT NOT NULL,
    "project" TEXT NOT NULL, "session" TEXT, "action" TEXT NOT NULL, "reason" TEXT NOT NULL,
    "title" TEXT NOT NULL, "count" INTEGER NOT NULL, "undoes" INTEGER, "undone_by" INTEGER,
    "segment" INTEGER NOT NULL, "offset" INTEGER NOT NULL
);
CREATE INDEX "auditrow_at" ON "audit" ("at");
CREATE TABLE "audit_memory" (
    "memory" TEXT NOT NULL, "seq" INTEGER NOT NULL, PRIMARY KEY ("memory", "seq")
) WITHOUT ROWID;
CREATE INDEX "auditmemoryrow_seq" ON "audit_memory" ("seq");
CREATE TABLE "journal_state" (
    "id" INTEGER NOT NULL PRIMARY KEY, "seq" INTEGER NOT NULL, "hash" TEXT NOT NULL,
    "segment" INTEGER NOT NULL, "offset" INTEGER NOT NULL
);
CREATE VIRTUAL TABLE "memory_fts" USING fts5(
    title, content, tags, files, category, terms,
    content='memory', content_rowid='num',
    tokenize='porter unicode61 remove_diacritics 2'
)
"""


def up(migrator: Any, db: Any) -> None:
    """Make every table, index and the full-text index."""
    for statement in STATEMENTS.split(";"):
        db.execute_sql(statement)
