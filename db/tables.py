"""One class per table. Constraints live here, where they hold for every writer.

Moments are whole milliseconds since the epoch, UTC. The models are not bound to a database:
several stores may be open at once, one per thread, so every query names the one it means.
"""

from typing import Any

from peewee import (
    SQL,
    CompositeKey,
    FloatField,
    IntegerField,
    TextField,
)
from playhouse.sqlite_ext import JSONField

from .model import Table, between, one_of
from .type_tables import DETAILS, ExtraRow


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
    replaces = TextField(null=True)  # a memory that it is to replace once it is borne out
    evidence = TextField(
        constraints=[
            one_of("evidence", "unchecked", "person", "agent", "finding", "quoted", "nobody")
        ]
    )
    line = IntegerField(null=True)  # of the transcript, where it was said
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
