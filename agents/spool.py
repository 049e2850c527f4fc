"""The queue of events: one append and one sync a record, a CRC-32 before each.

A record begins and ends with a newline, so that a torn write swallows no neighbour. It holds names,
paths and numbers, and no words except records of agents while the store is busy. The drain takes
the file by renaming it. A writer then checks if the file still has its name, and writes again if
not: a record may come twice, with one id.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from zlib import crc32

from ..core.hosts import GUARD
from ..db.errors import ManagerError, StoreFull, StoreUnusable
from ..db.home import Home, create_private, refuse_link, sync_folder, try_lock
from ..db.images import dumps_ascii, loads
from ..hosts.wire import KNOWN_TOOLS, TASK_COMPLETED, TODOS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..db.home import Home
    from ..hosts.wire import Event

Record = dict[str, "Any"]

RECEIPT = "receipt"
"""The kind of a record that reports an injection; the other kinds are those of events."""

RECORDED = "recorded"
"""The kind of an agent's record that waits for a busy store."""

LIMIT_BYTES = 16 * 1024 * 1024
"""A spool of this size takes no more: it has not been drained for some 40,000 events."""

GROWN_BYTES = 256 * 1024  # above this size every event starts the drain

_FLAGS = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_ROUNDS = 50  # times that a drain may take the file while a record is written


def path_of(home: Home) -> str:
    return os.path.join(home.spool, "pending.jsonl")


def record_of(event: Event) -> Record:
    """Return the record of `event` for the drain: places, no words."""
    record = new_record(event.kind, event.host, event.session, event.cwd)
    if root := _root_beside(event.cwd):
        record["root"] = root
    for key in ("transcript", "detail", "agent_id", "role", "tool", "outcome"):
        if value := getattr(event, key):
            record[key] = value
    if record.get("tool") not in (None, *KNOWN_TOOLS):
        del record["tool"]
    if event.kind in (TODOS, TASK_COMPLETED):
        record["todos"] = {"completed": int(bool(event.task)), "task": event.task}
    return record


def _root_beside(folder: str) -> str:
    """Return the main checkout of the worktree of `folder`, which may be deleted before the drain;
    "" in any other folder."""
    below = ""
    while folder != below:
        marker = os.path.join(folder, ".git")
        if os.path.isfile(marker):
            from ..core.projects import whereabouts

            return whereabouts(folder)[0]
        if os.path.isdir(marker):
            return ""
        folder, below = os.path.dirname(folder), folder
    return ""


def new_record(kind: str, host: str, session: str, cwd: str) -> Record:
    """Return a record of `kind` with an id that sorts by time; `at` is in milliseconds."""
    at = time.time_ns() // 1_000_000
    return {
        "id": f"{at:012x}{os.urandom(5).hex()}",
        "at": at,
        "kind": kind,
        "host": host,
        "session": session,
        "cwd": cwd,
    }


def append(home: Home, record: Record) -> int:
    """Write `record`; returns the size of the spool in bytes once it is on the disk.

    Raises StoreFull, StoreUnusable or OSError; the record is then not acknowledged.
    """
    refuse_link(home.spool)
    path = path_of(home)
    line = encode(record)
    for _ in range(_ROUNDS):
        try:
            handle = os.open(path, _FLAGS)
        except FileNotFoundError:
            home.prepare()  # refuses links, makes folders private
            handle = os.open(path, _FLAGS | os.O_CREAT, 0o600)
        try:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise OSError(f"{path} is no regular file")
            if state.st_size > LIMIT_BYTES:
                raise StoreFull("The spool is full.", hint="Run `memdeck drain`.")
            if os.write(handle, line) != len(line):
                raise StoreFull("The disk took only a part of the record.")
            getattr(os, "fdatasync", os.fsync)(handle)
            if state.st_size == 0:  # a new file: its name must last as well
                sync_folder(home.spool)
                sync_folder(home.path)
            # The number of an open file is not reused.
            if os.path.exists(path) and os.path.samestat(state, os.stat(path)):
                return state.st_size + len(line)
        except FileNotFoundError:
            continue  # taken in between
        finally:
            os.close(handle)
    raise StoreUnusable("The drain took the spool each time.", hint="Run `memdeck drain`.")


def read_spool(home: Home, most: int = LIMIT_BYTES * 2) -> list[Record]:
    """Return every record that waits, oldest file first, each once; torn lines are left out.

    Of each file at most the last `most` bytes are read.
    """
    matches: dict[str, Record] = {}
    for path in paths(home):
        records, _ = read_file(path, most)
        matches.update((record["id"], record) for record in records)
    return list(matches.values())


