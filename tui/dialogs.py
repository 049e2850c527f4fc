"""The small dialogs: a yes or no, one line of text, a short list, a preview, a bar of progress."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Button, Footer, Input, OptionList, ProgressBar, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from .text import fit, plain, width
from .widgets import ScrollText

if TYPE_CHECKING:
    from .app import MemoryApp
    from .changes import Progress


class Dialog(ModalScreen[ScreenResultType]):
    """A dialog on top of a screen until it is answered or cancelled."""

    def on_mount(self) -> None:
        """Show the keys of the dialog in the last line."""
        self.mount(Footer(show_command_palette=False, compact=True))

    def run_worker(self, work: Any, *args: Any, **more: Any) -> Worker[Any]:
        """Begin work in the dialog's name; core errors become notices."""
        return super().run_worker(cast("MemoryApp", self.app).guarded(work), *args, **more)

    def guard_leaving(self) -> bool:
        """Ask about unsaved changes, if there are any; return True if it asked."""
        return False

    def action_leave(self) -> None:
        self.dismiss(None)


class Confirm(Dialog[bool]):
    """Asks once, with the consequence; the answer is no unless the user presses `y`.

    Both buttons name their act. No act that asks has `y` for its key: one held down or hit twice
    changes nothing. Without a label for yes there is only a text to read.
    """

    BINDINGS = [
        Binding("y", "yes", "Yes"),
        Binding("n,escape", "no", "No"),
    ]

    def __init__(
        self,
        question: str,
        consequence: str | Content,
        yes_label: str = "",
        *,
        no_label: str = "Cancel",
        is_wide: bool = False,
    ) -> None:
        super().__init__(classes="-wide-dialog" if is_wide else "")
        self._question, self._yes, self._no = question, yes_label, no_label
        self._text = plain(consequence) if isinstance(consequence, str) else consequence

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm", classes="dialog"):
            yield Static(plain(self._question), id="confirm-question")
            with ScrollText(id="confirm-text"):
                yield Static(self._text, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(button_label(self._no, "n"), id="confirm-no")
                if self._yes:
                    yield Button(button_label(self._yes, "y"), id="confirm-yes")

    def on_mount(self) -> None:
        """Focus the text: keys scroll it, and `enter` is no yes."""
        self.query_one("#confirm-text").focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for yes if there is nothing to agree to."""
        return bool(self._yes) if action == "yes" else super().check_action(action, parameters)

    @on(Button.Pressed, "#confirm-yes")
    def action_yes(self) -> None:
        self.dismiss(True)

    @on(Button.Pressed, "#confirm-no")
    def action_no(self) -> None:
        self.dismiss(False)


def button_label(words: str, key: str) -> Content:
    return Content.assemble(plain(words), (f"  {key}", "$text-muted"))


class Preview(Dialog[bool]):
    """Returns True to go on. The act can be undone, so that a line is enough.

    `enter` goes on: it is no act of any list on several memories, so the key that asked never
    answers.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(True)", "Go on"),
        Binding("escape", "answer(False)", "Cancel"),
    ]

    def __init__(self, effect: str) -> None:
        super().__init__()
        self._effect = effect

    def compose(self) -> ComposeResult:
        yield Static(plain(self._effect), id="preview")

    def action_answer(self, goes_on: bool) -> None:
        self.dismiss(goes_on)


LOOK_SECONDS = 0.1


