"""Codex in full: our part of its file of hooks, and the trust that a user must give them.

Codex reads `hooks.json` beside its `config.toml`, which holds the trust and MCP servers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...core.agents import Finding
from ...core.models import client
from ...core.projects import identify
from ...core.sessions import transcript as t
from ...db.errors import Refused
from ..commands import MARKER, Command, CommandForm, Texts, asks, page
from ..install import HookFiles, HookStatus, Host, Server, Tables, installer_of
from ..settings import bytes_at
from ..wire import mapping
from .wire import WIRE

FILES = HookFiles(*WIRE.HOOK_FILES)


def hindrances(
    hook_statuses: Sequence[HookStatus], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    try:
        settings = config()
    except Refused as error:
        return None, [Finding("codex", False, str(error), error.hint or "Correct the file.")]
    matches = []
    features = mapping(settings, "features")
    if features.get("hooks", features.get("codex_hooks", True)) is False:
        message = "features.hooks is false in config.toml, so that no hook runs."
        matches.append(Finding("codex", False, message, "Take it out of ~/.codex/config.toml."))
    is_trusted = True
    folder = os.path.abspath(project_dir or os.getcwd())
    # Trust in a repository's top holds for all below it.
    names = {folder, os.path.realpath(folder), identify(folder).root}
    levels = [mapping(mapping(settings, "projects"), name).get("trust_level") for name in names]
    for hook_status in hook_statuses:
        if not hook_status.is_installed:
            continue
        if hook_status.scope == "project" and "trusted" not in levels:
            is_trusted = False
            message = f"Codex does not trust {folder}, so that it reads no hooks there."
            matches.append(Finding("codex", False, message, "Start `codex` there and say yes."))
        findings = _untrusted(hook_status, mapping(mapping(settings, "hooks"), "state"))
        is_trusted = is_trusted and not findings
        matches += findings
    return is_trusted, matches


def _untrusted(hook_status: HookStatus, state: Mapping[str, Any]) -> list[Finding]:
    """Return the hooks of one file that Codex skips, as its settings know them."""
    skipped: dict[str, list[str]] = {}
    for event, keys, digest in _handlers_in(hook_status.path, hook_status.settings):
        existing = next((mapping(state, key) for key in keys if key in state), {})
        if not existing.get("trusted_hash"):
            skipped.setdefault("hooks that you have not trusted", []).append(event)
        elif existing["trusted_hash"] != digest:
            skipped.setdefault("hooks that changed since you trusted them", []).append(event)
        elif existing.get("enabled") is False:
            skipped.setdefault("hooks that are switched off with /hooks", []).append(event)
    where = "" if hook_status.scope == "user" else f" --scope {hook_status.scope}"
    by_us = f"`memdeck install codex{where} --trust`"
    advice = f"Start `codex` and trust them with /hooks, or run {by_us}."
    return [
        Finding("codex", False, f"Codex skips {why}: {', '.join(events)}.", advice)
        for why, events in skipped.items()
    ]


def _write(command: Command, line: str) -> Texts:
    called = f"${command.name}"
    about = f"{command.about} (memdeck). Only when the user writes {called}."
    text = asks(
        line,
        called,
        f"(here: all that the user wrote after {called})",
        "If it prints that the store can only be read, ask for permission to run it outside the"
        " sandbox, once.\n",
    )
    policy = f"{MARKER}\npolicy:\n  allow_implicit_invocation: false\n"
    return [
        (f"{command.name}/SKILL.md", page({"name": command.name, "description": about}, text)),
        (f"{command.name}/agents/openai.yaml", policy),
    ]


def _arguments(call: client.Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check",
        "--sandbox", "read-only", "-c", "features.hooks=false",
        "--ignore-user-config", "--ignore-rules", *model,
        "--output-schema", os.path.join(call.files, client.ANSWER_SCHEMA),
        "-o", os.path.join(call.files, client.LAST_MESSAGE), "-",
    ]  # fmt: skip


def _read_answer(done: client.Output, _call: client.Call) -> client.Reply:
    """Return the last message of the agent; a failed turn has none."""
    words, trouble, is_failed = "", "", False
    tokens_in = tokens_out = None
    for event in client.events_in(done.stdout):
        kind, item = event.get("type"), client.table(event.get("item"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            words = str(item.get("text") or "")
        elif kind == "turn.completed":
            usage = client.table(event.get("usage"))
            tokens_in = client.total(tokens_in, usage.get("input_tokens"))
            tokens_out = client.total(tokens_out, usage.get("output_tokens"))
        elif kind == "turn.failed":
            is_failed, trouble = True, client.message_in(event.get("error")) or "The turn failed."
        elif kind == "error":  # also reported while it tries again
            trouble = client.message_in(event) or trouble
    if is_failed or done.code or not words:
        raise client.NoReply("failed", trouble or client.last_words(done))
    return client.Reply(words, None, tokens_in, tokens_out)


def config() -> Mapping[str, Any]:
    """Return the user's `config.toml`; empty without one. Raises Refused when it cannot be read."""
    import tomllib

    path = os.path.join(FILES.folder(), "config.toml")
    try:
        return tomllib.loads((bytes_at(path) or b"").decode())
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Refused(
            f"{path} is not valid TOML.", hint="Correct it. Codex needs it, too."
        ) from error


