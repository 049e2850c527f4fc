"""What recall reads, with the standard library alone.

A prompt waits for this. Importing Peewee costs as much as five bare interpreters, so the hook
opens the database here, read-only, and writes nothing: its receipt goes through the spool.
The app and the CLI hand in the connection that they already have.
"""

import json
import os
import sqlite3
from collections.abc import Sequence
from typing import Any

from . import index, journal, touched
from .home import Home
from .images import Image, marks, memories, rows, shortest_prefix
from .migrations import LATEST

LATENCIES_KEPT = 100
"""The rolling window of 002-34, per kind."""

TELLINGS = 100
"""Injections of a session that are looked back at, the last ones."""

BUSY_TIMEOUT_S = 0.2
"""A prompt never waits longer than this for a lock."""

SUBSTRING_HITS = 50
COMPANY_ROWS = 5_000

COUNTED = ("accesses", "helpful", "unhelpful")

SKETCHED = (
    *("num", "id", "key", "type", "category", "scope", "project", "status", "title", "content"),
    *("importance", "privacy", "tags", "files", "session", "agent", "role"),
    *("created_at", "updated_at", "expires", "retired_at", "retired_as"),
)
"""The columns by which a memory is ranked, and hidden from those who may not see it."""


class Reader:
    """Read-only questions over one connection, as of `now_ms`."""

    def __init__(self, connection: sqlite3.Connection, now_ms: int) -> None:
        self.connection = connection
        self.now_ms = now_ms

    def close(self) -> None:
        self.connection.close()

    def frequencies(self, words: Sequence[str], project: str | None = None) -> dict[str, int]:
        """How many memories have each of `words`, up to where a word is common.

        With a `project`, of its live memories and those of everywhere; else of all there are.
        """
        return index.frequencies(self.connection, words, project)

    def candidates(self, words: Sequence[str], project: str, limit: int) -> list[tuple[int, float]]:
        """(num, score) of the live memories of the project, or of everywhere, that hold a word.

        The score is BM25 turned positive: larger is better. Best first; of more than
        `index.POSTINGS` matches only the newest are ranked.
        """
        expression = index.match(words, project=project)
        if expression is None:
            return []
        found = self.connection.execute(
            f"SELECT num, score FROM (SELECT rowid AS num, -{index.RANK} AS score FROM memory_fts"
            " WHERE memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?) ORDER BY score DESC LIMIT ?",
            (expression, index.POSTINGS, limit),
        )
        return found.fetchall()

    def near_words(self, word: str) -> list[str]:
        """Words of the index that a mistyped `word` may stand for; none when it has the word."""
        return index.words_near(self.connection, word)

    def holding(self, texts: Sequence[str], project: str, limit: int) -> list[int]:
        """The newest live memories whose text holds one of `texts` (lower case) anywhere.

        Only the newest `limit` of the project and as many of everywhere are looked at.
        """
        inside = " OR ".join(["instr(lower(title || ' ' || content), ?) > 0"] * len(texts))
        found: list[int] = []
        for place in (project, "") if texts else ():
            rows_there = self.connection.execute(
                "SELECT num FROM (SELECT num, title, content FROM memory WHERE project = ?"
                " AND retired_at IS NULL ORDER BY created_at DESC LIMIT ?)"
                f" WHERE {inside} LIMIT {SUBSTRING_HITS}",
                (place, limit, *texts),
            )
            found += [num for (num,) in rows_there]
        return found

    def company(self, nums: Sequence[int]) -> list[list[int]]:
        """The sessions of these memories, each as its memories' numbers in order of learning.

        At most `COMPANY_ROWS` memories in all; retired ones are among them.
        """
        found: dict[str, list[int]] = {}
        for name, num in self.connection.execute(
            "SELECT session, num FROM memory WHERE session IN"
            f" (SELECT DISTINCT session FROM memory WHERE num IN ({marks(len(nums))}))"
            " ORDER BY num LIMIT ?",
            [*nums, COMPANY_ROWS],
        ):
            found.setdefault(name, []).append(num)
        return list(found.values())

    def sketches(self, nums: Sequence[int]) -> list[Image]:
        """What ranking needs of these memories: shared columns, use, and what people said."""
        found: dict[int, Image] = {}
        for start in range(0, len(nums), 400):
            part = list(nums[start : start + 400])
            for values in self.connection.execute(
                f"SELECT {', '.join(f'm.{name}' for name in SKETCHED)}, coalesce(u.accesses, 0),"
                " coalesce(u.helpful, 0), coalesce(u.unhelpful, 0)"
                " FROM memory m LEFT JOIN memory_use u ON u.memory = m.id"
                f" WHERE m.num IN ({marks(len(part))})",
                part,
            ):
                image = dict(zip((*SKETCHED, *COUNTED), values, strict=True))
                for name in ("tags", "files"):  # mostly empty
                    image[name] = [] if image[name] == "[]" else json.loads(image[name])
                found[image["num"]] = image
        return [found[num] for num in nums if num in found]

    def images(self, nums: Sequence[int]) -> list[Image]:
        """The memories' images with use counters, `in_conflict`, `revision` and `short_id`."""
        found = memories(self.connection, "num", list(nums), full=True)
        self.add_use(found)
        return found

    def add_use(self, images: Sequence[Image]) -> None:
        """Complete images by what is kept apart from the row: use, conflicts, short ids."""
        ids = [image["id"] for image in images]
        use: dict[str, Image] = {}
        torn: set[str] = set()
        for start in range(0, len(ids), 400):
            part = ids[start : start + 400]
            places = marks(len(part))
            for row in rows(
                self.connection, f"SELECT * FROM memory_use WHERE memory IN ({places})", part
            ):
                use[row.pop("memory")] = row
            for first, second in self.connection.execute(
                "SELECT entry_a, entry_b FROM conflict WHERE resolved_at IS NULL"
                f" AND (entry_a IN ({places}) OR entry_b IN ({places}))",
                [*part, *part],
            ):
                torn |= {first, second}
        unused = {"accesses": 0, "last_access": None, "helpful": 0, "unhelpful": 0}
        for image in images:
            image.update(use.get(image["id"], unused))
            image["in_conflict"] = image["id"] in torn
            image["short_id"] = shortest_prefix(self.connection, image["id"])

    def pinned(self, project: str, limit: int) -> list[int]:
        """The pinned memories that hold here, the most important first."""
        return self._nums(
            "status = 'pinned' AND type != 'working'",
            project,
            "importance DESC, num DESC",
            limit,
            hint="INDEXED BY memory_pinned",  # a few rows, where the planner would read them all
        )

    def working(self, project: str, session: str | None) -> list[int]:
        """The session's working memory that is neither cleared nor expired, urgent first."""
        if session is None:
            return []
        found = self.connection.execute(
            "SELECT m.num FROM working w CROSS JOIN memory m ON m.num = w.memory"
            " WHERE w.expires_at > ? AND w.cleared_at IS NULL"  # few hold; the project's are many
            " AND m.project = ? AND m.session = ? AND m.retired_at IS NULL"
            " ORDER BY w.priority DESC, m.num",
            (self.now_ms, project, session),
        )
        return [num for (num,) in found]

    def todos(self, project: str, limit: int) -> list[int]:
        """Prospective memories that wait: by due time, then priority."""
        found = self.connection.execute(
            "SELECT m.num FROM memory m JOIN prospective p ON p.memory = m.num"
            " WHERE m.project IN (?, '') AND m.retired_at IS NULL"
            " AND p.status IN ('pending', 'active')"
            " ORDER BY coalesce(p.due_at, m.due, 9e15), p.priority DESC, m.num DESC LIMIT ?",
            (project, limit),
        )
        return [num for (num,) in found]

    def foremost(self, project: str, min_importance: float, limit: int) -> list[int]:
        """Live memories from `min_importance` (0-1) up, newest first."""
        return self._nums(
            f"type NOT IN ('working', 'prospective') AND importance >= {float(min_importance)}",
            project,
            "created_at DESC",
            limit,
        )

    def preferences(self, project: str, limit: int) -> list[int]:
        """What the person prefers, here and everywhere, most important first."""
        return self._nums(
            "category = 'preference' AND type NOT IN ('working', 'prospective')",
            project,
            "importance DESC, num DESC",
            limit,
            hint="INDEXED BY memory_preference",
        )

    def of_role(self, project: str, role: str, limit: int) -> list[int]:
        """Of the newest live memories those that an agent of this role learned, newest first."""
        found = self.connection.execute(
            "SELECT num FROM (SELECT num, role FROM memory WHERE retired_at IS NULL"
            " AND project IN (?, '') ORDER BY created_at DESC LIMIT 2000) WHERE role = ? LIMIT ?",
            (project, role, limit),
        )
        return [num for (num,) in found]

    def about_files(self, project: str, paths: Sequence[str], limit: int) -> list[int]:
        """Live memories that name one of these files, the most important first."""
        return touched.about_files(self.connection, project, paths, limit)

    def tellings(
        self, project: str, session: str
    ) -> list[tuple[int, str, str | None, str | None, int | None]]:
        """What the session was told, newest first: (at, event, source, memory, revision).

        A row a memory; the start of a session without any has one row with neither. At most the
        last `TELLINGS` injections that told something are looked at.
        """
        return self.connection.execute(
            "SELECT r.at, r.event, r.source, i.memory, i.revision FROM"
            " (SELECT id, at, event, source FROM receipt WHERE session = ? AND project = ?"
            " AND (tokens > 0 OR event IN ('SessionStart', 'PostCompact'))"
            " ORDER BY at DESC, id DESC LIMIT ?) r LEFT JOIN receipt_item i ON i.receipt = r.id"
            " ORDER BY r.at DESC",
            (session, project, TELLINGS),
        ).fetchall()

    def latencies(self) -> tuple[list[float], bool]:
        """The last recalls' times in milliseconds, oldest first, and whether recall is degraded."""
        return latency_window(self.connection, "recall")

    def summaries(self, project: str, limit: int) -> list[Image]:
        """Summaries of the last sessions, newest first: id, content, ends_at."""
        return rows(
            self.connection,
            "SELECT id, content, ends_at FROM summary WHERE project = ? AND level = 'session'"
            " ORDER BY ends_at DESC LIMIT ?",
            (project, limit),
        )

    def _nums(
        self, condition: str, project: str, order: str, limit: int, hint: str = ""
    ) -> list[int]:
        # global memories have the project ""; IN lets an index serve both places
        found = self.connection.execute(
            f"SELECT num FROM memory {hint} WHERE {condition} AND retired_at IS NULL"
            f" AND project IN (?, '') ORDER BY {order} LIMIT ?",
            (project, limit),
        )
        return [num for (num,) in found]

    def aliases(self, project: str) -> dict[str, list[str]]:
        """Words that mean the same, for the project and everywhere (002-14)."""
        found = rows(
            self.connection,
            "SELECT word, synonyms FROM alias WHERE project IN ('', ?) ORDER BY project",
            (project,),
        )
        return {row["word"]: row["synonyms"] for row in found}

    def ceiling(self, project: str) -> int | None:
        """The budget's ceiling in tokens that was chosen for the project; None: no choice."""
        found = rows(
            self.connection, "SELECT value FROM setting WHERE key = ?", (f"ceiling|{project}",)
        )
        chosen = found[0]["value"] if found else None
        return chosen if isinstance(chosen, int) else None

    def rivals(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """Unresolved conflicts that one of `ids` takes part in."""
        if not ids:
            return []
        places = marks(len(ids))
        found = self.connection.execute(
            "SELECT entry_a, entry_b FROM conflict WHERE resolved_at IS NULL"
            f" AND (entry_a IN ({places}) OR entry_b IN ({places}))",
            [*ids, *ids],
        )
        return [(first, second) for first, second in found]

    def nums(self, ids: Sequence[str]) -> list[int]:
        """Row numbers of live memories, by id."""
        found: dict[str, int] = dict(
            self.connection.execute(
                f"SELECT id, num FROM memory WHERE retired_at IS NULL"
                f" AND id IN ({marks(len(ids))})",
                list(ids),
            ).fetchall()
        )
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def project_of(self, project: str, name: str, root: str, remote: str | None) -> str:
        """The id under which the store knows a project; `project` itself when it is new.

        A project may have been joined to another by its id, its root or, without a root, its
        name. One that was a folder without a remote stays itself when it is given one.
        """
        keys = [key.encode("utf-8", "replace").decode() for key in (project, root or name)]
        joined: Any = self.connection.execute(
            "SELECT project.id FROM project, json_each(project.aliases) AS other"
            f" WHERE other.value IN ({marks(len(keys))})",
            keys,
        ).fetchone()
        if joined is None and root and remote:
            joined = self.connection.execute(
                "SELECT id FROM project WHERE root = ? AND remote IS NULL"
                " AND NOT EXISTS (SELECT 1 FROM project WHERE id = ?)",
                (keys[1], keys[0]),
            ).fetchone()
        return str(joined[0]) if joined else project


def latency_window(connection: sqlite3.Connection, kind: str) -> tuple[list[float], bool]:
    """The last measurements of a kind in milliseconds, oldest first, and what the last decided."""
    found = connection.execute(
        "SELECT milliseconds, is_degraded FROM latency WHERE kind = ? ORDER BY id DESC LIMIT ?",
        (kind, LATENCIES_KEPT),
    ).fetchall()
    return [value for value, _ in reversed(found)], bool(found and found[0][1])


def open_reader(home: Home, now_ms: int) -> Reader | None:
    """A read-only reader of the store as of `now_ms`; None when there is none that we may read.

    Never raises for a store that is missing, newer, damaged or busy: a hook stays silent then.
    """
    if not os.path.isfile(home.database) or os.path.islink(home.database):
        return None
    try:
        connection = sqlite3.connect(
            f"file:{_quoted(home.database)}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S
        )
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != LATEST:
            connection.close()
            return None
        connection.execute("PRAGMA query_only = 1")
    except sqlite3.Error:
        return None
    return Reader(connection, now_ms)


def is_behind(home: Home, reader: Reader) -> bool:
    """Whether the journal holds records that the tables lack (a writer crashed just now)."""
    found = reader.connection.execute(
        "SELECT segment, offset FROM journal_state WHERE id = 1"
    ).fetchone()
    try:
        return journal.last(home) > tuple(found or (0, 0))
    except TypeError:  # a damaged row
        return True


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
