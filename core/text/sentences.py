"""A text cut into sentences in any script, Markdown's marks taken off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

Kind = Literal["heading", "item", "text", "code", "table"]

WRAPPED_FROM = 60  # characters; a shorter line before a capital was ended on purpose
MOST_TERM = 80  # characters of a term that the next line defines
MOST_JOINED = 8_000  # characters of one line, and of a block that more lines are joined to

_PIECE = re.compile(
    "|".join(
        f".{{1,{MOST_JOINED}}}{end}"
        for end in (r"(?:(?<=[.!?]\s)|(?<=[。！？।])|$)", r"(?<=\s)", "")
    )
)
"""A part of a long line: up to the end of a sentence, else of a word, else anywhere."""
_LEADS_ON = re.compile(
    r"(?:^(?=\w)|,$|(?<=\s)(?=\w+$))(?:$|(?:and|or|but|because|before|after|when|if|to|of|in|on|at|by|for|with"
    r"|from|as|than|that|which|who|the|an?|is|are|be|not|und|oder|d(?:er|ie|as|em|en)|mit|von|für|zu|bei"
    r"|et|ou|de|la|les?|des|du|que|qui|pour|avec|y|el|los|las|con|para|por|di|il|da|do)(?!\w))"
)
"""A word or comma that no sentence ends with, or one that begins none."""

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+-]*)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})\s*$")
_RULE = re.compile(
    r"^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|`?(?:[^\w\s] \w+ )?[─━═]{3,}`?\s*)$"
)
_ITEM = re.compile(r"^(\s*)([-*+•–]|\d{1,3}[.)])\s+(\S.*)$")
_DEFINED = re.compile(r"^ {0,3}:\s+(\S.*)$")  # of the term on the line above
_BOX = re.compile(r"^\[([ xX])\]\s+")
_QUOTE = re.compile(r"^\s{0,3}>\s?(?:\[![A-Z]+\]\s*)?")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$|^\s*\|\s*:?-+:?\s*\|\s*$")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a text. Wrapped lines are joined; intended line ends stay."""

    kind: Kind
    text: str
    level: int = 0  # of a heading from 1, of an item's nesting from 0, of code in an item from 1
    is_ordered: bool = False
    language: str = ""  # of code
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, the first names the columns
    box: str = ""  # before an item: "[ ]", or "[x]" once it is ticked off


