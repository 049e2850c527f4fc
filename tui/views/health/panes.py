"""What leaves, one memory a line; how the store fares, as text to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import dropwhile

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from ....core.recall.receipt import SLOW_MS, describe
from ....core.services.vitals import Checkup, Ending
from ....core.values import ms_of
from ...glyphs import Glyphs
from ...text import age, counted, fit, plain
from ...widgets.bars import budget_line, fills, largest_of, sparkline
from ...widgets.text_pane import TextPane
from ...widgets.virtual_list import LEAD, Look, VirtualList

WHEN_WIDTH = 9
LEAST_TITLE, LEAST_WHY = 24, 18
MOST_TITLE = 76  # cells that a title takes: on a wall the reason stands beside it, not far off


def within(ending: Ending) -> str:
    """When it leaves, in words of eight cells at most."""
    return f"{ending.within_days} days" if ending.within_days else "now"


@dataclass(frozen=True, slots=True)
class EndingRow:
    """One memory that leaves."""

    ending: Ending

    @property
    def num(self) -> int:
        """The memory's row number."""
        return self.ending.num

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.ending.title, self.ending.why, self.ending.within_days))


class EndingList(VirtualList[EndingRow]):
    """Memories that leave, the soonest first."""

    HELP = """\
## What leaves
What upkeep will retire or change by itself, and why: with its next run, in 7 days, in 30 days, as
things stand. `s` keeps the memory under the cursor: you stand for it from then on.
"""

    def draw_row(self, row: EndingRow, look: Look) -> Strip:
        ending = row.ending
        when_ink = {0: "warning", 7: "soon"}.get(ending.within_days, "muted")
        title, why = columns_in(look.width)
        segments = [
            Segment(fit(within(ending), WHEN_WIDTH), self._ink(look, when_ink)),
            Segment(fit(ending.title, title), self._ink(look)),
        ]
        if why:
            segments.append(Segment("  " + fit(ending.why, why), self._ink(look, "muted")))
        return self._line_of(look, segments)


def columns_in(cells: int) -> tuple[int, int]:
    """Cells for the title and for the reason; the reason has a place once both can say much."""
    room = max(cells - LEAD - WHEN_WIDTH, 0)
    why = room * 2 // 5 - 2
    if why < LEAST_WHY or room - why - 2 < LEAST_TITLE:
        return room, 0
    title = min(room - why - 2, MOST_TITLE)
    return title, room - title - 2


HEALTH_LABEL = 11  # cells of a label
MONTH = 4  # weeks
LONGEST_PART = 24


class HealthPane(TextPane):
    """How the store fares."""

    HELP = """\
## Health
How full the project is, how it grew, how quick recall is, what the store takes on disk, and when
upkeep ran. Arrows scroll.
"""


def health_text(seen: Checkup, cells: int, glyphs: Glyphs, now: datetime) -> Content:
    """All there is to say of it, no line wider than `cells`."""
    lines = [
        budget_line("automatic", seen.ageing, seen.limit, cells, glyphs),
        *_row("", _counts(seen), cells, "$text-muted"),
        *_row("tiers", _tiers(seen), cells),
        *_growth(seen, cells, glyphs),
        *_recall(seen, cells, glyphs),
        *_row("index", _index(seen), cells, "" if _is_whole(seen) else "$text-warning"),
        *_row("spool", _spool(seen), cells, "$text-warning" if seen.failed else ""),
        *_row("upkeep", _upkeep(seen, now), cells),
    ]
    if seen.held_back:
        lines += _row("", seen.held_back, cells, "$text-warning")
    return Content("\n").join([*lines, *_parts(seen, cells, glyphs), *_legend(cells, glyphs)])


def _legend(cells: int, glyphs: Glyphs) -> list[Content]:
    """What each bar means, and the signs before it."""
    says = f"{fills(glyphs)}; blocks: weeks, recalls"
    return plain(says, "$text-muted").wrap(max(cells, 8))


def _counts(seen: Checkup) -> str:
    """How many memories there are, and how many the limit does not count."""
    stay = max(seen.stats.total_count - seen.ageing, 0)
    total = counted(seen.stats.total_count, "memory", "memories")
    return f"{total}, {stay:,} never age; {seen.stats.retired:,} retired"


def _tiers(seen: Checkup) -> str:
    """How many memories are told of themselves, and how many only when asked for."""
    return ", ".join(f"{number:,} {name}" for name, number in seen.stats.by_tier.items())


