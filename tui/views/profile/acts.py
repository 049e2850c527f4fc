"""The Profile's acts that ask the person something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.worker import Worker

from ....core.lifecycle.profile_groups import group_of, names_of
from ....core.values import Memory
from ...dialogs.ask import Ask
from ...dialogs.menu import Choice, Menu
from ...text import counted, quoted
from ...typeahead import asks

if TYPE_CHECKING:
    from ...view import Desk
    from .view import ProfileView

KINDS = (
    Choice("preferences", "what you prefer", key="p"),
    Choice("patterns", "how something is done", key="a"),
)


class ProfileActs:
    """What a person does to the entry under the cursor, and to its category."""

    def __init__(self, view: ProfileView) -> None:
        self.view = view

    @property
    def app(self) -> Desk:
        return self.view.app

    def begin(self, what: str) -> Worker[None]:
        """Begin what the act `ask('…')` names."""
        return {"edit": self.edit, "new": self.new, "move": self.move, "clear": self.clear}[what]()

    @asks
    async def edit(self) -> None:
        """Edit the memory that the entry rests on, in the form of the Deck."""
        from ...dialogs.edit_memory import EditMemory  # editing pays for the text area

        entry = self.view.current
        if entry is None:
            return
        memory = await self.app.pages.run(lambda core: core.show(entry.memory.id))

        async def save(fields: dict[str, Any], revision: int | None) -> object:
            return await self.app.write_agreed(
                lambda core: core.edit(memory.id, expected_revision=revision, **fields)
            )

        async def reread() -> Memory:
            return await self.app.pages.run(lambda core: core.show(memory.id))

        saved = await self.app.ask(EditMemory(memory, save, reread))
        if isinstance(saved, Memory):
            await self._wrote([saved.id], f"Saved {quoted(saved.title, 22)}.")

    @asks
    async def new(self) -> bool:
        """Say what you prefer, or how something is done, and of what; whether it was kept."""
        section = await self.app.ask(Menu("New entry", KINDS))
        if section is None:
            return False
        text = await self.app.ask(Ask("What are agents of every project to know?", "one sentence"))
        if not (text or "").strip():
            return False
        empty = {"title": "", "content": text, "category": "", "tags": (), "files": ()}
        guess, _ = group_of(section, empty)
        known = ", ".join(names_of(section))
        name = await self.app.ask(Ask("Of which category?", f"such as {known}", guess))
        if not (name or "").strip():
            return False
        kept = await self.app.write_agreed(
            lambda core: (core.add_preference if section == "preferences" else core.add_pattern)(
                text or "", name or ""
            )
        )
        if not kept.stored or kept.memory_id is None:
            self.view.notify(kept.reason, markup=False)
            return False
        await self._wrote([kept.memory_id], "Remembered.", goes_to=kept.memory_id)
        return True

    @asks
    async def move(self) -> bool:
        """Put the entry into another category; whether it was moved."""
        entry = self.view.current
        if entry is None:
            return False
        known = [name for name in names_of(entry.section) if name != "general"]
        about = f"such as {', '.join(known)}" if entry.section != "facts" else " or ".join(known)
        name = await self.app.ask(Ask("Of which category is it?", about, entry.group))
        if not (name or "").strip() or name == entry.group:
            return False
        moved = await self.app.write_agreed(lambda core: core.regroup(entry.memory.id, name or ""))
        await self._wrote([moved.id], f"Moved {quoted(moved.title, 22)}.")
        return True

    @asks
    async def clear(self) -> bool:
        """Forget the category under the cursor, after a yes to the warning."""
        entry = self.view.current
        if entry is None:
            return False
        cleared = await self.app.write_agreed(lambda core: core.clear_profile(entry.group))
        said = f"Cleared {quoted(entry.group)}: {counted(len(cleared), 'memory', 'memories')}."
        await self._wrote([memory.id for memory in cleared], said)
        return True

    async def _wrote(self, ids: list[str], said: str, goes_to: str | None = None) -> None:
        await self.app.news.wrote(ids, goes_to=goes_to)
        self.app.notices.toast(said, undo=True)
