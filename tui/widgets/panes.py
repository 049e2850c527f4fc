"""Panes beside or below each other, whose borders one drags; a double click gives the usual sizes.

What is dragged is kept as shares of the room, so that it holds at other widths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from textual import events
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget

LEAST_WIDTH = 16  # cells of a pane at the side
LEAST_HEIGHT = 4  # lines of a pane below
MAIN_WIDTH = 32  # cells that are left to what stands in the middle
MAIN_HEIGHT = 6
STEP = 0.05  # of the room, for who has no mouse


class Pane(Vertical):
    """A framed part of a view."""

    ALLOW_SELECT: ClassVar[bool] = False  # of its frame: dragging that is no selection of text

    class Came(Message):
        """It is shown, or is shown no more."""

    def on_show(self) -> None:
        """Others have less room now."""
        self.post_message(self.Came())

    def on_hide(self) -> None:
        """Others have its room now."""
        self.post_message(self.Came())


@dataclass(frozen=True, slots=True)
class Divider:
    """The border between two panes; it sizes the one at the side."""

    pane: Widget
    name: str  # by which its share is kept
    is_upright: bool
    is_before: bool  # whether the sized pane stands before the border


class Panes(Horizontal):
    """Panes, of which the one with the id `main` takes what is left."""

    class Dragged(Message):
        """A border was let go: the shares as they are now."""

        def __init__(self, shares: Mapping[str, float]) -> None:
            super().__init__()
            self.shares = shares

    def __init__(self, *panes: Widget, main: str, shares: Mapping[str, float], id: str) -> None:
        super().__init__(*panes, id=id)
        self._main = main
        self.shares = dict(shares)
        self._held: Divider | None = None
        self._given: dict[Widget, tuple[int | None, int | None]] = {}  # columns and lines

    # -- sizes

    def on_resize(self) -> None:
        """Shares of another room."""
        self._arrange()

    def on_pane_came(self, event: Pane.Came) -> None:
        """One pane has all the room, or several share it again."""
        event.stop()
        self._arrange()

    def _arrange(self) -> None:
        """Give the panes their shares, where more than one is shown; else as the sheet says."""
        is_upright, row = self._stands_beside, self._in_a_row
        is_shared = len(row) > 1 and any(pane.id == self._main for pane in row)
        for pane in self.children:
            name = pane.id or ""
            if name == self._main:
                continue
            share = self.shares.get(name if is_upright else f"{name} below")
            if share is None or not is_shared or pane not in row:
                self._give(pane)
            elif is_upright:
                self._give(pane, width=self._within(share * self.size.width, pane, is_upright))
            else:
                self._give(pane, height=self._within(share * self.size.height, pane, is_upright))

    def _give(self, pane: Widget, width: int | None = None, height: int | None = None) -> None:
        """Give a pane so many cells; all is laid out again only where it had others."""
        if self._given.get(pane, (None, None)) == (width, height):
            return
        self._given[pane] = width, height
        pane.styles.width, pane.styles.height = width, height
        pane.styles.max_width = None if width is None else "100%"

    @property
    def _stands_beside(self) -> bool:
        return str(self.styles.layout) == "<horizontal>"

    @property
    def _in_a_row(self) -> list[Widget]:
        """The panes that have room of their own now, in their order."""
        return [pane for pane in self.children if pane.display and self._is_beside_main(pane)]

    def _is_beside_main(self, pane: Widget) -> bool:
        return pane.styles.layer != "above"

    def _within(self, cells: float, pane: Widget, is_upright: bool) -> int:
        """So many cells, with enough left for the others."""
        room = self.size.width if is_upright else self.size.height
        others = sum(
            (one.outer_size.width if is_upright else one.outer_size.height)
            for one in self._in_a_row
            if one is not pane and one.id != self._main
        )
        least = LEAST_WIDTH if is_upright else LEAST_HEIGHT
        main = MAIN_WIDTH if is_upright else MAIN_HEIGHT
        return max(least, min(round(cells), room - others - main))

    def step(self, name: str, direction: int) -> None:
        """Make a pane larger, or smaller when less than 0, without a mouse."""
        pane = next((one for one in self._in_a_row if one.id == name), None)
        if pane is None or name == self._main:
            return
        room, size = self.size, pane.outer_size
        share = size.width / room.width if self._stands_beside else size.height / room.height
        self._take(name, share + direction * STEP)
        self.post_message(self.Dragged(self.shares))

    def reset(self) -> None:
        """The usual sizes."""
        self.shares = {}
        self._arrange()
        self.post_message(self.Dragged(self.shares))

    def _take(self, name: str, share: float) -> None:
        key = name if self._stands_beside else f"{name} below"
        self.shares[key] = min(max(share, 0.02), 0.98)
        self._arrange()

    # -- the mouse

    def divider_at(self, x: int, y: int) -> Divider | None:
        """The border at a place of the screen: where a pane ends, or the next begins."""
        row, is_upright = self._in_a_row, self._stands_beside
        for before, after in pairwise(row):
            one, other = before.region, after.region
            if is_upright:
                is_hit = x in (one.right - 1, other.x) and one.y <= y < one.bottom
            else:
                is_hit = y in (one.bottom - 1, other.y) and one.x <= x < one.right
            if is_hit:
                is_before = after.id == self._main
                pane = before if is_before else after
                return Divider(pane, pane.id or "", is_upright, is_before)
        return None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of a border."""
        if event.button != 1:
            return
        self._held = self.divider_at(event.screen_x, event.screen_y)
        if self._held is not None:
            event.stop()
            self._held.pane.add_class("-dragged")
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        held = self._held
        if held is None:
            return
        event.stop()
        room = self.region
        if held.is_upright:
            cells = event.screen_x - room.x + 1 if held.is_before else room.right - event.screen_x
            self._take(held.name, cells / max(room.width, 1))
        else:
            self._take(held.name, (room.bottom - event.screen_y) / max(room.height, 1))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of it."""
        if self._held is not None:
            event.stop()
            self._held.pane.remove_class("-dragged")
            self._held = None
            self.release_mouse()
            self.post_message(self.Dragged(self.shares))

    def on_click(self, event: events.Click) -> None:
        """A double click on a border gives the usual sizes."""
        if event.chain == 2 and self.divider_at(event.screen_x, event.screen_y) is not None:
            event.stop()
            self.reset()
