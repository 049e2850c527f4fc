"""The Inbox: what was captured waits here until a person has looked at it."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...db import conflicts, neighbours, recordings, reviews
from ...db.images import Image, headline, headline_of
from ...db.neighbours import StoredNeighbour
from ...db.rows import StoredFinding, StoredRecording, StoredSalience, StoredVote
from ...db.store import Change
from ...frozen import dataclass
from ..answers import NO_ENVELOPE, Envelope, Neighbour, Recording, Salience
from ..clock import to_ms
from ..context import is_own_session
from ..errors import BadInput, Refused, StaleEdit
from ..judgements import Candidate, RefusedCapture
from ..retrieval.keywords import index_words, keywords
from ..review.reviewer import Vote
from ..values import DAY_MS, Memory, at, moment_at
from .session_names import names_of

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from .amendments import Amendments
    from .lessons import Teaching

NEIGHBOURS = 30
"""Memories that are compared with a text; the index finds them."""

ENOUGH_TELLING = 4
"""Words of a text that say something, from which on neighbours need not share the common ones."""


@dataclass(frozen=True, slots=True)
class Inbox:
    """Candidates one by one: accept, reject, put off; and what the gates refused."""

    _context: Context
    _teaching: Teaching
    _amendments: Amendments

    # --- looking

    def waiting(self, *, snoozed: bool = False) -> array[int]:
        """Row numbers of the candidates, the most valuable first; `snoozed`: those put off too."""
        return reviews.waiting(*self._context.here, self._context.now_ms(), snoozed=snoozed)

    def candidates(self, limit: int | None = None, *, snoozed: bool = False) -> list[Candidate]:
        """The candidates with all there is to judge them by, the most valuable first."""
        nums = self.waiting(snoozed=snoozed)
        lessons = self.lessons()
        most = limit if self._context.viewer is None else None  # of an agent's, some are left out
        found = self._context.memories(nums[:most])[:limit]
        return [self._candidate(memory, lessons) for memory in found]

    def candidate(self, ref: str) -> Candidate:
        """One candidate by id, prefix or key. Raises NotFound, Ambiguous, Refused."""
        return self._candidate(self._waiting(ref), self.lessons())

    def lessons(self) -> tuple[str, str]:
        """What verdicts on an agent's sentences taught, and on a person's; "" where nothing."""
        teaching = self._teaching.taught()
        agent, person = (
            teaching.words(is_person=is_person)
            if teaching.lessons.lesson(is_person=is_person).is_felt
            else ""
            for is_person in (False, True)
        )
        return agent, person

    def _waiting(self, ref: str) -> Memory:
        memory = self._context.resolve(ref)
        if memory.status != "candidate" or not memory.is_live:
            state = memory.retired_as or memory.status
            raise Refused(f"“{memory.title}” is {state}: it waits for nobody.")
        return memory

    def _candidate(self, memory: Memory, lessons: tuple[str, str]) -> Candidate:
        database = self._context.database
        candidacy: Mapping[str, Any] = reviews.candidacy(database, memory.id) or {}
        points = float(candidacy.get("points", 0.0))
        cast = reviews.votes(database, memory=memory.id)
        near = self.neighbours(memory.content, without=memory.id, limit=1)
        open_conflicts = conflicts.conflicts(database, self._context.project_id, memory=memory.id)
        judged = reviews.salience(database, memory.id)
        is_recorded = memory.id in recordings.sources(database, [memory.id])
        counted = max(points, 0.0) + reviews.RECORDED_POINTS * is_recorded
        return Candidate(
            memory=memory,
            value=0.6 * memory.importance + 0.08 * min(counted, 5.0),
            points=points,
            points_needed=self._context.policy.promotion.min_points,
            signals=candidacy.get("signals", {}),
            promoted_at=at(candidacy.get("promoted_at")),
            quarantined_until=at(candidacy.get("quarantined_until")),
            snoozed_until=at(candidacy.get("snoozed_until")),
            votes=tuple(vote_of(row) for row in cast),
            tier=cast[-1]["tier"] if cast else "",
            neighbour=near[0] if near else None,
            conflicts=tuple(row["id"] for row in open_conflicts if row["band"] != "near"),
            weight=self.weight(memory.id),
            envelope=self.envelope(memory.id),
            salience=salience_of(judged),
            recordings=self.recordings_of(memory.id),
            lesson=lessons[int(judged["is_person"] or 0)] if judged else "",
            is_persons=bool(judged and judged["is_person"]),
        )

    def neighbours(
        self, text: str, *, without: str | None = None, limit: int = 5
    ) -> tuple[Neighbour, ...]:
        """The live memories nearest to a text, nearest first, each with its similarity."""
        from ..ingest.duplicates import nearest

        return nearest(text, self.sharing_words(text, without), limit=limit)

    def sharing_words(self, text: str, without: str | None = None) -> list[Neighbour]:
        """Memories that share words with a text, as the index finds them; no similarity yet."""
        terms = keywords(text, {})
        telling = [term for term in terms if term.kind != "common"]
        words = index_words(telling if len(telling) >= ENOUGH_TELLING else terms)
        found = neighbours.neighbours(
            self._context.database, words, self._context.project_id, NEIGHBOURS
        )
        return [neighbour_of(row) for row in found if row["id"] != without]

    def envelope(self, memory_id: str) -> Envelope:
        """The work that a memory was learned at; empty when nothing is known of it."""
        row = reviews.envelope(self._context.database, memory_id)
        if row is None:
            return NO_ENVELOPE
        lists = {name: tuple(row[name]) for name in ("actions", "artifacts", "errors", "lessons")}
        return Envelope(
            task=row["task"],
            intent=row["intent"],
            outcome=row["outcome"],
            tokens=row["tokens"],
            time_ms=row["time_ms"],
            **lists,
        )

    def recordings_of(self, memory_id: str) -> tuple[Recording, ...]:
        found = recordings.of_memory(self._context.database, memory_id)
        return tuple(recording_of(row) for row in found)

    def salience(self, memory_id: str) -> Salience | None:
        """What the fitted score said of it; None of what was not judged."""
        return salience_of(reviews.salience(self._context.database, memory_id))

    def weight(self, memory_id: str) -> dict[str, float]:
        """The six factors of a memory's importance, each 0-1; empty when not weighed."""
        row: Mapping[str, Any] = reviews.weight(self._context.database, memory_id) or {}
        return {name: value for name, value in row.items() if name not in ("memory", "weighed_at")}

    def reviews(self, ref: str) -> list[Vote]:
        """The votes on a memory, oldest first."""
        memory = self._context.resolve(ref)
        return [vote_of(row) for row in reviews.votes(self._context.database, memory=memory.id)]

    def broken_reviewers(self) -> list[Vote]:
        """The newest vote of each reviewer whose last three of a day all came to nothing."""
        late: dict[str, list[Vote]] = {}
        since = self._context.now_ms() - DAY_MS
        for row in reviews.late_votes(self._context.database, since):
            late.setdefault(row["reviewer"], []).append(vote_of(row))
        return [cast[0] for cast in late.values() if all(one.status != "ok" for one in cast[:3])]

    def candidacy(self, ref: str) -> Image:
        """Points, signals, promoted_at, quarantined_until and snoozed_until; {} without any."""
        memory = self._context.resolve(ref)
        row: Mapping[str, Any] = reviews.candidacy(self._context.database, memory.id) or {}
        return {name: value for name, value in row.items() if name != "memory"}

    # --- deciding

    def accept(self, refs: str | Sequence[str], *, pin: bool = False) -> list[Memory]:
        """Make candidates memories of the project; with `pin`, always recalled ones."""

        def change_one(image: Image, change: Change) -> Image:
            return self._accepted(image, change, pin=pin)

        return self._amendments.change_all("pin" if pin else "accept", refs, change_one)

    def accept_edited(
        self, /, ref: str, *, pin: bool = False, expected_revision: int | None = None, **fields: Any
    ) -> Memory:
        """Edit a candidate and accept it, in one entry. Raises as `edit` does."""
        memory = self._context.resolve(ref)
        with self._context.change("accept") as change:
            if expected_revision not in (None, self._context.resolve(memory.id).revision):
                raise StaleEdit(f"“{memory.title}” was changed meanwhile.")
            image = change.get("memory", memory.id)
            assert image is not None
            image = self._accepted(image, change, pin=pin)
            change.put("memory", self._amendments.edited(change, image, fields))
        return self._context.resolve(memory.id)

    def _accepted(self, image: Image, change: Change, *, pin: bool) -> Image:
        self._amendments.must_live(image)
        if image["status"] != "candidate":
            raise Refused(f"“{headline_of(image)}” is no candidate.")
        return self._amendments.decided(image, change, "pinned" if pin else "confirmed")

    def reject(self, refs: str | Sequence[str], reason: str = "") -> list[Memory]:
        """Refuse candidates, restorably; the same text is not captured again."""
        for ref in (refs,) if isinstance(refs, str) else refs:
            self._waiting(ref)
        return self._amendments.retire("reject", refs, "rejected", reason)

    def snooze(self, refs: str | Sequence[str], until: datetime) -> list[Memory]:
        """Put candidates off: they wait again from `until` on. Raises BadInput for the past."""
        moment = to_ms(until)
        if moment is None or moment <= self._context.now_ms():
            raise BadInput("That time has passed already.", hint="Give one in the future.")

        def change_one(image: Image, change: Change) -> Image:
            self._amendments.must_live(image)
            if image["status"] != "candidate":
                raise Refused("Only a candidate can be put off.")
            known = change.get("memory_candidacy", image["id"]) or new_candidacy(image["id"])
            change.put("memory_candidacy", {**known, "snoozed_until": moment})
            return image

        return self._amendments.change_all("snooze", refs, change_one)

    # --- what the gates refused

    def refused_captures(self, limit: int = 200) -> list[RefusedCapture]:
        """What the gates refused here, newest first; an agent is shown that of its own session."""
        every = reviews.captures(*self._context.here, outcome="refused", limit=limit)
        found = [row for row in every if is_own_session(self._context, row["session"])]
        names = names_of(self._context.database, (row["session"] for row in found))
        return [self._refused(row, names.get(row["session"] or "", "")) for row in found]

    def _refused(self, row: StoredFinding, session_name: str) -> RefusedCapture:
        cast = reviews.votes(self._context.database, capture=row["id"])
        return RefusedCapture(
            number=row["id"],
            content=row["content"],
            reason=row["reason"],
            rule=row["rule"],
            session=row["session"],
            at=moment_at(row["created_at"]),
            category=row["category"],
            importance=row["importance"],
            votes=tuple(vote_of(vote) for vote in cast),
            session_name=session_name,
        )


