"""Claude Code, whole: what we write into its settings, and what else in them bears on our hooks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.agents import Finding
from ..commands import Command, CommandForm, Texts, asks, line, page
from ..install import HookFiles, HookStatus, Host, JsonHost
from . import wire


def notes(settings: Mapping[str, Any]) -> list[str]:
    """What a person should know who installs into these settings."""
    found = ["Claude Code reads the change at once; a new workspace must be trusted first."]
    if settings.get("disableAllHooks") is True:
        found.append("disableAllHooks is set, so that no hook runs.")
    return found


def hindrances(
    hook_statuses: Sequence[HookStatus], _folder: str | None
) -> tuple[bool | None, list[Finding]]:
    """The nearer settings decide: local, project, user."""
    for one in reversed(hook_statuses):
        if (is_off := one.settings.get("disableAllHooks")) is not None:
            if is_off is True:
                message = f"disableAllHooks is set in {one.path}, so that no hook runs."
                return None, [Finding("claude", False, message, "Take it out of that file.")]
            break
    return None, []


def _write(one: Command, program: str, home: str | None) -> Texts:
    command = line(one, program, home, shlex.quote)
    head = {
        "description": one.about,
        "argument-hint": one.hint,
        "disable-model-invocation": True,
    }
    if not re.search(r"[\s'\"(),*]", program + (home or "")):  # a rule cannot name such a path
        head["allowed-tools"] = f"Bash({command}:*)"
    text = asks(command, f"/{one.name}", "$ARGUMENTS")
    return [(f"{one.name}.md", page(head, text))]


HOST = Host(
    wire=wire,
    installer=JsonHost(
        host="claude",
        files=HookFiles(*wire.HOOK_FILES),
        timeout=10,  # seconds; also lifts SessionEnd over its default of 1.5
        tool_events=("PreToolUse", "PostToolUse"),
        notes=notes,
    ),
    commands=CommandForm(HookFiles(*wire.HOOK_FILES), "commands", _write),
    hindrances=hindrances,
)
