"""Gemini CLI's chat file: JSON lines as versions since 0.4x write it, or the one JSON of old.

A message comes again under its id when there is more of it, `$set` may tell all messages anew
(a resumed session does), and `$rewindTo` takes back. Each text, call and result is read once.

kept      prompts as typed, answers, tool calls and their results, compressions
left out  thoughts, notices, the host's own context, injected context, files that were attached
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....core.ingest.extract.echo import is_trace
from ....core.ingest.extract.lines import MAX_LINE, MAX_READ, LineReader
from ....core.ingest.extract.tools import translated
from ....core.ingest.extract.transcript_reader import (
    MAX_WHOLE,
    Reading,
    blocks_of,
    digest_of,
    mapping_of,
    moment_of,
    reading_of,
    text_of,
    whole_json,
)
from ....core.ingest.extract.transcripts import Transcript
from ....core.ingest.extract.turns import Turn, clip

_INJECTED = re.compile(r"<hook_context>.*?(?:</hook_context>|\Z)", re.DOTALL)
_OWN = re.compile(r"\A\s*<(?:session_context|state_snapshot|system_note)\b")
_SNAPSHOT = re.compile(r"\A\s*<state_snapshot\b")
_ATTACHED = re.compile(r"\A\s*--- Content from referenced files ---")
_UNTRUSTED = re.compile(r"\A\s*<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.DOTALL)
_OUTPUT = re.compile(r"(?:\A|\n)(?:Output|Stdout): ?")
_SHELL_TAIL = re.compile(
    r"\n(?:Error: \(none\)|Stderr: \(empty\)|Exit Code: -?\d+|Signal: \S+|"
    r"Background PIDs: [^\n]*|Process Group PGID: [^\n]*)(?=\n|\Z)"
)
_EXIT = re.compile(r"(?:\A|\n)Exit Code: (-?\d+)(?=\n|\Z)")
_LOOK = 64 * 1024  # bytes
_DONE = ("success", "error", "cancelled")


def read_gemini(
    path: str,
    offset: int = 0,
    line_no: int = 0,
    seen_uuids: Iterable[str] = (),
    *,
    sidechains: bool = False,
    max_bytes: int = MAX_READ,
    max_line: int = MAX_LINE,
) -> Reading:
    """The turns after `offset`, at most `max_bytes` of file; a file of old is read whole.

    A subagent's own file is read where `sidechains` asks for it; its turns then bear its id.
    Raises OSError where there is no readable file.
    """
    if not _is_lines(path, max_line):
        return _read_whole(path, seen_uuids, sidechains=sidechains)
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes, max_line=max_line)
    chat = _Chat(_first(path, max_line), seen_uuids, sidechains=sidechains)
    for number, line in lines:
        chat.take(line, number)
    return reading_of(lines, chat.turns, chat.seen)


def _read_whole(path: str, seen: Iterable[str], *, sidechains: bool) -> Reading:
    value, size, reason = whole_json(path, MAX_WHOLE)
    told = mapping_of(value)
    chat = _Chat(told, seen, sidechains=sidechains)
    messages = told.get("messages")
    listed = messages if isinstance(messages, list) else []
    for number, message in enumerate(listed, 1):
        chat.take(mapping_of(message), number)
    return Reading(tuple(chat.turns), size, len(listed), frozenset(chat.seen), skipped=reason)


def _is_lines(path: str, max_line: int) -> bool:
    """Whether the first line is a JSON object by itself, and not the whole chat."""
    first = _first(path, max_line)
    return bool(first) and "messages" not in first


def _first(path: str, max_line: int) -> dict[str, Any]:
    """The first line that is an object; it tells of the chat."""
    return next((line for _, line in LineReader(path, max_bytes=_LOOK, max_line=max_line)), {})


class _Chat:
    """The messages of one chat, read in order; `turns` grows, or shrinks by a rewind."""

    def __init__(self, header: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        self.turns: list[Turn] = []
        self.seen = set(seen)
        self._places: dict[str, int] = {}  # name of a message -> place of its text
        self._is_skipped = header.get("kind") == "subagent" and not sidechains
        self._agent = (text_of(header.get("sessionId")) or "sidechain") if sidechains else None

    def take(self, line: dict[str, Any], number: int) -> None:
        """Read one line: a message, or what changes the messages before it."""
        if self._is_skipped:
            return
        if "$rewindTo" in line:
            self._rewind(text_of(line["$rewindTo"]))
            return
        changed = mapping_of(line.get("$set")).get("messages")
        for message in changed if isinstance(changed, list) else [line]:
            self._message(mapping_of(message), number)

    def _message(self, message: dict[str, Any], number: int) -> None:
        kind, name = message.get("type"), text_of(message.get("id"))
        place: dict[str, Any] = {
            "line": number,
            "at": moment_of(message.get("timestamp")),
            "agent_id": self._agent,
            "message_id": name,
        }
        uuid = name or f"line-{number}"
        if kind == "user":
            shown = message.get("displayContent")
            parts = blocks_of(shown if shown else message.get("content"))
            self._say("user", _typed(parts), uuid, place)
            for part in blocks_of(message.get("content")):
                self._response(mapping_of(part.get("functionResponse")), "", place)
        elif kind == "gemini":
            parts = blocks_of(message.get("content"))
            said = "\n".join(text for part in parts if (text := _spoken(part)))
            self._say("assistant", said, uuid, place)
            for part in parts:
                call = mapping_of(part.get("functionCall"))
                self._call(text_of(call.get("id")), call, place)
            calls = message.get("toolCalls")
            for call in calls if isinstance(calls, list) else ():
                self._tool_call(mapping_of(call), place)

    def _say(self, who: str, text: str, uuid: str, place: dict[str, Any]) -> None:
        if _SNAPSHOT.match(text) and self._is_new(f"boundary:{uuid}"):
            self.turns.append(Turn("boundary", uuid=uuid, **place))
        if not text.strip() or _OWN.match(text) or is_trace(text):
            return
        if not self._is_new(f"{who}:{uuid}:{digest_of(text)}"):
            return
        turn = Turn(who, clip(text), uuid=uuid, **place)
        position = self._places.get(uuid, len(self.turns))
        if position < len(self.turns) and self.turns[position].uuid == uuid:
            self.turns[position] = turn  # the same message, told anew
            return
        self._places[uuid] = len(self.turns)
        self.turns.append(turn)

    def _tool_call(self, call: dict[str, Any], place: dict[str, Any]) -> None:
        name, status = text_of(call.get("id")), text_of(call.get("status"))
        if not name:
            return
        at = moment_of(call.get("timestamp")) or place["at"]
        self._call(name, call, place)
        for part in blocks_of(call.get("result")):
            response = mapping_of(part.get("functionResponse"))
            self._response({**response, "id": name}, status, {**place, "at": at})
        if status == "error" and f"result:{name}" not in self.seen:
            self._response({"id": name, "response": {"error": ""}}, status, {**place, "at": at})

    def _call(self, name: str, call: dict[str, Any], place: dict[str, Any]) -> None:
        if not name or not self._is_new(f"call:{name}"):
            return
        given = mapping_of(call.get("args"))
        tool = text_of(call.get("name"))
        if tool == "codebase_investigator":
            given = {**given, "agent_name": tool}
        for part, (known, made) in enumerate(translated(tool, given)):
            self.turns.append(
                Turn(
                    "tool_call",
                    tool=known,
                    tool_input=made,
                    call_id=name,
                    uuid=name,
                    part=part,
                    **place,
                )
            )

    def _response(self, response: dict[str, Any], status: str, place: dict[str, Any]) -> None:
        name, told = text_of(response.get("id")), mapping_of(response.get("response"))
        if not name or not told or (status and status not in _DONE):
            return
        if f"call:{name}" not in self.seen or not self._is_new(f"result:{name}"):
            return
        error = text_of(told.get("error"))
        text, failed = _plain_output(error or text_of(told.get("output")))
        self.turns.append(
            Turn(
                "tool_result",
                clip(text),
                is_error=(failed or bool(error) or status == "error") and status != "cancelled",
                call_id=name,
                uuid=f"{name}-result",
                details={"interrupted": True} if status == "cancelled" else {},
                **place,
            )
        )

    def _rewind(self, name: str) -> None:
        """Drop what came from the message `name` on; the person took it back."""
        for position, turn in enumerate(self.turns):
            if name and turn.message_id == name:
                del self.turns[position:]
                return

    def _is_new(self, mark: str) -> bool:
        is_new = mark not in self.seen
        self.seen.add(mark)
        return is_new


def _typed(parts: Iterable[dict[str, Any]]) -> str:
    """What the person typed: without injected context, and without the files attached by `@`."""
    return "\n".join(_typed_parts(parts)).strip()


def _typed_parts(parts: Iterable[dict[str, Any]]) -> Iterator[str]:
    for part in parts:
        text = text_of(part.get("text"))
        if _ATTACHED.match(text):
            return
        # The host escapes "<" inside its element, so the first closing tag is the right one.
        text = _INJECTED.sub("", text)
        if text.strip():
            yield text


def _spoken(part: dict[str, Any]) -> str:
    return "" if part.get("thought") else text_of(part.get("text"))


def _plain_output(text: str) -> tuple[str, bool]:
    """(what a tool printed, whether its exit code tells of a failure)."""
    fenced = _UNTRUSTED.match(text)
    text = fenced[1] if fenced else text
    start = _OUTPUT.search(text)
    if not start:
        return text, False
    body = text[start.end() :]
    codes = _EXIT.findall(body)
    printed = _SHELL_TAIL.sub("", body)
    # The host writes the code last; a program may print such a line as well.
    if codes and codes[-1] != "0":
        return f"Exit code {codes[-1]}\n{printed}", True
    return printed, False


def _is_line(line: Mapping[str, Any]) -> bool:
    return "projectHash" in line


TRANSCRIPT = Transcript(read_gemini, _is_line, re.compile(r'"projectHash"\s*:\s*"'))
