"""The queries of recall: read-only, with the standard library's `sqlite3` alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from ..frozen import NamedTuple
from . import activity as touched
from . import index
from .activity import sqlite3
from .home import OLDEST_READ, SCHEMA, Home, addresses_to_read, is_shut
from .images import Image, decoded, dumps, loads, marks, memories, rows, short_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .images import Image
    from .index import Counts


# Trust: who said a memory, how sure we are of it, and whether it is to be verified; all derived.
# *person*: said, written, confirmed, pinned or rewritten by the user. *established*: through its
# trial, or supported by sessions that did not receive it. *unproven*: all else, imports included.

DEGREES = ("person", "established", "unproven")  # the surest first


class Trust(NamedTuple):
    """The provenance of a memory, and one of `DEGREES`."""

    provenance: str  # person, agent-verified, agent-unverified, quoted, imported
    degree: str


IDLE_MS = 600_000  # an idle session counts as ended from here on
POINTS = 3
"""Points of promotion, without those for its words, from which a promoted memory is established."""

BEST_LAST = ("unchecked", "nobody", "quoted", "finding", "agent", "person")
"""The evidence that a session's transcript can give for a record, the best last."""

IMPORTED = (
    "EXISTS (SELECT 1 FROM memory_trust t WHERE t.memory = m.id AND t.provenance = 'imported')"
)
"""A condition on `memory m`: an import brought it."""

_CONFIRMED = (
    "EXISTS (SELECT 1 FROM memory_trust t WHERE t.memory = m.id AND t.vouched_at IS NOT NULL)"
)
_STATED = (
    "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id"
    """ AND c.signals LIKE '%"user-intent"%')"""
)
_EXPLICIT = f"{_STATED} AND NOT EXISTS (SELECT 1 FROM memory_salience s WHERE s.memory = m.id)"
"""An explicit rule matched, so no score was needed. Sentences that only the score admitted are
established at most: of 35 such in unseen sessions, half were at least borderline."""

_PROMOTED = "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id AND c.promoted_at > 0)"
_ACCEPTED = f"(m.status = 'pinned' OR m.status = 'confirmed' AND NOT {_PROMOTED})"
_WRITTEN = (
    "EXISTS (SELECT 1 FROM memory_trust t"
    " WHERE t.memory = m.id AND t.provenance = 'agent-unverified')"
)
_BY_AGENT = f"(m.type = 'working' AND coalesce(m.agent, '') != '' OR {_WRITTEN})"
_CAPTURED = "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id)"
_USERS_SENTENCE = (
    "EXISTS (SELECT 1 FROM memory_salience s WHERE s.memory = m.id AND s.is_person = 1)"
)
_QUOTED = """EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = 'untrusted')"""


_PROVEN = (
    "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id AND c.promoted_at > 0"
    f" AND c.points - coalesce(json_extract(c.signals, '$.\"worth-keeping\"'), 0) >= {POINTS})"
)

SETTLED = f"(m.status != 'candidate' OR {_STATED} OR {_CONFIRMED} OR {_PROVEN})"
"""A condition on `memory m`: it is the user's or established.

A memory that only its words promoted is on trial. If it is used in that time, it is confirmed.
A memory with points from events needs no trial: an error's cause, or sessions and agents that
found it independently.
"""

DEGREE = (
    f"CASE WHEN {_CONFIRMED} OR NOT {IMPORTED} AND ({_ACCEPTED} AND NOT {_BY_AGENT}"
    f" OR {_EXPLICIT}) THEN 'person'"
    f" WHEN {SETTLED} AND NOT {_BY_AGENT} THEN 'established' ELSE 'unproven' END"
)
"""An expression on `memory m`: one of `DEGREES`."""

PROVENANCE = (
    f"CASE WHEN {IMPORTED} THEN 'imported' WHEN {_STATED} THEN 'person'"
    f" WHEN {_QUOTED} THEN 'quoted' WHEN {_USERS_SENTENCE} THEN 'person'"
    f" WHEN {_CAPTURED} OR {_BY_AGENT} THEN 'agent-unverified' ELSE 'person' END"
)
"""An expression on `memory m`: one of `PROVENANCES`. Agents' records are not covered.

A memory that no rule captured is the user's, except an agent's working memory.
"""

_PROVENANCES = {
    **dict.fromkeys(("agent", "person"), "agent-verified"),
    **dict.fromkeys(("unchecked", "nobody", "finding"), "agent-unverified"),
    "quoted": "quoted",
}


def trust_of(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, tuple[Trust, str]]:
    """Map memory to its trust and its best evidence, which is "" unless an agent recorded it."""
    listed = dumps(list(ids))
    evidences = recorded_sources(connection, ids)
    matches = connection.execute(
        f"SELECT m.id, {PROVENANCE}, {DEGREE} FROM memory m"
        " WHERE m.id IN (SELECT value FROM json_each(?))",
        (listed,),
    )
    details = {}
    for memory, provenance, how_sure in matches:
        evidence = evidences.get(memory, "")
        if evidence and provenance == "agent-unverified":
            provenance = _PROVENANCES[evidence]
        details[memory] = (Trust(provenance, how_sure), evidence)
    return details


