"""Codex's rollout: one `{timestamp, type, payload}` a line, as versions 0.5x to 0.169 write it.

The format is unpromised, so every field is taken as it comes. What a person typed and what the
agent said are read from the events, since the messages of the model hold instructions and
injected text in a person's name:

kept      prompts and answers (`user_message`, `agent_message`, later `item_completed`), tool
          calls and their outputs, what a script of the code mode ran, compactions
left out  reasoning, developer messages, environment, settings, usage, summaries, hook prompts
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....core.ingest.extract.echo import is_trace
from ....core.ingest.extract.lines import MAX_LINE, MAX_READ, LineReader
from ....core.ingest.extract.tools import from_diff, translated
from ....core.ingest.extract.transcript_reader import (
    Reading,
    blocks_of,
    digest_of,
    mapping_of,
    moment_of,
    reading_of,
    text_of,
)
from ....core.ingest.extract.transcripts import Transcript
from ....core.ingest.extract.turns import Turn, clip

_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)\s*$", re.MULTILINE)
_HEAD = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Process exited with code|Process running with session ID|"
    r"Exit code|Original token count|Total output lines)\b[^\n]*\n)+(?:Output:\n?)?"
)
_FAILED = re.compile(
    r"\A(?:apply_patch verification failed|execution error|failed to parse function arguments|"
    r"exec_command failed|unable to locate|unsupported call|sandbox error)",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\A.{0,40}\b(?:rejected|aborted|denied) by (?:the )?user\b", re.IGNORECASE)
_INJECTED = re.compile(
    r"\A\s*(?:<(?:environment_context|user_instructions|hook_prompt|turn_aborted|skill|"
    r"subagent_notification|codex_delegation|permissions instructions|user_shell_command)\b"
    r"|# AGENTS\.md )"
)
_TYPED_IN = ("cli", "vscode")
_NOTE = "user_note: "  # before what a person typed beside the option that they chose
_REQUEST = re.compile(r"\A# Context from my IDE setup:.*?^## My request for Codex:\s*", re.S | re.M)


def read_codex(
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

    A subagent has a rollout of its own, which is read where `sidechains` asks for it; its
    turns then bear the id of its thread. Raises OSError where there is no readable file.
    """
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes, max_line=max_line)
    meta = _meta(path, max_line)
    is_skipped = _is_subagent(meta) and not sidechains
    agent = (text_of(meta.get("id")) or "sidechain") if sidechains else None
    rollout = _Rollout(text_of(meta.get("cwd")), agent, seen_uuids)
    turns: list[Turn] = []
    for number, line in lines:
        if not is_skipped:
            turns += rollout.turns_of(line, number)
    return reading_of(lines, turns, rollout.seen)


