"""The journal: who changed what, when and why; the words before and after; and the way back.

Everything is read in the `pages` lane. Acts on memories stay with the app, so that an undo from
here is the same undo as everywhere.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.worker import Worker

from ....core.answers import Entry
from ...acts import bindings
from ...dialogs.questions import Ask, Choice, Menu
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...text import counted, cut, plain
from ...typeahead import asks, may_ask
from ...view import Place, View
from ...widgets.before_after import BeforeAfter
from ...widgets.filter_line import FilterInput, FilterLine
from ...widgets.nothing import EmptyPlace
from ...widgets.timeline import Timeline
from ...widgets.virtual_list import MenuWanted, Moved, Opened
from .model import (
    FilterSuggester,
    count_newer,
    next_span,
    read_account,
    read_page,
    titles_of,
    toggled,
)
from .past import PastScreen, when_of
from .text import (
    ABOUT_TIMES,
    ACTIONS_HERE,
    AUDIT_ACTS,
    EMPTY,
    FACET_ACTS,
    MENU_ACTS,
    NO_HITS,
    TITLES,
    value_of,
    why_not,
)

PAGE = 200  # entries read at once
LONG_PAGE = 2_000  # entries read at once on the way to the oldest
MOST_CHOICES = 50  # memories of one entry offered for opening
RESTING_SECONDS = 0.04  # before the pane follows the cursor
NOWHERE: tuple[bool, int | None] = (False, None)  # neither to the top nor to an entry


class AuditView(View):
    """Timeline, filter, and one entry in full."""

    ACTS = AUDIT_ACTS
    HELP = Timeline.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(AUDIT_ACTS, "audit.back")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._fresh = 0  # entries of others that are not shown yet
        self._goal = NOWHERE  # of the reading that is under way
        self._hints: tuple[str, ...] = ()
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.timeline = Timeline(id="audit-list", classes="pane")
        self.detail = BeforeAfter(TITLES[1], id="audit-detail")
        self._counts = (0, 0)  # entries that fit, and that there are
        typed = FilterInput(
            placeholder="words, action:forget  actor:person  since:7d  memory:ab12",
            suggester=FilterSuggester(use_cache=False, case_sensitive=False),
        )
        self.box = FilterLine(self.load, self.focus_main, typed, id="audit-filter", stays=True)
        self._nothing = EmptyPlace("", id="audit-empty", markup=False)

    def compose(self) -> ComposeResult:
        yield self.box
        with Horizontal(id="audit-panes"):
            yield self.timeline
            yield self.detail
        yield self._nothing

    def on_mount(self) -> None:
        """Name the list and read the first page."""
        self.timeline.border_title = TITLES[0]
        self.load()

    # Where one is

    def focus_main(self) -> None:
        """Focus on the list, where one begins, or on what stands in its place: keys work there."""
        self.screen.set_focus(self._nothing if self.has_class("-empty") else self.timeline)

    def place(self) -> Place:
        return Place("audit", query=self.box.text)

    def open_place(self, place: Place) -> None:
        """Come back: the same filter; list and cursor stayed as they were."""
        if place.query is not None and place.query != self.box.text:
            self._set_filter(place.query)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        return [
            ("a", self.timeline, self.timeline),
            ("b", self.detail, self.detail),
            ("/", self.box, self.box.input),
        ]

    def _narrowed(self) -> Timeline:
        return self.timeline

    def _into_pane(self) -> None:
        """The entry in full, in the place of the list."""
        if self.timeline.entry is not None and not self.detail.display:
            self.add_class("-reading")
            self.detail.focus()

    def list_in_use(self) -> Timeline:
        return self.timeline

    # Reading

    def load(
        self, wait: float = 0.0, *, from_top: bool = False, goes_to: int | None = None
    ) -> Worker[None]:
        """Read the first page for the filter; the cursor stays on its entry, goes to the top, or
        to the entry `goes_to`, whatever makes it read again before it is there.
        """
        if from_top or goes_to is not None:
            self._goal = from_top, goes_to
        return self._load(wait)

    @work(exclusive=True, group="audit-list")
    async def _load(self, wait: float) -> None:
        await asyncio.sleep(wait)
        from_top, goes_to = self._goal
        text, timeline = self.box.text, self.timeline
        # as many as are shown, so that what is being read is still there afterwards
        limit = PAGE if from_top else max(PAGE, min(len(timeline.entries), LONG_PAGE))
        page = await self.app.pages.run(lambda core: read_page(core, text, None, limit))
        self._hints, self._fresh = page.hints, 0
        self._goal = NOWHERE
        self._counts = page.fitting, page.total
        about = f"{TITLES[0]} of {cut(page.about, 40)}" if page.about else TITLES[0]
        timeline.border_title = Content(about)
        timeline.show_entries(
            page.entries, is_complete=page.is_complete, now=page.now, goes_to=goes_to
        )
        if goes_to is not None:
            timeline.flashing = frozenset([goes_to])
        if from_top:
            timeline.action_jump(0)
        self._say()
        self._follow()

    @on(Timeline.MoreWanted)
    def _more_wanted(self, event: Timeline.MoreWanted) -> None:
        event.stop()
        self._load_more(event.before, LONG_PAGE if event.to_the_end else PAGE)

    @work(exclusive=True, group="audit-more")
    async def _load_more(self, before: int, limit: int) -> None:
        text = self.box.text
        page = await self.app.pages.run(lambda core: read_page(core, text, before, limit))
        entries = self.timeline.entries
        if text == self.box.text and entries and entries[-1].seq == before:
            self.timeline.extend(page.entries, is_complete=page.is_complete)
            self._say()
            self._say_place()

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._follow()

    def _follow(self) -> None:
        self.refresh_bindings()
        self._say_place()
        self._read(self.timeline.entry)

    @work(exclusive=True, group="audit-detail")
    async def _read(self, entry: Entry | None) -> None:
        """Show one entry in full, once the cursor rests."""
        await asyncio.sleep(RESTING_SECONDS)
        account, now_ms = None, 0
        if entry is not None:
            account, now_ms = await self.app.pages.run(lambda core: read_account(core, entry))
        self.detail.show_entry(account, now_ms)

    # What others write

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if event.is_ours or not self.timeline.entries:
            self.load(goes_to=event.undid if self.is_current else None)
        else:
            self._count_fresh()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.load(from_top=True)

    @work(exclusive=True, group="audit-fresh")
    async def _count_fresh(self) -> None:
        text, shown = self.box.text, self.timeline.entries
        if not shown:
            return  # the filter has emptied the list meanwhile
        top = shown[0].seq
        fresh = await self.app.pages.run(lambda core: count_newer(core, text, top, PAGE))
        if text != self.box.text or self.timeline.entries[:1] != shown[:1]:
            return  # the list was read again meanwhile, with what was new
        self._fresh = fresh
        self._say()
        self.refresh_bindings()

    def action_fresh(self) -> None:
        """Show what was written meanwhile, from the top."""
        self.load(from_top=True)

    def _say(self) -> None:
        """Hints, news and count at the end of the filter; the empty state instead of the panes."""
        shown, is_filtered = len(self.timeline.entries), bool(self.box.text.strip())
        fitting, total = self._counts
        count = f"{fitting:,} of {total:,}" if is_filtered else counted(total, "change")
        parts = [
            plain(f" {self._hints[0]} " if self._hints else "", "$text-warning"),
            plain(f" {self._fresh} new · R to show " if self._fresh else "", "bold $text-accent"),
            plain(f" {count} ", "$text-muted"),
        ]
        self.box.say(Content.assemble(*parts))
        if self.has_class("-empty") != (not shown):
            self.set_class(not shown, "-empty")
            if self.is_current and not self.box.is_typed_in:
                self.focus_main()
        self._nothing.say(NO_HITS if is_filtered else EMPTY)

    def _say_place(self) -> None:
        """Which entry of how many, at the foot of the list."""
        fitting, _ = self._counts
        place = f"{self.timeline.index + 1:,} of {fitting:,}"
        self.timeline.border_subtitle = place if self.timeline.entries else ""

    # Acts

    def can(self, action: str, *parameters: str) -> bool | None:
        if action == "fresh":
            return self._fresh > 0
        if self.box.is_typed_in and action in ACTIONS_HERE:
            return False  # letters type there
        return not why_not(self.timeline.entry, action, *parameters) or None

    def why_not(self, action: str) -> str:
        name, _, rest = action.partition("(")
        return why_not(self.timeline.entry, name, rest.strip("')"))

    def action_undo_this(self) -> None:
        """Take back the entry under the cursor; the app says what came of it."""
        if entry := self.timeline.entry:
            self.app.changes.undo(entry.seq)

    @on(Opened)
    def action_open(self) -> None:
        """Where only the list is shown, the entry in full; else its memory on the Deck."""
        entry = self.timeline.entry
        if entry is None:
            return
        if not self.detail.display:
            self.add_class("-reading")
            self.detail.focus()
        elif len(entry.memories) == 1:
            self.post_message(OpenMemory(entry.memories[0]))
        else:
            self._choose_memory(entry.memories[:MOST_CHOICES])

    @asks
    async def _choose_memory(self, ids: tuple[str, ...]) -> None:
        """Of many memories, open the one that is chosen."""
        titles = await self.app.pages.run(lambda core: titles_of(core, ids))
        choices = [Choice(memory, title) for memory, title in titles]
        chosen = await self.app.ask(Menu("Open which memory?", choices))
        if chosen is not None:
            self.post_message(OpenMemory(chosen))

    def action_past(self) -> None:
        """The Deck as it was after the entry under the cursor."""
        if entry := self.timeline.entry:
            self._look_back(entry.seq)

    @asks
    async def action_as_of(self) -> None:
        """The Deck as it was at a time that is asked for."""
        if times := await self._times("The Deck as of", "monday", most=1):
            await self._look_back_at(times[0])

    async def _times(self, title: str, example: str, most: int) -> list[datetime | int]:
        """The times that are written, at most so many; none when one leaves."""
        text: str | None = ""
        about = ABOUT_TIMES if most == 1 else f"{ABOUT_TIMES} Two with a comma between."
        while text is not None:
            text = await self.app.ask(Ask(title, about, text, example))
            parts = [part for part in (text or "").split(",") if part.strip()]
            try:
                if 0 < len(parts) <= most:
                    return [when_of(part, self.app.clock()) for part in parts]
            except ValueError as error:
                about = str(error)
        return []

    @asks
    async def _look_back(self, when: int) -> None:
        await self._look_back_at(when)

    async def _look_back_at(self, when: datetime | int) -> None:
        chosen = await self.app.ask(PastScreen(self.app, when))
        if chosen is not None:
            self.post_message(OpenMemory(chosen))

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """The acts on an entry, for the mouse."""
        event.stop()
        if entry := self.timeline.entry:
            self.offer(entry.action, [act for act in MENU_ACTS if not self.why_not(act.action)])

    @may_ask
    async def action_same(self, key: str) -> None:
        """Only entries that share this with the one under the cursor; again: all."""
        if (entry := self.timeline.entry) and (value := value_of(entry, key)):
            if key == "session":  # by what it was asked, where that is its own
                value = await self.app.pages.run(
                    lambda core: core.services.sessions.word_for(entry.session or "")
                )
            self._set_filter(toggled(self.box.text, key, value))

    def action_facets(self) -> None:
        """Offer what to narrow the list by."""
        self.offer("Only…", [act for act in FACET_ACTS if not self.why_not(act.action)])

    def action_time(self) -> None:
        """The next span of time."""
        self._set_filter(next_span(self.box.text))

    def _set_filter(self, text: str) -> None:
        self.box.set_text(text)  # its message starts the query

    def out_of_pane(self) -> bool:
        is_elsewhere = self.has_class("-reading") or self.detail.has_focus
        if is_elsewhere:
            self.remove_class("-reading")
            self.focus_main()
        return is_elsewhere
