"""What a project holds to, by kind: decisions, conventions, what failures taught (004-06)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...frozen import dataclass
from ..ingest.drafts import texts
from .profile import group_name

if TYPE_CHECKING:
    from ..answers import StoreResult
    from ..values import Memory
    from .ingest import Captures
    from .search import Search

KINDS: Mapping[str, tuple[str, float]] = {
    "decision": ("decision", 0.9),
    "convention": ("pattern", 0.8),
    "failure": ("error", 0.85),
}
"""Category and importance, 0-1, by kind (004-06)."""

MOST_ASKED = 100
"""Memories of one question."""


@dataclass(frozen=True, slots=True)
class ProjectBook:
    """Kept for this project alone; found again by kind and tags, as any memory is."""

    _captures: Captures
    _search: Search

    def add_decision(self, decision: str, tags: Sequence[str] = ()) -> StoreResult:
        """Keep what was decided in this project, with importance 0.9. Raises BadInput."""
        return self._add("decision", decision, texts("tags", tags))

    def add_convention(self, convention: str, scope: str) -> StoreResult:
        """Keep how things are done here, with importance 0.8; `scope` says where, in a word or two.

        Raises BadInput.
        """
        return self._add("convention", convention, (group_name(scope),))

    def add_failure(self, failure: str, lesson: str) -> StoreResult:
        """Keep what a failure taught, with importance 0.85; `failure` names its kind, in short.

        Raises BadInput.
        """
        return self._add("failure", lesson, (group_name(failure),))

    def query_decisions(self, tags: Sequence[str] = ()) -> list[Memory]:
        """This project's decisions, or those with any of `tags`, newest first; at most 100.

        Those that sessions found are among them. Raises BadInput.
        """
        wanted = texts("tags", tags)
        asked: dict[str, object] = {"category": KINDS["decision"][0], "scope": "project"}
        return self._search.query({**asked, "tags": wanted} if wanted else asked, MOST_ASKED)

    def _add(self, kind: str, text: str, tags: Sequence[str]) -> StoreResult:
        category, importance = KINDS[kind]
        return self._captures.remember(
            text,
            type="semantic",
            category=category,
            scope="project",
            importance=importance,
            tags=["project", kind, *tags],
        )
