"""What was found out about an agent: one finding after the other, what wants mending first.

A handful at most, so all are laid out at once; each has its advice beneath it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from ...core.agents import Finding
from ..glyphs import Glyphs
from ..text import one_line, plain
from .agent_list import by_weight

LEAD = 4  # cells before the words: cursor bar, glyph, and air


class AgentFindings(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Findings, and a cursor on one of them."""

    HELP = """\
## Findings
What was looked at, and what came of it; what wants mending stands on top, with what to do about it.
`r` mends the one under the cursor where that is safe, `y` copies the command that does.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Down", show=False, id="list.down"),
        Binding("k,up", "move(-1)", "Up", show=False, id="list.up"),
        Binding("g,home", "jump(0)", "Top", show=False, id="list.first"),
        Binding("G,end", "jump(-1)", "Bottom", show=False, id="list.last"),
        Binding("ctrl+d,pagedown", "page_down", "Page down", show=False, id="list.page_down"),
        Binding("ctrl+u,pageup", "page_up", "Page up", show=False, id="list.page_up"),
    ]

    cursor = reactive(0, repaint=False, init=False)

    class Moved(Message):
        """The cursor stands on another finding."""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.glyphs = glyphs
        self.findings: tuple[Finding, ...] = ()
        self.text = Static("", markup=False, classes="agent-findings-text")
        self._tops: list[int] = []  # the first line of each finding, and the line after the last

    def compose(self) -> ComposeResult:
        yield self.text

    @property
    def current(self) -> Finding | None:
        """The finding under the cursor."""
        return self.findings[self.cursor] if self.cursor < len(self.findings) else None

    def show(self, findings: Sequence[Finding], *, is_other: bool) -> None:
        """Show these; the cursor stays on the finding of its name unless all is about another."""
        here = self.current
        self.findings = by_weight(findings)
        names = [one.name for one in self.findings]
        stays = not is_other and here is not None and here.name in names
        row = names.index(here.name) if stays and here is not None else 0
        self._write()
        self.cursor = row
        if is_other:
            self.scroll_home(animate=False, immediate=True)

    # -- painting

    def _write(self) -> None:
        cells = self.scrollable_content_region.width - 1  # a cell apart from the scrollbar
        if cells < LEAD + 8:
            return
        lines: list[Content] = []
        tops = []
        for row, finding in enumerate(self.findings):
            tops.append(len(lines))
            lines += self._block(finding, cells, is_here=row == self.cursor)
        self._tops = [*tops, len(lines)]
        self.text.update(Content("\n").join(lines))

    def _block(self, finding: Finding, cells: int, *, is_here: bool) -> list[Content]:
        """The lines of one finding, each `cells` wide."""
        sign, ink = self._sign(finding)
        room = cells - LEAD
        words = Content.assemble(
            plain(one_line(finding.name), "bold"),
            "  ",
            plain(one_line(finding.message), "$text-muted" if finding.ok else ""),
        )
        lines = [line.rstrip() for line in words.wrap(room)]
        if finding.mend and not finding.ok:
            lines += self._mend(finding, room)
        bar = self.glyphs.bar if is_here else " "
        block = [
            Content.assemble(
                (f"{bar} ", "$accent"), (f"{sign if not row else ' '} ", ink), line
            ).pad_right(max(room - line.cell_length, 0) + 1)
            for row, line in enumerate(lines)
        ]
        if is_here and self.has_focus:
            ground = "$block-cursor-foreground on $block-cursor-background"
            plain_ground = self.app.current_theme.ansi  # sixteen colours have none to spare
            block = [
                Content.styled(line.plain, ground) if plain_ground else line.stylize_before(ground)
                for line in block
            ]
        return block

    def _sign(self, finding: Finding) -> tuple[str, str]:
        """A glyph and its colour; a tick only before what works."""
        if not finding.ok:
            return self.glyphs.wrong, "bold $text-error"
        if finding.is_absent:
            return self.glyphs.absent, "$text-muted"
        return self.glyphs.mark, "$success"

    def _mend(self, finding: Finding, room: int) -> list[Content]:
        """What to do about it, beneath it; the key that does it is never parted from its words."""
        cells = max(room - 2, 4)
        advice = plain(one_line(finding.mend), "$text-accent").wrap(cells)
        lines = [line.rstrip() for line in advice]
        if finding.fix:
            key = ("r", "bold $footer-key-foreground")
            can = Content.assemble(key, (" mends it", "$text-muted"))
            if lines and lines[-1].cell_length + 2 + can.cell_length <= cells:
                can = Content.assemble(lines.pop(), "  ", can)
            lines.append(can)
        return [
            Content.assemble(("→ " if not row else "  ", "$text-accent"), line)
            for row, line in enumerate(lines)
        ]

    def on_resize(self) -> None:
        self._write()
        self._into_view()

    def on_focus(self) -> None:
        self._write()

    def on_blur(self) -> None:
        self._write()

    def notify_style_update(self) -> None:
        """The theme changed: colours were written into the lines."""
        super().notify_style_update()
        if self.is_mounted:
            self._write()

    # -- moving

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.findings) - 1))

    def watch_cursor(self) -> None:
        self._write()
        self._into_view()
        self.post_message(self.Moved())

    def _into_view(self) -> None:
        if self.cursor + 1 < len(self._tops):
            top, end = self._tops[self.cursor], self._tops[self.cursor + 1]
            region = Region(0, top, 1, end - top)
            self.scroll_to_region(region, animate=False, immediate=True, force=True)

    def action_move(self, rows: int) -> None:
        self.cursor += rows

    def action_jump(self, row: int) -> None:
        self.cursor = row if row >= 0 else len(self.findings) + row

    # -- mouse

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None:
            return
        line = place.y + self.scroll_offset.y
        for row, end in enumerate(self._tops[1:]):
            if line < end:
                self.cursor = row
                return
