"""Return where the words of an agent's record stood first in its session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...text.sameness import content_of
from ...text.sentences import sentences
from .echo import is_trace, runs_memdeck, without_echo
from .turns import Turn, calls_in
from .utterances import own_of, speaking_results, words_in_result

SHARE = 0.7
"""Of a record's telling words, from which on a passage holds it."""

PASSAGE = 3  # lines in a row
MOST_LINES = 400  # of one text, first and last


def first_source(text: str, turns: Sequence[Turn]) -> str:
    """Return "finding" if `text` stood in a tool's result first, "quoted" if in a paste.

    Else "agent": the agent or the user said them, or nobody did.
    """
    content = content_of(text)
    words = content.telling | content.marks | content.numbers
    if not words:
        return "agent"
    for source, lines in _texts(turns):
        low = "\n".join(lines).lower()
        if sum(word[:-1] in low for word in words) < SHARE * len(words):
            continue  # most texts; reading costs a hundred times more
        for start in range(len(lines)):
            held = content_of("\n".join(lines[start : start + PASSAGE])).weights.keys()
            if len(words & held) >= SHARE * len(words) and content.numbers <= held:
                return source
    return "agent"


def _texts(turns: Sequence[Turn]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the lines of each text of a session, and who said them."""
    calls, speaking = calls_in(turns), speaking_results(turns)
    own_output = {
        c.answered for c in calls if c.result is not None and runs_memdeck(c.argument("command"))
    }
    for place, turn in enumerate(turns):
        if turn.kind == "assistant" or (turn.is_prompt and turn.agent_id):
            yield "agent", _lines(without_echo(turn.text))
        elif turn.is_prompt and not is_trace(turn.text):
            said = without_echo(turn.text)
            listed = sentences(said)
            is_own = own_of(turn.text, said, listed)
            own = [one.text for one, mine in zip(listed, is_own, strict=True) if mine]
            yield "agent", own
            yield "quoted", [line for line in _lines(said) if line.strip() not in own]
        elif turn.kind == "tool_result" and place not in own_output:
            answer = words_in_result(turn) if place in speaking else ""
            yield ("agent", _lines(answer)) if answer else ("finding", _lines(turn.text))


def _lines(text: str) -> list[str]:
    found = [line for line in text.splitlines() if line.strip()]
    half = MOST_LINES // 2
    return found if len(found) <= MOST_LINES else found[:half] + found[-half:]
