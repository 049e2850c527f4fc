"""The values of recall: frozen, plain, safe for any interface. Also times and ids.

Each class costs a hook a millisecond, so only values that a prompt needs are here. The others are
in `answers`.

Times are aware `datetime`s in UTC. Importance and confidence are floats from 0 to 1;
`importance_10` shows the 1-10 scale.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from ..db.errors import BadInput
from ..db.images import EARLIEST_MS, LATEST_MS, headline
from ..frozen import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import UTC as UTC
    from datetime import datetime as datetime
    from typing import Any
else:
    try:
        from _datetime import datetime, timezone  # the library's has a twin in Python

        UTC = timezone.utc
    except ImportError:  # another interpreter than CPython
        from datetime import UTC, datetime

DAY_MS = 86_400_000

HANDOVER = "handover"  # tag, and task id, of a handover
STEP = "task"  # tag of steps of the active task
ACTIVE = "active"  # tag of the working memory of the task that is being worked on
REFUTED = "refuted"  # the tag of failed attempts
TYPES = ("episodic", "semantic", "prospective", "procedural", "working")  # the five memory types

CATEGORIES = tuple(
    "decision architecture pattern warning discovery error preference file_change"
    " task_progress".split()
)

SCOPES = ("task", "session", "project", "global")
STATUSES = ("candidate", "confirmed", "pinned")
TIERS = ("hot", "warm", "cold")  # cold memories are injected only on a clear match
PRIVACIES = ("public", "agent-only", "private")
PRIORITY_LABELS = ("lowest", "low", "medium", "high", "urgent")  # words for the priorities 1 to 5

LINK_KINDS = ("reinforces", "contradicts", "extends", "refines", "superseded_by")
VERIFIED = ("agent", "person")
"""Evidence by which a record counts as verified: text that was merely read or pasted does not."""

ACTORS = ("person", "agent", "rule")
MAIN_ROLE = "orchestrator"  # role of agents without a role of their own


def moment_at(milliseconds: int) -> datetime:
    """Return the moment `milliseconds` after the epoch, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def at(milliseconds: int | None) -> datetime | None:
    """Return the same; None stays None."""
    return None if milliseconds is None else moment_at(milliseconds)


def ms_of(moment: datetime) -> int:
    """`moment` in milliseconds after the epoch, as the store has it."""
    return int(moment.timestamp() * 1000)


Clock = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


def ms_since(begun: float) -> float:
    """Milliseconds that have passed since `time.perf_counter()` said `begun`."""
    return (time.perf_counter() - begun) * 1000


def is_moment(value: object) -> bool:
    """Return True if an unknown number must be milliseconds, since no count grows so large."""
    return isinstance(value, int) and 10**11 < value <= LATEST_MS