def trust(path: str, before: bytes | None, after: bytes | None) -> Tables:
    """The tables of `config.toml` that trust our hooks in the file at `path`, and no older ones."""
    state = mapping(mapping(config(), "hooks"), "state")
    tables: dict[tuple[str, ...], dict[str, Any] | None] = {}
    for data in (before, after):
        for _, keys, digest in _handlers_in(path, json.loads(data or b"{}")):
            for key in keys:
                trusted = {**mapping(state, key), "trusted_hash": digest}
                tables["hooks", "state", key] = trusted if data is after else None
    return tables


def _handlers_in(path: str, value: Mapping[str, Any]) -> Iterator[tuple[str, list[str], str]]:
    """Yield for our handlers in a file: the event, the keys of their trust, and Codex's hash.

    A link in the path makes two keys of one.
    """
    import hashlib

    paths = sorted({os.path.abspath(path), os.path.realpath(path)})
    for event, at, inner, group, handler in installer_of("codex").positions(value):
        label = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()  # user_prompt_submit
        visible = {
            "type": "command",
            "command": handler["command"],
            "timeout": handler.get("timeout", 600),
            "async": handler.get("async", False),
        }
        identity: dict[str, Any] = {"event_name": label, "hooks": [visible]}
        if "matcher" in group:
            identity["matcher"] = group["matcher"]
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        yield event, [f"{path}:{label}:{at}:{inner}" for path in paths], digest


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
_NOTE = "user_note: "  # before the user's text beside the chosen option
_REQUEST = re.compile(r"\A# Context from my IDE setup:.*?^## My request for Codex:\s*", re.S | re.M)


