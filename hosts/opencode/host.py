"""OpenCode in full: our plugin is one file, made from our template, and removed whole.

OpenCode has no hooks that run a command; a plugin inside its process calls ours. A file of that
name that is not ours is left alone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core.agents import Scope
from ...core.models import client
from ...core.projects import program_outside
from ...core.sessions import transcript as t
from ...core.sessions.turns import Turn
from ...db.errors import ManagerError
from ..commands import Command, CommandForm, Texts, asks, page
from ..install import (
    Connection,
    HookFiles,
    HookStatus,
    Host,
    Installer,
    Server,
    Servers,
    Shape,
    events_of,
)
from ..settings import FilePlan, chosen_home, plan_own
from .wire import ADDRESS, WIRE

FILES = HookFiles(*WIRE.HOOK_FILES)


TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.js")
"""The plugin with placeholders for the hook's path, the home and the events."""

_MARK = re.compile(rb"^//[^\n]*`memdeck install opencode` wrote this file", re.MULTILINE)
_HOOK, _HOME, _EVENTS = "@HOOK@", "@HOME@", "@EVENTS@"


class Plugin(Installer):
    """The plugin, a file of ours as a whole."""

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """Return our registration for each event of these groups: all are equal."""
        return {event: {} for event in events_of(WIRE.HOST, groups)}

    def plan(self, path: str, connection: Connection | None, _servers: Servers) -> FilePlan:
        """Return the change of the plugin: connect, or disconnect; servers have another file."""
        after = None
        if connection is not None:
            events = " ".join(events_of(WIRE.HOST, connection.groups))
            text = _template().replace(_HOOK, _in_quotes(connection.program))
            text = text.replace(_HOME, _in_quotes(chosen_home(connection.home)))
            after = text.replace(_EVENTS, events).encode()
        planned = plan_own(path, after, lambda data: _MARK.search(data) is not None)
        if after is None:
            return FilePlan(planned.change)  # another's file is not ours to go
        note = "OpenCode loads the plugin when it is started next."
        return FilePlan(planned.change, planned.problems, (note,))

    def status(self, path: str, scope: Scope) -> HookStatus:
        """Return the status of our plugin; changes nothing."""
        planned = plan_own(path, None, lambda data: _MARK.search(data) is not None)
        if planned.problems or planned.change is None:
            return HookStatus(scope, path, planned.problems)
        text = (planned.change.before or b"").decode("utf-8", "replace")
        pattern = re.sub("@[A-Z]+@", "(.*)", re.escape(_template()))
        match = re.fullmatch(pattern, text)
        constants = dict(re.findall(r'^const (HOOK|HOME|ASKED) = "(.*)"$', text, re.MULTILINE))
        values = {name: str(json.loads(f'"{value}"')) for name, value in constants.items()}
        shape: Shape = {} if match else {"template": "another"}
        shapes = dict.fromkeys(values.get("ASKED", "").split(), shape)
        programs, homes = (tuple(filter(None, [values.get(name)])) for name in ("HOOK", "HOME"))
        return HookStatus(scope, path, (), shapes, programs, homes)


def _template() -> str:
    with open(TEMPLATE, encoding="utf-8") as file:
        return file.read()


def _in_quotes(text: str) -> str:
    """Return `text` escaped for a JavaScript string with any quotes."""
    visible = json.dumps(text)[1:-1]
    return "".join(f"\\u{ord(c):04x}" if c in "'`$" else c for c in visible)


def _write(item: Command, line: str) -> Texts:
    text = asks(line, f"/{item.name}", "$ARGUMENTS")
    return [(f"{item.name}.md", page({"description": f"{item.about}: {item.hint}"}, text))]


_TOOLS = (
    "* bash edit read glob grep list task webfetch websearch codesearch external_directory lsp"
    " skill todowrite todoread question"
).split()


def _arguments(call: client.Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "opencode", "run", "--format", "json", *model, "--title", "memdeck review",
        "Answer what follows.",
    ]  # fmt: skip


def _environment(_call: client.Call) -> Mapping[str, str]:
    """Return the variables that deny all tools: OpenCode runs commands without asking.

    Each tool by its name, since a user's own setting for one would win over `*`.
    """
    return {
        "OPENCODE_PERMISSION": json.dumps(dict.fromkeys(_TOOLS, "deny")),
        "OPENCODE_AUTO_SHARE": "false",  # it would put the prompt on a public page
        "OPENCODE_DISABLE_SHARE": "true",
        "OPENCODE_DISABLE_AUTOUPDATE": "true",
    }


