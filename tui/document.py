"""Draws a `Document` for a pane: one layout for memories, receipts, sessions and all the others.

Also Markdown in it, where two texts differ word by word, and the pane itself.

Text of a document is data. It enters as text, never as markup, with control characters visible.
A click on a row with a link is answered by the view (`memdeck_link` in the style's meta).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from functools import lru_cache
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from ..core.documents import document as d
from ..core.text.sentences import Block, blocks
from ..core.values import ms_of
from .glyphs import Glyphs
from .text import age, fit, one_line, path_lines, plain, showable
from .text import width as cells_of

Side = Literal["before", "after"]

MOST_TOKENS = 2_000
"""Where more than this lies between the common ends, the texts are shown as replaced: the time
grows with the square (0.3 s here)."""

LEAST_ALIKE = 0.3
"""Texts with a smaller share of common words are shown as replaced: confetti helps nobody."""

_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")
_STYLES: dict[Side, tuple[str, str]] = {  # of a word that stayed, of a word that did not
    "before": ("$text-muted", "bold $text-error on $error-muted"),
    "after": ("$foreground", "bold $text-success on $success-muted"),
}


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of one side."""

    text: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both sides, cut into runs; joined, the runs of a side are its text."""

    before: tuple[Run, ...]
    after: tuple[Run, ...]


def compare(before: str, after: str) -> Comparison:
    """The two texts with the words marked that only one of them has."""
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    head = _common(old, new)
    tail = _common(reversed(old[head:]), reversed(new[head:]))
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(middle_old), len(middle_new)) > MOST_TOKENS:
        return _replaced(before, after)
    matcher = SequenceMatcher(None, middle_old, middle_new, autojunk=False)
    steps = [(True, "".join(old[:head]), "".join(old[:head]))]
    steps += [
        (tag == "equal", "".join(middle_old[a:b]), "".join(middle_new[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
    ]
    end = "".join(old[len(old) - tail :])
    steps.append((True, end, end))
    common = sum(_visible_count(text) for is_equal, text, _ in steps if is_equal)
    if common < LEAST_ALIKE * min(_visible_count(before), _visible_count(after)):
        return _replaced(before, after)
    return Comparison(
        _joined((text, not is_equal) for is_equal, text, _ in steps),
        _joined((text, not is_equal) for is_equal, _, text in steps),
    )


def _common(first: Iterable[str], other: Iterable[str]) -> int:
    """How many tokens both start with."""
    count = 0
    for remaining, right in zip(first, other, strict=False):
        if remaining != right:
            break
        count += 1
    return count


def _visible_count(text: str) -> int:
    """The characters that can be seen."""
    return len("".join(text.split()))


def _replaced(before: str, after: str) -> Comparison:
    return Comparison(_joined([(before, True)]), _joined([(after, True)]))


def _joined(pieces: Iterable[tuple[str, bool]]) -> tuple[Run, ...]:
    """Runs as long as they can be; a space between two changed words counts as changed."""
    runs: list[Run] = []
    for text, is_changed in pieces:
        if not text:
            continue
        if runs and runs[-1].is_changed == is_changed:
            runs.append(Run(runs.pop().text + text, is_changed))
        elif is_changed and len(runs) > 1 and runs[-2].is_changed and runs[-1].text.isspace():
            blank, last = runs.pop(), runs.pop()
            runs.append(Run(last.text + blank.text + text, True))
        else:
            runs.append(Run(text, is_changed))
    return tuple(runs)


def content_of(runs: Iterable[Run], side: Side) -> Content:
    """One side as content; its words are shown as they stand, never as markup."""
    stayed, changed = _STYLES[side]
    return Content("").join(plain(run.text, changed if run.is_changed else stayed) for run in runs)


Line = tuple[Run, ...]
Pairs = tuple[tuple[Line | None, Line | None], ...]
"""Lines that belong together; None where one side has nothing to say."""

MOST_LINES = 400
"""Where a side has more lines, they are paired in order: the time grows with the square."""

STAYED, DIFFERS = "$foreground", "bold $text-warning on $warning-muted"
"""How a word looks that both sides have, and one that only this side has: neither is wrong."""


def side_lines(first: str, second: str, contested: Iterable[str] = ()) -> Pairs:
    """The lines of both texts in pairs, cut into runs.

    Of texts that are worded quite differently only what is `contested` is marked: a mark from
    end to end would say nothing.
    """
    both = compare(first, second)
    remaining, right = _run_lines(both.before), _run_lines(both.after)
    if all(run.is_changed for run in (*both.before, *both.after)):
        pattern = _pattern(contested)
        remaining = [tuple(_marked(_words(line), pattern)) for line in remaining]
        right = [tuple(_marked(_words(line), pattern)) for line in right]
    return tuple(_paired(remaining, right))


def _pattern(contested: Iterable[str]) -> re.Pattern[str] | None:
    parts = sorted({part.strip() for part in contested if part.strip()}, key=len, reverse=True)
    if not parts:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, parts))})(?!\w)", re.IGNORECASE)


def _marked(text: str, pattern: re.Pattern[str] | None) -> Iterator[Run]:
    """The text as runs, with what the pattern finds marked."""
    at = 0
    for matches in pattern.finditer(text) if pattern else ():
        if matches.start() > at:
            yield Run(text[at : matches.start()], is_changed=False)
        yield Run(matches[0], is_changed=True)
        at = matches.end()
    if at < len(text):
        yield Run(text[at:], is_changed=False)


def _run_lines(runs: Iterable[Run]) -> list[Line]:
    """The runs cut at line feeds, which fall away."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        first, *rest = run.text.split("\n")
        lines[-1].append(Run(first, run.is_changed))
        lines += [[Run(text, run.is_changed)] for text in rest]
    return [tuple(run for run in line if run.text) for line in lines]


