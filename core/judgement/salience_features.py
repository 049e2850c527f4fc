"""What is seen of a sentence before it is weighed: its words in classes, its shape, its place.

Nothing here says what is worth keeping: each sign is a fact about the sentence, and what a sign is
worth is fitted on labelled sessions (`training/`). Standard library, linear in the text.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

MOST_WORDS = 60
"""Of a sentence; what follows is not read."""

_SPLIT = re.compile(
    r"``[^`]*``|`[^`]*`|https?://\S+|[\w.@~-]*[/\\][\w./\\@-]+|[\w-]+\.[A-Za-z]\w{0,5}\b|\w+\(\)"
    r"|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[^\w\s]"
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_TOKEN = re.compile(r"\w+")
_ENDS = r"\w*"  # how a word is written of which the stem counts
_GROUP = re.compile(r"\(\?:([^()]*)\)(\?)?")
_OPTIONAL = re.compile(r"([^\W\d_])\?")
_PHRASE = re.compile(r"[^\W\d_]+(?:[~'][^\W\d_]+)+")
_CAMEL = re.compile(r"[a-z]\w*[A-Z]|[A-Z][a-z]+[A-Z]|\w_\w")


class _Words(NamedTuple):
    """Words and phrases to look for; `?` makes a letter optional, "~" stands for a space."""

    listed: str
    at_start: bool = False


def _words(listed: str) -> _Words:
    return _Words(listed)


def _start(listed: str) -> _Words:
    return _Words(listed, at_start=True)


def _after(prefix: str, listed: str) -> str:
    return rf"{prefix}\b(?:{'|'.join(listed.split())})\b"


# Each sign is looked for as it stands, in the languages of the labels; what it is worth is fitted,
# for either speaker. A "~" stands for a space.
_SOUGHT: Mapping[str, tuple[str | _Words, ...]] = {
    "modal": (
        _words(
            "must should shall has~to have~to needs?~to may~not can~only cannot can't may~only"
            " muss müssen soll sollte darf debe deben hay~que doit faut deve devono"
            " должен нужно надо"
        ),
        "必须|应该|需要|不能|べき|必要",
    ),
    "universal": (
        _words(
            "never always only every each any none nobody nothing everywhere immer nie nur"
            " siempre nunca solo toujours jamais sempre mai всегда никогда только"
        ),
        "总是|永远|只|都|必ず",
    ),
    "reason": (
        _words(
            "because since so~that otherwise therefore due~to that's~why which~is~why"
            " in~order~to weil damit sonst porque para~que parce~que afin perché così"
            " потому чтобы"
        ),
        ", so |, as ",
        "因为|所以|否则|なので|から",
    ),
    "contrast": (
        _after(
            r",? ",
            "not instead~of instead rather~than but never no~longer unless except however"
            " although sondern statt aber pero sino en~vez mais plutôt invece ma però"
            " а~не вместо но",
        ),
        "而不是|但是|不是|ではなく",
    ),
    "we": (
        _words(
            r"we our us team customers? users? wir unser\w* nosotros nuestr\w* nous notre noi"
            r" мы наш\w*"
        ),
        "我们",
    ),
    "i": (
        _words("i i'm i'll i've i'd me my ich mir mich yo mi je moi io mio я мне мой"),
        "我",
    ),
    "you": (
        _words(r"you your yours du dein\w* tu tus usted vous votre tuo ты вы твой"),
        "你|您",
    ),
    "intends": (
        _after(
            r"^\W*(?:ok[, ]+)?",
            "i'll i~will let~me let's now next first going~to i'm~going i~am~going perfect"
            " great good excellent jetzt ahora voy~a maintenant je~vais ora adesso"
            " сейчас теперь",
        ),
        "^(?:现在|让我|接下来)",
    ),
    "did": (
        _start(
            "added fixed updated removed created implemented moved renamed changed verified"
            " committed pushed checked done all tests? ran wrote refactored replaced extracted"
            " merged"
        ),
    ),
    "asks": (
        r"[?？]\s*$",
        _start(
            "can could would should do does did is are what why how where which who when shall"
            " want any"
        ),
    ),
    "orders": (
        _after(
            r"^\W*(?:please |also |and |then |just |now |no,? |but )*",
            "use keep put make add run write call set store avoid don't do~not never always"
            " prefer leave stop treat name split log return pin move remove drop report check"
            " ask tell follow ensure",
        ),
    ),
    "requests": (
        _after(
            r"^\W*(?:please |also |and |then |just |now |ok,? |yes,? )*",
            "can~you could~you let's please fix implement commit push create show explain"
            " review look continue go~ahead run open merge rebase check",
        ),
    ),
    "states": (
        _words(
            "is are was were lives? comes? goes uses? runs? holds? reads? writes? needs?"
            " requires? expects? stays? belongs? owns? has have means? supports? returns?"
            " ist sind es son est sont"
        ),
    ),
    "wants": (
        _words(
            "i~(?:want|need|prefer|like|think|would) we~(?:want|need|should|could) let's"
            " should~be ich~will quiero je~veux voglio хочу"
        ),
        "我想|我要|希望",
    ),
    "refuses": (
        _start("no nope not don't do~not stop wait why wrong actually hm+ nein non нет"),
        "^(?:不|为什么)",
    ),
    "unit": (
        r"\d+~?(?:%|ms|s|sec|seconds?|minutes?|min|h|hours?|days?|weeks?|kb|mb|gb|px|fps|°|hz"
        r"|k|/min|per)\b",
    ),
    "version": (r"\bv?\d+\.\d+(?:\.\d+)*\b",),
    "when": (
        _words(
            "monday tuesday wednesday thursday friday saturday sunday january february march"
            " april june july august september october november december tomorrow deadline due"
            " release until later for~now eventually follow[-~]?up"
        ),
    ),
    "trouble": (
        _words(
            r"errors? exceptions? fail(?:s|ed|ing|ure)? crash\w* bugs? broken wrong leak\w*"
            r" timeouts? deadlock race problem issue fehler errore? erreur ошибк\w*"
        ),
        "错误|问题",
    ),
    "cause": (
        _words(
            "root~cause caused~by came~from comes~from turns?~out was~that"
            " the~(?:problem|issue|bug|reason|cause|fix) due~to happens?~when fixed~(?:it|by)"
        ),
    ),
    "hedges": (
        _words(
            "maybe perhaps might probably i~think i~guess seems? looks~like could~be likely"
            " not~sure"
        ),
    ),
    "points": (_start("this that it these those they there here he she"),),
    "work": (
        _words(
            "this~(?:pr|branch|commit|test|file|change|session|plan)"
            " the~(?:diff|pr|branch|tests?|plan)"
        ),
    ),
    "mark": ("[\U0001f300-\U0001faff✅❌⚠⏺⎿☁★•✓✔✗→]",),
    "leads": (r"[:：]\s*$",),
    "passes": (_words(r"pass(?:es|ed|ing)? green clean completed? ready done success\w* all~\d+"),),
    "quotes": (r"[“\"«「][^\"”»」]{3,}[\"”»」]",),
    "labelled": (r"^\W*[\w`/ .-]{2,40}(?::|\s[—–-])\s+\S",),
    "takes_back": (
        _words(
            "i~was~wrong my~mistake you're~right you~are~right correction i~misread"
            " not~(?:actually|really)"
        ),
    ),
    "flag": (r"(?<!\w)--?[a-z][\w-]+|\$[A-Z_]{3,}|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b",),
    "denies": (
        _words(
            "no not never without don't doesn't isn't wasn't can't won't remov(?:e|es|ed|ing)"
            " drop(?:s|ped)? instead no~longer rather unnecessary redundant wrong revert(?:ed)?"
            r" nicht kein\w* не нет"
        ),
        "不|没|ない",
    ),
    "option": (r"^\W*(?:option|phase|step|task|approach|tier|section|part|milestone)\s+\w{1,3}\b",),
    "choice": (r"^\W*(?:[a-e]|\d{1,2})[).,:]?(?:\s|$)|\b(?:go with|option \w|choose|pick)\b",),
}


class _Tables(NamedTuple):
    """What `_SOUGHT` comes to: most signs are read off the words, each looked up once."""

    words: Mapping[str, tuple[str, ...]]  # word -> the signs that it gives, wherever it stands
    first: Mapping[str, tuple[str, ...]]  # the same, where it begins the text
    stems: Mapping[str, tuple[str, ...]]  # the same for all words that begin so
    phrases: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]  # by their first word
    patterns: tuple[tuple[str, re.Pattern[str]], ...]  # sign -> what no word announces
    wide: tuple[tuple[str, re.Pattern[str]], ...]  # the same, of what is no ASCII


def _tables() -> _Tables:
    words, first, stems = (defaultdict[str, list[str]](list) for _ in range(3))
    phrases: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    patterns, wide = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for name, sought in _SOUGHT.items():
        for each in sought:
            if isinstance(each, str):
                is_wide = not any(c.isascii() and c.isalnum() for c in each)
                (wide if is_wide else patterns)[name].append(each)
                continue
            begins = r"^\W*" if each.at_start else r"\b"
            for one in chain.from_iterable(map(_spelt, each.listed.split())):
                pattern = rf"{begins}(?:{one})\b"
                if one.isalpha():
                    (first if each.at_start else words)[one].append(name)
                elif not each.at_start and one.endswith(_ENDS) and one[: -len(_ENDS)].isalpha():
                    stems[one[: -len(_ENDS)]].append(name)
                elif _PHRASE.fullmatch(one):
                    phrases[_TOKEN.findall(one)[0]].append((name, _compiled([pattern])))
                else:
                    patterns[name].append(pattern)
    return _Tables(
        {word: tuple(names) for word, names in words.items()},
        {word: tuple(names) for word, names in first.items()},
        {stem: tuple(names) for stem, names in stems.items()},
        {word: tuple(found) for word, found in phrases.items()},
        tuple((name, _compiled(listed)) for name, listed in patterns.items()),
        tuple((name, _compiled(listed)) for name, listed in wide.items()),
    )


def _compiled(listed: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(listed).replace("~", " "), re.IGNORECASE)


def _spelt(one: str) -> list[str]:
    """The spellings of a word: of `(?:a|b)?` and of a letter before `?`, each and none."""
    if found := _GROUP.search(one):
        before, after = one[: found.start()], one[found.end() :]
        each = [*found[1].split("|"), *([""] if found[2] else [])]
    elif found := _OPTIONAL.search(one):
        before, after = one[: found.start()], one[found.end() :]
        each = [found[1], ""]
    else:
        return [one]
    return [spelt for part in each for spelt in _spelt(before + part + after)]


_PAIRED = (
    "modal",
    "universal",
    "reason",
    "contrast",
    "states",
    "unit",
    "code",
    "path",
    "cause",
    "orders",
    "wants",
    "refuses",
    "trouble",
    "version",
    "flag",
)


_SHARES = (0.2, 0.35, 0.55)  # of a sentence's words that stand elsewhere

_CLASSES = frozenset(("<code>", "<path>", "<name>", "<num>", "<url>"))


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence where it was said."""

    text: str
    is_person: bool
    kind: str = "text"  # text, item, heading or cell
    place: int = 0  # in its turn, from 0
    of: int = 1  # sentences in its turn
    turn_length: int = 0  # characters
    is_closing: bool = False  # of an answer after which no call follows
    after_error: bool = False  # a call failed since the last prompt
    after_refusal: bool = False  # the person interrupted or refused a call just before
    before: str = ""  # the sentence before it in its turn
    after: str = ""
    other: str = ""  # what the other speaker said before: the prompt of an answer, and vice versa
    reaction: str | None = None  # the prompt that came after it; None: none came
    elsewhere: tuple[tuple[str, float], ...] = ()  # where its words stand in the session, 0-1


