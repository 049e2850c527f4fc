"""Numbers over time as one line of blocks; how long recalls took, against the limit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from textual.content import Content

from ...core.retrieval.slo import percentile_95
from ..glyphs import ASCII, Glyphs

BLOCKS = "▁▂▃▄▅▆▇█"
PLAIN_BLOCKS = "._-=+*%#"
MOST_CELLS = 40


def middle(times: Sequence[float]) -> float:
    """The smallest time that at least half of the recalls did not exceed; 0.0 without any."""
    return sorted(times)[(len(times) - 1) // 2] if times else 0.0


def latency_line(
    times: Sequence[float],
    limit_ms: float,
    cells: int,
    glyphs: Glyphs,
    *,
    is_degraded: bool = False,
) -> Content:
    """The last recalls as blocks, oldest first, in `cells` cells; those over the limit stand out.

    Several that share a block are shown by the slowest of them, so that a spike stays one.
    `is_degraded`: recall was too slow and looks at less, which is said too.
    """
    if not times:
        return Content.styled("no retrievals yet", "$text-muted").truncate(cells, ellipsis=True)
    over = sum(time > limit_ms for time in times)
    numbers = f"p50 {_ms(middle(times))}  p95 {_ms(percentile_95(times) or 0.0)}"
    limit = f"limit {limit_ms:,.0f} ms"
    glyph, ink = ("!", "bold $over-budget") if over else ("", "$text-muted")
    says = f"{glyph}{over} over " if over else ""
    slow = "  degraded: looks at less" if is_degraded else ""
    room = min(cells - len(numbers) - len(limit) - len(says) - len(slow) - 6, MOST_CELLS)
    parts = [(f"{numbers}  ", "$foreground"), (says, ink), (limit, "$text-muted")]
    parts.append((slow, "bold $over-budget"))
    if room < 6:
        return Content.assemble(*parts).truncate(cells, ellipsis=True)
    blocks = PLAIN_BLOCKS if glyphs.full == ASCII.full else BLOCKS
    spikes = largest_of(times, room)
    top = max([*spikes, 1.0])
    line = [
        (
            blocks[min(int(time / top * len(blocks)), len(blocks) - 1)],
            "$over-budget" if time > limit_ms else "$score",
        )
        for time in spikes
    ]
    return Content.assemble(*line, ("  ", ""), *parts).truncate(cells, ellipsis=True)


def largest_of(times: Sequence[float], cells: int) -> list[float]:
    """At most `cells` times: each the slowest of the recalls it stands for."""
    if len(times) <= cells:
        return list(times)
    edges = [len(times) * cell // cells for cell in range(cells + 1)]
    return [max(times[low:high]) for low, high in pairwise(edges)]


def _ms(time: float) -> str:
    return f"{time:.1f} ms" if time < 100 else f"{time:,.0f} ms"


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
