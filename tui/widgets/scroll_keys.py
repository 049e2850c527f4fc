"""The keys by which every pane of text scrolls."""

from __future__ import annotations

from textual.binding import Binding

SCROLL_KEYS = (
    Binding("j,down", "scroll_down", "Down", show=False, id="detail.down"),
    Binding("k,up", "scroll_up", "Up", show=False, id="detail.up"),
    Binding("g,home", "scroll_home", "Top", show=False, id="detail.top"),
    Binding("G,end", "scroll_end", "Bottom", show=False, id="detail.bottom"),
    Binding("ctrl+d,pagedown", "page_down", "Page down", show=False, id="detail.page_down"),
    Binding("ctrl+u,pageup", "page_up", "Page up", show=False, id="detail.page_up"),
)
