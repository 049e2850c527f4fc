"""Do we know this already, in other words? Found among the neighbours that search brings.

What contradicts a memory is never its duplicate, and a plan is never the duplicate of a fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..answers import Neighbour
from ..judgement.pairs import judge, may_be_same
from ..judgement.weights import DamagedWeights
from .conflicts import opposition_of, refutes
from .fingerprint import normalised
from .similarity import content_of, says_otherwise, similarity

THRESHOLD = 0.85
"""Similarity (0-1) from which two texts say the same (001-06)."""

QUOTED_WORDS = 4
"""Words from which on a sentence that stands in another text is quoted there."""

NEWS = 4.0
"""Words that count, from which on what stands beside a quotation is worth a look of its own."""

_SENTENCE_END = re.compile(r"[.!?;:]+(?=\s|$)|\n")
_WORDS = re.compile(r"[\w./@:+#-]*\w")

_PLAN = re.compile(
    r"^\W{0,4}(?:todo|fixme|reminder|follow[- ]?up)\b|\b(?:todo|remind me|need to|plan to|later)\b",
    re.IGNORECASE,
)


def nearest(text: str, neighbours: Sequence[Neighbour], limit: int = 5) -> tuple[Neighbour, ...]:
    """The `limit` nearest neighbours, nearest first, each with its similarity to `text`.

    Equally near ones keep their order.
    """
    judged = [replace(one, similarity=similarity(text, one.content)) for one in neighbours]
    return tuple(sorted(judged, key=lambda one: -one.similarity)[: max(limit, 0)])


def near_duplicate(
    text: str,
    neighbours: Sequence[Neighbour],
    *,
    threshold: float = THRESHOLD,
    type: str | None = None,
) -> Neighbour | None:
    """The nearest neighbour that says the same, with its similarity; None if none does.

    Exactly `threshold` is near enough; so is what the fitted judge is sure of, in whatever words,
    unless `threshold` asks for more than the usual. A neighbour that contradicts the text, or
    differs in a value or a name, is passed over whatever the threshold. `type` is the text's type,
    where it is known; else its wording tells a plan from a fact.
    """
    ranked = nearest(text, neighbours, len(neighbours))
    for one in ranked:
        if one.similarity < threshold:
            break
        if _may_be_same(text, one, type):
            return one
    return _in_other_words(text, ranked, type) if threshold <= THRESHOLD else None


def _in_other_words(text: str, ranked: Sequence[Neighbour], type: str | None) -> Neighbour | None:
    """The neighbour that the judge is surest says the same; None also where its weights are lost:
    likeness is left."""
    try:
        sure = [
            (verdict.same, -place)
            for place, one in enumerate(ranked)
            if may_be_same(text, one.content)  # most neighbours differ, and that is told cheaper
            and (verdict := judge(text, one.content)).is_surely_same
            and _are_of_a_kind(text, one, type)
            and not _is_opposed(text, one)
        ]
    except DamagedWeights:
        return None
    return ranked[-max(sure)[1]] if sure else None


def repeated(
    text: str,
    told: Sequence[Neighbour],
    *,
    threshold: float = THRESHOLD,
    type: str | None = None,
) -> Neighbour | None:
    """Which of `told` a text repeats, or None: says the same, or is made of their sentences.

    What is left of the text without these sentences must say too little to be news.
    """
    if near := near_duplicate(text, told, threshold=threshold, type=type):
        return near
    whole = _flat(text)
    if len(whole.split()) < QUOTED_WORDS:
        return None
    rest, sources = whole, list[Neighbour]()
    for one in told:
        if not _may_be_same(text, one, type):
            continue
        if whole in _flat(one.content):
            return one
        for sentence in map(_flat, _SENTENCE_END.split(one.content)):
            if len(sentence.split()) >= QUOTED_WORDS and sentence in rest:
                rest = rest.replace(sentence, " ")
                sources.append(one)
    is_news = sum(content_of(rest).weights.values()) >= NEWS
    return None if is_news or not sources else sources[0]


def _flat(text: str) -> str:
    """The words of a text in lower case, one blank around each."""
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def _may_be_same(text: str, neighbour: Neighbour, type: str | None) -> bool:
    if type is not None and (type == "prospective") != (neighbour.type == "prospective"):
        return False
    if normalised(text) == normalised(neighbour.content):
        return True
    return (
        _are_of_a_kind(text, neighbour, type)
        and not says_otherwise(text, neighbour.content)
        and not _is_opposed(text, neighbour)
    )


def _are_of_a_kind(text: str, neighbour: Neighbour, type: str | None) -> bool:
    """Whether both are plans, or neither."""
    if type is None:
        return bool(_PLAN.search(text)) == _is_plan(neighbour)
    return (type == "prospective") == (neighbour.type == "prospective")


def _is_opposed(text: str, neighbour: Neighbour) -> bool:
    return opposition_of(text, neighbour) is not None or bool(refutes(text, (neighbour,)))


def _is_plan(neighbour: Neighbour) -> bool:
    return neighbour.type == "prospective" or bool(_PLAN.search(neighbour.content))
