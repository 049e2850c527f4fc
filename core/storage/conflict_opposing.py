"""Do two sentences oppose each other, and by which words? Nothing here knows of memories."""

from __future__ import annotations

from .conflict_denial import by_denial
from .conflict_exchange import by_value
from .conflict_reading import Sentence
from .conflict_subjects import Found, are_elsewhere


def opposing(new: Sentence, known: Sentence) -> Found | None:
    """How `new` opposes `known`; None if it does not."""
    if new.asks or known.asks or are_elsewhere(new, known):
        return None
    return by_denial(new, known) or by_value(new, known)
