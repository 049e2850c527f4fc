"""The line one narrows a list with, and any line one types into: cut off with a sign.

Every view has a filter, and `/` leads into it at once. What a person types may be anything: it is
shown as text. What fits is for the view to find; it says what came of it with `say`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from rich.highlighter import Highlighter
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.suggester import Suggester
from textual.widgets import Input, Static
from textual.worker import Worker

from ..typeahead import answered, may_ask


class Field(Input):
    """An input whose text, and whose hint, never ends without a sign where it is cut off."""

    def render_line(self, y: int) -> Strip:
        return cut_off_line(self, y) or super().render_line(y)


def cut_off_line(box: Input, y: int) -> Strip | None:
    """The line of an input whose text has no room; None where it has, or is typed in."""
    cells = box.scrollable_content_region.width
    cut_off = _cut_off(box, cells) if y == 0 else None
    if cut_off is None:
        return None
    options = box.app.console_options.update_width(max(cells, 1))
    strip = Strip(box.app.console.render(cut_off, options))
    return strip.extend_cell_length(cells + 1).apply_style(box.rich_style)


def _cut_off(box: Input, cells: int) -> Text | None:
    if box.value:
        if box.has_focus or cell_len(box.value) <= cells:
            return None
        text = Text(box.value, no_wrap=True, end="")
        if box.highlighter is not None:
            box.highlighter.highlight(text)
    elif cell_len(box.placeholder) <= cells:
        return None
    else:
        hint = box.get_component_rich_style("input--placeholder")
        text = Text(box.placeholder, hint, no_wrap=True, end="")
    text.truncate(cells, overflow="ellipsis")
    if box.has_focus:
        text.stylize(box.get_component_rich_style("input--cursor"), 0, 1)
    return text


TYPING_SECONDS = 0.06  # the next key comes sooner, and cancels what was looked up for the last
STEP_CELLS = 32  # by which the room for a text grows
PLACEHOLDER = "words to look for, -not"


class FilterInput(Input):
    """Where one types: `enter` keeps what is there, `escape` clears it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "To the list", id="filter.enter"),
        Binding("escape", "clear", "Clear", id="filter.clear"),
    ]
    HELP = """\
## Filter
Only what has all of these words is listed. `enter` keeps it and goes to the list, `esc` clears it.
"""

    class Cleared(Message):
        """Escape was pressed."""

    def __init__(
        self,
        *,
        id: str | None = None,
        placeholder: str = PLACEHOLDER,
        suggester: Suggester | None = None,
        highlighter: Highlighter | None = None,
    ) -> None:
        super().__init__(
            id=id,
            placeholder=placeholder,
            suggester=suggester,
            highlighter=highlighter,
            select_on_focus=False,
            compact=True,
            classes="filter-input",
        )
        self.cursor_blink = False

    @property
    def content_width(self) -> int:
        """The cells of the text, in steps: within one a letter more is painted, and the screen is
        not laid out again."""
        needed, room = super().content_width, self.scrollable_content_region.width
        return min(-(-needed // STEP_CELLS) * STEP_CELLS, max(needed, room))

    def render_line(self, y: int) -> Strip:
        return cut_off_line(self, y) or super().render_line(y)

    def render_lines(self, crop: Region) -> list[Strip]:
        """As wide as it is painted: of a line that is narrower already, since the count beside it
        took the room and the layout is still to come, Textual would paint nothing."""
        ground = self.visual_style.rich_style
        return [line.adjust_cell_length(crop.width, ground) for line in super().render_lines(crop)]

    def action_clear(self) -> None:
        self.post_message(self.Cleared())


class FilterLine(Horizontal):
    """Slash, what is typed, and at the right what came of it.

    `look` looks for what fits, after so many seconds; `back` gives the focus to where one works
    in the view. A line that does not `stay` is there only while one types, and while it narrows
    the list.
    """

    def __init__(
        self,
        look: Callable[[float], Worker[None] | None],
        back: Callable[[], object],
        box: FilterInput | None = None,
        *,
        id: str,
        stays: bool = False,
    ) -> None:
        super().__init__(id=id, classes="filter-line")
        self._look, self._back, self._stays = look, back, stays
        self.ask_anew: Callable[[], object] = lambda: None  # another query is asked
        self.input = box or FilterInput()
        self.status = Static("", markup=False, classes="filter-status")
        self._said = Content("")
        self.display = stays

    def compose(self) -> ComposeResult:
        yield Static("/", markup=False, classes="filter-slash")
        yield self.input
        yield self.status

    @property
    def text(self) -> str:
        """The text of the filter."""
        return self.input.value

    @property
    def is_typed_in(self) -> bool:
        """Whether letters go into it."""
        return self.is_attached and self.screen.focused is self.input

    def allow_focus_children(self) -> bool:
        """`tab` goes from pane to pane, and not to where the letters that follow would be text."""
        return self.is_typed_in

    def open(self) -> None:
        """Into the line, at once: the letters that follow take the place of what is there.

        An arrow, `home` or `end` keeps it, to go on from it.
        """
        self.display = True
        self.screen.set_focus(self.input)
        self.input.select_all()

    def set_text(self, text: str, *, silent: bool = False) -> None:
        """Put `text` into the line; `silent` posts no message."""
        with self.input.prevent(*([Input.Changed] if silent else [])):
            self.input.value = text
        self.ask_anew()
        self.input.cursor_position = len(text)
        self.display = self._stays or bool(text) or self.is_typed_in

    def leave(self) -> None:
        """Keep what is there, and go on to the list."""
        self.display = self._stays or bool(self.text.strip())
        self._back()
        self._answer()

    @may_ask
    async def _answer(self) -> bool:
        """Look at once: the keys that follow are for what fits, and wait for it."""
        looking = self._look(0.0)
        return looking is None or await answered(looking)

    def clear(self) -> None:
        """Ask for everything again, and go on to the list."""
        self.set_text("", silent=True)
        self.leave()

    def say(self, status: str | Content) -> None:
        """Show `status` at the right end; the screen is laid out again only for another width.

        While one types, a shorter one keeps the room of the one before.
        """
        status = Content(status) if isinstance(status, str) else status
        spare = self._said.cell_length - status.cell_length
        if spare > 0 and status and self.is_typed_in:
            status = Content(" " * spare) + status
        if not status.is_same(self._said):
            is_other_width = status.cell_length != self._said.cell_length
            self._said = status
            self.status.update(status, layout=is_other_width)

    def say_count(self, remaining: int, of: int) -> None:
        """How many are left of how many."""
        self.say(f"{remaining:,} of {of:,}" if self.text.strip() else "")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.typed()

    def typed(self) -> None:
        """The line reads otherwise."""
        self.ask_anew()
        self._look(TYPING_SECONDS)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.leave()

    @on(FilterInput.Cleared)
    def _cleared(self, event: FilterInput.Cleared) -> None:
        event.stop()
        self.clear()
