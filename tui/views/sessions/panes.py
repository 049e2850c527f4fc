"""Sessions one a line, under the headings of their days, agents or lines of forks; and one in full.

Text is made from values alone. What is clicked leads to a memory or to another session.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from ....core.answers import Receipt
from ....core.clock import to_ms
from ....core.services.sessions import SessionDetail, SessionName, SessionOverview
from ....core.values import Memory
from ...glyphs import Glyphs
from ...text import age, counted, cut, fit, moment, one_line, plain
from ...widgets.account import Account
from ...widgets.recall_rows import occasion
from ...widgets.text_pane import TextPane
from ...widgets.virtual_list import LEAD, Look, VirtualList

WHEN_WIDTH, AGENT_WIDTH = 6, 8
NAME_WANTED = 34  # cells a name should have before the columns say in words what they count


@dataclass(frozen=True, slots=True)
class Column:
    """What a session came to: how it is said with a glyph, and in words."""

    name: str
    cells: int
    cells_in_words: int


COLUMNS = (
    Column("tokens", 7, 8),
    Column("told", 4, 9),
    Column("kept", 4, 11),
    Column("open", 4, 7),
    Column("undecided", 3, 12),
)
WORDS = {"told": "told", "kept": "learned", "open": "open", "undecided": "to decide"}
LEAVING = ("tokens", "told", "kept", "undecided", "open")
"""The columns in the order in which they leave as the list grows narrow."""

NO_GOAL = "no prompt was kept"
NAME_LEAST = 22  # cells a name keeps, whatever else has to leave
NAME_BEFORE_TOKENS = 30  # it keeps beside a number that the session says in full


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session, by a number of its own."""

    num: int
    course: SessionOverview
    is_fork: bool = False  # of a session that stands under the same heading

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.is_fork, self.course))


