"""Three model APIs as clients speak them: a scripted step in, the bytes of an answer out.

Each dialect reads from a request how many tool results it brings, which says how far the story
is, and whether it offers tools: a request without any is a side request (a title, a classifier).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the model asks for, in the words of its client; some take a plain text."""

    tool: str
    arguments: Json | str


@dataclass(frozen=True, slots=True)
class Step:
    """What the model answers to one request: words, then at most one call.

    A call may depend on what the request says, as when the model does as it is asked.
    """

    text: str
    call: Call | Callable[[Sequence[str]], Call] | None = None

    def after(self, texts: Sequence[str]) -> Step:
        """The step with its call settled, for a request that holds `texts`."""
        return replace(self, call=self.call(texts)) if callable(self.call) else self


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back over the wire."""

    content_type: str
    body: bytes


class Dialect(Protocol):
    """One model API."""

    def speaks(self, path: str) -> bool:
        """Whether a request to `path` is in this dialect."""

    def results(self, body: Json) -> int:
        """How many results of tools the conversation holds."""

    def has_tools(self, body: Json) -> bool:
        """Whether the model is offered tools."""

    def reply(self, path: str, body: Json, step: Step, number: int) -> Reply:
        """`step` on the wire; `number` makes the ids of one conversation differ."""


class Anthropic:
    """The Messages API."""

    def speaks(self, path: str) -> bool:
        return path.split("?")[0].endswith("/messages")

    def results(self, body: Json) -> int:
        blocks = [
            block
            for message in body.get("messages", [])
            if isinstance(message.get("content"), list)
            for block in message["content"]
        ]
        return sum(block.get("type") == "tool_result" for block in blocks)

    def has_tools(self, body: Json) -> bool:
        return bool(body.get("tools"))

    def reply(self, path: str, body: Json, step: Step, number: int) -> Reply:
        blocks: list[Json] = [{"type": "text", "text": step.text}] if step.text else []
        if isinstance(step.call, Call):
            use = {"type": "tool_use", "id": f"toolu_{number:04}", "name": step.call.tool}
            blocks.append({**use, "input": step.call.arguments})
        reason = "tool_use" if step.call else "end_turn"
        message: Json = {
            "id": f"msg_{number:04}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "stand-in"),
            "content": blocks,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 900, "output_tokens": 40},
        }
        if not body.get("stream"):
            return _whole(message)
        return _stream(self._events(message, blocks, reason), named=True)

    def _events(self, message: Json, blocks: list[Json], reason: str) -> Iterator[Json]:
        start = {**message, "content": [], "stop_reason": None}
        yield {"type": "message_start", "message": start}
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                empty = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield {"type": "content_block_start", "index": index, "content_block": empty}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        end = {"stop_reason": reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 40}}
        yield {"type": "message_stop"}


class OpenAI:
    """The Responses API, always streaming."""

    def speaks(self, path: str) -> bool:
        return path.split("?")[0].endswith("/responses")

    def results(self, body: Json) -> int:
        kinds = ("function_call_output", "custom_tool_call_output")
        return sum(item.get("type") in kinds for item in body.get("input", []))

    def has_tools(self, body: Json) -> bool:
        return bool(body.get("tools"))

    def reply(self, path: str, body: Json, step: Step, number: int) -> Reply:
        items: list[Json] = []
        if step.text:
            words = {"type": "output_text", "text": step.text, "annotations": []}
            said = {"type": "message", "id": f"msg_{number:04}", "role": "assistant"}
            items.append({**said, "status": "completed", "content": [words]})
        if isinstance(step.call, Call):
            items.append({**_openai_call(step.call), **_ids(number)})
        return _stream(self._events(items, number), named=True)

    def _events(self, items: list[Json], number: int) -> Iterator[Json]:
        response: Json = {"id": f"resp_{number:04}", "object": "response"}
        yield {"type": "response.created", "response": {**response, "status": "in_progress"}}
        for index, item in enumerate(items):
            yield {"type": "response.output_item.added", "output_index": index, "item": item}
            yield {"type": "response.output_item.done", "output_index": index, "item": item}
        usage = {
            "input_tokens": 900,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 40,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 940,
        }
        done = {**response, "status": "completed", "output": items, "usage": usage}
        yield {"type": "response.completed", "response": done}


class Gemini:
    """generateContent and streamGenerateContent."""

    def speaks(self, path: str) -> bool:
        return path.split("?")[0].endswith(("generateContent", "streamGenerateContent"))

    def results(self, body: Json) -> int:
        parts = [part for turn in body.get("contents", []) for part in turn.get("parts", [])]
        return sum("functionResponse" in part for part in parts)

    def has_tools(self, body: Json) -> bool:
        return any("functionDeclarations" in tool for tool in body.get("tools") or [])

    def reply(self, path: str, body: Json, step: Step, number: int) -> Reply:
        parts: list[Json] = [{"text": step.text}] if step.text else []
        if isinstance(step.call, Call):
            call = {"id": f"call_{number:04}", "name": step.call.tool}
            parts.append({"functionCall": {**call, "args": step.call.arguments}})
        answer: Json = {
            "candidates": [
                {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
            ],
            "usageMetadata": {
                "promptTokenCount": 900,
                "candidatesTokenCount": 40,
                "totalTokenCount": 940,
            },
            "modelVersion": "stand-in",
            "responseId": f"resp_{number:04}",
        }
        if "streamGenerateContent" not in path:
            return _whole(answer)
        return _stream(iter([answer]), named=False)


DIALECTS: tuple[Dialect, ...] = (Anthropic(), OpenAI(), Gemini())


def _openai_call(call: Call) -> Json:
    where, _, name = call.tool.rpartition(".")
    if where:
        given = json.dumps(call.arguments)
        return {"type": "function_call", "namespace": where, "name": name, "arguments": given}
    if isinstance(call.arguments, str):
        return {"type": "custom_tool_call", "name": call.tool, "input": call.arguments}
    given = json.dumps(call.arguments)
    return {"type": "function_call", "name": call.tool, "arguments": given}


def _ids(number: int) -> Json:
    return {"id": f"fc_{number:04}", "call_id": f"call_{number:04}", "status": "completed"}


def _whole(answer: Json) -> Reply:
    return Reply("application/json", json.dumps(answer).encode())


def _stream(events: Iterator[Json], *, named: bool) -> Reply:
    """Server-sent events; `named` ones carry their type in a line of its own."""
    lines: list[str] = []
    for event in events:
        head = f"event: {event['type']}\n" if named else ""
        lines.append(f"{head}data: {json.dumps(event)}\n\n")
    return Reply("text/event-stream", "".join(lines).encode())
