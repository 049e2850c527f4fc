"""Does a text contradict something we know? Judged before storing; both sides stay (002-24).

Pure functions: the caller finds the neighbours and writes what follows from the answer. A text is
compared sentence by sentence; plans, questions and working notes contradict nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..answers import Neighbour
from .conflict_opposing import opposing
from .conflict_reading import Sentence, read
from .conflict_refuted import refuted_by
from .conflict_subjects import Found
from .fingerprint import normalised

KINDS = ("contradictory", "superseded", "ambiguous")
"""What a conflict may be (002-10)."""

_TELLING = ("superseded", "contradictory", "ambiguous")  # of two sentences, which one counts

MOMENTARY = frozenset(("task_progress", "file_change"))
"""Categories that tell how things stood or what was done: no later note contradicts them."""

SERIES = 3
"""Values of one subject from which on they are taken for a numbering: crane 1, crane 2, crane 3."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """A memory that a text opposes, and by which words."""

    neighbour: Neighbour
    kind: str  # one of KINDS; superseded: the text replaces the neighbour
    reason: str  # one sentence for a person
    subject: str  # what both are about
    said: str  # the opposing words of the text
    other: str  # the opposing words of the neighbour


def conflicts_with(
    text: str,
    *,
    category: str,
    files: Sequence[str],
    neighbours: Sequence[Neighbour],
    created_ms: int | None = None,
    type: str | None = None,
    title: str = "",
) -> tuple[Opposition, ...]:
    """The neighbours that `text` opposes, at most once each, in their order.

    Only neighbours that share a file or the category are looked at (002-24). `created_ms`,
    milliseconds since 1970, tells which statement is the newer one: only the newer one can
    replace the other; None is now. `type` is the text's type, where it is known;
    its `title` is read as one sentence more.
    """
    if type in ("working", "prospective") or category in MOMENTARY:
        return ()
    found = []
    for neighbour in neighbours:
        if _is_comparable(neighbour) and _shares(neighbour, category, files):
            opposition = opposition_of(text, neighbour, created_ms=created_ms, title=title)
            if opposition:
                found.append(opposition)
    series = _series(found)
    return tuple(one for one in found if one.subject not in series or one.kind != "contradictory")


def _series(found: Sequence[Opposition]) -> set[str]:
    """Subjects that have so many values already that these number things, and none is the value."""
    values: dict[str, set[str]] = {}
    for one in found:
        if one.kind == "contradictory":
            values.setdefault(one.subject, set()).add(one.other)
    return {subject for subject, others in values.items() if len(others) >= SERIES}


def refutes(text: str, neighbours: Sequence[Neighbour]) -> tuple[Opposition, ...]:
    """The neighbours that recommend what `text` says has failed, or the reverse (003-10).

    A failure is a discovery or an error and a recommendation a decision, so that neither files
    nor category need to be shared; the approach must be named by both instead.
    """
    found = []
    for neighbour in neighbours:
        if not _is_comparable(neighbour):
            continue
        for mine, theirs in _pairs(text, neighbour):
            if failed := refuted_by(mine, theirs):
                reason = f"One says that {failed.subject} failed, the other recommends it."
                found.append(
                    Opposition(
                        neighbour,
                        "contradictory",
                        reason,
                        failed.subject,
                        failed.said,
                        failed.other,
                    )
                )
                break
    return tuple(found)


def opposition_of(
    text: str, neighbour: Neighbour, *, created_ms: int | None = None, title: str = ""
) -> Opposition | None:
    """How `text` opposes `neighbour`, whatever their files and categories; None if it does not.

    A text opposes no equal one, even if it contradicts itself.
    """
    if normalised(text) == normalised(neighbour.content):
        return None
    best: Opposition | None = None
    for mine, theirs in _pairs(text, neighbour, title):
        if found := opposing(mine, theirs):
            opposition = _judged(found, mine, theirs, neighbour, created_ms)
            if best is None or _TELLING.index(opposition.kind) < _TELLING.index(best.kind):
                best = opposition
    return best


def describe(opposition: Opposition) -> str:
    """One line for a person: which words oppose each other, and about what."""
    about = f"{opposition.subject}: " if opposition.subject else ""
    line = f"{about}“{opposition.said}” against “{opposition.other}”"
    after = {
        "superseded": "; the new one says that this changed",
        "ambiguous": "; perhaps each holds in its own case",
    }
    return line + after.get(opposition.kind, "") + "."


def _judged(
    found: Found, mine: Sentence, theirs: Sentence, neighbour: Neighbour, created_ms: int | None
) -> Opposition:
    is_newer = created_ms is None or created_ms >= neighbour.created_ms
    what = f"“{found.said}” and “{found.other}”"
    if mine.is_hedged or theirs.is_hedged:
        kind, reason = "ambiguous", f"They say {what}, and one of them is not sure."
    elif found.is_partial and not (mine.changes and found.denies_known):
        kind, reason = "ambiguous", f"They say {what}, but one holds under a condition."
    elif mine.changes and is_newer:
        kind, reason = "superseded", f"It says that “{found.said}” came after “{found.other}”."
    elif theirs.changes and not is_newer:
        kind = "contradictory"
        reason = f"They say {what}; what is known is newer and says that things changed."
    elif found.is_value:
        kind, reason = "contradictory", f"They give different values: {what}."
    else:
        kind, reason = "contradictory", f"One denies what the other says: {what}."
    return Opposition(neighbour, kind, reason, found.subject, found.said, found.other)


def _pairs(text: str, neighbour: Neighbour, title: str = "") -> Iterator[tuple[Sentence, Sentence]]:
    known = _read_both(neighbour.content, neighbour.title)
    for mine in _read_both(text, title):
        for theirs in known:
            yield mine, theirs


def _read_both(content: str, title: str) -> tuple[Sentence, ...]:
    """The sentences of both: a title often says in a line what the content argues for."""
    return read(content) + read(title) if title and title not in content else read(content)


def _is_comparable(neighbour: Neighbour) -> bool:
    return neighbour.type not in ("working", "prospective") and neighbour.category not in MOMENTARY


def _shares(neighbour: Neighbour, category: str, files: Sequence[str]) -> bool:
    return neighbour.category == category or any(
        _is_same_file(one, other) for one in files for other in neighbour.files
    )


def _is_same_file(one: str, other: str) -> bool:
    """Whether two paths name one file, one of them perhaps from further up: src/a.py, a.py."""
    one, other = one.removeprefix("./"), other.removeprefix("./")
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)
