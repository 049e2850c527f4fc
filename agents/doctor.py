"""What is wrong with this installation, and how to fix it. Looking changes nothing."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import stat
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ..core.agents import HOSTS, NAMES, AgentState, EventMark, Finding, Host, Scope
from ..core.compat import MemoryCoordinator
from ..core.config.policy import EVENTS
from ..core.config.settings import files_of, problems_in
from ..core.judgement.weights import DamagedWeights, salience_model
from ..core.judgements import STATUS_WORDS
from ..core.projects import identify, program_outside
from ..core.recall.receipt import describe, judge, percentile_95
from ..core.services import sources
from ..core.services.extractor_state import FAILURES, ExtractorState, describe_call
from ..db import journal
from ..db.connection import mapped_errors
from ..db.errors import BadInput, ManagerError, Refused, StoreUnusable
from ..db.fast_reader import open_reader
from ..db.home import SCHEMA, Home, foreign, not_ours
from ..db.journal import torn_files
from ..db.rebuild import damage, rebuild, verify
from ..db.store import Store
from ..hosts import install, settings
from ..hosts.install import HookStatus, Installer, host_of
from ..hosts.wire import mapping
from . import drain, spool
from .drain import drain_spool
from .main import heartbeats

if TYPE_CHECKING:
    from ..core.agents import AgentState, Finding, Host, Scope

WAL_LIMIT_BYTES = 64 * 1024 * 1024
"""A write-ahead log above this means that somebody reads without pause."""

RECENT_S = 24 * 3600
"""An error of a hook counts as present for so long."""

OVERDUE_S = 3600
"""A record that waits longer than this was forgotten by every drain."""


def examine(
    home: Home, project_dir: str | None = None, *, with_agents: bool = True
) -> list[Finding]:
    """Everything we can check without changing it, the store first.

    `project_dir` is the project whose settings are read.
    """
    now = time.time()
    matches = [*_guarded(lambda: _home(home)), *_guarded(lambda: _database(home))]
    checks: list[Callable[[], list[Finding]]] = [
        lambda: _settings(home, project_dir),
        lambda: remembered_here(project_dir),
        _weights,
        lambda: _write_ahead_log(home),
        lambda: _spool(home, now),
        lambda: _failed(home),
        lambda: _hook_errors(home, now),
    ]
    if with_agents:
        checks.append(lambda: findings(survey(home, project_dir, now)))
    if all(finding.ok for finding in matches if finding.name == "store"):
        matches += _guarded(lambda: _journal(home))
        checks.insert(0, lambda: _recall(home, now))
        if not any(finding.fix == "rebuild" for finding in matches):  # opening would repair it
            checks.insert(0, lambda: _store(home, project_dir))
    return matches + [finding for check in checks for finding in _guarded(check)]


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
        advice = "Move it away, or point MEMDECK_HOME elsewhere."
        return [Finding("home", False, f"{home.path} is a file.", advice)]
    if not os.path.isdir(home.path):
        return [Finding("home", True, f"{home.path} does not exist yet.")]
    matches = [Finding("home", False, *about) for about in _about_the_place(home)]
    loose = open_to_others(home)
    if loose:
        visible = ", ".join(os.path.relpath(path, home.path) for path in loose[:5])
        advice = f"chmod -R go= {shlex.quote(home.path)}"
        message = f"Others can read {len(loose)} files: {visible}."
        matches.append(Finding("home", False, message, advice, "permissions"))
    return matches or [Finding("home", True, f"{home.path} is private.")]


SPARE_BYTES = 16 * 1024 * 1024
"""Less free space than this is reported: some sessions later nothing can be written."""


def _about_the_place(home: Home) -> Iterator[tuple[str, str]]:
    """What is wrong with where the home lies, and what to do about it."""
    move = "Move it to a folder of this machine alone, and set MEMDECK_HOME to that."
    if folder := synced_by(home.path):
        message = f"{home.path} is in {folder}, which another program syncs: that can damage it."
        yield message, f"{move} `memdeck export` makes a copy that can be synced."
    if kind := network_type(home.path):
        yield f"{home.path} is on a network drive ({kind}), where locks cannot be relied on.", move
    if path := foreign(home):
        error = not_ours(path)
        yield str(error), error.hint
    free = shutil.disk_usage(home.path).free
    if free < SPARE_BYTES:
        yield (
            f"The disk of {home.path} is full: {free // 1000:,} kB are free. What is stored can be"
            " read. Nothing new is kept.",
            "Free some space.",
        )


SYNCED = re.compile(
    r"(?:(?i:dropbox|onedrive|google ?drive|my drive|icloud ?drive|mobile documents|cloudstorage"
    r"|nextcloud|owncloud|seafile|syncthing|resilio sync|megasync|pcloud ?drive|box sync"
    r"|yandex\.disk|synologydrive|jottacloud|tresorit|proton ?drive|insync|koofr|cloud ?drive"
    r"|kdrive|creative cloud files)|Box|MEGA|Sync)(?: - .*| \(.*\)|-\S+@\S+)?"
)
"""Names of the folders that programs keep in step with other machines."""

_SYNC_MARKS = (
    ".stfolder", ".dropbox", ".owncloudsync.log", ".sync", ".sync.ffs_db", ".seafile-data"
)  # fmt: skip

NETWORKED = re.compile(
    r"nfs\d?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|davfs\d?|ncpfs|ocfs2|gfs2|beegfs"
    r"|vboxsf|vmhgfs|prl_fs|drvfs|fuse\.(sshfs|rclone|s3fs|gcsfuse|davfs2?|vmhgfs-fuse"
    r"|gvfsd-fuse|glusterfs|ceph\S*|juicefs|smbnetfs|curlftpfs|osxfs|portal)"
)
"""Types of file systems whose locks and shared memory SQLite's write-ahead log cannot rely on."""


