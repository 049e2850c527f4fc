"""One class per table: constraints live here, where they hold for every writer.

Moments are whole milliseconds since the epoch, UTC. The models are not bound to a database: every
query names the one it means.
"""

import re
from functools import cache
from typing import Any

import peewee
from peewee import SQL, BlobField, Check, CompositeKey, FloatField, IntegerField, Model, TextField
from playhouse.sqlite_ext import JSONField


def _called(model: type[Model]) -> str:
    return re.sub("(?!^)([A-Z])", r"_\1", model.__name__.removesuffix("Row")).lower()


class Table(Model):
    """A table, called as its class: `MemoryTagRow` is `memory_tag`."""

    class Meta:
        table_function = _called


class WordField(TextField):  # a column that holds one of a few words
    def __init__(self, *words: str, **options: Any) -> None:
        super().__init__(**options)
        self.words = words

    def bind(self, model: type[Model], name: str, set_attribute: bool = True) -> None:
        self.constraints = [Check(f"{name} IN ({', '.join(map(repr, self.words))})")]
        super().bind(model, name, set_attribute)


class Journaled(Table):
    """A table whose rows the journal carries one by one."""


class Derived(Table):
    """Counters and records that are worth keeping but are not changes: a rebuild leaves them."""


class View(Table):
    """A table computed from the journal: a rebuild makes it again."""


def between(column: str, low: float, high: float) -> Any:
    """Return a constraint: `column` lies in [low, high]."""
    return Check(f"{column} BETWEEN {low} AND {high}")


class EpisodicRow(Table):  # events
    memory = IntegerField(primary_key=True)
    timestamp = IntegerField(index=True)
    event_type = WordField("user_query", "agent_response", "decision", "error")
    context = JSONField(default=dict)
    emotional_valence = IntegerField(default=0, constraints=[between("emotional_valence", -2, 2)])


class SemanticRow(Table):  # facts
    memory = IntegerField(primary_key=True)
    concept = TextField(index=True)
    category = WordField("pattern", "fact", "principle", "domain_knowledge", index=True)
    source_sessions = JSONField(default=list)
    evidence_count = IntegerField(default=1)
    related_concepts = JSONField(default=list)


class ProspectiveRow(Table):  # tasks
    memory = IntegerField(primary_key=True)
    intention_type = WordField("todo", "reminder", "followup", "commitment")
    trigger_condition = TextField(null=True)
    trigger_type = WordField("time", "event", "context", null=True)
    priority = IntegerField(default=3, index=True, constraints=[between("priority", 1, 5)])
    status = WordField("pending", "active", "completed", "cancelled", default="pending", index=True)
    due_at = IntegerField(null=True, index=True)
    completed_at = IntegerField(null=True)


class ProceduralRow(Table):  # procedures
    memory = IntegerField(primary_key=True)
    procedure_name = TextField(index=True)
    category = WordField("workflow", "pattern", "technique", "tool_usage", index=True)
    steps = JSONField(default=list)
    prerequisites = JSONField(default=list)
    success_conditions = JSONField(default=list)
    failure_patterns = JSONField(default=list)
    performance_metrics = JSONField(default=dict)
    usage_count = IntegerField(default=0, index=True)
    success_rate = FloatField(default=1.0, index=True, constraints=[between("success_rate", 0, 1)])
    last_used_at = IntegerField(null=True)


class WorkingRow(Table):  # working memory of the task at hand
    memory = IntegerField(primary_key=True)
    todo_id = TextField(null=True, index=True)
    context_type = WordField("task_context", "variables", "state", "references")
    scope = WordField("task", "subtask", "session", default="task")
    priority = IntegerField(default=3, constraints=[between("priority", 1, 5)])
    expires_at = IntegerField(index=True)
    cleared_at = IntegerField(null=True, index=True)


