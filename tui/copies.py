"""The forms in which a memory leaves the app by copying."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..core.values import Memory, importance_10


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its letter in the menu, its name, and how it is written."""

    key: str
    label: str
    write: Callable[[Memory], str]


def as_markdown(memory: Memory) -> str:
    """The memory as a section of Markdown, with what matters beneath the text."""
    facts = [memory.type, memory.category, f"importance {importance_10(memory.importance)}/10"]
    facts += [f"#{tag}" for tag in memory.tags]
    facts += [f"`{path}`" for path in memory.files]
    return f"## {memory.title}\n\n{memory.content}\n\n*{' · '.join(facts)}*\n"


def as_command(memory: Memory) -> str:
    """The command that opens the app on the memory."""
    project = f"--project {shlex.quote(memory.project)} " if memory.project else ""
    return f"memdeck {project}--id {shlex.quote(memory.short_id)}"


COPIES: Mapping[str, Form] = {
    "text": Form("t", "text", lambda memory: memory.content),
    "id": Form("i", "id", lambda memory: memory.id),
    "markdown": Form("m", "Markdown", as_markdown),
    "command": Form("c", "command", as_command),
}
"""By name, in the order of the menu."""
