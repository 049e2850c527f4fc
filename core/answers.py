"""Further values of the core: captures in, results out. Frozen, like `values`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .values import NOWHERE, Memory, Origin


@dataclass(frozen=True, slots=True)
class Envelope:
    """The work at which a memory was learned, and its outcome."""

    task: str = ""  # the todo or task that was worked on
    intent: str = ""  # the user's request, in a line
    actions: tuple[str, ...] = ()  # commands, edits
    outcome: str = ""  # success, failure, partial; "" unknown
    artifacts: tuple[str, ...] = ()  # files that it produced
    errors: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    tokens: int | None = None  # of the turn
    time_ms: int | None = None  # of the turn


NO_ENVELOPE = Envelope()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A live memory near to a text, with which checks and reviewers compare it."""

    id: str
    content: str
    title: str = ""
    type: str = "semantic"
    category: str = "discovery"
    status: str = "candidate"
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    session: str | None = None
    created_ms: int = 0
    is_private: bool = False  # reviewers are never shown it
    similarity: float = 0.0  # 0-1, to the text it is near to


@dataclass(frozen=True, slots=True)
class Salience:
    """The fitted score of a sentence (`judgement.salience`)."""

    score: float  # a sum of weights; comparable between sentences, no probability
    worth_a_look: float  # probability, 0-1, that a colleague keeps it or hesitates
    worth_keeping: float  # probability, 0-1, that a careful colleague keeps it
    is_captured: bool  # passed to the store
    is_established: bool  # may be injected at starts, once its trial is over
    reasons: tuple[tuple[str, float], ...] = ()  # signs in words, and the amount of each


@dataclass(frozen=True, slots=True)
class Capture:
    """A text that a session offers as a memory, neither checked nor redacted yet."""

    content: str
    title: str = ""
    category: str | None = None  # one of CATEGORIES; None lets a rule decide
    type: str | None = None  # one of TYPES; None lets a rule decide
    importance: float = 5 / 9  # 0-1; 6 of 10, from which on starts inject settled memories
    confidence: float = 0.7  # 0-1
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    rule: str = ""  # which extraction rule found it, for the audit trail
    origin: Origin = NOWHERE
    said_at: datetime | None = None
    scope: str | None = None
    due: datetime | None = None
    expires: datetime | None = None
    details: Mapping[str, Any] = field(default_factory=dict)  # fields of the type's own table
    metadata: Mapping[str, Any] = field(default_factory=dict)  # the caller's own fields
    envelope: Envelope = NO_ENVELOPE
    is_type_unsure: bool = False  # no rule was sure of the type: reviewers may decide
    salience: Salience | None = None  # None if no score was needed
    privacy: str = "public"  # one of PRIVACIES; a repeated memory keeps its own
    filtered: str = ""  # why it is not to be kept; the user sees it with the reason


@dataclass(frozen=True, slots=True)
class FileChange:
    """The lines that an agent's tool call removed from the project and added to it."""

    path: str  # relative to the project; "" for a command
    before: str = ""  # removed lines
    after: str = ""  # added lines
    gone: tuple[str, ...] = ()  # files, packages and names that are no longer there
    at_ms: int = 0  # since 1970; 0 if the host does not say


@dataclass(frozen=True, slots=True)
class Link:
    """One edge between two memories."""

    source: str
    target: str
    kind: str
    strength: float
    created_at: datetime
    other_title: str = ""  # title of the memory at the other end


@dataclass(frozen=True, slots=True)
class StoreResult:
    """The outcome of `store` and `remember`."""

    stored: bool
    memory_id: str | None
    consensus_score: float
    reason: str
    outcome: str = "stored"  # stored | duplicate | refused | repeated (read before) | queued
    removed: tuple[str, ...] = ()  # kinds of secrets that were taken out


@dataclass(frozen=True, slots=True)
class Recorded:
    """The outcome of `learn`."""

    result: StoreResult
    session: str
    count: int  # recorded in this session, this one included
    most: int  # that one session may record
    replaced: str | None = None  # id of the memory that it took the place of
    conflict: str | None = None  # id of the conflict that the user has to decide


@dataclass(frozen=True, slots=True)
class Recording:
    """One record of an agent, and the evidence of its session for it."""

    id: str
    memory: str
    session: str
    at: datetime
    why: str
    evidence: str  # as in `values.Memory`
    checked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one row, before and after a change."""

    table: str
    key: str
    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal, as the audit trail shows it."""

    seq: int
    at: datetime
    actor: str
    action: str
    project: str
    session: str | None
    reason: str
    memories: tuple[str, ...]  # ids of the memories it touched
    title: str  # title of the first of them, for the list
    count: int  # rows it changed
    undoes: int | None  # the entry this one took back
    undone_by: int | None  # the entry that took this one back
    group: int | None = None  # the first entry of the act that this is a part of
    session_name: str = ""  # the session in words; "" for none, and for an unknown one


@dataclass(frozen=True, slots=True)
class Point:
    """A time, and the last entry of the trail up to then; 0 before the first."""

    at: datetime
    entry: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reasons of an injection, and its memories."""

    reasons: Mapping[str, str]  # by memory, why it was injected, in one line
    memories: Mapping[str, Memory]  # injected or left out, as they are now; deleted are omitted


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of `import_memories`."""

    added: int
    duplicates: int
    refused: tuple[tuple[int, str], ...]  # (line from 1, why)
    redacted: int = 0
    ids: tuple[str | None, ...] = ()  # one an object, in order: the memory it became or is
    stopped: bool = False  # by `progress`: the objects after these were not read
