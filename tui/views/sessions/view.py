"""Sessions: one a line at the left, what came of the one under the cursor at the right."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.content import Content
from textual.worker import Worker

from ....core.errors import NotFound
from ....core.services.sessions import SessionOverview
from ...acts import bindings
from ...matches import filter_of
from ...messages import MemoriesChanged, ProjectChanged
from ...text import counted
from ...view import Place, View
from ...widgets.account import Account
from ...widgets.filter_line import FilterLine
from ...widgets.pages import under
from ...widgets.virtual_list import MenuWanted, Moved
from ...widgets.virtual_list import Opened as RowOpened
from .acts import SessionActs
from .model import MOST, Opened, grouped, read_courses, read_opened, said, session_of, usual_group
from .panes import SessionAccount, SessionList, SessionPane, SessionRow
from .text import (
    BY_WORDS,
    LOOKING,
    MENU_ACTS,
    NOTHING,
    NOTHING_FITS,
    SESSION_ACTS,
    TITLE,
    why_not,
)

RESTING_SECONDS = 0.04  # before the pane follows the cursor


class SessionsView(View):
    """The sessions under their headings, and one of them in full."""

    ACTS = SESSION_ACTS
    HELP = SessionList.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSION_ACTS, "session.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.acts = SessionActs(self)
        self.courses: list[SessionOverview] = []
        self.by = ""  # what they stand under; "": nobody chose
        self.opened: Opened | None = None
        self._is_old = False  # something was written while nobody looked
        self._goal: str | None = None  # the session to go to, whichever reading finds it
        self._numbers: dict[str, int] = {}
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self.show_fitting(), self.focus_main, id="sessions-filter")
        self.list = SessionList(self.app.glyphs, id="sessions-list")
        self.account = SessionPane("Session", id="sessions-account")
        self._stand_beside(TITLE, self.account)

    def on_mount(self) -> None:
        """Read."""
        self.list.say_nothing(LOOKING)
        self._let_keys_wait_for(self.load())

    # -- where one is

    def place(self) -> Place:
        course = self.current
        return Place("sessions", session=course.session.id if course else None)

    def open_place(self, place: Place) -> None:
        """Come back to a session, or go to the one in which a memory was learned."""
        self._goal = place.session or place.memory
        self._let_keys_wait_for(self.load())

    @property
    def grouped_by(self) -> str:
        """What the sessions stand under."""
        return self.by or usual_group(self.courses)

    @property
    def current(self) -> SessionOverview | None:
        """The session under the cursor."""
        row = self.list.current
        return row.course if row else None

    @property
    def shown(self) -> Opened | None:
        """The session under the cursor in full, once that was read."""
        course = self.current
        if course is None or self.opened is None:
            return None
        return self.opened if self.opened.id == course.session.id else None

    # -- which keys work

    def why_not(self, action: str) -> str:
        return why_not(action, self.current, self.shown)

    # -- reading

    def load(self) -> Worker[None]:
        """Read the sessions anew; the cursor stays on its own."""
        return self.begin(self._load, "sessions-list")

    async def _load(self) -> None:
        self._is_old = False
        self.courses = await self.app.slow.run(read_courses)
        goal = self._goal
        if goal is not None and goal not in self._numbers:
            goal = await self.app.slow.run(lambda core: session_of(core, goal or ""))
        self._goal = None
        self._list_fitting(goal)
        await self._read()

    def show_fitting(self) -> Worker[None]:
        """List what fits the filter, and read the session under the cursor."""
        self._list_fitting(None)
        return self._follow(0.0)

    def _list_fitting(self, goal: str | None) -> None:
        fits = filter_of(self.box.text)
        fitting = [one for one in self.courses if fits(said(one))]
        if goal is not None and goal not in {one.session.id for one in fitting}:
            self.box.set_text("", silent=True)  # one goes there, whatever was looked for
            fitting = self.courses
        now = self.app.clock()
        by = self.grouped_by
        self.list.set_now(now, by=by)
        self.list.say_nothing(NOTHING_FITS if self.courses else NOTHING)
        self.box.say_count(len(fitting), len(self.courses))
        keep = self.list.current_key if goal is None else self._number(goal)
        parts = grouped(fitting, by, now.astimezone().date())
        self.list.show(*under((title, map(self._row, part)) for title, part in parts), keep=keep)
        self._say(len(fitting))

    def _row(self, course: SessionOverview) -> SessionRow:
        session = course.session
        return SessionRow(self._number(session.id), course, session.parent is not None)

    def _number(self, session: str) -> int:
        """A number of its own for each session: lists know rows by numbers."""
        return self._numbers.setdefault(session, len(self._numbers))

    def _say(self, fitting: int) -> None:
        number = counted(fitting, "session")
        newest = "newest " if len(self.courses) == MOST else ""
        words = f"{newest}{number} {BY_WORDS[self.grouped_by]}"
        self.list_pane.border_subtitle = Content(words if fitting else "")
        self._name_list()

    def _name_list(self) -> None:
        """The legend stands in the frame where there is room for it."""
        legend = self.list.legend
        has_room = len(legend) + len(TITLE) + 8 <= self.list_pane.size.width
        self.list_pane.border_title = Content.assemble(
            TITLE, (f" · {legend}" if legend and has_room and self.list.keys else "", "$text-muted")
        )

    def on_resize(self) -> None:
        """Columns may come or go."""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self._name_list()
        self.refresh_bindings()
        self.keep_focus()

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._follow(RESTING_SECONDS)

    def _follow(self, wait: float) -> Worker[None]:
        async def read() -> None:
            await asyncio.sleep(wait)
            await self._read()

        self.refresh_bindings()
        return self.begin(read, "sessions-account")

    async def _read(self) -> None:
        """Read the session under the cursor in full."""
        before = self.opened
        opened = await self.read_current()
        if opened is None:
            self.account.show(lambda _: Content(""), from_top=True)
        else:
            now = self.app.clock()
            is_other = before is None or before.id != opened.id
            self.account.show(
                lambda cells: SessionAccount(Account(cells, self.app.glyphs, now)).of(
                    opened.session
                ),
                from_top=is_other,
            )
        self.refresh_bindings()

    async def read_current(self) -> Opened | None:
        """The session under the cursor in full, read anew; None without one."""
        course = self.current
        self.opened = None
        if course is not None:
            session = course.session.id
            with suppress(NotFound):  # it is gone: the next reading of the list says so
                self.opened = await self.app.pages.run(lambda core: read_opened(core, session))
        return self.shown

    @on(MemoriesChanged)
    def _changed(self) -> None:
        if self.is_current:
            self.load()
        else:
            self._is_old = True

    @on(events.Show)
    def _shown(self) -> None:
        """What came meanwhile is read when one looks."""
        if self._is_old:
            self.load()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.opened = None
        self._numbers = {}
        self.load()

    # -- acts

    def action_ask(self, what: str) -> None:
        """Go to a fork, group, or copy: each is chosen from a menu."""
        self.acts.begin(what)

    @on(RowOpened)
    def action_open(self) -> None:
        """Where only the list is shown, the session in full; else its memories on the Deck."""
        if not self.account.display:
            self._into_pane()
        else:
            self.acts.go("open")

    def action_go(self, where: str) -> None:
        """To what it was told, to what it changed, or to its transcript."""
        self.acts.go(where)

    def action_incognito(self) -> None:
        """Take nothing down from it any more, or do so again."""
        if course := self.current:
            self.acts.turn_incognito(course)

    async def on_click(self, event: events.Click) -> None:
        """To a fork that the text names; what else is clicked is every view's own."""
        if session := event.style.meta.get("memdeck_session"):
            event.stop()
            await self.app.navigation.open(Place("sessions", session=session))

    def out_of_mode(self) -> None:
        """Back to what they stand under until somebody chooses."""
        if self.by:
            self.group_by("")

    def group_by(self, by: str) -> None:
        """Put the sessions under other headings."""
        self.by = by
        self.show_fitting()

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """What can be done with the session under the mouse."""
        event.stop()
        acts = [act for act in MENU_ACTS if not self.why_not(act.action)]
        if self.current is not None:
            self.offer(self.current.name, acts)
