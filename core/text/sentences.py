"""A text as its sentences: Markdown's marks taken off, any script, linear time.

What stands in code fences and tables' rules is left out; headings, list items and cells are
sentences of their own kind, since who reads them must know that they are no prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .markdown import Block, blocks

SentenceKind = Literal["text", "item", "heading", "cell"]

LONGEST_SENTENCE = 1_000
"""Characters; what is longer was not written as a sentence and is cut off there."""

MOST_SENTENCES = 600
"""Of one text; the rest is not looked at."""

# Full stops of Latin, CJK, Arabic, Devanagari and Armenian scripts. The wide ones end a sentence
# wherever they stand; the others only before a space, so that "2.4" and "app.py" stay whole.
_END = re.compile(r"[.!?…؟।։]+[\"'”’)\]*_`]*(?=\s|$)|[。！？｡]+[」』”’）)]*")
_SHORTENED = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|fig|no|st|mr|mrs|ms|dr|prof|z\.b|d\.h|u\.a|bzw|ca"
    r"|p\.ej|p\.ex|т\.е|т\.д|[A-Za-z])\.$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")  # "on 3. Mai", "2. then"
_IN_BRACKETS = re.compile(r"(?<![:;])\([^()]*$")  # "the rows (1, 2, etc.) are", "(1, 6… of each)"
_CODE_SPAN = re.compile(r"``[^`\n]+``|`[^`\n]+`")
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|「[^」\n]{1,400}」|(?<!\w)'[^'\n]{2,400}'(?!\w)"
    r"|‘[^’\n]{2,400}’(?!\w)"
)
_LINK = re.compile(r"!?\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)")
_EMPHASIS = re.compile(
    r"(\*\*|__)(?=\S)([^\n]{1,600}?)(?<=\S)\1|(?<![\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*(?![\w*])"
)
_ASKS = re.compile(r"[?？؟;][\"'”’)\]*_`]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as written, on one line, without list marks, emphasis and link targets."""

    text: str
    index: int  # in its text, from 0
    block: int  # which block of the text it stands in, from 0
    kind: SentenceKind = "text"
    line: int = 0  # which line, item or cell of its text, from 0

    @property
    def is_question(self) -> bool:
        """Whether it ends as a question does."""
        return _ASKS.search(self.text) is not None and not self.text.endswith(";")


@lru_cache(maxsize=256)  # a prompt is read for what it lays down, what it wants and what is kept
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text` in order, at most `MOST_SENTENCES`."""
    found: list[Sentence] = []
    line = 0
    for number, block in enumerate(blocks(text)):
        for unit, kind in _units(block):
            for piece in cut(plain(unit)):
                if len(found) >= MOST_SENTENCES:
                    return tuple(found)
                found.append(Sentence(piece[:LONGEST_SENTENCE], len(found), number, kind, line))
            line += 1
    return tuple(found)


def cut(line: str) -> Iterator[str]:
    """One line of prose cut where its sentences end; never inside code or quotation marks."""
    masked = masked_quotes(line)
    start = 0
    for stop in _END.finditer(masked):
        tail = masked[max(start, stop.end() - 10) : stop.end()]
        rest = masked[stop.end() :].lstrip()
        goes_on = rest[:1].islower() and _IN_BRACKETS.search(masked, start, stop.start())
        if rest and (goes_on or _SHORTENED.search(tail) or _ORDINAL.search(tail)):
            continue
        if piece := line[start : stop.end()].strip():
            yield piece
        start = stop.end()
    if piece := line[start:].strip():
        yield piece


def plain(line: str) -> str:
    """`line` without Markdown's emphasis and link targets, spaces single."""
    text = _LINK.sub(r"\1", line)
    if "*" in text or "__" in text:
        # Found in the masked text, since `**kwargs` in code is no emphasis.
        spans = [
            (m.span(), m.span(2) if m[2] is not None else m.span(3))
            for m in _EMPHASIS.finditer(masked_quotes(text))
        ]
        for (start, end), (first, last) in reversed(spans):
            text = text[:start] + text[first:last] + text[end:]
    return " ".join(text.split())


@lru_cache(maxsize=2_048)  # each way of reading a sentence asks
def masked_quotes(text: str) -> str:
    """`text` at the same length, what stands in code and quotation marks filled with "·".

    Whoever quotes "always use tabs" has not said so.
    """
    filled = (
        _CODE_SPAN.sub(lambda m: "`" + "·" * (len(m[0]) - 2) + "`", text) if "`" in text else text
    )
    filled = _QUOTED.sub(lambda m: '"' + "·" * (len(m[0]) - 2) + '"', filled)
    return filled.replace("’", "'")


def _units(block: Block) -> Iterator[tuple[str, SentenceKind]]:
    if block.kind == "code":
        return
    if block.kind == "table":
        for row in block.rows[1:]:
            yield " | ".join(cell for cell in row if cell), "cell"
    elif block.kind == "text":
        for line in block.text.split("\n"):
            yield line, "text"
    else:
        yield block.text, "item" if block.kind == "item" else "heading"
