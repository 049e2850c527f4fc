"""Return which neighbours of a text contradict it: opposite statements, and restated values.

Two sources, and no guessing. Opposite statements have the same subject and a denial or an opposite
verb on one side. A restatement is the user's: it gives another value to what an earlier memory
says, as a correction ("no, …", "from now on …") or with another number of the same unit. Plans,
questions, working notes and notes of a moment contradict nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..answers import Neighbour
from ..language.corrections import begins_correction, only_sets_a_rule, revoked_in
from ..text.sameness import (
    STOP,
    Content,
    are_opposite,
    content_of,
    difference,
    pieces,
    says_the_same,
)

MOMENTARY = frozenset(("task_progress", "file_change"))
"""Categories that tell how things stood or what was done: no later note contradicts them."""

FAILURES = frozenset(("error", "discovery"))
"""Categories of what failed or was discovered: it may contradict any other category."""

IS = frozenset("is are was were ist sind es son est".split())
LONGEST_VALUE = 3  # words behind them that define something

SERIES = 3
"""Values of one subject from which on they number things: crane 1, crane 2, crane 3."""

SAME_SUBJECT = 0.5
"""Share of the shorter text's telling words from which on a correction is about the other."""

IN_PASSING = 0.2
"""Share of the longer text, by weight, below which what two texts have in common is no subject."""

