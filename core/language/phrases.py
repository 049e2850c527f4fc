"""The explicit words of each language, read when the first transcript is: one value a file.

Another language is one more file in `language/`; nothing else has to know of it. Languages without
one are served by the fitted score alone.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..text.times import MONTHS, WEEKDAYS

FOLDER = os.path.dirname(os.path.abspath(__file__))
"""Every TOML file here is one language."""

GAP = r"[\s,.!:;…—–-]*"
NOTHING = r"(?!)"
"""A pattern that fits no text: what a language does not say."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """How a person says in one language that something is to be kept. Patterns are asked as named:
    those of a beginning with `match`, the others with `search`."""

    filler: re.Pattern[str]  # a beginning that says nothing
    points: re.Pattern[str]  # a beginning that needs the sentence before
    vague: re.Pattern[str]  # the same, unless the sentence names something
    order: re.Pattern[str]  # a beginning that asks for one piece of work
    remember: tuple[re.Pattern[str], ...]  # `said` is to be remembered; whole sentences
    unkept: re.Pattern[str]  # anywhere: nothing of its line is to be kept
    from_now_on: re.Pattern[str]  # anywhere
    in_future: re.Pattern[str]  # the same in words that seldom lay down a rule: only as they stand
    label: re.Pattern[str]  # whole sentences; `said` is put off
    reminder: re.Pattern[str]
    put_off: re.Pattern[str]  # a beginning that puts off by its own words
    we_must: re.Pattern[str]  # a beginning that says what is to do
    must: re.Pattern[str]  # the same anywhere, where an occasion begins the sentence
    occasion: re.Pattern[str]  # anywhere: when, though no day is named
    chat: re.Pattern[str]  # anywhere: what is not put off all the same
    trigger: re.Pattern[str]  # anywhere: the place in the work that it waits for
    event: re.Pattern[str]  # anywhere: what has to happen first
    any_day: re.Pattern[str]  # anywhere: one of its words for days
    days: tuple[tuple[re.Pattern[str], str], ...]  # its words for days -> English ones

    def in_english(self, text: str) -> str:
        """`text` with its words for days as `core/text/times` knows them."""
        if not self.any_day.search(text):
            return text
        for words, english in self.days:
            text = words.sub(english, text)
        return text


@lru_cache(maxsize=1)
def languages() -> tuple[Mapping[str, Any], ...]:
    """What the file of each language says, English first."""
    matches = []
    for name in sorted(name for name in os.listdir(FOLDER) if name.endswith(".toml")):
        with open(os.path.join(FOLDER, name), "rb") as file:
            matches.append(tomllib.load(file))
    return tuple(matches)


def correcting(pattern: str) -> re.Pattern[str]:
    """How one corrects: `<name>` stands for the words of that name, of all languages."""

    def words(name: re.Match[str]) -> str:
        details = [
            language["corrects"].get(name[1], ())
            for language in languages()
            if "corrects" in language
        ]
        listed = [word for each in details for word in ([each] if isinstance(each, str) else each)]
        return "(?:" + "|".join(listed).replace("~", r"\s") + ")"

    return re.compile(re.sub(r"(?<!P)<(\w+)>", words, pattern), re.IGNORECASE)


@lru_cache(maxsize=1)
def phrases() -> tuple[Phrases, ...]:
    """Every language's, English first."""
    return tuple(_phrases(language) for language in languages())


def _phrases(details: Mapping[str, Any]) -> Phrases:
    fields = {
        name: _pattern(details.get(name, NOTHING))
        for name in Phrases.__annotations__
        if name not in ("remember", "any_day", "days")
    }
    days = dict(details.get("days", {}))
    for name, english in (("weekdays", WEEKDAYS), ("months", MONTHS)):
        days |= dict(zip(details.get(name, "").split(), english, strict=False))
    return Phrases(
        remember=tuple(_pattern(each) for each in details["remember"]),
        any_day=_pattern("|".join(rf"\b(?:{words})(?!\w)" for words in days) or NOTHING),
        days=tuple((_pattern(rf"\b(?:{words})(?!\w)"), days[words]) for words in days),
        **fields,
    )


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
