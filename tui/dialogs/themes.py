"""Choosing a theme: shown while moving, kept on enter, as it was on esc."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.color import Color, ColorParseError
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.style import Style
from textual.theme import Theme
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ..settings import offered
from ..text import fit, plain
from .questions import Dialog

SWATCHES = ("accent", "pinned", "conflict", "candidate", "expiring", "score")

_SAMPLE = (
    ("★", "pinned", "Retry budget is 3 attempts"),
    ("≠", "conflict", "Queue timeout: 30 s or 60 s"),
    ("?", "candidate", "Tests need make test-db"),
    ("○", "stale", "Staging lives on host db-7"),
    ("~", "expiring", "Freeze ends on Friday"),
    ("·", "retired", "Deploys go out on Mondays"),
    ("━", "score", "score 0.82"),
    ("▲", "over-budget", "over budget by 120 tokens"),
)


class ThemeList(OptionList):
    """The themes; letters go to the first whose name begins with them."""

    BINDINGS = [Binding("enter", "select", "Keep", id="themes.keep")]

    typed = ""

    def on_key(self, event: events.Key) -> None:
        """Go on with what was typed, else begin anew; a letter that begins no name is a key."""
        letter = event.character if event.is_printable else None
        if letter is None:
            self.typed = ""
            return
        for begun in (self.typed + letter.lower(), letter.lower()):
            for row, option in enumerate(self.options):
                if (option.id or "").lower().startswith(begun):
                    event.stop()
                    event.prevent_default()
                    self.typed, self.highlighted = begun, row
                    return
        self.typed = ""


class ThemePicker(Dialog[str | None]):
    """Answers the name of the theme chosen, or None when everything stays as it was.

    Only themes that name our meanings are offered: their contrast was looked at.
    """

    HELP = "Moving shows each theme at once. `enter` keeps it, `esc` goes back to what you had."

    BINDINGS = [
        Binding("escape,q", "cancel", "Back", id="themes.back"),
        Binding("j", "cursor(1)", "Next", id="themes.down", show=False),
        Binding("k", "cursor(-1)", "Previous", id="themes.up", show=False),
    ]

    def compose(self) -> ComposeResult:
        self._before, self._is_over = self.app.theme, False
        self._offered = offered(self.app)
        with Vertical(id="themes", classes="dialog"):
            yield Static("Theme", classes="dialog-title")
            with Horizontal(id="themes-both"):
                yield ThemeList(*self._options(), id="themes-list")
                yield Static(self._sample(), id="themes-sample")

    def _options(self) -> list[Option]:
        return [
            Option(Content.assemble(plain(fit(theme.name, 20)), *_swatches(theme)), id=theme.name)
            for theme in self._offered
        ]

    def _sample(self) -> Content:
        lines = [
            Content.assemble((f" {glyph}  ", f"bold ${meaning}"), (words, "$foreground"))
            for glyph, meaning, words in _SAMPLE
        ]
        return Content("\n").join(lines)

    def on_mount(self) -> None:
        """Stand on the theme in force."""
        names = [theme.name for theme in self._offered]
        choice = self.query_one(OptionList)
        choice.highlighted = names.index(self._before) if self._before in names else 0
        choice.focus()

    def action_cursor(self, step: int) -> None:
        """One theme down or up."""
        choice = self.query_one(OptionList)
        choice.action_cursor_down() if step > 0 else choice.action_cursor_up()

    @on(OptionList.OptionHighlighted)
    def _preview(self, event: OptionList.OptionHighlighted) -> None:
        """Put the theme on, unless one has chosen: that one moved may be heard after that."""
        name = event.option.id
        if name is not None and name in self.app.available_themes and not self._is_over:
            self.app.theme = name

    @on(OptionList.OptionSelected)
    def _keep(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.app.theme = event.option.id
        self._is_over = True
        self.dismiss(event.option.id)

    def action_cancel(self) -> None:
        """Everything as it was."""
        self._is_over, self.app.theme = True, self._before
        self.dismiss(None)


def _swatches(theme: Theme) -> list[tuple[str, Style]]:
    """The theme's own colours, whatever theme is in force."""
    known = {**theme.to_color_system().generate(), **theme.variables}
    swatches = []
    for name in SWATCHES:
        try:
            swatches.append(("● ", Style(foreground=Color.parse(known[name]))))
        except ColorParseError:
            continue
    return swatches
