"""The agents of this machine as the demo shows them: all there is to see, nothing to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from ..core.agents import (
    NAMES,
    Agents,
    AgentState,
    EventMark,
    Finding,
    Host,
    InstructionFile,
    Scope,
    SetupPlan,
)
from ..core.errors import Refused

WHY = "This is the demo."
HINT = "Nothing was changed. `memdeck` alone opens the app on your own store, where it works."


class DemoDesk:
    """Surveys and plans truly; refuses to write.

    Events came by the machine's clock, and the demo has one of its own: they are moved along, so
    that what came two minutes ago is two minutes old.
    """

    def __init__(self, agents: Agents, clock: Callable[[], datetime]) -> None:
        self._agents = agents
        self._clock = clock

    def survey(self) -> tuple[AgentState, ...]:
        """Each of the four hosts as it stands, told by the demo's clock."""
        ahead_ms = round((self._clock() - datetime.now(UTC)).total_seconds() * 1000)
        return tuple(
            replace(agent, events=tuple(_moved(one, ahead_ms) for one in agent.events))
            for agent in self._agents.survey()
        )

    def plan(self, host: Host, scope: Scope = "user", *, remove: bool = False) -> SetupPlan:
        """What connecting (or leaving) `host` would change."""
        return self._agents.plan(host, scope, remove=remove)

    def apply(self, plan: SetupPlan) -> None:
        """Raise Refused: settings of this machine are not the demo's to write."""
        raise Refused(f"{WHY} {NAMES[plan.host]} stays as it is.", hint=HINT)

    def fix(self, finding: Finding) -> str:
        """Raise Refused: what is to be mended here is not the demo's."""
        raise Refused(f"{WHY} “{finding.name}” stays as it is.", hint=HINT)

    def instructions(self) -> tuple[InstructionFile, ...]:
        """The instruction files that are here. Remembering them stays in the demo's store."""
        return self._agents.instructions()

    def session_tokens(self) -> tuple[int, int]:
        """What a session of this machine would cost to be read."""
        return self._agents.session_tokens()


def _moved(mark: EventMark, ahead_ms: int) -> EventMark:
    return mark if mark.at_ms is None else replace(mark, at_ms=mark.at_ms + ahead_ms)
