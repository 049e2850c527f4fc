"""How the agents stand: connected, trusted, firing, how fast, and what hinders them.

Looking changes nothing. An agent that is not on this machine is no fault, nor is one that a
person chose not to connect; no agent at all is one.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.agents import HOSTS, NAMES, AgentState, EventMark, Finding, Host
from ..core.config.policy import EVENTS
from ..core.errors import BadInput, StoreUnusable
from ..core.retrieval.slo import percentile_95
from ..db.connection import mapped_errors
from ..db.fast_reader import open_reader
from ..db.home import Home
from ..hosts import commands as commands
from ..hosts import install
from ..hosts import install as asked
from ..hosts.install import HookStatus, Installer, host_of
from ..hosts.wire import mapping
from . import heartbeats as fired
from . import log

LOG_LINES = 1_000
"""Lines of the hooks' log in which an agent's last error is looked for."""


def survey(home: Home, project_dir: str | None, now_s: float | None = None) -> list[AgentState]:
    """Each host, seen from the project in `project_dir` (default: this folder)."""
    look = _Look(home, project_dir, time.time() if now_s is None else now_s)
    return [look.state(host) for host in HOSTS]


def findings(states: Sequence[AgentState]) -> list[Finding]:
    """What was looked at of each host; and that one at least is connected."""
    found = [finding for state in states for finding in state.findings]
    if any(state.scopes for state in states):
        return found
    present = [state.host for state in states if state.is_present] or HOSTS[:1]
    *others, last = (f"`memdeck install {host}`" for host in present)
    mend = f"{', '.join(others)} or {last}" if others else last
    return [*found, Finding("agents", False, "No agent is connected.", f"Run {mend}.")]


class _Look:
    """One look at all hosts: what is read for the first serves the others."""

    def __init__(self, home: Home, folder: str | None, now: float) -> None:
        self._home, self._folder, self._now = home, folder, now
        self._groups, self._marks = _groups(home), fired.read(home)
        self._errors = log.last_errors(home, LOG_LINES)
        self._latencies = _latencies(home, now)

    def state(self, host: Host) -> AgentState:
        """How one of them stands."""
        room, times = install.installer(host), self._latencies[host]
        program = shutil.which(host) or ""
        hook_statuses = install.hook_statuses(host, self._folder)
        installed = [one for one in hook_statuses if one.is_installed]
        is_trusted, hindered = hindrances_of(host, hook_statuses, self._folder)
        said = [line for line in self._errors if line.split(" ")[1:2] == [host]]
        state = AgentState(
            host=host,
            is_present=bool(program) or _holds_something(room.files.folder()),
            program=os.path.abspath(program) if program else "",
            scopes=tuple(one.scope for one in installed),
            is_trusted=is_trusted,
            events=_events(host, self._groups, self._marks.get(host, {})),
            latency_p50_ms=statistics.median(times) if times else None,
            latency_p95_ms=percentile_95(times),
            last_error=said[-1] if said else "",
            findings=(),
        )
        looked_at = [
            *(found for one in hook_statuses for found in self._file(room, one, state)),
            *_scopes(host, installed),
            *_left_over(host, self._folder, state),
            *hindered,
        ]
        return replace(state, findings=tuple(looked_at or [_absent(state)]))

    def _file(self, room: Installer, one: HookStatus, state: AgentState) -> Iterator[Finding]:
        """What a scope's file says, as far as it concerns us."""
        name, words = f"{room.host} ({one.scope})", f"install {room.host} --scope {one.scope}`"
        if one.problems:
            yield Finding(name, False, one.problems[0], "Mend the file, or move it away.")
        elif elsewhere := _elsewhere(one, self._home):
            says = f"It writes to another home, {elsewhere}; this is {self._home.path}."
            mend = f"`memdeck {words} has it write here."
            yield Finding(name, False, says, mend)  # which is meant is no doctor's to say
        elif why := _flaw(room, one, self._groups):
            # A project's file is shared: whose path stands there is no doctor's to decide.
            fix = "" if one.scope == "project" else f"install {room.host} {one.scope}"
            yield Finding(name, False, why, f"Run `memdeck {words}.", fix)
        elif one.is_installed:
            heard = _heard(state, self._now)
            yield Finding(name, True, f"Installed in {one.path}. {heard}")


def _elsewhere(one: HookStatus, home: Home) -> str:
    """Another home than this that our entries in one file name, or ""."""
    here = os.path.realpath(home.path)
    return next((place for place in one.homes if os.path.realpath(place) != here), "")


