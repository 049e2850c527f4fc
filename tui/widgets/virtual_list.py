"""A list of any length that holds one key per row and the pages one looks at.

Stock lists build or measure every row on the event loop: 100,000 rows take ten seconds.
This one keeps 8 bytes a row, asks its owner for pages of 128 by key, and paints on the Line
API. A row not yet here is a quiet placeholder of the same height; painting never waits and
never raises. Marks are keys, so they survive sorting, filtering and refresh. All rows are of one
height; headings of groups stand between them and are no rows.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style as ContentStyle

from ..glyphs import UNICODE, Glyphs, Inks
from ..text import cut, fit, plain, width

DEEPEST = 12  # cells of indentation at most
MEASURE = 64  # cells of a sentence that is wrapped in a list
WIDEST = 72  # cells of a line in place of panes


@dataclass(frozen=True, slots=True)
class NothingLine:
    """One line: a sentence, and the key that does what it says."""

    text: str = ""
    key: str = ""
    is_title: bool = False
    offer: str = ""  # what `enter` takes when this line is lit

    @property
    def press(self) -> str:
        """The key by the name that Textual has for it."""
        return "escape" if self.key == "esc" else self.key


def line_at(lines: Sequence[NothingLine], y: int, height: int) -> NothingLine | None:
    """Return the line at row `y` of a list `height` rows high."""
    top = max((height - len(lines)) // 3, 0)
    return lines[y - top] if 0 <= y - top < len(lines) else None


def fitted(lines: Sequence[NothingLine], cells: int) -> list[NothingLine]:
    """Return the lines with sentences wrapped to a list of `cells` cells.

    What has a key, is a title, or has columns (runs of spaces) stays a line.
    """
    room = max(min(cells - 2, MEASURE), 8)  # at least a cell of air at each side
    if all(width(item.text) <= room for item in lines):
        return list(lines)
    nothing_lines: list[NothingLine] = []
    prose = ""
    for item in (*lines, NothingLine()):
        if item.text and not (item.key or item.offer or item.is_title or "  " in item.text):
            prose = f"{prose} {item.text}".strip()
            continue
        nothing_lines += (
            [NothingLine(line.plain) for line in plain(prose).wrap(room)] if prose else []
        )
        nothing_lines.append(item)
        prose = ""
    return nothing_lines[:-1]


def draw_nothing(
    lines: Sequence[NothingLine],
    y: int,
    size: tuple[int, int],
    paint: Callable[..., Style],
    offered: str = "",
) -> Strip:
    """Row `y` of an empty list of `size` (cells, rows); `paint` gives the style of a class.

    The line that offers `offered` is lit.
    """
    cells, rows = size
    base = paint("list--base")
    line = line_at(lines, y, rows)
    if line is None:
        return Strip.blank(cells, base)
    keys = max(width(_key_of(item, offered)) for item in lines)
    keys += 2 if keys else 0
    widest = max(width(item.text) + (keys if item.key or item.offer else 0) for item in lines)
    smallest = min(max((cells - widest) // 2, 1), DEEPEST)
    segments = [Segment(" " * smallest, base)]
    if line.key or line.offer:
        key = _key_of(line, offered)
        segments.append(Segment(fit(key, keys), paint("list--base", "list--nothing-key")))
    name = "list--nothing-title" if line.is_title else "list--nothing"
    if line.offer and line.offer == offered:
        name = "list--nothing-title"
    room = max(cells - 1 - smallest - (keys if line.key or line.offer else 0), 0)
    segments.append(Segment(_spaced(line.text, room), paint("list--base", name)))
    return Strip(segments).adjust_cell_length(cells, base)


def _key_of(line: NothingLine, offered: str) -> str:
    return "enter" if line.offer and line.offer == offered else line.key


def _spaced(text: str, cells: int) -> str:
    """Our own text, whose runs of spaces are columns, cut to `cells`."""
    return text if width(text) <= cells else cut(text, cells)


def as_content(lines: Sequence[NothingLine], cells: int) -> Content:
    """These lines as text; a key in it can be clicked."""
    parts: list[Content] = []
    keys = max((len(line.key) for line in lines), default=0) + 2
    for line in lines:
        if line.key:
            goes = ContentStyle.from_meta({"memdeck_key": line.press})
            key = Content.styled(line.key.ljust(keys), "bold $footer-key-foreground")
            parts.append((key + plain(line.text, "$text-muted")).stylize(goes))
        else:
            parts.append(plain(line.text, "bold $foreground" if line.is_title else "$text-muted"))
    return Content("\n").join(part for line in parts for part in line.wrap(max(cells, 8)))


def cannot_be_read(what: str, hint: str) -> tuple[NothingLine, ...]:
    """The store cannot be used: what happened, and what to do."""
    return (NothingLine(what, is_title=True), NothingLine(), NothingLine(hint))


def nothing_fits(says: str = "Nothing fits the filter.") -> tuple[NothingLine, ...]:
    """The filter leaves nothing of the list."""
    return (
        NothingLine(says, is_title=True),
        NothingLine(),
        NothingLine("clear the filter", key="esc"),
    )


PAGE = 128  # rows fetched at once
PAGES_KEPT = 16


class Listed(Protocol):
    """What a row must offer to be listed."""

    @property
    def num(self) -> int: ...
    @property
    def revision(self) -> int: ...


RowT = TypeVar("RowT", bound=Listed)


def keys_of(rows: Iterable[Listed]) -> array[int]:
    """The keys of rows that are all at hand."""
    return array("q", [row.num for row in rows])


Groups = Sequence[tuple[int, str]]
"""The row at which each group begins, and its heading."""


def under(
    parts: Iterable[tuple[str, Iterable[RowT]]],
) -> tuple[array[int], Sequence[RowT], Groups]:
    """Keys, rows and groups of rows that are all at hand, each part under its heading."""
    rows, groups = list[RowT](), list[tuple[int, str]]()
    for heading, part in parts:
        groups.append((len(rows), heading))
        rows += part
    return keys_of(rows), rows, groups


class Pages(Generic[RowT]):
    """8 bytes for every row, and a few pages of rows."""

    def __init__(self) -> None:
        self.keys: array[int] = array("q")
        self.generation = 0  # grows with every other list of keys
        self._pages: LRUCache[int, Sequence[RowT]] = LRUCache(PAGES_KEPT)
        self._pending: set[int] = set()

    def show(self, keys: array[int], first_page: Sequence[RowT]) -> None:
        """Begin with `keys`, of which the first page is loaded already."""
        self.keys = keys
        self.generation += 1
        self._pages.clear()
        self._pending.clear()
        if first_page:
            self._pages[0] = first_page

    def arrived(self, generation: int, page: int, rows: Sequence[RowT]) -> bool:
        """Take a page, unless it answers an older list; whether other rows stand there now."""
        if generation != self.generation:
            return False
        before = self._pages.get(page)
        self._pending.discard(page)
        self._pages.discard(page)  # the cache keeps the old value of a key it has
        self._pages[page] = rows
        return before is None or tuple(before) != tuple(rows)

    def has(self, index: int) -> bool:
        """Whether the page of row `index` is here."""
        return index // PAGE in self._pages

    def row_of(self, key: int | None) -> int | None:
        """The row that shows `key`, or None."""
        try:
            return None if key is None else self.keys.index(key)
        except ValueError:
            return None

    def row(self, index: int) -> RowT | None:
        """Row `index`, or None while its page is not here."""
        page = self._pages.get(index // PAGE)
        return page[index % PAGE] if page is not None and index % PAGE < len(page) else None

    def wants(self, page: int) -> bool:
        """Whether `page` must be asked for now; it then counts as asked for."""
        if page in self._pending or not 0 <= page * PAGE < len(self.keys):
            return False
        self._pending.add(page)
        return True

    def keep_only(self, pages: Iterable[int]) -> None:
        """Forget the other pages, and that any was asked for."""
        for page in set(self._pages.keys()).difference(pages):
            self._pages.discard(page)
        self._pending.clear()


class Marks:
    """Marked keys, so that marks survive sorting, filtering and refresh; and the open range.

    `tell` is called after every change.
    """

    def __init__(self, tell: Callable[[], object]) -> None:
        self.keys: set[int] = set()  # shown or not
        self._tell = tell
        self._anchor: int | None = None  # the row where the range began
        self._outside: set[int] = set()  # what was marked before it

    def set(self, keys: Iterable[int], *, on: bool = True) -> None:
        """Mark or unmark keys."""
        (self.keys.update if on else self.keys.difference_update)(keys)
        self._tell()

    def clear(self) -> None:
        """Unmark everything, shown or not."""
        self.keys, self._anchor = set(), None
        self._tell()

    def toggle(self, key: int) -> bool:
        """Mark the key, or unmark it; in a range, end the range. Whether it was about the key."""
        if self.end_range():
            return False
        self.set([key], on=key not in self.keys)
        return True

    @property
    def in_range(self) -> bool:
        """Whether moving extends a range."""
        return self._anchor is not None

    def toggle_range(self, row: int, visible: array[int]) -> None:
        """Begin a range at `row`, or end the one that is open."""
        if not self.end_range() and visible:
            self._anchor, self._outside = row, set(self.keys)
            self.extend_range(row, visible)

    def end_range(self) -> bool:
        """The range stays as it is; whether there was one."""
        was_open, self._anchor = self._anchor is not None, None
        if was_open:
            self._tell()
        return was_open

    def extend_range(self, row: int, visible: array[int]) -> None:
        """A range that is open goes from where it began to `row`."""
        if self._anchor is not None:
            low, high = sorted((self._anchor, row))
            self.keys = self._outside.union(visible[low : high + 1])
            self._tell()


HEADING = -1
"""The part of a row that is the heading above it; 0 and up are the row's own lines."""


