"""Do we know this already, in other words? Found among the neighbours that search brings.

By its words (`text.sameness`); of what its session was told also where a text is made of that,
whole or in pieces. A plan is never the duplicate of a fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..answers import Neighbour
from ..text.sameness import ALIKE, content_of, is_equal, likeness, says_otherwise

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
) -> Neighbour | None:
    """Return the nearest neighbour that says the same, with its similarity; None if none does.

    Exactly `threshold` is near enough. A memory that differs in a value or a name, or rather
    contradicts, is passed over. `type` is the text's type; without it the wording marks a plan.
    """
    near = [
        one for one in nearest(text, neighbours, len(neighbours)) if are_of_a_kind(text, one, type)
    ]
    return next(
        (
            one
            for one in near
            if is_equal(text, one.content)
            or (one.similarity >= threshold and not says_otherwise(text, one.content))
        ),
        None,
    )


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
