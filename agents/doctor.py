"""Find problems of this installation, with their fixes. Checks change nothing."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import stat
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from ..core.agents import HOSTS, NAMES, AgentState, EventMark, Finding, Host, Scope
from ..core.compat import MemoryCoordinator
from ..core.config.settings import EVENTS, files_of, problems_in
from ..core.judgement.salience import DamagedWeights, salience_model
from ..core.judgements import STATUS_WORDS
from ..core.projects import identify, program_outside
from ..core.recall.receipt import describe, judge, percentile_95
from ..core.services import sources
from ..core.services.extractor_state import FAILURES, describe_call
from ..db import journal
from ..db.connection import mapped_errors
from ..db.errors import BadInput, ManagerError, Refused, StoreUnusable
from ..db.fast_reader import open_reader
from ..db.home import SCHEMA, Home, foreign, not_ours
from ..db.rebuild import damage, rebuild, verify
from ..db.store import Store
from ..hosts import install, settings
from ..hosts.install import HookStatus, host_of
from . import drain, spool
from .main import heartbeats

RECENT_S = 24 * 3600  # an error of a hook counts as present for so long
OVERDUE_S = 3600  # a record that waits longer than this was forgotten by every drain


def examine(
    home: Home, project_dir: str | None = None, *, with_agents: bool = True
) -> list[Finding]:
    """Return everything that can be checked without changing it, the store first.

    `project_dir` is the project whose settings are read.
    """
    now = time.time()
    matches = [*_guarded(lambda: _home(home)), *_guarded(lambda: _database(home))]
    checks: list[Callable[[], list[Finding]]] = [
        lambda: _settings(home, project_dir),
        lambda: remembered_here(project_dir),
        _weights,
        lambda: list(_queue(home, now)),
    ]
    if with_agents:
        checks.append(lambda: _agents(survey(home, project_dir, now)))
    if all(finding.ok for finding in matches if finding.name == "store"):
        matches += _guarded(lambda: _journal(home))
        checks.insert(0, lambda: _recall(home, now))
        if not any(finding.fix == "rebuild" for finding in matches):  # opening would repair it
            checks.insert(0, lambda: _store(home, project_dir))
    return matches + [finding for check in checks for finding in _guarded(check)]


def _guarded(check: Callable[[], list[Finding]]) -> list[Finding]:
    """Return the findings of `check`. An error of the check is a finding too."""
    try:
        with mapped_errors():
            return check()
    except ManagerError as error:
        return [Finding("store", False, str(error), error.hint)]
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return [Finding("files", False, f"{where}{error.strerror}", "Check the permissions.")]
    except (ValueError, TypeError, LookupError) as error:  # a row holds a foreign value
        message = f"A value in the database cannot be read ({type(error).__name__})."
        return [Finding("store", False, message, "Run `memdeck verify`, which names the row.")]


def _home(home: Home) -> list[Finding]:
    if os.path.isfile(home.path):
        advice = "Move it away, or point MEMDECK_HOME elsewhere."
        return [Finding("home", False, f"{home.path} is a file.", advice)]
    if not os.path.isdir(home.path):
        return [Finding("home", True, f"{home.path} does not exist yet.")]
    matches = [Finding("home", False, *about) for about in _about_the_place(home)]
    if loose := open_to_others(home):
        visible = ", ".join(os.path.relpath(path, home.path) for path in loose[:5])
        advice = f"chmod -R go= {shlex.quote(home.path)}"
        message = f"Others can read {len(loose)} files: {visible}."
        matches.append(Finding("home", False, message, advice, "permissions"))
    return matches or [Finding("home", True, f"{home.path} is private.")]


SPARE_BYTES = 16 * 1024 * 1024
"""Less free space than this is reported: some sessions later nothing can be written."""


def _about_the_place(home: Home) -> Iterator[tuple[str, str]]:
    """Yield problems of the home's place, with their fixes."""
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
    """Return the folders and files of the home that others can read or write."""
    paths = [home.path]
    for folder, folders, files in os.walk(home.path):
        paths += [os.path.join(folder, name) for name in (*folders, *files)]
    loose = []
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            mode = os.lstat(path).st_mode
            if mode & 0o077 and not stat.S_ISLNK(mode):
                loose.append(path)
    return loose


COMPARED_BYTES = 8 * 1024 * 1024
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
            if problem := journal.Chain(home).problem(store.position()):
                problems.append(problem)
    if problems:
        more = f" And {len(problems) - 1:,} more." if len(problems) > 1 else ""
        advice = "Run `memdeck rebuild`, which repairs the journal and the tables from each other."
        return [Finding("journal", False, f"{problems[0]}.{more}", advice, "rebuild")]
    if torn := len(journal.torn_files(home)):
        text += f" Damaged lines: {torn}, kept as journal/torn-*.bin."
    return [Finding("journal", True, text)]


