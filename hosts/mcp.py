"""Registers our MCP server in the user's settings of each agent.

Only there: a project's file is shared, and the entry names a path on this machine. A file that
cannot be changed costs the registration, and no hook.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..core.agents import FileChange
from ..db.home import Home
from . import registry, settings
from .settings import FRESH, FilePlan, change, chosen_home, insert, parse, remove, sibling

NAME = "memdeck"


@dataclass(frozen=True, slots=True)
class Registration:
    """Where an agent looks for servers, and the form of an entry."""

    file: str  # below the user's folder of the agent
    key: str  # of the servers in the file
    more: Mapping[str, Any]  # what an entry has beside the command
    is_one_line: bool = False  # command and arguments are one list, and the variables have a name


REGISTRATIONS = {
    "claude": Registration(".claude.json", "mcpServers", {"type": "stdio"}),
    "codex": Registration("config.toml", "mcp_servers", {}),
    "copilot": Registration("mcp-config.json", "mcpServers", {"type": "local", "tools": ["*"]}),
    "gemini": Registration("settings.json", "mcpServers", {}),
    "opencode": Registration("opencode.json", "mcp", {"type": "local", "enabled": True}, True),
}


def path_of(host: str) -> str:
    """The user's file in which an agent looks for servers."""
    variables, usual, _, _ = registry.wire(host).HOOK_FILES
    folder = registry.folder_of(variables, usual)
    if host == "claude" and not os.environ.get("CLAUDE_CONFIG_DIR"):
        folder = os.path.dirname(folder)  # beside the folder
    return os.path.join(folder, REGISTRATIONS[host].file)


def entry_of(host: str, program: str, home: Home) -> dict[str, Any]:
    """The entry for an agent; `program` is the path of our hook's."""
    form, command = REGISTRATIONS[host], sibling(program)
    home_path = chosen_home(home)
    if form.is_one_line:
        around = {"environment": {"MEMDECK_HOME": home_path}} if home_path else {}
        return {**form.more, "command": [command, "mcp"], **around}
    around = {"env": {"MEMDECK_HOME": home_path}} if home_path else {}
    return {**form.more, "command": command, "args": ["mcp"], **around}


def plan(host: str, program: str, home: Home, hooks: FileChange | None) -> FilePlan:
    """What registering would change; `hooks` is the change of a file that may be the same."""
    return _planned(host, entry_of(host, program, home), hooks)


def plan_uninstall(host: str, hooks: FileChange | None) -> FilePlan:
    """What taking our entry out would change."""
    return _planned(host, None, hooks)


def _planned(host: str, entry: dict[str, Any] | None, hooks: FileChange | None) -> FilePlan:
    path = path_of(host)
    is_hooks = hooks is not None and os.path.realpath(hooks.path) == os.path.realpath(path)
    try:
        before = settings.bytes_at(path)
        data = hooks.after if hooks is not None and is_hooks else before
        if path.endswith(".toml"):
            after = _in_toml(data, REGISTRATIONS[host].key, entry)
        else:
            after = _in_json(data, REGISTRATIONS[host].key, entry)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        note = f"The MCP server is not registered, since {path} cannot be read: {why}."
        return FilePlan(None, (), (note,) if entry is not None else ())
    return FilePlan(change(path, before, after, is_shared=is_hooks))


def _in_json(data: bytes | None, key: str, entry: dict[str, Any] | None) -> bytes | None:
    """The file with our entry, or without one. Raises ValueError for what cannot be changed."""
    if data is None and entry is None:
        return None
    text = FRESH if data is None else data.decode()
    root = parse(text)
    servers = root.member(key)
    if not root.is_object or (servers is not None and not servers.is_object):
        raise ValueError("it has another shape than expected")
    ours = servers.member(NAME) if servers is not None else None
    if ours is not None and ours.value == entry:
        return data
    if servers is not None and ours is not None:
        if len(servers.parts) > 1:
            text = remove(text, servers, servers.index(NAME))
        else:
            text = remove(text, root, root.index(key))
        root = parse(text)
        servers = root.member(key)
    if entry is None:
        return None if ours is not None and not root.parts else text.encode()
    if servers is None:
        return insert(text, root, key, {NAME: entry}).encode()
    return insert(text, servers, NAME, entry).encode()


_OURS = re.compile(rf"\n?\[mcp_servers\.{NAME}\]\n(?:(?!\[).*(?:\n|$))*")


def _in_toml(data: bytes | None, key: str, entry: dict[str, Any] | None) -> bytes | None:
    """The same for TOML, where ours is a table of its own."""
    if data is None and entry is None:
        return None
    text = "" if data is None else data.decode()
    servers = tomllib.loads(text).get(key, {})
    if not isinstance(servers, dict):
        raise ValueError("it has another shape than expected")
    if NAME in servers and servers[NAME] == entry:
        return data
    if NAME in servers:
        text = _OURS.sub("", text, count=1)
        if NAME in tomllib.loads(text).get(key, {}):
            raise ValueError(f"{key}.{NAME} is written in another form than ours")
    if entry is not None:
        lines = [f"[{key}.{NAME}]", *(f"{name} = {_toml(value)}" for name, value in entry.items())]
        before = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        text += before + "\n".join(lines) + "\n"
        tomllib.loads(text)
    return text.encode() if text or data is None or entry is not None else None


def _toml(value: Any) -> str:
    """A text, a list or a table of texts; JSON's strings are strings of TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
