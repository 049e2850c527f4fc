"""The only way from outside text to content for Textual, and the signs of lists.

Memory text is data. Everything here returns plain `str` or `Content`, never markup, and counts in
terminal cells. Each meaning has a sign beside its colour.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from datetime import datetime

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter

from ..core.documents.document import counted as counted
from ..core.services.search import terms_pattern as terms_pattern
from ..core.text.times import span
from ..db.memories import Row

AGE_WIDTH = 4  # cells of every `age`
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if code not in (9, 10)} | {0x7F: 0x2421}
_HIDDEN = re.compile(
    "[\u0080-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # C1, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\uffff"
    "\ud800-\udfff"  # lone surrogates: no terminal can be sent one
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001f3fb-\U0001f3ff"  # and skin on its own
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_PRESENTATION = re.compile("[\ufe0e\ufe0f]")  # terminals disagree about the width these give
_EMOJI = "[\u2600-\u27bf\U0001f000-\U0001faff]"
_SKIN = "[\U0001f3fb-\U0001f3ff]"  # two cells on some terminals, none on others
_JOINED = re.compile(f"(?<={_EMOJI}){_SKIN}|(?<={_EMOJI})\u200d(?={_EMOJI})")
_TAB = "    "
_SPACES = re.compile(r"\s+")


def showable(text: str) -> str:
    """`text` with control, bidi and zero-width characters made visible, tabs as four spaces.

    Line feeds stay. Joiners and modifiers of emoji are removed: terminals differ in their width.
    """
    text = _PRESENTATION.sub("", text.replace("\r\n", "\n").replace("\t", _TAB))
    text = _JOINED.sub("", text)
    return _HIDDEN.sub(lambda matches: f"⟨{ord(matches[0]):04x}⟩", text.translate(_CONTROLS))


def one_line(text: str) -> str:
    """`text` on one line: every run of white space is one space; safe to show."""
    return _SPACES.sub(" ", showable(_SPACES.sub(" ", text))).strip()


def width(text: str) -> int:
    """Return the cells that `text` takes on a terminal."""
    return cell_len(text)


def cut(text: str, cells: int) -> str:
    """Return `text` on one line in at most `cells` cells; a cut text ends in `…`.

    Looks at no more of a long text than could be shown.
    """
    if cells <= 0:
        return ""
    head = text[: 8 * cells + 64]  # marks without width could hide a text of any length in a cell
    line = one_line(head)
    if len(head) == len(text) and cell_len(line) <= cells:
        return line
    return set_cell_size(line, min(cells - 1, cell_len(line))).rstrip() + "…"


def fit(text: str, cells: int, *, right: bool = False) -> str:
    """`text` cut and filled up with spaces to exactly `cells` cells."""
    line = cut(text, cells)
    gap = " " * max(0, cells - cell_len(line))
    return gap + line if right else line + gap


def plain(text: str, style: str = "") -> Content:
    """Return `text` as content: nothing in it is read as markup."""
    return Content.styled(showable(text), style) if style else Content(showable(text))


def escaped(text: str) -> str:
    """Return `text` for a sentence that is parsed as markup: it is shown unchanged.

    Textual's own `escape` leaves a bracket that is not closed, which then swallows the markup
    behind it; here every opening bracket is escaped.
    """
    return showable(text).replace("[", "\\[")


def quoted(text: str, cells: int = 40) -> str:
    """`text` in quotation marks, cut and escaped, for a notice or another sentence of markup."""
    return f"“{escaped(cut(text, cells))}”"


def age(ms: int | None, now_ms: int) -> str:
    """Return the age of `ms` in four cells: ` now`, `  3m`, `  5h`, ` 12d`, `  7w`, `11mo`, `  2y`.

    Times are milliseconds since the epoch. A time to come carries a plus: ` +3d`. None is blank.
    """
    seconds = 0 if ms is None else (now_ms - ms) / 1000
    sign = "+" if seconds <= -60 else ""
    return ("" if ms is None else sign + span(abs(seconds))).rjust(AGE_WIDTH)


def tilde(path: str) -> str:
    """Return a path with the user's folder as `~`."""
    home = os.path.expanduser("~")
    is_inside = path == home or path.startswith(home + os.sep)
    return f"~{path[len(home) :]}" if is_inside else path


