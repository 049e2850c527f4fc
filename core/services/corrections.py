"""Corrections: what a person corrects, or an agent takes back, no longer holds.

A correction retires what it replaces and links the two; an undo brings the earlier one back. What
a person pinned stays, and so does, against an agent, whatever a person said or touched: there a
conflict waits for a person. A denial that says nothing instead takes candidates only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...db import conflicts, memories, reviews
from ...db.memories import LearnedMemory
from ...frozen import dataclass
from ..judgement.replacement import replaces
from ..judgement.weights import DamagedWeights, bar

if TYPE_CHECKING:
    from ..answers import Capture, StoreResult
    from ..context import Context
    from ..ingest.extract.corrections import Correction
    from .amendments import Amendments
    from .ingest import Captures
    from .review import Review

LONGEST_QUOTE = 160
"""Characters of a correction's words that the audit trail tells."""

_LETTERS = re.compile(r"\W+")

_STANDS = ("working", "prospective", "procedural")
"""Types that state nothing: a correction of words does not replace them."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrections, in this session and of earlier ones."""

    _context: Context
    _amendments: Amendments
    _review: Review
    _captures: Captures

    def correct(self, corrections: Sequence[Correction]) -> list[StoreResult]:
        """Keep what holds instead, and retire what it replaces; what became of each that is kept.

        Only memories of this project are touched. What is not sure is kept only where something
        known is replaced by it.
        """
        results: list[StoreResult] = []
        for one in corrections:
            results += self._correct(one)
        return results

    def judge_again(self, session: str, kept: Sequence[Capture]) -> int:
        """Let go what an agent said and a whole session no longer bears out; how many they were.

        An answer is captured when its turn ends. Only the session's end knows whether the person
        turned it down, whether the work took it up, and what was said better. `kept` is what is
        kept of the session as a whole; of the rest those candidates go that the score alone had
        found, that no other session repeated and no person touched. With damaged weights nothing
        was judged, so nothing goes.
        """
        try:
            bar(is_person=False)
        except DamagedWeights:
            return 0
        database = self._context.database
        refs = [one.origin.ref for one in kept if one.origin.ref]
        held = {memories.memory_from(database, self._context.project_id, ref) for ref in refs}
        gone = [
            row
            for row in memories.scored_in(database, self._context.project_id, session)
            if row["id"] not in held and reviews.is_agents_alone(database, row["id"])
        ]
        if gone:
            why = "the whole session does not bear it out"
            with self._context.change("reject", why, actor="rule", session=session) as change:
                for row in gone:
                    self._amendments.take_out(change, row["id"], "rejected")
        self._tell_once(session, kept)
        return len(gone)

    def _tell_once(self, session: str, kept: Sequence[Capture]) -> None:
        """Of two sentences of one prompt of which one stands whole in the other, one goes.

        With the reaction known a sentence may be kept with its neighbour, or without it. What was
        promoted stays, else the longer; what a person touched is left alone.
        """
        database = self._context.database
        places = {
            one.origin.ref[: one.origin.ref.rindex(":") + 1]
            for one in kept
            if one.salience is not None and one.rule.startswith("person.") and one.origin.ref
        }
        for place in sorted(places):
            stays: list[LearnedMemory] = []
            for row in sorted(
                memories.learned_at(database, self._context.project_id, place),
                key=lambda row: (row["scope"] != "project", -len(row["content"])),
            ):
                if row["status"] == "pinned" or not (
                    reviews.is_persons_sentence(database, row["id"])
                    and not reviews.is_touched(database, row["id"])
                ):
                    continue
                more = next((one for one in stays if _is_within(row, one)), None)
                if more is None:
                    stays.append(row)
                else:
                    self._supersede(row, more, session)

    def _supersede(self, row: LearnedMemory, more: LearnedMemory, session: str) -> None:
        why = "the other says it with the sentence beside it"
        with self._context.change("supersede", why, actor="rule", session=session) as change:
            self._amendments.take_out(change, row["id"], "superseded", more["id"])

    def _correct(self, one: Correction) -> list[StoreResult]:
        withdrawn = self._withdrawn(one)
        if one.revoked:
            known = self._revoked(one, withdrawn)
            if one.otherwise is not None and not (withdrawn or known):
                return [self._captures.admit(c) for c in (one.otherwise, one.holds) if c]
        else:
            known = self._replaced(one, withdrawn) if one.holds else []
        if one.holds is None:
            is_named = bool(one.revoked) and one.is_person
            gone_ones = [row for row in (*withdrawn, *known) if is_named or _is_candidate(row)]
            self._retire_all(one, gone_ones, None)
            return self._contested(one, known)
        gone = {row["id"] for row in (*withdrawn, *known)}
        results: list[StoreResult] = []
        kept = self._kept(one, gone)
        if kept is None and (gone or one.is_sure):
            results = [self._captures.admit(_named(one) if gone else one.holds, without=gone)]
            kept = results[0].memory_id
        if kept is None:  # a gate refused what holds; what was said of it before is denied still
            withdrawn, known = [row for row in withdrawn if _is_candidate(row)], []
        self._retire_all(one, [row for row in (*withdrawn, *known) if row["id"] != kept], kept)
        return results

    def _contested(self, one: Correction, known: Sequence[LearnedMemory]) -> list[StoreResult]:
        """What an agent says to hold no longer and may not retire waits for a person beside that.

        `known` says just what is revoked. The agent's words alone are kept, as nothing holds
        instead, and are in conflict with it.
        """
        held = [row for row in known if not self._may_retire(one, row)]
        if one.denial is None or not held:
            return []
        result = self._captures.admit(one.denial, without={row["id"] for row in held})
        if result.memory_id is not None:
            self._retire_all(one, held, result.memory_id)
        return [result]

    def _withdrawn(self, one: Correction) -> list[LearnedMemory]:
        """What was learned from the words of this session that the correction withdraws."""
        from ..ingest.extract.wording import shares_words  # its patterns: few read a session

        found: dict[str, LearnedMemory] = {}
        for words in one.withdrawn:
            learned = [
                row
                for row in memories.learned_at(*self._context.here, words.place)
                if row["type"] not in _STANDS
                and words.category in ("", row["category"])
                and (not words.text or shares_words(row["content"], words.text))
            ]
            found |= {row["id"]: row for row in (learned if words.text else learned[-1:])}
        return list(found.values())

    def _replaced(self, one: Correction, withdrawn: Sequence[LearnedMemory]) -> list[LearnedMemory]:
        """What earlier sessions, or earlier readings of this one, left that it replaces."""
        assert one.holds is not None
        text = one.holds.content
        ids = {row["id"] for row in withdrawn}
        near = [row.id for row in self._review.sharing_words(text) if row.id not in ids]
        try:
            return [
                row
                for row in memories.learned(*self._context.here, near)
                if row["type"] not in _STANDS and replaces(text, row["content"])
            ]
        except DamagedWeights:
            return []

    def _revoked(self, one: Correction, withdrawn: Sequence[LearnedMemory]) -> list[LearnedMemory]:
        """What says just what is said to hold no longer."""
        from ..ingest.extract.correction_cues import is_revoked

        ids = {row["id"] for row in withdrawn}
        near = [row.id for row in self._review.sharing_words(one.revoked) if row.id not in ids]
        return [
            row
            for row in memories.learned(*self._context.here, near)
            if row["type"] not in _STANDS and is_revoked(one.revoked, row["content"])
        ]

    def _kept(self, one: Correction, without: Collection[str]) -> str | None:
        """The memory that these very words are already, from an earlier or the same reading."""
        assert one.holds is not None
        ref = one.holds.origin.ref
        kept = memories.memory_from(*self._context.here, ref) if ref else None
        return kept if kept not in without else None

    def _retire_all(self, one: Correction, rows: Sequence[LearnedMemory], by: str | None) -> None:
        """Retire `rows`, each linked to `by`; a conflict instead where a person must decide."""
        free = [row for row in rows if self._may_retire(one, row)]
        held = [row for row in rows if row not in free] if by is not None else []
        who = "the person corrected it" if one.is_person else "the agent took it back"
        quote = one.quote if len(one.quote) <= LONGEST_QUOTE else f"{one.quote[:LONGEST_QUOTE]}…"
        session = one.holds.origin.session if one.holds else self._context.session
        if free:
            action = "supersede" if by else "reject"
            with self._context.change(
                action, f"{who}: “{quote}”", actor="rule", session=session
            ) as change:
                for row in free:
                    retired_as = "superseded" if by else "rejected"
                    self._amendments.take_out(change, row["id"], retired_as, by)
        for row in held:
            assert by is not None
            with self._context.change(
                "conflict", f"{who}: “{quote}”", actor="rule", session=session
            ) as change:
                if conflicts.conflict_between(change.database, row["id"], by) is None:
                    self._review.put_conflict(change, row["id"], by, "superseded", f"{who}.")

    def _may_retire(self, one: Correction, row: LearnedMemory) -> bool:
        """Whether a correction may retire a memory without asking."""
        if row["status"] == "pinned" or row["scope"] == "global":
            return False
        if one.is_person:
            return True
        return (
            _is_candidate(row)
            and row["agent"] == one.agent
            and reviews.is_agents_alone(self._context.database, row["id"])
        )


def _named(one: Correction) -> Capture:
    """What holds, as the correction that it has turned out to be.

    What a person puts in the place of what is known is said in so many words: no score judges it.
    """
    assert one.holds is not None
    if one.is_person:
        return replace(one.holds, rule="person.correction", salience=None)
    return replace(one.holds, rule="agent.correction")


def _is_within(row: LearnedMemory, other: LearnedMemory) -> bool:
    """Whether the words of one stand, as they are, in the other."""
    one, two = (_LETTERS.sub("", each["content"].lower()) for each in (row, other))
    return one in two or two in one


def _is_candidate(row: LearnedMemory) -> bool:
    return bool(row["status"] == "candidate")