def synced_by(path: str) -> str:
    """Return the folder above a home that another program syncs; "" if none is known to be."""
    folder, below = os.path.realpath(path), ""
    while folder != below:
        if SYNCED.fullmatch(os.path.basename(folder)) or any(
            os.path.exists(os.path.join(folder, mark)) for mark in _SYNC_MARKS
        ):
            return folder
        folder, below = os.path.dirname(folder), folder
    return ""


def network_type(path: str, mounts: str = "/proc/self/mounts") -> str:
    """Return the type of the network file system that a home is on; "" on a disk of this machine.

    Only Linux lists its mounts in a file. A path on Windows that begins with two backslashes is
    one of a server.
    """
    path = os.path.realpath(path)
    if path.startswith("\\\\"):
        return "a server's share"
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            rows = [line.split(" ") for line in file if line.count(" ") > 2]
    except OSError:
        return ""
    folders = [(row[1].replace("\\040", " "), row[2]) for row in rows]
    above = [item for item in folders if f"{path}/".startswith(item[0].rstrip("/") + "/")]
    kind = max(enumerate(above), key=lambda item: (len(item[1][0]), item[0]))[1][1] if above else ""
    return kind if NETWORKED.fullmatch(kind) else ""


def open_to_others(home: Home) -> list[str]:
    """Folders and files of the home that somebody else can read or write."""
    return [path for path in _private_paths(home.path) if _is_open_to_others(path)]


def _private_paths(top: str) -> list[str]:
    matches = [top]
    for folder, folders, files in os.walk(top):
        matches += [os.path.join(folder, name) for name in (*folders, *files)]
    return matches


def _is_open_to_others(path: str) -> bool:
    try:
        return bool(stat.S_IMODE(os.lstat(path).st_mode) & 0o077) and not os.path.islink(path)
    except FileNotFoundError:
        return False


COMPARED_BYTES = 64 * 1024 * 1024
"""Up to this size of the journal each row is compared with it; above, only its chain is read."""


def _journal(home: Home) -> list[Finding]:
    """Compare journal and tables, before the store is opened, which would repair either."""
    reader = open_reader(home, 0)
    if reader is None:
        return []
    with contextlib.closing(reader):
        if journal.is_behind(home, reader.connection):
            advice = "Nothing to do: the next command that opens the store applies them."
            return [Finding("journal", False, "It holds changes that the tables lack.", advice)]
    problems, text = list[str](), "Journal and tables are in step."
    with contextlib.closing(Store(home, is_examined=False)) as store:
        if sum(size for size, _ in journal.stamps(home).values()) <= COMPARED_BYTES:
            problems += verify(store).problems
        else:
            text = "The journal's chain is whole. `memdeck verify` compares each row with it."
            if problem := journal.chain_problem(home, store.position()):
                problems.append(problem)
    if problems:
        more = f" And {len(problems) - 1:,} more." if len(problems) > 1 else ""
        advice = "Run `memdeck rebuild`, which repairs the journal and the tables from each other."
        return [Finding("journal", False, f"{problems[0]}.{more}", advice, "rebuild")]
    if torn := len(torn_files(home)):
        text += f" Damaged or never acknowledged lines: {torn}, kept as journal/torn-*.bin."
    return [Finding("journal", True, text)]


