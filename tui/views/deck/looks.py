"""How the Deck's list looks and is arranged: lines, columns, headings, queries kept under names.

Lines and columns are those of the setting, or as chosen in the app, which counts until the setting
is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.query.keys import GROUPS
from ....core.query.language import parse
from ....frozen import replace
from ...dialogs.questions import Ask, Choice, Menu, shortened
from ...text import quoted
from ...typeahead import asks
from ...widgets.memory_columns import (
    COLUMNS,
    NARROWEST,
    ONE_LINE,
    TITLE,
    TWO_LINES,
    UNCHOSEN,
    WIDEST,
    Beside,
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
    """The form of the Deck's rows."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.app = deck, deck.app
        settings, last = deck.app.settings, deck.app.last_run.now
        self._configured = f"{settings.compact_list} {','.join(settings.columns)}"
        if settings.column_widths or settings.free_column != TITLE:
            self._configured += f" {dict(settings.column_widths)} {settings.free_column}"
        is_chosen = last.list_instead_of == self._configured
        self.is_compact = last.rows == "one" if is_chosen else settings.compact_list
        chosen = (
            (last.columns, last.widths, last.free_column)
            if is_chosen
            else (settings.columns, settings.column_widths, settings.free_column)
        )
        names, widths, free = chosen
        self.beside = Beside(tuple(names), tuple(sorted(widths.items())), free or TITLE)

    @property
    def has_two_lines(self) -> bool:
        """Whether rows have a second line: not by choice, nor where there is no room for it."""
        height = self.deck.memories.size.height
        return not self.is_compact and not 0 < height < LINES_FOR_TWO

    def show(self) -> None:
        """Make the rows as they are to look."""
        form = deck_form(self.beside, has_two_lines=self.has_two_lines)
        header, memories = self.deck.header, self.deck.memories
        if (form.beside, form.below is None) != (header.beside, memories.form.below is None):
            memories.set_form(form)
            header.name_columns(form.beside)

    def toggle_compact(self) -> None:
        """One line a row, or two again."""
        self.is_compact = not self.is_compact
        self._keep()

    def _keep(self) -> None:
        self.show()
        self.app.last_run.keep(
            rows="one" if self.is_compact else "two",
            columns=self.columns,
            widths=dict(self.beside.widths),
            free_column=self.beside.free,
            list_instead_of=self._configured,
        )

    def size_pane(self, which: str) -> None:
        """Make the pane that has the focus `wider` or `narrower`, or give all the `usual` sizes."""
        row, deck = self.deck.row, self.deck
        direction = 1 if which == "wider" else -1
        if which == "usual":
            row.reset()
        elif deck.facets.has_focus:
            row.step("facets-pane", direction)
        else:  # what the list gains the memory beside it loses
            row.step("detail-pane", direction if deck.detail.has_focus else -direction)

    @asks
    async def choose_columns(self) -> None:
        """Choose what stands beside the titles and how wide it is, until it is left."""
        here = USUAL
        while True:
            menu = Menu("Columns", self._column_choices(here), ABOUT, KEYS)
            chosen = await self.app.ask(menu)
            if chosen is None:
                return
            act, _, here = chosen.rpartition(":")
            self.beside = self._beside_after(act, here)
            self._keep()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that one chose; none where nobody did."""
        return self.beside.names

    @property
    def _shown(self) -> tuple[str, ...]:
        return self.columns or (TWO_LINES if self.has_two_lines else ONE_LINE)

    def _column_choices(self, here: str) -> list[Choice]:
        """Every column and the title with their cells, and the way back to the usual ones."""
        mark, free = self.app.glyphs.mark, self.beside.free
        if free not in self._shown:
            free = TITLE
        choices = [
            Choice(
                name,
                f"{mark if name == TITLE or name in self._shown else ' '} {name}",
                "the rest" if name == free else f"{self.beside.width_of(name)} cells",
                is_current=name == here,
            )
            for name in (*(one.name for one in COLUMNS), TITLE)
        ]
        return [*choices, Choice(USUAL, "  the usual ones", is_current=here == USUAL)]

    def _beside_after(self, act: str, name: str) -> Beside:
        """What stands beside the titles after this was done to a column; "" shows or hides it."""
        beside, shown = self.beside, self._shown
        if name == USUAL:
            return UNCHOSEN if not act else beside
        if act in STEPS:
            wide = min(max(beside.width_of(name) + STEPS[act], NARROWEST), WIDEST)
            widths = {**dict(beside.widths), name: wide}
            return replace(beside, widths=tuple(sorted(widths.items())))
        wanted = {*shown, name} if act == FREE else {*shown} ^ {name}
        names = tuple(one.name for one in COLUMNS if one.name in wanted) or shown
        if act != FREE:
            return beside if name == TITLE else replace(beside, names=names)
        free = TITLE if beside.free == name else name
        return replace(beside, names=beside.names if name in shown else names, free=free)


NO_GROUP = ""


class Views:
    """How the Deck's result is arranged, and what of it is kept."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.app = deck, deck.app

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
