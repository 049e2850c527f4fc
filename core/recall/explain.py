"""Why a memory answers, in words: what of the question it has, by which other word, what else.

The parts of the score say how much; these sentences say what. Made for one memory, when somebody
asks: ranking needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .expansion import everyday_words, joined_words, mended_words, question_terms
from .keywords import Term, keywords, match, own_words

if TYPE_CHECKING:
    from ...db.fast_reader import Reader

TELLING = 0.05
"""Share of the score, 0-1, from which on a part is worth a sentence."""

LENT = ("near", "together", "before")
"""Parts that the session adds."""

IMPORTANT = 0.7
"""Importance, 0-1, from which on a memory is called important."""

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

UNASKED: Mapping[str, str] = {
    "pinned": "it is pinned",
    "working": "it is the session's working memory",
    "rival": "it contradicts one that is told",
    "open": "it is open",
    "preference": "it is what you prefer",
    "profile": "it is part of your profile",
    "told": "the session was told it before",
    "task": "it fits the subagent's task",
    "role": "agents of this role learned it",
}
"""Parts that need no question."""

PARTS: Mapping[str, str] = {
    "when": "it is from the time that you ask about",
    "speaker": "the agent that you name learned it",
    "files": "one of its files is in your hands",
    "recency": "it is recent",
}
"""Parts that are a sentence when they are telling."""


def account(
    reader: Reader,
    question: str,
    own: Mapping[str, Sequence[str]],
    image: Mapping[str, Any],
    parts: Mapping[str, float],
    score: float,
) -> tuple[str, ...]:
    """Sentences without an end stop, the weightiest first; empty when nothing is to be said.

    `own` are the project's aliases; `image` needs what `relevance.match` reads, importance and
    what was said of the memory.
    """
    unasked = tuple(says for name, says in UNASKED.items() if name in parts)
    if unasked:
        return unasked
    terms = keywords(question, own)
    plain = [term._replace(synonyms=()) for term in terms]
    has = [term.text for term in match(plain, image).terms]
    text = [_words(has, [term.text for term in terms])] if has else []
    text += _other_words(reader, question, terms, own, image, set(has))
    enough = TELLING * score
    if sum(parts.get(name, 0.0) for name in LENT) >= max(enough, 1e-9):
        text.append("its session speaks of it")
    text += [says for name, says in PARTS.items() if parts.get(name, 0.0) >= max(enough, 1e-9)]
    if parts.get("importance", 0.0) > 0 and image["importance"] >= IMPORTANT:
        text.append("it is important")
    return (*text, *_opinion(image))


def _words(has: Sequence[str], request: Sequence[str]) -> str:
    words = ", ".join(has)
    if len(request) == 1:
        return f"has your word {words}"
    if len(has) == len(request):
        all_of = "both" if len(request) == 2 else f"all {_counted(len(request))}"
        return f"has {all_of} words of your question: {words}"
    return (
        f"has {_counted(len(has))} of the {_counted(len(request))} words of your question: {words}"
    )


def _counted(number: int) -> str:
    return COUNTED[number] if number < len(COUNTED) else str(number)


def _other_words(
    reader: Reader,
    question: str,
    terms: Sequence[Term],
    own: Mapping[str, Sequence[str]],
    image: Mapping[str, Any],
    has: set[str],
) -> list[str]:
    """By which other words the memory has what it does not have as it was asked."""
    missing = [term for term in terms if term.text not in has]
    ways = (
        ({term.text: own_words(term.text, own) for term in terms}, "your alias {other} → {asked}"),
        (everyday_words([term.text for term in terms], own), "the alias {other} → {asked}"),
        (joined_words(terms), "{other} is {asked} in one word"),
    )
    text = []
    for others, says in ways:
        asked_by: dict[str, list[str]] = {}  # one alias may stand for several words in a row
        for term in missing:
            if other := next(
                (synonym for synonym in others.get(term.text, ()) if _in(synonym, image)), None
            ):
                asked_by[other] = [
                    synonym.text for synonym in terms if other in others.get(synonym.text, ())
                ]
        for other, value in asked_by.items():
            text.append(says.format(other=other, asked=" ".join(value)))
        explained = {word for words in asked_by.values() for word in words}
        missing = [term for term in missing if term.text not in explained]
    mended = mended_words(reader, missing, reader.frequencies([term.text for term in missing]))
    for word, stems in mended.items():
        if written := _as_written(stems, image):
            text.append(f"{word} is read as {written}")
    for term in question_terms(question, terms):
        if other := next((synonym for synonym in term.synonyms if _in(synonym, image)), None):
            text.append(f"{term.text}: it has {other}")
    return text


def _in(word: str, image: Mapping[str, Any]) -> bool:
    """Whether the memory has a word, or words in a row."""
    return bool(match((Term(word),), image).terms)


def _as_written(stems: Sequence[str], image: Mapping[str, Any]) -> str:
    """How the memory writes a word of which the index knows the stem; "" when it has none."""
    words = f"{image['title']} {image['content']}".split()
    plain = [word.strip(".,;:!?()[]{}\"'`") for word in words]
    return next((word for word in plain for stem in stems if word.lower().startswith(stem)), "")


def _opinion(image: Mapping[str, Any]) -> list[str]:
    helpful, unhelpful = image.get("helpful") or 0, image.get("unhelpful") or 0
    if helpful > unhelpful:
        return ["you called it helpful"]
    return ["you called it not helpful"] if unhelpful > helpful else []
