"""What views tell each other. The app passes these down to every view that is mounted."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from .settings import Settings


@dataclass
class MemoriesChanged(Message, bubble=False):
    """Memories were written. `ids` names them when it was this app; None means somebody else."""

    ids: tuple[str, ...] | None = None
    goes_to: str | None = None  # the id of a new memory, which the user wants to see
    undid: int | None = None  # the entry that was undone or redone: it is scrolled into view

    @property
    def is_ours(self) -> bool:
        """Whether this app made the change."""
        return self.ids is not None


@dataclass
class ProjectChanged(Message, bubble=False):
    """The app looks at another project now: everything shown is to be read again."""


@dataclass
class CountsChanged(Message, bubble=False):
    """The counts in the header moved."""


@dataclass
class Configured(Message, bubble=False):
    """Settings were changed; the app goes by them from now on."""

    settings: Settings


@dataclass
class OpenMemory(Message):
    """A view asks for a memory to be opened in Memories. `memory` is its id."""

    memory: str


@dataclass
class OpenReceipts(Message):
    """A view asks where a memory was injected. `memory` is its id."""

    memory: str


@dataclass
class AgentsChanged(Message, bubble=False):
    """Agents were connected, left or mended: how they stand is to be looked at again."""
