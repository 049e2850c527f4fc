"""The audit view: the journal's newest entries, queryable. The journal itself is never trimmed."""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .images import Image, headline_of, marks, rows
from .journal import Position

FEW = 20
"""An entry that makes more memories than this (an import) is not listed under each of them:
which entry made a memory can be read off its `num`."""

KEEP_MOST = 5_000
KEEP_LEAST = 4_000
"""The view is cut from KEEP_MOST to KEEP_LEAST entries (002-35)."""


def memories_of(record: dict[str, Any]) -> list[str]:
    """The ids of the memories a record is listed under, in order."""
    ids: list[str] = []
    made = sum(1 for one in record["changes"] if one["table"] == "memory" and not one["before"])
    for change in record["changes"]:
        image = change["after"] or change["before"]
        if change["table"] == "memory":
            if change["before"] or made <= FEW:
                ids.append(change["key"])
        elif change["table"] == "memory_link":
            ids += [image["source"], image["target"]]
        elif change["table"] == "conflict":
            ids += [image["entry_a"], image["entry_b"]]
    return list(dict.fromkeys(ids))


def title_of(record: dict[str, Any]) -> str:
    """What the entry is about, in a few words."""
    for change in record["changes"]:
        image = change["after"] or change["before"]
        if change["table"] == "memory":
            return headline_of(image)
    first = record["changes"][0] if record["changes"] else {"table": "", "key": ""}
    return f"{first['table']} {first['key']}".strip()


def row_of(record: dict[str, Any]) -> Image:
    """A record as a row of the view, without its place."""
    return {
        "seq": record["seq"],
        "at": record["at"],
        "actor": record["actor"],
        "project": record["project"],
        "session": record["session"],
        "action": record["action"],
        "reason": record["reason"],
        "title": title_of(record),
        "count": len(record["changes"]),
        "undoes": record.get("undoes"),
    }


def note(connection: sqlite3.Connection, reached: Position, record: dict[str, Any]) -> None:
    """Add a record to the view, and cut the view when it has grown too long."""
    row = row_of({**record, "seq": reached.seq})
    connection.execute(
        "INSERT OR REPLACE INTO audit (seq, at, actor, project, session, action, reason, title,"
        " count, undoes, segment, offset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row.values(), reached.segment, reached.offset),
    )
    if (group := record.get("group")) is not None:
        connection.execute("INSERT OR REPLACE INTO audit_group VALUES (?, ?)", (reached.seq, group))
    connection.executemany(
        "INSERT OR IGNORE INTO audit_memory (memory, seq) VALUES (?, ?)",
        [(memory, reached.seq) for memory in memories_of(record)],
    )
    if row["undoes"] is not None:
        connection.execute(
            "UPDATE audit SET undone_by = ? WHERE seq = ?", (reached.seq, row["undoes"])
        )
    if reached.seq % 100 == 0:
        oldest = connection.execute("SELECT min(seq) FROM audit").fetchone()[0]
        if reached.seq - oldest >= KEEP_MOST:
            limit = reached.seq - KEEP_LEAST
            for table in ("audit", "audit_memory", "audit_group"):
                connection.execute(f"DELETE FROM {table} WHERE seq <= ?", (limit,))


def place_of(connection: sqlite3.Connection, seq: int) -> tuple[int, int] | None:
    """Segment and end of an entry's record; None when the view no longer holds it."""
    found = connection.execute("SELECT segment, offset FROM audit WHERE seq = ?", (seq,)).fetchone()
    return tuple(found) if found else None


def count_of(connection: sqlite3.Connection, seq: int) -> int:
    """How many rows an entry changed; 0 when the view no longer holds it."""
    found = connection.execute("SELECT count FROM audit WHERE seq = ?", (seq,)).fetchone()
    return int(found[0]) if found else 0


def undone_by(connection: sqlite3.Connection, seq: int) -> int | None:
    """The entry that took this one back."""
    found = connection.execute("SELECT undone_by FROM audit WHERE seq = ?", (seq,)).fetchone()
    return found[0] if found else None


def members(connection: sqlite3.Connection, group: int) -> dict[int, int | None] | None:
    """The entries of an act, each with the entry that took it back.

    None when the view does not reach back to the first of them.
    """
    oldest = connection.execute("SELECT min(seq) FROM audit").fetchone()[0]
    if oldest is None or oldest > group:
        return None
    found = connection.execute(
        "SELECT seq, undone_by FROM audit JOIN audit_group USING (seq) WHERE grouped = ?", (group,)
    )
    return dict(found.fetchall())