def to_ms(moment: datetime | None) -> int | None:
    """Return whole milliseconds since the epoch; a naive moment counts as UTC. None stays None.

    Moments that a time zone moves beyond the years 1 to 9999 count as their end, since no calendar
    could show them. Raises BadInput if it is no moment.
    """
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        raise BadInput(f"A date with a time was expected, not {type(moment).__name__}.")
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(round(aware.timestamp() * 1000), EARLIEST_MS), LATEST_MS)


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u, which are misread."""

EPOCH_MS = 1_577_836_800_000
"""2020-01-01, UTC: forty bits of milliseconds from here last until 2054."""


def new_id(now_ms: int, entropy: Callable[[int], bytes]) -> str:
    """Sixteen characters: eight of time in milliseconds, eight (40 bits) of chance."""
    time_part = max(0, now_ms - EPOCH_MS) & (1 << 40) - 1
    value = time_part << 40 | int.from_bytes(entropy(5), "big")
    return "".join(ALPHABET[value >> shift & 31] for shift in range(75, -1, -5))


def looks_made(name: str) -> bool:
    """Return True if a name has the form of our ids."""
    return len(name) == 16 and set(ALPHABET).issuperset(name)


def moment_of(made: str) -> int:
    """Return the time of such an id, in milliseconds since 1970."""
    time_part = 0
    for sign in made[:8]:
        time_part = time_part << 5 | ALPHABET.index(sign)
    return EPOCH_MS + time_part


HALF_STEP = 1 / 18
"""Half the distance, 0-1, between two values of the scale 1-10: 7 covers the values near it."""


def importance_10(importance: float) -> int:
    """Importance 0-1 on the scale 1-10 (requirements, "Settled": 1 + round(9 x))."""
    return 1 + round(9 * importance)


def importance_from_10(value: int) -> float:
    """Importance 1-10 as a float 0-1, the inverse of `importance_10`."""
    return (value - 1) / 9


def least_importance(value: int) -> float:
    """Return the bound, 0-1, above which an importance is shown as `value` of 10, or as more."""
    return importance_from_10(value) - HALF_STEP + 1e-9


def source_of(evidence: str) -> str | None:
    """Return the source of an agent's record with this evidence, in words; None without it."""
    if not evidence:
        return None
    return "agent, verified" if evidence in VERIFIED else "agent, unverified"


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a memory, which no edit changes."""

    session: str | None = None  # the session's id, as the host names it
    agent: str | None = None  # claude, codex, gemini, opencode, or None for the user
    agent_id: str | None = None  # the subagent, if there was one
    role: str | None = None  # orchestrator, executor, reasoner, researcher, general
    transcript: str | None = None  # path of the transcript file
    line: int | None = None  # line in the transcript, from 1
    ref: str | None = None  # stable name of the very place; the same place is never captured twice


NOWHERE = Origin()


@dataclass(frozen=True, slots=True)
class Memory:
    """One stored statement with all its fields."""

    id: str  # 16 characters, sorts by time of creation
    num: int  # the store's row number; opaque, stable, used by lists
    short_id: str  # the shortest prefix of `id` that is unique in this store, at least 7
    key: str | None  # the caller's own id, given at import
    type: str
    category: str
    scope: str
    project: str  # the project's id; "" for global memories
    status: str
    title: str
    content: str
    importance: float
    confidence: float
    privacy: str
    tags: tuple[str, ...]
    files: tuple[str, ...]
    origin: Origin
    tokens: int  # estimated
    created_at: datetime
    updated_at: datetime
    due: datetime | None
    expires: datetime | None
    retired_at: datetime | None
    retired_as: str | None  # forgotten, rejected, merged, superseded, expired, …
    details: Mapping[str, Any]  # the fields of the type's own table
    accesses: int = 0
    last_access: datetime | None = None
    helpful: int = 0
    unhelpful: int = 0
    in_conflict: bool = False
    both_hold: tuple[tuple[str, str, str], ...] = ()  # by the user's verdict: id, short id, context
    revision: int = 0  # sequence number of the last change; grows with every edit
    evidence: str = ""  # of a record: unchecked, nobody, quoted, finding, agent, person
    provenance: str = ""  # its author, one of PROVENANCES; "" if not computed
    degree: str = ""  # its trust, one of DEGREES; "" if not computed
    stale: str = ""  # why it may be outdated, in words; "" if it is not

    used: int = 0  # injections that the agent then repeated or acted on
    worth: float | None = None  # 0-1 as of the last maintenance; None before the first
    tier: str = "hot"  # one of TIERS, as of then

    relevance_score: float = 0.0  # of the match, when `retrieve` found it

    @property
    def is_live(self) -> bool:
        return self.retired_at is None

    @property
    def source(self) -> str | None:
        """Return `agent, verified` or `agent, unverified` for an agent's record, else None."""
        return source_of(self.evidence)

    @property
    def timestamp(self) -> datetime:
        """Return its time in local time without a zone, as `datetime.now()` has it."""
        return self.created_at.astimezone().replace(tzinfo=None)

    @property
    def token_count(self) -> int:
        return self.tokens

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Return its other fields: category, tags, files, its type's fields, a caller's.

        A priority is one of `PRIORITY_LABELS`.
        """
        about = {
            "category": self.category,
            "tags": self.tags,
            "files": self.files,
            "session_id": self.origin.session,
        }
        own = {name: value for name, value in self.details.items() if name != "context"}
        if type(own.get("priority")) is int:
            own["priority"] = PRIORITY_LABELS[own["priority"] - 1]
        return {**about, **own}

    @property
    def context(self) -> Mapping[str, Any]:
        """Return its origin, and the caller's own fields about it."""
        where = {name: getattr(self.origin, name) for name in ("agent_id", "role")}
        where["session_id"] = self.origin.session
        return {**(self.details.get("context") or {}), **where}


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of a search, which can explain itself."""

    memory: Memory
    score: float
    parts: Mapping[str, float]  # the parts of the score, by name
    matched: tuple[str, ...] = ()  # words of the query found in it

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def key(self) -> str | None:
        return self.memory.key


@dataclass(frozen=True, slots=True)
class Injection:
    """The text for one prompt, with the scores behind it."""

    text: str
    tokens: int
    budget: int
    per_tier: Mapping[str, int]  # tokens by tier: always, working, retrieval, summary
    items: tuple[Hit, ...]
    left_out: tuple[tuple[str, str], ...]  # (memory id, why)
    receipt: str  # id of the receipt
    limits: Mapping[str, int] = field(default_factory=dict)  # tokens allowed by tier
    policy: str = ""  # how the budget was shared out: adaptive, five-type, tiered
    profile: str = ""  # how the answers were ranked: blend, multiplicative, additive
    costs: Mapping[str, int] = field(default_factory=dict)  # by item: tokens in this text
    tiers: Mapping[str, str] = field(default_factory=dict)  # by item: the tier that holds it
    marks: Mapping[str, str] = field(default_factory=dict)  # by item: its injected text's mark
    compression_ratio: float = 0.0  # tokens injected to those that were in question
    is_degraded: bool = False  # recall was too slow lately and reads less
    request_tokens: int = 0  # of the lines that ask the agent to record; 0: it was not asked

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The account in plain names; `per_type` are the tokens of the items, without frame."""
        per_type: dict[str, int] = {}
        for hit in self.items:
            kind = hit.memory.type
            per_type[kind] = per_type.get(kind, 0) + self.costs.get(hit.id, 0)
        return {
            "total_tokens": self.tokens,
            "budget": self.budget,
            "utilization": self.tokens / self.budget if self.budget else 0.0,
            "per_type": per_type,
            "trimmed_count": len(self.left_out),
        }


