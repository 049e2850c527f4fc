"""Mistyped words: which word of the index was probably meant. Standard library only.

Asked only when a word is not in the index at all and the others find little (`expansion`), so that
it costs nothing where people spell well. The index's words are compared in two steps: by their
pairs of letters, then exactly.
"""

from collections.abc import Callable, Mapping, Sequence

from .keywords import Term
from .vocabulary import STOP_WORDS

SHORTEST = 5
"""Shorter words are too easily another word."""

MOST_WORDS = 3
"""So many unknown words of one question are looked up, the longest first."""

MOST_MEANT = 2
"""What one unknown word may stand for."""

_COMPARED = 12  # words of the index that are compared letter by letter
_ENDING = 5  # letters by which a word may be longer than its stem
_ENDINGS = frozenset(
    "s e es ed er ers ing ings y ies ied ly al ic ion ions ation ating ated ate ment ments ness"
    " able ible ance ence ity ous ive or ors en n ung er t".split()
)


def unknown(terms: Sequence[Term], entries: Mapping[str, int]) -> list[str]:
    """Words of the question that no memory has, neither whole nor by synonym, longest first."""
    found = [
        term.text
        for term in terms
        if term.kind == "word"
        and len(term.text) >= SHORTEST
        and term.text.isalpha()
        and not entries.get(term.text)
        and not any(entries.get(other) for other in term.synonyms)
    ]
    return sorted(found, key=len, reverse=True)[:MOST_WORDS]


def meant_by(word: str, known: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    """What `word` was probably meant to be, the likeliest first; empty when nothing is near.

    `known` gives words of the index that begin about as `word` does. One slip is forgiven below
    8 letters, two from there on.
    """
    pairs = {word[place : place + 2] for place in range(len(word) - 1)}
    near: dict[str, float] = {}
    for other in known(word):
        if (
            other.isalpha() and other not in STOP_WORDS
        ):  # nobody asks for one, however it is spelled
            shared = sum(map(other.__contains__, pairs))
            shared += (other[0] == word[0]) + (other[-1] == word[-1])
            near[other] = shared / (len(other) + 1)
    nearest = sorted(near, key=near.__getitem__, reverse=True)[:_COMPARED]
    most = 1 if len(word) < 8 else 2
    slips = {other: _slips(word, other) for other in nearest}
    fitting = sorted((count, other) for other, count in slips.items() if count < most + 1)
    return tuple(other for count, other in fitting[:MOST_MEANT] if count < fitting[0][0] + 1)


def slips(one: str, other: str) -> int:
    """Letters left out, put in, changed or swapped with their neighbour between two words."""
    one, other = _differing(one, other)
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        last, row, older = row, [place], before
        for column, second in enumerate(other, 1):
            cost = min(last[column] + 1, row[-1] + 1, last[column - 1] + (letter != second))
            if (
                place > 1
                and column > 1
                and letter == other[column - 2]
                and one[place - 2] == second
            ):
                cost = min(cost, older[column - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]


def _slips(word: str, stem: str) -> float:
    """Slips between a word's beginning and a stem; the ending weighs a little, if it is one.

    Behind a stem that is there letter by letter anything may follow, since the slip may lie in
    the ending.
    """
    best = 99.0
    for length in range(len(stem) - 1, len(stem) + 2):
        ending = word[length:]
        if 0 < length <= len(word) and len(ending) <= _ENDING:
            count = slips(word[:length], stem)
            if not ending or ending in _ENDINGS or (count == 0 and len(stem) >= SHORTEST):
                best = min(best, count + 0.1 * len(ending))
    return best


def _differing(one: str, other: str) -> tuple[str, str]:
    """Both without the beginning and the end that they share, which no slip concerns."""
    start, least = 0, min(len(one), len(other))
    while start < least and one[start] == other[start]:
        start += 1
    end = 0
    while end < least - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]
