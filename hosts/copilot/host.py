"""GitHub Copilot CLI, whole: our file of hooks among those that it reads.

It reads every JSON file in a folder of hooks. What others have in ours stays as it is. How it
answers one question in JSON is not documented.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.agents import Finding, Scope
from ...core.sessions.transcript import (
    SessionReader,
    Transcript,
    arguments_of,
    list_of,
    mapping_of,
    moment_of,
    text_of,
    translated,
)
from ...db.home import Home
from .. import settings
from ..install import HookFiles, HookStatus, Host, Shape, events_of
from ..settings import PROGRAM, FilePlan, change, command, is_ours, named_in
from . import wire

FILES = HookFiles(*wire.HOOK_FILES)


TIMEOUT_S = 10

_SETTINGS = ("settings.json", "settings.local.json")


class Copilot:
    """Installing into the folder of hooks of the person, or of a project."""

    host: str = "copilot"
    files = FILES

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """By event, how these groups of events would have us called."""
        return {event: _handler("") for event in events_of(self.host, groups)}

    def plan(self, path: str, home: Home, groups: Sequence[str], program: str) -> FilePlan:
        """What installing would do to our file."""
        matches = settings.read(path)
        before = matches.data
        if matches.problems:
            return FilePlan(change(path, before, before), matches.problems)
        rest = _without_ours(matches.value)
        theirs = rest.get("hooks", {})
        ours = {
            event: [_handler(command(program, self.host, event, home))]
            for event in events_of(self.host, groups)
        }
        hooks = {event: [*made, *theirs.get(event, ())] for event, made in ours.items()}
        whole = {"version": 1, **rest, "hooks": {**theirs, **hooks}}
        note = "Copilot CLI reads the file when it is started next."
        return FilePlan(change(path, before, _text(whole)), (), (note,))

    def plan_uninstall(self, path: str) -> FilePlan:
        """What uninstalling would do to our file; what is not ours stays."""
        matches = settings.read(path)
        before = matches.data
        if matches.problems:
            is_theirs = before is not None and PROGRAM.encode() not in before
            return FilePlan(change(path, before, before), () if is_theirs else matches.problems)
        if not _ours(matches.value):
            return FilePlan(change(path, before, before))
        rest = _without_ours(matches.value)
        after = _text(rest) if rest.get("hooks") or rest.keys() - {"version", "hooks"} else None
        return FilePlan(change(path, before, after))

    def status(self, path: str, scope: Scope) -> HookStatus:
        """How our file stands; changes nothing."""
        matches = settings.read(path)
        ours = _ours(matches.value)
        entries = tuple((event, {**handler, "bash": ""}) for event, handler in ours)
        named = named_in(handler["bash"] for _, handler in ours)
        return HookStatus(scope, path, matches.problems, entries, *named, matches.value)


def hindrances(
    _statuses: Sequence[HookStatus], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    """A switch in the person's settings or the project's that keeps every hook from running."""
    project = os.path.join(os.path.abspath(project_dir or os.getcwd()), ".github", "copilot")
    places = [os.path.join(FILES.folder(), _SETTINGS[0])]
    places += [os.path.join(project, name) for name in _SETTINGS]
    return None, [
        Finding(
            wire.HOST,
            False,
            f"disableAllHooks is set in {path}, so that no hook runs.",
            "Take it out of that file.",
        )
        for path in places
        if settings.read(path).value.get("disableAllHooks") is True
    ]


def _handler(line: str) -> dict[str, Any]:
    return {"type": "command", "bash": line, "timeoutSec": TIMEOUT_S}


def _ours(settings: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Our handlers among those of a file, each with its event."""
    return [
        (event, handler)
        for event, handlers in settings.get("hooks", {}).items()
        for handler in handlers
        if isinstance(handler, dict) and is_ours({"command": handler.get("bash")}, wire.HOST)
    ]


def _without_ours(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same without our handlers, and without events that have no other."""
    ours = [handler for _, handler in _ours(settings)]
    remaining = {
        event: [item for item in handlers if item not in ours]
        for event, handlers in settings.get("hooks", {}).items()
    }
    return {**settings, "hooks": {event: held for event, held in remaining.items() if held}}


def _text(settings: dict[str, Any]) -> bytes:
    return (json.dumps(settings, indent=2) + "\n").encode()


_TOOLS = {"view": "read", "create": "write", "str_replace_editor": "edit"}
_TYPES = ("session.", "user.", "assistant.", "tool.", "subagent.", "hook.", "abort")


class _Log(SessionReader):
    """A call is told with the answer and again as it starts: it is read once."""

    def take(self, line: dict[str, Any], number: int) -> None:
        data, kind = mapping_of(line.get("data")), text_of(line.get("type"))
        agent = text_of(line.get("agentId")) or text_of(data.get("parentToolCallId"))
        name = text_of(line.get("id"))
        if (agent and not self.sidechains) or (name and not self.is_new(name)):
            return
        message = text_of(data.get("messageId")) if kind == "assistant.message" else ""
        self.stand(number, name, moment_of(line.get("timestamp")), agent, message)
        if kind == "user.message" and text_of(data.get("source")) in ("", "user"):
            self.say("user", text_of(data.get("content")))
        elif kind == "assistant.message":
            self.say("assistant", text_of(data.get("content")))
            for request in list_of(data.get("toolRequests")):
                self._call(mapping_of(request), "name", 1)
        elif kind == "tool.execution_start":
            self._call(data, "toolName", 0)
        elif kind == "tool.execution_complete":
            has_failed = data.get("success") is False
            details = mapping_of(data.get("error") if has_failed else data.get("result"))
            text = text_of(details.get("message")) or text_of(details.get("content"))
            self.result(text_of(data.get("toolCallId")), text, is_error=has_failed)
        elif kind == "session.compaction_complete":
            self.tell("boundary")

    def _call(self, details: Mapping[str, Any], tool: str, first: int) -> None:
        name = text_of(details.get(tool))
        made = translated(_TOOLS.get(name, name), arguments_of(details.get("arguments")))
        self.call(text_of(details.get("toolCallId")), made, first)


def _is_line(line: Mapping[str, Any]) -> bool:
    is_known = text_of(line.get("type")).startswith(_TYPES)
    return is_known and isinstance(line.get("data"), dict) and "parentId" in line


HOST = Host(
    wire=wire,
    installer=Copilot(),
    hindrances=hindrances,
    transcript=Transcript(_Log, _is_line),
)