def vote_of(row: StoredVote) -> Vote:
    """A stored vote as a value."""
    return Vote(
        reviewer=row["reviewer"],
        score=row["score"],
        is_trivial=bool(row["is_trivial"]),
        reason=row["reason"],
        status=row["status"],
        engine=row["engine"],
        latency_ms=row["latency_ms"],
        cost_usd=row["cost_usd"],
    )


def salience_of(row: Image | StoredSalience | None) -> Salience | None:
    """A stored score as a value."""
    if row is None:
        return None
    return Salience(
        row["score"],
        row["worth_a_look"],
        row["worth_keeping"],
        True,
        bool(row["is_established"]),
        tuple((str(words), float(part)) for words, part in row["reasons"]),
        row["bias"] or 0.0,
    )


def new_candidacy(memory: str) -> Image:
    """The candidacy of a memory of which nothing is known yet."""
    return {
        "memory": memory,
        "points": 0.0,
        "signals": {},
        "promoted_at": None,
        "quarantined_until": None,
        "snoozed_until": None,
    }


def neighbour_of(row: StoredNeighbour) -> Neighbour:
    return Neighbour(
        id=row["id"],
        content=row["content"],
        title=headline(row["title"], row["content"]),
        type=row["type"],
        category=row["category"],
        status=row["status"],
        files=tuple(row["files"]),
        tags=tuple(row["tags"]),
        session=row["session"],
        created_ms=row["created_at"],
        is_private=row["privacy"] != "public",
    )


def recording_of(row: StoredRecording) -> Recording:
    """A stored recording as it leaves the core."""
    return Recording(
        id=row["id"],
        memory=row["memory"],
        session=row["session"],
        at=moment_at(row["at"]),
        why=row["why"],
        evidence=row["evidence"],
        line=row["line"],
        checked_at=at(row["checked_at"]),
    )
