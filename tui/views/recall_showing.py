"""What Recall shows: a prompt or the receipts above, and of one answer or two what came of it."""

from __future__ import annotations

from collections.abc import Container, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Container as Room
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.worker import Worker

from ..text import counted
from ..view import View
from ..widgets.filter_line import FilterLine
from ..widgets.injection_account import InjectionAccount, Told
from ..widgets.list_messages import Moved
from ..widgets.nothing import EmptyPlace, NothingLine
from ..widgets.recall_pane import RecallPane
from ..widgets.recall_prompt import PromptArea, SettingsLine
from ..widgets.recall_receipts import ReceiptList
from ..widgets.recall_rows import TOLD, Item, ItemList
from .inbox_words import as_content
from .recall_acts import NOTHING_FITS


class Showing(View):
    """The panes, and what stands in them."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        glyphs = self.app.glyphs
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.box = FilterLine(self.narrow, self.focus_main, id="recall-filter")
        self.prompt = PromptArea(id="recall-prompt")
        self.receipts = ReceiptList(glyphs, id="receipts-list")
        self.line = SettingsLine(id="recall-line")
        self.items = ItemList(glyphs, id="recall-items")
        self.budget = RecallPane("Budget", id="recall-budget")
        self.main = RecallPane("Text", id="recall-text")
        self.why = RecallPane("Memory", id="recall-item")
        self.first = RecallPane("", id="recall-first")
        self.second = RecallPane("", id="recall-second")
        self.nothing = EmptyPlace("", id="recall-empty", markup=False)
        self.items_pane = Vertical(self.items, id="recall-items-pane", classes="pane")
        self.tolds: tuple[Told, ...] = ()
        self.items_found: tuple[Item, ...] = ()
        self.shown: tuple[Item, ...] = ()  # those of them that fit the filter
        self.undone: tuple[str, ...] = ()  # ids: an undo brings these into sight
        self.fitting: Container[int] | None = None  # None: every memory fits
        self.at = "items"  # the pane that is shown where there is room for one
        self._empty: Sequence[NothingLine] = ()

    def compose(self) -> ComposeResult:
        yield self.box
        with Vertical(id="recall-top"):
            with Vertical(id="recall-ask", classes="pane"):
                yield self.prompt
            with Vertical(id="receipts-pane", classes="pane"):
                yield self.receipts
            yield self.line
        with Room(id="recall-body"):
            with Room(id="recall-left"):
                yield self.items_pane
                yield self.budget
            with Room(id="recall-right"):
                yield self.main
                yield self.why
                yield self.first
                yield self.second
        yield self.nothing

    def focus_main(self) -> None:
        """Put the focus where one works."""

    def narrow(self, wait: float) -> Worker[None] | None:
        """List what fits the filter only."""

    @property
    def among_receipts(self) -> bool:
        """Whether receipts are shown, instead of a prompt to try."""
        return self.has_class("-receipts")

    @property
    def shows_one_pane(self) -> bool:
        """Whether there is room for one pane only."""
        return self.screen.has_class("-narrow") or self.screen.has_class("-low")

    @property
    def is_beside(self) -> bool:
        """Whether two answers are shown beside each other."""
        return len(self.tolds) == 2

    @property
    def current(self) -> Item | None:
        """The memory under the cursor."""
        return self.shown[self.items.cursor] if self.items.cursor < len(self.shown) else None

    # -- showing

    def show_answers(
        self,
        tolds: tuple[Told, ...],
        items: tuple[Item, ...],
        more: int = 0,
        *,
        go_to: int | None = None,
    ) -> None:
        """Show these answers; `more` were left out besides.

        The cursor stays on its memory; another receipt's begins at the memory `go_to`.
        """
        is_other = [told.text for told in tolds] != [told.text for told in self.tolds]
        is_new = go_to is not None
        keep = go_to if is_new else self.items.current_key
        self.tolds, self.items_found = tolds, items
        self._be_beside(len(tolds) == 2)
        self._be_empty(False)
        self._show_fitting(keep)
        told = sum(one.sides[0].state == TOLD for one in items)
        self.items_pane.border_title = "Memories"
        says = f" {told:,} told · {len(items) - told + more:,} not "
        if len(tolds) == 2:
            writer = self.writer(80)
            says = f" {writer.difference(items, (tolds[0].label, tolds[1].label))} "
        self.items_pane.border_subtitle = Content(says) if items else ""
        self._show_texts(from_top=is_other or is_new)
        self.follow(from_top=is_new)

    def _show_fitting(self, keep: int | None) -> None:
        """List those of the memories that fit the filter."""
        items, fitting = self.items_found, self.fitting
        self.shown = tuple(one for one in items if fitting is None or one.num in fitting)
        back = next((one.num for one in self.shown if one.id in self.undone), None)
        keep, self.undone = (keep if back is None else back), ()
        self.items.say_nothing(NOTHING_FITS if items else ())
        self.items.show_items(self.shown, keep)
        if not self.among_receipts:
            self.box.say_count(len(self.shown), len(items))

    def narrow_items(self, fitting: Container[int] | None) -> None:
        """Only these memories fit from now on; None: all."""
        self.fitting = fitting
        self._show_fitting(self.items.current_key)
        self.follow()

    def forget_filter(self) -> None:
        """Everything fits: what was typed was for another list."""
        self.fitting = None
        self.box.set_text("", silent=True)
        self.box.say("")

    def _be_beside(self, is_beside: bool) -> None:
        """Two columns or one; who reads what leaves goes on with what comes in its place."""
        if is_beside == self.has_class("-beside"):
            return
        self.set_class(is_beside, "-beside")
        leaves = (self.main, self.why) if is_beside else (self.first, self.second)
        if self.screen.focused in leaves:
            comes = self.first if is_beside else self.main
            self.call_after_refresh(self._read_on, comes, leaves)

    def _read_on(self, comes: Widget, leaves: tuple[Widget, ...]) -> None:
        """The focus goes from the pane that left to the one that came, unless it went elsewhere."""
        if self.screen.focused is None or self.screen.focused in leaves:
            self.screen.set_focus(comes)

    def _show_texts(self, *, from_top: bool) -> None:
        """The text of one answer, or both columns."""
        tolds, items = self.tolds, self.items_found
        if len(tolds) == 2:
            for place, pane in enumerate((self.first, self.second)):
                told = tolds[place]
                pane.name_it(told.label, f"{told.tokens:,} tokens")
                pane.show(
                    lambda width, told=told, place=place: _lines(  # type: ignore[misc]
                        self.writer(width).column(told, items, place)
                    ),
                    from_top=from_top,
                )
        elif tolds:
            told = tolds[0]
            self._name_text(told)
            self.main.show(lambda width: self.text_content(width, told), from_top=from_top)

    def _name_text(self, told: Told) -> None:
        says = f"{counted(told.tokens, 'token')} · {len(told.text or ''):,} characters"
        self.main.name_it("Text", says)

    def text_content(self, width: int, told: Told) -> Content:
        """What stands in the pane with the text."""
        return _lines(self.writer(width).text(told))

    def follow(self, *, from_top: bool = True) -> None:
        """Show the memory under the cursor, and the budget."""
        item, tolds = self.current, self.tolds

        def about(width: int) -> Content:
            writer = self.writer(width)
            lines = [] if item is None else writer.item(item, tolds)
            if self.shows_one_pane and len(tolds) == 1:
                lines += [Content(""), writer.section("budget"), *self.budget_of(width, tolds[0])]
            return _lines(lines)

        def budget(width: int) -> Content:
            return _lines(self.budget_of(width, tolds[0])) if tolds else Content("")

        self.why.name_it("Memory")
        self.why.show(about, from_top=from_top)
        is_beside = len(tolds) == 2
        self.budget.name_it("Memory" if is_beside else "Budget")
        self.budget.show(about if is_beside else budget, from_top=from_top)
        self.refresh_bindings()
        self.app.notices.keep_off_the_cursor()

    def budget_of(self, width: int, told: Told) -> list[Content]:
        """What stands in the pane with the budget."""
        return self.writer(width).budget(told)

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        if event.list is self.items:
            self.follow()
        elif event.list is self.receipts:
            self.receipt_moved()

    def receipt_moved(self) -> None:
        """Another receipt is under the cursor."""

    def writer(self, width: int) -> InjectionAccount:
        """Who writes a pane of `width` cells."""
        return InjectionAccount(width, self.app.glyphs, self.app.clock())

    # -- when there is nothing

    def say_nothing(self, lines: Sequence[NothingLine]) -> None:
        """The empty place: what it is for, and what to do."""
        self.tolds, self.items_found, self.shown = (), (), ()
        self.items.show_items((), None)
        self._empty = lines
        self._be_empty(True)
        self.write_nothing()
        self.refresh_bindings()

    def _be_empty(self, is_empty: bool) -> None:
        """Show the empty place or the panes; what is shown keeps the focus."""
        if is_empty == self.has_class("-empty"):
            return
        focused = self.screen.focused
        hidden = focused is self.nothing if not is_empty else self._is_in_body(focused)
        self.set_class(is_empty, "-empty")
        if self.app.view == self.id and (focused is None or hidden):
            self.screen.set_focus(self.nothing if is_empty else self.items)

    def _is_in_body(self, widget: Widget | None) -> bool:
        body = self.query_one("#recall-body")
        return widget is not None and body in widget.ancestors

    def write_nothing(self) -> None:
        """Write the empty place for the width there is."""
        self.nothing.update(as_content(self._empty, min(self.size.width - 8, 72)))


def _lines(parts: Sequence[Content]) -> Content:
    return Content("\n").join(parts)