class RowLines:
    """From rows to lines and back: rows of one height, and a heading above each group.

    What it holds grows by 8 bytes a group, by nothing a row.
    """

    def __init__(self) -> None:
        self.height = 1  # lines of every row
        self.starts: array[int] = array("q")  # the rows that have a heading above them

    def group(self, starts: Iterable[int] = ()) -> None:
        """Put a heading above each of these rows, in rising order."""
        self.starts = array("q", starts)

    def top(self, row: int) -> int:
        """The first own line of a row."""
        return row * self.height + bisect_right(self.starts, row)

    def group_of(self, row: int) -> int:
        """Which group a row belongs to; -1 where there are none."""
        return bisect_right(self.starts, row) - 1

    def has_heading(self, row: int) -> bool:
        """Return True if there is a heading right above the row."""
        group = self.group_of(row)
        return group >= 0 and self.starts[group] == row

    def at(self, line: int) -> tuple[int, int]:
        """The row that a line belongs to, and which part of it the line is."""
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

    def within(self, top: int, height: int, count: int) -> tuple[int, int]:
        """The first and the last of `count` rows that stand whole in `height` lines from `top`."""
        row, part = self.at(max(top, 0))
        first = row if part <= 0 else row + 1
        last, part = self.at(max(top + height - 1, 0))
        if part < self.height - 1:
            last -= 1
        last = min(last, count - 1)
        return min(first, count - 1), max(last, min(first, count - 1))


