"""Words in their plain form: "installing", "installed" and "installs" are one word.

Made for telling statements apart, not for linguists: what matters is that the forms of a word
meet, and that two words stay two.
"""

from __future__ import annotations

from functools import lru_cache

from .conflict_common import IRREGULAR, SAME

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lszfe")  # call, pass, buzz, off, agree


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """The plain form of `word` (lower case), with words of one meaning as one.

    Only words of ASCII letters are changed; names, numbers and other alphabets stay as they are.
    """
    if word in SAME:
        return _SAME_STEMS[word]
    plain = _plain(word)
    return _SAME_STEMS.get(plain, plain)


def _plain(word: str) -> str:
    if word in IRREGULAR:
        return _ending(IRREGULAR[word])
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return _ending(_without_suffix(word))


def _without_suffix(word: str) -> str:
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
    if word.endswith("ment") and len(word) > 8:
        return word[:-4]
    if word.endswith("ly") and len(word) > 5:
        return word[:-2]
    if word.endswith("ion") and len(word) > 6:
        return word[:-3]
    return word


def _single(word: str) -> str:
    """`word` without a consonant that was doubled for its ending: "runn" is "run"."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _KEPT_DOUBLE:
        return word[:-1]
    return word


def _ending(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") and word[-2] != "e" else word


_SAME_STEMS = {
    **{_plain(other): _plain(first) for other, first in SAME.items()},
    **{other: _plain(first) for other, first in SAME.items()},
}


def stems(words: frozenset[str]) -> frozenset[str]:
    """The plain forms of `words`."""
    return frozenset(stem(word) for word in words)
