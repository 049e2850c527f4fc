"""Lists and panes of the screens, and the drawing of a `Document` in a pane.

A list of any length holds one key per row. Stock lists measure every row on the event loop: 100,000
rows take ten seconds. This one asks its owner for pages by key. Painting never waits and never
raises. Marks are keys. A filter line narrows a list.

A pane draws memories, receipts, sessions and all the others by one layout, with the words marked in
which two texts differ. Text of a document is data. It enters as text, never as markup, with control
characters visible. A click on a row with a link runs the app's action `follow`.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import SequenceMatcher
from typing import ClassVar, Generic, Protocol, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style as ContentStyle
from textual.visual import Visual
from textual.widgets import Input, Static
from textual.worker import Worker

from ..core.documents import document as d
from ..core.values import ms_of
from .lanes import answered, may_ask
from .text import (
    BAR,
    CANDIDATE,
    CONFLICT,
    EMPTY,
    FULL,
    PINNED,
    RETIRED,
    STALE,
    age,
    fit,
    one_line,
    plain,
    showable,
)

MEASURE = 64  # cells of a line of an empty list's text
MOST_REPEATED = 24  # characters of a word that is shown again
PAGE = 128  # rows fetched at once
PAGES_KEPT = 16
HEADING = -1  # the part of a row that is the heading above it; 0 and up are the row's own lines
LEAD = 2  # cells of the cursor's bar
STRIPS_KEPT = 128  # about three screens; more buys nothing and costs collector pauses


def empty_text(title: str, about: str = "", *keys: tuple[str, str]) -> Content:
    """Return the text of an empty list: its purpose, and each key that fills it, to be clicked.

    A line that belongs to no key has "" for it.
    """
    parts = [Content.styled(title, "bold $foreground"), Content("")]
    parts += [*(plain(line, "$text-muted") for line in about.splitlines()), Content("")] * bool(
        about
    )
    cells = max((len(key) for key, _ in keys), default=0) + 2
    for key, text in keys:
        head = key.ljust(cells) if key else ""
        part = Content.styled(head, "bold $footer-key-foreground") + plain(text, "$text-muted")
        name = "escape" if key == "esc" else key
        clicked = ContentStyle.from_meta({"@click": f"app.simulate_key({name!r})"})
        parts.append(part.stylize(clicked) if key else part)
    return Content("\n").join(parts)


def nothing_fits(title: str) -> Content:
    """Return the text of a list without matches for its filter."""
    return empty_text(title, "", ("esc", "clear the filter"))


def day_words(day: date, today: date) -> str:
    """Return a day as a heading: `Today 29 November`."""
    names = {today: "Today", today - timedelta(days=1): "Yesterday"}
    year = f" {day.year}" if day.year != today.year else ""
    return f"{names.get(day, f'{day:%A}')} {day.day} {day:%B}{year}"


def beyond(title: str, text: str) -> str:
    """Return a text beyond its title: all of it, unless the title is its start."""
    start, text = one_line(title).rstrip("…. "), one_line(text)
    if not text.startswith(start):
        return text
    at = len(start)
    word = text.rfind(" ", 0, at) + 1
    if text[at : at + 1].isalnum() and at - word < MOST_REPEATED:  # cut within a word
        at = word
    return text[at:].lstrip("…., :;")


class Listed(Protocol):
    """The attributes of a listed row."""

    @property
    def num(self) -> int: ...
    @property
    def revision(self) -> int: ...


RowT = TypeVar("RowT", bound=Listed)
Groups = Sequence[tuple[int, str]]
"""The row at which each group begins, and its heading."""


def keys_of(rows: Iterable[Listed]) -> array[int]:
    return array("q", [row.num for row in rows])


class RowLines:
    """From rows to lines and back: rows of one height, and a heading above each group."""

    def __init__(self) -> None:
        self.height = 1  # lines of every row
        self.starts: array[int] = array("q")  # the rows that have a heading above them, rising

    def top(self, row: int) -> int:
        """Return the first own line of a row."""
        return row * self.height + bisect_right(self.starts, row)

    def group_of(self, row: int) -> int:
        """Return the group of a row; -1 without groups."""
        return bisect_right(self.starts, row) - 1

    def has_heading(self, row: int) -> bool:
        """Return True if there is a heading right above the row."""
        group = self.group_of(row)
        return group >= 0 and self.starts[group] == row

    def at(self, line: int) -> tuple[int, int]:
        """Return the row that a line belongs to, and which part of it the line is."""
        groups = range(len(self.starts))
        group = (
            bisect_right(groups, line, key=lambda item: self.starts[item] * self.height + item) - 1
        )
        if group < 0:
            return divmod(line, self.height)
        first = self.starts[group]
        below = line - first * self.height - group - 1
        if below < 0:
            return first, HEADING
        return first + below // self.height, below % self.height

    def whole_from(self, line: int) -> int:
        """Return the line, or the next one at which a row begins: none is cut in two at the top."""
        row, part = self.at(line)
        return line if part <= 0 else self.top(row) + self.height


class PageWanted(Message):
    """A page is about to be seen."""

    def __init__(self, generation: int, page: int) -> None:
        super().__init__()
        self.generation, self.page = generation, page


class Moved(Message):
    """The user moved the cursor to another row."""


class Opened(Message):
    """The row under the cursor is to be opened: double click."""


class MarksChanged(Message):
    """Rows were marked or unmarked."""


@dataclass(frozen=True, slots=True)
class Look:
    """The state of one row for drawing."""

    width: int
    is_cursor: bool
    is_marked: bool
    has_focus: bool

    @property
    def ground(self) -> str:
        if self.is_cursor:
            return "list--cursor" if self.has_focus else "list--cursor-blurred"
        return "list--marked" if self.is_marked else "list--base"


class VirtualList(ScrollView, Generic[RowT], can_focus=True):
    """A scrolling list over `keys`; subclasses draw a row in `draw_row`."""

    ALLOW_SELECT = False  # else dragging starts text selection
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"list--{name}"
        for name in (
            "base cursor cursor-blurred marked ghost heading bar mark match heavy muted pinned"
            " conflict stale candidate retired expiring warning success error helpful unhelpful"
            " set person agent undone"
        ).split()
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Down", show=False),
        Binding("k,up", "move(-1)", "Up", show=False),
        Binding("g,home", "jump(0)", "Top", show=False),
        Binding("G,end", "jump(-1)", "Bottom", show=False),
        Binding("ctrl+d", "move(1, 'half')", "Half a page down", show=False),
        Binding("ctrl+u", "move(-1, 'half')", "Half a page up", show=False),
        Binding("pagedown", "move(1, 'page')", "Page down", show=False),
        Binding("pageup", "move(-1, 'page')", "Page up", show=False),
    ]

    cursor = reactive(0, repaint=False, init=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.now = datetime.now(UTC)  # ages are counted from it
        self._minute = 0
        self.keys: array[int] = array("q")  # one for each row, in order
        self.generation = 0  # grows with every other list of keys
        self._pages: LRUCache[int, Sequence[RowT]] = LRUCache(PAGES_KEPT)
        self._pending: set[int] = set()  # requested pages
        self._at_hand: Sequence[RowT] = ()  # every row, if none has to be fetched
        self.marks: set[int] = set()  # marked keys, shown or not
        self.lines = RowLines()
        self.headings: list[str] = []  # one for each group
        self.nothing = Content("")  # shown while there are no rows
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(STRIPS_KEPT)
        self._is_showing = False
        self.is_new_query = False  # then the cursor goes to the first row

    # -- content

    def show(
        self,
        keys: array[int],
        first: Sequence[RowT],
        groups: Groups = (),
        keep: int | None = None,
    ) -> None:
        """Show `keys`; the cursor goes to the key `keep` if it is among them, else stays in place.

        The first page comes with the keys, so that no placeholder flashes; if `first` is the whole
        list, no page is ever requested. `groups`: the row at which each begins, and its heading.
        """
        offset = self.lines.top(self.cursor) - self.scroll_offset.y
        self._at_hand = first if len(first) == len(keys) else ()
        self.keys = keys
        self.generation += 1
        self._pages.clear()
        self._pending.clear()
        if first:
            self._pages[0] = first[:PAGE]
        self.lines.starts = array("q", (start for start, _ in groups))
        self.headings = [heading for _, heading in groups]
        row = self.row_of(keep)
        if row is None:
            row = 0 if self.is_new_query else min(self.cursor, max(len(keys) - 1, 0))
            keep = None
        self.is_new_query = False
        self._is_showing = True  # the list moves, not the user
        self._measure()
        self.cursor = row
        if keep is not None and row:
            self._scroll(self.lines.top(row) - max(offset, 0))
        self._into_view(self.cursor)
        self._is_showing = False
        self.refresh()

    def page_arrived(self, generation: int, page: int, rows: Sequence[RowT]) -> None:
        """Take a requested page, unless it is of an older list."""
        if generation != self.generation:
            return
        before = self._pages.get(page)
        self._pending.discard(page)
        self._pages.discard(page)  # the cache keeps the old value of a key it has
        self._pages[page] = rows
        if before is None or tuple(before) != tuple(rows):
            self._strips.clear()  # also those that depend on more than the memory itself
            top = self.lines.top(page * PAGE)
            self.refresh_lines(top, self.lines.top((page + 1) * PAGE) - top)

    def reload(self) -> None:
        """Fetch the rows again, in place: same keys, same cursor, newer values."""
        self._at_hand = ()  # they may be older
        top = self.scroll_offset.y
        seen = {self.lines.at(line)[0] // PAGE for line in (top, top + self.size.height)}
        for page in set(self._pages.keys()).difference(seen):
            self._pages.discard(page)
        self._pending.clear()
        for page in sorted(seen):
            self._want(page)

    @property
    def current_key(self) -> int | None:
        """Return the key under the cursor; None in an empty list."""
        return self.keys[self.cursor] if 0 <= self.cursor < len(self.keys) else None

    @property
    def current(self) -> RowT | None:
        """Return the row under the cursor, if its page is here."""
        return self.row(self.cursor) if self.keys else None

    @property
    def rows(self) -> list[RowT]:
        """Return every row whose page is here, in order."""
        rows = (self.row(index) for index in range(len(self.keys)))
        return [row for row in rows if row is not None]

    def row_of(self, key: int | None) -> int | None:
        """Return the row that shows `key`, or None."""
        try:
            return None if key is None else self.keys.index(key)
        except ValueError:
            return None

    def row(self, index: int) -> RowT | None:
        """Row `index`, or None while its page is on the way."""
        if index // PAGE not in self._pages:
            self._want(index // PAGE)
        page = self._pages.get(index // PAGE)
        return page[index % PAGE] if page is not None and index % PAGE < len(page) else None

    def _want(self, page: int) -> None:
        if page in self._pending or not 0 <= page * PAGE < len(self.keys):
            return
        if self._at_hand:
            self._pages[page] = self._at_hand[page * PAGE : (page + 1) * PAGE]
        else:
            self._pending.add(page)
            # Painting runs in the Screen's context: without a sender the message would stop there.
            self.post_message(PageWanted(self.generation, page).set_sender(self))

    def set_row_height(self, lines: int) -> None:
        if lines != self.lines.height:
            offset = self.lines.top(self.cursor) - self.scroll_offset.y
            self.lines.height = lines
            self._is_showing = True  # the rows grow, the cursor stays
            self._measure()
            if self.scroll_offset.y:
                self._scroll(self.lines.top(self.cursor) - max(offset, 0))
            self._into_view(self.cursor)
            self._is_showing = False
            self.forget_paint()

    # -- painting

    @abstractmethod
    def draw_row(self, row: RowT, look: Look) -> Strip:
        """The first line of `row`, `look.width` cells wide: the last cell before the frame or the
        scrollbar stays free. No I/O, no layout, no exception."""

    def draw_below(self, row: RowT, look: Look) -> Strip:  # noqa: ARG002
        """Return the second line of a row of two, as `draw_row`."""
        return Strip.blank(look.width, self.style_of(look.ground))

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._refresh_row(self.cursor)

    def ink(self, look: Look, name: str = "") -> Style:
        """Return a colour on a row's ground; sixteen colours have none to spare on the cursor."""
        if not name or (look.is_cursor and self.app.current_theme.ansi):
            return self.style_of(look.ground)
        return self.style_of(look.ground, f"list--{name}")

    def style_of(self, *names: str) -> Style:
        """Return the styles of these names in the style sheet, the later ones over the first."""
        style = self.get_visual_style(*names).rich_style
        is_reverse = self.app.no_color and names[0].startswith("list--cursor")
        return style + Style(reverse=True) if is_reverse else style

    def line_of(self, look: Look, segments: Iterable[Segment]) -> Strip:
        """Return a row's line: the cursor's bar, then these."""
        bar = fit(BAR if look.is_cursor else "", LEAD)
        strip = Strip([Segment(bar, self.ink(look, "bar")), *segments])
        return strip.adjust_cell_length(look.width, self.ink(look))

    def notify_style_update(self) -> None:
        """The theme or the sheet changed."""
        super().notify_style_update()
        self.forget_paint()

    def forget_paint(self) -> None:
        """Draw every row again: highlights, clock or colours changed."""
        self._strips.clear()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        top, height = self.scroll_offset.y, self.size.height
        for line in (top - height, top + 2 * height):  # one screen ahead, each way
            index = self.lines.at(line)[0] if line >= 0 else -1
            if 0 <= index < len(self.keys):
                self.row(index)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        line, cells = y + self.scroll_offset.y, self.scrollable_content_region.width
        index, part = self.lines.at(line)
        if not self.keys:
            return self._draw_nothing(y, cells)
        if index >= len(self.keys):
            return Strip.blank(cells, self.style_of("list--base"))
        if part == HEADING:
            heading = " " * LEAD + fit(self.headings[self.lines.group_of(index)], cells - LEAD)
            return Strip([Segment(heading, self.style_of("list--base", "list--heading"))])
        row, key = self.row(index), self.keys[index]
        is_cursor = index == self.cursor
        look = Look(max(cells - 1, 0), is_cursor, key in self.marks, self.has_focus)
        ground = self.style_of(look.ground)
        if row is None:
            ghost = Segment("" if part else "      ┄┄┄┄┄┄", self.ink(look, "ghost"))
            return Strip([ghost]).adjust_cell_length(cells, ground)
        state = (row.num, row.revision, look, part, self.extra_state())
        strip = self._strips.get(state)
        if strip is None:
            drawn = self.draw_below(row, look) if part else self.draw_row(row, look)
            strip = self._strips[state] = drawn.adjust_cell_length(cells, ground)
        return strip

    def _draw_nothing(self, y: int, cells: int) -> Strip:
        room = min(cells - 2, MEASURE)  # at least a cell of air at each side
        strips = Visual.to_strips(self, self.nothing, room, None, self.visual_style, pad=True)
        base = self.style_of("list--base")
        if len(strips) > self.size.height:  # the keys come last
            strips = [strip for strip in strips if strip.text.strip()][-self.size.height :]
        y -= max((self.size.height - len(strips)) // 3, 0)
        if not 0 <= y < len(strips):
            return Strip.blank(cells, base)
        air = Strip.blank(max((cells - room) // 2, 1), base)
        return Strip.join([air, strips[y]]).adjust_cell_length(cells, base)

    def say_nothing(self, text: Content) -> None:
        """Set the text of an empty list: its purpose, and the keys to fill it."""
        self.nothing = text
        self.refresh()

    def set_now(self, now: datetime) -> None:
        """Set the moment from which ages count; rows are drawn again once a minute."""
        self.now = now
        if (minute := int(now.timestamp()) // 60) != self._minute:
            self._minute = minute
            self.forget_paint()

    def extra_state(self) -> object:
        """Return further state that decides the look of a row; part of the strip cache's key."""
        return self._minute

    def _measure(self) -> None:
        region, lines = self.scrollable_content_region, self.lines.top(len(self.keys))
        if lines > region.height > 0:  # at the end, too, a row begins at the top
            lines = self.lines.whole_from(lines - region.height) + region.height
        self.virtual_size = Size(region.width, lines)

    def on_resize(self) -> None:
        self._is_showing = True  # the room changes, the cursor stays
        self._measure()
        self._into_view(self.cursor)
        self._is_showing = False

    @property
    def cursor_y(self) -> int:
        """Return the first screen line of the cursor's row."""
        return self.content_region.y + self.lines.top(self.cursor) - self.scroll_offset.y

    # -- moving

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.keys) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self._refresh_row(old)
        self._refresh_row(new)
        self._into_view(new)
        if not self._is_showing:
            self.post_message(Moved())

    def _refresh_row(self, row: int) -> None:
        self.refresh_lines(self.lines.top(row), self.lines.height)

    def _into_view(self, row: int) -> None:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        first = self.lines.top(row)
        last = first + self.lines.height - 1
        if first - self.lines.has_heading(row) < top:
            self._scroll(first - self.lines.has_heading(row))
        elif height and last >= top + height:
            self._scroll(min(self.lines.whole_from(last - height + 1), first))

    def _scroll(self, top: int) -> None:
        # by force: a list that was short until now has no scrollbar yet, and would stay where it is
        self.scroll_to(y=max(top, 0), animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The wheel and the scrollbar take the cursor along: it is always in sight."""
        super().watch_scroll_y(old_value, new_value)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if height and self.keys and not self._is_showing:
            first = self.lines.at(self.lines.whole_from(top))[0]
            last = self.lines.at(top + height - self.lines.height)[0]
            self.cursor = max(first, min(self.cursor, last))

    def action_move(self, steps: int, unit: str = "row") -> None:
        """Move rows down, or up if less than 0; also by the `half` and by the whole `page`."""
        height = self.scrollable_content_region.height // self.lines.height
        rows = {"row": 1, "half": max(height // 2, 1), "page": max(height - 1, 1)}[unit]
        self.cursor += steps * rows

    def action_jump(self, row: int) -> None:
        """To a row; counted from the end when less than 0."""
        was, self.cursor = self.cursor, row if row >= 0 else len(self.keys) + row
        if was == self.cursor:
            self.post_message(Moved())

    def mark_here(self) -> None:
        """Mark the row under the cursor, or unmark it, and go on."""
        if (key := self.current_key) is not None:
            self.set_marks(self.marks ^ {key})
            self.cursor += 1

    def set_marks(self, keys: Iterable[int] = ()) -> None:
        self.marks = set(keys)
        self.refresh()
        self.post_message(MarksChanged())

    # -- mouse

    def on_click(self, event: events.Click) -> None:
        content_offset = event.get_content_offset(self)
        if content_offset is None or not self.keys:
            return
        row, part = self.lines.at(content_offset.y + self.scroll_offset.y)
        if part == HEADING or row >= len(self.keys):
            return
        event.stop()
        self.cursor = row
        if event.ctrl:
            self.mark_here()
        elif event.chain == 2:
            self.post_message(Opened())


RESTING_SECONDS = 0.04  # the cursor rests before its row is read for the pane
TYPING_SECONDS = 0.06  # the next key comes sooner, and cancels the last search
STEP_CELLS = 32  # by which the room for a text grows
PLACEHOLDER = "words to look for, -not"


class FilterInput(Input):
    """The input: `enter` keeps the text, `escape` clears it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "To the list"),
        Binding("escape", "clear", "Clear"),
        Binding("down,tab", "submit", "To the list", show=False),
    ]

    class Cleared(Message):
        """Escape was pressed."""

    def __init__(self, placeholder: str = PLACEHOLDER) -> None:
        super().__init__(
            placeholder=placeholder,
            select_on_focus=False,
            compact=True,
            classes="filter-input",
        )
        self.cursor_blink = False

    @property
    def content_width(self) -> int:
        """The cells of the text, in steps: within one a letter more is painted, and the screen is
        not laid out again."""
        needed, room = super().content_width, self.scrollable_content_region.width
        return min(-(-needed // STEP_CELLS) * STEP_CELLS, max(needed, room))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render at the painted width: if the count beside it has just taken room and the layout is
        still to come, Textual would paint nothing."""
        ground = self.visual_style.rich_style
        return [line.adjust_cell_length(crop.width, ground) for line in super().render_lines(crop)]

    def action_clear(self) -> None:
        self.post_message(self.Cleared())


class FilterLine(Horizontal):
    """Slash, the typed text, and at the right the result.

    `look` searches, after so many seconds; `back` gives the focus to the main widget of the view.
    A line that does not `stay` is visible only while the user types, and while it narrows the
    list.
    """

    def __init__(
        self,
        look: Callable[[float], Worker[None] | None],
        back: Callable[[], object],
        box: FilterInput | None = None,
        *,
        id: str,
        stays: bool = False,
    ) -> None:
        super().__init__(id=id, classes="filter-line")
        self._look, self._back, self._stays = look, back, stays
        self.new_query_hook: Callable[[], object] = lambda: None  # another query is asked
        self.input = box or FilterInput()
        self.status = Static("", markup=False, classes="filter-status")
        self._status = Content("")
        self.display = stays

    def compose(self) -> ComposeResult:
        yield Static("/", markup=False, classes="filter-slash")
        yield self.input
        yield self.status

    @property
    def text(self) -> str:
        return self.input.value

    @property
    def is_typed_in(self) -> bool:
        """Return True if letters go into it."""
        return self.is_attached and self.screen.focused is self.input

    def allow_focus_children(self) -> bool:
        """Return False for `tab`, which goes from pane to pane: letters after it must stay keys."""
        return self.is_typed_in

    def open(self) -> None:
        """Focus the line at once: the next letters replace its text.

        An arrow, `home` or `end` keeps it, to go on from it.
        """
        self.display = True
        self.screen.set_focus(self.input)
        self.input.select_all()

    def set_text(self, text: str, *, silent: bool = False) -> None:
        """Put `text` into the line; `silent` without a search."""
        with self.input.prevent(*([Input.Changed] if silent else [])):
            self.input.value = text
        self.new_query_hook()
        self.input.cursor_position = len(text)
        self.display = self._stays or bool(text) or self.is_typed_in

    def leave(self) -> None:
        """Keep the text, and go on to the list."""
        self.display = self._stays or bool(self.text.strip())
        self._back()
        self._answer()

    @may_ask
    async def _answer(self) -> bool:
        """Search at once: the next keys are for the matches, and wait for them."""
        looking = self._look(0.0)
        return looking is None or await answered(looking)

    @on(FilterInput.Cleared)
    def clear(self) -> None:
        """Clear the line, and go on to the list."""
        self.set_text("", silent=True)
        self.leave()

    def say(self, status: str | Content) -> None:
        """Show `status` at the right end; the screen is laid out again only for another width.

        During typing, a shorter one keeps the room of the one before.
        """
        status = Content(status) if isinstance(status, str) else status
        spare = self._status.cell_length - status.cell_length
        if spare > 0 and status and self.is_typed_in:
            status = Content(" " * spare) + status
        if not status.is_same(self._status):
            is_other_width = status.cell_length != self._status.cell_length
            self._status = status
            self.status.update(status, layout=is_other_width)

    def say_count(self, remaining: int, of: int) -> None:
        """Show the number of matches and the total."""
        self.say(f"{remaining:,} of {of:,}" if self.text.strip() else "")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.new_query_hook()
        self._look(TYPING_SECONDS)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.leave()


# -- panes of text

MOST_TOKENS = 2_000
"""Texts of more words than this are shown as replaced: the time grows with the square (0.3 s)."""

LEAST_ALIKE = 0.3
"""Texts with a smaller share of common words are shown as replaced, for legibility."""

TAKEN, ADDED = "bold $text-error on $error-muted", "bold $text-success on $success-muted"
"""Styles of a word that a change removed, and of one that it added."""

DIFFERS = "bold $text-warning on $warning-muted"
"""Style of a word that only one of two memories has: neither is wrong."""

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")


def word_diff(
    before: str, after: str, styles: tuple[str, str], contested: Sequence[str] | None = None
) -> tuple[Content, Content]:
    """Return both texts, the words that the other one lacks in the style of their side.

    Of very different texts every word is marked, or only those `contested`.
    """
    texts = showable(before), showable(after)
    old, new = ([*_TOKENS.finditer(text)] for text in texts)
    spans: tuple[list[tuple[int, int]], ...] = ([], [])
    alike = 0
    if max(len(old), len(new)) <= MOST_TOKENS:
        words = [match[0] for match in old], [match[0] for match in new]
        matcher = SequenceMatcher(None, *words, autojunk=False)
        for tag, first, last, other_first, other_last in matcher.get_opcodes():
            if tag == "equal":
                alike += len("".join("".join(words[0][first:last]).split()))
                continue
            parts = old[first:last], new[other_first:other_last]
            for text, side, part in zip(texts, spans, parts, strict=True):
                if not part:
                    continue
                start, end = part[0].start(), part[-1].end()
                if side and text[side[-1][1] : start].isspace():  # a space between changed words
                    start = side.pop()[0]
                side.append((start, end))
    if alike < LEAST_ALIKE * min(len("".join(text.split())) for text in texts):
        pattern = None if contested is None else _pattern(contested)
        spans = tuple(
            [(0, len(text))] if contested is None
            else [match.span() for match in (pattern.finditer(text) if pattern else ())]
            for text in texts
        )  # fmt: skip
    sides = []
    for text, side, style in zip(texts, spans, styles, strict=True):
        content = Content(text)
        for start, end in side:
            content = content.stylize(style, start, end)
        sides.append(content)
    return sides[0], sides[1]


def _pattern(contested: Iterable[str]) -> re.Pattern[str] | None:
    parts = sorted({part.strip() for part in contested if part.strip()}, key=len, reverse=True)
    if not parts:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, parts))})(?!\w)", re.IGNORECASE)


def ruled(text: Content, sign: str, style: str, cells: int) -> Iterator[Content]:
    """One side of a long text, with its sign and a rule down its edge."""
    for number, line in enumerate(text.wrap(max(8, cells - 4))):
        yield Content.assemble((f"{' ' if number else sign} ▎ ", style), line)


Write = Callable[[int], Content]
"""From the cells of a line to the content."""


_SCROLLING = (
    ("j,down", "scroll_down", "Down"),
    ("k,up", "scroll_up", "Up"),
    ("g,home", "scroll_home", "Top"),
    ("G,end", "scroll_end", "Bottom"),
    ("ctrl+d,pagedown", "page_down", "Page down"),
    ("ctrl+u,pageup", "page_up", "Page up"),
)


def scroll_keys(*, letters: bool = True) -> list[BindingType]:
    """The keys by which a pane of text scrolls; without `letters` those go on to the view."""
    return [
        Binding(
            keys if letters or "ctrl" in keys else keys.partition(",")[2], action, label, show=False
        )
        for keys, action, label in _SCROLLING
    ]


class ScrollText(VerticalScroll, can_focus=True, inherit_bindings=False):
    """A text to read; arrows and letters scroll it."""

    BINDINGS: ClassVar[list[BindingType]] = scroll_keys()


class TextPane(ScrollText, inherit_bindings=False):
    """A pane of a screen with text that follows its width."""

    BINDINGS: ClassVar[list[BindingType]] = scroll_keys()

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.text = Static("", markup=False, classes="pane-text")
        self.text.auto_links = False  # a link has the style of its row
        self.border_title = Content(title)
        self.document: d.Document | None = None
        self._write: Write = lambda _: Content("")
        self._written = Content("")

    def compose(self) -> ComposeResult:
        yield self.text

    def name_it(self, title: str, says: str = "") -> None:
        """The words in the frame; never read as markup."""
        self.border_title = Content(title)
        self.border_subtitle = Content(says)

    def show_document(
        self, document: d.Document | None, now: datetime, terms: re.Pattern[str] | None = None
    ) -> None:
        """Show a document or nothing, `terms` marked in it; another one is read from its top."""
        before, self.document = self.document, document

        def write(cells: int) -> Content:
            if document is None:
                return Content("")
            return DocumentRenderer(cells, now).render(document, terms)

        is_same = before is not None and document is not None and before.title == document.title
        self.show(write, from_top=not is_same)

    def show(self, write: Write, *, from_top: bool) -> None:
        """Show the content of `write`; another content is read from its top."""
        self._write = write
        self._rewrite()
        if from_top:
            self.scroll_home(animate=False, immediate=True)

    def _rewrite(self) -> None:
        width = self.scrollable_content_region.width - 1
        if width > 0 and not (written := self._write(width)).is_same(self._written):
            self._written = written
            self.text.update(written)  # lays out the screen

    def on_resize(self) -> None:
        self._rewrite()


GAUGE_CELLS = 10
MAX_BODY = 20_000  # characters of a body that are laid out; the editor shows the rest
MIN_LABEL, MAX_LABEL = 8, 22

INK_OF_KIND = {
    d.WARNING: "$text-warning",
    d.CONFLICT: "$conflict",
    d.GOOD: "$text-success",
    d.BAD: "$text-error",
    d.MUTED: "$text-muted",
    d.PINNED: "$pinned",
    d.CANDIDATE: "$candidate",
    d.RETIRED: "$retired",
    d.CODE: "$text-accent",
}

SIGNS = {
    d.PINNED: PINNED[0],
    d.CANDIDATE: CANDIDATE[0],
    d.RETIRED: RETIRED[0],
    d.CONFLICT: CONFLICT[0],
    d.WARNING: STALE[0],
}


class DocumentRenderer:
    """Draws documents for a pane of `width` cells."""

    def __init__(self, width: int, now: datetime) -> None:
        self.width = max(width, 16)
        self.now = now

    def render(self, document: d.Document, terms: re.Pattern[str] | None = None) -> Content:
        """Return the whole document, with the words that match `terms` marked."""
        lines = [plain(one_line(document.title), "bold $text")] if document.title else []
        if document.marks:
            lines.append(self.marks(document.marks))
        for part in document.sections:
            lines += [Content("")] * bool(lines) + self.section(part)
        return highlighted(Content("\n").join(lines), terms)

    def marks(self, marks: Iterable[d.Mark]) -> Content:
        """Return the states of the thing in one line."""
        return Content(" · ").join(
            plain(
                one_line(f"{SIGNS.get(mark.kind, '')} {mark.text}"),
                INK_OF_KIND.get(mark.kind, "$text"),
            )
            for mark in marks
        )

    def section(self, part: d.Section) -> list[Content]:
        """Return the lines of one section, its heading first."""
        lines = [self.heading(part.title, part.note)] if part.title else []
        longest = max((len(row.label) for row in part.rows), default=0)
        label = min(max(longest + 2, MIN_LABEL), MAX_LABEL, self.width // 2)
        scale = max(
            (
                abs(float(row.value))
                for row in part.rows
                if row.kind == d.PART and isinstance(row.value, int | float)
            ),
            default=0.0,
        )
        for position, row in enumerate(part.rows):
            if row.kind in (d.BEFORE, d.AFTER):
                lines += self._side(part.rows, position)
            else:
                lines += self._row(row, label, scale)
        return lines

    def _side(self, rows: tuple[d.Row, ...], position: int) -> list[Content]:
        """Return one text of two, the words marked that the other does not have."""
        row = rows[position]
        is_before = row.kind == d.BEFORE
        first = position if is_before else position - 1
        pair = rows[first : first + 2] if first >= 0 else ()
        text = plain(str(row.value))
        if [(item.kind, bool(item.label)) for item in pair] == [(d.BEFORE, True), (d.AFTER, False)]:
            sides = word_diff(str(pair[0].value), str(pair[1].value), (TAKEN, ADDED))
            text = sides[0] if is_before else sides[1]
        name = [plain(row.label, "$text-muted")] if row.label else []
        sign, style = ("−", "$text-error") if is_before else ("+", "$text-success")
        return [*name, *ruled(text, sign, style, self.width)]

    def heading(self, title: str, note: str = "") -> Content:
        """Return a heading with a rule to the edge."""
        rule = EMPTY * max(self.width - len(title) - len(note) - (3 if note else 1), 0)
        return Content.assemble(
            (title, "bold $text-accent"),
            (f"  {note}" if note else "", "$text-muted"),
            (f" {rule}", "$text-disabled"),
        )

    def _row(self, row: d.Row, label: int, scale: float) -> list[Content]:
        width = self.width - label if row.label else self.width
        value = self._value(row, scale)
        if row.note:
            value = Content.assemble(
                value, ("  " if value.plain else "", ""), plain(row.note, "$text-muted")
            )
        if row.link:
            value = value.stylize("$text-accent").stylize(
                ContentStyle.from_meta({"@click": f"app.follow({row.link!r})"})
            )
        wrapped = value.wrap(width) or [Content("")]
        if not row.label:
            return list(wrapped)
        heads = [fit(row.label, label - 1) + " ", *[" " * label] * (len(wrapped) - 1)]
        return [
            Content.assemble((head, "$text-muted"), line)
            for head, line in zip(heads, wrapped, strict=True)
        ]

    def _value(self, row: d.Row, scale: float) -> Content:
        value = row.value
        if isinstance(value, datetime):
            span = age(ms_of(value), ms_of(self.now)).strip()
            return Content.assemble(
                f"{value.astimezone():%Y-%m-%d %H:%M:%S %Z}", (f"  {span}", "$text-muted")
            )
        if row.kind == d.SHARE and isinstance(value, int | float):
            return self._bar(float(value), 1.0)
        if row.kind == d.PART and isinstance(value, int | float):
            return self._bar(float(value), scale) + Content(f"  {value:+.3f}")
        text = str(value)
        if row.kind in (d.BODY, d.CODE):
            body = plain(text[:MAX_BODY], INK_OF_KIND.get(row.kind, ""))
            rest = len(text) - MAX_BODY
            more = Content.styled(f"\n… {rest:,} more characters", "$text-muted")
            return body + more if rest > 0 else body
        if row.kind == d.QUOTE:
            return plain("\n".join(f"{BAR} {line}" for line in text.split("\n")), "$text-muted")
        return plain(text, INK_OF_KIND.get(row.kind, ""))

    def _bar(self, value: float, scale: float) -> Content:
        filled = round(min(abs(value) / scale, 1.0) * GAUGE_CELLS) if scale else 0
        ink = "$score" if value >= 0 else "$text-error"
        return Content.assemble(
            (FULL * filled, ink),
            (EMPTY * (GAUGE_CELLS - filled), "$text-disabled"),
        )


def highlighted(content: Content, terms: re.Pattern[str] | None) -> Content:
    """Return the content with the words of the query marked."""
    matches: Iterable[re.Match[str]] = terms.finditer(content.plain) if terms else ()
    for match in matches:
        content = content.stylize("bold $text-accent underline", match.start(), match.end())
    return content
