"""OpenCode's sessions: what `opencode export` prints, or its messages, one a line or in a list.

The store itself is a database of the host's; these are the forms in which it gives sessions
away; versions before 1.2 kept a file for each message and part. A message is `{info, parts}`. A
file that is one JSON text is read whole each time, and its
parts keep the host's ids, so that the same place is known again.

kept      prompts, answers, tool calls and their results, compactions
left out  reasoning, steps, snapshots, synthetic text (injected by plugins), summaries, what was
          reverted
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....core.ingest.extract.echo import is_trace
from ....core.ingest.extract.lines import MAX_LINE, MAX_READ, LineReader
from ....core.ingest.extract.tools import translated
from ....core.ingest.extract.transcript_reader import (
    MAX_WHOLE,
    Reading,
    mapping_of,
    moment_of_ms,
    reading_of,
    text_of,
    whole_json,
)
from ....core.ingest.extract.transcripts import Transcript
from ....core.ingest.extract.turns import Turn, clip

_NAME = re.compile(r"(?:ses|msg|prt)_\w{1,100}")
_NOTES = ("<task_metadata>", "<bash_metadata>")
_REFUSED = re.compile(
    r"\A(?:Error: )?The user rejected permission to use this specific tool call"
    r"(?: with the following feedback: (?P<said>.+))?",
    re.DOTALL,
)
_REFUSAL = "The user doesn't want to proceed with this tool use."


def read_opencode(
    path: str,
    offset: int = 0,
    line_no: int = 0,
    seen_uuids: Iterable[str] = (),
    *,
    sidechains: bool = False,
    max_bytes: int = MAX_READ,
    max_line: int = MAX_LINE,
) -> Reading:
    """The turns after `offset` of a file of lines, or all of a file that is one JSON text.

    A child session is a subagent's; it is read where `sidechains` asks for it. Raises OSError
    where there is no readable file.
    """
    first = next((line for _, line in LineReader(path, max_bytes=1, max_line=max_line)), None)
    if first is None or "messages" in first:
        return _read_whole(path, seen_uuids, sidechains=sidechains)
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes, max_line=max_line)
    chat = _Chat({}, seen_uuids, sidechains=sidechains)
    turns: list[Turn] = []
    for number, line in lines:
        turns += chat.turns_of(line, number)
    return reading_of(lines, turns, chat.seen)


def read_export(text: str, seen_uuids: Iterable[str] = (), *, sidechains: bool = False) -> Reading:
    """The turns of what `opencode export` printed; always of all of it.

    Messages that are still being written count neither in `line_no` nor in `offset`, which here
    is a moment: the last one that anything finished bears, in milliseconds since 1970.
    `lines_before` takes it. A child session is read where `sidechains` asks for it.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Reading((), 0, 0, frozenset(seen_uuids), skipped="not one whole JSON text")
    told = mapping_of(value)
    messages = told.get("messages")
    listed = messages if isinstance(messages, list) else []
    reading = _read_listed(listed, mapping_of(told.get("info")), 0, seen_uuids, sidechains)
    finished = _finished(listed)
    times = [_ms(turn) for turn in reading.turns if turn.line <= finished]
    return replace(reading, line_no=finished, offset=max(times, default=0))


def lines_before(reading: Reading, moment_ms: int) -> int:
    """How many messages of an export had been read when the last reading ended at a moment.

    Numbers alone do not tell: whoever takes a prompt back puts another in its place.
    """
    fresh = (turn.line - 1 for turn in reading.turns if _ms(turn) > moment_ms)
    return next(fresh, reading.line_no)


def _ms(turn: Turn) -> int:
    return round(turn.at.timestamp() * 1000) if turn.at else 0


def _finished(messages: list[Any]) -> int:
    """How many messages stand before the first of the last ones that are not finished."""
    count = len(messages)
    while count:
        info = mapping_of(mapping_of(messages[count - 1]).get("info"))
        times = mapping_of(info.get("time"))
        if info.get("role") != "assistant" or "completed" in times or "error" in info:
            break
        count -= 1
    return count


