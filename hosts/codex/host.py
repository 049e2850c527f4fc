"""Codex, whole: what we write into its file of hooks, and the trust that a person must give it.

Codex reads `hooks.json` beside its `config.toml`, so that no TOML of anybody's is touched.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from ...core.agents import Finding
from ...core.errors import Refused
from ...core.hosts import GUARD
from ...core.models.client import (
    ANSWER_SCHEMA,
    LAST_MESSAGE,
    Call,
    Dialect,
    NoReply,
    Output,
    Reply,
    events_in,
    last_words,
    message_in,
    table,
    total,
)
from ...core.projects import identify
from .. import settings
from ..commands import MARKER, Command, CommandForm, Texts, asks, line, page
from ..install import HookFiles, HookStatus, Host, JsonHost
from ..wire import mapping
from . import wire

FILES = HookFiles(*wire.HOOK_FILES)


def hindrances(
    hook_statuses: Sequence[HookStatus], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    try:
        settings = config()
    except Refused as error:
        return None, [Finding("codex", False, str(error), error.hint or "Mend the file.")]
    matches = []
    installed = [hook_status for hook_status in hook_statuses if hook_status.is_installed]
    if is_off(settings):
        message = "features.hooks is false in config.toml, so that no hook runs."
        matches.append(Finding("codex", False, message, "Take it out of ~/.codex/config.toml."))
    is_trusted = True
    folder = os.path.abspath(project_dir or os.getcwd())
    for hook_status in installed:
        if hook_status.scope == "project" and not trusts_project(folder, settings):
            is_trusted = False
            message = f"Codex does not trust {folder}, so that it reads no hooks there."
            matches.append(Finding("codex", False, message, "Start `codex` there and say yes."))
        values = trust_of(hook_status.path, settings)
        is_trusted = is_trusted and values.is_whole
        matches += _untrusted(hook_status, values)
    return is_trusted, matches


def _untrusted(hook_status: HookStatus, trust: Trust) -> list[Finding]:
    where = "" if hook_status.scope == "user" else f" --scope {hook_status.scope}"
    by_us = f"`memdeck install codex{where} --trust`"
    advice = f"Start `codex` and trust them with /hooks, or run {by_us}."
    if trust.missing:
        message = f"Codex skips hooks that you have not trusted: {', '.join(trust.missing)}."
    elif trust.changed:
        message = (
            f"Codex skips hooks that changed since you trusted them: {', '.join(trust.changed)}."
        )
    elif trust.disabled:
        message = f"Hooks of ours are switched off in Codex: {', '.join(trust.disabled)}."
        advice = "Switch them on with /hooks in Codex."
    else:
        return []
    return [Finding("codex", False, message, advice)]


def _write(command: Command, program: str, home: str | None) -> Texts:
    called = f"${command.name}"
    about = f"{command.about} (memdeck). Only when the person writes {called}."
    text = asks(
        line(command, program, home, shlex.quote),
        called,
        f"(here: all that the person wrote after {called})",
        "If it prints that the store can only be read, ask for permission to run it outside the"
        " sandbox, once.\n",
    )
    policy = f"{MARKER}\npolicy:\n  allow_implicit_invocation: false\n"
    return [
        (f"{command.name}/SKILL.md", page({"name": command.name, "description": about}, text)),
        (f"{command.name}/agents/openai.yaml", policy),
    ]


def _arguments(call: Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check",
        "--sandbox", "read-only", "-c", "features.hooks=false",
        "--ignore-user-config", "--ignore-rules", *model,
        "--output-schema", os.path.join(call.files, ANSWER_SCHEMA),
        "-o", os.path.join(call.files, LAST_MESSAGE), "-",
    ]  # fmt: skip


def _read_answer(done: Output, _call: Call) -> Reply:
    """The last message of the agent; a failed turn has none, whatever was said before."""
    words, trouble, is_failed = "", "", False
    tokens_in = tokens_out = None
    for event in events_in(done.stdout):
        kind, item = event.get("type"), table(event.get("item"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            words = str(item.get("text") or "")
        elif kind == "turn.completed":
            usage = table(event.get("usage"))
            tokens_in = total(tokens_in, usage.get("input_tokens"))
            tokens_out = total(tokens_out, usage.get("output_tokens"))
        elif kind == "turn.failed":
            is_failed, trouble = True, message_in(event.get("error")) or "The turn failed."
        elif kind == "error":  # also told while it tries again
            trouble = message_in(event) or trouble
    if is_failed or done.code or not words:
        raise NoReply("failed", trouble or last_words(done))
    return Reply(words, None, tokens_in, tokens_out)


TIMEOUT_S = 20.0
"""Codex starts in about a second; a busy machine takes some more."""

TRUST = (
    "Codex skips a hook, without a word, until you trust it: start `codex` and say yes when it"
    " asks, or use /hooks; or let `memdeck install codex --trust` tell Codex that you do."
)
"""What a person is told who installs."""

_BY_HAND = "Start `codex` and trust them with /hooks."


@dataclass(frozen=True, slots=True)
class Trust:
    """What Codex's settings say of our hooks in one file, by event."""

    missing: tuple[str, ...] = ()  # never trusted
    changed: tuple[str, ...] = ()  # trusted in another form
    disabled: tuple[str, ...] = ()  # trusted, and switched off by the person

    @property
    def is_whole(self) -> bool:
        """Whether Codex runs all of them."""
        return not (self.missing or self.changed or self.disabled)


