"""The workbench for conflicts: two memories beside each other, and a letter for each verdict."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.worker import Worker

from ..acts import bindings
from ..dialogs.menu import Choice, Menu
from ..messages import OpenMemory
from ..typeahead import answered, asks, may_ask
from ..view import Place
from ..widgets.list_messages import MenuWanted, Opened
from ..widgets.side_pane import SidePane
from .conflicts_acts import (
    CONFLICT_ACTS,
    HELP,
    VERDICT_ACTS,
    VERDICTS_HERE,
)
from .conflicts_showing import Showing

NEED_A_CONFLICT = frozenset({"step", "open"})


class ConflictsView(Showing):
    """Which conflicts there are, how the two disagree, and what each side has to say for itself."""

    ACTS = CONFLICT_ACTS
    FOOTER_FIRST = frozenset({"list.filter"})  # the list is long: it has the less likely, too
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(CONFLICT_ACTS),
        Binding("escape", "step_out", "Back", show=False, id="conflict.step_out"),
    ]

    def compose(self) -> ComposeResult:
        yield self.box
        yield self.head
        with Horizontal(id="conflict-panes"):
            with Vertical(id="conflict-list-pane", classes="pane"):
                yield self.list
            with Horizontal(id="conflict-sides"):
                yield self.left
                yield self.right

    def on_mount(self) -> None:
        """Read the conflicts."""
        self.set_interval(30.0, self.tick)
        self.load()

    # -- what the stage asks of a view

    def place(self) -> Place:
        """Where one is, to come back to."""
        return Place("conflicts", memory=self.current.id if self.current else None)

    def open_place(self, place: Place) -> None:
        """Come back to a conflict, or go to that of a memory."""
        if place.memory is not None:
            self._going = place.memory, not place.is_remembered
            reading = self.load()
            if not place.is_remembered:
                self.let_keys_wait_for(reading)

    @may_ask
    async def let_keys_wait_for(self, going: Worker[None]) -> bool:
        """What is typed now is for the conflict that one goes to."""
        return await answered(going)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        return [
            ("c", self.query_one("#conflict-list-pane"), self.list),
            ("l", self.left, self.left),
            ("r", self.right, self.right),
        ]

    def cursor_line(self) -> int | None:
        """The row of the screen on which the cursor stands; None while one reads."""
        if not self.list.has_focus:
            return None
        return self.list.content_region.y + self.list.cursor - self.list.scroll_offset.y

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if not self.is_mounted:
            return True
        if action == "filter":
            return not self.box.is_typed_in
        if action in VERDICTS_HERE:
            return self._can_judge
        if action in NEED_A_CONFLICT and not self.found:
            return False if action == "open" else None
        if action in {"zoom", "list"}:
            return bool(self.found)
        if action == "reopen":
            return self.shows_decided and bool(self.found)
        return super().check_action(action, parameters)

    def why_not(self, action: str) -> str:
        """Why a key is dimmed, for its tooltip."""
        return "There is no conflict here." if action.startswith("step") else ""

    # -- going about

    def action_filter(self) -> None:
        """Into the filter, at once."""
        self.box.open()

    def action_step(self, rows: int) -> None:
        """The next or the previous conflict, round and round."""
        if self.found:
            self.list.cursor = (self.list.cursor + rows) % len(self.found)

    def action_decided(self) -> None:
        """What was decided, or what is open again."""
        self._turn(decided=not self.shows_decided)
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
            chosen = second.id if self.right.has_focus else first.id
        if chosen is not None:
            self.post_message(OpenMemory(chosen))

    @on(Opened)
    def _row_opened(self, event: Opened) -> None:
        event.stop()
        self.remove_class("-listing")
        self.left.focus()

    @on(SidePane.Opened)
    def _side_opened(self, event: SidePane.Opened) -> None:
        event.stop()
        if self.current is not None:
            side = self.current.second if event.side is self.right else self.current.first
            self.post_message(OpenMemory(side.id))

    @on(SidePane.LinkClicked)
    def _link_clicked(self, event: SidePane.LinkClicked) -> None:
        event.stop()
        self.post_message(OpenMemory(event.memory))

    @on(SidePane.MenuWanted)
    @on(MenuWanted)
    @asks
    async def _act_menu(self, event: SidePane.MenuWanted | MenuWanted) -> None:
        """The verdicts, for the mouse."""
        event.stop()
        acts = [act for act in CONFLICT_ACTS if act.id == "conflict.reopen"]
        if self._can_judge:
            acts = list(VERDICT_ACTS)
        if not self.found:
            return
        choices = [Choice(act.id, act.label, key=act.key) for act in acts]
        chosen = await self.app.ask(Menu("Verdict", choices))
        for act in acts:
            if act.id == chosen:
                self.app.run_act(act)

    def action_list(self) -> None:
        """To the list; where it has no place of its own, over the rest, and away again."""
        if self.has_class("-listing"):
            self._close_list()
            return
        if not self.query_one("#conflict-list-pane").display:
            self.add_class("-listing")
        self.list.focus()

    def _close_list(self) -> None:
        self.screen.set_focus(self.left)
        self.remove_class("-listing")

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        panes = (self.query_one("#conflict-list-pane"), self.left, self.right)
        is_zoomed = self.has_class("-zoomed")
        for pane in panes:
            pane.set_class(not is_zoomed and pane.has_focus_within, "-zoom")
        self.set_class(not is_zoomed and any(pane.has_focus_within for pane in panes), "-zoomed")

    def action_step_out(self) -> None:
        """One step out: zoom, the list over the rest, the filter, the decided ones."""
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif self.has_class("-listing"):
            self._close_list()
        elif self.box.text:
            self.box.clear()
        elif self.shows_decided:
            self.action_decided()