SAME_ATTRIBUTE = 0.75
"""The same without a correcting word, where only a number differs."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """A memory that a text contradicts, and by which words."""

    neighbour: Neighbour
    kind: str  # one of CONFLICT_KINDS; superseded: the text replaces the neighbour
    subject: str  # what both are about; may be empty, as the next two
    own: str  # the opposing words of the text
    other: str  # the opposing words of the neighbour

    @property
    def reason(self) -> str:
        """One line for the user: which words oppose each other, and about what."""
        about = f"{self.subject}: " if self.subject else ""
        own, other = (f"“{words}”" if words else "" for words in (self.own, self.other))
        if own and other:
            words = f"{own} against {other}"
        else:
            words = f"only one says {own or other}" if own or other else "the same words"
        return f"{about}{words}{'; the new one corrects it' * (self.kind == 'superseded')}."


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
) -> tuple[Opposition, ...]:
    """Return the neighbours that `text` contradicts, in their order.

    Opposite statements must share a file or the category, or tell of a failure. `created_ms`
    (milliseconds since 1970, None is now) tells which one is newer. Only the newest statement of
    the user (`is_users`), or what `is_correction`, restates an earlier one: the nearest.
    """
    if not _is_comparable(type, category, text):
        return ()
    is_revoked = bool(revoked_in(text))
    existing = [
        neighbour
        for neighbour in neighbours
        if _is_comparable(neighbour.type, neighbour.category, neighbour.content)
        and (is_revoked or not says_the_same(text, neighbour.content))
    ]
    corrects = is_correction or begins_correction(text)
    older = [
        neighbour
        for neighbour in existing
        if created_ms is None or created_ms >= neighbour.created_ms
    ]
    matches = [
        _opposition(text, neighbour, is_newer=neighbour in older and (is_users or corrects))
        for neighbour in existing
        if shares(neighbour.category, neighbour.files, category, files)
        and are_opposite(text, neighbour.content)
    ]
    if not matches and (is_users or is_correction):
        matches = _restated(text, older, corrects=corrects, is_sure=is_correction)
    return tuple(matches)


def restates(text: str, neighbours: Sequence[Neighbour]) -> bool:
    """Return True if a correction gives another value to what one of `neighbours` says."""
    return bool(_restated(text, neighbours, corrects=True, is_sure=True))


def _restated(
    text: str, neighbours: Sequence[Neighbour], *, corrects: bool, is_sure: bool
) -> list[Opposition]:
    """Return the nearest neighbour of which `text` gives another value, or none."""
    revoked = revoked_in(text)
    mine = content_of(revoked or text)
    is_sure = is_sure or not only_sets_a_rule(text)
    near: list[tuple[float, Neighbour]] = []
    numbered = 0
    for neighbour in neighbours:
        theirs = content_of(neighbour.content)
        shared = subject_share(mine, theirs)
        if revoked:
            is_restated = shared >= SAME_ATTRIBUTE
        elif corrects and _takes_the_place_of(mine, theirs):
            is_restated = shared >= SAME_SUBJECT
        elif corrects:
            is_restated = shared >= SAME_SUBJECT and gives_another_value(mine, theirs)
            if not is_sure:
                is_restated = is_restated and not _goes_on_alike(text, neighbour.content)
        else:
            is_restated = shared >= SAME_ATTRIBUTE and has_another_number(mine, theirs)
            is_restated = is_restated and not difference(text, neighbour.content).is_label
            is_restated = is_restated or _defines_otherwise(text, neighbour.content)
            numbered += is_restated
        if is_restated:
            near.append((shared, neighbour))
    if not near or numbered >= SERIES:
        return []
    nearest = max(near, key=lambda pair: (pair[0], pair[1].similarity, pair[1].created_ms))[1]
    return [_opposition(text, nearest, is_newer=True)]


def _opposition(text: str, neighbour: Neighbour, *, is_newer: bool) -> Opposition:
    words, kind = difference(text, neighbour.content), "superseded" if is_newer else "contradictory"
    return Opposition(neighbour, kind, words.shared, words.one, words.other)


def subject_share(first: Content, other: Content) -> float:
    """Return how much of the shorter text's subject the other has: 0-1.

    Of its telling words and names, or of all its words by weight, whichever is more.
    """
    mine, theirs = (each.telling | each.marks for each in (first, other))
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


def _goes_on_alike(first: str, other: str) -> bool:
    """Return True if a telling word stands in both texts behind the first word that differs.

    Then that word is part of the subject: "deploy the A service from X", "deploy the B service …".
    """
    mine, theirs = (
        [piece for piece in pieces(text) if piece.counts > STOP] for text in (first, other)
    )
    alike = takewhile(lambda pair: pair[0].key == pair[1].key, zip(mine, theirs, strict=False))
    start = sum(1 for _ in alike)
    telling = content_of(first).telling & content_of(other).telling
    rest = [{piece.key for piece in text[start + 1 :]} for text in (mine, theirs)]
    return bool(rest[0] & rest[1] & telling)


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


def gives_another_value(first: Content, other: Content) -> bool:
    """Return True if each text has a word, name or number that the other lacks."""
    mine, theirs = (
        {word for word, weight in each.weights.items() if weight > STOP} for each in (first, other)
    )
    return bool(mine - theirs) and bool(theirs - mine)


def _defines_otherwise(first: str, other: str) -> bool:
    """Return True if both say "X is …" of the same X, each in one to three words of its own."""
    mine, theirs = (text.lower().rstrip(" .!").split() for text in (first, other))
    pairs = zip(mine, theirs, strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    tails = {*mine[alike:]}, {*theirs[alike:]}
    is_short = all(0 < len(text) - alike <= LONGEST_VALUE for text in (mine, theirs))
    return alike > 1 and mine[alike - 1] in IS and is_short and not tails[0] & tails[1]


def has_another_number(content: Content, other: Content) -> bool:
    """Return True if each text has exactly one number, of one unit, and the two differ."""
    if len(content.numbers) != 1 or len(other.numbers) != 1 or content.numbers == other.numbers:
        return False
    first, second = (next(iter(each.numbers)).lstrip("0123456789.,") for each in (content, other))
    return first == second


def _is_comparable(type: str | None, category: str, text: str) -> bool:
    is_question = text.rstrip(" \n\"'”)*_`").endswith(("?", "？"))
    return not is_question and type not in ("working", "prospective") and category not in MOMENTARY


def shares(
    category: str, files: Sequence[str], other_category: str, other_files: Sequence[str]
) -> bool:
    """Return True if two memories share a category or a file, or one tells of a failure."""
    if category == other_category or {category, other_category} & FAILURES:
        return True
    return any(_is_same_file(mine, theirs) for mine in files for theirs in other_files)


def _is_same_file(first: str, other: str) -> bool:
    """Return True if two paths name one file, one perhaps from further up: src/a.py, a.py."""
    first, other = first.removeprefix("./"), other.removeprefix("./")
    return first == other or first.endswith("/" + other) or other.endswith("/" + first)
