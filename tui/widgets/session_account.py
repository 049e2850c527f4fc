"""One session in full, and its pane: asked, told, learned, left open, spent; ids at the end.

Pure functions from values to `Content`. What is clicked leads to a memory or to another session.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from textual.content import Content
from textual.style import Style

from ...core.answers import Receipt
from ...core.services.chronicle import Course, OpenedSession, SessionName
from ...core.values import Memory
from ..glyphs import Glyphs
from ..text import counted, cut, fit, moment, one_line, plain
from .recall_receipts import occasion
from .text_pane import TextPane

LABEL = 11  # cells of a label
MOST_SHOWN = 40
"""Prompts, and memories, that are listed of one session; the keys lead to all of them."""


class SessionAccount:
    """Writes a session for a pane of `cells` cells."""

    def __init__(self, cells: int, glyphs: Glyphs) -> None:
        self.cells = max(cells, 16)
        self.glyphs = glyphs

    def of(self, opened: OpenedSession) -> Content:
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

    def _head(self, opened: OpenedSession) -> Iterator[Content]:
        session = opened.course.session
        yield plain(opened.course.name, "bold $text")
        said = [session.agent, _span(opened.course)]
        said += [counted(session.messages, "message")] if session.messages else []
        said += ["taken down no more: incognito"] if session.is_incognito else []
        yield plain(" · ".join(one for one in said if one), "$text-muted")

    def _told(self, opened: OpenedSession) -> Iterator[Content]:
        """Each prompt, and what it was told."""
        if not opened.receipts:
            yield self._section("asked and told", "nothing was told")
            return
        told = [one for one in opened.receipts if one.items]
        yield self._section("asked and told", counted(len(told), "time"))
        for receipt in opened.receipts[-MOST_SHOWN:]:
            yield from self._prompt(receipt, opened.course)
        yield from self._more(len(opened.receipts) - MOST_SHOWN, "I shows them")

    def _prompt(self, receipt: Receipt, course: Course) -> Iterator[Content]:
        told_at, began = receipt.at.astimezone(), course.began_at.astimezone()
        is_later = told_at.date() != began.date()
        when = f"{told_at:%d %b %H:%M} " if is_later else f"{told_at:%H:%M} "
        number = f" {self.glyphs.down}{len(receipt.items)}" if receipt.items else ""
        ink = "" if receipt.prompt else "$text-muted"
        says = cut(one_line(occasion(receipt)), self.cells - len(when) - len(number))
        yield Content.assemble((when, "$text-muted"), plain(says, ink), (number, "$text-muted"))

    def _learned(self, opened: OpenedSession) -> Iterator[Content]:
        waiting = opened.course.waiting
        said = counted(len(opened.memories), "memory", "memories") if opened.memories else "nothing"
        said += f", {waiting:,} in the Inbox" if waiting else ""
        yield self._section("learned", said)
        todos = {one.id for one in opened.todos}
        listed = [one for one in opened.memories if one.id not in todos]
        for memory in listed[:MOST_SHOWN]:
            yield self._link(memory)
        yield from self._more(len(listed) - MOST_SHOWN, "enter shows them")

    def _left_open(self, opened: OpenedSession) -> Iterator[Content]:
        """What is to be done, what its agent's list holds, and what waits for a verdict."""
        left = [*opened.todos, *opened.tasks]
        if not left and not opened.conflicts:
            return
        yield self._section("left open")
        for memory in left[:MOST_SHOWN]:
            yield self._link(memory, self.glyphs.open, "$candidate")
            if why := _waits_for(memory):
                yield plain(fit("", 4) + cut(why, self.cells - 4), "$text-muted")
        for one in opened.conflicts[:MOST_SHOWN]:
            mine = opened.course.session.id
            first, second = one.first, one.second
            own, other = (first, second) if first.origin.session == mine else (second, first)
            yield self._link(own, self.glyphs.conflict, "$conflict")
            against = f"against {one_line(other.title)}"
            yield plain(fit("", 4) + cut(against, self.cells - 4), "$text-muted")

    def _spent(self, opened: OpenedSession) -> Iterator[Content]:
        course, activity = opened.course, opened.activity
        told = (
            f"{course.tokens:,} tokens, {counted(course.told, 'memory', 'memories')}"
            if course.tokens
            else "nothing"
        )
        used = "" if course.used is None or not course.told else f"{course.used:,} of them"
        tools = counted(activity.tools, "call") if activity.tools else ""
        tools += f", {activity.failures:,} failed" if tools and activity.failures else ""
        read = (
            f"{counted(opened.model_calls, 'call')} of a model, {opened.model_tokens:,} tokens"
            if opened.model_calls
            else ""
        )
        read += f", ${opened.model_cost_usd:.2f}" if opened.model_cost_usd else ""
        yield self._section("spent")
        yield from self._fields(
            ("told", told),
            ("used", used),
            ("tools", tools),
            ("last fault", activity.last_failure if tools else ""),
            ("read by", read),
        )

    def _went_on(self, opened: OpenedSession) -> Iterator[Content]:
        if opened.parent is None and not opened.forks:
            return
        yield self._section("forks")
        if opened.parent is not None:
            yield self._session("forked from", opened.parent)
        for fork in opened.forks:
            yield self._session("goes on in", fork)

    def _summary(self, opened: OpenedSession) -> Iterator[Content]:
        if summary := opened.course.session.summary:
            yield self._section("summary")
            yield plain(summary)

    def _details(self, opened: OpenedSession) -> Iterator[Content]:
        """What a machine calls it, and where it ran."""
        session = opened.course.session
        line = f":{opened.line}" if opened.line else ""
        ended = moment(session.ended_at) if session.ended_at else "not reported"
        ended += f", {session.end_reason}" if session.end_reason else ""
        yield self._section("details")
        yield from self._fields(
            ("began", moment(session.started_at) + (f", {session.source}" * bool(session.source))),
            ("ended", ended),
            ("captured", f"{session.captures:,}, {session.refused:,} refused"),
            ("folder", session.cwd or ""),
            ("transcript", f"{opened.transcript}{line}" if opened.transcript else ""),
            ("id", session.id),
        )

    # -- small parts

    def _section(self, name: str, says: str = "") -> Content:
        """A heading with a rule to the edge."""
        text = f"{name}  {says}" if says else name
        rule = self.glyphs.empty * max(self.cells - len(text) - 1, 0)
        return Content.assemble(
            (name, "bold $text-accent"),
            (f"  {says}" if says else "", "$text-muted"),
            (f" {rule}", "$text-disabled"),
        )

    def _fields(self, *rows: tuple[str, str]) -> Iterator[Content]:
        for name, value in rows:
            if not value:
                continue
            for row, line in enumerate(plain(one_line(value)).wrap(max(self.cells - LABEL, 8))):
                yield Content.assemble((fit("" if row else name, LABEL), "$text-muted"), line)

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


def _span(course: Course) -> str:
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
