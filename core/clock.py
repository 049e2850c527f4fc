"""What time it is, and moments as the store keeps them: whole milliseconds, UTC."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from ..db.keepers import EARLIEST_MS, LATEST_MS
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
