"""The tables that the journal does not bring back: counters, records, and views of the journal.

They are worth keeping, but they are no changes: a rebuild leaves the first kind alone and makes
the views anew.
"""

from peewee import BlobField, CompositeKey, FloatField, IntegerField, Model, TextField
from playhouse.sqlite_ext import JSONField

from .model import Table, one_of
from .tables import JOURNALED


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
    clear = BlobField(null=True)  # marks of turns without secrets


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


class SightingRow(Table):
    """What a memory names and was seen to stand in a folder without a history. Derived."""

    memory = TextField(primary_key=True)
    names = TextField()  # keys of facts, JSON

    class Meta:
        table_name = "memory_sighting"


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
    SightingRow,
    DuplicateRow,
)
"""Counters and records that are worth keeping but are not changes."""

VIEWS: tuple[type[Model], ...] = (AuditRow, AuditMemoryRow, AuditGroupRow, JournalStateRow)
"""What is computed from the journal itself."""

ALL = (*JOURNALED, *DERIVED, *VIEWS)
