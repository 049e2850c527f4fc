"""What an empty list says: what the place is for, and the keys that fill it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.style import Style as ContentStyle

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
