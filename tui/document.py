"""Draws a `Document` for a pane: one layout for memories, receipts, sessions and all the others.

Text of a document is data. It enters as text, never as markup, with control characters visible.
A click on a row with a link is answered by the view (`memdeck_link` in the style's meta).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from textual.content import Content
from textual.style import Style

from ..core.documents import document as d
from ..core.values import ms_of
from .glyphs import Glyphs
from .markdown import rendered
from .text import age, fit, one_line, path_lines, plain
from .widgets.word_diff import Run, Side, compare, content_of, ruled

GAUGE_CELLS = 10
MAX_BODY = 20_000
"""Characters of a body that are laid out; the editor shows the rest."""
MIN_LABEL, MAX_LABEL = 8, 16

INKS = {
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


class DocumentRenderer:
    """Draws documents for a pane of `width` cells."""

    def __init__(self, width: int, glyphs: Glyphs, now: datetime) -> None:
        self.width = max(width, 16)
        self.glyphs = glyphs
        self.now = now

    def render(self, document: d.Document, terms: re.Pattern[str] | None = None) -> Content:
        """Return the whole document, with the words that match `terms` marked."""
        lines = [plain(one_line(document.title), "bold $text")]
        if document.marks:
            lines.append(self.marks(document.marks))
        for part in document.sections:
            lines += [Content(""), *self.section(part)]
        return highlighted(Content("\n").join(lines), terms)

    def marks(self, marks: Iterable[d.Mark]) -> Content:
        """Return the states of the thing in one line."""
        return Content(" · ").join(
            plain(one_line(self._glyph(mark) + mark.text), INKS.get(mark.kind, "$text"))
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
        side: Side = "before" if row.kind == d.BEFORE else "after"
        first = position if side == "before" else position - 1
        pair = rows[first : first + 2] if first >= 0 else ()
        runs: Iterable[Run] = [Run(str(row.value), False)]
        if [(item.kind, bool(item.label)) for item in pair] == [(d.BEFORE, True), (d.AFTER, False)]:
            words = compare(str(pair[0].value), str(pair[1].value))
            runs = words.before if side == "before" else words.after
        name = [plain(row.label, "$text-muted")] if row.label else []
        return [*name, *ruled(content_of(runs, side), side, self.width)]

    def heading(self, title: str, note: str = "") -> Content:
        """Return a heading with a rule to the edge."""
        rule = self.glyphs.empty * max(self.width - len(title) - len(note) - (3 if note else 1), 0)
        return Content.assemble(
            (title, "bold $text-accent"),
            (f"  {note}" if note else "", "$text-muted"),
            (f" {rule}", "$text-disabled"),
        )

    def _row(self, row: d.Row, label: int, scale: float) -> list[Content]:
        width = self.width - label if row.label else self.width
        value = self._value(row, width, scale)
        if row.note:
            value = Content.assemble(
                value, ("  " if value.plain else "", ""), plain(row.note, "$text-muted")
            )
        if row.link:
            value = value.stylize("$text-accent").stylize(
                Style.from_meta({"memdeck_link": row.link})
            )
        wrapped = value.wrap(width) or [Content("")]
        if not row.label:
            return list(wrapped)
        heads = [fit(row.label, label - 1) + " ", *[" " * label] * (len(wrapped) - 1)]
        return [
            Content.assemble((head, "$text-muted"), line)
            for head, line in zip(heads, wrapped, strict=True)
        ]

    def _value(self, row: d.Row, width: int, scale: float) -> Content:
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
        if row.kind == d.BODY:
            body = rendered(text[:MAX_BODY], width)
            rest = len(text) - MAX_BODY
            more = Content.styled(f"\n… {rest:,} more characters: E opens them all", "$text-muted")
            return body + more if rest > 0 else body
        if row.kind == d.PATH:
            return plain("\n".join(path_lines(line, width) for line in text.split("\n")))
        if row.kind == d.QUOTE:
            return plain(
                "\n".join(f"{self.glyphs.bar} {line}" for line in text.split("\n")), "$text-muted"
            )
        return plain(text, INKS.get(row.kind, ""))

    def _bar(self, value: float, scale: float) -> Content:
        filled = round(min(abs(value) / scale, 1.0) * GAUGE_CELLS) if scale else 0
        ink = "$score" if value >= 0 else "$text-error"
        return Content.assemble(
            (self.glyphs.full * filled, ink),
            (self.glyphs.empty * (GAUGE_CELLS - filled), "$text-disabled"),
        )

    def _glyph(self, mark: d.Mark) -> str:
        glyphs = {
            d.PINNED: self.glyphs.pinned,
            d.CANDIDATE: self.glyphs.candidate,
            d.RETIRED: self.glyphs.retired,
            d.CONFLICT: self.glyphs.conflict,
            d.WARNING: self.glyphs.stale,
        }
        return f"{glyphs[mark.kind]} " if mark.kind in glyphs else ""


def highlighted(content: Content, terms: re.Pattern[str] | None) -> Content:
    """Return the content with the words of the query marked."""
    matches: Iterable[re.Match[str]] = terms.finditer(content.plain) if terms else ()
    for match in matches:
        content = content.stylize("bold $text-accent underline", match.start(), match.end())
    return content
