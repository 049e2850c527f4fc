"""A Markdown text as a row of blocks: headings, list items, paragraphs, code, tables.

Enough of Markdown to read what people write for agents; nothing is refused. Time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["heading", "item", "text", "code", "table"]

WRAPPED_FROM = 60
"""Characters; a shorter line before a capital was ended on purpose."""

MOST_JOINED = 8_000
"""Characters of one line, and of a block that more lines are joined to."""

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+-]*)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})\s*$")
_RULE = re.compile(
    r"^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|`?(?:[^\w\s] \w+ )?[─━═]{3,}`?\s*)$"
)
_ITEM = re.compile(r"^(\s*)([-*+•–]|\d{1,3}[.)])\s+(\S.*)$")
_BOX = re.compile(r"^\[([ xX])\]\s+")
_QUOTE = re.compile(r"^\s{0,3}>\s?(?:\[![A-Z]+\]\s*)?")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$|^\s*\|\s*:?-+:?\s*\|\s*$")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a text. A wrapped line is joined; what was ended on purpose has its own line."""

    kind: Kind
    text: str
    level: int = 0  # of a heading from 1, of an item's nesting from 0
    is_ordered: bool = False
    language: str = ""  # of code
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, the first names the columns
    box: str = ""  # before an item: "[ ]", or "[x]" once it is ticked off


def blocks(text: str) -> list[Block]:
    """The blocks of `text`, in order. Rules and empty lines only part them."""
    return _Reading(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).read()


class _Reading:
    """One pass over the lines; the last block may still grow."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [line[:MOST_JOINED].expandtabs(4) for line in lines]
        self.at = 0
        self.found: list[Block] = []
        self.indents: list[int] = []  # of the items we are inside
        self.is_open = False  # whether the next line may go on with the last block

    def read(self) -> list[Block]:
        while self.at < len(self.lines):
            self.at += 1
            self._line(_QUOTE.sub("", self.lines[self.at - 1]))
        return self.found

    def _line(self, line: str) -> None:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            self.is_open = False
        elif fence := _FENCE.match(line):
            self._add(Block("code", self._fenced(fence[1], indent), language=fence[2].lower()))
        elif heading := _HEADING.match(line):
            self.indents = []
            self._add(Block("heading", heading[2], len(heading[1])))
        elif self._is_underline(line):
            last = self.found.pop()
            self._add(Block("heading", last.text, 1 if "=" in line else 2))
        elif _RULE.match(line):
            self.indents, self.is_open = [], False
        elif self._starts_table(line):
            self.indents = []
            self._add(Block("table", "", rows=self._rows(line)))
        elif item := _ITEM.match(line):
            self._item(len(item[1]), item[2], item[3])
        elif self.indents and (self.is_open or indent > self.indents[-1]):
            self._go_on(line.strip(), is_item=True)
        elif indent >= 4 and not self.is_open:
            self._add(Block("code", self._indented(line)))
        else:
            self.indents = []
            self._go_on(line.strip(), is_item=False)

    def _add(self, block: Block, *, is_open: bool = False) -> None:
        self.found.append(block)
        self.is_open = is_open

    def _item(self, indent: int, mark: str, text: str) -> None:
        while self.indents and self.indents[-1] >= indent:
            self.indents.pop()
        self.indents.append(indent)
        level, is_ordered, box = len(self.indents) - 1, mark[0].isdigit(), ""
        if ticked := _BOX.match(text):
            text, box = text[ticked.end() :], f"[{ticked[1].lower()}]"
        self._add(Block("item", text, level, is_ordered, box=box), is_open=True)

    def _go_on(self, text: str, *, is_item: bool) -> None:
        last = self.found[-1] if self.found else None
        if last is not None and len(last.text) > MOST_JOINED:
            last = None
        if is_item and last is not None and last.kind == "item":
            self.found[-1] = replace(last, text=f"{last.text} {text}")
            self.is_open = True
        elif self.is_open and last is not None and last.kind == "text":
            before = last.text.rpartition("\n")[2]
            wraps = not before.endswith((".", "!", "?", ":")) and (
                len(before) >= WRAPPED_FROM or text[:1].islower()
            )
            self.found[-1] = replace(last, text=f"{last.text}{' ' if wraps else chr(10)}{text}")
        else:
            self._add(Block("text", text), is_open=True)

    def _is_underline(self, line: str) -> bool:
        last = self.found[-1] if self.found and self.is_open else None
        return (
            last is not None
            and last.kind == "text"
            and "\n" not in last.text
            and _UNDERLINE.match(line) is not None
        )

    def _taken(self, belongs: Callable[[str], object]) -> list[str]:
        """The next lines, as long as they belong here."""
        start = self.at
        while self.at < len(self.lines) and belongs(self.lines[self.at]):
            self.at += 1
        return self.lines[start : self.at]

    def _fenced(self, mark: str, indent: int) -> str:
        """The lines up to the closing fence, or to the end of the text."""
        closing = re.compile(rf"\s*{mark}{mark[0]}*\s*$")
        body = self._taken(lambda line: not closing.match(line))
        self.at += 1
        inner = (line if line[:indent].strip() else line[indent:] for line in body)
        return "\n".join(inner).strip("\n")

    def _indented(self, line: str) -> str:
        body = [line, *self._taken(lambda each: each.startswith("    "))]
        return "\n".join(each[4:] for each in body)

    def _starts_table(self, line: str) -> bool:
        following = self.lines[self.at] if self.at < len(self.lines) else ""
        return "|" in line and _TABLE_RULE.match(following) is not None

    def _rows(self, line: str) -> tuple[tuple[str, ...], ...]:
        self.at += 1  # the rule under the names
        return tuple(map(_cells, [line, *self._taken(lambda each: "|" in each)]))


def _cells(line: str) -> tuple[str, ...]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return tuple(cell.strip().replace("\\|", "|") for cell in _PIPE.split(bare))
