"""A glyph for each meaning, an ASCII set for plain terminals, and the styles of lists.

Status is never colour alone. Component classes in a style sheet would do for the styles. Textual
works all of them out whenever anything about a widget changes, its focus included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.widget import Widget

from ..core.answers import Row

Glyph = tuple[str, str]
"""A character and the meaning that colours it, one of `themes.loader.MEANINGS` or ""."""

NOTHING: Glyph = (" ", "")
EXPIRING_DAYS = 7  # a memory that ends within a week is shown as expiring


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters."""

    pinned: str = "★"
    persons: str = "◆"
    conflict: str = "≠"
    stale: str = "○"
    candidate: str = "?"
    retired: str = "·"
    expiring: str = "◷"
    bar: str = "▌"
    mark: str = "✓"
    full: str = "━"
    empty: str = "─"
    up: str = "↑"
    down: str = "↓"
    firing: str = "●"
    untrusted: str = "◐"
    absent: str = "–"
    wrong: str = "✗"
    fork: str = "└"
    open: str = "□"
    step: str = "›"
    enter: str = "⏎"
    closed: str = "▸"  # a row of a tree, whose parts are hidden
    opened: str = "▾"

    def standing(self, row: Row) -> Glyph:
        """What the memory is: retired, pinned, candidate, or confirmed (nothing to say)."""
        if row.is_gone or row.retired_as is not None:
            return self.retired, "retired"
        if row.status == "pinned":
            return self.pinned, "pinned"
        if row.status == "candidate":
            return self.candidate, "candidate"
        return NOTHING

    def trouble(self, row: Row, now: datetime) -> Glyph:
        """What wants attention: a conflict, what speaks against it, or an end in sight."""
        if row.is_gone or row.retired_as is not None:
            return NOTHING
        if row.in_conflict:
            return self.conflict, "conflict"
        if row.to_verify:
            return self.stale, "stale"
        if row.expires_ms is not None:
            days = (row.expires_ms / 1000 - now.timestamp()) / 86_400
            if days <= EXPIRING_DAYS:
                return self.expiring, "expiring"
        return NOTHING

    def of(self, row: Row, now: datetime) -> tuple[Glyph, Glyph]:
        """Both glyphs of a row: what it is, and what wants attention."""
        return self.standing(row), self.trouble(row, now)


def names_plain_text(environment: Mapping[str, str]) -> bool:
    """Whether the locale is one whose characters are not Unicode's: `C`, `de_DE@euro`.

    The first of its three variables that is set says so; none set says nothing. Python itself puts
    C.UTF-8 into LC_CTYPE where LANG is plain C (PEP 538).
    """
    general = environment.get("LANG", "")
    values = environment.get("LC_ALL") or environment.get("LC_CTYPE") or general
    if values == "C.UTF-8" and general in ("C", "POSIX") and not environment.get("LC_ALL"):
        values = general
    return bool(values) and "utf8" not in values.lower().replace("-", "")


UNICODE = Glyphs()
ASCII = Glyphs(
    pinned="*",
    persons="+",
    conflict="!",
    stale="o",
    candidate="?",
    retired=".",
    expiring="~",
    bar=">",
    mark="v",
    full="#",
    empty="-",
    up="^",
    down="v",
    firing="@",
    untrusted="%",
    absent="-",
    wrong="x",
    fork="\\",
    open="=",
    step=">",
    enter="enter",
    closed=">",
    opened="v",
)

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛├┤┬┴┼╶╴", "+"),
        **dict.fromkeys("─━═┄▔▁▂▃▄▅▆▇", "-"),
        **dict.fromkeys("│┃║▌▎▏▐▕", "|"),
        **dict.fromkeys("█▓▒░", "#"),
        **dict.fromkeys("…·•›‹→←↑↓▾▸▶◀␣", "."),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("–—−", "-"),
        "→": ">",
        "←": "<",
        "›": ">",
        "↑": "^",
        "↓": "v",
        "▾": "v",
        "▸": ">",
        "×": "x",
        **dict.fromkeys("●◆★◉⬤", "*"),
        **dict.fromkeys("○◦◇☆◌", "o"),
        **dict.fromkeys("◐◑", "%"),
        **dict.fromkeys("✗✘", "x"),
        "✓": "v",
        "≠": "!",
        "□": "=",
        "◷": "~",
    }
)
"""Our own signs and frames as ASCII, one cell each. Letters of memories stay."""


class PlainSigns(LineFilter):
    """Paints frames and signs as ASCII, on terminals or fonts without the others."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        return [
            Segment(text.translate(_PLAIN), style, control) for text, style, control in segments
        ]


INKS: Mapping[str, str] = {
    "list--base": "$foreground on $surface",
    "list--cursor": "bold $block-cursor-foreground on $block-cursor-background",
    "list--cursor-blurred": "$block-cursor-blurred-foreground on $block-cursor-blurred-background",
    "list--marked": "$foreground on $secondary-muted",
    "list--flash": "bold $foreground on $success-muted",
    "list--ghost": "$text-disabled",
    "list--nothing": "$text-muted",
    "list--nothing-title": "bold $foreground",
    "list--nothing-key": "bold $footer-key-foreground",
    "list--heading": "bold $text-accent",
    "list--bar": "$accent",
    "list--mark": "bold $text-accent",
    "list--match": "bold underline $text-accent",
    "list--heavy": "bold",
    "list--light": "$text-muted",
    "list--tag": "italic $text-muted",
    "list--muted": "$text-muted",
    "list--pinned": "$pinned",
    "list--conflict": "$conflict",
    "list--stale": "$stale",
    "list--candidate": "$candidate",
    "list--retired": "$retired",
    "list--expiring": "$expiring",
    "list--warning": "$text-warning",
    "list--success": "$text-success",
    "list--error": "$text-error",
    "list--helpful": "bold $text-success",
    "list--unhelpful": "bold $text-error",
    "list--open": "$candidate",
    "list--problem": "$text-error",
    "list--set": "$text-accent",
    "list--person": "$accent",  # History names these by the actor
    "list--agent": "$score",
    "list--undone": "strike $text-muted",
    "query--key": "$text-accent",
    "query--value": "bold $foreground",
    "query--wrong": "underline $text-warning",
}
"""Style by name, as Textual's markup writes it."""

WITHOUT_COLOUR = {
    "list--cursor": "reverse",
    "list--cursor-blurred": "reverse",
    "list--marked": "bold",
}
"""What sets these off where there are no colours."""


class Inks:
    """The styles of one widget by name; worked out when they are first used in a theme."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[tuple[str, ...], Style] = {}

    def clear(self) -> None:
        """Forget all styles, as another theme has others."""
        self._styles.clear()

    def style(self, *names: str) -> Style:
        """Return the first style on its own ground, with the others over it."""
        style = self._styles.get(names)
        if style is None:
            style = Style()
            for name in names:
                style += self._rich(name)
            self._styles[names] = style
        return style

    def _rich(self, name: str) -> Style:
        app = self._widget.app
        parsed = app.stylesheet.parse_style(INKS[name])
        style = parsed.rich_style
        if parsed.background is not None and parsed.background.a == 0:  # the terminal's own ground
            style += Style(bgcolor="default")
        if app.no_color or (app.current_theme.ansi and name == "list--marked"):
            style += Style.parse(WITHOUT_COLOUR.get(name, ""))
        return style
