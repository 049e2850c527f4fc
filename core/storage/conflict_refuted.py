"""An approach that failed, and a statement that recommends it (003-10: failures are kept).

A failure that was mended refutes nothing: most errors that are written down were.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import conflict_words as words
from .conflict_reading import Item, Sentence, has_phrase
from .conflict_stems import stem, stems

ENOUGH = 0.6
"""Share of the approach's words that the recommendation must have."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """An approach that one sentence reports as failed and another one recommends."""

    subject: str  # the approach
    said: str  # what the first of both says of it
    other: str  # what the second says


_FAILED = stems(frozenset(word for phrase in words.FAILURES for word in phrase)) | {"not"}
_TRIED = stems(words.ATTEMPTS)


def refuted_by(one: Sentence, other: Sentence) -> Refuted | None:
    """What the one reports as failed and the other recommends, whichever is which."""
    if approach := _refuted(one, other):
        return Refuted(approach, "failed", "recommended")
    if approach := _refuted(other, one):
        return Refuted(approach, "recommended", "failed")
    return None


def _refuted(failure: Sentence, advice: Sentence) -> str:
    """The approach as the advice names it; "" if the failure does not refute it."""
    if advice.asks or failure.asks or not _failed(failure) or not _recommends(advice):
        return ""
    approach = _approach(failure)
    heavy = {item.stem for item in approach if item.weight == 1}
    advised = [item for item in advice.of("main", "place", "when") if item.sign > 0]
    roots = {item.stem for item in advised}
    shared = heavy & roots
    if len(shared) < ENOUGH * len(heavy) or not _is_telling(approach, shared):
        return ""
    if _other_tool(approach, advised) or _is_elsewhere(failure, advice):
        return ""
    return " ".join(dict.fromkeys(item.shown for item in advised if item.stem in shared))


def _failed(sentence: Sentence) -> bool:
    if words.REMEDIES & set(sentence.lows) and not has_phrase(
        sentence.lows, (("not", "work"), ("never", "worked"))
    ):
        return False
    tried = bool(words.ATTEMPTS & set(sentence.lows))
    return has_phrase(sentence.lows, words.FAILURES) and (tried or not _is_event(sentence))


def _is_event(sentence: Sentence) -> bool:
    """Whether something merely went wrong once, which says nothing against the approach."""
    return not has_phrase(sentence.lows, words.CHRONIC)


def _approach(sentence: Sentence) -> list[Item]:
    """The words before the failure, or after "tried" and "gave up on": what failed."""
    found: list[Item] = []
    for item in sentence.items:
        if item.stem in _TRIED or item.part == "when":
            continue
        if item.stem in _FAILED or stem(item.shown.lower()) in _FAILED:
            if found:
                break
            continue
        found.append(item)
    return found


def _is_elsewhere(failure: Sentence, advice: Sentence) -> bool:
    """Whether it failed for one purpose and is recommended for another."""
    where = {item.stem for item in failure.of("place") if item.weight == 1}
    advised = {item.stem for item in advice.of("place") if item.weight == 1}
    return bool(where - {item.stem for item in advice.items}) and bool(
        advised - {item.stem for item in failure.items}
    )


def _is_telling(approach: list[Item], shared: set[str]) -> bool:
    """Whether a name or two words are shared: one plain word is no approach."""
    named = {item.stem for item in approach if item.kind not in ("word", "polar")}
    return bool(named & shared) or len(shared) >= 2


def _other_tool(approach: list[Item], advised: list[Item]) -> bool:
    mine = {item.stem for item in approach if item.kind in ("tool", "name", "path")}
    theirs = {item.stem for item in advised if item.kind in ("tool", "name", "path")}
    return bool(mine) and not mine & theirs


def _recommends(sentence: Sentence) -> bool:
    """Whether it tells to do something, or that it works, and denies nothing."""
    if not sentence.lows or has_phrase(sentence.lows, words.FAILURES):
        return False
    return sentence.lows[0] in words.ADVICE or not words.ADVISING.isdisjoint(sentence.lows)
