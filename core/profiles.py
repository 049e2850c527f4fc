"""The profile as it leaves the core: frozen, plain."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .judgements import Conflict
from .values import Memory


@dataclass(frozen=True, slots=True)
class ProfileEntry:
    """One thing that agents are to know of the person or the project, and what it rests on."""

    section: str  # preferences, patterns, facts
    group: str  # the category of a preference, the domain of a pattern, the kind of a fact
    why: str  # what put it there, in words
    weight: float  # 0-1: at least 0.9 of a preference, 0.7 of a pattern
    memory: Memory  # the one that says it: the person's before what is established
    rests_on: tuple[Memory, ...]  # all that say it, that one first
    asked: str = ""  # id of the open conflict with another entry; "" of what nothing contradicts
    is_told: bool = True  # whether agents may be told it at a start: not while it is undecided

    @property
    def provenance(self) -> str:
        """Who said it: one of `PROVENANCES`."""
        return self.memory.provenance

    @property
    def degree(self) -> str:
        """How sure it is: person or established."""
        return self.memory.degree

    @property
    def whose(self) -> str:
        """In a word: `yours` (you said it), `confirmed` (you stand by it), `established`."""
        if self.degree != "person":
            return self.degree
        return "yours" if self.provenance == "person" else "confirmed"

    @property
    def last_used(self) -> datetime | None:
        """When one of its memories was last used; None: never."""
        return max((item.last_access for item in self.rests_on if item.last_access), default=None)

    @property
    def sessions(self) -> int:
        """How many sessions its memories were learned in."""
        return len({item.origin.session for item in self.rests_on if item.origin.session})


@dataclass(frozen=True, slots=True)
class Profile:
    """Who the person is to agents, and what holds here: derived from the memories as they are."""

    project: str  # the project's name
    preferences: tuple[ProfileEntry, ...] = ()
    patterns: tuple[ProfileEntry, ...] = ()
    facts: tuple[ProfileEntry, ...] = ()
    questions: tuple[Conflict, ...] = ()  # two of it that contradict each other
    is_told: bool = True  # whether sessions that start are told it (`lifecycle.profile`)
    is_cut: bool = False  # whether there is more than is looked at

    @property
    def entries(self) -> tuple[ProfileEntry, ...]:
        """All entries, section by section, the weightiest first."""
        return (*self.preferences, *self.patterns, *self.facts)

    def of_group(self, name: str) -> tuple[ProfileEntry, ...]:
        """The preferences and patterns of a category or domain, those in question too."""
        wanted = name.strip().lower()
        return tuple(
            preference
            for preference in (*self.preferences, *self.patterns)
            if preference.group.lower() == wanted
        )
