"""What a glance at two notes shows: enough to see of most that nothing comes of laying them beside
each other, word by word.

Of thirty neighbours that full-text search brings of a real store, two come to anything. The glance
turns half of them away (`fitted/manifest.json`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from .pairs_beside import UNSEEN
from .pairs_note import Note
from .pairs_order import letters, two


def glance(first: Note, second: Note, rarity: Mapping[str, float]) -> dict[str, float]:
    """The signs at a glance, by name. Symmetric; `rarity` says of each word how rare it is."""
    unseen = rarity.get(UNSEEN, 7.0)
    shared = first.first.keys() & second.first.keys()
    weights = [rarity.get(root, unseen) for root in shared]
    squares = [
        math.fsum([rarity.get(root, unseen) ** 2 for root in note.first])
        for note in (first, second)
    ]
    return {
        **letters(first, second),
        **two("length", len(first.tokens), len(second.tokens)),
        "angle": math.fsum([weight**2 for weight in weights])
        / math.sqrt(squares[0] * squares[1] or 1.0),
        "roots-shared": len(shared),
        "root-rarest": max(weights, default=0.0),
        "steps-shared": len(first.steps & second.steps),
        "names-shared": len(first.names & second.names),
        "numbers-shared": len(first.numbers & second.numbers),
    }
