"""Which category of preferences, which domain of patterns, or which kind of fact a memory is of.

A small rule over data (`profile_groups.toml`), which says of each answer what led to it: a tag
names the group, else the files and words that it has most of.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

GENERAL = "general"
"""The group of what nothing says more of."""

OWN = {"preferences": "preference", "patterns": "pattern"}
"""The tag by which an entry of the person's own says what it is; the next one is its group."""

LOOKS_AT = 300
"""Characters of a memory in which words are looked for: what it is about stands in front."""

FILE_COUNTS = 2

_SIGNS = ("tags", "words", "files", "categories")


@dataclass(frozen=True, slots=True)
class Group:
    """A category of preferences, a domain of patterns or a kind of fact, and what speaks for it."""

    name: str
    tags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@cache
def groups_of(section: str) -> tuple[Group, ...]:
    """The groups of a section that there are from the start, as the data has them."""
    text = files(__package__).joinpath("profile_groups.toml").read_text(encoding="utf-8")
    return tuple(
        Group(load["name"], *(tuple(load.get(name, ())) for name in _SIGNS))
        for load in tomllib.loads(text)[section]
    )


def names_of(section: str) -> tuple[str, ...]:
    """The names of those groups, and `GENERAL`."""
    return (*(group.name for group in groups_of(section)), GENERAL)


def group_of(section: str, memory: Mapping[str, Any]) -> tuple[str, str]:
    """The group of a memory, and what led to it in words.

    `memory` has title, content, category, tags and files. One of its own names its group itself:
    it is the tag behind "preference" or "pattern", whether the data knows it or not.
    """
    tags = [tag.lower() for tag in memory["tags"]]
    groups = groups_of(section)
    existing = {tag: group.name for group in groups for tag in (group.name, *group.tags)}
    named = [tag for tag in tags if tag in existing]
    if OWN.get(section) in tags and (own := tags[tags.index(OWN[section]) + 1 :]):
        return own[0], f"its tag {own[0]}"
    if named:
        return existing[named[0]], f"its tag {named[0]}"
    for group in groups:
        if memory["category"] in group.categories:
            return group.name, f"its category {memory['category']}"
    matches = [(_signs(group, memory), group.name) for group in groups]
    signs, name = max(matches, key=lambda item: item[0][0], default=((0, []), GENERAL))
    if not signs[0]:
        return GENERAL, "nothing in it says more"
    return name, f"it says {', '.join(signs[1][:3])}"


def regrouped(section: str, tags: Sequence[str], name: str) -> tuple[str, ...]:
    """The tags of a memory that a person puts into the group `name`: they name it and no other."""
    gone = {tag for group in groups_of(section) for tag in (group.name, *group.tags)} | {name}
    own = OWN.get(section)
    if own in tags:  # and the group it named before
        gone.update(tags[tags.index(own) : tags.index(own) + 2])
    retained = [tag for tag in tags if tag.lower() not in gone]
    return (*retained, own, name) if own else (*retained, name)


def _signs(group: Group, memory: Mapping[str, Any]) -> tuple[int, list[str]]:
    """How much of a group a memory has, and what."""
    text = f"{memory['title']}\n{memory['content']}"[:LOOKS_AT].lower()
    held = [
        path for path in memory["files"] if any(fnmatchcase(path, like) for like in group.files)
    ]
    words = [match[0] for word in group.words if (match := _pattern(word).search(text))]
    words = list(dict.fromkeys(words))
    return FILE_COUNTS * len(held) + len(words), [*held, *words]


@cache
def _pattern(word: str) -> re.Pattern[str]:
    stem, more = re.escape(word.removesuffix("*")), r"\w*" if word.endswith("*") else ""
    return re.compile(rf"(?<!\w){stem}{more}(?!\w)")
