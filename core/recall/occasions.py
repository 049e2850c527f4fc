"""When an agent is told something, and what belongs to each moment.

A prompt asks with its words; a session that starts has no question yet; a tool about to run wants
what is known of such work; a subagent starts with nothing but its task; after a compaction what the
session had been told is gone. What it was told stands in its context until then, and so does what
it said itself: neither is told again. A session that is resumed has its context still.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from zlib import crc32

from ...frozen import NamedTuple
from ..values import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Occasion(NamedTuple):
    """What is looked for, and what comes along."""

    asks: bool  # what answers the words of the prompt; else what matters without a question
    has_always: bool = True  # pinned and working memory come first
    has_todos: bool = False  # open intentions, at most ten
    has_profile: bool = False  # what the person prefers
    has_summaries: bool = False
    has_told: bool = False  # what the session had been told comes again
    of_files: bool = False  # without a question: what is known of the files at hand
    has_reminders: bool = False  # what became due since it was last told
    is_fresh: bool = False  # in a context of its own: what was told before does not count
    places: int | None = None  # answers at most; None leaves it to the policy


OCCASIONS: Mapping[str, Occasion] = {
    "UserPromptSubmit": Occasion(asks=True, has_reminders=True),
    "SessionStart": Occasion(asks=False, has_todos=True, has_profile=True, has_summaries=True),
    "PostCompact": Occasion(
        asks=False, has_todos=True, has_profile=True, has_told=True, is_fresh=True
    ),
    "PreToolUse": Occasion(asks=True, has_always=False, of_files=True, places=3),
    "PreAssistantResponse": Occasion(asks=False, has_always=False, places=5),
    "SubagentStart": Occasion(asks=True, is_fresh=True, places=3),
    "TaskBoundary": Occasion(asks=True, has_todos=True),
}
"""By the name of the event; other names count as a prompt."""

RESETS = ("compact", "clear")
"""How a session starts whose context no longer holds what it was told."""

SOURCES = ("startup", *RESETS, "resume")
"""How a session starts."""

Told = Mapping[str, Set[tuple[int, str]]]
"""What a session was told: by memory, when, and its `mark` then."""


NEVER_MS = 1 << 62
"""Later than any memory: since then nothing was said."""


class Heard(NamedTuple):
    """What stands in a session's context of what we told it, and since when it is the same."""

    told: Told
    since_ms: int = 0  # when the context was last emptied; 0: never
    start_ms: int = 0  # when it was told what belongs to a start; 0: not yet


NOTHING_HEARD = Heard({})


def occasion_of(event: str, source: str = "") -> Occasion:
    """What belongs to `event`; `source` says how a session starts."""
    if event == "SessionStart" and source == "compact":
        return OCCASIONS["PostCompact"]
    return OCCASIONS.get(event, OCCASIONS["UserPromptSubmit"])


def is_reset(event: str, source: str = "") -> bool:
    """Whether what the session was told before this event is no longer in its context."""
    return event == "PostCompact" or (event == "SessionStart" and source in RESETS)


def begins_again(event: str, source: str = "") -> bool:
    """Whether a session that was under way starts anew: emptied, or resumed as it was."""
    return is_reset(event, source) or (event == "SessionStart" and source == "resume")


def asks_to_record(heard: Heard, event: str, source: str = "") -> bool:
    """Whether a session is asked here to record what it learns: once in a context."""
    return event == "SessionStart" and (is_reset(event, source) or not heard.start_ms)


def context_of(event: str, source: str = "") -> str:
    """Whose context what is told at `event` is in: "" is the session's own, else a subagent's.

    `source` says how a session starts, at other moments which subagent it is for; an unknown one
    is "?".
    """
    if event == "SubagentStart":
        return source or "?"
    return "" if event in ("SessionStart", "PostCompact") else source


def is_at_work(image: Mapping[str, Any]) -> bool:
    """Whether it is the task being worked on, which each prompt is told of."""
    return image["type"] == "working" and ACTIVE in image["tags"]


def mark_of(image: Mapping[str, Any]) -> str:
    """8 hexadecimal digits for what an agent reads of a memory: equal while that stays the same.

    Its standing, weight and use may change meanwhile: nobody need be told the words again for it.
    """
    details = image.get("details") or {}
    beside = [(other, context) for other, _, context in image.get("both_hold") or ()]
    read = (image["title"], image["content"], image.get("due"), beside)
    shown = repr((*read, details.get("status"), is_at_work(image)))
    return f"{crc32(shown.encode('utf-8', 'surrogatepass')):08x}"
