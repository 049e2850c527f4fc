"""Merging: several memories that say the same become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...frozen import dataclass
from ..consent import must_be_a_person
from ..errors import BadInput, StaleEdit
from ..ingest.drafts import MOST_FILES, MOST_TAGS, texts
from ..values import STATUSES, Memory

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments
    from .lessons import Teaching


@dataclass(frozen=True, slots=True)
class Merges:
    """Several memories into one, restorably."""

    _context: Context
    _teaching: Teaching
    _amendments: Amendments

    def merge(
        self,
        /,
        into: str,
        refs: str | Sequence[str],
        *,
        expected_revision: int | None = None,
        **fields: Any,
    ) -> Memory:
        """The memory `into`, with what the others added; they retire as merged.

        Tags, files and evidence are joined, the higher importance and status stay. `fields`
        edit the result as `edit` does, in the same entry. Raises NotFound, BadInput, Refused,
        StaleEdit when `into` changed since `expected_revision`.
        """
        target = self._context.resolve(into)
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        others = [self._context.resolve(name) for name in names]
        if not others or any(other.id == target.id for other in others):
            raise BadInput("A memory cannot be merged into itself.", hint="Name at least two.")
        self._context.must_be_here(target, *others)
        if any(one.degree == "person" for one in (target, *others)):
            must_be_a_person(self._context.actor)  # the text that stays would stand for all of them
        with self._context.change("merge") as change:
            if expected_revision not in (None, self._context.resolve(target.id).revision):
                raise StaleEdit(f"“{target.title}” was changed meanwhile.")
            self.merge_in(change, target.id, [other.id for other in others], fields)
        return self._context.resolve(target.id)

    def merge_in(
        self, change: Change, into: str, others: Sequence[str], fields: dict[str, Any]
    ) -> None:
        """The same inside a change that may do more."""
        kept = change.get("memory", into)
        assert kept is not None
        self._amendments.must_live(kept)
        if fields:
            kept = self._amendments.edited(change, kept, fields)
        self._teaching.put_verdict(change, kept, is_kept=True)
        for name in others:
            other = change.get("memory", name)
            assert other is not None
            self._amendments.must_live(other)
            self._teaching.put_verdict(change, other, is_kept=True)
            kept = joined(kept, other)
            change.put("memory", self._amendments.retired(other, "merged", change))
            self._amendments.put_link(change, other["id"], into, "reinforces", 1.0)
        change.put("memory", {**kept, "updated_at": self._context.now_ms()})


def joined(kept: Image, other: Image) -> Image:
    """The image of a memory with what another one, which says the same, adds to it."""
    details = dict(kept["details"])
    if kept["type"] == "semantic":
        theirs = other["details"] if other["type"] == "semantic" else {}
        sources = [*(details.get("source_sessions") or [])]
        for session in [*(theirs.get("source_sessions") or []), other["session"]]:
            if session and session not in sources:
                sources.append(session)
        details["source_sessions"] = sources
        details["evidence_count"] = details.get("evidence_count", 1) + theirs.get(
            "evidence_count", 1
        )
    tags = list(dict.fromkeys([*kept["tags"], *other["tags"]]))[:MOST_TAGS]
    files = list(dict.fromkeys([*kept["files"], *other["files"]]))[:MOST_FILES]
    return {
        **kept,
        "tags": tags,
        "files": files,
        "importance": max(kept["importance"], other["importance"]),
        "confidence": max(kept["confidence"], other["confidence"]),
        "status": max(kept["status"], other["status"], key=STATUSES.index),
        "details": details,
    }
