"""What is wrong with this installation, and what mends it. Looking changes nothing."""

from __future__ import annotations

import contextlib
import os
import shlex
import stat
import time
from collections.abc import Callable

from ..core.agents import Finding
from ..core.compat import MemoryCoordinator
from ..core.config.settings import files_of, problems_in
from ..core.extractions import FAILURES, Extracted, ExtractorState, told, told_pairs
from ..core.judgement.weights import DamagedWeights, salience_model
from ..core.judgements import STATUS_WORDS
from ..core.projects import identify
from ..core.retrieval.slo import describe, judge
from ..db import journal
from ..db.connection import mapped_errors
from ..db.errors import BadInput, ManagerError
from ..db.fast_reader import open_reader
from ..db.home import SCHEMA, Home
from ..db.journal import torn_files
from ..db.verify import damage
from . import claims, detach, doctor_agents, log, spool

WAL_LIMIT_BYTES = 64 * 1024 * 1024
"""A write-ahead log above this means that somebody reads without pause."""

RECENT_S = 24 * 3600
"""An error of a hook counts as present for so long."""

OVERDUE_S = 3600
"""A record that waits longer than this was forgotten by every drain."""


def examine(home: Home, project_dir: str | None = None) -> list[Finding]:
    """Everything we can check without changing it, the store first.

    `project_dir` is the project whose settings are read.
    """
    now = time.time()
    found = [*_guarded(lambda: _home(home)), *_guarded(lambda: _database(home))]
    checks: list[Callable[[], list[Finding]]] = [
        lambda: _settings(home, project_dir),
        _weights,
        lambda: _write_ahead_log(home),
        lambda: _spool(home, now),
        lambda: _failed(home),
        lambda: _hook_errors(home, now),
        lambda: doctor_agents.findings(doctor_agents.survey(home, project_dir, now)),
    ]
    if all(finding.ok for finding in found if finding.name == "store"):
        in_it = (lambda: _journal(home), lambda: _store(home, project_dir))
        checks = [*in_it, lambda: _recall(home, now), *checks]
    return found + [finding for check in checks for finding in _guarded(check)]


def _guarded(check: Callable[[], list[Finding]]) -> list[Finding]:
    """What `check` finds; what keeps it from looking is a finding too."""
    try:
        with mapped_errors():
            return check()
    except ManagerError as error:
        return [Finding("store", False, str(error), error.hint)]
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return [Finding("files", False, f"{where}{error.strerror}", "Check the permissions.")]
    except (ValueError, TypeError, LookupError) as error:  # a row holds what nobody wrote there
        message = f"A value in the database cannot be read ({type(error).__name__})."
        return [Finding("store", False, message, "Run `memdeck verify`, which names the row.")]


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
    with contextlib.closing(reader):
        if journal.is_behind(home, reader.connection):
            mend = "Nothing to do: the next command that opens the store applies them."
            return [Finding("journal", False, "It holds changes that the tables lack.", mend)]
    said = "Journal and tables are in step."
    if torn := len(torn_files(home)):
        said += f" Torn in a crash and never acknowledged: {torn}, kept as journal/torn-*.bin."
    return [Finding("journal", True, said)]


def _database(home: Home) -> list[Finding]:
    """Whether the database can be used at all, and what brings it back; nothing when it can."""
    path = home.database
    try:
        is_empty, is_file = not os.stat(path).st_size, os.path.isfile(path)
    except FileNotFoundError:
        is_empty, is_file = True, True
    if not is_file:
        mend = f"Move it away, then run `memdeck rebuild`{_as_far_as(home)}"
        return [Finding("store", False, f"{path} is no file.", mend)]
    if is_empty:
        if journal.last(home) == (0, 0):
            return []
        what = "is empty" if os.path.exists(path) else "is missing"
        message = f"{path} {what}, and the journal holds what was in it."
        return [Finding("store", False, message, "Run `memdeck rebuild`.")]
    if not os.access(path, os.R_OK):
        mend = f"chmod u+rw {shlex.quote(path)}"
        return [Finding("store", False, f"{path} cannot be read.", mend)]
    if why := damage(home):
        mend = f"Run `memdeck rebuild`{_as_far_as(home)}"
        return [Finding("store", False, f"The database is damaged: {why.rstrip('.')}.", mend)]
    return []


def _as_far_as(home: Home) -> str:
    """What a rebuild brings back, as the end of a sentence."""
    if journal.last(home) == (0, 0):
        return (
            "; but the journal is empty, so that nothing would come back: first put a copy"
            f" of {home.journal} there, if you have one."
        )
    return ": the journal brings everything back."


