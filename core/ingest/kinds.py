"""Which of the five types a text is, and which of the nine categories.

Cues, as data (`kinds.toml`): each adds its weight to what it speaks for, however often it occurs;
the highest sum wins, and a tie goes to what stands first there. The same text always gets the same
answer, and a reviewer may correct it later. Both questions look at the lower-cased text only.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache, lru_cache
from typing import Literal, NamedTuple

LOOKS_AT = 4000  # characters; a person's memory holds no more
NEARLY = 1
"""The two best types are tied, or nearly so, when their sums are at most this far apart."""

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kinds.toml")
_WORDS = {
    "DAY": r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "FILE": r"[\w./-]*[\w-]\.(?:[a-z]{1,4}|[jt]sx|json[lc5]?|ya?ml|toml|proto|swift|scala)\b",
}
"""What a pattern may name."""

_FOLDERS = re.compile(r"(?<![\w/.-])[\w.@~-]*/(?:[\w.@+-]+/)*(?=[\w@+-][\w.@+-]*\.[a-z]\w{0,7}\b)")
"""What a file lies in: `src/split/reader.py` tells of a reader, and of nothing that was split."""

_TYPE_ORDER = ("prospective", "procedural", "episodic", "semantic")

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


class Cue(NamedTuple):
    """A turn of phrase, and what it speaks for. The weights are whole numbers from 1 to 4."""

    speaks_for: str
    weight: int
    pattern: re.Pattern[str]


@cache
def cues(question: Literal["type", "category"]) -> tuple[Cue, ...]:
    """The cues that answer it, what speaks for nothing else last."""
    with open(_FILE, "rb") as file:
        told = tomllib.load(file)[question]
    return tuple(
        Cue(kind, weight, _compiled(source))
        for kind, listed in told.items()
        for weight, source in listed
    )


def _compiled(source: str) -> re.Pattern[str]:
    for name, pattern in _WORDS.items():
        source = source.replace(name, pattern)
    return re.compile(source)


def memory_type(content: str, category: str | None = None) -> str:
    """One of `TYPES`, never "working": working memory is made from todos, not from a text.

    Prospective is what is still to be done, procedural how something is done, episodic what
    happened (events, errors, decisions made), semantic what holds (facts, preferences, standing
    instructions) and whatever shows no cue. A known `category` adds its weight, so that it
    decides where the text is silent and yields where the text is plain (`CATEGORY_LEANS`).
    """
    return memory_type_with_doubt(content, category)[0]


def memory_type_with_doubt(content: str, category: str | None = None) -> tuple[str, bool]:
    """`memory_type`, and whether another type has `NEARLY` as good a claim (000-21).

    A text that shows no cue at all leaves no doubt: nothing speaks for anything but a fact.
    """
    sums = _weigh(content, cues("type"))
    if category in CATEGORY_LEANS:
        leaning, weight = CATEGORY_LEANS[category]
        sums[leaning] = sums.get(leaning, 0) + weight
    first, second = sorted((sums.get(one, 0) for one in _TYPE_ORDER), reverse=True)[:2]
    return _first_best(sums, _TYPE_ORDER, "semantic"), second > 0 and first - second <= NEARLY


@lru_cache(maxsize=256)  # a capture is asked for it in each room that it passes
def category_of(content: str) -> str:
    """One of `CATEGORIES`; "discovery" where nothing says otherwise."""
    order = tuple(dict.fromkeys(cue.speaks_for for cue in cues("category")))
    return _first_best(_weigh(content, cues("category")), order, "discovery")


def _weigh(content: str, listed: tuple[Cue, ...]) -> dict[str, int]:
    text = _FOLDERS.sub("", content[:LOOKS_AT].lower().replace("’", "'"))
    sums: dict[str, int] = {}
    for cue in listed:
        if cue.pattern.search(text):
            sums[cue.speaks_for] = sums.get(cue.speaks_for, 0) + cue.weight
    return sums


def _first_best(sums: dict[str, int], order: tuple[str, ...], default: str) -> str:
    return max(order, key=lambda one: sums.get(one, 0)) if sums else default
