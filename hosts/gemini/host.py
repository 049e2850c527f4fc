"""Gemini CLI in full: our part of its settings, and other settings that affect our hooks."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import takewhile
from typing import Any

from ...core.models import client
from ...core.sessions import transcript as t
from ..commands import MARKER, Command, CommandForm, Texts, asks
from ..install import HookFiles, Host, Server, installer_of
from .wire import WIRE

FILES = HookFiles(*WIRE.HOOK_FILES)


def _write(item: Command, line: str) -> Texts:
    prompt = asks(line, f"/{item.name}", "{{args}}")
    quoted = prompt.replace("\\", "\\\\").replace('"', '\\"')
    about = json.dumps(f"{item.about}: {item.hint}")
    return [(f"{item.name}.toml", f'{MARKER}\ndescription = {about}\nprompt = """\n{quoted}"""\n')]


def _arguments(call: client.Call) -> list[str]:
    return [
        "gemini", "-p", "", "--output-format", "json", "-m", call.model or "flash",
        "--approval-mode", "plan", "-e", "none", "--skip-trust",
    ]  # fmt: skip


_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"


def _environment(call: client.Call) -> Mapping[str, str]:
    """Return the variable that turns hooks off by a system settings file, unless one exists."""
    is_mac = sys.platform == "darwin"
    folder = "/Library/Application Support/GeminiCli" if is_mac else "/etc/gemini-cli"
    if call.environment.get(_SETTINGS) or os.path.exists(f"{folder}/settings.json"):
        return {}
    return {_SETTINGS: os.path.join(call.files, client.NO_HOOKS)}


def _read_answer(done: client.Output, _call: client.Call) -> client.Reply:
    """Return the object with the response; notices may precede it, and an error is on stderr."""
    matches = [item for item in client.objects_in(done.stdout) if {"response", "error"} & set(item)]
    answer = matches[-1] if matches else {}
    if answer.get("error") or done.code or not isinstance(answer.get("response"), str):
        raise client.NoReply(
            "failed", client.message_in(answer.get("error")) or client.last_words(done)
        )
    models = client.table(client.table(answer.get("stats")).get("models")).values()
    used = [client.table(client.table(model).get("tokens")) for model in models]
    return client.Reply(
        answer["response"],
        None,
        client.total(*(tokens.get("prompt") for tokens in used)),
        client.total(*(tokens.get(name) for tokens in used for name in ("candidates", "thoughts"))),
    )


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
_DONE = ("", "success", "error", "cancelled")


class _Chat(t.SessionReader):
    """`turns` grows, or shrinks by a rewind. A subagent's own file names the chat."""

    def __init__(self, head: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        super().__init__(head, seen, sidechains=sidechains)
        name, is_subagent = t.text_of(head.get("sessionId")), head.get("kind") == "subagent"
        self.belongs_to(name, is_subagent=is_subagent)
        self._places: dict[str, int] = {}  # name of a message -> place of its text

    def take(self, line: dict[str, Any], number: int) -> None:
        changed = t.mapping_of(line.get("$set")).get("messages")
        if "$rewindTo" in line:
            name = t.text_of(line["$rewindTo"])
            taken_back = (n for n, turn in enumerate(self.turns) if name == turn.message_id)
            first = next(taken_back, len(self.turns)) if name else len(self.turns)
            self.rewound |= {turn.uuid for turn in self.turns[first:]}
            del self.turns[first:]
            return
        for message in changed if isinstance(changed, list) else [line]:
            self._message(t.mapping_of(message), number)

    def _message(self, message: dict[str, Any], number: int) -> None:
        kind, name = message.get("type"), t.text_of(message.get("id"))
        self.locate(number, name, t.moment_of(message.get("timestamp")), message=name)
        parts = t.blocks_of(message.get("content"))
        if kind == "user":
            self._say("user", _typed(t.blocks_of(message.get("displayContent") or parts)))
            for part in parts:
                self._response(t.mapping_of(part.get("functionResponse")))
        elif kind == "gemini":
            texts = (t.text_of(part.get("text")) for part in parts if not part.get("thought"))
            self._say("assistant", "\n".join(filter(None, texts)))
            for part in parts:
                call = t.mapping_of(part.get("functionCall"))
                self._call(t.text_of(call.get("id")), call)
            for call in t.list_of(message.get("toolCalls")):
                self._tool_call(t.mapping_of(call))

    def _say(self, who: str, text: str) -> None:
        name = self.name
        if _SNAPSHOT.match(text) and self.is_new(f"boundary:{name}"):
            self.add_turn("boundary")
        count = len(self.turns)
        if _OWN.match(text) or not self.add_message(who, text, f"{who}:{name}:{t.digest_of(text)}"):
            return
        before = self._places.get(name, count)
        if before < count and self.turns[before].uuid == name:
            self.turns[before] = self.turns.pop()  # the same message, updated
        else:
            self._places[name] = count

    def _tool_call(self, call: dict[str, Any]) -> None:
        name, status = t.text_of(call.get("id")), t.text_of(call.get("status"))
        if not name:
            return
        self._call(name, call)
        at = t.moment_of(call.get("timestamp"))
        for part in t.blocks_of(call.get("result")):
            self._response({**t.mapping_of(part.get("functionResponse")), "id": name}, status, at)
        if status == "error":
            self._response({"id": name, "response": {"error": ""}}, status, at)

    def _call(self, name: str, call: dict[str, Any]) -> None:
        tool, values = t.text_of(call.get("name")), t.mapping_of(call.get("args"))
        if tool == "codebase_investigator":
            values = {**values, "agent_name": tool}
        if name:
            self.call(name, t.translated(tool, values), uuid=name)

    def _response(
        self, response: dict[str, Any], status: str = "", at: datetime | None = None
    ) -> None:
        name, details = t.text_of(response.get("id")), t.mapping_of(response.get("response"))
        if not name or not details or status not in _DONE or f"call:{name}" not in self.seen:
            return
        error = t.text_of(details.get("error"))
        text, has_failed = _plain_output(error or t.text_of(details.get("output")))
        is_cancelled = status == "cancelled"
        self.result(
            name,
            text,
            is_error=(has_failed or bool(error) or status == "error") and not is_cancelled,
            uuid=f"{name}-result",
            details={"interrupted": True} if is_cancelled else {},
            **({"at": at} if at else {}),
        )


def _typed(parts: Iterable[dict[str, Any]]) -> str:
    """Return the user's words, without injected context and files attached by `@`."""
    texts = (t.text_of(part.get("text")) for part in parts)
    before = takewhile(lambda text: not _ATTACHED.match(text), texts)
    # The host escapes "<" inside its element, so the first closing tag is the right one.
    typed = (_INJECTED.sub("", text) for text in before)
    return "\n".join(text for text in typed if text.strip()).strip()


def _plain_output(text: str) -> tuple[str, bool]:
    """Return (a tool's output, True if its exit code means a failure)."""
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


HOST = Host(
    wire=WIRE,
    logins=("oauth_creds.json",),
    installer=installer_of("gemini"),
    commands=CommandForm(FILES, "commands", _write, refused="{}"),
    server=Server("settings.json", "mcpServers"),
    headless=client.Dialect(_arguments, _read_answer, _environment),
    transcript=t.Transcript(
        _Chat,
        lambda line: "projectHash" in line,
        re.compile(r'"projectHash"\s*:\s*"'),
        messages=t.messages_in,
    ),
)
