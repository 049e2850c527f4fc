"""Memories: a query above, the list at the left, one memory at the right."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.content import Content
from textual.strip import Strip
from textual.worker import Worker

from ...core.answers import StoreResult
from ...core.details import details_of, explanation_of
from ...core.documents.document import Document
from ...core.documents.memory import memory_document
from ...core.query.language import Query, parse
from ...core.services import sources
from ...core.values import Memory, ms_of
from ...db.errors import BadInput, NotFound, Refused
from ...db.memories import Row
from .. import view, widgets
from ..changes import Change
from ..dialogs import WIDEST, Ask, Choice, Confirm, Menu
from ..lanes import STEP_SECONDS, asks, may_ask
from ..text import (
    AGE_WIDTH,
    BAR,
    MARK,
    age,
    counted,
    cut,
    fit,
    plain,
    quoted,
    row_glyphs,
    terms_pattern,
    width,
)

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.search import SearchResult, Suggestion

MEMORY_ACTS = (
    view.Act("memory.open", "enter", "Open", "open", "Opens the memory for reading."),
    view.Act("list.mark", "space", "Mark", "mark('row')", "Marks the row and goes to the next."),
    view.Act("memory.pin", "p", "Pin", "change('pin')",
        "Injected at starts, as many as fit. Again, unpins."),
    view.Act("memory.edit", "e", "Edit", "ask('edit')", "Edits the memory in a form."),
    view.Act("memory.forget", "x", "Forget", "change('forget')",
        "Never injected again. Can be undone."),
    view.UNDO,
    view.Act("memory.restore", "r", "Restore", "change('restore')", "Restores a retired memory."),
    view.Act("query.focus", "slash", "Search", "filter", "Puts the cursor into the query.",
        key_display="/", of_row=False),
    view.Act("memory.new", "c", "New", "ask('new')", "Writes a new memory.", of_row=False),
    view.Act("memory.tags", "t", "Tags", "ask('tags')", "Adds tags. `-tag` removes one."),
    view.Act("memory.why", "w", "Why", "detail",
        "Why it matches, all numbers, and the history of the memory."),
    view.COPY_ACT,
    view.TRANSCRIPT_ACT,
    view.Act("memory.done", "d", "Done", "change('done')",
        "Ends a finished task: it is not injected again.", show=False),
    view.Act("memory.injections", "i", "Injected", "injections",
        "Shows where and why it was injected.", show=False),
    view.Act("memory.sources", "S", "Sources", "ask('sources')",
        "Takes, shares, writes, repairs and forgets what agents remember by themselves.",
        show=False, of_row=False),
    view.Act("list.mark_all", "A", "Mark all", "mark('all')",
        "Marks every row of the result for one act on all.", show=False, of_row=False),
    view.Act("memory.still_true", "", "Still true", "change('still_true')",
        "Confirms a memory that is to be verified."),
    view.Act("memory.links", "", "Links", "ask('links')",
        "Goes to its session, or to something it is linked to."),
    view.Act("memory.project", "", "Its project", "ask('project')",
        "Opens the project that it belongs to."),
    view.Act("list.me", "", "Yours", "me", "Lists your own preferences: `is:me`.", of_row=False),
)  # fmt: skip
"""The acts of Memories."""

LEAD = 6  # cells before the title: the cursor's bar, the mark, two glyphs, and two cells of air
HEAVY = 0.75  # importance from which a title is bold
PROJECT_CELLS = 24
LINES_FOR_TWO = 6  # lines a list must have for rows of two lines


class MemoryList(widgets.VirtualList[Row]):
    """Memories in the order of their query."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.terms: re.Pattern[str] | None = None
        self.own_project = ""  # its name while rows of several projects are listed
        self.set_row_height(2)

    def on_resize(self) -> None:
        """Use one line a row where there is no room for two."""
        super().on_resize()
        self.set_row_height(1 if 0 < self.size.height < LINES_FOR_TWO else 2)

    def set_terms(self, terms: Sequence[str]) -> None:
        pattern = terms_pattern(terms)
        if pattern != self.terms:
            self.terms = pattern
            self.forget_paint()

    def extra_state(self) -> object:
        return self._minute, self.terms, self.own_project

    def draw_row(self, row: Row, look: widgets.Look) -> Strip:
        (status, meaning), (trouble, kind) = row_glyphs(row, self.now)
        segments = [
            Segment(BAR if look.is_cursor else " ", self.ink(look, "bar")),
            Segment(MARK if look.is_marked else " ", self.ink(look, "mark")),
            Segment(status, self.ink(look, meaning)),
            Segment(fit(trouble, LEAD - 3), self.ink(look, kind)),
        ]
        room = max(look.width - LEAD - AGE_WIDTH - 2, 0)
        is_gone = row.is_gone or row.retired_as is not None
        ink = "retired" if is_gone else "heavy" if row.importance >= HEAVY else ""
        title = "gone meanwhile" if row.is_gone else row.title
        segments += self._highlighted(fit(title, room), self.ink(look, ink), look)
        created = age(row.created_ms, ms_of(self.now))
        segments.append(Segment(f"  {created}", self.ink(look, "muted")))
        return self._filled(segments, look)

    def draw_below(self, row: Row, look: widgets.Look) -> Strip:
        """Return the second line: the project if there are several, then the text."""
        segments = [
            Segment(BAR if look.is_cursor else " ", self.ink(look, "bar")),
            Segment(" " * (LEAD - 1), self.ink(look)),
        ]
        room = max(look.width - LEAD, 0)
        name = str(row.project or (self.own_project if row.scope != "global" else ""))
        if name:
            name = f"{cut(name, PROJECT_CELLS)} · "
            segments.append(Segment(name, self.ink(look, "expiring" if row.project else "muted")))
            room = max(room - width(name), 0)
        title = cut(row.title, max(look.width - LEAD - AGE_WIDTH - 2, 0))
        text = "" if row.is_gone else widgets.beyond(title, row.excerpt)
        segments += self._highlighted(fit(text, room), self.ink(look, "muted"), look)
        return self._filled(segments, look)

    def _filled(self, segments: list[Segment], look: widgets.Look) -> Strip:
        return Strip(segments).adjust_cell_length(look.width, self.ink(look)).simplify()

    def _highlighted(self, text: str, style: Style, look: widgets.Look) -> list[Segment]:
        match, at = self.ink(look, "match"), 0
        segments: list[Segment] = []
        for matches in self.terms.finditer(text) if self.terms else ():
            segments += [Segment(text[at : matches.start()], style), Segment(matches[0], match)]
            at = matches.end()
        return [*segments, Segment(text[at:], style)]