def next_undo(connection: sqlite3.Connection, project: str) -> int | None:
    """The newest act of a person in the project that still stands."""
    found = connection.execute(
        "SELECT max(seq) FROM audit WHERE project = ?"
        " AND actor = 'person' AND action != 'undo' AND undone_by IS NULL",
        (project,),
    ).fetchone()
    return found[0] if found else None


def next_redo(connection: sqlite3.Connection, project: str) -> int | None:
    """The project's newest undo, unless a person did something else there since."""
    found = connection.execute(
        "SELECT seq FROM audit WHERE project = ?1 AND action = 'undo' AND undone_by IS NULL"
        " AND seq > coalesce((SELECT max(seq) FROM audit WHERE project = ?1"
        " AND actor = 'person' AND action NOT IN ('undo', 'redo')), 0)"
        " ORDER BY seq DESC LIMIT 1",
        (project,),
    ).fetchone()
    return found[0] if found else None


SAID = "(title || ' ' || reason || ' ' || action || ' ' || actor || ' ' || coalesce(session, ''))"
"""What an entry says of itself, to look for words in."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries of the view; None or () means any."""

    project: str | None = None  # and those of no project
    memory: str | None = None
    session: str | None = None
    action: str | None = None
    actor: str | None = None
    since: int | None = None  # milliseconds
    until: int | None = None
    words: tuple[str, ...] = ()  # each stands in what the entry says of itself

    @property
    def where(self) -> tuple[str, list[Any]]:
        """The WHERE clause, and its parameters."""
        parts, values = ["1"], list[Any]()
        for condition, value in (
            (
                "seq IN (SELECT seq FROM audit_memory WHERE memory = ?1"
                " UNION SELECT num / 1024 FROM memory WHERE id = ?1)",
                self.memory,
            ),
            ("session = ?", self.session),
            ("action = ?", self.action),
            ("actor = ?", self.actor),
            ("(project = ? OR project = '')", self.project),
            ("at >= ?", self.since),
            ("at < ?", self.until),
            *((f"{SAID} LIKE ? ESCAPE '!'", f"%{_escaped(word)}%") for word in self.words),
        ):
            if value is not None:
                parts.append(condition)
                values.append(value)
        return " AND ".join(parts), values


ANYTHING = Wanted()


def _escaped(word: str) -> str:
    return re.sub(r"([!%_])", r"!\1", word)


def entries(
    connection: sqlite3.Connection,
    wanted: Wanted = ANYTHING,
    *,
    before: int | None = None,
    seq: int | None = None,
    group: int | None = None,
    limit: int = 200,
) -> list[Image]:
    """Entries of the view that fit, newest first, each with the `memories` it touched."""
    where, values = wanted.where
    for condition, value in (("seq < ?", before), ("seq = ?", seq), ("grouped = ?", group)):
        if value is not None:
            where += f" AND {condition}"
            values.append(value)
    found = rows(
        connection,
        "SELECT * FROM audit LEFT JOIN audit_group USING (seq)"
        f" WHERE {where} ORDER BY seq DESC LIMIT ?",
        [*values, limit],
    )
    _add_memories(connection, found)
    return found


def count(connection: sqlite3.Connection, wanted: Wanted = ANYTHING) -> int:
    """How many entries of the view fit."""
    where, values = wanted.where
    found = connection.execute(f"SELECT count(*) FROM audit WHERE {where}", values)
    return int(found.fetchone()[0])


def _add_memories(connection: sqlite3.Connection, found: Iterable[Image]) -> None:
    by_seq = {row["seq"]: row for row in found}
    for row in by_seq.values():
        row["memories"] = []
    seqs = list(by_seq)
    for start in range(0, len(seqs), 500):
        part = seqs[start : start + 500]
        for memory, seq in connection.execute(
            f"SELECT memory, seq FROM audit_memory WHERE seq IN ({marks(len(part))})", part
        ):
            by_seq[seq]["memories"].append(memory)


def newest_seq(connection: sqlite3.Connection) -> int:
    """The number of the newest entry; 0 in an empty store."""
    found = connection.execute("SELECT seq FROM journal_state WHERE id = 1").fetchone()
    return int(found[0]) if found else 0