def has_waiting(home: Home) -> bool:
    try:
        return os.stat(path_of(home)).st_size > 0 or bool(claimed_paths(home))
    except OSError:
        return bool(claimed_paths(home))


def paths(home: Home) -> list[str]:
    """All files of records, oldest first; the last one, of new records, need not be there."""
    return [*claimed_paths(home), path_of(home)]


def claimed_paths(home: Home) -> list[str]:
    """Return files that a drain took and has not finished, oldest first."""
    try:
        names = sorted(os.listdir(home.spool))
    except OSError:
        return []
    claimed = (name for name in names if name.startswith("claimed-") and name.endswith(".jsonl"))
    return [os.path.join(home.spool, name) for name in claimed]


def read_file(path: str, most: int = LIMIT_BYTES * 2) -> tuple[list[Record], int]:
    """The records of one spool file that are not marked as done, and how many lines are torn."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - most))
            data = file.read()
    except FileNotFoundError:
        return [], 0
    records: dict[str, Record] = {}
    done: set[str] = set()
    torn = 0
    for line in data.split(b"\n"):
        if line.startswith(b"+"):
            done.add(line[1:].decode("ascii", "replace"))
        elif line:
            record = decode(line)
            torn += record is None
            if record is not None:
                records[record["id"]] = record
    return [record for key, record in records.items() if key not in done], torn


def encode(record: Record) -> bytes:
    """Return the line of `record`, newlines at both ends."""
    return b"\n%s\n" % sealed(record)


def decode(line: bytes) -> Record | None:
    """Return the record in `line`, or None when it is torn or not one of ours."""
    record = unsealed(line)
    return record if record and isinstance(record.get("id"), str) else None


def sealed(value: dict[str, Any]) -> bytes:
    """Return the checksum of an object as JSON, and this."""
    body = dumps_ascii(value, is_tight=True).encode("ascii")
    return b"%08x %s" % (crc32(body), body)


def unsealed(data: bytes) -> dict[str, Any] | None:
    """Return the object that `sealed` made these bytes of; None of torn ones, and of any other."""
    mark, _, body = data.partition(b" ")
    try:
        if int(mark, 16) != crc32(body):
            return None
        value = loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def marks(ids: Iterator[str]) -> bytes:
    """Lines that mark records as done, for the end of a claimed file."""
    return b"".join(b"\n+%s\n" % key.encode("ascii", "replace") for key in ids)


def note_start(home: Home, session: str, lacked: list[Record]) -> None:
    """Note that a session began before these records were processed; delete notes of a day ago."""
    folder = os.path.join(home.spool, "starts")
    refuse_link(home.spool)
    refuse_link(folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for entry in os.scandir(folder):
        if time.time() - entry.stat(follow_symlinks=False).st_mtime > DAY_S:
            os.unlink(entry.path)
    note = {"since": str(min(record["at"] for record in lacked))}
    create_private(path := _start_path(home, session))
    with open(path, "wb") as file:
        file.write(sealed({**note, "ids": [record["id"] for record in lacked]}))


def late_start(home: Home, session: str) -> str:
    """Return the time (ms) of the oldest event that a start lacked, once it is read; else ""."""
    try:
        with open(path := _start_path(home, session), "rb") as file:
            note = unsealed(file.read())
        if note and any(
            record["id"] in note["ids"] for record in read_spool(home, 4 * GROWN_BYTES)
        ):
            return ""
        os.unlink(path)
    except OSError:  # nearly always
        return ""
    return note["since"] if note else ""


def _start_path(home: Home, session: str) -> str:
    name = "".join(char for char in session if char.isalnum() or char == "-")
    return os.path.join(home.spool, "starts", name[:64] or "-")


_START = "import sys; sys.path += sys.argv[2:]; from memdeck.agents.drain import main; main()"

_RETRIES = 5
_PAUSE_S = 0.02  # a hook that looks whether a drain runs holds the lock for microseconds


class DrainLock:
    """The right to drain one home; use as a context manager, true inside when it was got.

    Under another name it is the right to have models read sessions, one at a time.
    """

    def __init__(self, home: Home, name: str = "drain") -> None:
        self._path = lock_path(home, name)
        self._handle = -1

    def __enter__(self) -> bool:
        create_private(self._path)
        self._handle = os.open(self._path, os.O_RDWR)
        for attempt in range(_RETRIES):
            if try_lock(self._handle):
                return True
            if attempt < _RETRIES - 1:
                time.sleep(_PAUSE_S)
        return False

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)  # which gives the lock back


def lock_path(home: Home, name: str = "drain") -> str:
    """Return the file whose lock the drain, or whatever has the other name, holds."""
    return os.path.join(home.spool, f"{name}.lock")


def is_draining(home: Home) -> bool:
    try:
        handle = os.open(lock_path(home), os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(handle)
    finally:
        os.close(handle)


def start_drain(home: Home) -> bool:
    """Start the drain unless one runs; it gets its own session and no streams of ours.

    False when there was nothing to start. A drain that runs looks again after it has given
    back its lock, so that a record written before this call is never left behind.
    """
    if not sys.executable or is_draining(home):
        return False
    # -I: the project, in the current folder or on PYTHONPATH, must not lend us its modules; nor
    # shall what the drain starts see them. It leaves out the user's own site too.
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = [os.path.dirname(package)] if os.path.basename(package) == "memdeck" else []
    arguments = [sys.executable, "-I", "-c", _START, home.path, *own]
    environment = {**os.environ, GUARD: "1"}
    if home.path != Home().path:
        environment["MEMDECK_HOME"] = home.path
    environment.pop("PYTHONPATH", None)
    if not hasattr(os, "posix_spawn"):
        return _start_without_spawn(arguments, environment)
    streams = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    try:
        os.posix_spawn(sys.executable, arguments, environment, file_actions=streams, setsid=True)
    except NotImplementedError:  # an old C library has no session flag
        return _start_without_spawn(arguments, environment)
    return True


def _start_without_spawn(arguments: list[str], environment: dict[str, str]) -> bool:
    import subprocess

    flags = getattr(subprocess, "DETACHED_PROCESS", 0)
    subprocess.Popen(
        arguments,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=flags,
    )
    return True


WORD_S = 600
"""Seconds for which a typed slash command counts: an agent may ask before it runs one."""


def _word_path(home: Home, name: str, words: str) -> str:
    from ..core.projects import digest

    return os.path.join(home.spool, f"word-{digest(f'{name} {chr(32).join(words.split())}')}")


def lay_word(home: Home, name: str, words: str) -> None:
    """Note that the user typed this slash command: its words count as the user's, once."""
    home.prepare()
    handle = os.open(_word_path(home, name, words), _LOG_FLAGS, 0o600)
    os.utime(handle)
    os.close(handle)


