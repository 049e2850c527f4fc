"""Exports of other tools as Claude Code transcripts: one line a turn, two for a failed call.

The lines that labels name are those of the files made here. What tools printed and what an agent
thought is left out, as are code fences of aider's chats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

Said = tuple[str, str]  # user, assistant or error; and the text
Part = dict[str, list[int]]  # "prompts" or "chats": the first and the last, from 0

_SPOKEN = re.compile(r"^_\*\*(User|Assistant|Agent)\b[^\n]*\*\*_\s*$", re.MULTILINE)
_HIDDEN = re.compile(
    r"<think>.*?</think>|<tool-use.*?</tool-use>|<details>.*?</details>", re.DOTALL
)
_RULED = re.compile(r"^---\s*$", re.MULTILINE)
_CHAT = re.compile(r"^# aider chat started at [^\n]+\n", re.MULTILINE)
_FENCED = re.compile(r"```.*?```|<<<<<<< SEARCH.*?>>>>>>> REPLACE", re.DOTALL)
_OPENCODE = re.compile(r"^### \d+\. (user|assistant) \([^)]*\)\s*$", re.MULTILINE)
_READ = re.compile(r"^Called the \w+ tool with the following input", re.MULTILINE)
_CLAUDE = re.compile(r"^## (👤 User|🤖 Claude)\s*$", re.MULTILINE)
_USED = re.compile(r"^🔧 Using tool", re.MULTILINE)
_RULES = "### Rule:"  # a rule file that Cursor prints into an answer


def converted(form: str, text: str, part: Part) -> str:
    """An export as a transcript. `form` is a key of FORMS; raises KeyError for another."""
    said = FORMS[form](text, part)
    return "".join(f"{line}\n" for line in _lines(said))


def specstory(text: str, part: Part) -> list[Said]:
    pieces = _SPOKEN.split(text)
    said = []
    for who, body in zip(pieces[1::2], pieces[2::2], strict=True):
        body = _RULED.sub("", _HIDDEN.sub("", body)).strip()
        if who != "User" and _RULES in body[:400]:
            body = re.sub(rf"^{_RULES}.*", "", body, flags=re.DOTALL)
        if body:
            said.append(("user" if who == "User" else "assistant", body))
    first, last = part.get("prompts", [0, len(said)])
    starts = [place for place, (who, _) in enumerate(said) if who == "user"]
    end = starts[last + 1] if last + 1 < len(starts) else len(said)
    return said[starts[first] if first else 0 : end]


def aider(text: str, part: Part) -> list[Said]:
    first, last = part["chats"]
    chats = _CHAT.split(text.replace("\r", ""))[1:][first : last + 1]
    lines = []
    for chat in chats:
        # A chat begins again: neighbours of two chats are two turns, even of one speaker.
        spoken = [
            ("user", line[5:].rstrip()) if line.startswith("#### ") else ("assistant", line)
            for line in chat.splitlines()
            if not line.startswith((">", "#### Add file to the chat"))
        ]
        lines += [(who, [x for _, x in g]) for who, g in groupby(spoken, key=lambda one: one[0])]
    said = [(who, _FENCED.sub("", "\n".join(body)).strip()) for who, body in lines]
    return [(who, body) for who, body in said if body and not body.startswith("/")]


def opencode(text: str, _part: Part) -> list[Said]:
    if text.lstrip().startswith("{"):
        return [one for message in json.loads(text)["messages"] for one in _opencode(message)]
    pieces = _OPENCODE.split(text)
    said = [
        (who, _READ.split(body.strip())[0].strip())
        for who, body in zip(pieces[1::2], pieces[2::2], strict=True)
    ]
    return [(who, body) for who, body in said if body and not body.startswith("_No text content")]


def claude_markdown(text: str, _part: Part) -> list[Said]:
    pieces = _CLAUDE.split(text)
    said = [
        ("user" if "User" in who else "assistant", _RULED.sub("", _USED.split(body)[0]).strip())
        for who, body in zip(pieces[1::2], pieces[2::2], strict=True)
    ]
    return [(who, body) for who, body in said if body]


def copilot(text: str, _part: Part) -> list[Said]:
    said = []
    for raw in text.splitlines():
        event = json.loads(raw)
        data = event.get("data") or {}
        content = data.get("content") or ""
        if event["type"] == "user.message" and not content.lstrip().startswith("<system_reminder"):
            said.append(("user", content))
        elif event["type"] == "assistant.message" and content.strip():
            said.append(("assistant", content))
        elif event["type"] == "tool.execution_complete" and data.get("success") is False:
            said.append(("error", json.dumps(data.get("error") or data.get("result") or "")))
    return said


FORMS: dict[str, Callable[[str, Part], list[Said]]] = {
    "specstory": specstory,
    "aider": aider,
    "opencode": opencode,
    "claudemd": claude_markdown,
    "copilot": copilot,
}
"""By the end of a session's name. Sessions of other names are transcripts as they are."""


def _opencode(message: dict[str, Any]) -> Iterable[Said]:
    who = "user" if message["info"]["role"] == "user" else "assistant"
    for part in message["parts"]:
        state = part.get("state") or {}
        if part.get("type") == "text" and part.get("text", "").strip():
            if not part.get("synthetic"):
                yield who, part["text"]
        elif part.get("type") == "tool" and state.get("status") == "error":
            yield "error", str(state.get("error", ""))


def _lines(said: Sequence[Said]) -> Iterable[str]:
    for place, (who, text) in enumerate(said):
        at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=40 * place)
        head = {
            "isSidechain": False,
            "sessionId": "00000000-0000-4000-8000-000000000000",
            "cwd": "/home/dev/project",
            "uuid": f"00000000-0000-4000-8000-{place:012d}",
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        }
        if who == "error":
            call = {"type": "tool_use", "id": f"call-{place}", "name": "Bash", "input": {}}
            yield _line(head | {"uuid": f"{head['uuid']}-call"}, "assistant", [call])
            result = {"type": "tool_result", "tool_use_id": call["id"], "is_error": True}
            yield _line(head, "user", [result | {"content": text[:300]}])
        elif who == "user":
            yield _line(head, "user", text)
        else:
            yield _line(head, "assistant", [{"type": "text", "text": text}])


def _line(head: dict[str, Any], who: str, content: str | list[dict[str, Any]]) -> str:
    message = {"role": who, "content": content}
    return json.dumps({**head, "type": who, "message": message}, ensure_ascii=False)
