"""The exchange that a sentence stands in: what was asked, and how the person took it."""

from __future__ import annotations

from collections.abc import Sequence

from ...answers import Exchange
from ...judgement.signs import signs_of
from .turns import Turn
from .utterances import TURNED_DOWN, Spoken, words_in_result

MOST = 300
"""Characters told of either side."""

HEAD = 200
"""Characters at the start of a prompt that tell how the last words were taken."""


def exchange_around(turns: Sequence[Turn], spoken: Spoken) -> Exchange:
    """What stands around a sentence of `turns`; only an agent's can be spoken against.

    An act of the person's speaks against what the agent said last, not against all it said since
    it was asked.
    """
    said = spoken.utterance
    answered = said.reaction or ""
    if said.is_person:
        return Exchange(said.other[-MOST:], answered[:MOST])
    reaction, words = _taken(turns, spoken)
    return Exchange(said.other[:MOST], (words or answered)[:MOST], reaction)


def _taken(turns: Sequence[Turn], spoken: Spoken) -> tuple[str, str]:
    """(reaction, the words that came with it) to the answer that holds `spoken`."""
    for place in range(spoken.position + 1, len(turns)):
        turn = turns[place]
        if turn.kind == "tool_result":
            if turn.details.get("interrupted") is True:
                return "interrupted", ""
            if turn.is_error and TURNED_DOWN.search(turn.text[:400]):
                return "rejected", words_in_result(turn)
        elif turn.is_prompt:
            if TURNED_DOWN.search(turn.text[:60]):
                return "interrupted", _next_prompt(turns, place)
            return ("contested" if _is_contested(turn.text) else ""), turn.text
        elif turn.kind == "assistant" and not _is_one_answer(spoken.turn, turn):
            break
    return "", ""


def _is_one_answer(turn: Turn, other: Turn) -> bool:
    return bool(turn.message_id) and turn.message_id == other.message_id


def _is_contested(answered: str) -> bool:
    """Whether a prompt refuses, and does not merely ask."""
    heard = signs_of(answered[:HEAD])
    return "refuses" in heard and "asks" not in heard


def _next_prompt(turns: Sequence[Turn], place: int) -> str:
    return next((turn.text for turn in turns[place + 1 :] if turn.is_prompt), "")
