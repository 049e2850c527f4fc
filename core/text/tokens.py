"""The length of a text: in estimated tokens, and in the units hosts count."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...frozen import NamedTuple

TOKENS_PER_WORD = 1.3

UNITS = 16  # units of `count_strict` to a token

_WORD, _CAPITALS = 5, 3  # letters of a token, after its first
_ACCENT, _DIGITS, _BLOB = 18, 19, 12  # units of a letter with a mark, three digits, a hash's sign
_SCRIPTS = (  # first code point beyond the range, units a character
    (0x370, 16),  # phonetic signs and marks
    (0x400, 7),  # Greek
    (0x460, 6),  # Cyrillic
    (0x530, 16),  # its letters for other languages
    (0x590, 9),  # Armenian
    (0xA00, 7),  # Hebrew, Arabic, Indic
    (0xA80, 11),  # Gurmukhi
    (0xD80, 7),
    (0xE00, 10),  # Sinhala
    (0xE80, 7),  # Thai
    (0x1000, 28),  # Lao, Tibetan
    (0x10A0, 10),  # Burmese
    (0x1200, 7),  # Georgian
    (0x13A0, 36),  # Ethiopic
    (0x1400, 50),  # Cherokee
    (0x2000, 12),
    (0x2E80, 36),  # signs
    (0xA000, 14),  # kana, Chinese
    (0xAC00, 20),
    (0xD7B0, 12),  # Hangul
    (0xFF00, 14),
    (0x10000, 26),  # wide and half-wide forms
)
_ASTRAL = 44  # emoji
_ENDS = ("sign", "other", "")
_LONG = 16  # characters from which on letters and digits in turn are a hash


class Estimate(NamedTuple):
    """A token estimate whose counts can be added: `count` of each line, `tokens` of the sum."""

    name: str
    count: Callable[[str], int]  # in units of its own
    tokens: Callable[[int], int]
    line: int  # units of the line end after a piece

    def of(self, text: str) -> int:
        """Return the estimated tokens of `text`."""
        return self.tokens(self.count(text))


def estimate_tokens(content: str) -> int:
    """The estimated tokens of `content`: int(words x 1.3), words being parted by white space.

    0 for an empty text. It counts a long unbroken run as one word, so nothing is budgeted by it
    unless the settings say so.
    """
    return of_words(count_words(content))


def strict_tokens(text: str) -> int:
    """Return the estimated tokens of `text`, code and writing without spaces included.

    Fitted on o200k: never more than 10 % under its count on any kind of text in
    `benchmarks/tokens.py`, and a third over on English prose.
    """
    return of_strict(count_strict(text))


def of_words(words: int) -> int:
    return int(words * TOKENS_PER_WORD)


def count_words(text: str) -> int:
    """Return the words of `text`, parted by white space."""
    return len(text.split())


def of_strict(units: int) -> int:
    """Return the tokens that so many units are, rounded up."""
    return -(-units // UNITS)


def count_strict(text: str) -> int:
    """Return the units of `text`: by words, runs of digits and signs, and other writing.

    The units of lines add up. No pattern is compiled, since a hook waits.
    """
    total = UNITS * text.count("\n") + UNITS // 2 * text.count("  ")
    for word in text.split():
        if word.isascii() and word.isalpha() and word[1:].islower():
            total += UNITS * (1 + (len(word) - 1) // _WORD)
        else:
            total += _units_of(word)
    return total


def _units_of(word: str) -> int:
    """Return the units of a word with capitals, digits, signs or other writing in it."""
    total = units = runs = start = segment = 0
    kind = ""
    for position in range(len(word) + 1):
        new = _kind_of(word[position]) if position < len(word) else ""
        if new != kind and not (kind == "upper" and new == "lower"):
            units += _units_of_run(kind, word[start:position])
            start, runs = position, runs + 1
            if kind in _ENDS or new in _ENDS:
                length = position - segment
                is_hash = length >= _LONG and kind not in _ENDS and 4 * runs >= length
                total += max(units, _BLOB * length) if is_hash else units
                units, runs, segment = 0, 0, position
        kind = new
    return total


def _kind_of(char: str) -> str:
    if char.isalpha() and (char < "\u0250" or "\u1e00" <= char < "\u1f00"):
        return "upper" if char.isupper() else "lower"
    return "digit" if "0" <= char <= "9" else "sign" if char.isascii() else "other"


def _units_of_run(kind: str, run: str) -> int:
    length = len(run)
    if kind == "lower":
        accents = sum("\x7f" < char < "\u1e00" for char in run)
        return UNITS * (1 + (length - 1) // (_WORD - (accents > 0))) + _ACCENT * accents
    if kind == "upper":
        return UNITS * (1 + (length - 1) // _CAPITALS)
    if kind == "digit":
        return _DIGITS * ((length + 2) // 3)
    if kind == "sign":
        return UNITS * ((length + 1) // 2)
    return sum(next((units for end, units in _SCRIPTS if ord(c) < end), _ASTRAL) for c in run)


ESTIMATES: Mapping[str, Estimate] = {
    "words": Estimate("words", count_words, of_words, 0),
    "strict": Estimate("strict", count_strict, of_strict, UNITS),
}
"""By the name they have in settings."""


def utf16_units(text: str) -> int:
    """The length of `text` as JavaScript counts it: characters beyond the BMP count twice."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_bytes(text: str) -> int:
    """The length of `text` in UTF-8; a lone surrogate counts as the mark that replaces it."""
    return len(text.encode("utf-8", "replace"))
