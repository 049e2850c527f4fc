"""Compute the worth of one memory part by part, or of all for lists and recall."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...db import ageing, memories
from ...db.images import Image
from ..answers import Neighbour
from ..context import of_row
from ..ingest.pipeline import repeated
from ..lifecycle import worth
from ..sessions.echo import without_echo
from ..sessions.turns import Turn
from ..text.sameness import Content, content_of
from ..text.sentences import cut
from ..values import to_ms
from .search import neighbour_of

if TYPE_CHECKING:
    from ..context import Context


MOST_OF_IT = 0.6  # share of a memory, by the weight of its words, that says it again
PIECE = 0.9  # share of a sentence that a memory must have to count as a piece of it
SHARED = 2  # distinctive words that a sentence must share with a memory to be compared
MOST_CHARACTERS = 16_000  # that are read of one answer, or of one call

_CODE = re.compile(r"`([^`\n]{1,160})`")
_FILE = re.compile(r"\S*(?:/\S*|\.\w{1,4})")
_READING = ("Read", "Glob", "Grep", "LS")  # a memory may have been about what they find


def uses(
    turns: Iterable[Turn], neighbours: Sequence[Neighbour], since_line: int = 0
) -> Iterator[tuple[str, Turn]]:
    """Yield (memory, the turn after `since_line` in which it was used), each once a prompt."""
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
            used = list(_repeated(turn.text[:MOST_CHARACTERS], prompt, others))
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


def _repeated(answer: str, prompt: str, neighbours: Sequence[Neighbour]) -> Iterator[str]:
    """Yield the memories that an answer repeats and its prompt does not."""
    sentences = [(text, content_of(text)) for text in cut(answer) if text.strip()]
    request = content_of(prompt)
    for neighbour in neighbours:
        memory = content_of(neighbour.content)
        if _share(request, memory) >= MOST_OF_IT:
            continue
        names = memory.distinctive | memory.marks | memory.numbers
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
    """Return the share of a memory that a text contains, by the weight of its words: 0-1."""
    shared = sum(memory.weights[word] for word in memory.weights.keys() & text.weights.keys())
    return shared / memory.weight if memory.weights else 0.0


def _codes(text: str) -> list[str]:
    """Return the code in a memory, without names of files."""
    codes = (code.strip() for code in _CODE.findall(text))
    return [code for code in codes if len(code) >= 4 and not _FILE.fullmatch(code)]


class Worths:
    """The worth of memories, computed from their stored lives."""

    _context: Context

    def worth(self, ref: str) -> worth.Worth:
        """Return a memory's worth now, with its parts. Raises NotFound, Ambiguous."""
        memory, now = self._context.named(ref)["id"], self._context.now_ms()
        row = ageing.life_of(self._context.database, memory)
        assert row is not None
        return worth.account_of(life_of(row), now)

    def weigh(self) -> int:
        """Weigh the project's memories in small transactions; return how many. Not journaled."""
        now, done = self._context.now_ms(), 0
        for batch in ageing.lives(*self._context.here):
            ageing.put_worth(self._context.database, [_weighed(row, now) for row in batch])
            done += len(batch)
        ageing.drop_retired(self._context.database)
        return done

    def note_uses(self, session: str, turns: Iterable[Turn], since_line: int = 0) -> int:
        """Count injected memories that were used after a line; return how many are new."""
        listed = list(turns)
        if not any(turn.line > since_line and not turn.is_prompt for turn in listed):
            return 0
        rows = memories.injected_into(self._context.database, session)
        if not rows:
            return 0
        first = {row["id"]: row["injected_at"] for row in rows}
        now = self._context.now_ms()
        answers = [to_ms(t.at) or now for t in listed if t.line > since_line and not t.is_prompt]
        ageing.note_read(self._context.database, session, max(answers))
        used = (
            (memory, to_ms(turn.at) or now)
            for memory, turn in uses(listed, [neighbour_of(row) for row in rows], since_line)
        )
        later = [(memory, at) for memory, at in used if at >= first[memory]]
        return ageing.note_uses(self._context.database, session, later) if later else 0


def life_of(row: Image) -> worth.Life:
    born = {name: row[name] for name in worth.AT_BIRTH if row[name] is not None}
    return of_row(worth.Life, row, at_birth=born or None)


def _weighed(row: Image, now: int) -> Image:
    life = life_of(row)
    importance = worth.importance_of(life)
    return {
        "memory": row["num"],
        "worth": worth.worth_of(life, now),
        "importance": importance,
        "tier": worth.tier_of(importance, life.quiet_days(now), is_held=life.is_held),
        "as_of": now,
    }
