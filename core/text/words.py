"""Words: tokens, stems, stop words, everyday words, and the shapes of names, numbers and codes.

Text from outside, made safe to store, compare and show: every text passes `clean` once on entry,
before redaction. An invisible character inside a token would hide it from every rule.

Hooks import this: the standard library's `re` and `enum` cost more than reading a prompt. Patterns
are beside the code that replaces them, and a test compares both."""

from __future__ import annotations

import os
from functools import cache, lru_cache

from ...db.index import has_hump

TYPE_CHECKING = False  # `typing` is slow to import
if TYPE_CHECKING:
    import re


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
    r"""Return the runs of letters and digits: `[^\W_]+`."""
    return text.translate(_BETWEEN_RUNS).split()


def words(text: str) -> list[str]:
    r"""Return the runs of letters, digits and `_`: `\w+`."""
    return text.translate(_BETWEEN_WORDS).split()


_ENDS = (*(f"{sign}{gap}" for sign in ".!?;" for gap in " \n"), " — ", "\n\n", "\n-")
_MARKS = ("-", "*", "+", "#", ">", "|")


def in_sentences(text: str) -> str:
    """The words of a text in small letters, with a bar before, between and after its sentences.

    A text contains another one whole if it contains the other's bars and words. A line of its own
    is an item of a list, a heading, a quotation or a row; any other goes on with the next.
    """
    lines = [line.strip() for line in text.lower().split("\n")]
    for number, line in enumerate(lines):
        digits = line.lstrip("0123456789")
        if line.startswith(_MARKS) or (digits != line and digits.startswith((".", ")"))):
            lines[number] = f"-{digits[digits != line :]}"
        if line.startswith("#"):
            lines[number] += "\n"
    text = "\n" + "\n".join(lines) + "\n"
    for end in _ENDS:
        text = text.replace(end, "\0")
    sentences = (" ".join(letters_and_digits(part)) for part in text.split("\0"))
    return f"|{'|'.join(filter(None, sentences))}|"


def run_at(text: str, position: int) -> str:
    r"""Return the letters and digits from `place` on: `[^\W_]+` there, "" for none."""
    near = text[position : position + _NEAR].translate(_BETWEEN_RUNS)
    run = near.partition(" ")[0]
    return run if len(run) < _NEAR else run + run_at(text, position + _NEAR)


def is_camel(word: str) -> bool:
    """Return True if it is composed of words: `[a-z0-9][A-Z]|[A-Z]{2}[a-z]`."""
    return has_hump(word) or any(
        first in _CAPITALS and second in _CAPITALS and third in _SMALL
        for first, second, third in zip(word, word[1:], word[2:], strict=False)
    )


def is_named(word: str) -> bool:
    r"""Return True if it is written like a name: `[a-z0-9][A-Z]|[A-Z]{2}|\d|[_/@.:#+]`."""
    before = ""
    for sign in word:
        if sign in _NAMES_SIGNS or sign.isdecimal():
            return True
        if sign in _CAPITALS and (before in _BEFORE_A_HUMP or before in _CAPITALS):
            return True
        before = sign
    return False


def is_number(token: str) -> bool:
    r"""Return True for digits, also with points or colons between: `\d+(?:[.:]\d+)*`."""
    return all(map(str.isdecimal, token.replace(":", ".").split(".")))


def is_code(token: str) -> bool:
    r"""Return True if it is an error's code, an issue's key or an address.

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
    r"""Return the ending of a file's name, "" for no file: `[\w@+.-]+\.([A-Za-z]{1,6})`."""
    stem, dot, ending = token.rpartition(".")
    is_file = dot and stem and 1 <= len(ending) <= 6 and _LETTERS.issuperset(ending)
    if not is_file or not all(sign.isalnum() or sign in _OF_FILES for sign in stem):
        return ""
    return ending


