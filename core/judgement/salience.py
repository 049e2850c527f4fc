"""The score of a sentence: its signs, and the fitted estimate that it is worth keeping.

Logistic regression over words in classes, shape, place and the sentences around it,
fitted on sentences of real sessions that several judges graded 0 to 2: 2, a careful colleague
keeps it; 1, borderline. `fitted/manifest.json` has the figures. A sign is a fact about the
sentence; its weight is fitted (`training/`). Standard library, linear in the text.
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, combinations, pairwise
from typing import Any, NamedTuple

from ...db.errors import ManagerError
from ..answers import Salience

# --- the signs of a text, by `signs.toml`: most come from its words

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "signs.toml")
_TOKEN = re.compile(r"\w+")
_ENDS = r"\w*"  # how a word is written of which the stem counts
_GROUP = re.compile(r"\(\?:([^()]*)\)(\?)?")
_OPTIONAL = re.compile(r"([^\W\d_])\?")
_PHRASE = re.compile(r"[^\W\d_]+(?:[~'][^\W\d_]+)+")


class _Tables(NamedTuple):
    """The content of `signs.toml`: most signs come from words, each looked up once."""

    words: Mapping[str, Sequence[str]]  # word -> its signs, anywhere
    first: Mapping[str, Sequence[str]]  # the same, where it begins the text
    stems: Mapping[str, Sequence[str]]  # the same for all words that begin so
    phrases: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]  # by their first word
    patterns: tuple[tuple[str, re.Pattern[str]], ...]  # signs without a word that announces them
    wide: tuple[tuple[str, re.Pattern[str]], ...]  # the same, beyond ASCII


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
    """Return the spellings of a word: of `(?:a|b)?` and of a letter before `?`, each and none."""
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
    """Return the names of the signs of `text`.

    Typographic apostrophes count as plain ones, since some agents and keyboards write them.
    """
    return signs_as_written(text.replace("’", "'"))


@lru_cache(maxsize=4096)
def signs_as_written(text: str) -> frozenset[str]:
    """Return the same by plain apostrophes alone. Cached, since a sentence is also a neighbour."""
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


# --- the fitted weights, checked against their manifest, and the thresholds

_HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(_HERE, "fitted")


class DamagedWeights(ManagerError):
    """A file of fitted numbers is missing, unreadable or not the one that was shipped."""

    hint = "Install memdeck again."


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear model: the weight of each sign, and the calibration of its sum."""

    weights: Mapping[str, float]
    bias: float
    curves: Mapping[str, tuple[float, float]]  # question -> slope and offset of its logistic

    def sum(self, signs: Mapping[str, float]) -> float:
        """Return the weighed signs, added up. Signs without a weight count nothing."""
        weights = self.weights
        return self.bias + math.fsum(
            [value * weights[name] for name, value in signs.items() if name in weights]
        )

    def probability(self, question: str, total: float) -> float:
        """Return how likely the answer to `question` is yes, 0 to 1, for that sum."""
        slope, offset = self.curves[question]
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, slope * total + offset))))


def threshold(name: str = "candidate", *, is_person: bool) -> float:
    """Return the least score of a `captured`, `candidate` or `established` sentence."""
    return _thresholds()[name]["person" if is_person else "agent"]


