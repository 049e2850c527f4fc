"""A score taken apart: steps that begin where the one before ends, and end at the score.

Profiles whose parts are added up and profiles that multiply them are shown alike: each step is
what the part adds to the score so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from textual.content import Content

from ...core.retrieval.ranking import label
from ..glyphs import ASCII, Glyphs
from ..text import cut, fit

REST = "other"
ROUNDING = 0.002  # receipts round the parts
NOTHING = 0.0005  # less would be written as 0.000
LABEL = 12  # cells of a part's name

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

BLOCKS = "█▓▒░"
PLAIN_BLOCKS = "#=+-"
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
    for place, (name, part) in enumerate(parts.items()):
        factor = part if is_product and place else None
        end = so_far * part if factor is not None else so_far + part
        steps.append(Step(name, so_far, end, factor))
        so_far = end
    if abs(so_far - score) > slack:
        steps.append(Step(REST, so_far, score))
    return steps


def ink_of(name: str) -> str:
    """The meaning that colours a part."""
    return INKS.get(name, "score")


def stacked(
    steps: Sequence[Step], cells: int, most: float, glyphs: Glyphs
) -> list[tuple[str, str]]:
    """Pieces of a bar of `cells` cells with the meaning that colours each; `most` fills it."""
    blocks = PLAIN_BLOCKS if glyphs.full == ASCII.full else BLOCKS
    pieces: list[tuple[str, str]] = []
    if most <= 0:
        return [(" " * cells, "")]
    total = max((step.end for step in steps), default=0.0)
    final = steps[-1].end if steps else 0.0
    filled, limit = 0, round(cells * max(min(final / most, 1.0), 0.0))
    if final > 0:
        limit = max(limit, 1)
    for place, step in enumerate(step for step in steps if step.adds > 0):
        ends = min(round(cells * min(step.end / max(most, total), 1.0)), limit)
        if place == 0:
            ends = max(ends, min(1, limit))
        if ends > filled:
            pieces.append((blocks[place % len(blocks)] * (ends - filled), ink_of(step.name)))
            filled = ends
    pieces.append((" " * (cells - filled), ""))
    return pieces


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
    cells = max(min(width - LABEL - numbers - 7, 40), 6)
    most = max((max(step.start, step.end) for step in steps), default=0.0) or 1.0
    lines = [_line(step, cells, most, glyphs) for step in steps if abs(step.adds) >= NOTHING]
    full = round(cells * max(score, 0.0) / most)
    lines.append(
        Content.assemble(
            (fit(total, LABEL), "bold $foreground"),
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
    block = (PLAIN_BLOCKS if glyphs.full == ASCII.full else BLOCKS)[0]
    return Content.assemble(
        (fit(cut(label(step.name), LABEL - 1), LABEL), "$text-muted"),
        (" " * begins, ""),
        (block * (ends - begins), ink),
        (" " * (cells - ends), ""),
        (f"{step.adds:>+8.3f}", "$foreground"),
        (factor, "$text-muted"),
    )
