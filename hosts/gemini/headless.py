"""Gemini CLI asked one question without a person, and how its answer is read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from ...core.models.client import (
    NO_HOOKS,
    Call,
    Dialect,
    NoReply,
    Output,
    Reply,
    last_words,
    message_in,
    objects_in,
    table,
    total,
)


def _arguments(call: Call) -> list[str]:
    return [
        "gemini", "-p", "", "--output-format", "json", "-m", call.model or "flash",
        "--approval-mode", "plan", "-e", "none", "--skip-trust",
    ]  # fmt: skip


_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"


def _environment(call: Call) -> Mapping[str, str]:
    """Hooks off by a settings file for the system, unless an administrator has laid down one."""
    if call.environment.get(_SETTINGS) or os.path.exists(_system_settings()):
        return {}
    return {_SETTINGS: os.path.join(call.files, NO_HOOKS)}


def _system_settings() -> str:
    if sys.platform == "darwin":
        return "/Library/Application Support/GeminiCli/settings.json"
    return "/etc/gemini-cli/settings.json"


def _read(done: Output, _call: Call) -> Reply:
    """The object with the response; notices may stand before it, and an error on stderr."""
    found = [one for one in objects_in(done.stdout) if {"response", "error"} & set(one)]
    answer = found[-1] if found else {}
    if answer.get("error") or done.code or not isinstance(answer.get("response"), str):
        raise NoReply("failed", message_in(answer.get("error")) or last_words(done))
    models = table(table(answer.get("stats")).get("models")).values()
    used = [table(table(model).get("tokens")) for model in models]
    return Reply(
        answer["response"],
        None,
        total(*(tokens.get("prompt") for tokens in used)),
        total(*(tokens.get(name) for tokens in used for name in ("candidates", "thoughts"))),
    )


DIALECT = Dialect(_arguments, _read, _environment)
