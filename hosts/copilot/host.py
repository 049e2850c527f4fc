"""GitHub Copilot CLI in full: our file of hooks among those that it reads.

It reads every JSON file in a folder of hooks. Entries of others in ours stay unchanged. How it
answers one question in JSON is not documented.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.sessions import transcript as t
from ..install import HookFiles, Host, Server, installer_of
from .wire import WIRE

FILES = HookFiles(*WIRE.HOOK_FILES)


_TOOLS = {"view": "read", "create": "write", "str_replace_editor": "edit"}
_TYPES = ("session.", "user.", "assistant.", "tool.", "subagent.", "hook.", "abort")


class _Log(t.SessionReader):
    """The log has a call with the answer and again as it starts: it is read once."""

    def take(self, line: dict[str, Any], number: int) -> None:
        data, kind = t.mapping_of(line.get("data")), t.text_of(line.get("type"))
        agent = t.text_of(line.get("agentId")) or t.text_of(data.get("parentToolCallId"))
        name = t.text_of(line.get("id"))
        if (agent and not self.sidechains) or (name and not self.is_new(name)):
            return
        message = t.text_of(data.get("messageId")) if kind == "assistant.message" else ""
        self.locate(number, name, t.moment_of(line.get("timestamp")), agent, message)
        if kind == "user.message" and t.text_of(data.get("source")) in ("", "user"):
            self.add_message("user", t.text_of(data.get("content")))
        elif kind == "assistant.message":
            self.add_message("assistant", t.text_of(data.get("content")))
            for request in t.list_of(data.get("toolRequests")):
                self._call(t.mapping_of(request), "name", 1)
        elif kind == "tool.execution_start":
            self._call(data, "toolName", 0)
        elif kind == "tool.execution_complete":
            has_failed = data.get("success") is False
            details = t.mapping_of(data.get("error") if has_failed else data.get("result"))
            has_failed |= bool(t.mapping_of(data.get("shellExecution")).get("exitCode"))
            text = t.text_of(details.get("message")) or t.text_of(details.get("content"))
            self.result(t.text_of(data.get("toolCallId")), text, is_error=has_failed)
        elif kind == "session.compaction_complete":
            self.add_turn("boundary")

    def _call(self, details: Mapping[str, Any], tool: str, first: int) -> None:
        name = t.text_of(details.get(tool))
        made = t.translated(_TOOLS.get(name, name), t.arguments_of(details.get("arguments")))
        self.call(t.text_of(details.get("toolCallId")), made, first)


def _is_line(line: Mapping[str, Any]) -> bool:
    is_known = t.text_of(line.get("type")).startswith(_TYPES)
    return is_known and isinstance(line.get("data"), dict) and "parentId" in line


HOST = Host(
    wire=WIRE,
    installer=installer_of("copilot"),
    server=Server("mcp-config.json", "mcpServers", {"type": "local", "tools": ["*"]}),
    transcript=t.Transcript(_Log, _is_line),
)
