"""The user's preferences and patterns for every project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..values import Memory
    from .search import Search

GENERAL = "general"  # the group of what names none
CATEGORIES = ("preference", "pattern")  # categories of memories in the profile

Profile = dict[str, dict[str, list["Memory"]]]
"""By `preference` and `pattern`, then by their groups: memories, the most important first."""


@dataclass(frozen=True, slots=True)
class ProfileBook:
    """What `is:me` lists, by category."""

    _search: Search

    def profile(self) -> Profile:
        """Return the user's preferences by category and patterns by domain."""
        profile: Profile = {category: {} for category in CATEGORIES}
        for memory in self._search.list("is:me sort:importance"):
            profile[memory.category].setdefault(group_of(memory), []).append(memory)
        return {category: dict(sorted(groups.items())) for category, groups in profile.items()}


def group_of(memory: Memory) -> str:
    """Return the category or domain of a memory: the tag behind `preference` or `pattern`."""
    tags = [tag.lower() for tag in memory.tags]
    if memory.category in tags and (rest := tags[tags.index(memory.category) + 1 :]):
        return rest[0]
    others = [tag for tag in tags if tag not in ("global", memory.category)]
    return others[0] if others else GENERAL
