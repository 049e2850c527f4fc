"""The source of truth: one JSON line a change, in `journal/NNNNNN.jsonl`. Standard library only.

A record begins and ends with a newline, and carries a CRC and the hash of its predecessor. It
counts once it is synced. Writers hold the database's write lock. Torn lines stay where they are.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .errors import StoreDamaged, StoreUnusable, of_the_system
from .home import Home, create_private, refuse_link, replace_file, sync_folder
from .images import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, BinaryIO

SEGMENT_BYTES = 8 * 1024 * 1024
"""A segment that has grown past this is followed by a new one."""

FIRST_HASH = "0" * 64

BESIDE = "whole.tmp"
"""The file in the journal's folder that holds the records of an act until all are written."""

RESEALING = "resealing"
"""A file in the journal's folder while the first segment may repeat older segments."""

_SEGMENT = r"[0-9]{6}\.jsonl"
_TORN = r"torn-[0-9a-f-]+\.bin"

_CRC = b',"crc":"'
_HASH = b',"hash":"'
_CRC_LENGTH = len(_CRC) + 8 + 2  # eight digits, a quote, a brace
_HASH_LENGTH = len(_HASH) + 64 + 2


class Position(NamedTuple):
    """A position in the journal: the last record that counts."""

    seq: int
    hash: str
    segment: int
    offset: int
    clock: str = ""  # of the record there; "" where that is of an older version


class JournalLine(NamedTuple):
    """One line of the journal: a record, or its problem."""

    record: dict[str, Any] | None
    problem: str
    segment: int
    start: int
    end: int

    @property
    def position(self) -> Position:
        """Return the position after this record. The line must be a record."""
        assert self.record is not None
        record = self.record
        clock = record.get("clock", "")
        return Position(record["seq"], record["hash"], self.segment, self.end, clock)


def segment_path(home: Home, number: int) -> str:
    return os.path.join(home.journal, f"{number:06d}.jsonl")


def segments(home: Home) -> list[int]:
    """Return the numbers of the segments there are, in order."""
    try:
        names = os.listdir(home.journal)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _as_ours(error) from error
    return sorted(int(name[:6]) for name in names if re.fullmatch(_SEGMENT, name))


def seal(record: dict[str, Any]) -> tuple[bytes, str]:
    """Return the line for a record, without newlines, and its hash.

    `record` holds everything but `hash` and `crc`; its `prev` is the predecessor's hash.
    """
    whole = {**record, "changes": _packed(record["changes"])} if "changes" in record else record
    body = dumps(whole).encode("utf-8")
    digest = _digest(body)
    hashed = body[:-1] + _HASH + digest.encode() + b'"}'
    return hashed[:-1] + _CRC + b"%08x" % zlib.crc32(hashed) + b'"}', digest