class ListMessage(Message):
    """Base of the list's messages; `control` lets `@on` select by id."""

    def __init__(self, sender: VirtualList[Any]) -> None:
        super().__init__()
        self.list = sender

    @property
    def control(self) -> VirtualList[Any]:
        return self.list


class PageWanted(ListMessage):
    """A page is about to be seen."""

    def __init__(self, sender: VirtualList[Any], generation: int, page: int) -> None:
        super().__init__(sender)
        self.generation, self.page = generation, page


class Moved(ListMessage):
    """The person put the cursor on another row."""


class Opened(ListMessage):
    """The row under the cursor was asked for: double click."""


class MarksChanged(ListMessage):
    """Rows were marked or unmarked."""


class KeyClicked(ListMessage):
    """A key that an empty list offers was clicked."""

    def __init__(self, sender: VirtualList[Any], key: str) -> None:
        super().__init__(sender)
        self.key = key


class OfferClicked(ListMessage):
    """What an empty list offers was clicked."""

    def __init__(self, sender: VirtualList[Any], offer: str) -> None:
        super().__init__(sender)
        self.offer = offer


class MenuWanted(ListMessage):
    """Right click, at a place on the screen."""

    def __init__(self, sender: VirtualList[Any], place: Offset) -> None:
        super().__init__(sender)
        self.place = place