class _Rollout:
    """The lines of one rollout, read in order."""

    def __init__(self, cwd: str, agent: str | None, seen: Iterable[str]) -> None:
        self.seen = set(seen)
        self._cwd = cwd
        self._agent = agent
        self._turn = ""  # id of the prompt that is being answered
        self._spawned: dict[str, tuple[str, str]] = {}  # id of a subagent -> its call and type
        self._starting: dict[str, str] = {}  # call that starts a subagent -> type
        self._asked: dict[str, dict[str, str]] = {}  # call that asks the person -> its questions

    def turns_of(self, line: dict[str, Any], number: int) -> Iterator[Turn]:
        """The turns of one line, none for bookkeeping and for what was read before."""
        kind, payload = line.get("type"), mapping_of(line.get("payload"))
        sort = payload.get("type")
        item = mapping_of(payload.get("item"))
        self._turn = text_of(payload.get("turn_id")) or self._turn
        place: dict[str, Any] = {
            "line": number,
            "uuid": text_of(item.get("id")) or text_of(payload.get("id")) or f"line-{number}",
            "at": moment_of(line.get("timestamp")),
            "agent_id": self._agent,
        }
        if kind == "compacted":
            yield Turn("boundary", **place)
        elif kind == "event_msg" and sort in ("user_message", "agent_message"):
            who = "user" if sort == "user_message" else "assistant"
            yield from self._said(who, text_of(payload.get("message")), place)
        elif kind == "event_msg" and sort == "item_completed":
            yield from self._item(item, place)
        elif kind == "response_item" and sort in (
            "function_call",
            "custom_tool_call",
            "local_shell_call",
        ):
            yield from self._call(payload, place)
        elif kind == "response_item" and sort in (
            "function_call_output",
            "custom_tool_call_output",
        ):
            yield from self._output(payload, place)

    def _said(self, who: str, text: str, place: dict[str, Any]) -> Iterator[Turn]:
        if who == "user":
            text = _REQUEST.sub("", text)
        if not text.strip() or is_trace(text) or _INJECTED.match(text):
            return
        # Some versions tell the same words in both forms of the event.
        mark = f"{who}:{self._turn or place['line']}:{digest_of(text)}"
        if mark not in self.seen:
            self.seen.add(mark)
            yield Turn(who, clip(text), **place)

    def _item(self, item: dict[str, Any], place: dict[str, Any]) -> Iterator[Turn]:
        sort, name = item.get("type"), text_of(item.get("id"))
        if sort in ("UserMessage", "AgentMessage"):
            text = "\n".join(
                text_of(block.get("text"))
                for block in blocks_of(item.get("content"))
                if text_of(block.get("type")).lower() == "text"
            )
            yield from self._said("user" if sort == "UserMessage" else "assistant", text, place)
        elif sort == "ContextCompaction":
            yield Turn("boundary", **place)
        elif sort == "CommandExecution" and self._is_new(name):
            given = {"command": item.get("command"), "workdir": _folder(item.get("cwd"))}
            yield from self._calls("shell", given, name, place)
            code = item.get("exit_code")
            failed = isinstance(code, int) and code != 0
            text = text_of(item.get("aggregated_output"))
            yield self._result(name, f"Exit code {code}\n{text}" if failed else text, failed, place)
        elif sort == "FileChange" and self._is_new(name):
            part = 0
            for path, change in mapping_of(item.get("changes")).items():
                for tool, given in _changes(path, mapping_of(change)):
                    yield Turn(
                        "tool_call", tool=tool, tool_input=given, call_id=name, part=part, **place
                    )
                    part += 1
            failed = item.get("status") == "failed"
            text = text_of(item.get("stderr")) or text_of(item.get("stdout"))
            yield self._result(name, text, failed, place)

    def _call(self, payload: dict[str, Any], place: dict[str, Any]) -> Iterator[Turn]:
        name = text_of(payload.get("name"))
        call = text_of(payload.get("call_id"))
        if payload.get("type") == "local_shell_call":
            action = mapping_of(payload.get("action"))
            name, given = "shell", {**action, "workdir": action.get("working_directory")}
        elif payload.get("type") == "custom_tool_call":
            given = {"input": payload.get("input")}
            if name == "exec":
                return  # a script; what it ran is told by the events
        else:
            given = _arguments(payload.get("arguments"))
        if call and not self._is_new(call):
            return
        if name == "spawn_agent":
            self._starting[call] = text_of(given.get("agent_type"))
        elif name == "request_user_input":
            self._asked[call] = {
                text_of(one.get("id")): text_of(one.get("question"))
                for one in blocks_of(given.get("questions"))
            }
        yield from self._calls(name, given, call, place)

    def _calls(
        self, name: str, given: dict[str, Any], call: str, place: dict[str, Any]
    ) -> Iterator[Turn]:
        for part, (tool, made) in enumerate(translated(name, given, self._cwd)):
            yield Turn("tool_call", tool=tool, tool_input=made, call_id=call, part=part, **place)

    def _output(self, payload: dict[str, Any], place: dict[str, Any]) -> Iterator[Turn]:
        call = text_of(payload.get("call_id"))
        mark = f"result:{call}"
        if not call or mark in self.seen:
            return
        if f"call:{call}" not in self.seen:
            return  # of a script
        self.seen.add(mark)
        text, code = _plain_output(payload.get("output"))
        if call in self._asked:
            text = _answered(self._asked[call], _arguments(text)) or text
        if call in self._starting:
            agent = text_of(_arguments(text).get("agent_id"))
            if agent:
                self._spawned[agent] = (call, self._starting[call])
        failed = code not in (None, 0) or _FAILED.match(text) is not None
        if _REFUSED.match(text):
            yield Turn("tool_result", text, call_id=call, details={"interrupted": True}, **place)
            return
        if failed and code is not None:
            text = f"Exit code {code}\n{text}"
        yield self._result(call, text, failed, place)
        yield from self._reports(text, place)

    def _reports(self, text: str, place: dict[str, Any]) -> Iterator[Turn]:
        """What subagents answered, for whom the agent had waited."""
        if not self._spawned or '"completed"' not in text:
            return
        for agent, status in mapping_of(_arguments(text).get("status")).items():
            said = text_of(mapping_of(status).get("completed"))
            if said and agent in self._spawned:
                call, kind = self._spawned[agent]
                facts = {"agent_id": agent, "agent_type": kind}
                yield Turn("tool_result", clip(said), call_id=call, part=1, details=facts, **place)

    def _result(self, call: str, text: str, failed: bool, place: dict[str, Any]) -> Turn:
        named = {**place, "uuid": f"{place['uuid']}-result"}
        return Turn("tool_result", clip(text), is_error=failed, call_id=call, **named)

    def _is_new(self, call: str) -> bool:
        """Whether a call is met for the first time; it then counts as known."""
        mark = f"call:{call}"
        is_new = mark not in self.seen
        self.seen.add(mark)
        return is_new


