"""Injections: with a prompt, at the start of a session or a subagent, before a tool runs.

An agent waits for this. Reads only: receipts go through the spool. Imports the standard library
and the modules of retrieval, nothing else.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence

from ..core.config.limits import PROJECT_FILE, RecallLimits
from ..core.projects import Identity, identify, whereabouts
from ..core.recall import receipt as receipts
from ..core.recall.frame import recording_request
from ..core.recall.pipeline import recall
from ..core.recall.receipt import FROM_SESSION
from ..core.values import Injection
from ..db import activity as touched
from ..db.fast_reader import Reader, open_reader
from ..db.home import Home, create_private, refuse_link
from ..db.images import dumps_ascii, loads
from ..frozen import replace
from ..hosts import wire
from ..hosts.wire import Event
from . import spool
from .main import ANSWERED, BETWEEN, DRAINED, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
    from typing import Any
else:
    try:
        import _signal as signal  # `signal` makes enums, which takes milliseconds
    except ImportError:
        import signal

PATIENCE_S = 2.0  # a recall that takes longer is given up: the prompt goes on without it

SPOOL_BYTES = 256 * 1024
"""Bytes from the end of a spool file that are searched for this session's receipts."""

LATE_MS = 60_000
"""Milliseconds for which a turn's last words may be older than the event of its end."""

MAX_FIXES = 5
"""Fixes of one command that are read."""

NOTHING = Injection("", 0, 0, {}, (), (), "")

_STEPS = 20_000  # instructions of SQLite between two looks at the clock
_ROUNDS = 4


def answers(home: Home, moments: Sequence[Event], *, limit_bytes: int) -> list[Answer]:
    """Return the injections, one a moment; together at most `limit_bytes` of UTF-8.

    Of several moments the first leaves half of the space to the others, and its memories are not
    repeated. [] without a store. Raises TimeoutError after `PATIENCE_S` a moment.
    """
    matches: list[Answer] = []
    remaining = limit_bytes
    for position, event in enumerate(moments):
        is_last = position == len(moments) - 1
        earlier = [item.receipt for item in matches if item.receipt is not None]
        text = answer(
            home, event, limit_bytes=remaining if is_last else remaining // 2, earlier=earlier
        )
        if text is None:
            return []
        remaining -= len(text.text.encode("utf-8", "replace")) + len(BETWEEN) if text.text else 0
        matches.append(text)
    return matches


def fitting(home: Home, event: Event, *, limit_bytes: int) -> list[str] | None:
    """Return the memories that match a subagent's task, best first; None without a store.

    Those that it receives with any task are left out.
    """
    task = event.moment(wire.SUBAGENT_STARTED)
    matches = answer(home, task, limit_bytes=limit_bytes)
    if matches is None:
        return None
    items = matches.receipt["items"] if matches.receipt is not None else ()
    return [item["id"] for item in items if item["tier"] == "retrieval"]


def answer(
    home: Home, event: Event, *, limit_bytes: int, earlier: Sequence[dict[str, Any]] = ()
) -> Answer | None:
    """Return the injection at one moment; `earlier` are the receipts of those before it.

    None without a store.
    """
    started = time.perf_counter()
    now_ms = time.time_ns() // 1_000_000
    with _Bounded():
        if lacked := _unread(home, event):  # before the store is read
            spool.note_start(home, event.session, lacked)
        reader = open_reader(home, now_ms)
        if reader is None:
            return None
        try:
            reader.connection.set_progress_handler(
                lambda: int(time.perf_counter() - started > PATIENCE_S), _STEPS
            )
            waiting = [*_waiting(home, event), *earlier]
            is_degraded = receipts.judge(*reader.receipts.latencies()).is_degraded
            if event.begun and not event.prompt:
                event.prompt = reader.task(event.session, event.begun)
            request = _request(home, reader, event, waiting, is_degraded=is_degraded)
            if request is None:
                return Answer("", None)
            injection = _recall(reader, receipts.shortened(event.prompt), limit_bytes, **request)
        finally:
            reader.close()
    moment, source = ANSWERED[event.kind], _source(event)
    is_quiet = event.kind in (wire.TOOL_STARTING, wire.TODOS) or event.late
    if is_quiet and not (injection.items or (event.late and injection.text)):
        return Answer("", None)
    # An empty receipt is kept if the context began again, if the start was incomplete, or if the
    # prompt matched earlier injections.
    is_start = event.kind == wire.OPENING or receipts.begins_again(moment, source) or lacked
    is_account = any(why != FROM_SESSION for _, why in injection.left_out)
    if not (injection.text or is_account or is_start):
        return Answer("", None)
    injection = replace(injection, is_degraded=is_degraded)
    more = {"files": request["files"], "role": request["role"]}
    receipt = _receipt(event, injection, request["project"], now_ms, started, **more)
    if lacked:
        receipt["about"]["unread"] = len(lacked)
    return Answer(injection.text, receipt)