def filter_of(text: str) -> Callable[[str], bool]:
    """Return a check of a row's words: each word of `text` begins one, and none after a `-` does.

    For lists that are no memories; those are looked up in the index, in the query language.
    """
    words = {word.strip('"') for word in text.split()} - {"", "-"}
    wanted = [terms_pattern([word]) for word in words if not word.startswith("-")]
    unwanted = terms_pattern(word[1:] for word in words if word.startswith("-"))
    return lambda row: (
        all(pattern is None or pattern.search(row) for pattern in wanted)
        and (unwanted is None or unwanted.search(row) is None)
    )


Glyph = tuple[str, str]
"""A character and the meaning that colours it, one of `themes.loader.MEANINGS` or ""."""

NOTHING: Glyph = (" ", "")
PINNED: Glyph = ("★", "pinned")
CANDIDATE: Glyph = ("?", "candidate")
RETIRED: Glyph = ("·", "retired")
CONFLICT: Glyph = ("≠", "conflict")
STALE: Glyph = ("○", "stale")
EXPIRING: Glyph = ("◷", "expiring")
BAR, MARK = "▌", "✓"
FULL, EMPTY = "━", "─"  # of a gauge
CLOSED, OPENED = "▸", "▾"  # a row of a tree, its parts hidden or shown
EXPIRING_DAYS = 7  # a memory that ends within a week is shown as expiring


def row_glyphs(row: Row, now: datetime) -> tuple[Glyph, Glyph]:
    """Return the sign of the memory's status (none if confirmed), and that of a problem."""
    if row.is_gone or row.retired_as is not None:
        return RETIRED, NOTHING
    status = {"pinned": PINNED, "candidate": CANDIDATE}.get(row.status, NOTHING)
    if row.in_conflict:
        return status, CONFLICT
    if row.to_verify:
        return status, STALE
    ends = row.expires_ms
    is_expiring = ends is not None and ends / 1000 - now.timestamp() <= EXPIRING_DAYS * 86_400
    return status, EXPIRING if is_expiring else NOTHING


def names_plain_text(environment: Mapping[str, str]) -> bool:
    """Return True if the locale has other characters than Unicode's: `C`, `de_DE@euro`.

    The first of its three variables that is set says so; none set says nothing. Python itself puts
    C.UTF-8 into LC_CTYPE where LANG is plain C (PEP 538).
    """
    general = environment.get("LANG", "")
    values = environment.get("LC_ALL") or environment.get("LC_CTYPE") or general
    if values == "C.UTF-8" and general in ("C", "POSIX") and not environment.get("LC_ALL"):
        values = general
    return bool(values) and "utf8" not in values.lower().replace("-", "")


_AS_ASCII = """\
+╭╮╰╯┌┐└┘┏┓┗┛├┤┬┴┼╶╴ -─═┄▔▁▂▃▄▅▆▇–—− |│┃║▎▏▐▕ =━ #█▓▒░ >▌→›▸ <←↶ ^↑ v↓▾✓ .…·•‹▶◀␣ "“”„ '‘’ x×✗✘
*●◆★◉⬤ o○◦◇☆◌ %◐◑ !≠ ~◷"""
"""Words: an ASCII sign, and the signs that it replaces."""

_PLAIN = str.maketrans({sign: word[0] for word in _AS_ASCII.split() for sign in word[1:]})
"""Our own signs and frames as ASCII, one cell each. Letters of memories stay."""


class PlainSigns(LineFilter):
    """Paints frames and signs as ASCII, on terminals or fonts without the others."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        return [
            Segment(text.translate(_PLAIN), style, control) for text, style, control in segments
        ]
