"""Names of engines become reviewers: the built-in scorers, or models behind programs and servers.

`reviewers_for` is the way in. A model reviewer never raises: whatever happens, it answers with a
vote that says what. How much may be spent is counted by all reviewers of one call together, so
that three which ask at the same moment cannot each take the day's last cent.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from ..clock import ms_since
from ..config.policy import is_on_this_machine
from ..extensions import extension
from .answers_of_models import judgement_in
from .command_call import Command
from .cost import Price, Spent, cost_of, cost_of_failure, refusal
from .http_call import MOST_TOKENS, Server
from .prompts import ROLES, answer_schema, prompt_for
from .replies import NoReply, Reply
from .reviewer import Reviewer, Subject, Vote

if TYPE_CHECKING:
    from ..config.policy import EnginePolicy, ReviewPolicy

__all__ = ["BUILT_IN", "Engine", "ModelReviewer", "Spent", "reviewers_for"]

BUILT_IN = ("analyzer", "patterns", "knowledge-archaeologist", "security")
"""The names of the scorers in `built_in`."""

_MARGIN_S, _MARGIN_SHARE = 0.1, 0.2  # kept back, so that a late vote still tells what it cost


class Engine(Protocol):
    """What can be asked: a program or a server."""

    def ask(self, prompt: str, schema: Mapping[str, object], limit_s: float) -> Reply:
        """Its reply. Raises NoReply."""


class Purse:
    """What was spent today, counted on while reviewers ask. Safe from any thread."""

    def __init__(self, spent: Spent, *, max_usd: float, max_calls: int) -> None:
        self.spent = spent
        self._max_usd = max_usd
        self._max_calls = max_calls
        self._lock = threading.Lock()

    def take(self, price: Price) -> str:
        """Set a call's expected cost aside; why not, if that is too much, else ""."""
        with self._lock:
            why = refusal(self.spent, price, max_usd=self._max_usd, max_calls=self._max_calls)
            if not why:
                usd = self.spent.usd + price.expected_usd
                self.spent = Spent(usd, self.spent.calls + 1)
            return why

    def settle(self, price: Price, usd: float) -> None:
        """Replace the expected cost of a call that was taken by what it did cost."""
        with self._lock:
            left = max(self.spent.usd - price.expected_usd, 0.0) + usd
            self.spent = Spent(left, self.spent.calls)


@dataclass(frozen=True, slots=True)
class ModelReviewer:
    """A reviewer that asks a model for its judgement."""

    name: str  # one of ROLES
    engine: str  # shown in votes: kind and model
    is_instant: ClassVar[bool] = False
    asks: Engine
    price: Price
    purse: Purse

    def review(self, subject: Subject, timeout_s: float) -> Vote:
        """The model's vote, or one that says why there is none. Never raises."""
        if why := self.purse.take(self.price):
            return self._failed("over_budget", why)
        begun = time.perf_counter()
        cost = self.price.expected_usd  # of a failure that is nobody's fault but ours
        try:
            vote, cost = self._vote(subject, timeout_s, begun)
        except Exception as error:  # an engine that breaks must not break the panel
            vote = self._failed("failed", f"Unexpected {type(error).__name__}.", begun, cost)
        finally:
            self.purse.settle(self.price, cost)
        return vote

    def _vote(self, subject: Subject, timeout_s: float, begun: float) -> tuple[Vote, float]:
        role = ROLES[self.name]
        limit_s = timeout_s - min(_MARGIN_S, _MARGIN_SHARE * timeout_s)
        reply: Reply | None = None
        try:
            prompt, schema = prompt_for(role, subject), answer_schema(role, subject)
            reply = self.asks.ask(prompt, schema, limit_s)
            found = judgement_in(reply.text, role)
        except NoReply as failure:
            price = self.price
            cost = cost_of(reply, price) if reply else cost_of_failure(failure, price)
            return self._failed(failure.status, failure.reason, begun, cost), cost
        cost = cost_of(reply, self.price)
        vote = Vote(
            self.name,
            found.score,
            found.trivial,
            found.reason,
            found.type if subject.is_type_unsure else None,
            engine=self.engine,
            latency_ms=ms_since(begun),
            cost_usd=cost,
        )
        return vote, cost

    def _failed(
        self, status: str, reason: str, begun: float | None = None, cost: float = 0.0
    ) -> Vote:
        latency = 0.0 if begun is None else ms_since(begun)
        return Vote(
            self.name,
            reason=reason,
            status=status,
            engine=self.engine,
            latency_ms=latency,
            cost_usd=cost,
        )


def reviewers_for(
    review: ReviewPolicy, *, spent: Spent, models: bool = True
) -> tuple[Reviewer, ...]:
    """The configured reviewers, in order; those that ask models share what is left of the day.

    `spent` is what model reviewers cost today so far, over all projects. A tuple may serve many
    captures: what its own calls cost is counted on. Without `models` the built-in ones judge in
    their place.
    """
    purse = Purse(spent, max_usd=review.max_cost_usd_per_day, max_calls=review.max_calls_per_day)
    made: list[Reviewer] = []
    for name in review.reviewers:
        if name not in BUILT_IN:
            made.append(cast(Reviewer, extension("reviewer", name)()))
            continue
        engine = review.engines.get(review.engine_by_reviewer.get(name, ""))
        if engine is None or not models:
            from . import built_in  # judges, as settings are read without

            made.append(built_in.SCORERS[name])
        else:
            called, asks, price = engine_of(engine)
            made.append(ModelReviewer(name, called, asks, price, purse))
    return tuple(made)


def engine_of(engine: EnginePolicy, *, most_tokens: int = MOST_TOKENS) -> tuple[str, Engine, Price]:
    """(what it is called in records, what is asked, what that costs) of an engine's settings.

    `most_tokens` is what an answer may have where the server wants to be told.
    """
    price = Price(
        engine.usd_per_call,
        engine.usd_per_million_in,
        engine.usd_per_million_out,
        is_local=bool(engine.url) and is_on_this_machine(engine.url),
    )
    asks: Engine
    if engine.kind in ("openai", "anthropic"):
        asks = Server(engine.kind, engine.model, engine.url, engine.key_variable, most_tokens)
    else:
        asks = Command(engine.kind, engine.model, tuple(engine.program))
    what = os.path.basename(engine.program[0]) if engine.program else engine.model
    return f"{engine.kind} {what}".strip(), asks, price
