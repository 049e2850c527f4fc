"""Does a text only repeat what its session was told, whole or in pieces?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..answers import Neighbour
from ..text.content import content_of
from .duplicates import THRESHOLD, are_of_a_kind, near_duplicate

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
