"""Compare two texts: duplicates, opposites, and the words in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from ...db.index import PLAIN
from ...frozen import NamedTuple, dataclass
from .words import (
    SECTIONS,
    is_common,
    is_named,
    is_stop_word,
    is_trade,
    quantity,
    quoted_code,
    stem,
    tokens,
)

TYPE_CHECKING = False  # `typing` is slow to import
if TYPE_CHECKING:
    from typing import Literal


MOST_CHARACTERS = 4_000  # of a text; the rest is not read

STOP, COMMON, WORD, MARK = 0.1, 0.4, 1.0, 1.5
"""Weights of a word of grammar, an everyday one, a distinctive one, a name or a value."""

DENIALS = frozenset(SECTIONS["denials"].split())
TURNS = frozenset(SECTIONS["turns"].split())  # words that narrow a statement or turn it around
ALTERNATIVES = {
    form.replace("_", " ").replace("-", " "): (attribute, number)
    for attribute, _, values in (x.partition(": ") for x in SECTIONS["alternatives"].splitlines())
    for number, forms in enumerate(values.split("/"))
    for form in forms.split()
}
"""The attribute of a value, and its number. Two of one attribute exclude each other."""


@cache
def values() -> dict[str, tuple[str, int]]:
    """Return `ALTERNATIVES` by the stems of their forms."""
    return {stem(form): value for form, value in ALTERNATIVES.items()}


BEFORE_A_VALUE = frozenset(SECTIONS["before a value"].split())

UNITS, NUMBERS = (
    {form: forms.split()[0] for forms in SECTIONS[name].splitlines() for form in forms.split()}
    for name in ("units", "numbers")
)


class Piece(NamedTuple):
    """A word, a name, or a number with its unit."""

    key: str  # equal for the forms of a word
    shown: str  # as written
    counts: float
    kind: Literal["word", "mark", "number", "denial", "turn"] = "word"


@dataclass(frozen=True, slots=True)
class Content:
    """The pieces of a text, without their order."""

    weights: Mapping[str, float]  # by key
    distinctive: frozenset[str]  # no everyday words, except names of things every project has
    marks: frozenset[str]  # names, paths, code
    numbers: frozenset[str]
    turns: frozenset[str]
    denials: int
    denied: frozenset[str]  # the words behind a denial

    @property
    def weight(self) -> float:
        return sum(self.weights.values())


@lru_cache(maxsize=1024)
def pieces(text: str) -> tuple[Piece, ...]:
    text = text[:MOST_CHARACTERS]
    if text.isupper():  # shouted: capitals mark no names
        text = text.lower()
    code, words = set(quoted_code(text)), tokens(text)
    matches, at = list[Piece](), 0
    while at < len(words):
        word, behind = words[at], words[at + 1] if at + 1 < len(words) else ""
        piece = _piece(word, behind, code)
        at += 2 if piece.shown != word else 1
        matches.append(piece)
    denials = [at for at, piece in enumerate(matches) if piece.kind == "denial"]
    for at, piece in ((at, matches[at]) for at in denials if len(denials) > 1):
        near = (matches[other].shown.lower() for other in denials if 0 < abs(at - other) <= 2)
        if piece.shown.lower() in _PARTICLES and not all(word in _WITHOUT for word in near):
            matches[at] = piece._replace(kind="word")
    return tuple(matches)


_PARTICLES = frozenset(SECTIONS["particles"].split())
_WITHOUT = _PARTICLES.union(SECTIONS["without"].split())


def _piece(word: str, behind: str, code: set[str]) -> Piece:
    low = word.lower().replace("’", "'")
    is_plain = word.isalpha() and word[1:].islower()  # no number, and no name but in code
    is_amount = low in NUMBERS and (NUMBERS[low] != "1" or behind.lower() in UNITS)
    number = (NUMBERS[low], "") if is_amount else None if is_plain else quantity(low)
    if number:
        (digits, own), after = number, behind.lower()
        unit, visible = (own, word) if own or after not in UNITS else (after, f"{word} {behind}")
        return Piece(digits.rstrip(".:") + UNITS.get(unit, unit), visible, MARK, "number")
    if low in DENIALS or low.endswith("n't") or low[0] in "不別别没沒勿莫":
        return Piece("not", word, STOP, "denial")
    if word in code or (not is_plain and is_named(word)):
        return Piece(stem(low), word, MARK, "mark")
    counts = STOP if is_stop_word(low) else COMMON if is_common(low) else WORD
    return Piece(stem(low), word, counts, "turn" if low in TURNS else "word")


@lru_cache(maxsize=1024)
def content_of(text: str) -> Content:
    """`text`, read."""
    read = pieces(text)

    def keys(kind: str) -> frozenset[str]:
        return frozenset(piece.key for piece in read if piece.kind == kind)

    return Content(
        {piece.key: piece.counts for piece in read},
        frozenset(
            piece.key
            for piece in read
            if piece.kind in ("word", "turn")
            and (piece.counts >= WORD or is_trade(piece.shown.lower()))
        ),
        keys("mark"),
        keys("number"),
        keys("turn"),
        sum(piece.kind == "denial" for piece in read),
        frozenset(_denied(read, at) for at, piece in enumerate(read) if piece.kind == "denial"),
    )


def _denied(read: Sequence[Piece], at: int) -> str:
    """Return the next word with content, or the last before: in Japanese, or at the end."""
    words = [*read[at + 1 :], *read[:at][::-1]]
    words = words[::-1] if _is_kana(read[at].shown) else words
    return next((it.key for it in words if it.counts > STOP and not _is_kana(it.key)), "")


def _is_kana(word: str) -> bool:
    """Return True for a word with kana of grammar."""
    return any("\u3041" <= sign <= "\u309f" for sign in word)


MOST_DETAILS = 1
"""Words of an earlier memory that are lost if it retires. With more only a detail is corrected."""


def corrects_a_detail(text: str, earlier: str) -> bool:
    """Return True if `earlier` says more than `text`, which corrects it: the rest still holds."""
    statement = content_of(earlier)
    others = statement.distinctive | statement.marks | statement.numbers
    return len(others - content_of(text).weights.keys()) > MOST_DETAILS


ALIKE = 0.85  # likeness from which on two texts say the same
DISTINCT = 0.8  # likeness that two texts of different content have at most
CONTAINED = 0.9  # share of the shorter text that the longer one must hold to contain it


_QUOTES = "\"'`“”„‘’«»"
_BEFORE, _BEHIND = f"{_QUOTES}([", f".,;:!…{_QUOTES})]"  # of a word


def is_equal(first: str, other: str) -> bool:
    """Return True if two texts differ in nothing but case, spaces, punctuation and markup."""
    return _plain(first) == _plain(other)


@lru_cache(maxsize=1024)
def _plain(text: str) -> list[str]:
    if "*" in text or "~" in text:
        import re  # a start waits for this module

        text = re.sub(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1", r"\2", text)
    words = (word.lstrip(_BEFORE).rstrip(_BEHIND) for word in text.lower().split())
    return [word for word in words if word]


@lru_cache(maxsize=256)  # each of a text's neighbours is asked about for more than one question
def likeness(item: str, other: str) -> float:
    """Return the likeness of two texts: 0 nothing in common, 1 the same words. Symmetric."""
    if is_equal(item, other):
        return 1.0
    first, second = content_of(item), content_of(other)
    if not first.weights or not second.weights:
        return 0.0
    words = sorted(first.weights.keys() & second.weights.keys())
    both = sum(first.weights[word] + second.weights[word] for word in words) / 2
    least, most = sorted((first.weight, second.weight))
    near = 2 * both / (least + most)
    if both >= CONTAINED * least:
        near = max(near, both / least * (0.6 + 0.4 * least / most))
    return min(near, DISTINCT if says_otherwise(item, other) else 1.0)


@lru_cache(maxsize=4096)
def says_the_same(first: str, other: str, least: float = ALIKE) -> bool:
    """Return True if the likeness is at least `least`, 0-1, and neither text says otherwise."""
    return likeness(first, other) >= least and not says_otherwise(first, other)


def says_otherwise(first: str, other: str) -> bool:
    """Return True if two texts differ in content, however alike they are."""
    if is_equal(first, other):
        return False
    mine, theirs = content_of(first), content_of(other)
    if mine.turns != theirs.turns or (_own(mine, theirs) and _own(theirs, mine)):
        return True
    own, others = (
        {values()[key] for key in each.weights.keys() & values().keys()} for each in (mine, theirs)
    )
    is_swapped = {name for name, _ in own - others} & {name for name, _ in others - own}
    return bool(is_swapped) or _is_opposed(first, other)


def _is_opposed(first: str, other: str) -> bool:
    """Return True if two texts differ in a number, or one denies what the other does not."""
    mine, theirs = content_of(first), content_of(other)
    if mine.numbers != theirs.numbers or mine.denials % 2 != theirs.denials % 2:
        return True
    own, others = mine.denied - theirs.denied, theirs.denied - mine.denied
    is_swapped = own & theirs.weights.keys() and others & mine.weights.keys()
    return bool(is_swapped) or are_opposite(first, other)


def _own(first: Content, other: Content) -> frozenset[str]:
    """Return the distinctive words and names of `first` that `other` lacks."""
    return (first.distinctive | first.marks) - other.weights.keys()


SHARED_WORDING = 0.75  # share of the shorter rule's distinctive words in another wording of it

_RULE_WORDS = frozenset(SECTIONS["rule words"].split())


def is_wording(first: str, other: str) -> bool:
    """Return True if two short rules of one speaker are wordings of the same rule.

    They share their subject, and at most one of them has one word more. A word with a slip or
    another ending is the same word.
    """
    mine, theirs = _words_of_rule(first), _words_of_rule(other)
    slips = {a: b for a in theirs - mine for b in mine - theirs if _is_form(a, b)}
    theirs = {slips.get(word, word) for word in theirs}
    both, (least, most) = mine & theirs, sorted((len(mine), len(theirs)))
    if len(both) < max(2, SHARED_WORDING * least) or 2 * least <= most or _is_opposed(first, other):
        return False
    read, compared = content_of(first), content_of(other)
    sides = ((read, mine, first), (compared, theirs, other))
    own, others = ((each.distinctive | each.marks) & words - both for each, words, _ in sides)
    turns, turned = (each.turns | {*"前后後"} & {*text} for each, _, text in sides)
    # a word of a writing without spaces is three pairs of signs
    news = sum(1 / 3 if len(word) == 2 and not word.isascii() else 1 for word in own | others)
    is_turned = bool(turns - turned and turned - turns)
    return news <= 1 and not (is_turned or (own and others))


def _words_of_rule(text: str) -> set[str]:
    return {
        piece.key
        for piece in pieces(text)
        if piece.counts > STOP
        and _RULE_WORDS.isdisjoint((piece.shown.lower(), piece.key))
        and _GRAMMAR.isdisjoint(piece.key)
        and not _is_kana(piece.key)
    }


_GRAMMAR = frozenset(SECTIONS["grammar signs"])  # beside the kana of grammar

ENDING = 0.7  # share of a word's letters before its ending


def _is_form(word: str, other: str) -> bool:
    """Return True if words differ in an ending, a slip there or accents. Values never do."""
    bare, plain = word.translate(PLAIN), other.translate(PLAIN)
    same = max(4, int(ENDING * max(len(bare), len(plain))))
    is_value = bool(values().keys() & {word, other}) or not (word + other).isalpha()
    return bare[:same] == plain[:same] and not is_value


OPPOSITES = {
    "enable": "disable", "enabled": "disabled", "add": "remove", "added": "removed",
    "use": "avoid", "include": "exclude", "allow": "forbid", "allowed": "forbidden",
}  # fmt: skip
_AFFIRMED = {negative: positive for positive, negative in OPPOSITES.items()}
_AUXILIARY = frozenset(("always", "ever", "to", "from"))
_INSTEAD = frozenset(("instead", "rather"))  # denies the words behind it
_NO_SUBJECT = _AUXILIARY | _INSTEAD


@lru_cache(maxsize=4096)
def are_opposite(item: str, other: str) -> bool:
    """Return True if the texts have the same words, and one denies what the other affirms."""
    if not (_may_deny(item) or _may_deny(other)):
        return False  # quickly: most texts deny nothing
    first, second = _affirmed(item), _affirmed(other)
    if not first[0] or first[1] == second[1]:
        return False
    return all(is_common(word) for word in first[0] ^ second[0]) and any(
        not is_common(word) or is_trade(word) for word in first[0] & second[0]
    )


_DENYING = DENIALS | _AFFIRMED.keys() | _INSTEAD


@lru_cache(maxsize=1024)
def _may_deny(text: str) -> bool:
    """Return False for a text of which no piece denies anything, without reading its pieces."""
    import re

    low = text.lower()
    return "n't" in low or "n’t" in low or not _DENYING.isdisjoint(re.findall(r"[^\W\d_]+", low))


@lru_cache(maxsize=1024)
def _affirmed(text: str) -> tuple[frozenset[str], bool]:
    """Return the words of a text as if it affirmed them, and whether it does."""
    words, affirms = set(), True
    for piece in pieces(text):
        low = piece.shown.lower()
        if piece.kind == "denial" or low in _AFFIRMED or low in _INSTEAD:
            affirms = not affirms
        if low in _AFFIRMED:
            words.add(_AFFIRMED[low])
        elif piece.kind != "denial" and low not in _NO_SUBJECT and not is_stop_word(low):
            words.add(low if low in OPPOSITES else piece.key)
    return frozenset(words), affirms


MOST_PIECES = 120  # of each text; the rest is not compared
MOST_SHOWN = 6  # words of a difference, and of the common part


LEAST_VALUE = 1_000
"""From here on, a number behind a noun is rather a value than a label: a port, a year."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The shared words of two texts, and the words in which they differ most; each may be empty."""

    shared: str
    one: str
    other: str
    is_label: bool = False  # nothing but a number behind a noun: berth 12, crane 3


