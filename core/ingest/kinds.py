"""Classify a text into the five types and the nine categories.

Cues are data (`kinds.toml`): each adds its weight to a kind, however often it occurs. The highest
sum wins, and a tie goes to the kind that is listed first. The same text always gets the same
result, and a reviewer may correct it later. Only the lower-cased text counts."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Literal

LOOKS_AT = 4000  # characters; a user's memory holds no more
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
"""Weights that a category adds to types: a decision stays semantic if it is phrased as a standing
rule ("we always use tabs"), a pattern procedural if it is a sequence of steps, and task progress
episodic if it only reports work."""

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kinds.toml")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NAME = r"[\w./-]*[\w-]\.(?:[a-z]{1,4}|[jt]sx|json[lc5]?|ya?ml|toml|proto|swift|scala)\b"
_AT_HAND = re.compile(r"\W*current (?:module|task|file|step|goal):", re.IGNORECASE)
_FOLDERS = re.compile(r"(?<![\w/.-])[\w.@~-]*/(?:[\w.@+-]+/)*(?=[\w@+-][\w.@+-]*\.[a-z]\w{0,7}\b)")
"""The folders of a file: `src/split/reader.py` is about a reader, and not about splitting."""


def memory_type(content: str, category: str | None = None) -> str:
    """Return one of `TYPES`, never "working", which is made from todos and not from a text.

    Prospective: open tasks. Procedural: procedures. Episodic: events, errors, decisions made.
    Semantic: facts, preferences, standing instructions, and texts without a cue. A known
    `category` adds its weight (`CATEGORY_LEANS`), so that it decides if the text has no cue, and
    yields to clear cues.
    """
    return memory_type_with_doubt(content, category)[0]


def memory_type_with_doubt(content: str, category: str | None = None) -> tuple[str, bool]:
    """Return `memory_type`, and whether another type has `NEARLY` the same sum.

    A text without any cue is a fact without doubt.
    """
    sums = _weighed(content, "type")
    leaning, weight = CATEGORY_LEANS.get(category or "", ("semantic", 0))
    sums[leaning] += weight
    first, second = sorted(sums.values(), reverse=True)[:2]
    return _best(sums, "semantic"), second > 0 and first - second <= NEARLY


@lru_cache(maxsize=256)  # several checks need the category of one capture
def category_of(content: str) -> str:
    """Return one of `CATEGORIES`; "discovery" without a cue."""
    return _best(_weighed(content, "category"), "discovery")


@cache
def _cues(question: Literal["type", "category"]) -> dict[str, list[tuple[int, re.Pattern[str]]]]:
    """Return the weighted cues of the file for each kind of a question."""
    with open(_FILE, "rb") as file:
        details = tomllib.load(file)[question]
    return {
        kind: [(n, re.compile(s.replace("DAY", _DAY).replace("FILE", _NAME))) for n, s in listed]
        for kind, listed in details.items()
    }


def _weighed(content: str, question: Literal["type", "category"]) -> dict[str, int]:
    """Return the sum of each kind, in the order in which they win a tie."""
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

    The `context` counts: a `todo_id` makes it working memory, and so does a text that begins with
    "Current module" or the like. `role` is the speaker, which changes nothing.
    """
    about = dict(context or {})
    if about.get("todo_id") or _AT_HAND.match(content):
        return MemoryType.WORKING
    if (role or about.get("role")) == "todo":
        return MemoryType.PROSPECTIVE
    return MemoryType(memory_type(content))