def _unread(home: Home, event: Event) -> list[spool.Record]:
    """Return queued events of the project's other sessions that a start comes too early for."""
    if event.late or event.kind not in (wire.SESSION_STARTED, wire.OPENING):
        return []
    folders: dict[str, bool] = {}
    waiting = []
    for record in spool.read_spool(home, SPOOL_BYTES):
        if record["kind"] in DRAINED and record["session"] != event.session:
            folder = record.get("root") or record["cwd"]
            if folder not in folders:
                folders[folder] = whereabouts(folder)[0] == whereabouts(event.cwd)[0]
            waiting += [record] * folders[folder]
    return waiting


def _receipt(
    event: Event, injection: Injection, project: str, now_ms: int, started: float, **more: Any
) -> dict[str, Any]:
    return receipts.make_receipt(
        injection,
        prompt=receipts.shortened(event.prompt),
        host=event.host,
        project=project,
        session=event.session,
        event=ANSWERED[event.kind],
        source=_source(event),
        at_ms=now_ms,
        latency_ms=(time.perf_counter() - started) * 1000,
        entropy=os.urandom,
        **more,
    )


def _request(
    home: Home,
    reader: Reader,
    event: Event,
    waiting: Sequence[dict[str, Any]],
    *,
    is_degraded: bool,
) -> dict[str, Any] | None:
    """Return the arguments of a recall; None if the file or the start was injected before.

    `waiting` are the receipts that no drain has stored yet.
    """
    identity = identify(event.cwd)
    project = reader.projects.id_of(identity)
    tables, theirs = _tables(home.config), {}
    if identity.root:
        theirs = _tables(os.path.join(identity.root, PROJECT_FILE))
    preset_here = reader.projects.preset(project)
    yours = tables.get("recall", {})
    limits = RecallLimits.of_preset(yours, preset_here or tables.get("", {}).get("preset"))
    if theirs:
        preset = None if preset_here or "unproven" in yours else theirs.get("", {}).get("preset")
        limits = limits.tightened(theirs.get("recall", {}), preset)
    for name, values in theirs.items():  # a repository cannot switch anything on
        off = {key: value for key, value in values.items() if value is False}
        tables[name] = {**tables.get(name, {}), **off}
    if (ceiling := reader.projects.ceiling(project)) is not None:
        limits = limits.with_ceiling(ceiling)
    limits = limits.degraded() if is_degraded else limits
    files = _files(reader, event, identity, waiting)
    chosen = _fix(reader, project, event.command) if event.command else None
    if event.kind == wire.TOOL_STARTING and not (files or chosen):
        return None  # once per file and session
    pending = [row for receipt in waiting for row in receipts.injections_in(receipt)]
    if event.kind == wire.OPENING and not event.late:
        starts = [*reader.receipts.starts(project, event.session), *pending]
        if not receipts.is_start_due(starts):
            return None
    received = [*reader.receipts.injected(project, event.session), *pending]
    moment = ANSWERED[event.kind]
    existing = receipts.context_in(received, event.agent_id)
    if event.kind == wire.SESSION_STARTED and receipts.is_start_again(
        received, moment, reader.now_ms
    ):
        existing = receipts.EMPTY_CONTEXT
    if event.late:  # sessions that ended since then are summed up, too
        existing = existing._replace(start_ms=int(event.late) - LATE_MS)
    request = ""
    if receipts.asks_to_record(existing, moment, _source(event)):
        request = request_for(reader, project, event.session, tables)
    role = None
    if event.role:
        from ..core.values import role_of

        role = role_of(event.role)
    is_asked = event.kind == wire.SUBAGENT_STARTED and not event.prompt
    return {
        "project": project,
        "limits": limits,
        "now_ms": reader.now_ms,
        "host": event.host,
        "session": event.session,
        "files": files,
        "event": moment,
        "source": _source(event),
        "role": role,
        "session_context": existing,
        "request": request,
        "chosen": take(home, event) if is_asked else chosen,
        "folder": event.cwd,
        "root": identity.root,
    }


