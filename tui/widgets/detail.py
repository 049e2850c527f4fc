"""The pane that shows one memory: one `Static` in a scroll, cheap enough to follow the cursor."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ..glyphs import Glyphs
from .account import Account, Shown
from .text_pane import scroll_keys


class Detail(VerticalScroll, can_focus=True):
    """One memory with everything known of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
        Binding("n", "match(1)", "Next match", show=False, id="detail.next_match"),
        Binding("N", "match(-1)", "Last match", show=False, id="detail.previous_match"),
    ]
    HELP = """\
## Memory
The memory under the cursor: its text, every field, where it was learned, and its links.
`H` adds its history, `w` says why it is a hit.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.shown: Shown | None = None
        self.terms: re.Pattern[str] | None = None
        self.now = datetime.now(UTC)
        self._match = -1
        self._written = Content("")
        # held, not looked up: an answer may arrive while the app is being taken down
        self._text = Static("", id="detail-text", markup=False)

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, shown: Shown | None, terms: re.Pattern[str] | None, now: datetime) -> None:
        """Show a memory, or nothing; another memory starts at its top."""
        is_other = self.shown is None or shown is None or self.shown.memory.id != shown.memory.id
        self.shown, self.terms, self.now = shown, terms, now
        self._write()
        if is_other:
            self._match = -1
            self.scroll_home(animate=False, immediate=True)

    def _write(self) -> None:
        text = Content("")
        if self.shown is not None:
            width = self.scrollable_content_region.width - 1
            text = Account(width, self.glyphs, self.now).of(self.shown, self.terms)
        if not text.is_same(self._written):  # else the whole screen is laid out for nothing
            self._written = text
            self._text.update(text)

    def on_resize(self) -> None:
        self._write()

    # -- matches

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Matches are walked only where there are some; else the key means what it means."""
        if action == "match":
            return self._has_match
        return super().check_action(action, parameters)

    @property
    def _has_match(self) -> bool:
        if self.terms is None or self.shown is None:
            return False
        memory = self.shown.memory
        return bool(self.terms.search(memory.title) or self.terms.search(memory.content))

    def _lines(self) -> list[str]:
        """The text as it is wrapped now."""
        width = self.scrollable_content_region.width - 1
        if self.shown is None or width < 1:
            return []
        content = Account(width, self.glyphs, self.now).of(self.shown, self.terms)
        return [line.plain for line in content.wrap(width)]

    def _match_lines(self) -> list[int]:
        """The lines in which the query's words stand."""
        if self.terms is None:
            return []
        return [row for row, line in enumerate(self._lines()) if self.terms.search(line)]

    def bring_to_sight(self, section: str) -> None:
        """Scroll to the section with this heading, unless all of it stands in sight."""
        lines, rule = self._lines(), self.glyphs.empty * 2
        for row, line in enumerate(lines):
            if line.startswith(f"{section} ") and line.endswith(rule):
                blank = (end for end in range(row, len(lines)) if not lines[end].strip())
                if next(blank, len(lines)) > self.size.height:
                    # when it is laid out: it has just grown
                    self.call_after_refresh(self.scroll_to, y=row, animate=False)
                return

    def action_match(self, direction: int) -> None:
        """Scroll to the next line with a match."""
        lines = self._match_lines()
        if lines:
            self._match = (self._match + direction) % len(lines)
            self.scroll_to(y=max(lines[self._match] - 1, 0), animate=False)
