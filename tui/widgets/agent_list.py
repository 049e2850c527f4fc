"""The agents one below the other, how each stands; and what was found out about one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rich.cells import set_cell_size
from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from ...core.agents import AgentState, Finding
from ...core.values import ms_of
from ..glyphs import Glyphs
from ..text import AGE_WIDTH, age, counted, fit, one_line, plain, width
from .virtual_list import Look, VirtualList

LEAD = 4  # cells before the name: cursor bar, glyph, and air
NAME_WIDTH, STATE_WIDTH, SCOPE_WIDTH, LATENCY_WIDTH = 14, 13, 7, 11
ALWAYS = LEAD + NAME_WIDTH + 1 + STATE_WIDTH + 1 + AGE_WIDTH  # the smallest terminal has room


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent on one line."""

    num: int  # its place among the hosts
    agent: AgentState

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        agent = self.agent
        said = (agent.is_present, agent.scopes, agent.is_trusted, agent.last_fired_ms)
        return hash((*said, agent.latency_p50_ms, agent.latency_p95_ms))


class AgentList(VirtualList[AgentRow]):
    """Agents as rows."""

    HELP = """\
## Agents
The agents that memdeck can work with, and how each stands on this machine: `●` it fires, `○` it is
installed but was never heard, `◐` it needs your trust, `·` not installed, `–` not on this machine.
"""

    def draw_row(self, row: AgentRow, look: Look) -> Strip:
        standing = standing_of(row.agent)
        ink, muted = self._ink(look, COLOURS[standing]), self._ink(look, "muted")
        scope, latency = columns_in(look.width)
        segments = [
            Segment(set_cell_size(glyph_of(standing, self.glyphs), 2), ink),
            Segment(name_of(row.agent) + " ", self._ink(look)),
            Segment(fit(SHORT[standing], STATE_WIDTH), ink),
        ]
        if scope:
            segments.append(
                Segment(" " + fit(scopes_of(row.agent, SCOPE_WIDTH), SCOPE_WIDTH), muted)
            )
        now_ms = ms_of(self.now)
        segments.append(Segment(" " + age(row.agent.last_fired_ms, now_ms), muted))
        if latency:
            text = fit(latency_of(row.agent), LATENCY_WIDTH, right=True)
            segments.append(Segment(" " + text, muted))
        return self._line_of(look, segments)


def name_of(agent: AgentState) -> str:
    """An agent's name; one that is too long goes without its `CLI`."""
    is_whole = width(agent.name) <= NAME_WIDTH
    return fit(agent.name if is_whole else agent.name.removesuffix(" CLI"), NAME_WIDTH)


def columns_in(cells: int) -> tuple[bool, bool]:
    """Whether there is room for the scope, and for the latency beside it."""
    room = cells - ALWAYS
    return room >= 1 + SCOPE_WIDTH, room >= 2 + SCOPE_WIDTH + LATENCY_WIDTH


def head(cells: int) -> Content:
    """The names of the columns, above the rows."""
    scope, latency = columns_in(cells)
    words = " " * LEAD + fit("agent", NAME_WIDTH) + " " + fit("stands", STATE_WIDTH)
    words += " " + fit("scope", SCOPE_WIDTH) if scope else ""
    words += " " + fit("last", AGE_WIDTH, right=True)
    words += " " + fit("p50/p95", LATENCY_WIDTH, right=True) if latency else ""
    return Content.styled(words, "$text-muted")


class AgentColumns(Widget):
    """The line of the columns' names.

    Drawn from its own width, so that it is right whenever the room changes: told from outside,
    it could be told before the layout was made.
    """

    has_rows: reactive[bool] = reactive(False)

    def render(self) -> Content:
        return head(self.size.width - 1) if self.has_rows else Content("")


Standing = Literal["firing", "silent", "untrusted", "not installed", "not present"]

SHORT: dict[Standing, str] = {
    "firing": "firing",
    "silent": "silent",
    "untrusted": "needs trust",
    "not installed": "not installed",
    "not present": "not present",
}
LONG: dict[Standing, str] = {
    **SHORT,
    "silent": "installed but silent",
    "untrusted": "installed, but it needs your trust",
    "not present": "not on this machine",
}
COLOURS: dict[Standing, str] = {
    "firing": "success",
    "silent": "stale",
    "untrusted": "warning",
    "not installed": "muted",
    "not present": "muted",
}
_COMMAND = re.compile(r"`([^`]+)`")


def standing_of(agent: AgentState) -> Standing:
    """How the agent stands: what keeps it from being heard comes first."""
    if not agent.scopes:
        return "not installed" if agent.is_present else "not present"
    if agent.is_trusted is False:
        return "untrusted"
    return "silent" if agent.last_fired_ms is None else "firing"


def glyph_of(standing: Standing, glyphs: Glyphs) -> str:
    """One cell for the standing, another one for each."""
    return {
        "firing": glyphs.firing,
        "silent": glyphs.stale,
        "untrusted": glyphs.untrusted,
        "not installed": glyphs.retired,
        "not present": glyphs.absent,
    }[standing]


def scopes_of(agent: AgentState, cells: int) -> str:
    """Where its hooks stand: all of it, or the first and how many more."""
    said = ", ".join(agent.scopes)
    if len(said) > cells and len(agent.scopes) > 1:
        return f"{agent.scopes[0]} +{len(agent.scopes) - 1}"
    return said


def latency_of(agent: AgentState) -> str:
    """`41/88 ms`: the middle and the slow end; "" before the first answer."""
    middle, slow = agent.latency_p50_ms, agent.latency_p95_ms
    if middle is None or slow is None:
        return ""
    return f"{middle:.0f}/{slow:.0f} ms"


def by_weight(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What wants mending first, and of that what can be mended from here; else as they came."""
    return tuple(sorted(findings, key=lambda one: (one.ok, not one.ok and not one.fix)))


def mendable(agents: Iterable[AgentState]) -> list[Finding]:
    """Every finding that can be mended from here."""
    return [one for agent in agents for one in agent.findings if one.fix and not one.ok]


def summed_up(findings: Sequence[Finding], standing: Standing = "firing") -> str:
    """`2 of 7 want mending`, or that all is well, which nothing unconnected is; "" without any."""
    troubles = sum(not one.ok for one in findings)
    if not findings:
        return ""
    if not troubles:
        if standing in ("not installed", "not present"):
            return "not connected"
        return "all is well"
    return f"{troubles} of {counted(len(findings), 'finding')} to mend"


def command_of(finding: Finding) -> str:
    """What to type to mend it: the commands in its advice, else the advice; "" without any."""
    return "\n".join(_COMMAND.findall(finding.mend)) or finding.mend


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
