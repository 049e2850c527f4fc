"""What else the core takes and gives: captures in, answers out. Frozen, like `values`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .values import NOWHERE, Origin


@dataclass(frozen=True, slots=True)
class Capture:
    """Text offered to the store. Not yet judged, not yet redacted."""

    content: str
    title: str = ""
    category: str | None = None  # one of CATEGORIES; None lets a rule decide
    type: str | None = None  # one of TYPES; None lets a rule decide
    importance: float = 0.5  # 0-1
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


@dataclass(frozen=True, slots=True)
class Row:
    """What a list shows of a memory: enough for one line, cheap to make."""

    num: int
    id: str
    title: str
    type: str
    category: str
    scope: str
    status: str
    importance: float
    created_ms: int
    tags: tuple[str, ...]
    files: tuple[str, ...]
    agent: str | None
    session: str | None
    retired_as: str | None
    expires_ms: int | None
    in_conflict: bool
    revision: int
    is_gone: bool = False  # it vanished between the list and the page


@dataclass(frozen=True, slots=True)
class Link:
    """One edge between two memories (000-15)."""

    source: str
    target: str
    kind: str
    strength: float
    created_at: datetime
    other_title: str = ""  # title of the memory at the other end


@dataclass(frozen=True, slots=True)
class StoreResult:
    """The outcome of `store` and `remember` (001-02)."""

    stored: bool
    memory_id: str | None
    consensus_score: float
    reason: str
    outcome: str = "stored"  # stored | duplicate | refused | repeated (read before)
    removed: tuple[str, ...] = ()  # kinds of secrets that were taken out


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


@dataclass(frozen=True, slots=True)
class Project:
    """A project as the store knows it."""

    id: str
    name: str
    root: str
    remote: str | None
    memories: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was injected into one prompt."""

    id: str
    at: datetime
    host: str
    session: str | None
    event: str
    prompt_fingerprint: str
    tokens: int
    budget: int
    latency_ms: float
    items: tuple[Mapping[str, Any], ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of the objects given to `import_memories`."""

    added: int
    duplicates: int
    refused: tuple[tuple[int, str], ...]  # (line from 1, why)
    redacted: int = 0
    ids: tuple[str | None, ...] = ()  # one an object, in order: the memory it became or is


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over the live memories of a project (001-07)."""

    total_count: int
    by_type: Mapping[str, int]
    by_status: Mapping[str, int]
    by_category: Mapping[str, int]
    retired: int
    conflicts: int
    expiring: int
    database_bytes: int
    journal_bytes: int
