"""The time in whole milliseconds, and ids that sort by it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from ..db.images import EARLIEST_MS, LATEST_MS
from .errors import BadInput

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


def ms_since(begun: float) -> float:
    """Milliseconds that have passed since `time.perf_counter()` said `begun`."""
    return (time.perf_counter() - begun) * 1000


def is_moment(value: object) -> bool:
    """Whether a number of which nothing is known is milliseconds: no count grows so large."""
    return isinstance(value, int) and 10**11 < value <= LATEST_MS


def to_ms(moment: datetime | None) -> int | None:
    """Whole milliseconds since the epoch; a naive moment counts as UTC. None stays None.

    What another time zone carries beyond the years 1 to 9999 counts as their end: no calendar
    could show it. Raises BadInput for what is no moment.
    """
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        raise BadInput(f"A date with a time was expected, not {type(moment).__name__}.")
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(round(aware.timestamp() * 1000), EARLIEST_MS), LATEST_MS)


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