def words_of(text: str, most: int = MOST_WORDS) -> list[str]:
    """The words of `text` in lower case, code, paths, numbers and links as classes.

    Scripts written without spaces give their pairs of characters.
    """
    words: list[str] = []
    for match in _SPLIT.finditer(text[: most * 12]):
        token = match[0]
        first = token[0]
        if first == "`":
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
        if len(words) >= most:
            break
    return words[:most]


_TABLES = _tables()
_STEMS = tuple(_TABLES.stems)


@lru_cache(maxsize=4096)
def signs_of(text: str) -> frozenset[str]:
    """The names of the signs that `text` bears; a sentence is asked thrice, for its neighbours."""
    words = _TOKEN.findall(text.lower())
    found = set(_TABLES.first.get(words[0], ())) if words else set[str]()
    for word in set(words):
        found.update(_TABLES.words.get(word, ()))
        if word.startswith(_STEMS):
            found.update(*(names for stem, names in _TABLES.stems.items() if word.startswith(stem)))
        for name, phrase in _TABLES.phrases.get(word, ()):
            if name not in found and phrase.search(text):
                found.add(name)
    patterns = _TABLES.patterns if text.isascii() else (*_TABLES.patterns, *_TABLES.wide)
    for name, pattern in patterns:
        if name not in found and pattern.search(text):
            found.add(name)
    return frozenset(found)


