"""What keeps a host from running our hooks, or makes it hear others: trust, switches, rivals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.agents import NAMES, Finding, Host
from .hosts.host import host as host_of
from .standing import Standing

RIVALS = ("claude-mem", "mem0", "basic-memory", "supermemory", "openmemory", "memsearch", "cognee")
"""Other tools that give agents a memory; two of them tell an agent everything twice."""

_RIVAL = re.compile(rf"(?<![\w-])({'|'.join(RIVALS)})(?![a-z0-9])", re.IGNORECASE)


def of(
    host: Host, standings: Sequence[Standing], project_dir: str | None
) -> tuple[bool | None, list[Finding]]:
    """Whether `host` trusts our hooks (None: it does not say), and what hinders them.

    Nothing hinders what is not installed.
    """
    if not any(one.is_installed for one in standings):
        return None, []
    is_trusted, found = host_of(host).hindrances(standings, project_dir)
    return is_trusted, [*found, *_rivals(host, standings)]


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
    """The names of the plugins that settings switch on."""
    plugins = settings.get("enabledPlugins")
    if not isinstance(plugins, Mapping):
        return []
    return [name for name, is_on in plugins.items() if is_on is True]