def _database(home: Home) -> list[Finding]:
    """Whether the database can be used at all, and what brings it back; nothing when it can."""
    path = home.database
    try:
        is_empty, is_file = not os.stat(path).st_size, os.path.isfile(path)
    except FileNotFoundError:
        is_empty, is_file = True, True
    if not is_file:
        advice = f"Move it away, then run `memdeck rebuild`{_as_far_as(home)}"
        return [Finding("store", False, f"{path} is no file.", advice)]
    if is_empty:
        if journal.last(home) == (0, 0):
            return []
        what = "is empty" if os.path.exists(path) else "is missing"
        message = f"{path} {what}, and the journal holds what was in it."
        return [Finding("store", False, message, "Run `memdeck rebuild`.")]
    if unreadable := foreign(home):
        error = not_ours(unreadable)
        return [Finding("store", False, str(error), error.hint)]
    if why := damage(home):
        advice = f"Run `memdeck rebuild`{_as_far_as(home)}"
        message = f"The database is damaged: {why.rstrip('.')}."
        return [Finding("store", False, message, advice, "rebuild")]
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
        details = [
            Finding("journal", True, f"At the opening: {problem}.")
            for problem in memory.problems_at_opening()
        ]
        with contextlib.suppress(BadInput):  # settings nobody can read are a finding of their own
            details += _upkeep(memory)
        for item in memory.services.projects.alike():
            advice = f"If it is the same: memdeck project join {item.project.id}"
            words = f"This looks like {item.project.name}, which {item.reason}."
            details.append(Finding("project", True, words, advice))
        return [*details, Finding("store", True, message)]


def _upkeep(memory: MemoryCoordinator) -> list[Finding]:
    """What works on the store by itself. Raises BadInput for settings that cannot be read."""
    matches = [*_extractor(memory.extractor.state()), *_reviewers(memory)]
    if held_back := memory.maintenance.held_back():
        matches.append(Finding("clock", False, held_back, "If it is right, do nothing."))
    if hindrance := memory.services.staleness.hindrance():
        matches.append(Finding("git", False, hindrance, "See that `git log` answers there."))
    return matches


def _extractor(state: ExtractorState) -> list[Finding]:
    """Whether the model that reads sessions can be asked, and answered when it was last."""
    if not state.is_on:
        return []
    if state.problem:
        advice = "Correct it in config.toml, or choose another: `memdeck extract --use NAME`."
        return [Finding("extractor", False, state.problem, advice)]
    call = state.last
    if call is not None and call.status in FAILURES:
        message = f"The last call of {call.engine}: {describe_call(call)}"
        advice = f"{_advice_for(call.status, 'extractor')} `memdeck extract ID` tries a session."
        return [Finding("extractor", False, message, advice)]
    return [Finding("extractor", True, f"A model is asked: {state}.")]


def _reviewers(memory: MemoryCoordinator) -> list[Finding]:
    """The reviewers whose model came to nothing of late, time after time."""
    return [
        Finding(
            "reviewers",
            False,
            f"{vote.reviewer} asks {vote.engine}; of late: {STATUS_WORDS[vote.status]}:"
            f" {vote.reason}",
            f"{_advice_for(vote.status, 'review')} The next capture tries it.",
        )
        for vote in memory.services.review.broken_reviewers()
    ]


def _advice_for(status: str, table: str) -> str:
    if status == "timeout":
        return f"Give it longer, `timeout_s` of `[{table}]` in config.toml, or fix the engine."
    return "Mend the engine in config.toml, or what it starts."


def reports_of(project_dir: str | None) -> list[sources.SourceReport]:
    """What agents remember by themselves about the project, and its instruction files."""
    folder = os.path.abspath(project_dir or os.getcwd())
    return sources.reports(folder, identify(folder).root)


