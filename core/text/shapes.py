"""The shapes of words: a name with humps, a number, a code, a file's name; signs told by hand.

What a prompt waits for asks here. `re` and its `enum` cost a third of a bare interpreter, more
than all reading of a prompt; the patterns stand beside what replaces them, and a test holds each
against its own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_CAPITALS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SMALL = frozenset("abcdefghijklmnopqrstuvwxyz")
_LETTERS = _CAPITALS | _SMALL
_DIGITS = frozenset("0123456789")
_HEX = _DIGITS | frozenset("abcdefABCDEF")
_BEFORE_A_HUMP = _SMALL | _DIGITS
_OF_FILES = frozenset("_@+.-")
_UNIT_SIGNS = _SMALL | frozenset("µ%°")
_NAMES_SIGNS = frozenset("_/@.:#+")


class _Gaps(dict[int, int]):
    """For `str.translate`: white space in place of all that is no letter and no digit."""

    def __init__(self, kept: str = "") -> None:
        self._kept = kept

    def __missing__(self, point: int) -> int:
        sign = chr(point)
        self[point] = count = point if sign.isalnum() or sign in self._kept else 32
        return count


_BETWEEN_RUNS, _BETWEEN_WORDS = _Gaps(), _Gaps("_")


_NEAR = 32  # few words are longer


def letters_and_digits(text: str) -> list[str]:
    r"""The runs of letters and digits: `[^\W_]+`."""
    return text.translate(_BETWEEN_RUNS).split()


def words(text: str) -> list[str]:
    r"""The runs of letters, digits and `_`: `\w+`."""
    return text.translate(_BETWEEN_WORDS).split()


def run_at(text: str, position: int) -> str:
    r"""The letters and digits from `place` on: `[^\W_]+` there, "" for none."""
    near = text[position : position + _NEAR].translate(_BETWEEN_RUNS)
    run = near.partition(" ")[0]
    return run if len(run) < _NEAR else run + run_at(text, position + _NEAR)


def has_hump(word: str) -> bool:
    """Whether a capital follows a small letter or a digit: `[a-z0-9][A-Z]`."""
    tail = word[1:]
    return tail != tail.lower() and any(
        sign in _CAPITALS and before in _BEFORE_A_HUMP
        for before, sign in zip(word, tail, strict=False)
    )


def is_camel(word: str) -> bool:
    """Whether it is put together of words: `[a-z0-9][A-Z]|[A-Z]{2}[a-z]`."""
    return has_hump(word) or any(
        first in _CAPITALS and second in _CAPITALS and third in _SMALL
        for first, second, third in zip(word, word[1:], word[2:], strict=False)
    )


def is_named(word: str) -> bool:
    r"""Whether it is written as names are: `[a-z0-9][A-Z]|[A-Z]{2}|\d|[_/@.:#+]`."""
    before = ""
    for sign in word:
        if sign in _NAMES_SIGNS or sign.isdecimal():
            return True
        if sign in _CAPITALS and (before in _BEFORE_A_HUMP or before in _CAPITALS):
            return True
        before = sign
    return False


def parts_of(name: str) -> list[str]:
    r"""The words and numbers in a name, as written: `[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+`."""
    matches = []
    start, most = 0, len(name)
    while start < most:
        end = _end_of(name, start, "capitals")
        if end > start and end < most and name[end] in _SMALL:
            end -= 1  # its last capital begins a word
        if end == start:
            end += name[start] in _CAPITALS
            end = _end_of(name, end, "letters")
        if end == start:
            end = _end_of(name, start, "digits")
        if end > start:
            matches.append(name[start:end])
        start = max(end, start + 1)
    return matches


def _end_of(name: str, position: int, kind: Literal["capitals", "letters", "digits"]) -> int:
    """Where the signs of one kind end that stand from `place` on."""
    while position < len(name) and _kind_of(name[position]) == kind:
        position += 1
    return position


def _kind_of(sign: str) -> str:
    if sign in _CAPITALS:
        return "capitals"
    if sign.isdecimal():
        return "digits"
    return "letters" if sign.isalnum() else ""


def is_number(token: str) -> bool:
    r"""Whether it is digits, also with points or colons between: `\d+(?:[.:]\d+)*`."""
    return all(map(str.isdecimal, token.replace(":", ".").split(".")))


def is_code(token: str) -> bool:
    r"""Whether it is an error's code, an issue's key or an address.

    `[A-Z][A-Za-z]{0,9}[-_]?\d+(?:[-_]\d+)*|E[A-Z]{4,15}|0x[0-9a-fA-F]{2,16}`
    """
    if token[:2] == "0x":
        return 2 <= len(token) - 2 <= 16 and _HEX.issuperset(token[2:])
    letters = 0
    while letters < len(token) and token[letters] in _LETTERS:
        letters += 1
    if letters == len(token):
        return 5 <= letters <= 16 and token[0] == "E" and _CAPITALS.issuperset(token)
    if not 1 <= letters <= 10 or token[0] not in _CAPITALS:
        return False
    rest = token[letters + (token[letters] in "-_") :]
    return all(map(str.isdecimal, rest.replace("_", "-").split("-")))


def ending_of_file(token: str) -> str:
    r"""The ending of a file's name, "" for what looks like none: `[\w@+.-]+\.([A-Za-z]{1,6})`."""
    stem, dot, ending = token.rpartition(".")
    is_file = dot and stem and 1 <= len(ending) <= 6 and _LETTERS.issuperset(ending)
    if not is_file or not all(sign.isalnum() or sign in _OF_FILES for sign in stem):
        return ""
    return ending


