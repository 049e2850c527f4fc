"""Does a sentence say what it is about, a month later and on its own; and how it is written down.

Nothing is ever put into a sentence. What begins by pointing at something takes the sentence before
it, or the file that the work was on in front ("app/feed.py: the issue is …"); else it is refused.
"""

from __future__ import annotations

import re

from ...language.phrases import phrases
from ...text.sentences import masked_quotes
from .subjects import PROGRAMS, is_concrete

MAX_JOINED = 480  # characters of a sentence with what is put in front

_ENDS = (".", "!", "?", "…", '."', ".”", ".)", "”)", "。", "！", "？", "」")
_SHOUTED = re.compile(r"!{2,}$")
_SPOKEN = re.compile(r"[^\W\d_]{2,}|`[^`]+`")
_AFTER_STOP = re.compile(r"(?<=[。！？])[^\S\n]+")
_IDEOGRAM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LATIN = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_OPENING = re.compile(r"^[\s\"'“”‘’(*_-]+")
_WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r"\W+")
_LEAST = 3  # words of what is told in front


def without_filler(text: str) -> str:
    """`text` without "OK," "also" and the like in front, in any known language."""
    for _ in range(4):
        for one in phrases():
            found = one.filler.match(text)
            if found and found.end() < len(text):
                text = text[found.end() :]
                break
        else:
            return text
    return text


def points(text: str) -> bool:
    """Whether a sentence cannot be understood without what was said before it."""
    bare = _OPENING.sub("", masked_quotes(without_filler(text)))
    return any(
        one.points.match(bare) or (one.vague.match(bare) and not is_concrete(text))
        for one in phrases()
    )


def standing(text: str, before: str, subject: str = "") -> str:
    """`text` so that it stands alone; "" where it does not, or is a single word and punctuation.

    `before` is the sentence before it, `subject` the file that the work was on, "" for none.
    """
    if points(text):
        lead = without_filler(before)
        is_telling = len(lead.split()) >= _LEAST or _WIDE.search(lead) is not None
        is_telling = is_telling and not lead.endswith(("?", "？", ":")) and not points(lead)
        if is_telling and len(lead) + len(text) <= MAX_JOINED:
            text = f"{finished(lead)} {capital(text)}"
        elif subject and len(subject) + len(text) <= MAX_JOINED:
            text = f"{subject}: {text}"
        else:
            return ""
    has_words = len(_SPOKEN.findall(text)) >= 2 or len(_WIDE.findall(text)) >= 4
    return text if has_words else ""


def shares_words(text: str, other: str, least: int = 1) -> bool:
    """Whether most words of the shorter, which has `least` of them, stand in the other."""
    one, two = ({*_WORD.findall(each.lower())} for each in (text, other))
    few = min(len(one), len(two))
    return few >= least and len(one & two) >= 0.6 * few


def letters(text: str) -> str:
    """The letters and digits of `text`, small."""
    return _BETWEEN.sub("", text.lower())


def finished(text: str) -> str:
    """`text` with a capital in front and a full stop at its end, as its writing has them."""
    return stopped(capital(text.strip().rstrip(" ,;:—–-")))


def stopped(text: str) -> str:
    """`text` with a full stop at its end, that of its writing."""
    text = _AFTER_STOP.sub("", _SHOUTED.sub("!", text))
    if text.endswith(_ENDS):
        return text
    return f"{text}。" if _outnumber(_IDEOGRAM, text) else f"{text}."


def capital(text: str) -> str:
    """`text` with a capital in front, unless a name begins it."""
    return text[:1].upper() + text[1:] if text[:1].isalpha() and not _is_name(text) else text


def _is_name(text: str) -> bool:
    """Whether it starts with a name written small on purpose: a file, a function, a program, and
    each word in a script that has no capitals."""
    first = text.split(" ", 1)[0]
    return (
        first in PROGRAMS
        or first != first.lower()
        or (any(c in first for c in "_/.(=") and not first.endswith("."))
        or _outnumber(_WIDE, text)
    )


def _outnumber(signs: re.Pattern[str], text: str) -> bool:
    """Whether there are more of these signs than Latin words; what is quoted does not count."""
    said = masked_quotes(text)
    return len(signs.findall(said)) > len(_LATIN.findall(said))