class ExtraRow(Table):  # callers' own fields, for which the type's table has no column
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
    """The columns that all memories share. `retired_at` stops injection; erasing is separate."""

    num = IntegerField(primary_key=True)  # row number, part of the image, so a rebuild keeps it
    id = TextField(unique=True)
    key = TextField(null=True)  # the caller's own id
    type = TextField()
    category = TextField()
    scope = WordField("task", "session", "project", "global")
    project = TextField()  # "" for global memories
    status = WordField("candidate", "confirmed", "pinned")
    title = TextField()
    content = TextField()
    importance = FloatField(constraints=[between("importance", 0, 1)])
    confidence = FloatField(constraints=[between("confidence", 0, 1)])
    privacy = WordField("public", "agent-only", "private")
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


def _partial(name: str, condition: str, *fields: Any) -> None:
    """An index over the rows that `condition` leaves: it costs nothing for the others."""
    model = fields[0].model
    model.add_index(model.index(*fields, where=SQL(condition), name=name))


_partial("memory_key", "key IS NOT NULL", MemoryRow.key)
_partial("memory_ref", "ref IS NOT NULL", MemoryRow.ref)
_partial("memory_due", "due IS NOT NULL", MemoryRow.due)
_partial("memory_pinned", "status = 'pinned'", MemoryRow.project)
_partial("memory_candidate", "status = 'candidate'", MemoryRow.project)
_partial(*("memory_preference", "category = 'preference'"), MemoryRow.project, MemoryRow.importance)
_partial("prospective_event", "trigger_type = 'event'", ProspectiveRow.priority)
# session of episodic, prospective and working, importance of episodic and semantic,
# confidence of semantic memories
_partial("memory_session", "session IS NOT NULL", MemoryRow.session)
_partial("memory_importance", "type IN ('episodic', 'semantic')", MemoryRow.importance)
_partial("memory_confidence", "type = 'semantic'", MemoryRow.confidence)


class MemoryTagRow(Table):  # a memory's tags, one a row, for counting and filtering
    tag = TextField()
    memory = IntegerField()

    class Meta:
        primary_key = CompositeKey("tag", "memory")  # looked up by tag; rows leave by both
        without_rowid = True


class MemoryFileRow(Table):  # the files a memory names, one a row
    path = TextField()
    memory = IntegerField()

    class Meta:
        primary_key = CompositeKey("path", "memory")
        without_rowid = True


class MemoryCandidacyRow(Journaled):
    """The state of a captured memory on its way to promotion."""

    memory = TextField(primary_key=True)
    points = FloatField(default=0)
    signals = JSONField(default=dict)  # points by signal
    promoted_at = IntegerField(null=True)  # when it left its session for the project
    quarantined_until = IntegerField(null=True)
    snoozed_until = IntegerField(null=True)


class MemoryEnvelopeRow(Journaled):  # the task that a memory was learned at, and its outcome
    memory = TextField(primary_key=True)
    task = TextField(default="")
    intent = TextField(default="")
    actions = JSONField(default=list)
    outcome = WordField("", "success", "failure", "partial", default="")
    artifacts = JSONField(default=list)
    errors = JSONField(default=list)
    lessons = JSONField(default=list)
    tokens = IntegerField(null=True)
    time_ms = IntegerField(null=True)


class MemorySalienceRow(Journaled):
    """The fitted score of a captured sentence (`core.judgement.salience`)."""

    memory = TextField(primary_key=True)
    score = FloatField()
    worth_a_look = FloatField(constraints=[between("worth_a_look", 0, 1)])
    worth_keeping = FloatField(constraints=[between("worth_keeping", 0, 1)])
    is_established = IntegerField()  # 0 or 1
    reasons = JSONField(default=list)  # pairs: the sign in words, its part of the score
    is_person = IntegerField(null=True)  # 1: the user's sentence; 0: the agent's