def features(one: Utterance) -> dict[str, float]:
    """The signs of a sentence: name -> value. Words count by their share: length is no weight."""
    who = "P" if one.is_person else "A"
    words = words_of(one.text)
    seen = _grams(words, who)
    scale = 3.0 / (math.sqrt(sum(value * value for value in seen.values())) or 1.0)
    signs = {name: value * scale for name, value in seen.items()}
    found = set(signs_of(one.text))
    found |= {
        name[1:-1] for name in ("<code>", "<path>", "<name>", "<num>", "<url>") if name in words
    }
    for name in found:
        signs["s:" + name] = 1.0
        signs[f"{who}s:{name}"] = 1.0
    paired = [name for name in _PAIRED if name in found]
    for n, name in enumerate(paired):
        for other in paired[n + 1 :]:
            signs[f"x:{name}+{other}"] = 1.0
            signs[f"{who}x:{name}+{other}"] = 1.0
    for name in _placed(one, words):
        signs[f"{who}:{name}"] = 1.0
    signs["who:" + who] = 1.0
    for side, text in (("<", one.before), (">", one.after)):
        for name in signs_of(text) if text else ():
            signs[f"{who}{side}{name}"] = 0.5
    for name in _around(one):
        signs[f"{who}@{name}"] = 1.0
    for name, share in one.elsewhere:
        signs[f"{who}~{name}{bisect_right(_SHARES, share)}"] = 0.7
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


