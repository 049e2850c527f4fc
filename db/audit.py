"""The audit view: the journal's newest entries, queryable. The journal itself is never trimmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from peewee import JOIN, SQL, fn

from .connection import Database
from .images import Image, headline_of, rows
from .journal import Position, Stamps
from .queries import (
    Query,
    among,
    column,
    insert,
    optional,
    run,
    single,
    statement,
    text_of,
    tuples,
    value,
)
from .tables import AuditGroupRow, AuditMemoryRow, AuditRow, JournalStateRow, MemoryRow, SegmentRow

FEW = 20
"""An entry that makes more memories than this (an import) is not listed under each of them:
which entry made a memory can be read off its `num`."""

VIEW = (AuditRow, AuditMemoryRow, AuditGroupRow)
"""What holds rows of entries, by their `seq`."""

KEEP_MOST = 5_000
KEEP_LEAST = 4_000
"""The view is cut to KEEP_LEAST entries when it has more than KEEP_MOST."""


def memories_of(record: dict[str, Any]) -> list[str]:
    """The ids of the memories a record is listed under, in order."""
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


def title_of(record: dict[str, Any]) -> str:
    """What the entry is about, in a few words."""
    for change in record["changes"]:
        image = change["after"] or change["before"]
        if change["table"] == "memory":
            return headline_of(image)
    about = (item for item in record["changes"] if not item["key"].startswith("place|"))
    first = next(about, {"table": "", "key": ""})
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
        "count": sum(
            change["table"] != "memory_trust" and not change["key"].startswith("place|")
            for change in record["changes"]
        ),
        "undoes": record.get("undoes"),
        **{name: record["view"][name] for name in ("title", "count") if "view" in record},
    }


@statement
def _undone(by: int, seq: int) -> Query:
    return AuditRow.update(undone_by=by).where(AuditRow.seq == seq)


@statement
def _list_under(memory: str, seq: int) -> Query:
    return AuditMemoryRow.insert(memory=memory, seq=seq).on_conflict_ignore()


@optional(int)
def _oldest() -> Query:
    return AuditRow.select(fn.min(AuditRow.seq))


@single(tuple[int, int])
def oldest() -> Query:
    """The number and the time, in milliseconds, of the oldest entry that the view holds."""
    return AuditRow.select(AuditRow.seq, AuditRow.at).order_by(AuditRow.seq).limit(1)


@optional(int)
def first_later(at: int) -> Query:
    """The first entry of the view that is later than `at` (milliseconds)."""
    return AuditRow.select(fn.min(AuditRow.seq)).where(AuditRow.at > at)


@column(int)
def switches() -> Query:
    """Entries of the view in which auto-memory or incognito was switched, or that was taken back,
    and what else may be such, oldest first."""
    taken_back = AuditRow.undoes.is_null(False) & (
        AuditRow.title.startswith("setting ")
        | AuditRow.title.startswith("session ")
        | AuditRow.title.startswith("project ")
    )
    is_switch = AuditRow.action.in_(("auto", "incognito")) | taken_back
    return AuditRow.select(AuditRow.seq).where(is_switch).order_by(AuditRow.seq)


@statement
def _stands_again(seq: int) -> Query:
    return AuditRow.update(undone_by=None).where(AuditRow.undone_by > seq)


@statement
def _reached(seq: int) -> Query:
    return JournalStateRow.update(seq=seq)


def go_back(database: Database, seq: int) -> None:
    """Let the view end at entry `seq`, as it did when that was the newest."""
    for model in VIEW:
        run(database, model.delete().where(model.seq > seq))
    _stands_again(database, seq)
    _reached(database, seq)


def note(database: Database, reached: Position, record: dict[str, Any]) -> None:
    """Say that a record is applied, and list it; a view that has grown too long is cut."""
    row = row_of({**record, "seq": reached.seq})
    applied = dict(zip(Position._fields, reached, strict=True))
    insert(database, JournalStateRow, {"id": 1, **applied}, "REPLACE")
    placed = {**row, "segment": reached.segment, "offset": reached.offset}
    insert(database, AuditRow, placed, "REPLACE")
    if (group := record.get("group")) is not None:
        insert(database, AuditGroupRow, {"seq": reached.seq, "grouped": group}, "REPLACE")
    _list_under.each(database, [(memory, reached.seq) for memory in memories_of(record)])
    if row["undoes"] is not None:
        _undone(database, reached.seq, row["undoes"])
    if reached.seq - (_oldest(database) or 0) >= KEEP_MOST:
        for model in VIEW:
            run(database, model.delete().where(model.seq <= reached.seq - KEEP_LEAST))


@tuples(tuple[int, int, int])
def _stamps() -> Query:
    return SegmentRow.select(SegmentRow.number, SegmentRow.size, SegmentRow.changed)


def stamps(database: Database) -> Stamps:
    """What the files of the journal were when their chain was known to be whole."""
    return {number: (size, changed) for number, size, changed in _stamps(database)}


def stamp(database: Database, number: int, file: tuple[int, int]) -> None:
    """Note what a file of the journal is, whose chain is whole."""
    row = {"number": number, "size": file[0], "changed": file[1]}
    insert(database, SegmentRow, row, "REPLACE")


@single(tuple[int, int])
def place_of(seq: int) -> Query:
    """Segment and end of an entry's record; None when the view no longer holds it."""
    return AuditRow.select(AuditRow.segment, AuditRow.offset).where(AuditRow.seq == seq)