def memory_from_image(image: Mapping[str, Any]) -> Memory:
    """Return the memory of a stored image: milliseconds become moments, lists become tuples.

    Fields of other tables (uses, conflicts, the short id) may be missing.
    """
    return Memory(
        **{name: image[name] for name in _SAME},
        **{name: image.get(name) or default for name, default in _ABSENT.items()},
        created_at=moment_at(image["created_at"]),
        updated_at=moment_at(image["updated_at"]),
        due=at(image.get("due")),
        expires=at(image.get("expires")),
        retired_at=at(image.get("retired_at")),
        last_access=at(image.get("last_access")),
        short_id=image.get("short_id") or image["id"][:7],
        key=image.get("key"),
        title=headline(image["title"], image["content"]),
        tags=tuple(image.get("tags") or ()),
        files=tuple(image.get("files") or ()),
        origin=Origin(**{name: image.get(name) for name in _ORIGIN}),
        retired_as=image.get("retired_as"),
        details=_own(image.get("details") or {}),
        in_conflict=bool(image.get("in_conflict")),
        both_hold=tuple(image.get("both_hold") or ()),
        worth=image.get("worth"),
    )


_ORIGIN = ("session", "agent", "agent_id", "role", "transcript", "line", "ref")
_SAME = (
    *("id", "num", "type", "category", "scope", "project", "status", "content"),
    *("importance", "confidence", "privacy", "tokens"),
)
_ABSENT: Mapping[str, Any] = {
    **dict.fromkeys(("accesses", "helpful", "unhelpful", "revision", "used"), 0),
    **dict.fromkeys(("evidence", "provenance", "degree", "stale"), ""),
    "tier": "hot",
}


def _own(details: Mapping[str, Any]) -> dict[str, Any]:
    """A type's own fields for one caller, who may change them: images are shared (`db.kept`)."""
    return {
        name: list(value) if type(value) is list else dict(value) if type(value) is dict else value
        for name, value in details.items()
    }


_ROLE_BY_TYPE = {
    "explore": "researcher",
    "explorer": "researcher",
    "plan": "reasoner",
    "general-purpose": "general",
    "general": "general",
    "default": "general",
}


def role_of(agent_type: str) -> str:
    """Return the role of a subagent of this type, as its host calls it; "" for none."""
    return _ROLE_BY_TYPE.get(agent_type.lower(), "executor" if agent_type else "general")
