"""What a text for a prompt used of its budget, and the parts of a score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .output import Ink, gauge, one_line, say, table

Line = Callable[..., None]


def gauges(per_tier: Mapping[str, int], limits: Mapping[str, int], line: Line = say) -> None:
    """What each tier used of what it may."""
    rows = []
    for tier in dict.fromkeys([*limits, *per_tier]):
        used, limit = per_tier.get(tier, 0), limits.get(tier, 0)
        rows.append([tier, gauge(used, limit), f"{used:,}" + (f" of {limit:,}" if limit else "")])
    table(rows, indent="  ", line=line)


def score_parts(parts: Mapping[str, float]) -> str:
    """The parts of a score that show in two digits; `--json` has them all."""
    from ..core.retrieval.ranking import label

    told = [(label(name), part) for name, part in parts.items() if abs(part) >= 0.005]
    return ", ".join(f"{name} {part:.2f}" for name, part in told)


def what_next(after: Mapping[str, Any] | None, line: Line = say) -> None:
    if after:
        title = one_line(after.get("title") or "")
        line("  next: ", Ink(after["id"][:8], "dim"), f"  {title}".rstrip())
        line(Ink(f"    {after['tokens']} tokens; {after['why']}", "dim"))
