"""Maintenance that finds memories which say the same, for the review queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...db import reviews
from ..text.sameness import says_the_same
from .maintenance import Proposal

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from .review import Review

MOST_COMPARED = 200
"""The newest memories that are compared: each takes some hundredths of a second."""

MOST_BESIDE = 8
"""Neighbours of a memory that are compared with it, the best by BM25."""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Notes pairs that say the same, and drops those that do so no more.

    A note is derived and makes no entry of the journal. The verdict on the pair makes one.
    """

    name, action, does_retire = "duplicates", "compare", False

    _context: Context
    _review: Review

    def proposals(self) -> Iterator[Proposal]:
        """Pairs to note and to drop."""
        database, project = self._context.here
        noted = set(reviews.duplicates(database, project))
        seen = set[tuple[str, str]]()
        for memory in self._context.memories(reviews.comparable(database, project, MOST_COMPARED)):
            around = [
                sharing_word
                for sharing_word in self._review.sharing_words(memory.content, memory.id)
                if sharing_word.status != "candidate"
                and sharing_word.type not in ("working", "prospective")
            ]
            for sharing_word in around[:MOST_BESIDE]:
                later, earlier = sorted((memory.id, sharing_word.id), reverse=True)
                pair = later, earlier
                if pair not in seen and says_the_same(memory.content, sharing_word.content):
                    seen.add(pair)
                    if pair not in noted:
                        why = "says the same as another memory"
                        yield Proposal("", memory.title, why, {"pair": pair, "is_same": True})
        for pair in noted - seen:
            yield Proposal("", "", "says something else now", {"pair": pair, "is_same": False})

    def carry_out(self, _change: Change, proposal: Proposal) -> bool:
        """Note a pair, or drop it."""
        first, second = proposal.data["pair"]
        database, project = self._context.here
        if proposal.data["is_same"]:
            now = self._context.now_ms()
            reviews.note_duplicate(database, project, first, second, now)
        else:
            reviews.drop_duplicate(database, first, second)
        return True
