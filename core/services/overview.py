"""What an agent's memory stands at: what waits for a person, what it learned, and what is used.

What a large store answers at once comes apart from what it must be walked through for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from ...frozen import dataclass, replace
from ..clock import to_ms
from ..errors import BadInput

if TYPE_CHECKING:
    from ..answers import Receipt
    from ..context import Context
    from ..values import Memory
    from .accounts import Accounts
    from .search import Search
    from .value import Told, ValueBook

WEEK = timedelta(days=7)
NAMED = 5
"""Memories that are named of each kind."""

LEARNED, MOST_USED = "created:<7d -is:candidate", "is:told -is:candidate sort:used"
RECEIPTS_LOOKED_AT = 60
"""Receipts among which the last start of a session is looked for."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What a project's agents know, at a glance; None is what was not counted yet."""

    waiting: int  # candidates in the Inbox
    conflicts: int  # without a verdict
    left: int  # retired by age in the last seven days
    newest: tuple[Memory, ...]  # learned in the last seven days; at most five
    week: Told | None  # what was told in the last seven days; None: the settings cannot be read
    start: Receipt | None  # the last start of a session that was told something
    memories: int | None = None  # live
    pinned: int | None = None
    to_verify: int | None = None  # something speaks against them
    expiring: int | None = None  # within a week
    untold: int | None = None  # older than a week, and told to no agent so far
    offers: int | None = None  # may hold for every project
    learned: int | None = None  # in the last seven days
    most_used: tuple[Memory, ...] = ()  # at most five


@dataclass(frozen=True, slots=True)
class Overviews:
    """Reads how a project stands. Writes nothing."""

    _context: Context
    _search: Search
    _accounts: Accounts
    _value: ValueBook

    def overview(self) -> Overview:
        """How the project stands now."""
        return self.counted(self.at_once())

    def at_once(self) -> Overview:
        """What is known without walking through the store, however large it is."""
        from ...db import ageing

        context, search = self._context, self._search
        since = context.now() - WEEK
        left = ageing.left(context.database, context.project_id, to_ms(since) or 0)
        return Overview(
            waiting=search.waiting_count(),
            conflicts=search.conflict_count(),
            left=sum(left.values()),
            newest=tuple(search.list(LEARNED, NAMED)),
            week=self._told(),
            start=self._start(),
        )

    def counted(self, seen: Overview) -> Overview:
        """The same with what is counted over all memories."""
        search = self._search
        memories, pinned, to_verify, expiring, untold, offers = search.standing(
            "pinned", "verify", "expiring", "untold", "offered"
        )
        return replace(
            seen,
            memories=memories,
            pinned=pinned,
            to_verify=to_verify,
            expiring=expiring,
            untold=untold,
            offers=offers,
            learned=search.count(LEARNED),
            most_used=tuple(search.list(MOST_USED, NAMED)),
        )

    def _told(self) -> Told | None:
        try:
            return self._value.value(self._context.now() - WEEK).total
        except BadInput:
            return None

    def _start(self) -> Receipt | None:
        found = self._accounts.receipts(limit=RECEIPTS_LOOKED_AT)
        return next((one for one in found if one.event == "SessionStart" and one.items), None)
