"""One class per table: constraints live here, where they hold for every writer.

Moments are whole milliseconds since the epoch, UTC. The models are not bound to a database: several
stores may be open at once, one per thread, so every query names the one it means.

The journal brings back `JOURNALED`. A rebuild leaves `DERIVED`, counters and records, alone, and
makes `VIEWS` of the journal anew.
"""

import re
from typing import Any

from peewee import SQL, Check, CompositeKey, FloatField, IntegerField, Model, TextField
from peewee import BlobField as BlobField
from playhouse.sqlite_ext import JSONField


def _called(model: type[Model]) -> str:
    return re.sub("(?!^)([A-Z])", r"_\1", model.__name__.removesuffix("Row")).lower()


class Table(Model):
    """A table, called as its class unless that says otherwise: `PairAskedRow` is `pair_asked`."""

    class Meta:
        table_function = _called


def one_of(column: str, *words: str) -> Any:
    """A constraint: `column` holds one of `words`."""
    return Check(f"{column} IN ({', '.join(repr(word) for word in words)})")


def between(column: str, low: float, high: float) -> Any:
    """A constraint: `column` lies in [low, high]."""
    return Check(f"{column} BETWEEN {low} AND {high}")


class EpisodicRow(Table):
    """What happened."""

    memory = IntegerField(primary_key=True)
    timestamp = IntegerField(index=True)
    event_type = TextField(
        constraints=[one_of("event_type", "user_query", "agent_response", "decision", "error")]
    )
    context = JSONField(default=dict)
    emotional_valence = IntegerField(default=0, constraints=[between("emotional_valence", -2, 2)])


class SemanticRow(Table):
    """What is so."""

    memory = IntegerField(primary_key=True)
    concept = TextField(index=True)
    category = TextField(
        index=True,
        constraints=[one_of("category", "pattern", "fact", "principle", "domain_knowledge")],
    )
    source_sessions = JSONField(default=list)
    evidence_count = IntegerField(default=1)
    related_concepts = JSONField(default=list)


class ProspectiveRow(Table):
    """What is to be done."""

    memory = IntegerField(primary_key=True)
    intention_type = TextField(
        constraints=[one_of("intention_type", "todo", "reminder", "followup", "commitment")]
    )
    trigger_condition = TextField(null=True)
    trigger_type = TextField(
        null=True, constraints=[one_of("trigger_type", "time", "event", "context")]
    )
    priority = IntegerField(default=3, index=True, constraints=[between("priority", 1, 5)])
    status = TextField(
        default="pending",
        index=True,
        constraints=[one_of("status", "pending", "active", "completed", "cancelled")],
    )
    due_at = IntegerField(null=True, index=True)
    completed_at = IntegerField(null=True)


class ProceduralRow(Table):
    """How it is done."""

    memory = IntegerField(primary_key=True)
    procedure_name = TextField(index=True)
    category = TextField(
        index=True,
        constraints=[one_of("category", "workflow", "pattern", "technique", "tool_usage")],
    )
    steps = JSONField(default=list)
    prerequisites = JSONField(default=list)
    success_conditions = JSONField(default=list)
    failure_patterns = JSONField(default=list)
    performance_metrics = JSONField(default=dict)
    usage_count = IntegerField(default=0, index=True)
    success_rate = FloatField(default=1.0, index=True, constraints=[between("success_rate", 0, 1)])
    last_used_at = IntegerField(null=True)


class WorkingRow(Table):
    """What the task at hand needs."""

    memory = IntegerField(primary_key=True)
    todo_id = TextField(null=True, index=True)
    context_type = TextField(
        constraints=[one_of("context_type", "task_context", "variables", "state", "references")]
    )
    scope = TextField(default="task", constraints=[one_of("scope", "task", "subtask", "session")])
    priority = IntegerField(default=3, constraints=[between("priority", 1, 5)])
    expires_at = IntegerField(index=True)
    cleared_at = IntegerField(null=True, index=True)


class ExtraRow(Table):
    """What a caller keeps with a memory, and no table of a type has a column for."""

    memory = IntegerField(primary_key=True)
    fields = JSONField(default=dict)


DETAILS: dict[str, type[Table]] = {
    "episodic": EpisodicRow,
    "semantic": SemanticRow,
    "prospective": ProspectiveRow,
    "procedural": ProceduralRow,
    "working": WorkingRow,
}
"""The table that holds a type's own fields. A further type is one class and one line here."""


