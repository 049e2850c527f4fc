"""Which of the five types a text is, and which of the nine categories.

Cues, as data (`kinds.toml`): each adds its weight to what it speaks for, however often it occurs;
the highest sum wins, and a tie goes to what stands first there. The same text always gets the same
answer, and a reviewer may correct it later. Both questions look at the lower-cased text only."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Literal

LOOKS_AT = 4000  # characters; a person's memory holds no more
NEARLY = 1  # the two best types are tied, or nearly so, when their sums are at most this far apart

CATEGORY_LEANS: dict[str, tuple[str, int]] = {
    "decision": ("episodic", 1),
    "architecture": ("semantic", 3),
    "pattern": ("semantic", 1),
    "warning": ("semantic", 3),
    "discovery": ("semantic", 2),
    "error": ("episodic", 4),
    "preference": ("semantic", 6),
    "file_change": ("episodic", 6),
    "task_progress": ("prospective", 3),
}
"""Where a category pulls its type, and how hard: a decision stays semantic when it is phrased as
what holds ("we always use tabs"), a pattern procedural when it is a sequence of steps, and task
progress episodic when it tells only what was done."""

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kinds.toml")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NAME = r"[\w./-]*[\w-]\.(?:[a-z]{1,4}|[jt]sx|json[lc5]?|ya?ml|toml|proto|swift|scala)\b"
_AT_HAND = re.compile(r"\W*current (?:module|task|file|step|goal):", re.IGNORECASE)
_FOLDERS = re.compile(r"(?<![\w/.-])[\w.@~-]*/(?:[\w.@+-]+/)*(?=[\w@+-][\w.@+-]*\.[a-z]\w{0,7}\b)")
"""What a file lies in: `src/split/reader.py` tells of a reader, and of nothing that was split."""


def memory_type(content: str, category: str | None = None) -> str:
    """One of `TYPES`, never "working": working memory is made from todos, not from a text.

    Prospective is what is still to be done, procedural how something is done, episodic what
    happened (events, errors, decisions made), semantic what holds (facts, preferences, standing
    instructions) and whatever shows no cue. A known `category` adds its weight, so that it
    decides where the text is silent and yields where the text is plain (`CATEGORY_LEANS`).
    """
    return memory_type_with_doubt(content, category)[0]


def memory_type_with_doubt(content: str, category: str | None = None) -> tuple[str, bool]:
    """`memory_type`, and whether another type has `NEARLY` as good a claim.

    A text that shows no cue at all leaves no doubt: nothing speaks for anything but a fact.
    """
    sums = _weighed(content, "type")
    leaning, weight = CATEGORY_LEANS.get(category or "", ("semantic", 0))
    sums[leaning] += weight
    first, second = sorted(sums.values(), reverse=True)[:2]
    return _best(sums, "semantic"), second > 0 and first - second <= NEARLY


@lru_cache(maxsize=256)  # a capture is asked for it in each room that it passes
def category_of(content: str) -> str:
    """One of `CATEGORIES`; "discovery" where nothing says otherwise."""
    return _best(_weighed(content, "category"), "discovery")


@cache
def _cues(question: Literal["type", "category"]) -> dict[str, list[tuple[int, re.Pattern[str]]]]:
    """What the cues that answer it speak for, each with its weight; see the file."""
    with open(_FILE, "rb") as file:
        details = tomllib.load(file)[question]
    return {
        kind: [(n, re.compile(s.replace("DAY", _DAY).replace("FILE", _NAME))) for n, s in listed]
        for kind, listed in details.items()
    }


def _weighed(content: str, question: Literal["type", "category"]) -> dict[str, int]:
    """The sum of each kind, in the order in which they win a tie."""
    text = _FOLDERS.sub("", content[:LOOKS_AT].lower().replace("’", "'"))
    return {
        kind: sum(weight for weight, pattern in cues if pattern.search(text))
        for kind, cues in _cues(question).items()
    }


def _best(sums: dict[str, int], default: str) -> str:
    return max(sums, key=sums.__getitem__) if any(sums.values()) else default


class MemoryType(StrEnum):
    """The five types; each is its own name, so a text will do as well."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROSPECTIVE = "prospective"
    PROCEDURAL = "procedural"
    WORKING = "working"


def determine_memory_type(
    content: str, context: Mapping[str, Any] | None = None, role: str | None = None
) -> MemoryType:
    """One of the five types, by rule.

    What the `context` says of its moment counts: a `todo_id` is for the task at hand, and so is a
    text that begins with "Current module" or the like. `role` is who spoke; the words decide all
    the same.
    """
    about = dict(context or {})
    if about.get("todo_id") or _AT_HAND.match(content):
        return MemoryType.WORKING
    if (role or about.get("role")) == "todo":
        return MemoryType.PROSPECTIVE
    return MemoryType(memory_type(content))