def unseal(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """Return the record in a line, or None and the problem: "torn" or "altered"."""
    seal_at = len(line) - _CRC_LENGTH
    if seal_at < _HASH_LENGTH or not line.startswith(_CRC, seal_at) or line[-2:] != b'"}':
        return None, "torn"
    hashed = line[:seal_at] + b"}"
    body = hashed[:-_HASH_LENGTH] + b"}"
    if line[-10:-2] != b"%08x" % zlib.crc32(hashed) or hashed[-66:-2] != _digest(body).encode():
        return None, "altered"
    try:
        record = json.loads(body)
        if "changes" in record:
            record["changes"] = [one for item in record["changes"] for one in _unpacked(item)]
    except ValueError:
        return None, "altered"
    record["hash"] = hashed[-66:-2].decode()
    return record, ""


_SIDES = ("before", "after")


def _packed(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the changes as a line holds them: of several with the same fields, the names once."""
    alike: dict[Any, list[dict[str, Any]]] = {}
    for change in changes:
        fields = ((name, tuple(it) if name in _SIDES and it else ()) for name, it in change.items())
        alike.setdefault((change.get("table"), *fields), []).append(change)
    packed = []
    for (table, (first, _), *fields), many in alike.items():
        if len(many) == 1 or first != "table":
            packed += many
            continue
        rows = [
            [[*change[name].values()] if names else change[name] for name, names in fields]
            for change in many
        ]
        packed.append({"table": table, "fields": fields, "rows": rows})
    return packed


def _unpacked(item: dict[str, Any]) -> list[dict[str, Any]]:
    if "rows" not in item:
        return [item]
    return [
        {"table": item["table"]}
        | {
            name: dict(zip(names, value, strict=True)) if names else value
            for (name, names), value in zip(item["fields"], row, strict=True)
        }
        for row in item["rows"]
    ]


class Link(NamedTuple):
    """One line of the journal as a part of its chain; `seq` is 0 for one that is no record."""

    seq: int
    hash: str
    prev: str
    segment: int
    start: int
    end: int


def links(home: Home, segment: int = 0) -> Iterator[Link]:
    """Yield every line from a segment on."""
    for line in read(home, segment):
        record = line.record or {"seq": 0, "hash": "", "prev": ""}
        chained = record["seq"], record["hash"], record["prev"]
        yield Link(*chained, line.segment, line.start, line.end)


class Chain:
    """The entries of a journal that count, from a segment on, and the lines that are none."""

    def __init__(self, home: Home, segment: int = 0) -> None:
        self.entries: dict[int, Link] = {}
        self.bad: list[Link] = []
        self.is_in_order = True
        is_resealing = os.path.exists(os.path.join(home.journal, RESEALING))
        newest = 0
        for link in links(home, segment):
            if link.seq and link.seq not in self.entries:
                self.entries[link.seq] = link
                self.is_in_order &= link.seq > newest
                newest = link.seq
            elif link.seq == 0 or link.hash != self.entries[link.seq].hash:
                self.bad.append(link)
            else:
                self.is_in_order &= is_resealing  # which leaves entries twice
        is_first = all(number >= segment for number in segments(home))
        self.start = 1 if is_first else min(self.entries, default=1)
        self.last = max(self.entries, default=0)
        expected = ""
        for seq in range(self.last, self.start - 1, -1):
            link_there = self.entries.get(seq)
            if link_there and expected not in ("", link_there.hash):
                self.bad.append(self.entries.pop(seq))  # its successor does not build upon it
                link_there = None
            expected = link_there.prev if link_there else ""

    def problem(self, position: Position) -> str:
        """Return the problem of the chain, "" for none; `position` is the database's.

        A line that is no record does no harm if the chain continues behind it.
        """
        for seq in range(self.start, self.last + 1):
            if seq not in self.entries:
                return f"entry {seq} was altered or dropped"
        if not self.is_in_order:
            return "its entries are not in their order, or stand twice"
        applied = self.entries.get(position.seq)
        if position.seq >= self.start and (applied is None or applied.hash != position.hash):
            return f"it does not hold the database's last entry, {position.seq}"
        return ""


Stamps = dict[int, tuple[int, int]]
"""By its number the size and the time of change, in nanoseconds, of each segment."""


def stamps(home: Home) -> Stamps:
    """Return the current stamps of the journal's files."""
    by_segment: Stamps = {}
    for number in segments(home):
        with contextlib.suppress(FileNotFoundError):
            by_segment[number] = stamp_of(home, number)
    return by_segment


def stamp_of(home: Home, number: int) -> tuple[int, int]:
    """Return the current stamp of one of them. Raises FileNotFoundError."""
    state = os.stat(segment_path(home, number))
    return state.st_size, state.st_mtime_ns


def append(home: Home, position: Position, records: list[dict[str, Any]]) -> list[Position]:
    """Write records after `position` and sync them; the position after each.

    Each record gets its `seq`, writer, clock, `prev`, hash and CRC here. Raises StoreFull,
    StoreUnusable.
    """
    segment = position.segment
    if position.offset >= SEGMENT_BYTES or segment == 0:
        segment += 1
    path = segment_path(home, segment)
    refuse_link(path)
    is_new = not os.path.exists(path)
    writer = writer_of(home)
    flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags, 0o600)
        try:
            offset = os.fstat(handle).st_size  # there may be a torn tail behind the known end
            before, lines, positions = offset, [], []
            for record in records:
                line, reached = _next(writer, position, record)
                lines.append(line)
                offset += len(line)
                position = reached._replace(segment=segment, offset=offset)
                positions.append(position)
            try:
                _write_all(handle, b"".join(lines))
                os.fsync(handle)
                if is_new:
                    sync_folder(home.journal)
            except OSError:
                with contextlib.suppress(OSError):  # the first error is the one to report
                    os.ftruncate(handle, before)  # nothing was acknowledged: leave no half record
                raise
        finally:
            os.close(handle)
    except OSError as error:
        raise _as_ours(error) from error
    return positions


def _next(writer: str, before: Position, record: dict[str, Any]) -> tuple[bytes, Position]:
    """Return the line for a record after `before`, newlines included, and its position."""
    seq, clock = before.seq + 1, tick(before.clock, record["at"])
    head = {"seq": seq, "at": record["at"], "writer": writer, "clock": clock}
    line, digest = seal({**head, **record, "prev": before.hash})
    return b"\n" + line + b"\n", before._replace(seq=seq, hash=digest, clock=clock)


def is_read_only(home: Home) -> bool:
    """Return True if there is a store that a sandbox or the disk makes read-only.

    Only opening a file for writing shows it. The database must not be opened and closed beside
    SQLite, which would lose its locks.
    """
    if not os.path.isfile(home.database):
        return False
    there = segments(home)
    if not there:
        return not os.access(home.journal if os.path.isdir(home.journal) else home.path, os.W_OK)
    try:
        os.close(os.open(segment_path(home, there[-1]), os.O_WRONLY | os.O_APPEND))
    except OSError as error:
        return error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
    return False


class Whole:
    """Records that count all together or not at all: written beside the journal, then joined.

    They become a segment of their own by one rename, so that neither a crash nor a full disk
    can leave the first of them without the last, however many they are.
    """

    def __init__(self, home: Home, position: Position) -> None:
        self._home = home
        self._path = os.path.join(home.journal, BESIDE)
        self._writer = writer_of(home)
        self.position = position._replace(segment=max(segments(home), default=0) + 1, offset=0)
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path)  # a crash left it
            create_private(self._path)
            self._file = open(self._path, "wb")  # noqa: SIM115 - `join` and `close` close it
        except OSError as error:
            raise _as_ours(error) from error

    def add(self, record: dict[str, Any]) -> Position:
        """Write a record, which does not count yet; return its position. Raises StoreFull."""
        line, reached = _next(self._writer, self.position, record)
        try:
            self._file.write(line)
        except OSError as error:
            raise _as_ours(error) from error
        self.position = reached._replace(offset=self.position.offset + len(line))
        return self.position

    def join(self) -> None:
        """Make them count. Raises StoreFull, StoreUnusable."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._path, segment_path(self._home, self.position.segment))
            sync_folder(self._home.journal)
        except OSError as error:
            raise _as_ours(error) from error

    def close(self) -> None:
        """Delete records that were not joined."""
        with contextlib.suppress(OSError):  # it does not count, and is overwritten next time
            self._file.close()
        with contextlib.suppress(OSError):
            os.unlink(self._path)


def withdraw(home: Home, reached: Position, end: tuple[int, int]) -> None:
    """Remove the records that a transaction wrote up to `reached`; `end` is `last` before it.

    For a change that the database could not commit. The caller holds the write lock and has seen
    that the record is there and not applied. Raises StoreUnusable.
    """
    keep = end[1] if end[0] == reached.segment else 0
    try:
        handle = os.open(segment_path(home, reached.segment), os.O_WRONLY)
        try:
            os.ftruncate(handle, keep)
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise _as_ours(error) from error


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _as_ours(error: OSError) -> StoreUnusable:
    return of_the_system(error, "The journal")


def last(home: Home) -> tuple[int, int]:
    """Return the journal's end: the number of its last segment that is not empty, its size."""
    for number in reversed(segments(home)):
        with contextlib.suppress(FileNotFoundError):
            if size := os.stat(segment_path(home, number)).st_size:
                return number, size
    return 0, 0