def remembered_here(project_dir: str | None) -> list[Finding]:
    """How much each agent remembers by itself about the project."""
    made = reports_of(project_dir)
    advice = "`memdeck sources` shows it." if any(report.notes for report in made) else ""
    return [Finding("own memories", True, text, advice) for text in sources.remembered(made)]


def _settings(home: Home, project_dir: str | None) -> list[Finding]:
    root = identify(project_dir or os.getcwd()).root
    problems = problems_in(files_of(home.config, root))
    if not problems:
        return [Finding("settings", True, "They can be read.")]
    return [Finding("settings", False, problem.message, problem.hint) for problem in problems]


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
    advice = "Nothing, if the machine was busy: it recovers. Else see `memdeck status`."
    return [Finding("recall", False, message, advice)]


def _write_ahead_log(home: Home) -> list[Finding]:
    try:
        size = os.stat(home.database + "-wal").st_size
    except FileNotFoundError:
        return []
    message = f"The write-ahead log has {-(-size // 1000):,} kB."
    if size <= WAL_LIMIT_BYTES:
        return [Finding("write-ahead log", True, message)]
    advice = "Close programs that keep the store open; the last one to close it folds the log in."
    return [Finding("write-ahead log", False, message, advice)]


def _spool(home: Home, now: float) -> list[Finding]:
    waiting = spool.read_spool(home)
    running = "a drain is running" if spool.is_draining(home) else "no drain is running"
    message = f"{len(waiting)} records wait, {running}."
    if any(now - record["at"] / 1000 > OVERDUE_S for record in waiting):
        return [Finding("spool", False, message, "Run `memdeck drain`.", "drain")]
    if torn := sum(spool.read_file(path)[1] for path in spool.paths(home)):
        message = f"{message} {torn} lines are torn: what they noted is lost."
        return [Finding("spool", False, message, "Run `memdeck drain`.", "drain")]
    return [Finding("spool", True, message)]


def _failed(home: Home) -> list[Finding]:
    lost = drain.failed(home)
    if not lost:
        return [Finding("failed records", True, "None.")]
    message = f"{len(lost)} records could not be used; the last: {lost[-1]['why']}."
    advice = f"See {drain.failed_folder(home)}; delete what you do not need."
    return [Finding("failed records", False, message, advice)]


def _hook_errors(home: Home, now: float) -> list[Finding]:
    lines = spool.last_errors(home)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - RECENT_S))
    recent = [line for line in lines if line[:20] >= since and not line.endswith(spool.PUT_BACK)]
    if recent:
        message = f"The last error of a hook: {recent[-1]}"
        return [Finding("hooks", False, message, f"See {spool.log_path(home)}.")]
    return [Finding("hooks", True, "No errors in the last day.")]


LOG_LINES = 1_000
"""Lines of the hooks' log in which an agent's last error is looked for."""


def survey(home: Home, project_dir: str | None, now_s: float | None = None) -> list[AgentState]:
    """Each host, seen from the project in `project_dir` (default: this folder)."""
    look = _Look(home, project_dir, time.time() if now_s is None else now_s)
    return [look.state(host) for host in HOSTS]


def findings(states: Sequence[AgentState]) -> list[Finding]:
    """What was looked at of each host; and that one at least is connected."""
    matches = [finding for state in states for finding in state.findings]
    if any(state.scopes for state in states):
        return matches
    present = [state.host for state in states if state.is_present] or HOSTS[:1]
    *others, last = (f"`memdeck install {host}`" for host in present)
    advice = f"{', '.join(others)} or {last}" if others else last
    return [*matches, Finding("agents", False, "No agent is connected.", f"Run {advice}.")]