def _read_answer(done: client.Output, _call: client.Call) -> client.Reply:
    """Return the text parts, one after the other."""
    words: list[str] = []
    costs: list[float] = []
    tokens_in = tokens_out = None
    trouble: str | None = None
    for event in client.events_in(done.stdout):
        part = client.table(event.get("part"))
        if event.get("type") == "text" and isinstance(part.get("text"), str):
            words.append(part["text"])
        elif event.get("type") == "step_finish":
            if (cost := client.dollars(part.get("cost"))) is not None:
                costs.append(cost)
            tokens = client.table(part.get("tokens"))
            tokens_in = client.total(tokens_in, tokens.get("input"))
            tokens_out = client.total(tokens_out, tokens.get("output"), tokens.get("reasoning"))
        elif event.get("type") == "error":
            trouble = client.message_in(event.get("error")) or "The session failed."
    # A model without a price in its tables is reported to cost 0: that says nothing.
    paid = sum(costs) or None
    if trouble is not None or done.code or not words:
        raise client.NoReply("failed", trouble or client.last_words(done), cost_usd=paid)
    return client.Reply("\n".join(words), paid, tokens_in, tokens_out)


def _forget(stdout: str) -> list[str] | None:
    """Return the command that deletes the session, since its store also holds the login."""
    for event in client.events_in(stdout):
        session = event.get("sessionID")
        if isinstance(session, str) and re.fullmatch(r"ses_\w{1,80}", session):
            return ["opencode", "session", "delete", session]
    return None


_NOTES = ("<task_metadata>", "<bash_metadata>")
_REFUSED = re.compile(
    r"\A(?:Error: )?The user rejected permission to use this specific tool call"
    r"(?: with the following feedback: (?P<said>.+))?",
    re.DOTALL,
)
_REFUSAL = "The user doesn't want to proceed with this tool use."


def read_export(text: str, *, sidechains: bool = False) -> t.Reading:
    """Return the turns of the output of `opencode export`; always of all of it.

    Unfinished messages count neither in `line_no` nor in `offset`, here the moment of the last
    finished one (ms since 1970). A child session is read where `sidechains` asks for it.
    """
    value = t.arguments_of(text)
    messages, _ = t.messages_in(value)
    session = _Chat(value, (), sidechains=sidechains)
    turns = session.read(enumerate(messages, 1))
    finished = _finished(messages)
    moment = max((_ms(turn) for turn in turns if turn.line <= finished), default=0)
    problem = "" if value else "not one whole JSON text"
    return t.Reading(turns, moment, finished, frozenset(session.seen), skipped=problem)


def lines_before(reading: t.Reading, moment_ms: int) -> int:
    """Return the number of messages of an export up to the moment of the last reading.

    Counts alone are not enough: a rewound prompt is replaced by another one.
    """
    fresh = (turn.line - 1 for turn in reading.turns if _ms(turn) > moment_ms)
    return next(fresh, reading.line_no)


def _ms(turn: Turn) -> int:
    return round(turn.at.timestamp() * 1000) if turn.at else 0


def _finished(messages: list[Any]) -> int:
    """Return the number of messages without unfinished ones at the end."""
    count = len(messages)
    while count:
        info = t.mapping_of(t.mapping_of(messages[count - 1]).get("info"))
        times = t.mapping_of(info.get("time"))
        if info.get("role") != "assistant" or "completed" in times or "error" in info:
            break
        count -= 1
    return count


