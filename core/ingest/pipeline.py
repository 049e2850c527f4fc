"""Decide if a capture becomes a memory: the checks, in order.

    captured before? -> triviality -> redaction -> type -> tombstone -> received in this session?
        -> duplicate -> near-duplicate -> review -> conflicts -> keep

Each check can filter and gives its reason. The order matters: nothing is compared, logged or
written before redaction, and no reviewer gets a text that is stored already. `Known` gives the
checks access to the store and the reviewers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..answers import Capture, Neighbour
from ..extensions import recognised
from ..language.phrases import revoked_in
from ..models.reviewers import ReviewDecision, Subject
from ..redaction.redact import EVERYTHING, Choice, redact
from ..text.sameness import ALIKE, content_of, likeness
from ..text.sentences import masked_quotes
from ..text.words import fingerprint, length_of, patterns_in
from ..values import importance_10, importance_from_10
from .conflicts import Opposition, oppositions
from .drafts import Draft, captured_content
from .kinds import category_of, memory_type
from .promotion import CORRECTS

MIN_LENGTH = 50  # characters, without white space at the ends, that a capture needs

FILLER = frozenset(
    {"ok", "okay", "thanks", "got it", "sounds good", "sure", "yep", "yes", "no", "done"}
)
"""Answers without content of their own: lower case, without a dot at the end."""


def trivial_because(text: str, min_length: int = MIN_LENGTH) -> str | None:
    """Return why `text` is not worth keeping, as a sentence for the user; None if it may be.

    Length counts characters after stripping (`length_of`): `min_length` of them pass, one fewer
    does not.
    Presets pass their own `min_length` (50, 30 or 20); with 0 only filler and texts
    without a letter or digit are trivial.
    """
    stripped = text.strip()
    if not stripped:
        return "It is empty."
    if stripped.lower().rstrip(".").rstrip() in FILLER:
        return f"“{stripped}” is filler: it says nothing without what came before."
    if (length := length_of(stripped)) < min_length:
        return f"It is too short: {length} characters, and {min_length} are needed."
    if not any(char.isalnum() for char in stripped):
        return "It holds no word and no number."
    return None


_OVERRIDE = dict(patterns_in(os.path.join(os.path.dirname(__file__), "wording.tsv")))["override"]


def nearest(text: str, neighbours: Sequence[Neighbour], limit: int = 5) -> tuple[Neighbour, ...]:
    """Return the `limit` nearest neighbours, nearest first, each with its similarity to `text`.

    Equally near ones keep their order.
    """
    judged = [
        replace(neighbour, similarity=likeness(text, neighbour.content)) for neighbour in neighbours
    ]
    return tuple(sorted(judged, key=lambda neighbour: -neighbour.similarity)[: max(limit, 0)])


def near_duplicate(text: str, neighbours: Sequence[Neighbour], *, type: str) -> Neighbour | None:
    """Return the nearest neighbour that says the same, with its similarity; None if none does.

    A memory that differs in a value or a name, or rather contradicts, is passed over.
    """
    alike = [item for item in neighbours if are_of_a_kind(item, type)]
    near = nearest(text, alike, 1)  # the likeness of a text that says otherwise is lower
    return near[0] if near and near[0].similarity >= ALIKE else None


def are_of_a_kind(neighbour: Neighbour, type: str) -> bool:
    """Return True if both are plans, or neither."""
    return (neighbour.type == "prospective") == (type == "prospective")


AGENTS_SENTENCE = "agent.said"  # the rule of an agent's sentence that the score keeps
QUOTED_WORDS = 4  # words from which on a sentence that another text contains is quoted there

NEWS = 4.0
"""Weight (`Content.weight`) of a text beside its quotations, from which on it is no repetition."""

_SENTENCE_END = re.compile(r"[.!?;:]+(?=\s|$)|\n")
_WORDS = re.compile(r"[\w./@:+#-]*\w")


def repeated(text: str, neighbours: Sequence[Neighbour], *, type: str) -> Neighbour | None:
    """Return the neighbour that a text repeats, as a duplicate or by its sentences; else None.

    The rest of the text, without these sentences, must weigh less than `NEWS`.
    """
    if near := near_duplicate(text, neighbours, type=type):
        return near
    whole = _flat(text)
    if len(whole.split()) < QUOTED_WORDS:
        return None
    rest, sources = whole, list[Neighbour]()
    for item in neighbours:
        if not are_of_a_kind(item, type):
            continue
        if whole in _flat(item.content):
            return item
        for sentence in map(_flat, _SENTENCE_END.split(item.content)):
            if len(sentence.split()) >= QUOTED_WORDS and sentence in rest:
                rest = rest.replace(sentence, " ")
                sources.append(item)
    return sources[0] if sources and content_of(rest).weight < NEWS else None


def _flat(text: str) -> str:
    """Return the words of a text in lower case, one blank around each."""
    return f" {' '.join(_WORDS.findall(text.lower()))} "


MARKER = re.compile(r"\[REDACTED:[a-z0-9-]+\]")

LEAST_BESIDE_A_SECRET = 30  # characters that must be left when a secret is gone (balanced)
SHOWN_NEIGHBOURS = 5  # near memories that reviewers are shown


class Known(Protocol):
    """The checks' access to the store and the reviewers."""

    def was_captured(self, ref: str) -> bool:
        """Return True if this place of a transcript was processed before."""

    def is_buried(self, fingerprint: str) -> bool:
        """Return True if the user forgot this text, so that it is not captured again."""

    def unneeded_because(self, capture: Capture) -> str:
        """Return why an agent's sentence need not wait for the user; else ""."""

    def received(self, capture: Capture) -> Sequence[Neighbour]:
        """Return memories that the capture's agent had received; () for the user's words."""

    def with_fingerprint(self, fingerprint: str) -> str | None:
        """Return the live memory with this text, or None."""

    def neighbours(self, text: str) -> Sequence[Neighbour]:
        """Return live memories that share words with a text."""

    def review(self, subject: Subject) -> ReviewDecision:
        """Return the reviewers' decision on a redacted text."""


