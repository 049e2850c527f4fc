"""What a person says to a proposal: one core call in the write lane, one undo.

The next proposal comes at once, while this one is being written; what could not be comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core.services.tidy import Proposal
from ....core.values import Memory
from ...text import quoted
from ...typeahead import asks, may_ask
from .model import Proposals

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ...view import Desk

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
