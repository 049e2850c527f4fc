"""The Deck: facets, memories, one memory. The place where one finds, reads and acts."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from ..acts import DECK_ACTS, Act, bindings
from ..dialogs.menu import Choice, Menu
from ..messages import CountsChanged, OpenReceipts
from ..stage import Place
from ..typeahead import asks
from ..widgets.detail import Detail
from ..widgets.facets import Facets
from ..widgets.list_messages import KeyClicked, MenuWanted, Opened
from ..widgets.memory_rows import ListHeader, MemoryList
from ..widgets.query_box import QueryBox
from .deck_acting import Acting

PANES = (("facets", "Facets"), ("list", "Memories"), ("detail", "Memory"))
"""Name and title of each pane; they never change place."""

NEED_A_ROW = frozenset(
    {"open", "mark", "edit", "change", "copy", "tags", "editor", "why", "life", "links", "step"}
    | {"injections"}
    | {"range", "mark_all", "invert"}
)
"""Acts that need a memory under the cursor."""


class Deck(Acting):
    """Facets at the left, memories in the middle, the memory at the right."""

    ACTS = DECK_ACTS
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(DECK_ACTS),
        Binding("escape", "step_out", "Back", show=False, id="deck.step_out"),
        Binding("d", "try_instead('did_you_mean')", "Did you mean", id="nothing.meant"),
        Binding("w", "try_instead('other_words')", "Other words", id="nothing.words"),
        Binding("b", "try_instead('narrowest')", "Search wider", id="nothing.wider"),
        Binding("i", "try_instead('retired')", "Show retired", id="nothing.retired"),
        Binding("a", "try_instead('other_projects')", "Other projects", id="nothing.elsewhere"),
    ]
    HELP = """\