def _store(home: Home, project_dir: str | None) -> list[Finding]:
    if not os.path.exists(home.database):
        return [Finding("store", True, "Nothing has been stored yet.")]
    with MemoryCoordinator.open(home, project_dir) as memory:
        count = sum(project.memories for project in memory.projects())
        count += memory.count("scope:global")  # these belong to no project
        memories = "1 memory" if count == 1 else f"{count:,} memories"
        message = f"It opens, with schema {SCHEMA} and {memories}."
        if memory.is_read_only:
            message += " From here it can only be read."
        told = [
            Finding("journal", True, f"At the opening: {problem}.")
            for problem in memory.problems_at_opening()
        ]
        with contextlib.suppress(BadInput):  # settings nobody can read are a finding of their own
            told += _upkeep(memory)
        return [*told, Finding("store", True, message)]


def _upkeep(memory: MemoryCoordinator) -> list[Finding]:
    """What works on the store by itself. Raises BadInput for settings that cannot be read."""
    found = [*_extractor(memory.extractor.state()), *_reviewers(memory)]
    if held_back := memory.maintenance.held_back():
        found.append(Finding("clock", False, held_back, "If it is right, do nothing."))
    if hindrance := memory.services.staleness.hindrance():
        found.append(Finding("git", False, hindrance, "See that `git log` answers there."))
    return found


def _extractor(state: ExtractorState) -> list[Finding]:
    """Whether the model that reads sessions can be asked, and answered when it was last."""
    if not state.is_on:
        return []
    if state.problem:
        mend = "Mend it in config.toml, or choose another: `memdeck extract --use NAME`."
        return [Finding("extractor", False, state.problem, mend)]
    for call in (state.last, state.last_pairs):
        if call is not None and call.status in FAILURES:
            said = told(call) if isinstance(call, Extracted) else told_pairs(call)
            message = f"The last call of {call.engine}: {said}"
            mend = f"{_mend_of(call.status, 'extractor')} `memdeck extract ID` tries a session."
            return [Finding("extractor", False, message, mend)]
    return [Finding("extractor", True, f"A model is asked: {state}.")]


def _reviewers(memory: MemoryCoordinator) -> list[Finding]:
    """The reviewers whose model came to nothing of late, time after time."""
    return [
        Finding(
            "reviewers",
            False,
            f"{vote.reviewer} asks {vote.engine}; of late: {STATUS_WORDS[vote.status]}:"
            f" {vote.reason}",
            f"{_mend_of(vote.status, 'review')} The next capture tries it.",
        )
        for vote in memory.services.review.broken_reviewers()
    ]


def _mend_of(status: str, table: str) -> str:
    if status == "timeout":
        return f"Give it longer, `timeout_s` of `[{table}]` in config.toml, or mend the engine."
    return "Mend the engine in config.toml, or what it starts."


def _settings(home: Home, project_dir: str | None) -> list[Finding]:
    root = identify(project_dir or os.getcwd()).root
    problems = problems_in(files_of(home.config, root))
    if not problems:
        return [Finding("settings", True, "They can be read.")]
    return [Finding("settings", False, one.message, one.hint) for one in problems]


def _weights() -> list[Finding]:
    """Whether what judges a session's sentences is as it was shipped."""
    try:
        salience_model()
    except DamagedWeights as error:
        message = f"{error} Until then less is kept from sessions, or told apart, than could be."
        return [Finding("judgement", False, message, error.hint)]
    return [Finding("judgement", True, "The weights that judge what is kept are whole.")]


def _recall(home: Home, now: float) -> list[Finding]:
    """Whether recall is quick enough."""
    reader = open_reader(home, int(now * 1000))
    if reader is None:
        return []
    with contextlib.closing(reader):
        health = judge(*reader.receipts.latencies())
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
    if torn := sum(spool.read_file(path)[1] for path in spool.paths(home)):
        message = f"{message} {torn} lines are torn: what they noted is lost."
        return [Finding("spool", False, message, "Run `memdeck drain`.", "drain")]
    return [Finding("spool", True, message)]


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
    recent = [line for line in lines if line[:20] >= since and not line.endswith(log.PUT_BACK)]
    if recent:
        message = f"The last error of a hook: {recent[-1]}"
        return [Finding("hooks", False, message, f"See {log.path_of(home)}.")]
    return [Finding("hooks", True, "No errors in the last day.")]
