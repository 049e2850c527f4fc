"""Codex, whole: what we write into its file of hooks, and the trust that a person must give it.

Codex reads `hooks.json` beside its `config.toml`, so that no TOML of anybody's is touched.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from ...core.agents import Finding
from ...core.errors import Refused
from ..commands import MARKER, Command, CommandForm, Texts, asks, line, page
from ..install import HookFiles, HookStatus, Host, JsonHost
from . import trust, wire


def hindrances(
    hook_statuses: Sequence[HookStatus], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    try:
        settings = trust.config()
    except Refused as error:
        return None, [Finding("codex", False, str(error), error.hint or "Mend the file.")]
    found = []
    installed = [one for one in hook_statuses if one.is_installed]
    if trust.is_off(settings):
        message = "features.hooks is false in config.toml, so that no hook runs."
        found.append(Finding("codex", False, message, "Take it out of ~/.codex/config.toml."))
    is_trusted = True
    folder = os.path.abspath(project_dir or os.getcwd())
    for one in installed:
        if one.scope == "project" and not trust.trusts_project(folder, settings):
            is_trusted = False
            message = f"Codex does not trust {folder}, so that it reads no hooks there."
            found.append(Finding("codex", False, message, "Start `codex` there and say yes."))
        given = trust.trust_of(one.path, settings)
        is_trusted = is_trusted and given.is_whole
        found += _untrusted(one, given)
    return is_trusted, found


def _untrusted(one: HookStatus, given: trust.Trust) -> list[Finding]:
    where = "" if one.scope == "user" else f" --scope {one.scope}"
    by_us = f"`memdeck install codex{where} --trust`"
    mend = f"Start `codex` and trust them with /hooks, or run {by_us}."
    if given.missing:
        message = f"Codex skips hooks that you have not trusted: {', '.join(given.missing)}."
    elif given.changed:
        message = (
            f"Codex skips hooks that changed since you trusted them: {', '.join(given.changed)}."
        )
    elif given.disabled:
        message = f"Hooks of ours are switched off in Codex: {', '.join(given.disabled)}."
        mend = "Switch them on with /hooks in Codex."
    else:
        return []
    return [Finding("codex", False, message, mend)]


def _write(one: Command, program: str, home: str | None) -> Texts:
    called = f"${one.name}"
    about = f"{one.about} (memdeck). Only when the person writes {called}."
    text = asks(
        line(one, program, home, shlex.quote),
        called,
        f"(here: all that the person wrote after {called})",
        "If it prints that the store can only be read, ask for permission to run it outside the"
        " sandbox, once.\n",
    )
    policy = f"{MARKER}\npolicy:\n  allow_implicit_invocation: false\n"
    return [
        (f"{one.name}/SKILL.md", page({"name": one.name, "description": about}, text)),
        (f"{one.name}/agents/openai.yaml", policy),
    ]


HOST = Host(
    wire=wire,
    installer=JsonHost(
        host="codex",
        files=HookFiles(*wire.HOOK_FILES),
        timeout=10,  # seconds
        timeouts={"SessionEnd": 3},  # more is cut to 3, with an error in every run
        tool_events=("PreToolUse", "PostToolUse"),
        has_patterns=True,
        notes=lambda _settings: [trust.TRUST],
    ),
    commands=CommandForm(  # it would rather see `~/.agents/skills`; but others read that as well
        HookFiles(*wire.HOOK_FILES),
        "skills",
        _write,
        earlier_folder=".agents/skills",
        seen_by="Gemini CLI and OpenCode",
    ),
    in_project="Codex reads this file only in a project that it trusts.",
    hindrances=hindrances,
    trust=trust.grant,
    after_mending="Codex asks you to trust them anew.",
)
