"""What may tell two memories apart that both hold: the conditions that their texts name."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_WORDS = 6  # of a condition, its first word included

_BEGINS = (
    "for|in|on|at|when|while|during|if|unless|under|with|without|before|after|until|inside|outside"
    "|within|behind"
)
_ENDS = (
    "is|are|was|were|be|must|should|shall|can|may|will|never|always|not|has|have|had|needs?|uses?"
    "|lives?|runs?|goes|go|takes?|reads?|fails?|since|because|as|so|then|but|and|or|to"
)
_CONDITION = re.compile(
    rf"\b(?:{_BEGINS})\b(?: [^\s,.;:!?()]+){{1,{MOST_WORDS - 1}}}", re.IGNORECASE
)
_END = re.compile(rf"\s(?:{_ENDS}|{_BEGINS})\b.*", re.IGNORECASE | re.DOTALL)
_NEXT_NOUN = re.compile(r"(?<=\S)\s(?:the|an?|it|we|you|they|this|that)\b.*", re.IGNORECASE)


def guessed_context(first: str, second: str, known: tuple[str, str] | None = None) -> str:
    """`one for webhooks, the other for batch jobs`; "" where the texts name no condition.

    A condition that both name tells nothing apart, and one with a number in it is more likely
    what they disagree about. `known`: all that each side says, when `first` and `second` are
    only the parts to look in.
    """
    one, other = known or (first, second)
    ours, theirs = _told_apart(first, other), _told_apart(second, one)
    if ours and theirs:
        return f"one {ours}, the other {theirs}"
    return f"one only {ours or theirs}" if ours or theirs else ""


def _told_apart(text: str, rival: str) -> str:
    """The first condition of `text` that the other text does not name."""
    known = " ".join(rival.lower().split())
    for condition in _conditions(text):
        if condition.lower() not in known:
            return condition
    return ""


def _conditions(text: str) -> Iterator[str]:
    for found in _CONDITION.finditer(" ".join(text.split())):
        condition = found[0]
        first, _, rest = condition.partition(" ")
        rest = _NEXT_NOUN.sub("", _END.sub("", f" {rest}").strip())
        if rest and not any(character.isdigit() for character in rest):
            yield f"{first.lower()} {rest}"
