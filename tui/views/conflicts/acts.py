"""The workbench's verdicts: each one core call in the write lane, one entry, one undo.

A verdict is about the pair that is on the screen, and about no other: a key that comes before
the next pair is shown does nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ....core.errors import ManagerError
from ....core.judgements import Conflict
from ....core.services.review import LONGEST_CONTEXT
from ....core.values import Memory
from ...dialogs.questions import Ask
from ...text import cut, quoted
from ...typeahead import asks
from ...widgets.side_account import Pair
from .model import Conflicts, merge_sides, verdict_entry

if TYPE_CHECKING:
    from ...app import MemoryApp

BOTH_TITLE = "What tells them apart?"
BOTH_ABOUT = "Both stay. Say when each of them holds: it is kept with the verdict."
BOTH_EXAMPLE = "one for webhooks, the other for batch jobs"
TITLE_CELLS = 26  # of a title in a notice
CONTEXT_CELLS = 60  # of a context there


class Verdicts:
    """What a person does with the conflict on the screen.

    `refresh` reads the list and the pair anew.
    """

    def __init__(
        self, app: MemoryApp, conflicts: Conflicts, refresh: Callable[[], Awaitable[object]]
    ) -> None:
        self.app = app
        self._conflicts, self._refresh = conflicts, refresh
        self.is_deciding = False

    def judged(self, current: Conflict | None) -> Pair | None:
        """The open pair that a verdict is about: seen, and not being decided already."""
        pair = self._conflicts.pair
        if pair is None or current is None or self.is_deciding:
            return None
        return pair if pair.conflict.id == current.id and pair.conflict.is_open else None

    def give(self, verdict: str, pair: Pair) -> None:
        """Decide the pair: one of the core's verdicts, or `both`, `merge`, `newer`, `older`."""
        if verdict == "both":
            self._both(pair)
        elif verdict == "merge":
            self._merge(pair)
        elif verdict in ("newer", "older"):
            keep = "a" if pair.newer_is_first is (verdict == "newer") else "b"
            kept = pair.first if keep == "a" else pair.second
            sides = "left replaces right" if keep == "a" else "right replaces left"
            which = "Newer for older" if verdict == "newer" else "Older for newer"
            self._decide(pair, keep, f"{which}, {sides}: {_named(kept.memory)}.")
        else:
            self._decide(pair, verdict, _told(pair, verdict))

    @asks
    async def _both(self, pair: Pair) -> None:
        """Both stay, with what tells them apart."""
        context: str | None = pair.guess
        about = BOTH_ABOUT
        while True:
            asking = Ask(BOTH_TITLE, about, context or "", BOTH_EXAMPLE)
            context = await self.app.ask(asking)
            if context is None:
                return
            if len(context) <= LONGEST_CONTEXT:
                break
            about = f"At most {LONGEST_CONTEXT} characters; these are {len(context)}."
        told = cut(context, CONTEXT_CELLS)
        says = f"Kept both: {quoted(told, CONTEXT_CELLS)}." if told else "Kept both."
        self._decide(pair, "both", says, context=context)

    @asks
    async def _merge(self, pair: Pair) -> None:
        """One text for both, written in the form."""
        from ...dialogs.edit_memory import MergeMemories  # merging pays for the text area

        conflict = pair.conflict

        async def save(fields: dict[str, Any], revision: int | None) -> object:
            return await self.app.write_agreed(
                lambda core: merge_sides(core, conflict, fields, revision)
            )

        async def reread() -> Memory:
            return await self.app.pages.run(lambda core: core.show(conflict.first.id))

        form = MergeMemories(conflict.first, pair.lines, save, reread)
        merged = await self.app.ask(form)
        if isinstance(merged, Conflict):
            await self._decided(merged, f"Made the two one: {_named(merged.first)}.")
        else:
            await self._refresh()

    def _decide(self, pair: Pair, keep: str, says: str, *, context: str = "") -> None:
        """Write the verdict down; the next conflict follows."""
        if not self.is_deciding:
            self.is_deciding = True
            writing = self._write(pair, keep, says, context)
            self.app.run_worker(writing, name="verdict", group="verdict")

    async def _write(self, pair: Pair, keep: str, says: str, context: str) -> None:
        try:
            ref = pair.conflict.id
            decided = await self.app.write_agreed(
                lambda core: core.resolve_conflict(ref, keep, context=context)
            )
            await self._decided(decided, says)
        except ManagerError as error:  # decided elsewhere meanwhile, most often
            self.app.notices.report(error)
            await self._refresh()
        finally:
            self.is_deciding = False

    async def _decided(self, conflict: Conflict, says: str) -> None:
        self._conflicts.decided_here.append(conflict.id)
        await self._refresh()
        await self.app.news.wrote([conflict.first.id, conflict.second.id])
        self.app.notices.toast(says, undo=True)

    def reopen(self, conflict: Conflict) -> None:
        """Take this verdict back; what is open again is then shown."""
        if not self.is_deciding:
            self.is_deciding = True
            self.app.run_worker(self._reopen(conflict), name="reopen", group="verdict")

    async def _reopen(self, conflict: Conflict) -> None:
        try:
            seq = await self.app.pages.run(lambda core: verdict_entry(core, conflict))
        finally:
            self.is_deciding = False
        self._conflicts.decided_here.append(conflict.id)
        self.app.changes.undo(seq)


def _told(pair: Pair, keep: str) -> str:
    """The notice for a verdict; memory text in it is escaped."""
    first, second = pair.first.memory, pair.second.memory
    if keep == "a":
        return f"Kept {_named(first)}: it replaces the other one."
    if keep == "b":
        return f"Kept {_named(second)}: it replaces the other one."
    if keep == "neither":
        return f"Kept neither {_named(first)} nor {_named(second)}."
    if keep == "merged":
        return f"Made the two one: {_named(first)}."
    return "No conflict: both stay, not asked again."


def _named(memory: Memory) -> str:
    return quoted(memory.title, TITLE_CELLS)
