"""Status is never colour alone: a glyph for each meaning, and an ASCII set for plain terminals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from ..core.answers import Row

Glyph = tuple[str, str]
"""A character and the meaning that colours it, one of `themes.loader.MEANINGS` or ""."""

NOTHING: Glyph = (" ", "")
EXPIRING_DAYS = 7  # a memory that ends within a week is shown as expiring


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters."""

    pinned: str = "★"
    persons: str = "◆"
    conflict: str = "≠"
    stale: str = "○"
    candidate: str = "?"
    retired: str = "·"
    expiring: str = "◷"
    bar: str = "▌"
    mark: str = "✓"
    full: str = "━"
    empty: str = "─"
    up: str = "↑"
    down: str = "↓"
    firing: str = "●"
    untrusted: str = "◐"
    absent: str = "–"
    wrong: str = "✗"
    fork: str = "└"
    open: str = "□"
    step: str = "›"
    enter: str = "⏎"
    closed: str = "▸"  # a row of a tree, whose parts are hidden
    opened: str = "▾"

    def standing(self, row: Row) -> Glyph:
        """What the memory is: retired, pinned, candidate, or confirmed (nothing to say)."""
        if row.is_gone or row.retired_as is not None:
            return self.retired, "retired"
        if row.status == "pinned":
            return self.pinned, "pinned"
        if row.status == "candidate":
            return self.candidate, "candidate"
        return NOTHING

    def trouble(self, row: Row, now: datetime) -> Glyph:
        """What wants attention: a conflict, what speaks against it, or an end in sight."""
        if row.is_gone or row.retired_as is not None:
            return NOTHING
        if row.in_conflict:
            return self.conflict, "conflict"
        if row.to_verify:
            return self.stale, "stale"
        if row.expires_ms is not None:
            days = (row.expires_ms / 1000 - now.timestamp()) / 86_400
            if days <= EXPIRING_DAYS:
                return self.expiring, "expiring"
        return NOTHING

    def of(self, row: Row, now: datetime) -> tuple[Glyph, Glyph]:
        """Both glyphs of a row: what it is, and what wants attention."""
        return self.standing(row), self.trouble(row, now)


def names_plain_text(environment: Mapping[str, str]) -> bool:
    """Whether the locale is one whose characters are not Unicode's: `C`, `de_DE@euro`.

    The first of its three variables that is set says so; none set says nothing. Python itself puts
    C.UTF-8 into LC_CTYPE where LANG is plain C (PEP 538).
    """
    general = environment.get("LANG", "")
    values = environment.get("LC_ALL") or environment.get("LC_CTYPE") or general
    if values == "C.UTF-8" and general in ("C", "POSIX") and not environment.get("LC_ALL"):
        values = general
    return bool(values) and "utf8" not in values.lower().replace("-", "")


UNICODE = Glyphs()
ASCII = Glyphs(
    pinned="*",
    persons="+",
    conflict="!",
    stale="o",
    candidate="?",
    retired=".",
    expiring="~",
    bar=">",
    mark="v",
    full="#",
    empty="-",
    up="^",
    down="v",
    firing="@",
    untrusted="%",
    absent="-",
    wrong="x",
    fork="\\",
    open="=",
    step=">",
    enter="enter",
    closed=">",
    opened="v",
)

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛├┤┬┴┼╶╴", "+"),
        **dict.fromkeys("─━═┄▔▁▂▃▄▅▆▇", "-"),
        **dict.fromkeys("│┃║▌▎▏▐▕", "|"),
        **dict.fromkeys("█▓▒░", "#"),
        **dict.fromkeys("…·•›‹→←↑↓▾▸▶◀␣", "."),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("–—−", "-"),
        "→": ">",
        "←": "<",
        "›": ">",
        "↑": "^",
        "↓": "v",
        "▾": "v",
        "▸": ">",
        "×": "x",
        **dict.fromkeys("●◆★◉⬤", "*"),
        **dict.fromkeys("○◦◇☆◌", "o"),
        **dict.fromkeys("◐◑", "%"),
        **dict.fromkeys("✗✘", "x"),
        "✓": "v",
        "≠": "!",
        "□": "=",
        "◷": "~",
    }
)
"""Our own signs and frames as ASCII, one cell each. Letters of memories stay."""


class PlainSigns(LineFilter):
    """Paints frames and signs as ASCII, on terminals or fonts without the others."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        return [
            Segment(text.translate(_PLAIN), style, control) for text, style, control in segments
        ]
