"""What leaves, one memory a line; how the store fares and whether it pays, as text to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import dropwhile

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from ....core.retrieval.slo import SLOW_MS, describe
from ....core.services.value import Spent, Told, Value
from ....core.services.vitals import Checkup, Ending
from ....core.values import ms_of
from ...glyphs import Glyphs
from ...text import age, counted, fit, labelled, moment, one_line, plain, width
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
    """How many memories are told of themselves, and how many only when asked for (003-08)."""
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


VALUE_LABEL = 9  # cells of a label
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


def value_text(found: Value, cells: int, glyphs: Glyphs, today: date) -> Content:
    """All there is to say of it, no line wider than `cells`."""
    total = found.total
    if not total.prompts:
        lines = _labelled("told", "nothing in eight weeks", cells)
    else:
        prompts = counted(total.prompts, "time")
        lines = [
            *_labelled("told", f"{total.tokens:,} tokens, {prompts}{_costs(total)}", cells),
            *_labelled("used", _used(total), cells),
            *_labelled("helpful", f"{total.helpful:,}, not helpful {total.unhelpful:,}", cells),
            *_labelled("errors", _errors(total), cells),
            *_hosts(found, cells, glyphs),
            *_days(found, cells, glyphs, today),
            *plain(LEGEND, "$text-muted").wrap(max(cells, 8)),
        ]
    lines += _models(found.spent, cells)
    for one in found.avoided[:MOST_AVOIDED]:
        lines += _labelled("avoided", one_line(one.words), cells)
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
    bar = min(cells - VALUE_LABEL - name - 22, LONGEST_BAR)
    digits = 0 if bar >= 4 else len(f"{most:,}")  # without bars the numbers stand below each other
    lines: list[Content] = []
    for row, one in enumerate(found.hosts):
        full = max(round(bar * one.tokens / most), 1) if bar >= 4 and most else 0
        lines.append(
            Content.assemble(
                (fit("hosts" if not row else "", VALUE_LABEL) + "  ", "$text-muted"),
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
        room = max(cells - VALUE_LABEL - DAYS - 4, 0)
        says = next((one for one in tries if width(one) <= room), tries[-1])
        lines.append(
            Content.assemble(
                (fit("a day" if not lines else "", VALUE_LABEL) + "  ", "$text-muted"),
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
        lines += _labelled(name, f"{says}, {usd(sum(one.cost_usd for one in parts))}", cells)
    return lines or _labelled("models", "none was asked to review or to read", cells)


def _labelled(label: str, text: str, cells: int) -> list[Content]:
    return labelled(label, plain(text), cells, VALUE_LABEL)


def _notes(found: Value, cells: int) -> list[Content]:
    """What is not known."""
    says = []
    if found.unpriced:
        says.append(f"No price is set for {', '.join(found.unpriced)} ([value] in the settings).")
    if found.total.used is None and found.known_since is not None:
        says.append(f"What came of it is noted since {moment(found.known_since)}.")
    return [line for one in says for line in plain(one, "$text-muted").wrap(max(cells, 8))]
