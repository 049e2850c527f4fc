"""What of the memories is the profile: who the person is to agents.

Derived, never stored: what the memories say is all there is. What nothing bears out belongs to no
profile, and a preference is the person's only where a person stands for it (`db.trust`). Standard
library only: a session's start waits for this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SECTIONS = ("preferences", "patterns", "facts")
"""What the person prefers, how things are done, and what holds in the project."""

WEIGHTS: Mapping[str, float] = {"preferences": 0.9, "patterns": 0.7}
"""What an entry of a section weighs at least, 0-1; a fact weighs what its memory does."""

SURE = ("person", "established")
"""The degrees that a profile is made of."""

_HOLDS = ("decision", "architecture", "warning", "discovery", "preference")


def section_of(image: Mapping[str, Any]) -> str | None:
    """One of `SECTIONS`, or None for what belongs to no profile.

    `image` has at least type, category, scope and degree, as the store gives them. What an agent
    says that the person prefers is at most a policy: it is no preference of theirs.
    """
    kind, category = image["type"], image["category"]
    if image.get("degree") not in SURE or image["scope"] == "task":
        return None
    if kind in ("working", "prospective"):
        return None
    if category == "preference" and image["degree"] == "person":
        return "preferences"
    if category == "pattern" or kind == "procedural":
        return "patterns"
    holds = kind == "semantic" or category == "decision"  # however it is told that it was made
    return "facts" if holds and category in _HOLDS else None


def weight_of(section: str, importance: float) -> float:
    """What an entry weighs, 0-1: its memory's importance, and no less than its section's."""
    return max(importance, WEIGHTS.get(section, 0.0))


def in_question(
    degrees: Mapping[str, str], pairs: Sequence[tuple[str, str]]
) -> tuple[list[tuple[str, str]], Set[str]]:
    """The pairs of the profile that contradict each other, and who is not told until decided.

    `degrees` are those of the profile's memories by id, `pairs` open conflicts. Of two of one
    degree neither is told. What the person laid down is told all the same where only an
    established note speaks against it: else an agent could silence the person.
    """
    request = [pair for pair in pairs if all(item in degrees for item in pair)]
    untold: set[str] = set()
    for pair in request:
        is_even = degrees[pair[0]] == degrees[pair[1]]
        untold.update(item for item in pair if is_even or degrees[item] != "person")
    return request, untold
