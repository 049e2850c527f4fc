"""Journal and tables as one: a change and its journal line stand or fall together.

Inside one immediate transaction the row images are applied, the record is appended and synced, the
applied position is stored, and the transaction commits. A crash after the sync is made good at the
next opening. Changes with the same `Group` are one act. Raises the errors of `db.errors`.
"""

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from . import audit as trail
from . import index, journal
from .connection import (
    Database,
    begin_immediate,
    locked,
    mapped_errors,
    open_database,
    open_to_read,
)
from .errors import (
    NotFound,
    Refused,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreOutdated,
    StoreUnusable,
)
from .fast_reader import ReadCache, Reader
from .home import Home, create_private, foreign, has_room, not_ours
from .images import Image, canonical, headline_of, state_of
from .images import memories as images_of
from .journal import FIRST_HASH, Position
from .keepers import TableKeeper, apply, brief, current, keepers
from .reviews import is_beside

MAX_ROWS = 1_000
"""Rows one record may carry, so that `num` can be made from the record's number."""

Allowed = Callable[[list[dict[str, Any]]], None]
Progress = Callable[[int, int | None], bool | None]
"""Gets the number of finished steps and the total, if known, between two steps; False stops."""


_JOINS = ("join", "undo", "redo")


class Group:
    """The key of an act of several changes: pass the same one to each of them."""

    def __init__(self) -> None:
        self.id: int | None = None  # the number of the first entry, once there is one


class _Written:
    """The journal records of a transaction, to withdraw if the database cannot commit."""

    def __init__(self) -> None:
        self.reached: Position | None = None
        self.end: tuple[int, int]  # of the journal before


class Change:
    """The rows of one act, collected before they are written."""

    def __init__(self, store: "Store", seq: int, head: dict[str, Any]) -> None:
        self._store = store
        self._pending: dict[tuple[str, str], tuple[Image | None, Image | None]] = {}
        self._stood: dict[tuple[str, str], Image | None] = {}  # rows as they were found
        self._nums = 0
        self.seq = seq
        self.head = head

    @property
    def database(self) -> Database:
        """Return the store's database, for the named queries of `db`."""
        return self._store.database

    @property
    def count(self) -> int:
        """Return rows touched so far."""
        return len(self._pending)

    def next_num(self) -> int:
        """Return a row number that was never given and never will be again."""
        self._nums += 1
        if self._nums > MAX_ROWS:
            raise Refused(f"One change can add {MAX_ROWS} memories at most.")
        return self.seq * 1024 + self._nums

    def get(self, table: str, key: str) -> Image | None:
        """Return the row as this change leaves it so far; None if there is none."""
        if (table, key) in self._pending:
            return self._pending[table, key][1]
        return self._before(table, key)

    def look_at(self, memories: Sequence[str], beside: Sequence[str] = ()) -> None:
        """Read these memories at once, and their rows in the tables `beside`.

        `get` reads one after the other, which takes longer.
        """
        self._stood |= {("memory", memory): None for memory in memories}
        images = images_of(self._store.connection, "id", memories)
        self._stood |= {("memory", image["id"]): image for image in images}
        for table in beside:
            keeper = keepers()[table]
            assert isinstance(keeper, TableKeeper)
            rows = keeper.read_many(self._store.connection, memories)
            self._stood |= {(table, memory): rows.get(memory) for memory in memories}

    def _before(self, table: str, key: str) -> Image | None:
        if (table, key) not in self._stood:
            self._stood[table, key] = keepers()[table].read(self._store.connection, key)
        return self._stood[table, key]

    def put(self, table: str, image: Image) -> None:
        """Write a row, new or changed."""
        keeper = keepers()[table]
        self._set(table, keeper.key_of(image), keeper.whole(image))

    def drop(self, table: str, key: str) -> None:
        """Take a row out, for good: only undo and derived rows need it."""
        self._set(table, key, None)

    def _set(self, table: str, key: str, after: Image | None) -> None:
        if (table, key) in self._pending:
            before = self._pending[table, key][0]
        else:
            before = self._before(table, key)
        self._pending[table, key] = (before, after)

    def changes(self) -> list[dict[str, Any]]:
        """Return the rows that really differ, as the journal writes them."""
        return [
            {"table": table, "key": key, "before": before, "after": after}
            for (table, key), (before, after) in self._pending.items()
            if before != after
        ]


