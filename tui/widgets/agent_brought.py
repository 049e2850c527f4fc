"""What one agent brought to the project: how much of it, and the newest by their titles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from ...core.agents import AgentState
from ...core.values import Memory
from ..text import plain
from .overview_account import named
from .text_pane import TextPane


@dataclass(frozen=True, slots=True)
class Brought:
    """What is live of an agent's memories in this project."""

    count: int
    waiting: int  # candidates among them
    newest: Sequence[Memory]

    @property
    def says(self) -> str:
        """How many there are, and how many wait."""
        if not self.count:
            return ""
        waits = "waits" if self.waiting == 1 else "wait"
        return f"{self.count:,} here" + (f", {self.waiting:,} {waits}" if self.waiting else "")


class BroughtPane(TextPane):
    """The newest memories of the chosen agent."""

    HELP = """\
## What it brought
The memories of this project that come from the agent, newest first. A click opens one; `L` finds
all of them on the Deck. Arrows scroll.
"""

    def show_nothing(self) -> None:
        """No agent is chosen."""
        self.name_it("Brought")
        self.show(lambda _: Content(""), from_top=True)

    def show_of(self, agent: AgentState, brought: Brought, now: datetime) -> None:
        """What this agent brought."""
        title = f"Brought by {agent.name}"
        is_other = self.border_title != title
        self.name_it(title, brought.says)
        if not brought.count:
            says = f"{agent.name} brought nothing to this project so far."
            self.show(lambda _: plain(says, "$text-muted"), from_top=True)
            return
        self.show(lambda cells: named(brought.newest, brought.count, cells, now), from_top=is_other)
