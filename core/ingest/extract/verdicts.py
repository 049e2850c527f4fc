"""What a person's next words make of an agent's: work refused."""

from __future__ import annotations

from ...text.sentences import masked_quotes, sentences
from . import correction_words
from .echo import without_echo

_LOOKS_AT = 8000  # characters of a prompt


def denies(text: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = next(iter(sentences(without_echo(text[:_LOOKS_AT]))), None)
    if first is None:
        return False
    masked = masked_quotes(first.text)
    skipped = correction_words.FILLER.match(masked)
    return correction_words.DENIES.match(masked[skipped.end() if skipped else 0 :]) is not None
