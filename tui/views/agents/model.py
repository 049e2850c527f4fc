"""Which agents there are and how each stands: looked at anew every few seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.worker import Worker

from ....core.agents import AgentState
from ...matches import filter_of
from ...widgets.agent_account import Brought
from ...widgets.agent_list import LONG, AgentRow, standing_of

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from .view import AgentsView

MOST_BROUGHT = 60  # memories that are named of what an agent brought


class Survey:
    """The agents as they were last looked at; `tell` hears of each look, and whether it is news."""

    def __init__(self, view: AgentsView, tell: Callable[[bool], None]) -> None:
        self._view, self._tell = view, tell
        self.agents: tuple[AgentState, ...] = ()
        self._is_looking = self._looks_again = False

    def load(self) -> Worker[None]:
        """Look at the agents anew; who is just looking may have seen what is no longer so, and
        looks once more.
        """
        return self._view.begin(self._load, "agents-look", exclusive=False)

    async def _load(self) -> None:
        if self._is_looking:
            self._looks_again = True
            return
        self._is_looking = self._looks_again = True
        setup = self._view.app.setup
        try:
            while self._looks_again:
                self._looks_again = False
                seen = await setup.ask_agents(lambda agents: agents.survey())
                is_news, self.agents = seen != self.agents, seen
                self._tell(is_news)
        finally:
            self._is_looking = False

    def tick(self) -> None:
        """Every few seconds, while one looks at it and no look is under way."""
        if self._view.is_current and self._view.display and not self._is_looking:
            self.load()

    def fitting(self, text: str) -> list[AgentRow]:
        """The agents of which the row or a finding says this."""
        fits = filter_of(text)
        return [AgentRow(num, one) for num, one in enumerate(self.agents) if fits(_said(one))]


def brought_by(core: MemoryCoordinator, host: str) -> Brought:
    """What an agent brought to this project, and the newest of it. Runs in a lane."""
    search, query = core.services.search, f"agent:{host}"
    return Brought(
        count=search.count(query),
        waiting=search.count(f"{query} is:candidate"),
        newest=tuple(search.list(f"{query} sort:created", MOST_BROUGHT)),
    )


def _said(agent: AgentState) -> str:
    """What an agent's row and its findings say, to look for words in."""
    findings = (f"{one.name} {one.message}" for one in agent.findings)
    standing = LONG[standing_of(agent)]
    return " ".join((agent.name, agent.host, standing, *agent.scopes, *findings))
