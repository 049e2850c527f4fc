"""How a capture becomes a memory, or does not: the gates, in order.

    captured before? -> triviality -> redaction -> type -> tombstone -> told in this session?
        -> duplicate -> near-duplicate -> review -> conflicts -> keep

Each gate can refuse and says why. The order matters: nothing is compared, logged or written
before redaction, and nobody is asked about what is known already. What the gates ask of the
store and of the reviewers comes through `Known`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..answers import Capture, Exchange, Neighbour, Salience
from ..extensions import recognised
from ..language.corrections import revoked_in
from ..models.reviewers import ReviewDecision, Subject
from ..redaction.redact import EVERYTHING, Choice, redact
from ..values import importance_10, importance_from_10
from .conflicts import Opposition, oppositions
from .drafts import MOST_CAPTURED, Draft, captured_content
from .duplicates import begun_by, near_duplicate, nearest, repeated
from .fingerprint import fingerprint
from .kinds import category_of, memory_type
from .promotion import CORRECTS
from .triviality import trivial_because

MARKER = re.compile(r"\[REDACTED:[a-z0-9-]+\]")

LEAST_BESIDE_A_SECRET = 30
"""Characters that must be left when a secret is gone (balanced)."""

SHOWN_NEIGHBOURS = 5
"""Near memories that reviewers are shown."""


class Known(Protocol):
    """What the gates ask of the store, and of those who judge."""

    def was_captured(self, ref: str) -> bool:
        """Whether this very place was dealt with before."""

    def is_buried(self, fingerprint: str) -> bool:
        """Whether a person forgot this text for good."""

    def told(self, capture: Capture) -> Sequence[Neighbour]:
        """What the agent that a capture comes from had been told; nothing for a person's words."""

    def with_fingerprint(self, fingerprint: str) -> str | None:
        """The live memory that says the same, or None."""

    def neighbours(self, text: str) -> Sequence[Neighbour]:
        """Live memories that share words with a text."""

    def review(self, subject: Subject) -> ReviewDecision:
        """What the reviewers make of a redacted text."""


@dataclass(frozen=True, slots=True)
class Keep:
    """The capture shall become a memory."""

    draft: Draft
    removed: tuple[str, ...]
    decision: ReviewDecision
    similarity: float  # 0-1, to the nearest of what is known
    oppositions: tuple[Opposition, ...]  # what it contradicts or may; both stay
    salience: Salience | None = None  # as the exchange around it leaves it
    begun: tuple[str, ...] = ()  # candidates that it says again, and more: it stands for them


@dataclass(frozen=True, slots=True)
class SeenAgain:
    """A live memory says the same already, or nearly so."""

    memory: str
    text: str  # redacted
    removed: tuple[str, ...]
    similarity: float = 1.0  # 0-1; 1 for the very same text


@dataclass(frozen=True, slots=True)
class Used:
    """An agent repeats what its session was told: that it was of use, and no sign that it is so."""

    memory: str
    text: str  # redacted
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefusedBecause:
    """A gate said no."""

    gate: str
    reason: str
    text: str = ""  # redacted; empty when nothing may be kept of it
    decision: ReviewDecision | None = None  # when the reviewers refused


Verdict = Keep | SeenAgain | Used | RefusedBecause


