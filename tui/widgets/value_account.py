"""Whether it pays, as text to read: what was told, what came of it, and what it cost."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

from textual.content import Content

from ...core.services.value import Spent, Told, Value
from ..glyphs import Glyphs
from ..text import counted, fit, moment, one_line, plain, width
from .sparkline import sparkline
from .text_pane import TextPane

LABEL = 9  # cells of a label
DAYS = 14
MOST_AVOIDED = 5
LONGEST_BAR = 20
LEGEND = "bars: tokens of a host; blocks: a day each, today last"


class ValuePane(TextPane):
    """What was told, and what came of it."""

    HELP = """\
## Value
What agents were told in the last eight weeks, how much of it their answers used or you called
helpful, which known errors did not come again where their lesson was followed, and what it cost.
Arrows scroll.
"""


def account(found: Value, cells: int, glyphs: Glyphs, today: date) -> Content:
    """All there is to say of it, no line wider than `cells`."""
    total = found.total
    if not total.prompts:
        lines = _row("told", "nothing in eight weeks", cells)
    else:
        prompts = counted(total.prompts, "time")
        lines = [
            *_row("told", f"{total.tokens:,} tokens, {prompts}{_costs(total)}", cells),
            *_row("used", _used(total), cells),
            *_row("helpful", f"{total.helpful:,}, not helpful {total.unhelpful:,}", cells),
            *_row("errors", _errors(total), cells),
            *_hosts(found, cells, glyphs),
            *_days(found, cells, glyphs, today),
            *plain(LEGEND, "$text-muted").wrap(max(cells, 8)),
        ]
    lines += _models(found.spent, cells)
    for one in found.avoided[:MOST_AVOIDED]:
        lines += _row("avoided", one_line(one.words), cells)
    return Content("\n").join([*lines, *_notes(found, cells)])


def usd(dollars: float) -> str:
    """Dollars, in full cents from ten of them on."""
    return f"${dollars:,.2f}" if dollars >= 0.1 or not dollars else f"${dollars:.4f}"


def _costs(told: Told) -> str:
    return "" if told.cost_usd is None else f", {usd(told.cost_usd)}"


def _used(told: Told) -> str:
    if told.used is None or told.share is None:
        return f"not known, of {told.memories:,} told"
    return f"{told.used:,} of {told.memories:,} told; {told.share:.0%} used or called helpful"


def _errors(told: Told) -> str:
    if told.avoided is None or told.came_again is None:
        return "not known"
    return f"{told.avoided:,} known avoided, {told.came_again:,} came again"


def _hosts(found: Value, cells: int, glyphs: Glyphs) -> list[Content]:
    """Tokens and cost by host."""
    most = max(one.tokens for one in found.hosts)
    name = max(width(one.host) for one in found.hosts)
    bar = min(cells - LABEL - name - 22, LONGEST_BAR)
    digits = 0 if bar >= 4 else len(f"{most:,}")  # without bars the numbers stand below each other
    lines: list[Content] = []
    for row, one in enumerate(found.hosts):
        full = max(round(bar * one.tokens / most), 1) if bar >= 4 and most else 0
        lines.append(
            Content.assemble(
                (fit("hosts" if not row else "", LABEL) + "  ", "$text-muted"),
                plain(fit(one.host, name) + "  "),
                (glyphs.full * full, "$score"),
                (f"{'  ' if full else ''}{one.tokens:>{digits},}{_costs(one)}", "$foreground"),
            ).truncate(max(cells, 0), ellipsis=True)
        )
    return lines


def _days(found: Value, cells: int, glyphs: Glyphs, today: date) -> list[Content]:
    """Tokens a day, of each host, in the last two weeks."""
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    by: Counter[tuple[str, date]] = Counter()
    for one in found.days:
        by[one.host, one.day] += one.tokens
    lines: list[Content] = []
    for host in (one.host for one in found.hosts):
        numbers = [by[host, day] for day in days]
        if not any(numbers):
            continue
        line = sparkline(numbers, DAYS, glyphs)
        now, most = numbers[-1], max(numbers)
        tries = (
            f"{host}, {now:,} today, most {most:,}",
            f"{host} {now:,}, most {most:,}",
            f"{host} {now:,}",
        )
        room = max(cells - LABEL - DAYS - 4, 0)
        says = next((one for one in tries if width(one) <= room), tries[-1])
        lines.append(
            Content.assemble(
                (fit("a day" if not lines else "", LABEL) + "  ", "$text-muted"),
                (line, "$score"),
                plain(f"  {says}"),
            ).truncate(max(cells, 0), ellipsis=True)
        )
    return lines


def _models(spent: tuple[Spent, ...], cells: int) -> list[Content]:
    """What reviewers and the extractor took, in all projects."""
    lines: list[Content] = []
    for what, name in (("review", "reviewers"), ("extractor", "extractor")):
        parts = [one for one in spent if one.what == what]
        if not parts:
            continue
        tokens = sum(one.tokens or 0 for one in parts)
        calls = counted(sum(one.calls for one in parts), "call")
        says = f"{calls}{f', {tokens:,} tokens' if tokens else ''}"
        lines += _row(name, f"{says}, {usd(sum(one.cost_usd for one in parts))}", cells)
    return lines or _row("models", "none was asked to review or to read", cells)


def _notes(found: Value, cells: int) -> list[Content]:
    """What is not known."""
    says = []
    if found.unpriced:
        says.append(f"No price is set for {', '.join(found.unpriced)} ([value] in the settings).")
    if found.total.used is None and found.known_since is not None:
        says.append(f"What came of it is noted since {moment(found.known_since)}.")
    return [line for one in says for line in plain(one, "$text-muted").wrap(max(cells, 8))]


def _row(label: str, text: str, cells: int) -> list[Content]:
    """The text behind its label; what does not fit goes on beneath itself."""
    return [
        Content.assemble((fit(label if not row else "", LABEL) + "  ", "$text-muted"), line)
        for row, line in enumerate(plain(text).wrap(max(cells - LABEL - 2, 8)))
    ]
