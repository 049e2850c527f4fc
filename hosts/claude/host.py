"""Claude Code in full: our part of its settings, and other settings that affect our hooks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ...core.models import client
from ...core.sessions import transcript as t
from ..commands import Command, CommandForm, Texts, asks, page
from ..install import HookFiles, Host, Server, installer_of
from .wire import WIRE

FILES = HookFiles(*WIRE.HOOK_FILES)


def _write(item: Command, line: str) -> Texts:
    head = {"description": item.about, "argument-hint": item.hint, "disable-model-invocation": True}
    if not re.search(r"['\"(),*]", line):  # a rule cannot name such a path
        head["allowed-tools"] = f"Bash({line}:*)"
    return [(f"{item.name}.md", page(head, asks(line, f"/{item.name}", "$ARGUMENTS")))]


def _arguments(call: client.Call) -> list[str]:
    return [
        "claude", "-p", "--output-format", "json", "--model", call.model or "haiku",
        "--safe-mode", "--settings", '{"disableAllHooks":true}',
        "--tools", "", "--strict-mcp-config", "--disallowedTools", "mcp__*",
        "--disable-slash-commands", "--no-session-persistence",
    ]  # fmt: skip


def _read_answer(done: client.Output, _call: client.Call) -> client.Reply:
    """Return the result object, alone or as one of the events of a verbose run."""
    results = [event for event in client.events_in(done.stdout) if event.get("type") == "result"]
    if not results:
        raise client.NoReply("failed", client.last_words(done))
    matches = results[-1]
    cost = client.dollars(matches.get("total_cost_usd"))
    words = matches.get("result")
    subtype = str(matches.get("subtype", ""))
    if matches.get("is_error") or subtype.startswith("error") or done.code:
        details = (
            words if isinstance(words, str) and words else client.message_in(matches.get("errors"))
        )
        raise client.NoReply("failed", details or subtype or client.last_words(done), cost_usd=cost)
    if matches.get("structured_output") is not None:
        words = json.dumps(matches["structured_output"])
    if not isinstance(words, str):
        raise client.NoReply("invalid", "The result holds no text.", cost_usd=cost)
    usage = client.table(matches.get("usage"))
    return client.Reply(
        words,
        cost,
        client.total(
            usage.get("input_tokens"),
            usage.get("cache_creation_input_tokens"),
            usage.get("cache_read_input_tokens"),
        ),
        client.total(usage.get("output_tokens")),
    )


_SYNTHETIC = "<synthetic>"


class _Session(t.SessionReader):
    """A fork repeats earlier lines under their old uuid, and one answer is spread over several
    lines that may repeat its blocks: each is read once."""

    def take(self, line: dict[str, Any], number: int) -> None:
        is_subagents = line.get("isSidechain") is True
        uuid = t.text_of(line.get("uuid"))
        if uuid and not is_subagents and "parentUuid" in line:
            parent = line.get("parentUuid") or line.get("logicalParentUuid")
            self.hang(uuid, t.text_of(parent))
        if (is_subagents and not self.sidechains) or (uuid and not self.is_new(uuid)):
            return
        kind, message = line.get("type"), line.get("message")
        agent = t.text_of(line.get("agentId")) or ("sidechain" if is_subagents else "")
        name = t.text_of(t.mapping_of(message).get("id")) if kind == "assistant" else ""
        self.locate(number, uuid, t.moment_of(line.get("timestamp")), agent, name)
        if kind == "system" and line.get("subtype") == "compact_boundary":
            self.add_turn("boundary")
        elif kind == "attachment":
            attachment = t.mapping_of(line.get("attachment"))
            is_prompt = attachment.get("commandMode", "prompt") == "prompt"
            if attachment.get("type") == "queued_command" and is_prompt:
                self.add_message("queued", t.words_of(attachment.get("prompt")))
        elif not isinstance(message, dict) or line.get("isMeta") is True:
            return
        elif kind == "user" and line.get("isCompactSummary") is not True:
            self._user(message.get("content"), line.get("toolUseResult"))
        elif kind == "assistant" and not (
            message.get("model") == _SYNTHETIC or line.get("isApiErrorMessage") is True
        ):
            self._assistant(message, name)

    def _user(self, content: Any, structured: Any) -> None:
        has_failed = t.text_of(structured).startswith("Error: ")
        for part, block in enumerate(t.blocks_of(content)):
            if block.get("type") == "text":
                self.add_message("user", t.text_of(block.get("text")), part=part)
            elif block.get("type") == "tool_result":
                self.add_turn(
                    "tool_result",
                    t.words_of(block.get("content")),
                    is_error=block.get("is_error") is True or has_failed,
                    part=part,
                    call_id=t.text_of(block.get("tool_use_id")),
                    details=_facts(t.mapping_of(structured)),
                )

    def _assistant(self, message: Mapping[str, Any], name: str) -> None:
        tokens = _tokens(t.mapping_of(message.get("usage")))
        for part, block in enumerate(t.blocks_of(message.get("content"))):
            if block.get("type") == "text":
                text = t.text_of(block.get("text"))
                mark = f"text:{name}:{t.digest_of(text)}" if name else ""
                self.add_message("assistant", text, mark, part=part, tokens=tokens)
            elif block.get("type") == "tool_use":
                made = t.text_of(block.get("name")), t.clipped(t.mapping_of(block.get("input")))
                self.call(t.text_of(block.get("id")), [made], part, tokens=tokens)


def _tokens(usage: Mapping[str, Any]) -> int | None:
    """Return the tokens of one answer: new input and output, without cached input."""
    counted = [
        value
        for name in ("input_tokens", "cache_creation_input_tokens", "output_tokens")
        if isinstance(value := usage.get(name), int) and not isinstance(value, bool)
    ]
    return sum(max(value, 0) for value in counted) if counted else None


def _facts(structured: Mapping[str, Any]) -> dict[str, str | bool]:
    """Return facts of `toolUseResult`: the subagent, the task, success."""
    task = structured.get("task")
    matches = {
        "agent_id": structured.get("agentId"),
        "agent_type": structured.get("agentType"),
        "task_id": task.get("id") if isinstance(task, dict) else structured.get("taskId"),
        "success": structured.get("success"),
        "interrupted": structured.get("interrupted"),
    }
    return {name: fact for name, fact in matches.items() if isinstance(fact, str | bool)}


_MARKS = ("parentUuid", "isSidechain", "leafUuid", "permissionMode", "isSnapshotUpdate")


HOST = Host(
    wire=WIRE,
    logins=(".credentials.json",),
    login_mark=b'"oauthAccount"',
    installer=installer_of("claude"),
    commands=CommandForm(FILES, "commands", _write),
    server=Server(".claude.json", "mcpServers", {"type": "stdio"}, is_beside=True),
    headless=client.Dialect(_arguments, _read_answer),
    transcript=t.Transcript(_Session, lambda line: any(mark in line for mark in _MARKS)),
)
