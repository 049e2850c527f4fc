"""The Deck: facets, memories, one memory. The place where one finds, reads and acts."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.worker import Worker

from ...acts import DECK_ACTS, Act, bindings
from ...messages import CountsChanged, MemoriesChanged, OpenReceipts, ProjectChanged
from ...view import Place, View
from ...widgets.facets import Facets
from ...widgets.memory_rows import SORTED_BY, ListHeader, MemoryList
from ...widgets.panes import Pane, Panes
from ...widgets.query_box import QueryBox
from ...widgets.virtual_list import (
    MarksChanged,
    MenuWanted,
    Moved,
    OfferClicked,
    Opened,
    PageWanted,
)
from .acts import DeckActs
from .finder import Finder
from .looks import Looks, Views
from .reader import Detail, Reader
from .text import offers

PANES = (("facets", "Facets"), ("list", "Memories"), ("detail", "Memory"))
"""Name and title of each pane; they never change place."""

CLOCK_SECONDS = 30.0  # how often ages are counted anew

NEED_A_ROW = frozenset({"open", "mark", "change", "detail", "step", "injections", "session"})
"""Acts that need a memory under the cursor."""

NEED_NONE = frozenset({"new", "sort", "group", "save_view", "saved_views", "remove_view"})
"""What can be asked for without one."""


WRITES = (("edit",), ("editor",), ("tags",))
"""What is asked for to write to the memory under the cursor."""


class Deck(View):
    """Facets at the left, memories in the middle, the memory at the right."""

    ACTS = DECK_ACTS
    BINDINGS: ClassVar[list[BindingType]] = bindings(DECK_ACTS, "deck.step_out")
    HELP = """\
