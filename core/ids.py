"""Names for new rows: sortable by time, unlikely to meet their like."""

from collections.abc import Callable

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u, which are misread."""

_SIGNS = frozenset(ALPHABET)

EPOCH_MS = 1_577_836_800_000
"""2020-01-01, UTC: forty bits of milliseconds from here last until 2054."""


def new_id(now_ms: int, entropy: Callable[[int], bytes]) -> str:
    """Sixteen characters: eight of time in milliseconds, eight (40 bits) of chance."""
    time_part = max(0, now_ms - EPOCH_MS) & (1 << 40) - 1
    value = time_part << 40 | int.from_bytes(entropy(5), "big")
    return "".join(ALPHABET[value >> shift & 31] for shift in range(75, -1, -5))


def looks_made(name: str) -> bool:
    """Whether a name has the form of ours."""
    return len(name) == 16 and _SIGNS.issuperset(name)


def moment_of(made: str) -> int:
    """When such a name was made, in milliseconds since 1970."""
    time_part = 0
    for sign in made[:8]:
        time_part = time_part << 5 | ALPHABET.index(sign)
    return EPOCH_MS + time_part
