"""How far two notes run alike: in the same words, the same letters, the same clauses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from .pairs_note import Note


def two(name: str, one: float, other: float) -> dict[str, float]:
    """The lesser and the larger: no order of the notes shows in them."""
    return {f"{name}-least": min(one, other), f"{name}-most": max(one, other)}


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / max(1, len(values))


def wording(first: Note, second: Note) -> dict[str, float]:
    """What stands in both in the same order, and where the wording parts."""
    mine, theirs = sorted((first.words, second.words))  # what the matcher finds depends on it
    least, both = max(1, min(len(mine), len(theirs))), max(1, len(mine) + len(theirs))
    head = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False))
    )
    steps = len(first.steps & second.steps)
    told = {
        "begin-alike": head,
        "begin-alike-share": head / least,
        "steps": steps / max(1, min(len(first.steps), len(second.steps))),
        "language-differs": float(
            bool(first.language and second.language) and first.language != second.language
        ),
        "language-other": float("en" not in (first.language, second.language)),
    }
    if not steps:
        return told
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    edits = matcher.get_opcodes()
    alike = [edit[2] - edit[1] for edit in edits if edit[0] == "equal"]
    put = [edit for edit in edits if edit[0] == "replace"]
    told |= {
        "in-order": 2 * sum(alike) / both,
        "run": max(alike, default=0),
        "run-share": max(alike, default=0) / least,
        "edits": len(edits) - len(alike),
        "edits-replaced": len(put),
    }
    if put:
        told |= {
            "replaced-first": (put[0][1] + put[0][3]) / both,
            "replaced-last": (put[-1][1] + put[-1][3]) / both,
            "replaced-least": min(max(e[2] - e[1], e[4] - e[3]) for e in put),
        }
    return told


def letters(first: Note, second: Note) -> dict[str, float]:
    """How many fours of letters stand in both: they reach over endings, compounds, languages."""
    shared, sizes = len(first.grams & second.grams), (len(first.grams), len(second.grams))
    return {
        "letters": 2 * shared / max(1, sum(sizes)),
        "letters-contained": shared / max(1, min(sizes)),
    }


def clauses(
    first: Note, second: Note, rarity: Mapping[str, float], unseen: float
) -> dict[str, float]:
    """How much of a clause stands in one of the other's."""

    def weight(roots: frozenset[str]) -> float:
        return math.fsum([rarity.get(root, unseen) for root in roots])

    mine = [weight(roots) or 1.0 for roots in first.clauses]
    theirs = [weight(roots) or 1.0 for roots in second.clauses]
    if not mine or not theirs:
        return {}
    grid = [[weight(r & s) if r & s else 0.0 for s in second.clauses] for r in first.clauses]
    shares = [
        shared / max(one, other)
        for row, one in zip(grid, mine, strict=True)
        for shared, other in zip(row, theirs, strict=True)
    ]
    begin = max(grid[0]) / mine[0], max(row[0] for row in grid) / theirs[0]
    end = max(grid[-1]) / mine[-1], max(row[-1] for row in grid) / theirs[-1]
    return {
        "clause-best": max(shares),
        "clause-first": shares[0],
        **two("clause-begin", *begin),
        **two("clause-end", *end),
        **two("clauses", len(mine), len(theirs)),
    }