ORDERS = {
    "created": "newest first",
    "-created": "oldest first",
    "updated": "last changed first",
    "-updated": "longest unchanged first",
    "importance": "most important first",
    "-importance": "least important first",
    "title": "by title",
    "-title": "by title, backwards",
    "relevance": "best match first",
}
"""Every order of the query language, in words."""

ALL_PROJECTS = "all projects"
OF_ALL = "project:*"

PHASES = ("newest", "ranked", "exact")
PAUSE_SECONDS = 0.3  # exact ranking waits at most so long
FIRST_HITS_SECONDS = 0.03  # in which they are painted, before ranking takes the processor
PAINT_SECONDS = 0.1  # in which the first rows of all are painted; the rest comes then
SOURCES_SECONDS = 1.0  # between two checks of agents' own memories by an empty list
CLOCK_SECONDS = 30.0  # how often ages are counted
RUNNING_SECONDS = 0.15  # the same while a key is held down
MAX_WAIT_SECONDS = 0.4  # writes of others wait so long while the cursor moves

SOURCE_ACTS = {"a": "share", "x": "forget", "r": "repair", "w": "write"}
SOURCE_KEYS = """\
enter  take it into memdeck        a  share it with the others
x      forget it there             r  repair the indexes
w      write the current memory to an agent"""
"""Acts on the lit line in the menu of agents' own memories, by key."""