def without_line(token: str) -> str:
    r"""Return a place in a file without its line and column: without `(?<=\w)(?::\d+){1,2}$`."""
    for most in (2, 1):
        head, is_place = token, True
        for _ in range(most):
            head, _colon, digits = head.rpartition(":")
            is_place = is_place and digits.isdecimal()
        if is_place and (head[-1:].isalnum() or head[-1:] == "_"):
            return head
    return token


def quantity(word: str) -> tuple[str, str] | None:
    r"""Return a number and its unit: `v?(\d[\d.:]*)([a-zµ%°]{0,3})`; None for no number."""
    start = 1 if word[:1] == "v" else 0
    end = start
    while end < len(word) and (word[end].isdecimal() or (word[end] in ".:" and end > start)):
        end += 1
    unit = word[end:]
    if end == start or len(unit) > 3 or not _UNIT_SIGNS.issuperset(unit):
        return None
    return word[start:end], unit


def quoted_code(text: str) -> list[str]:
    r"""Return the texts between two backticks without white space: "`([^`\s]{1,80})`"."""
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
    r"""Return the speaker's name in front of a text: `([A-Z][\w.-]{1,30}): `; "" without one."""
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
    """Return True if it may be of a writing without spaces, such as Thai or Chinese."""
    return not word.isascii() and any(map(_is_unspaced, word))


def length_of(text: str) -> int:
    """Return the characters of `text`; those of a writing without spaces count twice."""
    return len(text) if text.isascii() else len(text) + sum(map(_is_unspaced, text))


def has_words(text: str, least: int) -> bool:
    """Return True for so many words; two signs of a writing without spaces count as one."""
    return len(text.split()) + (length_of(text) - len(text)) // 2 >= least


def _is_unspaced(sign: str) -> bool:
    return sign >= "\u0e00" and not "\u2000" <= sign < "\u3040"


# --- the name of a text's content: equal for texts that differ only in case and spacing

_SEEDS = (0xDEADBEEF, 0x41C6CE57)  # where the two hashes begin

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


_GAPS = dict.fromkeys(map(ord, '()[]{}<>"“”„«»,;!?=|*…`'), " ")
_EDGES = ".:'’‘-–—_/\\"
_POSSESSIVE = ("'s", "’s")

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lszfe")  # call, pass, buzz, off, agree
_ENDINGS = ("'s", "s", "es", "ed", "d", "ing", "ly", "er", "ally", "'ll", "'re", "'ve", "'d", "n't")


def _sections() -> dict[str, str]:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt")
    with open(path, encoding="utf-8") as file:
        sections = [section.partition("]") for section in file.read().split("\n[")[1:]]
    return {name: text.strip() for name, _, text in sections}


SECTIONS = _sections()  # text of each list in `words.txt`, by name
STOP_WORDS = frozenset(SECTIONS["unasked"].split())  # grammar and small talk: not searched for

_RUNNERS = frozenset(SECTIONS["runners"].split())

_STOPS = frozenset(SECTIONS["grammar"].split())
_TRADE = frozenset(SECTIONS["trade"].split())
_COMMON = _TRADE.union(SECTIONS["everyday"].split())


def runs(text: str) -> list[str]:
    """Return the runs between white space, brackets, quotes and the like; apostrophes stay inside.

    As a pattern it would cost a prompt half a millisecond to compile.
    """
    return text.translate(_GAPS).split()


def tokens(text: str) -> list[str]:
    """Return the words of `text` in their order, as written, without punctuation around them.

    Names, paths and numbers stay whole; writing without spaces comes as pairs of signs.
    """
    matches = []
    for run in runs(ungrouped(text)):
        word = run.strip(_EDGES)
        word = word[:-2] if word.endswith(_POSSESSIVE) else word
        if may_be_unspaced(word) and _unspaced().search(word):
            for pairs, other in _unspaced().findall(word):
                matches += [pairs[n : n + 2] for n in range(len(pairs) - 1)]
                matches += filter(None, [other.rstrip(_EDGES)])
        elif word:
            matches.append(word)
    return matches


MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip

SPRINT_DAYS = 14  # assumed length of "this sprint"

UNIT_DAYS = {"day": 1, "week": 7, "sprint": SPRINT_DAYS, "month": 30}
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "couple": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "ten": 10,
}  # fmt: skip
"""Small numbers as people write them before a unit of time."""


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Return the pattern. Cached: so wide a range takes milliseconds to compile."""
    import re

    signs = "\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f"
    return re.compile(rf"([{signs}]{{2,}})|([^\W{signs}][^\s{signs}、。]*)")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the plain form of `word`, which is small: installing, installed and installs are one.

    Only words of ASCII letters are changed; names, numbers and other alphabets stay as they are.
    """
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    plain = _without_ending(word)
    return plain[:-1] if len(plain) > 3 and plain.endswith("e") and plain[-2] != "e" else plain


def _without_ending(word: str) -> str:
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
    if word.endswith("ly") and len(word) > 5:
        return word[:-2]
    return word


def _single(word: str) -> str:
    """`word` without a consonant that was doubled for its ending: "runn" is "run"."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _KEPT_DOUBLE:
        return word[:-1]
    return word


def is_stop_word(word: str) -> bool:
    """Return True if `word`, in lower case, is a word of grammar."""
    return word in _STOPS


@lru_cache(maxsize=4096)
def is_common(word: str) -> bool:
    """Return True if `word`, in lower case, is an everyday word or a form of one."""
    return word in _STOPS or _is_form_of(word, _COMMON)


@lru_cache(maxsize=4096)
def is_trade(word: str) -> bool:
    """Return True if `word`, in lower case, names a thing of every project: test, branch, cache."""
    return _is_form_of(word, _TRADE)


def steps_of(command: str) -> list[str]:
    """Return the single commands of a shell's command line, in order."""
    for sign in ("&&", "||", ";"):
        command = command.replace(sign, "\n")
    return [step for line in command.split("\n") if (step := line.strip())]


def program_of(step: str) -> tuple[str, ...]:
    """Return what a command runs: its program and subcommand, without variables and paths."""
    plain = [word for word in step.split() if "=" not in word and not word.startswith("-")]
    while len(plain) > 1 and plain[0] in _RUNNERS:
        plain = plain[2:] if plain[1] in ("run", "exec") and len(plain) > 2 else plain[1:]
    return tuple(os.path.basename(word) for word in plain[:2])


def _is_form_of(word: str, existing: frozenset[str]) -> bool:
    if word in existing:
        return True
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) > 1:
            if root in existing or root + "e" in existing:
                return True
            if root[-1:] == root[-2:-1] and root[:-1] in existing:  # planned, running
                return True
            if root.endswith("i") and root[:-1] + "y" in existing:  # tried, easily
                return True
    return False


# --- text from outside

REPLACEMENT = "\ufffd"
"""The replacement for a character that cannot be stored: NUL or half of a surrogate pair."""

MOST_KEY = 500  # characters of a key that a caller gave
MOST_NAME = 4_096  # characters of a name that others gave; a path can be that long

# C0 without tab and newline, and DEL. A text of ASCII without these is clean already.
_ASCII_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f]"
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
_TAKEN = f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{_FORMAT}{_BLANK}]"  # beginnings of any of these