class _Look:
    """One look at all hosts: what is read for the first serves the others."""

    def __init__(self, home: Home, folder: str | None, now: float) -> None:
        self._home, self._folder, self._now = home, folder, now
        self._groups, self._marks = _groups(home), heartbeats(home)
        self._errors = spool.last_errors(home, LOG_LINES)
        self._latencies = _latencies(home, now)

    def state(self, host: Host) -> AgentState:
        """How one of them stands."""
        room, times = host_of(host).installer, self._latencies[host]
        program = program_outside(host, self._folder or "") or ""
        hook_statuses = install.hook_statuses(host, self._folder)
        installed = [hook_status for hook_status in hook_statuses if hook_status.is_installed]
        is_trusted, hindered = None, list[Finding]()
        if installed:  # nothing hinders what is not there
            is_trusted, hindered = host_of(host).hindrances(hook_statuses, self._folder)
            hindered += _rivals(host, hook_statuses)
        lines = [line for line in self._errors if line.split(" ")[1:2] == [host]]
        state = AgentState(
            host=host,
            is_present=bool(program) or _holds_something(room.files.folder()),
            program=program,
            scopes=tuple(hook_status.scope for hook_status in installed),
            is_trusted=is_trusted,
            events=_events(host, self._groups, self._marks.get(host, {})),
            latency_p50_ms=statistics.median(times) if times else None,
            latency_p95_ms=percentile_95(times),
            last_error=lines[-1] if lines else "",
            findings=(),
            folder=_short(room.files.folder()),
        )
        looked_at = [
            *(
                matches
                for hook_status in hook_statuses
                for matches in self._file(hook_status, state)
            ),
            *_scopes(host, installed),
            *hindered,
        ]
        return replace(state, findings=tuple(looked_at or [_absent(state)]))

    def _file(self, hook_status: HookStatus, state: AgentState) -> Iterator[Finding]:
        """What a scope's file says, as far as it concerns us."""
        host, scope = state.host, hook_status.scope
        name, words = f"{host} ({scope})", f"install {host} --scope {scope}`"
        if hook_status.problems:
            yield Finding(name, False, hook_status.problems[0], "Fix the file, or move it away.")
        elif elsewhere := _elsewhere(hook_status, self._home):
            says = f"It writes to another home, {elsewhere}; this is {self._home.path}."
            advice = f"`memdeck {words} has it write here."
            yield Finding(name, False, says, advice)  # which is meant is no doctor's to say
        elif why := _flaw(host_of(host).installer, hook_status, self._groups):
            # A project's file is shared: whose path stands there is no doctor's to decide.
            fix = "" if scope == "project" else f"install {host} {scope}"
            yield Finding(name, False, why, f"Run `memdeck {words}.", fix)
        elif hook_status.is_installed:
            received = _heard(state, self._now)
            yield Finding(name, True, f"Installed in {hook_status.path}. {received}")


def _elsewhere(hook_status: HookStatus, home: Home) -> str:
    """Another home than this that our entries in one file name, or ""."""
    here = os.path.realpath(home.path)
    return next(
        (position for position in hook_status.homes if os.path.realpath(position) != here), ""
    )


def _flaw(room: Installer, hook_status: HookStatus, groups: Sequence[str]) -> str:
    """Why our entries in one file do not serve; "" when they do, and where there are none."""
    if not hook_status.is_installed:
        return ""
    wanted, matches = room.wanted(groups), hook_status.shapes
    if missing := [event for event in wanted if event not in matches]:
        return f"{hook_status.path} lacks {', '.join(missing)}."
    for program in hook_status.programs:
        if not os.access(program, os.X_OK):
            return f"{program} cannot be run."
    if matches != wanted:
        path = hook_status.path
        return f"{path} asks for other events than the settings, or as an older memdeck did."
    return ""


def _heard(state: AgentState, now: float) -> str:
    """When it was last heard of, how quick we answered, and what has never come."""
    last = state.last_fired_ms
    if last is None:
        return "Nothing has come from it yet."
    text = f"Last heard of {_ago(now - last / 1000)}"
    if state.latency_p50_ms is not None and state.latency_p95_ms is not None:
        text += f", answered within {state.latency_p50_ms:.0f} ms"
        text += f" (95 %: {state.latency_p95_ms:.0f} ms)"
    never = [mark.name for mark in state.events if mark.at_ms is None]
    return f"{text}; never of {', '.join(never)}." if never else f"{text}."


def _scopes(host: Host, installed: Sequence[HookStatus]) -> list[Finding]:
    if len(installed) < 2:
        return []
    visible = " and ".join(item.scope for item in installed)
    return [
        Finding(
            host,
            False,
            f"It is installed in several scopes ({visible}); each event arrives more than once.",
            f"Keep one: `memdeck uninstall {host} --scope {installed[-1].scope}`.",
        )
    ]


def _absent(state: AgentState) -> Finding:
    """Of a host that is not connected."""
    if not state.is_present:
        return Finding(state.host, True, f"{state.name} is not on this machine.", is_absent=True)
    message = f"{state.name} is here and not connected; `memdeck install {state.host}` does that."
    return Finding(state.host, True, message, is_absent=True)


