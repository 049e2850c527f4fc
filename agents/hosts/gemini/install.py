"""Gemini CLI's settings files: where they stand, and what else in them bears on our hooks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ....core.agents import Scope
from ..json_install import JsonHost

NAME = "memdeck"
"""What our hooks are called in `/hooks`, and under which they can be disabled there."""


def folder() -> str:
    """The person's folder of Gemini CLI."""
    base = os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~")
    return os.path.join(os.path.abspath(base), ".gemini")


def is_off(settings: Mapping[str, Any]) -> str:
    """Why our hooks do not run with these settings; "" when nothing hinders them."""
    config = settings.get("hooksConfig")
    if not isinstance(config, Mapping):
        return ""
    if config.get("enabled") is False:
        return "hooksConfig.enabled is false, so that no hook runs."
    disabled = config.get("disabled")
    if isinstance(disabled, list) and NAME in disabled:
        return f"hooksConfig.disabled names {NAME}, so that ours do not run."
    return ""


def notes(scope: Scope, settings: Mapping[str, Any]) -> list[str]:
    """What a person should know who installs into these settings."""
    found = ["Gemini CLI runs hooks in folders that it trusts, from its next start on."]
    if scope == "project":
        found.append("It warns once of a project's hooks.")
        found.append("This file is shared: the command names a path on this machine.")
    if why := is_off(settings):
        found.append(why)
    return found


INSTALLER = JsonHost(
    host="gemini",
    folder=folder,
    project_folder=".gemini",
    files={"user": "settings.json", "project": "settings.json"},
    timeout=10_000,  # milliseconds
    extra={"name": NAME},
    tool_events=("BeforeTool", "AfterTool"),
    has_patterns=True,
    has_comments=True,
    notes=notes,
)
