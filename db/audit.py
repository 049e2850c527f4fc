"""The audit view: the journal's newest entries, queryable. The journal itself is never trimmed."""

from __future__ import annotations

from typing import Any, NamedTuple

from .connection import Database
from .images import Image, column, each, execute, first, headline_of, insert, listing, tuples, value
from .journal import Position

FEW = 20
"""An entry that makes more memories than this (an import) is not listed under each of them:
which entry made a memory can be read off its `num`."""

VIEW = ("audit", "audit_memory")  # tables that hold rows of entries, by their `seq`

KEEP_MOST = 5_000
KEEP_LEAST = 4_000  # the view is cut to KEEP_LEAST entries when it has more than KEEP_MOST


def memories_of(record: dict[str, Any]) -> list[str]:
    """Return the ids of the memories a record is listed under, in order."""
    if "view" in record:  # the journal lost the line, and the database knew this of it
        return list(record["view"]["memories"])
    ids: list[str] = []
    made = sum(1 for item in record["changes"] if item["table"] == "memory" and not item["before"])
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


def title_of(database: Database, record: dict[str, Any]) -> str:
    """Return a title for the entry, in a few words."""
    for change in record["changes"]:
        image = change["after"] or change["before"]
        if change["table"] == "memory":
            sql = "SELECT title, content FROM memory WHERE id = ?"
            if "content" not in image:  # unchanged
                image = first(database, sql, change["key"])
            return headline_of(image) if image else f"memory {change['key']}"
    about = (item for item in record["changes"] if not item["key"].startswith("place|"))
    item = next(about, {"table": "", "key": ""})
    return f"{item['table']} {item['key']}".strip()


def row_of(database: Database, record: dict[str, Any]) -> Image:
    """Return a record as a row of the view, without its place."""
    return {
        "seq": record["seq"],
        "at": record["at"],
        "actor": record["actor"],
        "project": record["project"],
        "session": record["session"],
        "action": record["action"],
        "reason": record["reason"],
        "title": title_of(database, record),
        "count": sum(
            change["table"] != "memory_trust" and not change["key"].startswith("place|")
            for change in record["changes"]
        ),
        "undoes": record.get("undoes"),
        "grouped": record.get("group"),
        **{name: record["view"][name] for name in ("title", "count") if "view" in record},
    }


def _oldest(database: Database) -> int | None:
    seq: int | None = value(database, "SELECT min(seq) FROM audit")
    return seq


def oldest(database: Database) -> tuple[int, int] | None:
    """Return the number and the time, in milliseconds, of the oldest entry that the view holds."""
    return next(iter(tuples(database, "SELECT seq, at FROM audit ORDER BY seq LIMIT 1")), None)


def first_later(database: Database, at: int) -> int | None:
    """Return the first entry of the view that is later than `at` (milliseconds)."""
    seq: int | None = value(database, "SELECT min(seq) FROM audit WHERE at > ?", at)
    return seq


def switches(database: Database) -> list[int]:
    """Return entries of the view that switched auto-memory or incognito, oldest first.
    Undone ones, and entries that may have done so, are included."""
    text = """SELECT seq FROM audit WHERE action IN ('auto', 'incognito') OR undoes IS NOT NULL
        AND (title LIKE 'setting %' OR title LIKE 'session %' OR title LIKE 'project %')
        ORDER BY seq"""
    return column(database, text)


def go_back(database: Database, seq: int) -> None:
    """Let the view end at entry `seq`, as it did when that was the newest."""
    for table in VIEW:
        execute(database, f"DELETE FROM {table} WHERE seq > ?", seq)
    execute(database, "UPDATE audit SET undone_by = NULL WHERE undone_by > ?", seq)
    execute(database, "UPDATE journal_state SET seq = ?", seq)


def note(database: Database, reached: Position, record: dict[str, Any]) -> None:
    """Note that a record is applied, and list it. Cut the view if it has grown too long."""
    row = row_of(database, {**record, "seq": reached.seq})
    applied = dict(zip(Position._fields, reached, strict=True))
    insert(database, "journal_state", {"id": 1, **applied}, "REPLACE")
    placed = {**row, "segment": reached.segment, "offset": reached.offset}
    insert(database, "audit", placed, "REPLACE")
    each(
        database,
        "INSERT OR IGNORE INTO audit_memory (memory, seq) VALUES (?, ?)",
        [(memory, reached.seq) for memory in memories_of(record)],
    )
    if row["undoes"] is not None:
        text = "UPDATE audit SET undone_by = ? WHERE seq = ?"
        execute(database, text, reached.seq, row["undoes"])
    if reached.seq - (_oldest(database) or 0) >= KEEP_MOST:
        for table in VIEW:
            execute(database, f"DELETE FROM {table} WHERE seq <= ?", reached.seq - KEEP_LEAST)


def stamp(database: Database, number: int, file: tuple[int, int]) -> None:
    """Note size and time of a journal file whose chain is whole."""
    row = {"number": number, "size": file[0], "changed": file[1]}
    insert(database, "journal_segment", row, "REPLACE")


def entry(database: Database, seq: int) -> Image:
    """Return the view's row of an entry; empty when the view no longer holds it."""
    return first(database, "SELECT * FROM audit WHERE seq = ?", seq) or {}


