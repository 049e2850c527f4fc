"""A model that the person has, asked out of the budget of the day.

Sessions, pairs of Conflicts and summaries are all put to it here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...db import extractions
from ...db.connection import mapped_errors
from ..review.cost import Price, Spent, refusal
from ..review.extractor import SCHEMA, Asked, ask
from .extractor_state import day_of

if TYPE_CHECKING:
    from ..context import Context
    from ..review.engines import Engine


@dataclass(frozen=True, slots=True)
class BudgetedModel:
    """One engine, its price, and what the day still has for it."""

    context: Context
    name: str  # as records call it
    engine: Engine
    price: Price

    @property
    def tokens_left(self) -> int:
        """How many tokens the budget of today still has."""
        _, tokens = self._spent()
        return max(0, self.context.policy.extractor.max_tokens_per_day - tokens)

    def why_not(self, needed: int) -> str:
        """Why the budget of today does not allow a call of so many tokens; "" when it does."""
        limits = self.context.policy.extractor
        spent, tokens = self._spent()
        why = refusal(
            spent,
            self.price,
            max_usd=limits.max_cost_usd_per_day,
            max_calls=limits.max_calls_per_day,
        )
        if not why and tokens + needed > limits.max_tokens_per_day:
            why = (
                f"{tokens:,} of {limits.max_tokens_per_day:,} tokens were spent today, and this"
                f" call is taken to need {needed:,}."
            )
        return why

    def ask(
        self,
        text: str,
        *,
        schema: Mapping[str, object] = SCHEMA,
        parse: Callable[[str], Mapping[str, Any]] | None = None,
    ) -> Asked:
        """Its answer to a request's text within the time that the settings allow. Never raises."""
        timeout_s = self.context.policy.extractor.timeout_s
        return ask(self.engine, self.price, text, timeout_s, schema=schema, parse=parse)

    def _spent(self) -> tuple[Spent, int]:
        """(dollars and calls, tokens) of today."""
        with mapped_errors():
            usd, calls, tokens = extractions.spent(
                self.context.database, day_of(self.context.now_ms())
            )
        return Spent(usd, calls), tokens
