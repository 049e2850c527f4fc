"""How long a text is: in estimated tokens, and in the units hosts count."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...frozen import NamedTuple

TOKENS_PER_WORD = 1.3

LETTERS_PER_TOKEN = 5
"""`strict` takes a run of ASCII letters for one token, and one more for each further five."""

_PIECE = r"[A-Za-z]+|[0-9]+|\n|[ \t]{2,}|[^\sA-Za-z0-9]"
_HALVES = (  # first code point beyond the range, half tokens a character
    (0x370, 4),  # Latin with marks: mostly two bytes that stand alone
    (0x400, 3),  # Greek
    (0x530, 2),  # Cyrillic
    (0x800, 3),  # Armenian, Hebrew, Arabic
    (0x2E80, 4),  # Indic, Thai, signs
    (0xAC00, 2),  # Chinese, kana
    (0xD7B0, 3),  # Hangul
    (0xF900, 4),
    (0xFB00, 2),  # more Chinese
    (0xFF00, 4),
    (0x10000, 2),  # full width
)
_HALVES_ASTRAL = 8  # emoji: a token a byte


class Estimate(NamedTuple):
    """A way to count tokens that adds up: `count` over lines, `tokens` of the sum."""

    name: str
    count: Callable[[str], int]  # in units of its own
    tokens: Callable[[int], int]
    line: int  # what the line end after a piece adds to the count

    def of(self, text: str) -> int:
        """The estimated tokens of `text`."""
        return self.tokens(self.count(text))


def estimate_tokens(text: str) -> int:
    """The estimated tokens of `text`: int(words x 1.3), words being parted by white space.

    0 for an empty text. It counts a long unbroken run as one word; that is why every host's
    output has a limit in characters as well, and why there is `strict_tokens`.
    """
    return of_words(count_words(text))


def strict_tokens(text: str) -> int:
    """The estimated tokens of `text`, code and writing without spaces included.

    Never more than 5 % under a real tokenizer on any kind of text in `benchmarks/tokens.py`,
    where int(words x 1.3) is up to 99 % under. On English prose it is a fifth over.
    """
    return of_halves(count_halves(text))


def of_words(words: int) -> int:
    """The estimated tokens of so many words."""
    return int(words * TOKENS_PER_WORD)


def count_words(text: str) -> int:
    """The words of `text`, parted by white space."""
    return len(text.split())


def of_halves(halves: int) -> int:
    """The tokens that so many half tokens are, rounded up."""
    return (halves + 1) // 2


def count_halves(text: str) -> int:
    """The half tokens of `text`: by runs of letters and digits, signs, and other writing."""
    import re  # a hook for Claude counts words

    total = 0
    for piece in re.findall(_PIECE, text):
        first = piece[0]
        if first >= "\x80":
            total += _halves_of(ord(first))
        elif first.isalpha():
            total += 2 + 2 * ((len(piece) - 1) // LETTERS_PER_TOKEN)
        elif first.isdigit():
            total += 2 * ((len(piece) + 1) // 2)
        else:
            total += 2
    return total


def _halves_of(point: int) -> int:
    for end, halves in _HALVES:
        if point < end:
            return halves
    return _HALVES_ASTRAL


ESTIMATES: Mapping[str, Estimate] = {
    "words": Estimate("words", count_words, of_words, 0),
    "strict": Estimate("strict", count_halves, of_halves, 2),
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