_ENTRIES_OF = """(SELECT seq FROM audit_memory WHERE memory = {0}
    UNION SELECT num / 1024 FROM memory WHERE id = {0})"""
"""Those that are listed under a memory, and the one that made it."""


def retired_by(database: Database, memory: str, at: int) -> str | None:
    """Return the actor that retired a memory at `at` (milliseconds); None if the view lacks it."""
    text = f"""SELECT actor FROM audit WHERE seq IN {_ENTRIES_OF.format("?1")} AND at <= ?2
        ORDER BY seq DESC LIMIT 1"""
    actor: str | None = value(database, text, memory, at)
    return actor


def members(database: Database, group: int) -> dict[int, int | None] | None:
    """Return the entries of an act, each with the entry that took it back.

    None when the view does not reach back to the first of them.
    """
    oldest = _oldest(database)
    if oldest is None or oldest > group:
        return None
    text = "SELECT seq, undone_by FROM audit WHERE grouped = ?"
    return dict(tuples(database, text, group))


NOTED = ("session", "finalize")  # notes of the drain on a session, which are no acts


def next_undo(database: Database, project: str, actor: str) -> int | None:
    """Return the newest act of the actor in the project that was not undone."""
    text = f"""SELECT max(seq) FROM audit WHERE project = ? AND undone_by IS NULL AND actor = ?
        AND action NOT IN {("undo", *NOTED)}"""
    seq: int | None = value(database, text, project, actor)
    return seq


def next_redo(database: Database, project: str, actor: str) -> int | None:
    """Return the actor's newest undo in the project, unless another act of theirs followed."""
    text = f"""SELECT max(seq) FROM audit WHERE project = ?1 AND undone_by IS NULL AND actor = ?2
        AND action = 'undo' AND seq > (SELECT coalesce(max(seq), 0) FROM audit
            WHERE project = ?1 AND actor = ?2 AND action NOT IN {("undo", "redo", *NOTED)})"""
    seq: int | None = value(database, text, project, actor)
    return seq


class Wanted(NamedTuple):
    """A filter on the entries of the view; None or () means any."""

    project: str | None = None  # and those of no project
    memory: str | None = None
    session: str | None = None
    action: str | None = None
    actor: str | None = None
    since: int | None = None  # milliseconds
    until: int | None = None
    words: tuple[str, ...] = ()  # the text of the entry contains each of them

    def where(self) -> tuple[str, list[Any]]:
        """Return the condition on `audit a`, and its values."""
        parts, values = ["1"], list[Any]()

        def add(text: str, *wanted: Any) -> None:
            if None not in wanted:
                parts.append(text)
                values.extend(wanted)

        add(f"a.seq IN {_ENTRIES_OF.format('?')}", self.memory, self.memory)
        add("a.session = ?", self.session)
        add("a.action = ?", self.action)
        add("a.actor = ?", self.actor)
        add(
            "(a.project IN (?, '') OR a.project IN"
            " (SELECT value FROM project p, json_each(p.aliases) WHERE p.id = ?))",
            *(self.project, self.project),
        )
        add("a.at >= ?", self.since)
        add("a.at < ?", self.until)
        for word in self.words:
            add(f"instr(lower({_ENTRY_TEXT}), lower(?))", word)
        return " AND ".join(parts), values


_ENTRY_TEXT = """a.title || ' ' || a.reason || ' ' || a.action || ' ' || a.actor
    || ' ' || coalesce(a.session, '')"""
"""The text of an entry in which words are searched."""

ANYTHING = Wanted()


def withheld_count(database: Database, seq: int) -> int:
    """Return the number of memories that an entry made and that are not public."""
    text = "SELECT count(*) FROM memory WHERE num BETWEEN ? AND ? AND privacy != 'public'"
    return int(value(database, text, seq * 1024, seq * 1024 + 1023))


def listed(database: Database, record: dict[str, Any]) -> Image:
    """Return a record of the journal as the view would list it; an undo of it is not known."""
    row: Image = {**row_of(database, record), "undone_by": None}
    row["memories"] = memories_of(record)
    return row


def entries(
    database: Database,
    wanted: Wanted = ANYTHING,
    *,
    before: int | None = None,
    seq: int | None = None,
    group: int | None = None,
    limit: int = 200,
) -> list[Image]:
    """Entries of the view that fit, newest first."""
    where, values = wanted.where()
    for text, bound in (("a.seq < ?", before), ("a.seq = ?", seq), ("a.grouped = ?", group)):
        if bound is not None:
            where += f" AND {text}"
            values.append(bound)
    sql = f"SELECT * FROM audit a WHERE {where} ORDER BY a.seq DESC LIMIT ?"
    entries = listing(database, sql, *values, limit)
    by_seq = {row["seq"]: row for row in entries}
    for row in entries:
        row["memories"] = []
    text = """SELECT seq, memory FROM audit_memory
        WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY memory, seq"""
    for number, memory in tuples(database, text, [*by_seq]):
        by_seq[number]["memories"].append(memory)
    return entries


def count(database: Database, wanted: Wanted = ANYTHING) -> int:
    where, values = wanted.where()
    return int(value(database, f"SELECT count(*) FROM audit a WHERE {where}", *values))


def newest_seq(database: Database) -> int:
    """Return the number of the newest entry; 0 in an empty store."""
    return int(value(database, "SELECT coalesce(max(seq), 0) FROM journal_state"))
