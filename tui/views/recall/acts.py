"""Recall's changes, tried on the spot. A pin or an importance is one entry and one undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....core.answers import Proof
from ....core.values import Memory, importance_10, importance_from_10
from ...acts import Done, carry_out
from ...text import quoted
from ...typeahead import asks, may_ask
from ...widgets.recall_rows import TOLD, Item
from .receipts import can_replay
from .text import UNPROVEN_BY

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ...app import MemoryApp
    from .receipts import Receipts

LEAST, MOST = 1, 10  # importance as it is shown


async def weigh(app: MemoryApp, item: Item, step: int) -> None:
    """One more importance, or one less. Raises ManagerError."""
    done = await app.write_agreed(lambda core: weighed(core, item.id, step))
    if done.ids:
        await app.news.wrote(done.ids)
    app.notices.toast(done.sentence, undo=bool(done.ids))


def weighed(core: MemoryCoordinator, ref: str, step: int) -> Done:
    """Change an importance by `step` on the scale 1-10, in one entry. Runs in the write lane.

    Raises ManagerError.
    """
    memory = core.show(ref)
    now = importance_10(memory.importance)
    wanted = min(max(now + step, LEAST), MOST)
    if wanted == now:
        return Done((), f"Importance is {now} already: from {LEAST} to {MOST}.")
    core.edit(ref, expected_revision=memory.revision, importance=importance_from_10(wanted))
    return Done((memory.id,), f"Importance {now} to {wanted}: {quoted(memory.title, 22)}.")


class Settling:
    """A memory is corrected, demoted or forgotten where it was told, and the proof is shown.

    On a receipt its prompt is replayed right before and after; elsewhere the answer shown follows.
    """

    def __init__(self, app: MemoryApp, receipts: Receipts) -> None:
        self.app, self._receipts = app, receipts

    def settle(self, how: str, item: Item) -> None:
        """Begin to edit, forget or demote it."""
        {"edit": self.edit, "forget": self.forget, "demote": self.demote}[how](item)

    @may_ask
    async def forget(self, item: Item) -> None:
        """Forget it; one entry and one undo."""
        done: list[Done] = []
        proof = await self.app.changes.carry(
            lambda core, progress: self._proven(
                core, lambda: done.append(carry_out(core, "forget", [item.num], progress))
            ),
            1,
        )
        await self._show(done[-1], proof)

    @may_ask
    async def demote(self, item: Item) -> None:
        """Unpin it, or give it the lowest importance; one entry and one undo."""
        says = "Unpinned" if item.status == "pinned" else "Importance 1"
        proof = await self.app.write_agreed(
            lambda core: self._proven(core, lambda: core.demote(item.id))
        )
        await self._show(Done((item.id,), f"{says}: {quoted(item.title, 22)}."), proof)

    @asks
    async def edit(self, item: Item) -> None:
        """Edit it in a form."""
        from ...dialogs.edit_memory import edited  # editing pays for the text area

        memory = await self.app.pages.run(lambda core: core.show(item.id))
        proofs: list[Proof | None] = []

        def write(core: MemoryCoordinator, fields: dict[str, Any], revision: int | None) -> Memory:
            saved: list[Memory] = []
            proof = self._proven(
                core,
                lambda: saved.append(core.edit(item.id, expected_revision=revision, **fields)),
            )
            proofs.append(proof)
            return saved[-1]

        if saved := await edited(self.app, memory, write=write):
            done = Done((saved.id,), f"Saved {quoted(saved.title, 22)}.")
            await self._show(done, proofs[-1])

    async def _show(self, done: Done, proof: Proof | None) -> None:
        """Say what was done, and show the proof, or say why there is none."""
        self._receipts.proof = proof
        if proof is None and self._receipts.is_shown:
            done = replace(done, sentence=f"{done.sentence} {UNPROVEN_BY}")
        await self.app.changes.say_done(done)

    def _proven(self, core: MemoryCoordinator, act: Callable[[], object]) -> Proof | None:
        """Do `act`; on a receipt with the proof, if its prompt is known. Runs in the write lane."""
        receipt = self._receipts.current if self._receipts.is_shown else None
        if receipt is not None and can_replay(receipt):
            return core.services.recall.prove(receipt.id, act)
        act()
        return None


async def say_whether_it_helped(
    app: MemoryApp, item: Item, receipts: Receipts, helpful: bool
) -> None:
    """Note whether it helped to be told this memory; the same again takes it back."""
    receipt, opened = receipts.current, receipts.opened
    if receipt is None or item.sides[0].state != TOLD:
        return
    if opened is None or opened.receipt is None or opened.receipt.id != receipt.id:
        return  # the next receipt is on its way: what was seen is not what would be judged
    says = None if item.helpful is helpful else helpful
    await app.write.run(lambda core: core.feedback(receipt.id, item.id, says))
    await app.news.wrote([item.id])
    key, word = ("+", "helpful") if helpful else ("-", "not helpful")
    title = quoted(item.title, 22)
    if says is None:
        app.notices.toast(f"No longer {word}: {title}.")
    else:
        app.notices.toast(f"Noted as {word}: {title}. {key} again takes it back.")
