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

MOST_OF_IT = 0.6  # share of a memory, by the weight of its words, that says it again
PIECE = 0.9  # share of a sentence that a memory must say, where it may be a piece of it
SHARED = 2  # telling words that a sentence shares with a memory before it is looked at
MOST_CHARACTERS = 16_000  # looked at of one answer, or of one call

_CODE = re.compile(r"`([^`\n]{1,160})`")
_FILE = re.compile(r"\S*(?:/\S*|\.\w{1,4})")
_READING = ("Read", "Glob", "Grep", "LS")  # a memory may have been about what they find


def uses(
    turns: Iterable[Turn], neighbours: Sequence[Neighbour], since_line: int = 0
) -> Iterator[tuple[str, Turn]]:
    """Yield (memory, the turn in which it was used), each memory once a prompt.

    Turns up to `since_line` only say what was asked.
    """
    prompt, seen = "", set[str]()
    codes = {neighbour.id: _codes(neighbour.content) for neighbour in neighbours}
    for turn in turns:
        if turn.is_prompt:
            prompt, seen = without_echo(turn.text), set()
        if turn.line <= since_line or turn.tool in _READING:
            continue
        others = [neighbour for neighbour in neighbours if neighbour.id not in seen]
        used: list[str] = []
        if turn.kind == "assistant":
            used = list(_said(turn.text[:MOST_CHARACTERS], prompt, others))
        elif turn.kind == "tool_call":
            values = json.dumps(turn.tool_input, ensure_ascii=False, default=str)[:MOST_CHARACTERS]
            arguments = values.replace('\\"', '"')
            used = [
                neighbour.id
                for neighbour in others
                if any(code in arguments and code not in prompt for code in codes[neighbour.id])
            ]
        for memory in used:
            seen.add(memory)
            yield memory, turn


def _said(answer: str, prompt: str, neighbours: Sequence[Neighbour]) -> Iterator[str]:
    """Yield the memories that an answer says again and its prompt does not."""
    sentences = [(text, content_of(text)) for text in cut(answer) if text.strip()]
    request = content_of(prompt)
    for neighbour in neighbours:
        memory = content_of(neighbour.content)
        if _share(request, memory) >= MOST_OF_IT:
            continue
        names = memory.telling | memory.marks | memory.numbers
        for text, message in sentences:
            if len(names & message.weights.keys()) < SHARED:
                continue
            says_most = _share(message, memory) >= MOST_OF_IT
            has_all = (
                memory.numbers <= message.numbers and memory.denials % 2 == message.denials % 2
            )
            may_repeat = says_most or _share(memory, message) >= PIECE
            if (says_most and has_all) or (
                may_repeat and repeated(text, [neighbour], type=neighbour.type) is not None
            ):
                yield neighbour.id
                break


def _share(text: Content, memory: Content) -> float:
    """Return how much of a memory stands in a text, by the weight of its words: 0-1."""
    shared = sum(memory.weights[word] for word in memory.weights.keys() & text.weights.keys())
    return shared / memory.weight if memory.weights else 0.0


def _codes(text: str) -> list[str]:
    """Return what a memory writes as code, without names of files."""
    codes = (code.strip() for code in _CODE.findall(text))
    return [code for code in codes if len(code) >= 4 and not _FILE.fullmatch(code)]