class SessionList(VirtualList[SessionRow]):
    """Sessions as rows."""

    HELP = """\
## Sessions
Every session of your agents, the newest first: what it was asked, how many memories it was told
(`↓`) and left behind (`↑`), what it left open (`□`), and what waits for your verdict (`≠`). `└` is
a fork. `enter` goes to its memories, `I` to what it was told, `b` to its transcript.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(glyphs, id=id)
        self.by = "day"  # what the headings say: a line says the rest

    def set_now(self, now: datetime, *, by: str = "day") -> None:
        """The moment that ages are counted from, and what the headings say."""
        self.now, self.by = now, by
        self.forget_paint()

    @property
    def legend(self) -> str:
        """What the glyphs of the columns mean; "" where words say it."""
        columns, in_words = columns_in(self.size.width)
        signs = _signs(self.glyphs)
        told = (f"{signs[one.name]} {WORDS[one.name]}" for one in columns if one.name in signs)
        return "" if in_words else " ".join(told)

    def draw_row(self, row: SessionRow, look: Look) -> Strip:
        course = row.course
        muted = self._ink(look, "muted")
        columns, in_words = columns_in(look.width)
        name_cells = look.width - LEAD - WHEN_WIDTH - AGENT_WIDTH - 2
        parts = []
        for column in columns:
            cells = column.cells_in_words if in_words else column.cells
            says = said(column.name, course, self.glyphs, in_words=in_words)
            ink = {"open": "open", "undecided": "conflict"}.get(column.name, "muted")
            parts.append(Segment(" " + fit(says, cells, right=True), self._ink(look, ink)))
            name_cells -= cells + 1
        name = course.session.goal or course.session.summary.partition("\n")[0] or NO_GOAL
        name = f"{self.glyphs.fork} {name}" if row.is_fork else name
        own = self._ink(look) if course.session.goal else muted
        segments = [
            Segment(self._when(course).rjust(WHEN_WIDTH) + " ", muted),
            Segment(fit(course.session.agent, AGENT_WIDTH) + " ", muted),
            Segment(fit(name, max(name_cells, 1)), own),
            *parts,
        ]
        return self._line_of(look, segments)

    def _when(self, course: SessionOverview) -> str:
        """The hour it began, or the day, local time; else how long ago that was."""
        began = course.began_at.astimezone()
        if self.by == "day":
            return f"{began:%H:%M}"
        return f"{began:%a} {began.day:>2}" if self.by == "week" else self._age(began)

    def _age(self, moment: datetime) -> str:
        return age(to_ms(moment), to_ms(self.now) or 0)


def columns_in(cells: int) -> tuple[list[Column], bool]:
    """The columns there is room for beside the name, and whether they may use words."""
    room = cells - LEAD - WHEN_WIDTH - AGENT_WIDTH - 2
    if room - sum(one.cells_in_words + 1 for one in COLUMNS) >= NAME_WANTED:
        return list(COLUMNS), True
    kept = list(COLUMNS)
    for name in LEAVING:
        least = NAME_BEFORE_TOKENS if name == "tokens" else NAME_LEAST
        if room - sum(one.cells + 1 for one in kept) >= least:
            break
        kept = [one for one in kept if one.name != name]
    return kept, False


def said(name: str, course: SessionOverview, glyphs: Glyphs, *, in_words: bool) -> str:
    """What a column says of a session; "" for nothing."""
    number = {
        "tokens": course.tokens,
        "told": course.injected,
        "kept": course.learned,
        "open": course.open,
        "undecided": course.undecided,
    }[name]
    if not number:
        return ""
    short = f"{number:,}" if in_words or number < 10_000 else f"{number / 1000:.0f}k"
    if name == "tokens":
        return f"{short}t"
    return f"{short} {WORDS[name]}" if in_words else f"{_signs(glyphs)[name]}{short}"


def _signs(glyphs: Glyphs) -> dict[str, str]:
    """The glyph of each column that has one."""
    return {
        "told": glyphs.down,
        "kept": glyphs.up,
        "open": glyphs.open,
        "undecided": glyphs.conflict,
    }


MOST_SHOWN = 40
"""Prompts, and memories, that are listed of one session; the keys lead to all of them."""


class SessionAccount:
    """Writes a session as `by` writes a memory."""

    def __init__(self, by: Account) -> None:
        self._by, self.cells, self.glyphs = by, by.width, by.glyphs

    def of(self, opened: SessionDetail) -> Content:
        """The whole account, from what it was asked down to its ids."""
        parts = (
            self._head(opened),
            self._told(opened),
            self._learned(opened),
            self._left_open(opened),
            self._spent(opened),
            self._went_on(opened),
            self._summary(opened),
            self._details(opened),
        )
        lines: list[Content] = []
        for part in map(list, parts):
            lines += [Content(""), *part] if lines and part else part
        return Content("\n").join(lines)

    # -- the parts

    def _head(self, opened: SessionDetail) -> Iterator[Content]:
        session = opened.overview.session
        yield plain(opened.overview.name, "bold $text")
        said = [session.agent, _span(opened.overview)]
        said += [counted(session.messages, "message")] if session.messages else []
        said += ["taken down no more: incognito"] if session.is_incognito else []
        yield plain(" · ".join(one for one in said if one), "$text-muted")

    def _told(self, opened: SessionDetail) -> Iterator[Content]:
        """Each prompt, and what it was told."""
        if not opened.receipts:
            yield self._by.section("asked and told", "nothing was told")
            return
        told = [one for one in opened.receipts if one.items]
        yield self._by.section("asked and told", counted(len(told), "time"))
        for receipt in opened.receipts[-MOST_SHOWN:]:
            yield from self._prompt(receipt, opened.overview)
        yield from self._more(len(opened.receipts) - MOST_SHOWN, "I shows them")

    def _prompt(self, receipt: Receipt, course: SessionOverview) -> Iterator[Content]:
        told_at, began = receipt.at.astimezone(), course.began_at.astimezone()
        is_later = told_at.date() != began.date()
        when = f"{told_at:%d %b %H:%M} " if is_later else f"{told_at:%H:%M} "
        number = f" {self.glyphs.down}{len(receipt.items)}" if receipt.items else ""
        ink = "" if receipt.prompt else "$text-muted"
        says = cut(one_line(occasion(receipt)), self.cells - len(when) - len(number))
        yield Content.assemble((when, "$text-muted"), plain(says, ink), (number, "$text-muted"))

    def _learned(self, opened: SessionDetail) -> Iterator[Content]:
        waiting = opened.overview.waiting
        said = counted(len(opened.memories), "memory", "memories") if opened.memories else "nothing"
        said += f", {waiting:,} in the Inbox" if waiting else ""
        yield self._by.section("learned", said)
        todos = {one.id for one in opened.todos}
        listed = [one for one in opened.memories if one.id not in todos]
        for memory in listed[:MOST_SHOWN]:
            yield self._link(memory)
        yield from self._more(len(listed) - MOST_SHOWN, "enter shows them")

    def _left_open(self, opened: SessionDetail) -> Iterator[Content]:
        """What is to be done, what its agent's list holds, and what waits for a verdict."""
        left = [*opened.todos, *opened.tasks]
        if not left and not opened.conflicts:
            return
        yield self._by.section("left open")
        for memory in left[:MOST_SHOWN]:
            yield self._link(memory, self.glyphs.open, "$candidate")
            if why := _waits_for(memory):
                yield plain(fit("", 4) + cut(why, self.cells - 4), "$text-muted")
        for one in opened.conflicts[:MOST_SHOWN]:
            mine = opened.overview.session.id
            first, second = one.first, one.second
            own, other = (first, second) if first.origin.session == mine else (second, first)
            yield self._link(own, self.glyphs.conflict, "$conflict")
            against = f"against {one_line(other.title)}"
            yield plain(fit("", 4) + cut(against, self.cells - 4), "$text-muted")

    def _spent(self, opened: SessionDetail) -> Iterator[Content]:
        course, activity = opened.overview, opened.activity
        told = (
            f"{course.tokens:,} tokens, {counted(course.injected, 'memory', 'memories')}"
            if course.tokens
            else "nothing"
        )
        tools = counted(activity.tools, "call") if activity.tools else ""
        tools += f", {activity.failures:,} failed" if tools and activity.failures else ""
        read = (
            f"{counted(opened.model_calls, 'call')} of a model, {opened.model_tokens:,} tokens"
            if opened.model_calls
            else ""
        )
        read += f", ${opened.model_cost_usd:.2f}" if opened.model_cost_usd else ""
        yield self._by.section("spent")
        yield from self._fields(
            ("told", told),
            ("tools", tools),
            ("last fault", activity.last_failure if tools else ""),
            ("read by", read),
        )

    def _went_on(self, opened: SessionDetail) -> Iterator[Content]:
        if opened.parent is None and not opened.forks:
            return
        yield self._by.section("forks")
        if opened.parent is not None:
            yield self._session("forked from", opened.parent)
        for fork in opened.forks:
            yield self._session("goes on in", fork)

    def _summary(self, opened: SessionDetail) -> Iterator[Content]:
        if summary := opened.overview.session.summary:
            yield self._by.section("summary")
            yield plain(summary)

    def _details(self, opened: SessionDetail) -> Iterator[Content]:
        """What a machine calls it, and where it ran."""
        session = opened.overview.session
        line = f":{opened.line}" if opened.line else ""
        ended = moment(session.ended_at) if session.ended_at else "not reported"
        ended += f", {session.end_reason}" if session.end_reason else ""
        yield self._by.section("details")
        yield from self._fields(
            ("began", moment(session.started_at) + (f", {session.source}" * bool(session.source))),
            ("ended", ended),
            ("captured", f"{session.captures:,}, {session.refused:,} refused"),
            ("folder", session.cwd or ""),
            ("transcript", f"{opened.transcript}{line}" if opened.transcript else ""),
            ("id", session.id),
        )

    # -- small parts

    def _fields(self, *rows: tuple[str, str]) -> list[Content]:
        return self._by.fields(*((name, one_line(value)) for name, value in rows))

    def _link(self, memory: Memory, glyph: str = "", ink: str = "") -> Content:
        """A memory that can be clicked, with what it is."""
        if not glyph:
            glyph, ink = _standing(memory, self.glyphs)
        title = plain(cut(memory.title or memory.content, self.cells - 2), "$text-accent")
        goes = Style.from_meta({"memdeck_memory": memory.id})
        return Content.assemble((fit(glyph, 2), ink), title.stylize(goes))

    def _session(self, what: str, name: SessionName) -> Content:
        title = cut(f"{name.agent}: {name.name}", max(self.cells - len(what) - 2, 8))
        goes = Style.from_meta({"memdeck_session": name.id})
        return Content.assemble(
            (f"{what}  ", "$text-muted"), plain(title, "$text-accent").stylize(goes)
        )

    def _more(self, number: int, how: str) -> Iterator[Content]:
        if number > 0:
            yield plain(f"and {number:,} more: {how}", "$text-muted")


