"""Gemini CLI, whole: what we write into its settings, and what else in them bears on our hooks."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.agents import Finding
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
from ..commands import MARKER, SHOW, Command, CommandForm, Texts, asks, line
from ..install import HookFiles, HookStatus, Host, JsonHost
from ..settings import bytes_at
from ..wire import mapping
from . import wire

FILES = HookFiles(*wire.HOOK_FILES)


NAME = "memdeck"
"""What our hooks are called in `/hooks`, and under which they can be disabled there."""


_ANSWERED = """\
!{{{command}}}

The person typed {called}; above is what memdeck printed. {show}
"""

# Gemini puts the quoted words in with JavaScript's replaceAll, which reads $' in them as "the text
# behind the match" and $` as "the text before it". So something must stand behind: else the
# backslash before that dollar sign meets the next quotation mark, and ends the quotation. A
# dollar sign as the last word's end makes a $' with the closing mark, whose place then the one in
# the comment takes. And no such mark may stand in the command itself.
_RUN = "{command} -- {{{{args}}}} 2>&1 #'"

_SHELL_SAFE = re.compile(r"[^\w@%+=:,./-]", re.ASCII)


def is_off(settings: Mapping[str, Any]) -> str:
    """Why our hooks do not run with these settings; "" when nothing hinders them."""
    config = mapping(settings, "hooksConfig")
    if config.get("enabled") is False:
        return "hooksConfig.enabled is false, so that no hook runs."
    disabled = config.get("disabled")
    if isinstance(disabled, list) and NAME in disabled:
        return f"hooksConfig.disabled names {NAME}, so that ours do not run."
    return ""


def notes(settings: Mapping[str, Any]) -> list[str]:
    """What a person should know who installs into these settings."""
    text = "Gemini CLI runs hooks in folders that it trusts, from its next start on."
    return [text, *filter(None, [is_off(settings)])]


def hindrances(
    hook_statuses: Sequence[HookStatus], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    """Only the person's settings switch hooks off: those of a project have no effect there."""
    matches = []
    [own] = [hook_status for hook_status in hook_statuses if hook_status.scope == "user"]
    if why := is_off(own.settings):
        matches.append(Finding("gemini", False, why, f"Take it out of {own.path}."))
    project = os.path.abspath(project_dir or os.getcwd())
    is_trusted = _trusts(project, own.settings)
    if is_trusted is False:
        message = f"Gemini CLI does not trust {project}, so that it runs no hooks there."
        matches.append(Finding("gemini", False, message, "Use /permissions in `gemini` there."))
    return is_trusted, matches


def _trusts(project: str, settings: Mapping[str, Any]) -> bool | None:
    """What the rule nearest to `project` says; None without one, or when rules are not followed."""
    if mapping(mapping(settings, "security"), "folderTrust").get("enabled") is False:
        return None
    try:
        data = bytes_at(os.path.join(FILES.folder(), "trustedFolders.json"))
        rules = json.loads(data or b"{}")
    except (OSError, ValueError, RecursionError):
        return None
    here = os.path.realpath(project)
    nearest, is_trusted = "", None
    for path, rule in rules.items() if isinstance(rules, dict) else ():
        top = os.path.dirname(path) if rule == "TRUST_PARENT" else path
        is_within = here == top or here.startswith(os.path.join(top, ""))
        if is_within and len(top) >= len(nearest):
            nearest, is_trusted = top, rule != "DO_NOT_TRUST"
    return is_trusted


def _write(item: Command, program: str, home: str | None) -> Texts:
    called = f"/{item.name}"
    if "'" in program + (home or ""):
        prompt = asks(line(item, program, home, shlex.quote), called, "{{args}}")
    else:
        command = _RUN.format(command=line(item, program, home, _backslashed))
        prompt = _ANSWERED.format(command=command, called=called, show=SHOW)
    quoted = prompt.replace("\\", "\\\\").replace('"', '\\"')
    about = json.dumps(f"{item.about}: {item.hint}")
    return [(f"{item.name}.toml", f'{MARKER}\ndescription = {about}\nprompt = """\n{quoted}"""\n')]


def _backslashed(path: str) -> str:
    """`path` as one word of a shell, without a quotation around it."""
    return _SHELL_SAFE.sub(lambda match: f"\\{match[0]}", path)


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


def _read_answer(done: Output, _call: Call) -> Reply:
    """The object with the response; notices may stand before it, and an error on stderr."""
    matches = [item for item in objects_in(done.stdout) if {"response", "error"} & set(item)]
    answer = matches[-1] if matches else {}
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


HOST = Host(
    wire=wire,
    installer=JsonHost(
        host="gemini",
        files=FILES,
        timeout=10_000,  # milliseconds
        extra={"name": NAME},
        tool_events=("BeforeTool", "AfterTool"),
        has_patterns=True,
        has_comments=True,
        notes=notes,
    ),
    commands=CommandForm(FILES, "commands", _write, refused="{}"),
    in_project="Gemini CLI warns once of a project's hooks.",
    hindrances=hindrances,
    headless=Dialect(_arguments, _read_answer, _environment),
)