def _database(home: Home) -> list[Finding]:
    """Return why the database cannot be used, with the fix; [] if it can."""
    path, is_without_journal = home.database, journal.last(home) == (0, 0)
    advice = "Run `memdeck rebuild`: the journal brings everything back."
    if is_without_journal:
        advice = (
            "Run `memdeck rebuild`; but the journal is empty, so that nothing would come back:"
            f" first put a copy of {home.journal} there, if you have one."
        )
    if os.path.lexists(path) and not os.path.isfile(path):
        return [Finding("store", False, f"{path} is no file.", f"Move it away. {advice}")]
    if not os.path.exists(path) or not os.path.getsize(path):
        what = "is empty" if os.path.exists(path) else "is missing"
        message = f"{path} {what}, and the journal holds what was in it."
        return [] if is_without_journal else [Finding("store", False, message, advice)]
    if unreadable := foreign(home):
        error = not_ours(unreadable)
        return [Finding("store", False, str(error), error.hint)]
    if why := damage(home):
        message = f"The database is damaged: {why.rstrip('.')}."
        return [Finding("store", False, message, advice, "rebuild")]
    return []


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
        with contextlib.suppress(BadInput):  # unreadable settings are a finding of their own
            details += _background(memory)
        for item in memory.services.projects.alike():
            advice = f"If it is the same: memdeck project join {item.project.id}"
            words = f"This looks like {item.project.name}, which {item.reason}."
            details.append(Finding("project", True, words, advice))
        return [*details, Finding("store", True, message)]


def _background(memory: MemoryCoordinator) -> Iterator[Finding]:
    """Yield the state of background work. Raises BadInput for unreadable settings."""
    state = memory.services.preferences.extractor_state()
    if state.is_on and state.problem:
        advice = "Correct it in config.toml, or choose another: `memdeck extract --use NAME`."
        yield Finding("extractor", False, state.problem, advice)
    elif state.is_on:
        failed = state.last
        if failed is None or failed.status not in FAILURES:
            yield Finding("extractor", True, f"A model is asked: {state}.")
        else:
            message = f"The last call of {failed.engine}: {describe_call(failed)}"
            advice = f"{_advice_for(failed.status, 'extractor')} `memdeck extract ID` tries one."
            yield Finding("extractor", False, message, advice)
    for vote in memory.services.review.broken_reviewers():
        message = f"{vote.reviewer} asks {vote.engine}; of late: {STATUS_WORDS[vote.status]}:"
        advice = f"{_advice_for(vote.status, 'review')} The next capture tries it."
        yield Finding("reviewers", False, f"{message} {vote.reason}", advice)
    if name := memory.policy.recall.encoder:
        yield _meaning(memory, name)
    if held_back := memory.services.vitals.held_back():
        yield Finding("clock", False, held_back, "If it is right, do nothing.")
    if hindrance := memory.services.staleness.hindrance():
        yield Finding("git", False, hindrance, "See that `git log` answers there.")


def _meaning(memory: MemoryCoordinator, name: str) -> Finding:
    try:
        is_complete = memory.services.meaning.is_complete()
    except BadInput as error:
        return Finding("meaning", False, f"{error} Search finds words only.", error.hint)
    message = f"{'All' if is_complete else 'Not all'} memories have a vector of {name}."
    return Finding("meaning", True, message, "" if is_complete else "Run `memdeck maintain`.")


def _advice_for(status: str, table: str) -> str:
    if status == "timeout":
        return f"Give it longer, `timeout_s` of `[{table}]` in config.toml, or fix the engine."
    return "Correct the engine in config.toml, or the program that it starts."


def remembered_here(project_dir: str | None) -> list[Finding]:
    folder = os.path.abspath(project_dir or os.getcwd())
    made = sources.reports(folder, identify(folder).root)
    advice = "`memdeck sources` shows it." if any(report.notes for report in made) else ""
    return [Finding("own memories", True, text, advice) for text in sources.remembered(made)]


def _settings(home: Home, project_dir: str | None) -> list[Finding]:
    problems = problems_in(files_of(home.config, identify(project_dir or os.getcwd()).root))
    if not problems:
        return [Finding("settings", True, "They can be read.")]
    return [Finding("settings", False, problem.message, problem.hint) for problem in problems]