class RecordingRow(Journaled):
    """One record that an agent stored itself, and the evidence for it in the transcript."""

    id = TextField(primary_key=True)
    memory = TextField(index=True)  # the memory that it made or repeated
    session = TextField(index=True)
    at = IntegerField()
    why = TextField(default="")
    is_new = IntegerField()  # 0 or 1: whether it made the memory
    evidence = WordField("unchecked", "person", "agent", "finding", "quoted", "nobody")
    checked_at = IntegerField(null=True)


class MemoryTrustRow(Journaled):
    """A provenance that no other table shows, and the user's confirmation."""

    memory = TextField(primary_key=True)
    provenance = TextField(null=True)
    """imported, or agent-unverified: an agent wrote it; NULL if other tables show it."""

    vouched_at = IntegerField(null=True)  # when the user confirmed, pinned or rewrote it


class MemoryWeightRow(Journaled):  # the six factors of a memory's importance, each 0-1
    memory = TextField(primary_key=True)
    outcome = FloatField()
    reuse = FloatField()
    cross_agent = FloatField()
    novelty = FloatField()
    user_signal = FloatField()
    cost_savings = FloatField()
    weighed_at = IntegerField()


class SessionCheckpointRow(Journaled):  # the state of a session after every tenth message
    session = TextField()
    messages = IntegerField()
    at = IntegerField()
    line = IntegerField()  # of the transcript
    learned = JSONField(default=list)  # ids of the memories so far

    class Meta:
        primary_key = CompositeKey("session", "messages")


class MemoryLinkRow(Journaled):  # the relation of two memories
    source = TextField(index=True)
    target = TextField(index=True)
    kind = WordField("reinforces", "contradicts", "extends", "refines", "superseded_by")
    strength = FloatField(default=1.0)
    created_at = IntegerField()

    class Meta:
        primary_key = CompositeKey("source", "target")


class ConflictRow(Journaled):  # two memories that cannot both hold
    id = TextField(primary_key=True)
    entry_a = TextField(index=True)
    entry_b = TextField(index=True)
    kind = WordField("contradictory", "superseded", "ambiguous")
    detected_at = IntegerField()
    resolved_at = IntegerField(null=True)
    verdict = TextField(null=True)  # a, b, both, neither, not_a_conflict
    context = JSONField(null=True)  # a text: their difference (columns so named hold JSON)
    reason = TextField(null=True)  # which words or values oppose each other


class ProjectRow(Journaled):  # a project: a repository, or a folder
    id = TextField(primary_key=True)
    name = TextField(index=True)
    root = TextField()
    remote = TextField(null=True)
    aliases = JSONField(default=list)  # other roots and names it is known by
    created_at = IntegerField()


class SessionRow(Journaled):  # one conversation with an agent
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


class AliasRow(Journaled):  # words that mean the same in a project's searches
    project = TextField()
    word = TextField()
    synonyms = JSONField(default=list)

    class Meta:
        primary_key = CompositeKey("project", "word")


class TombstoneRow(Journaled):
    """A text that was forgotten for good: the same text is not captured again."""

    project = TextField()
    fingerprint = TextField()
    reason = TextField()
    created_at = IntegerField()

    class Meta:
        primary_key = CompositeKey("project", "fingerprint")


class SummaryRow(Journaled):  # a condensed stretch of a project's history
    id = TextField(primary_key=True)
    project = TextField(index=True)
    session = TextField(null=True, index=True)
    level = WordField("event", "task", "session", "day", "week", "month", "project")
    starts_at = IntegerField()
    ends_at = IntegerField()
    content = TextField()
    tokens = IntegerField()


class SettingRow(Journaled):  # the user's choices that the store keeps
    key = TextField(primary_key=True)
    value = JSONField(null=True)


class MemoryUseRow(Derived):
    """Counts of a memory's use, in their own table so that reading never rewrites a memory."""

    memory = TextField(primary_key=True)
    accesses = IntegerField(default=0)
    last_access = IntegerField(null=True)
    helpful = IntegerField(default=0)
    unhelpful = IntegerField(default=0)
    used = IntegerField(null=True)  # injections that the agent then used
    unasked = IntegerField(null=True)  # accesses at a start, not used afterwards
    last_use = IntegerField(null=True)  # of the other accesses, the last


