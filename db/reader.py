"""What recall reads, with the standard library alone.

A prompt waits for this. Importing Peewee costs as much as five bare interpreters, so the hook
opens the database here, read-only, and writes nothing: its receipt goes through the spool.
The app and the CLI hand in the connection that they already have.
"""

import os
import sqlite3
from collections.abc import Sequence
from typing import Any

from . import index, journal
from .home import Home
from .images import Image, marks, memories, rows, shortest_prefix
from .migrations import LATEST

BUSY_TIMEOUT_S = 0.2
"""A prompt never waits longer than this for a lock."""


class Reader:
    """Read-only questions over one connection, as of `now_ms`."""

    def __init__(self, connection: sqlite3.Connection, now_ms: int) -> None:
        self.connection = connection
        self.now_ms = now_ms

    def close(self) -> None:
        self.connection.close()

    def candidates(self, words: Sequence[str], project: str, limit: int) -> list[tuple[int, float]]:
        """(num, score) of the live memories of the project, or of everywhere, that hold a word.

        The score is BM25 turned positive: larger is better. Best first.
        """
        expression = index.match(index.telling(self.connection, words), project=project)
        if expression is None:
            return []
        found = self.connection.execute(
            f"SELECT rowid, -{index.RANK} AS score FROM memory_fts WHERE memory_fts MATCH ?"
            " ORDER BY score DESC LIMIT ?",
            (expression, limit),
        )
        return [(int(num), float(score)) for num, score in found]

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
