"""A memory that a text contradicts, or may: by which words, how likely, and who is told."""

from __future__ import annotations

from dataclasses import dataclass

from ..answers import Neighbour

KINDS = ("contradictory", "superseded", "ambiguous")
"""What a conflict may be (002-10)."""

CONFLICT, NEAR = "conflict", "near"
"""Marked for agents on both sides; listed for a person only."""

_ENDINGS = {
    "superseded": "; the new one replaces what was",
    "ambiguous": "; perhaps each holds in its own case",
}


@dataclass(frozen=True, slots=True)
class Opposition:
    """A memory that a text contradicts, or may, and by which words."""

    neighbour: Neighbour
    kind: str  # one of KINDS; superseded: the text replaces the neighbour
    band: str  # CONFLICT or NEAR
    same: float | None  # 0-1, how likely the two say the same, and
    contradict: float | None  # how likely they contradict each other, before any person's verdicts;
    # None: they are opposite in nothing but the words of 002-24, and the judge was not asked
    subject: str  # what both are about; may be empty, as the next two
    said: str  # the opposing words of the text
    other: str  # the opposing words of the neighbour

    @property
    def reason(self) -> str:
        """One line for a person."""
        return describe(self)


def describe(opposition: Opposition) -> str:
    """One line for a person: which words oppose each other, and about what."""
    about = f"{opposition.subject}: " if opposition.subject else ""
    said, other = (f"“{words}”" if words else "" for words in (opposition.said, opposition.other))
    between = (
        "against" if opposition.kind != "ambiguous" or not _may_be_same(opposition) else "beside"
    )
    if said and other:
        words = f"{said} {between} {other}"
    else:
        words = f"only one says {said or other}" if said or other else "the same words"
    return f"{about}{words}{_ENDINGS.get(opposition.kind, '') if between == 'against' else ''}."


def _may_be_same(opposition: Opposition) -> bool:
    return (opposition.same or 0.0) >= (opposition.contradict or 0.0)