class MemoryWorthRow(Derived):
    """The worth of a memory as of the last maintenance, for lists and recall."""

    memory = IntegerField(primary_key=True)  # its row number: lists and recall join it row by row
    worth = FloatField()  # 0-1
    importance = FloatField()  # 0-1, adjusted by its six factors
    tier = WordField("hot", "warm", "cold")
    as_of = IntegerField()


class FindingRow(Derived):  # each capture with its result
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
    outcome = WordField("stored", "duplicate", "refused")
    reason = TextField()
    memory = TextField(null=True, index=True)  # the memory it became or reinforced
    points = FloatField(default=0)  # towards promotion
    created_at = IntegerField()
    score = FloatField(null=True)  # of salience, without the part of verdicts
    privacy = TextField(null=True)  # one of PRIVACIES; NULL in older rows


class ReviewRow(Derived):  # one reviewer's vote on one capture, or why there is none
    id = IntegerField(primary_key=True)
    memory = TextField(null=True, index=True)
    finding = IntegerField(null=True, index=True)
    reviewer = TextField()
    engine = TextField()  # who answered: built-in, or the model's name
    status = WordField("ok", "timeout", "failed", "invalid", "over_budget")
    score = FloatField(null=True)
    is_trivial = IntegerField(default=0)
    reason = TextField(default="")
    latency_ms = FloatField(default=0)
    cost_usd = FloatField(default=0)
    tier = TextField(default="")  # consensus, partial, fallback
    created_at = IntegerField(index=True)


class ReceiptRow(Derived):  # one injection, with its reasons
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


class ReceiptItemRow(Derived):
    """A memory that a receipt names, for "where was this injected?".

    A prompt whose matches its session had all received has items and no receipt.
    """

    receipt = TextField()
    memory = TextField(index=True)
    revision = IntegerField(null=True)  # the memory's at the injection
    helpful = IntegerField(null=True)  # 1, 0, or no opinion
    used = IntegerField(null=True)  # 1: repeated or acted on; 0: not so far; NULL: not examined

    class Meta:
        primary_key = CompositeKey("receipt", "memory")
        without_rowid = True


class ReceiptTextRow(Derived):
    """The exact injected text, redacted, for as long as it is kept.

    In its own table, since a hook scans receipts and never needs the text.
    """

    receipt = TextField(primary_key=True)
    at = IntegerField(index=True)
    text = TextField()


class LatencyRow(Derived):  # how long something took. Derived; a rolling window.
    id = IntegerField(primary_key=True)
    at = IntegerField()
    kind = TextField(index=True)
    milliseconds = FloatField()
    is_degraded = IntegerField(null=True)  # the decision at that time


class TranscriptRow(Derived):  # how far a transcript was read
    path = TextField(primary_key=True)
    offset = IntegerField()
    line = IntegerField()
    updated_at = IntegerField()
    messages = IntegerField(null=True)  # of user and agent, so far
    incognito = IntegerField(null=True)  # 1: it was read up to the middle of such a turn


class SessionActivityRow(Derived):  # a session's current files and tool calls, for ranking
    session = TextField(primary_key=True)
    files = JSONField(default=list)  # redacted paths, last touched first
    tools = IntegerField(default=0)  # tool calls that were reported
    failures = IntegerField(default=0)  # of these, and turns that failed
    last_failure = TextField(null=True)
    updated_at = IntegerField()


class ExtractionRow(Derived):  # a session's transcript, and whether a model is to read it
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