def take_word(home: Home, name: str, words: str) -> bool:
    """Return True if the user typed it in the last `WORD_S`, and has not been answered yet."""
    path = _word_path(home, name, words)
    try:
        age = time.time() - os.lstat(path).st_mtime
        os.unlink(path)
    except OSError:
        return False
    return age < WORD_S


DAY_S = 86_400
LOG_BYTES = 256 * 1024

PUT_BACK = ", put back for the next drain"
"""End of a log line about a retry: no error for the user yet."""

_LOG_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


def log_path(home: Home) -> str:
    return os.path.join(home.log, "hooks.log")


def log_error(home: Home, what: str, error: BaseException | str) -> None:
    """Append one line about `error` in `what` ("claude Stop"); silent when that fails too."""
    try:
        reason = error if isinstance(error, str) else described(error)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = f"{stamp} {_tame(what)} {_tame(reason)}\n".encode("utf-8", "replace")
        refuse_link(home.log)
        path = log_path(home)
        try:
            handle = os.open(path, _LOG_FLAGS, 0o600)
        except FileNotFoundError:
            home.prepare()
            handle = os.open(path, _LOG_FLAGS, 0o600)
        try:
            os.write(handle, line)
            if os.fstat(handle).st_size > LOG_BYTES:
                os.replace(path, path + ".1")
        finally:
            os.close(handle)
    except (OSError, ValueError, ManagerError):
        return  # a log that cannot be written must not become the agent's problem


def described(error: BaseException) -> str:
    """Return the kind of `error` and where it arose: "OSError[ENOSPC] spool.py:41"."""
    kind = type(error).__name__
    if isinstance(error, OSError) and error.errno:
        import errno

        kind += f"[{errno.errorcode.get(error.errno, error.errno)}]"
    traceback = error.__traceback__
    if traceback is None:
        return kind
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f"{kind} {os.path.basename(traceback.tb_frame.f_code.co_filename)}:{traceback.tb_lineno}"


def last_errors(home: Home, limit: int = 5) -> list[str]:
    """Return the newest lines of the log, oldest first; none when there is no log."""
    try:
        with open(log_path(home), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 16 * 1024))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return lines[-limit:]


def _tame(text: str) -> str:
    """One line of at most 200 printable characters."""
    return "".join(c if c.isprintable() else "?" for c in text[:200])
