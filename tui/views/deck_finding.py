"""The Deck's finding: from the text in the box to rows on the screen, and the news.

Three phases: newest at once, then the newest ranked, then all ranked. The next key cancels what
runs. What others write is looked for with the same query and never moves what is being read.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on, work
from textual.containers import Vertical
from textual.getters import app as app_getter
from textual.widget import Widget
from textual.worker import Worker

from ...core.errors import ManagerError, StoreUnusable
from ...core.query.language import Query, parse
from ..app import MemoryApp
from ..messages import MemoriesChanged, ProjectChanged
from ..text import counted
from ..typeahead import STEP_SECONDS, may_ask
from ..widgets.facets import Facets
from ..widgets.list_messages import PageWanted
from ..widgets.memory_rows import ListHeader, MemoryList
from ..widgets.pages import PAGE
from ..widgets.query_box import QueryBox
from .deck_words import cannot_be_read, in_order, nothing_here, nothing_matches

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.search import Found
    from ...core.services.suggestions import Suggestion

PHASES = ("newest", "ranked", "exact")
MOST_UNDONE = 200  # memories of an undo that are looked for, to bring the first into sight
PAUSE_SECONDS = 0.3  # exact ranking and the busy mark wait for this


class Finding(Vertical):
    """What the Deck knows of its query and its result."""

    app = app_getter(MemoryApp)

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.asked: Query = parse("")
        self.found: Found | None = None
        self.suggestion: Suggestion | None = None  # for a query that found nothing
        self.fresh = 0  # memories written by others that are not shown yet
        self._undone: tuple[str, ...] = ()  # ids: an undo brings these into sight
        self._awaited: Worker[None] | None = None  # reads rows that the next key is for
        self.memory_held: int | None = None  # the one the person went to; None: the top
        self._follows_top = True  # the person is at the top and has not gone anywhere
        self._going: tuple[str, bool] | None = None  # the memory that is being gone to

    # -- the widgets

    @property
    def box(self) -> QueryBox:
        return self.query_one(QueryBox)

    @property
    def memories(self) -> MemoryList:
        return self.query_one(MemoryList)

    @property
    def facets(self) -> Facets:
        return self.query_one(Facets)

    def pane(self, name: str) -> Widget:
        """The framed pane of that name: facets, list or detail."""
        return self.query_one(f"#{name}-pane")

    def follow(self, wait: float = 0.0) -> None:
        """Show the memory under the cursor in the detail; another room knows how."""

    def show_memory(self, ref: str, *, is_asked: bool = True) -> Worker[None]:
        """Put the cursor on this memory; another room knows how."""
        raise NotImplementedError

    # -- asking

    def ask_for(self, text: str, *, wait: float = 0.0) -> None:
        """Put `text` into the box and search for it."""
        self.box.set_text(text, silent=True)
        self.search(wait)

    def look(self, wait: float) -> Worker[None]:
        """Search for what was typed; when it was cleared, what one was on stays in sight."""
        if not wait and not self.box.text:
            self.memory_held = self.memories.current_key
        return self.search(wait)

    @on(Facets.Chosen)
    def _facet_chosen(self, event: Facets.Chosen) -> None:
        event.stop()
        asked = parse(self.box.text)
        if asked.has(event.key, event.value, negated=event.negated):
            asked = asked.without_filter(event.key, event.value)
        else:
            asked = asked.with_filter(event.key, event.value, negated=event.negated)
        self.ask_for(asked.text)

    @work(exclusive=True, group="search")
    async def search(self, wait: float = 0.0, keep: int | None = None) -> None:
        """Search for what the box says; the cursor goes to `keep`, or to the memory that is held.

        That one is found again however many queries did not have it. A cursor that rests at the
        top stays there: the best hit is what one wants to read. Who moves while the answer, or a
        better ranking of it, is on its way stays on what they moved to.
        """
        self._going = None
        left_at = self.memories.current_key
        await asyncio.sleep(wait)
        asked = parse(self.box.text)
        self.asked = asked
        self.box.hint(asked.hints)
        if keep is None:
            keep = self.memory_held
        busy = self.set_timer(PAUSE_SECONDS, lambda: self.box.say("searching…"))
        try:
            undone = await self._nums_undone()
            for phase in PHASES:
                found = await self._find(asked, phase)
                if self.memories.current_key != left_at:
                    keep = self.memories.current_key if self.memories.cursor else None
                back = next((num for num in found.nums if num in undone), None) if undone else None
                if back is not None:
                    self.memory_held = keep = back
                self._show(found, keep)
                self._awaited, left_at = None, self.memories.current_key
                if found.final:
                    break
                if phase == "ranked":
                    await asyncio.sleep(PAUSE_SECONDS)
        except StoreUnusable as error:
            self.memories.say_nothing(cannot_be_read(str(error), error.hint))
            raise
        finally:
            busy.stop()
        self._undone = ()
        await self._show_facets(asked)
        if not found.total:
            await self._show_nothing(asked)

    def search_again(self) -> Worker[None]:
        """The store has changed: what is shown is read anew, and who is on the way gets there."""
        if self._going is not None:
            ref, is_asked = self._going
            return self.show_memory(ref, is_asked=is_asked)
        return self.search(keep=self.memories.current_key)

    async def _nums_undone(self) -> set[int]:
        ids = self._undone[:MOST_UNDONE]
        return await self.app.search.run(lambda core: nums_of(core, ids)) if ids else set()

    async def _find(self, asked: Query, phase: str) -> Found:
        return await self.app.search.run(lambda core: core.find(asked, phase))

    def _show(self, found: Found, keep: int | None) -> None:
        self.found, self.fresh = found, 0
        memories, asked = self.memories, self.asked
        memories.set_now(self.app.clock())
        memories.set_terms((*asked.words, *asked.phrases))
        if not found.total:
            memories.say_nothing(())
        memories.show(found.nums, found.first_page, keep)
        has_words = bool(asked.words or asked.phrases)
        self.query_one(ListHeader).say(in_order(asked.sort, has_words))
        self.say_found()
        self.follow()
        self.refresh_bindings()

    def say_found(self) -> None:
        """Hits, time, and what is not shown yet, at the end of the box."""
        found = self.found
        if found is None:
            return
        what = f"{found.total:,}"
        if self.asked.text.strip():
            everything = self.app.standing.memories
            is_elsewhere = self.asked.of("project") or self.asked.has("is", "retired")
            is_part = everything is not None and not is_elsewhere
            what = f"{what} of {everything:,}" if is_part else counted(found.total, "hit")
        ranking = "" if found.final else " · ranking…"
        self.box.tell(self.fresh, f"{what}{ranking} · {found.milliseconds:.0f} ms")
        self.say_place()

    def say_place(self) -> None:
        """Which row of how many, at the foot of the list."""
        memories = self.memories
        total = len(memories.keys)
        place = f" {memories.cursor + 1:,} of {total:,} " if total else ""
        self.pane("list").border_subtitle = place
        self.app.keep_notices_off_the_cursor()

    async def _show_facets(self, asked: Query) -> None:
        facets = await self.app.search.run(lambda core: core.facets(asked))
        chosen = {(one.key, one.value): one.negated for one in asked.filters}
        self.facets.show(facets, chosen)

    async def _show_nothing(self, asked: Query) -> None:
        """What to do about an empty list."""
        if asked.is_empty:
            self.memories.say_nothing(nothing_here(self.app.standing.project))
            return
        suggestion = await self.app.search.run(lambda core: core.suggest(asked))
        self.suggestion = suggestion
        self.memories.say_nothing(nothing_matches(suggestion))
        self.refresh_bindings()

    # -- pages

    @on(PageWanted)
    def _page_wanted(self, event: PageWanted) -> None:
        event.stop()
        self._load_page(event.generation, event.page)

    @work(group="pages")
    async def _load_page(self, generation: int, page: int) -> None:
        memories = self.memories
        if generation == memories.pages.generation:
            nums = memories.keys[page * PAGE : (page + 1) * PAGE]
            rows = await self.app.pages.run(lambda core: core.rows(nums))
            memories.page_arrived(generation, page, rows)

    # -- completion

    @on(QueryBox.CompletionWanted)
    def _completion_wanted(self, event: QueryBox.CompletionWanted) -> None:
        event.stop()
        self._complete(event.token, event.is_asked)

    @work(exclusive=True, group="complete")
    async def _complete(self, token: str, is_asked: bool) -> None:
        offers = await self.app.slow.run(lambda core: core.complete(token))
        self.box.offer(token, offers, is_asked=is_asked)

    # -- keys that are typed ahead of the rows they are for

    @may_ask
    async def let_keys_wait_for_rows(self) -> None:
        """After a query, or a change of ours, the next key is for the rows as they are then."""
        while (reading := self._awaited) and not (reading.is_finished or reading.is_cancelled):
            await asyncio.sleep(STEP_SECONDS)

    # -- news

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if event.undid is not None and self.app.view == self.id:
            self._undone = event.ids or ()
        if not event.is_ours:
            self._look_for_news()
            return
        if event.goes_to is not None:
            self._awaited = self.show_memory(event.goes_to)
        else:
            self._awaited = self.search_again()
        if self.app.view == self.id:
            self.let_keys_wait_for_rows()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.memories.clear_marks()
        self.search()

    @work(exclusive=True, group="news")
    async def _look_for_news(self) -> None:
        """Show what others wrote where nobody reads; else say how much there is."""
        asked, memories = self.asked, self.memories
        shown = memories.keys
        phase = self.found.phase if self.found else PHASES[0]
        found, fresh = await self.app.search.run(lambda core: _with_news(core, asked, phase, shown))
        if asked is not self.asked:
            return
        if self._rests_at_top and (fresh or len(found.nums) != len(shown)):
            self._show(found, memories.current_key)
        else:
            self.fresh = fresh
            memories.reload()
            self.say_found()
            self.follow()
            self.refresh_bindings()
        await self._show_facets(asked)

    @property
    def _rests_at_top(self) -> bool:
        """Whether rows may appear: the person came to the top and went nowhere since."""
        memories = self.memories
        return (
            not memories.keys
            or (self._follows_top and not memories.marked and not memories.in_range)
        ) and memories.cursor < max(memories.size.height - 1, 1)

    def cursor_moved(self) -> None:
        """The person moved: only at the very top may rows appear by themselves."""
        self._follows_top = self.memories.cursor == 0
        self.memory_held = self.memories.current_key if self.memories.cursor else None
        self._undone, self._going = (), None

    def action_fresh(self) -> None:
        """Show what was written meanwhile, from the top."""
        self.memories.cursor = 0
        self._follows_top, self.memory_held = True, None
        self.search()


def nums_of(core: MemoryCoordinator, ids: Sequence[str]) -> set[int]:
    """The row numbers of those of these memories that are there. Runs in a lane."""
    found = set[int]()
    for memory in ids:
        try:
            found.add(core.resolve(memory).num)
        except ManagerError:
            continue
    return found


def _with_news(
    core: MemoryCoordinator, asked: Query, phase: str, shown: array[int]
) -> tuple[Found, int]:
    """The result as it is now, and how many of it are newer than all that is shown."""
    found = core.find(asked, phase)
    newest = max(shown, default=0)
    return found, sum(num > newest for num in found.nums)
