"""Promotion: who earned what, and what a person might let hold for more.

A session's findings come to the project by their points; what goes further is offered here, and
nothing goes but by a person: `Curation.promote` and `demote`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import projects, promotions
from ...db.lists import OFFERED_PROJECTS
from ..errors import Refused
from ..ingest.promotion import WANTED_EVERYWHERE
from ..values import Memory

if TYPE_CHECKING:
    from ...db.promotions import Standing
    from ..answers import Entry
    from ..context import Context
    from .audit import Audit

SEVERAL_PROJECTS = OFFERED_PROJECTS
"""Projects that know the same, from which it may hold in all of them."""

MOST_OFFERS = 50
MOST_ENTRIES = 200

RISES = ("promote", "accept", "demote")
"""The journal's words for an act that changes how far a memory holds."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A memory that may hold for every project, if a person says so."""

    memory: Memory
    to: str  # global
    why: str  # the reason, with its numbers


@dataclass(frozen=True, slots=True)
class Promotion:
    """One memory that came to hold for more, or for less."""

    memory: str  # id
    title: str
    at: datetime
    action: str  # promote, accept, demote
    actor: str  # who decided: person, rule, agent
    why: str  # in words: the signals that earned it, or "to global"
    agent: str  # who found it; "" where none is named
    points: float | None  # towards promotion, as they stand; None: it never had to
    signals: Mapping[str, float]
    scope: str  # how far it holds now; "" for what was purged
    entry: int  # of the journal; `memdeck undo` takes it back
    undone: bool


@dataclass(frozen=True, slots=True)
class Earnings:
    """What one agent's findings came to."""

    agent: str  # "" where none is named
    found: int
    promoted: int
    everywhere: int


@dataclass(frozen=True, slots=True)
class Promotions:
    """The ledger of promotions, and the offers."""

    _context: Context
    _audit: Audit

    def ledger(self, limit: int = MOST_ENTRIES) -> list[Promotion]:
        """What came to hold for more, and how it earned that; newest first."""
        entries = [
            entry for action in RISES for entry in self._audit.audit(action=action, limit=limit)
        ]
        entries.sort(key=lambda entry: -entry.seq)
        named = dict.fromkeys(memory for entry in entries for memory in entry.memories)
        standing = {
            row["id"]: row for row in promotions.standing(self._context.database, list(named))
        }
        titles = self._titles(named)
        rows = (
            _promotion(entry, memory, titles.get(memory, entry.title), standing.get(memory))
            for entry in entries
            for memory in entry.memories
        )
        return [row for row, _ in zip(rows, range(limit), strict=False)]

    def earnings(self) -> list[Earnings]:
        """What each agent's findings of this project came to, the most promoted first."""
        found = promotions.earned(*self._context.here)
        return [Earnings(**row) for row in found]

    def offers(self) -> list[Offer]:
        """What may hold for every project and was not declined: tasks that recur, then the rest.

        A session's findings are offered to the project by the Inbox, with the points they lack.
        """
        database, project = self._context.here
        recurring = promotions.much_used(
            database, project, "prospective", WANTED_EVERYWHERE, MOST_OFFERS
        )
        shared = promotions.known_elsewhere(database, project, SEVERAL_PROJECTS, MOST_OFFERS)
        found = [
            *self._offered(recurring, "used {} times"),
            *self._offered(shared, "known in {} projects, word for word"),
        ]
        return [offer for offer in found if not self._is_declined(offer.memory.id)]

    def wanted_everywhere(self) -> list[Memory]:
        """The memories of the offers. Only a person makes one global: `promote(ref, "global")`."""
        return list({offer.memory.id: offer.memory for offer in self.offers()}.values())

    def decline(self, ref: str) -> None:
        """Offer it no more. Raises NotFound, Ambiguous, Refused for what is not offered."""
        memory = self._context.resolve(ref)
        if all(offer.memory.id != memory.id for offer in self.offers()):
            raise Refused(
                f"“{memory.title}” is not offered.", hint="`memdeck promotions` lists what is."
            )
        with self._context.change("decline", f"not for every project: {memory.title}") as change:
            change.put("setting", {"key": f"offer|{memory.id}", "value": "declined"})

    def _is_declined(self, memory: str) -> bool:
        return projects.setting(self._context.database, f"offer|{memory}") is not None

    def _offered(self, found: Iterable[tuple[int, int]], why: str) -> list[Offer]:
        # one at a time: a memory that is withheld from who asks is missing from the answer
        return [
            Offer(memory, "global", why.format(count))
            for num, count in found
            for memory in self._context.memories([num])
        ]

    def _titles(self, ids: Iterable[str]) -> dict[str, str]:
        found = promotions.nums(self._context.database, list(ids))
        return {memory.id: memory.title for memory in self._context.memories(found)}


def _promotion(entry: Entry, memory: str, title: str, now: Standing | None) -> Promotion:
    return Promotion(
        memory=memory,
        title=title,
        at=entry.at,
        action=entry.action,
        actor=entry.actor,
        why=entry.reason,
        agent=(now and now["agent"]) or "",
        points=now["points"] if now else None,
        signals=(now and now["signals"]) or {},
        scope=now["scope"] if now else "",
        entry=entry.seq,
        undone=entry.undone_by is not None,
    )