def difference(item: str, other: str) -> Difference:
    """Return the most distinctive words in which each text differs from the other."""
    mine, theirs = pieces(item)[:MOST_PIECES], pieces(other)[:MOST_PIECES]
    keys = [piece.key for piece in mine], [piece.key for piece in theirs]
    from difflib import SequenceMatcher  # not for hooks

    opcodes = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    existing = {*keys[0]} & {*keys[1]}
    best = (0.0, "", "", False)
    for tag, first, last, begin, end in opcodes:
        if tag == "equal":
            continue
        a, b = mine[first:last], theirs[begin:end]
        # how likely these oppose each other: values and denials before all
        weights = [
            sum(MARK if piece.kind in ("denial", "turn") else piece.counts for piece in part)
            for part in (a, b)
        ]
        numbers = sum(piece.kind == "number" for piece in (*a, *b))
        worth = STOP + min(weights) + max(weights) / 10 + MARK * numbers
        if not a or not b:  # one only adds something: with the word behind it, it can be read
            a, b = mine[first : last + 1], theirs[begin : end + 1]
        is_label = _is_label(mine, first, last) and _is_label(theirs, begin, end)
        best = max(best, (worth, _shown(a), _shown(b), is_label), key=lambda matches: matches[0])
    subject = dict.fromkeys(p.shown for p in mine if p.key in existing and p.counts >= WORD)
    return Difference(" ".join([*subject][:MOST_SHOWN]), best[1], best[2], best[3])


def _is_label(read: Sequence[Piece], first: int, last: int) -> bool:
    """Return True if there is only a small number without a unit behind a noun."""
    if last - first != 1 or first == 0 or not read[first].key.isdigit():
        return False
    before = read[first - 1]
    is_noun = before.counts > STOP and before.shown.lower() not in BEFORE_A_VALUE
    return is_noun and int(read[first].key) < LEAST_VALUE


def _shown(matches: Sequence[Piece]) -> str:
    words = [piece.shown for piece in matches]
    return " ".join(words[:MOST_SHOWN]) + (" …" if len(words) > MOST_SHOWN else "")
