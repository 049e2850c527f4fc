"""Is there anything here worth keeping? The first gate, before any other work."""

from __future__ import annotations

from ..text.shapes import length_of

MIN_LENGTH = 50
"""Characters, without white space at the ends, that a capture needs."""

FILLER = frozenset(
    {"ok", "okay", "thanks", "got it", "sounds good", "sure", "yep", "yes", "no", "done"}
)
"""Answers that say nothing by themselves: lower case, without a dot at the end."""


def trivial_because(text: str, min_length: int = MIN_LENGTH) -> str | None:
    """Why `text` is not worth keeping, as a sentence for a person; None if it may be.

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