class MemoriesView(view.View):
    """The list of memories and the memory under the cursor."""

    ACTS = MEMORY_ACTS
    no_row = "There is no memory here."

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        typed = widgets.FilterInput("search, or type:  tag:  is:conflict  created:<7d")
        self.box = widgets.FilterLine(self._look, self.focus_main, typed, id="box", stays=True)
        self.memories = MemoryList(id="memories-list")
        self.list = self.memories
        self.pane = widgets.TextPane("Memory", id="memory")
        self.lay_out("Memories", self.pane)
        self.request: Query = parse("")
        self.result: SearchResult | None = None
        self._offer = ""  # for `enter` in an empty list: a query, SOURCES or PROJECTS
        self.with_numbers = False
        self._awaited: Worker[Any] | None = None  # reads rows that the next key is for
        self._held: int | None = None  # the memory the user went to; None: the top
        self._going = ""  # the id of the memory that is being gone to
        self._moved_at = 0.0

    def on_mount(self) -> None:
        self.set_interval(SOURCES_SECONDS, self._look_at_sources)
        self.set_interval(CLOCK_SECONDS, lambda: self.memories.set_now(self.app.clock()))
        self.search()

    def on_resize(self) -> None:
        self.call_after_refresh(self.app.notices.keep_off_the_cursor)

    # -- where one is

    def open_place(self, position: view.Place) -> None:
        if position.query is not None:
            self.box.set_text(position.query, silent=True)
        if position.memory is not None:
            self._awaited = self.show_memory(position.memory)
            self.let_keys_wait_for_rows()  # keys typed now are for that memory
        elif position.query is not None:
            self.search()

    # -- which keys work

    def can(self, action: str) -> bool | None:
        row = self.memories.current
        if action == "change('restore')" and row is not None and not self.memories.marks:
            return row.retired_as is not None
        return super().can(action)

    def why_not(self, action: str) -> str:
        memories = self.memories
        if not memories.keys:
            is_offered = action == "open" and self._has_nothing and bool(self._offer)
            return "" if is_offered else super().why_not(action)
        is_change = action.startswith("change")
        is_writing = is_change or action in ("ask('edit')", "ask('tags')")
        if is_writing and self.request.at:
            return f"These are the memories as of {self.request.at}: esc goes back to today's."
        row = memories.current
        if row is None or memories.marks:
            return ""
        if is_writing and row.project:
            return f"It belongs to {row.project}: “Its project” (:) goes there."
        if is_change and action != "change('restore')" and row.retired_as is not None:
            return "It is retired: r restores it first."
        return ""

    # -- the query

    def ask_for(self, text: str) -> None:
        """Put `text` into the box and search for it."""
        self.box.set_text(text, silent=True)
        self.search()

    def _look(self, wait: float) -> Worker[Any]:
        """Search for the typed text; a cleared query keeps the memory in sight."""
        if not wait and not self.box.text:
            self._held = self.memories.current_key
        return self.search(wait)

    def search(self, wait: float = 0.0, keep: int | None = None) -> Worker[Any]:
        """Search for the text of the box, newest first, then ranked, then all ranked.

        The cursor goes to `keep`, or to the memory the user went to. A cursor at the top stays
        there. If the user moves while the answer is on its way, it stays where they went.
        """
        return self.begin(partial(self._search, wait, keep), "search")

    async def _search(self, wait: float, keep: int | None) -> None:
        self._going = ""
        left_at = self.memories.current_key
        await asyncio.sleep(wait)
        request = self.request = parse(self.box.text)
        keep = self._held if keep is None else keep
        try:
            for phase in PHASES:
                find = await self._find(request, phase)
                if self.memories.current_key != left_at:
                    keep = self.memories.current_key if self.memories.cursor else None
                self._show(find, keep)
                self._awaited, left_at = None, self.memories.current_key
                if find.final:
                    break
                if phase == "newest":
                    await asyncio.sleep(FIRST_HITS_SECONDS)
                else:  # exact ranking takes about as long again: the next key may come first
                    await asyncio.sleep(min(find.milliseconds / 1000, PAUSE_SECONDS))
        except (NotFound, BadInput) as error:  # a time before the first entry
            self.box.say(str(error))
            raise
        if not find.total:
            await self._show_nothing(request)

    async def _find(self, query: Query, phase: str) -> SearchResult:
        return await self.app.search.run(lambda core: core.at(query).find(query, phase))

    def _show(self, matches: SearchResult, keep: int | None) -> None:
        is_first = self.result is None
        self.result = matches
        memories, request = self.memories, self.request
        memories.set_now(self.app.clock())
        memories.set_terms((*request.words, *request.phrases))
        whose = project_asked(request)
        memories.own_project = self.app.counts.project if whose == ALL_PROJECTS else ""
        if not matches.total:
            memories.say_nothing(Content(""))
        memories.show(matches.nums, matches.first_page, (), keep)
        of = f" · {whose}" if whose else ""
        then = f" · as of {request.at}, read only" if request.at else ""
        self.list_pane.border_title = f"Memories · {ORDERS[sort_of(request)]}{of}{then}"
        self._say_found()
        # another hit may be on top in a moment: until then only the list is painted
        self.follow(PAINT_SECONDS if is_first or not matches.final else 0.0)
        self.refresh_bindings()

    def _say_found(self) -> None:
        """Show the number of hits and the time in the box."""
        matches = self.result
        if matches is None:
            return
        what = f"{matches.total:,}"
        if self.request.text.strip():
            everything = self.app.counts.memories
            is_elsewhere = self.request.of("project") or self.request.has("is", "retired")
            is_part = everything is not None and not is_elsewhere and not self.request.at
            what = f"{what} of {everything:,}" if is_part else counted(matches.total, "hit")
        hint = self.request.hints[0] if self.request.hints else None
        if hint is not None and hint.end != self.box.input.cursor_position:  # it is written
            nearest = f" {hint.nearest}" if hint.nearest else ""
            self.box.say(plain(f"{cut(hint.message, 60)}{nearest}", "$text-warning"))
            self._say_row()
            return
        ranking = "" if matches.final else " · ranking…"
        self.box.say(plain(f"{what}{ranking} · {matches.milliseconds:.0f} ms", "$text-muted"))
        self._say_row()

    def _say_row(self) -> None:
        self.say_row()
        self.app.notices.keep_off_the_cursor()

    async def _show_nothing(self, query: Query) -> None:
        """Show advice in an empty list."""
        if not query.is_empty:
            suggestion = await self.app.search.run(lambda core: core.at(query).suggest(query))
            self._offer, text = best_offer(suggestion, query)
            lines = (("enter", text),) if text else ()
            keys = (*lines, ("esc", "clear the query"))
            self.memories.say_nothing(widgets.empty_text("Nothing matches.", "", *keys))
            self.refresh_bindings()
            return
        elsewhere = await self.app.search.run(
            lambda core: sum(item.project.memories for item in core.services.projects.alike())
        )
        remembered: list[str] = []
        with suppress(Refused):  # a project without a folder
            made = await self.app.slow.run(lambda core: core.services.sources.reports())
            remembered = sources.remembered(made)
        self._offer = SOURCES if remembered else ""
        project = self.app.counts.project
        self.memories.say_nothing(nothing_here(project, elsewhere, remembered))
        self.refresh_bindings()

    @on(widgets.PageWanted)
    def _page_wanted(self, event: widgets.PageWanted) -> None:
        event.stop()
        load = partial(self._load_page, event.generation, event.page)
        self.begin(load, "pages", exclusive=False)

    async def _load_page(self, generation: int, page: int) -> None:
        memories, request = self.memories, self.request
        if generation == memories.generation:
            nums = memories.keys[page * widgets.PAGE : (page + 1) * widgets.PAGE]
            words = (*request.words, *request.phrases)
            rows = await self.app.pages.run(lambda core: core.at(request).rows(nums, words))
            memories.page_arrived(generation, page, rows)

    @may_ask
    async def let_keys_wait_for_rows(self) -> None:
        """Hold keys back until the rows are there that they are for."""
        while (reading := self._awaited) and not (reading.is_finished or reading.is_cancelled):
            await asyncio.sleep(STEP_SECONDS)

    # -- news

    def _look_at_sources(self) -> None:
        if self.is_current and self._has_nothing and self.request.is_empty:
            self.begin(partial(self._show_nothing, self.request), "remembered")

    @on(view.CountsChanged)
    def _counts_changed(self) -> None:
        if self._has_nothing and self.request.is_empty:
            self._search_again()
        else:
            self._say_found()

    @on(view.ProjectChanged)
    def _other_project(self) -> None:
        self.memories.set_marks()
        self.search()

    @on(view.MemoriesChanged)
    def _changed(self, event: view.MemoriesChanged) -> None:
        if event.ids is None:  # written by another program
            self.begin(self._look_for_news, "news")
            return
        if event.goes_to is not None:
            self._awaited = self.show_memory(event.goes_to)
        else:
            self._awaited = self._search_again()
        if self.is_current:
            self.let_keys_wait_for_rows()

    def _search_again(self) -> Worker[Any]:
        if self._going:
            return self.show_memory(self._going)
        return self.search(keep=self.memories.current_key)

    @property
    def _has_nothing(self) -> bool:
        return self.result is not None and not self.result.total

    async def _look_for_news(self) -> None:
        """List memories written by others; the cursor stays on its memory and line."""
        until = time.monotonic() + MAX_WAIT_SECONDS
        while time.monotonic() < min(until, self._moved_at + RUNNING_SECONDS):
            await asyncio.sleep(widgets.RESTING_SECONDS)
        request, memories = self.request, self.memories
        if request.at:
            return
        find = await self._find(request, self.result.phase if self.result else PHASES[0])
        if request is not self.request:
            return
        if find.nums == memories.keys:
            memories.reload()
            self.follow(widgets.RESTING_SECONDS)
            return
        is_at_top = not memories.scroll_offset.y  # there, new rows come into sight
        self._show(find, memories.current_key)
        if is_at_top and memories.lines.top(memories.cursor + 1) <= memories.size.height:
            memories.scroll_to(y=0, animate=False)

    def moved(self) -> None:
        memories = self.memories
        self._held = memories.current_key if memories.cursor else None
        self._going = ""
        self.app.notices.keep_off_the_cursor()
        is_running = time.monotonic() - self._moved_at < RUNNING_SECONDS
        self._moved_at = time.monotonic()
        self.follow(RUNNING_SECONDS if is_running else widgets.RESTING_SECONDS)

    # -- going to one memory

    def show_memory(self, ref: str) -> Worker[Any]:
        """Put the cursor on this memory: in the result, else among all, else among the retired,
        else among those of all projects."""
        self._going = ref
        return self.begin(partial(self._go_to, ref), "search")

    async def _go_to(self, ref: str) -> None:
        try:
            memory = await self.app.pages.run(lambda core: core.show(ref))
        except NotFound as error:
            self.app.notices.report(error)
            self.search()
            return
        own = self.box.text
        texts = [own, "", OF_ALL]
        if not memory.is_live:
            texts = [own, "", "is:retired", f"is:retired {OF_ALL}"]
        for text in texts:
            request = self.request = parse(text)
            find = await self._find(request, "exact")
            if memory.num in find.nums:
                self.box.set_text(text, silent=True)
                self._held = memory.num
                self._show(find, memory.num)
                self._awaited, self._going = None, ""
                return
        self.app.notify("That memory cannot be shown here.", markup=False)
        self.search()

    # -- the memory under the cursor

    def follow(self, wait: float = 0.0) -> None:
        """Show the memory under the cursor once it rests."""
        self.begin(partial(self._read, wait), "detail")

    async def _read(self, wait: float) -> None:
        await asyncio.sleep(wait)
        if wait:
            self._say_row()
            self.refresh_bindings()
        num, request, terms = self.memories.current_key, self.request, self.memories.terms
        document = None
        if num is not None:
            whole = self.with_numbers
            lane = self.app.search if whole else self.app.pages
            document = await lane.run(lambda core: read(core, request, num, whole))
        self.pane.show_document(document, self.app.clock(), terms)
        self.refresh_bindings()

    def action_detail(self) -> None:
        self.with_numbers = not self.with_numbers
        self.follow()
        if self.with_numbers and not self.pane.is_on_screen:
            self.action_open()

    @on(widgets.Opened)
    def _opened(self, event: widgets.Opened) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        if not self.memories.keys:
            self._try_instead()
        else:
            self.read_in(self.pane)

    def action_injections(self) -> None:
        row = self.memories.current
        if row is not None and not row.is_gone:
            self.app.call_later(self.app.action_follow, f"injections:{row.id}")

    # -- offers of an empty list

    def _try_instead(self) -> None:
        if not self._has_nothing:
            return
        if self._offer == PROJECTS:
            self.app.action_project()
        elif self._offer == SOURCES:
            self.ask_sources()
        elif self._offer:
            self.ask_for(self._offer)

    @asks
    async def ask_sources(self) -> None:
        """List the agents' own memories; `source:` in the query narrows it."""
        wanted = {item.value for item in self.request.of("source") if not item.negated}
        survey = await self.app.slow.run(lambda core: core.services.sources.survey())
        made = [item for item in survey.sources if not wanted or item.source.name in wanted]
        groups = {
            group.facts[0].id: group
            for group in survey.groups
            if not wanted or wanted & {fact.source for fact in group.facts}
        }
        new = [key for key, group in groups.items() if not group.memory]
        choices = [Choice("", f"All {len(new):,} that memdeck lacks")]
        for key, group in groups.items():
            label = cut(group.facts[0].title or group.facts[0].text, WIDEST)
            choices.append(Choice(key, label, ", ".join(group.agents)))
        lines = [*sources.remembered(made), *(note for report in made for note in report.notes)]
        lines += [f"Contradicts a newer one: {item.older.text}" for item in survey.conflicts]
        about = "\n".join([*(cut(line, WIDEST) for line in lines[:8]), SOURCE_KEYS])
        menu = Menu("What agents remember", choices, about, SOURCE_ACTS)
        answer = await self.app.ask(menu)
        if answer is None:
            return
        verb, _, key = answer.rpartition(":")
        if verb == "repair":
            await self._change_files("Repair the indexes?", lambda acts: acts.plan_repair())
        elif verb == "forget":
            ids = [fact.id for fact in groups[key].facts] if key else []
            await self._change_files("Forget it there?", lambda acts: acts.plan_forget(ids))
        elif verb == "write":
            await self._write_to_agent()
        elif not (refs := [key] if key else new):
            self.app.notices.refuse("memdeck has all of it.")
        else:
            report = await self.app.write_agreed(
                lambda core: core.services.sources.take(refs, share=verb == "share")
            )
            await self.app.news.wrote([memory for memory in report.ids if memory])
            words = f"Took {counted(report.added, 'memory', 'memories')}."
            self.app.notices.toast(words, undo=bool(report.added))

    async def _write_to_agent(self) -> None:
        if memory := await self._current_memory():
            choices = [Choice(name, title) for name, title in sources.own_memories().items()]
            if to := await self.app.ask(Menu(f"Write {quoted(memory.title, 22)} to", choices)):
                ref = memory.id
                await self._change_files("Write it?", lambda acts: acts.plan_write(ref, to))
        else:
            self.app.notices.refuse("There is no memory here.")

    async def _change_files(
        self, question: str, plan_of: Callable[[sources.Sources], sources.SourcePlan]
    ) -> None:
        """Show changes of agents' files, and write them after a yes."""
        plan = await self.app.slow.run(lambda core: plan_of(core.services.sources))
        text = "\n".join([*(change.diff for change in plan.changes), *plan.notes])
        if await self.app.ask(Confirm(question, text, "Write it", is_wide=True)):
            await self.app.write.run(lambda core: core.services.sources.carry_out(plan))
            await self.app.news.wrote([])
            words = f"Changed {counted(len(plan.changes), 'file')}."
            self.app.notices.toast(words, undo=plan.can_be_undone)

    # -- acts on memories

    @property
    def chosen(self) -> list[int]:
        """Return the rows an act applies to: the marked ones, else the one under the cursor."""
        if self.memories.marks:
            return sorted(self.memories.marks)
        key = self.memories.current_key
        return [] if key is None else [key]

    def action_change(self, name: str) -> None:
        if nums := self.chosen:
            self.app.changes.change(name, nums, self.memories.set_marks)

    def action_ask(self, what: str) -> Worker[Any]:
        begin: Callable[[], Worker[Any]] = getattr(self, f"ask_{what}")
        return begin()

    async def _current_memory(self) -> Memory | None:
        num = self.memories.current_key
        return None if num is None else await self.app.pages.run(lambda core: core.memory(num))

    @asks
    async def ask_edit(self) -> None:
        from ..forms import edited  # only editing needs the text area

        memory = await self._current_memory()
        if memory is not None and (saved := await edited(self.app, memory)):
            await self.app.news.wrote([saved.id])
            self.app.notices.toast(f"Saved {quoted(saved.title, 22)}.", undo=True)

    @asks
    async def ask_tags(self) -> None:
        """Add the tags of a line to the chosen memories, and remove those with a minus."""
        nums, memory = self.chosen, await self._current_memory()
        if memory is None:
            return
        what, about = counted(len(nums), "memory", "memories"), "-tag removes one."
        if len(nums) == 1:
            what = f"“{cut(memory.title, 30)}”"
            about = f"{about} It has {', '.join(memory.tags)}." if memory.tags else about
        line = await self.app.ask(Ask(f"Tags of {what}", about, placeholder="queue -old"))
        words = (line or "").replace(",", " ").split()
        add = [word.lstrip("+#") for word in words if not word.startswith("-")]
        remove = [word.lstrip("-#") for word in words if word.startswith("-")]
        change = Change(
            "tag", "Tag", "Tagged", "Retired: it has no tags to change",
            lambda item: item.is_live, lambda core, ids: core.retag(ids, add, remove),
        )  # fmt: skip
        if words:
            self.app.changes.change(change, nums, self.memories.set_marks)

    @asks
    async def ask_new(self) -> None:
        from ..forms import EditMemory

        async def save(fields: dict[str, Any], _: int | None) -> object:
            return await self.app.write_agreed(lambda core: remember(core, fields))

        result = await self.app.ask(EditMemory(None, save))
        if not isinstance(result, StoreResult):
            return
        if result.memory_id is not None:
            await self.app.news.wrote([result.memory_id], goes_to=result.memory_id)
        if result.stored:
            removed = f" Removed secrets: {', '.join(result.removed)}." if result.removed else ""
            self.app.notices.toast(f"Remembered.{removed}", undo=True)
        else:
            self.app.notify(result.reason, markup=False)

    @may_ask
    async def ask_project(self) -> None:
        """Look from the project that the memory belongs to."""
        memory, row = await self._current_memory(), self.memories.current
        if memory is None or row is None or not row.project:
            self.app.notices.refuse("It belongs to this project.")
            return
        self.app.open_project(memory.project)
        # after the message of the other project, which this screen has to handle first
        self.call_later(self.app.open_place, view.Place(self.id or "", "", memory.id))

    @asks
    async def ask_links(self) -> None:
        document = self.pane.document
        rows = [
            row for part in document.sections for row in part.rows if row.link
        ] if document else []  # fmt: skip
        if not rows:
            self.app.notify("It is linked to nothing.", markup=False)
            return
        choices = [Choice(row.link, cut(str(row.value), 48), row.label) for row in rows]
        if link := await self.app.ask(Menu("Links", choices)):
            await self.app.action_follow(link)

    # -- copy and export

    def exported(self, *, is_all: bool) -> view.Export:
        nums, request = list(self.memories.keys) if is_all else self.chosen, self.request

        def read(core: MemoryCoordinator) -> Iterator[view.Exported]:
            past = core.at(request)
            return (view.exported_memory(m) for num in nums if (m := past.memory(num)) is not None)

        return read

    def action_transcript(self) -> None:
        row = self.memories.current
        self.open_transcript(row.session if row is not None else None)

    def action_me(self) -> None:
        self.memories.cursor, self._held = 0, None
        self.ask_for("is:me")
        self.focus_main()


