"""Text from outside, made safe to store, compare and show.

Every text passes `clean` once at the door (reliability, section 10), before secrets are looked
for: an invisible character inside a token would hide it from every rule.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

REPLACEMENT = "\ufffd"
"""Stands for a character that could not be kept: NUL or half of a surrogate pair."""

MOST_KEY = 500
"""Characters of a key that a caller gave."""

MOST_NAME = 4_096
"""Characters of a name that others gave; a path can be that long."""

# C0 without tab and newline, and DEL. A text of ASCII without these is clean already.
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NUL = "\x00"

# Control sequences as ECMA-48 has them, each with its one-character C1 form. No class holds an
# introducer, so an unfinished sequence ends at the next one and the search stays linear.
_ESCAPE = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\n\x07\x1b\x90\x98\x9c-\x9f]*"
    r"(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC: titles, links, clipboard
    r"|\x1b[ -/]*[0-Z\\^-~]"  # the short ones; ESC [ ] without an end fall to the line below
    r"|\x1b[\[\]]?"
)

# Newlines of every kind. A lone CR would let a later text overwrite an earlier one.
_NEWLINE = r"\r\n?|[\x0b\x0c\x85\u2028\u2029]"

# General category Cf without ZWNJ and ZWJ: bidi controls, zero width, tags, soft hyphen, ...
_FORMAT = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
# Not Cf, yet as invisible: grapheme joiner, Hangul fillers, Khmer inherent vowels, Mongolian
# selectors, and the 240 supplementary variation selectors, which can carry a hidden text.
_BLANK = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u3164\uffa0\ufff0-\ufff8"
    "\U000e0080-\U000e0fff"
)
_CONTROL = "\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
_INVISIBLE = f"[{_FORMAT}{_BLANK}{_CONTROL}]"
_TAKEN = f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{_FORMAT}{_BLANK}]"  # what begins any of these

# Variation selectors and joiners carry meaning in some scripts and in emoji. Next to ASCII they
# only split words, so there they go.
_SELECTOR = "[\ufe00-\ufe0f]"
_JOINER = "[\u200c\u200d]"
_MARK = "[\u200c\u200d\ufe00-\ufe0f]"
_ZWNJ, _KEYCAP, _EMOJI_STYLE = "\u200c", "\u20e3", "\ufe0f"


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 where its first bytes say so.

    Raises UnicodeDecodeError.
    """
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))  # what `>` writes in PowerShell
    return data.decode("utf-16" if is_wide else "utf-8-sig")


def clean(text: str) -> str:
    """`text` in NFC, with newlines as LF, without escape sequences and invisible characters.

    NUL and lone surrogates become U+FFFD; other control characters but tab and newline go.
    ZWJ and ZWNJ stay inside emoji and inside words of scripts that need them. Cleaning what is
    clean changes nothing. Time is linear in the length.
    """
    if text.isascii() and not _ASCII_CONTROL.search(text):
        return text
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if _pattern(_TAKEN).search(text):
        text = _pattern(_ESCAPE).sub("", text)
        text = _pattern(_NEWLINE).sub("\n", text).replace(_NUL, REPLACEMENT)
        text = _pattern(_INVISIBLE).sub("", text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    if not _pattern(_MARK).search(text):
        return text
    cleaned = _without_stray_marks(text)
    # What a mark kept apart may compose once it is gone, and so change the next mark's neighbour.
    if _without_stray_marks(cleaned) == cleaned:
        return cleaned
    return unicodedata.normalize("NFC", _pattern(_MARK).sub("", cleaned))


def _without_stray_marks(text: str) -> str:
    text = _pattern(_SELECTOR).sub(_keep_selector, text)
    return unicodedata.normalize("NFC", _pattern(_JOINER).sub(_keep_joiner, text))


def _keep_selector(match: re.Match[str]) -> str:
    """The variation selector itself after a symbol or an ideograph, else nothing."""
    before, after = _around(match)
    is_ideograph = "\u3400" <= before <= "\u9fff" or "\U00020000" <= before <= "\U0003ffff"
    is_meant = after == _KEYCAP or _is_pictogram(before) or is_ideograph
    return match[0] if is_meant else ""


def _keep_joiner(match: re.Match[str]) -> str:
    """The joiner itself between two letters or, for ZWJ, two parts of an emoji, else nothing."""
    before, after = _around(match)
    if _is_letter(before) and _is_letter(after):
        return match[0]
    is_emoji = before == _EMOJI_STYLE or _is_pictogram(before)
    return match[0] if match[0] != _ZWNJ and is_emoji and _is_pictogram(after) else ""


def _around(match: re.Match[str]) -> tuple[str, str]:
    """The characters before and after a match of one character; "" at an end of the text."""
    text, here = match.string, match.start()
    return text[here - 1 : here] if here else "", text[here + 1 : here + 2]


def _is_letter(char: str) -> bool:
    """A letter or mark outside ASCII: the scripts in which a joiner changes what is read."""
    return char > "\x7f" and unicodedata.category(char)[0] in "LM" and char != _EMOJI_STYLE


def _is_pictogram(char: str) -> bool:
    """A symbol that may be an emoji or part of one: skin tones (Sk), or newer than this Python."""
    is_symbol = char > "\x7f" and unicodedata.category(char) in ("So", "Sm", "Cn", "Sk")
    return is_symbol and char != REPLACEMENT


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled on first use: most texts are plain ASCII and need none of these."""
    return re.compile(source)