def _placed(one: Utterance, words: list[str]) -> Iterator[str]:
    yield f"length{min(len(words) // 6, 8)}"
    yield f"kind-{one.kind}"
    yield "first" if one.place == 0 else "last" if one.place == one.of - 1 else "middle"
    yield f"of{min(int(math.log2(one.of + 1)), 7)}"
    yield f"turn{min(int(math.log2(one.turn_length + 1)), 14)}"
    if one.is_closing:
        yield "closing"
    if one.after_error:
        yield "after-error"
    if one.after_refusal:
        yield "after-refusal"
    if one.of == 1:
        yield "alone"
    if one.text[:1].islower():
        yield "lower"
    if not one.text.rstrip("\"'”’)`").endswith((".", "!", "?", "。", "！", "？")):
        yield "open-ended"
    if _WIDE.search(one.text):
        yield "wide"


def _around(one: Utterance) -> Iterator[str]:
    """What the other speaker said before, and what the person said to it afterwards."""
    if one.other:
        yield f"other{min(int(math.log2(len(one.other) + 1)), 9)}"
        heard = signs_of(one.other[-300:] if one.is_person else one.other[:300])
        for name in ("asks", "refuses", "trouble", "wants", "requests"):
            if name in heard:
                yield "other-" + name
    if one.reaction is None:
        yield "unanswered"
        return
    yield f"reaction{min(int(math.log2(len(one.reaction) + 1)), 9)}"
    heard = signs_of(one.reaction[:200])
    for name in ("asks", "refuses", "trouble", "wants", "requests", "takes_back"):
        if name in heard:
            yield "reaction-" + name