# -- calls of the core; all run in a lane


def read(core: MemoryCoordinator, query: Query, num: int, whole: bool) -> Document | None:
    """Return the layout of a memory; `whole` with why it matches, all numbers and the history."""
    core = core.at(query)
    memory = core.memory(num)
    if memory is None:
        return None
    details = details_of(core, memory, with_numbers=whole, history=whole)
    if whole:
        details = replace(details, explanation=explanation_of(core, query, num))
    return memory_document(details)


def remember(core: MemoryCoordinator, fields: Mapping[str, Any]) -> StoreResult:
    values = dict(fields)
    return core.remember(cast(str, values.pop("content")), **values)


# -- words


def sort_of(query: Query) -> str:
    """Return the order of a query, the default one included."""
    has_words = bool(query.words or query.phrases)
    if query.sort is None or (query.sort == "relevance" and not has_words):
        return "relevance" if has_words else "created"
    return query.sort


def project_asked(query: Query) -> str:
    """Return the projects that a query lists, in words; "" for this project."""
    names = [item.value for item in query.of("project") if not item.negated]
    return ALL_PROJECTS if names[-1:] == ["*"] else "".join(names[-1:])


WHAT_FOR = (
    "This screen lists decisions, corrections and facts from your agents. You search, edit, pin and"
    " forget them here."
)