def _meta(path: str, max_line: int) -> dict[str, Any]:
    """What the first line says of the session; it stands there once, before all readings."""
    for _, line in LineReader(path, max_bytes=1, max_line=max_line):
        if line.get("type") == "session_meta":
            return mapping_of(line.get("payload"))
    return {}


def _is_subagent(meta: dict[str, Any]) -> bool:
    """Whether no person types there; a delegated thread that stands in an editor is theirs."""
    source = meta.get("source")
    if isinstance(source, dict):
        return "subagent" in source
    return meta.get("thread_source") == "subagent" and source not in _TYPED_IN


def _arguments(text: Any) -> dict[str, Any]:
    if isinstance(text, dict):
        return text
    try:
        return mapping_of(json.loads(text_of(text)))
    except (ValueError, RecursionError):
        return {}


def _answered(asked: Mapping[str, str], told: Mapping[str, Any]) -> str:
    """What a person answered, as Claude Code tells it; "" where nobody did."""
    pairs = []
    for name, question in asked.items():
        given = mapping_of(mapping_of(told.get("answers")).get(name)).get("answers")
        said = [
            one.removeprefix(_NOTE).replace('"', "'")
            for one in (given if isinstance(given, list) else ())
            if isinstance(one, str) and one.strip()
        ]
        if said and question:
            pairs.append(f'"{question.replace(chr(34), chr(39))}"="{", ".join(said)}"')
    return f"User has answered your questions: {', '.join(pairs)}" if pairs else ""


def _plain_output(output: Any) -> tuple[str, int | None]:
    """(what the tool printed, its exit code if it is told)."""
    if isinstance(output, dict):
        output = output.get("content", output.get("output"))
    if isinstance(output, list):
        output = "\n".join(text_of(block.get("text")) for block in blocks_of(output))
    text = text_of(output)
    wrapped = _arguments(text) if text.startswith('{"output"') else {}
    if wrapped:
        code = mapping_of(wrapped.get("metadata")).get("exit_code")
        return text_of(wrapped.get("output")), code if isinstance(code, int) else None
    head = _HEAD.match(text)
    if not head:
        return text, None
    told = _EXIT.search(head[0])
    return text[head.end() :], int(told[1]) if told else None


def _changes(path: str, change: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    path = text_of(change.get("move_path")) or path
    if change.get("type") == "add":
        yield from translated("write", {"path": path, "content": text_of(change.get("content"))})
    elif change.get("type") == "update":
        yield from_diff(path, text_of(change.get("unified_diff")))


def _folder(cwd: Any) -> str:
    return text_of(cwd).removeprefix("file://")


_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


def _is_line(line: Mapping[str, Any]) -> bool:
    return line.get("type") in _TYPES and "payload" in line


TRANSCRIPT = Transcript(
    read_codex, _is_line, re.compile(r'\A\{[^{]{0,200}"type"\s*:\s*"session_meta"')
)