@lru_cache(maxsize=1)
def _thresholds() -> Mapping[str, Mapping[str, float]]:
    with open(os.path.join(_HERE, "thresholds.toml"), "rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=1)
def salience_model() -> Linear:
    """Return the model of the score. Raises DamagedWeights."""
    data, raw = _loaded("salience")
    shipped = manifest().get("salience")
    is_shipped = isinstance(shipped, dict) and shipped.get("sha256") == sha256(raw).hexdigest()
    if not is_shipped:
        raise DamagedWeights("salience.json is not the file that memdeck came with.")
    try:
        return Linear(
            {str(name): float(weight) for name, weight in data["weights"].items()},
            float(data["bias"]),
            {str(name): (float(item), float(two)) for name, (item, two) in data["curves"].items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedWeights(f"salience.json does not hold a model: {error!r}.") from None


@lru_cache(maxsize=1)
def manifest() -> Mapping[str, Any]:
    """Return the data and figures of the fitted weights. Raises DamagedWeights."""
    return _loaded("manifest")[0]


def _loaded(name: str) -> tuple[dict[str, Any], bytes]:
    path = os.path.join(FOLDER, f"{name}.json")
    try:
        with open(path, "rb") as file:
            raw = file.read()
        data = json.loads(raw)
    except (OSError, ValueError) as error:
        raise DamagedWeights(f"{path} cannot be read: {error}.") from None
    if not isinstance(data, dict):
        raise DamagedWeights(f"{path} is not the file that memdeck came with.")
    return data, raw


# --- the score

MOST_WORDS = 60  # of a sentence; the rest is not read

_SPLIT = re.compile(
    r"``[^`]*``|`[^`]*`|https?://\S+|[\w.@~-]*[/\\][\w./\\@-]+|[\w-]+\.[A-Za-z]\w{0,5}\b|\w+\(\)"
    r"|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[^\w\s]"
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CAMEL = re.compile(r"[a-z]\w*[A-Z]|[A-Z][a-z]+[A-Z]|\w_\w")


_CLASSES = ("<code>", "<path>", "<name>", "<num>", "<url>")
_PAIRED = (
    "modal universal reason contrast states unit code path cause orders wants refuses trouble"
    " version flag"
).split()
_OTHER_SIGNS = ("asks", "refuses", "trouble", "wants", "requests")  # of the other speaker


@dataclass(frozen=True, slots=True)
class Utterance:
    text: str
    is_person: bool
    kind: str = "text"  # text, item, heading or cell
    place: int = 0  # in its turn, from 0
    of: int = 1  # sentences in its turn
    turn_length: int = 0  # characters
    is_closing: bool = False  # of an answer after which no call follows
    after_error: bool = False  # a call failed since the last prompt
    after_refusal: bool = False  # the user interrupted or refused a call just before
    before: str = ""  # the sentence before it in its turn
    after: str = ""
    other: str = ""  # the other speaker's words before: the prompt of an answer, and vice versa
    reaction: str | None = None  # the prompt that came after it; None: none came


def salience(utterance: Utterance) -> Salience:
    """Return how much a sentence is worth keeping, in thousandths. Raises DamagedWeights."""
    model = salience_model()
    total = model.sum(features(utterance))
    return Salience(
        round(total, 3),
        round(model.probability("look", total), 3),
        round(model.probability("keep", total), 3),
        total >= threshold("captured", is_person=utterance.is_person),
        total >= threshold("established", is_person=utterance.is_person),
    )


def words_of(text: str) -> list[str]:
    """Return the words of `text` in lower case, code, paths, numbers and links as classes.

    Scripts written without spaces give their pairs of characters.
    """
    words: list[str] = []
    for match in _SPLIT.finditer(text[: MOST_WORDS * 12]):
        token = match[0]
        first = token[0]
        if token.isascii() and token.isalpha() and token.islower() and first != "h":
            words.append(token)  # most are; the rest costs more
        elif first == "`":
            words.append("<code>")
        elif first.isdigit() and _NUMBER.fullmatch(token):
            words.append("<num>")
        elif token.startswith("http"):
            words.append("<url>")
        elif _WIDE.match(token):
            words.extend(token[n : n + 2] for n in range(max(1, len(token) - 1)))
        elif len(token) > 3 and ("/" in token or "\\" in token or "." in token[1:-1]):
            words.append("<path>")
        elif len(token) > 3 and (_CAMEL.search(token) or token.endswith("()")):
            words.append("<name>")
        else:
            words.append(token.lower().replace("’", "'"))
        if len(words) >= MOST_WORDS:
            break
    return words[:MOST_WORDS]


def features(utterance: Utterance) -> dict[str, float]:
    """The signs of a sentence: name -> value. Words count by their share: length is no weight."""
    who = "P" if utterance.is_person else "A"
    signs_in = _reading(utterance)
    words = words_of(utterance.text)
    seen = _grams(words, who)
    scale = 3.0 / (math.sqrt(sum(value * value for value in seen.values())) or 1.0)
    signs = {name: value * scale for name, value in seen.items()}
    matches = set(signs_in(utterance.text))
    matches |= {name[1:-1] for name in _CLASSES if name in words}
    for name in matches:
        signs["s:" + name] = 1.0
        signs[f"{who}s:{name}"] = 1.0
    paired = [name for name in _PAIRED if name in matches]
    for name, other in combinations(paired, 2):
        signs[f"x:{name}+{other}"] = 1.0
        signs[f"{who}x:{name}+{other}"] = 1.0
    for name in _placed(utterance, words):
        signs[f"{who}:{name}"] = 1.0
    signs["who:" + who] = 1.0
    for side, text in (("<", utterance.before), (">", utterance.after)):
        for name in signs_in(text) if text else ():
            signs[f"{who}{side}{name}"] = 0.5
    for name in _around(utterance):
        signs[f"{who}@{name}"] = 1.0
    return signs


def _grams(words: list[str], who: str) -> dict[str, float]:
    seen: dict[str, float] = {}
    for word in words:
        for name in ("w:" + word, f"{who}w:{word}"):
            seen[name] = seen.get(name, 0.0) + 1.0
        if len(word) > 6 and word.isalpha():  # a form of the same word, in any language
            name = "p:" + word[:5]
            seen[name] = seen.get(name, 0.0) + 0.7
    for first, second in pairwise(words):
        name = f"b:{first} {second}"
        seen[name] = seen.get(name, 0.0) + 1.0
    for first, second, third in zip(words, words[1:], words[2:], strict=False):
        name = f"t:{first} {second} {third}"
        seen[name] = seen.get(name, 0.0) + 0.7
    if words:
        for name in ("f:" + words[0], f"{who}f:{words[0]}"):
            seen[name] = 1.0
    if len(words) > 1:
        seen[f"g:{words[0]} {words[1]}"] = 1.0
    return seen


def _placed(utterance: Utterance, words: list[str]) -> Iterator[str]:
    yield f"length{min(len(words) // 6, 8)}"
    yield f"kind-{utterance.kind}"
    yield (
        "first"
        if utterance.place == 0
        else "last"
        if utterance.place == utterance.of - 1
        else "middle"
    )
    yield f"of{min(int(math.log2(utterance.of + 1)), 7)}"
    yield f"turn{min(int(math.log2(utterance.turn_length + 1)), 14)}"
    is_ended = utterance.text.rstrip("\"'”’)`").endswith((".", "!", "?", "。", "！", "？"))
    holds = {
        "closing": utterance.is_closing,
        "after-error": utterance.after_error,
        "after-refusal": utterance.after_refusal,
        "alone": utterance.of == 1,
        "lower": utterance.text[:1].islower(),
        "open-ended": not is_ended,
        "wide": bool(_WIDE.search(utterance.text)),
    }
    yield from (name for name, is_so in holds.items() if is_so)


def _reading(utterance: Utterance) -> Callable[[str], frozenset[str]]:
    """Return the function that finds signs: for agents, the one that the weights were fitted with.

    Read as plain, typographic apostrophes of agents cost two memories of 130 in the gold set. For
    users' sentences with one, the average precision rose from .63 to .72.
    """
    return signs_of if utterance.is_person else signs_as_written


def _around(utterance: Utterance) -> Iterator[str]:
    """Yield the signs of the other speaker's words before, and of the user's reaction after."""
    signs_in = _reading(utterance)
    if utterance.other:
        yield f"other{min(int(math.log2(len(utterance.other) + 1)), 9)}"
        signs = signs_in(utterance.other[-300:] if utterance.is_person else utterance.other[:300])
        yield from ("other-" + name for name in _OTHER_SIGNS if name in signs)
    if utterance.reaction is None:
        yield "unanswered"
        return
    yield f"reaction{min(int(math.log2(len(utterance.reaction) + 1)), 9)}"
    signs = signs_in(utterance.reaction[:200])
    yield from ("reaction-" + name for name in (*_OTHER_SIGNS, "takes_back") if name in signs)