class Store:
    """One open store. Belongs to the thread that opened it; `interrupt` may come from any."""

    def __init__(
        self,
        home: Home,
        *,
        past: Database | None = None,
        is_examined: bool = True,
    ) -> None:
        """`past` is a copy of its tables to look at instead (`db.past`).

        Raises StoreDamaged where the journal's chain is broken, unless it is not to be examined:
        then nothing is brought up to date either.
        """
        self.home = home
        self.is_read_only = (
            past is not None
            or journal.is_read_only(home)
            or (os.path.exists(home.database) and not has_room(home.database))
        )
        (home.check if self.is_read_only else home.prepare)()
        stat_at_close = "" if _has_log(home) else _left(home)
        # by another program, while closed
        self.is_altered = stat_at_close not in ("", _stat(home.database))
        open_it = open_to_read if self.is_read_only else open_database
        try:
            self.database: Database = past or open_it(home)
        except StoreUnusable as error:
            if path := foreign(home):  # a command that was run with sudo left it
                raise not_ours(path) from error
            if "readonly" in str(error):  # which it is not: a damaged head forbids SQLite to write
                raise StoreDamaged("The database is damaged.") from error
            raise
        self.connection: sqlite3.Connection = self.database.connection()
        self.has_written = False  # an entry, since it was opened
        self.interrupts = 0  # requests to stop the running query
        self._inode = 0 if past else os.stat(home.database).st_ino
        self._cache, self._cached_at = ReadCache(), (0, 0)
        self.skipped: list[str] = []  # problems of the journal's tail at reading
        try:
            with mapped_errors():
                if is_examined and not self.is_read_only and self._must_examine():
                    try:
                        with begin_immediate(self.database):
                            self._examine(self._catch_up())
                    except (StoreBusy, StoreFull) as error:  # reading is still possible
                        self.skipped.append(f"{error} The newest entry may be missing.")
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        """Close it. The last user notes the state of the file."""
        if self.database.is_closed():
            return
        self.database.close()
        if self.is_read_only or self.is_altered or _has_log(self.home):
            return
        if (stat := _stat(self.home.database)) != _left(self.home):
            with contextlib.suppress(OSError, StoreUnusable):
                create_private(path := os.path.join(self.home.path, _LEFT))
                with open(path, "w", encoding="ascii") as file:
                    file.write(stat)

    def interrupt(self) -> None:
        """Stop the query, or the reading of the journal, that runs now. Safe from any thread."""
        self.interrupts += 1
        self.connection.interrupt()

    def cache(self) -> ReadCache:
        """Return the cache of reads since the last write of any process."""
        now = (self.data_version(), self.connection.total_changes)
        if now != self._cached_at or self._cache.is_full:
            self._cache, self._cached_at = ReadCache(), now
        return self._cache

    def index_problem(self) -> str:
        """Return the problem that the search index's own check reports; "" for none."""
        return index.problem(self.connection)

    def reader(self, now_ms: int) -> Reader:
        """Return recall's reader of this store, as of `now_ms`."""
        return Reader(self.connection, now_ms, self.cache())

    def data_version(self) -> int:
        """Return a number that changes when another process commits."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def position(self) -> Position:
        """Return the journal position that has been applied."""
        columns = "seq, hash, segment, offset, coalesce(clock, '')"
        text = f"SELECT {columns} FROM journal_state WHERE id = 1"
        row = self.connection.execute(text).fetchone()
        if row is None:
            return Position(0, FIRST_HASH, 0, 0)
        if [type(value) for value in row] != [int, str, int, int, str]:
            raise StoreDamaged("The database is damaged.")
        return Position(*row)

    # --- writing

    @contextlib.contextmanager
    def change(
        self,
        action: str,
        *,
        actor: str,
        at: int,
        project: str = "",
        session: str | None = None,
        reason: str = "",
        group: Group | None = None,
    ) -> Iterator[Change]:
        """One act: everything put into the change becomes one journal record, or nothing does.

        `at` is in milliseconds. A change that touches nothing writes nothing. With `group` it is
        a part of an act that may have further ones.
        """
        with self._transaction() as (position, written):
            head: dict[str, Any] = {"at": at, "actor": actor, "project": project}
            head |= {"session": session, "action": action, "reason": reason}
            change = Change(self, position.seq + 1, head)
            yield change
            if changes := change.changes():
                if group is not None:
                    head["group"] = group.id or change.seq
                record = {**head, "changes": changes}
                apply(self.connection, change.seq, changes)
                [written.reached] = journal.append(self.home, position, [brief(record)])
                trail.note(self.database, written.reached, record)
                self._stamp(position, written.reached)
        if group is not None and group.id is None and written.reached is not None:
            group.id = change.seq

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[tuple[Position, _Written]]:
        """Run one write transaction; yield the journal's position, and a note to fill."""
        self.must_be_the_same_file()
        written = _Written()
        try:
            with begin_immediate(self.database):
                self.must_be_the_same_file()  # still so, now that others wait for us
                written.end = journal.last(self.home)
                yield self._catch_up(written.end), written
        except BaseException as error:
            is_kept = written.reached is not None and self._is_kept(written.reached, written.end)
            if not (is_kept and isinstance(error, Exception)):
                raise
        self.has_written |= written.reached is not None

    def must_be_the_same_file(self) -> None:
        """Raise StoreUnusable where the database is no longer the file that was opened."""
        if not self._inode:  # a copy of the past
            return
        with contextlib.suppress(OSError):
            if os.stat(self.home.database).st_ino == self._inode:
                return
        hint = "Start memdeck again."
        raise StoreUnusable("The database file was moved or replaced while it was open.", hint=hint)

    def _is_kept(self, reached: Position, end: tuple[int, int]) -> bool:
        """Return True if a record counts that is in the journal and the database could not commit.

        It does if another writer has applied it meanwhile. If not, it is withdrawn. Otherwise it
        would be applied later, although its author received an error.
        """
        with begin_immediate(self.database):
            if not journal.holds(self.home, reached):
                return False  # it went with an earlier record, which was not applied either
            if self.position().seq >= reached.seq:
                return True
            journal.withdraw(self.home, reached, end)
            return False

    def _stamp(self, before: Position, reached: Position) -> None:
        """Note the stamp of the journal's last file, unless another program had changed it."""
        size, changed = journal.stamp_of(self.home, reached.segment)
        stamped = self._stamps().get(reached.segment)
        if reached.segment != before.segment or (stamped and stamped[0] == before.offset):
            trail.stamp(self.database, reached.segment, (size, changed))

    def _stamps(self) -> journal.Stamps:
        """Return the stamps of the journal's files when their chain was last known to be whole."""
        rows = self.connection.execute("SELECT number, size, changed FROM journal_segment")
        return {number: (size, changed) for number, size, changed in rows}

    # --- catching up

    def _must_examine(self) -> bool:
        """Return True if the journal changed since this database was written last."""
        files = journal.stamps(self.home)
        is_gone = self.position().seq > 0 and not files
        return is_gone or self._stamps() != files

    def _examine(self, position: Position) -> None:
        """Raise StoreDamaged where a file of the journal was changed and its chain is broken."""
        files, stamped = journal.stamps(self.home), self._stamps()
        changed = [
            number for number in {*files, *stamped} if files.get(number) != stamped.get(number)
        ]
        if position.seq and not files:
            raise StoreDamaged(f"The journal is gone: {self.home.journal} holds no file of it.")
        chain = journal.Chain(self.home, min(changed) - 1) if changed else None
        if chain and (problem := chain.problem(position) or self._moved(chain)):
            raise StoreDamaged(f"The journal is damaged: {problem}.")
        for number in changed:
            if number in files:
                trail.stamp(self.database, number, files[number])

    def _moved(self, chain: journal.Chain) -> str:
        """Return which entry of a whole chain is not where the database reads it, or ""."""
        places = self.connection.execute("SELECT seq, segment, offset FROM audit")
        links = ((seq, chain.entries.get(seq), noted) for seq, *noted in places)
        moved = (seq for seq, link, noted in links if link and [link.segment, link.end] != noted)
        return next((f"entry {seq} is not in its place" for seq in moved), "")

    def _catch_up(self, end: tuple[int, int] | None = None) -> Position:
        """Apply the journal's records beyond the applied position; return the position reached.

        `end` is the result of `journal.last`, if known.

        A crash between the journal's sync and the database's commit leaves such records. Where a
        line is damaged, the records behind it still count: they were acknowledged.
        """
        position = self.position()
        if (end or journal.last(self.home)) <= (position.segment, position.offset):
            return position
        for matches in journal.read(self.home, position.segment, position.offset):
            record = matches.record
            if record is None:
                line = f"journal/{matches.segment:06d}.jsonl, byte {matches.start}"
                note = f"{matches.problem} record, never acknowledged, passed over: {line}"
                if note not in self.skipped:
                    self.skipped.append(note)
            elif record["seq"] > position.seq:
                position = matches.position
                self.replay(record, position)
        return position

    def replay(self, record: dict[str, Any], reached: Position) -> None:
        """Apply one record of the journal; the caller holds the transaction.

        The rows of the tables count as "before", so a journal with a gap still applies.
        """
        changes = list(current(record["changes"]))
        ids = [change["key"] for change in changes if change["table"] == "memory"]
        there = {image["id"]: image for image in images_of(self.connection, "id", ids)}
        applied = []
        for change in changes:
            table, key = change["table"], change["key"]
            is_memory = table == "memory"
            before = there.get(key) if is_memory else keepers()[table].read(self.connection, key)
            if "hash" not in change:
                applied.append({**change, "before": before})
            elif before is not None:  # else the entry that made it is lost
                after = {**before, **change["after"]}
                applied.append({**change, "before": before, "after": after})
        apply(self.connection, record["seq"], applied)
        trail.note(self.database, reached, record)

    # --- undo

    def record(self, seq: int) -> dict[str, Any]:
        """Return the journal record with that number. Raises NotFound."""
        if row := trail.entry(self.database, seq):
            return journal.read_one(self.home, row["segment"], row["offset"])
        for matches in journal.read(self.home, journal.segment_of(self.home, seq)):  # an older one
            if matches.record is not None and matches.record["seq"] == seq:
                return matches.record
        raise NotFound(f"There is no entry {seq}.", hint="`memdeck history` lists the entries.")

    def take_back(
        self,
        seq: int,
        *,
        at: int,
        actor: str = "person",
        progress: Progress | None = None,
        allowed: Allowed = lambda _: None,
    ) -> int:
        """Undo an act by its before images, whole: of several entries all, the newest first.

        Returns the number of the newest new entry. Undoing an undo is a redo. `progress` gets the
        number of restored rows; if it stops the undo, nothing is changed. Raises Refused then, and
        if a later change touched the same rows. `allowed` gets the rows, and may raise to stop.
        """
        put_back = partial(self._put_back, by={"at": at, "actor": actor}, allowed=allowed)
        with self._transaction() as (position, written):
            members = self._standing(self.record(seq))
            if len(members) > 1:
                # in records of which all count or none
                entries = [trail.entry(self.database, member) for member in members]
                rows, done = sum(entry.get("count", 0) for entry in entries), 0
                with contextlib.closing(journal.Whole(self.home, position)) as whole:
                    for member in members:
                        record = put_back(whole.position, member, group=position.seq + 1)
                        if record["changes"]:
                            trail.note(self.database, whole.add(brief(record)), record)
                        done += len(record["changes"])
                        if progress is not None and progress(done, max(rows, done)) is False:
                            raise Refused("Stopped: nothing was taken back.")
                    if done:
                        written.reached = whole.position
                        whole.join()
            elif (record := put_back(position, seq))["changes"]:
                [written.reached] = journal.append(self.home, position, [brief(record)])
                trail.note(self.database, written.reached, record)
            if written.reached is not None:
                self._stamp(position, written.reached)
            else:  # a re-sealed journal may say so of an entry
                raise Refused(f"Entry {seq} changed nothing that could be taken back.")
            return written.reached.seq

    def _put_back(
        self, position: Position, seq: int, by: Image, allowed: Allowed, group: int | None = None
    ) -> dict[str, Any]:
        """Put the before images of an entry into the tables; return the record of that.

        Raises Refused where a later change touched the same rows.
        """
        taken = self.record(seq)
        if taken.get("view"):
            raise Refused(
                f"Entry {seq} cannot be undone: its line in the journal was damaged, and the"
                " earlier state is unknown."
            )
        head = {
            **by,
            "project": taken["project"],
            "session": None,
            "action": "redo" if taken["action"] == "undo" else "undo",
            "reason": f"undoes entry {seq} ({taken['action']})",
            "undoes": seq,
        }
        if group is not None:
            head["group"] = group
        change = Change(self, position.seq + 1, head)
        rows = list(current(taken["changes"]))
        change.look_at([row["key"] for row in rows if row["table"] == "memory"])
        for row in reversed(rows):
            now = change.get(row["table"], row["key"])
            is_place = row["table"] == "setting" and str(row["key"]).startswith("place|")
            is_place = is_place or row["table"] == "project"  # which any change may write
            if now is not None and taken["action"] not in _JOINS and is_place:
                if taken["action"] == "begin":
                    if self.reader(0).projects.rows_of(row["key"]):
                        raise Refused(f"Entry {seq} cannot be undone: the project is in use.")
                    change.drop(row["table"], row["key"])
                continue  # it stays, since later rows belong to it
            if now is None or row["after"] is None:
                same = now is None and row["after"] is None
            elif row.get("hash"):
                same = state_of(now) == row["hash"]
            else:  # of other fields nothing is known where a secret was taken out of them
                fields = {name: now[name] for name in row["after"]}
                same = fields == row["after"] or canonical(fields) == canonical(row["after"])
            if not same:
                raise Refused(
                    f"Entry {seq} cannot be taken back: {_name(row, now)} was changed later.",
                    hint="Take back the later entries about it first: `memdeck history` lists"
                    " them, with --memory those of one memory.",
                )
            if row["before"] is None:
                change.drop(row["table"], row["key"])
            else:
                rest = now if now is not None and "hash" in row else {}
                change.put(row["table"], {**rest, **row["before"]})
        changes = change.changes()
        allowed(changes)
        apply(self.connection, change.seq, changes)
        for row in changes:
            if row["table"] == "memory" and row["after"] is None:
                self._must_stand_alone(seq, row["before"])
        return {**head, "changes": changes}

    def _must_stand_alone(self, seq: int, image: Image) -> None:
        """Raise Refused if a later conflict or link names a memory that would be removed."""
        if is_beside(self.database, image["id"]):
            raise Refused(
                f"Entry {seq} cannot be taken back: “{headline_of(image)}” was linked or marked as"
                " in conflict later.",
                hint="Undo that entry first: `memdeck history` lists it. Or forget the memory.",
            )

    def _standing(self, record: Mapping[str, Any]) -> list[int]:
        """Return the entries of a record's act that were not undone, the newest first.

        Raises Refused if the record's own entry was undone.
        """
        seq, group = record["seq"], record.get("group")
        members: dict[int, int | None] | None
        if group is None:
            members = {seq: trail.entry(self.database, seq).get("undone_by")}
        else:
            members = trail.members(self.database, group) or self._members_in_journal(group)
        if taken := members.get(seq):
            again = trail.entry(self.database, taken).get("undone_by")
            hint = f"Entry {again} brought it back: take back that one." if again else ""
            raise Refused(f"Entry {seq} was already taken back by entry {taken}.", hint=hint)
        return sorted((member for member, by in members.items() if by is None), reverse=True)

    def _members_in_journal(self, group: int) -> dict[int, int | None]:
        """Return the same as `trail.members`, for an act older than the queryable trail."""
        members: dict[int, int | None] = {}
        for matches in journal.read(self.home):
            if matches.record is None:
                continue
            if matches.record.get("group") == group:
                members[matches.record["seq"]] = None
            elif (undone := matches.record.get("undoes")) in members:
                members[undone] = matches.record["seq"]
        return members


