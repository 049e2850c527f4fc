"""The store as it was: the whole of it at a time, and what differs between two times."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ...db import past
from ...frozen import dataclass
from ..answers import ChangedMemory, Changes, Point
from ..clock import to_ms
from ..context import Context, over, withheld
from ..errors import BadInput, Refused
from ..values import moment_at
from .stretch import Stretch, Touched, changed_memory

if TYPE_CHECKING:
    from ...db.store import Progress


@dataclass(frozen=True, slots=True)
class Past:
    """Questions about earlier times. `when` is a moment, or the number of an entry of the trail."""

    _context: Context

    def point(self, when: datetime | int) -> Point:
        """A time as a place in the journal: the last entry up to then. Raises NotFound, BadInput.

        A moment that is yet to come is as now.
        """
        store = self._context.store
        if isinstance(when, int):
            return Point(moment_at(past.moment_of(store, when)), when)
        if when.tzinfo is None:
            raise BadInput("A time needs a zone.", hint="`datetime.now(UTC)` has one.")
        when = min(when, self._context.now())
        return Point(when, past.entry_at(store, to_ms(when) or 0))

    def as_of(self, when: datetime | int, progress: Progress | None = None) -> Context:
        """The store as it was, to look at: everything but uses, worth and doubts, undated today.

        It takes the time of a copy, and of reading what was written since; `progress` hears of
        that. To be closed. Raises NotFound, BadInput; Refused for an agent, since what is
        private today may not have been then.
        """
        if self._context.viewer is not None:
            raise Refused(
                "What the store was like is shown to a person only.",
                hint="Without --as-of, an agent sees the store as it is.",
            )
        point = self.point(when)
        store = past.open_past(self._context.store, point.entry, progress)
        return over(self._context, store, lambda: point.at)

    def travel(self, there: Context, entry: int) -> Point:
        """Bring what `as_of` gave to another entry, back or on; its new place. Raises NotFound."""
        point = self.point(entry)
        past.travel(there.store, self._context.store, entry)
        there.clock = lambda: point.at
        return point

    def beside(self, entry: int, step: int) -> int | None:
        """The entry after this one (`step` 1), or before it (-1), that changed memories here.

        None where there is none: at both ends.
        """
        return past.beside(self._context.store, self._context.project_id, entry, step)

    def changes(self, since: datetime | int, until: datetime | int | None = None) -> Changes:
        """What differs between two times in this project's memories; until now without `until`.

        Only the two ends count: what was added and taken back in between is not told. The newest
        first. Raises NotFound, BadInput.
        """
        first = self.point(since)
        last = self.point(self._context.now() if until is None else until)
        if (last.entry, last.at) < (first.entry, first.at):
            raise BadInput("The first time is the later one.", hint="Name the earlier one first.")
        told: dict[str, list[ChangedMemory]] = {
            name: [] for name in ("added", "changed", "retired", "restored")
        }
        for touched in self.stretch(first.entry, last.entry).memories.values():
            if what := touched.what:
                told[what].append(changed_memory(touched))
        for kind in told.values():
            kind.sort(key=lambda one: -one.entry)
        return Changes(first, last, **{name: tuple(kind) for name, kind in told.items()})

    def stretch(self, after: int, upto: int) -> Stretch:
        """What entries behind `after` and up to `upto` did, to this project's memories alone."""
        found = Stretch(past.records(self._context.store, after, upto))
        near = {key: one for key, one in found.memories.items() if self._concerns(one)}
        hidden = withheld(self._context, near)
        found.memories = {key: one for key, one in near.items() if key not in hidden}
        return found

    def _concerns(self, one: Touched) -> bool:
        states = [state for state in (one.before, one.after) if state is not None]
        if not any(state.project in (self._context.project_id, "") for state in states):
            return False
        is_person = self._context.viewer is None
        return is_person or all(state.privacy == "public" for state in states)