def _standing(memory: Memory, glyphs: Glyphs) -> tuple[str, str]:
    """The glyph of a memory, and its colour."""
    if memory.in_conflict:
        return glyphs.conflict, "$conflict"
    if memory.status == "pinned":
        return glyphs.pinned, "$pinned"
    if memory.status == "candidate":
        return glyphs.candidate, "$candidate"
    return "", ""


def _waits_for(memory: Memory) -> str:
    """What holds a todo up: a condition, or a day; "" for nothing."""
    is_day = memory.details.get("trigger_type") == "time"  # which `due` says
    condition = None if is_day and memory.due else memory.details.get("trigger_condition")
    said = [f"waits for {one_line(str(condition))}"] if condition else []
    said += [f"due {memory.due.astimezone():%d %b %Y}"] if memory.due else []
    return ", ".join(said)


def _span(course: SessionOverview) -> str:
    """When it began and ended, local time, and how long that took."""
    began = course.began_at.astimezone()
    end = course.session.ended_at
    said = f"{began:%d %b %Y %H:%M}".lstrip("0")
    if end is None:
        return f"{said}, no end was reported"
    ended = end.astimezone()
    until = f"{ended:%H:%M}" if ended.date() == began.date() else f"{ended:%d %b %H:%M}"
    return f"{said} to {until}, {_length(ended - began)}"


def _length(span: timedelta) -> str:
    minutes = max(int(span.total_seconds()) // 60, 0)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return counted(hours // 24, "day")


class SessionPane(TextPane):
    """One session in full."""

    HELP = """\
## Session
What it was asked and told, what it learned and left open, what it spent, and where it went on.
`j` and `k` scroll.
"""