class _Rollout(t.SessionReader):
    """A subagent has a rollout of its own, whose turns have the id of its thread."""

    def __init__(self, head: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        super().__init__(head, seen, sidechains=sidechains)
        meta = t.mapping_of(head.get("payload")) if head.get("type") == "session_meta" else {}
        self.belongs_to(t.text_of(meta.get("id")), is_subagent=_is_subagent(meta))
        self._cwd = t.text_of(meta.get("cwd"))
        self._turn = ""  # id of the prompt that is being answered
        self._spawned: dict[str, tuple[str, str]] = {}  # id of a subagent -> its call and type
        self._starting: dict[str, str] = {}  # call that starts a subagent -> type
        self._asked: dict[str, dict[str, str]] = {}  # call that asks the user -> its questions

    def take(self, line: dict[str, Any], number: int) -> None:
        payload = t.mapping_of(line.get("payload"))
        kind = f"{line.get('type')} {payload.get('type')}"
        item = t.mapping_of(payload.get("item"))
        name = t.text_of(item.get("id")) or t.text_of(payload.get("id"))
        self._turn = t.text_of(payload.get("turn_id")) or self._turn
        self.locate(number, name, t.moment_of(line.get("timestamp")))
        if line.get("type") == "compacted":
            self.add_turn("boundary")
        elif kind in ("event_msg user_message", "event_msg agent_message"):
            self._add_event_message("user" in kind, t.text_of(payload.get("message")), number)
        elif kind == "event_msg item_completed":
            self._item(item, number)
        elif kind in _CALLS:
            self._call(payload)
        elif kind in _OUTPUTS:
            self._output(payload)

    def _add_event_message(self, is_prompt: bool, text: str, number: int) -> None:
        text = _REQUEST.sub("", text) if is_prompt else text
        if not _INJECTED.match(text):
            # Some versions send the same words in both forms of the event.
            who = "user" if is_prompt else "assistant"
            self.add_message(who, text, f"{who}:{self._turn or number}:{t.digest_of(text)}")

    def _item(self, item: dict[str, Any], number: int) -> None:
        kind, name = item.get("type"), t.text_of(item.get("id"))
        if kind in ("UserMessage", "AgentMessage"):
            self._add_event_message(kind == "UserMessage", t.words_of(item.get("content")), number)
        elif kind == "ContextCompaction":
            self.add_turn("boundary")
        elif kind == "CommandExecution":
            folder = t.text_of(item.get("cwd")).removeprefix("file://")
            values = {"command": item.get("command"), "workdir": folder}
            if self.call(name, t.translated("shell", values, self._cwd)):
                self._ended(
                    name, t.text_of(item.get("aggregated_output")), code=item.get("exit_code")
                )
        elif kind == "FileChange":
            changes = t.mapping_of(item.get("changes")).items()
            made = (
                element
                for path, change in changes
                for element in _changed(path, t.mapping_of(change))
            )
            if self.call(name, made):
                text = t.text_of(item.get("stderr")) or t.text_of(item.get("stdout"))
                self._ended(name, text, is_error=item.get("status") == "failed")

    def _call(self, payload: dict[str, Any]) -> None:
        name, call = t.text_of(payload.get("name")), t.text_of(payload.get("call_id"))
        if payload.get("type") == "local_shell_call":
            action = t.mapping_of(payload.get("action"))
            name, values = "shell", {**action, "workdir": action.get("working_directory")}
        elif payload.get("type") == "custom_tool_call":
            values = {"input": payload.get("input")}
            if name == "exec":
                return  # a script; events report its commands
        else:
            values = t.arguments_of(payload.get("arguments"))
        if not self.call(call, t.translated(name, values, self._cwd)):
            return
        if name == "spawn_agent":
            self._starting[call] = t.text_of(values.get("agent_type"))
        elif name == "request_user_input":
            self._asked[call] = {
                t.text_of(item.get("id")): t.text_of(item.get("question"))
                for item in t.blocks_of(values.get("questions"))
            }

    def _output(self, payload: dict[str, Any]) -> None:
        call = t.text_of(payload.get("call_id"))
        if not call or f"call:{call}" not in self.seen:
            return  # of a script
        text, code = _plain_output(payload.get("output"))
        if call in self._asked:
            text = _answered(self._asked[call], t.arguments_of(text)) or text
        if call in self._starting:
            agent = t.text_of(t.arguments_of(text).get("agent_id"))
            if agent:
                self._spawned[agent] = (call, self._starting[call])
        if _REFUSED.match(text):
            self.result(call, text, details={"interrupted": True})
        elif self._ended(call, text, is_error=_FAILED.match(text) is not None, code=code):
            self._report(text)

    def _report(self, text: str) -> None:
        """Add the answers of subagents for which the agent had waited."""
        if not self._spawned or '"completed"' not in text:
            return
        for agent, status in t.mapping_of(t.arguments_of(text).get("status")).items():
            message = t.text_of(t.mapping_of(status).get("completed"))
            if message and agent in self._spawned:
                call, kind = self._spawned[agent]
                facts = {"agent_id": agent, "agent_type": kind}
                self.add_turn("tool_result", message, call_id=call, part=1, details=facts)

    def _ended(self, call: str, text: str, **more: Any) -> bool:
        return self.result(call, text, uuid=f"{self.name}-result", **more)


def _is_subagent(meta: dict[str, Any]) -> bool:
    """Return True if no user types there; a delegated thread in an editor is the user's."""
    source = meta.get("source")
    if isinstance(source, dict):
        return "subagent" in source
    return meta.get("thread_source") == "subagent" and source not in _TYPED_IN


def _answered(request: Mapping[str, str], details: Mapping[str, Any]) -> str:
    """Return the user's answers in the form of Claude Code; "" without any."""
    pairs = []
    for name, question in request.items():
        values = t.mapping_of(t.mapping_of(details.get("answers")).get(name)).get("answers")
        text = [
            item.removeprefix(_NOTE).replace('"', "'")
            for item in t.list_of(values)
            if isinstance(item, str) and item.strip()
        ]
        if text and question:
            pairs.append(f'"{question.replace(chr(34), chr(39))}"="{", ".join(text)}"')
    return f"User has answered your questions: {', '.join(pairs)}" if pairs else ""


def _plain_output(output: Any) -> tuple[str, int | None]:
    """Return (the tool's output, its exit code if known)."""
    if isinstance(output, dict):
        output = output.get("content", output.get("output"))
    if isinstance(output, list):
        output = "\n".join(t.text_of(block.get("text")) for block in t.blocks_of(output))
    text = t.text_of(output)
    wrapped = t.arguments_of(text) if text.startswith('{"output"') else {}
    if wrapped:
        code = t.mapping_of(wrapped.get("metadata")).get("exit_code")
        return t.text_of(wrapped.get("output")), code if isinstance(code, int) else None
    head = _HEAD.match(text)
    if not head:
        return text, None
    match = _EXIT.search(head[0])
    return text[head.end() :], int(match[1]) if match else None


def _changed(path: str, change: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    path = t.text_of(change.get("move_path")) or path
    if change.get("type") == "add":
        yield from t.translated(
            "write", {"path": path, "content": t.text_of(change.get("content"))}
        )
    elif change.get("type") == "update":
        yield t.from_diff(path, t.text_of(change.get("unified_diff")))


_CALLS = tuple(
    f"response_item {name}" for name in ("function_call", "custom_tool_call", "local_shell_call")
)
_OUTPUTS = ("response_item function_call_output", "response_item custom_tool_call_output")
_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


def _is_line(line: Mapping[str, Any]) -> bool:
    return line.get("type") in _TYPES and "payload" in line


HOST = Host(
    wire=WIRE,
    logins=("auth.json",),
    installer=installer_of("codex"),
    server=Server("config.toml", "mcp_servers"),
    commands=CommandForm(FILES, "skills", _write),  # others read `~/.agents/skills` as well
    hindrances=hindrances,
    trust=trust,
    headless=client.Dialect(_arguments, _read_answer),
    transcript=t.Transcript(
        _Rollout, _is_line, re.compile(r'\A\{[^{]{0,200}"type"\s*:\s*"session_meta"')
    ),
)