class MemoryRow(Table):
    """What all memories share. `retired_at` takes one out of recall; erasing is a separate act."""

    num = IntegerField(primary_key=True)  # row number, part of the image, so a rebuild keeps it
    id = TextField(unique=True)
    key = TextField(null=True)  # the caller's own id
    type = TextField()
    category = TextField()
    scope = TextField(constraints=[one_of("scope", "task", "session", "project", "global")])
    project = TextField()  # "" for global memories
    status = TextField(constraints=[one_of("status", "candidate", "confirmed", "pinned")])
    title = TextField()
    content = TextField()
    importance = FloatField(constraints=[between("importance", 0, 1)])
    confidence = FloatField(constraints=[between("confidence", 0, 1)])
    privacy = TextField(constraints=[one_of("privacy", "public", "agent-only", "private")])
    tags = JSONField()
    files = JSONField()
    session = TextField(null=True)
    agent = TextField(null=True)
    agent_id = TextField(null=True)
    role = TextField(null=True)
    transcript = TextField(null=True)
    line = IntegerField(null=True)
    ref = TextField(null=True)  # the very place it was learned at
    fingerprint = TextField(index=True)
    tokens = IntegerField()
    created_at = IntegerField()
    updated_at = IntegerField()
    due = IntegerField(null=True)
    expires = IntegerField(null=True)
    retired_at = IntegerField(null=True)
    retired_as = TextField(null=True)
    revision = IntegerField()  # the journal entry that wrote this row
    row_hash = TextField()  # over the image: a changed byte shows
    terms = TextField()  # hard filters as words of the search index
    parts = TextField(constraints=[SQL("DEFAULT ''")])  # its further words: parts of names, pairs

    class Meta:
        indexes = ((("project", "retired_at", "created_at"), False),)


def _partial(name: str, field: Any, condition: str) -> None:
    """An index over the rows that `condition` leaves: it costs nothing for the others."""
    MemoryRow.add_index(MemoryRow.index(field, where=SQL(condition), name=name))


_partial("memory_key", MemoryRow.key, "key IS NOT NULL")
_partial("memory_ref", MemoryRow.ref, "ref IS NOT NULL")
_partial("memory_pinned", MemoryRow.project, "status = 'pinned'")
_partial("memory_candidate", MemoryRow.project, "status = 'candidate'")
_partial("memory_preference", MemoryRow.project, "category = 'preference'")
# session of episodic, prospective and working, importance of episodic and semantic,
# confidence of semantic memories
_partial("memory_session", MemoryRow.session, "session IS NOT NULL")
_partial("memory_importance", MemoryRow.importance, "type IN ('episodic', 'semantic')")
_partial("memory_confidence", MemoryRow.confidence, "type = 'semantic'")


class TagRow(Table):
    """A memory's tags, one a row, for counting and filtering."""

    tag = TextField()
    memory = IntegerField()

    class Meta:
        table_name = "memory_tag"
        primary_key = CompositeKey("tag", "memory")  # looked up by tag; rows leave by both
        without_rowid = True


class FileRow(Table):
    """The files a memory speaks of, one a row."""

    path = TextField()
    memory = IntegerField()

    class Meta:
        table_name = "memory_file"
        primary_key = CompositeKey("path", "memory")
        without_rowid = True


class CandidacyRow(Table):
    """How far a captured memory is on its way into the project's memory."""

    memory = TextField(primary_key=True)
    points = FloatField(default=0)
    signals = JSONField(default=dict)  # points by signal
    promoted_at = IntegerField(null=True)  # when it left its session for the project
    quarantined_until = IntegerField(null=True)
    snoozed_until = IntegerField(null=True)

    class Meta:
        table_name = "memory_candidacy"


class EnvelopeRow(Table):
    """The work that a memory was learned at, and how it went."""

    memory = TextField(primary_key=True)
    task = TextField(default="")
    intent = TextField(default="")
    actions = JSONField(default=list)
    outcome = TextField(
        default="", constraints=[one_of("outcome", "", "success", "failure", "partial")]
    )
    artifacts = JSONField(default=list)
    errors = JSONField(default=list)
    lessons = JSONField(default=list)
    tokens = IntegerField(null=True)
    time_ms = IntegerField(null=True)

    class Meta:
        table_name = "memory_envelope"


