"""Connecting an agent and leaving it: what there is to know about a host, and how hooks get there.

A plan is made without writing anything; `settings.carry_out` does what it says. A hook imports its
one host's `wire` and nothing of this.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from ..core.agents import NAMES, Finding, Scope, SetupPlan
from ..core.errors import Refused
from ..core.projects import program_outside
from ..db.home import Home
from . import registry, settings
from .settings import (
    FRESH,
    PROGRAM,
    Entry,
    FilePlan,
    change,
    command,
    entries_in,
    find_executable,
    is_ours,
    is_same,
    named_in,
    original,
    other_commands,
    with_entries,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..core.models.client import Dialect
    from ..core.sessions.transcript import Transcript
    from .commands import CommandForm
    from .settings import Entry
    from .wire import Event


def wanted_groups(home: Home) -> tuple[str, ...]:
    """The groups that the person's settings name. Raises BadInput when they cannot be read."""
    from ..core.config.settings import load_policy  # who only looks at our entries reads none

    return tuple(load_policy([home.config]).hooks.events)


def events_of(
    host: str, groups: Sequence[str], tool_events: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The events of `host` that serve `groups`, in its order, with the tools that are meant.

    None is named where all are, nor of events beside `tool_events`, which the host can narrow.
    """
    room = registry.wire(host)
    matches = {}
    for event in room.EVENTS:
        serving = [name for name in groups if event in room.GROUPS.get(name, ())]
        if serving:
            matches[event] = _tools(room, serving) if event in tool_events else ()
    return matches


def _tools(room: Any, groups: Sequence[str]) -> tuple[str, ...]:
    """The tools that the groups have in mind; empty when one of them wants to hear of any."""
    named = {"todos": room.TODO_TOOLS, "files": room.FILE_TOOLS, "roles": room.TASK_TOOLS}
    if any(name not in named for name in groups):
        return ()
    return tuple(tool for name in groups for tool in named[name])


Shape = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HookStatus:
    """What was found in one scope of a host."""

    scope: Scope
    path: str
    problems: tuple[str, ...] = ()  # why the file cannot be understood
    entries: tuple[Entry, ...] = ()  # ours; none when we are not installed there
    programs: tuple[str, ...] = ()  # executables that they name by an absolute path
    homes: tuple[str, ...] = ()  # those that they name; one that names none finds it by itself
    settings: Mapping[str, Any] = field(default_factory=dict)  # all of the file
    others: tuple[str, ...] = ()  # command lines of other tools' hooks

    @property
    def is_installed(self) -> bool:
        """Whether anything of ours stands there."""
        return bool(self.entries)

    @property
    def shapes(self) -> dict[str, Shape]:
        """By event, how we are called for it."""
        return {event: shape_of(group) for event, group in self.entries}


def shape_of(group: Mapping[str, Any]) -> Shape:
    """`group` without the command lines, which differ between machines."""
    visible = dict(group)
    if isinstance(handlers := group.get("hooks"), list):
        visible["hooks"] = [
            {key: value for key, value in handler.items() if key != "command"}
            for handler in handlers
        ]
    return visible


class Installer(Protocol):
    """What one host's room can do."""

    @property
    def host(self) -> str:
        """Whose it is."""

    @property
    def files(self) -> HookFiles:
        """Where it stands."""

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """By event, how these groups of events would have us called."""

    def plan(self, path: str, home: Home, groups: Sequence[str], program: str) -> FilePlan:
        """What installing the hook's `program` would do to the file at `path`."""

    def plan_uninstall(self, path: str) -> FilePlan:
        """What uninstalling would do to it."""

    def status(self, path: str, scope: Scope) -> HookStatus:
        """How it stands; changes nothing."""


def installer(host: str) -> Installer:
    """The installer of `host`. Raises Refused for a host that we do not know."""

    return host_of(host).installer


def hook_statuses(host: str, project_dir: str | None) -> list[HookStatus]:
    """How `host` stands in each of its scopes; in the home folder two of them are one file."""
    files = _files(host)
    hook_status: dict[str, HookStatus] = {}
    for scope in files.scopes:
        path = files.path(scope, project_dir)
        is_there = os.path.lexists(path)
        status = installer(host).status(path, scope) if is_there else HookStatus(scope, path)
        hook_status.setdefault(os.path.realpath(path), status)
    return list(hook_status.values())


def _files(host: str) -> HookFiles:
    wire = registry.wire(host)
    if wire is None:
        raise Refused(
            f"There is no agent {host!r}.", hint=f"We know {', '.join(registry.names())}."
        )
    return HookFiles(*wire.HOOK_FILES)


@dataclass(frozen=True, slots=True)
class HookFiles:
    """The files in which one host could call us; that they are there is not said."""

    variables: tuple[tuple[str, str], ...]  # that may name the person's folder, or one above
    usual: str  # the person's folder otherwise
    project_folder: str  # below a project
    names: Mapping[str, str]  # the file's name below its folder, by scope

    def folder(self) -> str:
        """The person's, absolute."""
        return registry.folder_of(self.variables, self.usual)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where the host's settings can stand."""
        return cast("tuple[Scope, ...]", tuple(self.names))

    def path(self, scope: Scope, project_dir: str | None) -> str:
        """The file of `scope`; `project_dir` is the current folder by default."""
        if scope == "user":
            return os.path.join(self.folder(), self.names[scope])
        base = os.path.abspath(project_dir or os.getcwd())
        return os.path.join(base, self.project_folder, self.names[scope])


Hindrances = Callable[[Sequence[HookStatus], str | None], tuple[bool | None, list[Finding]]]
"""From how it stands in each scope, and a project's folder: whether it trusts our hooks (None: it
does not say), and what keeps it from running them."""


class Wire(Protocol):
    """A host's dialect: a module that imports the least it can, since an agent waits for it."""

    HOST: str
    """The name in settings, on command lines, in the store."""
    TITLE: str
    """The name for people."""
    GROUPS: dict[str, tuple[str, ...]]
    """By group, the events that serve it."""
    EVENTS: tuple[str, ...]
    """The events that can be read, in the order of their registration; any other is ignored."""
    TODO_TOOLS: tuple[str, ...]
    """The tools that keep the agent's list."""
    FILE_TOOLS: tuple[str, ...]
    """The tools that read or edit a file."""
    TASK_TOOLS: tuple[str, ...]
    """The tools that start a subagent, where its start does not bring the task along."""
    ANSWERED: tuple[str, ...]
    """The events whose reply may hold text for the model."""
    REPLY_BYTES: int
    """Longest text for the model, in bytes of UTF-8."""
    LOADS: tuple[tuple[str, ...], ...]
    """Files that it loads itself at a start, each with those in whose presence it does not: below
    the project's folders, the user's (`@/`) or its memory's for the project (`memory:`)."""
    FORM: str
    """In which form it is told (`core/recall/frame.py`): xml, markdown or plain."""
    MOST_TOKENS: int | None
    """Tokens that it takes from one hook, however large the budget; None where not known."""
    SESSION_VARIABLE: str
    """What names the session in the environment of what it runs, or ""."""
    MARKS: tuple[str, ...]
    """What it sets in the environment of what it runs."""
    IN_HOOKS: bool
    """Whether hooks have these marks too."""

    @property
    def read(self) -> Callable[[Mapping[str, Any], str], Event | None]:
        """From a payload and the event named on the command line, which the payload's own name
        overrules, to the event; None when it is not for us."""

    @property
    def reply(self) -> Callable[[Event, str], str]:
        """The line that hands a text to the model; "" when there is nothing to hand over.

        Raises ValueError above `REPLY_BYTES`.
        """


@dataclass(frozen=True, slots=True)
class Host:
    """One host."""

    wire: Wire
    installer: Installer
    transcript: Transcript  # how its session files are known and read
    headless: Dialect | None = None  # how it is asked one question; None where that is not known
    commands: CommandForm | None = None  # its slash commands; None: it has none from files
    in_project: str = ""  # what a person should know who installs for a project
    hindrances: Hindrances = lambda _statuses, _folder: (None, [])
    trust: Callable[[str, str | None], list[str]] | None = None
    """Tells it that the person trusts our hooks in a file, seen from a project; returns the events
    that it now runs. None where there is nothing to tell."""
    after_fixing: str = ""  # what the person is asked next when our entries were put right
    logins: tuple[str, ...] = ()  # files below the user's folder that hold a login

    @property
    def name(self) -> str:
        """In settings, on command lines, in the store."""
        return self.wire.HOST

    @property
    def title(self) -> str:
        """For people."""
        return self.wire.TITLE


def has_login(host: str) -> bool:
    """Return True if the agent can be asked without a user, and a login of the user's is there."""
    matches = host_of(host)
    folder = _files(host).folder()
    is_there = any(os.path.exists(os.path.join(folder, name)) for name in matches.logins)
    return matches.headless is not None and is_there and program_outside(host) is not None


def host_of(name: str) -> Host:
    """The host of this name. Raises Refused where there is none."""
    host = registry.host(name)
    if not isinstance(host, Host):
        raise Refused(
            f"There is no agent {name!r}.", hint=f"We know {', '.join(registry.names())}."
        )
    return host


@dataclass(frozen=True, slots=True)
class JsonHost:
    """What is peculiar to one host's file of hooks."""

    host: str
    files: HookFiles
    timeout: int  # in the host's own unit
    tool_events: tuple[str, ...]  # those that a matcher narrows to some tools
    notes: Callable[[Mapping[str, Any]], list[str]]  # of the settings found
    timeouts: Mapping[str, int] = field(default_factory=dict)  # of events with one of their own
    extra: Mapping[str, str] = field(default_factory=dict)  # further fields of a handler
    has_patterns: bool = False  # whether a matcher is a regular expression
    has_comments: bool = False  # whether the host takes JSON with comments, as we do not

    def entries(self, executable: str, home: Home, groups: Sequence[str]) -> list[Entry]:
        """The groups that we register for these groups of events, in the adapter's order."""
        entries: list[Entry] = []
        for event, tools in events_of(self.host, groups, self.tool_events).items():
            handler = {
                **self.extra,
                "type": "command",
                "command": command(executable, self.host, event, home),
                "timeout": self.timeouts.get(event, self.timeout),
            }
            matcher = {"matcher": self._matcher(tools)} if tools else {}
            entries.append((event, {**matcher, "hooks": [handler]}))
        return entries

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """By event, how these groups of events would have us called."""
        return {event: shape_of(group) for event, group in self.entries("", Home(), groups)}

    def plan(self, path: str, home: Home, groups: Sequence[str], program: str) -> FilePlan:
        """What installing would do to the file."""
        matches = settings.read(path)
        if matches.problems:
            return FilePlan(
                change(path, matches.data, matches.data, is_shared=True), matches.problems
            )
        notes = tuple(self.notes(matches.value))
        if matches.link_target:
            notes += (f"The file is a link; {matches.link_target} is written.",)
        wanted, after = self.entries(program, home, groups), matches.data
        if not is_same(entries_in(matches.text, self.host), wanted):
            base = original(matches.text, matches.backup_text, self.host) if matches.data else None
            after = with_entries(FRESH if base is None else base, wanted).encode()
        return FilePlan(change(path, matches.data, after, is_shared=True), (), notes)

    def plan_uninstall(self, path: str) -> FilePlan:
        """What uninstalling would do to the file."""
        matches = settings.read(path)
        if matches.problems or matches.data is None or not entries_in(matches.text, self.host):
            return FilePlan(
                change(path, matches.data, matches.data, is_shared=True), matches.problems
            )
        text = original(matches.text, matches.backup_text, self.host)
        planned = change(
            path, matches.data, None if text is None else text.encode(), is_shared=True
        )
        if matches.backup_text is None or text == matches.backup_text:
            return FilePlan(planned)
        retained = f"{path}{settings.BACKUP_SUFFIX} keeps the file as it first was."
        return FilePlan(planned, (), (retained,))

    def status(self, path: str, scope: Scope) -> HookStatus:
        """How our entries stand in the file; changes nothing."""
        matches = settings.read(path)
        problems = matches.problems
        if self.has_comments and PROGRAM.encode() not in (matches.data or b""):
            problems = ()  # fine for the host, and none of our business
        ours = () if matches.problems else tuple(entries_in(matches.text, self.host))
        others = () if matches.problems else tuple(other_commands(matches.text, self.host))
        handlers = (handler for _, group in ours for handler in group["hooks"])
        lines = (item["command"] for item in handlers if is_ours(item, self.host))
        return HookStatus(scope, path, problems, ours, *named_in(lines), matches.value, others)

    def _matcher(self, tools: Sequence[str]) -> str:
        names = "|".join(tools)
        return f"^({names})$" if self.has_patterns else names


def plan(host: str, scope: Scope, project_dir: str | None, home: Home) -> SetupPlan:
    """What connecting `host` in `scope` would change; writes nothing.

    Raises Refused for a scope that the host does not have, BadInput when our settings cannot be
    read.
    """
    room = _with_scope(host, scope)
    program = find_executable()
    if program is None:
        return SetupPlan(host, scope, False, (), (f"{PROGRAM} was not found.",))
    groups = wanted_groups(home)
    path = room.files.path(scope, project_dir)
    hooks = room.plan(path, home, groups, program)
    if hooks.problems:
        return _joined(host, scope, False, [hooks])
    from . import commands, mcp  # a status does without

    made = commands.plan(host, scope, project_dir, home, program)
    parts = [hooks, *_shared(host, scope), *made]
    if scope == "user":
        parts = _with_server(parts, mcp.plan(host, program, home, hooks.change))
    out = _leading_out(scope, project_dir, parts)
    return _joined(host, scope, False, [*parts, *out, *_elsewhere(room, scope, project_dir)])


def plan_uninstall(host: str, scope: Scope, project_dir: str | None) -> SetupPlan:
    """What leaving `host` in `scope` would change; writes nothing."""
    room = _with_scope(host, scope)
    hooks = room.plan_uninstall(room.files.path(scope, project_dir))
    if hooks.problems:
        return _joined(host, scope, True, [hooks])
    from . import commands, mcp

    parts = [hooks, *commands.plan_uninstall(host, scope, project_dir)]
    if scope == "user":
        parts = _with_server(parts, mcp.plan_uninstall(host, hooks.change))
    return _joined(host, scope, True, [*parts, *_leading_out(scope, project_dir, parts)])


def _with_server(parts: list[FilePlan], server: FilePlan) -> list[FilePlan]:
    """The parts of a plan and the server's, which may change the same file as the hooks."""
    first = parts[0]
    if server.change is None or first.change is None or first.change.path != server.change.path:
        return [*parts, server]
    retained = settings.bytes_at(server.change.path + settings.BACKUP_SUFFIX)
    is_as_before = retained is not None and retained == server.change.after  # the copy goes
    return [FilePlan(server.change, (), () if is_as_before else first.notes), *parts[1:]]


def _with_scope(host: str, scope: Scope) -> Installer:
    room = installer(host)
    if scope not in room.files.scopes:
        text = ", ".join(room.files.scopes[:-1]) + f" or {room.files.scopes[-1]}"
        raise Refused(f"{NAMES[host]} has no scope {scope!r}.", hint=f"Use {text}.")
    return room


def _shared(host: str, scope: Scope) -> list[FilePlan]:
    """What to say of a file that others of the project get as well."""
    if scope != "project":
        return []
    notes = (host_of(host).in_project, "This file is shared: it names a path on this machine.")
    return [FilePlan(None, (), tuple(filter(None, notes)))]


def _leading_out(
    scope: Scope, project_dir: str | None, parts: Sequence[FilePlan]
) -> list[FilePlan]:
    """What to say of a project whose links lead out of it: its author is not this person."""
    if scope == "user":
        return []
    top = os.path.join(os.path.realpath(project_dir or os.getcwd()), "")
    needed = [part.change.path for part in parts if part.change and part.change.is_needed]
    return [
        FilePlan(None, (f"{path} is a link that leads out of the project.",))
        for path in needed
        if not os.path.realpath(path).startswith(top)
    ]


def _elsewhere(room: Installer, scope: Scope, project_dir: str | None) -> list[FilePlan]:
    """What to say when another scope calls us already."""
    here = os.path.realpath(room.files.path(scope, project_dir))
    return [
        FilePlan(
            None, (), (f"{hook_status.path} calls memdeck as well; each event arrives twice.",)
        )
        for hook_status in hook_statuses(room.host, project_dir)
        if hook_status.is_installed and os.path.realpath(hook_status.path) != here
    ]


def _joined(host: str, scope: Scope, is_removal: bool, parts: list[FilePlan]) -> SetupPlan:
    return SetupPlan(
        host,
        scope,
        is_removal,
        tuple(part.change for part in parts if part.change is not None),
        tuple(problem for part in parts for problem in part.problems),
        tuple(note for part in parts for note in part.notes),
    )
