"""A session cut into pieces of work: a prompt, and all that followed until the next one."""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ...text.sentences import sentences
from .echo import without_echo
from .runs import Edit, Run, edits_between, runs_in
from .shell import shown, steps
from .subjects import words
from .turns import Call, Turn
from .utterances import is_others

MAX_INTENT = 200  # characters

_NODS = words(
    """
    yes yep yeah y ok okay sure right go on ahead continue proceed please do it that this so next
    great good thanks thank you perfect fine nice cool lgtm and sounds looks works now exactly
    """
)
_MAX_NOD = 6  # words
_SPOKEN = re.compile(r"[^\W\d_]+")
_POLITE = re.compile(
    r"^(?:(?:ok(?:ay)?|now|so|then|next|hi|hey|hello|and|also|please|alright|right|great|thanks|"
    r"yes)\b[,.!:;]?\s+|(?:can|could|would|will) (?:you|we)\s+(?:please\s+)?|let's\s+|let us\s+|"
    r"(?:i|we)(?:'d| would)? (?:like|want|need)(?: you)? to\s+|help me (?:to )?|go ahead and\s+|"
    r"(?:it's )?time to\s+|please\s+)+",
    re.IGNORECASE,
)
_CLOSING = re.compile(r",?\s(?:please|pls|thanks|thank you|now|asap)[.!]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """One piece of work. Its texts are as they were said: not cleaned, but redacted."""

    prompt: Turn | None  # that began it; None for what came before the first one
    turns: Sequence[Turn]  # the prompt and its nods included
    calls: tuple[Call, ...] = ()
    edits: tuple[Edit, ...] = ()
    runs: tuple[Run, ...] = ()
    intent: str = ""  # what the person wanted, one line of at most MAX_INTENT characters
    reaction: Turn | None = field(default=None, repr=False)  # the prompt that came next

    @property
    def is_closed(self) -> bool:
        """Whether the agent had its last word, or the person went on to something else."""
        spoken = [turn for turn in self.turns if turn.kind != "boundary"]
        return self.reaction is not None or bool(spoken and spoken[-1].kind == "assistant")

    @property
    def closing(self) -> str:
        """What the agent said after its last call, in order."""
        said: list[str] = []
        for turn in reversed(self.turns):
            if turn.kind in ("tool_call", "tool_result"):
                break
            if turn.kind == "assistant":
                said.append(without_echo(turn.text))
        return "\n\n".join(reversed(said))

    def milliseconds(self) -> int | None:
        """How long it took, None where the file has no times."""
        moments = [turn.at for turn in self.turns if turn.at is not None]
        if len(moments) < 2:
            return None
        return round((max(moments) - min(moments)).total_seconds() * 1000)


class Stretches:
    """The pieces of a session, and what was done before a place in it."""

    def __init__(self, turns: Sequence[Turn], calls: Sequence[Call], edits: Sequence[Edit]) -> None:
        self.turns, self.calls, self._edits = turns, calls, edits
        self._prompts = [place for place, turn in enumerate(turns) if turn.is_prompt]
        starts = [n for n, turn in enumerate(turns) if _opens(turn)]
        if turns and (not starts or starts[0] > 0):
            starts.insert(0, 0)
        self.all: list[Stretch] = []
        for start, end in pairwise([*starts, len(turns)]):
            prompt = turns[start] if turns[start].kind == "user" else None
            own = tuple(calls[_place(calls, start) : _place(calls, end)])
            self.all.append(
                Stretch(
                    prompt,
                    turns[start:end],
                    own,
                    tuple(edits[_place(edits, start) : _place(edits, end)]),
                    tuple(runs_in(own)),
                    intent_of(prompt.text) if prompt else "",
                    turns[end] if end < len(turns) else None,
                )
            )
        self._lines = [stretch.turns[0].line for stretch in self.all]

    def at_line(self, line: int | None) -> Stretch | None:
        """The piece that holds this line of the file."""
        if not self.all or line is None:
            return None
        return self.all[max(bisect_right(self._lines, line) - 1, 0)]

    def file_before(self, position: int) -> str:
        """The one file of the project that was changed since the prompt before; "" for none."""
        paths = {e.path for e in edits_between(self._edits, self._since(position), position)}
        only = paths.pop() if len(paths) == 1 else ""
        return "" if os.path.isabs(only) else only

    def command_before(self, position: int) -> str:
        """What was run last since that prompt, if the last call was a command; else ""."""
        since = self._since(position)
        last = next((c for c in reversed(self.calls) if since < c.position < position), None)
        done = steps(last.argument("command")) if last else ()
        run = " && ".join(step.text for step in done if not step.is_setup)
        return shown(run) if run else ""

    def _since(self, position: int) -> int:
        number = bisect_left(self._prompts, position)
        return self._prompts[number - 1] if number else -1


def is_nod(text: str) -> bool:
    """Whether a prompt only lets the work go on: "yes, please do that"."""
    spoken = _SPOKEN.findall(text.lower())
    return 0 < len(spoken) <= _MAX_NOD and all(word in _NODS for word in spoken)


def intent_of(text: str) -> str:
    """What a prompt wants, in its own words, on one line; "" where it has none."""
    said = [s.text for s in sentences(without_echo(text)) if not is_others(s.text)]
    line = ""
    for sentence in said[:3]:
        if len(line) + len(sentence) >= MAX_INTENT:
            break
        line = f"{line} {sentence}".strip()
    line = line or (said[0] if said else "")
    return line if len(line) <= MAX_INTENT else line[: MAX_INTENT - 1].rsplit(" ", 1)[0] + "…"


def request_in(intent: str) -> str:
    """The first sentence of `intent` without courtesies: "Can you please cut 2.4?" -> "cut 2.4"."""
    first = next(iter(sentences(intent)), None)
    bare = _CLOSING.sub("", _POLITE.sub("", first.text)) if first else ""
    return bare.rstrip(" .!?:")


def _place(sorted_: Sequence[Call] | Sequence[Edit], position: int) -> int:
    """How many of these come before `position`."""
    return bisect_left(sorted_, position, key=lambda one: one.position)


def _opens(turn: Turn) -> bool:
    """Whether a piece of work begins here: not with a nod, nor with words typed meanwhile."""
    return turn.kind == "user" and not is_nod(without_echo(turn.text))
