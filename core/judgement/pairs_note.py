"""A note as what a pair of notes is compared by: content words in order, numbers, denials."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from . import pairs_amounts as quantities
from . import pairs_words as known

MOST_CHARACTERS = 1_200
MOST_TOKENS = 60
"""Of a note; what follows is not read, so that 30 neighbours stay cheap."""

LEAST_LETTERS = 4
"""Of a root, to be looked for in another form."""

MOST_CLAUSES = 6
MOST_GRAMS = 400  # characters of a note whose letters are compared
DENIED = 3  # content words that a denial reaches
REACH = 2  # words before and behind that are the surroundings of a word

_NOT = re.compile(r"n['’]t\b")
_GROUPED = re.compile(r"(\d)[,\u202f](\d{3})\b")
_WORD = re.compile(r"([^\s()\[\]{}\"“”„`,;!?]+)([,;()!?]?)")  # a word, and the stop behind it
_NUMBER = re.compile(r"[~<>=≤≥€$]*(\d{1,15}(?:\.\d{1,9})?)([a-zµ%€$]*)")
_HYPHENED = re.compile(r"(\d+)-([a-z]+)")
_NAME = re.compile(r"[A-Z].*[A-Z0-9]|\d|[_/@.=]|^-")
_WHOLE = re.compile(r"[/_.=@]|^-")
_ENDS = (".", ":", "!", "?")
_PLAIN = frozenset(known.PLAIN)
_QUANTIFIED = quantities.CALENDAR.keys() | quantities.RATES | quantities.NUMBERS.keys()
_SPOKEN: dict[str, list[str]] = {}
for _name, _words in known.LANGUAGES.items():
    for _word in _words.split():
        _SPOKEN.setdefault(_word, []).append(_name)


class Token(NamedTuple):
    """A content word or a number. A tuple, since a note has dozens and each is made anew."""

    root: str  # equal for the forms of a word and for equal quantities
    place: float  # 0 the first of its note, 1 the last
    is_name: bool = False  # a name, a path, a flag, code
    is_scoped: bool = False  # stands behind a preposition
    quantity: tuple[str, float] | None = None  # of a number: kind, amount in the base unit


@dataclass(frozen=True)
class Note:
    """A text, read. What only some comparisons need is made when it is asked for, once."""

    tokens: tuple[Token, ...]
    first: dict[str, int]  # root -> its first token
    roots: tuple[tuple[str, int], ...]  # of these, the words: no numbers
    names: frozenset[str]  # the roots of names
    numbers: frozenset[str]  # the roots of numbers
    amounts: dict[str, set[float]]  # kind of unit -> the amounts
    words: tuple[str, ...]  # as they stand there, in lower case
    steps: frozenset[tuple[str, str]]  # each word and the next
    grams: frozenset[str]  # four letters in a row
    clauses: tuple[frozenset[str], ...]  # the roots of each
    language: str  # "" if unknown
    plain: frozenset[str]  # words of closed classes
    denials: int
    denied: frozenset[str]  # the roots that follow a denial in its clause
    poles: dict[int, set[int]]  # what it takes a side on -> the sides

    @cached_property
    def spelt(self) -> dict[str, list[int]]:
        """Three letters -> the places of `roots` that hold them."""
        spelt: dict[str, list[int]] = {}
        for root, place in self.roots:
            for letters in letters_of(root):
                spelt.setdefault(letters, []).append(place)
        return spelt

    @cached_property
    def threes(self) -> frozenset[str]:
        """The keys of `spelt`, as a set, which is quicker to meet with another."""
        return frozenset(self.spelt)

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many threes of letters each of `roots` has, by its place."""
        return {place: len(letters_of(root)) for root, place in self.roots}

    @cached_property
    def around(self) -> tuple[frozenset[str], ...]:
        """Of each token the roots that stand before and behind it."""
        roots = [token.root for token in self.tokens]
        before = (roots[max(0, n - REACH) : n] for n in range(len(roots)))
        behind = (roots[n + 1 : n + 1 + REACH] for n in range(len(roots)))
        return tuple([frozenset(b + a) for b, a in zip(before, behind, strict=True)])


