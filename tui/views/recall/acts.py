"""Recall's changes, tried on the spot. A pin or an importance is one entry and one undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.values import importance_10, importance_from_10
from ...acts import Done
from ...text import quoted
from ...widgets.recall_rows import TOLD, Item

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ...view import Desk
    from .receipts import Receipts

LEAST, MOST = 1, 10  # importance as it is shown


async def weigh(app: Desk, item: Item, step: int) -> None:
    """One more importance, or one less. Raises ManagerError."""
    done = await app.write_agreed(lambda core: weighed(core, item.id, step))
    if done.ids:
        await app.news.wrote(done.ids)
    app.call_later(app.clear_notifications)  # the newest one counts
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


async def say_whether_it_helped(app: Desk, item: Item, receipts: Receipts, helpful: bool) -> None:
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
    app.call_later(app.clear_notifications)
    if says is None:
        app.notices.toast(f"No longer {word}: {title}.")
    else:
        app.notices.toast(f"Noted as {word}: {title}. {key} again takes it back.")
