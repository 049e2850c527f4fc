"""Memory text that was written as Markdown, as it is meant to be read: headings, lists, tables,
code in colours. Nothing in it acts: a link shows where it leads and goes nowhere, HTML is text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from textual.content import Content

from ..core.text.sentences import Block, blocks
from .text import fit, plain, showable
from .text import width as cells_of

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
INKS = {
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
        if kind in INKS:
            return INKS[kind]
        kind = kind.rpartition(".")[0]
    return ""
