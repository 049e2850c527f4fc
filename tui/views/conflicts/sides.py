"""The two memories of a conflict, and the words above them, laid out for the room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from ...widgets.conflict_list import ConflictHead
from ...widgets.side_account import Frame, Pair, SidePane, both_sides

if TYPE_CHECKING:
    from ...view import Desk

LOW = 7  # lines of a side: lower, the words come before everything else


class Sides:
    """What stands beside the list, for one pair at a time."""

    def __init__(self, app: Desk) -> None:
        self._app = app
        self.lit = ""  # the side that `enter` keeps: "a", "b", or none
        # held, not looked up: an answer of the core may arrive while the app is being taken down
        self.head = ConflictHead(app.glyphs, id="conflict-head")
        self.left = SidePane(id="conflict-left")
        self.right = SidePane(id="conflict-right")

    def from_top(self) -> None:
        """Another pair is read from its first line; none of its sides is lit."""
        self.lit = ""
        for side in (self.left, self.right):
            side.scroll_home(animate=False, immediate=True)

    def show(self, pair: Pair | None, place: str, *, is_aligned: bool) -> None:
        """Lay both sides out; `place` is `2 of 5`, aligned are they beside each other."""
        now = self._app.clock()
        self.left.partner, self.right.partner = (
            (self.right, self.left) if is_aligned else (None, None)
        )
        self.head.show(pair.conflict if pair else None, place, now)
        if pair is None or not any((self.left.room, self.right.room)):
            return
        rooms = (max(self.left.room, 1), max(self.right.room, 1))
        height = self.left.size.height or self.right.size.height
        frame = Frame(rooms, is_aligned, is_low=height < LOW)
        texts = both_sides(pair, frame, self._app.glyphs, now)
        for side, text in zip((self.left, self.right), texts, strict=True):
            side.show(text)
        self._say_titles(pair)

    def light(self, side: str, pair: Pair | None) -> None:
        """Light this side, "a" or "b", or none."""
        self.lit = side if pair is not None and pair.conflict.is_open else ""
        if pair is not None:
            self._say_titles(pair)

    def _say_titles(self, pair: Pair) -> None:
        """The key that lights a side, and what `enter` then does; which one is the newer."""
        for side, mark, key, name in (
            (self.left, "a", "←", "left"),
            (self.right, "b", "→", "right"),
        ):
            is_newer = pair.newer_is_first == (name == "left")
            age = "newer" if is_newer else "older"
            is_lit = self.lit == mark and pair.conflict.is_open
            side.set_class(is_lit, "-lit")
            if pair.conflict.is_open:
                shown = "enter" if is_lit else key
                side.border_title = Content.assemble(
                    (f"{shown} ", "bold $text-accent"), f"keep this · {age}"
                )
            else:
                side.border_title = Content(f"{name.capitalize()} · {age}")
            rival = "older" if is_newer else "newer"
            side.border_subtitle = f"it replaces the {rival} one" if is_lit else ""