def _weights() -> list[Finding]:
    try:
        salience_model()
    except DamagedWeights as error:
        return [Finding("judgement", False, f"{error} Less is kept from sessions.", error.hint)]
    return [Finding("judgement", True, "The weights of the score are as shipped.")]


def _recall(home: Home, now: float) -> list[Finding]:
    reader = open_reader(home, int(now * 1000))
    if reader is None:
        return []
    with contextlib.closing(reader):
        health = judge(*reader.receipts.latencies())
    advice = "Nothing, if the machine was busy: it recovers. Else see `memdeck status`."
    message = f"Recall: {describe(health)}."
    return [Finding("recall", not health.is_degraded, message, advice * health.is_degraded)]


def _queue(home: Home, now: float) -> Iterator[Finding]:
    """Yield queued events, unusable ones, and the last error of a hook."""
    waiting = spool.read_spool(home)
    running = "a drain is running" if spool.is_draining(home) else "no drain is running"
    message = f"{len(waiting)} records wait, {running}."
    is_late = any(now - record["at"] / 1000 > OVERDUE_S for record in waiting)
    if torn := sum(spool.read_file(path)[1] for path in spool.paths(home)):
        message += f" {torn} lines are torn: what they noted is lost."
    fix = ("Run `memdeck drain`.", "drain") if is_late or torn else ()
    yield Finding("spool", not fix, message, *fix)
    if lost := drain.failed(home):
        message = f"{len(lost)} records could not be used; the last: {lost[-1]['why']}."
        advice = f"See {drain.failed_folder(home)}. Delete what you do not need."
        yield Finding("failed records", False, message, advice)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - RECENT_S))
    lines = [line for line in spool.last_errors(home) if line[:20] >= since]
    if errors := [line for line in lines if not line.endswith(spool.PUT_BACK)]:
        advice = f"See {spool.log_path(home)}."
        yield Finding("hooks", False, f"The last error of a hook: {errors[-1]}", advice)


LOG_LINES = 1_000  # lines of the hooks' log that are searched for an agent's last error


def survey(home: Home, project_dir: str | None, now_s: float | None = None) -> list[AgentState]:
    """Return the state of each host, seen from the project in `project_dir` (default: this)."""
    now = time.time() if now_s is None else now_s
    try:
        groups = install.wanted_groups(home)
    except BadInput:  # another finding
        groups = EVENTS
    latencies: dict[Host, list[float]] = {}
    if (reader := open_reader(home, int(now * 1000))) is not None:
        with contextlib.suppress(StoreUnusable), contextlib.closing(reader), mapped_errors():
            latencies = {host: reader.receipts.answer_latencies(host) for host in HOSTS}
    marks, errors = heartbeats(home), spool.last_errors(home, LOG_LINES)
    states = []
    for host in HOSTS:
        folder = host_of(host).installer.files.folder()
        program = program_outside(host, project_dir or "") or ""
        statuses = install.hook_statuses(host, project_dir)
        installed = [status for status in statuses if status.is_installed]
        is_trusted, hindered = None, list[Finding]()
        if installed:  # only an installed one can be hindered
            is_trusted, hindered = host_of(host).hindrances(statuses, project_dir)
            hindered += [
                Finding(host, False, status.off, f"Take it out of {status.path}.")
                for status in statuses
                if status.off
            ]
        seen, times = marks.get(host, {}), latencies.get(host, [])
        lines = [line for line in errors if line.split(" ")[1:2] == [host]]
        user = os.path.join(os.path.expanduser("~"), "")
        state = AgentState(
            host=host,
            is_present=bool(program) or _holds_something(folder),
            program=program,
            scopes=tuple(status.scope for status in installed),
            is_trusted=is_trusted,
            events=tuple(
                EventMark(event, int(seen[event] * 1000) if event in seen else None)
                for event in install.events_of(host, groups)
            ),
            latency_p50_ms=statistics.median(times) if times else None,
            latency_p95_ms=percentile_95(times),
            last_error=lines[-1] if lines else "",
            findings=(),
            folder=f"~/{folder.removeprefix(user)}" if folder.startswith(user) else folder,
        )
        findings = [item for s in statuses for item in _about_file(s, state, home, groups, now)]
        if len(installed) > 1:
            message = (
                f"It is installed in several scopes ({' and '.join(state.scopes)}); each event"
            )
            advice = f"Keep one: `memdeck uninstall {host} --scope {state.scopes[-1]}`."
            findings.append(Finding(host, False, f"{message} arrives more than once.", advice))
        findings += hindered
        if not findings:
            message = f"{state.name} is not on this machine."
            if state.is_present:
                message = (
                    f"{state.name} is here, not connected; `memdeck install {host}` does that."
                )
            findings.append(Finding(host, True, message, is_absent=True))
        states.append(state._replace(findings=tuple(findings)))
    return states