def _read_whole(path: str, seen: Iterable[str], *, sidechains: bool) -> Reading:
    value, size, reason = whole_json(path, MAX_WHOLE)
    told = mapping_of(value)
    info = mapping_of(told.get("info")) or told
    messages = value if isinstance(value, list) else told.get("messages")
    listed = messages if isinstance(messages, list) else []
    if "messages" not in told and _NAME.fullmatch(text_of(told.get("id"))):
        listed, reason = _stored(path, told["id"])
    return _read_listed(listed, info, size, seen, sidechains, reason)


def _read_listed(
    listed: list[Any],
    info: dict[str, Any],
    size: int,
    seen: Iterable[str],
    sidechains: bool,
    skipped: str = "",
) -> Reading:
    """The turns of messages that are all there, up to the place that was gone back to."""
    chat = _Chat(info, seen, sidechains=sidechains)
    reverted = text_of(mapping_of(info.get("revert")).get("messageID"))
    turns: list[Turn] = []
    for number, message in enumerate(listed, 1):
        if reverted and text_of(mapping_of(mapping_of(message).get("info")).get("id")) == reverted:
            break
        turns += chat.turns_of(mapping_of(message), number)
    return Reading(tuple(turns), size, len(listed), frozenset(chat.seen), skipped=skipped)


def _stored(path: str, session: str) -> tuple[list[Any], str]:
    """(messages, why there are none) of a session in the folders that versions before 1.2 kept.

    `storage/session/…/ses_1.json` stands beside `storage/message/ses_1/msg_1.json` and
    `storage/part/msg_1/prt_1.json`; the names are in order of time.
    """
    root = os.path.dirname(path)
    while os.path.basename(root) != "storage":
        root, before = os.path.dirname(root), root
        if root == before:
            return [], "of no known form"
    store = _Store(root)
    listed: list[Any] = []
    for info in store.objects("message", session):
        name = text_of(info.get("id"))
        parts = list(store.objects("part", name)) if _NAME.fullmatch(name) else []
        listed.append({"info": info, "parts": parts})
    return listed, store.problem


class _Store:
    """The host's folders of old; together no more is read of them than of one whole file."""

    def __init__(self, root: str) -> None:
        self.problem = ""
        self._root = root
        self._left = MAX_WHOLE

    def objects(self, *folder: str) -> Iterator[dict[str, Any]]:
        """The JSON objects in the files of a folder, in order of their names."""
        place = os.path.join(self._root, *folder)
        try:
            names = sorted(os.listdir(place))
        except OSError:
            return
        for name in names:
            try:
                value, size, problem = whole_json(os.path.join(place, name), self._left)
            except OSError:  # deleted meanwhile, or no regular file
                continue
            self._left -= size
            self.problem = self.problem or problem
            yield mapping_of(value)