def without_line(token: str) -> str:
    r"""A place in a file without its line and column: without `(?<=\w)(?::\d+){1,2}$`."""
    for most in (2, 1):
        head, is_place = token, True
        for _ in range(most):
            head, _colon, digits = head.rpartition(":")
            is_place = is_place and digits.isdecimal()
        if is_place and (head[-1:].isalnum() or head[-1:] == "_"):
            return head
    return token


def quantity(word: str) -> tuple[str, str] | None:
    r"""A number and the unit behind it: `v?(\d[\d.:]*)([a-zµ%°]{0,3})`; None for what is none."""
    start = 1 if word[:1] == "v" else 0
    end = start
    while end < len(word) and (word[end].isdecimal() or (word[end] in ".:" and end > start)):
        end += 1
    unit = word[end:]
    if end == start or len(unit) > 3 or not _UNIT_SIGNS.issuperset(unit):
        return None
    return word[start:end], unit


def quoted_code(text: str) -> list[str]:
    r"""What stands between two backticks without white space: "`([^`\s]{1,80})`"."""
    matches = []
    pieces, position = text.split("`"), 1
    while position < len(pieces) - 1:
        piece = pieces[position]
        if len(piece) <= 80 and piece.split() == [piece]:
            matches.append(piece)
            position += 1  # its second mark begins nothing
        position += 1
    return matches


def label(text: str) -> str:
    r"""The name in front of what somebody says: `([A-Z][\w.-]{1,30}): `; "" without one."""
    name = text[:33].partition(": ")[0]
    is_label = 2 <= len(name) <= 31 and text[len(name) : len(name) + 2] == ": "
    if not is_label or name[0] not in _CAPITALS:
        return ""
    return name if all(sign.isalnum() or sign in "_.-" for sign in name) else ""


def ungrouped(text: str) -> str:
    r"""`text` without the signs between its thousands, `(?<=\d)[,\u202f](?=\d{3}\b)`: 12,000."""
    retained, start = [], 0
    for position in sorted(position for sign in ",\u202f" for position in _places_of(sign, text)):
        behind, beyond = text[position + 1 : position + 4], text[position + 4 : position + 5]
        is_between = (
            text[position - 1 : position].isdecimal() and len(behind) == 3 and behind.isdecimal()
        )
        if is_between and not (beyond.isalnum() or beyond == "_"):
            retained.append(text[start:position])
            start = position + 1
    return "".join((*retained, text[start:])) if retained else text


def _places_of(sign: str, text: str) -> list[int]:
    matches, position = [], text.find(sign)
    while position >= 0:
        matches.append(position)
        position = text.find(sign, position + 1)
    return matches


def may_be_unspaced(word: str) -> bool:
    """Whether it may be of a writing without spaces, such as Thai or Chinese."""
    return not word.isascii() and any(map(_is_unspaced, word))


def length_of(text: str) -> int:
    """The characters of `text`; those of a writing without spaces count twice, as they say more."""
    return len(text) if text.isascii() else len(text) + sum(map(_is_unspaced, text))


def _is_unspaced(sign: str) -> bool:
    return sign >= "\u0e00" and not "\u2000" <= sign < "\u3040"


# --- the name of a text's content: equal for texts that differ only in case and spacing

_SEEDS = (0xDEADBEEF, 0x41C6CE57)
"""Where the two hashes begin."""

_MASK = 0xFFFF_FFFF


def normalised(text: str) -> str:
    """`text` in lower case, each run of white space as one blank, none at the ends."""
    return " ".join(text.lower().split())


def fingerprint(text: str) -> str:
    """16 hexadecimal digits: djb2 over the normalised text, once from each of two seeds.

    djb2 is `hash * 33 ^ code`, over code points and within 32 bits: Bernstein's later form. In
    the earlier one, `hash * 33 + code`, the seeds only shift the result, so that texts of equal
    length which collide from one seed collide from the other too, and the second hash is worth
    nothing. Not a cryptographic hash: it finds repetitions, it does not resist an attacker.
    """
    first, second = _SEEDS
    for code in map(ord, normalised(text)):
        first = (first * 33 ^ code) & _MASK
        second = (second * 33 ^ code) & _MASK
    return f"{first:08x}{second:08x}"
