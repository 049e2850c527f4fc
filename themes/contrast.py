"""How well one colour is read on another, and what makes it readable."""

from __future__ import annotations

from collections.abc import Iterable

from textual.color import Color

STEP = 0.04  # of the way to white or black that a colour goes at a time
_WHITE, _BLACK = Color(255, 255, 255), Color(0, 0, 0)


def contrast(front: Color, back: Color) -> float:
    """From 1 (the same) to 21 (black on white), as WCAG 2.1 defines it; both opaque."""
    one, other = _luminance(front), _luminance(back)
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def readable(front: Color, grounds: Iterable[Color], least: float, *, is_dark: bool) -> Color:
    """`front`, as far towards white (`is_dark`) or black as its contrast to each ground is `least`.

    Where nothing reaches it, white or black.
    """
    backs, end = tuple(grounds), _WHITE if is_dark else _BLACK
    for step in range(round(1 / STEP)):
        lifted = front.blend(end, step * STEP, 1)
        if all(contrast(lifted, back) >= least for back in backs):
            return lifted
    return end


def _luminance(color: Color) -> float:
    """Relative luminance: 0 for black, 1 for white."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