class _Chat(t.SessionReader):
    """A child session is a subagent's. Reverted messages end a session."""

    def __init__(self, head: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        super().__init__(head, seen, sidechains=sidechains)
        # With one message a line, no line describes the session.
        info = {} if "parts" in head else t.mapping_of(head.get("info")) or head
        self.belongs_to(t.text_of(info.get("id")), is_subagent=bool(info.get("parentID")))
        self._reverted = t.text_of(t.mapping_of(info.get("revert")).get("messageID"))

    def take(self, message: dict[str, Any], number: int) -> None:
        info = t.mapping_of(message.get("info"))
        role, name = info.get("role"), t.text_of(info.get("id"))
        if name and name == self._reverted:
            self.is_skipped = True
        if self.is_skipped or role not in ("user", "assistant") or info.get("summary") is True:
            return
        cwd = t.text_of(t.mapping_of(info.get("path")).get("cwd"))
        created = t.mapping_of(info.get("time")).get("created")
        for position, each in enumerate(t.list_of(message.get("parts"))):
            part = t.mapping_of(each)
            its = t.text_of(part.get("id")) or f"{name or f'message-{number}'}-{position}"
            start = t.mapping_of(part.get("time")).get("start")
            self.locate(number, its, t.moment_of_ms(start or created), message=name)
            self._part(str(role), part, cwd)

    def _part(self, role: str, part: dict[str, Any], cwd: str) -> None:
        kind = part.get("type")
        if kind == "text":
            if part.get("synthetic") is not True and part.get("ignored") is not True:
                text = t.text_of(part.get("text"))
                self.add_message(
                    role, _unquoted(text) if role == "user" else text, f"text:{self.name}"
                )
        elif kind == "compaction" and self.is_new(f"boundary:{self.name}"):
            self.add_turn("boundary")
        elif kind == "tool":
            self._tool(part, cwd)

    def _tool(self, part: dict[str, Any], cwd: str) -> None:
        state, call = t.mapping_of(part.get("state")), t.text_of(part.get("callID")) or self.name
        if state.get("status") == "pending":
            return  # its input is not complete
        values = t.mapping_of(state.get("input"))
        self.call(call, t.translated(t.text_of(part.get("tool")), values, cwd))
        if state.get("status") in ("completed", "error"):
            self._result(call, state)

    def _result(self, call: str, state: dict[str, Any]) -> None:
        metadata, is_error = t.mapping_of(state.get("metadata")), state.get("status") == "error"
        text, code = t.text_of(state.get("error")) or t.text_of(state.get("output")), None
        refused = _REFUSED.match(text) if is_error else None
        if refused:
            # In the words that another host has for it, which the rules know.
            text = f"{_REFUSAL} the user said:\n{refused['said']}" if refused["said"] else _REFUSAL
        else:
            text, code = _unframed(text), metadata.get("exit")
        agent = metadata.get("sessionId") or metadata.get("sessionID")
        more: dict[str, Any] = {"details": {"agent_id": agent}} if isinstance(agent, str) else {}
        ended = t.moment_of_ms(t.mapping_of(state.get("time")).get("end"))
        if ended:
            more["at"] = ended
        self.result(call, text, is_error=is_error, code=code, uuid=f"{self.name}-result", **more)


def _unframed(text: str) -> str:
    """Return the output of a tool or subagent, without the host's frame for the model."""
    _, opened, inside = text.partition("<task_result>")
    if opened:
        return inside.partition("</task_result>")[0].strip()
    for note in _NOTES:
        text = text.rpartition(note)[0].rstrip("\n") if note in text else text
    return text


def _unquoted(text: str) -> str:
    """Return a prompt without the quotes that `opencode run "…"` leaves around it."""
    inner = text.strip()
    is_quoted = len(inner) > 2 and inner[0] == inner[-1] == '"'
    if is_quoted and '"' not in inner[1:-1].replace('\\"', ""):
        return inner[1:-1].replace('\\"', '"')
    return text


def _is_line(line: Mapping[str, Any]) -> bool:
    return isinstance(line.get("info"), dict) and ("parts" in line or "messages" in line)


LIMIT_S = 60.0
"""Limit of an export, which starts all of OpenCode: some 2 s of a processor's time."""

_ADDRESS = re.compile(rf"{ADDRESS}(ses_\w{{1,100}})(?:@.+)?", re.DOTALL)  # `@` of older versions
_GONE = re.compile(r"session not found", re.IGNORECASE)


class ExportFailed(ManagerError):
    """OpenCode did not export a session."""

    hint = "See whether `opencode export` works by itself."


class NoSuchSession(ExportFailed):
    """OpenCode has no such session any more."""


def is_address(transcript: str) -> bool:
    """Return True if a transcript is a session of OpenCode's, and not a file."""
    return _ADDRESS.fullmatch(transcript) is not None


def name_of(address: str) -> str:
    """Return the permanent name of the session, for marks and references.

    Raises ExportFailed for an invalid `address`.
    """
    return ADDRESS + _session(address)


def export(address: str, folder: str = "", *, limit_s: float = LIMIT_S) -> str:
    """Return the session at `address` as OpenCode exports it, one JSON text; unredacted.

    Runs in `folder` if it exists, without the user's plugins. Raises NoSuchSession, or
    ExportFailed: no program, longer than `limit_s` seconds, more than `MAX_WHOLE` bytes.
    """
    session = _session(address)
    own = os.path.join(os.path.expanduser("~"), ".opencode", "bin")
    program = program_outside("opencode", folder, (own,))
    if program is None:
        hint = "Put it on the PATH, outside of the project."
        raise ExportFailed("The program `opencode` was not found.", hint=hint)
    position = next(
        path for path in (folder, os.path.expanduser("~"), os.sep) if os.path.isdir(path)
    )
    # No plugins: ours would answer, others are none of our business.
    environment = {**os.environ, "OPENCODE_PURE": "1"}
    try:
        output = client.run(
            [program, "export", session],
            text="",
            folder=position,
            environment=environment,
            limit_s=limit_s,
            max_bytes=t.MAX_WHOLE,
        )
    except client.NoReply as error:
        raise ExportFailed(f"OpenCode did not export a session: {error.reason}") from None
    if _GONE.search(output.stderr):
        raise NoSuchSession(f"OpenCode has no session {session}.")
    if output.code or not output.stdout.rstrip().endswith("}"):
        raise ExportFailed(f"`opencode export {session}` ended with code {output.code}.")
    return output.stdout


def _session(address: str) -> str:
    """Return the session of an address. Raises ExportFailed when it is none."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise ExportFailed(f"{address!r} names no session of OpenCode.")
    return match[1]


HOST = Host(
    wire=WIRE,
    logins=("../../.local/share/opencode/auth.json",),
    installer=Plugin(WIRE.HOST, FILES),
    commands=CommandForm(FILES, "commands", _write),
    server=Server("opencode.json", "mcp", {"type": "local", "enabled": True}, is_one_list=True),
    headless=client.Dialect(_arguments, _read_answer, _environment, _forget),
    transcript=t.Transcript(
        _Chat, _is_line, re.compile(r'\A(?:\[\s*)?\{\s*"info"\s*:\s*\{'), messages=t.messages_in
    ),
)
