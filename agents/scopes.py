"""How one scope of one host stands, and what a plan would do to one of its files: values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.agents import FileChange, Scope
from .entries import Entry

Shape = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What would become of one file; without a change there is only something to say."""

    change: FileChange | None
    problems: tuple[str, ...] = ()  # reasons why it cannot be done
    notes: tuple[str, ...] = ()  # what the person should know or do


@dataclass(frozen=True, slots=True)
class Standing:
    """What was found in one scope of a host."""

    scope: Scope
    path: str
    problems: tuple[str, ...] = ()  # why the file cannot be understood
    entries: tuple[Entry, ...] = ()  # ours; none when we are not installed there
    programs: tuple[str, ...] = ()  # executables that they name by an absolute path
    settings: Mapping[str, Any] = field(default_factory=dict)  # all of the file
    others: tuple[str, ...] = ()  # command lines of other tools' hooks

    @property
    def is_installed(self) -> bool:
        """Whether anything of ours stands there."""
        return bool(self.entries)

    @property
    def shapes(self) -> dict[str, Shape]:
        """By event, how we are called for it."""
        return {event: shape_of(group) for event, group in self.entries}


def shape_of(group: Mapping[str, Any]) -> Shape:
    """`group` without the command lines, which differ between machines."""
    shown = dict(group)
    if isinstance(handlers := group.get("hooks"), list):
        shown["hooks"] = [
            {key: value for key, value in handler.items() if key != "command"}
            for handler in handlers
        ]
    return shown
