"""Turns without secrets, before their words are cut, joined or capitalised.

What is left of a secret then no longer looks like one: `xoxb-…` at the start of a sentence gets
a capital letter, an address is cut before its `@`. The storage pipeline redacts once more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

from ...redaction import redact as room
from ...redaction.redact import EVERYTHING, Choice, redact, redact_record
from ...text import clean as cleaning
from ...text.clean import clean
from .turns import Turn

MOST_MARKS = 8_000
"""Turns of one transcript, the last ones, of which is remembered that they hold no secret."""

_MARK = 8  # bytes of a turn's mark
_VERSION = 16  # bytes that name the rules


class ClearTurns:
    """Which turns hold no secret, and were looked through already: a session is read from a little
    before its last reading's end, again and again.

    `stored` is what an earlier reading left (`stored`); what other rules left, or is damaged, is
    nothing. It holds a mark of each such turn, and no word of it. `choice` is what the policy may
    leave in a text.
    """

    def __init__(self, stored: bytes = b"", choice: Choice = EVERYTHING) -> None:
        self.searched = 0  # turns that were not known yet
        self._choice = choice
        self._version = _version_of(choice)
        marks = stored[_VERSION:] if stored[:_VERSION] == self._version else b""
        marks = b"" if len(marks) % _MARK else marks
        self._marks = dict.fromkeys(
            marks[at : at + _MARK] for at in range(0, len(marks), _MARK)
        )  # in the order in which they were met last

    @property
    def stored(self) -> bytes:
        """What the next reading is to be given."""
        return self._version + b"".join([*self._marks][-MOST_MARKS:])

    def without_secrets(self, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        """`turns` with all that was said and given to tools redacted; most stay as they are."""
        return tuple(map(self._redacted, turns))

    def _redacted(self, turn: Turn) -> Turn:
        if not (turn.text or turn.tool_input):
            return turn
        said = f"{turn.text}\0{turn.tool_input}" if turn.tool_input else turn.text
        mark = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_MARK).digest()
        if mark in self._marks:
            self._marks[mark] = self._marks.pop(mark)
            return _with(turn, clean(turn.text))
        self.searched += 1
        made = redact(turn.text, choice=self._choice)
        given = turn.tool_input and redact_record(turn.tool_input, choice=self._choice).fields
        if given != turn.tool_input:
            return replace(turn, text=made.value, tool_input=given)
        if not made.removed:
            self._marks[mark] = None
        return _with(turn, made.value)


def _with(turn: Turn, text: str) -> Turn:
    return turn if text == turn.text else replace(turn, text=text)


@lru_cache(maxsize=8)
def _version_of(choice: Choice) -> bytes:
    """The name of the rules, which is another one when a line of them is, and of the choice."""
    folder = os.path.dirname(room.__file__)
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    told = blake2b(repr((choice, sorted(choice.keep_emails))).encode(), digest_size=_VERSION)
    for path in (*files, cleaning.__file__):
        if path.endswith(".py"):
            with open(path, "rb") as file:
                told.update(file.read())
    return told.digest()
