"""Share out the tokens of an injection among the tiers.

Three policies. `adaptive` (the default): 8 % of the remaining context, at most 5,000, by a table.
`five-type`: 8,000 by memory type. `tiered`: 40/40/20 by task, project and global. The total is
always a hard limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ...frozen import NamedTuple
from .. import hosts
from ..config.limits import RecallLimits

TIERS = ("always", "working", "retrieval", "summary")
"""By priority. `working` is the session's own working memory."""

TABLE: tuple[tuple[int, tuple[int, ...]], ...] = (
    (0, (200, 500, 300, 200)),
    (640, (200, 500, 300, 200)),  # 8,000 tokens of context left
    (1_600, (200, 700, 500, 200)),  # 20,000
    (4_000, (320, 1_840, 1_196, 600)),  # 50,000
    (5_000, (400, 2_300, 1_500, 600)),  # 100,000
    (50_000, (4_000, 23_000, 15_000, 6_000)),  # the most that the settings allow
)
"""Tokens of each tier by total. Linear between the rows."""

TYPE_SHARES: Mapping[str, float] = {
    "episodic": 0.25,
    "semantic": 0.375,
    "prospective": 0.125,
    "procedural": 0.25,
}
"""Share of each type, 0-1. Other types may use as much as the smallest."""

SHIFT = 500 / 8_000  # share that words of a prompt move from one type to another

SCOPE_SHARES: Mapping[str, float] = {"task": 0.4, "project": 0.4, "global": 0.2}
"""Default shares, also if the settings have zeros only."""

ASSUMED_CONTEXT = 100_000  # remaining tokens of a context whose agent does not say
FIVE_TYPE_TOKENS, FIVE_TYPE_WORKING = 8_000, 1_000  # in all, and for working memory
FIVE_TYPE_PLACES = 20  # memories that may be injected under `five-type`; else `injection_top_n`

FIVE_TYPE_MOST: Mapping[str, int] = {
    "episodic": 10,
    "semantic": 15,
    "prospective": 10,
    "procedural": 5,
}
"""Maximum number of memories of each type under `five-type`."""


class Allocation(NamedTuple):
    """Tokens by tier, and inside the retrieval tier by type or scope."""

    total: int
    row: Mapping[str, int]  # tokens of each tier if the others leave room
    places: int  # memories the retrieval tier may hold
    shares: Mapping[str, int]
    shares_by: str = "type"  # or "scope"
    shares_are_hard: bool = False  # soft: another may use the rest of one
    most: Mapping[str, int] = {}

    @property
    def limits(self) -> dict[str, int]:
        """Return the row fitted to the total. Lower tiers shrink first."""
        remaining, fitted = self.total, {}
        for tier in TIERS:
            fitted[tier] = min(self.row[tier], remaining)
            remaining -= fitted[tier]
        return fitted


def allocate(
    limits: RecallLimits, context_left: int | None = None, prompt: str = "", host: str = ""
) -> Allocation:
    """Return the tokens for one injection.

    `context_left` is the rest of the model's context in tokens; None if unknown. The limit of
    `host` for one hook holds for every policy.
    """
    is_five_type = limits.budget_policy == "five-type"
    total = FIVE_TYPE_TOKENS if is_five_type else limits.max_budget_tokens
    if context_left is None and not is_five_type:
        context_left = ASSUMED_CONTEXT
    if context_left is not None:
        total = max(min(int(context_left * limits.context_share + 1e-9), total), 0)
    if (ceiling := host_tokens(host)) is not None:
        total = min(total, ceiling)
    if is_five_type:
        return _five_type(limits, total, prompt)
    if limits.budget_policy == "tiered":
        return _tiered(limits, total, host)
    row = adaptive_row(total)
    return Allocation(
        total=total,
        row=row,
        places=limits.injection_top_n,
        shares=_parts_of(row["retrieval"], type_shares(prompt)),
    )


def host_tokens(host: str) -> int | None:
    """Return the host's limit of tokens for one hook, strictly estimated; None if unknown."""
    wire = hosts.registry.wire(host.lower())
    return None if wire is None else wire.MOST_TOKENS


def adaptive_row(total: int) -> dict[str, int]:
    """Return the table's row for `total`, not yet fitted."""
    (low, below), (high, above) = next(rows for rows in pairwise(TABLE) if total <= rows[1][0])
    way = (total - low) / (high - low)
    pairs = zip(TIERS, below, above, strict=True)
    return {tier: round(first + (last - first) * way) for tier, first, last in pairs}


def type_shares(prompt: str) -> dict[str, float]:
    """Return the share of each memory type, moved by words of the prompt. Sums to 1.0."""
    shares = dict(TYPE_SHARES)
    text = prompt[:10_000].lower()
    if "todo" in text or "task" in text:
        shares["prospective"] += SHIFT
        shares["semantic"] -= SHIFT
    if "how to" in text or "procedure" in text:
        shares["procedural"] += SHIFT
        shares["episodic"] -= SHIFT
    return shares


def _five_type(limits: RecallLimits, total: int, prompt: str) -> Allocation:
    parts = {"working": FIVE_TYPE_WORKING, "retrieval": total, "summary": 0}
    return Allocation(
        total=total,
        row=adaptive_row(total) | parts,
        places=max(limits.injection_top_n, FIVE_TYPE_PLACES),
        shares=_parts_of(total, type_shares(prompt)),
        shares_are_hard=True,
        most=FIVE_TYPE_MOST,
    )


def _tiered(limits: RecallLimits, total: int, host: str) -> Allocation:
    parts = {**SCOPE_SHARES, **limits.shares, **limits.shares_by_agent.get(host, {})}
    named = parts if any(parts.values()) else SCOPE_SHARES
    whole = sum(named.values())
    shares = _parts_of(total, {name: part / whole for name, part in named.items()})
    retrieval = shares["project"] + shares["global"]
    return Allocation(
        total=total,
        row=adaptive_row(total) | {"working": shares["task"], "retrieval": retrieval, "summary": 0},
        places=limits.injection_top_n,
        shares={"project": shares["project"], "global": shares["global"]},
        shares_by="scope",
    )


def _parts_of(tokens: int, shares: Mapping[str, float]) -> dict[str, int]:
    return {name: int(tokens * share + 1e-9) for name, share in shares.items()}
