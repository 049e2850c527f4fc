"""What the palette offers: verbs named `noun: verb`, and memories by their title.

It learns nothing by itself, so the order is the same every time. Memory text is shown as it
stands and never parsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.app import SystemCommand
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen

from ..core.errors import ManagerError
from .acts import acts_in
from .stage import VIEWS
from .text import cut, one_line, plain
from .view import Place

if TYPE_CHECKING:
    from ..core.answers import Row
    from ..core.compat import MemoryCoordinator
    from .acts import Act
    from .app import MemoryApp

MOST_MEMORIES = 20
TITLE_CELLS = 70
POINTLESS = ("app.palette", "app.back", "app.quit_now")  # acts that say nothing in the palette


def system_commands(
    app: MemoryApp,
    screen: Screen[Any],  # noqa: ARG001  # Textual hands it to every app
) -> Iterator[SystemCommand]:
    """The verbs: views, acts of the view that is shown, settings, in this order."""
    for view in VIEWS.values():
        yield SystemCommand(
            f"go: {view.label}",
            f"Goes to the {view.label} ({view.key}).",
            partial(app.call_later, app.action_view, view.name),
        )
    seen = set(POINTLESS)
    for act in acts_in(app.stage.shown):
        if act.id not in seen:
            seen.add(act.id)
            help_ = f"{act.help} ({_key_of(act)})" if act.key else act.help
            yield SystemCommand(_name_of(act), help_, partial(app.run_act, act))
    yield SystemCommand("project: Open another", "Looks at another project.", app.action_project)
    yield SystemCommand("settings: Theme", "Colours, shown while you choose.", app.action_theme)


def _name_of(act: Act) -> str:
    return f"{act.group}: {act.label}"


def _key_of(act: Act) -> str:
    return act.key_display or act.key.partition(",")[0]


class MemoryProvider(Provider):
    """Memories whose text fits what is typed; choosing one opens it on the Deck."""

    @property
    def deck(self) -> MemoryApp:
        """The app, with its lanes."""
        return cast("MemoryApp", self.app)

    async def search(self, query: str) -> Hits:
        """At most twenty memories, best first, read in the `search` lane."""
        words = query.strip()
        if not words:
            return
        try:
            rows = await self.deck.search.run(lambda core: _found(core, words))
        except ManagerError:
            return  # the view that cannot read says so
        for place, row in enumerate(rows):
            yield Hit(
                score=0.5 - place / 100,  # verbs that match stand above memories
                match_display=plain(cut(row.title, TITLE_CELLS)),
                command=partial(
                    self.deck.call_later, self.deck.navigation.open, Place("deck", memory=row.id)
                ),
                text=one_line(row.title),
                help=f"{row.type} · {row.status}",
            )

    async def discover(self) -> Hits:
        """What the palette shows before anything is typed: how to find a memory."""
        yield DiscoveryHit(
            Content("memory: Find"),
            partial(self.deck.call_later, self.deck.action_view, "deck"),
            text="memory: Find",
            help="Type a few words of a memory to open it.",
        )


def _found(core: MemoryCoordinator, words: str) -> list[Row]:
    """The best rows for the words; runs in a lane."""
    return list(core.find(words, phase="ranked").first_page[:MOST_MEMORIES])
