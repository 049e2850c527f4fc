"""What there is to tidy, as it was read, and what becomes of it by an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ....core.services.tidy import KINDS, MOST_COMPARED, Proposal
from ....core.values import Memory
from ...text import quoted
from ...typeahead import asks, may_ask

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
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


TITLE_CELLS = 26  # of a title in a notice

Write = Callable[["MemoryCoordinator", Proposal, str], list[Memory]]

WRITES: dict[str, Write] = {
    "keep": lambda core, one, _: core.services.tidy.keep(one),
    "merge": lambda core, one, lit: core.services.tidy.merge(one, lit),
    "drop": lambda core, one, lit: core.services.tidy.drop(one, lit),
    "done": lambda core, one, _: core.services.tidy.done(one),
}


class Answers:
    """What a person decides in Tidy. `show` shows what is left, `load` reads it anew."""

    def __init__(
        self,
        app: Desk,
        proposals: Proposals,
        *,
        show: Callable[[], object],
        load: Callable[[], object],
    ) -> None:
        self.app = app
        self._proposals = proposals
        self._show, self._load = show, load

    def give(self, what: str, proposal: Proposal, lit: Memory) -> None:
        """Settle a proposal; `lit` is the side that an act which takes away is about."""
        if what == "edit":
            self._edit(lit)
            return
        self._proposals.take_out(proposal)
        self._show()
        self._write(what, proposal, lit)

    @may_ask
    async def _write(self, what: str, proposal: Proposal, lit: Memory) -> bool:
        try:
            written = await self.app.write_agreed(lambda core: WRITES[what](core, proposal, lit.id))
        except BaseException:
            self._proposals.put_back(proposal)
            self._load()
            raise
        # first the news, by which what stands is read: until then it is still out of the list
        await self.app.news.wrote([one.id for one in written])
        self._proposals.put_back(proposal)
        self.app.notices.toast(_told(what, proposal, lit), undo=True)
        return True

    @asks
    async def _edit(self, memory: Memory) -> None:
        from ...dialogs.edit_memory import edited  # editing pays for the text area

        if saved := await edited(self.app, memory):
            await self.app.news.wrote([saved.id])
            self.app.notices.toast(f"Saved {_named(saved)}.", undo=True)


def _told(what: str, proposal: Proposal, lit: Memory) -> str:
    """The notice of an act; memory text in it is escaped."""
    stays = next((one for one in proposal.sides if one.id != lit.id), lit)
    if what == "keep":
        return "Both stay." if proposal.other else f"Kept {_named(proposal.memory)}."
    if what == "merge":
        return f"Merged into {_named(stays)}."
    return f"{'Done with' if what == 'done' else 'Forgot'} {_named(lit)}."


def _named(memory: Memory) -> str:
    return quoted(memory.title, TITLE_CELLS)
