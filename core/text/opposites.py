"""Do two texts say one thing and its opposite, and nothing else? The pairs that 002-24 names.

use and don't use, always and never, enable and disable, add and remove, should and shouldn't. What
is opposed in other words is for the fitted judge of pairs.
"""

from __future__ import annotations

from functools import lru_cache

from .content import pieces
from .words import is_stop_word

OPPOSITES = {"enable": "disable", "enabled": "disabled", "add": "remove", "added": "removed"}
_AFFIRMED = {negative: positive for positive, negative in OPPOSITES.items()}
_AUXILIARY = frozenset(("always", "ever", "to", "from"))


def are_opposite(one: str, other: str) -> bool:
    """Whether the texts have the same words, and one denies what the other affirms."""
    first, second = _affirmed(one), _affirmed(other)
    return bool(first[0]) and first[0] == second[0] and first[1] != second[1]


@lru_cache(maxsize=256)  # a note is laid beside thirty others
def _affirmed(text: str) -> tuple[frozenset[str], bool]:
    """The words of a text as if it affirmed them, and whether it does."""
    words, affirms = set(), True
    for piece in pieces(text):
        low = piece.shown.lower()
        if piece.kind == "denial" or low in _AFFIRMED:
            affirms = not affirms
        if low in _AFFIRMED:
            words.add(_AFFIRMED[low])
        elif piece.kind != "denial" and low not in _AUXILIARY and not is_stop_word(low):
            words.add(low if low in OPPOSITES else piece.key)
    return frozenset(words), affirms
