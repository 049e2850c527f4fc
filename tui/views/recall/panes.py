"""What came of a prompt, or of a receipt: its memories, its budget, its text, one memory."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from ...text import counted
from ...view import View
from ...widgets import injection_account
from ...widgets.account import Account, written
from ...widgets.nothing import EmptyPlace, NothingLine, nothing_fits
from ...widgets.recall_rows import TOLD, Item, ItemList
from ...widgets.text_pane import TextPane, Write
from .model import NO_ANSWER, Answer

SAYS_KEY_FROM = 100  # columns from which on the foot of the list names its key
COLUMNS = ("first", "second", "third")
"""The panes of answers beside each other."""


class Panes:
    """One answer, or some beside each other, in the panes of a view; or the place without one."""

    def __init__(self, view: View) -> None:
        self._view, self._app = view, view.app
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.items = ItemList(self._app.glyphs, id="recall-items")
        self.items_pane = Vertical(self.items, id="recall-items-pane", classes="pane")
        self.budget = TextPane("Budget", id="recall-budget")
        self.main = TextPane("Text", id="recall-text")
        self.why = TextPane("Memory", id="recall-item")
        self.columns = tuple(TextPane("", id=f"recall-{name}") for name in COLUMNS)
        self.nothing = EmptyPlace("", id="recall-empty", markup=False)
        self.answer = NO_ANSWER
        self.shown: tuple[Item, ...] = ()  # those of its memories that fit the filter
        self.undone: tuple[str, ...] = ()  # ids: an undo brings these into sight
        self.fitting: Container[int] | None = None  # None: every memory fits
        self.only_left_out = False

    # -- what is true of it now

    @property
    def is_beside(self) -> bool:
        """Whether answers are shown beside each other."""
        return len(self.answer.tolds) > 1

    @property
    def leaves_out(self) -> bool:
        """Whether it names a memory that it does not tell."""
        return any(not one.is_told for one in self.answer.items)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return self._view.has_class("-empty")

    @property
    def shows_one(self) -> bool:
        """Whether there is room for one pane only."""
        return self._view.screen.has_class("-narrow") or self._view.screen.has_class("-low")

    @property
    def start(self) -> Widget:
        """Where one works: the memories, or what stands in their place."""
        return self.nothing if self.is_empty else self.items

    @property
    def current(self) -> Item | None:
        """The memory under the cursor."""
        return self.shown[self.items.cursor] if self.items.cursor < len(self.shown) else None

    def beside_or_alone(self) -> tuple[TextPane, ...]:
        """The panes at the right."""
        if self.is_beside:
            return self.columns[: len(self.answer.tolds)]
        return (self.main, self.why)

    # -- showing

    def show(self, answer: Answer, *, go_to: int | None = None) -> None:
        """Show this answer; the cursor stays on its memory, or begins at the memory `go_to`."""
        texts = [told.text for told in self.answer.tolds]
        is_other = [told.text for told in answer.tolds] != texts
        is_new = go_to is not None
        keep = go_to if is_new else self.items.current_key
        self.answer = answer
        self._be_beside()
        self._be_empty(False)
        self._show_fitting(keep)
        self.items_pane.border_title = "Memories"
        self._show_texts(from_top=is_other or is_new)
        self.follow(from_top=is_new)

    def _says(self) -> str:
        """How many are told, or how far the answers differ."""
        items, tolds = self.answer.items, self.answer.tolds
        if self.is_beside:
            labels = [told.label for told in tolds]
            return injection_account.difference(items, labels)
        told = sum(one.sides[0].state == TOLD for one in items)
        others = len(items) - told + self.answer.more_left_out
        if self.only_left_out:
            return f" {others:,} left out · f shows all "
        laid_down = sum(one.sides[0].state == TOLD and one.is_laid_down for one in items)
        first = f" ({laid_down:,} laid down)" if laid_down else ""
        has_key = others and self.answer.receipt is not None  # of a prompt f has no such choice
        key = ": f lists them" if has_key and self._app.size.width >= SAYS_KEY_FROM else ""
        return f"{told:,} told{first} · {others:,} not{key}"

    def _show_fitting(self, keep: int | None) -> None:
        """List those of the memories that fit the filter."""
        items, fitting = self.answer.items, self.fitting
        self.shown = tuple(
            one
            for one in items
            if (fitting is None or one.num in fitting) and not (self.only_left_out and one.is_told)
        )
        came = [one.num for one in self.shown if one.id in self.undone]
        keep, self.undone = (came[0] if came else keep), ()
        self.items.say_nothing(nothing_fits() if items else ())
        self.items.show_items(self.shown, keep)
        if came:
            self.items.flashing = frozenset(came)
        if self.answer.receipt is None:
            self._view.box.say_count(len(self.shown), len(items))

    def narrow(self, fitting: Container[int] | None) -> None:
        """Only these memories fit from now on; None: all."""
        self.fitting = fitting
        self._show_fitting(self.items.current_key)
        self.follow()

    def list_left_out(self, only: bool) -> None:
        """List only what was left out, or everything again."""
        self.only_left_out = only
        self._show_fitting(self.items.current_key)
        self.follow()

    def forget_filter(self) -> None:
        """Everything fits: what was typed was for another list."""
        self.fitting, self.only_left_out = None, False
        self._view.box.set_text("", silent=True)
        self._view.box.say("")

    def _show_texts(self, *, from_top: bool) -> None:
        """The text of one answer or its receipt, or all columns."""
        tolds, items, receipt = self.answer.tolds, self.answer.items, self.answer.receipt
        if self.is_beside:
            for place, (told, pane) in enumerate(zip(tolds, self.columns, strict=False)):
                pane.name_it(told.label, f"{told.tokens:,} tokens")
                column = self._column(place)
                pane.show(column, from_top=from_top)
        elif receipt is not None:
            self.main.name_it("Receipt", f"{tolds[0].tokens:,} tokens")
            shown = written(self._app, lambda by: injection_account.receipt(by, receipt, items))
            self.main.show(shown, from_top=from_top)
        elif tolds:
            told = tolds[0]
            says = f"{counted(told.tokens, 'token')} · {len(told.text or ''):,} characters"
            self.main.name_it("Text", says)
            shown = written(self._app, lambda _: injection_account.text(told))
            self.main.show(shown, from_top=from_top)

    def _column(self, place: int) -> Write:
        told, items = self.answer.tolds[place], self.answer.items
        return written(self._app, lambda by: injection_account.column(by, told, items, place))

    def follow(self, *, from_top: bool = True) -> None:
        """Show the memory under the cursor, and the budget."""
        self.items_pane.border_subtitle = Content(self._says()) if self.answer.items else ""
        item, tolds, health = self.current, self.answer.tolds, self.answer.health

        items, more = self.answer.items, self.answer.more_left_out
        is_past = self.answer.receipt is not None

        def budget(by: Account) -> Iterable[Content]:
            if tolds:
                yield from injection_account.budget(by, tolds[0], health)
                yield from injection_account.legend(by, is_past=is_past)
                yield from injection_account.left_out(by, items, more)

        def about(by: Account) -> Iterable[Content]:
            if item is not None:
                yield from injection_account.item(by, item, tolds)
            if self.shows_one and len(tolds) == 1:
                yield Content("")
                yield by.section("budget")
                yield from budget(by)

        self.why.name_it("Memory")
        self.why.show(written(self._app, about), from_top=from_top)
        self.budget.name_it("Memory" if self.is_beside else "Budget")
        self.budget.show(written(self._app, about if self.is_beside else budget), from_top=from_top)
        self._view.refresh_bindings()
        self._app.notices.keep_off_the_cursor()

    def _be_beside(self) -> None:
        """Columns or one; who reads what leaves goes on with what comes in its place."""
        self._view.set_class(self.is_beside, "-beside")
        self._view.set_class(len(self.answer.tolds) > 2, "-three")
        stays = self.beside_or_alone()
        leaves = [one for one in (self.main, self.why, *self.columns) if one not in stays]
        if self._view.screen.focused in leaves:
            self._view.call_after_refresh(self._read_on, self.beside_or_alone()[0], leaves)

    def _read_on(self, comes: Widget, leaves: Sequence[Widget]) -> None:
        """The focus goes from the pane that left to the one that came, unless it went elsewhere."""
        if self._view.screen.focused is None or self._view.screen.focused in leaves:
            self._view.screen.set_focus(comes)

    # -- when there is nothing

    def say_nothing(self, lines: Sequence[NothingLine]) -> None:
        """The empty place: what it is for, and what to do."""
        self.answer, self.shown = NO_ANSWER, ()
        self.items.show_items((), None)
        self._be_empty(True)
        self.nothing.say(lines)
        self._view.refresh_bindings()

    def _be_empty(self, is_empty: bool) -> None:
        """Show the empty place or the panes; what is shown keeps the focus."""
        if is_empty == self.is_empty:
            return
        focused = self._view.screen.focused
        body = self._view.query_one("#recall-body")
        hidden = (
            focused is not None and body in focused.ancestors
            if is_empty
            else (focused is self.nothing)
        )
        self._view.set_class(is_empty, "-empty")
        if self._view.is_current and (focused is None or hidden):
            self._view.screen.set_focus(self.start)

    # -- copying

    def to_copy(self) -> str:
        """The text that is copied: of the column one reads, else the first there is."""
        texts = [told.text or "" for told in self.answer.tolds]
        if self.is_beside and self._view.screen.focused in self.columns[1 : len(texts)]:
            return texts[self.columns.index(self._view.screen.focused)]
        return next((text for text in texts if text), "")
