"""How each agent is asked one question without a person, and how its answer is read.

One dialect a host: the arguments, what goes into its environment, and what its output means.
Hooks, tools, session files and project settings are switched off as far as the host lets us;
against our own hooks the guard variable works everywhere. Nothing of the prompt is an argument:
arguments can be seen by everybody on the machine.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .answers_of_models import objects_in
from .command_run import Finished
from .replies import NoReply, Reply, count, dollars, total

ANSWER_SCHEMA, LAST_MESSAGE, NO_HOOKS = "schema.json", "last-message.txt", "no-hooks.json"
"""Files beside the empty folder that a program works in."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a dialect may use: the wanted model, and a folder for files of its own."""

    model: str
    files: str  # an absolute path; not the folder the program works in
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Host:
    """One dialect."""

    arguments: Callable[[Call], list[str]]
    read: Callable[[Finished, Call], Reply]
    environment: Callable[[Call], Mapping[str, str]] = lambda _call: {}
    clean_up: Callable[[str], list[str] | None] = lambda _stdout: None


# --- Claude Code


def _claude(call: Call) -> list[str]:
    return [
        "claude", "-p", "--output-format", "json", "--model", call.model or "haiku",
        "--safe-mode", "--settings", '{"disableAllHooks":true}',
        "--tools", "", "--strict-mcp-config", "--disallowedTools", "mcp__*",
        "--disable-slash-commands", "--no-session-persistence",
    ]  # fmt: skip


def _read_claude(done: Finished, _call: Call) -> Reply:
    """The result object, alone or as one of the events of a verbose run."""
    results = [event for event in _events(done.stdout) if event.get("type") == "result"]
    if not results:
        raise NoReply("failed", _last_words(done))
    found = results[-1]
    cost = dollars(found.get("total_cost_usd"))
    words = found.get("result")
    subtype = str(found.get("subtype", ""))
    if found.get("is_error") or subtype.startswith("error") or done.code:
        told = words if isinstance(words, str) and words else _told(found.get("errors"))
        raise NoReply("failed", told or subtype or _last_words(done), cost_usd=cost)
    if found.get("structured_output") is not None:
        words = json.dumps(found["structured_output"])
    if not isinstance(words, str):
        raise NoReply("invalid", "The result holds no text.", cost_usd=cost)
    usage = _table(found.get("usage"))
    return Reply(
        words,
        cost,
        total(
            usage.get("input_tokens"),
            usage.get("cache_creation_input_tokens"),
            usage.get("cache_read_input_tokens"),
        ),
        count(usage.get("output_tokens")),
    )


# --- Codex


def _codex(call: Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check",
        "--sandbox", "read-only", "-c", "features.hooks=false",
        "--ignore-user-config", "--ignore-rules", *model,
        "--output-schema", os.path.join(call.files, ANSWER_SCHEMA),
        "-o", os.path.join(call.files, LAST_MESSAGE), "-",
    ]  # fmt: skip