def _words(line: Line) -> str:
    return "".join(run.text for run in line)


def _paired(
    lines: Sequence[Line], right: Sequence[Line]
) -> Iterator[tuple[Line | None, Line | None]]:
    """Equal lines beside each other, and what lies between them in order."""
    ours, theirs = [_words(line) for line in lines], [_words(line) for line in right]
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    spans = [(0, len(lines), 0, len(right))]
    if max(len(lines), len(right)) <= MOST_LINES:
        spans = [(a, b, c, d) for _, a, b, c, d in matcher.get_opcodes()]
    for a, b, c, end in spans:
        for row in range(max(b - a, end - c)):
            yield (
                lines[a + row] if a + row < b else None,
                right[c + row] if c + row < end else None,
            )


def line_content(line: Line | None) -> Content:
    """One line as content; its words are shown as they stand, never as markup."""
    return Content("").join(piece for run in line or () for piece in _pieces(run))


def _pieces(run: Run) -> Iterator[Content]:
    """A run in its colours; the blanks around words that differ carry none."""
    if not run.is_changed:
        yield plain(run.text, STAYED)
        return
    words = run.text.strip()
    before, _, after = run.text.partition(words) if words else (run.text, "", "")
    yield plain(before)
    yield plain(words, DIFFERS)
    yield plain(after)


def ruled(text: Content, side: Side, cells: int) -> Iterator[Content]:
    """One side of a long text, with its sign and a rule down its edge."""
    sign, style = ("−", "$text-error") if side == "before" else ("+", "$text-success")
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


