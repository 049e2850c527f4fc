"""Headings above the list, and queries that are kept under names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.query.keys import GROUPS
from ....core.query.language import parse
from ...dialogs.confirm import Ask
from ...dialogs.menu import Choice, Menu, shortened
from ...text import quoted
from ...typeahead import asks

if TYPE_CHECKING:
    from ...view import Desk
    from .view import Deck

NO_GROUP = ""


class Views:
    """How the Deck's result is arranged, and what of it is kept."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck

    @property
    def app(self) -> Desk:
        return self.deck.app

    @asks
    async def group(self) -> None:
        """Choose the headings; the box says them, the cursor's memory stays in sight."""
        asked = parse(self.deck.box.text)
        choices = [
            Choice(name, f"by {name}", key=name[0] if name != "tag" else "g",
                   is_current=asked.group == name)
            for name in GROUPS
        ]  # fmt: skip
        choices.append(Choice(NO_GROUP, "no headings", key="n", is_current=asked.group is None))
        chosen = await self.app.ask(Menu("Group", choices))
        if chosen is None:
            return
        asked = asked.with_filter("group", chosen) if chosen else asked.without_filter("group")
        self.deck.box.set_text(asked.text, silent=True)
        self.deck.finder.search(keep=self.deck.memories.current_key)

    @asks
    async def save(self) -> None:
        """Keep what the box says under a name."""
        query = self.deck.box.text.strip()
        if not query:
            self.deck.notify(
                "There is nothing to save: type a query, choose an order (o) or headings (m).",
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
