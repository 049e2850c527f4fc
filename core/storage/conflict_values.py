"""Values that a statement gives: numbers with units, versions, times, tools with rivals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from . import conflict_common as common
from . import conflict_rivals as rivals
from .conflict_stems import stem, stems
from .conflict_tokens import Token


@dataclass(frozen=True, slots=True)
class Known:
    """A tool found in a sentence."""

    stem: str
    shown: str
    length: int  # in tokens
    families: frozenset[str]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number found in a sentence, and what it measures."""

    stem: str  # "time=30" of a measure, "#8080" of a bare number
    shown: str
    kind: str  # time, size, …, count:worker, of:port, of:python, clock, date, version
    length: int


class _Seen(Protocol):
    @property
    def stem(self) -> str: ...
    @property
    def kind(self) -> str: ...


_UNITS = {
    name: (dimension, size)
    for dimension, sizes in rivals.UNITS.items()
    for size, names in sizes.items()
    for name in names.split()
}
_FAMILIES: dict[str, set[str]] = {}
FAMILY_WORDS: dict[str, frozenset[str]] = {}
"""Words that go without saying in a family of tools, in their plain form."""
for _family, (_words, _members) in rivals.RIVALS.items():
    FAMILY_WORDS[_family] = stems(frozenset(_words))
    for _member in _members:
        _FAMILIES.setdefault(common.SAME.get(_member, _member), set()).add(_family)
_LONGEST = max(len(name.split()) for name in _FAMILIES)
_PLURALS = {name + "s": name for name in _FAMILIES if name.isalpha() and len(name) > 2}
_FOR = frozenset("for every per after within".split())
_ONES = frozenset(("a", "an", "every", "each"))
_MEASURELESS = common.STOPS - {"people"}


def known_at(tokens: Sequence[Token], at: int, lows: Sequence[str]) -> Known | None:
    """The tool whose name begins at `at`, the longest name first."""
    for length in range(_LONGEST, 0, -1):
        name = " ".join(lows[at : at + length])
        if length > 1:
            if len(lows) < at + length:
                continue
        elif tokens[at].kind in ("mark", "number"):
            return None
        name = _PLURALS.get(name, name)
        name = common.SAME.get(name, name)
        if name in _FAMILIES and _is_name(tokens[at], name):
            shown = " ".join(token.text for token in tokens[at : at + length])
            return Known(name, shown, length, frozenset(_FAMILIES[name]))
    return None


def _is_name(token: Token, name: str) -> bool:
    return name not in rivals.ONLY_AS_NAMES or token.kind == "name"


def number_kind(tokens: Sequence[Token], at: int, before: Sequence[_Seen]) -> Quantity | None:
    """The quantity that begins at `at`; `before` are the items of the sentence so far."""
    token = tokens[at]
    if token.kind in ("clock", "date"):
        return Quantity(f"{token.kind}={token.number or token.low}", token.text, token.kind, 1)
    number = token.number
    if token.low in rivals.ORDINALS and at and tokens[at - 1].low in ("the", "every", "each"):
        return Quantity(f"nth={rivals.ORDINALS[token.low]}", token.text, "nth", 1)
    if token.kind == "word" and token.low in rivals.NUMBERS and _stands_for_a_number(tokens, at):
        number = float(rivals.NUMBERS[token.low])
    if token.kind == "version":
        return _named("#" + token.low, token, before)
    if number is None and _means_one(tokens, at):
        number = 1.0
    if number is None:
        return None
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.unit:
        return _measured(number, token.unit, token.text, 1) or _counted(number, token.unit, token)
    if following and following.low in rivals.MONTHS:
        return Quantity(
            f"date={number:g} {following.low[:3]}", f"{token.text} {following.text}", "date", 2
        )
    if token.kind == "word" and token.low in _ONES:
        unit = following.low if following else ""
        return _measured(number, unit, f"{token.text} {unit}", 2)
    if following and following.kind in ("word", "name"):
        shown = f"{token.text} {following.text}"
        if found := _measured(number, following.low, shown, 2):
            return found
        if token.low in ("once", "twice"):
            return Quantity(f"#{number:g}", token.text, "count:time", 1)
        if following.low in ("times", "time"):
            return Quantity(_bare(token, number), shown, "count:time", 2)
        if following.low not in _MEASURELESS:
            return Quantity(_bare(token, number), token.text, f"count:{stem(following.low)}", 1)
    return _named(_bare(token, number), token, before)


def _means_one(tokens: Sequence[Token], at: int) -> bool:
    """Whether a measure of one follows: "for a minute", "every hour"."""
    low = tokens[at].low
    return low in ("every", "each") or (
        low in ("a", "an") and at > 0 and tokens[at - 1].low in _FOR
    )


def _stands_for_a_number(tokens: Sequence[Token], at: int) -> bool:
    """Whether "one" counts something and is not "the one", "one of", "once"."""
    low = tokens[at].low
    if low in ("twice", "ten") or rivals.NUMBERS[low] > 2:
        return True
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    before = tokens[at - 1].low if at else ""
    return (
        low != "once"
        and bool(following)
        and following not in _MEASURELESS
        and (before not in ("the", "that", "this", "which", "no", "each", "every"))
    )


def _measured(number: float, unit: str, shown: str, length: int) -> Quantity | None:
    if unit not in _UNITS:
        return None
    dimension, size = _UNITS[unit]
    return Quantity(f"{dimension}={number * size:.6g}", shown, dimension, length)


def _counted(number: float, unit: str, token: Token) -> Quantity:
    return Quantity(f"#{number:g}{unit}", token.text, f"count:{unit}", 1)


def _bare(token: Token, number: float) -> str:
    """A number as written, since 3.10 is no 3.1; in words, as its digits."""
    return "#" + (token.low.replace(",", "") if token.kind == "number" else f"{number:g}")


def _named(value: str, token: Token, before: Sequence[_Seen]) -> Quantity:
    """The number of what was named last: "port 8080", "Python 3.12", "the limit is 3"."""
    noun = next((i.stem for i in reversed(before) if "=" not in i.stem and i.stem[0] != "#"), "")
    return Quantity(value, token.text, f"of:{noun}", 1)


def dated_at(tokens: Sequence[Token], at: int) -> int:
    """How many tokens tell when, from "since" or "as of" on: "since the rehearsal of 1.4". 0: none.

    They hold a month, a day, a date or a version within the next four tokens.
    """
    if tokens[at].low not in ("since", "as"):
        return 0
    if tokens[at].low == "as" and (at + 1 == len(tokens) or tokens[at + 1].low != "of"):
        return 0
    for ahead in range(at + 1, min(at + 5, len(tokens))):
        token = tokens[ahead]
        if token.kind in ("version", "date", "number") or token.low in _WHENS:
            return ahead - at + 1
    return 0


_WHENS = rivals.MONTHS | rivals.DAYS | {"today", "yesterday", "tomorrow"}