@optional(int)
def count_of(seq: int) -> Query:
    """How many rows an entry changed; None when the view no longer holds it."""
    return AuditRow.select(AuditRow.count).where(AuditRow.seq == seq)


@optional(int)
def undone_by(seq: int) -> Query:
    """The entry that took this one back."""
    return AuditRow.select(AuditRow.undone_by).where(AuditRow.seq == seq)


@optional(str)
def retired_by(memory: str, at: int) -> Query:
    """Who took a memory out of recall at `at` (milliseconds); None where the view forgot it."""
    of_it = AuditRow.seq.in_(_entries_of(memory))
    newest = AuditRow.select(AuditRow.actor).where(of_it, AuditRow.at <= at)
    return newest.order_by(AuditRow.seq.desc()).limit(1)


@tuples(tuple[int, int | None])
def _members(group: int) -> Query:
    entries = AuditRow.select(AuditRow.seq, AuditRow.undone_by)
    grouped = entries.join(AuditGroupRow, on=AuditGroupRow.seq == AuditRow.seq)
    return grouped.where(AuditGroupRow.grouped == group)


def members(database: Database, group: int) -> dict[int, int | None] | None:
    """The entries of an act, each with the entry that took it back.

    None when the view does not reach back to the first of them.
    """
    oldest = _oldest(database)
    if oldest is None or oldest > group:
        return None
    return dict(_members(database, group))


def _stands(project: str) -> Query:
    return (AuditRow.project == project) & AuditRow.undone_by.is_null()


NOTED = ("session", "finalize")
"""What the drain notes of an agent's session: nobody's act."""


@optional(int)
def next_undo(project: str, actor: str) -> Query:
    """The newest act of a person, or of an agent, in the project that still stands."""
    return AuditRow.select(fn.max(AuditRow.seq)).where(
        _stands(project), AuditRow.actor == actor, AuditRow.action.not_in(("undo", *NOTED))
    )


@optional(int)
def next_redo(project: str, actor: str) -> Query:
    """Their newest undo in the project, unless they did something else there since."""
    later = AuditRow.alias()
    since = later.select(fn.coalesce(fn.max(later.seq), 0)).where(
        later.project == project,
        later.actor == actor,
        later.action.not_in(("undo", "redo", *NOTED)),
    )
    return (
        AuditRow.select(AuditRow.seq)
        .where(
            _stands(project),
            AuditRow.actor == actor,
            AuditRow.action == "undo",
            AuditRow.seq > since,
        )
        .order_by(AuditRow.seq.desc())
        .limit(1)
    )


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
    def conditions(self) -> list[Query]:
        """What an entry must be, as Peewee says it."""
        queries: list[Query] = [SQL("1")]
        if self.memory is not None:
            queries.append(AuditRow.seq.in_(_entries_of(self.memory)))
        for named, wanted in (
            (AuditRow.session, self.session),
            (AuditRow.action, self.action),
            (AuditRow.actor, self.actor),
        ):
            if wanted is not None:
                queries.append(named == wanted)
        if self.project is not None:
            own = AuditRow.project.in_((self.project, ""))
            joined = (
                "project IN (SELECT value FROM project AS p, json_each(p.aliases) WHERE p.id = ?)"
            )
            queries.append(own | SQL(joined, [self.project]))
        if self.since is not None:
            queries.append(AuditRow.at >= self.since)
        if self.until is not None:
            queries.append(AuditRow.at < self.until)
        return queries + [_said().contains(word) for word in self.words]


