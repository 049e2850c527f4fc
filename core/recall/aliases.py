"""Other words for the same thing: `auth` also finds what speaks of "authentication".

A project's own aliases always count. Everyday ones, for all of us the same, stand in
`everyday.py` and are asked where plain words find little (`expansion`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ...frozen import NamedTuple


class Everyday(NamedTuple):
    """The words of `everyday.py`, lower case."""

    same: tuple[tuple[str, ...], ...]  # every word of a group stands for the others
    kinds: Mapping[str, tuple[str, ...]]  # a kind of tool in one to three words -> names of tools
    questions: Mapping[str, tuple[str, ...]]  # a question word -> words that its answers have

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """All of them as groups, the word to look under first."""
        kinds = tuple((kind, *names) for kind, names in self.kinds.items())
        return (*self.same, *kinds)


@lru_cache(maxsize=1)
def everyday() -> Everyday:
    """What `everyday.py` holds."""
    from .everyday import KINDS, QUESTIONS, SAME  # most prompts are answered without

    return Everyday(SAME, KINDS, QUESTIONS)


def own_words(word: str, own: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Other words for `word` (lower case) by the project's own aliases.

    They also count backwards, from a synonym to its word, unless the synonym is a word itself.
    """
    if word in own:
        return tuple(own[word])
    return tuple(key for key, others in own.items() if word in others)


def everyday_words(
    words: Sequence[str], own: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Everyday words beside each of a question's `words` (lower case, in order), where any are.

    A kind in several words, such as "package manager", is known where they stand in a row; the
    names of its tools then stand beside each of them. A word that has aliases of the project's
    own has no others; an empty list of them means that it stands for itself only.
    """
    beside = _beside()
    found: dict[str, list[str]] = {}
    for place in range(len(words)):
        for length in (3, 2, 1):
            run = words[place : place + length]
            others = beside.get(" ".join(run), ()) if len(run) == length else ()
            for word in run if others else ():
                if word not in own:
                    found.setdefault(word, []).extend(others)
    return {word: tuple(dict.fromkeys(others)) for word, others in found.items()}


@lru_cache(maxsize=1)
def _beside() -> Mapping[str, tuple[str, ...]]:
    """Every everyday word or run of words -> the others."""
    told = everyday()
    beside: dict[str, list[str]] = {}
    for group in told.same:
        for word in group:
            _add(beside, word, (other for other in group if other != word))
    for kind, names in told.kinds.items():
        for form in (kind, f"{kind}s"):
            _add(beside, form, names)
        for name in names:
            _add(beside, name, (kind,))
    return {word: tuple(others) for word, others in beside.items()}


def _add(beside: dict[str, list[str]], word: str, others: Iterable[str]) -> None:
    known = beside.setdefault(word, [])
    known += [other for other in others if other not in known]
