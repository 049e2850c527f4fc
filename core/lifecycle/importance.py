"""What makes a memory important: six factors, each by itself, so that it can be explained.

Pure rules over what the store knows. Each factor lies in 0-1, and so does their weighted sum.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...frozen import dataclass

WEIGHTS: Mapping[str, float] = {
    "outcome": 0.25,
    "reuse": 0.20,
    "cross_agent": 0.20,
    "novelty": 0.15,
    "user_signal": 0.15,
    "cost_savings": 0.05,
}
"""How much each factor counts; together 1."""

OUTCOMES: Mapping[str, float] = {"success": 1.0, "partial": 0.5, "": 0.5, "failure": 0.0}
"""How well the work went; what nobody told counts as neither."""

OFTEN = 10
"""Uses from which a memory counts as much used as can be."""

MANY_AGENTS = 3
"""Agents from which a memory counts as everybody's."""

MANY_SESSIONS = 5
"""Sessions from which it does so in the hands of a single agent: several tasks needed it."""

DEAR_TOKENS = 20_000
DEAR_MS = 10 * 60 * 1000
"""Work of that size counts as dear: not to have to do it again is worth the most."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows of a memory."""

    outcome: str = ""  # success, failure, partial, "" unknown
    is_lesson: bool = False  # of a failure something was learned, which is worth as much
    uses: int = 0
    helpful: int = 0  # times a person called it so
    unhelpful: int = 0
    agents: int = 1
    sessions: int = 1
    similarity: float = 0.0  # 0-1, to its nearest neighbour
    is_from_person: bool = False
    status: str = "candidate"
    tokens: int | None = None  # what the work cost it was learned at
    time_ms: int | None = None


def factors(known: Known) -> dict[str, float]:
    """The six factors, each 0-1, in the order of `WEIGHTS`."""
    return {
        "outcome": max(OUTCOMES[known.outcome], 1.0 if known.is_lesson else 0.0),
        "reuse": min(1.0, math.log1p(max(0, known.uses)) / math.log1p(OFTEN)),
        "cross_agent": min(
            1.0,
            max(0, known.agents - 1) / (MANY_AGENTS - 1)
            + max(0, known.sessions - max(1, known.agents)) / (MANY_SESSIONS - 1),
        ),
        "novelty": 1.0 - min(1.0, max(0.0, known.similarity)),
        "user_signal": _user_signal(known),
        "cost_savings": _cost(known),
    }


def _user_signal(known: Known) -> float:
    """What people did with it: 0 when they called it unhelpful, 1 for pinned or said by one."""
    if known.status == "pinned":
        return 1.0
    spoken = known.helpful + known.unhelpful
    opinion = known.helpful / spoken if spoken else None
    base = 1.0 if known.is_from_person else 0.6 if known.status == "confirmed" else 0.2
    return base if opinion is None else (base + opinion) / 2


def _cost(known: Known) -> float:
    tokens = min(1.0, max(0, known.tokens or 0) / DEAR_TOKENS)
    time = min(1.0, max(0, known.time_ms or 0) / DEAR_MS)
    return max(tokens, time)
