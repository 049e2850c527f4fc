"""Numbers drawn in cells: over time as blocks, against a limit, and a score taken apart.

A score's steps begin where the one before ends, and end at the score. Profiles whose parts are
added up and profiles that multiply them are shown alike: each step is what the part adds to the
score so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from textual.content import Content

from ...core.recall.ranking import label
from ..glyphs import ASCII, Glyphs
from ..text import cut, fit, width

BLOCKS = "▁▂▃▄▅▆▇█"
PLAIN_BLOCKS = "._-=+*%#"
MOST_CELLS = 40


def largest_of(times: Sequence[float], cells: int) -> list[float]:
    """At most `cells` times: each the slowest of the recalls it stands for."""
    if len(times) <= cells:
        return list(times)
    edges = [len(times) * cell // cells for cell in range(cells + 1)]
    return [max(times[low:high]) for low, high in pairwise(edges)]


def sparkline(numbers: Sequence[float], cells: int, glyphs: Glyphs) -> str:
    """The numbers, oldest first, in at most `cells` cells, the largest as a full block.

    Several that share a cell are shown by the largest of them; nothing at all is a blank.
    """
    if not numbers or cells <= 0:
        return ""
    numbers = largest_of(numbers, cells)
    blocks = PLAIN_BLOCKS if glyphs.full == ASCII.full else BLOCKS
    top = max(numbers)
    return "".join(
        " " if number <= 0 else blocks[min(int(number / top * len(blocks)), len(blocks) - 1)]
        for number in numbers
    )


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


REST = "other"
ROUNDING = 0.002  # receipts round the parts
NOTHING = 0.0005  # less would be written as 0.000
PART_LABEL = 12  # cells of a part's name

INKS: Mapping[str, str] = {
    "words": "score",
    "pinned": "pinned",
    "status": "pinned",
    "working": "candidate",
    "importance": "candidate",
    "recency": "expiring",
    "files": "stale",
    "category": "retired",
}
"""The meaning that colours a part; others have the colour of a score."""

PATTERNS = "█▓▒░"
PLAIN_PATTERNS = "#=+-"
"""Parts beside each other differ by their pattern too."""


@dataclass(frozen=True, slots=True)
class Step:
    """One part of a score."""

    name: str
    start: float  # the score before it
    end: float  # the score with it
    factor: float | None = None  # what it multiplies by, where parts are factors

    @property
    def adds(self) -> float:
        """What it adds to the score; negative where it takes away."""
        return self.end - self.start


def steps_of(parts: Mapping[str, float], score: float) -> list[Step]:
    """The parts of a score as steps from 0 to `score`.

    Parts whose product is the score are factors, all others are added up. What the parts leave
    unexplained is a step called `other`, so that the steps always end at the score.
    """
    slack = max(ROUNDING, abs(score) * 0.01)
    is_sum = abs(sum(parts.values()) - score) <= slack
    is_product = not is_sum and bool(parts) and abs(prod(parts.values()) - score) <= slack
    steps: list[Step] = []
    so_far = 0.0
    for position, (name, part) in enumerate(parts.items()):
        factor = part if is_product and position else None
        end = so_far * part if factor is not None else so_far + part
        steps.append(Step(name, so_far, end, factor))
        so_far = end
    if abs(so_far - score) > slack:
        steps.append(Step(REST, so_far, score))
    return steps


def ink_of(name: str) -> str:
    """The meaning that colours a part."""
    return INKS.get(name, "score")


def waterfall(
    parts: Mapping[str, float], score: float, width: int, glyphs: Glyphs
) -> list[Content]:
    """A line for each part, its bar where the one before ended, and the sum beneath."""
    return laid_out(steps_of(parts, score), score, width, glyphs)


def laid_out(
    steps: Sequence[Step], score: float, width: int, glyphs: Glyphs, total: str = "score"
) -> list[Content]:
    """A line for each step that changes something, and what they come to, called `total`."""
    numbers = 8
    cells = max(min(width - PART_LABEL - numbers - 7, 40), 6)
    most = max((max(step.start, step.end) for step in steps), default=0.0) or 1.0
    lines = [_line(step, cells, most, glyphs) for step in steps if abs(step.adds) >= NOTHING]
    full = round(cells * max(score, 0.0) / most)
    lines.append(
        Content.assemble(
            (fit(total, PART_LABEL), "bold $foreground"),
            (glyphs.full * full, "$text-muted"),
            (" " * (cells - full), ""),
            (f"{score:>{numbers}.3f}", "bold $foreground"),
        )
    )
    return lines


def _line(step: Step, cells: int, most: float, glyphs: Glyphs) -> Content:
    low, high = sorted((step.start, step.end))
    begins = min(round(cells * low / most), cells - 1)
    ends = min(max(round(cells * high / most), begins + 1), cells)
    factor = f" ×{step.factor:.2f}" if step.factor is not None else ""
    if glyphs.full == ASCII.full:
        factor = factor.replace("×", "x")
    ink = f"${ink_of(step.name)}" if step.adds >= 0 else "$text-error"
    block = (PLAIN_PATTERNS if glyphs.full == ASCII.full else PATTERNS)[0]
    return Content.assemble(
        (fit(cut(label(step.name), PART_LABEL - 1), PART_LABEL), "$text-muted"),
        (" " * begins, ""),
        (block * (ends - begins), ink),
        (" " * (cells - ends), ""),
        (f"{step.adds:>+8.3f}", "$foreground"),
        (factor, "$text-muted"),
    )
