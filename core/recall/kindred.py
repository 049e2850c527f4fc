"""How far a memory's words go with those of the question that it lacks.

Who asks for the "fix" of something finds a note that says what was "incorrect" and what "caused"
it, and "rename" is what "confusing names" call for. Which words go together was counted once, over
the subjects and bodies of public repositories' commits (`benchmarks/kindred_fit.py`), and lies
beside this module as text: a line for each word of a question, read when a memory lacks it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from math import log1p

from .keywords import Term
from .relevance import Match, stem

TABLE = os.path.join(os.path.dirname(__file__), "kindred.txt")
"""Lines of a word's stem, a tab, and stems that go with it, each with how many times likelier the
word becomes beside it: `fix\tcaus 14 incorre 11`."""

STEEP, MOST = 10, 4.0
"""A word is explained by the logarithm of one and so many times what a word of the memory makes of
it on the average; at most by the second."""

KINDS = ("word", "common")
"""Kinds of terms that are words of a language; names go with nothing but themselves."""

HEAD = 3
"""Letters by which most words are seen to be none that is looked for, before their stem is made."""

_APART = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", " "))

Kin = Mapping[str, int]
"""What goes with one word of a question, by stem: how many times likelier they make it."""


def kindred(
    terms: Sequence[Term], matches: Sequence[Match], contents: Sequence[str]
) -> list[float]:
    """How far each memory's words go with the words of the question that it lacks, 0.0 to 1.0.

    `contents` are the memories' own texts, `matches` what each has of `terms`.
    """
    kin = {term.text: found for term in terms if term.kind in KINDS and (found := _kin(term))}
    if not kin:
        return [0.0] * len(matches)
    words = list(map(words_of, contents))
    stems = _stems(set().union(*words), set().union(*kin.values()))
    whole = MOST * len(terms)
    told = []
    for match, its in zip(matches, words, strict=True):
        total = 0.0
        if said := its & stems.keys():
            there = {stems[word] for word in said}
            has = match.words
            for text, found in kin.items():  # in order: a sum is to be the same each time
                if text not in has and (both := found.keys() & there):
                    likelier = sum([found[one] for one in both])
                    total += min(log1p(STEEP * likelier / len(its)), MOST)
        told.append(total / whole)
    return told


def words_of(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return set(text.lower().translate(_APART).split())


def _stems(words: Iterable[str], wanted: Set[str]) -> dict[str, str]:
    """Those of `words` that have a wanted stem, with it."""
    heads = {one[:HEAD] for one in wanted}
    likely = [word for word in words if word[:HEAD] in heads]
    return {word: one for word in likely if (one := stem(word)) in wanted}


def _kin(term: Term) -> Kin | None:
    """What goes with a term, as the table has it; None without a line."""
    return _read(TABLE, stem(term.text))


@lru_cache(maxsize=500)
def _read(table: str, word: str) -> Kin | None:
    text = _text(table)
    start = text.find(f"\n{word}\t")
    if start < 0:
        return None
    start += len(word) + 2
    words = text[start : text.index("\n", start)].split(" ")
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


@lru_cache(maxsize=1)
def _text(table: str) -> str:
    with open(table, encoding="utf-8") as file:
        return f"\n{file.read()}"
