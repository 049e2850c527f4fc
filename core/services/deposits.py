"""What a judged capture writes, and what a repetition adds.

One entry of the journal holds all of it: the memory, its points towards promotion, the work it
was learned at, the factors of its importance, and the conflicts it brings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ...db import memories, receipts, reviews
from ...db.images import Image, headline_of
from ..answers import NO_ENVELOPE, Capture, Envelope, Salience, StoreResult
from ..errors import Refused
from ..ingest import promotion
from ..ingest.drafts import Draft, Redactor, draft_image
from ..ingest.fingerprint import fingerprint
from ..ingest.promotion import CORRECTION, ERROR_FIX, RECORDED, Evidence
from ..lifecycle import worth
from ..lifecycle.worth import OUTCOMES
from ..redaction.redact import redact
from ..text.shapes import length_of
from ..values import STATUSES, VERIFIED, Origin
from .amendments import Amendments, tell_redaction
from .review import new_candidacy

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from ..ingest.conflicts import Opposition
    from ..ingest.pipeline import SeenAgain
    from ..models.reviewers import ReviewDecision
    from .review import Review

REINFORCEMENT = 0.1
"""What a repetition adds to importance, up to 1.0."""


class Deed(NamedTuple):
    """What belongs to a capture that is more than one."""

    beside: Callable[[Change, Image], None]  # writes into the entry of a new memory
    again: Callable[[SeenAgain], StoreResult]  # where it is known, instead of counting it


@dataclass(frozen=True, slots=True)
class Deposits:
    """Writing what passed the gates. Nothing here decides."""

    _context: Context
    _amendments: Amendments
    _review: Review

    # --- a new memory

    def image(
        self, change: Change, draft: Draft, taken: Counter[tuple[str, str]] | None = None
    ) -> tuple[Image, tuple[str, ...]]:
        """The image of a new memory, and the kinds of what was taken out of it.

        What that was, and of which field, is added to `taken`, else the entry says it.
        """
        image, counts = draft_image(
            draft,
            memory_id=self._context.new_id(),
            num=change.next_num(),
            project=self._context.project_id,
            now=self._context.now_ms(),
            choice=self._context.redaction_choice(),
        )
        if taken is None:
            tell_redaction(change, counts)
        else:
            taken.update(counts)
        return image, tuple(dict.fromkeys(kind for _, kind in counts))

    def put(self, change: Change, image: Image) -> None:
        """A new memory; if its text was forgotten before, it is wanted again."""
        self._context.ensure_project(change)
        change.put("memory", image)
        for place in {self._context.project_id, image["project"]}:
            stone = f"{place}|{image['fingerprint']}"
            if change.get("tombstone", stone):
                change.drop("tombstone", stone)

    def put_candidate(
        self, change: Change, image: Image, capture: Capture, similarity: float
    ) -> Image:
        """A captured memory with its points, envelope and weight; its image as it was put.

        With points enough it belongs to the project, on trial; else to its session.
        """
        salience = capture.salience
        is_established = salience is not None and salience.is_established
        # Votes may raise the importance; that alone proves nothing of what is not established.
        proven = image["importance"] if is_established else capture.importance
        evidence = Evidence(
            is_from_person=promotion.is_said_to_hold(capture),
            is_established=is_established,
            resolves_error=capture.rule == ERROR_FIX,
            is_correction=capture.rule == CORRECTION,
            importance=min(image["importance"], proven),
        )
        envelope = _clean_envelope(capture.envelope)
        if envelope != NO_ENVELOPE:
            change.put("memory_envelope", _envelope_row(image["id"], envelope))
        if salience is not None:
            is_person = capture.rule.startswith("person.")
            change.put("memory_salience", salience_row(image["id"], salience, is_person=is_person))
        self._put_weight(change, image, evidence, similarity, envelope)
        candidacy = new_candidacy(image["id"])
        image, candidacy = self.promoted(image, candidacy, evidence, is_asked=capture.scope)
        change.put("memory_candidacy", candidacy)
        self.put(change, image)
        return image

    def promoted(
        self,
        image: Image,
        candidacy: Image,
        evidence: Evidence,
        is_asked: str | None = None,
        is_proven: bool = False,
    ) -> tuple[Image, Image]:
        """The two, after the evidence was counted: promoted when it is enough.

        What an agent recorded itself waits until its session bears it out, whatever repeats it,
        unless a person said it; `is_proven` says that this was found just now.
        """
        signals = promotion.signals_of(evidence)
        points = float(sum(signals.values()))
        candidacy = {**candidacy, "signals": signals, "points": points}
        held = promotion.held_back_because(
            self._context.policy.promotion,
            points=points,
            length=self._context.policy.promotion.min_length
            if evidence.is_correction
            else length_of(image["content"]),
            importance=image["importance"],
        )
        if image["scope"] in ("task", "global") or image["status"] != "candidate":
            return image, candidacy
        if not (held or is_proven or evidence.is_from_person) and self._is_unproven(image["id"]):
            held = promotion.UNPROVEN
        if held:
            is_new = candidacy["promoted_at"] is None
            scope = "session" if is_new and not is_asked else image["scope"]
            return {**image, "scope": scope}, candidacy
        if candidacy["promoted_at"] is None:
            now = self._context.now_ms()
            until = now + promotion.QUARANTINE_MS
            candidacy = {**candidacy, "promoted_at": now, "quarantined_until": until}
        return {**image, "scope": "project"}, candidacy

    def _is_unproven(self, memory: str) -> bool:
        """Whether an agent recorded it and no session bears it out."""
        found = reviews.sources(self._context.database, [memory])
        return memory in found and found[memory] not in VERIFIED

    def _put_weight(
        self,
        change: Change,
        image: Image,
        evidence: Evidence,
        similarity: float,
        envelope: Envelope,
    ) -> None:
        known = worth.Known(
            outcome=envelope.outcome,
            is_lesson=evidence.resolves_error or bool(envelope.lessons),
            agents=evidence.agents,
            similarity=similarity,
            is_from_person=evidence.is_from_person,
            status=image["status"],
            tokens=envelope.tokens,
            time_ms=envelope.time_ms,
        )
        row = {
            "memory": image["id"],
            **worth.factors(known),
            "weighed_at": self._context.now_ms(),
        }
        change.put("memory_weight", row)

    def replace(self, change: Change, earlier: Sequence[str], by: str) -> None:
        """Retire the candidates that a new memory stands for, each linked to it.

        What a person touched is left alone.
        """
        for memory in earlier:
            if not reviews.is_touched(change.database, memory):
                self._amendments.take_out(change, memory, "superseded", by)

    def put_conflicts(
        self, change: Change, image: Image, oppositions: Sequence[Opposition]
    ) -> None:
        """Note what a new memory contradicts, or may, unless the pair was noted before."""
        for opposition in oppositions:
            other = opposition.neighbour.id
            current = change.get("memory", other)
            if current is None or current["retired_at"] is not None:
                continue
            if reviews.conflict_between(change.database, other, image["id"]) is None:
                self._review.put_conflict(
                    change,
                    other,
                    image["id"],
                    opposition.kind,
                    opposition.reason,
                )

    # --- a repetition

    def reinforce(
        self,
        memory: str,
        origin: Origin,
        *,
        capture: Capture | None = None,
        pin: bool = False,
        actor: str | None = None,
        similarity: float = 1.0,
        removed: tuple[str, ...] = (),
    ) -> StoreResult:
        """A known text came again: importance +0.1, one use more, evidence counted.

        What every project is told is raised by nobody but the person who pins it: it
        counts as used.

        `capture` is what said it, None where a person wrote it; its outcome tells how a procedure
        went this time: its success rate follows. Enough repetitions promote it,
        and make a fact of what happened.
        """
        said = f"said again, {similarity:.0%} alike" if similarity < 1 else ""
        now = self._context.now_ms()  # before any trial begins: what starts it is no use in it
        by_person = actor is None and self._context.actor == "person"
        with self._context.change("reinforce", said, actor=actor or self._context.actor) as change:
            image = change.get("memory", memory)
            if image is None or image["retired_at"] is not None:
                raise Refused("The memory that says the same was changed just now; try again.")
            status = "pinned" if pin else "confirmed" if by_person else "candidate"
            if image["scope"] != "global" or pin:
                image = _raised(image, status, now)
            is_asked_again = capture is not None and promotion.is_asked_again(capture)
            sessions, agents = reviews.witnesses(change.database, memory)
            if not (is_asked_again and reviews.is_persons_sentence(change.database, memory)):
                sessions |= {origin.session} if origin.session else set()
                agents |= {origin.agent} if origin.agent else set()
                image = self._with_evidence(image, origin, sessions, change)
            if image["type"] == "procedural" and capture and capture.envelope.outcome:
                details = _used_again(image["details"], capture.envelope.outcome, now)
                image = {**image, "details": details}
            evidence = Evidence(
                is_from_person=by_person,
                is_pinned=pin,
                sessions=self.distinct(sessions, change),
                agents=len(agents),
                importance=image["importance"],
            )
            image = self._counted(change, image, evidence, capture)
            change.put("memory", image)
            if by_person and (known := change.get("memory_trust", memory)):
                change.put("memory_trust", {**known, "vouched_at": now})
        receipts.count_use(self._context.database, [memory], now, origin.session)
        rose = "it counts as used" if image["scope"] == "global" else "its importance rose"
        reason = f"already known as “{headline_of(image)}”; {rose}"
        return StoreResult(False, memory, 0.0, reason, "duplicate", removed)

    def _counted(
        self, change: Change, image: Image, evidence: Evidence, capture: Capture | None
    ) -> Image:
        """The image after the evidence, and what its capture adds to that, was counted."""
        known = change.get("memory_candidacy", image["id"])
        if known is None:
            return image
        if capture is not None:
            salience = capture.salience
            evidence = replace(
                evidence,
                is_from_person=evidence.is_from_person or promotion.is_said_to_hold(capture),
                is_established=salience is not None and salience.is_established,
                is_verified=capture.rule == RECORDED,
            )
            judged = change.get("memory_salience", image["id"])
            if judged and promotion.is_in_so_many_words(capture):  # it need not be judged any more
                change.drop("memory_salience", image["id"])
        image, candidacy = self.promoted(image, known, _with_known(evidence, known))
        change.put("memory_candidacy", candidacy)
        if candidacy["promoted_at"] != known["promoted_at"]:
            change.head["action"] = "promote"
            change.head["reason"] = promotion.in_words(candidacy["signals"])
        return image

    def count_use(self, memory: str, capture: Capture) -> StoreResult:
        """An agent repeated what it was told: one use more, how a procedure went, no evidence."""
        now, outcome = self._context.now_ms(), capture.envelope.outcome
        with self._context.change("use", "told in this session", actor="rule") as change:
            image = change.get("memory", memory)
            assert image is not None
            if outcome and image["type"] == "procedural" and image["retired_at"] is None:
                details = _used_again(image["details"], outcome, now)
                change.put("memory", {**image, "details": details})
        receipts.count_use(self._context.database, [memory], now, capture.origin.session)
        reason = f"this session was told “{headline_of(image)}”; one use more"
        return StoreResult(False, memory, 0.0, reason, "duplicate")

    def _with_evidence(
        self, image: Image, origin: Origin, sessions: set[str], change: Change
    ) -> Image:
        """The image, with one more witness; an event of three sessions becomes a fact."""
        if image["type"] == "semantic":
            details = dict(image["details"])
            details["evidence_count"] = details.get("evidence_count", 1) + 1
            sources = details.get("source_sessions") or []
            if origin.session and origin.session not in sources:
                details["source_sessions"] = [*sources, origin.session]
            return {**image, "details": details}
        distinct = self.distinct(sessions, change)
        may_become = image["type"] == "episodic" and image["scope"] != "global"
        is_wanted = self._context.policy.lifecycle.consolidation
        if may_become and is_wanted and distinct >= promotion.LASTING_SESSIONS:
            change.head["action"] = "promote"
            change.head["reason"] = f"it happened in {distinct} sessions, so it holds"
            fields = {
                "type": "semantic",
                "details": {
                    "evidence_count": distinct,
                    "source_sessions": sorted(sessions),
                },
            }
            return self._amendments.edited(change, image, fields)
        return image

    def distinct(self, sessions: set[str], change: Change) -> int:
        """How many conversations these are: a fork and its parent are one."""
        return max(1, len({self._root(session, change) for session in sessions}))

    def _root(self, session: str, change: Change) -> str:
        """The conversation that a fork, or a fork of a fork, goes back to."""
        seen = {session}
        while (row := change.get("session", session)) and row["parent"]:
            if row["parent"] in seen:
                break
            session = row["parent"]
            seen.add(session)
        return session

    # --- the record of every outcome

    def note(
        self,
        capture: Capture,
        text: str,
        outcome: str,
        reason: str,
        memory: str | None = None,
        decision: ReviewDecision | None = None,
    ) -> None:
        """Record what became of a capture, with the votes on it."""
        points, salience = 0.0, capture.salience
        if memory is not None:
            candidacy = reviews.candidacy(self._context.database, memory)
            points = candidacy["points"] if candidacy else 0.0
        number = reviews.note_capture(
            self._context.database,
            {
                "project": self._context.project_id,
                "session": capture.origin.session,
                "ref": capture.origin.ref,
                "fingerprint": fingerprint(text),
                "content": text,
                "category": capture.category,
                "importance": capture.importance,
                "confidence": capture.confidence,
                "files": [redact(path).value for path in capture.files],
                "tags": [redact(tag).value for tag in capture.tags],
                "rule": capture.rule,
                "outcome": outcome,
                "reason": reason,
                "memory": memory,
                "points": points,
                "created_at": self._context.now_ms(),
                "score": salience.score if salience else None,
                "privacy": capture.privacy,
            },
        )
        if decision is not None:
            self._note_votes(decision, memory, number)

    def _note_votes(self, decision: ReviewDecision, memory: str | None, number: int) -> None:
        reviews.note_votes(
            self._context.database,
            [
                {
                    "memory": memory,
                    "finding": number,
                    "reviewer": vote.reviewer,
                    "engine": vote.engine,
                    "status": vote.status,
                    "score": vote.score,
                    "is_trivial": int(vote.is_trivial),
                    "reason": vote.reason,
                    "latency_ms": vote.latency_ms,
                    "cost_usd": vote.cost_usd,
                    "tier": decision.tier,
                    "created_at": self._context.now_ms(),
                }
                for vote in decision.votes
            ],
        )

    def twin(self, change: Change, image: Image, *, working: bool = False) -> str | None:
        """The live memory with the very same text: somebody may have said it meanwhile."""
        project, text = image["project"], image["fingerprint"]
        return memories.with_fingerprint(change.database, project, text, working=working)


def _raised(image: Image, status: str, now: int) -> Image:
    """The image of a memory that was said again, at least of this status."""
    is_wider = image["scope"] == "session" and status != "candidate"
    return {
        **image,
        "importance": min(1.0, image["importance"] + REINFORCEMENT),
        "status": max(image["status"], status, key=STATUSES.index),
        "scope": "project" if is_wider else image["scope"],
        "updated_at": now,
    }


def _with_known(evidence: Evidence, known: Image) -> Evidence:
    """`evidence` with what earlier ones gave already: it does not go away."""
    given = known["signals"]
    return replace(
        evidence,
        is_from_person=evidence.is_from_person or "user-intent" in given,
        is_pinned=evidence.is_pinned or "explicit-pin" in given,
        is_established=evidence.is_established or "worth-keeping" in given,
        is_verified=evidence.is_verified or "verified" in given,
        resolves_error="error-resolution" in given,
    )


def _used_again(details: Image, outcome: str, now: int) -> Image:
    """A procedure's fields after it was used once more; its learning counts as the first use."""
    uses = max(1, details.get("usage_count") or 0)
    rate = (details.get("success_rate", 1.0) * uses + OUTCOMES[outcome]) / (uses + 1)
    return {**details, "usage_count": uses + 1, "success_rate": rate, "last_used_at": now}


def salience_row(memory: str, salience: Salience, *, is_person: bool) -> Image:
    """What the store keeps of a fitted score, and whether the sentence is a person's."""
    return {
        "memory": memory,
        "score": salience.score,
        "worth_a_look": salience.worth_a_look,
        "worth_keeping": salience.worth_keeping,
        "is_established": int(salience.is_established),
        "reasons": [[redact(words).value, part] for words, part in salience.reasons],
        "is_person": int(is_person),
    }


def _clean_envelope(envelope: Envelope) -> Envelope:
    """The envelope without secrets."""
    redactor = Redactor()
    lists = {
        name: tuple(redactor.text(item) for item in getattr(envelope, name))
        for name in ("actions", "artifacts", "errors", "lessons")
    }
    return Envelope(
        task=redactor.text(envelope.task),
        intent=redactor.text(envelope.intent),
        outcome=envelope.outcome,
        tokens=envelope.tokens,
        time_ms=envelope.time_ms,
        **lists,
    )


def _envelope_row(memory: str, envelope: Envelope) -> Image:
    said = {name: getattr(envelope, name) for name in Envelope.__annotations__}
    listed = {name: list(one) for name, one in said.items() if isinstance(one, tuple)}
    return {"memory": memory, **said, **listed}
