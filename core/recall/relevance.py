"""How much of a prompt a memory speaks of, and whether that is enough to be shown.

The index finds whatever shares a word. One word in common is weak evidence, unless it is the
name of a very thing or nearly all that was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from ...frozen import NamedTuple
from ..text.shapes import has_hump, letters_and_digits, run_at
from .keywords import Term, parted, split_name
from .vocabulary import WORK_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SYNONYM_VALUE = 0.7
"""How much a term counts when only a synonym of it is there."""

PARTS_VALUE = 0.9
"""How much an identifier counts when all its parts are there, but not itself."""

MIN_RELATIVE = 0.25
"""Answers whose BM25 is under this share of the best are not shown."""

RARE = 3
"""A word that at most so many of the memories at hand have tells much."""

_SUFFIXES = (
    *("ations", "ation", "ating", "ated", "ates", "ate", "ments", "ment", "ings", "ing"),
    *("ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e"),
)


class Match(NamedTuple):
    """What a prompt and a memory have in common."""

    share: float  # of the prompt's weight, 0.0 to 1.0
    weight: float  # matched weight, from 0.0
    terms: tuple[Term, ...]  # terms that are there at least by half
    names_it: bool  # a path, identifier or error code is there as such

    @property
    def words(self) -> tuple[str, ...]:
        """The matched terms as text."""
        return tuple([term.text for term in self.terms])


NOTHING = Match(0.0, 0.0, (), False)

Has = Callable[[str], bool]
"""Whether a word of the text in question has this stem."""

Value = Callable[[str, Has], float]
"""How well a text, given in lower case, has a term: 0.0 to 1.0."""


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A crude stem of a lower-case word, at most 7 characters: `retries` and `retry` share one.

    It errs towards too much in common; the index, with a proper stemmer, has spoken before.
    """
    if len(word) > 3:
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                if suffix == "s" and word.endswith("ss"):
                    break
                word = word[: -len(suffix)]
                if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
                    word = word[:-1]  # running, stopped
                break
        if len(word) > 3 and word[-1] == "y" and word[-2] not in "aeiou":
            word = word[:-1]
    return word[:7]


_WORK_STEMS = frozenset(map(stem, WORK_WORDS))


class Text(NamedTuple):
    """What is looked into of a memory."""

    written: str
    lower: str  # in lower case, paths with `/`


def text_of(image: Mapping[str, Any]) -> Text:
    """A memory's title, if it has one, its content, tags, files and category: a line each."""
    listed = (*image["tags"], *image["files"])
    return _text(image["title"], image["content"], listed, image["category"])


@lru_cache(maxsize=1_024)  # what answers one question answers the next, where somebody asks on
def _text(title: str, content: str, listed: tuple[str, ...], category: str) -> Text:
    lines = (content, *listed, category)
    written = parted("\n".join((title, *lines) if title else lines))
    return Text(written, written.lower().replace("\\", "/"))


def match(terms: Sequence[Term], image: Mapping[str, Any]) -> Match:
    """What `terms` and the memory of `image` have in common."""
    return matcher(tuple(terms))(text_of(image)) if terms else NOTHING


@lru_cache(maxsize=4)
def matcher(terms: tuple[Term, ...]) -> Callable[[Text], Match]:
    """`match` for one question and many memories: what the terms alone say is made once, and a text
    that is looked at again is not read again."""
    values = [(term, term.weight, *_value_of(term)) for term in terms]
    total = sum(term.weight for term in terms)

    @lru_cache(maxsize=256)
    def matched(text: Text) -> Match:
        lower, has = text.lower, _Stems(*text).has
        common, names_it, found = 0.0, False, []
        for term, weight, pieces, value_in in values:
            for piece in pieces:
                if piece in lower:
                    break
            else:
                continue
            if value := value_in(lower, has):
                common += value * weight
                if value >= 0.5:
                    found.append(term)
                    names_it = names_it or (value == 1.0 and term.is_specific)
        if not common:
            return NOTHING
        return Match(min(common / total, 1.0), common, tuple(found), names_it)

    return matched


class _Stems:
    """The stems of a text, of which only those that are asked for are made.

    A stem is always the beginning of its word. So a text without these letters has no such word,
    and of another one only the words that begin with them are looked at; names with humps are
    parted once, when none of these will do.
    """

    __slots__ = ("_lower", "_of_names", "_text")

    def __init__(self, text: str, lower: str) -> None:
        self._text, self._lower = text, lower
        self._of_names: set[str] | None = None

    def has(self, wanted: str) -> bool:
        """Whether a word of the text, or a part of a name in it, has this stem."""
        lower = self._lower
        place = lower.find(wanted)
        if place < 0:
            return False
        while place >= 0:
            if (place == 0 or not lower[place - 1].isalnum()) and (
                stem(run_at(lower, place)) == wanted
            ):
                return True
            place = lower.find(wanted, place + 1)
        if self._of_names is None:
            self._of_names = set()
            names = filter(has_hump, letters_and_digits(self._text))
            self._of_names = {stem(part) for name in names for part in split_name(name)}
        return wanted in self._of_names


