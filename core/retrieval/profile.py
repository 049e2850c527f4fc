"""The profile's part of what a session that starts is told (003-13): who it works for.

Its memories have a share of the budget of their own, stand before all that is told unasked, and are
not told again below. Standard library only: a session's start waits for this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from ..lifecycle.profile import in_question, section_of, weight_of
from .selection import LeftOut, Ranked, distinct, is_doubted, lived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reader import Reader

MOST_PREFERENCES = 5
"""What the person prefers, told at the start of a session (001-16, 003-13)."""

MOST_OTHERS = 5
"""Patterns, facts and policies, told beside them."""

LOOKED_AT = 4 * MOST_PREFERENCES
"""Preferences that are read: what an agent made of the person's is no preference of theirs."""

UNDECIDED = "it contradicts another of the profile; a person must decide"


def profile_of(
    reader: Reader,
    preferences: Sequence[Mapping[str, Any]],
    ranked: Sequence[Ranked],
    above: Sequence[Ranked],
    left_out: LeftOut,
) -> tuple[list[Ranked], frozenset[str]]:
    """What is told of the profile, the person's before what is established, each by weight; and
    the ids of those of which nobody is told until a person has decided.

    Of `preferences`, and of what else is `ranked` to be told unasked. A pinned memory stands
    `above` and is told with what contradicts it (002-16, 002-25): it puts nothing in question here.
    """
    shown = {one.id for one in above}
    images = {one.id: one.image for one in ranked if "told" not in one.parts}
    images |= {image["id"]: image for image in preferences}
    parts = [(section, one) for one in images.values() if (section := section_of(one))]
    untold = _untold(reader, [image for _, image in parts], shown)
    left_out.extend((one, UNDECIDED) for one in sorted(untold))
    chosen: list[Ranked] = []
    places = {"preferences": MOST_PREFERENCES, "": MOST_OTHERS}
    for section, image in sorted(parts, key=_foremost_first):
        share = section if section in places else ""
        if image["id"] in untold or image["id"] in shown or not places[share]:
            continue
        places[share] -= 1
        weight = weight_of(section, lived(image))
        part = "preference" if section == "preferences" else "profile"
        chosen.append(Ranked(image, weight, {part: weight}))
    both_hold = reader.both_hold([one.id for one in (*above, *chosen)])
    return distinct(chosen, above, left_out, both_hold), untold


def _untold(reader: Reader, images: Sequence[Mapping[str, Any]], shown: Set[str]) -> frozenset[str]:
    """The ids of those of which one must decide first, their rivals among them."""
    degrees = {image["id"]: image["degree"] for image in images}
    pairs = reader.rivals(sorted(degrees)) if degrees else []
    pairs = [pair for pair in pairs if not shown & {*pair}]
    others = sorted({one for pair in pairs for one in pair} - degrees.keys())
    for image in reader.images(reader.nums(others)) if others else ():
        if section_of(image):
            degrees[image["id"]] = image["degree"]
    return frozenset(in_question(degrees, pairs)[1])


def _foremost_first(
    entry: tuple[str, Mapping[str, Any]],
) -> tuple[bool, bool, bool, float, float, int]:
    section, image = entry
    is_persons = image["degree"] == "person"
    weight = weight_of(section, lived(image))
    is_first = (not is_persons, section != "preferences", is_doubted(image))
    return (*is_first, -weight, -lived(image), -image["num"])
