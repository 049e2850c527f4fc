"""What there is to tidy, what was skipped, and how far one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ....core.services.tidy import KINDS, MOST_COMPARED, Proposal

if TYPE_CHECKING:
    from ...view import Desk

PART = 20
"""Memories that are laid beside others at one go: the header's counts wait for it."""


class Proposals:
    """The proposals that one has not settled, and how many there were."""

    def __init__(self, app: Desk) -> None:
        self._app = app
        self.open: list[Proposal] = []
        self.is_looking = False  # more may come
        self._known: list[Proposal] = []
        self._alike: dict[frozenset[str], Proposal] = {}
        self._standing: dict[frozenset[str], Proposal] = {}  # of those what still is so
        self._settling: set[str] = set()  # keys of what is being written
        self._written: set[str] = set()  # of these, what the next reading shows as it is now
        self._done: set[str] = set()  # what one settled or skipped since one began

    @property
    def skipped(self) -> tuple[str, ...]:
        """The keys of what the person skipped, in this run or before."""
        return tuple(self._app.last_run.now.skipped)

    def begin_anew(self) -> None:
        """Nothing is known yet."""
        self.open, self._known, self._alike, self._standing = [], [], {}, {}
        for keys in (self._settling, self._written, self._done):
            keys.clear()

    async def read(self) -> None:
        """What stands now, without looking for more pairs. Raises ManagerError."""
        before, written = tuple(self._alike.values()), frozenset(self._written)
        self._known, alike = await self._app.slow.run(
            lambda core: (core.services.tidy.known(), core.services.tidy.still(before))
        )
        self._standing = {one.pair: one for one in alike}
        self._settling -= written
        self._written -= written
        self._settle()

    async def look(self, start: int) -> None:
        """Lay the next `PART` memories beside what shares words with them."""
        found = await self._app.slow.run(lambda core: core.services.tidy.alike(start, PART))
        for one in found:
            if one.pair not in self._alike:
                self._alike[one.pair] = self._standing[one.pair] = one
        self._settle()

    def _settle(self) -> None:
        away = {*self.skipped, *self._settling}
        every = (*self._known, *self._standing.values())
        standing = [one for one in every if one.key not in away]
        self.open = sorted(standing, key=lambda one: KINDS.index(one.kind))

    def take_out(self, proposal: Proposal) -> None:
        """It is being written: the next one comes."""
        self._settling.add(proposal.key)
        self._done.add(proposal.matter)
        self._settle()

    def put_back(self, proposal: Proposal) -> None:
        """It is written, or could not be: the next reading says what came of it."""
        self._written.add(proposal.key)

    def skip(self, proposal: Proposal) -> None:
        """Not now, nor in the next run; until one of its texts changes."""
        self._app.last_run.keep(skipped=(*self.skipped, proposal.key))
        self._done.add(proposal.matter)
        self._settle()

    def unskip(self) -> None:
        """What was skipped is to be looked at again."""
        self._app.last_run.keep(skipped=())
        self._settle()

    def place(self, index: int) -> tuple[int, int]:
        """Which one of how many the proposal at `index` is, since one began: (7, 50).

        What an act or a lesson of it takes along, one has not settled: there are fewer, then.
        """
        gone = len(self._done - {one.matter for one in self.open})
        return gone + index + 1, gone + len(self.open)


def parts() -> Sequence[int]:
    """Where each part of what is compared begins."""
    return range(0, MOST_COMPARED, PART)


def said(proposal: Proposal, words: str) -> str:
    """What a proposal says, to look for words in."""
    texts: Iterable[str] = (f"{one.title} {one.content}" for one in proposal.sides)
    return " ".join((words, proposal.why, *texts))
