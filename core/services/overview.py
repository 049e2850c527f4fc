"""What an agent's memory stands at: what waits for a person, what it learned, and what is used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

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
    """What a project's agents know, at a glance."""

    memories: int  # live
    pinned: int
    waiting: int  # candidates in the Inbox
    conflicts: int  # without a verdict
    to_verify: int  # something speaks against them
    expiring: int  # within a week
    untold: int  # older than a week, and told to no agent so far
    offers: int  # may hold for every project
    left: int  # retired by age in the last seven days
    learned: int  # in the last seven days
    newest: tuple[Memory, ...]  # of these the newest; at most five
    most_used: tuple[Memory, ...]  # at most five
    week: Told | None  # what was told in the last seven days; None: the settings cannot be read
    start: Receipt | None  # the last start of a session that was told something


class Overviews:
    """Reads how a project stands. Writes nothing."""

    def __init__(
        self,
        context: Context,
        search: Search,
        accounts: Accounts,
        value: ValueBook,
    ) -> None:
        self._context = context
        self._search = search
        self._accounts = accounts
        self._value = value

    def overview(self) -> Overview:
        """How the project stands now."""
        from ...db import ageing

        context, search = self._context, self._search
        since = context.now() - WEEK
        memories, pinned, to_verify, expiring, untold, offers = search.standing(
            "pinned", "verify", "expiring", "untold", "offered"
        )
        left = ageing.left(context.database, context.project_id, to_ms(since) or 0)
        return Overview(
            memories=memories,
            pinned=pinned,
            waiting=search.waiting_count(),
            conflicts=search.conflict_count(),
            to_verify=to_verify,
            expiring=expiring,
            untold=untold,
            offers=offers,
            left=sum(left.values()),
            learned=search.count(LEARNED),
            newest=tuple(search.list(LEARNED, NAMED)),
            most_used=tuple(search.list(MOST_USED, NAMED)),
            week=self._told(),
            start=self._start(),
        )

    def _told(self) -> Told | None:
        try:
            return self._value.value(self._context.now() - WEEK).total
        except BadInput:
            return None

    def _start(self) -> Receipt | None:
        found = self._accounts.receipts(limit=RECEIPTS_LOOKED_AT)
        return next((one for one in found if one.event == "SessionStart" and one.items), None)