def _flaw(room: Installer, one: HookStatus, groups: Sequence[str]) -> str:
    """Why our entries in one file do not serve; "" when they do, and where there are none."""
    if not one.is_installed:
        return ""
    wanted, found = room.wanted(groups), one.shapes
    if missing := [event for event in wanted if event not in found]:
        return f"{one.path} lacks {', '.join(missing)}."
    for program in one.programs:
        if not os.access(program, os.X_OK):
            return f"{program} cannot be run."
    if found != wanted:
        return f"{one.path} asks for other events than the settings, or as an older memdeck did."
    return ""


def _heard(state: AgentState, now: float) -> str:
    """When it was last heard of, how quick we answered, and what has never come."""
    last = state.last_fired_ms
    if last is None:
        return "Nothing has come from it yet."
    said = f"Last heard of {_ago(now - last / 1000)}"
    if state.latency_p50_ms is not None and state.latency_p95_ms is not None:
        said += f", answered within {state.latency_p50_ms:.0f} ms"
        said += f" (95 %: {state.latency_p95_ms:.0f} ms)"
    never = [mark.name for mark in state.events if mark.at_ms is None]
    return f"{said}; never of {', '.join(never)}." if never else f"{said}."


def _scopes(host: Host, installed: Sequence[HookStatus]) -> list[Finding]:
    if len(installed) < 2:
        return []
    shown = " and ".join(one.scope for one in installed)
    return [
        Finding(
            host,
            False,
            f"It is installed in several scopes ({shown}); each event arrives more than once.",
            f"Keep one: `memdeck uninstall {host} --scope {installed[-1].scope}`.",
        )
    ]


def _left_over(host: Host, project_dir: str | None, state: AgentState) -> list[Finding]:
    """Commands of ours that an earlier version put where other agents read them as well."""
    found: dict[str, Finding] = {}
    for scope in commands.SCOPES:
        paths = commands.left_over(host, scope, project_dir)
        if not paths:
            continue
        folder = commands.folder_of(paths[0])
        is_installed = scope in state.scopes
        verb = "install" if is_installed else "uninstall"
        form = commands.form_of(host)
        others = form.seen_by if form is not None else ""
        message = f"Skills of ours lie in {folder}, where {others} read them as well."
        mend = f"Run `memdeck {verb} {host} --scope {scope}`."
        # A project's files are shared: as with its hooks, whose they are is no doctor's to decide.
        fix = f"install {host} {scope}" if is_installed and scope == "user" else ""
        found.setdefault(folder, Finding(host, False, message, mend, fix))
    return list(found.values())


def _absent(state: AgentState) -> Finding:
    """Of a host that is not connected."""
    if not state.is_present:
        return Finding(state.host, True, f"{state.name} is not on this machine.", is_absent=True)
    message = f"{state.name} is here and not connected; `memdeck install {state.host}` does that."
    return Finding(state.host, True, message, is_absent=True)


def _events(host: Host, groups: Sequence[str], marks: dict[str, float]) -> tuple[EventMark, ...]:
    return tuple(
        EventMark(event, int(marks[event] * 1000) if event in marks else None)
        for event in asked.events_of(host, groups)
    )


def _groups(home: Home) -> tuple[str, ...]:
    """What the settings want; settings that cannot be read are another finding."""
    try:
        return asked.wanted_groups(home)
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


def hindrances_of(
    host: Host, hook_statuses: Sequence[HookStatus], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    """Whether `host` trusts our hooks (None: it does not say), and what hinders them.

    Nothing hinders what is not installed.
    """
    if not any(one.is_installed for one in hook_statuses):
        return None, []
    is_trusted, found = host_of(host).hindrances(hook_statuses, project_dir)
    return is_trusted, [*found, *_rivals(host, hook_statuses)]


def _rivals(host: Host, hook_statuses: Sequence[HookStatus]) -> list[Finding]:
    """Other memory tools that the same agent calls."""
    found: dict[str, str] = {}
    for one in hook_statuses:
        for text in (*one.others, *_plugins(one.settings)):
            if match := _RIVAL.search(text):
                found.setdefault(match[1].lower(), one.path)
    return [
        Finding(
            host,
            False,
            f"{name} is connected to {NAMES[host]} as well ({path}); both tell it what they know.",
            f"Keep one: take {name} out of that file, or `memdeck uninstall {host}`.",
        )
        for name, path in found.items()
    ]


def _plugins(settings: Mapping[str, Any]) -> list[str]:
    """The names of the plugins that settings switch on."""
    plugins = mapping(settings, "enabledPlugins")
    return [name for name, is_on in plugins.items() if is_on is True]