class SalienceRow(Table):
    """What the fitted score said of a captured sentence (`core.judgement.salience`)."""

    memory = TextField(primary_key=True)
    score = FloatField()
    worth_a_look = FloatField(constraints=[between("worth_a_look", 0, 1)])
    worth_keeping = FloatField(constraints=[between("worth_keeping", 0, 1)])
    is_established = IntegerField()  # 0 or 1
    reasons = JSONField(default=list)  # pairs: the sign in words, what it added to the score
    is_person = IntegerField(null=True)  # whose sentence: 0 or 1

    class Meta:
        table_name = "memory_salience"


class RecordingRow(Table):
    """One thing that an agent recorded itself, and what its session's transcript says to that."""

    id = TextField(primary_key=True)
    memory = TextField(index=True)  # what it made, or what was known already
    session = TextField(index=True)
    at = IntegerField()
    why = TextField(default="")
    is_new = IntegerField()  # 0 or 1: whether it made the memory
    evidence = TextField(
        constraints=[
            one_of("evidence", "unchecked", "person", "agent", "finding", "quoted", "nobody")
        ]
    )
    checked_at = IntegerField(null=True)


class TrustRow(Table):
    """What nothing else tells of where a memory is from, and who vouched for it."""

    memory = TextField(primary_key=True)
    provenance = TextField(null=True)
    """imported, or agent-unverified: an agent wrote it; NULL where what else is stored tells it."""

    vouched_at = IntegerField(null=True)  # when a person confirmed, pinned or rewrote it

    class Meta:
        table_name = "memory_trust"


class WeightRow(Table):
    """The six factors of a memory's importance, each 0-1."""

    memory = TextField(primary_key=True)
    outcome = FloatField()
    reuse = FloatField()
    cross_agent = FloatField()
    novelty = FloatField()
    user_signal = FloatField()
    cost_savings = FloatField()
    weighed_at = IntegerField()

    class Meta:
        table_name = "memory_weight"


class CheckpointRow(Table):
    """How a session stood after every tenth message."""

    session = TextField()
    messages = IntegerField()
    at = IntegerField()
    line = IntegerField()  # of the transcript
    learned = JSONField(default=list)  # ids of what had been learned so far

    class Meta:
        table_name = "session_checkpoint"
        primary_key = CompositeKey("session", "messages")


class LinkRow(Table):
    """How two memories stand to each other."""

    source = TextField(index=True)
    target = TextField(index=True)
    kind = TextField(
        constraints=[
            one_of("kind", "reinforces", "contradicts", "extends", "refines", "superseded_by")
        ]
    )
    strength = FloatField(default=1.0)
    created_at = IntegerField()

    class Meta:
        table_name = "memory_link"
        primary_key = CompositeKey("source", "target")


class ConflictRow(Table):
    """Two memories that cannot both hold."""

    id = TextField(primary_key=True)
    entry_a = TextField(index=True)
    entry_b = TextField(index=True)
    kind = TextField(constraints=[one_of("kind", "contradictory", "superseded", "ambiguous")])
    detected_at = IntegerField()
    resolved_at = IntegerField(null=True)
    verdict = TextField(null=True)  # a, b, both, neither, not_a_conflict
    context = JSONField(null=True)  # a text: what tells them apart (columns so named hold JSON)
    reason = TextField(null=True)  # which words or values oppose each other
    opinion = TextField(null=True)  # what a model said: same, newer, older, open, both, unrelated
    opinion_by = TextField(null=True)  # which one
    opinion_why = TextField(null=True)  # its reason, redacted


class ProjectRow(Table):
    """A project: a repository, or a folder."""

    id = TextField(primary_key=True)
    name = TextField(index=True)
    root = TextField()
    remote = TextField(null=True)
    aliases = JSONField(default=list)  # other roots and names it is known by
    created_at = IntegerField()


class SessionRow(Table):
    """One conversation with an agent."""

    id = TextField(primary_key=True)
    project = TextField(index=True)
    agent = TextField()
    parent = TextField(null=True)
    cwd = TextField(null=True)  # the folder it ran in, which may be a worktree
    source = TextField(null=True)  # startup, resume, clear, compact, fork
    goal = TextField(null=True)
    summary = TextField(null=True)
    incognito = IntegerField(default=0)
    started_at = IntegerField()
    ended_at = IntegerField(null=True)
    end_reason = TextField(null=True)
    finalized_at = IntegerField(null=True)


