"""From a model's answer to memories: what holds passes the gates, and takes in what was there.

Only candidates of agents that nobody vouches for are replaced or taken back. Where something of a
person's would be, the two are a conflict for a person to decide.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...db import conflicts, memories, reviews
from ...db.connection import mapped_errors
from ...frozen import dataclass
from ..answers import Capture, StoreResult
from ..errors import ManagerError
from ..extractions import Extracted
from ..ingest.drafts import MOST_LOOKED_AT
from ..ingest.extract.extraction import REASONS, Dropped, Quote, Verified, check
from ..ingest.promotion import SIGNALS
from ..redaction.redact import redact
from ..review.extractor import Asked, Request
from ..values import Origin
from .sessions import name_of

if TYPE_CHECKING:
    from ..context import Context
    from ..ingest.extract.turns import Session
    from .amendments import Amendments
    from .curation import Curation
    from .deposits import Deposits
    from .ingest import Captures
    from .review import Review


_NOTED = 12  # dropped proposals of a session that are kept to be looked at


@dataclass(frozen=True, slots=True)
class Proposals:
    """Keeps what holds of answers, for one project."""

    _context: Context
    _amendments: Amendments
    _curation: Curation
    _review: Review
    _deposits: Deposits
    _captures: Captures

    @mapped_errors()
    def keep(
        self, place: Session, request: Request, asked: Asked, called: str, room: int
    ) -> Extracted:
        """Check an answer, and keep what holds of it: at most `room` new memories."""
        assert asked.answer is not None
        checked = check(
            asked.answer,
            request.said,
            place,
            known=[name for name, _ in request.known],
            exists=_looks_in(place.root),
            room=room,
        )
        memories: list[str] = []
        kept = merged = replaced = disputed = 0
        reasons = [one.reason for one in checked.dropped]
        for one in checked.dropped[:_NOTED]:
            self._note_dropped(one, place)
        for proposal in checked.verified:
            result = self._offered(proposal.capture)
            if result.memory_id is None:
                reasons.append("repeated" if result.outcome == "repeated" else result.outcome)
                continue
            memories.append(result.memory_id)
            kept += result.stored
            merged += self._merge_candidates(proposal, result.memory_id, place)
            if proposal.replaces:
                was_own = self._replace(proposal.replaces, result.memory_id)
                replaced += was_own is True
                disputed += was_own is False
        for name in checked.retract:
            is_gone = self._retract(name)
            replaced += is_gone
            reasons += [] if is_gone else ["not its own to take back"]
        return Extracted(
            session=place.session,
            engine=called,
            status="ok",
            tokens=asked.tokens,
            cost_usd=asked.cost_usd,
            latency_ms=asked.latency_ms,
            kept=kept,
            memories=tuple(memories),
            known=len(memories) - kept,
            merged=merged,
            replaced=replaced,
            disputed=disputed,
            dropped=dict(Counter(reasons).most_common()),
        )

    def _offered(self, capture: Capture) -> StoreResult:
        try:
            return self._captures.offer([capture])[0]
        except ManagerError as error:  # a field that no memory can have: one proposal less
            return StoreResult(False, None, 0.0, str(error), "refused")

    def _merge_candidates(self, proposal: Verified, memory: str, place: Session) -> int:
        """Take in what the score had found at the same place; how many."""
        found = memories.candidates_at(*self._context.here, place.session, proposal.lines)
        same = [
            row["id"]
            for row in found
            if row["id"] != memory
            and not str(row["ref"] or "").rpartition(":")[2].startswith("m")
            and any(_overlap(row["content"], quote) for quote in proposal.quotes)
        ]
        if not same:
            return 0
        with self._context.change(
            "merge", "the extractor read the same place", actor="rule"
        ) as change:
            image = change.get("memory", memory)
            if image is None or image["retired_at"] is not None:
                return 0
            self._curation.merge_in(change, memory, same, {})
            found_for = [change.get("memory_candidacy", one) for one in same]
            own = change.get("memory_candidacy", memory)
            if own and any(one and "user-intent" in one["signals"] for one in found_for):
                # the quoted words are the person's, and were an instruction: they stay one
                signals = {**own["signals"], "user-intent": SIGNALS["user-intent"]}
                points = float(sum(signals.values()))
                change.put("memory_candidacy", {**own, "signals": signals, "points": points})
        return len(same)

    def _replace(self, ref: str, memory: str) -> bool | None:
        """Whether a candidate of the agent's was replaced; False: a conflict is to be decided."""
        try:
            old = self._context.resolve(ref)
        except ManagerError:
            return None
        if old.id == memory or not old.is_live:
            return None
        is_own = self._is_own(old.id)
        reason = "a model that read the session says that it is replaced"
        with self._context.change(
            "supersede" if is_own else "conflict", reason, actor="rule"
        ) as change:
            image = change.get("memory", old.id)
            if image is None or image["retired_at"] is not None:
                return None
            if is_own:
                self._amendments.take_out(change, old.id, "superseded", memory)
            elif conflicts.conflict_between(change.database, old.id, memory) is None:
                self._review.put_conflict(change, old.id, memory, "superseded", reason)
        return is_own

    def _retract(self, ref: str) -> bool:
        """Whether a candidate of the agent's was taken back."""
        try:
            old = self._context.resolve(ref)
        except ManagerError:
            return False
        if not old.is_live or not self._is_own(old.id):
            return False
        with self._context.change(
            "reject", "a later session shows otherwise", actor="rule"
        ) as change:
            return self._amendments.take_out(change, old.id, "rejected")

    def _is_own(self, memory: str) -> bool:
        """Whether it is an agent's unconfirmed candidate of this project, which nobody vouches
        for."""
        row = self._context.resolve(memory)
        candidacy: Mapping[str, Any] = reviews.candidacy(self._context.database, memory) or {}
        return (
            row.status == "candidate"
            and row.project == self._context.project_id
            and row.origin.agent is not None
            and "user-intent" not in candidacy.get("signals", {})
        )

    def _note_dropped(self, dropped: Dropped, place: Session) -> None:
        """Keep a proposal that failed among the refused ones, where a person can look at it."""
        text = redact(dropped.text[:MOST_LOOKED_AT]).value
        if text:
            origin = Origin(session=name_of(place.session), agent=place.agent)
            found = Capture(text, rule="model", origin=origin)
            self._deposits.note(found, text, "refused", f"extractor: {REASONS[dropped.reason]}")


def _looks_in(root: str | None) -> Any:
    """Whether a path is below `root`; None where there is no folder to look in."""
    if root is None or not os.path.isdir(root):
        return None

    def exists(path: str) -> bool:
        parts = path.replace("\\", "/").split("/")
        return (
            not os.path.isabs(path)
            and ".." not in parts
            and os.path.exists(os.path.join(root, path))
        )

    return exists


def _overlap(content: str, quote: Quote) -> bool:
    """Whether a candidate was made of the words that a proposal quotes."""
    one, other = (_letters(each) for each in (content, quote.words))
    few = min(len(one), len(other))
    return few >= 12 and (one in other or other in one)


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())