def _growth(seen: Checkup, cells: int, glyphs: Glyphs) -> list[Content]:
    """The number of memories over the weeks."""
    counts = [count for _, count in seen.growth]
    change = counts[-1] - counts[-1 - MONTH]
    counts = list(dropwhile(lambda count: not count, counts))  # before there was anything
    says = f"{change:+,} in {MONTH} weeks"
    room = min(cells - HEALTH_LABEL - 4 - len(says), len(counts))
    return [_line("growth", _drawn(counts[-room:] if room >= 4 else [], says, glyphs), cells)]


def _drawn(
    numbers: Sequence[float], says: str, glyphs: Glyphs, ink: str = "$foreground"
) -> Content:
    """A line of blocks with words behind it, or the words alone."""
    line = sparkline(numbers, len(numbers), glyphs)
    return Content.assemble((line, "$score"), ("  " if line else "", ""), (says, ink))


def _recall(seen: Checkup, cells: int, glyphs: Glyphs) -> list[Content]:
    """The last recalls' times, and how they stand to the limit."""
    over = sum(time > SLOW_MS for time in seen.latencies)
    says = f"{over} over {SLOW_MS} ms" if over else f"slow over {SLOW_MS} ms"
    room = cells - HEALTH_LABEL - 4 - len(says)
    times = largest_of(seen.latencies, room) if room >= 4 else []
    drawn = _drawn(times, says, glyphs, "bold $over-budget" if over else "$foreground")
    line = _line("recall", drawn, cells)
    return [line, *_row("", describe(seen.health), cells, _ink(seen.health.state))]


def _ink(state: str) -> str:
    return {"healthy": "$text-success", "slow": "bold $over-budget"}.get(state, "$text-muted")


def _is_whole(seen: Checkup) -> bool:
    return seen.indexed == seen.memories


def _index(seen: Checkup) -> str:
    if _is_whole(seen):
        return f"{counted(seen.indexed, 'text')}, as many as memories"
    return f"{seen.indexed:,} texts of {seen.memories:,} memories: memdeck rebuild"


def _spool(seen: Checkup) -> str:
    waits = f"{size(seen.notes)} of notes" if seen.notes else "empty"
    return f"{waits}, {seen.failed:,} set aside: memdeck doctor" if seen.failed else waits


def _upkeep(seen: Checkup, now: datetime) -> str:
    if seen.maintained_at is None:
        return "never ran here; it comes after a session that was read"
    then_ms, now_ms = (ms_of(one) for one in (seen.maintained_at, now))
    ago = age(then_ms, now_ms).strip()
    ran = "ran just now" if ago == "now" else f"ran {ago} ago"
    return f"{ran}; due after the next session" if seen.is_due else f"{ran}; once a day"


def _parts(seen: Checkup, cells: int, glyphs: Glyphs) -> list[Content]:
    """What the home takes on disk, part by part."""
    total = sum(number for _, number in seen.parts)
    lines = [*_row("on disk", size(total), cells)]
    largest = max((number for _, number in seen.parts), default=0)
    bar = min(cells - HEALTH_LABEL - 12, LONGEST_PART)
    for name, number in seen.parts:
        if not number:
            continue
        full = max(round(bar * number / largest), 1) if bar >= 4 else 0
        lines.append(
            Content.assemble(
                ("  " + fit(name, HEALTH_LABEL), "$text-muted"),
                (glyphs.full * full, "$score"),
                (("  " if full else "") + size(number), "$foreground"),
            ).truncate(max(cells, 0), ellipsis=True)
        )
    return lines


def size(number: int) -> str:
    """Bytes in a unit that a person reads: `812 B`, `4.2 MB`."""
    amount, unit = float(number), "B"
    for larger in ("kB", "MB", "GB"):
        if amount < 1_000:
            break
        amount, unit = amount / 1_000, larger
    return f"{amount:,.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:,.1f} {unit}"


def _line(label: str, value: Content, cells: int) -> Content:
    line = Content.assemble(("  " + fit(label, HEALTH_LABEL), "$text-muted"), value)
    return line.truncate(max(cells, 0), ellipsis=True)


def _row(label: str, text: str, cells: int, style: str = "") -> list[Content]:
    """The text behind its label; what does not fit goes on beneath itself."""
    return [
        Content.assemble(("  " + fit(label if not row else "", HEALTH_LABEL), "$text-muted"), line)
        for row, line in enumerate(plain(text, style).wrap(max(cells - HEALTH_LABEL - 2, 8)))
    ]
