"""A session as a model is shown it: what was said in own words, one line a call, no secrets.

Some thirty times smaller than the file. What a person pasted, what is off the record or private,
what subagents said and what tools printed is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from ..text.sentences import Sentence, sentences
from .echo import is_trace, markers, without_echo
from .turns import Turn, clip
from .utterances import own_of, words_in_result

MOST_OF: Mapping[str, int] = {"person": 4_000, "agent": 3_000, "error": 300, "call": 200}
"""Characters of one turn, by who speaks."""

MOST_TOGETHER = 160_000
"""Characters of a whole condensed session, some 40,000 tokens; the median has 24,000."""

_SHORT_ANSWER = 600  # characters of an answer in a session that is too long otherwise
_ARGUMENTS = (
    *("command", "file_path", "path", "notebook_path", "pattern", "query", "url"),
    *("description", "subject", "prompt", "skill", "name"),
)
_LOOKED_AT = 4_000  # characters of an argument, so that no secret is cut before it is known

Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as the model is shown it."""

    n: int  # from 1; what an answer names it by
    who: str  # one of MOST_OF
    text: str  # redacted
    turn: Turn  # where it stands in the file


def condensed(
    turns: Iterable[Turn],
    redact: Redact,
    *,
    since_line: int = 0,
    starts: str = "",
    most: int = MOST_TOGETHER,
) -> tuple[Said, ...]:
    """The turns after `since_line` that tell something, numbered.

    What is marked, as incognito or not for all, is for no model; `starts` is what holds before
    the first turn.

    Longer than `most` characters together, it loses its calls, then the length of its answers,
    then its oldest turns.
    """
    listed = list(turns)
    visible = [
        Said(0, who, text, turn)
        for turn, marker in zip(listed, markers(listed, starts), strict=True)
        if not marker and not turn.agent_id and turn.line > since_line
        for who, text in (_shown(turn, redact),)
        if text
    ]
    return tuple(replace(item, n=n) for n, item in enumerate(_fitting(visible, most), start=1))


def _shown(turn: Turn, redact: Redact) -> tuple[str, str]:
    """Who speaks in a turn and what is shown of it; ("", "") of one that tells nothing."""
    who, text = "", ""
    if turn.is_prompt and not is_trace(turn.text):
        who, text = "person", own_words(turn.text, redact(without_echo(turn.text)))
    elif turn.kind == "assistant":
        who, text = "agent", redact(without_echo(turn.text)).strip()
    elif turn.kind == "tool_call":
        who, text = "call", _on_one_line(f"{turn.tool}: {redact(_argument(turn))}")
    elif turn.kind == "tool_result":
        if message := words_in_result(turn):
            who, text = "person", redact(without_echo(message)).strip()
        elif turn.is_error:
            who, text = "error", _on_one_line(redact(turn.text))
    return who, clip(text, MOST_OF[who], " … ") if who else ""


def own_words(prompt: str, text: str) -> str:
    """What is `said` in a prompt without what was pasted into it, and how much that was."""
    listed = sentences(text)
    own = own_of(prompt, text, listed)
    if not any(own):
        return ""
    parts: list[str] = []
    for is_own, run in groupby(zip(listed, own, strict=True), key=itemgetter(1)):
        together = [sentence for sentence, _ in run]
        pasted = f"[pasted: {sum(len(item.text) for item in together):,} characters]"
        parts.append(_written(together) if is_own else pasted)
    return "\n".join(parts).strip()


def _written(text: Sequence[Sentence]) -> str:
    blocks = groupby(text, key=lambda item: (item.block, item.kind))
    return "\n".join(
        ("- " if kind == "item" else "") + " ".join(item.text for item in block)
        for (_, kind), block in blocks
    )


def _argument(turn: Turn) -> str:
    values = (turn.tool_input.get(name) for name in _ARGUMENTS)
    text = next((value for value in values if isinstance(value, str) and value.strip()), "")
    return without_echo(text[:_LOOKED_AT])


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _fitting(visible: Sequence[Said], most: int) -> Sequence[Said]:
    if _length(visible) > most:
        visible = [item for item in visible if item.who != "call"]
    if _length(visible) > most:
        visible = [
            replace(item, text=clip(item.text, _SHORT_ANSWER, " … "))
            if item.who == "agent"
            else item
            for item in visible
        ]
    length = _length(visible)
    start = 0
    while length > most:
        length -= len(visible[start].text)
        start += 1
    return visible[start:]


def _length(visible: Iterable[Said]) -> int:
    return sum(len(item.text) for item in visible)
