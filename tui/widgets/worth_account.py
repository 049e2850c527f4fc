"""What a memory is worth: its parts as bars, its last thirty days, and the thirty to come.

Pure functions from a `Worth` to `Content`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from ...core.judgements import FACTOR_WORDS, worth_words
from ...core.lifecycle.worth import AHEAD, PLOTTED_DAYS, Worth
from ..glyphs import ASCII, Glyphs
from .recall_parts import Step, laid_out

if TYPE_CHECKING:
    from .account import Account

ROWS = 2  # of the plot
_LEVELS, _PLAIN_LEVELS = " ▁▂▃▄▅▆▇█", " .-=#"


def worth_lines(worth: Worth, account: Account) -> list[Content]:
    """The section of the account: its parts, the plot, and what is to come in numbers."""
    glyphs = account.glyphs
    ahead = ", ".join(f"{worth.ahead(days):.2f} in {days} days" for days in AHEAD)
    return [
        account.section("worth", worth_words(worth)),
        *laid_out(steps_of_worth(worth), worth.worth, account.width, glyphs, "worth"),
        *plot(worth, account.width, glyphs),
        Content.styled(f"unused: {ahead}", "$text-muted"),
    ]


def steps_of_worth(worth: Worth) -> list[Step]:
    """From nothing to the worth: what was given, what each factor moved, what is left of it."""
    steps, so_far = [Step("given", 0.0, worth.base)], worth.base
    for name, moved in worth.moved.items():
        end = min(1.0, max(0.0, so_far + moved))
        steps.append(Step(FACTOR_WORDS[name], so_far, end))
        so_far = end
    for name, left in (("quiet", worth.fading), ("use", worth.use), ("trial", worth.trial)):
        steps.append(Step(name, so_far, so_far * left, left))
        so_far *= left
    return steps


def plot(worth: Worth, width: int, glyphs: Glyphs) -> list[Content]:
    """The past up to today, and behind a line what is to come if nobody uses it."""
    is_plain = glyphs.full == ASCII.full
    half = max(1, min(PLOTTED_DAYS, (width - 1) // 2))
    past, coming = _squeezed(worth.past, half), _squeezed(worth.forecast, half)
    top = max((*past, *coming), default=0.0) or 1.0
    levels = _PLAIN_LEVELS if is_plain else _LEVELS
    drawn = []
    for row in range(ROWS - 1, -1, -1):
        drawn.append(
            Content.assemble(
                (" " * (half - len(past)), ""),
                ("".join(_cell(value / top, row, levels) for value in past), "$score"),
                ("|" if is_plain else "│", "$text-disabled"),
                ("".join(_cell(value / top, row, levels) for value in coming), "$text-muted"),
            )
        )
    says = f"{len(worth.past) - 1}d ago" if len(worth.past) > 1 else "today"
    end = f"+{PLOTTED_DAYS}d"
    legend = says.rjust(min(half, half - len(past) + len(says)))
    legend = f"{legend[:half]:<{half}} {end:>{half}}"
    return [*drawn, Content.styled(legend, "$text-muted")]


def _squeezed(values: Sequence[float], most: int) -> list[float]:
    """At most `most` of the values, evenly, the last one among them."""
    if len(values) <= most:
        return list(values)
    step = len(values) / most
    return [values[len(values) - 1 - int(n * step)] for n in range(most)][::-1]


def _cell(share: float, row: int, levels: str) -> str:
    """One cell of a bar that fills `share` of `ROWS` rows; row 0 is the lowest."""
    filled = min(1.0, max(0.0, share * ROWS - row))
    return levels[round(filled * (len(levels) - 1))]
