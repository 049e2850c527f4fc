"""What asking a model costs, and whether it may still be asked today. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from .replies import NoReply, Reply

ASSUMED_USD = 0.01
"""What a call counts for when neither its host nor the settings say: a cent, so that the daily
cap holds for it too."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """What models were asked today so far, by all reviewers of a home together."""

    usd: float = 0.0
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """What an engine costs, as the settings say. All None: nobody knows."""

    usd_per_call: float | None = None
    usd_per_million_in: float | None = None
    usd_per_million_out: float | None = None
    is_local: bool = False  # on this machine: free unless a price is given

    @property
    def is_free(self) -> bool:
        """Whether a call costs nothing, whatever the host reports (a subscription pays)."""
        given = [price for price in self._all() if price is not None]
        return not any(given) if given else self.is_local

    @property
    def expected_usd(self) -> float:
        """What a call is taken to cost before it is made; 0 for a free engine."""
        if self.is_free:
            return 0.0
        return self.usd_per_call or ASSUMED_USD

    def _all(self) -> tuple[float | None, ...]:
        return (self.usd_per_call, self.usd_per_million_in, self.usd_per_million_out)


def estimated_tokens(text: str) -> int:
    """The tokens of a text where nobody has counted: a quarter of its bytes, rounded up.

    `retrieval.tokens.strict_tokens` never says too little, and here twice too much.
    """
    return -(-len(text.encode("utf-8", "replace")) // 4)


def cost_of(reply: Reply, price: Price) -> float:
    """Dollars that a call cost: as the host reports, else by price, else `ASSUMED_USD`."""
    if price.is_free:
        return 0.0
    if reply.cost_usd is not None:
        return reply.cost_usd
    by_tokens = [
        tokens / _MILLION * rate
        for tokens, rate in (
            (reply.tokens_in, price.usd_per_million_in),
            (reply.tokens_out, price.usd_per_million_out),
        )
        if tokens is not None and rate is not None
    ]
    if by_tokens:
        return sum(by_tokens) + (price.usd_per_call or 0.0)
    return price.expected_usd


def cost_of_failure(failure: NoReply, price: Price) -> float:
    """Dollars that a call without a usable answer cost: work was done, unless nothing was sent."""
    if not failure.is_asked:
        return 0.0
    return cost_of(Reply("", failure.cost_usd), price)


def refusal(spent: Spent, price: Price, *, max_usd: float, max_calls: int) -> str:
    """Why a call may not be made today; "" when it may.

    `max_usd` 0 refuses whatever is not free; `max_calls` counts free calls too.
    """
    if spent.calls >= max_calls:
        return f"{spent.calls} calls were made today, and {max_calls} are allowed."
    if price.is_free:
        return ""
    if max_usd <= 0:
        return "Nothing may be spent on reviews, and this engine costs money."
    if spent.usd + price.expected_usd > max_usd:
        return (
            f"${spent.usd:.2f} of ${max_usd:.2f} were spent today, and a call is taken to cost"
            f" ${price.expected_usd:.3f}."
        )
    return ""
