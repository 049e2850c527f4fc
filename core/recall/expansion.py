"""Where the plain words of a question find little: other words for it, words joined, slips mended.

Nothing here is asked while the plain words answer, so that it can neither cost nor harm there: a
question of which some memory speaks by more than two thirds is answered by its own words.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from .aliases import everyday, everyday_words
from .keywords import MAX_WORDS, Term
from .relevance import matcher, stem, text_of
from .spelling import meant_by, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import Reader

ENOUGH = 0.67
"""Share of a question's weight, 0-1, that the best of the first answers speaks of when its plain
words find enough: more than two thirds.

Left-out half of `benchmarks/retrieval_set.py`, recall@10 / MRR: .5 78.4 / 55.6, .67 79.7 / 56.0,
.85 81.2 / 57.3. MRR on 750 subject lines of commits by other hands: .5 79.17, .67 79.21, .85 79.01,
never 79.17.
"""

LOOKED_AT = 10
"""Answers, best first, that are looked at for it."""

QUESTION = "question"
"""The kind of a term that stands for what is asked for."""

Others = Mapping[str, Sequence[str]]
"""Further words by the word of the question that they stand for."""


def find_enough(terms: Sequence[Term], best_first: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one of the first answers speaks of at least `ENOUGH` of the question."""
    match = matcher(tuple(terms))
    return any(match(text_of(image)).share >= ENOUGH for image in best_first[:LOOKED_AT])


def widened(
    reader: Reader,
    terms: Sequence[Term],
    entries: Mapping[str, int],
    *,
    own: Mapping[str, Sequence[str]],
    asked: str,
    with_aliases: bool = True,
    with_spelling: bool = True,
) -> tuple[tuple[Term, ...], Mapping[str, int]] | None:
    """The terms with further words that some memory has, and how many have each.

    None when there are none. `own` are the project's aliases, which win; `asked` is the whole
    question.
    """
    wide, known = tuple(terms), dict(entries)
    further: list[Others] = []
    if with_aliases:
        further.append(everyday_words([term.text for term in terms], own))
        wide += tuple(question_terms(asked, terms))
    if with_spelling:
        further.append(joined_words(terms))
    for others in further:
        wide = _with_others(wide, others)
    known |= _counted(reader, wide, known)
    if with_spelling:
        wide = _with_others(wide, mended_words(reader, wide, known))
        known |= _counted(reader, wide, known)
    wide = tuple(_in_use(term, known) for term in wide)
    wide = tuple(term for term in wide if term.kind != QUESTION or term.synonyms)
    if all(count == 0 for word, count in known.items() if word not in entries):
        return None
    return wide, known


def joined_words(terms: Sequence[Term]) -> Others:
    """Two words in a row as one: `retry budget` is `retryBudget`, `waiting list` is `waitlist`."""
    found: dict[str, list[str]] = {}
    for pair in pairwise(terms):
        if all(term.kind in ("word", "common") and term.text.isalpha() for term in pair):
            one, other = (term.text for term in pair)
            for word in pair:
                found.setdefault(word.text, []).extend((one + other, stem(one) + other))
    return found


def mended_words(reader: Reader, terms: Sequence[Term], entries: Mapping[str, int]) -> Others:
    """What was meant by words that no memory has, the longest of them."""
    meant = {word: meant_by(word, reader.near_words) for word in unknown(terms, entries)}
    return {word: found for word, found in meant.items() if found}


def question_terms(asked: str, terms: Sequence[Term]) -> Iterator[Term]:
    """What a plain question asks for, such as who; none without other words."""
    words = set(asked.lower().split()) if terms else set()
    for word, others in everyday().questions.items():
        if word in words:
            yield Term(word, QUESTION, synonyms=others)


def _with_others(terms: Sequence[Term], others: Others) -> tuple[Term, ...]:
    """The terms, each with its further words behind those that it has."""
    return tuple(
        term._replace(synonyms=tuple(dict.fromkeys((*term.synonyms, *others[term.text]))))
        if term.text in others
        else term
        for term in terms
    )


def _counted(reader: Reader, terms: Sequence[Term], known: Mapping[str, int]) -> Mapping[str, int]:
    """How many memories have each word of the terms that is not counted yet."""
    new = [word for term in terms for word in term.synonyms if word not in known]
    return reader.frequencies(new[:MAX_WORDS]) if new else {}


def _in_use(term: Term, entries: Mapping[str, int]) -> Term:
    """The term without further words that no memory has."""
    return term._replace(synonyms=tuple(one for one in term.synonyms if entries.get(one.lower())))
