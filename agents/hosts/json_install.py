"""Installing into a JSON file of hooks that others write too: one way for all hosts with one.

What differs between them is data (`JsonHost`) and stands in a room of its own for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.agents import Host, Scope
from ...db.home import Home
from ...frozen import dataclass, field
from .. import settings_file
from .. import subscriptions as asked
from ..changes import FilePlan, change
from ..entries import (
    FRESH,
    Entry,
    entries_in,
    is_same,
    original,
    other_commands,
    with_entries,
)
from ..launch import PROGRAM, command, is_ours, named_in
from ..standing import HookFiles, Shape, Standing, shape_of


@dataclass(frozen=True, slots=True)
class JsonHost:
    """What is peculiar to one host's file of hooks."""

    host: Host
    files: HookFiles
    timeout: int  # in the host's own unit
    tool_events: tuple[str, ...]  # those that a matcher narrows to some tools
    notes: Callable[[Mapping[str, Any]], list[str]]  # of the settings found
    timeouts: Mapping[str, int] = field(default_factory=dict)  # of events with one of their own
    extra: Mapping[str, str] = field(default_factory=dict)  # further fields of a handler
    has_patterns: bool = False  # whether a matcher is a regular expression
    has_comments: bool = False  # whether the host takes JSON with comments, as we do not

    def entries(self, executable: str, home: Home, groups: Sequence[str]) -> list[Entry]:
        """The groups that we register for these groups of events, in the adapter's order."""
        found: list[Entry] = []
        for event, tools in asked.events_of(self.host, groups, self.tool_events).items():
            handler = {
                **self.extra,
                "type": "command",
                "command": command(executable, self.host, event, home),
                "timeout": self.timeouts.get(event, self.timeout),
            }
            matcher = {"matcher": self._matcher(tools)} if tools else {}
            found.append((event, {**matcher, "hooks": [handler]}))
        return found

    def wanted(self, groups: Sequence[str]) -> dict[str, Shape]:
        """By event, how these groups of events would have us called."""
        return {event: shape_of(group) for event, group in self.entries("", Home(), groups)}

    def plan(self, path: str, home: Home, groups: Sequence[str], program: str) -> FilePlan:
        """What installing would do to the file."""
        found = settings_file.read(path)
        if found.problems:
            return FilePlan(change(path, found.data, found.data, is_shared=True), found.problems)
        notes = tuple(self.notes(found.value))
        if found.link_target:
            notes += (f"The file is a link; {found.link_target} is written.",)
        wanted, after = self.entries(program, home, groups), found.data
        if not is_same(entries_in(found.text, self.host), wanted):
            base = original(found.text, found.backup_text, self.host) if found.data else None
            after = with_entries(FRESH if base is None else base, wanted).encode()
        return FilePlan(change(path, found.data, after, is_shared=True), (), notes)

    def plan_uninstall(self, path: str) -> FilePlan:
        """What uninstalling would do to the file."""
        found = settings_file.read(path)
        if found.problems or found.data is None or not entries_in(found.text, self.host):
            return FilePlan(change(path, found.data, found.data, is_shared=True), found.problems)
        text = original(found.text, found.backup_text, self.host)
        planned = change(path, found.data, None if text is None else text.encode(), is_shared=True)
        if found.backup_text is None or text == found.backup_text:
            return FilePlan(planned)
        kept = f"{path}{settings_file.BACKUP_SUFFIX} keeps the file as it first was."
        return FilePlan(planned, (), (kept,))

    def standing(self, path: str, scope: Scope) -> Standing:
        """How our entries stand in the file; changes nothing."""
        found = settings_file.read(path)
        problems = found.problems
        if self.has_comments and PROGRAM.encode() not in (found.data or b""):
            problems = ()  # fine for the host, and none of our business
        ours = () if found.problems else tuple(entries_in(found.text, self.host))
        others = () if found.problems else tuple(other_commands(found.text, self.host))
        handlers = (handler for _, group in ours for handler in group["hooks"])
        lines = (one["command"] for one in handlers if is_ours(one, self.host))
        return Standing(scope, path, problems, ours, *named_in(lines), found.value, others)

    def _matcher(self, tools: Sequence[str]) -> str:
        names = "|".join(tools)
        return f"^({names})$" if self.has_patterns else names