def keep_aside(home: Home, lines: Iterable[Link]) -> None:
    """Copy lines that are no records, each into a file of its own."""
    for line in lines:
        with _opened(home, line.segment) as file:
            file.seek(line.start)
            data = file.read(line.end - line.start)
        name = f"torn-{line.segment:06d}-{line.start}-{zlib.crc32(data):08x}.bin"
        replace_file(os.path.join(home.journal, name), data, 0o600)


def torn_files(home: Home) -> list[str]:
    """Return the paths of the files that `keep_aside` wrote, in order."""
    try:
        names = os.listdir(home.journal)
    except FileNotFoundError:
        return []
    return [os.path.join(home.journal, name) for name in sorted(names) if re.fullmatch(_TORN, name)]


def holds(home: Home, reached: Position) -> bool:
    """Return True if the record that ends at `reached` is still there."""
    try:
        return bool(read_one(home, reached.segment, reached.offset)["hash"] == reached.hash)
    except StoreUnusable:
        return False


def _opened(home: Home, segment: int) -> BinaryIO:
    try:
        return open(segment_path(home, segment), "rb")
    except FileNotFoundError as error:
        raise StoreDamaged(
            f"The journal's segment {segment:06d} is missing.", hint="Run `memdeck verify`."
        ) from error
    except OSError as error:
        raise _as_ours(error) from error


