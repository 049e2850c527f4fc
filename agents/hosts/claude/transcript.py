"""Claude Code's transcript: what was said and done, without the host's bookkeeping.

The vendor calls the format internal, so every field is taken as it comes and nothing is
required. What counts as a turn and what is left out:

kept      prompts, answers, tool calls and results, prompts typed meanwhile, compactions
left out  thinking, expanded skills (isMeta), summaries of a compaction, traces of slash
          commands, other attachments, `<synthetic>` answers, subagents' lines, bookkeeping
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....core.ingest.extract.echo import is_trace
from ....core.ingest.extract.lines import MAX_LINE, MAX_READ, LineReader
from ....core.ingest.extract.transcript_reader import (
    Reading,
    blocks_of,
    clipped,
    digest_of,
    moment_of,
    reading_of,
    text_of,
)
from ....core.ingest.extract.transcripts import Transcript
from ....core.ingest.extract.turns import Turn, clip

_SYNTHETIC = "<synthetic>"


def read_transcript(
    path: str,
    offset: int = 0,
    line_no: int = 0,
    seen_uuids: Iterable[str] = (),
    *,
    sidechains: bool = False,
    max_bytes: int = MAX_READ,
    max_line: int = MAX_LINE,
) -> Reading:
    """The turns after `offset`, at most `max_bytes` of file.

    A fork repeats earlier lines under their old uuid, and one answer is spread over several
    lines that may repeat its blocks: each is read once. `sidechains` also reads the lines of
    subagents, which is what a subagent's own file consists of. Raises OSError where there is
    no readable file.
    """
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes, max_line=max_line)
    seen = set(seen_uuids)
    turns: list[Turn] = []
    for number, line in lines:
        if line.get("isSidechain") is True and not sidechains:
            continue
        uuid = text_of(line.get("uuid"))
        if uuid and uuid in seen:
            continue
        if uuid:
            seen.add(uuid)
        for turn in _turns(line, number, uuid):
            mark = _mark(turn)
            if mark and mark in seen:
                continue
            if mark:
                seen.add(mark)
            turns.append(turn)
    return reading_of(lines, turns, seen)


def _turns(line: Mapping[str, Any], number: int, uuid: str) -> Iterator[Turn]:
    kind = line.get("type")
    agent = text_of(line.get("agentId")) or (
        "sidechain" if line.get("isSidechain") is True else None
    )
    place: dict[str, Any] = {
        "line": number,
        "uuid": uuid or f"line-{number}",
        "at": moment_of(line.get("timestamp")),
        "agent_id": agent,
    }
    message = line.get("message")
    if kind == "system" and line.get("subtype") == "compact_boundary":
        yield Turn("boundary", **place)
    elif kind == "attachment":
        yield from _queued(line.get("attachment"), place)
    elif not isinstance(message, dict) or line.get("isMeta") is True:
        return
    elif kind == "user" and line.get("isCompactSummary") is not True:
        yield from _user(message.get("content"), line.get("toolUseResult"), place)
    elif kind == "assistant" and not _is_placeholder(line, message):
        yield from _assistant(message, place)


def _user(content: Any, structured: Any, place: dict[str, Any]) -> Iterator[Turn]:
    for part, block in enumerate(blocks_of(content)):
        if block.get("type") == "text":
            text = text_of(block.get("text"))
            if text.strip() and not is_trace(text):
                yield Turn("user", clip(text), part=part, **place)
        elif block.get("type") == "tool_result":
            failed = block.get("is_error") is True or (
                isinstance(structured, str) and structured.startswith("Error: ")
            )
            yield Turn(
                "tool_result",
                clip(_joined(block.get("content"))),
                is_error=failed,
                part=part,
                call_id=text_of(block.get("tool_use_id")),
                details=_facts(structured),
                **place,
            )


def _assistant(message: Mapping[str, Any], place: dict[str, Any]) -> Iterator[Turn]:
    name, tokens = text_of(message.get("id")), _tokens(message.get("usage"))
    for part, block in enumerate(blocks_of(message.get("content"))):
        if block.get("type") == "text":
            text = text_of(block.get("text"))
            if text.strip():
                yield Turn(
                    "assistant", clip(text), part=part, message_id=name, tokens=tokens, **place
                )
        elif block.get("type") == "tool_use":
            given = block.get("input")
            yield Turn(
                "tool_call",
                tool=text_of(block.get("name")),
                tool_input=clipped(given) if isinstance(given, dict) else {},
                part=part,
                message_id=name,
                call_id=text_of(block.get("id")),
                tokens=tokens,
                **place,
            )


def _tokens(usage: Any) -> int | None:
    """Tokens that one answer took: read anew and written, not what was read from a cache."""
    if not isinstance(usage, dict):
        return None
    counted = [
        value
        for name in ("input_tokens", "cache_creation_input_tokens", "output_tokens")
        if isinstance(value := usage.get(name), int) and not isinstance(value, bool)
    ]
    return sum(max(value, 0) for value in counted) if counted else None


def _queued(attachment: Any, place: dict[str, Any]) -> Iterator[Turn]:
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    if attachment.get("commandMode", "prompt") != "prompt":
        return
    text = _joined(attachment.get("prompt"))
    if text.strip() and not is_trace(text):
        yield Turn("queued", clip(text), **place)


def _is_placeholder(line: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    return message.get("model") == _SYNTHETIC or line.get("isApiErrorMessage") is True


def _mark(turn: Turn) -> str:
    """What makes a block of an answer the same block when it comes again, or an empty text."""
    if turn.kind == "tool_call" and turn.call_id:
        return f"call:{turn.call_id}"
    if turn.kind == "assistant" and turn.message_id:
        return f"text:{turn.message_id}:{digest_of(turn.text)}"
    return ""


def _facts(structured: Any) -> dict[str, str | bool]:
    """The small facts of `toolUseResult`: who answered, which task, and whether it went well."""
    if not isinstance(structured, dict):
        return {}
    task = structured.get("task")
    found = {
        "agent_id": structured.get("agentId"),
        "agent_type": structured.get("agentType"),
        "task_id": task.get("id") if isinstance(task, dict) else structured.get("taskId"),
        "success": structured.get("success"),
        "interrupted": structured.get("interrupted"),
    }
    return {name: fact for name, fact in found.items() if isinstance(fact, str | bool)}


def _joined(content: Any) -> str:
    texts = (
        text_of(block.get("text")) for block in blocks_of(content) if block.get("type") == "text"
    )
    return "\n".join(text for text in texts if text)


_MARKS = ("parentUuid", "isSidechain", "leafUuid", "permissionMode", "isSnapshotUpdate")


def _is_line(line: Mapping[str, Any]) -> bool:
    return any(mark in line for mark in _MARKS)


def _newest(most: int) -> list[str]:
    place = os.path.join(os.path.expanduser("~"), ".claude", "projects")
    found: list[tuple[float, str]] = []
    try:
        for project in os.scandir(place):
            if project.is_dir():
                found += [
                    (file.stat().st_mtime, file.path)
                    for file in os.scandir(project.path)
                    if file.name.endswith(".jsonl") and file.is_file()
                ]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)[:most]]


TRANSCRIPT = Transcript(read_transcript, _is_line, newest=_newest)
