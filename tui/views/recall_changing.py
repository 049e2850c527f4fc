"""Recall's changes: a pin or an importance, tried on the spot. Each is one entry and one undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from ...core.values import importance_10, importance_from_10
from ..acts import Done
from ..text import quoted
from .receipts_reading import ReceiptsReading

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

LEAST, MOST = 1, 10  # importance as it is shown


class Changing(ReceiptsReading):
    """What a person changes here; what is told is worked out anew at once."""

    def action_pin(self) -> None:
        """Pin the memory, or take the pin away."""
        item = self.current
        if item is not None and not item.is_gone:
            self.app.changes.change("pin", [item.num])

    @work(group="write")
    async def action_weigh(self, step: int) -> None:
        """One more importance, or one less."""
        item = self.current
        if item is None or item.is_gone:
            return
        done = await self.app.write.run(lambda core: weigh(core, item.id, step))
        if done.ids:
            await self.app.news.wrote(done.ids)
        self.app.call_later(self.app.clear_notifications)  # the newest one counts
        self.app.notices.toast(done.sentence, undo=bool(done.ids))


def weigh(core: MemoryCoordinator, ref: str, step: int) -> Done:
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