def judge(
    capture: Capture,
    known: Known,
    *,
    min_length: int,
    max_length: int = MOST_CAPTURED,
    similarity: float = 0.85,
    choice: Choice = EVERYTHING,
) -> Verdict:
    """What becomes of a capture.

    Lengths in characters: fewer are trivial, more are cut; from `similarity`
    (0-1) on, two texts say the same. `choice` is what redaction may leave.
    """
    if capture.origin.ref and known.was_captured(capture.origin.ref):
        return RefusedBecause("repeat", "this place of the transcript was read before")
    reason = trivial_because(capture.content, min_length=min_length)
    clean = redact(capture.content, choice=choice)  # whole: half a token would not be known
    text = captured_content(clean.value, max_length)
    if not reason and clean.removed:  # what is left beside the secret must still say something
        reason = trivial_because(MARKER.sub("", clean.value), min_length=LEAST_BESIDE_A_SECRET)
    if reason:
        return RefusedBecause("triviality", reason, text)
    category = capture.category or category_of(text)
    sure = None if capture.is_type_unsure else capture.type
    kind = sure or recognised(text) or capture.type or memory_type(text, category)
    mark = fingerprint(text)
    if known.is_buried(mark):
        return RefusedBecause("tombstone", "a person forgot this text", text)
    told = known.told(capture)
    if echo := repeated(text, told, threshold=similarity, type=kind):
        return Used(echo.id, text, clean.removed)
    heard = {one.id for one in told}
    if twin := known.with_fingerprint(mark):
        again = Used if twin in heard else SeenAgain
        return again(twin, text, clean.removed)
    around = known.neighbours(text)
    if not revoked_in(text) and (
        near := near_duplicate(text, around, threshold=similarity, type=kind)
    ):
        return SeenAgain(near.id, text, clean.removed, near.similarity)
    closest = nearest(text, around, limit=SHOWN_NEIGHBOURS)
    subject = _subject(capture, text, kind, category, closest)
    decision = known.review(subject)
    if not decision.is_accepted:
        return RefusedBecause("review", decision.reason, text, decision)
    draft = _draft(capture, text, kind, category, decision)
    is_persons = capture.rule.startswith("person.")
    opposed = oppositions(
        text,
        category=category,
        files=draft.files,
        neighbours=around,
        type=draft.type,
        is_users=is_persons,
        is_correction=CORRECTS in capture.tags,
    )
    likeness = closest[0].similarity if closest else 0.0
    begun = begun_by(text, around, capture.origin.session) if is_persons else ()
    return Keep(draft, clean.removed, decision, likeness, opposed, _outweighed(subject), begun)


_AGAINST = ("interrupted", "rejected", "contested")
"""Reactions of the user that speak against an agent's sentence."""


def _outweighed(subject: Subject) -> Salience | None:
    """Return the subject's score; not established where the user spoke against it."""
    score = subject.salience
    if score is None or subject.is_person or subject.exchange.reaction not in _AGAINST:
        return score
    return replace(score, is_established=False)


def _importance(capture: Capture, decision: ReviewDecision) -> float:
    """The importance that the reviewers settled on, 0-1.

    They speak in whole numbers from 1 to 10; one that only says again what the capture came with
    leaves it as it is, since ranges begin between two of them.
    """
    given = min(max(capture.importance, 0.0), 1.0)
    if decision.importance_10 == importance_10(given):
        return given
    return importance_from_10(decision.importance_10)


def _draft(
    capture: Capture, text: str, kind: str, category: str, decision: ReviewDecision
) -> Draft:
    """The candidate that the capture becomes."""
    return Draft(
        content=text,
        title=capture.title,
        type=decision.type or kind,
        category=category,
        scope=capture.scope,
        status="candidate",
        importance=_importance(capture, decision),
        confidence=capture.confidence,
        tags=capture.tags,
        files=capture.files,
        origin=capture.origin,
        # The fields of another type, which a reviewer has just corrected, would be refused.
        details=capture.details if decision.type in (None, kind) else {},
        metadata=capture.metadata,
        privacy=capture.privacy,
    )


def _subject(
    capture: Capture, text: str, kind: str, category: str, closest: Sequence[Neighbour]
) -> Subject:
    """What the reviewers are shown: nothing that was not redacted."""
    return Subject(
        content=text,
        type=kind,
        category=category,
        importance=capture.importance,
        confidence=capture.confidence,
        title=redact(capture.title).value,
        files=tuple(redact(path).value for path in capture.files),
        tags=tuple(redact(tag).value for tag in capture.tags),
        rule=capture.rule,
        is_type_unsure=capture.is_type_unsure,
        neighbours=tuple(one for one in closest if not one.is_private),
        salience=capture.salience,
        exchange=_redacted(capture.exchange),
        is_private=capture.privacy != "public",
    )


def _redacted(exchange: Exchange) -> Exchange:
    return replace(
        exchange, asked=redact(exchange.asked).value, answered=redact(exchange.answered).value
    )