ANYTHING = Wanted()


@value(int)
def withheld_count(seq: int) -> Query:
    """How many of the memories that an entry made are not for everybody."""
    return MemoryRow.select(fn.count(SQL("*"))).where(
        MemoryRow.num.between(seq * 1024, seq * 1024 + 1023), MemoryRow.privacy != "public"
    )


def _entries_of(memory: str) -> Query:
    """Those that are listed under a memory, and the one that made it."""
    listed = AuditMemoryRow.select(AuditMemoryRow.seq).where(AuditMemoryRow.memory == memory)
    return listed | MemoryRow.select(MemoryRow.num / 1024).where(MemoryRow.id == memory)


def _said() -> Query:
    """What an entry says of itself, to look for words in."""
    query: Query = AuditRow.title
    for part in (AuditRow.reason, AuditRow.action, AuditRow.actor):
        query = query.concat(" ").concat(part)
    return query.concat(" ").concat(fn.coalesce(AuditRow.session, ""))


def listed(record: dict[str, Any]) -> Image:
    """A record of the journal as the view would list it; whether it was taken back is not known."""
    row: Image = {**row_of(record), "grouped": record.get("group"), "undone_by": None}
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
    where = (
        AuditRow.select(AuditRow, AuditGroupRow.grouped)
        .join(AuditGroupRow, JOIN.LEFT_OUTER, on=AuditGroupRow.seq == AuditRow.seq)
        .where(*wanted.conditions)
    )
    if before is not None:
        where = where.where(AuditRow.seq < before)
    if seq is not None:
        where = where.where(AuditRow.seq == seq)
    if group is not None:
        where = where.where(AuditGroupRow.grouped == group)
    newest = where.order_by(AuditRow.seq.desc()).limit(limit)
    listed: list[Any] = rows(database.connection(), *text_of(newest))
    _add_memories(database, listed)
    return listed


def count(database: Database, wanted: Wanted = ANYTHING) -> int:
    """How many entries of the view fit."""
    counted = AuditRow.select(fn.count(SQL("*"))).where(*wanted.conditions)
    return int(run(database, counted).fetchone()[0])


@tuples(tuple[str, int])
def _memories(seqs: Sequence[int]) -> Query:
    listed = AuditMemoryRow.select(AuditMemoryRow.memory, AuditMemoryRow.seq)
    return listed.where(AuditMemoryRow.seq.in_(among(seqs)))


def _add_memories(database: Database, listed: Sequence[Image]) -> None:
    by_seq = {row["seq"]: row for row in listed}
    for row in listed:
        row["memories"] = []
    for memory, seq in _memories(database, list(by_seq)):
        by_seq[seq]["memories"].append(memory)


@single(tuple[Any, ...])
def position() -> Query:
    """How far the journal has been applied: seq, hash, segment, offset, clock; None for nothing."""
    columns = (JournalStateRow.seq, JournalStateRow.hash, JournalStateRow.segment)
    clock = fn.coalesce(JournalStateRow.clock, "")
    of_it = JournalStateRow.select(*columns, JournalStateRow.offset, clock)
    return of_it.where(JournalStateRow.id == 1)


@value(int)
def newest_seq() -> Query:
    """The number of the newest entry; 0 in an empty store."""
    return JournalStateRow.select(fn.coalesce(fn.max(JournalStateRow.seq), 0))
