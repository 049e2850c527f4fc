"""Second opinions: a model that the person has is asked about pairs in Conflicts.

Open conflicts are put to the extractor's engine, out of the same day's budget. Its answer resolves
what it calls no conflict, by an entry that can be undone. It merges nothing and retires nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...db import conflicts
from ...db.conflicts import AskablePair
from ...db.connection import mapped_errors
from ...frozen import dataclass
from ..extractions import PairsJudged
from ..judgements import ASIDE, OPINION_WORDS
from ..redaction.redact import redact
from ..review.opinions import (
    SCHEMA,
    Asking,
    Noted,
    Opinion,
    PairsRequest,
    answers_in,
    checked,
    shown_text,
)

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory
    from .extractor import Extractor
    from .review import Review


WAITS_MS = 24 * 3600 * 1000
"""How long a pair waits for others to fill a call."""


@dataclass(frozen=True, slots=True)
class Opinions:
    """Asks a model about pairs, for one project."""

    _context: Context
    _review: Review
    _extractor: Extractor

    @mapped_errors()
    def due(self) -> list[str]:
        """Ids of the projects whose pairs are to be put to a model now, of every project."""
        most = self._context.policy.extractor.pairs_per_call
        if not most or not self._extractor.engine:
            return []
        now = self._context.now_ms()
        found = conflicts.unasked_by_project(self._context.database, now)
        return [name for name, count, since in found if count >= most or now - since >= WAITS_MS]

    def waiting(self) -> int:
        """How many pairs, of every project, may still be put to a model."""
        return self._extractor.pairs_waiting()

    @mapped_errors()
    def request(self) -> PairsRequest:
        """What a model would be sent of this project now; maybe no pair."""
        most = self._context.policy.extractor.pairs_per_call
        found = conflicts.unasked(*self._context.here, self._context.now_ms(), most)
        return PairsRequest(tuple(self._asking(row) for row in found))

    def _asking(self, row: AskablePair) -> Asking:
        sides = [self._context.resolve(row[name]) for name in ("entry_a", "entry_b")]
        older, newer = sorted(sides, key=lambda one: (one.created_at, one.num))
        return Asking(
            row["id"],
            (row["one"], row["other"]),
            self._noted(older),
            self._noted(newer),
        )

    def _noted(self, memory: Memory) -> Noted:
        said_so = (self._review.candidacy(memory.id) or {}).get("signals", {})
        is_persons = memory.origin.agent is None or "user-intent" in said_so
        return Noted(
            shown_text(redact(memory.content, choice=self._context.redaction_choice()).value),
            memory.created_at.date().isoformat(),
            "person" if is_persons else "agent",
        )

    @mapped_errors()
    def judge(self, *, by_hand: bool = False, engine: str = "") -> PairsJudged:
        """Put one call's pairs to the model, and take what holds of its answer.

        Nothing is written while it thinks. A pair that was answered, however, is never put to a
        model again; a call that fails as a whole is made once more after an hour. Raises BadInput
        for an engine that there is not, Refused where auto-memory is off.
        """
        extractor = self._extractor
        model = extractor.model(engine)
        whole = self.request()
        if not whole.pairs:
            return PairsJudged(model.name, "nothing", "No pair waits for a model.")
        request = whole.within(model.tokens_left)
        if why := model.why_not(request.tokens if request.pairs else whole.tokens):
            return PairsJudged(model.name, "over_budget", why)
        if by_hand:
            words = f"{len(request.pairs)} pairs of memories, some {request.tokens:,} tokens"
            extractor.ask_person(f"{words}, go to {model.name}.")
        keys = [one.fingerprints for one in request.pairs]
        conflicts.note_tries(self._context.database, keys, extractor.retry_at())
        asked = model.ask(request.text, schema=SCHEMA, parse=answers_in)
        cost = (asked.tokens, asked.cost_usd, asked.latency_ms)
        if asked.answer is None:
            done = PairsJudged(model.name, asked.status, asked.reason, len(keys), *cost)
        else:
            conflicts.note_answered(self._context.database, keys)
            found, refused = checked(asked.answer, len(keys))
            taken = [
                opinion
                for number, opinion in sorted(found.items())
                if self._take(request.pairs[number - 1], opinion, model.name)
            ]
            refused += ["decided meanwhile"] * (len(found) - len(taken))
            done = PairsJudged(
                model.name,
                "ok",
                "",
                len(keys),
                *cost,
                answers=dict(Counter(one.answer for one in taken)),
                dropped=dict(Counter(refused).most_common()),
            )
        extractor.note_pairs(done)
        return done

    def _take(self, asking: Asking, opinion: Opinion, called: str) -> bool:
        """Whether an answer was written to its conflict: not when that changed meanwhile."""
        word = opinion.word
        is_aside = word in ASIDE
        reason = f"a model ({called}) says: {OPINION_WORDS[word]}"
        with self._context.change(
            "resolve" if is_aside else "conflict", reason, actor="rule"
        ) as change:
            row = change.get("conflict", asking.conflict)
            if row is None or not self._is_as_asked(change, row, asking):
                return False
            told = {"opinion": word, "opinion_by": called, "opinion_why": opinion.why or None}
            after = {**row, **{name: value for name, value in told.items() if value}}
            if is_aside:
                after |= {"resolved_at": self._context.now_ms(), "verdict": "not_a_conflict"}
            change.put("conflict", after)
        return True

    def _is_as_asked(self, change: Change, row: Image, asking: Asking) -> bool:
        """Whether the pair still waits, and its texts are those that the model was shown."""
        sides = [change.get("memory", row[name]) for name in ("entry_a", "entry_b")]
        return (
            row["resolved_at"] is None
            and not row.get("opinion")
            and all(side is not None and side["retired_at"] is None for side in sides)
            and {side["fingerprint"] for side in sides if side} == {*asking.fingerprints}
        )