def config() -> Mapping[str, Any]:
    """The person's `config.toml`; empty without one. Raises Refused when it cannot be read."""
    import tomllib

    path = os.path.join(FILES.folder(), "config.toml")
    try:
        data = settings.bytes_at(path)
        return tomllib.loads("" if data is None else data.decode())
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise Refused(f"{path} is not valid TOML.", hint="Mend it; Codex needs it too.") from error


def trust_of(hooks_path: str, settings: Mapping[str, Any]) -> Trust:
    """How far `settings` (of `config`) trust our hooks in the file at `hooks_path`."""
    state = mapping(mapping(settings, "hooks"), "state")
    missing, changed, disabled = [], [], []
    for item in ours_in(hooks_path):
        existing = next((mapping(state, key) for key in item.keys if key in state), {})
        if not existing.get("trusted_hash"):
            missing.append(item.event)
        elif existing["trusted_hash"] != item.digest:
            changed.append(item.event)
        elif existing.get("enabled") is False:
            disabled.append(item.event)
    return Trust(tuple(missing), tuple(changed), tuple(disabled))


def is_off(settings: Mapping[str, Any]) -> bool:
    """Whether `settings` switch all hooks off."""
    features = mapping(settings, "features")
    return features.get("hooks", features.get("codex_hooks", True)) is False


def trusts_project(folder: str, settings: Mapping[str, Any]) -> bool:
    """Whether `settings` trust the project in `folder`, so that its hooks are read at all.

    Trust in a repository's top holds for all below it.
    """
    projects = mapping(settings, "projects")
    names = {os.path.abspath(folder), os.path.realpath(folder), identify(folder).root}
    return any(mapping(projects, name).get("trust_level") == "trusted" for name in names)


def grant(hooks_path: str, project_dir: str | None) -> list[str]:
    """Tell Codex that the person trusts our hooks in `hooks_path`; returns their events.

    Only for a person who asked for it. Raises Refused when Codex is not there, does not answer,
    or does not trust them afterwards.
    """
    import shutil

    program = shutil.which("codex")
    if program is None:
        raise Refused("codex was not found.", hint=f"The hooks stand. {_BY_HAND}")
    folder = os.path.abspath(project_dir or os.getcwd())
    with _Server(program, folder) as server:
        ours = server.ours(hooks_path)
        if not ours:
            raise Refused(
                f"Codex does not see hooks of ours in {folder}.",
                hint="A project's hooks need a trusted project: start `codex` there, then this.",
            )
        wanted = {
            hook["key"]: {"trusted_hash": hook["currentHash"]}
            for hook in ours
            if hook.get("trustStatus") != "trusted"
        }
        if wanted:
            edit = {"keyPath": "hooks.state", "value": wanted, "mergeStrategy": "upsert"}
            server.call("config/batchWrite", {"edits": [edit]})
            ours = server.ours(hooks_path)
    if any(hook.get("trustStatus") != "trusted" for hook in ours):
        raise Refused("Codex does not trust the hooks yet.", hint=_BY_HAND)
    return [item.event for item in ours_in(hooks_path)]


