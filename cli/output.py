"""Printing: JSON lines and plain text, neither of which can steer a terminal.

Text of memories is hostile: every piece of plain output passes `visible`, every JSON line has its
control characters escaped. Colour is absent when standard output is no terminal or NO_COLOR is
set."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import IO, Any, NamedTuple

from ..core.documents import document as d
from ..core.text.times import span
from ..core.values import Memory, importance_10

_CONTROLS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"  # bidi controls, fillers, no width
    "\ud800-\udfff"  # lone surrogates, which no terminal can be sent
    "\U000e0000-\U000e0fff"  # tags and the selectors that can carry a hidden text
)
_UNSAFE = f"[{_CONTROLS}]"
STYLES = {"dim": "2", "bold": "1", "warn": "33", "bad": "31", "good": "32"}


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)  # ESC shows as ␛
    if code == 0x7F:
        return "\u2421"
    return f"<U+{code:04X}>"


def visible(text: str) -> str:
    """`text` with each control, bidi or invisible character shown as a picture or `<U+202E>`.

    Line feeds and tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text  # so wide a range takes a millisecond to compile
    return re.sub(_UNSAFE, _picture, text)


def one_line(text: str) -> str:
    """`text` on a single line, safe to print: spaces for line feeds and tabs."""
    return visible(text.replace("\n", " ").replace("\t", " "))


def cells(text: str) -> int:
    """Columns that `text` takes on a terminal: 2 for wide characters, 0 for combining ones."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # most text is ASCII

    return cell_len(text)


def clip(text: str, width: int) -> str:
    """Return `text` in at most `width` columns; a cut text ends in `…`."""
    if cells(text) <= width:
        return text
    head = text[: max(width - 1, 0)]
    if not text.isascii():
        from rich.cells import set_cell_size

        head = set_cell_size(text, width - 1)
    return head.rstrip() + "…" if width > 0 else ""


def width() -> int:
    """Return the columns to fill: by COLUMNS, else the terminal, at most 120; 80 without either.

    As `shutil.get_terminal_size`, which would import modules for archives.
    """
    text, columns = os.environ.get("COLUMNS", ""), 0
    if text.isdecimal():
        columns = int(text)
    if not columns and sys.__stdout__:
        with suppress(OSError, ValueError):  # no terminal, or closed
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return max(40, min(columns or 80, 120))


def wrap(text: str, columns: int) -> list[str]:
    """`text` as safe lines of at most `columns` columns, its own line breaks kept."""
    lines: list[str] = []
    for paragraph in visible(text).expandtabs(4).split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line and cells(line) + 1 + cells(word) > columns:
                lines.append(line)
                line = ""
            line = f"{line} {word}" if line else word
            while cells(line) > columns:
                head = clip(line, columns + 1)[:-1] or line[0]
                lines.append(head)
                line = line[len(head) :]
        lines.append(line)
    return lines


class Ink(NamedTuple):
    """A piece of text with a meaning (`dim`, `bold`, `warn`, `bad`, `good`)."""

    text: str
    style: str


def _render(part: str | Ink, colour: bool) -> str:
    if isinstance(part, str):
        return visible(part)
    safe = visible(part.text)
    return f"\x1b[{STYLES[part.style]}m{safe}\x1b[0m" if colour and safe.strip() else safe


def _write(stream: IO[str], parts: Sequence[str | Ink]) -> None:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"  # no-color.org
    colour = not is_plain and stream.isatty()
    stream.write("".join(_render(part, colour) for part in parts) + "\n")


def say(*parts: str | Ink) -> None:
    """One line of data on standard output, safe to show."""
    _write(sys.stdout, parts)


def narrate(*parts: str | Ink) -> None:
    """One line of narration on standard error, safe to show. Data printed before stays before."""
    sys.stdout.flush()
    _write(sys.stderr, parts)
    sys.stderr.flush()


def table(
    rows: Iterable[Sequence[str | Ink]], indent: str = "", line: Callable[..., None] = say
) -> None:
    """Rows in aligned columns, each printed by `line`; the last is clipped to the terminal."""
    safe = [
        [Ink(one_line(c.text), c.style) if isinstance(c, Ink) else one_line(c) for c in row]
        for row in rows
    ]
    if not safe:
        return
    widths = [max(cells(_text(row[i])) for row in safe) for i in range(len(safe[0]) - 1)]
    room = max(width() - cells(indent) - sum(widths) - 2 * len(widths), 16)
    for row in safe:
        parts: list[str | Ink] = [indent]
        for cell, columns in zip(row[:-1], widths, strict=True):
            parts += [cell, " " * (columns - cells(_text(cell)) + 2)]
        last = row[-1]
        text = clip(_text(last), room)
        if not text:
            parts.pop()  # the blanks before it
        parts.append(Ink(text, last.style) if isinstance(last, Ink) else text)
        line(*parts)


def unique_beginnings(names: Sequence[str], least: int = 7) -> dict[str, str]:
    """Return each name's shortest beginning, from `least` characters on, that no other one has."""
    every, short = set(names), dict[str, str]()
    for name in every:
        starts = (name[:end] for end in range(least, len(name)))
        unique = (start for start in starts if sum(o.startswith(start) for o in every) == 1)
        short[name] = next(unique, name)
    return short


