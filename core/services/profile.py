"""The user's preferences and patterns for every project, and what a project decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import BadInput
from ..ingest.drafts import texts

if TYPE_CHECKING:
    from ..answers import StoreResult
    from ..values import Memory
    from .curation import Curation
    from .ingest import Captures
    from .search import Search

GENERAL = "general"
"""The group of what names none."""

WEIGHTS = {"preference": 0.9, "pattern": 0.7}
"""Importance, 0-1, of a preference and of a pattern."""

KINDS: Mapping[str, tuple[str, float]] = {
    "decision": ("decision", 0.9),
    "convention": ("pattern", 0.8),
    "failure": ("error", 0.85),
}
"""Category and importance, 0-1, of what a project decided."""

MAX_DECISIONS = 100
MAX_NAME = 40
"""Characters of a category or a domain."""

Profile = dict[str, dict[str, list["Memory"]]]
"""By `preference` and `pattern`, then by their groups: memories, the most important first."""


@dataclass(frozen=True, slots=True)
class ProfileBook:
    """What `is:me` lists, by category."""

    _captures: Captures
    _curation: Curation
    _search: Search

    def profile(self) -> Profile:
        """Return the user's preferences by category and patterns by domain."""
        profile: Profile = {category: {} for category in WEIGHTS}
        for memory in self._search.list("is:me sort:importance"):
            profile[memory.category].setdefault(group_of(memory), []).append(memory)
        return {category: dict(sorted(groups.items())) for category, groups in profile.items()}

    def add_preference(self, preference: str, category: str) -> StoreResult:
        """Store what the user prefers, for every project. Raises BadInput, Refused.

        It is asked first. Raises ConsentNeeded where nobody can answer.
        """
        return self._add("preference", preference, category)

    def add_pattern(self, pattern: str, domain: str) -> StoreResult:
        """Store how things are done in a domain, for every project. Raises as above."""
        return self._add("pattern", pattern, domain)

    def _add(self, category: str, text: str, group: str) -> StoreResult:
        return self._captures.remember(
            text,
            type="semantic",
            category=category,
            scope="global",
            importance=WEIGHTS[category],
            tags=["global", category, group_name(group)],
        )

    def query_preferences(self, category: str | None = None) -> list[Memory]:
        """Return the user's preferences, or those of one category, most important first."""
        return self._of("preference", category)

    def query_patterns(self, domain: str | None = None) -> list[Memory]:
        """Return the user's patterns, or those of one domain, most important first."""
        return self._of("pattern", domain)

    def _of(self, category: str, group: str | None) -> list[Memory]:
        groups = self.profile()[category]
        if group is not None:
            return groups.get(group_name(group), [])
        memories = [memory for part in groups.values() for memory in part]
        return sorted(memories, key=lambda memory: -memory.importance)

    def clear_global(self) -> int:
        """Forget everything that holds in every project, as one act; return how many.

        Raises ConsentNeeded where nobody is asked, Refused for a no.
        """
        ids = [memory.id for memory in self._search.list("scope:global")]
        return len(self._curation.forget(ids, "all that is global")) if ids else 0

    # --- what holds in this project alone

    def add_decision(self, decision: str, tags: Sequence[str] = ()) -> StoreResult:
        """Store what was decided in this project. Raises BadInput."""
        return self._keep("decision", decision, texts("tags", tags))

    def add_convention(self, convention: str, scope: str) -> StoreResult:
        """Store how things are done here; `scope` says where, in a word or two.

        Raises BadInput.
        """
        return self._keep("convention", convention, (group_name(scope),))

    def add_failure(self, failure: str, lesson: str) -> StoreResult:
        """Store what a failure taught; `failure` names its kind. Raises BadInput."""
        return self._keep("failure", lesson, (group_name(failure),))

    def query_decisions(self, tags: Sequence[str] = ()) -> list[Memory]:
        """Return this project's decisions, or those with any of `tags`, newest first.

        At most 100. Raises BadInput.
        """
        wanted = texts("tags", tags)
        filters: dict[str, object] = {"category": KINDS["decision"][0], "scope": "project"}
        return self._search.query({**filters, "tags": wanted} if wanted else filters, MAX_DECISIONS)

    def _keep(self, kind: str, text: str, tags: Sequence[str]) -> StoreResult:
        category, importance = KINDS[kind]
        return self._captures.remember(
            text,
            type="semantic",
            category=category,
            scope="project",
            importance=importance,
            tags=["project", kind, *tags],
        )


def group_of(memory: Memory) -> str:
    """Return the category or domain of a memory: the tag behind `preference` or `pattern`."""
    tags = [tag.lower() for tag in memory.tags]
    if memory.category in tags and (rest := tags[tags.index(memory.category) + 1 :]):
        return rest[0]
    others = [tag for tag in tags if tag not in ("global", memory.category)]
    return others[0] if others else GENERAL


def group_name(text: str) -> str:
    """Return a category or domain as it is stored: lower case, no spaces. Raises BadInput."""
    name = "-".join(text.lower().split())
    if not name or len(name) > MAX_NAME or "," in name:
        raise BadInput(
            f"{text[:60]!r} is no name of a category.", hint="One or two words: style, verbosity."
        )
    if name in (*WEIGHTS, "global"):
        raise BadInput(f"{name!r} is the kind of the entry; its category says of what.")
    return name
