"""Add words to a question that finds little: synonyms, joined words and corrected spelling.

None of this runs if a memory matches more than two thirds of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from ..text.words import SECTIONS, STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...db.fast_reader import Reader
    from .candidates import Term

SAME = tuple(
    tuple(word.replace("_", " ") for word in group.split()) for group in SECTIONS["same"].split("/")
)
"""Groups of synonyms."""

KINDS = {
    kind: tuple(names.split(", "))
    for kind, _, names in (line.partition(": ") for line in SECTIONS["kinds"].splitlines())
}
"""Kinds of tools and their names, which match each other."""

QUESTIONS = {
    word: tuple(others.split())
    for word, _, others in (line.partition(": ") for line in SECTIONS["questions"].splitlines())
}
"""Words that a question word asks for."""


def everyday_groups() -> tuple[tuple[str, ...], ...]:
    """Return the groups of words, the main word first."""
    return (*SAME, *((kind, *names) for kind, names in KINDS.items()))


def everyday_words(
    words: Sequence[str], own: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return synonyms by word of the question (lower case, in order).

    A kind of several words, such as "package manager", is recognised in a row. A word with aliases
    of the project's own has no other synonyms; an empty list of them switches synonyms off.
    """
    beside = _beside()
    others_by_word: dict[str, list[str]] = {}
    for number in range(len(words)):
        for length in (3, 2, 1):
            run = words[number : number + length]
            name = " ".join(run)
            others = beside.get(name) or beside.get(name.removesuffix("s"), ())
            others = others if len(run) == length else ()
            for word in run if others else ():
                if word not in own:
                    others_by_word.setdefault(word, []).extend(others)
    return {word: tuple(dict.fromkeys(others)) for word, others in others_by_word.items()}


@lru_cache(maxsize=1)
def _beside() -> Mapping[str, tuple[str, ...]]:
    """Map every word or run of words to its synonyms."""
    beside: dict[str, list[str]] = {}
    for group in SAME:
        for word in group:
            _add(beside, word, (other for other in group if other != word))
    for kind, names in KINDS.items():
        for form in (kind, f"{kind}s"):
            _add(beside, form, names)
        for name in names:
            _add(beside, name, (kind,))
    return {word: tuple(others) for word, others in beside.items()}


def _add(beside: dict[str, list[str]], word: str, others: Iterable[str]) -> None:
    listed = beside.setdefault(word, [])
    listed += [other for other in others if other not in listed]


SHORTEST = 5  # minimum letters of a word whose spelling is corrected
MOST_WORDS = 3  # number of unknown words of a question that are looked up, the longest first
MOST_MEANT = 2  # number of corrections of one word
LONGEST_BEGUN = 32  # maximum letters of a word whose continuations and parts are searched for
MOST_BEGUN = 4  # number of words for one beginning

_COMPARED = 12  # words of the index that are compared letter by letter
_ENDING = 5  # letters by which a word may be longer than its stem
_ENDINGS = frozenset(SECTIONS["endings"].split())


def unknown(terms: Sequence[Term], entries: Mapping[str, int]) -> list[str]:
    """Return the words that no memory has, neither whole nor by synonym, longest first."""
    texts = [
        term.text
        for term in terms
        if term.kind == "word"
        and len(term.text) >= SHORTEST
        and term.text.isalpha()
        and not entries.get(term.text)
        and not any(entries.get(other) for other in term.synonyms)
    ]
    return sorted(texts, key=len, reverse=True)[:MOST_WORDS]


def meant_by(word: str, near_words: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    """Return the probable corrections of `word`, the likeliest first.

    `near_words` gives words of the index with a similar beginning. One slip is allowed below 8
    letters, two from there on.
    """
    pairs = {word[number : number + 2] for number in range(len(word) - 1)}
    near: dict[str, float] = {}
    for other in near_words(word):
        if other.isalpha() and other not in STOP_WORDS:
            shared = sum(map(other.__contains__, pairs))
            shared += (other[0] == word[0]) + (other[-1] == word[-1])
            near[other] = shared / (len(other) + 1)
    nearest = sorted(near, key=near.__getitem__, reverse=True)[:_COMPARED]
    most = 1 if len(word) < 8 else 2
    slips_between = {other: _slips(word, other) for other in nearest}
    fitting = sorted((count, other) for other, count in slips_between.items() if count < most + 1)
    return tuple(other for count, other in fitting[:MOST_MEANT] if count < fitting[0][0] + 1)


def slips_between(first: str, other: str) -> int:
    """Return the number of letters left out, inserted, changed or swapped between two words."""
    start, end, least = 0, 0, min(len(first), len(other))  # common beginning and end
    while start < least and first[start] == other[start]:
        start += 1
    while end < least - start and first[-1 - end] == other[-1 - end]:
        end += 1
    first, other = first[start : len(first) - end], other[start : len(other) - end]
    before: list[int] = []
    row = list(range(len(other) + 1))
    for position, letter in enumerate(first, 1):
        last, row, older = row, [position], before
        for column, second in enumerate(other, 1):
            cost = min(last[column] + 1, row[-1] + 1, last[column - 1] + (letter != second))
            if (
                position > 1
                and column > 1
                and letter == other[column - 2]
                and first[position - 2] == second
            ):
                cost = min(cost, older[column - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]


def _slips(word: str, stem: str) -> float:
    """Return the slips between a word's beginning and a stem, plus a little for its ending.

    After an exact stem any ending is allowed, since the slip may be there.
    """
    best = 99.0
    for length in range(len(stem) - 1, len(stem) + 2):
        ending = word[length:]
        if 0 < length <= len(word) and len(ending) <= _ENDING:
            count = slips_between(word[:length], stem)
            if not ending or ending in _ENDINGS or (count == 0 and len(stem) >= SHORTEST):
                best = min(best, count + 0.1 * len(ending))
    return best


Others = Mapping[str, Sequence[str]]  # further words by word of the question


def begun_words(reader: Reader, terms: Sequence[Term], entries: Mapping[str, int]) -> Others:
    """Return words that begin with a word that no memory has, or two that it is made of:
    `keycloak` for `keycl`, `time zone` for `timezone`."""
    words = [
        term.text
        for term in terms
        if not entries.get(term.text)
        and SHORTEST - 2 <= len(term.text) <= LONGEST_BEGUN
        and term.text.isalnum()
        and not any(entries.get(other.lower()) for other in term.synonyms)
    ]
    return {
        word: (
            *reader.words_from(word, MOST_BEGUN),
            *(f"{word[:end]} {word[end:]}" for end in range(3, len(word) - 2)),
        )
        for word in sorted(words, key=len, reverse=True)[:MOST_WORDS]
    }
