"""What the workbench shows: the list, the pair under the cursor, and what others do to both."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Sequence
from functools import partial

from textual import on, work
from textual.content import Content
from textual.worker import Worker

from ...core.errors import NotFound
from ...core.judgements import Conflict
from ..messages import MemoriesChanged, ProjectChanged
from ..widgets.conflict_head import SHORT_VERDICTS, ConflictHead
from ..widgets.conflict_list import ConflictList, ConflictRow
from ..widgets.filter_line import FilterLine
from ..widgets.list_messages import Moved, PageWanted
from ..widgets.pages import PAGE
from ..widgets.side_account import Frame, both_sides
from ..widgets.side_pane import SidePane
from .conflicts_acts import NOTHING_DECIDED, NOTHING_FITS, NOTHING_OPEN
from .conflicts_deciding import Deciding
from .conflicts_reading import read_conflicts, read_pair

STACKED_BELOW = 100  # columns: narrower, the two stand one above the other
LOW = 7  # lines of a side: lower, the words come before everything else
ELSEWHERE = "The conflict you were looking at was {} elsewhere."


class Showing(Deciding):
    """Which conflicts there are, and the two sides of one of them."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.found: list[Conflict] = []
        self.shows_decided = False
        self._is_read = False  # whether the list says what the store holds
        self._going: tuple[str, bool] | None = None  # what is being gone to, and whether asked for
        self._keys: dict[str, int] = {}  # a number for each conflict, for the list
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.ids: list[str] = []  # of all that there are, whether they fit the filter or not
        self.box = FilterLine(self.look_for, self.focus_main, id="conflict-filter")
        self.head = ConflictHead(self.app.glyphs, id="conflict-head")
        self.list = ConflictList(self.app.glyphs, id="conflict-list")
        self.left = SidePane(id="conflict-left")
        self.right = SidePane(id="conflict-right")

    def focus_main(self) -> None:
        """Focus on the left side; where there is nothing, on what says so."""
        self._say_keys()
        self.screen.set_focus(self.list if self._is_read and not self.found else self.left)

    # -- the list

    @property
    def current(self) -> Conflict | None:
        """The conflict under the cursor."""
        return self.found[self.list.cursor] if self.list.cursor < len(self.found) else None

    @property
    def _can_judge(self) -> bool:
        return bool(self.found) and not self.shows_decided

    @work(exclusive=True, group="conflicts-list")
    async def load(self, *, show: str | None = None, wait: float = 0.0) -> None:
        """Read the conflicts anew, and the pair under the cursor."""
        await asyncio.sleep(wait)
        await self.refresh_list(show=show)

    def look_for(self, wait: float) -> Worker[None]:
        """Read the conflicts that fit the filter."""
        return self.load(wait=wait)

    async def refresh_list(self, *, show: str | None = None) -> None:
        """Read the conflicts anew; the cursor goes to `show`, else stays on its conflict.

        A verdict given here that was taken back is shown again, whoever tells us first. Who is on
        the way to a conflict gets there, whatever else makes the list be read meanwhile.
        """
        if self._going is not None:
            show = await self._arrive(*self._going)
        await self._read_list(show)
        await self.read_current()

    async def _arrive(self, ref: str, is_asked: bool) -> str | None:
        """The conflict of this name, or that of a memory, open or decided; its list is turned to.

        None: there is none, or somebody else got there first.
        """
        for decided in (False, True):
            found, _ = await self.app.pages.run(partial(read_conflicts, decided=decided))
            if self._going != (ref, is_asked):
                return None
            for one in found:
                if any(name.startswith(ref) for name in (one.id, one.first.id, one.second.id)):
                    self._going = None
                    self.box.set_text("", silent=True)
                    if decided != self.shows_decided:
                        self._turn(decided=decided)
                    return one.id
        self._going = None
        if is_asked:
            self.notify(f"Nothing called {ref[:20]} is in conflict.", markup=False)
        return None

    async def _read_list(self, show: str | None) -> None:
        decided, text = self.shows_decided, self.box.text
        found, all_ids = await self.app.pages.run(
            lambda core: read_conflicts(core, decided=decided, text=text)
        )
        if decided == self.shows_decided:  # else it answers the other list
            self.ids = all_ids
            ids = {one.id for one in found}
            known = {one.id for one in self.found}
            back = [ref for ref in self.decided_here if ref in ids - known and not decided]
            here = back[-1] if back else self.current.id if self.current else None
            wanted = show if show in ids else here
            self._show(found, self._key(wanted) if wanted in ids else None)

    def _key(self, ref: str | None) -> int:
        return self._keys.setdefault(ref or "", len(self._keys) + 1)

    def _show(self, found: Sequence[Conflict], keep: int | None) -> None:
        self.found, self._is_read = list(found), True
        rows = [self._row(one) for one in found]
        nothing = NOTHING_DECIDED if self.shows_decided else NOTHING_OPEN
        self.list.say_nothing(NOTHING_FITS if self.ids else nothing)
        self.box.say_count(len(found), len(self.ids))
        self.list.set_now(self.app.clock())
        self.list.show(array("q", [row.num for row in rows]), rows[:PAGE], keep)
        if self.has_class("-empty") != (not found):
            self.set_class(not found, "-empty")
            self.remove_class("-listing", "-zoomed")
            if self.app.view == "conflicts" and not self.box.is_typed_in:
                self.call_after_refresh(self._focus_again)
        self._say_place()

    def _focus_again(self) -> None:
        """What has the focus left or came; who went elsewhere meanwhile stays there."""
        if self.app.view == "conflicts" and not self.box.is_typed_in:
            self.focus_main()

    def _turn(self, *, decided: bool) -> None:
        self.shows_decided, self.found, self.pair = decided, [], None
        self.ids = []
        self.list.show(array("q"), [])

    def _row(self, one: Conflict) -> ConflictRow:
        verdict = SHORT_VERDICTS.get(one.verdict or "", one.verdict or "")
        revision = hash((one.first.revision, one.verdict, one.is_sure))  # whatever changes the line
        since = int(one.detected_at.timestamp() * 1000)
        num = self._key(one.id)
        return ConflictRow(num, revision, one.first.title, since, verdict, one.is_sure)

    @on(PageWanted)
    def _page_wanted(self, event: PageWanted) -> None:
        event.stop()
        rows = [self._row(one) for one in self.found[event.page * PAGE : (event.page + 1) * PAGE]]
        self.list.page_arrived(event.generation, event.page, rows)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._say_place()
        self.look()

    # -- the pair

    @work(exclusive=True, group="conflicts-pair")
    async def look(self) -> None:
        """Show the pair under the cursor."""
        await self.read_current()

    async def read_current(self) -> None:
        """Read the pair under the cursor, and show it unless the cursor went on meanwhile."""
        current = self.current
        if current is None:
            self.pair = None
        else:
            ref = current.id
            try:
                pair = await self.app.pages.run(lambda core: read_pair(core, ref))
            except NotFound:
                return  # an undo took the conflict itself away: the list is read again
            if self.current is None or self.current.id != ref:
                return
            is_other = self.pair is None or self.pair.conflict.id != ref
            self.pair = pair
            for side in (self.left, self.right) if is_other else ():
                side.scroll_home(animate=False, immediate=True)
        self._write()
        self.refresh_bindings()

    @on(SidePane.Resized)
    def _resized(self, event: SidePane.Resized) -> None:
        event.stop()
        self._write()

    def on_resize(self) -> None:
        """Beside each other where there is room."""
        self.set_class(self.size.width < STACKED_BELOW, "-stacked")
        self._say_keys()

    def _write(self) -> None:
        """Lay both sides out for the room there is."""
        pair, now = self.pair, self.app.clock()
        is_aligned = not self.has_class("-stacked") and not self.has_class("-zoomed")
        self.left.partner, self.right.partner = (
            (self.right, self.left) if is_aligned else (None, None)
        )
        self.head.show(pair.conflict if pair else None, self._place_words(), now)
        if pair is None or not any((self.left.room, self.right.room)):
            return
        rooms = (max(self.left.room, 1), max(self.right.room, 1))
        height = self.left.size.height or self.right.size.height
        frame = Frame(rooms, is_aligned, is_low=height < LOW)
        texts = both_sides(pair, frame, self.app.glyphs, now)
        for side, text in zip((self.left, self.right), texts, strict=True):
            side.show(text)
        self._say_titles()

    def tick(self) -> None:
        """Time goes on: ages are counted anew."""
        self.list.set_now(self.app.clock())
        if self.app.view == "conflicts":
            self._write()

    # -- words around it

    def _place_words(self) -> str:
        return f"{self.list.cursor + 1:,} of {len(self.found):,}" if self.found else ""

    def _say_place(self) -> None:
        pane = self.query_one("#conflict-list-pane")
        pane.border_title = "Decided" if self.shows_decided else "Open"
        place = self._place_words()
        pane.border_subtitle = f" {place} " if place else ""
        self._say_keys()
        self.refresh_bindings()

    def _say_titles(self) -> None:
        """The verdict that each side stands for, and which one is the newer."""
        pair = self.pair
        if pair is None:
            return
        for side, key, name in ((self.left, "a", "left"), (self.right, "b", "right")):
            is_newer = pair.newer_is_first == (name == "left")
            says = f"{name} · {'newer' if is_newer else 'older'}"
            if pair.conflict.is_open:
                side.border_title = Content.assemble(
                    (f"{key} ", "bold $text-accent"), f"keep {says}"
                )
            else:
                side.border_title = Content(says.capitalize())
            key, rival = ("s", "older") if is_newer else ("S", "newer")
            says = f" {key} lets it replace the {rival} "
            side.border_subtitle = says if pair.conflict.is_open else ""

    def _say_keys(self) -> None:
        """In the last line, that what comes first there are verdicts."""
        if self.app.view == "conflicts":
            has_room = self.app.size.width >= STACKED_BELOW
            self.app.stage.keys.say("verdict" if has_room and self._can_judge else "")

    # -- what others write

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if event.is_ours:
            self._follow_us()
        else:
            self._follow_others()

    @work(group="conflicts-ours")  # nothing that others do may cut it short
    async def _follow_us(self) -> None:
        """Read anew; a conflict that an undo of ours opened again is shown."""
        was_decided = self.shows_decided
        gone = await self._read_anew()
        if was_decided and gone:
            self._turn(decided=False)
            await self.refresh_list(show=gone[0])
            return
        if not was_decided:
            self.decided_here += [ref for ref in gone if ref not in self.decided_here]
        await self.read_current()

    @work(exclusive=True, group="conflicts-list")
    async def _follow_others(self) -> None:
        """Read anew; what was taken from under one's eyes is said."""
        here, was_decided = self.current, self.shows_decided
        gone = await self._read_anew()
        is_ours = self._is_deciding or here is None or here.id in self.decided_here
        if here is not None and here.id in gone and not is_ours and self.app.view == "conflicts":
            self.notify(ELSEWHERE.format("reopened" if was_decided else "decided"), markup=False)
        await self.read_current()

    async def _read_anew(self) -> list[str]:
        """Read the list; the ids that are not on it any more. None while it becomes another one."""
        before, decided = self.ids, self.shows_decided
        if self._going is not None:
            await self.refresh_list()
            return []
        await self._read_list(None)
        now = set(self.ids)
        return [ref for ref in before if ref not in now and decided == self.shows_decided]

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self._turn(decided=False)
        self.decided_here.clear()
        self.load()
