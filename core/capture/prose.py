"""The sentences a speaker wrote in their own words.

Code, quotations, logs and other pasted matter are left out: they are somebody else's words,
and an instruction inside them is not one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_SENTENCE = 1000  # characters; longer ones are no sentences
MAX_SENTENCES = 400  # of one turn
_LONGEST_INTRO = 300  # characters before the colon that are looked at
_WRAPPED_FROM = 60  # characters; a shorter line was ended on purpose

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_QUOTE = re.compile(r"^\s*(?:>|&gt;|\|)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_BULLET = re.compile(r"^\s*(?:[-*+•–]|\d{1,2}[.)]|\[[ xX]\])\s+(?:\[[ xX]\]\s+)?")
LOG_LINE = re.compile(
    r"""^\s*(?:
      \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d | \[?\d\d:\d\d:\d\d[\s.,\]] | \w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d
    | Traceback\ \( | File\ "[^"]*",\ line | at\ \S+\s?\(  | at\ \S+:\d+ | Caused\ by:
    | \.{3}\ \d+\ more
    | \[?(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|TRACE|CRITICAL)\]?(?=[:\s\]|-])
    | (?:[$%❯➜]|>>>|\#\s?(?=\w+\ -))\s\S | (?:npm|yarn|pnpm)\ (?:ERR!|WARN|error|notice)
    | \+\+\+\s | ---\s\S | @@\s | diff\ --git | index\ [0-9a-f]{7} | [+-]\s{2,}\S
    | [{}\[\]()<>;,]+\s*$ | "[\w\ -]+"\s*: | </?[a-zA-Z][^>]*>\s*$ | <\w+[^>]*>.*</\w+>\s*$
    | (?:\w+\.)*\w*(?:Error|Exception|Warning)\b\s*[:(] | E\s{2,}\S | (?:FAILED|PASSED|ERROR)\ \S+::
    | [=_~*-]{4,} | \S+\.(?:py|[jt]sx?|go|rs|java|rb|c|cc|cpp|h|php|kt|cs):\d+(?::\d+)?[:\s]\s*\S
    | (?:import|from|return|const|let|var|function|func|fn|public|private|if|for|while|SELECT|INSERT
      |UPDATE|DELETE|CREATE|ALTER|DROP|WITH)\b[^.?!]*[;{(]\s*$ | (?:def|class)\s\w+.*:\s*$
    | (?:\d{1,3}\.){3}\d{1,3}\b.*\s\d{3}\s | \w+\s*[:=]\s*[\[{"'\d].*[,\]}"']\s*$
    | (?:error|fatal)(?:\[\w+\])?:\s | make(?:\[\d+\])?:\s\*\*\* | Exit\ code\ \d
    )""",
    re.VERBOSE,
)
_PASTE_INTRO = re.compile(
    r"\b(?:says?|said|wrote|writes|prints?|printed|shows?|reported|(?:i|we|it|now) (?:get|gets|"
    r"got)|getting)\b[^:]*:\s*$"
    r"|(?:^(?:the |my )?|\b(?:here|this is|see|full|below|from|of)\b[^:]*)\b(?:logs?|output|error|"
    r"trace(?:back)?|stack ?trace|stderr|stdout|response|diff|slack|e-?mail|ticket|readme|docs|"
    r"wiki)\s*:\s*$",
    re.IGNORECASE,
)
_STANDING_INTRO = re.compile(
    r"\b(?:remember|rules?|always|never|from now on|conventions?|guidelines?)\b", re.IGNORECASE
)
_CODE_SPAN = re.compile(r"``[^`\n]+``|`[^`\n]+`")
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|(?<!\w)'[^'\n]{2,400}'(?!\w)|"
    r"‘[^’\n]{2,400}’(?!\w)"
)
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)")
_SHORTENED = re.compile(
    r"\b(?:[Ee]\.g|[Ii]\.e|etc|vs|cf|approx|incl|resp|fig|st|[MmDd]r|[Mm]rs|[Mm]s|[A-Z])\.$"
)
_ORDINAL = re.compile(r"\b\d{1,2}\.$")  # "3. Mai"
_MONTH = re.compile(
    r"\s(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
_BOLD = re.compile(r"\*\*(?=\S)([^\n]{1,300}?)(?<=\S)\*\*")
_ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*(?![\w*])")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\((?:https?:)?[^)\s]{1,500}\)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as written, without list marks and emphasis."""

    text: str
    masked: str  # the same length; what stands in quotation marks and code is filled with "·"
    index: int  # in its turn, from 0; counts the sentences that were dropped, too
    paragraph: int
    is_question: bool


def sentences(text: str, *, may_paste: bool = False) -> tuple[Sentence, ...]:
    """The sentences of `text` that are its author's own, at most `MAX_SENTENCES`.

    `may_paste` looks for logs, terminal output and other people's messages, as persons paste
    them without a fence.
    """
    found: list[Sentence] = []
    for number, paragraph in enumerate(_paragraphs(text, may_paste)):
        for unit in _units(paragraph):
            for piece in _split(_plain(unit)):
                if len(found) >= MAX_SENTENCES:
                    return tuple(s for s in found if s.text)
                is_own = len(piece) <= MAX_SENTENCE and _is_prose(piece)
                kept = piece if is_own else ""
                asks = piece.rstrip("\"')] ").endswith("?")
                found.append(Sentence(kept, mask(kept), len(found), number, asks))
    return tuple(s for s in found if s.text)


def mask(text: str) -> str:
    """`text` at the same length, with quoted words and code filled and apostrophes straight.

    Rules look at this: whoever quotes "always use tabs" has not said so.
    """
    filled = _CODE_SPAN.sub(lambda m: "`" + "·" * (len(m[0]) - 2) + "`", text)
    filled = _QUOTED.sub(lambda m: '"' + "·" * (len(m[0]) - 2) + '"', filled)
    return filled.replace("’", "'")


def _paragraphs(text: str, may_paste: bool) -> Iterator[list[str]]:
    """Runs of lines between blank lines, without those that are code, quotation or paste."""
    is_pasted_next = False
    for block in _blocks(text):
        if is_pasted_next:
            is_pasted_next = False
            continue
        if may_paste:
            logged = [line for line in block if LOG_LINE.match(line)]
            if len(logged) >= 2 and len(logged) >= 0.4 * len(block):
                continue
            if _is_quoted_whole(block):
                continue
            kept = []
            for line in block:
                if _announces_paste(line):
                    is_pasted_next = line is block[-1]
                    break
                if not LOG_LINE.match(line):
                    kept.append(line)
            block = kept
        if block:
            yield block


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    fence = ""
    follows_text = False  # an indented line under a list item goes on with it
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            continue
        is_code = line.startswith(("    ", "\t")) and not follows_text
        if mark:
            fence = mark[1]
        if mark or not line.strip() or _HEADING.match(line):
            if block:
                yield block
            block, follows_text = [], False
        elif not _QUOTE.match(line) and (not is_code or _BULLET.match(line)):
            block.append(line)
            follows_text = True
    if block:
        yield block


def _announces_paste(line: str) -> bool:
    line = line[-_LONGEST_INTRO:]
    return bool(_PASTE_INTRO.search(line)) and not _STANDING_INTRO.search(line)


def _is_quoted_whole(block: list[str]) -> bool:
    whole = " ".join(block).strip()
    return len(whole) > 2 and whole[0] in '"“«' and whole.rstrip(".")[-1] in '"”»'


def _units(paragraph: list[str]) -> Iterator[str]:
    """Lines of a paragraph, with soft-wrapped ones put together again."""
    unit = ""
    for line in paragraph:
        is_item = _BULLET.match(line) is not None
        bare = _BULLET.sub("", line).strip()
        wraps = (
            unit
            and not is_item
            and not unit.endswith((".", "!", "?", ":"))
            and (line[:1] in " \t" or (len(unit) >= _WRAPPED_FROM and not bare[:1].isupper()))
        )
        if unit and not wraps:
            yield unit
            unit = ""
        unit = f"{unit} {bare}" if unit else bare
    if unit:
        yield unit


def _plain(unit: str) -> str:
    """`unit` without Markdown's emphasis and link targets, spaces single."""
    text = _LINK.sub(r"\1", unit)
    for emphasis in (_BOLD, _ITALIC):
        # Found in the masked text, as `**kwargs` in code is no emphasis.
        spans = [(m.span(), m.span(1)) for m in emphasis.finditer(mask(text))]
        for (start, end), (first, last) in reversed(spans):
            text = text[:start] + text[first:last] + text[end:]
    return " ".join(text.split())


def _split(unit: str) -> Iterator[str]:
    masked = mask(unit)
    start = 0
    for stop in _STOP.finditer(masked):
        if _SHORTENED.search(masked[max(start, stop.end() - 8) : stop.end()]) and stop.end() < len(
            unit
        ):
            continue
        if _ORDINAL.search(masked[: stop.end()][-4:]) and _MONTH.match(masked, stop.end()):
            continue
        piece = unit[start : stop.end()].strip()
        if piece:
            yield piece
        start = stop.end()
    rest = unit[start:].strip()
    if rest:
        yield rest


def _is_prose(piece: str) -> bool:
    """Whether `piece` is mostly words; code is judged as one word."""
    masked = mask(piece)
    spoken = sum(c.isalnum() or c in " ·'\"`,.!?-" for c in masked)
    return any(c.isalpha() for c in masked) and spoken >= 0.8 * len(masked)
