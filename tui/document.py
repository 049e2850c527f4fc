"""Draws a `Document` for a pane: one layout for memories, receipts, sessions and all the others.

Also Markdown in it, where two texts differ word by word, and the pane itself.

Text of a document is data. It enters as text, never as markup, with control characters visible.
A click on a row with a link is answered by the app's action `follow`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from ..core.documents import document as d
from ..core.values import ms_of
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

MOST_TOKENS = 2_000
"""Texts of more words than this are shown as replaced: the time grows with the square (0.3 s)."""

LEAST_ALIKE = 0.3
"""Texts with a smaller share of common words are shown as replaced: confetti helps nobody."""

TAKEN, ADDED = "bold $text-error on $error-muted", "bold $text-success on $success-muted"
"""How a word looks that a change took out, and one that it added."""

DIFFERS = "bold $text-warning on $warning-muted"
"""How a word looks that only this one of two memories has: neither is wrong."""

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")


def word_diff(
    before: str, after: str, styles: tuple[str, str], contested: Sequence[str] | None = None
) -> tuple[Content, Content]:
    """Return both texts, the words that the other one has not in the style of their side.

    Of texts that are worded quite differently all is marked, or only what is `contested`.
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
"""From the cells of a line to what is to be read."""


_SCROLLING = (
    ("j,down", "scroll_down", "Down"),
    ("k,up", "scroll_up", "Up"),
    ("g,home", "scroll_home", "Top"),
    ("G,end", "scroll_end", "Bottom"),
    ("ctrl+d,pagedown", "page_down", "Page down"),
    ("ctrl+u,pageup", "page_up", "Page up"),
)


def scroll_keys(name: str, *, letters: bool = True) -> list[BindingType]:
    """The keys by which a pane of text scrolls, `name` in front of their ids; without `letters`
    those go on to the view."""
    return [
        Binding(
            keys if letters or "ctrl" in keys else keys.partition(",")[2],
            action,
            label,
            show=False,
            id=f"{name}.{label.lower().replace(' ', '_')}",
        )
        for keys, action, label in _SCROLLING
    ]


class ScrollText(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Something to read; arrows and letters scroll it."""

    BINDINGS: ClassVar[list[BindingType]] = scroll_keys("pane")


class TextPane(ScrollText, inherit_bindings=False):
    """A pane of a screen with text that follows its width."""

    BINDINGS: ClassVar[list[BindingType]] = scroll_keys("pane")

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
        """Show what `write` says; something else is read from its top."""
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
        lines = [plain(one_line(document.title), "bold $text")]
        if document.marks:
            lines.append(self.marks(document.marks))
        for part in document.sections:
            lines += [Content(""), *self.section(part)]
        return highlighted(Content("\n").join(lines), terms)

    def marks(self, marks: Iterable[d.Mark]) -> Content:
        """Return the states of the thing in one line."""
        return Content(" · ").join(
            plain(one_line(f"{SIGNS.get(mark.kind, '')} {mark.text}"), INKS.get(mark.kind, "$text"))
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
                Style.from_meta({"@click": f"app.follow({row.link!r})"})
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
        if row.kind == d.BODY:
            body = plain(text[:MAX_BODY])
            rest = len(text) - MAX_BODY
            more = Content.styled(f"\n… {rest:,} more characters", "$text-muted")
            return body + more if rest > 0 else body
        if row.kind == d.QUOTE:
            return plain("\n".join(f"{BAR} {line}" for line in text.split("\n")), "$text-muted")
        return plain(text, INKS.get(row.kind, ""))

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
