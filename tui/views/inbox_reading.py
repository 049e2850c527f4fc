"""The Inbox's reading: what waits, the candidate under the cursor, and the next ones ahead of it.

Everything is read in a lane. What is shown next has been read before it is asked for, so that a
verdict never waits.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from typing import cast

from textual import on, work
from textual.cache import LRUCache
from textual.content import Content
from textual.worker import Worker

from ...core.errors import ManagerError, StoreUnusable
from ...core.judgements import RefusedCapture
from ..matches import filter_of
from ..messages import MemoriesChanged, OpenMemory, ProjectChanged
from ..text import plain
from ..view import View
from ..widgets.candidate_account import Judged
from ..widgets.candidate_judgement import Judgement
from ..widgets.candidate_rows import CandidateList, row_of
from ..widgets.filter_line import FilterLine
from ..widgets.inbox_pane import InboxPane
from ..widgets.list_messages import MarksChanged, Moved, PageWanted
from ..widgets.nothing import EmptyPlace, NothingLine
from ..widgets.pages import PAGE
from .deck.model import special_among
from .inbox_asking import MOST_REFUSED, Listed, read_ahead, read_judged, read_list
from .inbox_words import NOTHING_FITS, as_content, cannot_be_read, nothing_refused, nothing_waits

AHEAD = 3  # candidates read before they are asked for
KEPT = 16  # candidates kept for coming back to them


class Reading(View):
    """What the Inbox knows."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        glyphs = self.app.glyphs
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.waiting = CandidateList(glyphs, id="inbox-waiting")
        self.refused = CandidateList(glyphs, id="inbox-refused")
        self.box = FilterLine(self.look, self.focus_main, id="inbox-filter")
        self.main = InboxPane("Candidate", id="inbox-candidate")
        self.near = InboxPane("Nearest known", id="inbox-near")
        self.why = InboxPane("Judgement", id="inbox-judgement")
        self.nothing = EmptyPlace("", id="inbox-empty", markup=False)
        self.captures: dict[int, RefusedCapture] = {}
        self.snoozed = 0
        self.reader = ""
        self.lessons = ("", "")  # as the candidates that are known were read with
        self.deciding: set[int] = set()  # candidates whose verdict is being written
        self._empty: Sequence[NothingLine] = ()
        self._known: LRUCache[int, Judged] = LRUCache(KEPT)
        self._shown: int | None = None  # the row that the panes show
        self._back: set[str] = set()  # memories that may come back into the list
        self._undone = False  # they come back because the person took something back
        self._going: str | None = None  # the memory that is being gone to

    @property
    def is_refused(self) -> bool:
        """Whether the captures that were refused are shown, instead of what waits."""
        return self.has_class("-refused")

    @property
    def seen(self) -> CandidateList:
        """The list that is shown."""
        return self.refused if self.is_refused else self.waiting

    @property
    def shows_one_pane(self) -> bool:
        """Whether there is room for one pane only."""
        return self.screen.has_class("-narrow") or self.screen.has_class("-low")

    @property
    def judged(self) -> Judged | None:
        """The candidate under the cursor with all there is, once it has been read."""
        num = self.waiting.current_key
        return None if num is None else self._known.get(num)

    # -- what waits

    def load(self, ref: str | None = None, wait: float = 0.0) -> Worker[None]:
        """Read what waits; the cursor stays on its candidate, or goes to the memory `ref`.

        Whatever makes it read again before it is there, it goes there.
        """
        self._going = ref or self._going
        return self._load(wait)

    @work(exclusive=True, group="inbox")
    async def _load(self, wait: float) -> None:
        await asyncio.sleep(wait)
        back, here, text = tuple(self._back), self.waiting.current_key, self.box.text
        ref = self._going
        try:
            listed = await self.app.pages.run(lambda core: read_list(core, here, back, ref, text))
        except StoreUnusable as error:
            self._say_nothing(cannot_be_read(str(error), error.hint))
            raise
        # what was taken back may be in the list already: an earlier load can see it first
        shown = set() if ref is not None or self._undone else set(self.waiting.keys)
        came = [num for num in listed.goes_to if num in listed.keys and num not in shown]
        self._going = None
        # where the cursor is now: it may have gone on since this was asked
        self._take(listed, came[0] if came else self.waiting.current_key)
        if ref is not None and not came:
            self.notify("That memory waits for no verdict.", markup=False)

    def _take(self, listed: Listed, keep: int | None) -> None:
        keys = array("q", (num for num in listed.keys if num not in self.deciding))
        if not self.deciding:
            self._back.clear()
            self._undone = False
        self.snoozed, self.reader = listed.snoozed, listed.reader
        if listed.lessons != self.lessons:  # each verdict moves what stands beside all the others
            self._forget(None)
            self.lessons = listed.lessons
        if not self.is_refused:
            self.box.say_count(len(keys), listed.total)
        self.waiting.set_now(self.app.clock())
        self.waiting.show_pages(keys, listed.rows, keep)
        if not keys and not self.is_refused:
            self._say_nothing(
                NOTHING_FITS
                if listed.total
                else nothing_waits(listed.project, listed.snoozed, listed.refused)
            )
        self.follow()

    def follow(self) -> None:
        """Show what is under the cursor, and read what comes after it."""
        self.say_place()
        self.refresh_bindings()
        if self.is_refused:
            self._show_refused()
            return
        num = self.waiting.current_key
        self._be_empty(num is None)
        if num is None:
            self._shown = None
            return
        judged = self._known.get(num)
        if judged is not None:
            self._show(num, judged)
        elif self._shown != num:
            self._show_row(num)
        index = self.waiting.cursor
        self._read(num, tuple(self.waiting.keys[index + 1 : index + 1 + AHEAD]))

    @work(exclusive=True, group="inbox-read")
    async def _read(self, num: int, ahead: Sequence[int]) -> None:
        if self._known.get(num) is None:
            try:
                judged = await self.app.pages.run(lambda core: read_judged(core, num))
            except StoreUnusable:
                raise
            except ManagerError as error:
                self._show_gone(str(error))
                return
            self._known[num] = judged
            self._show(num, judged)
            self.refresh_bindings()
        for other in ahead:
            if self._known.get(other) is None:
                found = await self.app.search.run(partial(read_ahead, num=other))
                if found is not None:
                    self._known[other] = found

    def _forget(self, ids: Iterable[str] | None) -> None:
        """Read anew, when it is needed, what shows one of these memories; None: everything."""
        self.workers.cancel_group(self, "inbox-read")
        changed = set(ids) if ids is not None else None
        for num in list(self._known.keys()):
            judged = self._known.get(num)
            if changed is None or (judged is not None and judged.shows & changed):
                self._known.discard(num)

    # -- showing

    def _show(self, num: int, judged: Judged) -> None:
        is_other, self._shown = self._shown != num, num

        def candidate(width: int) -> Content:
            writer = self._writer(width)
            lines = writer.says(judged)
            if self.shows_one_pane:
                lines += [*writer.all_in_one(judged), Content("")]
            return Content("\n").join([*lines, *writer.came_from(judged)])

        self.main.show(candidate, from_top=is_other)
        self.near.show(
            lambda width: Content("\n").join(self._writer(width).nearest(judged)),
            from_top=is_other,
        )
        self.why.show(
            lambda width: Content("\n").join(self._writer(width).judgement(judged)),
            from_top=is_other,
        )

    def _show_row(self, num: int) -> None:
        """What the list knows already, until the rest has been read."""
        row, self._shown = self.waiting.current, num
        if row is not None:
            self.main.show(lambda width: self._writer(width).in_short(row), from_top=True)
        self._show_nothing_beside()

    def _show_gone(self, why: str) -> None:
        self._shown = None
        self.main.show(lambda _: plain(why, "$text-muted"), from_top=True)
        self._show_nothing_beside()

    def _show_nothing_beside(self) -> None:
        for pane in (self.near, self.why):
            pane.show(lambda _: Content(""), from_top=True)

    def _writer(self, width: int) -> Judgement:
        return Judgement(width, self.app.glyphs, self.app.clock())

    def _say_nothing(self, lines: Sequence[NothingLine]) -> None:
        """The empty place: what it is for, and what to do."""
        self._empty = lines
        self._be_empty(True)
        self.write_nothing()

    def _be_empty(self, is_empty: bool) -> None:
        """Show the empty place or the panes; what is shown has the focus."""
        if is_empty != self.has_class("-empty"):
            had_focus = self.has_focus_within or self.screen.focused is None
            had_focus = had_focus and not self.box.is_typed_in
            self.set_class(is_empty, "-empty")
            if had_focus and self.app.view == self.id:
                self.focus_main()

    def focus_main(self) -> None:
        """Focus on the candidate, or on what stands in its place: letters decide there."""
        self.screen.set_focus(self.nothing if self.has_class("-empty") else self.main)

    def write_nothing(self) -> None:
        """Write the empty place for the width there is."""
        self.nothing.update(as_content(self._empty, min(self.size.width - 8, 72)))

    def say_place(self) -> None:
        """Which one of how many, at the foot of the panes."""
        total = len(self.seen.keys)
        place = f" {self.seen.cursor + 1:,} of {total:,} " if total else ""
        self.main.border_subtitle = place
        later = f"{self.snoozed:,} put off" if self.snoozed and not self.is_refused else ""
        says = " · ".join(part for part in (later, self.reader) if part)
        self.query_one("#inbox-list-pane").border_subtitle = f" {says} " if says else ""
        self.app.notices.keep_off_the_cursor()

    # -- what was refused

    @work(exclusive=True, group="inbox-refused")
    async def load_refused(self, wait: float = 0.0) -> None:
        """Read what the gates refused; the cursor stays on its capture."""
        await asyncio.sleep(wait)
        found = await self.app.pages.run(lambda core: core.refused_captures(MOST_REFUSED))
        fits = filter_of(self.box.text)
        self.captures = {one.number: one for one in found if fits(f"{one.content} {one.reason}")}
        rows = {number: row_of(capture) for number, capture in self.captures.items()}
        keys = array("q", (number for number in rows if number not in self.deciding))
        self.refused.set_now(self.app.clock())
        self.refused.show_pages(keys, rows, self.refused.current_key)
        if self.is_refused:
            self.box.say_count(len(keys), len(found))
            if not keys:
                self._say_nothing(NOTHING_FITS if found else nothing_refused())
            self.follow()

    def _show_refused(self) -> None:
        number = self.refused.current_key
        capture = self.captures.get(number) if number is not None else None
        self._be_empty(capture is None)
        is_other, self._shown = self._shown != number, number
        if capture is None:
            return

        def refused(width: int) -> Content:
            writer = self._writer(width)
            lines = [*writer.refused(capture), Content(""), *writer.votes(capture.votes, "")]
            return Content("\n").join(lines)

        self.main.show(refused, from_top=is_other)

    # -- what is narrowed

    def look(self, wait: float) -> Worker[None]:
        """Read what fits the filter."""
        return self.load_refused(wait) if self.is_refused else self.load(wait=wait)

    # -- what happens elsewhere

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        if event.list is self.seen:
            self.follow()

    @on(PageWanted)
    def _page_wanted(self, event: PageWanted) -> None:
        event.stop()
        self._load_page(cast(CandidateList, event.list), event.generation, event.page)

    @work(group="inbox-pages")
    async def _load_page(self, asked: CandidateList, generation: int, page: int) -> None:
        nums = asked.keys[page * PAGE : (page + 1) * PAGE]
        if asked is self.refused:
            rows = [row_of(self.captures[num]) for num in nums if num in self.captures]
        else:
            rows = await self.app.pages.run(lambda core: core.rows(nums))
        asked.page_arrived(generation, page, rows)
        if self._shown is None:
            self.follow()

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        self._forget(event.ids)
        if event.ids is not None:
            self._back, self._undone = set(event.ids), event.undid is not None
        self.load()
        if self.is_refused:
            self.load_refused()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self._forget(None)
        self.waiting.marks.clear()
        self.load()
        if self.is_refused:
            self.load_refused()

    @on(InboxPane.LinkClicked)
    def _link_clicked(self, event: InboxPane.LinkClicked) -> None:
        event.stop()
        self.post_message(OpenMemory(event.memory))

    # -- marks

    @on(MarksChanged)
    def _marks_changed(self, event: MarksChanged) -> None:
        event.stop()
        self.say_marks()

    @work(exclusive=True, group="marks")
    async def say_marks(self) -> None:
        """How many are marked, and what a verdict on them would touch."""
        marked, keys = sorted(self.waiting.marks.keys), self.app.stage.keys
        if self.app.view != self.id:
            return  # that line speaks of another view now
        range_says = "range · " if self.waiting.marks.in_range else ""
        if not marked or self.is_refused:
            keys.say("")
        else:
            keys.say(f"{range_says}{len(marked):,} marked")
            says = await self.app.pages.run(lambda core: special_among(core, marked))
            if self.app.view != self.id:
                return
            keys.say(f"{range_says}{len(marked):,} marked{says}")
        self.refresh_bindings()