class _Chat:
    """The messages of one session, read in order."""

    def __init__(self, info: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        self.seen = set(seen)
        self._is_skipped = bool(info.get("parentID")) and not sidechains
        self._agent = (text_of(info.get("id")) or "sidechain") if sidechains else None

    def turns_of(self, message: dict[str, Any], number: int) -> Iterator[Turn]:
        """The turns of one message, without what was read before."""
        info = mapping_of(message.get("info"))
        role, name = info.get("role"), text_of(info.get("id"))
        if self._is_skipped or role not in ("user", "assistant") or info.get("summary") is True:
            return
        cwd = text_of(mapping_of(info.get("path")).get("cwd"))
        parts = message.get("parts")
        for position, part in enumerate(parts if isinstance(parts, list) else ()):
            part = mapping_of(part)
            times = mapping_of(part.get("time"))
            place: dict[str, Any] = {
                "line": number,
                "uuid": text_of(part.get("id")) or f"{name or f'message-{number}'}-{position}",
                "at": moment_of_ms(
                    times.get("start") or mapping_of(info.get("time")).get("created")
                ),
                "agent_id": self._agent,
                "message_id": name,
            }
            yield from self._part(str(role), part, cwd, place)

    def _part(
        self, role: str, part: dict[str, Any], cwd: str, place: dict[str, Any]
    ) -> Iterator[Turn]:
        sort = part.get("type")
        if sort == "text":
            text = text_of(part.get("text"))
            if part.get("synthetic") is True or part.get("ignored") is True:
                return
            if role == "user":
                text = _unquoted(text)
            if not text.strip() or is_trace(text) or not self._is_new(f"text:{place['uuid']}"):
                return
            yield Turn(role, clip(text), **place)
        elif sort == "compaction" and self._is_new(f"boundary:{place['uuid']}"):
            yield Turn("boundary", **place)
        elif sort == "tool":
            yield from self._tool(part, cwd, place)

    def _tool(self, part: dict[str, Any], cwd: str, place: dict[str, Any]) -> Iterator[Turn]:
        state = mapping_of(part.get("state"))
        call = text_of(part.get("callID")) or place["uuid"]
        if state.get("status") == "pending":
            return  # its input is not complete
        if self._is_new(f"call:{call}"):
            given = mapping_of(state.get("input"))
            for index, (tool, made) in enumerate(translated(text_of(part.get("tool")), given, cwd)):
                yield Turn(
                    "tool_call", tool=tool, tool_input=made, call_id=call, part=index, **place
                )
        if state.get("status") not in ("completed", "error") or not self._is_new(f"result:{call}"):
            return
        ended = moment_of_ms(mapping_of(state.get("time")).get("end"))
        named = {**place, "uuid": f"{place['uuid']}-result", "at": ended or place["at"]}
        yield _result(state, call, named)

    def _is_new(self, mark: str) -> bool:
        is_new = mark not in self.seen
        self.seen.add(mark)
        return is_new


def _result(state: dict[str, Any], call: str, place: dict[str, Any]) -> Turn:
    metadata = mapping_of(state.get("metadata"))
    code = metadata.get("exit")
    has_failed = state.get("status") == "error" or (isinstance(code, int) and code != 0)
    text = text_of(state.get("error")) or text_of(state.get("output"))
    refused = _REFUSED.match(text) if state.get("status") == "error" else None
    if refused:
        # In the words that another host has for it, which the rules know.
        text = f"{_REFUSAL} the user said:\n{refused['said']}" if refused["said"] else _REFUSAL
    else:
        text = _unframed(text)
        if has_failed and isinstance(code, int):
            text = f"Exit code {code}\n{text}"
    agent = metadata.get("sessionId") or metadata.get("sessionID")
    details = {"agent_id": agent} if isinstance(agent, str) else {}
    return Turn(
        "tool_result", clip(text), is_error=has_failed, call_id=call, details=details, **place
    )


def _unframed(text: str) -> str:
    """What a tool or a subagent said, without what the host puts around it for the model."""
    _, opened, inside = text.partition("<task_result>")
    if opened:
        return inside.partition("</task_result>")[0].strip()
    for note in _NOTES:
        text = text.rpartition(note)[0].rstrip("\n") if note in text else text
    return text


def _unquoted(text: str) -> str:
    """A prompt without the quotes that `opencode run "…"` leaves around it."""
    inner = text.strip()
    if (
        len(inner) > 2
        and inner[0] == inner[-1] == '"'
        and '"' not in inner[1:-1].replace('\\"', "")
    ):
        return inner[1:-1].replace('\\"', '"')
    return text


def _is_line(line: Mapping[str, Any]) -> bool:
    if isinstance(line.get("info"), dict) and ("parts" in line or "messages" in line):
        return True
    return text_of(line.get("id")).startswith("ses_") and "projectID" in line


TRANSCRIPT = Transcript(read_opencode, _is_line, re.compile(r'\A(?:\[\s*)?\{\s*"info"\s*:\s*\{'))
