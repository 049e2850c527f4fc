"""Values and protocol for the agents of this machine, used by the app and the command line.

`agents` and `tui` may not import each other: `agents/desk.py` implements `Agents`, and the command
line hands it to the app. This module holds values and the protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol

from . import hosts

Host = str  # the name of a folder in `hosts/`
Scope = Literal["user", "project", "local"]

HOSTS: tuple[Host, ...] = hosts.registry.names()


class _Names(Mapping[Host, str]):
    """The display name of each host, loaded with its dialect when it is first used."""

    def __getitem__(self, host: Host) -> str:
        if host not in HOSTS:
            raise KeyError(host)
        return str(hosts.registry.wire(host).TITLE)

    def __iter__(self) -> Iterator[Host]:
        return iter(HOSTS)

    def __len__(self) -> int:
        return len(HOSTS)


NAMES = _Names()  # the display name of each host


class Finding(NamedTuple):
    name: str
    ok: bool
    message: str
    advice: str = ""  # to the user; "" if all is well
    fix: str = ""  # the id under which `Agents.fix` fixes it; "" if only the user can
    is_absent: bool = False  # the agent is not connected: no problem, but nothing works


class EventMark(NamedTuple):
    """An event we ask a host for, and when it last came."""

    name: str  # as the host calls it
    at_ms: int | None  # None: never


class AgentState(NamedTuple):
    host: Host
    is_present: bool  # its program or its folder of settings is on this machine
    program: str  # absolute path; "" when not found
    scopes: tuple[Scope, ...]  # the settings that have our hooks
    is_trusted: bool | None  # None: the host asks for no trust, or does not say
    events: tuple[EventMark, ...]
    latency_p50_ms: float | None  # of its last 100 answers; None before the first
    latency_p95_ms: float | None
    last_error: str  # the last line of the hooks' log about it; "" when there is none
    findings: tuple[Finding, ...]
    folder: str = ""  # of its settings

    @property
    def name(self) -> str:
        return NAMES[self.host]

    @property
    def install_command(self) -> str:
        return str(hosts.registry.wire(self.host).INSTALL)

    @property
    def last_fired_ms(self) -> int | None:
        """Return the time of its newest event, in ms."""
        return max((e.at_ms for e in self.events if e.at_ms is not None), default=None)


class FileChange(NamedTuple):
    """A change of one file; None means no file."""

    path: str
    before: bytes | None
    after: bytes | None
    diff: str  # unified, for the user who decides
    is_shared: bool = False  # others write the file too: it is copied aside before our first change

    @property
    def is_needed(self) -> bool:
        return self.before != self.after


class SetupPlan(NamedTuple):
    """The changes of installing or uninstalling one agent; nothing is written yet."""

    host: Host
    scope: Scope
    is_removal: bool
    changes: tuple[FileChange, ...]
    problems: tuple[str, ...] = ()  # reasons why it cannot be done
    notes: tuple[str, ...] = ()  # advice to the user afterwards

    @property
    def is_needed(self) -> bool:
        return any(change.is_needed for change in self.changes)


class Agents(Protocol):
    """The agents of this machine, for one project's folder. Slow: not for an event loop."""

    def survey(self) -> tuple[AgentState, ...]:
        """Return the state of each host, in the order of `HOSTS`."""

    def plan(self, host: Host, scope: Scope = "user", *, remove: bool = False) -> SetupPlan:
        """Return the changes of connecting or disconnecting `host`."""

    def apply(self, plan: SetupPlan) -> None:
        """Carry out a plan. Raises Refused when it has problems or a file changed since."""

    def fix(self, finding: Finding) -> str:
        """Carry out a safe fix; return the action in words. Raises Refused."""

    def examine(self) -> tuple[Finding, ...]:
        """Return the checks of the store, its files and settings."""
