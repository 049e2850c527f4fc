"""Sentences by which the user, or an agent of itself, corrects something.

A correction that the score keeps is tagged. One that it does not keep is returned apart: it is
worth a memory only if the store knows what it corrects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...answers import Capture
from ...language.corrections import after_cues, begins_correction, revoked_in, takes_back
from ...text.sameness import STOP, content_of
from ..kinds import category_of
from ..promotion import CORRECTS
from .rules import Rule
from .shape import capture
from .turns import Session
from .utterances import Spoken
from .wording import letters, points

LEAST = 2
"""Content words of a correction that is kept as a memory of its own."""

_WEIGHED = {True: (0.8, 0.9), False: (0.65, 0.75)}  # by the user: importance, confidence


def with_corrections(
    found: Sequence[Capture], spoken: Sequence[Spoken], session: Session
) -> tuple[list[Capture], list[Capture]]:
    """Return `found`, corrections among them tagged, and corrections that `found` lacks."""
    tagged, others = list(found), list[Capture]()
    places = {id(one): place for place, one in enumerate(tagged)}
    for one, words in _corrections(spoken):
        said = letters(words)
        same = next(
            (c for c in found if c.origin.line == one.turn.line and said in letters(c.content)),
            None,
        )
        if same is not None:
            tagged[places[id(same)]] = replace(same, tags=(*same.tags, CORRECTS))
            continue
        is_user = one.utterance.is_person
        rule = Rule("correction", category_of(words), None, *_WEIGHED[is_user], tags=(CORRECTS,))
        index = f"s{one.sentence.index}"
        others.append(capture(rule, words, one.turn, index, session, is_person=is_user))
    return tagged, others


def _corrections(spoken: Sequence[Spoken]) -> Iterator[tuple[Spoken, str]]:
    """Yield the sentences that correct something, each with its words behind the cue.

    A cue alone ("Wait, no.") is about the sentence that follows.
    """
    for place, one in enumerate(spoken):
        text = one.sentence.text
        if not one.is_own or one.is_quoted or one.sentence.kind not in ("text", "item"):
            continue
        if not (begins_correction(text) if one.utterance.is_person else takes_back(text)):
            continue
        words = after_cues(text)
        following = spoken[place + 1] if place + 1 < len(spoken) else None
        if not words and following and following.position == one.position:
            one, words = following, following.sentence.text
        content = content_of(words)
        says = sum(weight > STOP for weight in content.weights.values()) >= LEAST
        if says and not one.sentence.is_question and not points(revoked_in(words) or words):
            yield one, words
