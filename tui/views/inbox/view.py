"""The Inbox: what was captured waits here, one by one, for a person's verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.worker import Worker

from ....core.errors import ManagerError, StoreUnusable
from ...acts import bindings
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.memory_rows import MemoryList
from ...widgets.nothing import EmptyPlace, NothingLine, cannot_be_read, nothing_fits
from ...widgets.pages import PAGE
from ...widgets.virtual_list import MarksChanged, MenuWanted, Moved, Opened, PageWanted
from ..deck.reader import special_among
from .account import Judged
from .acts import Verdicts
from .model import Candidates
from .panes import PANES, Panes, candidate_list, row_of, show_pages
from .text import (
    HELP,
    INBOX_ACTS,
    NO_NEIGHBOUR,
    NO_TASK,
    NO_TEXT,
    NOTHING_REFUSED,
    NOTHING_WAITS,
    nothing_refused,
    nothing_waits,
)

AHEAD = 3  # candidates read before they are asked for
MINUTE_SECONDS = 30.0  # how often ages, countdowns and what was put off are looked at
MENU = {False: "accept pin edit merge reject done snooze", True: "rescue"}  # by "is refused"


class InboxView(View):
    """The list at the left, the candidate in the middle, what speaks for it at the right."""

    ACTS = INBOX_ACTS
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(INBOX_ACTS, "inbox.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        glyphs = self.app.glyphs
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.waiting = candidate_list(glyphs, id="inbox-waiting")
        self.refused = candidate_list(glyphs, id="inbox-refused")
        self.box = FilterLine(self._look, self.focus_main, id="inbox-filter")
        self.beside = Panes(self.app)
        self.nothing = EmptyPlace("", id="inbox-empty", markup=False)
        self.candidates = Candidates(self.app)
        self.verdicts = Verdicts(
            self.app,
            self.candidates,
            (self.waiting, self.refused),
            follow=self._follow,
            load=self._load_both,
        )

    def compose(self) -> ComposeResult:
        yield self.box
        with Container(id="inbox-panes"):
            with Vertical(id="inbox-list-pane", classes="pane"):
                yield self.waiting
                yield self.refused
            yield self.beside.main
            with Container(id="inbox-aside"):
                yield self.beside.near
                yield self.beside.why
        yield self.nothing

    def on_mount(self) -> None:
        """Name the list and read what waits."""
        self._name_panes()
        self.set_interval(MINUTE_SECONDS, self._minute)
        self.load()

    def _minute(self) -> None:
        """Time passes: countdowns move, and what was put off comes back."""
        if self.display and self.is_current:
            self.candidates.forget(None)
            self.load()
            self.app.news.count()

    def _name_panes(self) -> None:
        list_pane = self._part("#inbox-list-pane")
        list_pane.border_title = "Refused" if self.is_refused else "Waiting"
        self.beside.main.border_title = "Refused capture" if self.is_refused else "Candidate"

    def on_resize(self) -> None:
        """Other panes may have room now; what is read stays in hand."""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        judged = self.judged
        if judged is not None and not self.is_refused:
            self._show(judged)
        self.keep_focus()
        self.app.notices.keep_off_the_cursor()

    # -- what is true of it now

    @property
    def is_refused(self) -> bool:
        """Whether the captures that were refused are shown, instead of what waits."""
        return self.has_class("-refused")

    @property
    def seen(self) -> MemoryList:
        """The list that is shown."""
        return self.refused if self.is_refused else self.waiting

    @property
    def judged(self) -> Judged | None:
        """The candidate under the cursor with all there is, once it has been read."""
        return self.candidates.known(self.waiting.current_key)

    @property
    def _shows_one_pane(self) -> bool:
        return self.screen.has_class("-narrow") or self.screen.has_class("-low")

    # -- where one is

    def focus_main(self) -> None:
        """Focus on the candidate, or on what stands in its place: letters decide there."""
        self.screen.set_focus(self.nothing if self.has_class("-empty") else self.beside.main)

    def place(self) -> Place:
        """Where one is, to come back to."""
        row = self.waiting.current
        return Place("inbox", memory=row.id if row is not None and row.id else None)

    def open_place(self, place: Place) -> None:
        """Come back to a candidate; one that waits no longer is said when it was asked for."""
        if place.memory is not None and not place.is_remembered:
            self.box.set_text("", silent=True)
            self._let_keys_wait_for(self.load(place.memory))

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        panes = [(letter, self.query_one(f"#{name}")) for letter, name in PANES]
        return [
            (letter, pane, self.seen if letter == "a" else pane)
            for letter, pane in panes
            if pane.is_on_screen
        ]

    def _narrowed(self) -> MemoryList:
        return self.seen

    def _into_pane(self) -> None:
        """From the list to the candidate, in its place."""
        if self.has_class("-listing"):
            self.action_read()

    def _to_list(self) -> None:
        """To the list, in the place of the candidate."""
        if not self.seen.is_on_screen:
            self.action_list()

    def list_in_use(self) -> MemoryList | None:
        """The list, where it stands in the place of the candidate."""
        return self.seen if self._shows_one_pane and self.has_class("-listing") else None

    # -- which keys work

    def can(self, action: str, *parameters: str) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if action == "turn":
            return self.is_refused == ("waiting" in parameters)
        if action == "rescue" and not self.is_refused:
            return False
        if action in ("decide", "near", "mark") and self.is_refused:
            return False
        return not self._cannot(action, *parameters) or None

    def why_not(self, action: str) -> str:
        """Why a dimmed key cannot act now."""
        name, _, parameter = action.partition("(")
        return self._cannot(name, parameter.strip("')"))

    def _cannot(self, action: str, *parameters: str) -> str:
        if action not in ("decide", "near", "mark", "go", "rescue"):
            return ""
        if not self.seen.keys:
            return NOTHING_REFUSED if self.is_refused else NOTHING_WAITS
        if action == "near" or "merge" in parameters:
            judged = self.judged  # not read yet: the key may act
            return NO_NEIGHBOUR if judged is not None and not judged.candidate.neighbour else ""
        if "done" in parameters and not self.waiting.marks.keys:
            row = self.waiting.current  # not read yet: the key may act
            return NO_TASK if row is not None and row.type != "prospective" else ""
        if action == "rescue":
            capture = self.candidates.captures.get(self.refused.current_key or 0)
            return "" if capture is None or capture.content.strip() else NO_TEXT
        return ""

    # -- moving about

    def action_decide(self, verdict: str) -> None:
        """A verdict on what is marked, else on the candidate."""
        self.verdicts.give(verdict)

    def action_rescue(self) -> None:
        """Keep a refused capture after all."""
        self.verdicts.rescue()

    def action_go(self, where: str) -> None:
        """To another one; after the last that is left for later comes the first again."""
        seen = self.seen
        last = max(len(seen.keys) - 1, 0)
        on = seen.cursor + 1
        seen.cursor = {
            "next": on,
            "previous": seen.cursor - 1,
            "first": 0,
            "last": last,
            "on": on if on <= last else 0,
        }[where]

    def action_list(self) -> None:
        """To the list; where it has no room, in the place of the candidate, and away again."""
        if self.has_class("-listing"):
            self.action_read()
        else:
            self.add_class("-listing")
            self.screen.set_focus(self.seen)

    @on(Opened)
    def action_read(self) -> None:
        """To the candidate."""
        self.remove_class("-listing")
        self.focus_main()

    def action_near(self) -> None:
        """Open the nearest known memory on the Deck."""
        self._let_keys_wait_for(self._open_near())

    @work(exclusive=True, group="inbox-near")
    async def _open_near(self) -> None:
        num = self.waiting.current_key
        judged = self.judged if num is None else await self.candidates.judged(num)
        if judged is not None and judged.candidate.neighbour is not None:
            self.post_message(OpenMemory(judged.candidate.neighbour.id))

    def action_turn(self, what: str) -> None:
        """To what was refused, or back to what waits."""
        self.set_class(what == "refused", "-refused")
        self._look(0.0)
        self.beside.shown = None
        self._name_panes()
        self.focus_main()
        self._say_marks()
        self.refresh_bindings()

    def action_mark(self, how: str) -> None:
        """Begin or end a range, mark everything that waits, or what is not marked."""
        if how == "all":
            self.waiting.marks.set(self.waiting.keys)
        elif how == "invert":
            self.waiting.marks.invert(self.waiting.keys)
        else:
            self.waiting.marks.toggle_range(self.waiting.cursor, self.waiting.keys)

    def out_of_marks(self) -> bool:
        """Unmark what is marked; whether anything was."""
        if not (self.waiting.marks.in_range or self.waiting.marks.keys):
            return False
        self.waiting.marks.clear()
        return True

    def out_of_pane(self) -> bool:
        """Back to the candidate; whether one was elsewhere."""
        if not self.has_class("-listing") and self.screen.focused in (
            self.beside.main,
            self.nothing,
        ):
            return False
        self.action_read()
        return True

    def out_of_mode(self) -> None:
        """Back to what waits."""
        if self.is_refused:
            self.action_turn("waiting")

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        event.stop()
        ids = {f"inbox.{name}" for name in MENU[self.is_refused].split()}
        acts = [act for act in INBOX_ACTS if act.id in ids and not self.why_not(act.action)]
        self.offer("Verdict", acts)

    # -- what waits

    def load(self, ref: str | None = None, wait: float = 0.0) -> Worker[None]:
        """Read what waits; the cursor stays on its candidate, or goes to the memory `ref`."""
        self.candidates.go_to(ref)
        return self._load(wait)

    @work(exclusive=True, group="inbox")
    async def _load(self, wait: float) -> None:
        await asyncio.sleep(wait)
        try:
            listed = await self.candidates.listed(self.waiting, self.box.text)
        except StoreUnusable as error:
            self._say_nothing(cannot_be_read(str(error), error.hint))
            raise
        self.waiting.set_now(self.app.clock())
        show_pages(self.waiting, listed.keys, listed.rows, listed.here)
        if self.candidates.came_back:
            self.waiting.flashing = frozenset(self.candidates.came_back)
        if not self.is_refused:
            self.box.say_count(len(listed.keys), listed.total)
            if not listed.keys:
                nothing = nothing_waits(listed.project, listed.snoozed, listed.refused)
                self._say_nothing(nothing_fits() if listed.total else nothing)
        self._follow()
        if listed.is_missing:
            self.notify("That memory waits for no verdict.", markup=False)

    @work(exclusive=True, group="inbox-refused")
    async def _load_refused(self, wait: float = 0.0) -> None:
        """Read what the gates refused; the cursor stays on its capture."""
        await asyncio.sleep(wait)
        total = await self.candidates.refused(self.box.text)
        rows = {number: row_of(one) for number, one in self.candidates.captures.items()}
        keys = self.candidates.undecided(rows)
        self.refused.set_now(self.app.clock())
        show_pages(self.refused, keys, rows, self.refused.current_key)
        if self.is_refused:
            self.box.say_count(len(keys), total)
            if not keys:
                self._say_nothing(nothing_fits() if total else nothing_refused())
            self._follow()

    def _look(self, wait: float) -> Worker[None]:
        """Read what fits the filter."""
        return self._load_refused(wait) if self.is_refused else self.load(wait=wait)

    def _load_both(self) -> Worker[None]:
        if self.is_refused:
            self._load_refused()
        return self.load()

    @on(PageWanted)
    def _page_wanted(self, event: PageWanted) -> None:
        event.stop()
        self._load_page(cast(MemoryList, event.list), event.generation, event.page)

    @work(group="inbox-pages")
    async def _load_page(self, asked: MemoryList, generation: int, page: int) -> None:
        nums = asked.keys[page * PAGE : (page + 1) * PAGE]
        if asked is self.refused:
            captures = self.candidates.captures
            rows = [row_of(captures[num]) for num in nums if num in captures]
        else:
            rows = await self.app.pages.run(lambda core: core.rows(nums))
        asked.page_arrived(generation, page, rows)
        if self.beside.shown is None:
            self._follow()

    # -- what is under the cursor

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        if event.list is self.seen:
            self._follow()

    def _follow(self) -> None:
        """Show what is under the cursor, and read what comes after it."""
        self._say_place()
        self.refresh_bindings()
        if self.is_refused:
            self._show_refused()
            return
        num = self.waiting.current_key
        self._be_empty(num is None)
        if num is None:
            self.beside.shown = None
            return
        judged = self.judged
        if judged is not None:
            self._show(judged)
        elif self.beside.shown != num:
            self.beside.show_row(num, self.waiting.current)
        index = self.waiting.cursor
        self._read(num, self.waiting.keys[index + 1 : index + 1 + AHEAD])

    @work(exclusive=True, group="inbox-read")
    async def _read(self, num: int, ahead: Sequence[int]) -> None:
        if self.candidates.known(num) is None:
            try:
                judged = await self.candidates.judged(num)
            except StoreUnusable:
                raise
            except ManagerError as error:
                self.beside.show_gone(str(error))
                return
            if judged is not None:
                self._show(judged)
                self.refresh_bindings()
        await self.candidates.read_ahead(ahead)

    def _show(self, judged: Judged) -> None:
        self.beside.show(judged.memory.num, judged, in_one=self._shows_one_pane)

    def _show_refused(self) -> None:
        number = self.refused.current_key
        capture = self.candidates.captures.get(number) if number is not None else None
        self._be_empty(capture is None)
        if capture is None:
            self.beside.shown = None
        else:
            self.beside.show_refused(capture)

    def _say_nothing(self, lines: Sequence[NothingLine]) -> None:
        """The empty place: what it is for, and what to do."""
        self._be_empty(True)
        self.nothing.say(lines)

    def _be_empty(self, is_empty: bool) -> None:
        """Show the empty place or the panes; what is shown has the focus."""
        if is_empty != self.has_class("-empty"):
            had_focus = self.has_focus_within or self.screen.focused is None
            self.set_class(is_empty, "-empty")
            if had_focus and self.is_current and not self.box.is_typed_in:
                self.focus_main()

    def _say_place(self) -> None:
        """Which one of how many, at the foot of the panes."""
        total = len(self.seen.keys)
        place = f"{self.seen.cursor + 1:,} of {total:,}" if total else ""
        self.beside.main.border_subtitle = place
        snoozed = self.candidates.snoozed
        later = f"{snoozed:,} put off" if snoozed and not self.is_refused else ""
        says = " · ".join(part for part in (later, self.candidates.reader) if part)
        self._part("#inbox-list-pane").border_subtitle = says
        self.app.notices.keep_off_the_cursor()

    # -- what happens elsewhere

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        self.candidates.forget(event.ids)
        if event.ids is not None:
            self.candidates.expect(event.ids, is_undone=event.undid is not None)
        reading = self._load_both()
        if event.undid is not None and self.is_current:
            self._let_keys_wait_for(reading)  # the next key is for what comes back

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.candidates.forget(None)
        self.waiting.marks.clear()
        self._load_both()

    @on(MarksChanged)
    def _marks_changed(self, event: MarksChanged) -> None:
        event.stop()
        self._say_marks()

    @work(exclusive=True, group="marks")
    async def _say_marks(self) -> None:
        """How many are marked, and what a verdict on them would touch."""
        marked, keys = sorted(self.waiting.marks.keys), self.app.stage.keys
        if not self.is_current:
            return  # that line speaks of another view now
        range_says = "range · " if self.waiting.marks.in_range else ""
        if not marked or self.is_refused:
            keys.say("")
        else:
            keys.say(f"{range_says}{len(marked):,} marked")
            says = await self.app.pages.run(lambda core: special_among(core, marked))
            if not self.is_current:
                return
            keys.say(f"{range_says}{len(marked):,} marked{says}")
        self.refresh_bindings()