def _text(cell: str | Ink) -> str:
    return cell.text if isinstance(cell, Ink) else cell


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def emit(value: Mapping[str, Any], *, flush: bool = False) -> None:
    """Print a JSON object on one line, every control character escaped; with `flush`, at once.

    Moments are ISO 8601 in UTC; characters the output cannot encode are escaped too.
    """
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    plain = json.dumps(
        value, ensure_ascii=encoding not in ("utf-8", "utf8"), default=_jsonable, allow_nan=False
    )
    is_safe = plain.isascii() and plain.isprintable()
    sys.stdout.write((plain if is_safe else re.sub(_UNSAFE, _escape, plain)) + "\n")
    if flush:
        sys.stdout.flush()


def _jsonable(value: object) -> Any:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return str(value)


def iso(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC with a Z, to the millisecond where there is one; None stays None."""
    if moment is None:
        return None
    return moment.isoformat(timespec="auto").replace("+00:00", "Z")


def local(moment: datetime) -> str:
    """Return the moment on the reader's own clock, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def age(moment: datetime, now: datetime) -> str:
    """Return the age of `moment`, as `span`; moments in the future read `in 3d`."""
    seconds = (now - moment).total_seconds()
    if seconds <= -60:
        return f"in {span(-seconds)}"
    return span(max(seconds, 0))


def ago(moment: datetime, now: datetime) -> str:
    """`3h ago`, `now`, `in 2d`."""
    words = age(moment, now)
    return words if words == "now" or words.startswith("in ") else f"{words} ago"


def when(moment: datetime, now: datetime) -> str:
    """`2026-03-20 09:30 (3h ago)`."""
    return f"{local(moment)} ({ago(moment, now)})"


count = d.counted


def memory_count(number: int) -> str:
    """`1 memory`, `3,214 memories`."""
    return count(number, "memory", "memories")


def gauge(used: float, limit: float, columns: int = 20) -> str:
    """Return a bar of `columns` cells, full at the limit: `█████░░░░░`."""
    share = min(max(used / limit, 0.0), 1.0) if limit else 0.0
    full = round(share * columns)
    return "█" * full + "░" * (columns - full)


def hush() -> None:
    """Discard further output, so that the exit reports no error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def glyph(memory: Memory) -> Ink:
    """Retired ·, in conflict ≠, pinned ★, candidate ?, else a space."""
    if memory.retired_at is not None:
        return Ink("·", "dim")
    if memory.in_conflict:
        return Ink("≠", "bad")
    if memory.status == "pinned":
        return Ink("★", "warn")
    return Ink("?", "warn") if memory.status == "candidate" else Ink(" ", "dim")


def memory_row(memory: Memory, now: datetime) -> list[str | Ink]:
    """Glyph, id, type, importance, age, title."""
    return [
        glyph(memory),
        Ink(memory.short_id, "dim"),
        memory.type,
        f"{importance_10(memory.importance):2}",
        f"{age(memory.created_at, now):>4}",
        memory.title or memory.content,
    ]


def show_rows(memories: Sequence[Memory], now: datetime, *, of_several: bool = False) -> int:
    """Print memories as aligned lines, each with its project if `of_several`.

    Return their number.
    """
    rows = [memory_row(memory, now) for memory in memories]
    if of_several:
        for row, memory in zip(rows, memories, strict=True):
            row.insert(2, Ink(memory.project, "dim"))
    table(rows)
    return len(rows)


def acted(done: str, memories: Sequence[Memory]) -> None:
    """Print a line for each memory of an act: `pinned  01hz3k9  Retry budget is 3`."""
    table(
        [[done, Ink(memory.short_id, "dim"), memory.title or memory.content] for memory in memories]
    )


Progress = Callable[[int, int | None], bool]


@contextmanager
def counted(word: str) -> Iterator[Progress]:
    """Yield the progress callback for an act of the core; `word` names the act.

    The first ctrl-c ends it between two transactions, so that nothing is half done. A second one
    does not wait for that.
    """
    is_stopped = False

    def stop(*_: Any) -> None:
        nonlocal is_stopped
        is_stopped = True
        signal.signal(signal.SIGINT, before)

    def show_progress(done: int, of: int | None) -> bool:
        show(f"  {word}  {done:,}" + (f" of {of:,}" if of is not None else ""))
        return not is_stopped

    def show(text: str) -> None:
        if sys.stderr.isatty():
            room = width() - 1
            sys.stderr.write(f"\r{clip(text, room).ljust(room)}" + ("" if text else "\r"))
            sys.stderr.flush()

    gets_signals = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if gets_signals:
        signal.signal(signal.SIGINT, stop)
    try:
        yield show_progress
    finally:
        if gets_signals:
            signal.signal(signal.SIGINT, before)
        show("")


INKS = {d.WARNING: "warn", d.CONFLICT: "warn", d.GOOD: "good", d.BAD: "bad", d.MUTED: "dim",
        d.BEFORE: "bad", d.AFTER: "good"}  # fmt: skip
SIGNS = {d.QUOTE: "| ", d.BEFORE: "- ", d.AFTER: "+ "}
WITH_IDS = ("memory", "session", "receipt")  # kinds of links whose ids commands take
BAR_CELLS = 10
MIN_LABEL, MAX_LABEL = 8, 20


def print_document(
    document: d.Document, now: datetime, line: Callable[..., None] = say, *, with_title: bool = True
) -> None:
    """Print every section of the document by `line`, below the title and the marks.

    A row that leads to a memory, session or receipt begins with the id that commands take.
    """
    if with_title:
        line(Ink(one_line(document.title), "bold"))
    if document.marks:
        line("  ", Ink(" · ".join(one_line(mark.text) for mark in document.marks), "dim"))
    links = [row.link.partition(":") for part in document.sections for row in part.rows]
    ids = unique_beginnings([name for kind, _, name in links if kind in WITH_IDS], 8)
    for number, part in enumerate(document.sections):
        if number or with_title:
            line("")
        if part.title:
            line("  ", Ink(one_line(f"{part.title}  {part.note}".rstrip()), "dim"))
        numbers = [
            abs(row.value)
            for row in part.rows
            if row.kind == d.PART and isinstance(row.value, int | float)
        ]
        longest = max((len(row.label) for row in part.rows), default=0)
        label = min(max(longest, MIN_LABEL), MAX_LABEL) + 2 if longest else 0
        for row in part.rows:
            value = row.value
            if isinstance(value, datetime):
                text = when(value, now)
            elif row.kind == d.SHARE and isinstance(value, int | float):
                text = gauge(value, 1.0, BAR_CELLS)
            elif row.kind == d.PART and isinstance(value, int | float):
                scale = max(numbers, default=0.0)
                text = f"{gauge(abs(value), scale, BAR_CELLS)}  {value:+.3f}"
            else:
                text = str(value)
            text = f"{text}  ({row.note})".strip() if row.note else text
            kind, _, name = row.link.partition(":")
            identifier = f"{ids[name]}  " if kind in WITH_IDS else ""
            lead = f"{row.label:{label}}{identifier}" if row.label else identifier
            if row.label and row.kind in (d.BEFORE, d.AFTER):
                line("  ", Ink(row.label, "dim"))
                lead = ""
            if row.kind == d.CODE:  # verbatim: an agent's text is compared line by line
                for piece in text.split("\n"):
                    line("    ", piece)
                continue
            mark = SIGNS.get(row.kind, "")
            for position, piece in enumerate(wrap(text, width() - 4 - len(lead) - len(mark))):
                head = Ink(" " * len(lead) if position else lead, "dim")
                line("  ", head, mark, Ink(piece, INKS[row.kind]) if row.kind in INKS else piece)


# -- values of the core as JSON: importance and confidence are 0-1, fractions have six digits

FLAT = {
    "Memory": "origin",
    "Hit": "memory",
    "SessionOverview": "session",
    "SessionDetail": "overview",
}
"""By class, the field whose fields are in the object itself."""

COMPUTED = {
    "Memory": ("source",),
}
"""By class, properties beside its fields."""


def encode(value: Any) -> Any:
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Mapping):
        return {name: encode(part) for name, part in value.items()}
    if names := getattr(value, "__match_args__", ()):
        return _object(value, names)
    if isinstance(value, list | tuple):
        return [encode(part) for part in value]
    return value


def _object(value: Any, names: Iterable[str]) -> dict[str, Any]:
    kind = type(value).__name__
    made: dict[str, Any] = {}
    for name in names:
        part = encode(getattr(value, name))
        made |= part if name == FLAT.get(kind) else {name: part}
    made |= {name: encode(getattr(value, name)) for name in COMPUTED.get(kind, ())}
    if kind == "Memory":
        made["importance_10"] = importance_10(value.importance)
    elif kind == "StoreResult":
        made["id"] = value.memory_id
    return made


def emit_all(values: Iterable[Any]) -> None:
    """Print each value as one JSON object on one line."""
    for value in values:
        emit(encode(value))
