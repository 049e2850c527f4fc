"""Budgets as bars: used, limit and what goes beyond, told by glyph, colour and number alike."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from ...frozen import dataclass
from ..glyphs import ASCII, Glyphs
from ..text import fit, width

NEAR = 0.85  # from this share of the limit on, little is left
WIDE = 36  # cells from which on names have more room
LABEL, NARROW_LABEL = 11, 10  # cells of a tier's name
SHORTEST, LONGEST = 4, 40  # cells of a bar
OF, BRIEF_OF = " of ", "/"


@dataclass(frozen=True, slots=True)
class Fill:
    """How full something is."""

    name: str  # fine, near, over
    glyph: str
    ink: str


def fill_of(used: int, limit: int, glyphs: Glyphs) -> Fill:
    """Fine below 85 % of the limit, near up to all of it, over beyond: never silently."""
    is_plain = glyphs.full == ASCII.full
    if used > limit:
        return Fill("over", "!", "bold $over-budget")
    if limit and used >= NEAR * limit:
        return Fill("near", "^" if is_plain else "▲", "$text-warning")
    return Fill("fine", "." if is_plain else "✓", "$text-success")


def fills(glyphs: Glyphs) -> str:
    """What the signs before bars mean, in a line."""
    return "  ".join(
        f"{fill_of(used, 100, glyphs).glyph} {says}"
        for used, says in ((0, "fine"), (100, f"from {NEAR:.0%} on"), (101, "over"))
    )


def share(used: int, limit: int) -> str:
    """The share of the limit in per cent: rounded down below it, up above, `-` without one."""
    if limit <= 0:
        return "-" if not used else "over"
    whole = -(-100 * used // limit) if used > limit else 100 * used // limit
    return f"{whole:,} %"


def budget_line(
    name: str,
    used: int,
    limit: int,
    cells: int,
    glyphs: Glyphs,
    amount_cells: int = 0,
    *,
    joint: str = OF,
    unit: str = "",
) -> Content:
    """`✓ always    ━━━━━━────    365 of 400   91 %` in at most `cells` cells.

    The amount takes at least `amount_cells`, so that lines one below the other are aligned.
    """
    fill = fill_of(used, limit, glyphs)
    amount = f"{used:,}{joint}{limit:,}{unit}".rjust(amount_cells)
    label = LABEL if cells >= WIDE else NARROW_LABEL
    per_cent = f"  {share(used, limit):>5}"
    bar = cells - label - 4 - width(amount) - width(per_cent)
    if bar < SHORTEST:
        bar, per_cent = bar + width(per_cent), ""
    bar = max(min(bar, LONGEST), 0)
    full = _full_cells(used, limit, bar)
    return Content.assemble(
        (f"{fill.glyph} ", fill.ink),
        (fit(name, label), "$text-muted"),
        (glyphs.full * full, fill.ink),
        (glyphs.empty * (bar - full), "$text-disabled"),
        ("  " if bar else "", ""),
        (amount + per_cent, fill.ink if fill.name == "over" else "$foreground"),
    ).truncate(max(cells, 0), ellipsis=True)


def _full_cells(used: int, limit: int, cells: int) -> int:
    """How many cells are full: one for the first token, all of them only at the limit."""
    if used <= 0 or not cells:
        return 0
    if used >= limit:
        return cells
    return min(max(round(cells * used / limit), 1), cells - 1 or 1)


def budget_lines(
    total: tuple[int, int],
    used: Mapping[str, int],
    limits: Mapping[str, int],
    cells: int,
    glyphs: Glyphs,
    time_ms: tuple[int, int] | None = None,
) -> list[Content]:
    """The whole budget, then each tier against its limit; tiers without a limit only in use.

    `time_ms` adds how long recall takes of what it may. Where bars would be too short to say
    anything the amounts are written as `365/400`.
    """
    rows = [("total", *total, "")]
    rows += [(tier, used.get(tier, 0), limits[tier], "") for tier in limits]
    rows = [row for row in rows if row[1] or row[2]]
    free = [_unlimited(tier, used[tier], cells) for tier in used if tier not in limits]
    if time_ms is not None:
        rows.append(("time p95", *time_ms, " ms"))

    def widest(joint: str) -> int:
        sizes = [width(f"{taken:,}{joint}{limit:,}{unit}") for _, taken, limit, unit in rows]
        return max(sizes, default=0)

    label = LABEL if cells >= WIDE else NARROW_LABEL
    joint = OF if cells - label - 4 - widest(OF) >= SHORTEST else BRIEF_OF
    lines = [
        budget_line(name, taken, limit, cells, glyphs, widest(joint), joint=joint, unit=unit)
        for name, taken, limit, unit in rows
    ]
    return lines[:-1] + free + lines[-1:] if time_ms is not None else lines + free


def _unlimited(name: str, used: int, cells: int) -> Content:
    label = LABEL if cells >= WIDE else NARROW_LABEL
    return Content.assemble(
        ("  ", ""), (fit(name, label), "$text-muted"), (f"{used:,} tokens", "$foreground")
    ).truncate(max(cells, 0), ellipsis=True)
