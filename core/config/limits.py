"""The numbers of recall: how much is looked at, and how much may be said.

The hook reads them from a TOML table with `from_mapping`, which never refuses: a prompt waits.
`core/config/policy.py` checks the same numbers strictly, from the same `RANGES`, for people.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...frozen import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

RANGES: Mapping[str, tuple[float, float]] = {
    "max_candidate_scan": (20, 5_000),
    "max_retrieval_ms": (20, 2_000),
    "top_k": (1, 100),
    "injection_top_n": (1, 50),
    "max_pinned": (0, 20),
    "max_per_source": (1, 50),
    "drop_bottom_share": (0.0, 0.9),
    "context_share": (0.01, 0.5),
    "max_budget_tokens": (100, 50_000),
    "default_context_tokens": (1_000, 2_000_000),
    "five_type_tokens": (100, 50_000),
    "working_tokens": (0, 10_000),
    "min_importance": (1, 10),
    "max_output_units": (500, 9_900),
    "head_tail": (0, 10),
    "task_share": (0.0, 1.0),
    "project_share": (0.0, 1.0),
    "global_share": (0.0, 1.0),
    "private_days": (0, 3_650),
    "profile_share": (0.0, 0.5),
}
"""Smallest and largest value of each number, both allowed."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "budget_policy": ("adaptive", "five-type", "tiered"),
    "ranking": ("blend", "multiplicative", "additive"),
    "repeat": ("never", "always"),
    "token_estimate": ("words", "strict"),
    "unproven": ("asked", "never", "always"),
}
"""The words each named choice accepts; the first is the default."""

UNPROVEN: Mapping[str, str] = {
    "conservative": "never",
    "balanced": "asked",
    "aggressive": "always",
}
"""What other sessions are told of what nothing bears out, where `recall.unproven` is silent."""

BUDGET_TOLERANCE = 0.05
"""Tokens allowed above the budget, as a share of it. None of it is used."""

DEGRADED_TOP_K, DEGRADED_SCAN = 5, 100


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """How far recall may go. Times are in milliseconds, sizes in estimated tokens."""

    max_candidate_scan: int = 500  # memories the index may rank
    max_retrieval_ms: int = 200  # time the index may take
    top_k: int = 15  # ranked memories that stay in the running
    injection_top_n: int = 5  # of which so many are injected
    max_pinned: int = 5  # pinned memories, injected always
    max_per_source: int = 2  # from one session, beside those that answer
    drop_bottom_share: float = 0.3  # weakest part of the running that is dropped
    context_share: float = 0.08  # of the remaining context that memory may use
    max_budget_tokens: int = 5_000  # whatever the context leaves
    default_context_tokens: int = 100_000  # assumed when the host does not say
    five_type_tokens: int = 8_000  # total of the policy "five-type"
    working_tokens: int = 1_000  # working memory's own allocation there
    min_importance: int = 6  # on the scale 1-10, for what is not asked for by words
    max_output_units: int = 9_900  # UTF-16 units or bytes a host takes from one hook
    head_tail: int = 0  # under "tiered", of the oldest and newest answers, kept first
    task_share: float = 0.4  # parts of the total under "tiered", relative to each other
    project_share: float = 0.4
    global_share: float = 0.2
    private_days: int = 0  # after which a private memory is told to all; 0 is never
    profile_share: float = 0.2  # of the budget of a start that the profile may use
    budget_policy: str = "adaptive"
    ranking: str = "blend"
    strategy: str = "plain"  # who has the last word on the order: a name of `rerankers`
    repeat: str = "never"  # whether one session is told the same thing twice
    token_estimate: str = "words"  # "strict" counts code and CJK as tokenizers do
    unproven: str = "asked"  # when other sessions hear the unproven: asked, never, always

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Self:
        """The limits a settings table asks for.

        Numbers beyond their range count as its nearest end; what is no number, no known word or
        no known name is ignored.
        """
        known: dict[str, Any] = {}
        usual = cls()
        for name in cls.__match_args__:
            value = table.get(name)
            if name in CHOICES:
                if value in CHOICES[name]:
                    known[name] = value
            elif name == "strategy":
                if isinstance(value, str):
                    known[name] = value
            elif isinstance(value, int | float) and not isinstance(value, bool):
                if value != value:  # not a number, although it is a float
                    continue
                low, high = RANGES[name]
                within = min(max(value, low), high)
                known[name] = within if isinstance(getattr(usual, name), float) else int(within)
        return cls(**known)

    @classmethod
    def of_preset(cls, table: Mapping[str, Any], preset: object) -> Self:
        """The limits a settings table asks for; what it leaves open follows from the preset."""
        usual = UNPROVEN.get(str(preset))
        return cls.from_mapping({"unproven": usual, **table} if usual else table)

    def without_profile(self) -> Self:
        """The limits where `lifecycle.profile` is off: nothing is told as the profile's."""
        return replace(self, profile_share=0.0)

    def degraded(self) -> Self:
        """The limits while recall is too slow: a smaller scan and fewer in the running."""
        return replace(
            self,
            top_k=min(self.top_k, DEGRADED_TOP_K),
            max_candidate_scan=min(self.max_candidate_scan, DEGRADED_SCAN),
        )

    def with_ceiling(self, tokens: int) -> Self:
        """The same with another ceiling, as `memory budget <tokens>` sets it."""
        low, high = RANGES["max_budget_tokens"]
        return replace(self, max_budget_tokens=int(min(max(tokens, low), high)))
