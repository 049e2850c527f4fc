"""Claude Code's transcript: what was said and done, without the host's bookkeeping.

The vendor calls the format internal, so every field is taken as it comes and nothing is
required. What counts as a turn and what is left out:

kept      prompts, answers, tool calls and results, prompts typed meanwhile, compactions
left out  thinking, expanded skills (isMeta), summaries of a compaction, traces of slash
          commands, other attachments, `<synthetic>` answers, subagents' lines, bookkeeping
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.sessions.transcript import (
    SessionReader,
    Transcript,
    blocks_of,
    clipped,
    digest_of,
    mapping_of,
    moment_of,
    text_of,
    words_of,
)

_SYNTHETIC = "<synthetic>"


class _Session(SessionReader):
    """A fork repeats earlier lines under their old uuid, and one answer is spread over several
    lines that may repeat its blocks: each is read once."""

    def take(self, line: dict[str, Any], number: int) -> None:
        is_subagents = line.get("isSidechain") is True
        uuid = text_of(line.get("uuid"))
        if (is_subagents and not self.sidechains) or (uuid and not self.is_new(uuid)):
            return
        kind, message = line.get("type"), line.get("message")
        agent = text_of(line.get("agentId")) or ("sidechain" if is_subagents else "")
        name = text_of(mapping_of(message).get("id")) if kind == "assistant" else ""
        self.stand(number, uuid, moment_of(line.get("timestamp")), agent, name)
        if kind == "system" and line.get("subtype") == "compact_boundary":
            self.tell("boundary")
        elif kind == "attachment":
            self._queued(mapping_of(line.get("attachment")))
        elif not isinstance(message, dict) or line.get("isMeta") is True:
            return
        elif kind == "user" and line.get("isCompactSummary") is not True:
            self._user(message.get("content"), line.get("toolUseResult"))
        elif kind == "assistant" and not _is_placeholder(line, message):
            self._assistant(message, name)

    def _user(self, content: Any, structured: Any) -> None:
        has_failed = text_of(structured).startswith("Error: ")
        for part, block in enumerate(blocks_of(content)):
            if block.get("type") == "text":
                self.say("user", text_of(block.get("text")), part=part)
            elif block.get("type") == "tool_result":
                self.tell(
                    "tool_result",
                    words_of(block.get("content")),
                    is_error=block.get("is_error") is True or has_failed,
                    part=part,
                    call_id=text_of(block.get("tool_use_id")),
                    details=_facts(mapping_of(structured)),
                )

    def _assistant(self, message: Mapping[str, Any], name: str) -> None:
        tokens = _tokens(mapping_of(message.get("usage")))
        for part, block in enumerate(blocks_of(message.get("content"))):
            if block.get("type") == "text":
                text = text_of(block.get("text"))
                mark = f"text:{name}:{digest_of(text)}" if name else ""
                self.say("assistant", text, mark, part=part, tokens=tokens)
            elif block.get("type") == "tool_use":
                made = text_of(block.get("name")), clipped(mapping_of(block.get("input")))
                self.call(text_of(block.get("id")), [made], part, tokens=tokens)

    def _queued(self, attachment: Mapping[str, Any]) -> None:
        is_prompt = attachment.get("commandMode", "prompt") == "prompt"
        if attachment.get("type") == "queued_command" and is_prompt:
            self.say("queued", words_of(attachment.get("prompt")))


def _tokens(usage: Mapping[str, Any]) -> int | None:
    """Tokens that one answer took: read anew and written, not what was read from a cache."""
    counted = [
        value
        for name in ("input_tokens", "cache_creation_input_tokens", "output_tokens")
        if isinstance(value := usage.get(name), int) and not isinstance(value, bool)
    ]
    return sum(max(value, 0) for value in counted) if counted else None


def _is_placeholder(line: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    return message.get("model") == _SYNTHETIC or line.get("isApiErrorMessage") is True


def _facts(structured: Mapping[str, Any]) -> dict[str, str | bool]:
    """The small facts of `toolUseResult`: who answered, which task, and whether it went well."""
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


def _is_line(line: Mapping[str, Any]) -> bool:
    return any(mark in line for mark in _MARKS)


TRANSCRIPT = Transcript(_Session, _is_line)