## Deck
Everything that is remembered for the project. Type `/` and words to search, `enter` to read.
"""
    box: QueryBox

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        glyphs = self.app.glyphs
        self.finder, self.reader, self.acts = Finder(self), Reader(self), DeckActs(self)
        self.box = QueryBox(self.finder.look, self.focus_main, id="box")
        self.facets = Facets(id="facets")
        self.header = ListHeader(glyphs, id="list-header")
        self.memories = MemoryList(glyphs, id="memories")
        self.detail = Detail(glyphs, id="detail")
        self.row = Panes(
            Pane(self.facets, id="facets-pane", classes="pane"),
            Pane(self.header, self.memories, id="list-pane", classes="pane"),
            Pane(self.detail, id="detail-pane", classes="pane"),
            main="list-pane",
            shares={},
            id="panes",
        )
        self.looks, self.views = Looks(self), Views(self)

    def compose(self) -> ComposeResult:
        yield self.box
        yield self.row

    def on_mount(self) -> None:
        """Name the panes and read the first page."""
        for name, title in PANES:
            self.pane(name).border_title = title
        self.box.history = list(self.app.last_run.now.queries)
        self.set_interval(CLOCK_SECONDS, lambda: self.memories.set_now(self.app.clock()))
        self.looks.show()
        self.finder.search()

    def on_resize(self) -> None:
        """The rows may have room for less; the cursor's may be where a notice stands now."""
        self.call_after_refresh(self.looks.show)
        self.call_after_refresh(self.app.notices.keep_off_the_cursor)

    def pane(self, name: str) -> Widget:
        """The framed pane of that name: facets, list or detail."""
        return self._part(f"#{name}-pane")

    # -- where one is

    def focus_main(self) -> None:
        self.screen.set_focus(self.memories)

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        return [
            ("a", self.pane("facets"), self.facets),
            ("b", self.pane("list"), self.memories),
            ("c", self.pane("detail"), self.detail),
            ("/", self.box, self.box.input),
        ]

    def place(self) -> Place:
        row = self.memories.current
        return Place("deck", self.box.text, row.id if row and row.id else None)

    def open_place(self, place: Place) -> None:
        """Come back to a query and a memory."""
        finder = self.finder
        if place.query is not None:
            self.box.set_text(place.query, silent=True)
        if place.memory is not None:
            finder.awaited = finder.show_memory(place.memory, is_asked=not place.is_remembered)
            if not place.is_remembered:  # what is typed now is for the memory one goes to
                finder.let_keys_wait_for_rows()
        elif place.query is not None:
            finder.search()

    def carried_over(self) -> dict[str, object]:
        """The order, the headings and the queries."""
        asked = self.finder.asked
        return {
            "sort": asked.sort or "",
            "queries": tuple(self.box.history),
        }

    def _narrowed(self) -> MemoryList:
        return self.memories

    def _into_pane(self) -> None:
        """To the memory, in the place of the list; from the facets over it, to the list."""
        if self.has_class("-facets"):
            self._close_facets()
        elif self.memories.has_focus:
            self.action_open()

    def list_in_use(self) -> MemoryList:
        return self.memories

    # -- which keys work

    def can(self, action: str, *parameters: str) -> bool | None:
        if action == "open" and not self.memories.keys:
            return True if self._offered(self.memories.offered) is not None else None
        if not self.memories.keys and (
            action in NEED_A_ROW or (action == "ask" and parameters[0] not in NEED_NONE)
        ):
            return None
        if self._is_elsewhere and (action == "change" or parameters[:1] in WRITES):
            return None
        match action:
            case "change":
                return self._can_change(parameters[0])
            case "fresh":
                return self.finder.fresh > 0
        return True

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the act would be on a memory of another project, which is only read here."""
        row = self.memories.current
        return row is not None and bool(row.project) and not self.memories.marks.keys

    def _can_change(self, name: str) -> bool | None:
        row = self.memories.current
        if self.memories.marks.keys or row is None:
            return True
        is_retired = row.retired_as is not None
        if name == "restore":
            return is_retired  # not among the keys of a live memory
        return None if is_retired else True

    def _can_do(self, act: Act) -> bool:
        """Whether the act's key would do something now."""
        name, _, rest = act.action.partition("(")
        return bool(self.check_action(name, (rest.strip("')"),) if rest else ()))

    def why_not(self, action: str) -> str:
        if not self.memories.keys:
            return "There is no memory here."
        if self._is_elsewhere and self.memories.current is not None:
            return f"It is of {self.memories.current.project}: “Its project” (:) goes there."
        return "It is retired: r restores it first." if action.startswith("change") else ""

    # -- acts

    def action_ask(self, what: str) -> Worker[None]:
        """Edit, write, tag, copy, sort, or go to a linked memory."""
        return self.acts.begin(what)

    def action_change(self, name: str) -> None:
        """Pin, forget or restore."""
        self.acts.change(name)

    def action_detail(self, part: str) -> None:
        """Show or hide why this is a hit, or what happened to the memory."""
        self.reader.toggle(part)

    def action_mark(self, which: str) -> None:
        """Mark the `row`, begin or end a `range`, mark `all`, or what is `unmarked`."""
        memories = self.memories
        match which:
            case "row":
                memories.mark_here()
            case "range":
                memories.marks.toggle_range(memories.cursor, memories.keys)
            case "all":
                memories.marks.set(memories.keys)
            case _:
                memories.marks.invert(memories.keys)

    def action_fresh(self) -> None:
        """Show what was written meanwhile, from the top."""
        self.finder.show_fresh()

    # -- moving about

    @on(Opened)
    def _opened(self, event: Opened) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Read the memory: in its pane, or in the place of the list where there is one pane."""
        if not self.memories.keys:
            self._try_instead(self.memories.offered)
        else:
            is_alone = self.screen.has_class("-narrow") or self.screen.has_class("-low")
            self.set_class(is_alone, "-reading")
            self.detail.focus()

    def action_step(self, rows: int) -> None:
        """The next or the previous memory, wherever the focus is."""
        self.memories.cursor += rows

    def action_injections(self) -> None:
        """Where and why the memory was injected."""
        row = self.memories.current
        if row is not None and not row.is_gone:
            self.post_message(OpenReceipts(row.id))

    async def action_session(self) -> None:
        """The session that the memory was learned in; why there is none is said."""
        row = self.memories.current
        if row is None or not row.session:
            self.app.notices.refuse("No session: it was written down, or imported.")
        else:
            await self.app.navigation.open(Place("prompts", session=row.session))

    def action_facets(self) -> None:
        """To the facets; where they have no room, over the rest, and away again."""
        if self.has_class("-facets"):
            self._close_facets()
            return
        if not self.pane("facets").display:
            self.add_class("-facets")
        self.facets.focus()

    def _close_facets(self) -> None:
        self.memories.focus()
        self.remove_class("-facets")

    def out_of_marks(self) -> bool:
        is_marking = self.memories.marks.in_range or bool(self.memories.marks.keys)
        if is_marking:
            self.memories.marks.clear()
        return is_marking

    def out_of_pane(self) -> bool:
        if self.has_class("-facets"):
            self._close_facets()
        elif not self.memories.has_focus:
            self.remove_class("-reading")
            self.memories.focus()
        else:
            return False
        return True

    # -- what an empty list offers

    def _offered(self, what: str) -> str | int | None:
        """What stands in the offer of that name; None when nothing is offered."""
        suggestion = self.finder.suggestion
        if suggestion is None or not self.finder.has_nothing or self.finder.asked.is_empty:
            return None
        return offers(suggestion, self.finder.asked).get(what)

    @on(OfferClicked)
    def _offer_clicked(self, event: OfferClicked) -> None:
        event.stop()
        self._try_instead(event.offer)

    def _try_instead(self, what: str) -> None:
        """What was offered because nothing matched."""
        query = self._offered(what)
        if what == "other_projects":
            self.app.action_project()
        elif isinstance(query, str):
            self.finder.ask_for(query)

    # -- what the panes and the app tell

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self.finder.cursor_moved()
        self.app.notices.keep_off_the_cursor()
        self.reader.follow_moving()

    @on(MarksChanged)
    def _marks_changed(self, event: MarksChanged) -> None:
        event.stop()
        self.reader.say_marks()

    @on(PageWanted)
    def _page_wanted(self, event: PageWanted) -> None:
        event.stop()
        self.finder.load_page(event.generation, event.page)

    @on(Facets.Chosen)
    def _facet_chosen(self, event: Facets.Chosen) -> None:
        event.stop()
        self.finder.narrow(event)

    @on(QueryBox.CompletionWanted)
    def _completion_wanted(self, event: QueryBox.CompletionWanted) -> None:
        event.stop()
        self.finder.complete(event.token, event.is_asked)

    @on(ListHeader.SortWanted)
    def _sort_wanted(self, event: ListHeader.SortWanted) -> None:
        event.stop()
        if event.column in SORTED_BY:
            self.acts.sort_by(SORTED_BY[event.column])
        else:
            self.acts.sort()

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """The acts on the row under the mouse."""
        event.stop()
        acts = [act for act in DECK_ACTS if act.group == "memory" and act.key.isalpha()]
        self.offer("Memory", [act for act in acts if self._can_do(act)])

    @on(CountsChanged)
    def _counts_changed(self) -> None:
        if self.finder.has_nothing and self.finder.asked.is_empty:
            self.finder.search_again()
        else:
            self.finder.say_found()

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        self.finder.take_change(event)

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.memories.marks.clear()
        self.finder.search()