class AliasRow(Table):
    """Words that mean the same in a project's searches."""

    project = TextField()
    word = TextField()
    synonyms = JSONField(default=list)

    class Meta:
        primary_key = CompositeKey("project", "word")


class TombstoneRow(Table):
    """A text that was forgotten for good: the same text is not captured again."""

    project = TextField()
    fingerprint = TextField()
    reason = TextField()
    created_at = IntegerField()

    class Meta:
        primary_key = CompositeKey("project", "fingerprint")


class SummaryRow(Table):
    """A condensed stretch of a project's history."""

    id = TextField(primary_key=True)
    project = TextField(index=True)
    session = TextField(null=True, index=True)
    level = TextField(
        constraints=[one_of("level", "event", "task", "session", "day", "week", "month", "project")]
    )
    starts_at = IntegerField()
    ends_at = IntegerField()
    content = TextField()
    tokens = IntegerField()


class SettingRow(Table):
    """What a person chose, and the store keeps."""

    key = TextField(primary_key=True)
    value = JSONField(null=True)


PLAIN: tuple[type[Table], ...] = (
    CandidacyRow,
    EnvelopeRow,
    SalienceRow,
    RecordingRow,
    TrustRow,
    WeightRow,
    CheckpointRow,
    LinkRow,
    ConflictRow,
    ProjectRow,
    SessionRow,
    AliasRow,
    TombstoneRow,
    SummaryRow,
    SettingRow,
)
"""The tables whose rows the journal carries one by one: all but those that are a memory's."""

JOURNALED: tuple[type[Table], ...] = (
    MemoryRow,
    *DETAILS.values(),
    ExtraRow,
    TagRow,
    FileRow,
    *PLAIN,
)
"""The tables that the journal brings back."""


class UseRow(Table):
    """How a memory was used; apart, so that reading never rewrites a memory. Derived."""

    memory = TextField(primary_key=True)
    accesses = IntegerField(default=0)
    last_access = IntegerField(null=True)
    helpful = IntegerField(default=0)
    unhelpful = IntegerField(default=0)
    used = IntegerField(null=True)  # tellings that an answer followed
    unasked = IntegerField(null=True)  # accesses at a start, that no answer followed
    last_use = IntegerField(null=True)  # of the other accesses, the last

    class Meta:
        table_name = "memory_use"


class WorthRow(Table):
    """What a memory is worth, as of the last maintenance, for lists and recall. Derived."""

    memory = IntegerField(primary_key=True)  # its row number: lists and recall join it row by row
    worth = FloatField()  # 0-1
    importance = FloatField()  # 0-1, with what its six factors add and take
    tier = TextField(constraints=[one_of("tier", "hot", "warm", "cold")])
    as_of = IntegerField()

    class Meta:
        table_name = "memory_worth"


class FindingRow(Table):
    """Each capture and what became of it. Derived."""

    id = IntegerField(primary_key=True)
    project = TextField(index=True)
    session = TextField(null=True, index=True)
    ref = TextField(null=True, index=True)
    fingerprint = TextField()
    content = TextField()  # redacted
    category = TextField(null=True)
    importance = FloatField()
    confidence = FloatField()
    files = JSONField(default=list)
    tags = JSONField(default=list)
    rule = TextField()
    outcome = TextField(constraints=[one_of("outcome", "stored", "duplicate", "refused")])
    reason = TextField()
    memory = TextField(null=True, index=True)  # the memory it became or reinforced
    points = FloatField(default=0)  # towards promotion
    created_at = IntegerField()
    score = FloatField(null=True)  # of salience, without what verdicts added
    privacy = TextField(null=True)  # for whom it was; NULL of those before


class ReviewRow(Table):
    """One reviewer's vote on one capture, or why there is none. Derived."""

    id = IntegerField(primary_key=True)
    memory = TextField(null=True, index=True)
    finding = IntegerField(null=True, index=True)
    reviewer = TextField()
    engine = TextField()  # who answered: built-in, or the model's name
    status = TextField(
        constraints=[one_of("status", "ok", "timeout", "failed", "invalid", "over_budget")]
    )
    score = FloatField(null=True)
    is_trivial = IntegerField(default=0)
    reason = TextField(default="")
    latency_ms = FloatField(default=0)
    cost_usd = FloatField(default=0)
    tier = TextField(default="")  # consensus, partial, fallback
    created_at = IntegerField(index=True)


