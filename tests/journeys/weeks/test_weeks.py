"""Projects of six to ten sessions: what every start and chosen prompts are told, day after day.

Each project is a TOML file beside this one. Its claims are in words and come from the requirement
or the promise that they name. Where the numbers are held is said in `README.md` beside this file.
"""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from memdeck import Memory

from .player import FOLDER, PROJECTS, Told, Week

CONFIRMED = re.compile(r"the user stated or confirmed the following", re.IGNORECASE)
REST = re.compile(
    r"unfinished tasks, for information|recorded by agents in|background from earlier"
)
NAMES = ("at", "of", "told", "not_told", "once", "first", "second", "nothing")


@pytest.mark.parametrize("name", PROJECTS)
def test_each_session_of_a_project_is_told_what_is_true_and_told_it_once(name, tmp_path):
    week = Week((FOLDER / f"{name}.toml").read_text("utf-8"), tmp_path)
    assert 6 <= len(week.sessions) <= 10
    faults = list[str]()
    for number, session, told in week.play():
        for claim in session.get("claim", ()):
            faults += [f"session {number}, {fault}" for fault in broken(claim, told)]
        for fact in session.get("kept", ()):
            faults += [f"after session {number}, {fault}" for fault in unlike(fact, week)]
    assert not faults, "\n".join(["", *faults])


def broken(claim: dict[str, Any], told: list[Told]) -> list[str]:
    """How a claim about one session is broken, in words."""
    assert set(claim) <= set(NAMES), claim
    text = heard(claim["at"], told)
    first, second = parts(text)
    faults = [f"not told: {words}" for words in claim.get("told", ()) if words not in text]
    faults += [f"told: {words}" for words in claim.get("not_told", ()) if words in text]
    for words in claim.get("once", ()):
        if text.count(words) != 1:
            faults.append(f"told {text.count(words)} times: {words}")
    faults += [f"not in the first part: {w}" for w in claim.get("first", ()) if w not in first]
    for words in claim.get("second", ()):
        if words not in second or words in first:
            faults.append(f"not in the second part alone: {words}")
    if claim.get("nothing") and text.strip():
        faults.append(f"something was told: {text}")
    return [f"{claim['at']} ({claim['of']}): {fault}" for fault in faults]


def heard(place: str, told: list[Told]) -> str:
    """What was told at a place; the opening is all up to the first prompt's answer."""
    if place == "all":
        return "\n".join(one.text for one in told)
    if place == "opening":
        return "\n".join(one.text for one in told[:2])
    texts = [one.text for one in told if one.place == place]
    assert texts, f"no {place} among {[one.place for one in told]}"
    return "\n".join(texts)


def parts(text: str) -> tuple[str, str]:
    """What the user confirmed, and the rest."""
    confirmed, rest = CONFIRMED.search(text), REST.search(text.lower())
    first = text[confirmed.end() : rest.start() if rest else None] if confirmed else ""
    return first, text[rest.end() :] if rest else ""


def unlike(fact: dict[str, Any], week: Week) -> list[str]:
    """How what is kept differs from a fact: `none`, or how one memory `is`."""
    found = week.those(fact["words"], retired=fact.get("retired", False))
    found = [one for one in found if fact.get("type", one.type) == one.type]
    if fact.get("none"):
        return [f"{fact['of']}: kept: {one.content}" for one in found]
    if len(found) != 1:
        return [f"{fact['of']}: {len(found)} are kept with: {fact['words']}"]
    faults = []
    for name, wanted in fact["is"].items():
        value = value_of(found[0], name)
        if (round(value, 3) if isinstance(value, float) else value) != wanted:
            faults.append(f"{fact['of']}: {name} is {value!r}, not {wanted!r}: {fact['words']}")
    return faults


def value_of(memory: Memory, name: str) -> Any:
    """A field of a memory, of its `details.` or of its `origin.`."""
    value: Any = memory
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else getattr(value, part, None)
    return value
