"""The languages in which rules find what is worth keeping: one value each.

Another language is another `Language`: its rules, the words that give it away, and what makes
its sentences not worth keeping. Give it to `extract` beside the others:

    extract(turns, session="s1", languages={**LANGUAGES, "sv": SWEDISH})
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from . import (
    refusals,
    refusals_german,
    refusals_spanish,
    rules_german,
    rules_german_agent,
    rules_spanish,
    rules_spanish_agent,
)
from .intentions import INTENTION
from .prose import mask
from .rules import Rule, rx
from .rules_agent import AGENT_RULES, CHANGE, OUTCOME
from .rules_facts import CORRECTED, CORRECTION, FACTS
from .rules_person import INSTRUCTIONS
from .rules_stated import STATED
from .standalone import leans_back, points_elsewhere, without_filler
from .stop_words import STOP_WORDS

NOTHING = rx(r"(?!)")
"""A pattern that fits no text."""

_LOOKS_AT = 4000  # characters of a text
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """How people and agents say in one language what should outlast a session."""

    stop_words: frozenset[str]  # small words, lower case, by which a text is known to be in it
    person: tuple[Rule, ...] = ()  # what a person lays down or states; the first that fits counts
    intention: Rule | None = None  # what a person puts off
    correction: re.Pattern[str] = NOTHING  # "no, …", with the rest in a group `said`
    corrected: tuple[Rule, ...] = ()  # what only a correction makes worth keeping
    agent: tuple[Rule, ...] = ()  # findings of an agent
    reports: tuple[Rule, ...] = ()  # how things are now, in an agent's closing words
    one_off: re.Pattern[str] = NOTHING  # ties an instruction to the moment
    empty: re.Pattern[str] = NOTHING  # goes without saying
    hedged: re.Pattern[str] = NOTHING  # a guess
    talk: re.Pattern[str] = NOTHING  # how agents open, promise and close
    status: re.Pattern[str] = NOTHING  # where things stood at the moment
    trouble: re.Pattern[str] = NOTHING  # what is wrong
    orders: re.Pattern[str] = NOTHING  # what is to be remembered is an instruction
    tells_a_fact: re.Pattern[str] = NOTHING  # … or how something is
    days: tuple[tuple[re.Pattern[str], str], ...] = ()  # its words for days, and the English ones
    has_recipes: bool = False  # its lists of steps are known by their headings
    without_filler: Callable[[str], str] = str  # a sentence without "OK," in front
    asks: Callable[[str], object] = NOTHING.search  # a masked sentence is a question all the same
    leans_back: Callable[[str], object] = NOTHING.search  # it needs the sentence before it
    points_elsewhere: Callable[[str], object] = (
        NOTHING.search
    )  # it needs what only the session shows


Languages = Mapping[str, Language]

ENGLISH = Language(
    stop_words=STOP_WORDS["en"],
    person=(*INSTRUCTIONS, *FACTS, *STATED),
    intention=INTENTION,
    correction=CORRECTION,
    corrected=CORRECTED,
    agent=AGENT_RULES,
    reports=(CHANGE, OUTCOME),
    one_off=refusals.ONE_OFF,
    empty=refusals.EMPTY,
    hedged=refusals.HEDGED,
    talk=refusals.TALK,
    status=refusals.STATUS,
    trouble=refusals.TROUBLE,
    orders=refusals.ORDERS,
    tells_a_fact=refusals.TELLS_A_FACT,
    has_recipes=True,
    without_filler=without_filler,
    asks=refusals.asks,
    leans_back=leans_back,
    points_elsewhere=points_elsewhere,
)

GERMAN = Language(
    stop_words=STOP_WORDS["de"],
    person=rules_german.PERSON,
    intention=rules_german.INTENTION,
    correction=rules_german.CORRECTION,
    corrected=rules_german.CORRECTED,
    agent=rules_german_agent.AGENT,
    reports=rules_german_agent.REPORTS,
    one_off=refusals_german.ONE_OFF,
    empty=refusals_german.EMPTY,
    hedged=refusals_german.HEDGED,
    talk=refusals_german.TALK,
    status=refusals_german.STATUS,
    trouble=refusals_german.TROUBLE,
    orders=refusals_german.ORDERS,
    tells_a_fact=refusals_german.TELLS_A_FACT,
    days=refusals_german.DAYS,
    without_filler=refusals_german.without_filler,
    asks=refusals_german.asks,
    leans_back=refusals_german.leans_back,
    points_elsewhere=refusals_german.points_elsewhere,
)
SPANISH = Language(
    stop_words=STOP_WORDS["es"],
    person=rules_spanish.PERSON,
    intention=rules_spanish.INTENTION,
    correction=rules_spanish.CORRECTION,
    corrected=rules_spanish.CORRECTED,
    agent=rules_spanish_agent.AGENT,
    reports=rules_spanish_agent.REPORTS,
    one_off=refusals_spanish.ONE_OFF,
    empty=refusals_spanish.EMPTY,
    hedged=refusals_spanish.HEDGED,
    talk=refusals_spanish.TALK,
    status=refusals_spanish.STATUS,
    trouble=refusals_spanish.TROUBLE,
    orders=refusals_spanish.ORDERS,
    tells_a_fact=refusals_spanish.TELLS_A_FACT,
    days=refusals_spanish.DAYS,
    without_filler=refusals_spanish.without_filler,
    asks=refusals_spanish.asks,
    leans_back=refusals_spanish.leans_back,
    points_elsewhere=refusals_spanish.points_elsewhere,
)

LANGUAGES: Languages = {_DEFAULT: ENGLISH, "de": GERMAN, "es": SPANISH}
"""The languages that have rules, by their ISO 639-1 code."""


def language_of(text: str, languages: Languages = LANGUAGES, *, least: int = 0) -> Language | None:
    """The language of `text` by its small words, or None where no rules are known for it.

    `least` is how many of these words must be there.

    A text without any, "pnpm, not npm", counts as English if it is written in plain letters.
    Of two languages that fit equally well, English comes first if no letter has an accent, then
    those that have rules.
    """
    tokens = Counter(_WORD.findall(mask(text[:_LOOKS_AT]).lower()))
    known = {**STOP_WORDS, **{code: one.stop_words for code, one in languages.items()}}
    hits = {
        code: sum(min(tokens[word], 3) for word in words & tokens.keys())
        for code, words in known.items()
    }
    is_ascii = all(word.isascii() for word in tokens)
    best = max(
        hits, key=lambda code: (hits[code], (code == _DEFAULT) == is_ascii, code in languages)
    )
    if hits[best] < least:
        return None
    if hits[best]:
        return languages.get(best)
    letters = "".join(tokens)
    is_plain = sum(letter.isascii() for letter in letters) >= 0.9 * len(letters)
    return languages.get(_DEFAULT) if is_plain else None
