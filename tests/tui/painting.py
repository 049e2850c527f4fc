"""Painting an app that no terminal shows: a third of what it costs is painting."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from unittest.mock import patch

import pytest
from rich.cells import cell_len
from textual._compositor import Compositor
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget


def paint_when_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on only what asks for the whole screen is painted (`Person.screen`)."""
    paint = Compositor.render_update

    def looked_at(compositor: Compositor, full: bool = False, **more: Any) -> Any:
        if full:
            return paint(compositor, full=True, **more)
        compositor._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", looked_at)
    monkeypatch.setattr(Compositor, "_get_renders", _renders_seen)


def _renders_seen(
    compositor: Compositor, crop: Region | None = None
) -> Iterator[tuple[Region, Region, list[Strip]]]:
    """What is painted, without the blank ground that a container's children cover.

    Textual paints all of that ground as well, and what stands in front wins: half of a painting.
    """
    for widget, region, shown in _seen(compositor, crop):
        yield region, shown, widget.render_lines(shown.translate(-region.offset))


def _seen(
    compositor: Compositor, crop: Region | None = None
) -> Iterator[tuple[Widget, Region, Region]]:
    """The widgets that one sees, the front first; where each is, and what is shown of it."""
    width, height = compositor.size
    free = [(1 << width) - 1] * height  # a bit for each column that nothing covers yet
    for widget, (region, clip) in compositor.visible_widgets.items():
        shown = region.intersection(clip if crop is None else clip.intersection(crop))
        columns = ((1 << shown.width) - 1) << shown.x
        is_seen = any(free[y] & columns for y in shown.line_range)
        for y in shown.line_range:
            free[y] &= ~columns
        if shown and (is_seen or not widget.is_container):
            yield widget, region, shown


def text_of(app: App[Any]) -> str:
    """The screen as text: what is written to the terminal, without colours, half of a painting.

    "" before a new screen is laid out: it has no ground yet.
    """
    if app.screen not in app.screen._compositor.visible_widgets:
        return ""
    rows = [[" "] * app.size.width for _ in range(app.size.height)]
    with patch.object(App, "get_line_filters", lambda _: ()):
        for screen in (*app._background_screens, app.screen):
            _write(screen, rows)
    return "\n".join("".join(row).rstrip() for row in rows)


def _write(screen: Screen[Any], rows: list[list[str]]) -> None:
    """Write what the widgets of a screen say over the cells of what lies below."""
    is_window = screen.app.screen_stack[0] is not screen and screen.styles.background.a < 1
    for widget, region, shown in reversed(list(_seen(screen._compositor))):
        if widget is screen and is_window:
            continue
        strips = widget.render_lines(shown.translate(-region.offset))
        for y, strip in zip(shown.line_range, strips, strict=False):
            row = rows[y]
            for end in (shown.x, shown.right):
                if end < len(row) and row[end] == "":  # half of a wide sign
                    row[end - 1] = row[end] = " "
            row[shown.x : shown.right] = _cells(strip.text, shown.width)


@lru_cache(10_000)  # most lines of a screen are those of the look before
def _cells(text: str, width: int) -> Sequence[str]:
    """What stands in each cell; "" in the second one of a wide sign."""
    if len(text) == width and text.isascii():
        return text
    cells = [""]  # for what has no width at the beginning
    for sign in text:
        wide = cell_len(sign)
        if wide:
            cells += [sign, *[""] * (wide - 1)]
        else:
            cells[-1] += sign
    first, *others = cells[1:] or [" "]
    return (cells[0] + first, *others, *[" "] * (width - 1 - len(others)))[:width]
