"""Which of the neighbours of a text contradict it, or speak of the same thing.

The fitted judge tells (`judgement.pairs`), in bands: what is surely in conflict is marked for
agents, what speaks of the same thing is only listed for a person. Plans, questions, working notes
and notes of a moment contradict nothing. Pure functions; whoever asks finds the neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..answers import Neighbour
from ..judgement.pairs import NO_BIAS, Bias, judged
from ..judgements import CONFLICT, NEAR
from ..text.differing import difference
from ..text.sameness import are_opposite, says_the_same

MOST_NEAR = 3
"""Of what only speaks of the same thing, for one new text."""

MOMENTARY = frozenset(("task_progress", "file_change"))
"""Categories that tell how things stood or what was done: no later note contradicts them."""

FAILURES = frozenset(("error", "discovery"))
"""Categories of what failed, or was found out: that may contradict any other one."""

SERIES = 3
"""Values of one subject from which on they are taken for a numbering: crane 1, crane 2, crane 3."""

_CHANGED = re.compile(
    r"\b(?:now|no longer|anymore|any more|from now on|as of|since|instead of|switched|moved (?:to"
    r"|from)|replaced|changed|no more|these days|jetzt|nicht mehr|ab sofort|seit|statt|umgestellt"
    r"|ersetzt|désormais|ne \w+ plus|depuis|au lieu|ahora|ya no|desde|en lugar)\b",
    re.IGNORECASE,
)
"""Words by which a statement says that it was otherwise before."""


_ENDINGS = {
    "contradictory": "",
    "superseded": "; the new one replaces what was",
    "ambiguous": "; perhaps each holds in its own case",
}


@dataclass(frozen=True, slots=True)
class Opposition:
    """A memory that a text contradicts, or may, and by which words."""

    neighbour: Neighbour
    kind: str  # one of CONFLICT_KINDS; superseded: the text replaces the neighbour
    band: str  # CONFLICT or NEAR
    same: float | None  # 0-1, how likely the two say the same, and
    contradict: float | None  # how likely they contradict each other, before any person's verdicts;
    # None: they are opposite in nothing but opposite words, and the judge was not asked
    subject: str  # what both are about; may be empty, as the next two
    said: str  # the opposing words of the text
    other: str  # the opposing words of the neighbour

    @property
    def reason(self) -> str:
        """One line for a person: which words oppose each other, and about what."""
        may_be_same = (self.same or 0.0) >= (self.contradict or 0.0)
        is_against = self.kind != "ambiguous" or not may_be_same
        about = f"{self.subject}: " if self.subject else ""
        said, other = (f"“{words}”" if words else "" for words in (self.said, self.other))
        if said and other:
            words = f"{said} {'against' if is_against else 'beside'} {other}"
        else:
            words = f"only one says {said or other}" if said or other else "the same words"
        return f"{about}{words}{_ENDINGS[self.kind] if is_against else ''}."


def oppositions(
    text: str,
    *,
    category: str,
    files: Sequence[str],
    neighbours: Sequence[Neighbour],
    created_ms: int | None = None,
    type: str | None = None,
    is_persons: bool = False,
    bias: Bias = NO_BIAS,
) -> tuple[Opposition, ...]:
    """The neighbours that `text` contradicts, in their order, then the likeliest that are near.

    In conflict is only what shares a file or the category, or tells of a failure.
    `created_ms`, milliseconds since 1970, tells which is the newer one; None is now. `is_persons`:
    a person said it, so that it replaces what it surely contradicts.
    """
    if not _is_comparable(type, category, text):
        return ()
    found = []
    for one in neighbours:
        if not _is_comparable(one.type, one.category, one.content) or says_the_same(
            text, one.content
        ):
            continue
        is_shared = shares(one.category, one.files, category, files)
        is_opposite = is_shared and are_opposite(text, one.content)
        verdict = None if is_opposite else judged(text, one.content, bias)
        if not is_opposite and (verdict is None or verdict.band == "none"):
            continue
        words = difference(text, one.content)
        if words.is_label:  # crane 1, crane 2: a numbering contradicts nothing
            continue
        is_newer = created_ms is None or created_ms >= one.created_ms
        changes = is_newer and (is_persons or bool(_CHANGED.search(text)))
        is_sure = is_shared and (verdict is None or verdict.band == CONFLICT)
        kind = ("superseded" if changes else "contradictory") if is_sure else "ambiguous"
        raw = None if is_opposite else judged(text, one.content, NO_BIAS)
        opposition = Opposition(
            one,
            kind,
            CONFLICT if is_sure else NEAR,
            raw.same if raw else None,
            raw.contradict if raw else None,
            words.shared,
            words.one,
            words.other,
        )
        found.append((verdict.near if verdict else 1.0, opposition))
    kept = _without_series([one for _, one in sorted(found, key=lambda pair: -pair[0])])
    order = {one.id: place for place, one in enumerate(neighbours)}
    sure = sorted(
        (one for one in kept if one.band == CONFLICT), key=lambda one: order[one.neighbour.id]
    )
    return (*sure, *[one for one in kept if one.band == NEAR][:MOST_NEAR])


def _without_series(found: Sequence[Opposition]) -> Sequence[Opposition]:
    """Without subjects that have so many values that these number things, and none is the value."""
    values: dict[str, set[str]] = {}
    for one in found:
        if one.kind != "superseded" and any(sign.isdigit() for sign in one.other):
            values.setdefault(one.subject, set()).add(one.other)
    series = {subject for subject, others in values.items() if len(others) >= SERIES}
    return [one for one in found if one.subject not in series or one.kind == "superseded"]


def _is_comparable(type: str | None, category: str, text: str) -> bool:
    is_question = text.rstrip(" \n\"'”)*_`").endswith(("?", "？"))
    return not is_question and type not in ("working", "prospective") and category not in MOMENTARY


def shares(
    category: str, files: Sequence[str], other_category: str, other_files: Sequence[str]
) -> bool:
    """Whether two may be in conflict for agents: in a category or a file, or one tells of a
    failure."""
    if category == other_category or {category, other_category} & FAILURES:
        return True
    return any(_is_same_file(mine, theirs) for mine in files for theirs in other_files)


def _is_same_file(one: str, other: str) -> bool:
    """Whether two paths name one file, one of them perhaps from further up: src/a.py, a.py."""
    one, other = one.removeprefix("./"), other.removeprefix("./")
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)