# Variation selectors and joiners carry meaning in some scripts and in emoji. Next to ASCII they
# only split words, so there they go.
_SELECTOR = "[\ufe00-\ufe0f]"
_JOINER = "[\u200c\u200d]"
_MARK = "[\u200c\u200d\ufe00-\ufe0f]"
_ZWNJ, _KEYCAP, _EMOJI_STYLE = "\u200c", "\u20e3", "\ufe0f"


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 where its first bytes say so.

    Raises UnicodeDecodeError.
    """
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))  # written by `>` in PowerShell
    return data.decode("utf-16" if is_wide else "utf-8-sig")


def clean(text: str) -> str:
    """`text` in NFC, with newlines as LF, without escape sequences and invisible characters.

    NUL and lone surrogates become U+FFFD; other control characters but tab and newline go.
    ZWJ and ZWNJ stay inside emoji and inside words of scripts that need them. Cleaning what is
    clean changes nothing. Time is linear in the length.
    """
    if text.isascii() and not _pattern(_ASCII_CONTROL).search(text):
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
    from unicodedata import normalize

    text = normalize("NFC", text)
    if not _pattern(_MARK).search(text):
        return text
    cleaned = _without_stray_marks(text)
    # Removing a mark may let its neighbours compose, and so change the next mark's neighbour.
    if _without_stray_marks(cleaned) == cleaned:
        return cleaned
    return normalize("NFC", _pattern(_MARK).sub("", cleaned))


def _without_stray_marks(text: str) -> str:
    from unicodedata import normalize

    text = _pattern(_SELECTOR).sub(_keep_selector, text)
    return normalize("NFC", _pattern(_JOINER).sub(_keep_joiner, text))


def _keep_selector(match: re.Match[str]) -> str:
    """Return the variation selector itself after a symbol or an ideograph, else nothing."""
    before, after = _around(match)
    is_ideograph = "\u3400" <= before <= "\u9fff" or "\U00020000" <= before <= "\U0003ffff"
    is_meant = after == _KEYCAP or _is_pictogram(before) or is_ideograph
    return match[0] if is_meant else ""


def _keep_joiner(match: re.Match[str]) -> str:
    """The joiner itself between two letters or, for ZWJ, two parts of an emoji, else nothing."""
    before, after = _around(match)
    if _is_foreign_letter(before) and _is_foreign_letter(after):
        return match[0]
    is_emoji = before == _EMOJI_STYLE or _is_pictogram(before)
    return match[0] if match[0] != _ZWNJ and is_emoji and _is_pictogram(after) else ""


def _around(match: re.Match[str]) -> tuple[str, str]:
    """Return the characters before and after a match of one character; "" at an end of the text."""
    text, here = match.string, match.start()
    return text[here - 1 : here] if here else "", text[here + 1 : here + 2]


def _is_foreign_letter(char: str) -> bool:
    """Return True for a letter or mark outside ASCII, where a joiner changes the reading."""
    from unicodedata import category

    return char > "\x7f" and category(char)[0] in "LM" and char != _EMOJI_STYLE


def _is_pictogram(char: str) -> bool:
    """Return True for a symbol of an emoji: skin tones (Sk), or newer than this Python."""
    from unicodedata import category

    is_symbol = char > "\x7f" and category(char) in ("So", "Sm", "Cn", "Sk")
    return is_symbol and char != REPLACEMENT


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Return the compiled pattern. Cached: most texts are plain ASCII and need none of these."""
    import re

    return re.compile(source)


_MIXED = r"\w*(?:[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z])\w*"
_LOOKALIKES = str.maketrans("аеорсухіјѕкмнтвАЕОРСУХІКМНТВοα", "aeopcyxijskmhtbAEOPCYXIKMHTBoa")


def folded(text: str) -> str:
    """`text` as it reads: clean, one width of a letter, and words of two scripts in Latin."""
    if text.isascii():
        return text
    from unicodedata import normalize

    plain = normalize("NFKC", clean(text))  # "ｓｅｎｄ" is "send"
    return _pattern(_MIXED).sub(lambda word: word[0].translate(_LOOKALIKES), plain)


def patterns_in(path: str) -> list[tuple[str, str]]:
    """Return the names and regular expressions of a table, one a line, a tab between.

    Names in capitals are parts, for which `<PART>` stands below. "#" begins a comment.
    """
    parts, rules = list[tuple[str, str]](), list[tuple[str, str]]()
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            name, _, pattern = line.partition("\t")
            for part, words in parts:
                pattern = pattern.replace(f"<{part}>", words)
            if not name.startswith("#"):
                (parts if name.isupper() else rules).append((name, pattern))
    return rules
