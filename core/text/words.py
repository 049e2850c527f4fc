"""The words of a text: where each ends, its plain form, and how much it tells.

Standard library: recall reads texts through this while a prompt waits.
"""

from __future__ import annotations

from functools import lru_cache

from . import everyday
from .shapes import may_be_unspaced, ungrouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_GAPS = dict.fromkeys(map(ord, '()[]{}<>"“”„«»,;!?=|*…`'), " ")
_EDGES = ".:'’‘-–—_/\\"
_POSSESSIVE = ("'s", "’s")

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lszfe")  # call, pass, buzz, off, agree
_ENDINGS = ("'s", "s", "es", "ed", "d", "ing", "ly", "er", "ally", "'ll", "'re", "'ve", "'d", "n't")

_STOPS = frozenset(everyday.STOPS.split())
_TRADE = frozenset(everyday.TRADE.split())
_COMMON = _TRADE.union(
    *(s.split() for s in (everyday.ENGLISH, everyday.GERMAN, everyday.FRENCH, everyday.SPANISH))
)


def runs(text: str) -> list[str]:
    """What stands between white space, brackets, quotes and the like; an apostrophe parts nothing.

    As a pattern it would cost a prompt half a millisecond to compile.
    """
    return text.translate(_GAPS).split()


def tokens(text: str) -> list[str]:
    """The words of `text` in their order, as written, without punctuation around them.

    Names, paths and numbers stay whole; writing without spaces comes as pairs of signs.
    """
    found = []
    for run in runs(ungrouped(text)):
        word = run.strip(_EDGES)
        word = word[:-2] if word.endswith(_POSSESSIVE) else word
        if may_be_unspaced(word) and _unspaced().search(word):
            found += [word[n : n + 2] for n in range(len(word) - 1)]
        elif word:
            found.append(word)
    return found


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Made when it is needed: so wide a range takes milliseconds to compile, and a prompt waits."""
    import re

    return re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]{2,}")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """The plain form of `word`, which is small: installing, installed and installs are one.

    Only words of ASCII letters are changed; names, numbers and other alphabets stay as they are.
    """
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    plain = _without_ending(word)
    return plain[:-1] if len(plain) > 3 and plain.endswith("e") and plain[-2] != "e" else plain


def _without_ending(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os")):
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5 and _VOWELS & set(word[:-3]):
        return _single(word[:-3])
    if word.endswith("ed") and len(word) > 4 and _VOWELS & set(word[:-2]):
        return _single(word[:-2])
    if word.endswith("ly") and len(word) > 5:
        return word[:-2]
    return word


def _single(word: str) -> str:
    """`word` without a consonant that was doubled for its ending: "runn" is "run"."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _KEPT_DOUBLE:
        return word[:-1]
    return word


def is_stop_word(word: str) -> bool:
    """Whether `word`, written small, is one of grammar and says nothing by itself."""
    return word in _STOPS


@lru_cache(maxsize=4096)
def is_common(word: str) -> bool:
    """Whether `word`, written small, or the word that it is a form of, tells nothing by itself."""
    return word in _STOPS or _is_form_of(word, _COMMON)


@lru_cache(maxsize=4096)
def is_trade(word: str) -> bool:
    """Whether `word`, written small, names a thing that every project has: test, branch, cache."""
    return _is_form_of(word, _TRADE)


def _is_form_of(word: str, known: frozenset[str]) -> bool:
    if word in known:
        return True
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) > 1:
            if root in known or root + "e" in known:
                return True
            if root[-1:] == root[-2:-1] and root[:-1] in known:  # planned, running
                return True
            if root.endswith("i") and root[:-1] + "y" in known:  # tried, easily
                return True
    return False
