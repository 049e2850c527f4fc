"""What lines are painted with: the style of a class of the sheets, worked out when it is wanted.

Textual works out all COMPONENT_CLASSES of a widget whenever anything about the widget changes, its
focus included. That is a third of a millisecond for each, and a list has two dozen of which few
are ever in sight: most of what a key cost went there.
"""

from __future__ import annotations

from rich.style import Style
from textual.dom import DOMNode
from textual.widget import Widget


class Inks:
    """The styles that one widget paints its lines with, by the names they have in the sheets."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._sheet: object = None  # the rules that these were worked out from
        self._styles: dict[tuple[str, ...], Style] = {}

    def style(self, *names: str) -> Style:
        """The first on its own ground, with the colours and weights of the others over it."""
        return self._kept(names, is_partial=False)

    def partial(self, name: str) -> Style:
        """What the sheets say of this name alone, without the ground of what it stands on."""
        return self._kept(("", name), is_partial=True)

    def _kept(self, names: tuple[str, ...], *, is_partial: bool) -> Style:
        sheet = self._widget.app.stylesheet.rules  # another one for each theme
        if sheet is not self._sheet:
            self._sheet, self._styles = sheet, {}
        style = self._styles.get(names)
        if style is None:
            style = Style() if is_partial else self._node(names[0]).rich_style
            for name in names[1:]:
                style += self._node(name).styles.partial_rich_style
            self._styles[names] = style
        return style

    def _node(self, name: str) -> DOMNode:
        """Something in the widget that has this class and nothing else."""
        node = DOMNode(classes=name)
        node._attach(self._widget)  # as Textual does for a component class
        self._widget.app.stylesheet.apply(node, animate=False)
        return node