def nothing_here(project: str, elsewhere: int, remembered: Sequence[str]) -> Content:
    """Return the first steps in an empty store.

    `elsewhere` is how many memories of look-alikes there are, `remembered` says what agents
    remember by themselves.
    """
    whose = f" for {cut(project, 30)}" if project else ""
    older = f"memdeck project   {counted(elsewhere, 'memory', 'memories')} may be this project's"
    return widgets.empty_text(
        f"Nothing is remembered{whose} yet.",
        "\n".join((WHAT_FOR, *remembered)),
        *((("enter", "take or share them"),) if remembered else ()),
        ("5", "connect your agents: their sessions are recorded"),
        ("c", "write a memory yourself"),
        *((("", f"$ {older}"),) if elsewhere else ()),
        ("", "$ memdeck demo   look around in an example"),
    )


PROJECTS, SOURCES = "projects", "sources"
"""Offers of an empty list beside another query: agents' own memories, and other projects."""


def best_offer(suggestion: Suggestion, query: Query) -> tuple[str, str]:
    """Return the first suggestion if nothing matched, and its label; "" for none."""
    if suggestion.did_you_mean:
        return suggestion.did_you_mean, f"did you mean  {cut(suggestion.did_you_mean, 50)}"
    if suggestion.retired:
        retired = counted(suggestion.retired, "retired memory", "retired memories")
        return query.with_filter("is", "retired").text, f"show {retired}"
    if query.of("source"):
        return SOURCES, "what agents remember by themselves"
    hits = suggestion.other_projects
    says = f"{counted(hits, 'hit')} in other projects: choose one" if hits else ""
    return (PROJECTS if hits else ""), says