## Deck
Everything that is remembered for the project. Type `/` and words to search, `enter` to read.
"""

    # -- what stands where

    def compose(self) -> ComposeResult:
        glyphs = self.app.glyphs
        yield QueryBox(self.look, self.focus_main, id="box")
        with Horizontal(id="panes"):
            with Vertical(id="facets-pane", classes="pane"):
                yield Facets(id="facets")
            with Vertical(id="list-pane", classes="pane"):
                yield ListHeader(id="list-header")
                yield MemoryList(glyphs, id="memories")
            with Vertical(id="detail-pane", classes="pane"):
                yield Detail(glyphs, id="detail")

    def on_mount(self) -> None:
        """Name the panes and read the first page."""
        for name, title in PANES:
            self.pane(name).border_title = title
        self.box.history = list(self.app.memory_of_last_run.queries)
        self.set_interval(30.0, lambda: self.memories.set_now(self.app.clock()))
        self.search()

    def on_resize(self) -> None:
        """The cursor's row may be where a notice stands now."""
        self.call_after_refresh(self.app.keep_notices_off_the_cursor)

    def focus_main(self) -> None:
        """Focus on the list, where one begins: at once, for keys may be waiting already."""
        self.screen.set_focus(self.memories)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        """The panes by letter with what has the focus in them, for jump mode."""
        return [
            ("a", self.pane("facets"), self.facets),
            ("b", self.pane("list"), self.memories),
            ("c", self.pane("detail"), self.detail),
            ("/", self.box, self.box.input),
        ]

    def place(self) -> Place:
        """Where one is, to come back to."""
        row = self.memories.current
        return Place("deck", self.box.text, row.id if row and row.id else None)

    def open_place(self, place: Place) -> None:
        """Come back to a query and a memory."""
        if place.query is not None:
            self.box.set_text(place.query, silent=True)
        if place.memory is not None:
            self._awaited = self.show_memory(place.memory, is_asked=not place.is_remembered)
            if not place.is_remembered:  # what is typed now is for the memory one goes to
                self.let_keys_wait_for_rows()
        elif place.query is not None:
            self.search()

    def cursor_line(self) -> int | None:
        """The line of the screen on which the cursor stands."""
        memories = self.memories
        return memories.content_region.y + memories.cursor - memories.scroll_offset.y

    @property
    def shows_one_pane(self) -> bool:
        """Whether there is room for one pane only: the detail takes the place of the list."""
        return self.screen.has_class("-narrow") or self.screen.has_class("-low")

    @on(CountsChanged)
    def _counts_changed(self) -> None:
        if self.found is not None and not self.found.total and self.asked.is_empty:
            self.search_again()
        else:
            self.say_found()

    # -- which keys work

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What works now: None shows the key dimmed, False not at all."""
        if not self.is_mounted:
            return True
        if action == "filter":
            return not self.box.is_typed_in
        if action in NEED_A_ROW and not self.memories.keys:
            return None
        if action == "change":
            return self._can_change(str(parameters[0]))
        if action == "fresh":
            return self.fresh > 0
        if action == "try_instead":
            return self._can_try(str(parameters[0]))
        return super().check_action(action, parameters)

    def _can_change(self, name: str) -> bool | None:
        if self.memories.marked:
            return True
        row = self.memories.current
        if row is None:
            return True
        is_retired = row.retired_as is not None
        if name == "restore":
            return is_retired  # not among the keys of a live memory
        return None if is_retired else True

    def _can_try(self, what: str) -> bool:
        nothing = self.found is not None and not self.found.total and not self.asked.is_empty
        return nothing and self.suggestion is not None and bool(getattr(self.suggestion, what))

    def _can_do(self, act: Act) -> bool:
        """Whether the act's key would do something now."""
        name, _, rest = act.action.partition("(")
        return bool(self.check_action(name, (rest.strip("')"),) if rest else ()))

    def why_not(self, action: str) -> str:
        """Why a dimmed key cannot act now."""
        if not self.memories.keys:
            return "There is no memory here."
        return "It is retired: r restores it first." if action.startswith("change") else ""

    # -- moving about

    def action_filter(self) -> None:
        """Into the query, at once."""
        self.box.open()

    @on(Opened)
    def _opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Read the memory: in its pane, or in the place of the list."""
        if self.memories.keys:
            self.set_class(self.shows_one_pane, "-reading")
            self.detail.focus()

    def action_injections(self) -> None:
        """Where and why the memory was injected."""
        row = self.memories.current
        if row is not None and not row.is_gone:
            self.post_message(OpenReceipts(row.id))

    def action_facets(self) -> None:
        """To the facets; where they have no room, over the rest, and away again."""
        if self.pane("facets").display and not self.has_class("-facets"):
            self.facets.focus()
        elif self.has_class("-facets"):
            self._close_facets()
        else:
            self.add_class("-facets")
            self.facets.focus()

    def _close_facets(self) -> None:
        self.memories.focus()
        self.remove_class("-facets")

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        if self.has_class("-zoomed"):
            self._unzoom()
            return
        for name, _ in PANES:
            pane = self.pane(name)
            if pane.has_focus_within:
                pane.add_class("-zoom")
                self.add_class("-zoomed")

    def _unzoom(self) -> None:
        self.remove_class("-zoomed")
        for name, _ in PANES:
            self.pane(name).remove_class("-zoom")

    def action_step_out(self) -> None:
        """One step out, never out of the Deck."""
        memories = self.memories
        if memories.in_range or memories.marked:
            memories.clear_marks()
        elif self.has_class("-zoomed"):
            self._unzoom()
        elif self.has_class("-facets"):
            self._close_facets()
        elif not memories.has_focus:
            self.remove_class("-reading")
            memories.focus()
        elif self.box.text:
            self.box.clear()

    # -- marks

    def action_mark(self) -> None:
        """Mark the row and go on."""
        self.memories.toggle_mark()

    def action_range(self) -> None:
        """Begin or end a range."""
        self.memories.toggle_range()

    def action_mark_all(self) -> None:
        """Mark every row of the result."""
        self.memories.mark(self.memories.keys)

    def action_invert(self) -> None:
        """Mark what is not marked."""
        self.memories.invert_marks()

    # -- the mouse, and what an empty list offers

    @on(ListHeader.SortWanted)
    def _sort_wanted(self, event: ListHeader.SortWanted) -> None:
        event.stop()
        self.action_sort()

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        event.stop()
        self._act_menu()

    @asks
    async def _act_menu(self) -> None:
        """The acts on the row under the mouse."""
        acts = [
            act
            for act in DECK_ACTS
            if act.group == "memory" and act.key.isalpha() and self._can_do(act)
        ]
        choices = [
            Choice(act.id, act.label, key=act.key if len(act.key) == 1 else "") for act in acts
        ]
        chosen = await self.app.ask(Menu("Memory", choices))
        for act in acts:
            if act.id == chosen:
                self.app.run_act(act)

    @on(KeyClicked)
    def _key_clicked(self, event: KeyClicked) -> None:
        event.stop()
        # by the app itself: a key that a view sends stops at that view on its way up
        self.app.call_later(self.app.simulate_key, event.key)

    def action_try_instead(self, what: str) -> None:
        """What was offered because nothing matched."""
        suggestion = self.suggestion
        if suggestion is None:
            return
        if what == "did_you_mean" and suggestion.did_you_mean:
            self.ask_for(suggestion.did_you_mean)
        elif what == "other_words" and suggestion.other_words:
            words = tuple(word for word, _ in suggestion.other_words)
            self.ask_for(str(replace(self.asked, words=words)))
        elif what == "narrowest" and suggestion.narrowest:
            key, _, value = suggestion.narrowest.lstrip("-").partition(":")
            self.ask_for(self.asked.without_filter(key, value.strip('"')).text)
        elif what == "retired":
            self.ask_for(self.asked.with_filter("is", "retired").text)
        elif what == "other_projects":
            self.app.action_project()
