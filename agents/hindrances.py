"""What keeps a host from running our hooks, or makes it hear others: trust, switches, rivals."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.agents import NAMES, Finding, Host
from ..core.errors import Refused
from . import settings_file
from .hosts.codex import trust as codex_trust
from .hosts.gemini import install as install_gemini
from .scopes import Standing

RIVALS = ("claude-mem", "mem0", "basic-memory", "supermemory", "openmemory", "memsearch", "cognee")
"""Other tools that give agents a memory; two of them tell an agent everything twice."""

_RIVAL = re.compile(rf"(?<![\w-])({'|'.join(RIVALS)})(?![a-z0-9])", re.IGNORECASE)


def of(
    host: Host, standings: Sequence[Standing], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    """Whether `host` trusts our hooks (None: it does not say), and what hinders them.

    Nothing hinders what is not installed.
    """
    installed = [one for one in standings if one.is_installed]
    if not installed:
        return None, []
    rivals = _rivals(host, standings)
    if host == "claude":
        return None, [*_claude(standings), *rivals]
    if host == "codex":
        is_trusted, found = _codex(installed, project_dir)
        return is_trusted, [*found, *rivals]
    if host == "gemini":
        is_trusted, found = _gemini(standings, project_dir)
        return is_trusted, [*found, *rivals]
    return None, rivals


def _claude(standings: Sequence[Standing]) -> list[Finding]:
    """The nearer settings decide: local, project, user."""
    for one in reversed(standings):
        if (is_off := one.settings.get("disableAllHooks")) is not None:
            if is_off is True:
                message = f"disableAllHooks is set in {one.path}, so that no hook runs."
                return [Finding("claude", False, message, "Take it out of that file.")]
            return []
    return []


def _codex(
    installed: Sequence[Standing], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    try:
        settings = codex_trust.config()
    except Refused as error:
        return None, [Finding("codex", False, str(error), error.hint or "Mend the file.")]
    found = []
    if codex_trust.is_off(settings):
        message = "features.hooks is false in config.toml, so that no hook runs."
        found.append(Finding("codex", False, message, "Take it out of ~/.codex/config.toml."))
    is_trusted = True
    folder = os.path.abspath(project_dir or os.getcwd())
    for one in installed:
        if one.scope == "project" and not codex_trust.trusts_project(folder, settings):
            is_trusted = False
            message = f"Codex does not trust {folder}, so that it reads no hooks there."
            found.append(Finding("codex", False, message, "Start `codex` there and say yes."))
        trust = codex_trust.trust_of(one.path, settings)
        is_trusted = is_trusted and trust.is_whole
        found += _untrusted(one, trust)
    return is_trusted, found


def _untrusted(one: Standing, trust: codex_trust.Trust) -> list[Finding]:
    where = "" if one.scope == "user" else f" --scope {one.scope}"
    by_us = f"`memdeck install codex{where} --trust`"
    mend = f"Start `codex` and trust them with /hooks, or run {by_us}."
    if trust.missing:
        message = f"Codex skips hooks that you have not trusted: {_list(trust.missing)}."
    elif trust.changed:
        message = f"Codex skips hooks that changed since you trusted them: {_list(trust.changed)}."
    elif trust.disabled:
        message = f"Hooks of ours are switched off in Codex: {_list(trust.disabled)}."
        mend = "Switch them on with /hooks in Codex."
    else:
        return []
    return [Finding("codex", False, message, mend)]


def _gemini(
    standings: Sequence[Standing], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    """Only the person's settings switch hooks off: those of a project have no effect there."""
    found = []
    [own] = [one for one in standings if one.scope == "user"]
    if why := install_gemini.is_off(own.settings):
        found.append(Finding("gemini", False, why, f"Take it out of {own.path}."))
    folder = os.path.abspath(project_dir or os.getcwd())
    is_trusted = _gemini_trusts(folder, own.settings)
    if is_trusted is False:
        message = f"Gemini CLI does not trust {folder}, so that it runs no hooks there."
        found.append(Finding("gemini", False, message, "Use /permissions in `gemini` there."))
    return is_trusted, found


def _gemini_trusts(folder: str, settings: Mapping[str, Any]) -> bool | None:
    """What the rule nearest to `folder` says; None without one, or when rules are not followed."""
    security = settings.get("security")
    followed = security.get("folderTrust") if isinstance(security, Mapping) else None
    if isinstance(followed, Mapping) and followed.get("enabled") is False:
        return None
    try:
        data = settings_file.bytes_at(os.path.join(install_gemini.folder(), "trustedFolders.json"))
        rules = json.loads(data or b"{}")
    except (OSError, ValueError, RecursionError):
        return None
    here = os.path.realpath(folder)
    nearest, is_trusted = "", None
    for path, rule in rules.items() if isinstance(rules, dict) else ():
        top = os.path.dirname(path) if rule == "TRUST_PARENT" else path
        is_within = here == top or here.startswith(os.path.join(top, ""))
        if is_within and len(top) >= len(nearest):
            nearest, is_trusted = top, rule != "DO_NOT_TRUST"
    return is_trusted


def _rivals(host: Host, standings: Sequence[Standing]) -> list[Finding]:
    """Other memory tools that the same agent calls."""
    found: dict[str, str] = {}
    for one in standings:
        for text in (*one.others, *_plugins(one.settings)):
            if match := _RIVAL.search(text):
                found.setdefault(match[1].lower(), one.path)
    return [
        Finding(
            host,
            False,
            f"{name} is connected to {NAMES[host]} as well ({path}); both tell it what they know.",
            f"Keep one: take {name} out of that file, or `memdeck uninstall {host}`.",
        )
        for name, path in found.items()
    ]


def _plugins(settings: Mapping[str, Any]) -> list[str]:
    """The names of the plugins that Claude Code's settings switch on."""
    plugins = settings.get("enabledPlugins")
    if not isinstance(plugins, Mapping):
        return []
    return [name for name, is_on in plugins.items() if is_on is True]


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