class ReceiptRow(Table):
    """What was injected into one prompt, and why. Derived."""

    id = TextField(primary_key=True)
    at = IntegerField(index=True)
    host = TextField()
    project = TextField(index=True)
    session = TextField(null=True, index=True)
    event = TextField()
    prompt_fingerprint = TextField()
    prompt = TextField(null=True)  # redacted, when the policy allows it
    tokens = IntegerField()
    budget = IntegerField()
    per_tier = JSONField(default=dict)
    items = JSONField(default=list)
    left_out = JSONField(default=list)
    latency_ms = FloatField()
    source = TextField(null=True)  # how the session started, when that was the event
    policy = TextField(null=True)  # how the budget was shared out
    profile = TextField(null=True)  # how the answers were ranked
    context_left = IntegerField(null=True)  # tokens, when the host said
    limits = JSONField(null=True)  # tokens allowed by tier
    about = JSONField(null=True)  # files, role, next, compression_ratio, is_degraded


class ReceiptItemRow(Table):
    """Which memories a receipt names, for "where was this injected?". Derived.

    A prompt that was told nothing, since its session knew it all, has items and no receipt.
    """

    receipt = TextField()
    memory = TextField(index=True)
    revision = IntegerField(null=True)  # the memory's, when it was told
    helpful = IntegerField(null=True)  # 1, 0, or no opinion
    used = IntegerField(null=True)  # 1: said again or acted on; 0: not so far; NULL: not looked at

    class Meta:
        primary_key = CompositeKey("receipt", "memory")
        without_rowid = True


class ReceiptTextRow(Table):
    """The very text that was told, redacted, for as long as it is kept. Derived.

    A table of its own: a hook looks through receipts, and never for this.
    """

    receipt = TextField(primary_key=True)
    at = IntegerField(index=True)
    text = TextField()


class LatencyRow(Table):
    """How long something took. Derived; a rolling window."""

    id = IntegerField(primary_key=True)
    at = IntegerField()
    kind = TextField(index=True)
    milliseconds = FloatField()
    is_degraded = IntegerField(null=True)  # what was decided when it was noted


class TranscriptRow(Table):
    """How far a transcript was read. Derived."""

    path = TextField(primary_key=True)
    offset = IntegerField()
    line = IntegerField()
    updated_at = IntegerField()
    messages = IntegerField(null=True)  # of person and agent, so far
    incognito = IntegerField(null=True)  # 1: it was read up to the middle of such a turn


class ActivityRow(Table):
    """What a session is at work on, for ranking and for its account. Derived."""

    session = TextField(primary_key=True)
    files = JSONField(default=list)  # redacted paths, last touched first
    tools = IntegerField(default=0)  # tool calls that were reported
    failures = IntegerField(default=0)  # of these, and turns that failed
    last_failure = TextField(null=True)
    updated_at = IntegerField()

    class Meta:
        table_name = "session_activity"


class ExtractionRow(Table):
    """Where a session stands, and whether a model is to read it. Derived."""

    session = TextField(primary_key=True)
    host = TextField()
    cwd = TextField()
    transcript = TextField()
    due_at = IntegerField(null=True, index=True)  # since when a model is to read it
    not_before = IntegerField(default=0)  # when it may be tried again
    tries = IntegerField(default=0)  # that failed, since the last that did not
    line = IntegerField(default=0)  # of the transcript, up to which a model has answered
    hidden = IntegerField(default=0)  # up to which it was off the record: never to be read
    kept = IntegerField(default=0)  # memories that models proposed and that were kept


class ExtractionCallRow(Table):
    """One call of a model that read a session, judged pairs or worded a summary. Derived."""

    id = IntegerField(primary_key=True)
    at = IntegerField(index=True)
    session = TextField()
    engine = TextField()
    status = TextField()  # ok, timeout, failed, invalid
    reason = TextField()
    tokens = IntegerField()  # sent and answered
    cost_usd = FloatField()
    latency_ms = FloatField()
    kept = IntegerField()  # new memories; of pairs, the answers that were taken
    known = IntegerField()  # that were known already
    merged = IntegerField()  # candidates of the same place that went into them
    replaced = IntegerField()  # candidates that were replaced or taken back
    disputed = IntegerField()  # conflicts that came of it
    dropped = JSONField(default=dict)  # counts by reason
    pairs = IntegerField(null=True)  # put to it; NULL for a call about something else


