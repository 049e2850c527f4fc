"""The only way from text that others wrote to something Textual shows.

Memory text is data: it may hold markup, terminal control codes, bidi controls, characters
without width, and lines of any length. Everything here answers plain `str` or `Content`,
never markup, and counts in terminal cells, never in characters.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import cache

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from ..core.documents.document import counted as counted

AGE_WIDTH = 4
"""Cells of every `age`."""

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
_TERM = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')
_SECONDS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "mo": 2_629_800, "y": 31_557_600}


def showable(text: str) -> str:
    """`text` with control, bidi and zero-width characters made visible, tabs as four spaces.

    Line feeds stay. What only joins or dresses emoji goes: terminals count its width differently.
    """
    text = _PRESENTATION.sub("", text.replace("\r\n", "\n").replace("\t", _TAB))
    text = _JOINED.sub("", text)
    return _HIDDEN.sub(lambda matches: f"⟨{ord(matches[0]):04x}⟩", text.translate(_CONTROLS))


def one_line(text: str) -> str:
    """`text` on one line: every run of white space is one space; safe to show."""
    return _SPACES.sub(" ", showable(_SPACES.sub(" ", text))).strip()


def width(text: str) -> int:
    """The cells that `text` takes on a terminal."""
    return cell_len(text)


def cut(text: str, cells: int) -> str:
    """`text` on one line in at most `cells` cells; what was cut off ends in `…`.

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


def path_lines(path: str, cells: int) -> str:
    """`path` on lines of `cells` cells, each ending with a `/` as far as its parts allow."""
    lines = [""]
    for part in re.findall(r"[^/]*/|[^/]+\Z", path):
        if lines[-1] and cell_len(lines[-1] + part) > cells:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


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
    """How long ago `ms` is, in four cells: ` now`, `  3m`, `  5h`, ` 12d`, `  7w`, ` 5mo`, `  2y`.

    Times are milliseconds since the epoch. A time to come carries a plus: ` +3d`. None is blank.
    """
    if ms is None:
        return " " * AGE_WIDTH
    seconds = abs(now_ms - ms) // 1000
    if seconds < 60:
        return "now".rjust(AGE_WIDTH)
    sign = "+" if ms > now_ms else ""
    return (sign + _span(seconds, months=not sign)).rjust(AGE_WIDTH)


def _span(seconds: int, *, months: bool) -> str:
    """The span in its largest whole unit, at most three cells without months, four with them."""
    if seconds >= _SECONDS["y"]:
        return f"{min(seconds // _SECONDS['y'], 99)}y"
    unit = "m"
    for name, least in (("h", 3_600), ("d", 86_400), ("w", 14 * 86_400), ("mo", 60 * 86_400)):
        if seconds >= least and (months or name != "mo"):
            unit = name
    return f"{max(1, seconds // _SECONDS[unit])}{unit}"


def button_label(words: str, key: str) -> Content:
    """What a button says, with the key that presses it."""
    return Content.assemble(plain(words), (f"  {key}", "$text-muted"))


def tilde(path: str) -> str:
    """Return a path with the user's folder as `~`."""
    home = os.path.expanduser("~")
    is_inside = path == home or path.startswith(home + os.sep)
    return f"~{path[len(home) :]}" if is_inside else path


def terms_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for the terms, at the beginning of words; None when there is nothing to find.

    Matching is by prefix, as search finds while one is still typing.
    """
    existing = sorted({term.strip() for term in terms if term.strip()}, key=len, reverse=True)
    if not existing:
        return None
    # Scripts without spaces have no word beginnings to hold on to.
    parts = [
        rf"(?<!\w){re.escape(term)}" if term.isascii() else re.escape(term) for term in existing
    ]
    return re.compile("|".join(parts), re.IGNORECASE)


def filter_of(text: str) -> Callable[[str], bool]:
    """Whether a row that says this has every word and "phrase" of `text`, and none after a `-`.

    For lists that are no memories; those are looked up in the index, in the query language.
    """
    wanted, unwanted = dict[str, None](), dict[str, None]()
    for minus, phrase, word in _TERM.findall(text):
        if term := (phrase or word).strip():
            (unwanted if minus else wanted)[term] = None

    @cache  # of thousands of words a row mostly lacks the first
    def pattern(term: str) -> re.Pattern[str] | None:
        return terms_pattern([term])

    def has(term: str, message: str) -> bool:
        matches = pattern(term)
        return matches is not None and matches.search(message) is not None

    return lambda message: (
        all(has(term, message) for term in wanted)
        and not any(has(term, message) for term in unwanted)
    )
