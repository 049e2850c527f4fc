"""Which events each host is asked for, and for which tools: what the settings want of it.

An adapter names its events by group (`GROUPS`); the setting `[hooks] events` names the groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import hosts
from ..db.home import Home


def wanted_groups(home: Home) -> tuple[str, ...]:
    """The groups that the person's settings name. Raises BadInput when they cannot be read."""
    from ..core.config.settings import load_policy  # who only looks at our entries reads none

    return tuple(load_policy([home.config]).hooks.events)


def events_of(
    host: str, groups: Sequence[str], tool_events: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The events of `host` that serve `groups`, in its order, with the tools that are meant.

    None is named where all are, nor of events beside `tool_events`, which the host can narrow.
    """
    room = hosts.wire(host)
    found = {}
    for event in room.EVENTS:
        serving = [name for name in groups if event in room.GROUPS.get(name, ())]
        if serving:
            found[event] = _tools(room, serving) if event in tool_events else ()
    return found


def _tools(room: Any, groups: Sequence[str]) -> tuple[str, ...]:
    """The tools that the groups have in mind; empty when one of them wants to hear of any."""
    named = {"todos": room.TODO_TOOLS, "files": room.FILE_TOOLS, "roles": room.TASK_TOOLS}
    if any(name not in named for name in groups):
        return ()
    return tuple(tool for name in groups for tool in named[name])
