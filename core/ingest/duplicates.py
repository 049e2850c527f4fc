"""Do we know this already, in other words? Found among the neighbours that search brings.

By its words (`text.sameness`), or since the fitted judge is sure; of what its session was told also
where a text is made of that, whole or in pieces. A plan is never the duplicate of a fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..answers import Neighbour
from ..judgement.pairs import NO_BIAS, Bias, judged
from ..judgement.pairs_beside import may_be_same
from ..judgements import LIKELY
from ..text.content import content_of
from ..text.sameness import (
    ALIKE,
    denies_otherwise,
    is_equal,
    likeness,
    says_otherwise,
    says_the_same,
)

THRESHOLD = ALIKE
"""Likeness (0-1) from which on two texts say the same."""

_PLAN = re.compile(
    r"^\W{0,4}(?:todo|fixme|reminder|follow[- ]?up)\b|\b(?:todo|remind me|need to|plan to|later)\b",
    re.IGNORECASE,
)


def nearest(text: str, neighbours: Sequence[Neighbour], limit: int = 5) -> tuple[Neighbour, ...]:
    """The `limit` nearest neighbours, nearest first, each with its similarity to `text`.

    Equally near ones keep their order.
    """
    judged = [replace(one, similarity=likeness(text, one.content)) for one in neighbours]
    return tuple(sorted(judged, key=lambda one: -one.similarity)[: max(limit, 0)])


def near_duplicate(
    text: str,
    neighbours: Sequence[Neighbour],
    *,
    threshold: float = THRESHOLD,
    type: str | None = None,
    bias: Bias = NO_BIAS,
) -> Neighbour | None:
    """The nearest neighbour that says the same, with its similarity; None if none does.

    Exactly `threshold` is near enough; so is what the judge is sure of, in whatever words, unless
    `threshold` asks for more than the usual. What differs in a value or a name, or rather
    contradicts, is passed over. `type` is the text's type; else its wording tells a plan.
    """
    ranked = nearest(text, neighbours, len(neighbours))
    near = [one for one in ranked if are_of_a_kind(text, one, type)]
    for one in near:
        if is_equal(text, one.content):
            return one
        if one.similarity >= threshold and not says_otherwise(text, one.content):
            return one
    careful = replace(bias, same=min(bias.same, 0.0))  # no verdict makes silent merging easier
    sure = [
        (told.same, -place)
        for place, one in enumerate(near if threshold <= THRESHOLD else ())
        if may_be_same(text, one.content)  # most neighbours differ, and that is told cheaper
        and not denies_otherwise(text, one.content)
        and (told := judged(text, one.content, careful))
        and told.is_surely_same
    ]
    return near[-max(sure)[1]] if sure else None


def says_again(one: str, other: str, bias: Bias = NO_BIAS) -> bool:
    """Whether two texts likely say one thing: by their words, or since the judge deems it likely.

    Less than a duplicate, which one such pair makes: for what is borne out by several.
    """
    if says_the_same(one, other):
        return True
    if not may_be_same(one, other) or denies_otherwise(one, other):
        return False
    told = judged(one, other, bias)
    return told is not None and told.same >= LIKELY and told.band != "conflict"


def are_of_a_kind(text: str, one: Neighbour, type: str | None) -> bool:
    """Whether both are plans, or neither."""
    is_plan = bool(_PLAN.search(text)) if type is None else type == "prospective"
    theirs = one.type == "prospective"
    return is_plan == (theirs or (type is None and bool(_PLAN.search(one.content))))


QUOTED_WORDS = 4
"""Words from which on a sentence that stands in another text is quoted there."""

NEWS = 4.0
"""What a text must tell beside a quotation, to be worth a look of its own (`Content.weight`)."""

_SENTENCE_END = re.compile(r"[.!?;:]+(?=\s|$)|\n")
_WORDS = re.compile(r"[\w./@:+#-]*\w")


def repeated(
    text: str, told: Sequence[Neighbour], *, threshold: float = THRESHOLD, type: str | None = None
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
        if not are_of_a_kind(text, one, type):
            continue
        if whole in _flat(one.content):
            return one
        for sentence in map(_flat, _SENTENCE_END.split(one.content)):
            if len(sentence.split()) >= QUOTED_WORDS and sentence in rest:
                rest = rest.replace(sentence, " ")
                sources.append(one)
    return sources[0] if sources and content_of(rest).weight < NEWS else None


def begun_by(text: str, known: Sequence[Neighbour], session: str | None) -> tuple[str, ...]:
    """The candidates of this session whose words a text begins with, and goes on from."""
    whole = _flat(text)
    return tuple(
        one.id
        for one in known
        if one.status == "candidate"
        and one.session is not None
        and one.session == session
        and len((words := _flat(one.content)).split()) >= QUOTED_WORDS
        and whole.startswith(words)
    )


def _flat(text: str) -> str:
    """The words of a text in lower case, one blank around each."""
    return f" {' '.join(_WORDS.findall(text.lower()))} "