class Working(Dialog[None]):
    """Open until `writing` has ended; `esc` stops it between two transactions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop"),
    ]

    def __init__(self, writing: asyncio.Future[Any], progress: Progress) -> None:
        super().__init__()
        self._writing, self._progress = writing, progress

    def compose(self) -> ComposeResult:
        with Vertical(id="working", classes="dialog"):
            yield Static("Working", classes="dialog-title")
            yield ProgressBar(self._progress.total)
            yield Static("", id="working-count", markup=False)

    def on_mount(self) -> None:
        """Check the work at once, and then repeatedly."""
        self.set_interval(LOOK_SECONDS, self._look)
        self._look()

    def _look(self) -> None:
        progress = self._progress
        if self._writing.done():
            if self.is_current:
                self.dismiss(None)
            return
        self.query_one(ProgressBar).update(total=progress.total, progress=progress.done)
        rest = " · stopping …" if progress.is_stopped else ""
        self.query_one("#working-count", Static).update(
            f"{progress.done:,} of {progress.total:,}{rest}"
        )

    def action_stop(self) -> None:
        self._progress.is_stopped = True
        self._look()

    def guard_leaving(self) -> bool:
        """Leave the app without waiting for the rest."""
        self._progress.is_stopped = True
        return False


class Ask(Dialog[str | None]):
    """Answers the line, or None when it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "OK", priority=True),
        Binding("escape", "leave", "Cancel"),
    ]

    def __init__(self, title: str, about: str, value: str = "", placeholder: str = "") -> None:
        super().__init__()
        self._title, self._about = title, about
        self._value, self._placeholder = value, placeholder

    def compose(self) -> ComposeResult:
        with Vertical(id="ask", classes="dialog"):
            yield Static(plain(self._title), classes="dialog-title")
            box = Input(self._value, placeholder=self._placeholder, id="ask-line", compact=True)
            box.cursor_blink, box.select_on_focus = False, False
            yield box
            yield Static(plain(self._about, "$text-muted"), id="ask-about")

    def on_mount(self) -> None:
        self.query_one("#ask-line").focus()

    def action_take(self) -> None:
        self.dismiss(self.query_one(Input).value)


WIDEST = 56  # cells of a label


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu. `key` is the letter that takes it; without one only the arrows do."""

    value: str
    label: str
    note: str = ""
    key: str = ""
    is_current: bool = False


class Menu(Dialog[str | None]):
    """Answers the value chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Choose", priority=True),
        Binding("escape", "leave", "Cancel"),
        Binding("j", "cursor(1)", "Down", show=False),
        Binding("k", "cursor(-1)", "Up", show=False),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        about: str = "",
        also: Mapping[str, str] | None = None,
    ) -> None:
        """`also`: by key, the prefix, before a colon, of the lit line's value."""
        super().__init__()
        self._title, self._choices, self._about, self._also = title, choices, about, also or {}

    def compose(self) -> ComposeResult:
        with Vertical(id="menu", classes="dialog"):
            yield Static(plain(self._title), classes="dialog-title")
            if self._about:
                yield Static(plain(self._about, "$text-muted"), id="menu-about")
            yield OptionList(*self._options(), id="menu-list")

    def _columns(self) -> tuple[int, int]:
        labels = max((width(choice.label) for choice in self._choices), default=0)
        notes = max((width(choice.note) for choice in self._choices), default=0)
        return min(labels, WIDEST), min(notes, 28)

    def _options(self) -> list[Option]:
        labels, notes = self._columns()
        lettered = any(choice.key for choice in self._choices)
        return [
            Option(
                Content.assemble(
                    (fit(choice.key, 1) + "  " if lettered else "", "bold $footer-key-foreground"),
                    plain(fit(choice.label, labels), "bold" if choice.is_current else ""),
                    plain(
                        f"   {fit(choice.note, notes, right=True)}" if notes else "", "$text-muted"
                    ),
                ),
                id=f"choice-{row}",
            )
            for row, choice in enumerate(self._choices)
        ]

    def on_mount(self) -> None:
        """Put the cursor on the current value."""
        labels, notes = self._columns()
        about = min(max((width(line) for line in self._about.splitlines()), default=0), WIDEST)
        cells = max(3 + labels + (3 + notes if notes else 0), about, width(self._title), 20)
        self.query_one("#menu").styles.width = cells + 8  # frame and air
        options = self.query_one(OptionList)
        current = [row for row, choice in enumerate(self._choices) if choice.is_current]
        options.highlighted = current[0] if current else 0 if self._choices else None
        options.focus()

    def on_key(self, event: events.Key) -> None:
        lit = self.query_one(OptionList).highlighted
        if event.key in self._also and lit is not None:
            event.stop()
            self.dismiss(f"{self._also[event.key]}:{self._choices[lit].value}")
            return
        for choice in self._choices:
            if choice.key and event.character == choice.key:
                event.stop()
                event.prevent_default()
                self.dismiss(choice.value)
                return

    def action_take(self) -> None:
        self.query_one(OptionList).action_select()

    def action_cursor(self, step: int) -> None:
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index].value)

    def on_click(self, event: events.Click) -> None:
        """A click beside the menu leaves it."""
        if event.widget is self:
            self.dismiss(None)
