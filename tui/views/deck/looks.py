"""How the Deck's list looks: rows of one line or two, and the columns; by setting, or as chosen in
the app, which counts until the setting is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialogs.menu import Choice, Menu
from ...typeahead import asks
from ...widgets.memory_columns import COLUMNS, ONE_LINE, TWO_LINES
from ...widgets.memory_rows import deck_form

if TYPE_CHECKING:
    from ...view import Desk
    from .view import Deck

LINES_FOR_TWO = 6
"""Lines that a list must have for rows of two: three rows are the least to choose from."""

USUAL = "usual"


class Looks:
    """The form of the Deck's rows."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        settings, last = deck.app.settings, deck.app.last_run.now
        self._configured = f"{settings.compact_list} {','.join(settings.columns)}"
        is_chosen = last.list_instead_of == self._configured
        self.is_compact = last.rows == "one" if is_chosen else settings.compact_list
        self.columns = tuple(last.columns if is_chosen else settings.columns)

    @property
    def app(self) -> Desk:
        return self.deck.app

    @property
    def has_two_lines(self) -> bool:
        """Whether rows have a second line: not by choice, nor where there is no room for it."""
        height = self.deck.memories.size.height
        return not self.is_compact and not 0 < height < LINES_FOR_TWO

    def show(self) -> None:
        """Make the rows as they are to look."""
        form = deck_form(self.columns, has_two_lines=self.has_two_lines)
        header, memories = self.deck.header, self.deck.memories
        if (form.columns, form.below is None) != (header.columns, memories.form.below is None):
            memories.set_form(form)
            header.name_columns(form.columns)

    def toggle_compact(self) -> None:
        """One line a row, or two again."""
        self.is_compact = not self.is_compact
        self._keep()

    def _keep(self) -> None:
        self.show()
        self.app.last_run.keep(
            rows="one" if self.is_compact else "two",
            columns=self.columns,
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
        """Choose what stands beside the titles, one after the other, until it is left."""
        here = USUAL
        while True:
            usual = TWO_LINES if self.has_two_lines else ONE_LINE
            shown = self.columns or usual
            mark = self.app.glyphs.mark
            choices = [
                Choice(one.name, f"{mark if one.name in shown else ' '} {one.name}",
                       is_current=one.name == here)
                for one in COLUMNS
            ]  # fmt: skip
            choices.append(Choice(USUAL, "  the usual ones", is_current=here == USUAL))
            about = "Those for which there is room. esc when it is right."
            chosen = await self.app.ask(Menu("Columns", choices, about))
            if chosen is None:
                return
            here = chosen
            wanted = set(shown) ^ {chosen}
            names = () if chosen == USUAL else tuple(c.name for c in COLUMNS if c.name in wanted)
            self.columns = names or (() if chosen == USUAL else shown)
            self._keep()