@dataclass(frozen=True, slots=True)
class Keep:
    """The capture becomes a memory."""

    draft: Draft
    removed: tuple[str, ...]
    decision: ReviewDecision
    similarity: float  # 0-1, to the nearest memory
    oppositions: tuple[Opposition, ...]  # possible contradictions; both stay


@dataclass(frozen=True, slots=True)
class SeenAgain:
    """The capture is a duplicate of a live memory, or nearly."""

    memory: str
    text: str  # redacted
    removed: tuple[str, ...]
    similarity: float = 1.0  # 0-1; 1 for the very same text


@dataclass(frozen=True, slots=True)
class Used:
    """An agent repeats an injected memory, which shows its use and not its truth."""

    memory: str
    text: str  # redacted
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefusedBecause:
    """A check dropped the capture."""

    gate: str
    reason: str
    text: str = ""  # redacted; empty when nothing may be kept of it
    decision: ReviewDecision | None = None  # when the reviewers refused


Verdict = Keep | SeenAgain | Used | RefusedBecause


def judge(
    capture: Capture,
    existing: Known,
    *,
    min_length: int,
    choice: Choice = EVERYTHING,
) -> Verdict:
    """Return the verdict on a capture.

    A text with fewer than `min_length` characters is trivial, a long one is cut. `choice` is the
    policy's for redaction.
    """
    if capture.origin.ref and existing.was_captured(capture.origin.ref):
        return RefusedBecause("repeat", "this place of the transcript was read before")
    is_users = capture.rule.startswith("person.")
    reason = capture.filtered or trivial_because(capture.content, min_length=min_length)
    clean = redact(capture.content, choice=choice)  # whole: half a token would not be known
    text = captured_content(clean.value)
    if not reason and clean.removed:  # the rest beside the secret must still have content
        reason = trivial_because(MARKER.sub("", clean.value), min_length=LEAST_BESIDE_A_SECRET)
    if reason:
        return RefusedBecause("wording" if capture.filtered else "triviality", reason, text)
    if not is_users and re.search(_OVERRIDE, masked_quotes(text), re.IGNORECASE):
        return RefusedBecause("wording", "It tells agents to ignore their instructions.", text)
    category = capture.category or category_of(text)
    sure = None if capture.is_type_unsure else capture.type
    kind = sure or recognised(text) or capture.type or memory_type(text, category)
    mark = fingerprint(text)
    if existing.is_buried(mark):
        return RefusedBecause("tombstone", "the user forgot this text", text)
    details = existing.received(capture)
    if echo := repeated(text, details, type=kind):
        return Used(echo.id, text, clean.removed)
    ids = {item.id for item in details}
    if twin := existing.with_fingerprint(mark):
        again = Used if twin in ids else SeenAgain
        return again(twin, text, clean.removed)
    around = existing.neighbours(text)
    if not revoked_in(text) and (near := near_duplicate(text, around, type=kind)):
        return SeenAgain(near.id, text, clean.removed, near.similarity)
    if capture.rule == AGENTS_SENTENCE and (reason := existing.unneeded_because(capture)):
        return RefusedBecause("score", reason, text)
    closest = nearest(text, around, limit=SHOWN_NEIGHBOURS)
    subject = _subject(capture, text, kind, category, closest)
    decision = existing.review(subject)
    if not decision.is_accepted:
        return RefusedBecause("review", decision.reason, text, decision)
    draft = _draft(capture, text, kind, category, decision)
    opposed = oppositions(
        text,
        category=category,
        files=draft.files,
        neighbours=around,
        type=draft.type,
        is_users=is_users,
        is_correction=CORRECTS in capture.tags,
        is_guessed=is_users,
    )
    likeness = closest[0].similarity if closest else 0.0
    return Keep(draft, clean.removed, decision, likeness, opposed)


def _draft(
    capture: Capture, text: str, kind: str, category: str, decision: ReviewDecision
) -> Draft:
    importance = min(max(capture.importance, 0.0), 1.0)
    return Draft(
        content=text,
        title=capture.title,
        type=decision.type or kind,
        category=category,
        scope=capture.scope,
        status="candidate",
        # reviewers give whole numbers: an equal vote leaves it unchanged
        importance=importance
        if decision.importance_10 == importance_10(importance)
        else importance_from_10(decision.importance_10),
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
    """Return the capture for the reviewers, with every text redacted."""
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
        neighbours=tuple(item for item in closest if not item.is_private),
        salience=capture.salience,
        is_private=capture.privacy != "public",
    )