FLASH_SECONDS = 1.2  # how long a row is set off that an undo brought back
LEAD = 2  # cells of the cursor's bar
STRIPS_KEPT = 128  # about three screens; more buys nothing and costs collector pauses


@dataclass(frozen=True, slots=True)
class Look:
    """How one row is to be drawn."""

    width: int
    is_cursor: bool
    is_marked: bool
    has_focus: bool
    is_flashing: bool = False  # it has just come back

    @property
    def ground(self) -> tuple[str, ...]:
        """The ink that gives the row its ground."""
        if self.is_flashing:
            return ("list--flash",)
        if self.is_cursor:
            return ("list--cursor",) if self.has_focus else ("list--cursor-blurred",)
        return ("list--marked",) if self.is_marked else ("list--base",)


class VirtualList(ScrollView, Generic[RowT], can_focus=True):
    """A scrolling list over `keys`; subclasses draw a row in `draw_row`."""

    ALLOW_SELECT = False  # else dragging starts text selection
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Down", show=False, id="list.down"),
        Binding("k,up", "move(-1)", "Up", show=False, id="list.up"),
        Binding("g,home", "jump(0)", "Top", show=False, id="list.first"),
        Binding("G,end", "jump(-1)", "Bottom", show=False, id="list.last"),
        Binding("ctrl+d", "move(1, 'half')", "Half a page down", show=False, id="list.half_down"),
        Binding("ctrl+u", "move(-1, 'half')", "Half a page up", show=False, id="list.half_up"),
        Binding("pagedown", "move(1, 'page')", "Page down", show=False, id="list.page_down"),
        Binding("pageup", "move(-1, 'page')", "Page up", show=False, id="list.page_up"),
    ]

    cursor = reactive(0, repaint=False, init=False)
    flashing: reactive[frozenset[int]] = reactive(frozenset(), init=False)  # what came back

    def __init__(
        self, glyphs: Glyphs = UNICODE, *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.glyphs = glyphs
        self.now = datetime.now(UTC)  # ages are counted from it
        self._minute = 0
        self.pages: Pages[RowT] = Pages()
        self.marks = Marks(self._marks_changed)
        self.lines = RowLines()
        self.headings: list[str] = []  # one for each group
        self.nothing: Sequence[NothingLine] = ()  # shown while there are no rows
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(STRIPS_KEPT)
        self._inks = Inks(self)
        self._is_showing = False
        self.begins_anew = False  # another query is asked: its first row, unless one's own is there
        self._at_hand: Sequence[RowT] = ()  # every row, where none has to be fetched
        self._lit, self.offered = 0, ""  # which offer of an empty list `enter` takes

    # -- what is shown

    @property
    def keys(self) -> array[int]:
        """One key for each row, in order."""
        return self.pages.keys

    def show(
        self,
        keys: array[int],
        first: Sequence[RowT],
        groups: Groups = (),
        keep: int | None = None,
    ) -> None:
        """Show `keys`; the cursor goes to the key `keep` if it is among them, else stays in place.

        The first page comes with the keys, so that no placeholder flashes; where `first` is all
        there is, no page is ever asked for. `groups`: the row at which each begins, and what stands
        above it.
        """
        offset = self.lines.top(self.cursor) - self.scroll_offset.y
        self._at_hand = first if len(first) == len(keys) else ()
        self.pages.show(keys, first[:PAGE])
        self._head(groups)
        self.marks.end_range()
        row = self.pages.row_of(keep)
        if row is None:
            row = 0 if self.begins_anew else min(self.cursor, max(len(keys) - 1, 0))
        self.begins_anew = False
        self._is_showing = True  # the list moves, not the user
        self._measure()
        self.cursor = row
        if keep is not None and row:
            self._hold(row, max(offset, 0))
        self._into_view(self.cursor)
        self._is_showing = False
        self.refresh()

    def _head(self, groups: Groups) -> None:
        """Set the row at which each group begins, and its heading."""
        self.lines.group(start for start, _ in groups)
        self.headings = [heading for _, heading in groups]

    def page_arrived(self, generation: int, page: int, rows: Sequence[RowT]) -> None:
        """Take a page that was asked for, unless it answers an older list."""
        if self.pages.arrived(generation, page, rows):
            self._strips.clear()  # of what follows from more than the memory itself, too
            top = self.lines.top(page * PAGE)
            self.refresh_lines(top, self.lines.top((page + 1) * PAGE) - top)

    def reload(self) -> None:
        """Fetch the rows again, in place: same keys, same cursor, newer values."""
        self._at_hand = ()  # they may be older
        top = self.scroll_offset.y
        seen = {self.lines.at(line)[0] // PAGE for line in (top, top + self.size.height)}
        self.pages.keep_only(seen)
        for page in sorted(seen):
            self._want(page)

    @property
    def current_key(self) -> int | None:
        """The key under the cursor; None in an empty list."""
        return self.keys[self.cursor] if 0 <= self.cursor < len(self.keys) else None

    @property
    def current(self) -> RowT | None:
        """The row under the cursor, if its page is here."""
        return self.row(self.cursor) if self.keys else None

    def row(self, index: int) -> RowT | None:
        """Row `index`, or None while its page is on the way."""
        if not self.pages.has(index):
            self._want(index // PAGE)
        return self.pages.row(index)

    def _want(self, page: int) -> None:
        if not self.pages.wants(page):
            return
        if self._at_hand:
            rows = self._at_hand[page * PAGE : (page + 1) * PAGE]
            self.pages.arrived(self.pages.generation, page, rows)
        else:
            # Painting runs in the Screen's context: without a sender the message would stop there.
            self.post_message(PageWanted(self, self.pages.generation, page).set_sender(self))

    def _grow(self, lines: int) -> None:
        """Give every row so many lines."""
        if lines != self.lines.height:
            offset = self.lines.top(self.cursor) - self.scroll_offset.y
            self.lines.height = lines
            self._is_showing = True  # the rows grow, the cursor stays
            self._measure()
            if self.scroll_offset.y:
                self._hold(self.cursor, max(offset, 0))
            self._into_view(self.cursor)
            self._is_showing = False
            self.forget_paint()

    # -- painting

    @abstractmethod
    def draw_row(self, row: RowT, look: Look) -> Strip:
        """The first line of `row`, `look.width` cells wide: the last cell before the frame or the
        scrollbar stays free. No I/O, no layout, no exception."""

    def _draw_below(self, row: RowT, look: Look, line: int) -> Strip:  # noqa: ARG002
        """Another line of a row that has several, as `draw_row`; `line` counts from 1."""
        return Strip.blank(look.width, self._paint_style(*look.ground))

    def _draw_heading(self, heading: str, width: int) -> Strip:
        """The line above a group."""
        style = self._paint_style("list--base", "list--heading")
        return Strip([Segment(" " * LEAD + fit(heading, max(width - LEAD, 0)), style)])

    def _paint_style(self, *names: str) -> Style:
        """The first of these inks on its own ground, with the others over it."""
        return self._inks.style(*names)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._refresh_row(self.cursor)

    def _ink(self, look: Look, name: str = "") -> Style:
        """A colour on a row's ground; sixteen colours have none to spare on the cursor."""
        if not name or (look.is_cursor and self.app.current_theme.ansi):
            return self._paint_style(*look.ground)
        return self._paint_style(*look.ground, f"list--{name}")

    def _line_of(self, look: Look, segments: Iterable[Segment]) -> Strip:
        """A row's line: the cursor's bar, then these."""
        bar = fit(self.glyphs.bar if look.is_cursor else "", LEAD)
        strip = Strip([Segment(bar, self._ink(look, "bar")), *segments])
        return strip.adjust_cell_length(look.width, self._ink(look))

    def notify_style_update(self) -> None:
        """The theme or the sheet changed."""
        super().notify_style_update()
        self._inks.clear()
        self.forget_paint()

    def forget_paint(self) -> None:
        """Draw every row again: highlights, clock or colours changed."""
        self._strips.clear()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        top, height = self.scroll_offset.y, self.size.height
        for line in (top - height, top + 2 * height):  # one screen ahead, each way
            index = self.lines.at(line)[0] if line >= 0 else -1
            if 0 <= index < len(self.keys) and not self.pages.has(index):
                self._want(index // PAGE)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        line, cells = y + self.scroll_offset.y, self.scrollable_content_region.width
        if not self.keys:
            lines = fitted(self.nothing, cells)
            room = (cells, self.size.height)
            return draw_nothing(lines, y, room, self._paint_style, self.offered)
        index, part = self.lines.at(line)
        if index >= len(self.keys):
            return Strip.blank(cells, self._paint_style("list--base"))
        if part == HEADING:
            return self._draw_heading(self.headings[self.lines.group_of(index)], cells)
        row = self.row(index)
        look = Look(
            max(cells - 1, 0),
            index == self.cursor,
            self.keys[index] in self.marks.keys,
            self.has_focus,
            self.keys[index] in self.flashing,
        )
        if row is None:
            base = look.ground
            says = "" if part else "      ┄┄┄┄┄┄"
            ghost = Segment(says, self._paint_style(*base, "list--ghost"))
            return Strip([ghost]).adjust_cell_length(cells, self._paint_style(*base))
        state = (row.num, row.revision, look, part, self.extra_state())
        strip = self._strips.get(state)
        if strip is None:
            drawn = self._draw_below(row, look, part) if part else self.draw_row(row, look)
            ground = self._paint_style(*look.ground)
            strip = self._strips[state] = drawn.adjust_cell_length(cells, ground)
        return strip

    def say_nothing(self, lines: Sequence[NothingLine]) -> None:
        """What an empty list says: what this place is for, and the keys to fill it."""
        self.nothing = lines
        self._light(0)

    def _light(self, position: int) -> None:
        """Light an offer of an empty list, if it has any."""
        offers = [line.offer for line in self.nothing if line.offer]
        self._lit = max(0, min(position, len(offers) - 1))
        self.offered = offers[self._lit] if offers else ""
        self.refresh()

    def watch_flashing(self, flashing: frozenset[int]) -> None:
        self.refresh()
        if flashing:
            self.set_timer(FLASH_SECONDS, self._end_flash)

    def _end_flash(self) -> None:
        self.flashing = frozenset()

    def set_now(self, now: datetime) -> None:
        """The moment ages are counted from; rows are drawn again once a minute."""
        self.now = now
        if (minute := int(now.timestamp()) // 60) != self._minute:
            self._minute = minute
            self.forget_paint()

    def extra_state(self) -> object:
        """Whatever else decides how a row looks; part of the key of the strip cache."""
        return self._minute

    def _measure(self) -> None:
        region, lines = self.scrollable_content_region, self.lines.top(len(self.keys))
        if lines > region.height > 0:  # at the end, too, a row begins at the top
            lines = self._whole_from(lines - region.height) + region.height
        self.virtual_size = Size(region.width, lines)

    def on_resize(self) -> None:
        self._is_showing = True  # the room changes, the cursor stays
        self._measure()
        self._into_view(self.cursor)
        self._is_showing = False

    @property
    def cursor_y(self) -> int:
        """The first screen line of the cursor's row."""
        return self.content_region.y + self.lines.top(self.cursor) - self.scroll_offset.y

    # -- moving

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, len(self.keys) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self._refresh_row(old)
        self._refresh_row(new)
        self.marks.extend_range(new, self.keys)
        self._into_view(new)
        if not self._is_showing:
            self.post_message(Moved(self))

    def _refresh_row(self, row: int) -> None:
        self.refresh_lines(self.lines.top(row), self.lines.height)

    def _into_view(self, row: int) -> None:
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        first = self.lines.top(row)
        last = first + self.lines.height - 1
        if first - self.lines.has_heading(row) < top:
            self._scroll(first - self.lines.has_heading(row))
        elif height and last >= top + height:
            self._scroll(min(self._whole_from(last - height + 1), first))

    def _whole_from(self, line: int) -> int:
        """The line, or the next one at which a row begins: none is cut in two at the top."""
        row, part = self.lines.at(line)
        return line if part <= 0 else self.lines.top(row) + self.lines.height

    def _hold(self, row: int, offset: int) -> None:
        """What is being read stays where it is: `row`, so many lines below the first."""
        self._scroll(self.lines.top(row) - offset)

    def _scroll(self, top: int) -> None:
        # by force: a list that was short until now has no scrollbar yet, and would stay where it is
        self.scroll_to(y=max(top, 0), animate=False, force=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The wheel and the scrollbar take the cursor along: it is always in sight."""
        super().watch_scroll_y(old_value, new_value)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if height and self.keys and not self._is_showing:
            first, last = self.lines.within(top, height, len(self.keys))
            self.cursor = max(first, min(self.cursor, last))

    def action_move(self, steps: int, unit: str = "row") -> None:
        """Rows down, or up when less than 0; also by the `half` and by the whole `page`."""
        if not self.keys:
            self._light(self._lit + steps)
            return
        height = self.scrollable_content_region.height // self.lines.height
        rows = {"row": 1, "half": max(height // 2, 1), "page": max(height - 1, 1)}[unit]
        self.cursor += steps * rows

    def action_jump(self, row: int) -> None:
        """To a row; counted from the end when less than 0."""
        if not self.keys:
            self._light(row if row >= 0 else len(self.nothing))
            return
        was, self.cursor = self.cursor, row if row >= 0 else len(self.keys) + row
        if was == self.cursor:
            self.post_message(Moved(self))

    def mark_here(self) -> None:
        """Mark the row under the cursor, or unmark it, and go on; in a range, end the range."""
        key = self.current_key
        if key is not None and self.marks.toggle(key):
            self.cursor += 1

    def _marks_changed(self) -> None:
        self.refresh()
        self.post_message(MarksChanged(self))

    # -- mouse

    def on_click(self, event: events.Click) -> None:
        content_offset = event.get_content_offset(self)
        if content_offset is None:
            return
        if not self.keys:
            text = fitted(self.nothing, self.scrollable_content_region.width)
            line = line_at(text, content_offset.y, self.size.height)
            if line is not None and line.offer:
                self.post_message(OfferClicked(self, line.offer))
            elif line is not None and line.key:
                self.post_message(KeyClicked(self, line.press))
            return
        row, part = self.lines.at(content_offset.y + self.scroll_offset.y)
        if part == HEADING or row >= len(self.keys):
            return
        event.stop()
        self.cursor = row
        if event.button == 3:
            self.post_message(MenuWanted(self, event.screen_offset))
        elif event.ctrl:
            self.mark_here()
        elif event.chain == 2:
            self.post_message(Opened(self))
