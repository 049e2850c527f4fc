"""By which words two texts differ, laid beside each other: what a person is shown of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from .content import MARK, STOP, WORD, Piece, pieces

MOST_PIECES = 120
"""Of each text; what follows is not laid beside the other."""

MOST_SHOWN = 6
"""Words of a difference, and of what two texts share."""


LEAST_VALUE = 1_000
"""From here on, a number behind a noun is rather a value than a label: a port, a year."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What two texts share, and the words in which they differ most; each may be empty."""

    shared: str
    one: str
    other: str
    is_label: bool = False  # nothing but a number behind a noun: berth 12, crane 3


def difference(one: str, other: str) -> Difference:
    """The most telling words that stand in each text where the other has others."""
    mine, theirs = pieces(one)[:MOST_PIECES], pieces(other)[:MOST_PIECES]
    keys = [piece.key for piece in mine], [piece.key for piece in theirs]
    laid = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    known = {*keys[0]} & {*keys[1]}
    best = (0.0, "", "", False)
    for tag, first, last, begin, end in laid:
        if tag == "equal":
            continue
        a, b = mine[first:last], theirs[begin:end]
        worth = _worth(a, b)
        if not a or not b:  # one only adds something: with the word behind it, it can be read
            a, b = mine[first : last + 1], theirs[begin : end + 1]
        is_label = _is_label(mine, first, last) and _is_label(theirs, begin, end)
        best = max(best, (worth, _shown(a), _shown(b), is_label), key=lambda found: found[0])
    subject = dict.fromkeys(p.shown for p in mine if p.key in known and p.counts >= WORD)
    return Difference(" ".join([*subject][:MOST_SHOWN]), best[1], best[2], best[3])


def _is_label(read: Sequence[Piece], first: int, last: int) -> bool:
    """Whether a small number without a unit stands there behind a noun, and nothing else."""
    if last - first != 1 or first == 0 or not read[first].key.isdigit():
        return False
    return read[first - 1].counts > STOP and int(read[first].key) < LEAST_VALUE


def _worth(one: Sequence[Piece], other: Sequence[Piece]) -> float:
    """How likely these are the words that oppose each other: values and denials before all."""
    tell = sum(_counts(piece) for piece in one), sum(_counts(piece) for piece in other)
    numbers = sum(piece.kind == "number" for piece in (*one, *other))
    return STOP + min(tell) + max(tell) / 10 + MARK * numbers


def _counts(piece: Piece) -> float:
    return MARK if piece.kind in ("denial", "turn") else piece.counts


def _shown(found: Sequence[Piece]) -> str:
    words = [piece.shown for piece in found]
    return " ".join(words[:MOST_SHOWN]) + (" …" if len(words) > MOST_SHOWN else "")