def _events(host: Host, groups: Sequence[str], marks: dict[str, float]) -> tuple[EventMark, ...]:
    return tuple(
        EventMark(event, int(marks[event] * 1000) if event in marks else None)
        for event in install.events_of(host, groups)
    )


def _groups(home: Home) -> tuple[str, ...]:
    """What the settings want; settings that cannot be read are another finding."""
    try:
        return install.wanted_groups(home)
    except BadInput:
        return EVENTS


def _latencies(home: Home, now: float) -> dict[Host, list[float]]:
    """By host, how long answers took; nothing of a damaged store, which is another finding."""
    reader = open_reader(home, int(now * 1000))
    if reader is None:
        return {host: [] for host in HOSTS}
    try:
        with contextlib.closing(reader), mapped_errors():
            return {host: reader.receipts.answer_latencies(host) for host in HOSTS}
    except StoreUnusable:
        return {host: [] for host in HOSTS}


def _short(path: str) -> str:
    """A path with the user's folder as `~`."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path


def _holds_something(folder: str) -> bool:
    """Whether an agent ever wrote there: an empty folder is what we leave behind."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except PermissionError:
        return True
    except OSError:
        return False


def _ago(seconds: float) -> str:
    """ "3 h ago" of 11,000 seconds; "just now" of less than a minute."""
    for unit, size in (("d", 86_400), ("h", 3_600)):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit} ago"
    return f"{seconds // 60:.0f} min ago" if seconds >= 60 else "just now"


RIVALS = ("claude-mem", "mem0", "basic-memory", "supermemory", "openmemory", "memsearch", "cognee")
"""Other tools that give agents a memory; two of them tell an agent everything twice."""

_RIVAL = re.compile(rf"(?<![\w-])({'|'.join(RIVALS)})(?![a-z0-9])", re.IGNORECASE)


def _rivals(host: Host, hook_statuses: Sequence[HookStatus]) -> Iterator[Finding]:
    """Other memory tools that the same agent calls, by a hook or a plugin that is switched on."""
    for status in hook_statuses:
        plugins = mapping(status.settings, "enabledPlugins").items()
        visible = [status.settings.get("hooks"), [name for name, is_on in plugins if is_on is True]]
        for name in sorted({match.lower() for match in _RIVAL.findall(json.dumps(visible))}):
            yield Finding(
                host,
                False,
                f"{name} is connected to {NAMES[host]} as well ({status.path}); both inject.",
                f"Keep one: take {name} out of that file, or `memdeck uninstall {host}`.",
            )


def fix_problem(fix: str, home: Home, project_dir: str | None) -> str:
    """Do what a finding's `fix` names; returns what was done.

    `permissions`, `drain`, `rebuild`, or `install HOST SCOPE`. Raises Refused for anything else and
    for what turns out to be in the way, StoreUnusable when the spool cannot be worked off.
    """
    words = fix.split()
    if words == ["permissions"]:
        return _make_private(home)
    if words == ["drain"]:
        return _drain(home)
    if words == ["rebuild"]:
        return f"{str(rebuild(home)).capitalize()}."
    if len(words) == 3 and words[0] == "install":
        return _install(words[1], cast("Scope", words[2]), project_dir, home)
    raise Refused("That can only be fixed by hand.", hint="The finding says how.")


def _make_private(home: Home) -> str:
    loose = open_to_others(home)
    for path in loose:
        try:
            os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & 0o700)
        except FileNotFoundError:
            continue  # a drain was quicker
        except OSError as error:
            raise Refused(f"{path}: {error.strerror}.", hint="Ask its owner.") from error
    return f"{len(loose)} files and folders are yours alone now."


def _drain(home: Home) -> str:
    report = drain_spool(home)
    if report.problem:
        raise StoreUnusable(report.problem, hint="What is left waits for the next drain.")
    if not report.ran:
        return "A drain is at work already."
    return f"{report.records} notes were worked off."


def _install(host: Host, scope: Scope, project_dir: str | None, home: Home) -> str:
    planned = install.plan(host, scope, project_dir, home)
    settings.carry_out(planned, home)
    outcome = f"{NAMES[host]}'s entries in {planned.changes[0].path} are whole again."
    return f"{outcome} {host_of(host).after_fixing}".rstrip()
