"""The palette: one line to type in, and beneath it whatever has those letters, in groups."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ...core.errors import ManagerError
from ...core.query.language import parse
from ..matches import WHOLE
from ..palette import (
    ANYWHERE,
    MEMORIES,
    RECENT,
    SETTINGS,
    Offer,
    Shown,
    fitting,
    found_by_query,
    is_a_query,
    lately,
    memory_offer,
    newest_titles,
    offers_of,
    query_offer,
    recent_memories,
    setting_offers,
)
from ..text import cut, one_line, plain, width
from .questions import Dialog

if TYPE_CHECKING:
    from ..app import MemoryApp

WIDEST = 96  # cells of a line
LABEL, NARROW_LABEL = 26, 15  # cells of a label that has a sentence beside it
ROOMY = 80  # cells of a line from which on labels have the wider column
LATER = frozenset({MEMORIES, SETTINGS, ANYWHERE, RECENT})  # what a better one may stand above
MOST_LINES = 28
TALL = 24  # lines from which on there is air above
TYPING_SECONDS = 0.06  # the next letter comes within that


class Palette(Dialog[Offer | None]):
    """Answers what was chosen, or None."""

    HELP = "Type some letters of what you want; `enter` takes what is lit. `esc` leaves it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take", id="palette.take", priority=True),
        Binding("escape", "leave", "Leave", id="palette.leave"),
        Binding("tab", "complete", "Complete", id="palette.complete", priority=True),
        Binding("down,ctrl+n", "choose(1)", "Next", show=False, id="palette.next"),
        Binding("up,ctrl+p", "choose(-1)", "Before", show=False, id="palette.previous",
                priority=True),
        Binding("pagedown", "choose(8)", "Further", show=False, id="palette.further"),
        Binding("pageup", "choose(-8)", "Back", show=False, id="palette.back"),
    ]  # fmt: skip

    def __init__(self, desk: MemoryApp, recent: Sequence[str]) -> None:
        super().__init__()
        self._desk, self._recent = desk, recent
        self._offers = offers_of(desk)
        self._titles: list[Offer] = []
        self._by_query: list[Offer] = []
        self._asked = parse("")
        self._shown: list[Shown] = []
        self._rows: list[int | None] = []  # of each line of the list its place in `_shown`
        self._typed = ""
        self._is_moved = False  # the person chose a line: it stays lit when more is found

    def compose(self) -> ComposeResult:
        with Vertical(id="palette", classes="dialog"):
            with Horizontal(id="palette-box"):
                yield Static("›", id="palette-mark", markup=False)
                box = Input(
                    placeholder="act, view, memory or setting", id="palette-line", compact=True
                )
                box.cursor_blink = False
                yield box
            listing = OptionList(id="palette-list")
            listing.can_focus = False
            yield listing

    def on_mount(self) -> None:
        self._measure()
        self.query_one("#palette-line").focus()
        self._offers += lately(self._offers, self._recent)
        self._show()
        self._gather()

    def on_resize(self) -> None:
        self._measure()
        self._show()

    def _measure(self) -> None:
        size = self.app.size
        card, listing = self.query_one("#palette"), self.query_one(OptionList)
        top = 2 if size.height >= TALL else 0
        card.styles.width = min(WIDEST + 7, size.width)
        card.styles.margin = (top, 0, 0, 0)
        listing.styles.max_height = min(MOST_LINES, size.height - top - 6)  # frame, line, keys

    @property
    def is_looking(self) -> bool:
        """Whether something may still be found that fits what was typed better."""
        best = self._shown[0] if self._shown else None
        if best is not None and best.fit is not None and best.offer.group not in LATER:
            return best.fit.grade > WHOLE and self._is_searching
        return self._is_searching

    @property
    def _is_searching(self) -> bool:
        return any(work.node is self and not work.is_finished for work in self.app.workers)

    # -- what there is

    @work(group="gather", exit_on_error=False)
    async def _gather(self) -> None:
        """Settings, titles, and the memories that were chosen last."""
        try:
            settings = await asyncio.to_thread(setting_offers, self._desk)
            recent = await recent_memories(self._desk, self._recent)
            known = [*self._offers, *settings]
            lasts = lately([*known, *recent], self._recent)
            self._offers = [one for one in known if one.group != RECENT] + lasts
            self._show()
            self._titles = await newest_titles(self._desk)
            self._show()
        except ManagerError:
            return  # the view that cannot read says so

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._typed, self._by_query, self._is_moved = event.value, [], False
        self._asked = parse(one_line(event.value))
        self._show()
        self._look()

    @work(exclusive=True, group="look", exit_on_error=False)
    async def _look(self) -> None:
        """Memories by what was typed as a query: any word of theirs, not only of the title."""
        asked = self._asked
        if not asked.text.strip():
            return
        await asyncio.sleep(TYPING_SECONDS)
        try:
            rows = await self._desk.search.run(lambda core: found_by_query(core, asked))
        except ManagerError:
            return
        desk, found = self._desk, [row for row in rows if not row.is_gone]
        if is_a_query(asked):  # what it finds may be elsewhere, or have left
            self._by_query = [memory_offer(desk, row, asked.text) for row in found]
            says = f"All that fits “{cut(asked.text, 26)}”"
            self._by_query.append(query_offer(desk, asked.text, says, "on the Deck"))
        else:
            self._by_query = [memory_offer(desk, row) for row in found]
        self._show()

    # -- what one sees

    def _show(self) -> None:
        listing = self.query_one(OptionList)
        lit = self._lit if self._is_moved else None
        titles = [] if is_a_query(self._asked) else self._titles
        self._shown = fitting([*self._offers, *titles], self._typed, self._by_query)
        if not self._shown:
            self._shown = [Shown(self._search_texts(), None)]
        wrong = self._wrong()
        cells = max(min(WIDEST, self.app.size.width - 7), 20)  # frame, air, scrollbar
        options, self._rows = list[Option](), []
        group = ""
        for place, shown in enumerate(self._shown):
            if shown.offer.group != group:
                group = shown.offer.group
                says = wrong if group == self._shown[0].offer.group else ""
                options.append(Option(_heading(group, says), disabled=True))
                self._rows.append(None)
            options.append(Option(_line(shown, cells)))
            self._rows.append(place)
        listing.set_options(options)
        ids = [shown.offer.id for shown in self._shown]
        self._light(ids.index(lit) if lit in ids else 0)

    def _search_texts(self) -> Offer:
        typed = one_line(self._typed)
        says = f"Look for “{cut(typed, 30)}”"
        offer = query_offer(self._desk, typed, says, "in all texts, on the Deck.")
        return replace(offer, group="Nothing is called so: fewer letters, or")

    def _wrong(self) -> str:
        """What of the query cannot be used, and what may be meant; "" where an act is meant."""
        hint = next(iter(self._asked.hints), None)
        if hint is None or self._shown[0].fit is not None:
            return ""
        return f"{hint.message} Is {hint.nearest} meant?" if hint.nearest else hint.message

    def _light(self, place: int) -> None:
        listing = self.query_one(OptionList)
        row = self._rows.index(place)
        listing.highlighted = row
        if place == 0:
            listing.scroll_to(y=0, animate=False)  # its heading, too

    @property
    def _place(self) -> int:
        row = self.query_one(OptionList).highlighted
        return (self._rows[row] or 0) if row is not None and row < len(self._rows) else 0

    @property
    def _lit(self) -> str | None:
        return self._shown[self._place].offer.id if self._shown else None

    # -- keys and mouse

    def action_choose(self, step: int) -> None:
        """Another line; a single step goes round."""
        goal, last = self._place + step, len(self._shown) - 1
        if abs(step) == 1:
            goal %= last + 1
        self._is_moved = True
        self._light(max(0, min(goal, last)))

    def action_complete(self) -> None:
        """Write the name out."""
        box = self.query_one("#palette-line", Input)
        box.value = self._shown[self._place].offer.label
        box.cursor_position = len(box.value)

    def action_take(self) -> None:
        """Take what is lit."""
        self.dismiss(self._shown[self._place].offer)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        place = self._rows[event.option_index]
        if place is not None:
            self.dismiss(self._shown[place].offer)


def _heading(group: str, says: str = "") -> Content:
    head = Content.styled(group, "bold $text-accent")
    return Content.assemble(head, "   ", plain(says, "$text-warning")) if says else head


def _line(shown: Shown, cells: int) -> Content:
    """The name with the letters that fit lit, what it does, and at the right its key."""
    offer = shown.offer
    key = cut(offer.key, 12)
    is_memory = offer.id.startswith("memory:")
    note_cells = width(offer.note) if is_memory else cells
    room = cells - (width(key) + 2 if key else 0) - 2
    label = cut(offer.label, max(room - note_cells - 2, 10) if is_memory else min(room, 40))
    lit = Content(label)
    if shown.fit is not None:
        for at in shown.fit.places:
            if at < len(label) and not label[at].isspace():
                lit = lit.stylize("bold underline $text-accent", at, at + 1)
    column = LABEL if cells >= ROOMY else NARROW_LABEL
    side = width(label) if is_memory else max(column, width(label))
    gap = " " * (side - width(label) + 2)
    note = cut(offer.why_not or offer.note, room - side - 2) if room - side > 8 else ""
    if is_memory and note:
        gap = " " * max(room - width(label) - width(note), 2)
    used = width(label) + width(gap) + width(note)
    air = " " * max(cells - 2 - used - width(key), 1)
    dim = "$text-disabled" if offer.why_not else ""
    return Content.assemble(
        "  ", lit.stylize(dim) if dim else lit, gap, (note, "$text-muted"), air,
        (key, "bold $footer-key-foreground"),
    )  # fmt: skip
