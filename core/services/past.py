"""The store as it was at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import past
from ..answers import Point
from ..context import Context, over
from ..errors import BadInput, Refused
from ..values import moment_at, to_ms

if TYPE_CHECKING:
    from ...db.store import Progress


@dataclass(frozen=True, slots=True)
class Past:
    """Questions about earlier times. `when` is a moment, or the number of an entry of the trail."""

    _context: Context

    def point(self, when: datetime | int) -> Point:
        """Return a time as a place in the journal, at most now. Raises NotFound, BadInput."""
        store = self._context.store
        if isinstance(when, int):
            return Point(moment_at(past.moment_of(store, when)), when)
        if when.tzinfo is None:
            raise BadInput("A time needs a zone.", hint="`datetime.now(UTC)` has one.")
        when = min(when, self._context.now())
        return Point(when, past.entry_at(store, to_ms(when) or 0))

    def as_of(self, when: datetime | int, progress: Progress | None = None) -> Context:
        """Return the store as it was, to be closed; uses, worth and doubts are those of today.

        Raises NotFound, BadInput, and Refused for an agent, since what is private may not
        have been then.
        """
        if self._context.viewer is not None:
            raise Refused("Earlier states are shown to the user only.", hint="Leave out `at:`.")
        point = self.point(when)
        store = past.open_past(self._context.store, point.entry, progress)
        return over(self._context, store, lambda: point.at)
