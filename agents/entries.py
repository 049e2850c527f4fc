"""Our groups in the hooks table that Claude Code, Codex and Gemini CLI share, as text in and out.

    {"hooks": {"Stop": [{"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}]}}

Each event gets one group of our own at the end of its list; it is recognised by its command,
never by its place. Whatever belongs to others keeps its very characters.
"""

from __future__ import annotations

from typing import Any

from . import json_edit
from .launch import is_ours

FRESH = "{}\n"
"""What a file is that we make ourselves, before our entries."""

Entry = tuple[str, dict[str, Any]]  # event, group


def entries_in(text: str, host: str) -> list[Entry]:
    """Our groups in `text`, in its order."""
    return [
        (event.key or "", group.node.value)
        for event in _events(text)
        for group in event.node.parts
        if any(is_ours(part.node.value, host) for part in _handlers(group.node))
    ]


def positions(text: str, host: str) -> list[tuple[str, int, int, dict[str, Any], dict[str, Any]]]:
    """Of each of our handlers: event, place of its group, place in the group, group, handler."""
    return [
        (event.key or "", at, inner, group.node.value, part.node.value)
        for event in _events(text)
        for at, group in enumerate(event.node.parts)
        for inner, part in enumerate(_handlers(group.node))
        if is_ours(part.node.value, host)
    ]


def other_commands(text: str, host: str) -> list[str]:
    """The command lines of everybody else's handlers, in the text's order."""
    found = [
        part.node.value.get("command")
        for event in _events(text)
        for group in event.node.parts
        for part in _handlers(group.node)
        if part.node.is_object and not is_ours(part.node.value, host)
    ]
    return [line for line in found if isinstance(line, str)]


def with_entries(text: str, wanted: list[Entry]) -> str:
    """`text` with `wanted` at the ends of its lists."""
    for event, group in wanted:
        root = json_edit.parse(text)
        hooks = root.member("hooks")
        if hooks is None:
            text = json_edit.insert(text, root, "hooks", {event: [group]})
        elif (groups := hooks.member(event)) is None:
            text = json_edit.insert(text, hooks, event, [group])
        else:
            text = json_edit.insert(text, groups, None, group)
    return text


def without_entries(text: str, host: str) -> str:
    """`text` without our handlers, and without what only held them."""
    while (shorter := _without_one(text, host)) is not None:
        text = shorter
    return text


def original(text: str, backup: str | None, host: str) -> str | None:
    """The file without us: the backup if only we changed it, else what removal leaves.

    None when there was no file before us. `backup` is the copy from before our first change.
    """
    ours = entries_in(text, host)
    if not ours:
        return text
    if backup is not None and with_entries(backup, ours) == text:
        return backup
    if backup is None and with_entries(FRESH, ours) == text:
        return None
    return without_entries(text, host)


def is_same(found: list[Entry], wanted: list[Entry]) -> bool:
    """Whether both hold the same groups, whatever the order of their events."""

    def by_event(entry: Entry) -> str:
        return entry[0]

    return sorted(found, key=by_event) == sorted(wanted, key=by_event)


def _without_one(text: str, host: str) -> str | None:
    """`text` without one of our handlers, or None when it has none.

    With the handler go its group, its event and `hooks`, as far as each held nothing else.
    """
    root = json_edit.parse(text)
    for event in _events(text):
        for place, group in enumerate(event.node.parts):
            handlers = _handlers(group.node)
            ours = [i for i, part in enumerate(handlers) if is_ours(part.node.value, host)]
            if not ours:
                continue
            hooks = root.member("hooks")
            assert hooks is not None  # _events found it
            if len(handlers) > 1:
                box = group.node.member("hooks")
                assert box is not None  # _handlers found it
                return json_edit.remove(text, box, ours[0])
            if len(event.node.parts) > 1:
                return json_edit.remove(text, event.node, place)
            if len(hooks.parts) > 1:
                return json_edit.remove(text, hooks, hooks.index(event.key or ""))
            return json_edit.remove(text, root, root.index("hooks"))
    return None


def _events(text: str) -> list[json_edit.Part]:
    """The members of `hooks` that are lists."""
    hooks = json_edit.parse(text).member("hooks")
    return [part for part in hooks.parts if part.node.is_array] if hooks else []


def _handlers(group: json_edit.Node) -> tuple[json_edit.Part, ...]:
    box = group.member("hooks") if group.is_object else None
    return box.parts if box is not None and box.is_array else ()
