"""Claude Code, whole: what we write into its settings, and what else in them bears on our hooks."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.agents import Finding
from ...core.models.client import (
    Call,
    Dialect,
    NoReply,
    Output,
    Reply,
    dollars,
    events_in,
    last_words,
    message_in,
    table,
    total,
)
from ..commands import Command, CommandForm, Texts, asks, line, page
from ..install import HookFiles, HookStatus, Host, JsonHost
from . import wire

FILES = HookFiles(*wire.HOOK_FILES)


def notes(settings: Mapping[str, Any]) -> list[str]:
    """What a person should know who installs into these settings."""
    matches = ["Claude Code reads the change at once; a new workspace must be trusted first."]
    if settings.get("disableAllHooks") is True:
        matches.append("disableAllHooks is set, so that no hook runs.")
    return matches


def hindrances(
    hook_statuses: Sequence[HookStatus], _folder: str | None
) -> tuple[bool | None, list[Finding]]:
    """The nearer settings decide: local, project, user."""
    for hook_status in reversed(hook_statuses):
        if (is_off := hook_status.settings.get("disableAllHooks")) is not None:
            if is_off is True:
                message = f"disableAllHooks is set in {hook_status.path}, so that no hook runs."
                return None, [Finding("claude", False, message, "Take it out of that file.")]
            break
    return None, []


def _write(item: Command, program: str, home: str | None) -> Texts:
    command = line(item, program, home, shlex.quote)
    head = {
        "description": item.about,
        "argument-hint": item.hint,
        "disable-model-invocation": True,
    }
    if not re.search(r"[\s'\"(),*]", program + (home or "")):  # a rule cannot name such a path
        head["allowed-tools"] = f"Bash({command}:*)"
    text = asks(command, f"/{item.name}", "$ARGUMENTS")
    return [(f"{item.name}.md", page(head, text))]


def _arguments(call: Call) -> list[str]:
    return [
        "claude", "-p", "--output-format", "json", "--model", call.model or "haiku",
        "--safe-mode", "--settings", '{"disableAllHooks":true}',
        "--tools", "", "--strict-mcp-config", "--disallowedTools", "mcp__*",
        "--disable-slash-commands", "--no-session-persistence",
    ]  # fmt: skip


def _read_answer(done: Output, _call: Call) -> Reply:
    """The result object, alone or as one of the events of a verbose run."""
    results = [event for event in events_in(done.stdout) if event.get("type") == "result"]
    if not results:
        raise NoReply("failed", last_words(done))
    matches = results[-1]
    cost = dollars(matches.get("total_cost_usd"))
    words = matches.get("result")
    subtype = str(matches.get("subtype", ""))
    if matches.get("is_error") or subtype.startswith("error") or done.code:
        details = words if isinstance(words, str) and words else message_in(matches.get("errors"))
        raise NoReply("failed", details or subtype or last_words(done), cost_usd=cost)
    if matches.get("structured_output") is not None:
        words = json.dumps(matches["structured_output"])
    if not isinstance(words, str):
        raise NoReply("invalid", "The result holds no text.", cost_usd=cost)
    usage = table(matches.get("usage"))
    return Reply(
        words,
        cost,
        total(
            usage.get("input_tokens"),
            usage.get("cache_creation_input_tokens"),
            usage.get("cache_read_input_tokens"),
        ),
        total(usage.get("output_tokens")),
    )


HOST = Host(
    wire=wire,
    installer=JsonHost(
        host="claude",
        files=FILES,
        timeout=10,  # seconds; also lifts SessionEnd over its default of 1.5
        tool_events=("PreToolUse", "PostToolUse"),
        notes=notes,
    ),
    commands=CommandForm(FILES, "commands", _write),
    hindrances=hindrances,
    headless=Dialect(_arguments, _read_answer),
)
