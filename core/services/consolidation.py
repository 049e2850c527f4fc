"""What recurs becomes a fact: episodes of three conversations or more, in whatever words.

The surest of them becomes semantic and is joined to the others as to its evidence. Those that no
person stands for leave recall, restorably; the others stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...db import ageing, maintenance, memories, reviews
from ...db.images import headline
from ..ingest.promotion import LASTING_SESSIONS
from ..lifecycle.duties import Proposal
from ..text.sameness import says_the_same
from .curation import joined

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory
    from .amendments import Amendments
    from .review import Review

MOST_COMPARED = 500
"""New episodes, the newest, that one run lays beside what shares words with them."""

_SURENESS = ("unproven", "established", "person")


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Episodes that say one thing, and the conversations that they came up in."""

    fact: Memory  # the surest of them
    evidence: tuple[Memory, ...]
    sessions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Makes facts of what recurred.

    Looks from each episode that changed since the last maintain, so that what an undo took apart
    stays apart until it happens once more.
    """

    name, action, does_retire = "consolidation", "promote", True

    _context: Context
    _amendments: Amendments
    _review: Review

    def proposals(self) -> Iterator[Proposal]:
        """What recurred in enough conversations, each episode in one proposal at most."""
        context = self._context
        since = maintenance.changed_since(*context.here, context.now_ms())
        due = ageing.episodes(context.project_id)
        newest = ageing.changed_since(context.database, due, since or 0, MOST_COMPARED)
        settled = set[str]()
        for seed in context.memories(newest):
            if seed.id in settled:
                continue
            recurrence = self._recurrence(seed, settled)
            if recurrence is None:
                continue
            ids = [one.id for one in recurrence.evidence]
            settled.update((recurrence.fact.id, *ids))
            count = len(recurrence.sessions)
            rule = f"it happened in {count} sessions, so it holds"
            others = ", ".join(f"“{_headline(one)}”" for one in recurrence.evidence)
            why = f"{rule}; as {others}" if others else rule
            yield Proposal(
                recurrence.fact.id, _headline(recurrence.fact), why, {"evidence": ids}, rule
            )

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Make the fact of those that are still episodes; False when they are too few by now."""
        context, due = self._context, ageing.episodes(self._context.project_id)
        ids = [proposal.memory, *proposal.data["evidence"]]
        ids = [one for one in ids if ageing.is_true(context.database, due, one)]
        sessions = self._sessions(ids)
        fact = change.get("memory", proposal.memory)
        if proposal.memory not in ids or len(sessions) < LASTING_SESSIONS or fact is None:
            return False
        may_leave = ageing.ages(context.project_id)
        for other in ids[1:]:
            image = change.get("memory", other)
            assert image is not None  # it was an episode a moment ago, in this transaction
            fact = joined(fact, image)
            if ageing.is_true(context.database, may_leave, other):
                change.put("memory", self._amendments.retired(image, "merged", change))
            self._amendments.put_link(change, other, fact["id"], "reinforces", 1.0)
        details = {"evidence_count": len(sessions), "source_sessions": sorted(sessions)}
        fields = {"type": "semantic", "details": details}
        if fact["scope"] == "session":
            fields["scope"] = "project"
        change.put("memory", self._amendments.edited(change, fact, fields))
        return True

    def _recurrence(self, seed: Memory, settled: set[str]) -> Recurrence | None:
        """What the seed is one of; None when it did not recur often enough."""
        beside = self._beside(seed, settled)
        episodes = [seed, *(one for one in beside if says_the_same(seed.content, one.content))]
        sessions = self._sessions([one.id for one in episodes])
        if len(sessions) < LASTING_SESSIONS:
            return None
        fact = max(episodes, key=_sureness)
        evidence = tuple(one for one in episodes if one.id != fact.id)
        return Recurrence(fact, evidence, frozenset(sessions))

    def _beside(self, seed: Memory, settled: set[str]) -> list[Memory]:
        """Other episodes that share words with it, the likest first."""
        context = self._context
        due = ageing.episodes(context.project_id)
        ids = [
            one.id
            for one in self._review.sharing_words(seed.content, seed.id)
            if one.type == "episodic"
            and one.id not in settled
            and ageing.is_true(context.database, due, one.id)
        ]
        nums = memories.by_ids(context.database, ids)
        return context.memories([nums[one] for one in ids])

    def _sessions(self, ids: Sequence[str]) -> set[str]:
        """The conversations in which they came up; a fork and its parent are one."""
        database = self._context.database
        return {session for one in ids for session in reviews.witnesses(database, one)[0]}


def _sureness(memory: Memory) -> tuple[int, bool, float, str]:
    is_pinned = memory.status == "pinned"
    return _SURENESS.index(memory.degree), is_pinned, memory.importance, memory.id


def _headline(memory: Memory) -> str:
    return headline(memory.title, memory.content)
