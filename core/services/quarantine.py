"""The trial of a promoted candidate ends after 24 hours: used or not decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...db import reviews
from ...db.images import headline
from ...frozen import dataclass
from ..ingest import promotion
from ..lifecycle.duties import Proposal

if TYPE_CHECKING:
    from ...db.reviews import Trial
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Who was used in the 24 hours is confirmed; who was not loses a fifth of its importance, once.

    The latter goes on waiting. What is pinned is left alone. To be told at a start is no use,
    unless an answer followed, nor is what its own session asks or says: nothing confirms itself.
    What a person said in so many words needs no confirmation; there to be told is use enough.
    """

    name, action, does_retire = "quarantine", "quarantine", False

    _context: Context

    def proposals(self) -> Iterator[Proposal]:
        """The candidates whose trial is over, or was begun by a clock that was ahead."""
        context, now = self._context, self._context.now_ms()
        latest = now + promotion.QUARANTINE_MS
        for row in reviews.quarantined(*context.here, now, latest):
            title = headline(row["title"], row["content"])
            if (row["quarantined_until"] or 0) > latest:
                yield Proposal(row["memory"], title, "its trial begins anew", {"begins": now})
                continue
            was_used = is_used(row)
            rule = "used while on trial" if was_used else "unused for a day"
            why = rule if was_used else f"{rule}, on trial: loses a fifth of its importance"
            yield Proposal(row["memory"], title, why, {"was_used": was_used}, rule)

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """End a trial, or begin it anew; False for what is no candidate any more."""
        candidacy = change.get("memory_candidacy", proposal.memory)
        image = change.get("memory", proposal.memory)
        if candidacy is None or image is None or candidacy["quarantined_until"] is None:
            return False
        if (begins := proposal.data.get("begins")) is not None:
            times = {"promoted_at": begins, "quarantined_until": begins + promotion.QUARANTINE_MS}
            change.put("memory_candidacy", {**candidacy, **times})
            return True
        change.put("memory_candidacy", {**candidacy, "quarantined_until": None})
        if image["retired_at"] is not None or image["status"] != "candidate":
            return False
        status, importance = promotion.after_quarantine(
            image["importance"], was_used=proposal.data["was_used"]
        )
        change.put("memory", {**image, "status": status, "importance": importance})
        return True


def is_used(row: Trial) -> bool:
    """Return True if a memory was used since its trial began."""
    last = row["last_access" if "user-intent" in row["signals"] else "last_use"]
    return last > (row["promoted_at"] or 0)


def outlook(context: Context, memory: Memory) -> str:
    """Return how the trial of a memory ends as things are, in a sentence; "" without a trial."""
    row = reviews.trial(context.database, memory.id)
    if row is None or memory.status != "candidate":
        return ""
    hours = ((row["quarantined_until"] or 0) - context.now_ms()) / 3_600_000
    when = "with the next maintenance" if hours <= 0 else f"in {max(round(hours), 1)} h"
    if is_used(row):
        return f"its trial ends {when}, and it is confirmed, because it was used."
    return f"its trial ends {when}. Unless it is used by then, it stays a candidate."
