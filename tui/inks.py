"""The styles that lists paint their lines with, from the colours of the theme in force.

Component classes in a style sheet would do the same. Textual works all of them out whenever
anything about a widget changes, its focus included, which is most of what a key would cost.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from textual.widget import Widget

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