def recorded_sources(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, str]:
    """Map memories that an agent's record made to the best evidence for them."""
    ranks = " ".join(f"WHEN '{word}' THEN {rank}" for rank, word in enumerate(BEST_LAST))
    matches = connection.execute(
        "SELECT memory, evidence FROM recording r"
        " WHERE memory IN (SELECT value FROM json_each(?))"
        " AND EXISTS (SELECT 1 FROM recording o WHERE o.memory = r.memory AND o.is_new = 1)"
        f" ORDER BY CASE evidence {ranks} END",
        (dumps(list(ids)),),
    )
    return dict(matches.fetchall())


FLAGGED = (
    "NOT EXISTS (SELECT 1 FROM memory_trust v WHERE v.memory = s.memory AND v.vouched_at >= s.at)"
)
"""A condition on `memory_staleness s`: the user has not confirmed the memory since."""


def staleness_of(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """Map memory to the reason to verify it, and whether all files that it names are gone."""
    matches = connection.execute(
        "SELECT s.memory, s.reason, s.is_gone FROM memory_staleness s"
        f" WHERE s.memory IN (SELECT value FROM json_each(?)) AND {FLAGGED}",
        (dumps(list(ids)),),
    )
    return {memory: (reason, bool(is_gone)) for memory, reason, is_gone in matches}


class ProjectReader:
    """Read-only queries about projects and their settings over one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def is_recorded(self, project: str, session: str) -> bool:
        """Return True if the store's switches allow recording of a session."""
        places = (project, "*", f"session:{session}")
        switched = dict(
            self.connection.execute(
                f"SELECT key, value FROM setting WHERE key IN ({marks(2 * len(places))})",
                [f"{name}|{item}" for item in places for name in ("auto_memory", "incognito")],
            )
        )
        text = {(key.partition("|")[0], value) for key, value in switched.items()}
        sql = "SELECT 1 FROM session WHERE id = ? AND incognito = 1"
        hidden = self.connection.execute(sql, (session,)).fetchone()
        return hidden is None and not text & {("auto_memory", "false"), ("incognito", "true")}

    def ceiling(self, project: str) -> int | None:
        """The budget's ceiling in tokens that was chosen for the project; None: no choice."""
        chosen = self.setting(f"ceiling|{project}")
        return chosen if isinstance(chosen, int) else None

    def preset(self, project: str) -> str | None:
        """Return the preset that was chosen for the project in the store; None: no choice."""
        chosen: str | None = self.setting(f"preset|{project}")
        return chosen

    def setting(self, key: str) -> Any:
        """Return the user's setting `key`; None if it is not set."""
        matches = rows(self.connection, "SELECT value FROM setting WHERE key = ?", (key,))
        return matches[0]["value"] if matches else None

    def aliases(self, project: str) -> dict[str, list[str]]:
        """Return words that mean the same, for the project and everywhere."""
        matches = rows(
            self.connection,
            "SELECT word, synonyms FROM alias WHERE project IN ('', ?) ORDER BY project",
            (project,),
        )
        return {row["word"]: row["synonyms"] for row in matches}

    def id_of(self, identity: Any) -> str:
        """Return the id under which the store knows a project (`core.projects.Identity`).

        A folder is known by its place. Its remote and its path are claims: a second place that
        claims what another project has is a project of its own, until the user joins them.
        """
        root, remote = identity.root.encode("utf-8", "replace").decode(), identity.remote
        if identity.mark is None:
            return self._joined(identity.id, identity.root or identity.name) or str(identity.id)
        setting = self.setting(identity.place)
        if setting and _is_same_place(setting, remote, identity.mark):
            return self._joined(setting["project"]) or str(setting["project"])
        if setting is None:
            if joined := self._joined(root) or self._older(identity, root):
                return joined
            if joined := self._moved(identity):
                return joined
        id = str(identity.id)
        is_claimed = self._one("SELECT id FROM project WHERE id = ?", id) or self._joined(id)
        return str(identity.own_id) if is_claimed else id

    def rows_of(self, project: str) -> list[tuple[str, str]]:
        """Table and key of each journaled row that is the project's alone."""
        return self.connection.execute(
            "SELECT 'memory', id FROM memory WHERE project = :project"
            " UNION ALL SELECT 'session', id FROM session WHERE project = :project"
            " UNION ALL SELECT 'summary', id FROM summary WHERE project = :project"
            " UNION ALL SELECT 'alias', project || '|' || word FROM alias WHERE project = :project"
            " UNION ALL SELECT 'tombstone', project || '|' || fingerprint FROM tombstone"
            " WHERE project = :project"
            " UNION ALL SELECT 'setting', key FROM setting"
            " WHERE substr(key, -length(:project) - 1) = '|' || :project"
            " OR key >= 'place|' AND key < 'place}'"
            " AND json_extract(value, '$.project') = :project",
            {"project": project},
        ).fetchall()

    def _one(self, query: str, *values: Any) -> str | None:
        row = self.connection.execute(query, values).fetchone()
        return None if row is None else str(row[0])

    def _joined(self, *keys: str) -> str | None:
        """The project that another was joined to, of which these are the id, root or name."""
        return self._one(
            "SELECT project.id FROM project, json_each(project.aliases) AS other"
            f" WHERE other.value IN ({marks(len(keys))})",
            *(key.encode("utf-8", "replace").decode() for key in keys),
        )

    def _older(self, identity: Any, root: str) -> str | None:
        """The project of a folder that an older version knew: by its root, or by its sessions."""
        plain = (identity.remote or "").rpartition("@")[2]
        host, slash, path = plain.partition("/")
        plain = f"{host.partition(':')[0]}{slash}{path}"
        at_root = self._one(
            "SELECT id FROM project WHERE root = ? AND (remote IS NULL OR lower(remote) IN (?, ?))"
            " AND NOT EXISTS (SELECT 1 FROM setting WHERE key >= 'place|' AND key < 'place}'"
            " AND json_extract(value, '$.project') = project.id)"
            " ORDER BY remote IS NULL, id",
            root,
            (identity.remote or "").lower(),
            plain.lower(),
        )
        return at_root or self._one(
            "SELECT id FROM project WHERE (id = ? OR lower(remote) = ?)"
            " AND EXISTS (SELECT 1 FROM session WHERE project = project.id AND cwd = ?)",
            identity.id,
            plain.lower(),
            root,
        )

    def _moved(self, identity: Any) -> str | None:
        """Return the project of a repository that was moved here and is gone from its old place."""
        if not identity.mark or identity.mark.endswith(".0"):
            return None
        for (value,) in self.connection.execute(
            "SELECT value FROM setting WHERE key >= 'place|' AND key < 'place}'"
        ):
            setting = loads(value)
            if setting["mark"] == identity.mark and not os.path.exists(setting["root"]):
                return self._joined(setting["project"]) or str(setting["project"])
        return None


def _is_same_place(setting: Mapping[str, Any], remote: str | None, mark: str) -> bool:
    """Return True if the same folder is still there, though its remote may have another name."""
    if not mark:  # nothing is there now
        return True
    inode, _, made = mark.partition(".")
    was_inode, _, was_made = setting["mark"].partition(".")
    if made not in ("", "0") and was_made not in ("", "0"):
        is_same = made == was_made
    else:
        is_same = inode == was_inode
    root = setting["root"]  # at `/workspace` each container has a repository of its own
    is_shared = (
        root.count("/") < 2 or root.startswith("/workspaces/") or root.endswith("/workspace")
    )
    return is_same or (setting["remote"] == remote and not is_shared)


LAST_INJECTIONS = 100  # newest injections of a session that are read

InjectedRow = tuple[int, str, str | None, str | None, str | None]
"""(at, event, source, memory, mark) of one memory that was injected into a session."""

LATENCIES_KEPT = 100  # the rolling window of latencies, per kind


class ReceiptReader:
    """Read-only queries about receipts and latencies over one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def injected(self, project: str, session: str) -> list[InjectedRow]:
        """Return the memories injected into a session, newest first.

        One row a memory. A session start without memories has one row with memory and mark None.
        Only the last `LAST_INJECTIONS` are read, without empty ones.
        """
        return self.connection.execute(
            "SELECT r.at, r.event, r.source, json_extract(i.value, '$.id'),"
            " json_extract(i.value, '$.mark') FROM"
            " (SELECT id, at, event, source, items FROM receipt WHERE session = ? AND project = ?"
            " AND (tokens > 0 OR event IN ('SessionStart', 'PostCompact'))"
            " ORDER BY at DESC, id DESC LIMIT ?) r LEFT JOIN json_each(r.items) i"
            " ORDER BY r.at DESC",
            (session, project, LAST_INJECTIONS),
        ).fetchall()

    def starts(self, project: str, session: str) -> list[InjectedRow]:
        """Return the session's last start injection, at most one row, as in `injected`."""
        injections: list[InjectedRow] = self.connection.execute(
            "SELECT at, event, source, NULL, NULL FROM receipt WHERE session = ? AND project = ?"
            " AND event = 'SessionStart' ORDER BY at DESC, id DESC LIMIT 1",
            (session, project),
        ).fetchall()
        return injections

    def latencies(self) -> tuple[list[float], bool]:
        """The last recalls' times in milliseconds, oldest first, and whether recall is degraded."""
        return latency_window(self.connection, "recall")

    def answer_latencies(self, host: str) -> list[float]:
        """Return the last latencies for a host in milliseconds, newest first; at most 100."""
        text = "SELECT latency_ms FROM receipt WHERE host = ? ORDER BY at DESC LIMIT ?"
        matches = self.connection.execute(text, (host, LATENCIES_KEPT))
        return [value for (value,) in matches]


def latency_window(connection: sqlite3.Connection, kind: str) -> tuple[list[float], bool]:
    """Return the last measurements of a kind in ms, oldest first, and the last decision."""
    text = "SELECT milliseconds, is_degraded FROM latency WHERE kind = ? ORDER BY id DESC LIMIT ?"
    matches = connection.execute(text, (kind, LATENCIES_KEPT)).fetchall()
    return [value for value, _ in reversed(matches)], bool(matches and matches[0][1])


if TYPE_CHECKING:
    Read = Callable[[Sequence[int]], Iterable[Image]]

MOST_COUNTS = 4_000  # words whose counts are kept

MOST_IMAGES = 1_000
"""Images that are kept, and as many ranking rows: some megabytes at most."""

MOST_AT_ONCE = 200  # a caller with more reads through the whole store once

MOST_PLACES = 50_000
"""Memories whose session is kept: eight bytes each, and as much again to find it."""


class ReadCache:
    """Rows that queries to one store have read. Its owner drops it when anything is written.

    All callers share the rows, so they must not change them.
    """

    def __init__(self) -> None:
        self.counts: Counts = {}
        self.aliases: dict[str, Mapping[str, Sequence[str]]] = {}  # by project
        self._images: dict[int, Image] = {}
        self._sketches: dict[int, Image] = {}
        self._sessions: dict[int, Sequence[int]] = {}

    @property
    def is_full(self) -> bool:
        """Return True if the cache must be replaced before the next query."""
        return (
            len(self.counts) > MOST_COUNTS
            or len(self._sketches) > MOST_IMAGES
            or len(self._images) > MOST_IMAGES
            or len(self._sessions) > MOST_PLACES
        )

    def images(self, nums: Sequence[int], read: Read) -> list[Image]:
        """These memories in order, as `Reader.images`; `read` gives those not read yet."""
        return _known(self._images, nums, read)

    def sketches(self, nums: Sequence[int], read: Read) -> list[Image]:
        """Return their ranking rows in order, as `Reader.sketches`; `read` gives new ones."""
        return _known(self._sketches, nums, read)

    def sessions(
        self, nums: Sequence[int], read: Callable[[Sequence[int]], Sequence[Sequence[int]]]
    ) -> list[Sequence[int]]:
        """The sessions of these memories, as `Reader.company`; `read` gives those not read yet."""
        sessions = self._sessions
        if new := [num for num in nums if num not in sessions]:
            for session in read(new):
                sessions.update(dict.fromkeys(session, session))
            for num in new:
                sessions.setdefault(num, ())
        matches = {id(session): session for num in nums if (session := sessions[num])}
        return list(matches.values())


def _known(images: dict[int, Image], nums: Sequence[int], read: Read) -> list[Image]:
    """Return the images of these numbers in order, without numbers that name no memory."""
    if len(nums) > MOST_AT_ONCE:
        images = {}
    if new := [num for num in nums if num not in images]:
        images.update((image["num"], image) for image in read(new))
    return [images[num] for num in nums if num in images]


BUSY_TIMEOUT_S = 0.2  # a prompt never waits longer than this for a lock

COMPANY_ROWS = 5_000

COUNTED = ("accesses", "helpful", "unhelpful")

SKETCHED = (
    *("num", "id", "key", "type", "category", "scope", "project", "status", "title", "content"),
    *("importance", "privacy", "tags", "files", "session", "agent", "role"),
    *("created_at", "updated_at", "expires", "retired_at", "retired_as"),
)
"""The columns that ranking and the privacy check need."""

_SKETCH = (*SKETCHED, *COUNTED, "is_settled", "tier")

_SKETCHES = (
    f"SELECT {', '.join(f'm.{name}' for name in SKETCHED)},"
    f" {', '.join(f'coalesce(u.{name}, 0)' for name in COUNTED)}, {SETTLED},"
    " w.tier"
    " FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"
    " LEFT JOIN memory_worth w ON w.memory = m.num"
    " WHERE m.num IN (SELECT value FROM json_each(?))"
)

_USES = (
    "SELECT m.id AS memory, u.last_access, w.worth, w.importance AS weighed, w.tier,"
    f" {', '.join(f'coalesce(u.{name}, 0) AS {name}' for name in (*COUNTED, 'used'))},"
    " EXISTS (SELECT 1 FROM finding f WHERE f.memory = m.id AND f.outcome = 'stored'"
    " AND f.rule = 'person.order') AS is_order"
    " FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"
    " LEFT JOIN memory_worth w ON w.memory = m.num"
    " WHERE m.num IN (SELECT value FROM json_each(?))"
)


def _listed(nums: Sequence[int]) -> str:
    """Return row numbers as one parameter: however many there are, the statement stays the same."""
    return f"[{','.join(map(str, nums))}]"


@lru_cache(maxsize=1_024)
def _texts(stored: str) -> tuple[str, ...]:
    """Return a stored list of tags or files. Cached, since many rows have the same."""
    return tuple(loads(stored))


_WAITS_FOR_EVENT = (
    "(p.trigger_type = 'event' AND coalesce(p.trigger_condition, '') != ''"
    " AND coalesce(p.due_at, m.due) IS NULL AND NOT EXISTS"
    " (SELECT 1 FROM receipt_item i JOIN receipt r ON r.id = i.receipt, json_each(r.items) e"
    " WHERE i.memory = m.id AND json_extract(e.value, '$.id') = m.id"
    " AND json_extract(e.value, '$.parts.event') IS NOT NULL))"
)
"""A condition on `prospective p` and `memory m`: no prompt has named the awaited event yet."""


_DATED = (
    "SELECT m.num FROM prospective p CROSS JOIN memory m ON m.num = p.memory WHERE p.memory IN"
    " (SELECT memory FROM prospective WHERE due_at IS NOT NULL"
    " UNION SELECT num FROM memory WHERE due IS NOT NULL)"
)
_UNDATED = (  # in the order of the index, so that it ends at the limit
    "SELECT m.num FROM prospective p INDEXED BY prospectiverow_priority"
    " CROSS JOIN memory m ON m.num = p.memory WHERE coalesce(p.due_at, m.due) IS NULL"
)

_WARM = "NOT EXISTS (SELECT 1 FROM memory_worth w WHERE w.memory = m.num AND w.tier = 'cold')"
"""A condition on `memory m`: it is not cold, so it may be injected without a query."""


def _injectable(unproven: bool) -> str:
    """Return the condition on memories injected without a query; `unproven` drops `SETTLED`."""
    return _WARM if unproven else f"{_WARM} AND {SETTLED}"  # the cheaper look first


_MONTH_MS = 30 * 24 * 3600 * 1000

RECORDED = (
    "EXISTS (SELECT 1 FROM recording r WHERE r.memory = m.id"
    " AND r.is_new = 1 AND r.evidence IN ('agent', 'person'))"
)
"""A condition on `memory m`: an agent recorded it in its own words or those of the user."""

IN_VAIN = (  # of `memory m` and its `memory_use u`: a month of injections without a use
    "coalesce((SELECT max(t.at) - min(t.at) FROM receipt_item i JOIN receipt t ON t.id = i.receipt"
    f" WHERE i.memory = m.id AND t.at > coalesce(u.last_use, 0)), 0) >= {_MONTH_MS}"
)


class Reader:
    """Read-only queries over one connection, as of `now_ms`."""

    def __init__(
        self, connection: sqlite3.Connection, now_ms: int, cache: ReadCache | None = None
    ) -> None:
        self.connection = connection
        self.receipts = ReceiptReader(connection)
        self.projects = ProjectReader(connection)
        self.now_ms = now_ms
        self._cache = cache or ReadCache()  # given by callers that query again

    def close(self) -> None:
        self.connection.close()

    def frequencies(self, words: Sequence[str], project: str | None = None) -> dict[str, int]:
        """Map each of `words` to the number of memories that have it, counted up to a limit.

        With a `project`, of its live memories and the global ones; else of all.
        """
        return index.frequencies(self.connection, words, project, self._cache.counts)

    def candidates(self, words: Sequence[str], project: str, limit: int) -> list[tuple[int, float]]:
        """(num, score) of the live memories of the project, or of everywhere, that hold a word.

        The score is BM25 turned positive: larger is better. Best first; of more than
        `index.POSTINGS` matches only the newest are ranked.
        """
        expression = index.match(words, project=project)
        if expression is None:
            return []
        matches = self.connection.execute(
            f"SELECT num, score FROM (SELECT rowid AS num, -{index.RANK} AS score FROM memory_fts"
            " WHERE memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?)"
            " ORDER BY score DESC, num DESC LIMIT ?",
            (expression, index.POSTINGS, limit),
        )
        return matches.fetchall()

    def near_words(self, word: str) -> list[str]:
        """Return words of the index like a mistyped `word`; none if the index has the word."""
        return index.words_near(self.connection, word)

    def words_from(self, start: str, most: int) -> list[str]:
        """Return the most common words of the index that begin so."""
        return index.words_from(self.connection, start, most)

    def company(self, nums: Sequence[int]) -> list[Sequence[int]]:
        """The sessions of these memories, each as its memories' numbers in order of learning.

        Of a session at most the first `COMPANY_ROWS`; retired ones are among them.
        """
        return self._cache.sessions(nums, self._read_sessions)

    def _read_sessions(self, nums: Sequence[int]) -> list[list[int]]:
        matches = self.connection.execute(
            "SELECT (SELECT group_concat(num) FROM"
            " (SELECT num FROM memory WHERE session = s.session ORDER BY num LIMIT ?)) FROM"
            " (SELECT DISTINCT session FROM memory"
            " WHERE session IS NOT NULL AND num IN (SELECT value FROM json_each(?))) s",
            (COMPANY_ROWS, _listed(nums)),
        )
        return [list(map(int, numbers.split(","))) for (numbers,) in matches]

    def sketches(self, nums: Sequence[int]) -> list[Image]:
        """Return the ranking rows of these memories: shared columns, use, the user's opinions."""
        return self._cache.sketches(nums, self._read_sketches)

    def _read_sketches(self, nums: Sequence[int]) -> Iterator[Image]:
        for values in self.connection.execute(_SKETCHES, (_listed(nums),)):
            image = dict(zip(_SKETCH, values, strict=True))
            image["tags"], image["files"] = _texts(image["tags"]), _texts(image["files"])
            yield image

    def images(self, nums: Sequence[int]) -> list[Image]:
        """Return the memories' images with use, trust, `revision`, `short_id` and conflicts.

        `in_conflict`: a conflict is open. `both_hold`: live memories of which the user decided
        that both hold, as (id, short id, difference).
        """
        return self._cache.images(nums, self._read_images)

    def _read_images(self, nums: Sequence[int]) -> list[Image]:
        """Return images with the fields of other tables: use, conflicts, trust, short ids."""
        images = memories(self.connection, "num", list(nums), full=True)
        ids = [image["id"] for image in images]
        listed = _listed([image["num"] for image in images])
        use = {row.pop("memory"): row for row in rows(self.connection, _USES, (listed,))}
        torn, names = set[str](), dict[str, str]()
        beside: dict[str, list[tuple[str, str]]] = {}
        trusted: dict[str, tuple[Trust, str]] = {}
        stale: dict[str, tuple[str, bool]] = {}
        for start in range(0, len(ids), 400):
            part = ids[start : start + 400]
            for item, other, is_open, context in self._verdicts(part):
                if is_open:
                    torn.update((item, other))
                else:
                    beside.setdefault(item, []).append((other, context))
                    beside.setdefault(other, []).append((item, context))
            trusted |= trust_of(self.connection, part)
            stale |= staleness_of(self.connection, part)
            names |= short_ids(self.connection, part)
        others = [other for item in ids for other, _ in beside.get(item, ())]
        short = short_ids(self.connection, others) if others else {}
        for image in images:
            image.update(use[image["id"]])
            image["in_conflict"] = image["id"] in torn
            image["both_hold"] = [
                (other, short[other], context) for other, context in beside.get(image["id"], ())
            ]
            trust, image["evidence"] = trusted[image["id"]]
            image["provenance"], image["degree"] = trust
            image["stale"], image["is_gone"] = stale.get(image["id"], ("", False))
            image["short_id"] = names[image["id"]]
        return images

    def pinned(self, project: str, limit: int) -> list[int]:
        """Return the pinned memories that hold here, the most important first."""
        return self._nums(
            "status = 'pinned' AND type != 'working'",
            project,
            "importance DESC, num DESC",
            limit,
            hint="INDEXED BY memory_pinned",  # a few rows, where the planner would read them all
        )

    def working(self, project: str, session: str | None) -> list[int]:
        """Return the session's working memory that is neither cleared nor expired: active tasks
        first, then by priority."""
        if session is None:
            return []
        return self._column(
            "SELECT m.num FROM working w CROSS JOIN memory m ON m.num = w.memory"
            " WHERE w.expires_at > ? AND w.cleared_at IS NULL"  # few hold; the project's are many
            " AND m.project = ? AND m.session = ? AND m.retired_at IS NULL"
            " AND w.todo_id IS NOT 'handover'"  # it is for the next session
            """ ORDER BY instr(m.tags, '"active"') = 0, w.priority DESC, m.num""",
            (self.now_ms, project, session),
        )

    def handover(self, project: str, session: str | None) -> list[int]:
        """Return the last handover of another session, after a crash from `IDLE_MS` on."""
        return self._column(
            "SELECT m.num FROM working w CROSS JOIN memory m ON m.num = w.memory"
            " LEFT JOIN session s ON s.id = m.session"
            " WHERE w.todo_id = 'handover' AND w.expires_at > ? AND m.project = ?"
            " AND m.session IS NOT ? AND m.retired_at IS NULL"
            " AND (s.ended_at IS NOT NULL OR m.updated_at <= ?)"
            " ORDER BY m.updated_at DESC LIMIT 1",
            (self.now_ms, project, session, self.now_ms - IDLE_MS),
        )

    def task(self, session: str, todo_id: str) -> str:
        """Return the words of an open task of the session's list; "" if it is not held."""
        row = self.connection.execute(
            "SELECT m.content FROM working w CROSS JOIN memory m ON m.num = w.memory"
            " WHERE w.todo_id = ? AND m.session = ? AND m.retired_at IS NULL",
            (todo_id, session),
        ).fetchone()
        return row[0] if row else ""

    def todos(
        self, project: str, session: str | None, limit: int, *, unproven: bool = False
    ) -> list[int]:
        """Return prospective memories that wait: by due time, then priority.

        Settled ones and those of `session`. An overdue one is listed until a session received it
        after its time. One that waits for an event is not listed before that.
        """
        nums = list[int]()
        for where in (_DATED, _UNDATED):
            nums += self._column(
                f"{where} AND m.project IN (?, '') AND m.retired_at IS NULL"
                " AND +p.status IN ('pending', 'active')"
                f" AND (m.session = ? OR {_injectable(unproven)}) AND NOT {_WAITS_FOR_EVENT}"
                " AND NOT (coalesce(p.due_at, m.due) <= ? AND EXISTS (SELECT 1 FROM receipt_item i"
                " JOIN receipt r ON r.id = i.receipt WHERE i.memory = m.id"
                " AND r.session IS NOT NULL AND r.at >= coalesce(p.due_at, m.due)))"
                f" ORDER BY {'' if where is _UNDATED else 'coalesce(p.due_at, m.due), '}"
                "p.priority DESC, p.memory DESC LIMIT ?",
                (project, session, self.now_ms, limit - len(nums)),
            )
        return nums

    def awaited(self, project: str, session: str | None, limit: int) -> list[tuple[int, str]]:
        """(num, the event in words) of open tasks that wait for an event.

        Settled ones and those of `session`, the most urgent first, of equals the newest.
        """
        matches = self.connection.execute(
            "SELECT m.num, p.trigger_condition FROM prospective p INDEXED BY prospective_event"
            " CROSS JOIN memory m ON m.num = p.memory"
            " WHERE p.trigger_type = 'event' AND p.trigger_condition != ''"
            " AND p.status IN ('pending', 'active') AND m.project IN (?, '')"
            f" AND m.retired_at IS NULL AND (m.session = ? OR {SETTLED})"
            " ORDER BY p.priority DESC, p.memory DESC LIMIT ?",
            (project, session, limit),
        )
        return matches.fetchall()

    def foremost(
        self,
        project: str,
        session: str | None,
        min_importance: float,
        limit: int,
        *,
        unproven: bool = False,
    ) -> list[int]:
        """Settled memories, and those of `session`, from `min_importance` (0-1) up, newest
        first."""
        return self._nums(
            f"type NOT IN ('working', 'prospective') AND importance >= {float(min_importance)}"
            f" AND (session = ? OR {_injectable(unproven)})",
            project,
            "created_at DESC",
            limit,
            values=(session,),
        )

    def recorded(self, project: str, limit: int) -> list[int]:
        """Return unconfirmed records of agents: the last used, then the newest.

        A record leaves after a month of injections without a use.
        """
        return self._column(
            "SELECT m.num FROM memory AS m INDEXED BY memory_candidate"
            " LEFT JOIN memory_use u ON u.memory = m.id"
            " WHERE m.project = ? AND m.retired_at IS NULL AND m.status = 'candidate'"
            f" AND m.scope != 'task' AND {RECORDED}"
            f" AND NOT {IN_VAIN}"
            " ORDER BY coalesce(u.last_use, 0) DESC, m.created_at DESC LIMIT ?",
            (project, limit),
        )

    def preferences(self, project: str, session: str | None, limit: int) -> list[int]:
        """Return the user's project and global preferences, most important first.

        Only settled ones, and those of `session`.
        """
        best, places = "ORDER BY importance DESC, num DESC LIMIT ?1", ("?2", "''")
        parts = (  # each in the order of the index, so that it ends at the limit
            "SELECT * FROM (SELECT num, importance FROM memory AS m INDEXED BY memory_preference"
            " WHERE category = 'preference' AND type NOT IN ('working', 'prospective')"
            f" AND (session = ?3 OR {_injectable(False)}) AND retired_at IS NULL"
            f" AND project = {project_of} {best})"
            for project_of in places
        )
        sql = f"SELECT num FROM ({' UNION ALL '.join(parts)}) {best}"
        return self._column(sql, (limit, project, session))

    def of_role(
        self, project: str, session: str | None, role: str, limit: int, *, unproven: bool = False
    ) -> list[int]:
        """Of the newest live memories those that an agent of this role learned, newest first.

        Settled ones, and those of `session`.
        """
        return self._column(
            "SELECT num FROM (SELECT num, id, role, status, session FROM memory"
            " WHERE retired_at IS NULL AND project IN (?, '')"
            " ORDER BY created_at DESC LIMIT 2000) AS m"
            f" WHERE role = ? AND (session = ? OR {_injectable(unproven)}) LIMIT ?",
            (project, role, session, limit),
        )

    def settled(self, nums: Sequence[int], session: str | None) -> list[int]:
        """Return those of `nums` that are settled, recorded or of `session`, in the same order."""
        matches = self.connection.execute(
            f"SELECT num FROM memory m WHERE num IN ({marks(len(nums))})"
            f" AND (session = ? OR {SETTLED} OR {RECORDED})",
            [*nums, session],
        )
        retained = {num for (num,) in matches}
        return [num for num in nums if num in retained]

    def about_files(self, project: str, paths: Sequence[str], limit: int) -> list[int]:
        """Return live memories that name one of these files, the most important first."""
        return touched.about_files(self.connection, project, paths, limit)

    def summaries(self, project: str, limit: int) -> list[Image]:
        """The last sessions that were summed up, newest first: id, session, goal, ends_at."""
        return rows(
            self.connection,
            "SELECT y.id, y.session, s.goal, y.ends_at FROM summary y"
            " JOIN session s ON s.id = y.session WHERE y.project = ? AND y.level = 'session'"
            " ORDER BY y.ends_at DESC LIMIT ?",
            (project, limit),
        )

    def learned(self, session: str) -> list[int]:
        """Return the live, settled memories of a session that are not cold; no todos."""
        return self._column(
            "SELECT num FROM memory m WHERE session = ? AND retired_at IS NULL"
            f" AND type NOT IN ('working', 'prospective') AND {_injectable(False)} ORDER BY num",
            (session,),
        )

    def _nums(
        self,
        condition: str,
        project: str,
        order: str,
        limit: int,
        hint: str = "",
        values: Sequence[Any] = (),
    ) -> list[int]:
        # global memories have the project ""; IN lets an index serve both places
        return self._column(
            f"SELECT num FROM memory AS m {hint} WHERE {condition} AND retired_at IS NULL"
            f" AND project IN (?, '') ORDER BY {order} LIMIT ?",
            (*values, project, limit),
        )

    def _column(self, sql: str, values: Sequence[Any]) -> list[int]:
        return [num for (num,) in self.connection.execute(sql, values)]

    def aliases(self, project: str) -> Mapping[str, Sequence[str]]:
        """Return words that mean the same, for the project and everywhere."""
        aliases = self._cache.aliases
        if project not in aliases:
            aliases[project] = self.projects.aliases(project)
        return aliases[project]

    def rivals(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return unresolved conflicts that one of `ids` takes part in."""
        return self._pairs("resolved_at IS NULL", ids)

    def both_hold(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return conflicts with one of `ids` of which the user decided that both hold."""
        return self._pairs("verdict IN ('both', 'not_a_conflict')", ids)

    def _verdicts(self, ids: Sequence[str]) -> list[tuple[str, str, bool, str]]:
        """Return (one, other, whether it is open, context) of the conflicts that agents receive.

        Open ones, and those of two live memories of which the user decided that both hold.
        """
        places = marks(len(ids))
        live = "(SELECT retired_at FROM memory WHERE id = {}) IS NULL"
        matches = self.connection.execute(
            "SELECT entry_a, entry_b, resolved_at IS NULL, context FROM conflict"
            f" WHERE (entry_a IN ({places}) OR entry_b IN ({places}))"
            " AND (resolved_at IS NULL OR (verdict = 'both' AND"
            f" {live.format('entry_a')} AND {live.format('entry_b')})) ORDER BY id",
            [*ids, *ids],
        )
        return [
            (item, other, is_open, decoded(context) or "")
            for item, other, is_open, context in matches
        ]

    def _pairs(self, condition: str, ids: Sequence[str]) -> list[tuple[str, str]]:
        if not ids:
            return []
        places = marks(len(ids))
        matches = self.connection.execute(
            f"SELECT entry_a, entry_b FROM conflict WHERE {condition}"
            f" AND (entry_a IN ({places}) OR entry_b IN ({places}))",
            [*ids, *ids],
        )
        return [(first, second) for first, second in matches]

    def nums(self, ids: Sequence[str]) -> list[int]:
        """Return row numbers of live memories, by id."""
        live = f"retired_at IS NULL AND id IN ({marks(len(ids))})"
        request = self.connection.execute(f"SELECT id, num FROM memory WHERE {live}", list(ids))
        matches: dict[str, int] = dict(request.fetchall())
        return [matches[memory_id] for memory_id in ids if memory_id in matches]


def open_reader(home: Home, now_ms: int) -> Reader | None:
    """A read-only reader of the store as of `now_ms`; None when there is none that we may read.

    Never raises for a store that is missing, newer, damaged or busy: a hook stays silent then.
    """
    if not os.path.isfile(home.database) or os.path.islink(home.database):
        return None
    try:
        connection = connect_for_reading(home)
    except sqlite3.Error:
        return None
    try:
        if OLDEST_READ <= connection.execute("PRAGMA user_version").fetchone()[0] <= SCHEMA:
            connection.execute("PRAGMA query_only = 1")
            return Reader(connection, now_ms)
    except sqlite3.Error:
        pass
    connection.close()
    return None


def connect_for_reading(home: Home) -> sqlite3.Connection:
    """Return a connection to the database file that can change nothing. Raises sqlite3.Error."""
    refusal: sqlite3.Error = sqlite3.OperationalError("unable to open database file")
    for address in addresses_to_read(home.database):
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)
        try:
            connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            connection.close()
            refusal = error
            if is_shut(error):
                continue
            raise
        return connection
    raise refusal
