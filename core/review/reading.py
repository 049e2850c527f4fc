"""A text as the built-in reviewers read it: what is concrete in it, and how it is said.

One reading serves all of them. Sentences that are mere talk are set aside first, so that a fact
is not refused for the "All tests pass." behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from . import phrases
from .common_words import is_common, is_trade
from .reviewer import SHOWN, Subject

MOST_SPECIFICS = 8.0
TELLING = 2.0
"""Specifics of a text that names enough to be looked up: an identifier, or three rare words."""

OUTWEIGHS_TALK = 3.0
"""Specifics that make a sentence worth reading although it shows one sign of talk."""

RULED = 0.6
"""Importance from which the extraction rule itself vouches that a text is no request."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"”’)*]*\s+(?=[\"“‘(*`]*[A-ZÄÖÜÉ¿¡\d`])|\n+")
_ASKED = re.compile(r"\s\(Asked: [^\n]*\)$")  # what a subagent was asked, behind its finding
_CODE = re.compile(r"`([^`\n]{1,200})`")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{2,120})[\"”“»]")
_APART = re.compile(rf"{_CODE.pattern}|{_QUOTED.pattern}|(?<!\w)'[^'\n]{{2,60}}'(?!\w)")
_NAMES = re.compile(
    r"(?:~|\.{1,2})?/?(?:[\w.@+-]+/)+[\w.@*+-]*"  # a path
    r"|\b[\w-]+\.(?:[a-z]{1,5}\d?)\b(?=[\s,.;:)]|$)"  # a file or a domain
    r"|\b[A-Za-z]\w*_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b"  # an identifier
    r"|\w+\(\)|(?<!\w)--?[a-z][\w-]+|\b[\w-]+@[\w.-]+|(?<!\w)#[\w-]+"
)
_NUMBER = re.compile(
    r"(?<![\w.])v?\d[\d.,:x]*(?:\s?(?:%|[kmgt]i?b|ms|s|h|px|hz|fps|days?|hours?|minutes?|months?"
    r"|times)\b)?",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|week(?:end|day)s?|noon|midnight|january"
    r"|february|april|june|july|august|september|october|november|december|quarter|fiscal year)\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"\b[A-Z][A-Z\d]{1,9}s?\b")
_PROPER = re.compile(r"(?<=[a-zß,;] )[A-Z][a-zäöüß]{2,}\b")
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_GERMAN = frozenset("der die das und ist nicht ich auf".split())
_SHOUTED = frozenset("OK TODO FIXME NB FYI PR AI API ID IT US DONE NOTE".split())


@dataclass(frozen=True, slots=True)
class Reading:
    """What is in a text. Booleans are about what is left of it when talk is set aside."""

    specifics: float  # 0-8: names, numbers and rare words that one could look up
    is_talk: bool  # nothing is left when talk is set aside
    talk: int  # signs of talk in the whole text: social words, narration, status, questions
    is_question: bool
    is_output: bool  # a line of a log, of code or of markup
    is_report: bool  # tells what was just done
    is_request: bool  # asks for something to be done once
    is_of_the_moment: bool
    is_hedged: bool
    is_vague: bool
    leans: bool  # begins with a word that points to another sentence
    stands: bool  # a rule: always, never, must, only, every
    has_reason: bool
    has_decision: bool
    has_contrast: bool
    has_cause: bool
    has_fix: bool
    has_limit: bool
    has_plan: bool
    has_warning: bool
    has_steps: bool
    is_truism: bool  # says what nobody would deny


def read(content: str) -> Reading:
    """The reading of the first 500 characters of `content` (000-27)."""
    return _read(content[:SHOWN])


@lru_cache(maxsize=64)
def _read(content: str) -> Reading:
    plain = _ASKED.sub("", content.replace("’", "'"))
    sentences = [one for one in _SENTENCE.split(plain) if one and one.strip()]
    talk = 0
    kept: list[str] = []
    for sentence in sentences:
        signs = _talk_in(sentence)
        talk += signs
        if not signs or (signs == 1 and _outweighs_talk(sentence)):
            kept.append(sentence)
    is_talk = not kept
    statements = [one for one in kept if not _is_question(one)]
    kept = statements or kept
    rest = " ".join(kept or sentences)
    plain = masked(rest).lower()
    first = masked((kept or sentences or [""])[0]).lower().strip(' *_-–—"“')

    def has(pattern: re.Pattern[str]) -> bool:
        return pattern.search(plain) is not None

    return Reading(
        specifics=specifics_of(rest),
        is_talk=is_talk,
        talk=talk,
        is_question=all(_is_question(one) for one in (kept or sentences)),
        is_output=phrases.OUTPUT.search(content.strip().lower()) is not None,
        is_report=phrases.DONE_REPORT.search(first) is not None,
        is_request=phrases.REQUEST.search(first) is not None,
        is_of_the_moment=has(phrases.MOMENT),
        is_hedged=has(phrases.HEDGE),
        is_vague=has(phrases.VAGUE),
        leans=phrases.LEANS.search(first) is not None,
        stands=has(phrases.STANDING),
        has_reason=has(phrases.REASON),
        has_decision=has(phrases.DECISION),
        has_contrast=has(phrases.CONTRAST),
        has_cause=has(phrases.CAUSE),
        has_fix=has(phrases.FIX),
        has_limit=has(phrases.LIMIT),
        has_plan=has(phrases.PLAN),
        has_warning=has(phrases.WARNING),
        has_steps=has(phrases.STEPS),
        is_truism=len(set(phrases.TRUISMS.findall(plain))) >= 2,
    )


def is_empty(subject: Subject, reading: Reading) -> bool:
    """Whether there is nothing in it that a later session could use.

    What a person lays down may be said in everyday words ("never commit to main").
    """
    if reading.is_truism and reading.specifics < TELLING:
        return True
    if is_vouched(subject):
        return reading.is_vague and reading.specifics < 0.3
    lasts = reading.stands or reading.has_decision or reading.has_plan
    if subject.rule.startswith("person.") and lasts and not reading.is_vague:
        return reading.specifics < 0.5
    return reading.specifics < 1.2


def asks_once(subject: Subject, reading: Reading) -> bool:
    """Whether it asks for one piece of work, and not for what shall hold or wait."""
    if not reading.is_request or subject.type == "prospective" or reading.has_fix:
        return False
    if subject.type == "procedural" and reading.has_steps and reading.specifics >= TELLING:
        return False
    return reading.is_of_the_moment or not (reading.stands or is_vouched(subject))


def is_vouched(subject: Subject) -> bool:
    """Whether an extraction rule took it for something that a person lays down for good."""
    return subject.rule.startswith("person.") and subject.importance >= RULED


def masked(text: str) -> str:
    """`text` with code and quotations as `·`: words in them are not the speaker's."""
    return _APART.sub("·", text)


def specifics_of(text: str) -> float:
    """How much in `text` could be looked up, 0-8: code counts most, a rare word least."""
    found = 0.0
    for code in set(_CODE.findall(text)):
        found += 2.0 if len(code) > 2 else 1.0
    text = _CODE.sub(" · ", text)
    found += 1.0 * len(set(_QUOTED.findall(text)))
    found += 1.5 * len(set(_NAMES.findall(text)))
    text = _NAMES.sub(" · ", text)
    found += 0.7 * len(set(_NUMBER.findall(text)))
    found += 0.5 * len({when.lower() for when in _WHEN.findall(text)})
    text = _WHEN.sub(" · ", text)
    named = {word for word in _ACRONYM.findall(text) if word not in _SHOUTED}
    named |= set(_PROPER.findall(text)) if not _is_german(text) else set()
    found += 0.7 * len({word for word in named if not is_common(word.lower())})
    found += 0.6 * len(rare_words(text) - {word.lower() for word in named})
    found += 0.3 * len({word.lower() for word in _WORD.findall(text) if is_trade(word.lower())})
    return min(MOST_SPECIFICS, found)


def rare_words(text: str) -> frozenset[str]:
    """The words of `text` that say what it is about, small."""
    words = (word.lower() for word in _WORD.findall(text.replace("’", "'")))
    return frozenset(word for word in words if len(word) > 2 and not is_common(word))


def _outweighs_talk(sentence: str) -> bool:
    """Whether a sentence with one sign of talk in it is worth reading all the same."""
    if specifics_of(sentence) >= OUTWEIGHS_TALK:
        return True
    return phrases.LAID_DOWN.search(masked(sentence).lower().strip()) is not None


def _talk_in(sentence: str) -> int:
    """How many kinds of talk a sentence shows: narration, politeness, status, a question."""
    plain = masked(sentence).lower().strip(' *_-–—"“')
    plain = phrases.OPENER.sub("", plain) or plain
    kinds = (phrases.NARRATION, phrases.SOCIAL, phrases.STATUS)
    return sum(kind.search(plain) is not None for kind in kinds) + _is_question(sentence)


def _is_question(sentence: str) -> bool:
    plain = masked(sentence).lower().strip()
    return phrases.QUESTION.search(plain) is not None and not plain.startswith("open ")


def _is_german(text: str) -> bool:
    """Whether capitals tell nothing, since every noun has one."""
    return sum(word in _GERMAN for word in text.lower().split()) >= 2
