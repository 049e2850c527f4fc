"""The one line one asks with: the query, what came of it, and completion beneath.

Memory text never reaches it, but what a person types may be anything: it is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static
from textual.worker import Worker

from ...core.query.language import Hint
from ..inks import Inks
from ..text import cut, fit, width
from .filter_line import FilterInput, FilterLine

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

    def tell(self, fresh: int, status: str) -> None:
        """Show `status`, and before it how many memories wait to be shown."""
        news = (f"{fresh:,} new · R to show   ", "bold $text-accent") if fresh else ("", "")
        self.say(Content.assemble(news, (status, "$text-muted")))

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