class PairAskedRow(Table):
    """Two texts that were put to a model, by their fingerprints, the lesser first. Derived."""

    one = TextField()
    other = TextField()
    tries = IntegerField()
    not_before = IntegerField()  # when they may be put to it again, unless it answered
    is_answered = IntegerField()

    class Meta:
        primary_key = CompositeKey("one", "other")
        without_rowid = True


class MaintenanceRow(Table):
    """When a project was last maintained. Derived."""

    project = TextField(primary_key=True)
    at = IntegerField(null=True)  # null: the first one did not come to its end
    held_at = IntegerField(null=True)  # since when a leap of the clock keeps it from retiring
    unfinished = TextField()  # the duty that was begun last, "" when it came to its end


class AuditRow(Table):
    """The queryable view of the journal's newest entries. Derived."""

    seq = IntegerField(primary_key=True)
    at = IntegerField(index=True)
    actor = TextField()
    project = TextField()
    session = TextField(null=True)
    action = TextField()
    reason = TextField()
    title = TextField()
    count = IntegerField()
    undoes = IntegerField(null=True)
    undone_by = IntegerField(null=True)
    segment = IntegerField()
    offset = IntegerField()


class AuditMemoryRow(Table):
    """Which memories an entry touched. Derived."""

    memory = TextField()
    seq = IntegerField(index=True)

    class Meta:
        primary_key = CompositeKey("memory", "seq")
        without_rowid = True


class AuditGroupRow(Table):
    """Which entries are one act: what was too much for one of them. Derived."""

    seq = IntegerField(primary_key=True)
    grouped = IntegerField(index=True)  # the act's first entry


class StalenessRow(Table):
    """What speaks against a memory. Derived."""

    memory = TextField(primary_key=True)
    at = IntegerField()  # when it was found
    reason = TextField()
    evidence = TextField()  # keys of the signs, JSON
    moves = TextField()  # pairs of paths: where a file was, where it is; JSON
    is_gone = IntegerField()  # 1: every file that it names left for good

    class Meta:
        table_name = "memory_staleness"


class DuplicateRow(Table):
    """Two memories that say the same, as maintenance last found them. Derived."""

    first = TextField()  # ids; the one that was written later comes first
    second = TextField()
    project = TextField(index=True)
    at = IntegerField()  # when it was found

    class Meta:
        table_name = "memory_duplicate"
        primary_key = CompositeKey("first", "second")


class JournalStateRow(Table):
    """How far the journal has been applied to these tables: one row."""

    id = IntegerField(primary_key=True)
    seq = IntegerField()
    hash = TextField()
    segment = IntegerField()
    offset = IntegerField()  # end of the last applied record in that segment
    clock = TextField(null=True)  # of that record; older ones have none


class SegmentRow(Table):
    """What a file of the journal was when its chain was last known to be whole: one row a file."""

    number = IntegerField(primary_key=True)
    size = IntegerField()
    changed = IntegerField()  # nanoseconds

    class Meta:
        table_name = "journal_segment"


class VectorRow(Table):
    """The vector of a live memory's text. Its keeper deletes it when text or place changes."""

    memory = IntegerField(primary_key=True)  # its row number
    encoder = TextField()  # whose vector it is
    vector = BlobField()  # one signed byte a dimension
    stamp = IntegerField(index=True)  # grows with each batch that is written

    class Meta:
        table_name = "memory_vector"


DERIVED: tuple[type[Model], ...] = (
    UseRow,
    WorthRow,
    FindingRow,
    ReviewRow,
    ReceiptRow,
    ReceiptItemRow,
    ReceiptTextRow,
    LatencyRow,
    TranscriptRow,
    ActivityRow,
    ExtractionRow,
    ExtractionCallRow,
    PairAskedRow,
    MaintenanceRow,
    StalenessRow,
    DuplicateRow,
)
"""Counters and records that are worth keeping but are not changes."""

VIEWS: tuple[type[Model], ...] = (
    AuditRow,
    AuditMemoryRow,
    AuditGroupRow,
    JournalStateRow,
    SegmentRow,
    VectorRow,
)
"""What is computed from the journal itself."""

ALL = (*JOURNALED, *DERIVED, *VIEWS)
