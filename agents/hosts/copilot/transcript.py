"""GitHub Copilot CLI's log of a session: one `{type, data, id, timestamp, parentId}` a line.

The vendor does not document it; the fields are those that public readers of it agree on, and none
is required.

kept      prompts as typed, answers, tool calls and their results, compactions
left out  reasoning, what the host put in itself, subagents' lines, bookkeeping
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....core.ingest.extract.echo import is_trace
from ....core.ingest.extract.lines import MAX_LINE, MAX_READ, LineReader
from ....core.ingest.extract.tools import translated
from ....core.ingest.extract.transcript_reader import (
    Reading,
    mapping_of,
    moment_of,
    reading_of,
    text_of,
)
from ....core.ingest.extract.transcripts import Transcript
from ....core.ingest.extract.turns import Turn, clip

_TYPES = ("session.", "user.", "assistant.", "tool.", "subagent.", "hook.", "abort")
_TOOLS = {"view": "read", "create": "write", "str_replace_editor": "edit"}
_FIELDS = {"old_str": "old_string", "new_str": "new_string", "file_text": "content"}


def read_copilot(
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

    A call is told with the answer and again as it starts: it is read once. `sidechains` also reads
    what subagents said. Raises OSError where there is no readable file.
    """
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes, max_line=max_line)
    seen = set(seen_uuids)
    turns: list[Turn] = []
    for number, line in lines:
        data = mapping_of(line.get("data"))
        agent = text_of(line.get("agentId")) or text_of(data.get("parentToolCallId"))
        if agent and not sidechains:
            continue
        place: dict[str, Any] = {
            "line": number,
            "uuid": text_of(line.get("id")) or f"line-{number}",
            "at": moment_of(line.get("timestamp")),
            "agent_id": agent or None,
        }
        for turn in _turns(text_of(line.get("type")), data, place):
            mark = _mark(turn)
            if mark not in seen:
                seen.add(mark)
                turns.append(turn)
    return reading_of(lines, turns, seen)


def _turns(kind: str, data: Mapping[str, Any], place: dict[str, Any]) -> Iterator[Turn]:
    if kind == "user.message":
        text = text_of(data.get("content"))
        is_typed = text_of(data.get("source")) in ("", "user")
        if is_typed and text.strip() and not is_trace(text):
            yield Turn("user", clip(text), **place)
    elif kind == "assistant.message":
        yield from _answer(data, place)
    elif kind == "tool.execution_start":
        yield from _call(data, text_of(data.get("toolName")), 0, place)
    elif kind == "tool.execution_complete":
        yield _result(data, place)
    elif kind == "session.compaction_complete":
        yield Turn("boundary", **place)


def _answer(data: Mapping[str, Any], place: dict[str, Any]) -> Iterator[Turn]:
    text, name = text_of(data.get("content")), text_of(data.get("messageId"))
    if text.strip():
        yield Turn("assistant", clip(text), message_id=name, **place)
    asked = data.get("toolRequests")
    for request in asked if isinstance(asked, list) else ():
        one = mapping_of(request)
        yield from _call(one, text_of(one.get("name")), 1, {**place, "message_id": name})


def _call(data: Mapping[str, Any], name: str, first: int, place: dict[str, Any]) -> Iterator[Turn]:
    """The call, or the calls that it amounts to; `first` is the place of the first in its line."""
    call, given = text_of(data.get("toolCallId")), data.get("arguments")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {}
    arguments = {_FIELDS.get(key, key): value for key, value in mapping_of(given).items()}
    for part, (tool, made) in enumerate(translated(_TOOLS.get(name, name), arguments), first):
        yield Turn("tool_call", tool=tool, tool_input=made, call_id=call, part=part, **place)


def _result(data: Mapping[str, Any], place: dict[str, Any]) -> Turn:
    has_failed = data.get("success") is False
    told = mapping_of(data.get("error") if has_failed else data.get("result"))
    text = text_of(told.get("message")) or text_of(told.get("content"))
    call = text_of(data.get("toolCallId"))
    return Turn("tool_result", clip(text), is_error=has_failed, call_id=call, **place)


def _mark(turn: Turn) -> str:
    """What makes a turn the same when its line, or its call, comes again."""
    if turn.kind == "tool_call" and turn.call_id:
        path = turn.tool_input.get("file_path")
        return f"call:{turn.call_id}:{path if isinstance(path, str) else ''}"
    return f"{turn.kind}:{turn.uuid}:{turn.part}"


def _is_line(line: Mapping[str, Any]) -> bool:
    is_known = text_of(line.get("type")).startswith(_TYPES)
    return is_known and isinstance(line.get("data"), dict) and "parentId" in line


TRANSCRIPT = Transcript(read_copilot, _is_line)
