"""The coordinator's merging: several memories that say the same become one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..db.images import Image
from ..db.store import Change
from .base import to_ms
from .curating import Curating
from .drafting import MOST_FILES, MOST_TAGS, texts
from .errors import BadInput, StaleEdit
from .values import STATUSES, Memory


class Merging(Curating):
    """Several memories into one, restorably."""

    def merge(
        self,
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
        target = self.resolve(into)
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        others = [self.resolve(name) for name in names]
        if not others or any(other.id == target.id for other in others):
            raise BadInput("A memory cannot be merged into itself.", hint="Name at least two.")
        self._must_be_here(target, *others)
        is_agreed = self._agree_to_edit(target, fields)
        with self._change("merge", is_agreed=is_agreed) as change:
            if expected_revision not in (None, self.resolve(target.id).revision):
                raise StaleEdit(f"“{target.title}” was changed meanwhile.")
            self._merge(change, target.id, [other.id for other in others], fields)
        return self.resolve(target.id)

    def _merge(
        self, change: Change, into: str, others: Sequence[str], fields: dict[str, Any]
    ) -> None:
        """The same inside a change that may do more."""
        kept = change.get("memory", into)
        assert kept is not None
        self._must_live(kept)
        values = {
            name: to_ms(value) if isinstance(value, datetime) else value
            for name, value in fields.items()
        }
        if values:
            kept = self._edited(change, kept, values)
        self._put_verdict(change, kept, is_kept=True)
        for name in others:
            other = change.get("memory", name)
            assert other is not None
            self._must_live(other)
            self._put_verdict(change, other, is_kept=True)
            kept = _joined(kept, other)
            change.put("memory", self._retired(other, "merged", change))
            self._put_link(change, other["id"], into, "reinforces", 1.0)
        change.put("memory", {**kept, "updated_at": self.now_ms()})


def _joined(kept: Image, other: Image) -> Image:
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