def digest_of(event: str, group: Mapping[str, Any], handler: Mapping[str, Any]) -> str:
    """The hash by which Codex knows a handler that it was shown."""
    visible = {
        "type": "command",
        "command": handler["command"],
        "timeout": handler.get("timeout", 600),
        "async": handler.get("async", False),
    }
    import hashlib

    identity: dict[str, Any] = {"event_name": _label(event), "hooks": [visible]}
    if "matcher" in group:
        identity["matcher"] = group["matcher"]
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Shown:
    """One of our handlers as Codex shows it to a person."""

    event: str
    keys: tuple[str, ...]  # where its trust may stand; a link in the path makes it two
    digest: str
    command: str


def ours_in(hooks_path: str) -> list[Shown]:
    """Our handlers in the file at `hooks_path`; none when it cannot be understood."""
    matches = settings.read(hooks_path)
    if matches.problems:
        return []
    paths = sorted({os.path.abspath(hooks_path), os.path.realpath(hooks_path)})
    return [
        Shown(
            event,
            tuple(f"{path}:{_label(event)}:{at}:{inner}" for path in paths),
            digest_of(event, group, handler),
            handler["command"],
        )
        for event, at, inner, group, handler in settings.positions(matches.text, "codex")
    ]


def _label(event: str) -> str:
    """`user_prompt_submit` of `UserPromptSubmit`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()


class _Server:
    """A `codex app-server` that answers one question after the other, and is ended."""

    def __init__(self, program: str, folder: str) -> None:
        self._folder = folder
        self._calls = 0
        import subprocess  # who only asks how things stand does without

        try:
            self._process = subprocess.Popen(
                [program, "app-server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={**os.environ, GUARD: "1"},
                text=True,
            )
        except OSError as error:
            raise Refused(f"{program} cannot be started.", hint=_BY_HAND) from error
        self._limit = threading.Timer(TIMEOUT_S, self._process.kill)

    def __enter__(self) -> _Server:
        self._limit.start()
        try:
            self.call("initialize", {"clientInfo": {"name": "memdeck", "version": "1"}})
            self._say({"method": "initialized"})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._limit.cancel()
        self._process.kill()
        self._process.communicate()

    def ours(self, hooks_path: str) -> list[dict[str, Any]]:
        """Codex's own list of hooks, as far as they are ours in that file."""
        existing = {key: item.command for item in ours_in(hooks_path) for key in item.keys}
        answer = self.call("hooks/list", {"cwds": [self._folder]})
        listed = [
            hook
            for position in answer.get("data") or []
            for hook in position.get("hooks") or []
            if hook.get("key") in existing and hook.get("currentHash")
        ]
        return [hook for hook in listed if hook.get("command") in (None, existing[hook["key"]])]

    def call(self, method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one call. Raises Refused when there is none."""
        self._calls += 1
        self._say({"id": self._calls, "method": method, "params": parameters})
        for written in self._stream(self._process.stdout):
            try:
                answer = json.loads(written)
            except ValueError:
                continue
            if isinstance(answer, dict) and answer.get("id") == self._calls:
                if "error" in answer:
                    raise Refused(f"Codex refused {method}.", hint=_BY_HAND)
                result = answer.get("result")
                return result if isinstance(result, dict) else {}
        raise Refused("Codex did not answer.", hint=_BY_HAND)

    def _say(self, message: Mapping[str, Any]) -> None:
        try:
            stream = self._stream(self._process.stdin)
            stream.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            stream.flush()
        except OSError as error:
            raise Refused("Codex did not listen.", hint=_BY_HAND) from error

    @staticmethod
    def _stream(stream: IO[str] | None) -> IO[str]:
        assert stream is not None  # both are pipes
        return stream


HOST = Host(
    wire=wire,
    installer=JsonHost(
        host="codex",
        files=FILES,
        timeout=10,  # seconds
        timeouts={"SessionEnd": 3},  # more is cut to 3, with an error in every run
        tool_events=("PreToolUse", "PostToolUse"),
        has_patterns=True,
        notes=lambda _settings: [TRUST],
    ),
    commands=CommandForm(FILES, "skills", _write),  # others read `~/.agents/skills` as well
    in_project="Codex reads this file only in a project that it trusts.",
    hindrances=hindrances,
    trust=grant,
    after_fixing="Codex asks you to trust them anew.",
    headless=Dialect(_arguments, _read_answer),
)
