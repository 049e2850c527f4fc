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

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ...core.sessions.transcript import (
    MAX_WHOLE,
    Reading,
    SessionReader,
    Transcript,
    arguments_of,
    list_of,
    mapping_of,
    messages_in,
    moment_of_ms,
    text_of,
    translated,
    whole_json,
)
from ...core.sessions.turns import Turn

_NAME = re.compile(r"(?:ses|msg|prt)_\w{1,100}")
_NOTES = ("<task_metadata>", "<bash_metadata>")
_REFUSED = re.compile(
    r"\A(?:Error: )?The user rejected permission to use this specific tool call"
    r"(?: with the following feedback: (?P<said>.+))?",
    re.DOTALL,
)
_REFUSAL = "The user doesn't want to proceed with this tool use."


def read_export(text: str, seen_uuids: Iterable[str] = (), *, sidechains: bool = False) -> Reading:
    """The turns of what `opencode export` printed; always of all of it.

    Messages that are still being written count neither in `line_no` nor in `offset`, which here
    is a moment: the last one that anything finished bears, in milliseconds since 1970.
    `lines_before` takes it. A child session is read where `sidechains` asks for it.
    """
    value = arguments_of(text)
    messages, _ = messages_in(value)
    session = _Chat(value, seen_uuids, sidechains=sidechains)
    turns = session.read(enumerate(messages, 1))
    finished = _finished(messages)
    moment = max((_ms(turn) for turn in turns if turn.line <= finished), default=0)
    problem = "" if value else "not one whole JSON text"
    return Reading(turns, moment, finished, frozenset(session.seen), skipped=problem)


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


def _messages(value: Any, path: str) -> tuple[list[Any], str]:
    """The messages of a file that is one JSON text; of a session of old they lie around it."""
    told = mapping_of(value)
    if "messages" not in told and _NAME.fullmatch(text_of(told.get("id"))):
        return _stored(path, told["id"])
    return messages_in(value)


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
    left, problem = MAX_WHOLE, ""  # together no more is read than of one whole file

    def objects(*folder: str) -> Iterator[dict[str, Any]]:
        """The JSON objects in the files of a folder, in order of their names."""
        nonlocal left, problem
        place, names = os.path.join(root, *folder), list[str]()
        with suppress(OSError):
            names = sorted(os.listdir(place))
        for name in names:
            with suppress(OSError):  # deleted meanwhile, or no regular file
                value, size, why = whole_json(os.path.join(place, name), left)
                left, problem = left - size, problem or why
                yield mapping_of(value)

    listed: list[Any] = []
    for info in objects("message", session):
        name = text_of(info.get("id"))
        parts = list(objects("part", name)) if _NAME.fullmatch(name) else []
        listed.append({"info": info, "parts": parts})
    return listed, problem


class _Chat(SessionReader):
    """A child session is a subagent's. What was gone back over ends it."""

    def __init__(self, head: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        super().__init__(head, seen, sidechains=sidechains)
        # Where messages come one a line, no line tells of the session.
        info = {} if "parts" in head else mapping_of(head.get("info")) or head
        self.belongs_to(text_of(info.get("id")), is_subagent=bool(info.get("parentID")))
        self._reverted = text_of(mapping_of(info.get("revert")).get("messageID"))

    def take(self, message: dict[str, Any], number: int) -> None:
        info = mapping_of(message.get("info"))
        role, name = info.get("role"), text_of(info.get("id"))
        if name and name == self._reverted:
            self.is_skipped = True
        if self.is_skipped or role not in ("user", "assistant") or info.get("summary") is True:
            return
        cwd = text_of(mapping_of(info.get("path")).get("cwd"))
        created = mapping_of(info.get("time")).get("created")
        for position, each in enumerate(list_of(message.get("parts"))):
            part = mapping_of(each)
            its = text_of(part.get("id")) or f"{name or f'message-{number}'}-{position}"
            start = mapping_of(part.get("time")).get("start")
            self.stand(number, its, moment_of_ms(start or created), message=name)
            self._part(str(role), part, cwd)

    def _part(self, role: str, part: dict[str, Any], cwd: str) -> None:
        kind = part.get("type")
        if kind == "text":
            if part.get("synthetic") is not True and part.get("ignored") is not True:
                text = text_of(part.get("text"))
                self.say(role, _unquoted(text) if role == "user" else text, f"text:{self.name}")
        elif kind == "compaction" and self.is_new(f"boundary:{self.name}"):
            self.tell("boundary")
        elif kind == "tool":
            self._tool(part, cwd)

    def _tool(self, part: dict[str, Any], cwd: str) -> None:
        state, call = mapping_of(part.get("state")), text_of(part.get("callID")) or self.name
        if state.get("status") == "pending":
            return  # its input is not complete
        given = mapping_of(state.get("input"))
        self.call(call, translated(text_of(part.get("tool")), given, cwd))
        if state.get("status") in ("completed", "error"):
            self._result(call, state)

    def _result(self, call: str, state: dict[str, Any]) -> None:
        metadata, is_error = mapping_of(state.get("metadata")), state.get("status") == "error"
        text, code = text_of(state.get("error")) or text_of(state.get("output")), None
        refused = _REFUSED.match(text) if is_error else None
        if refused:
            # In the words that another host has for it, which the rules know.
            text = f"{_REFUSAL} the user said:\n{refused['said']}" if refused["said"] else _REFUSAL
        else:
            text, code = _unframed(text), metadata.get("exit")
        agent = metadata.get("sessionId") or metadata.get("sessionID")
        more: dict[str, Any] = {"details": {"agent_id": agent}} if isinstance(agent, str) else {}
        ended = moment_of_ms(mapping_of(state.get("time")).get("end"))
        if ended:
            more["at"] = ended
        self.result(call, text, is_error=is_error, code=code, uuid=f"{self.name}-result", **more)


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


TRANSCRIPT = Transcript(
    _Chat, _is_line, re.compile(r'\A(?:\[\s*)?\{\s*"info"\s*:\s*\{'), messages=_messages
)