@lru_cache(maxsize=1_024)
def read(text: str) -> Note:
    """`text`, read."""
    shown, ends = _shown(text)
    words = [word.strip(".:'’*") or word for word in shown]
    lows = [word.lower() for word in words]
    found: list[tuple[str, bool, bool, tuple[str, float] | None]] = []
    clauses: list[set[str]] = [set()]
    denied: set[str] = set()
    denials, denies, at, begins, is_scoped = 0, 0, 0, True, False
    while at < len(words) and len(found) < MOST_TOKENS:
        low, used, before = lows[at], 1, len(found)
        if low in known.BREAKS and clauses[-1]:
            clauses.append(set())
        # Most words: no number begins with a letter.
        is_word = low[0].isalpha() and low not in _QUANTIFIED
        if not is_word and (number := _quantity(lows, at)):
            kind, amount, used = number
            found.append((f"{kind}:{amount:g}", False, is_scoped, (kind, amount)))
        elif low in known.DENIALS:
            denials += 1
            denies = DENIED
        elif low in known.STOPS:
            pass
        elif low.isalpha() and low == words[at]:  # most words: no name, in one part
            found.append((known.root_of(low), False, is_scoped, None))
        elif any(map(str.isalnum, low)):
            is_name = bool(_NAME.search(words[at])) or (words[at][0].isupper() and not begins)
            found += [(known.root_of(part), is_name, is_scoped, None) for part in _parts(low)]
        for place in range(before, len(found)):
            clauses[-1].add(found[place][0])
            if denies:
                denied.add(found[place][0])
                denies -= 1
        is_scoped = low in known.PREPOSITIONS
        begins = shown[at].endswith(_ENDS)
        if ends[at + used - 1]:
            denies = 0
            if len(clauses[-1]) > 1 and len(clauses) < MOST_CLAUSES:
                clauses.append(set())
        at += used
    last = max(1, len(found) - 1)
    tokens = tuple([Token(f[0], n / last, f[1], f[2], f[3]) for n, f in enumerate(found)])
    first, amounts = _places(tokens)
    flat = " ".join(lows)[:MOST_GRAMS]
    return Note(
        tokens,
        first,
        tuple([(root, place) for root, place in first.items() if not tokens[place].quantity]),
        frozenset([token.root for token in tokens if token.is_name]),
        frozenset([token.root for token in tokens if token.quantity]),
        amounts,
        tuple(lows),
        frozenset(pairwise(lows)),
        frozenset([flat[n : n + 4] for n in range(len(flat) - 3)]),
        tuple([frozenset(roots) for roots in clauses if roots]),
        _language(lows),
        _PLAIN.intersection(lows),
        denials,
        frozenset(denied),
        _poles(lows),
    )


def _parts(word: str) -> list[str]:
    """A word by its hyphens, but for a path, an address or a flag."""
    is_whole = "-" not in word or _WHOLE.search(word)
    return [word] if is_whole else [part for part in word.split("-") if part]


def _places(tokens: Sequence[Token]) -> tuple[dict[str, int], dict[str, set[float]]]:
    """Where each root stands first, and the amounts by what is counted."""
    first: dict[str, int] = {}
    amounts: dict[str, set[float]] = {}
    for place, token in enumerate(tokens):
        first.setdefault(token.root, place)
        if token.quantity:
            amounts.setdefault(token.quantity[0], set()).add(token.quantity[1])
    return first, amounts


def _shown(text: str) -> tuple[list[str], list[bool]]:
    """The words as they stand there, and whether each ends a clause."""
    text = _NOT.sub(" not", text[:MOST_CHARACTERS].replace("won't", "will not"))
    text = _GROUPED.sub(r"\1\2", text.replace("can't", "can not"))
    pieces = _WORD.findall(text)[: 3 * MOST_TOKENS]
    shown = [word for word, _ in pieces]
    return shown, [bool(stop) or word.endswith(_ENDS) for word, stop in pieces]


def _poles(lows: Sequence[str]) -> dict[int, set[int]]:
    poles: dict[int, set[int]] = {}
    for axis, side in (known.OPPOSITES[low] for low in lows if low in known.OPPOSITES):
        poles.setdefault(axis, set()).add(side)
    return poles


@lru_cache(maxsize=16_384)
def letters_of(root: str) -> frozenset[str]:
    """The threes of letters that a root is spelt with, its ends marked."""
    marked = f"^{root}$"
    return frozenset(marked[n : n + 3] for n in range(len(marked) - 2))


def _language(lows: Sequence[str]) -> str:
    hits = Counter(name for low in lows if low in _SPOKEN for name in _SPOKEN[low])
    return max(hits, key=lambda name: (hits[name], name), default="")


def _quantity(lows: Sequence[str], at: int) -> tuple[str, float, int] | None:
    """Kind, amount in the base unit and words used of the number that stands at `at`."""
    low, used, unit = lows[at], 1, None
    behind = lows[at + 1] if at + 1 < len(lows) else ""
    if day := quantities.CALENDAR.get(low):
        return *day, 1
    if low in quantities.RATES:
        return "rate", quantities.UNITS[low][1], 1
    if hyphened := _HYPHENED.fullmatch(low):
        low, unit = hyphened.groups() if hyphened[2] in quantities.UNITS else (low, None)
    if match := _NUMBER.fullmatch(low):
        amount = float(match[1]) * quantities.MULTIPLES.get(match[2], 1.0)
        unit = unit or (match[2] if match[2] in quantities.UNITS else None)
    elif low in quantities.NUMBERS and (low not in quantities.VAGUE or behind in quantities.UNITS):
        amount = quantities.NUMBERS[low]
    else:
        return None
    if unit is None and behind in quantities.MULTIPLES and len(behind) > 1:
        amount, used = amount * quantities.MULTIPLES[behind], 2
    for ahead in (used, used + 1):
        near = lows[at + ahead] if at + ahead < len(lows) else ""
        is_unit = near in quantities.UNITS and (ahead == used or near not in quantities.SHORT_UNITS)
        if unit is None and is_unit:
            unit, used = near, used + (ahead == used)
    kind, size = quantities.UNITS.get(unit or "", ("count", 1.0))
    if kind == "count" and match and "." in match[1] and not match[2]:
        kind = "version"
    elif kind == "count" and amount >= 1000:
        kind = "large"
    return kind, amount * size, used
