"""Find neighbours of a text that contradict it: opposite statements, and restated values.

There are two sources. Opposite statements have the same subject and a denial or an opposite verb on
one side. A restatement is the user's: it gives another value than an earlier memory. It is a
correction ("no, …", "from now on …"), or about something with one value: a number, a day, "X is …".
If the user asked for it to be kept and says that it is new, the earlier memory retires. Plans,
questions, working notes and notes of a moment contradict nothing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from ..answers import FileChange, Neighbour
from ..language.phrases import (
    after_cues,
    begins_correction,
    only_sets_a_rule,
    phrases,
    revoked_in,
    says,
)
from ..sessions.shape import named
from ..text.sameness import (
    ALTERNATIVES,
    BEFORE_A_VALUE,
    DENIALS,
    STOP,
    UNITS,
    Content,
    Piece,
    are_opposite,
    content_of,
    corrects_a_detail,
    difference,
    pieces,
    says_the_same,
)
from ..text.sentences import sentences
from ..text.words import SECTIONS, is_common, is_named, is_trade, stem, ungrouped

MOMENTARY = frozenset(("task_progress", "file_change"))
"""Categories of a moment's state or work: no later note contradicts them."""

FAILURES = frozenset(("error", "discovery"))
"""Categories of failures and discoveries, which may contradict any other category."""

IS = frozenset(SECTIONS["defines"].split())
LONGEST_VALUE = 3  # words that define something
LEAST_SHARED = 2
"""Words that two statements of one attribute have in common; one before "is" and with days."""

PASSING = frozenset(SECTIONS["passing"].split())  # words without content

ADDITIVE = frozenset(SECTIONS["additive"].split())
LEAD_INS = PASSING.union(SECTIONS["lead-ins"].split())
DAYS = frozenset(word for word, value in ALTERNATIVES.items() if value[0] == "weekday")
VERSIONED = frozenset(SECTIONS["versioned"].split())
"""Names whose number is a version: another one replaces it."""

SERIES = 3  # values of one subject from which on they number things: crane 1, crane 2, crane 3

SAME_SUBJECT = 0.5
"""Share of the shorter text's distinctive words from which on a correction is about the other."""

IN_PASSING = 0.2
"""Share of the longer text, by weight, below which common words are no common subject."""

SAME_ATTRIBUTE = 0.75  # the same for a statement that is named to be revoked


_ASIDE = re.compile(
    r"[\s,;(–—-]+(?:(?:and\s)?(?:not|never|no longer|instead of|rather than|nicht|statt|nunca)\b"
    r"|\w+\s(?:was|is)\s(?:a mistake|wrong|gone|out|over|too\b)).*$|\s+from (?:now|today) on$",
    re.IGNORECASE,
)
"""Words of a statement beside its value: denials and "no longer"."""

