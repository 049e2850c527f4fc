"""The line one types into: nobody in it, it shows how its text begins, and that it goes on."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text
from textual.strip import Strip
from textual.widgets import Input


class Field(Input):
    """An input whose text, and whose hint, never ends without a sign where it is cut off."""

    def render_line(self, y: int) -> Strip:
        return cut_off_line(self, y) or super().render_line(y)


def cut_off_line(box: Input, y: int) -> Strip | None:
    """The line of an input whose text has no room; None where it has, or is typed in."""
    cells = box.scrollable_content_region.width
    shown = _cut_off(box, cells) if y == 0 else None
    if shown is None:
        return None
    options = box.app.console_options.update_width(max(cells, 1))
    strip = Strip(box.app.console.render(shown, options))
    return strip.extend_cell_length(cells + 1).apply_style(box.rich_style)


def _cut_off(box: Input, cells: int) -> Text | None:
    if box.value:
        if box.has_focus or cell_len(box.value) <= cells:
            return None
        shown = box._value  # as the class colours it
    elif cell_len(box.placeholder) <= cells:
        return None
    else:
        hint = box.get_component_rich_style("input--placeholder")
        shown = Text(box.placeholder, hint, no_wrap=True, end="")
    shown.truncate(cells, overflow="ellipsis")
    if box.has_focus and box._cursor_visible:
        shown.stylize(box.get_component_rich_style("input--cursor"), 0, 1)
    return shown
