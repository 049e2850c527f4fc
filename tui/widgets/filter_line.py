"""The line one narrows a list with, and any line one types into: cut off with a sign.

Every view has a filter, and `/` leads into it at once. What a person types may be anything: it is
shown as text. What fits is for the view to find; it says what came of it with `say`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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

from ...core.query.language import Hint
from ..glyphs import Inks
from ..text import cut, fit, width
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


TOKEN = re.compile(r'-?[\w.]*:?(?:"[^"]*"?|\S*)$')
KEYED = re.compile(r'(?<!\S)(-?)(\w+):("[^"]*"?|\S*)')
SIGNED = re.compile(r'(?<!\S)-(?=[\w"])')
MOST_HISTORY = 100
MOST_OFFERED = 8


class QueryColours(Highlighter):
    """Colours the filters of a query and underlines its mistakes."""

    def __init__(self, box: QueryInput) -> None:
        self._box, self._inks = box, Inks(box)

    def highlight(self, text: Text) -> None:
        for match in KEYED.finditer(text.plain):
            text.stylize(self._inks.style("query--key"), match.start(1), match.end(2) + 1)
            text.stylize(self._inks.style("query--value"), match.start(3), match.end(3))
        for match in SIGNED.finditer(text.plain):
            text.stylize(self._inks.style("query--key"), match.start(), match.end())
        for hint in self._box.hints:
            text.stylize(self._inks.style("query--wrong"), hint.start, hint.end)

    def clear(self) -> None:
        """Forget the colours, as another theme has others."""
        self._inks.clear()


class QueryInput(FilterInput):
    """The input itself: history with the arrows, completion with tab."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "arrow(-1)", "Earlier query", show=False, id="query.earlier"),
        Binding("down", "arrow(1)", "Later query", show=False, id="query.later"),
        Binding("tab", "complete", "Complete", id="query.complete"),
        Binding("enter", "submit", "To the list", id="query.enter"),
        Binding("escape", "clear", "Clear", id="query.leave"),
    ]
    HELP = """\
## Query
Words, `"phrases"`, `-not`, and filters such as `type:semantic`, `tag:queue`, `is:conflict`,
`importance:>=7`, `created:<7d`, `sort:title`. `tab` completes keys and values.
"""

    class Arrow(Message):
        """Up or down was pressed."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    class CompleteWanted(Message):
        """Tab was pressed."""

    def __init__(self, *, id: str) -> None:
        self.colours = QueryColours(self)
        super().__init__(
            id=id,
            placeholder="search, or type:  tag:  is:conflict  created:<7d",
            highlighter=self.colours,
        )
        self.hints: Sequence[Hint] = ()

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self.colours.clear()

    def action_arrow(self, direction: int) -> None:
        self.post_message(self.Arrow(direction))

    def action_complete(self) -> None:
        self.post_message(self.CompleteWanted())

    @property
    def token(self) -> str:
        """The word before the cursor."""
        match = TOKEN.search(self.value[: self.cursor_position])
        return match[0] if match else ""

    def replace_token(self, token: str) -> None:
        """Put `token` in the place of the word before the cursor."""
        end = self.cursor_position
        start = end - len(self.token)
        rest = self.value[end:]
        space = "" if token.endswith(":") or rest.startswith(" ") else " "
        self.value = self.value[:start] + token + space + rest
        self.cursor_position = start + len(token) + len(space)


class QueryBox(FilterLine):
    """The filter line of Memories: it knows the query language; offers and hints open beneath."""

    class CompletionWanted(Message):
        """Tell `offer` what `token` can become. `is_asked`: tab was pressed for it."""

        def __init__(self, token: str, is_asked: bool) -> None:
            super().__init__()
            self.token, self.is_asked = token, is_asked

    def __init__(
        self,
        look: Callable[[float], Worker[None] | None],
        back: Callable[[], object],
        *,
        id: str,
    ) -> None:
        self.query_input = QueryInput(id="query")
        super().__init__(look, back, self.query_input, id=id, stays=True)
        self.history: list[str] = []
        self._place: int | None = None  # where in the history one looks
        self._draft = ""
        self._offers: list[tuple[str, int]] = []
        self._offered = 0
        self._for_token = ""
        self._hinted = ""  # the query that the hints are about

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static("", id="query-offers", markup=False)

    def set_text(self, text: str, *, silent: bool = False) -> None:
        """Put `text` into the box; `silent` posts no message."""
        super().set_text(text, silent=silent)
        self.close_offers()

    def leave(self) -> None:
        """Keep the query, and go on to the list."""
        self.close_offers()
        self.remember()
        super().leave()

    def clear(self) -> None:
        """Put the completions away; else ask for everything again, and go on to the list."""
        if self._offers:
            self.close_offers()
            return
        self.remember()
        super().clear()

    def remember(self) -> None:
        """Take the query into the history, newest last, each once."""
        text = self.text.strip()
        if text:
            others = [old for old in self.history if old != text]
            self.history = [*others[1 - MOST_HISTORY :], text]
        self._place = None

    # -- hints and offers

    def hint(self, hints: Sequence[Hint]) -> None:
        """Underline what cannot be read, and say what was probably meant."""
        self._hinted = self.text
        here = self.query_input.cursor_position if self.query_input.has_focus else -1
        self.query_input.hints = tuple(  # what is still being written is not wrong yet
            hint for hint in hints if hint.end != here or not self.query_input.token.endswith(":")
        )
        self.query_input.refresh()
        if not self._offers:
            self._paint_offers()

    def offer(self, token: str, offers: Sequence[tuple[str, int]], *, is_asked: bool) -> None:
        """Offer completions of `token`, unless the user has typed on."""
        if token != self.query_input.token or not self.query_input.has_focus:
            return
        existing = [(text, count) for text, count in offers if text != token][:MOST_OFFERED]
        if is_asked and not existing:
            self._correct()
        elif is_asked and len(existing) == 1:
            self.query_input.replace_token(existing[0][0])
            existing = []
        self._offers, self._offered, self._for_token = existing, 0, token
        self._paint_offers()

    def _correct(self) -> None:
        """Put what was probably meant in the place of the word that cannot be read."""
        box = self.query_input
        wrong = next((hint for hint in box.hints if hint.nearest), None)
        if wrong is None or wrong.nearest is None:
            return
        if not box.value.startswith(self._hinted[: wrong.end]):
            return  # the answer about the present text is on its way
        if wrong.end == box.cursor_position:
            box.replace_token(wrong.nearest)
            return
        right_of_it = len(box.value) - box.cursor_position
        box.value = box.value[: wrong.start] + wrong.nearest + box.value[wrong.end :]
        box.cursor_position = len(box.value) - right_of_it

    def close_offers(self) -> None:
        """Put the completions away."""
        self._offers = []
        self._paint_offers()

    def _paint_offers(self) -> None:
        panel = self.query_one("#query-offers", Static)
        hints = self.query_input.hints if self.query_input.has_focus else ()
        panel.set_class(bool(self._offers), "-open")
        panel.set_class(bool(hints) and not self._offers, "-hint")
        if self._offers:
            names = max(width(text) for text, _ in self._offers) + 2
            lines = [
                Content.assemble(
                    (f" {fit(text, names)}", "bold" if row == self._offered else ""),
                    (f"{count:>7,} " if count else " " * 8, "$text-muted"),
                ).stylize("on $block-cursor-background" if row == self._offered else "")
                for row, (text, count) in enumerate(self._offers)
            ]
            panel.update(Content("\n").join(lines))
        elif hints:
            hint = hints[0]
            targets = f"  {cut(hint.nearest, 40)}" if hint.nearest else ""
            panel.update(Content.assemble(f" {cut(hint.message, 60)}", (targets, "bold"), " "))

    # -- what the input says

    def typed(self) -> None:
        """The query reads otherwise."""
        if self._offers:
            self.close_offers()
        token = self.query_input.token
        if ":" in token:
            self.post_message(self.CompletionWanted(token, False))
        super().typed()

    @on(Input.Blurred)
    def _blurred(self) -> None:
        self.remember()
        self.close_offers()

    @on(QueryInput.CompleteWanted)
    def _complete(self, event: QueryInput.CompleteWanted) -> None:
        event.stop()
        if self._offers:
            token = self._offers[self._offered][0]
            self._offers = []
            self.query_input.replace_token(token)
            self._paint_offers()
        elif self.query_input.token:
            self.post_message(self.CompletionWanted(self.query_input.token, True))
        else:
            self.screen.focus_next()

    @on(QueryInput.Arrow)
    def _arrow(self, event: QueryInput.Arrow) -> None:
        event.stop()
        if self._offers:
            self._offered = (self._offered + event.direction) % len(self._offers)
            self._paint_offers()
            return
        if self._place is None:
            if event.direction > 0:  # nothing later than now: on to the list
                self.leave()
                return
            self._place, self._draft = len(self.history), self.text
        self._place = max(0, min(self._place + event.direction, len(self.history)))
        is_now = self._place == len(self.history)
        position, text = self._place, self._draft if is_now else self.history[self._place]
        self.set_text(text)
        self._place = None if is_now else position
