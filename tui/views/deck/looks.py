"""How the Deck's list looks and is arranged: lines, columns, headings, queries kept under names.

Lines and columns are those of the setting, or as chosen in the app, which counts until the setting
is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialogs.questions import Ask, Choice, Menu, shortened
from ...text import quoted
from ...typeahead import asks
from ...widgets.memory_columns import (
    UNCHOSEN,
)
from ...widgets.memory_rows import deck_form

if TYPE_CHECKING:
    from .view import Deck

LINES_FOR_TWO = 6
"""Lines that a list must have for rows of two: three rows are the least to choose from."""

USUAL = "usual"
FREE = "free"
STEPS = {"wider": 2, "narrower": -2}  # cells
KEYS = {"right": "wider", "left": "narrower", "f": FREE}
ABOUT = """\
enter shows or hides it, ← and → change its width,
f gives it what is free. esc when it is right."""


class Looks:
    """The form of the rows."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.app = deck, deck.app

    @property
    def has_two_lines(self) -> bool:
        """Return True if there is room for a second line."""
        height = self.deck.memories.size.height
        return not 0 < height < LINES_FOR_TWO

    def show(self) -> None:
        """Give the rows their lines."""
        form = deck_form(UNCHOSEN, has_two_lines=self.has_two_lines)
        header, memories = self.deck.header, self.deck.memories
        if (form.beside, form.below is None) != (header.beside, memories.form.below is None):
            memories.set_form(form)
            header.name_columns(form.beside)


class Views:
    """How the Deck's result is arranged, and what of it is kept."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.app = deck, deck.app

    @asks
    async def save(self) -> None:
        """Keep what the box says under a name."""
        query = self.deck.box.text.strip()
        if not query:
            self.deck.notify(
                "There is nothing to save: type a query, choose an order (o).",
                markup=False,
            )
            return
        known = await self.app.pages.run(lambda core: core.services.saved_views.views())
        here = next((name for name, text in known.items() if text == query), "")
        about = f"{shortened(query)}\nA name that is taken is given this query instead."
        name = await self.app.ask(Ask("Save view", about, here, "a name"))
        if name is None or not name.strip():
            return
        kept = await self.app.write.run(
            lambda core: core.services.saved_views.save_view(name, query)
        )
        self.app.notices.toast(f"Saved {quoted(kept)}: ' goes there.", undo=True)

    @asks
    async def choose(self) -> None:
        """Go to a saved view."""
        known = await self._known()
        if not known:
            return
        name = await self.app.ask(Menu("Saved views", self._choices(known)))
        if name is not None:
            self.deck.memories.cursor = 0
            self.deck.finder.memory_held = None
            self.deck.finder.ask_for(known[name])
            self.deck.focus_main()

    @asks
    async def remove(self) -> None:
        """Forget a saved view."""
        known = await self._known()
        if not known:
            return
        name = await self.app.ask(Menu("Remove view", self._choices(known)))
        if name is not None:
            await self.app.write.run(lambda core: core.services.saved_views.remove_view(name))
            self.app.notices.toast(f"Removed the view {quoted(name)}.", undo=True)

    async def _known(self) -> dict[str, str]:
        known = await self.app.pages.run(lambda core: core.services.saved_views.views())
        if not known:
            self.deck.notify("No view is saved yet: S keeps the query.", markup=False)
        return known

    def _choices(self, known: dict[str, str]) -> list[Choice]:
        """The views by name with their queries; the first nine by their numbers."""
        now = self.deck.box.text.strip()
        return [
            Choice(name, shortened(name), query, str(row) if row < 10 else "", query == now)
            for row, (name, query) in enumerate(known.items(), 1)
        ]
