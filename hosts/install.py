"""Connect and disconnect an agent: the description of a host, and the plan of its hooks.

A plan is made without writing anything; `settings.carry_out` executes it. A hook imports its
one host's `wire` and nothing of this.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..core.agents import NAMES, FileChange, Finding, Scope, SetupPlan
from ..core.projects import program_outside
from ..db.errors import Refused
from ..db.home import Home
from . import registry, settings
from .settings import FRESH, PROGRAM, Entry, FilePlan, change, chosen_home, command, sibling

if TYPE_CHECKING:
    from ..core.models.client import Dialect
    from ..core.sessions.transcript import Transcript
    from .commands import CommandForm
    from .wire import Wire


def wanted_groups(home: Home) -> tuple[str, ...]:
    """Return the groups that the user's settings name. Raises BadInput for unreadable settings."""
    from ..core.config.settings import load_policy  # status checks need no settings

    return tuple(load_policy([home.config]).hooks.events)


def events_of(
    host: str, groups: Sequence[str], tool_events: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the events of `host` that serve `groups`, in its order, with their tools.

    () means all tools, also for events outside of `tool_events`, those that the host can narrow.
    """
    room = registry.wire(host)
    named = {"todos": room.todos, "files": room.files, "roles": room.tasks}
    named["commands"] = room.shells
    matches: dict[str, tuple[str, ...]] = {}
    for event in room.EVENTS:
        serving = [name for name in groups if event in room.GROUPS.get(name, ())]
        if serving:
            is_narrow = event in tool_events and all(name in named for name in serving)
            matches[event] = tuple(t for name in serving if is_narrow for t in named[name])
    return matches


Shape = dict[str, Any]
"""Our registration for an event, without the command line, which differs between machines."""


class HookStatus(NamedTuple):
    scope: Scope
    path: str
    problems: tuple[str, ...] = ()  # why the file cannot be understood
    shapes: Mapping[str, Shape] = {}  # of ours, by event
    programs: tuple[str, ...] = ()  # executables that they name by an absolute path
    homes: tuple[str, ...] = ()  # those that they name; one that names none finds it by itself
    settings: Mapping[str, Any] = {}  # all of the file
    off: str = ""  # why no hook runs with these settings

    @property
    def is_installed(self) -> bool:
        return bool(self.shapes)


class Connection(NamedTuple):
    program: str  # absolute path of the hook's
    home: Home
    groups: tuple[str, ...]  # of events


Servers = Mapping[settings.Path, Any]
"""Our MCP server by its path in a JSON file, or None there if it is to go; empty elsewhere."""


def hook_statuses(host: str, project_dir: str | None) -> list[HookStatus]:
    """Return the status of each scope of `host`; in the home folder two of them are one file."""
    files = HookFiles(*registry.wire(host).HOOK_FILES)
    statuses: dict[str, HookStatus] = {}
    for scope in files.scopes:
        status = HookStatus(scope, path := files.path(scope, project_dir))
        if os.path.lexists(path):  # else all of the host need not be loaded
            status = installer_of(host).status(path, scope)
        statuses.setdefault(os.path.realpath(path), status)
    return list(statuses.values())


class HookFiles(NamedTuple):
    """The files in which one host can register us, existing or not."""

    variables: tuple[tuple[str, str], ...]  # that may name the user's folder, or one above
    usual: str  # the user's folder otherwise
    project_folder: str  # below a project
    names: Mapping[str, str]  # the file's name below its folder, by scope

    def folder(self) -> str:
        """Return the user's folder, absolute."""
        return registry.folder_of(self.variables, self.usual)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return cast("tuple[Scope, ...]", tuple(self.names))

    def path(self, scope: Scope, project_dir: str | None) -> str:
        """Return the file of `scope`; `project_dir` is the current folder by default."""
        if scope == "user":
            return os.path.join(self.folder(), self.names[scope])
        base = os.path.abspath(project_dir or os.getcwd())
        return os.path.join(base, self.project_folder, self.names[scope])


def installer_of(host: str) -> Installer:
    """Return what gets our calls into a host's file of hooks. Most need not be loaded for it."""
    room = registry.wire(host)
    if room.HOOK_ENTRIES is None:
        return host_of(host).installer
    return Installer(host, HookFiles(*room.HOOK_FILES), **room.HOOK_ENTRIES)


Hindrances = Callable[[Sequence[HookStatus], str | None], tuple[bool | None, list[Finding]]]
"""From the status of each scope, and a project's folder: whether it trusts our hooks (None: it
does not say), and the problems that keep it from running them."""

Tables = Mapping[tuple[str, ...], Mapping[str, Any] | None]
"""By path, tables of a TOML file (`settings.with_tables`)."""


class Server(NamedTuple):
    """A host's list of MCP servers, always in the user's settings, and the form of ours."""

    file: str  # below the user's folder of the host
    key: str  # of the servers in the file
    more: Mapping[str, Any] = {}  # further fields of an entry
    is_one_list: bool = False  # command and arguments are one list, and the variables have a name
    is_beside: bool = False  # beside the folder, unless a variable names this

    def entry(self, connection: Connection) -> dict[str, Any]:
        line, home = sibling(connection.program), chosen_home(connection.home)
        variables = {"MEMDECK_HOME": home} if home else {}
        if self.is_one_list:
            around = {"environment": variables} if home else {}
            return {**self.more, "command": [line, "mcp"], **around}
        around = {"env": variables} if home else {}
        return {**self.more, "command": line, "args": ["mcp"], **around}


class Host(NamedTuple):
    wire: Wire
    installer: Installer
    transcript: Transcript  # how its session files are known and read
    server: Server
    headless: Dialect | None = None  # how it is asked one question; None where that is not known
    commands: CommandForm | None = None  # its slash commands; None: it has none from files
    hindrances: Hindrances = lambda _statuses, _folder: (None, [])
    trust: Callable[[str, bytes | None, bytes | None], Tables] | None = None
    """From the path of a file of hooks and its content before and after a change, the tables by
    which the user's settings trust ours. None where no trust is asked for."""
    logins: tuple[str, ...] = ()  # files below the user's folder that hold a login
    login_mark: bytes = b""  # words of a login in the file of servers; macOS keeps the key apart

    @property
    def name(self) -> str:
        """Return the name in settings, on command lines and in the store."""
        return self.wire.HOST

    @property
    def server_path(self) -> str:
        files = self.installer.files
        is_chosen = any(os.environ.get(name) for name, _ in files.variables)
        folder = files.folder()
        if self.server.is_beside and not is_chosen:
            folder = os.path.dirname(folder)
        return os.path.join(folder, self.server.file)


def has_login(host: str) -> bool:
    """Return True if the agent can be asked without a user, and a login of the user's is there."""
    matches = host_of(host)
    folder = matches.installer.files.folder()
    is_there = any(os.path.exists(os.path.join(folder, name)) for name in matches.logins)
    if mark := matches.login_mark:
        is_there = is_there or mark in (settings.bytes_at(matches.server_path) or b"")
    return matches.headless is not None and is_there and program_outside(host) is not None


def host_of(name: str) -> Host:
    """Return the host of this name. Raises Refused where there is none."""
    host = registry.host(name)
    if not isinstance(host, Host):
        raise Refused(
            f"There is no agent {name!r}.", hint=f"We know {', '.join(registry.names())}."
        )
    return host


SERVER = "memdeck"  # the name of our MCP server

_OURS = (
    r"(?:^|[\s/\\'\"])memdeck(?:-hook(?:\.exe)?|\s+hook)['\"]?\s+(?:--cli[= ])?(?P<host>[a-z]+)\b"
)


class Installer(NamedTuple):
    """Adds our entries to a host's file of hooks, or removes them."""

    host: str
    files: HookFiles
    timeout: int = 0  # in the host's own unit
    tool_events: tuple[str, ...] = ()  # those that a matcher narrows to some tools
    note: str = ""  # advice to the user who installs
    switch: tuple[tuple[str, ...], bool] = ((), False)  # path and value that turn all hooks off
    timeouts: Mapping[str, int] = {}  # of events with one of their own
    extra: Mapping[str, str] = {}  # further fields of a handler
    has_patterns: bool = False  # whether a matcher is a regular expression
    fields: tuple[str, str] = ("command", "timeout")  # their names in a handler
    is_flat: bool = False  # an event has handlers, and no groups of them
    fresh: str = FRESH  # a file that has nothing but our entries

    def entries(self, executable: str, home: Home, groups: Sequence[str]) -> list[Entry]:
        """Return the groups that we register for these groups of events, in the adapter's order."""
        entries: list[Entry] = []
        for event, tools in events_of(self.host, groups, self.tool_events).items():
            handler = {
                **self.extra,
                "type": "command",
                self.fields[0]: command(executable, self.host, event, home),
                self.fields[1]: self.timeouts.get(event, self.timeout),
            }
            names = "|".join(tools)
            matcher = {"matcher": f"^({names})$" if self.has_patterns else names} if tools else {}
            group = {**matcher, **handler} if self.is_flat else {**matcher, "hooks": [handler]}
            entries.append((("hooks", event, None), group))
        return entries

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """Return our registration for each event of these groups."""
        return {str(path[1]): _shape(group) for path, group in self.entries("", Home(), groups)}

    def plan(self, path: str, connection: Connection | None, servers: Servers) -> FilePlan:
        """Return the change of the file: connect, or disconnect without a `connection`."""

        def is_ours(at: settings.Path, value: Any) -> bool:
            handlers = _handlers(value)
            is_group = bool(handlers) and all(map(self._is_our_handler, handlers))
            return at in servers or (at[0] == "hooks" and (is_group or self._is_our_handler(value)))

        entries = [(at, value) for at, value in servers.items() if value is not None]
        if connection is not None:
            ours = self.entries(connection.program, connection.home, connection.groups)
            entries = [*ours, *entries]
        planned = settings.plan_entries(path, is_ours, entries, fresh=self.fresh)
        if planned.problems or connection is None:
            return planned
        notes = [self.note, *filter(None, [self._off(settings.read(path).value)])]
        if os.path.islink(path):
            notes.append(f"The file is a link; {os.path.realpath(path)} is written.")
        return FilePlan(planned.change, (), tuple(notes))

    def status(self, path: str, scope: Scope) -> HookStatus:
        """Return the status of our entries in the file; changes nothing."""
        file = settings.read(path)
        if file.problems:  # reported only if the file names us
            is_ours = PROGRAM.encode() in (file.data or PROGRAM.encode())
            return HookStatus(scope, path, file.problems if is_ours else ())
        programs, homes = set[str](), set[str]()
        shapes: dict[str, Shape] = {}
        for event, _, _, group, handler in self.positions(file.value):
            shapes[event] = _shape(group)
            try:
                words = shlex.split(handler[self.fields[0]])[:2]
            except ValueError:  # no words of a shell
                continue
            programs |= {word for word in words if os.path.isabs(word)}
            homes |= {word[13:] for word in words[:1] if word.startswith("MEMDECK_HOME=")}
        lines = tuple(sorted(programs)), tuple(sorted(homes))
        return HookStatus(scope, path, (), shapes, *lines, file.value, self._off(file.value))

    def _off(self, value: Any) -> str:
        """Return why no hook runs with these settings, or ""."""
        keys, off = self.switch
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not off:
            return ""
        return f"{'.'.join(keys)} is {str(off).lower()}, so that no hook runs."

    def positions(
        self, value: Mapping[str, Any]
    ) -> list[tuple[str, int, int, dict[str, Any], dict[str, Any]]]:
        """Return each of our handlers: event, place of its group, place in that, group, handler."""
        return [
            (event, at, inner, group, handler)
            for event, groups in value.get("hooks", {}).items()
            for at, group in enumerate(groups)
            for inner, handler in enumerate([group] if self.is_flat else _handlers(group))
            if self._is_our_handler(handler)
        ]

    def _is_our_handler(self, handler: Any) -> bool:
        """Return True if a handler runs our hook for this host, in any spelling that we had."""
        line = handler.get(self.fields[0]) if isinstance(handler, dict) else None
        if not isinstance(line, str):
            return False
        return any(matches["host"] == self.host for matches in re.finditer(_OURS, line))


def _handlers(group: Any) -> list[Any]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _shape(value: Any) -> Any:
    if isinstance(value, list):
        return [_shape(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _shape(item) for name, item in value.items() if name not in ("command", "bash")}


def plan(
    host: str,
    scope: Scope,
    project_dir: str | None,
    home: Home,
    *,
    is_removal: bool = False,
    is_trusting: bool = False,
) -> SetupPlan:
    """Return the changes of connecting or disconnecting `host` in `scope`; writes nothing.

    Raises Refused for a scope that the host does not have, BadInput when our settings cannot be
    read.
    """
    matches = host_of(host)
    room = matches.installer
    if scope not in room.files.scopes:
        text = ", ".join(room.files.scopes[:-1]) + f" or {room.files.scopes[-1]}"
        raise Refused(f"{NAMES[host]} has no scope {scope!r}.", hint=f"Use {text}.")
    connection = None
    if not is_removal:
        program = settings.find_executable()
        if program is None:
            return SetupPlan(host, scope, False, (), (f"{PROGRAM} was not found.",))
        connection = Connection(program, home, wanted_groups(home))
    path = room.files.path(scope, project_dir)
    entry = matches.server.entry(connection) if connection is not None else None
    servers: Servers = {(matches.server.key, SERVER): entry} if scope == "user" else {}
    is_one_file = os.path.realpath(matches.server_path) == os.path.realpath(path)
    hooks = room.plan(path, connection, servers if is_one_file else {})
    parts = [hooks]
    if not hooks.problems:
        from . import commands  # a status does without

        parts += commands.plan(matches, scope, project_dir, connection)
        parts += [FilePlan(None, (text,)) for text in _leading_out(scope, project_dir, parts)]
        if not is_one_file:
            parts.append(_plan_server(matches, hooks.change, servers, is_trusting or is_removal))
    notes = [note for part in parts for note in part.notes]
    if not is_removal and not hooks.problems:
        notes += _about_scope(matches, scope, project_dir, path)
    changes = tuple(part.change for part in parts if part.change is not None)
    problems = tuple(problem for part in parts for problem in part.problems)
    return SetupPlan(host, scope, is_removal, changes, problems, tuple(notes))


def _plan_server(
    host: Host, hooks: FileChange | None, servers: Servers, is_of_trust: bool
) -> FilePlan:
    """The change of the user's file of servers, which holds the trust in `hooks` too in TOML.

    A problem there costs the registration, and no hook.
    """
    path, wanted = host.server_path, [item for item in servers.items() if item[1] is not None]
    if not path.endswith(".toml"):
        if not servers:
            return FilePlan(None)
        planned = settings.plan_entries(path, lambda at, _: at in servers, wanted, is_copied=False)
        problem = "".join(planned.problems)
    else:
        planned, problem = FilePlan(None), ""
        try:
            before = settings.bytes_at(path)
            tables: dict[tuple[str, ...], Any] = {
                tuple(filter(None, at)): value for at, value in servers.items()
            }
            if host.trust is not None and hooks is not None and is_of_trust:
                tables |= host.trust(hooks.path, hooks.before, hooks.after)
            text = settings.with_tables((before or b"").decode(), tables)
            after = text.encode() if text or (before is not None and wanted) else None
            planned = FilePlan(change(path, before, before if after == before else after))
        except OSError as error:
            problem = f"{path} cannot be read: {error.strerror}."
        except ValueError as error:
            problem = f"{path} {error}."
    if not problem:
        return planned
    return FilePlan(None, (), (f"The MCP server is not registered: {problem}",) if wanted else ())


def _about_scope(host: Host, scope: Scope, project_dir: str | None, path: str) -> list[str]:
    """Notes on a file that others of the project get too, and on one that calls us already."""
    notes = [
        f"{status.path} calls memdeck as well, so each event arrives twice."
        for status in hook_statuses(host.name, project_dir)
        if status.is_installed and os.path.realpath(status.path) != os.path.realpath(path)
    ]
    if scope == "project":
        notes.append("This file is shared: it names a path on this machine.")
    return notes


def _leading_out(scope: Scope, project_dir: str | None, parts: Sequence[FilePlan]) -> list[str]:
    """Return notes on links that lead out of a project, whose author is not this user."""
    if scope == "user":
        return []
    top = os.path.join(os.path.realpath(project_dir or os.getcwd()), "")
    needed = [part.change.path for part in parts if part.change and part.change.is_needed]
    return [
        f"{path} is a link that leads out of the project."
        for path in needed
        if not os.path.realpath(path).startswith(top)
    ]