def _agents(states: Sequence[AgentState]) -> list[Finding]:
    """Return the findings of each host; and that one at least is connected."""
    matches = [finding for state in states for finding in state.findings]
    if any(state.scopes for state in states):
        return matches
    present = [state.host for state in states if state.is_present] or HOSTS[:1]
    advice = f"Run {' or '.join(f'`memdeck install {host}`' for host in present)}."
    return [*matches, Finding("agents", False, "No agent is connected.", advice)]


def _about_file(
    status: HookStatus, state: AgentState, home: Home, groups: Sequence[str], now: float
) -> Iterator[Finding]:
    """Yield findings on our entries in a scope's file."""
    name, words = f"{state.host} ({status.scope})", f"install {state.host} --scope {status.scope}`"
    here = os.path.realpath(home.path)
    others = [path for path in status.homes if os.path.realpath(path) != here]
    if status.problems:
        yield Finding(name, False, status.problems[0], "Fix the file, or move it away.")
    elif others:
        says = f"It writes to another home, {others[0]}; this is {home.path}."
        # Which is meant is no doctor's to say.
        yield Finding(name, False, says, f"`memdeck {words} has it write here.")
    elif status.is_installed:
        wanted = host_of(state.host).installer.wanted(groups)
        why = ""
        if missing := [event for event in wanted if event not in status.shapes]:
            why = f"{status.path} lacks {', '.join(missing)}."
        elif gone := [path for path in status.programs if not os.access(path, os.X_OK)]:
            why = f"{gone[0]} cannot be run."
        elif status.shapes != wanted:
            why = f"{status.path} asks for other events than the settings, or as an older memdeck."
        if why:
            # A project's file is shared, so doctor does not judge the path in it.
            fix = "" if status.scope == "project" else f"install {state.host} {status.scope}"
            yield Finding(name, False, why, f"Run `memdeck {words}.", fix)
        else:
            yield Finding(name, True, f"Installed in {status.path}. {_last_event(state, now)}")


def _last_event(state: AgentState, now: float) -> str:
    """Return the time of the last event, the latency, and the missing events."""
    last = state.last_fired_ms
    if last is None:
        return "Nothing has come from it yet."
    seconds = now - last / 1000
    units = ((86_400, "d"), (3_600, "h"), (60, "min"))
    ago = next((f"{seconds // s:.0f} {unit} ago" for s, unit in units if seconds >= s), "just now")
    text = f"Last event {ago}"
    if state.latency_p50_ms is not None and state.latency_p95_ms is not None:
        text += f", answered within {state.latency_p50_ms:.0f} ms"
        text += f" (95 %: {state.latency_p95_ms:.0f} ms)"
    never = [mark.name for mark in state.events if mark.at_ms is None]
    return f"{text}; never of {', '.join(never)}." if never else f"{text}."


def _holds_something(folder: str) -> bool:
    """Return True if an agent ever wrote there: uninstalling leaves an empty folder."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except PermissionError:
        return True
    except OSError:
        return False


def fix_problem(fix: str, home: Home, project_dir: str | None) -> str:
    """Carry out a finding's `fix`; return the action in words.

    `permissions`, `drain`, `rebuild`, or `install HOST SCOPE`. Raises Refused for anything else and
    for an obstacle, StoreUnusable if the queue cannot be processed.
    """
    words = fix.split()
    if words == ["permissions"]:
        loose = open_to_others(home)
        for path in loose:
            try:
                os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & 0o700)
            except FileNotFoundError:
                continue  # a drain was quicker
            except OSError as error:
                raise Refused(f"{path}: {error.strerror}.", hint="Ask its owner.") from error
        return f"{len(loose)} files and folders are yours alone now."
    if words == ["drain"]:
        report = drain.drain_spool(home)
        if report.problem:
            raise StoreUnusable(report.problem, hint="The rest waits for the next run.")
        is_done = f"{report.records} notes were worked off."
        return is_done if report.ran else "A drain is at work already."
    if words == ["rebuild"]:
        return f"{str(rebuild(home)).capitalize()}."
    if len(words) == 3 and words[0] == "install":
        host, scope = words[1], cast("Scope", words[2])
        planned = install.plan(host, scope, project_dir, home)
        settings.carry_out(planned, home)
        return f"{NAMES[host]}'s entries in {planned.changes[0].path} are whole again."
    raise Refused("That can only be fixed by hand.", hint="The finding says how.")
