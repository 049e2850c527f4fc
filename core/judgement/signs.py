"""Which signs a text bears, as `signs.toml` has them: most are read off its words."""

from __future__ import annotations

import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "signs.toml")
_TOKEN = re.compile(r"\w+")
_ENDS = r"\w*"  # how a word is written of which the stem counts
_GROUP = re.compile(r"\(\?:([^()]*)\)(\?)?")
_OPTIONAL = re.compile(r"([^\W\d_])\?")
_PHRASE = re.compile(r"[^\W\d_]+(?:[~'][^\W\d_]+)+")


class _Tables(NamedTuple):
    """What `signs.toml` comes to: most signs are read off the words, each looked up once."""

    words: Mapping[str, Sequence[str]]  # word -> the signs that it gives, wherever it stands
    first: Mapping[str, Sequence[str]]  # the same, where it begins the text
    stems: Mapping[str, Sequence[str]]  # the same for all words that begin so
    phrases: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]  # by their first word
    patterns: tuple[tuple[str, re.Pattern[str]], ...]  # sign -> what no word announces
    wide: tuple[tuple[str, re.Pattern[str]], ...]  # the same, of what is no ASCII


def _tables() -> _Tables:
    words, first, stems = (defaultdict[str, list[str]](list) for _ in range(3))
    phrases: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    patterns, wide = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    with open(_FILE, "rb") as file:
        listed: Mapping[str, Mapping[str, Any]] = tomllib.load(file)
    for name, ways in listed.items():
        for pattern in ways.get("any", ()):
            is_wide = not any(c.isascii() and c.isalnum() for c in pattern)
            (wide if is_wide else patterns)[name].append(pattern)
        if after := ways.get("after"):
            patterns[name].append(rf"{after[0]}\b(?:{'|'.join(after[1].split())})\b")
        for way, plain, begins in (("start", first, r"^\W*"), ("words", words, r"\b")):
            for item in chain.from_iterable(map(_spelt, ways.get(way, "").split())):
                stem = item.removesuffix(_ENDS)
                pattern = rf"{begins}(?:{item})\b"
                if item.isalpha():
                    plain[item].append(name)
                elif way == "words" and stem != item and stem.isalpha():
                    stems[stem].append(name)
                elif _PHRASE.fullmatch(item):
                    phrases[_TOKEN.findall(item)[0]].append((name, _compiled([pattern])))
                else:
                    patterns[name].append(pattern)
    details = (
        tuple((name, _compiled(each)) for name, each in of.items()) for of in (patterns, wide)
    )
    return _Tables(words, first, stems, phrases, *details)


def _compiled(listed: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(listed).replace("~", " "), re.IGNORECASE)


def _spelt(item: str) -> list[str]:
    """The spellings of a word: of `(?:a|b)?` and of a letter before `?`, each and none."""
    if match := _GROUP.search(item):
        before, after = item[: match.start()], item[match.end() :]
        each = [*match[1].split("|"), *([""] if match[2] else [])]
    elif match := _OPTIONAL.search(item):
        before, after = item[: match.start()], item[match.end() :]
        each = [match[1], ""]
    else:
        return [item]
    return [spelt for part in each for spelt in _spelt(before + part + after)]


_TABLES = _tables()
_STEMS = tuple(_TABLES.stems)


def signs_of(text: str) -> frozenset[str]:
    """The names of the signs that `text` bears.

    An apostrophe may be a typographer's: what some agents and keyboards write for the plain one.
    """
    return signs_as_written(text.replace("’", "'"))


@lru_cache(maxsize=4096)
def signs_as_written(text: str) -> frozenset[str]:
    """The same by plain apostrophes alone; a sentence is asked thrice, for its neighbours."""
    words = _TOKEN.findall(text.lower())
    matches = set(_TABLES.first.get(words[0], ())) if words else set[str]()
    for word in set(words):
        matches.update(_TABLES.words.get(word, ()))
        if word.startswith(_STEMS):
            matches.update(
                *(names for stem, names in _TABLES.stems.items() if word.startswith(stem))
            )
        for name, phrase in _TABLES.phrases.get(word, ()):
            if name not in matches and phrase.search(text):
                matches.add(name)
    patterns = _TABLES.patterns if text.isascii() else (*_TABLES.patterns, *_TABLES.wide)
    for name, pattern in patterns:
        if name not in matches and pattern.search(text):
            matches.add(name)
    return frozenset(matches)
