"""The workbench's verdicts: each one core call in the write lane, one entry, one undo.

A verdict is about the pair that is on the screen, and about no other: a key that comes before
the next pair is shown does nothing.
"""

from __future__ import annotations

from typing import Any

from textual import work

from ...core.errors import ManagerError
from ...core.judgements import Conflict
from ...core.services.conflicts import LONGEST_CONTEXT
from ...core.values import Memory
from ..dialogs.ask import Ask
from ..text import cut, quoted
from ..typeahead import asks
from ..view import View
from ..widgets.side_account import Pair
from .conflicts_reading import merge_sides, verdict_entry

BOTH_TITLE = "What tells them apart?"
BOTH_ABOUT = "Both stay. Say when each of them holds: it is kept with the verdict."
BOTH_EXAMPLE = "one for webhooks, the other for batch jobs"
TITLE_CELLS = 26  # of a title in a notice
CONTEXT_CELLS = 60  # of a context there


class Deciding(View):
    """What a person does with the conflict on the screen."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pair: Pair | None = None  # what the two panes show
        self.decided_here: list[str] = []  # ids, newest last: an undo brings them back
        self._is_deciding = False

    # -- what the view knows

    @property
    def current(self) -> Conflict | None:
        """The conflict under the cursor."""
        raise NotImplementedError

    async def refresh_list(self, *, show: str | None = None) -> None:
        """Read the conflicts anew; the cursor goes to the conflict `show` if it is there."""
        raise NotImplementedError

    @property
    def judged(self) -> Pair | None:
        """The open pair that a verdict is about: seen, and not being decided already."""
        pair, current = self.pair, self.current
        if pair is None or current is None or self._is_deciding:
            return None
        return pair if pair.conflict.id == current.id and pair.conflict.is_open else None

    # -- verdicts

    def action_keep(self, keep: str) -> None:
        """Keep the left one, the right one, neither; or there was no conflict."""
        if pair := self.judged:
            self._decide(pair, keep, _told(pair, keep))

    def action_supersede(self, newer: bool = True) -> None:
        """The one that was learned later replaces the other; or the earlier one holds."""
        if pair := self.judged:
            keep = "a" if pair.newer_is_first is newer else "b"
            kept = pair.first if keep == "a" else pair.second
            sides = "left replaces right" if keep == "a" else "right replaces left"
            which = "Newer for older" if newer else "Older for newer"
            self._decide(pair, keep, f"{which}, {sides}: {_named(kept.memory)}.")

    @asks
    async def action_both(self) -> None:
        """Both stay, with what tells them apart."""
        pair = self.judged
        if pair is None:
            return
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
    async def action_merge(self) -> None:
        """One text for both, written in the form."""
        from .conflicts_merging import MergeMemories  # merging pays for the text area

        pair = self.judged
        if pair is None:
            return
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
            await self.refresh_list()

    @work(group="verdict")
    async def _decide(self, pair: Pair, keep: str, says: str, *, context: str = "") -> None:
        """Write the verdict down; the next conflict follows."""
        if self._is_deciding:
            return
        self._is_deciding = True
        try:
            ref = pair.conflict.id
            decided = await self.app.write.run(
                lambda core: core.resolve_conflict(ref, keep, context=context)
            )
            await self._decided(decided, says)
        except ManagerError as error:  # decided elsewhere meanwhile, most often
            self.app.notices.report(error)
            await self.refresh_list()
        finally:
            self._is_deciding = False

    async def _decided(self, conflict: Conflict, says: str) -> None:
        self.decided_here.append(conflict.id)
        await self.refresh_list()
        await self.app.news.wrote([conflict.first.id, conflict.second.id])
        self.app.notices.toast(says, undo=True)

    # -- taking one back

    @work(exclusive=True, group="verdict")
    async def action_reopen(self) -> None:
        """Take back the verdict under the cursor; what is open again is then shown."""
        conflict = self.current
        if conflict is not None and not conflict.is_open:
            seq = await self.app.pages.run(lambda core: verdict_entry(core, conflict))
            self.app.changes.undo(seq)


def _told(pair: Pair, keep: str) -> str:
    """The notice for a verdict; memory text in it is escaped."""
    first, second = pair.first.memory, pair.second.memory
    if keep == "a":
        return f"Kept left: {_named(first)}."
    if keep == "b":
        return f"Kept right: {_named(second)}."
    if keep == "neither":
        return f"Kept neither {_named(first)} nor {_named(second)}."
    if keep == "merged":
        return f"Made the two one: {_named(first)}."
    return "No conflict: both stay, not asked again."


def _named(memory: Memory) -> str:
    return quoted(memory.title, TITLE_CELLS)