def reset(home: Home, event: Event) -> dict[str, Any] | None:
    """Return the receipt of a delayed start injection, if the session begins again with it."""
    started = time.perf_counter()
    now_ms = time.time_ns() // 1_000_000
    is_again = receipts.begins_again(ANSWERED[event.kind], _source(event))
    reader = open_reader(home, now_ms) if is_again else None
    if reader is None:
        return None
    try:
        project = reader.projects.id_of(identify(event.cwd))
    finally:
        reader.close()
    return _receipt(event, NOTHING, project, now_ms, started)


def _source(event: Event) -> str:
    """Return the kind of a session's start, or the subagent's id; else ""."""
    if event.late:
        return "continued"
    return event.detail if event.kind == wire.SESSION_STARTED else event.agent_id


def _waiting(home: Home, event: Event) -> list[dict[str, Any]]:
    """Return the receipts of this session that no drain has brought into the store yet.

    Looks at the end of each file of the spool, and into the lines that name the session only.
    """
    matches: list[dict[str, Any]] = []
    mark = dumps_ascii(event.session).encode("ascii")
    for path in spool.paths(home):
        try:
            with open(path, "rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(size - SPOOL_BYTES, 0))
                lines = file.read().split(b"\n")
        except OSError:
            continue
        for line in lines:
            if b'"receipt"' not in line or mark not in line:
                continue
            record = spool.decode(line)
            if record and record["kind"] == spool.RECEIPT and record["session"] == event.session:
                matches.append(record["receipt"])
    return matches


def _files(
    reader: Reader, event: Event, identity: Identity, waiting: Sequence[Mapping[str, Any]]
) -> tuple[str, ...]:
    """Return the files that the answer is about, those of the project by their path in it.

    Those that a tool is about to touch and that were not injected yet; else those that the session
    touched last.
    """
    if event.kind != wire.TOOL_STARTING:
        return tuple(touched.active_files(reader.connection, event.session))
    injected = touched.files_injected(reader.connection, event.session, event.agent_id)
    injected.update(
        path
        for receipt in waiting
        if receipt["event"] == ANSWERED[wire.TOOL_STARTING]
        and (receipt.get("source") or "") == event.agent_id
        for path in touched.files_of(receipt.get("about"))
    )
    root = f"{identity.root}{os.sep}" if identity.root else os.sep
    whole = (os.path.realpath(os.path.join(event.cwd, path)) for path in event.files)
    named = dict.fromkeys(path.removeprefix(root) for path in whole)
    return tuple(path for path in named if path not in injected)


def _fix(reader: Reader, project: str, command: str) -> tuple[str, ...]:
    """Return the id of the memory with a fix of such a command, if there is one.

    The very command comes before others of the same program, and the newest first.
    """
    from ..core.recall.start import held_back_because  # few commands get as far as this
    from ..core.text.words import program_of, steps_of

    steps = steps_of(command)
    programs = set(map(program_of, steps))
    fixes = [
        item
        for item in touched.fixes(reader.connection, command, project)
        if program_of(item[1]) in programs
    ]
    fixes.sort(key=lambda item: item[1] not in steps)
    images = reader.images([num for num, _ in fixes[:MAX_FIXES]])
    return tuple(
        image["id"]
        for image in images
        if image["degree"] == "person" or not held_back_because(image["content"], "agent")
    )[:1]


def _recall(reader: Reader, prompt: str, limit_bytes: int, **request: Any) -> Injection:
    """Return the injection, made again with less space while its bytes exceed the host's limit.

    The pipeline counts UTF-16 units; letters outside ASCII take up to three bytes each.
    """
    limits: RecallLimits = request.pop("limits")
    units = min(limits.max_output_units, limit_bytes)
    for _ in range(_ROUNDS):
        limits = replace(limits, max_output_units=units)
        injection = recall(reader, prompt, limits=limits, **request)
        size = len(injection.text.encode("utf-8", "replace"))
        if size <= limit_bytes:
            break
        used = len(injection.text.encode("utf-16-le", "replace")) // 2
        units = used * limit_bytes // size - 1
    return injection


def _tables(path: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a settings file by name, top-level settings under "".

    Unreadable ones count as not set.
    """
    if not os.path.isfile(path):
        return {}
    import tomllib

    try:
        with open(path, "rb") as file:
            values = tomllib.loads(file.read().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    tables = {name: value for name, value in values.items() if isinstance(value, dict)}
    return {**tables, "": {name: values[name] for name in values.keys() - tables.keys()}}


class _Bounded:
    """Stop the block after `PATIENCE_S`, if the platform has the alarm."""

    def __enter__(self) -> None:
        self._before: Any = None
        try:
            self._before = signal.signal(signal.SIGALRM, _give_up)
        except (AttributeError, ValueError):  # Windows; or not the main thread, as in a test
            return
        signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)


def _give_up(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError("recall took too long")


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")


def request_for(
    reader: Reader, project: str, session: str, tables: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return the request to record for a new session; "" if settings or switches forbid it.

    `tables` are those of the settings files, top-level settings under "".
    """
    if tables.get("capture", {}).get("learn") is False:
        return ""
    if tables.get("", {}).get("auto_memory") is False:
        return ""
    if not session or not reader.projects.is_recorded(project, session):
        return ""
    home = os.environ.get("MEMDECK_HOME")
    position = _quoted(os.path.abspath(os.path.expanduser(home))) if home else ""
    return recording_request(_quoted(_program()), _quoted(session), position)


def reminder(home: Home, event: Event) -> str:
    """Return the request to record for a session's end of turn, once in a session.

    "" if `record.nudge` or another setting says no, or if the session has recorded something.
    """
    tables, identity = _tables(home.config), identify(event.cwd)
    theirs = _tables(os.path.join(identity.root, PROJECT_FILE)) if identity.root else {}
    is_off = theirs.get("capture", {}).get("learn") is False
    is_off = is_off or theirs.get("", {}).get("auto_memory") is False
    reader = open_reader(home, time.time_ns() // 1_000_000)
    if reader is None:
        return ""
    try:
        request = request_for(reader, reader.projects.id_of(identity), event.session, tables)
        text = "SELECT 1 FROM recording WHERE session = ? AND id NOT LIKE 'model-%'"
        has_recorded = reader.connection.execute(text, (event.session,)).fetchone()
    finally:
        reader.close()
    is_wanted = tables.get("record", {}).get("nudge") == "long" and not is_off
    if not (is_wanted and request) or has_recorded:
        return ""
    with open(os.path.join(home.log, "reminded"), "ab+") as file:
        mark = f"{event.host} {event.session}\n".encode()
        file.seek(0)
        if mark in file.read():
            return ""
        file.write(mark)
    return request


def _program() -> str:
    """Return `memdeck` if a shell finds it, else its path beside us."""
    name = "memdeck.exe" if sys.platform == "win32" else "memdeck"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, name), os.X_OK):
            return "memdeck"
    started = sys.argv[0] if sys.argv[0] != "-c" else ""  # the drain's, which started the hook
    for beside in (started, sys.executable):
        if not beside:
            continue
        path = os.path.join(os.path.dirname(os.path.abspath(beside)), name)
        if os.access(path, os.X_OK):
            return path
    return "memdeck"


def _quoted(word: str) -> str:
    """`word` as one word of a shell."""
    if word and _PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


KEPT_MS = 10 * 60 * 1000  # how long a start is waited for: a tool call that was refused has none

MOST_BYTES = 64 * 1024


def keep(home: Home, event: Event, memories: Sequence[str]) -> None:
    """Note the `memories` that match the task of `event`, best first; delete old notes."""
    folder = os.path.join(home.spool, "tasks")
    refuse_link(home.spool)
    refuse_link(folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for path, is_old in _notes(home):
        if is_old:
            _taken(path)
    path = os.path.join(folder, f"{time.time_ns():020x}{os.urandom(4).hex()}.json")
    note = {"session": event.session, "role": event.role, "memories": list(memories)}
    create_private(f"{path}.new")
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(dumps_ascii(note))
    os.replace(f"{path}.new", path)  # a concurrent reader sees a whole file


def take(home: Home, event: Event) -> tuple[str, ...] | None:
    """Return the memories noted for the subagent that starts with `event`; None without a task.

    Of several waiting notes of its kind, the first one.
    """
    for path, is_old in _notes(home):
        if is_old:
            continue
        try:
            with open(path, "rb") as file:
                note = loads(file.read(MOST_BYTES).decode())
            is_its = note["session"] == event.session and note["role"] in ("", event.role)
            if is_its and _taken(path):
                return tuple(str(item) for item in note["memories"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def _notes(home: Home) -> list[tuple[str, bool]]:
    """Return the paths of the notes, oldest first, each with whether it is too old."""
    folder, now = os.path.join(home.spool, "tasks"), time.time_ns()
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        limit = f"{now - KEPT_MS * 1_000_000:020x}"
        return [(os.path.join(folder, name), name < limit) for name in names]
    except OSError:
        return []


def _taken(path: str) -> bool:
    """Return True if this process deleted the note: of several that start at once one does."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