def is_relevant(found: Match, *, is_rare: bool = False) -> bool:
    """Whether this is enough in common to show the memory unasked.

    A very thing by its name always is. One ordinary word is enough when it is about half of what
    was asked, or a fifth if few memories have it; a very common word alone never is. Several
    words are enough when they are most of the prompt, or carry some weight of a prompt of
    ordinary length, or much weight of a long one.
    """
    if found.names_it:
        return True
    if not found.terms:
        return False
    if len(found.terms) == 1:
        return found.terms[0].kind not in ("common", "question") and found.share >= (
            0.2 if is_rare else 0.45
        )
    if found.share >= 0.6 or found.weight >= 3.5:
        return True
    return found.weight >= 1.3 and found.share >= 0.15


STRONG, STRONG_WITH_NAME = 0.5, 0.2
"""From this share of what was asked on, 0-1, an answer is a strong one; the second where one of
several words is the name of a very thing."""


def is_strong(found: Match) -> bool:
    """Whether the prompt asks for this memory plainly: with half of its words, two telling ones.

    A name needs no second word where little else was asked. Of what real sessions were told for
    one word in common, or for one name among the many of a long prompt, one in seven was of any
    use, and of what has only the words of all work in common ("fix the PR") still less.
    """
    telling = sum(map(_tells, found.terms))
    if telling > 1:
        return found.share >= (STRONG_WITH_NAME if found.names_it else STRONG)
    return telling == 1 and found.names_it and found.share >= STRONG


def _tells(term: Term) -> bool:
    return term.kind not in ("common", "question") and stem(term.text) not in _WORK_STEMS


def frequencies(matches: Iterable[Match]) -> dict[str, int]:
    """In how many of the memories at hand each term was found."""
    counts: dict[str, int] = {}
    for found in matches:
        for term in found.terms:
            counts[term.text] = counts.get(term.text, 0) + 1
    return counts


def stands_out(found: Match, counts: Mapping[str, int], words: float) -> bool:
    """Whether the one word in common is rare, and the memory among the best for it.

    `words` is the BM25 as a share of the best answer's, 0-1.
    """
    return len(found.terms) == 1 and counts[found.terms[0].text] <= RARE and words >= 0.6


def _value_of(term: Term) -> tuple[tuple[str, ...], Value]:
    """How well a text has `term`: 1.0 as such, less by parts or synonym, 0.0 not at all.

    In front of it the pieces of which a text must hold one, so that most texts need no more.
    """
    split = (letters_and_digits(other.lower()) for other in term.synonyms)
    others = tuple(tuple(map(stem, words)) for words in split if words)
    parts: tuple[str, ...] = ()
    if term.is_specific:
        parts = tuple(dict.fromkeys(stem(part) for part in term.parts))
        itself, value = term.text, partial(_named, term.text, parts)
    elif term.kind == "run":
        parts = term.parts
        itself, value = term.text, partial(_run, term.text, parts)
    elif term.kind == "question":  # only what answers it counts
        return tuple(words[0] for words in others), partial(_or_another, _nothing, others)
    elif not term.text.isalnum():  # 3.11
        itself, value = term.text, partial(_inside, term.text)
    else:
        itself = stem(term.text)
        value = partial(_word, itself)
    pieces = (itself, *parts, *(words[0] for words in others))
    return pieces, partial(_or_another, value, others) if others else value


def _named(text: str, parts: Sequence[str], lower: str, has: Has) -> float:
    if text in lower:
        return 1.0
    return PARTS_VALUE * (sum(map(has, parts)) / len(parts)) if parts else 0.0


def _run(text: str, pairs: Sequence[str], lower: str, _has: Has) -> float:
    if text in lower:
        return 1.0
    return PARTS_VALUE * (sum(pair in lower for pair in pairs) / len(pairs))


def _inside(text: str, lower: str, _has: Has) -> float:
    return 1.0 if text in lower else 0.0


def _word(wanted: str, _lower: str, has: Has) -> float:
    return 1.0 if has(wanted) else 0.0


def _nothing(_lower: str, _has: Has) -> float:
    return 0.0


def _or_another(value: Value, others: Sequence[Sequence[str]], lower: str, has: Has) -> float:
    """`value`, or that of a synonym, all of whose words, one to three, are there."""
    itself = value(lower, has)
    if itself >= SYNONYM_VALUE:
        return itself
    return SYNONYM_VALUE if any(all(map(has, words)) for words in others) else itself