def read(home: Home, segment: int = 0, offset: int = 0) -> Iterator[JournalLine]:
    """Every line from a place on, whole or not, in order. Chains are the caller's to check."""
    for number in segments(home):
        if number < segment:
            continue
        with _opened(home, number) as file:
            start = offset if number == segment else 0
            file.seek(start)
            for line in file:
                end = start + len(line)
                if stripped := line.strip(b"\n"):
                    record, problem = unseal(stripped)
                    yield JournalLine(record, problem, number, start, end)
                start = end


def segment_of(home: Home, seq: int) -> int:
    """Return the segment that holds entry `seq`, if any does; 0 without a journal."""
    number = 0
    for later in segments(home):
        first = next((line.record for line in read(home, later) if line.record), None)
        if first is not None and first["seq"] > seq:
            break
        number = later
    return number


def read_one(home: Home, segment: int, end: int) -> dict[str, Any]:
    """Return the record that ends at `end`. Raises StoreDamaged if there is none."""
    with _opened(home, segment) as file:
        step, start = 64 * 1024, end
        data = b""
        while start > 0 and b"\n" not in data.rstrip(b"\n"):
            start = max(0, start - step)
            file.seek(start)
            data = file.read(end - start)
            step *= 4
    record, problem = unseal(data.rstrip(b"\n").rpartition(b"\n")[2])
    if record is None:
        raise StoreDamaged(f"The journal's record before byte {end} of {segment} is {problem}.")
    return record


def _digest(body: bytes) -> str:
    import hashlib  # processes that read no journal don't need it

    return hashlib.sha256(body).hexdigest()


def is_behind(home: Home, connection: sqlite3.Connection) -> bool:
    """Return True if the journal holds records that the tables lack: a writer crashed just now."""
    row = connection.execute("SELECT segment, offset FROM journal_state WHERE id = 1").fetchone()
    try:
        segment, offset = row or (0, 0)
        return last(home) > (segment, offset) and any(
            line.record for line in read(home, segment, offset)
        )
    except (TypeError, ValueError):  # a damaged row
        return True


MOST_AT_ONCE = 99_999
"""Lines of one millisecond; the next one counts as a millisecond later."""

_WRITER = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_FILE = "writer"


def writer_of(home: Home) -> str:
    """The id of this home, a random UUID (RFC 9562) made once. The caller holds the write lock.

    One that cannot be read as an id is replaced: no line may go without. Raises StoreFull,
    StoreUnusable.
    """
    path = os.path.join(home.path, _FILE)
    refuse_link(path)
    try:
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                text = file.read(64).strip()
        except FileNotFoundError:
            text = ""
        if not re.fullmatch(_WRITER, text):
            import uuid  # once a home

            text = str(uuid.uuid4())
            replace_file(path, f"{text}\n".encode(), 0o600)
        return text
    except OSError as error:
        raise of_the_system(error, "The writer's id") from error


def tick(before: str, at: int) -> str:
    """Return the clock of a line written at `at` (milliseconds) after one with the clock `before`.

    14 digits of milliseconds, a dash, 5 of count: "01700000000000-00000". `before` is "" for the
    first line, or where the line before is of an older version.
    """
    time, count = (int(part) for part in before.split("-")) if before else (-1, 0)
    if max(at, 0) > time:
        time, count = max(at, 0), 0
    elif count < MOST_AT_ONCE:
        count += 1
    else:
        time, count = time + 1, 0
    return f"{time:014d}-{count:05d}"
