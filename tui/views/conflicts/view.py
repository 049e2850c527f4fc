"""The workbench for conflicts: two memories beside each other, and a letter for each verdict."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.worker import Worker

from ....core.errors import NotFound
from ....core.judgements import Conflict
from ....core.values import ms_of
from ...acts import bindings
from ...dialogs.questions import Choice, Menu
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...typeahead import may_ask
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.pages import keys_of
from ...widgets.side_account import Pair, SidePane
from ...widgets.virtual_list import MenuWanted, Moved, Opened
from .acts import Verdicts
from .model import Conflicts
from .panes import SHORT_VERDICTS, ConflictList, ConflictRow, Sides
from .text import CONFLICT_ACTS, HELP, NOTHING_DECIDED, NOTHING_FITS, NOTHING_OPEN, VERDICT_ACTS

STACKED_BELOW = 100  # columns: narrower, the two stand one above the other
NONE_LIT = "← or → lights a side first; then enter keeps it."
TICK_SECONDS = 30.0  # how often ages are counted anew
ELSEWHERE = "The conflict you were looking at was {} elsewhere."


class ConflictsView(View):
    """Which conflicts there are, how the two disagree, and what each side has to say for itself."""

    ACTS = CONFLICT_ACTS
    FOOTER_FIRST = frozenset({"list.filter"})  # the list is long: it has the less likely, too
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(CONFLICT_ACTS, "conflict.step_out")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.model = Conflicts(self.app)
        self.verdicts = Verdicts(self.app, self.model, self._refresh)
        self.box = FilterLine(self._look_for, self.focus_main, id="conflict-filter")
        self.list = ConflictList(self.app.glyphs, id="conflict-list")
        self.sides = Sides(self.app)
        self._is_stepping = False  # what is typed behind `n` is for the pair it goes to

    def compose(self) -> ComposeResult:
        yield self.box
        yield self.sides.head
        with Horizontal(id="conflict-panes"):
            with Vertical(id="conflict-list-pane", classes="pane"):
                yield self.list
            with Horizontal(id="conflict-sides"):
                yield self.sides.left
                yield self.sides.right

    def on_mount(self) -> None:
        """Read the conflicts."""
        self.set_interval(TICK_SECONDS, self._tick)
        self.load()

    def _tick(self) -> None:
        """Time goes on: ages are counted anew."""
        self.list.set_now(self.app.clock())
        if self.is_current:
            self._write()

    def on_resize(self) -> None:
        """Beside each other where there is room."""
        self.set_class(self.size.width < STACKED_BELOW, "-stacked")
        self._say_keys()

    # -- what is true of it now

    @property
    def current(self) -> Conflict | None:
        """The conflict under the cursor."""
        listed = self.model.listed
        return listed[self.list.cursor] if self.list.cursor < len(listed) else None

    @property
    def judged(self) -> Pair | None:
        """The pair that a verdict is about."""
        return self.verdicts.judged(self.current)

    @property
    def lit(self) -> str:
        """The side of the pair on the screen that `enter` keeps: "a", "b", or none."""
        return self.sides.lit if self.judged is not None else ""

    @property
    def _can_judge(self) -> bool:
        return bool(self.model.listed) and not self.model.shows_decided

    # -- where one is

    def focus_main(self) -> None:
        """Focus on the left side; where there is nothing, on what says so."""
        self._say_keys()
        has_none = self.model.is_read and not self.model.listed
        self.screen.set_focus(self.list if has_none else self.sides.left)

    def place(self) -> Place:
        """Where one is, to come back to."""
        return Place("conflicts", memory=self.current.id if self.current else None)

    def open_place(self, place: Place) -> None:
        """Come back to a conflict, or go to that of a memory."""
        if place.memory is not None:
            self.model.go_to(place.memory, is_asked=not place.is_remembered)
            reading = self.load()
            if not place.is_remembered:
                self._let_keys_wait_for(reading)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        left, right = self.sides.left, self.sides.right
        return [
            ("c", self._part("#conflict-list-pane"), self.list),
            ("l", left, left),
            ("r", right, right),
        ]

    # -- which keys work

    def can(self, action: str, *parameters: str) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        has_any = bool(self.model.listed)
        if parameters == ("lit",) and not self._can_judge:
            return False
        return {
            "decide": (bool(self.lit) or None) if parameters == ("lit",) else self._can_judge,
            "light": self._can_judge,
            "open": has_any,
            "step": has_any or None,
            "zoom": has_any,
            "list": has_any,
            "reopen": self.model.shows_decided and has_any,
        }.get(action, True)

    def why_not(self, action: str) -> str:
        """Why a key is dimmed, for its tooltip."""
        if action == "decide('lit')":
            return "" if self.lit else NONE_LIT
        return "There is no conflict here." if action.startswith("step") else ""

    # -- acts

    def action_decide(self, verdict: str) -> None:
        """A verdict on the pair that is on the screen."""
        if pair := self.judged:
            self.verdicts.give(self.lit if verdict == "lit" else verdict, pair)

    def action_light(self, side: str) -> None:
        """Light a side: nothing is decided yet."""
        if self.judged is None:
            return
        self.remove_class("-listing")
        self.sides.light(side, self.model.pair)
        self.screen.set_focus(self.sides.left if side == "a" else self.sides.right)
        self.refresh_bindings()

    def out_of_marks(self) -> bool:
        """No side is lit any more; whether one was."""
        was_lit = bool(self.lit)
        if was_lit:
            self.sides.light("", self.model.pair)
            self.refresh_bindings()
        return was_lit

    def action_reopen(self) -> None:
        """Take back the verdict under the cursor."""
        if self.current is not None and not self.current.is_open:
            self.verdicts.reopen(self.current)

    def action_step(self, rows: int) -> None:
        """The next or the previous conflict, round and round."""
        if self.model.listed:
            goal = (self.list.cursor + rows) % len(self.model.listed)
            self._is_stepping = goal != self.list.cursor
            self.list.cursor = goal

    def action_decided(self) -> None:
        """What was decided, or what is open again."""
        self._turn(decided=not self.model.shows_decided)
        self.load()

    @may_ask
    async def action_open(self) -> None:
        """Open the side one is in on the Deck; from the list, the one that is chosen."""
        current = self.current
        if current is None:
            return
        first, second = current.first, current.second
        if self.list.has_focus:
            choices = [
                Choice(first.id, first.title, "left", key="l"),
                Choice(second.id, second.title, "right", key="r"),
            ]
            chosen = await self.app.ask(Menu("Open which side?", choices))
        else:
            chosen = second.id if self.sides.right.has_focus else first.id
        if chosen is not None:
            self.post_message(OpenMemory(chosen))

    def action_list(self) -> None:
        """To the list; where it has no place of its own, over the rest, and away again."""
        if not self.out_of_pane():
            if not self._part("#conflict-list-pane").display:
                self.add_class("-listing")
            self.list.focus()

    def _to_list(self) -> None:
        """To the list, over the rest."""
        if not self.list.is_on_screen:
            self.action_list()

    def _into_pane(self) -> None:
        """Away from the list that stands over the rest."""
        self.out_of_pane()

    def out_of_pane(self) -> bool:
        """Away from the list that stands over the rest; whether it did."""
        if not self.has_class("-listing"):
            return False
        self.screen.set_focus(self.sides.left)
        self.remove_class("-listing")
        return True

    def out_of_mode(self) -> None:
        """Back to the open ones."""
        if self.model.shows_decided:
            self.action_decided()

    @on(Opened)
    def _row_opened(self, event: Opened) -> None:
        event.stop()
        self.remove_class("-listing")
        self.sides.left.focus()

    @on(SidePane.Opened)
    def _side_opened(self, event: SidePane.Opened) -> None:
        event.stop()
        if self.current is not None:
            is_right = event.side is self.sides.right
            side = self.current.second if is_right else self.current.first
            self.post_message(OpenMemory(side.id))

    @on(SidePane.MenuWanted)
    @on(MenuWanted)
    def _menu_wanted(self, event: SidePane.MenuWanted | MenuWanted) -> None:
        event.stop()
        if self.model.listed:
            reopen = [act for act in CONFLICT_ACTS if act.id == "conflict.reopen"]
            self.offer("Verdict", VERDICT_ACTS[1:] if self._can_judge else reopen)

    # -- the list

    @work(exclusive=True, group="conflicts-list")
    async def load(self, *, wait: float = 0.0) -> None:
        """Read the conflicts anew, and the pair under the cursor."""
        await asyncio.sleep(wait)
        await self._refresh()

    def _look_for(self, wait: float) -> Worker[None]:
        """Read the conflicts that fit the filter."""
        return self.load(wait=wait)

    async def _refresh(self, show: str | None = None) -> None:
        """Read the conflicts anew; the cursor goes to `show`, else stays on its conflict.

        Who is on the way to a conflict gets there, whatever else makes the list be read meanwhile.
        """
        if self.model.is_going:
            conflict, missing = await self.model.arrived()
            show = conflict.id if conflict else None
            if conflict is not None:
                self.box.set_text("", silent=True)
                if conflict.is_open == self.model.shows_decided:
                    self._turn(decided=not conflict.is_open)
            if missing:
                self.notify(f"Nothing called {missing[:20]} is in conflict.", markup=False)
        await self._read_list(show)
        await self._read_pair()

    async def _read_list(self, show: str | None = None) -> None:
        is_ours, keep = await self.model.read(self.box.text, show, lambda: self.current)
        if is_ours:
            self._show(keep)

    def _show(self, keep: int | None) -> None:
        listed, ids = self.model.listed, self.model.ids
        rows = [self._row(one) for one in listed]
        nothing = NOTHING_DECIDED if self.model.shows_decided else NOTHING_OPEN
        self.list.say_nothing(NOTHING_FITS if ids else nothing)
        self.box.say_count(len(listed), len(ids))
        self.list.set_now(self.app.clock())
        self.list.show(keys_of(rows), rows, keep=keep)
        if self.has_class("-empty") != (not listed):
            self.set_class(not listed, "-empty")
            self.remove_class("-listing", "-zoomed")
            self.call_after_refresh(self._focus_again)
        self._say_place()

    def _focus_again(self) -> None:
        """What has the focus left or came; who went elsewhere meanwhile stays there."""
        if self.is_current and not self.box.is_typed_in:
            self.focus_main()

    def _turn(self, *, decided: bool) -> None:
        self.model.turn(decided=decided)
        self.list.show(keys_of(()), ())

    def _row(self, one: Conflict) -> ConflictRow:
        verdict = SHORT_VERDICTS.get(one.verdict or "", one.verdict or "")
        revision = hash((one.first.revision, one.verdict))  # whatever changes the line
        since = ms_of(one.detected_at)
        num = self.model.key(one.id)
        return ConflictRow(num, revision, one.first.title, since, verdict)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._say_place()
        reading = self._look()
        if self._is_stepping:
            self._is_stepping = False
            self._let_keys_wait_for(reading)

    # -- the pair

    @work(exclusive=True, group="conflicts-pair")
    async def _look(self) -> None:
        await self._read_pair()

    async def _read_pair(self) -> None:
        """Read the pair under the cursor, and show it unless the cursor went on meanwhile."""
        current, shown = self.current, self.model.pair
        if current is None:
            self.model.pair = None
        else:
            try:
                pair = await self.model.read_pair(current.id)
            except NotFound:
                return  # an undo took the conflict itself away: the list is read again
            if self.current is None or self.current.id != current.id:
                return
            shown, self.model.pair = self.model.pair, pair
            if shown is None or shown.conflict.id != current.id:
                self.sides.from_top()
        self._write()
        self.refresh_bindings()

    @on(SidePane.Resized)
    def _resized(self, event: SidePane.Resized) -> None:
        event.stop()
        self._write()

    def _write(self) -> None:
        if self.judged is None:
            self.sides.lit = ""
        is_aligned = not self.has_class("-stacked") and not self.has_class("-zoomed")
        self.sides.show(self.model.pair, self._place_words(), is_aligned=is_aligned)

    # -- words around it

    def _place_words(self) -> str:
        count = len(self.model.listed)
        return f"{self.list.cursor + 1:,} of {count:,}" if count else ""

    def _say_place(self) -> None:
        pane = self._part("#conflict-list-pane")
        pane.border_title = "Decided" if self.model.shows_decided else "Open"
        place = self._place_words()
        pane.border_subtitle = place
        self._say_keys()
        self.refresh_bindings()

    def _say_keys(self) -> None:
        """In the last line, that what comes first there are verdicts."""
        if self.is_current:
            has_room = self.app.size.width >= STACKED_BELOW
            self.app.stage.keys.say("verdict" if has_room and self._can_judge else "")

    # -- what others write

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if event.is_ours:
            self._follow_us(set(event.ids or ()), is_undone=event.undid is not None)
        else:
            self._follow_others()

    @work(group="conflicts-ours")  # nothing that others do may cut it short
    async def _follow_us(self, written: set[str], *, is_undone: bool) -> None:
        """Read anew; a conflict that an undo of ours opened again is shown.

        Whoever looks for what others write may have read it before we were told: what left the
        list is ours where we wrote one of its sides.
        """
        was_decided, before = self.model.shows_decided, set(self.model.ids)
        gone, came = await self._read_anew(), []
        if was_decided and self.model.shows_decided:
            left = self.model.left.values()
            came = [one.id for one in left if {one.first.id, one.second.id} & written]
            if came:
                self._turn(decided=False)
                await self._refresh(show=came[0])
        elif not was_decided:
            came = [ref for ref in self.model.ids if ref not in before]
        if is_undone and came:
            self.list.flashing = frozenset(self.model.key(ref) for ref in came)
        if was_decided and came:
            return
        if not was_decided:
            here = self.model.decided_here
            here += [ref for ref in gone if ref not in here]
        await self._read_pair()

    @work(exclusive=True, group="conflicts-list")
    async def _follow_others(self) -> None:
        """Read anew; what was taken from under one's eyes is said."""
        here, was_decided = self.current, self.model.shows_decided
        gone = await self._read_anew()
        is_ours = self.verdicts.is_deciding or here is None or here.id in self.model.decided_here
        if here is not None and here.id in gone and not is_ours and self.is_current:
            self.notify(ELSEWHERE.format("reopened" if was_decided else "decided"), markup=False)
        await self._read_pair()

    async def _read_anew(self) -> list[str]:
        """Read the list; the ids that are not on it any more. None while it becomes another one."""
        before, decided = self.model.ids, self.model.shows_decided
        if self.model.is_going:
            await self._refresh()
            return []
        await self._read_list()
        now = set(self.model.ids)
        return [ref for ref in before if ref not in now and decided == self.model.shows_decided]

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self._turn(decided=False)
        self.model.decided_here.clear()
        self.load()