class ExtractionCallRow(Derived):
    """One call of a model that read a session, judged pairs or worded a summary."""

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
    replaced = IntegerField()  # candidates that were replaced or withdrawn
    disputed = IntegerField()  # conflicts that it caused
    dropped = JSONField(default=dict)  # counts by reason
    pairs = IntegerField(null=True)  # put to it; NULL for a call about something else


class MaintenanceRow(Derived):  # when a project was last maintained
    project = TextField(primary_key=True)
    at = IntegerField(null=True)  # null: the first one did not come to its end
    held_at = IntegerField(null=True)  # since when a leap of the clock keeps it from retiring
    unfinished = TextField()  # the step that was begun last, "" once all are done


class AuditRow(View):  # the queryable view of the journal's newest entries
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
    grouped = IntegerField(null=True, index=True)  # the first entry of an act of several


class AuditMemoryRow(View):  # which memories an entry touched
    memory = TextField()
    seq = IntegerField(index=True)

    class Meta:
        primary_key = CompositeKey("memory", "seq")
        without_rowid = True


class MemoryStalenessRow(Derived):  # signs that a memory is outdated
    memory = TextField(primary_key=True)
    at = IntegerField()  # when it was found
    reason = TextField()
    evidence = TextField()  # keys of the signs, JSON
    moves = TextField()  # pairs of paths: where a file was, where it is; JSON
    is_gone = IntegerField()  # 1: every file that it names left for good


class MemoryDuplicateRow(Derived):  # two memories that say the same, as maintenance last found them
    first = TextField()  # ids; the one that was written later comes first
    second = TextField()
    project = TextField(index=True)
    at = IntegerField()  # when it was found

    class Meta:
        primary_key = CompositeKey("first", "second")


class JournalStateRow(View):  # how far the journal has been applied to these tables: one row
    id = IntegerField(primary_key=True)
    seq = IntegerField()
    hash = TextField()
    segment = IntegerField()
    offset = IntegerField()  # end of the last applied record in that segment
    clock = TextField(null=True)  # of that record; older ones have none


class JournalSegmentRow(View):
    """One row a journal file: its stamp when its chain was last known to be whole."""

    number = IntegerField(primary_key=True)
    size = IntegerField()
    changed = IntegerField()  # nanoseconds


class MemoryVectorRow(View):
    """The vector of a live memory's text. Its keeper deletes it when text or place changes."""

    memory = IntegerField(primary_key=True)  # its row number
    encoder = TextField()  # whose vector it is
    vector = BlobField()  # one signed byte a dimension
    stamp = IntegerField(index=True)  # grows with each batch that is written


PLAIN: tuple[type[Table], ...] = tuple(Journaled.__subclasses__())
_OF_MEMORIES: tuple[type[Table], ...] = (MemoryRow, *DETAILS.values(), ExtraRow)
JOURNALED: tuple[type[Table], ...] = (*_OF_MEMORIES, MemoryTagRow, MemoryFileRow, *PLAIN)
"""The tables that the journal brings back."""

DERIVED: tuple[type[Table], ...] = tuple(Derived.__subclasses__())
VIEWS: tuple[type[Table], ...] = tuple(View.__subclasses__())
ALL = (*JOURNALED, *DERIVED, *VIEWS)


class _Recorder(peewee.SqliteDatabase):
    """A database without a file that keeps the statements it is given."""

    def __init__(self) -> None:
        super().__init__(None)
        self.statements: list[str] = []

    def execute_sql(self, sql: str, *_values: object) -> None:
        self.statements.append(sql)


@cache
def statements(models: tuple[type[Model], ...]) -> tuple[str, ...]:
    """Return the SQL that makes these tables and their indexes.

    Peewee takes longer to write it than SQLite to run it: once in a process is enough.
    """
    recorder = _Recorder()
    for model in models:
        peewee.SchemaManager(model, recorder).create_all(safe=False)
    return tuple(recorder.statements)


@cache
def table(name: str) -> type[Model]:
    """Return the model of the table that is called so."""
    return next(model for model in ALL if model._meta.table_name == name)
