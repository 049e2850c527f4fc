"""Recall: what an agent would be told with a prompt, and Receipts: what agents were told."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget

from ..acts import bindings
from ..clipboard import copy
from ..dialogs.menu import Choice, Menu
from ..messages import MemoriesChanged, OpenMemory, ProjectChanged
from ..typeahead import asks
from ..view import Place
from ..widgets.inbox_pane import InboxPane
from ..widgets.list_messages import MenuWanted, Opened
from ..widgets.recall_rows import TOLD
from .recall_acts import (
    GONE,
    HELP,
    ITEM_ACTIONS,
    ITEM_ACTS,
    NO_MEMORY,
    NO_PROMPT,
    NO_RECEIPT,
    NOT_KEPT,
    NOT_TOLD,
    PREVIEW_ACTIONS,
    RECALL_ACTS,
    RECEIPT_ACTIONS,
    RETIRED,
)
from .recall_changing import Changing
from .receipts_asking import can_replay

PANE_NAMES = ("receipts", "items", "text", "item")
"""What can be shown where there is room for one pane, in the order of `t`."""

TYPED = frozenset(act.action.partition("(")[0] for act in RECALL_ACTS)
MINUTE_SECONDS = 30.0  # how often ages are counted anew


class RecallView(Changing):
    """A prompt or the receipts above; memories and budget at the left, the text at the right."""

    ACTS = RECALL_ACTS
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(RECALL_ACTS),
        Binding("escape", "step_out", "Back", show=False, id="recall.step_out"),
        Binding("d", "try_meant", "Did you mean", id="recall.meant"),
    ]

    def on_mount(self) -> None:
        """Name the panes, and begin with what is configured."""
        self.query_one("#recall-ask").border_title = "Prompt"
        self.turn("items")
        self.set_interval(MINUTE_SECONDS, self._minute)
        self.say_line()
        self.take_defaults()

    def _minute(self) -> None:
        if self.app.view == self.id and self.among_receipts:
            self.load_receipts()

    def on_show(self) -> None:
        """What changed while nobody looked is worked out now."""
        if self.is_old:
            self.refresh_all()

    def on_resize(self) -> None:
        """Other panes may have room now."""
        self.write_nothing()
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        if self.among_receipts:
            self.say_latency()
        if self.tolds:
            self.follow(from_top=False)
        focused = self.screen.focused
        if self.app.view == self.id and (focused is None or not focused.is_on_screen):
            self.focus_main()

    # -- what the stage asks of a view

    def focus_main(self) -> None:
        """Focus where one works: the receipts, or what came of the prompt."""
        if self.among_receipts and self._room_for(self.receipts):
            self.screen.set_focus(self.receipts)
        else:
            self.screen.set_focus(self.nothing if self.has_class("-empty") else self.items)

    def _room_for(self, widget: Widget) -> bool:
        return not self.shows_one_pane or (widget is self.receipts) == self.has_class(
            "-at-receipts"
        )

    def place(self) -> Place:
        """Where one is, to come back to: everything stays as it is."""
        return Place("recall")

    def open_place(self, place: Place) -> None:
        """A prompt to try, or the receipts of a memory."""
        if place.memory is not None and not place.is_remembered:
            self.show_receipts_of(place.memory)
        elif place.query:
            self.prompt.take(place.query)
            self.screen.set_focus(self.items)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        top = (
            ("receipts-pane", self.receipts) if self.among_receipts else ("recall-ask", self.prompt)
        )
        panes: list[tuple[str, Widget, Widget]] = [
            ("a", self.query_one(f"#{top[0]}"), top[1]),
            ("b", self.items_pane, self.items),
            ("c", self.budget, self.budget),
        ]
        right = (self.first, self.second) if self.is_beside else (self.main, self.why)
        panes += [(letter, pane, pane) for letter, pane in zip("de", right, strict=True)]
        return [one for one in panes if one[1].is_on_screen]

    def cursor_line(self) -> int | None:
        """The row of the screen on which the cursor stands; None while one reads or writes."""
        for list_ in (self.items, self.receipts):
            if list_.has_focus:
                return list_.content_region.y + list_.cursor - list_.scroll_offset.y
        return None

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if not self.is_mounted:
            return True
        if action in TYPED and (self.box.is_typed_in or self.screen.focused is self.prompt):
            return False  # letters are typed there
        if action == "try_meant":
            is_typed = self.box.is_typed_in or self.screen.focused is self.prompt
            return not (is_typed or self.among_receipts or not self._has_meant)
        if action in PREVIEW_ACTIONS and self.among_receipts:
            return False
        if action in RECEIPT_ACTIONS and not self.among_receipts:
            return False
        if action == "other" and not self.compares:
            return False
        if action == "past" and not self.defaults.has_past:
            return False
        if action == "zoom":
            return not self.has_class("-empty")
        if action == "copy" and self.among_receipts and not self.is_beside:
            return False  # the text itself is not kept
        if action in TYPED:
            return not self._cannot(action) or None
        return super().check_action(action, parameters)

    @property
    def _has_meant(self) -> bool:
        return self.preview is not None and bool(self.preview.meant)

    def why_not(self, action: str) -> str:
        """Why a dimmed key cannot act now."""
        return self._cannot(action.partition("(")[0])

    def _cannot(self, action: str) -> str:
        item, receipt = self.current, self.receipt
        if action == "open" and self.receipts.has_focus:
            return "" if receipt is not None else NO_RECEIPT
        if action in ITEM_ACTIONS:
            if item is None:
                return NO_MEMORY
            if item.is_gone:
                return GONE
            return RETIRED if item.retired_as is not None and action != "open" else ""
        if action == "replay":
            return "" if receipt is not None and can_replay(receipt) else NOT_KEPT
        if action == "try_prompt":
            return "" if receipt is not None and receipt.prompt else NOT_KEPT
        if action == "feedback":
            return "" if item is not None and item.sides[0].state == TOLD else NOT_TOLD
        if action == "only_memory":
            return "" if self.only or (item is not None and not item.is_gone) else NO_MEMORY
        if action == "step":
            return "" if receipt is not None else NO_RECEIPT
        if action == "copy":
            return "" if self.copied() else NO_PROMPT
        return ""

    # -- moving about

    def action_filter(self) -> None:
        """Into the filter, at once."""
        self.box.open()

    def turn(self, pane: str) -> None:
        """Show this pane where there is room for one."""
        self.at = pane
        for name in PANE_NAMES:
            self.set_class(name == pane, f"-at-{name}")

    def action_next_pane(self) -> None:
        """The next pane: it gets the focus, and the room where there is room for one."""
        names = [name for name in PANE_NAMES if name != "receipts" or self.among_receipts]
        focused = self.screen.focused
        here = next((name for name in names if focused in self._in_pane(name)), self.at)
        name = names[(names.index(here) + 1) % len(names)]
        self.turn(name)
        self.screen.set_focus(self._in_pane(name)[0])

    def _in_pane(self, name: str) -> tuple[Widget, ...]:
        """What can have the focus in the pane of that name, the foremost first."""
        if name == "receipts":
            return (self.receipts,)
        if name == "items":
            return (self.nothing if self.has_class("-empty") else self.items,)
        if name == "text":
            return (self.first, self.second) if self.is_beside else (self.main,)
        return (self.budget,) if self.is_beside else (self.why, self.budget)

    def action_open(self) -> None:
        """Open the memory on the Deck; from the receipts, go to what the receipt told."""
        if self.receipts.has_focus:
            self.turn("items")
            self.screen.set_focus(self.items)
            return
        item = self.current
        if item is not None and not item.is_gone:
            self.post_message(OpenMemory(item.id))

    @on(Opened)
    def _opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    @on(InboxPane.LinkClicked)
    def _link_clicked(self, event: InboxPane.LinkClicked) -> None:
        event.stop()
        self.post_message(OpenMemory(event.memory))

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        is_zoomed = self.has_class("-zoomed")
        for pane in self.query(".pane"):
            pane.set_class(not is_zoomed and pane.has_focus_within, "-zoom")
        self.set_class(not is_zoomed and bool(self.query(".-zoom")), "-zoomed")

    def action_step_out(self) -> None:
        """One step out: zoom, what one reads, the filter, two answers, the receipts."""
        focused = self.screen.focused
        if self.has_class("-zoomed"):
            self.action_zoom()
        elif self.among_receipts:
            self._out_of_receipts()
        elif focused not in (self.items, self.nothing):
            self.turn("items")
            self.screen.set_focus(self.nothing if self.has_class("-empty") else self.items)
        elif self.box.text:
            self.box.clear()
        elif self.compares:
            self.action_compare()

    def _out_of_receipts(self) -> None:
        if not self.receipts.has_focus and self.receipt is not None:
            self.turn("receipts")
            self.screen.set_focus(self.receipts)
        elif self.box.text:
            self.box.clear()
        elif self.with_today:
            self.action_replay()
        elif self.only:
            self.action_only_memory()
        else:
            self.action_preview()

    # -- copying

    def copied(self) -> str:
        """The text that would be copied: of the column one reads, else the first there is."""
        texts = [told.text or "" for told in self.tolds]
        if self.is_beside and self.screen.focused is self.second:
            return texts[1]
        return next((text for text in texts if text), "")

    @work(group="copy")
    async def action_copy(self) -> None:
        """Copy the very text that is injected."""
        says = copy(self.screen.app, self.copied())
        self.app.notify(says, markup=False)

    # -- what happens elsewhere

    def refresh_all(self) -> None:
        """Work out anew what is shown."""
        self.is_old = False
        if self.among_receipts:
            self.load_receipts()
        else:
            if self.box.text:
                self.narrow()
            self.compute()

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if self.app.view == self.id:
            if event.undid is not None:
                self.undone = event.ids or ()
            self.refresh_all()
        else:
            self.is_old = True

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.only, self.opened, self.listing = None, None, None
        self.take_defaults()
        if self.among_receipts:
            self.load_receipts()

    # -- the mouse

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        event.stop()
        if event.list is self.items:
            self._act_menu()

    @asks
    async def _act_menu(self) -> None:
        """What can be done to the memory under the mouse."""
        wanted = (*ITEM_ACTS, *(act for act in RECALL_ACTS if act.id.startswith("receipt.")))
        names = {act: act.action.partition("(")[0] for act in wanted}
        acts = [
            act
            for act, name in names.items()
            if name in ITEM_ACTIONS | {"feedback", "only_memory"} and self.check_action(name, ())
        ]
        choices = [Choice(act.id, act.label, key=_letter(act.key, act.key_display)) for act in acts]
        chosen = await self.app.ask(Menu("Memory", choices))
        for act in acts:
            if act.id == chosen:
                self.app.run_act(act)


def _letter(key: str, display: str | None) -> str:
    shown = display or key
    return shown if len(shown) == 1 else ""
