"""Painting an app that no terminal shows: a third of what it costs is painting."""

from collections.abc import Iterator
from typing import Any

import pytest
from textual._compositor import Compositor
from textual.geometry import Region
from textual.strip import Strip


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
    width, height = compositor.size
    free = [(1 << width) - 1] * height  # a bit for each column that nothing covers yet
    for widget, (region, clip) in compositor.visible_widgets.items():
        shown = region.intersection(clip if crop is None else clip.intersection(crop))
        columns = ((1 << shown.width) - 1) << shown.x
        is_seen = any(free[y] & columns for y in shown.line_range)
        for y in shown.line_range:
            free[y] &= ~columns
        if shown and (is_seen or not widget.is_container):
            yield region, shown, widget.render_lines(shown.translate(-region.offset))
