"""From the text in the box to rows on the screen, and the news.

Three phases: newest at once, then the newest ranked, then all ranked. The next key cancels what
runs. What others write is looked for with the same query and never moves what is being read.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import Worker

from ....core.errors import NotFound, Refused, StoreUnusable
from ....core.query.language import Query, parse
from ...messages import MemoriesChanged
from ...text import counted
from ...typeahead import STEP_SECONDS, may_ask
from ...widgets.facets import Facets
from ...widgets.nothing import cannot_be_read
from ...widgets.pages import PAGE
from .reader import left_behind_near, news_of, nums_of, place_of
from .text import (
    ALL_PROJECTS,
    OF_ALL,
    in_order,
    nothing_here,
    nothing_matches,
    sort_in_force,
    whose,
)

if TYPE_CHECKING:
    from ....core.services.search import Found
    from ....core.services.suggestions import Suggestion
    from .view import Deck

PHASES = ("newest", "ranked", "exact")
MOST_UNDONE = 200  # memories of an undo that are looked for, to bring the first into sight
PAUSE_SECONDS = 0.3  # the busy mark waits for this, and at most so long exact ranking
FIRST_HITS_SECONDS = 0.03  # in which they are painted, before ranking takes the processor
PAINT_SECONDS = 0.1  # in which the first rows of all are painted; what else there is comes then
COUNT_SECONDS = 3.0  # how often facets are counted while others go on writing
LONGEST_WAIT = 6.0  # for so long they are not counted while the cursor goes on and on


class Finder:
    """What the Deck knows of its query and its result."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.app = deck, deck.app
        self.asked: Query = parse("")
        self.found: Found | None = None
        self.suggestion: Suggestion | None = None  # for a query that found nothing
        self.fresh = 0  # memories written by others that are not shown yet
        self.awaited: Worker[None] | None = None  # reads rows that the next key is for
        self.memory_held: int | None = None  # the one the person went to; None: the top
        self._under_way: object | None = None  # the search that is not answered yet
        self._undone: tuple[str, ...] = ()  # ids: an undo brings these into sight
        self._follows_top = True  # the person is at the top and has not gone anywhere
        self._going: tuple[str, bool] | None = None  # the memory that is being gone to
        self._counted_at = 0.0  # when the facets were counted first, and for what others wrote
        self._counts_anew: Worker[None] | None = None

    @property
    def has_nothing(self) -> bool:
        """Whether the query was answered, and nothing fits it."""
        return self.found is not None and not self.found.total

    # -- asking

    def ask_for(self, text: str) -> None:
        """Put `text` into the box and search for it."""
        self.deck.box.set_text(text, silent=True)
        self.search()

    def look(self, wait: float) -> Worker[None]:
        """Search for what was typed; when it was cleared, what one was on stays in sight."""
        if not wait and not self.deck.box.text:
            self.memory_held = self.deck.memories.current_key
        return self.search(wait)

    def narrow(self, event: Facets.Chosen) -> None:
        """A facet was chosen: it narrows the query, or narrows it no longer."""
        asked = parse(self.deck.box.text)
        if asked.has(event.key, event.value, negated=event.negated):
            asked = asked.without_filter(event.key, event.value)
        else:
            asked = asked.with_filter(event.key, event.value, negated=event.negated)
        self.ask_for(asked.text)

    def search(self, wait: float = 0.0, keep: int | None = None) -> Worker[None]:
        """Search for what the box says; the cursor goes to `keep`, or to the memory that is held.

        That one is found again however many queries did not have it. A cursor that rests at the
        top stays there: the best hit is what one wants to read. Who moves while the answer, or a
        better ranking of it, is on its way stays on what they moved to.
        """
        return self.deck.begin(partial(self._search, wait, keep), "search")

    async def _search(self, wait: float, keep: int | None) -> None:
        self._going = None
        left_at = self.deck.memories.current_key
        await asyncio.sleep(wait)
        asked = parse(self.deck.box.text)
        self.asked = asked
        self.deck.box.hint(asked.hints)
        if keep is None:
            keep = self.memory_held
        # its turn may come when the answer is here already: then it has nothing to say any more
        under_way = self._under_way = object()
        busy = self.deck.set_timer(PAUSE_SECONDS, partial(self._say_busy, under_way))
        try:
            undone = await self._nums_undone()
            for phase in PHASES:
                found = await self._find(asked, phase)
                if self.deck.memories.current_key != left_at:
                    keep = self.deck.memories.current_key if self.deck.memories.cursor else None
                back = next((num for num in found.nums if num in undone), None) if undone else None
                if back is not None:
                    self.memory_held = keep = back
                self._show(found, keep)
                if undone:
                    self.deck.memories.flashing = frozenset(undone)
                self.awaited, left_at = None, self.deck.memories.current_key
                if found.final:
                    break
                if phase == "newest":
                    await asyncio.sleep(FIRST_HITS_SECONDS)
                if phase == "ranked":  # it takes about as long again: the next key may come first
                    await asyncio.sleep(min(found.milliseconds / 1000, PAUSE_SECONDS))
        except StoreUnusable as error:
            self.deck.memories.say_nothing(cannot_be_read(str(error), error.hint))
            raise
        finally:
            busy.stop()
            if self._under_way is under_way:
                self._under_way = None
        self._undone = ()
        await self._show_facets(asked)
        if not found.total:
            await self._show_nothing(asked)

    def _say_busy(self, search: object) -> None:
        if self._under_way is search:
            self.deck.box.say("searching…")

    def search_again(self) -> Worker[None]:
        """The store has changed: what is shown is read anew, and who is on the way gets there."""
        if self._going is not None:
            ref, is_asked = self._going
            return self.show_memory(ref, is_asked=is_asked)
        return self.search(keep=self.deck.memories.current_key)

    async def _nums_undone(self) -> set[int]:
        ids = self._undone[:MOST_UNDONE]
        return await self.app.search.run(lambda core: nums_of(core, ids)) if ids else set()

    async def _find(self, asked: Query, phase: str) -> Found:
        return await self.app.search.run(lambda core: core.find(asked, phase))

    def _show(self, found: Found, keep: int | None) -> None:
        is_first = self.found is None
        self.found, self.fresh = found, 0
        memories, asked = self.deck.memories, self.asked
        memories.set_now(self.app.clock())
        memories.set_terms((*asked.words, *asked.phrases))
        is_of_all = whose(asked) == ALL_PROJECTS
        memories.own_project = self.app.counts.project if is_of_all else ""
        if not found.total:
            memories.say_nothing(())
        memories.show(found.nums, found.first_page, (), keep)
        has_words = bool(asked.words or asked.phrases)
        says = in_order(asked.sort, has_words)
        self.deck.header.say(says, sort_in_force(asked))
        self.app.stage.header.look_at(whose(asked))
        self.say_found()
        # another hit may stand there in a moment: until then the list is painted alone
        self.deck.reader.follow(PAINT_SECONDS if is_first or not found.final else 0.0)
        self.deck.refresh_bindings()

    def say_found(self) -> None:
        """Hits, time, and what is not shown yet, at the end of the box."""
        found = self.found
        if found is None:
            return
        what = f"{found.total:,}"
        if self.asked.text.strip():
            everything = self.app.counts.memories
            is_elsewhere = self.asked.of("project") or self.asked.has("is", "retired")
            is_part = everything is not None and not is_elsewhere
            what = f"{what} of {everything:,}" if is_part else counted(found.total, "hit")
        ranking = "" if found.final else " · ranking…"
        self.deck.box.tell(self.fresh, f"{what}{ranking} · {found.milliseconds:.0f} ms")
        self.say_place()

    def say_place(self) -> None:
        """Which row of how many, at the foot of the list."""
        memories = self.deck.memories
        total = len(memories.keys)
        place = f"{memories.cursor + 1:,} of {total:,}" if total else ""
        self.deck.pane("list").border_subtitle = place
        self.app.notices.keep_off_the_cursor()

    async def _show_facets(self, asked: Query) -> None:
        if not self._counted_at:
            self._counted_at = asyncio.get_running_loop().time()
            await asyncio.sleep(PAINT_SECONDS)
        facets = await self.app.search.run(lambda core: core.facets(asked))
        chosen = {(one.key, one.value): one.negated for one in asked.filters}
        self.deck.facets.show(facets, chosen)

    async def _show_nothing(self, asked: Query) -> None:
        """What to do about an empty list."""
        if asked.is_empty:
            await self._show_first_steps()
            return
        suggestion = await self.app.search.run(lambda core: core.suggest(asked))
        self.suggestion = suggestion
        self.deck.memories.say_nothing(nothing_matches(suggestion))
        self.deck.refresh_bindings()

    async def _show_first_steps(self) -> None:
        """What to do where nothing is remembered; which of it is done is known a little later."""
        project, say = self.app.counts.project, self.deck.memories.say_nothing
        elsewhere = await self.app.search.run(left_behind_near)
        say(nothing_here(project, (), self.app.glyphs, elsewhere))
        with suppress(Refused):  # nothing is known of agents
            agents = await self.app.setup.ask_agents(lambda agents: agents.survey())
            if not self.deck.memories.keys:
                say(nothing_here(project, agents, self.app.glyphs, elsewhere))

    # -- pages

    def load_page(self, generation: int, page: int) -> None:
        """Fetch a page of rows that is about to be seen."""
        self.deck.begin(partial(self._load_page, generation, page), "pages", exclusive=False)

    async def _load_page(self, generation: int, page: int) -> None:
        memories = self.deck.memories
        if generation == memories.pages.generation:
            nums = memories.keys[page * PAGE : (page + 1) * PAGE]
            words = (*self.asked.words, *self.asked.phrases)
            rows = await self.app.pages.run(lambda core: core.rows(nums, words))
            memories.page_arrived(generation, page, rows)

    # -- completion

    def complete(self, token: str, is_asked: bool) -> None:
        """Offer what the word that is typed may become."""
        self.deck.begin(partial(self._complete, token, is_asked), "complete")

    async def _complete(self, token: str, is_asked: bool) -> None:
        offers = await self.app.slow.run(lambda core: core.complete(token))
        self.deck.box.offer(token, offers, is_asked=is_asked)

    # -- keys that are typed ahead of the rows they are for

    @may_ask
    async def let_keys_wait_for_rows(self) -> None:
        """After a query, or a change of ours, the next key is for the rows as they are then."""
        while (reading := self.awaited) and not (reading.is_finished or reading.is_cancelled):
            await asyncio.sleep(STEP_SECONDS)

    # -- news

    def take_change(self, event: MemoriesChanged) -> None:
        """Memories were written, by this app or elsewhere."""
        if event.undid is not None and self.deck.is_current:
            self._undone = event.ids or ()
        if not event.is_ours:
            self.deck.begin(self._look_for_news, "news")
            return
        if event.goes_to is not None:
            self.awaited = self.show_memory(event.goes_to)
        else:
            self.awaited = self.search_again()
        if self.deck.is_current:
            self.let_keys_wait_for_rows()

    async def _look_for_news(self) -> None:
        """Show what others wrote where nobody reads; else say how much there is."""
        await self.deck.reader.rested()
        asked, memories = self.asked, self.deck.memories
        shown = memories.keys
        fresh = await self.app.search.run(lambda core: news_of(core, asked, shown))
        if asked is not self.asked:
            return
        if self._rests_at_top:
            phase = self.found.phase if self.found else PHASES[0]
            found = await self._find(asked, phase)
            if asked is not self.asked:
                return
            if self._rests_at_top and (fresh or len(found.nums) != len(shown)):
                self._show(found, memories.current_key)
                self._count_anew(asked)
                return
        memories.reload()
        if fresh != self.fresh:
            has_other_keys = bool(fresh) != bool(self.fresh)
            self.fresh = fresh
            self.say_found()
            if has_other_keys:
                self.deck.refresh_bindings()
        self.deck.reader.follow_news()
        self._count_anew(asked)

    def _count_anew(self, asked: Query) -> None:
        """Count the facets after somebody wrote; while they go on, only now and then."""
        if self._counts_anew is None or self._counts_anew.is_finished:
            self._counts_anew = self.deck.begin(
                partial(self._facets_in_time, asked), "facets", exclusive=False
            )

    async def _facets_in_time(self, asked: Query) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._counted_at + COUNT_SECONDS - loop.time())
        await self.deck.reader.rested(LONGEST_WAIT)
        self._counted_at = loop.time()
        if asked is self.asked:
            await self._show_facets(asked)

    @property
    def _rests_at_top(self) -> bool:
        """Whether rows may appear: the person came to the top and went nowhere since."""
        memories = self.deck.memories
        return (
            not memories.keys
            or (self._follows_top and not memories.marks.keys and not memories.marks.in_range)
        ) and memories.cursor < max(memories.size.height - 1, 1)

    def cursor_moved(self) -> None:
        """The person moved: only at the very top may rows appear by themselves."""
        self._follows_top = self.deck.memories.cursor == 0
        self.memory_held = self.deck.memories.current_key if self.deck.memories.cursor else None
        self._undone, self._going = (), None

    def show_fresh(self) -> None:
        """Show what was written meanwhile, from the top."""
        self.deck.memories.cursor = 0
        self._follows_top, self.memory_held = True, None
        self.search()

    # -- going to one memory

    def show_memory(self, ref: str, *, is_asked: bool = True) -> Worker[None]:
        """Put the cursor on this memory: in the result, else among all, else among the retired,
        else among those of all projects, where it is only read.

        `is_asked`: the person wants to see it, so that its absence deserves a word.
        """
        self._going = ref, is_asked
        return self.deck.begin(partial(self._go_to, ref, is_asked), "search")

    async def _go_to(self, ref: str, is_asked: bool) -> None:
        try:
            num, is_live = await self.app.pages.run(lambda core: place_of(core, ref))
        except NotFound as error:
            if is_asked:
                self.app.notices.report(error)
            self.search()
            return
        own = self.deck.box.text
        texts = [own, "", OF_ALL] if is_live else [own, "", "is:retired", f"is:retired {OF_ALL}"]
        for text in texts if is_asked else texts[:1]:
            asked = self.asked = parse(text)
            found = await self._find(asked, "exact")
            if num in found.nums:
                self.deck.box.set_text(text, silent=True)
                self.memory_held = num
                self._show(found, num)
                self.awaited = self._going = None
                await self._show_facets(asked)
                return
        if is_asked:
            self.deck.notify("That memory is not to be seen here.", markup=False)
        self.search()
