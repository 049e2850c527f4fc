"""What is wrong with this installation, and what mends it. Looking changes nothing."""

from __future__ import annotations

import os
import shlex
import stat
import time
from collections.abc import Callable

from ..core.agents import Finding
from ..core.coordinator import MemoryCoordinator
from ..core.policy import Policy
from ..core.settings import load_policy
from ..core.slo import describe, judge
from ..db.errors import BadInput, ManagerError
from ..db.home import Home
from ..db.migrations import LATEST
from ..db.reader import is_behind, open_reader
from . import claims, detach, doctor_agents, log, spool

WAL_LIMIT_BYTES = 64 * 1024 * 1024
"""A write-ahead log above this means that somebody reads without pause."""

RECENT_S = 24 * 3600
"""An error of a hook counts as present for so long."""

OVERDUE_S = 3600
"""A record that waits longer than this was forgotten by every drain."""


def examine(
    home: Home, project_dir: str | None = None, now_s: float | None = None
) -> list[Finding]:
    """Everything we can check without changing it, the store first.

    `now_s` is the time in seconds since 1970; `project_dir` the project whose settings are read.
    """
    now = time.time() if now_s is None else now_s
    checks: list[Callable[[], list[Finding]]] = [
        lambda: _home(home),
        lambda: _journal(home),
        lambda: _store(home, project_dir),
        lambda: _recall(home, now),
        lambda: _write_ahead_log(home),
        lambda: _spool(home, now),
        lambda: _failed(home),
        lambda: _hook_errors(home, now),
        lambda: doctor_agents.findings(doctor_agents.survey(home, project_dir, now)),
    ]
    return [finding for check in checks for finding in _guarded(check)]


def _guarded(check: Callable[[], list[Finding]]) -> list[Finding]:
    """What `check` finds; what keeps it from looking is a finding too."""
    try:
        return check()
    except ManagerError as error:
        return [Finding("store", False, str(error), error.hint)]
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return [Finding("files", False, f"{where}{error.strerror}", "Check the permissions.")]


def _home(home: Home) -> list[Finding]:
    if os.path.isfile(home.path):
        mend = "Move it away, or point MEMDECK_HOME elsewhere."
        return [Finding("home", False, f"{home.path} is a file.", mend)]
    if not os.path.isdir(home.path):
        return [Finding("home", True, f"{home.path} does not exist yet.")]
    loose = open_to_others(home)
    if loose:
        shown = ", ".join(os.path.relpath(path, home.path) for path in loose[:5])
        mend = f"chmod -R go= {shlex.quote(home.path)}"
        message = f"Others can read {len(loose)} files: {shown}."
        return [Finding("home", False, message, mend, "permissions")]
    return [Finding("home", True, f"{home.path} is private.")]


def open_to_others(home: Home) -> list[str]:
    """Folders and files of the home that somebody else can read or write."""
    return [path for path in _private_paths(home.path) if _is_open_to_others(path)]


def _private_paths(top: str) -> list[str]:
    found = [top]
    for folder, folders, files in os.walk(top):
        found += [os.path.join(folder, name) for name in (*folders, *files)]
    return found


def _is_open_to_others(path: str) -> bool:
    try:
        return bool(stat.S_IMODE(os.lstat(path).st_mode) & 0o077) and not os.path.islink(path)
    except FileNotFoundError:
        return False


def _journal(home: Home) -> list[Finding]:
    """Before the store is opened, which would bring the tables up to the journal."""
    reader = open_reader(home, 0)
    if reader is None:
        return []
    try:
        if is_behind(home, reader):
            mend = "Nothing to do: the next command that opens the store applies them."
            return [Finding("journal", False, "It holds changes that the tables lack.", mend)]
    finally:
        reader.close()
    return [Finding("journal", True, "Journal and tables are in step.")]


def _store(home: Home, project_dir: str | None) -> list[Finding]:
    if not os.path.exists(home.database):
        own = _settings(lambda: load_policy([home.config]))
        return [Finding("store", True, "Nothing has been stored yet."), own]
    with MemoryCoordinator.open(home, project_dir) as memory:
        count = sum(project.memories for project in memory.projects())
        count += memory.count("scope:global")  # these belong to no project
        memories = "1 memory" if count == 1 else f"{count:,} memories"
        opens = Finding("store", True, f"It opens, with schema {LATEST} and {memories}.")
        return [opens, _settings(lambda: memory.policy)]


def _settings(read: Callable[[], Policy]) -> Finding:
    try:
        read()
    except BadInput as error:
        message = f"{str(error).rstrip('.')}. Nothing is captured until then."
        return Finding("settings", False, message, error.hint)
    return Finding("settings", True, "They can be read.")


def _recall(home: Home, now: float) -> list[Finding]:
    """Whether recall is quick enough (002-34)."""
    reader = open_reader(home, int(now * 1000))
    if reader is None:
        return []
    try:
        health = judge(*reader.latencies())
    finally:
        reader.close()
    message = f"Recall: {describe(health)}."
    if not health.is_degraded:
        return [Finding("recall", True, message)]
    mend = "Nothing, if the machine was busy: it recovers. Else see `memdeck status` for the size."
    return [Finding("recall", False, message, mend)]


def _write_ahead_log(home: Home) -> list[Finding]:
    try:
        size = os.stat(home.database + "-wal").st_size
    except FileNotFoundError:
        return []
    message = f"The write-ahead log has {-(-size // 1000):,} kB."
    if size <= WAL_LIMIT_BYTES:
        return [Finding("write-ahead log", True, message)]
    mend = "Close programs that keep the store open; the last one to close it folds the log in."
    return [Finding("write-ahead log", False, message, mend)]


def _spool(home: Home, now: float) -> list[Finding]:
    waiting = spool.read_spool(home)
    running = "a drain is running" if detach.is_draining(home) else "no drain is running"
    message = f"{len(waiting)} records wait, {running}."
    if any(now - record["at"] / 1000 > OVERDUE_S for record in waiting):
        return [Finding("spool", False, message, "Run `memdeck drain`.", "drain")]
    if torn := sum(spool.read_file(path)[1] for path in _spool_files(home)):
        message = f"{message} {torn} lines are torn: what they noted is lost."
        return [Finding("spool", False, message, "Run `memdeck drain`.", "drain")]
    return [Finding("spool", True, message)]


def _spool_files(home: Home) -> list[str]:
    return [*spool.claimed_paths(home), spool.path_of(home)]


def _failed(home: Home) -> list[Finding]:
    lost = claims.failed(home)
    if not lost:
        return [Finding("failed records", True, "None.")]
    message = f"{len(lost)} records could not be used; the last: {lost[-1]['why']}."
    mend = f"See {claims.failed_folder(home)}; delete what you do not need."
    return [Finding("failed records", False, message, mend)]


def _hook_errors(home: Home, now: float) -> list[Finding]:
    lines = log.last_errors(home)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - RECENT_S))
    recent = [line for line in lines if line[:20] >= since]
    if recent:
        message = f"The last error of a hook: {recent[-1]}"
        return [Finding("hooks", False, message, f"See {log.path_of(home)}.")]
    return [Finding("hooks", True, "No errors in the last day.")]
