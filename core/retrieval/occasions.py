"""When an agent is told something, and what belongs to each moment (003-03).

A prompt asks with its words; a session that starts has no question yet; a tool about to run wants
what is known of such work; a subagent starts with nothing but its task; after a compaction what the
session had been told is gone.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Occasion(NamedTuple):
    """What is looked for, and what comes along."""

    asks: bool  # what answers the words of the prompt; else what matters without a question
    has_always: bool = True  # pinned and working memory come first
    has_todos: bool = False  # open intentions, at most ten (001-16)
    has_profile: bool = False  # what the person prefers (001-16, 003-13)
    has_summaries: bool = False
    has_told: bool = False  # what the session had been told comes again
    of_files: bool = False  # without a question: what is known of the files at hand
    is_fresh: bool = False  # the context is empty: what was told before does not count
    places: int | None = None  # answers at most; None leaves it to the policy


OCCASIONS: Mapping[str, Occasion] = {
    "UserPromptSubmit": Occasion(asks=True),
    "SessionStart": Occasion(
        asks=False, has_todos=True, has_profile=True, has_summaries=True, is_fresh=True
    ),
    "PostCompact": Occasion(
        asks=False, has_todos=True, has_profile=True, has_told=True, is_fresh=True
    ),
    "PreToolUse": Occasion(asks=True, has_always=False, of_files=True, places=3),
    "PreAssistantResponse": Occasion(asks=False, has_always=False, places=5),
    "SubagentStart": Occasion(asks=True, is_fresh=True),
    "TaskBoundary": Occasion(asks=True, has_todos=True),
}
"""By the name of the event; other names count as a prompt."""

RESETS = ("compact", "clear", "resume")
"""How a session starts whose context no longer holds what it was told."""


def occasion_of(event: str, source: str = "") -> Occasion:
    """What belongs to `event`; `source` says how a session starts."""
    if event == "SessionStart" and source == "compact":
        return OCCASIONS["PostCompact"]
    return OCCASIONS.get(event, OCCASIONS["UserPromptSubmit"])


def is_reset(event: str, source: str = "") -> bool:
    """Whether what the session was told before this event is no longer in its context."""
    return event == "PostCompact" or (event == "SessionStart" and source in RESETS)


def is_shared(event: str) -> bool:
    """Whether what is told at `event` is in the session's own context; a subagent has another."""
    return event != "SubagentStart"
