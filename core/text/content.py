"""What a text is made of, for comparing: its words in their plain form, and how much each tells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ...frozen import NamedTuple, dataclass
from .shapes import is_named, quantity, quoted_code
from .words import is_common, is_stop_word, is_trade, stem, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

MOST_CHARACTERS = 4_000
"""Of a text; what lies beyond is not read."""

STOP, COMMON, WORD, MARK = 0.1, 0.4, 1.0, 1.5
"""What a word counts: one of grammar, an everyday one, a telling one, a name or a value."""

DENIALS = frozenset(
    "not no never none nobody nothing neither nor cannot without nicht kein keine keinen keiner nie"
    " niemals ohne pas jamais aucun aucune sans ni nunca ningún ninguna sin jamás".split()
)
TURNS = frozenset(
    "only except unless before after off old new former latter true false least most nur vorher"
    " nachher vor nach außer avant après seul sauf antes después solo excepto".split()
)
"""Words that narrow a statement or turn it around."""

_UNITS = {
    form: forms.split()[0]
    for forms in (
        "ms millisecond milliseconds", "s sec secs second seconds", "m min mins minute minutes",
        "h hr hrs hour hours", "d day days", "w week weeks", "month months", "y year years",
        "kb kib kilobyte kilobytes", "mb mib megabyte megabytes", "gb gib gigabyte gigabytes",
        "% percent", "x times",
    )
    for form in forms.split()
}  # fmt: skip


class Piece(NamedTuple):
    """A word, a name, or a number with its unit."""

    key: str  # equal for the forms of a word
    shown: str  # as written
    counts: float
    kind: Literal["word", "mark", "number", "denial", "turn"] = "word"


@dataclass(frozen=True, slots=True)
class Content:
    """The pieces of a text, without their order."""

    weights: Mapping[str, float]  # by key
    telling: frozenset[str]  # words that are no everyday ones, or name a thing every project has
    marks: frozenset[str]  # names, paths, code
    numbers: frozenset[str]
    turns: frozenset[str]
    denials: int
    denied: frozenset[str]  # the words that a denial stands before

    @property
    def weight(self) -> float:
        return sum(self.weights.values())


def pieces(text: str) -> list[Piece]:
    """The pieces of `text`, in their order."""
    text = text[:MOST_CHARACTERS]
    if text.isupper():  # shouted: capitals tell no names
        text = text.lower()
    code, words = set(quoted_code(text)), tokens(text)
    found, at = [], 0
    while at < len(words):
        word, behind = words[at], words[at + 1] if at + 1 < len(words) else ""
        piece = _piece(word, behind, code)
        at += 2 if piece.shown != word else 1
        found.append(piece)
    return found


def _piece(word: str, behind: str, code: set[str]) -> Piece:
    low = word.lower().replace("’", "'")
    is_plain = word.isalpha() and word[1:].islower()  # no number, and no name but in code
    if not is_plain and (number := quantity(low)):
        (digits, own), after = number, behind.lower()
        unit, shown = (own, word) if own or after not in _UNITS else (after, f"{word} {behind}")
        return Piece(digits.rstrip(".:") + _UNITS.get(unit, unit), shown, MARK, "number")
    if low in DENIALS or low.endswith("n't"):
        return Piece("not", word, STOP, "denial")
    if word in code or (not is_plain and is_named(word)):
        return Piece(stem(low), word, MARK, "mark")
    counts = STOP if is_stop_word(low) else COMMON if is_common(low) else WORD
    return Piece(stem(low), word, counts, "turn" if low in TURNS else "word")


@lru_cache(maxsize=1024)
def content_of(text: str) -> Content:
    """`text`, read."""
    read = pieces(text)

    def keys(kind: str) -> frozenset[str]:
        return frozenset(piece.key for piece in read if piece.kind == kind)

    return Content(
        {piece.key: piece.counts for piece in read},
        frozenset(p.key for p in read if p.kind in ("word", "turn") and _tells(p)),
        keys("mark"),
        keys("number"),
        keys("turn"),
        sum(piece.kind == "denial" for piece in read),
        frozenset(_behind(read, at) for at, piece in enumerate(read) if piece.kind == "denial"),
    )


def _tells(piece: Piece) -> bool:
    return piece.counts >= WORD or is_trade(piece.shown.lower())


def _behind(read: list[Piece], at: int) -> str:
    """The first word behind a denial that says something."""
    return next((piece.key for piece in read[at + 1 :] if piece.counts > STOP), "")
