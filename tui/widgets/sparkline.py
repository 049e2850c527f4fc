"""Numbers over time as one line of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from ..glyphs import ASCII, Glyphs
from .recall_latency import BLOCKS, PLAIN_BLOCKS, largest_of


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
