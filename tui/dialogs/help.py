"""The page behind `?`: the keys that work now, made from the bindings in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input, Static

from ..footer import printed_key
from ..text import fit, plain, showable
from .questions import Dialog

GROUP_WORDS = {
    "app": "Everywhere",
    "view": "Views",
    "list": "List",
    "detail": "Reading",
    "pane": "Moving",
    "memory": "Memory",
    "query": "Query",
    "audit": "Journal",
    "": "More",
}
"""What a namespace of binding ids is called; others are called by their own name."""

MOVING = (GROUP_WORDS["list"], GROUP_WORDS["detail"], GROUP_WORDS["pane"])
"""Groups that everybody guesses: they stand below the acts."""

GENERAL = (GROUP_WORDS["app"], GROUP_WORDS["view"], GROUP_WORDS[""])
"""Groups that are the same in every pane: they stand last."""

COLUMNS = ((64, 14, 16), (0, 8, 13))
"""From which width on, the cells of the keys and of the act."""


@dataclass(frozen=True, slots=True)
class Row:
    """One act with all its keys."""

    group: str
    keys: tuple[str, ...]
    act: str
    why: str  # the tooltip
    is_enabled: bool

    @property
    def haystack(self) -> str:
        """What a search looks in."""
        return f"{self.group} {' '.join(self.keys)} {self.act} {self.why}".lower()


@dataclass(frozen=True, slots=True)
class Guide:
    """What the help page says, taken from a screen before the page covers it."""

    about: str  # the focused pane's own words
    rows: tuple[Row, ...]


def guide_for(screen: Screen[object]) -> Guide:
    """The keys in force on `screen`, the focused pane's first, and that pane's own words."""
    rows: dict[tuple[str, str], Row] = {}
    ranks: dict[str, tuple[bool, bool, int]] = {}
    here = screen.focused
    for active in screen.active_bindings.values():
        binding = active.binding
        if not binding.description or binding.system:
            continue
        group = group_of(binding, active.node)
        rank = (group in GENERAL, group in MOVING, _distance(active.node, here))
        ranks[group] = min(ranks.get(group, rank), rank)
        key = printed_key(screen.app.get_key_display(binding))
        known = rows.get((group, binding.action))
        rows[group, binding.action] = Row(
            group,
            (*known.keys, key) if known else (key,),
            known.act if known else binding.description,
            active.tooltip or binding.tooltip,
            active.enabled,
        )
    order = sorted(ranks, key=lambda group: ranks[group])  # each group once, in one piece
    ranked = sorted(rows.values(), key=lambda row: order.index(row.group))
    return Guide(_about(here or screen), tuple(ranked))


def group_of(binding: Binding, node: DOMNode) -> str:
    """The heading for a binding: the namespace of its id, else the widget that has it."""
    namespace = (binding.id or "").partition(".")[0]
    if not binding.id:
        namespace = "" if isinstance(node, Screen | App) else "pane"
    return GROUP_WORDS.get(namespace, namespace.replace("-", " ").capitalize())


def _distance(node: DOMNode, focused: DOMNode | None) -> int:
    """How many steps up from what has focus a binding was found."""
    chain: Sequence[DOMNode] = focused.ancestors_with_self if focused else ()
    return chain.index(node) if node in chain else len(chain)


def _about(node: DOMNode) -> str:
    """The HELP of the nearest node that has one, without its Markdown marks."""
    for ancestor in node.ancestors_with_self:
        if ancestor.HELP:
            lines = (line.strip() for line in ancestor.HELP.strip().splitlines())
            return " ".join(line for line in lines if line and not line.startswith("#"))
    return ""


class HelpScreen(Dialog[None]):
    """Every key that works where one came from; typing narrows it."""

    HELP = "Type to search. `esc` closes."

    BINDINGS = [
        Binding("escape", "leave", "Close", id="help.close"),
        Binding("down", "scroll(1)", "Down", id="help.down", show=False),
        Binding("up", "scroll(-1)", "Up", id="help.up", show=False),
        Binding("pagedown,ctrl+d", "scroll(10)", "Page down", id="help.page_down", show=False),
        Binding("pageup,ctrl+u", "scroll(-10)", "Page up", id="help.page_up", show=False),
    ]

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        self._guide = guide

    @classmethod
    def of(cls, screen: Screen[object]) -> HelpScreen:
        """The help for `screen` as it is now."""
        return cls(guide_for(screen))

    def compose(self) -> ComposeResult:
        with Vertical(id="help", classes="dialog"):
            yield Static("Keys that work here", classes="dialog-title")
            yield Input(placeholder="search keys and acts", id="help-search")
            with VerticalScroll(id="help-scroll", can_focus=False):
                yield Static(self._page(""), id="help-page")

    def on_mount(self) -> None:
        """The search has the focus: letters narrow the page."""
        self.query_one("#help-search").focus()

    def on_resize(self) -> None:
        """The columns follow the width."""
        self._fill()

    @on(Input.Changed, "#help-search")
    def _fill(self) -> None:
        self.query_one("#help-page", Static).update(
            self._page(self.query_one("#help-search", Input).value)
        )

    def _page(self, words: str) -> Content:
        room = self.app.size.width * 96 // 100 - 8  # without frame, air and scroll bar
        cells = max(30, min(92, room))
        lines: list[Content] = []
        if self._guide.about and not words:
            lines += _inline(self._guide.about).wrap(cells)
        lines += _table(self._matching(words), cells)
        if not lines:
            lines = [plain(f"No key or act has “{words.strip()}” in it.", "$text-muted")]
        return Content("\n").join(lines)

    def _matching(self, words: str) -> list[Row]:
        wanted = words.lower().split()
        return [row for row in self._guide.rows if all(word in row.haystack for word in wanted)]

    def action_scroll(self, lines: int) -> None:
        """Move the page; the search keeps the focus."""
        self.query_one("#help-scroll").scroll_relative(y=lines, animate=False)

    def action_leave(self) -> None:
        """Empty the search first, then close."""
        search = self.query_one("#help-search", Input)
        if search.value:
            search.value = ""
        else:
            self.dismiss(None)


def _table(rows: Iterable[Row], cells: int) -> list[Content]:
    """The rows under their headings: keys, act, and what is to be said of it, in columns."""
    _, key_cells, act_cells = next(column for column in COLUMNS if cells >= column[0])
    lines: list[Content] = []
    group = None
    for row in rows:
        if row.group != group:
            group = row.group
            lines += [Content(""), plain(group, "bold $text-accent")]
        said = row.why if row.is_enabled else f"not now  {row.why}"
        keys = "  " + fit(" ".join(row.keys), key_cells - 1) + " "
        act = fit(row.act, act_cells - 1) + " "
        blank = " " * (2 + key_cells + act_cells)
        if not said:  # what says itself has all the room
            act = row.act
        for number, line in enumerate(_inline(said, "$text-muted").wrap(cells - len(blank))):
            if number:
                lines.append(Content(blank) + line)
            elif row.is_enabled:
                lines.append(Content.assemble((keys, "bold $foreground"), act) + line)
            else:
                lines.append(plain(keys + act, "$text-muted") + line)
    return lines


def _inline(text: str, ink: str = "$foreground") -> Content:
    """Prose in which `code` is set apart."""
    pieces = text.split("`")
    return Content.assemble(
        *(
            (showable(piece), "bold $text-accent" if number % 2 else ink)
            for number, piece in enumerate(pieces)
        )
    )
