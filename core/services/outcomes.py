"""What came of what a session was told: answers that repeat it, known errors that fare well or not.

An answer repeats a memory as a capture does (`core/ingest/repetition.py`); here every sentence of
an answer is looked at, not only what is worth a memory itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...db import neighbours, value
from ..clock import to_ms
from ..ingest.extract.echo import without_echo
from ..ingest.repetition import repeated
from ..ingest.triviality import trivial_because
from ..redaction.redact import redact
from ..text.sentences import sentences
from ..text.words import is_stop_word, stem, tokens
from .inbox import neighbour_of

if TYPE_CHECKING:
    from ..answers import Neighbour
    from ..context import Context
    from ..ingest.extract.turns import Turn
    from .error_watch import ErrorWatch

COMMON = 0.5
"""Share of its words, or of a memory's, that a sentence must have in common to be compared: the
judge of pairs takes a thousand times longer than two sets."""


NEAREST = 3
"""Of the memories that a sentence shares enough words with, so many are compared."""

MOST_COMPARED = 300
"""Sentences of one reading that are compared, a second or two of work: more are not counted."""


class Outcomes:
    """Notes, as a session is read, what came of what it was told."""

    def __init__(self, context: Context, errors: ErrorWatch) -> None:
        self._context = context
        self._errors = errors

    def note_outcomes(self, session: str, turns: Sequence[Turn], since_line: int = 0) -> None:
        """Note what the turns behind line `since_line` say of it; a second time changes nothing.

        `turns` may begin earlier, with the commands whose results come behind that line.
        """
        fresh = [turn for turn in turns if turn.line > since_line]
        if any(turn.kind == "assistant" for turn in fresh):
            self._note_uses(session, fresh)
        self._errors.watch_errors(session, turns, since_line)

    def _note_uses(self, session: str, turns: Sequence[Turn]) -> None:
        told = {
            row["id"]: (neighbour_of(row), row["told_at"], _words(row["content"]))
            for row in neighbours.told_to(self._context.database, session)
        }
        if not told:
            return
        least, choice = self._context.policy.capture.min_length, self._context.redaction_choice()
        alike = self._context.policy.capture.similarity
        left = MOST_COMPARED
        for text, said in _answers(turns):
            at, words = to_ms(said.at) or self._context.now_ms(), _words(text)
            near = sorted(
                (
                    (-len(words & theirs), memory)
                    for memory, (_, told_at, theirs) in told.items()
                    if told_at <= at and _are_near(words, theirs)
                ),
            )
            if not near or trivial_because(text, min_length=least):
                continue
            if not left:
                return
            left -= 1
            clean = redact(text, choice=choice).value
            compared = [told[memory][0] for _, memory in near[:NEAREST]]
            echo: Neighbour | None = repeated(clean, compared, threshold=alike)
            if echo is not None:
                value.note_use(self._context.database, session, echo.id, at)
                del told[echo.id]  # once a session


def _answers(turns: Sequence[Turn]) -> Iterator[tuple[str, Turn]]:
    """The sentences of the agent's answers, with where each stands."""
    for turn in turns:
        if turn.kind == "assistant":
            for sentence in sentences(without_echo(turn.text)):
                yield sentence.text, turn


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in tokens(text) if not is_stop_word(word))


def _are_near(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer = min(len(one), len(other))
    return bool(fewer) and len(one & other) >= COMMON * fewer
