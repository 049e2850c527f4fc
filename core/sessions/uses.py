"""Return which of the memories that a session received its agent used.

The agent says one again, whole or most of it, or does what one says: a call is given a command, a
flag or a value that the memory writes as code. What the prompt had said itself is no use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from ..answers import Neighbour
from ..ingest.pipeline import repeated
from ..text.sameness import Content, content_of
from ..text.sentences import cut
from .echo import without_echo
from .turns import Turn

MOST_OF_IT = 0.6
"""Share of what a memory says, by the weight of its words, from which on it is said again."""

PIECE = 0.9
"""Share of what a sentence says that a memory must say, where it may be a piece of it."""

SHARED = 2
"""Telling words and names that a sentence has in common with a memory before it is looked at."""

LEAST_CODE = 4
"""Characters of the shortest code that is looked for in a call."""

MOST_CHARACTERS = 16_000
"""What is looked at of one answer, or of one call."""

_CODE = re.compile(r"`([^`\n]{1,160})`")
_READING = ("Read", "Glob", "Grep", "LS")
"""Calls that only look: a memory may have been about what they find."""


def uses(
    turns: Iterable[Turn], neighbours: Sequence[Neighbour], since_line: int = 0
) -> Iterator[tuple[str, Turn]]:
    """(memory, the turn in which it was used), each memory once a prompt.

    Turns up to `since_line` only say what was asked.
    """
    prompt, seen = "", set[str]()
    codes = {other.id: _codes(other.content) for other in neighbours}
    for turn in turns:
        if turn.is_prompt:
            prompt, seen = without_echo(turn.text), set()
            continue
        if turn.line <= since_line or turn.kind not in ("assistant", "tool_call"):
            continue
        others = [other for other in neighbours if other.id not in seen]
        if turn.kind == "assistant":
            used = list(_said(turn.text[:MOST_CHARACTERS], prompt, others))
        elif turn.tool in _READING:
            continue
        else:
            values = json.dumps(turn.tool_input, ensure_ascii=False, default=str)[:MOST_CHARACTERS]
            values = values.replace('\\"', '"')
            used = [
                other.id
                for other in others
                if any(code in values and code not in prompt for code in codes[other.id])
            ]
        for memory in used:
            seen.add(memory)
            yield memory, turn


def _said(answer: str, prompt: str, neighbours: Sequence[Neighbour]) -> Iterator[str]:
    """The memories that an answer says again and its prompt does not."""
    sentences = [(text, content_of(text)) for text in cut(answer) if text.strip()]
    request = content_of(prompt)
    for item in neighbours:
        content = content_of(item.content)
        if _share(request, content) >= MOST_OF_IT:
            continue
        names = content.telling | content.marks | content.numbers
        near = (pair for pair in sentences if len(names & pair[1].weights.keys()) >= SHARED)
        if any(_says(text, message, item, content) for text, message in near):
            yield item.id


def _says(text: str, message: Content, neighbour: Neighbour, content: Content) -> bool:
    """Whether a sentence says a memory, most of it, or a piece of it and nothing else."""
    if _share(message, content) >= MOST_OF_IT:
        return (
            _covers(message, content)
            or repeated(text, [neighbour], type=neighbour.type) is not None
        )
    is_piece = _share(content, message) >= PIECE  # the dearer look, where it may be one
    return is_piece and repeated(text, [neighbour], type=neighbour.type) is not None


def _covers(text: Content, memory: Content) -> bool:
    """Whether a text says most of a memory: no number missing, and no denial more or less."""
    if not memory.numbers <= text.numbers or memory.denials % 2 != text.denials % 2:
        return False
    return _share(text, memory) >= MOST_OF_IT


def _share(text: Content, memory: Content) -> float:
    """How much of a memory stands in a text, by the weight of its words: 0-1."""
    shared = sum(memory.weights[word] for word in memory.weights.keys() & text.weights.keys())
    return shared / memory.weight if memory.weights else 0.0


def _codes(text: str) -> list[str]:
    """What a memory writes as code, without names of files."""
    matches = (code.strip() for code in _CODE.findall(text))
    return [code for code in matches if len(code) >= LEAST_CODE and not _is_path(code)]


def _is_path(code: str) -> bool:
    return " " not in code and ("/" in code or bool(re.search(r"\.\w{1,4}$", code)))
