"""The Deck as it was, on top of the journal: the list and one memory of then, entry by entry.

Everything is read in a lane of its own, which holds the copy; leaving closes it.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import ClassVar, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ....core.answers import Entry, Row
from ....core.compat import MemoryCoordinator
from ....core.errors import ManagerError
from ....core.text.moments import moment
from ....core.values import Memory
from ...app import MemoryApp
from ...text import counted, one_line, plain
from ...widgets.account import Shown
from ...widgets.filter_line import Field
from ...widgets.memory_rows import MemoryList
from ...widgets.pages import PAGE
from ...widgets.virtual_list import Moved, Opened, PageWanted
from ..deck.reader import Detail

T = TypeVar("T")
RESTING_SECONDS = 0.04  # before the pane follows the cursor
SHARE_SECONDS = 0.25  # between two looks at how much is read
PLAY_SECONDS = 0.9  # an entry stands before the next one comes


class PastScreen(ModalScreen[str | None]):
    """Answers the id of a memory that is to be opened as it is today, or None."""

    HELP = """\
## The Deck as it was
Every memory as it stood at the time above. `n` goes on to the next entry of the journal, `N` back
to the one before, `space` plays them one after the other and stops again. `/` asks this Deck
a query. `enter` opens the memory under the cursor as it is today. Nothing can be changed here.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", id="past.leave"),
        Binding("n", "step(1)", "Later", id="past.later", tooltip="The next entry."),
        Binding("N", "step(-1)", "Earlier", id="past.earlier", tooltip="The entry before."),
        Binding("space", "play", "Play", id="past.play", tooltip="Entry by entry; again: stop."),
        Binding("slash", "query", "Query", id="past.query", key_display="/"),
        Binding("tab,l,right", "pane(1)", "Pane", show=False, id="past.pane"),
        Binding("h,left", "pane(0)", "List", show=False, id="past.list"),
        Binding("enter", "open", "Today's", id="past.open"),
        Binding("question_mark,f1", "app.help", "Help", key_display="?", id="past.help"),
    ]

    def __init__(self, desk: MemoryApp, when: datetime | int) -> None:
        super().__init__()
        self._then = Then(when)
        self._lane = desk.lanes.another("past")
        self.glance: Glance | None = None
        self._ahead: deque[int] = deque()  # steps that were typed and wait
        self._is_walking = self._is_playing = False
        self._problem = ""
        self.memories = MemoryList(desk.glyphs, id="past-list", about=self.HELP)
        self.detail = Detail(desk.glyphs, id="past-detail")
        self.box = Field(placeholder="a query, as on the Deck", id="past-query", compact=True)
        self.box.cursor_blink = False
        self._place = Static("", id="past-place", markup=False)
        self._became = Static("", id="past-became", markup=False)

    def compose(self) -> ComposeResult:
        yield self._place
        yield self.box
        with Horizontal(id="past-panes"):
            yield self.memories
            with Vertical(id="past-reading"):
                yield self._became
                yield self.detail

    def on_mount(self) -> None:
        """Show where one is being taken; the copy is made meanwhile."""
        self.box.display = False
        self.memories.border_title = "Memories then"
        self.query_one("#past-reading").border_title = "Memory then"
        self._say_share()
        self.set_interval(SHARE_SECONDS, self._say_share)
        self.memories.focus()
        self._look()

    async def on_unmount(self) -> None:
        """Give the copy back, in the thread that holds it."""
        asyncio.ensure_future(self._lane.run(self._then.close)).add_done_callback(self._let_go)

    def _let_go(self, closing: asyncio.Future[None]) -> None:
        if not closing.cancelled():
            closing.exception()  # looked at: a lane that is gone already has closed it
        self._lane.close()

    # Reading

    async def _asked(self, job: Callable[[MemoryCoordinator], T]) -> T | None:
        """The lane's answer; None where the past cannot be read, which is said.

        And where it comes too late: the page, or the app, is being taken down.
        """
        try:
            answer = await self._lane.run(job)
            return answer if self.detail.query("#detail-text") else None
        except ManagerError as error:
            self._problem = str(error)
            self._is_playing = False
            self._ahead.clear()
            self._place.update(plain(f" {self._problem}  esc goes back", "$text-error"))
            return None

    @work(exclusive=True, group="past")
    async def _look(self) -> None:
        query = self.box.value
        glance = await self._asked(lambda core: self._then.look(core, query))
        if glance is not None:
            self.memories.begins_anew = True
            self._show(glance)

    def _walk_on(self) -> None:
        """Take the steps that wait, unless they are being taken."""
        if not self._is_walking:
            self._is_walking = True
            self._walk()

    @work(group="past-walk")
    async def _walk(self) -> None:
        """One step after the other, none lost however quickly they are typed; then play goes on."""
        while self._ahead or self._is_playing:
            step = self._ahead.popleft() if self._ahead else 1
            glance = await self._asked(partial(self._step, step, self.box.value))
            if glance is not None:
                self._show(glance, is_walking=True)
            elif not self._problem:
                self._is_playing = False
                self._say_place("the newest entry" if step > 0 else "nothing earlier to walk to")
            if self._is_playing and not self._ahead:
                await asyncio.sleep(PLAY_SECONDS)
        self._is_walking = False

    def _step(self, step: int, query: str, core: MemoryCoordinator) -> Glance | None:
        return self._then.step(core, step, query)

    def _show(self, glance: Glance, *, is_walking: bool = False) -> None:
        keep = self.memories.current_key
        if is_walking and glance.touched is not None:
            keep = glance.touched
        self.glance = glance
        self.memories.set_now(glance.at)
        self.memories.show(glance.nums, glance.first_page, keep=keep)
        self.memories.forget_paint()
        self._say_place()
        self._read()

    @on(PageWanted)
    def _page_wanted(self, event: PageWanted) -> None:
        event.stop()
        self._load_page(event.generation, event.page)

    @work(group="past-pages")
    async def _load_page(self, generation: int, page: int) -> None:
        nums = self.memories.keys[page * PAGE : (page + 1) * PAGE]
        rows = await self._asked(lambda core: self._then.rows(core, nums))
        if rows is not None:
            self.memories.page_arrived(generation, page, rows)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._read()

    @work(exclusive=True, group="past-detail")
    async def _read(self) -> None:
        await asyncio.sleep(RESTING_SECONDS)
        num = self.memories.current_key
        if num is None or self.glance is None:
            self.detail.show(None, None, datetime.now().astimezone())
            self._became.update("")
            return
        answer = await self._asked(lambda core: self._then.read(core, num))
        if answer is not None:
            shown, became = answer
            self.detail.show(shown, None, self.glance.at)
            self._became.update(plain(became, "$text-muted"))

    # What is said

    def _say_place(self, end: str = "") -> None:
        glance = self.glance
        if glance is None:
            return
        act = glance.act
        what = f"{act.actor} {act.action}  {one_line(act.title)}" if act is not None else ""
        where = f"after #{glance.entry}" if glance.entry else "before the first entry"
        parts = [
            ("As of ", "$text-muted"),
            (f"{glance.at.astimezone():%a %Y-%m-%d %H:%M}", "bold $text-accent"),
            (f"  {counted(glance.total, 'memory', 'memories')}  ", ""),
            (f"{where}  ", "$text-muted"),
        ]
        self._place.update(
            Content.assemble(" ", *parts, plain(end or what, "$text-warning" if end else ""))
        )

    def _say_share(self) -> None:
        """How much of the journal is read, while there is nothing else to say."""
        if self.glance is None and not self._problem:
            told = f" Reading the journal… {self._then.share:.0%}  esc stops it"
            self._place.update(plain(told, "$text-muted"))

    # Acts

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Letters type while the query is typed."""
        return action in ("leave", "help") or not self.box.has_focus

    def action_step(self, step: int) -> None:
        """The Deck one entry on, or back."""
        self._is_playing = False
        self._ahead.append(step)
        self._walk_on()

    def action_play(self) -> None:
        """One entry after the other; again: stop."""
        self._is_playing = not self._is_playing
        self._walk_on()

    def action_query(self) -> None:
        """Type a query, asked of this Deck."""
        self.box.display = True
        self.box.focus()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._look()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.memories.focus()

    def action_pane(self, which: int) -> None:
        """To the memory, or back to the list."""
        to_list = which == 0 or self.detail.has_focus
        (self.memories if to_list else self.detail).focus()

    @on(Opened)
    def action_open(self) -> None:
        """Open the memory under the cursor as it is today."""
        row = self.memories.current
        if row is not None:
            self._go(row.id)

    def action_leave(self) -> None:
        """Out of the query, then back to the journal."""
        if self.box.has_focus or self.box.value:
            self.box.value = ""
            self.box.display = False
            self.memories.focus()
        else:
            self._go(None)

    def _go(self, answer: str | None) -> None:
        self.workers.cancel_node(self)  # an answer that comes late has nowhere to be shown
        self.dismiss(answer)


@dataclass(frozen=True, slots=True)
class Glance:
    """The Deck after an entry: what a query finds in it."""

    at: datetime  # of which it is the Deck
    entry: int  # 0 before the first
    act: Entry | None  # the entry itself, where the trail still tells it
    nums: array[int]
    first_page: Sequence[Row]
    touched: int | None  # the row of the first memory that the entry touched, if it is listed
    total: int


class Then:
    """Holds the store as it was. Its acts belong to one lane; `when` is a moment or an entry."""

    def __init__(self, when: datetime | int) -> None:
        self._when = when
        self._past: MemoryCoordinator | None = None
        self.share = 0.0  # of the journal since then that was read; asked from another thread

    def look(self, core: MemoryCoordinator, query: str) -> Glance:
        """The Deck where one stands. The first look takes the time of a copy."""
        past = self._opened(core)
        entry = past.last_seq()
        found = past.find(query)
        act = next((one for one in core.audit(before=entry + 1, limit=1) if one.seq == entry), None)
        return Glance(
            past.now(), entry, act, found.nums, found.first_page, _touched(past, act), found.total
        )

    def step(self, core: MemoryCoordinator, step: int, query: str) -> Glance | None:
        """The Deck one entry on (1) or back (-1); None where there is no further one."""
        past = self._opened(core)
        there = core.services.past.beside(past.last_seq(), step)
        if there is None:
            return None
        core.services.past.travel(past.context, there)
        return self.look(core, query)

    def rows(self, core: MemoryCoordinator, nums: Sequence[int]) -> list[Row]:
        """A page of rows, as they were."""
        return self._opened(core).rows(nums)

    def read(self, core: MemoryCoordinator, num: int) -> tuple[Shown | None, str]:
        """One memory as it was, and what became of it since, in words."""
        past = self._opened(core)
        memory = past.memory(num)
        if memory is None:
            return None, ""
        try:
            now = core.resolve(memory.id)
        except ManagerError:
            return _shown(core, past, memory), "It is gone today."
        if now.retired_as is not None and memory.is_live:
            became = f"Retired since: {now.retired_as}."
        elif not memory.is_live and now.is_live:
            became = "Restored since."
        elif (now.content, now.title) != (memory.content, memory.title):
            became = "It reads otherwise today."
        else:
            became = "It stands today as it did then."
        return _shown(core, past, memory), became

    def close(self, _core: MemoryCoordinator) -> None:
        """Give the copy back."""
        if self._past is not None:
            self._past.close()
            self._past = None

    def _opened(self, core: MemoryCoordinator) -> MemoryCoordinator:
        if self._past is None:
            self._past = core.as_of(self._when, self._progress)
        return self._past

    def _progress(self, done: int, total: int | None) -> None:
        self.share = done / total if total else 0.0


def _shown(core: MemoryCoordinator, past: MemoryCoordinator, memory: Memory) -> Shown:
    """The memory as it was, its sessions by the names they have today."""
    sources = memory.details.get("source_sessions") or ()
    names = core.services.sessions.names([memory.origin.session, *map(str, sources)])
    names |= {one: past.show(one).title for one, _, _ in memory.both_hold}
    names |= {one.id: one.name for one in core.projects() if one.id == memory.project}
    return Shown(memory, past.links(memory.id), here=past.project.id, named=names, is_then=True)


def _touched(past: MemoryCoordinator, act: Entry | None) -> int | None:
    for memory in act.memories[:1] if act is not None else ():
        try:
            return past.resolve(memory).num
        except ManagerError:
            continue
    return None


def when_of(text: str, now: datetime) -> datetime | int:
    """The time that a person writes: as `moment` reads it, or `#42`, an entry.

    Raises ValueError.
    """
    text = text.strip()
    if text.startswith("#") and text[1:].isdecimal():
        return int(text[1:])
    return moment(text, now=now)
