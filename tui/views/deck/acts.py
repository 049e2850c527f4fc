"""The Deck's acts: each applies to what is marked, else to the row under the cursor."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.worker import Worker

from ....core.answers import StoreResult
from ....core.errors import BadInput, ManagerError
from ....core.page import changed, to_page
from ....core.places import FilePlace
from ....core.query.language import parse
from ....core.services.bulk import PART, Target, Written
from ....core.values import Memory, importance_10
from ...acts import described, done_with
from ...changes import Progress
from ...clipboard import copy
from ...dialogs.questions import Ask, Choice, Menu
from ...editor import edit_text, open_at
from ...text import cut, quoted
from ...typeahead import asks, may_ask
from ...view import Place
from .reader import memories_of, places_named, read, remember
from .text import ORDERS, sort_in_force

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from .view import Deck


def is_tagged(_: Target) -> bool:
    """Every memory can have tags; the store says why one cannot."""
    return True


class DeckActs:
    """What a person does on the Deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.app = deck, deck.app

    def begin(self, what: str) -> Worker[None]:
        """Begin what the act `ask('…')` names: each of them asks the person something."""
        return {
            "copy": self.copy,
            "edit": self.edit,
            "editor": self.editor,
            "file": self.file,
            "links": self.links,
            "project": self.project,
            "new": self.new,
            "remove_view": self.deck.views.remove,
            "save_view": self.deck.views.save,
            "saved_views": self.deck.views.choose,
            "sort": self.sort,
            "tags": self.tags,
        }[what]()

    @property
    def chosen(self) -> list[int]:
        """The rows an act applies to: the marked ones, else the one under the cursor."""
        memories = self.deck.memories
        if memories.marks.keys:
            return sorted(memories.marks.keys)
        key = memories.current_key
        return [] if key is None else [key]

    def change(self, name: str) -> None:
        """Pin, forget or restore."""
        if nums := self.chosen:
            self.app.changes.change(name, nums, self.deck.memories.marks.clear)

    async def _current_memory(self) -> Memory | None:
        """The memory under the cursor, as the store has it now."""
        num = self.deck.memories.current_key
        if num is None:
            return None
        return await self.app.pages.run(lambda core: core.memory(num))

    # -- writing

    @asks
    async def edit(self) -> None:
        """Edit the memory in a form."""
        memory = await self._current_memory()
        if memory is not None:
            await self._edit(memory)

    async def _edit(self, memory: Memory, about: str = "") -> None:
        from ...dialogs.edit_memory import edited  # editing pays for the text area

        if saved := await edited(self.app, memory, about):
            await self._saved(saved)

    async def _saved(self, memory: Memory) -> None:
        await self.app.news.wrote([memory.id])
        self.app.notices.toast(f"Saved {quoted(memory.title, 22)}.", undo=True)

    @asks
    async def new(self) -> None:
        """Write a memory down."""
        from ...dialogs.edit_memory import EditMemory

        async def save(fields: dict[str, Any], _: int | None) -> object:
            return await self.app.write_agreed(lambda core: remember(core, fields))

        result = await self.app.ask(EditMemory(None, save))
        if isinstance(result, StoreResult):
            await self._remembered(result)

    async def _remembered(self, result: StoreResult) -> None:
        if result.memory_id is not None:
            await self.app.news.wrote([result.memory_id], goes_to=result.memory_id)
        if result.stored:
            removed = f" Taken out: {', '.join(result.removed)}." if result.removed else ""
            self.app.notices.toast(f"Remembered.{removed}", undo=True)
        else:
            self.deck.notify(result.reason, markup=False)

    @may_ask
    async def editor(self) -> None:
        """Edit the memory in $EDITOR; a mistake offers the same text again."""
        memory = await self._current_memory()
        if memory is None:
            return
        text = before = to_page(memory)
        while True:
            left = edit_text(self.deck.screen.app, text, memory.title)
            if left is None:
                await self._edit(memory, "No editor can be opened here: this form does the same.")
                return
            edited, why_not = left
            if edited == before:
                self.deck.notify(f"{why_not} Nothing was changed.".lstrip(), markup=False)
                return
            try:
                if why_not:
                    raise BadInput(why_not)
                fields = changed(memory, edited)
                saved = await self._save_edited(memory, fields)
            except ManagerError as error:
                again = [
                    Choice("again", "open the same text again", key="e"),
                    Choice("drop", "drop the change", key="d"),
                ]
                says = f"{error} {error.hint}".strip()
                menu = Menu("That could not be saved", again, about=says)
                if await self.app.ask(menu) != "again":
                    return
                text = edited
            else:
                await self._saved(saved)
                return

    async def _save_edited(self, memory: Memory, fields: dict[str, Any]) -> Memory:
        return await self.app.write_agreed(
            lambda core: core.edit(memory.id, expected_revision=memory.revision, **fields)
        )

    @may_ask
    async def project(self) -> None:
        """Look from the project that the memory belongs to, at that memory."""
        memory, row = await self._current_memory(), self.deck.memories.current
        if memory is None or row is None or not row.project:
            self.app.notices.refuse("It is of the project you are in.")
            return
        self.app.open_project(memory.project)
        # behind the news of the other project, which the Deck has to hear first
        place = Place("deck", query="", memory=memory.id)
        self.deck.call_later(self.app.navigation.open, place)

    @may_ask
    async def file(self) -> None:
        """Open the file it names at its line; of several the one that is chosen."""
        num = self.deck.memories.current_key
        if num is None:
            return
        places = await self.app.pages.run(lambda core: places_named(core, num))
        if not places:
            self.app.notices.refuse("It names no file: e gives it one.")
            return
        chosen: FilePlace | None = places[0]
        if len(places) > 1:
            choices = [
                Choice(str(row), one.label, "" if one.is_there else "gone")
                for row, one in enumerate(places)
            ]
            row = await self.app.ask(Menu("Open", choices))
            chosen = None if row is None else places[int(row)]
        if chosen is not None:
            self._open(chosen)

    def _open(self, place: FilePlace) -> None:
        app = self.deck.screen.app
        if not place.path:
            says = f"{place.name}: this project has no folder to look for it in."
            self.app.notices.refuse(says)
        elif not place.is_there:
            self.app.notices.refuse(f"{place.name} is not there any more: {place.path}")
        elif not open_at(app, place.path, place.line):
            said = copy(app, f"{place.path}:{place.line}" if place.line else place.path)
            self.app.notify(f"No editor could be opened. The place: {said}", markup=False)

    @asks
    async def tags(self) -> bool:
        """Add and remove tags, on one memory or on many; whether all got them."""
        nums = self.chosen
        if not nums:
            return False
        rows, effect = await self.app.pages.run(
            lambda core: (core.rows(nums[:PART]), core.services.bulk.preview(nums, is_tagged))
        )
        here = sorted({tag for row in rows for tag in row.tags})  # of many those of some
        about = f"now: {cut('  '.join(here), 60)}" if here else "now: none"
        whose = described(effect.targets) if len(nums) > 1 else quoted(rows[0].title, 22)
        line = await self.app.ask(
            Ask(f"Tags of {whose}", f"{about}\n-tag takes one away", placeholder="queue -old")
        )
        words = (line or "").replace(",", " ").split()
        if not words:
            return True
        add = [word for word in words if not word.startswith("-")]
        remove = [word[1:] for word in words if word.startswith("-")]

        def carry(core: MemoryCoordinator, progress: Progress) -> Written:
            def write(ids: list[str]) -> Sequence[str]:
                core.retag(ids, add=add, remove=remove)
                return ()

            written: Written = core.services.bulk.carry_out(nums, is_tagged, write, progress)
            return written

        written = await self.app.changes.carry(carry, len(nums))
        await self.app.changes.say_done(
            done_with(written, "Tagged", "There is nothing left to tag.")
        )
        self.deck.memories.marks.clear()
        return written.error is None

    # -- copying, sorting, going on

    @asks
    async def copy(self) -> None:
        """Copy the memory as text, id, Markdown or command; the marked ones together."""
        nums = self.chosen
        choices = [Choice(name, kind.label, key=kind.key) for name, kind in COPIES.items()]
        if not nums:
            return
        chosen = await self.app.ask(Menu("Copy", choices))
        if chosen is None:
            return
        found = await self.app.pages.run(lambda core: memories_of(core, nums))
        text = "\n".join(COPIES[chosen].write(memory) for memory in found)
        self.deck.notify(copy(self.deck.screen.app, text), markup=False)

    @asks
    async def sort(self) -> None:
        """Choose the order; the box says it, the cursor's memory stays in sight."""
        asked = parse(self.deck.box.text)
        here = asked.sort or ("relevance" if asked.words or asked.phrases else "created")
        choices = [Choice(name, label, is_current=name == here) for name, label in ORDERS.items()]
        chosen = await self.app.ask(Menu("Order", choices))
        if chosen is not None:
            self._in_order(chosen)

    def sort_by(self, name: str) -> None:
        """Sort by `name`; turn it round where that is the order already."""
        here = sort_in_force(parse(self.deck.box.text))
        self._in_order(f"-{name}" if here == name else name)

    def _in_order(self, sort: str) -> None:
        asked = parse(self.deck.box.text)
        self.deck.box.set_text(asked.with_filter("sort", sort).text, silent=True)
        self.deck.finder.search(keep=self.deck.memories.current_key)

    @asks
    async def links(self) -> None:
        """Go to a linked memory."""
        num = self.deck.memories.current_key
        if num is None:
            return
        shown = await self.app.pages.run(lambda core: read(core, num, with_history=False))
        if shown is None or not shown.links:
            self.deck.notify("It is linked to nothing.", markup=False)
            return
        own = shown.memory.id
        choices = [
            Choice(
                link.target if link.source == own else link.source,
                cut(link.other_title or link.target, 48),
                link.kind.replace("_", " "),
            )
            for link in shown.links
        ]
        chosen = await self.app.ask(Menu("Links", choices))
        if chosen is not None:
            await self.app.navigation.open(Place("deck", memory=chosen))


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its letter in the menu, its name, and how it is written."""

    key: str
    label: str
    write: Callable[[Memory], str]


def as_markdown(memory: Memory) -> str:
    """The memory as a section of Markdown, with what matters beneath the text."""
    facts = [memory.type, memory.category, f"importance {importance_10(memory.importance)}/10"]
    facts += [f"#{tag}" for tag in memory.tags]
    facts += [f"`{path}`" for path in memory.files]
    return f"## {memory.title}\n\n{memory.content}\n\n*{' · '.join(facts)}*\n"


def as_command(memory: Memory) -> str:
    """The command that opens the app on the memory."""
    project = f"--project {shlex.quote(memory.project)} " if memory.project else ""
    return f"memdeck {project}--id {shlex.quote(memory.short_id)}"


COPIES: Mapping[str, Form] = {
    "text": Form("t", "text", lambda memory: memory.content),
    "id": Form("i", "id", lambda memory: memory.id),
    "markdown": Form("m", "Markdown", as_markdown),
    "command": Form("c", "command", as_command),
}
"""By name, in the order of the menu."""