def blocks(text: str, *, is_typed: bool = False) -> list[Block]:
    """Return the blocks of `text`, in order. Rules and empty lines only part them.

    In what a user typed, a line break ends a sentence and an item, unless an editor wrapped the
    line.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _Reading(lines, is_typed).read()


class _Reading:
    """One pass over the lines; the last block may still grow."""

    def __init__(self, lines: list[str], is_typed: bool) -> None:
        self.is_typed = is_typed
        most = 1 if is_typed else None  # users type no longer line
        pieces = (piece for line in lines for piece in (_PIECE.findall(line) or [""])[:most])
        self.lines = [piece.expandtabs(4) for piece in pieces]
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
        elif fence := _FENCE.match(line):  # up to its closing, or to the end of the text
            level = len(self.indents) if self.indents and indent > self.indents[-1] else 0
            closing = re.compile(rf"\s*{fence[1]}{fence[1][0]}*\s*$")
            body = self._taken(lambda line: not closing.match(line))
            self.at += 1
            inner = (line if line[:indent].strip() else line[indent:] for line in body)
            text = "\n".join(inner).strip("\n")
            self._add(Block("code", text, level, language=fence[2].lower()))
        elif heading := _HEADING.match(line):
            self.indents = []
            self._add(Block("heading", heading[2], len(heading[1])))
        elif self._is_underline(line):
            last = self.found.pop()
            self._add(Block("heading", last.text, 1 if "=" in line else 2))
        elif _RULE.match(line):
            self.indents, self.is_open = [], False
        elif "|" in line and _TABLE_RULE.match("".join(self.lines[self.at : self.at + 1])):
            self.indents = []
            self.at += 1  # the rule under the names
            rows = [line, *self._taken(lambda each: "|" in each)]
            self._add(Block("table", "", rows=tuple(map(_cells, rows))))
        elif item := _ITEM.match(line):
            self._item(len(item[1]), item[2], item[3])
        elif (defined := _DEFINED.match(line)) and self.found and self._define(defined[1]):
            pass
        elif self.indents and (indent > self.indents[-1] or (self.is_open and not self.is_typed)):
            self._go_on(line.strip(), is_item=True)
        elif indent >= 4 and not self.is_open:
            body = [line, *self._taken(lambda each: each.startswith("    "))]
            self._add(Block("code", "\n".join(each[4:] for each in body)))
        else:
            self.indents = []
            self._go_on(line.strip(), is_item=False)

    def _add(self, block: Block, *, is_open: bool = False) -> None:
        self.found.append(block)
        self.is_open = is_open

    def _define(self, text: str) -> bool:
        """Join a definition to its term, the last line so far; return False if there is none."""
        last = self.found[-1]
        if last.kind == "item" and not self.indents:  # a further definition
            self.found[-1] = replace(last, text=f"{last.text} {text}")
            return True
        rest, _, term = last.text.rpartition("\n")
        if last.kind != "text" or len(term) > MOST_TERM:
            return False
        self.found[-1:] = [replace(last, text=rest)] * bool(rest)
        self._add(Block("item", f"{term}: {text}"))
        return True

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
            is_long, is_small = len(before) >= WRAPPED_FROM, text[:1].islower()
            wraps = not before.endswith((".", "!", "?", ":")) and (is_long or is_small)
            if self.is_typed:
                is_amid = _LEADS_ON.search(before) or _LEADS_ON.match(text)
                wraps = wraps and is_long and is_small and is_amid is not None
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
        """Return the next lines, as long as they belong here."""
        start = self.at
        while self.at < len(self.lines) and belongs(self.lines[self.at]):
            self.at += 1
        return self.lines[start : self.at]


def _cells(line: str) -> tuple[str, ...]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return tuple(cell.strip().replace("\\|", "|") for cell in _PIPE.split(bare))


SentenceKind = Literal["text", "item", "heading", "cell"]

LONGEST_SENTENCE = 1_000
"""Characters; longer text was not written as a sentence and is cut off there."""

MOST_SENTENCES = 600  # of one text; the rest is not read

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
    r"(\*\*|(?<!\w)__(?!\w+__))(?=\S)([^\n]{1,600}?)(?<=\S)\1|(?<![\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*(?![\w*])"
)
_ASKS = re.compile(r"[?？؟;][\"'”’)\]*_`]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as written, on one line, without list marks, emphasis and link targets."""

    text: str
    index: int  # in its text, from 0
    block: int  # its block of the text, from 0
    kind: SentenceKind = "text"
    line: int = 0  # which line, item or cell of its text, from 0

    @property
    def is_question(self) -> bool:
        return _ASKS.search(self.text) is not None and not self.text.endswith(";")


@lru_cache(maxsize=256)  # a prompt is read for wishes, for orders and for the score
def sentences(text: str, *, is_typed: bool = False) -> tuple[Sentence, ...]:
    """The sentences of `text` in order, at most `MOST_SENTENCES`; `is_typed` as for `blocks`."""
    matches: list[Sentence] = []
    line = 0
    for number, block in enumerate(blocks(text, is_typed=is_typed)):
        units: list[tuple[str, SentenceKind]] = []
        if block.kind == "table":
            units = [(" | ".join(filter(None, row)), "cell") for row in block.rows[1:]]
        elif block.kind == "text":
            units = [(text_line, "text") for text_line in block.text.split("\n")]
        elif is_typed and len(text.splitlines()) == 1:  # no document is around its mark
            units = [(block.text, "text")]
        elif block.kind != "code":
            units = [(block.text, "item" if block.kind == "item" else "heading")]
        for unit, kind in units:
            for piece in cut(plain(unit)):
                if len(matches) >= MOST_SENTENCES:
                    return tuple(matches)
                matches.append(Sentence(piece[:LONGEST_SENTENCE], len(matches), number, kind, line))
            line += 1
    return tuple(matches)


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
    """Return `text` at the same length, with code and quotations filled with "·".

    A quotation of "always use tabs" is no rule of the speaker.
    """
    filled = (
        _CODE_SPAN.sub(lambda m: "`" + "·" * (len(m[0]) - 2) + "`", text) if "`" in text else text
    )
    filled = _QUOTED.sub(lambda m: '"' + "·" * (len(m[0]) - 2) + '"', filled)
    return filled.replace("’", "'")
