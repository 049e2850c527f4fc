"""Is a session a conversation, and which of its prompts count.

Many are none: a program started them to review a diff, to wake up on a schedule, to do a subagent's
task. Nothing in them is a person's, and what an agent says there nobody heard.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .echo import is_trace, without_echo
from .turns import Turn

SCHEDULED = 3  # times the same long prompt, and it was not typed
RESENT = 40  # characters from which on the same prompt twice is one that was sent again

_HUNKS = re.compile(r"^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+|--- a/|\+\+\+ b/)", re.MULTILINE)
_DIFF = 3  # such lines
_IN_A_TAG = re.compile(r"\s*<([a-z][\w-]*)\b[^>]*>.*</\1>\s*", re.DOTALL)
_GIVES_A_ROLE = re.compile(
    r"\s*(?:#+ [^\n]{1,80}\n+)?(?:you are|act as|your (?:task|role|job) is)\b", re.I
)
_INSTRUCTS = 200  # characters; a person gives a role in fewer words
_INTERRUPTED = "[Request interrupted"
_SPACES = re.compile(r"\s+")


def is_machine_started(turns: Sequence[Turn]) -> bool:
    """Whether there are prompts, and none of them was typed.

    A single typed prompt makes a conversation of it; turns without any prompt are a piece of one.
    """
    prompts = [turn.text for turn in turns if turn.is_prompt]
    said = [plain for text in prompts if (plain := without_echo(text).strip())]
    often = Counter(_SPACES.sub(" ", text) for text in said if len(text) >= RESENT)
    return bool(said) and all(
        _is_machines(text) or often[_SPACES.sub(" ", text)] >= SCHEDULED for text in said
    )


def without_resent(turns: Sequence[Turn]) -> list[Turn]:
    """`turns` without prompts that were sent again later: the last one counts.

    Sent again is what has the same words and is long, or follows an interruption or nothing at all.
    A short one ("yes") may well be said twice. The last one goes by the name of the first: what an
    earlier reading took from that is not taken again.
    """
    later: dict[str, int] = {}
    dropped: set[int] = set()
    names: dict[int, str] = {}
    for place in range(len(turns) - 1, -1, -1):
        turn = turns[place]
        if not turn.is_prompt or is_trace(turn.text):
            continue
        words = _SPACES.sub(" ", turn.text).strip()
        again = later.get(words)
        if again is not None and (len(words) >= RESENT or _is_cut_off(turns[place + 1 : again])):
            dropped.add(place)
            names[again] = turn.uuid
        else:
            later[words] = place
    return [
        replace(turn, uuid=names[place]) if place in names else turn
        for place, turn in enumerate(turns)
        if place not in dropped
    ]


def _is_machines(text: str) -> bool:
    gives_a_role = len(text) >= _INSTRUCTS and _GIVES_A_ROLE.match(text)
    is_diff = len(_HUNKS.findall(text)) >= _DIFF
    return bool(gives_a_role or is_diff or _IN_A_TAG.fullmatch(text)) or is_trace(text)


def _is_cut_off(between: Sequence[Turn]) -> bool:
    is_stopped = any(turn.text.startswith(_INTERRUPTED) for turn in between)
    return is_stopped or not any(turn.kind == "assistant" for turn in between)