class TextPane(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Text to read; arrows and letters scroll it."""

    HELP = """\
## Reading
The text as the host gets it, a budget, or one memory and the parts of its score. Arrows scroll.
"""
    BINDINGS: ClassVar[list[BindingType]] = scroll_keys("pane")

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.text = Static("", markup=False, classes="pane-text")
        self.border_title = Content(title)
        self._write: Write = lambda _: Content("")
        self.written = Content("")

    def compose(self) -> ComposeResult:
        yield self.text

    def name_it(self, title: str, says: str = "") -> None:
        """The words in the frame; never read as markup."""
        self.border_title = Content(title)
        self.border_subtitle = Content(says)

    def show(self, write: Write, *, from_top: bool) -> None:
        """Show what `write` says; something else is read from its top."""
        self._write = write
        self._rewrite()
        if from_top:
            self.scroll_home(animate=False, immediate=True)

    def _rewrite(self) -> None:
        width = self.scrollable_content_region.width - 1
        if width > 0 and not (written := self._write(width)).is_same(self.written):
            self.written = written
            self.text.update(written)  # lays out the screen

    def on_resize(self) -> None:
        self._rewrite()


IS_MARKDOWN = re.compile(
    r"^ {0,3}(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|>|`{3}|~{3})"
    r"|`[^`\n]+`|\*\*\S|\[[^\]\n]+\]\([^)\s]+\)|^\s*\|.*\|\s*$",
    re.MULTILINE,
)
_INLINE = re.compile(
    r"(?P<ticks>`{1,2})(?P<code>[^`\n]{1,400})(?P=ticks)"
    r"|\*\*(?=\S)(?P<bold>[^\n]{1,600}?)(?<=\S)\*\*"
    r"|(?<![\w*])\*(?=[^\s*])(?P<slanted>[^*\n]{1,300}?)(?<=[^\s*])\*(?![\w*])"
    r"|!?\[(?P<label>[^\]\n]{1,200})\]\((?P<goes>[^)\s]{1,500})\)"
)
CODE_INK = "$text-accent"
CODE_INKS = {
    "Comment": "$text-muted italic",
    "Keyword": "$text-accent",
    "Literal.String": "$text-success",
    "Literal.Number": "$text-warning",
    "Name.Function": "bold",
    "Name.Class": "bold",
    "Name.Decorator": "$text-accent",
    "Name.Tag": "$text-accent",
    "Name.Attribute": "$text-warning",
    "Generic.Deleted": "$text-error",
    "Generic.Inserted": "$text-success",
    "Generic.Heading": "bold",
}
"""Colours of code: meanings that every theme has, on the ground of the pane."""

MOST_COLOURED = 8_000
"""Characters of one piece of code that are coloured; the rest stands as it is."""

Pieces = tuple[tuple[str, str], ...]
"""Text and its ink."""


def prepare(text: str) -> None:
    """Read `text` and what colours its code, so that `rendered` has it at hand. For a lane."""
    if IS_MARKDOWN.search(text):
        for block in _blocks(text):
            if block.kind == "code":
                _coloured(block.text, block.language)


def rendered(text: str, width: int) -> Content:
    """The text in at most `width` cells a line; what is no Markdown stands as it was written."""
    if not IS_MARKDOWN.search(text):
        return plain(text)
    parts: list[Content] = []
    before: Block | None = None
    numbers: dict[int, int] = {}  # of the ordered lists that are open, by level
    for block in _blocks(text):
        if before is not None and not _goes_on(before, block):
            parts.append(Content(""))
            numbers = {}
        if block.kind == "item":
            numbers = {level: n for level, n in numbers.items() if level <= block.level}
            numbers[block.level] = numbers.get(block.level, 0) + 1
        parts += _lines(block, numbers.get(block.level, 0), width)
        before = block
    return Content("\n").join(parts)


def _goes_on(before: Block, block: Block) -> bool:
    """Whether a block is one more item of the list before it."""
    is_list = before.kind == block.kind == "item"
    return is_list and (before.level != block.level or before.is_ordered == block.is_ordered)


@lru_cache(maxsize=16)
def _blocks(text: str) -> Sequence[Block]:
    return tuple(blocks(text))


def _lines(block: Block, number: int, width: int) -> list[Content]:
    """The lines of one block."""
    match block.kind:
        case "heading":
            return [inline(block.text).stylize("bold" if block.level > 1 else "bold underline")]
        case "code":
            return _code(block, width)
        case "table":
            return _table(block.rows, width)
        case "item":
            mark = f"{number}. " if block.is_ordered else f"{block.box or '•'} "
            return _hanging("  " * min(block.level, 6) + mark, inline(block.text), width)
    return [inline(line) for line in block.text.split("\n")]


def inline(text: str) -> Content:
    """One line with what stands out in it; marks that mark nothing stay."""
    parts: list[Content] = []
    at = 0
    for matches in _INLINE.finditer(text):
        parts.append(plain(text[at : matches.start()]))
        if matches["code"]:
            parts.append(plain(matches["code"].strip(), CODE_INK))
        elif matches["bold"]:
            parts.append(plain(matches["bold"], "bold"))
        elif matches["slanted"]:
            parts.append(plain(matches["slanted"], "italic"))
        else:
            label = plain(matches["label"], "underline")
            parts += [label, plain(f" ({matches['goes']})", "$text-muted")]
        at = matches.end()
    return Content("").join([*parts, plain(text[at:])])


def _hanging(mark: str, content: Content, width: int) -> list[Content]:
    """A mark, and the content beside it, wrapped under itself."""
    indent = cells_of(mark)
    first, *rest = content.wrap(max(width - indent, 8)) or [Content("")]
    head = Content.assemble((mark, "$text-accent"), first)
    return [head, *(Content(" " * indent) + line for line in rest)]


def _code(block: Block, width: int) -> list[Content]:
    """Code, indented, its long lines folded."""
    parts = [plain(text, ink) for text, ink in _coloured(block.text, block.language)]
    lines = Content("").join(parts).split("\n", allow_blank=True)
    room = max(width - 2, 8)
    return [Content("  ") + part for line in lines for part in line.fold(room) or [Content("")]]


def _table(rows: Sequence[Sequence[str]], width: int) -> list[Content]:
    """A table whose columns stand below each other, cut where there is no room."""
    count = max((len(row) for row in rows), default=0)
    if not count:
        return []
    padded = [[showable(cell) for cell in row] + [""] * (count - len(row)) for row in rows]
    wanted = [max(cells_of(row[column]) for row in padded) for column in range(count)]
    room = max(width - 2 * (count - 1), count)
    while sum(wanted) > room:
        widest = max(range(count), key=wanted.__getitem__)
        wanted[widest] -= 1
    lines = []
    for row, cells in enumerate(padded):
        text = "  ".join(fit(cell, wanted[column]) for column, cell in enumerate(cells))
        lines.append(plain(text.rstrip(), "bold" if row == 0 else ""))
    return lines


@lru_cache(maxsize=32)
def _coloured(code: str, language: str) -> Pieces:
    """Code in pieces of one colour; in one piece where the language is not known."""
    if not language or not code:
        return ((code, ""),)
    # only code pays for it
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ((code, ""),)
    head, rest = code[:MOST_COLOURED], code[MOST_COLOURED:]
    matches = lexer.get_tokens(head)
    pieces = [(text, _ink(str(kind).removeprefix("Token."))) for kind, text in matches]
    return (*pieces, (rest, "")) if rest else tuple(pieces)


def _ink(kind: str) -> str:
    """The colour of a kind of token, or of the kinds that it belongs to."""
    while kind:
        if kind in CODE_INKS:
            return CODE_INKS[kind]
        kind = kind.rpartition(".")[0]
    return ""


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