_REASON = re.compile(r"[\s,;(]+(?:because|since|so that|weil|da|porque|ya que)\b.*$", re.IGNORECASE)
_DETERMINED = re.compile(r"\b(?:the|this|that|our|your|der|die|das|den|dem)\s+$", re.IGNORECASE)
_PURPOSE = re.compile(r"[`\"']?(?:\s+(?:for|für|para|pour)\b|[をで])", re.IGNORECASE)
_NOW = re.compile(r"^(?:now|jetzt|ahora)\b|\b(?:now|jetzt|ahora)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opposition:
    """A memory that a text contradicts, and by which words."""

    neighbour: Neighbour
    kind: str  # one of CONFLICT_KINDS; superseded: the text replaces the neighbour
    subject: str  # their common subject; may be empty, as the next two
    own: str  # the opposing words of the text
    other: str  # the opposing words of the neighbour
    is_sure: bool = False  # the text corrects the same attribute of the same subject

    @property
    def reason(self) -> str:
        """Return one line for the user: the opposing words, and the subject."""
        about = f"{self.subject}: " if self.subject else ""
        own, other = (f"“{words}”" if words else "" for words in (self.own, self.other))
        if own and other:
            words = f"{own} against {other}"
        else:
            words = f"only one says {own or other}" if own or other else "the same words"
        return f"{about}{words}{', and the new one corrects it' * (self.kind == 'superseded')}."


def oppositions(
    text: str,
    *,
    category: str,
    files: Sequence[str],
    neighbours: Sequence[Neighbour],
    created_ms: int | None = None,
    type: str | None = None,
    is_users: bool = False,
    is_correction: bool = False,
    is_spoken: bool = True,
    is_guessed: bool = False,
) -> tuple[Opposition, ...]:
    """Return the neighbours that `text` contradicts, in their order.

    Opposite statements must share a file or the category, or be about a failure, unless `category`
    `is_guessed` from the user's words. `created_ms` (milliseconds since 1970, None is now) decides
    which one is newer. Only the user's newest statement (`is_users`) or a correction
    (`is_correction`) restates an earlier one: the nearest. In a text that is not `is_spoken`,
    "wrong" and "instead" correct no earlier words.
    """
    if not _is_comparable(type, category, text):
        return ()
    existing = [
        neighbour
        for neighbour in neighbours
        if _is_comparable(neighbour.type, neighbour.category, neighbour.content)
        and not _are_of_other_parts(files, neighbour.files)
    ]
    corrects = is_correction or bool(_NOW.search(text))
    corrects = corrects or (is_spoken and begins_correction(text))
    older = [
        neighbour
        for neighbour in existing
        if created_ms is None or created_ms >= neighbour.created_ms
    ]
    matches = [
        _opposition(text, neighbour, is_newer=neighbour in older and (is_users or corrects))
        for neighbour in existing
        if (is_guessed or shares(neighbour.category, neighbour.files, category, files))
        and are_opposite(text, neighbour.content)
    ]
    if not matches and (is_users or is_correction):
        matches = _restated(text, older, corrects=corrects, is_sure=is_correction, is_new=True)
    return tuple(matches)


def restates(text: str, neighbours: Sequence[Neighbour]) -> bool:
    """Return True if a correction changes a value of one of `neighbours`."""
    return bool(_restated(text, neighbours, corrects=True, is_sure=True))


def _restated(
    text: str,
    neighbours: Sequence[Neighbour],
    *,
    corrects: bool,
    is_sure: bool,
    is_new: bool = False,
) -> list[Opposition]:
    """Return the nearest neighbour of which `text` gives another value, or none.

    A text that `is_new` does not restate a duplicate.
    """
    revoked = revoked_in(text)
    mine = content_of(revoked or text)
    is_sure = is_sure or not only_sets_a_rule(text)
    near: list[tuple[float, Neighbour]] = []
    numbered = 0
    certain = set[str]()
    for neighbour in neighbours:
        is_certain = not revoked and _says_another_value(text, neighbour.content, corrects=corrects)
        if not (revoked or corrects or is_certain) or (
            is_new and not revoked and says_the_same(text, neighbour.content)
        ):
            continue
        theirs = content_of(neighbour.content)
        shared = subject_share(mine, theirs)
        numbered += is_certain and not corrects
        is_restated = is_certain or shared >= SAME_ATTRIBUTE
        if not (revoked or is_certain):
            takes_place = _takes_the_place_of(mine, theirs) and shared >= SAME_SUBJECT
            statement = _REASON.sub("", neighbour.content)
            is_certain = takes_place and not corrects_a_detail(revoked or text, statement)
            own, other = (
                {word for word, weight in each.weights.items() if weight > STOP}
                for each in (mine, theirs)
            )
            agrees = theirs.numbers and theirs.numbers <= mine.numbers - _mistaken(text)
            gives_another = is_sure and shared >= SAME_SUBJECT and own - other and other - own
            is_restated = takes_place or bool(gives_another and not agrees)
            if neighbour.category != "error":  # errors quote programs' output
                is_restated = is_restated or _is_renumbered(text, neighbour.content)
        if is_restated:
            near.append((shared, neighbour))
            certain |= {neighbour.id} if is_certain else set()
    if not near or numbered >= SERIES:
        return []
    nearest = max(near, key=lambda pair: (pair[0], pair[1].similarity, pair[1].created_ms))[1]
    return [_opposition(text, nearest, is_newer=True, is_sure=corrects and nearest.id in certain)]


def _opposition(
    text: str, neighbour: Neighbour, *, is_newer: bool, is_sure: bool = False
) -> Opposition:
    words, kind = difference(text, neighbour.content), "superseded" if is_newer else "contradictory"
    return Opposition(neighbour, kind, words.shared, words.one, words.other, is_sure)


def subject_share(first: Content, other: Content) -> float:
    """Return how much of the shorter text's subject the other has: 0-1.

    Of its distinctive words and names, or of all its words by weight, whichever is more.
    """
    mine, theirs = (each.distinctive | each.marks for each in (first, other))
    shared = mine & theirs
    if not shared:
        return 0.0
    words, others = (
        {word: weight for word, weight in each.weights.items() if weight > STOP}
        for each in (first, other)
    )
    both = sum(words[word] for word in words.keys() & others.keys() - first.numbers)
    least, most = sorted((sum(words.values()), sum(others.values())))
    if both < IN_PASSING * most:
        return 0.0
    return max(len(shared) / min(len(mine), len(theirs)), both / least)


def _takes_the_place_of(first: Content, other: Content) -> bool:
    """Return True if `first` denies a word or number of `other` and gives another: "60, not 45"."""
    is_denied = any(
        word == denied or (denied.isdigit() and word.rstrip("abcdefghijklmnopqrstuvwxyz") == denied)
        for denied in first.denied
        for word in other.weights
    )
    return is_denied and any(
        weight > STOP and word not in other.weights and word not in first.denied
        for word, weight in first.weights.items()
    )


def _is_renumbered(text: str, earlier: str) -> bool:
    """Return True if `text` gives another day or number, of the same form, to a common subject.

    That is a long number, as ports and addresses have, or one of something more that both name.
    """
    mine, theirs = _values(text), _values(earlier)
    wrong = _mistaken(text)
    forms = {form for value, form in mine.items() if value not in theirs or value in wrong}
    replaced = [
        value
        for value, form in theirs.items()
        if form in forms and (value not in mine or value in wrong)
    ]
    first, other = content_of(text), content_of(earlier)
    shared = {word for word in first.weights.keys() & other.weights if first.weights[word] > STOP}
    if any(len(value) >= LONG_NUMBER and value[0].isdigit() for value in replaced):
        return bool((first.distinctive | first.marks) & shared)
    return bool(replaced) and len(shared - mine.keys()) >= LEAST_SHARED


def _values(text: str) -> dict[str, str]:
    """Return the numbers and days of a text, each with its form: the unit, or "day"."""
    return {
        piece.key: re.sub(r"\d+", "0", piece.key) if piece.kind == "number" else "day"
        for piece in pieces(text)
        if piece.kind == "number" or piece.shown.lower() in DAYS
    }


def _mistaken(text: str) -> frozenset[str]:
    return frozenset(number.lower() for number in _MISTAKEN.findall(text))


LONG_NUMBER = 4  # digits and signs
_MISTAKEN = re.compile(r"\b(\d[\w.]*) (?:is|was) (?:a mistake|wrong)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _says_another_value(first: str, other: str, *, corrects: bool) -> bool:
    """Return True if two statements differ only in the value of something that has one value.

    That is a number, a version, one of `ALTERNATIVES`, or the few words behind "X is" or "X is
    called". If the first `corrects`, also the words behind a preposition at the end: "logs go
    to …". The beginning of a sentence is its subject, and "berth 12" is a name.
    """
    if _are_alternatives(first, other):
        return True
    mine, keys, ends = _stated(first)
    low = other.lower().replace("’", "'")
    if not any(end[: 1 if end[:1].isdigit() else -1].lower() in low for end in ends):
        return False  # without reading the other: a word and its plain form begin alike
    theirs, their_keys, their_ends = _stated(other)
    if ends[0] != their_ends[0] and ends[1] != their_ends[1]:
        return False  # quickly: those that differ in one value begin or end alike
    turned = SequenceMatcher(None, keys, their_keys, autojunk=False).get_opcodes()
    slots = [
        (mine[a:b], theirs[c:d], a)
        for tag, a, b, c, d in turned
        if tag != "equal" and any(p.counts > STOP for p in (*mine[a:b], *theirs[c:d]))
    ]
    if len(slots) != 1 or not all(slots[0][:2]) or slots[0][2] == 0:
        return False
    own, others, at = slots[0]
    words, changed, news = (
        sum(piece.counts > STOP for piece in part) for part in (mine, own, others)
    )
    defines = at + len(own) == len(mine) and mine[at - 1].shown.lower() in IS
    aside = {piece.key for piece in pieces(first)} - {piece.key for piece in mine}
    names_it = any(piece.key in aside for piece in others if piece.counts > STOP)
    if words - changed < (1 if defines or names_it else LEAST_SHARED):
        return False
    if max(changed, news) <= LONGEST_VALUE:
        is_last = at + len(own) == len(mine) and mine[at - 1].shown.lower() in BEFORE_A_VALUE
        if defines or names_it or (corrects and is_last and news <= changed):
            return True  # else a detail is corrected, and the others still hold
    numbers = [[p for p in part if p.kind == "number"] for part in (own, others)]
    if not (changed == news == 1 and all(len(each) == 1 for each in numbers)):
        return False
    units = {each[0].key.lstrip("0123456789.,:") for each in numbers}
    is_version = mine[at - 1].shown.lower() in VERSIONED
    return len(units) == 1 and (is_version or not difference(first, other).is_label)


def _are_alternatives(first: str, other: str) -> bool:
    """Return True if two statements differ in the value of one attribute: "with tabs", "… spaces".

    The values exclude each other, and no word makes one of them one of several.
    """
    mine, own = _valued(first)
    theirs, others = _valued(other) if mine else ({}, own)
    are_about = own & others - LEAD_INS or own | others <= LEAD_INS
    excluded = (not mine[name] & theirs[name] for name in mine.keys() & theirs.keys())
    return bool(are_about) and own ^ others <= LEAD_INS and any(excluded)


@lru_cache(maxsize=1024)
def _valued(text: str) -> tuple[dict[str, set[int]], frozenset[str]]:
    """Return the values of a statement by attribute, and its other distinctive words."""
    plain, values = _plain(text), dict[str, set[int]]()
    rest, at, end = "", 0, len(plain)
    for match in _alternatives().finditer(plain):
        before, behind = plain[: match.start()], _CLAUSE.split(plain[match.end() :])[0]
        is_subject = not before.strip("`\"'") and not _PURPOSE.match(plain, match.end())
        is_name = behind and _DETERMINED.search(before)  # "the weekly report"
        if match.start() <= end and not (is_subject or is_name):
            attribute, number = ALTERNATIVES[re.sub("[_-]", " ", match[0].lower())]
            values.setdefault(attribute, set()).add(number)
            rest, at = f"{rest} {plain[at : match.start()]}", match.end()
            end = at + len(behind)
    read = pieces(f"{rest} {plain[at:end]}") if values else ()
    if any(piece.kind == "denial" or piece.shown.lower() in ADDITIVE for piece in read):
        values.clear()
    return values, frozenset(piece.key for piece in read if piece.counts > STOP)


@lru_cache(maxsize=1)
def _alternatives() -> re.Pattern[str]:
    forms = [re.escape(form).replace(r"\ ", "[ _-]") for form in sorted(ALTERNATIVES)[::-1]]
    spaced, unspaced = (
        "|".join(form for form in forms if form[0].isascii() == is_ascii)
        for is_ascii in (True, False)
    )
    return re.compile(rf"(?<![\w.-])(?:{spaced})(?![\w-])|{unspaced}", re.IGNORECASE)


def _plain(text: str) -> str:
    return _ASIDE.sub("", _REASON.sub("", after_cues(text).rstrip(" .!。")))


@lru_cache(maxsize=1024)
def _stated(text: str) -> tuple[list[Piece], list[str], tuple[str, str]]:
    """Return a statement's pieces, their keys, and the first and the last distinctive key."""
    plain = _plain(text)
    stated = [piece for piece in pieces(plain) if piece.shown.lower() not in PASSING]
    keys = [piece.key for piece in stated if piece.counts > STOP] or [plain]
    return stated, [piece.key for piece in stated], (keys[0], keys[-1])


def _is_comparable(type: str | None, category: str, text: str) -> bool:
    is_question = text.rstrip(" \n\"'”)*_`").endswith(("?", "？"))
    return not is_question and type not in ("working", "prospective") and category not in MOMENTARY


def shares(
    category: str, files: Sequence[str], other_category: str, other_files: Sequence[str]
) -> bool:
    """Return True if two memories share a category or a file, or one is about a failure."""
    if category == other_category or {category, other_category} & FAILURES:
        return True
    pairs = [
        (mine.removeprefix("./"), theirs.removeprefix("./"))
        for mine in files
        for theirs in other_files
    ]  # one may be from further up: src/a.py, a.py
    return any(a == b or a.endswith(f"/{b}") or b.endswith(f"/{a}") for a, b in pairs)


def _are_of_other_parts(files: Sequence[str], others: Sequence[str]) -> bool:
    """Return True if the files of two memories lie in different packages of a repository.

    A folder and one below it are one part, and so is all that lies at the top.
    """
    folders = [f"{os.path.dirname(path.removeprefix('./'))}/" for path in files]
    other_folders = [f"{os.path.dirname(path.removeprefix('./'))}/" for path in others]
    pairs = [(mine, theirs) for mine in folders for theirs in other_folders]
    return bool(pairs) and not any(
        "/" in pair or pair[0].startswith(pair[1]) or pair[1].startswith(pair[0]) for pair in pairs
    )


# --- memories that an agent's change made wrong

_ATOMS = re.compile(r"[^\W\d_]+(?:\d[^\W_]*)?|\d+(?:[.:]\d+)*")
_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GROUPED = re.compile(r"(?<=\d)_(?=\d{3})")
_DEFINED = re.compile(
    r"^\s*(?:(?:export|default|async|pub|public|private|static|final)\s+)*"
    r"(?:def|fn|func|function|class|struct|enum|interface|type|const|let|var|val|module|resource)"
    r"\s+\"?([\w$-]+)"
)
_IMPORTED = re.compile(r"^\s*(?:from|import|use|using|require|#\s*include)[\s('\"<]+([\w-]+)")
_STRINGS = re.compile(r"[\"']([^\"']{2,40})[\"']")
_CALLED = re.compile(r"\w{4,}(?=\()")
_DEPENDENCY = re.compile(r"^\s*[\"']?(@?[A-Za-z][\w./-]*)[\"']?\s*(?:[:=<>~^!@ ]|$)")
_MANIFEST = re.compile(
    r"(?:^|/)(?:package\.json|[Pp][\w.-]+\.toml|requirements[\w.-]*\.txt|Cargo\.toml|go\.mod|Gemfile"
    r"|Pipfile|composer\.json|pom\.xml|[\w.-]+\.gradle(?:\.kts)?)$"
)
_PROGRAM = re.compile(rf"\b(?:{'|'.join(SECTIONS['programs'].split())})\s+[\w./@:-]+")
_USED = r"(?:\b(?:with|via|use[sd]?|using|from|by|mit|über|con|avec)\s+|`)"
_AVOIDS = DENIALS | frozenset("t avoid instead rather drop remove removed replace statt".split())
_CLAUSE = re.compile(r"[,.;:!?](?:\s|$)")
BEFORE_A_NUMBER = 4  # words of a line that name it
MOST_LINES = 400  # of one change


def outdated_by(text: str, files: Sequence[str], change: FileChange) -> str:
    """Return the lines, before and after, of a change that made a memory wrong; "" for none.

    A value that the memory gives to an attribute was replaced, a name that it gives was defined
    there or is gone, or a command that it names is another one now. `files` are the memory's.
    """
    stems = [*map(stem, _atoms(text))]
    near = _key_stems(change.path) & {*stems}
    for old, new, names in [(name, change.after, [name]) for name in change.gone] + _taken(change):
        key, _, value = re.split("([:=])", f"{old}=", maxsplit=1)
        value = value.strip(" \t\"',;=")
        is_rare = value.isalpha() and not is_common(value.lower())  # it needs no attribute
        is_rare = is_rare and "test" not in change.path.lower()
        if value and (is_rare or near | _key_stems(key) & {*stems}) and new.startswith(key):
            names = [*names, value, *(_CALLED.findall(value) if near else ())]
        had, has = ({*_STRINGS.findall(line)} for line in (old, new))
        if had < has and any(value in text for value in had) and says("only", text):
            return f"{_line(old)} → {_line(new)}"
        # "don't remove the queue before …" ends when it is removed
        is_over = not new and bool(content_of(text).turns)
        if any(name not in new and _names(text, name, is_over=is_over) for name in names):
            return f"{_line(old)} → {_line(new)}" if new else f"{_line(old)} was removed"
        raw, put = _atoms(old), [*map(stem, _atoms(new))]
        units = {UNITS.get(word) for word in raw} - {None}
        for at, number in enumerate(raw):
            places = [n for n, word in enumerate(stems) if word == number and word[0].isdigit()]
            others = [word for word in put if word[0].isdigit()]
            if not places or not others or number in put or {*others} & {*stems}:
                continue
            shared = _key_stems(" ".join(raw[max(0, at - BEFORE_A_NUMBER) : at])) & {*stems}
            unit = UNITS.get("".join(_atoms(text)[places[0] + 1 : places[0] + 2]))
            is_about = (near and shared) or any(not is_trade(word) for word in shared)
            if is_about and (not unit or not units or unit in units):
                return f"{_line(old)} → {_line(new)}"
            if unit in units and (near or change.path in files):
                return f"{_line(old)} → {_line(new)}"
    return ""


def carried_out_by(text: str, changes: Sequence[FileChange]) -> str:
    """Return the files in which a session's changes did what a memory wishes for; "" for none.

    A wish asks for a piece of work ("we should add …"), now or some day. Documents do not count,
    and a sentence beside the wish that sets a limit still holds.
    """
    for phrase in phrases():
        wish = phrase.we_must.search(text)
        clause = _CLAUSE.split(text[wish.end() :], maxsplit=1)[0].strip() if wish else ""
        is_work = phrase.order.match(clause) or phrase.occasion.search(text)
        if not wish or not is_work or phrase.chat.search(clause):
            continue
        others = [each.text for each in sentences(text) if wish[0] not in each.text]
        if any(named(other, is_person=True).name == "instruction" for other in others):
            continue
        wanted = _key_stems(clause)
        code = [change for change in changes if not change.path.endswith((".md", ".txt", ".rst"))]
        put = {c.path: _key_stems(f"{c.path} {c.after}") & wanted for c in code}
        done = set[str]().union(*put.values())
        if len(done) >= 2 and 2 * len(done) >= len(wanted):
            return ", ".join(path for path in put if path and put[path])
    return ""


@lru_cache(maxsize=64)
def _taken(change: FileChange) -> list[tuple[str, str, list[str]]]:
    """Return removed lines, with their replacements or "", and their names.

    Names are definitions, dependencies, targets and commands that the new text lacks.
    """
    old, new = (
        [line for line in text.splitlines() if line.strip()][:MOST_LINES]
        for text in (change.before, change.after)
    )
    lines = list[tuple[str, str, list[str]]]()
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for n, line in enumerate(old[a:b] if tag in ("replace", "delete") else ()):
            key = re.split("[:=(]", line)[0].strip() or line
            alike = next((other for other in new[c:d] if key in other), "")
            put = new[c + n] if b - a == d - c else alike
            names = _PROGRAM.findall(line) if put else []
            if _IMPORTED.search(put):  # not of the standard library, which is no choice
                names += {*_IMPORTED.findall(line)} - sys.stdlib_module_names
            if _MANIFEST.search(change.path):
                names += _DEPENDENCY.findall(line)
            elif "akefile" in change.path and ":" in line:
                names.append(f"make {line.partition(':')[0].strip()}")
            else:
                names += [name for name in _DEFINED.findall(line) if is_named(name)]
            lines.append((line, put, [name for name in names if name not in change.after]))
    return lines


def _line(text: str) -> str:
    return f"“{' '.join(text.split())[:120]}”"


@lru_cache(maxsize=1024)
def _atoms(text: str) -> list[str]:
    """Return the words and numbers of a text, also within names: SYNC_MIN = 15 are three."""
    plain = _SEAM.sub(" ", _GROUPED.sub("", ungrouped(text)))
    return [atom.lower() for atom in _ATOMS.findall(plain)]


def _key_stems(text: str) -> set[str]:
    words = (word for word in _atoms(text) if len(word) > 2 and not word[0].isdigit())
    return {stem(word) for word in words if not is_common(word) or is_trade(word)}


def _names(text: str, name: str, *, is_over: bool = False) -> bool:
    """Return True if a text names a file, one below a folder, a package, a name or a command.

    Not if it denies it, unless that `is_over`, nor by an everyday word that is no such name.
    """
    is_plain = not is_named(name) and is_common(name.lower())
    before = _USED if is_plain else r"(?<![\w./-])"
    match = re.search(rf"{before}{re.escape(name)}(?![\w-])", text)
    is_odd = len(name) < 3 or name.startswith(("/", "~", ".."))
    is_denied = match and not is_over and _AVOIDS & {*_atoms(text[: match.start()])[-3:]}
    return bool(match and not is_odd and not is_denied)
