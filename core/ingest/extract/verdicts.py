"""What a person's next words make of an agent's: a decision approved, work refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...answers import Capture
from ...text.sentences import Sentence, masked_quotes, sentences
from . import correction_words
from .echo import without_echo
from .feelings import valence_of
from .rules import rx
from .stretches import is_nod
from .turns import Turn
from .weights import importance_of

_APPROVAL = rx(
    r"^(?:(?:yes|yep|yeah|yup)\b(?!\s\w+\s(?:but|though))|agreed|approved|go\ (?:ahead|for\ it)|"
    r"(?:please\ )?do\ (?:it|that|so)\b|sounds\ (?:good|great|right)|"
    r"let's\ (?:do|go\ with)\ (?:it|that)|i\ agree|good\ (?:idea|plan|call)|exactly|"
    r"makes\ sense|works\ for\ me|ship\ it|lgtm)\b"
)
_RESERVED = rx(
    r"\b(?:but|except|instead|however|though|although|only\ if|unless|not|don't|rather)\b"
)
_LOOKS_AT = 8000  # characters of a prompt


def denies(text: str) -> bool:
    """Whether a prompt says at once that what the agent said or did is wrong."""
    first = _first(text)
    if first is None:
        return False
    masked = masked_quotes(first.text)
    skipped = correction_words.FILLER.match(masked)
    return correction_words.DENIES.match(masked[skipped.end() if skipped else 0 :]) is not None


def approves(text: str) -> bool:
    """Whether a prompt says yes and means it: "Yes, do that." and not "Yes, but …"."""
    first = _first(text)
    if first is None or first.is_question or _RESERVED.search(masked_quotes(first.text)):
        return False
    return _APPROVAL.match(masked_quotes(first.text)) is not None or (
        is_nod(without_echo(text)) and valence_of(text) > 0
    )


def with_approved(found: Sequence[Capture], turns: Sequence[Turn]) -> list[Capture]:
    """`found`, with the importance of 003-02 for an agent's decisions that the person approved."""
    lines = {
        _line_of_answer(turns, place)
        for place, turn in enumerate(turns)
        if turn.is_prompt and approves(turn.text)
    }
    return [
        replace(one, importance=max(one.importance, importance_of("approval")))
        if one.category == "decision" and one.salience is not None and one.origin.line in lines
        else one
        for one in found
    ]


def _line_of_answer(turns: Sequence[Turn], place: int) -> int:
    """The line of the last answer before the prompt at `place`, -1 if another prompt is nearer."""
    for turn in reversed(turns[max(place - 40, 0) : place]):
        if turn.kind == "assistant":
            return turn.line
        if turn.is_prompt:
            break
    return -1


def _first(text: str) -> Sentence | None:
    return next(iter(sentences(without_echo(text[:_LOOKS_AT]))), None)