_LEFT = "closed"
"""The file with the state of the database's file when its last user closed it."""


def _left(home: Home) -> str:
    try:
        with open(os.path.join(home.path, _LEFT), encoding="ascii", errors="replace") as file:
            return text if re.fullmatch(r"\d+ \d+", text := file.read(64)) else ""
    except OSError:
        return ""


def _stat(path: str) -> str:
    try:
        state = os.stat(path)
    except OSError:
        return ""
    return f"{state.st_size} {state.st_mtime_ns}"


def _has_log(home: Home) -> bool:
    """Return True if changes wait beside the database, so that its file is not all of it."""
    return _stat(home.database + "-wal")[:2] not in ("", "0 ")


def _name(row: dict[str, Any], now: Image | None) -> str:
    if row["table"] == "tombstone":
        return "what is known of a forgotten text"
    name = f"{row['table']} {row['key']}"
    return f"{name} (“{headline_of(now or row['after'])}”)" if row["table"] == "memory" else name


def opened(home: Home) -> Store:
    """Open a store. Damage is repaired first: the database from the journal, the journal from the
    database. The store's `skipped` lists it. A database of an older version is rebuilt.

    Raises StoreUnusable, also if both are whole and not of one store.
    """
    with contextlib.suppress(StoreDamaged):
        return _examined(home)
    with locked(home, "repair"):
        try:
            return _examined(home)  # another process may have been quicker
        except StoreDamaged as error:
            why = error
        from .rebuild import rebuild_locked  # most stores are whole

        with mapped_errors():
            report = rebuild_locked(home)
        store = Store(home)
        if not isinstance(why, StoreOutdated):
            store.skipped[:0] = [f"{str(why).rstrip('.')}. Repaired: {report}"]
        return store


def _examined(home: Home) -> Store:
    """Open a store that no other program altered, or that is whole nevertheless."""
    store = Store(home)
    if store.is_altered and not store.is_read_only:
        from .rebuild import verify

        try:
            if not (outcome := verify(store)).ok:
                raise StoreDamaged(f"The database was altered: {outcome.problems[0]}.")
            store.is_altered = False
        except BaseException:
            store.close()
            raise
    return store
