"""How a capture becomes a memory, or does not: the gates, in order.

    captured before? -> triviality -> redaction -> type -> tombstone -> duplicate -> keep

Each gate can refuse and says why. The order matters: nothing is compared, logged or written
before redaction. What the gates ask of the store comes through `Known`.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from ..answers import Capture
from ..drafting import Draft, captured_content
from .fingerprint import fingerprint
from .kinds import category_of, memory_type
from .redaction import redact
from .triviality import trivial_because

MARKER = re.compile(r"\[REDACTED:[a-z0-9-]+\]")

LEAST_BESIDE_A_SECRET = 30
"""Characters that must be left when a secret is gone (002-05, balanced)."""


class Known(Protocol):
    """What the gates ask of the store."""

    def was_captured(self, ref: str) -> bool:
        """Whether this very place was dealt with before."""

    def is_buried(self, fingerprint: str) -> bool:
        """Whether a person forgot this text for good."""

    def with_fingerprint(self, fingerprint: str) -> str | None:
        """The live memory that says the same, or None."""


@dataclass(frozen=True, slots=True)
class Keep:
    """The capture shall become a memory."""

    draft: Draft
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenAgain:
    """A live memory says the same already."""

    memory: str
    text: str  # redacted
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefusedBecause:
    """A gate said no."""

    gate: str
    reason: str
    text: str = ""  # redacted; empty when nothing may be kept of it


Verdict = Keep | SeenAgain | RefusedBecause


def judge(
    capture: Capture, known: Known, *, min_length: int, min_importance: float = 0.0
) -> Verdict:
    """What becomes of a capture. `min_length` in characters (000-22), `min_importance` 0-1."""
    if capture.origin.ref and known.was_captured(capture.origin.ref):
        return RefusedBecause("repeat", "this place of the transcript was read before")
    reason = trivial_because(capture.content, min_length=min_length)
    clean = redact(capture.content)  # whole: a token cut in half would no longer be known
    text = captured_content(clean.value)
    if not reason and clean.removed:  # what is left beside the secret must still say something
        reason = trivial_because(MARKER.sub("", clean.value), min_length=LEAST_BESIDE_A_SECRET)
    if reason:
        return RefusedBecause("triviality", reason, text)
    if capture.importance < min_importance:
        return RefusedBecause(
            "importance", f"importance {capture.importance:.2f} is under {min_importance:.2f}", text
        )
    category = capture.category or category_of(text)
    kind = capture.type or memory_type(text, category)
    mark = fingerprint(text)
    if known.is_buried(mark):
        return RefusedBecause("tombstone", "a person forgot this text", text)
    if twin := known.with_fingerprint(mark):
        return SeenAgain(twin, text, clean.removed)
    draft = Draft(
        content=text,
        title=capture.title,
        type=kind,
        category=category,
        scope=capture.scope,
        status="candidate",
        importance=capture.importance,
        confidence=capture.confidence,
        tags=capture.tags,
        files=capture.files,
        origin=capture.origin,
        details=capture.details,
    )
    return Keep(draft, clean.removed)