def _read_codex(done: Finished, _call: Call) -> Reply:
    """The last message of the agent; a failed turn has none, whatever was said before."""
    words, trouble, is_failed = "", "", False
    tokens_in = tokens_out = None
    for event in _events(done.stdout):
        kind, item = event.get("type"), _table(event.get("item"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            words = str(item.get("text") or "")
        elif kind == "turn.completed":
            usage = _table(event.get("usage"))
            tokens_in = total(tokens_in, usage.get("input_tokens"))
            tokens_out = total(tokens_out, usage.get("output_tokens"))
        elif kind == "turn.failed":
            is_failed, trouble = True, _told(event.get("error")) or "The turn failed."
        elif kind == "error":  # also told while it tries again
            trouble = _told(event) or trouble
    if is_failed or done.code or not words:
        raise NoReply("failed", trouble or _last_words(done))
    return Reply(words, None, tokens_in, tokens_out)


# --- Gemini


def _gemini(call: Call) -> list[str]:
    return [
        "gemini", "-p", "", "--output-format", "json", "-m", call.model or "flash",
        "--approval-mode", "plan", "-e", "none", "--skip-trust",
    ]  # fmt: skip


_GEMINI_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"


def _gemini_environment(call: Call) -> Mapping[str, str]:
    """Hooks off by a settings file for the system, unless an administrator has laid down one."""
    if call.environment.get(_GEMINI_SETTINGS) or os.path.exists(_gemini_system_settings()):
        return {}
    return {_GEMINI_SETTINGS: os.path.join(call.files, NO_HOOKS)}


def _gemini_system_settings() -> str:
    if sys.platform == "darwin":
        return "/Library/Application Support/GeminiCli/settings.json"
    return "/etc/gemini-cli/settings.json"


def _read_gemini(done: Finished, _call: Call) -> Reply:
    """The object with the response; notices may stand before it, and an error on stderr."""
    found = [one for one in objects_in(done.stdout) if {"response", "error"} & set(one)]
    answer = found[-1] if found else {}
    if answer.get("error") or done.code or not isinstance(answer.get("response"), str):
        raise NoReply("failed", _told(answer.get("error")) or _last_words(done))
    models = _table(_table(answer.get("stats")).get("models")).values()
    used = [_table(_table(model).get("tokens")) for model in models]
    return Reply(
        answer["response"],
        None,
        total(*(tokens.get("prompt") for tokens in used)),
        total(*(tokens.get(name) for tokens in used for name in ("candidates", "thoughts"))),
    )


# --- OpenCode

_OPENCODE_TOOLS = (
    "* bash edit read glob grep list task webfetch websearch codesearch external_directory lsp"
    " skill todowrite todoread question"
).split()


def _opencode(call: Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "opencode", "run", "--format", "json", *model, "--title", "memdeck review",
        "Answer what follows.",
    ]  # fmt: skip


def _opencode_environment(_call: Call) -> Mapping[str, str]:
    """No tool at all: unlike the other hosts it lets the model run commands without asking.

    Each tool by its name, since a person's own setting for one would win over `*`.
    """
    return {
        "OPENCODE_PERMISSION": json.dumps(dict.fromkeys(_OPENCODE_TOOLS, "deny")),
        "OPENCODE_AUTO_SHARE": "false",  # it would put the prompt on a public page
        "OPENCODE_DISABLE_SHARE": "true",
        "OPENCODE_DISABLE_AUTOUPDATE": "true",
    }


def _read_opencode(done: Finished, _call: Call) -> Reply:
    """The text parts, one after the other."""
    words: list[str] = []
    costs: list[float] = []
    tokens_in = tokens_out = None
    trouble: str | None = None
    for event in _events(done.stdout):
        part = _table(event.get("part"))
        if event.get("type") == "text" and isinstance(part.get("text"), str):
            words.append(part["text"])
        elif event.get("type") == "step_finish":
            if (cost := dollars(part.get("cost"))) is not None:
                costs.append(cost)
            tokens = _table(part.get("tokens"))
            tokens_in = total(tokens_in, tokens.get("input"))
            tokens_out = total(tokens_out, tokens.get("output"), tokens.get("reasoning"))
        elif event.get("type") == "error":
            trouble = _told(event.get("error")) or "The session failed."
    # A model without a price in its tables is reported to cost 0: that says nothing.
    paid = sum(costs) or None
    if trouble is not None or done.code or not words:
        raise NoReply("failed", trouble or _last_words(done), cost_usd=paid)
    return Reply("\n".join(words), paid, tokens_in, tokens_out)


def _forget_opencode_session(stdout: str) -> list[str] | None:
    """It stores every session, and its login lies in the same file: the session is deleted."""
    for event in _events(stdout):
        session = event.get("sessionID")
        if isinstance(session, str) and re.fullmatch(r"ses_\w{1,80}", session):
            return ["opencode", "session", "delete", session]
    return None


# --- any other program


def read_program(done: Finished, _call: Call) -> Reply:
    """Its whole output; `total_cost_usd` in an object of it is what the call cost."""
    reported = [
        cost
        for one in objects_in(done.stdout)
        if (cost := dollars(one.get("total_cost_usd"))) is not None
    ]
    cost = reported[-1] if reported else None
    if done.code:
        raise NoReply("failed", _last_words(done), cost_usd=cost)
    return Reply(done.stdout, cost)


HOSTS: Mapping[str, Host] = {
    "claude": Host(_claude, _read_claude),
    "codex": Host(_codex, _read_codex),
    "gemini": Host(_gemini, _read_gemini, _gemini_environment),
    "opencode": Host(_opencode, _read_opencode, _opencode_environment, _forget_opencode_session),
}
"""The agents that can be asked, by kind."""


def _events(text: str) -> Iterator[dict[str, Any]]:
    """The objects of an output: one, an array of them, or one a line; the rest is passed over."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        for line in text.splitlines():
            if line.lstrip().startswith(("{", "[")):
                yield from _objects(line)
    else:
        yield from _members(whole)


def _objects(line: str) -> Iterator[dict[str, Any]]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return
    yield from _members(found)


def _members(found: Any) -> Iterator[dict[str, Any]]:
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, dict):
            yield one


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _told(error: Any, depth: int = 4) -> str:
    """The message in what a host gives as an error: a text, a list, or an object a few deep."""
    if isinstance(error, str):
        return error
    if not depth:
        return ""
    if isinstance(error, list):
        return "; ".join(filter(None, (_told(one, depth - 1) for one in error[:3])))
    table = _table(error)
    told = (_told(table.get(name), depth - 1) for name in ("message", "data", "error", "name"))
    return next(filter(None, told), "")


def _last_words(done: Finished) -> str:
    """What a program printed last, which is where it says why it failed."""
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    words = " ".join(lines[-3:])
    ended = f"signal {-done.code}" if done.code < 0 else f"exit code {done.code}"
    return f"It ended with {ended}: {words[-400:] or '(no output)'}"
