"""A text as sentences of tokens: words, names, paths, numbers with their units, punctuation.

Every step looks at a piece of text once, so that time grows with its length alone.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

LOOKS_AT = 4_000
"""Characters of a text that are read; a person's memory holds no more."""

MOST_SENTENCES = 24
MOST_TOKENS = 80
"""Of a text, and of a sentence, so that comparing two texts stays bounded."""

LONGEST_PIECE = 120
"""Characters of a piece without blanks that are looked at: a longer one is no word."""

_PIECE = re.compile(
    r"(?:(?<=\d),(?=\d{3}(?!\d))|[^\s,;()\[\]{}\"“”„»«!?<>|*`…—–])+|[,;()\[\]!?—–\n…]"
)
_ENDS = frozenset("!?;\n…")
_ABBREVIATIONS = frozenset(("e.g.", "i.e.", "etc.", "vs.", "ca.", "approx.", "resp."))
_SUFFIXED = re.compile(r"[\w@~+-][\w.@~+-]*\.[a-z][a-z0-9]{0,4}")
_HOST = re.compile(
    r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|eu|de|internal|local|lan|app|cloud)"
)
_NUMBER = re.compile(r"[<>~≈≤≥+-]*(\d[\d.,_]*)(%|[a-zµ€$£]{1,12})?")
_MONEY = re.compile(r"([€$£])(\d[\d.,]*)")
_VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x)){2,}[\w.+-]*|v\d+(?:\.\d+)*[\w.+-]*")
_CLOCK = re.compile(r"(\d{1,2})[:](\d\d)(?::\d\d)?z?")
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?")
_TICKET = re.compile(r"#\d+|[A-Z][A-Z0-9]{1,9}-\d+")
_IDENTIFIER = re.compile(
    r"\w*[a-z][A-Z]\w*|\w+_\w[\w]*|--?[a-z][\w-]+|\w*\d[\w-]*|[\w-]*-\d+|@\S+|\$\w+"
)
_CONTRACTED = re.compile(r"(\w+)n't")
_LETTER = re.compile(r"[^\W\d_]")
_SHORT = re.compile(r"'(?:s|re|ve|ll|d|m)$")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a sentence. `kind`: word, name, path, host, number, clock, date, version, mark."""

    text: str  # as written
    low: str  # lower case
    kind: str
    number: float | None = None
    unit: str = ""  # glued to the number: "30s", "25%"


def sentences_of(text: str) -> tuple[tuple[Token, ...], ...]:
    """The sentences of `text`, each with at least one token that is no punctuation."""
    found: list[tuple[Token, ...]] = []
    now: list[Token] = []
    plain = unicodedata.normalize("NFKC", text[:LOOKS_AT]).replace("’", "'")
    for piece in _PIECE.findall(plain):
        ends = piece in _ENDS
        if len(now) >= MOST_TOKENS:
            ends = ends or piece.endswith(".")
        elif not ends:
            ends = _take(piece, now)
        if ends:
            _close(now, found, asks=piece == "?")
            now = []
            if len(found) == MOST_SENTENCES:
                return tuple(found)
    _close(now, found)
    return tuple(found)


def _close(now: list[Token], found: list[tuple[Token, ...]], *, asks: bool = False) -> None:
    if any(token.kind != "mark" for token in now):
        found.append((*now, Token("?", "?", "mark")) if asks else tuple(now))


def _take(piece: str, now: list[Token]) -> bool:
    """Add the tokens of `piece` to `now`; whether it ends the sentence."""
    if piece in ",()[]—–":
        now.append(Token(piece, piece, "mark"))
        return False
    if piece == "-":
        now.append(Token("—", "—", "mark"))
        return False
    if piece.lower() in _ABBREVIATIONS:
        return False
    bare = piece.rstrip(".:'")
    tail = piece[len(bare) :]
    bare = bare[:LONGEST_PIECE]
    bare = bare.lstrip("'").removesuffix("'s")
    name, equals, value = bare.partition("=")
    for part in (name, value) if equals and name and value else (bare,):
        if part:
            now.extend(_classified(part, is_first=not now or now[-1].low == ":"))
    if ":" in tail:
        now.append(Token(":", ":", "mark"))
    return "." in tail


def _classified(part: str, *, is_first: bool) -> list[Token]:
    low = part.lower()
    if _TICKET.fullmatch(part) and not part.startswith(("UTF-", "SHA-", "ISO-", "RFC-")):
        return []  # the number of an issue is neither a value nor a subject
    if found := _CLOCK.fullmatch(low):
        return [Token(part, low, "clock", int(found[1]) * 60 + int(found[2]))]
    if _DATE.fullmatch(low):
        return [Token(part, low, "date")]
    if _VERSION.fullmatch(low):
        return [Token(part, low.removeprefix("v"), "version")]
    if found := _MONEY.fullmatch(low):
        return [Token(part, low, "number", _float(found[2]), found[1])]
    if found := _NUMBER.fullmatch(low):
        return [Token(part, low, "number", _float(found[1]), found[2] or "")]
    if not _LETTER.search(low):
        return []
    return _worded(part, low, is_first=is_first)


def _worded(part: str, low: str, *, is_first: bool) -> list[Token]:
    if part.isupper() and len(part) > 1 and "/" not in part:
        return [Token(part, low, "name")]
    if "://" in low or _HOST.fullmatch(low):
        return [Token(part, low.rstrip("/"), "host")]
    if ("/" in low[:-1] and not _is_choice(low)) or _SUFFIXED.fullmatch(low):
        return [Token(part, low.removeprefix("./").rstrip("/"), "path")]
    low = low.rstrip("/")
    if "'" in low:
        if found := _CONTRACTED.fullmatch(low):
            verb = {"ca": "can", "wo": "will", "sha": "shall"}.get(found[1], found[1])
            return [Token(verb, verb, "word"), Token("not", "not", "word")]
        low = _SHORT.sub("", low)
    if low in _NEGATED:
        return [Token(word, word, "word") for word in _NEGATED[low]]
    if _IDENTIFIER.fullmatch(part) or _looks_like_name(part, is_first=is_first):
        return [Token(part, low, "name")]
    return [Token(part, low, "word")]


_NEGATED = {
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "shouldnt": ("should", "not"),
    "cannot": ("can", "not"),
    "cant": ("can", "not"),
    "mustnt": ("must", "not"),
    "wont": ("will", "not"),
    "isnt": ("is", "not"),
}


def _looks_like_name(part: str, *, is_first: bool) -> bool:
    if len(part) > 1 and part.isupper():
        return True
    return part[0].isupper() and not is_first


def _is_choice(low: str) -> bool:
    """Whether a slash stands for "or": "and/or", "read/write"."""
    first, _, second = low.partition("/")
    return "/" not in second and len(first) > 1 and first.isalpha() and second in _CHOICES


_CHOICES = frozenset("or off no false write output response bye not remove disable".split())


def _float(digits: str) -> float:
    """The number that `digits` show; a comma before three digits groups thousands."""
    head, _, last = digits.rstrip(".,_").replace("_", "").rpartition(",")
    plain = (head.replace(",", "") + last) if head and len(last) == 3 else digits.replace(",", ".")
    try:
        return float(plain.rstrip(".,_").replace("_", ""))
    except ValueError:  # "1.2,3": unlike any other number
        return float(sum(ord(char) * 31**at for at, char in enumerate(digits[:12])))
