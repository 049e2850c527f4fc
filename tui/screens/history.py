"""History: who changed what, when and why; the words before and after; and the way back."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import events, on, work
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.suggester import Suggester
from textual.worker import Worker

from ...core.answers import Entry
from ...core.documents.document import Document
from ...core.documents.entry import (
    ACT_WORDS,
    ACTOR_WORDS,
    MOST_ROWS,
    act_words,
    entry_document,
    journal_name,
)
from ...core.errors import ManagerError
from ...core.text.times import moment
from ...core.values import ACTORS
from ..acts import COPY_ACT, FILTER_ACT, ZOOM_ACT, Act, bindings
from ..dialogs.questions import Choice, Menu
from ..document import DocumentRenderer, TextPane
from ..text import counted, cut, fit, one_line, plain, width
from ..typeahead import asks
from ..view import Export, Exported, MemoriesChanged, OpenMemory, Place, ProjectChanged, View
from ..widgets.filter_line import FilterInput, FilterLine
from ..widgets.virtual_list import (
    Look,
    MenuWanted,
    Moved,
    NothingLine,
    Opened,
    Pages,
    VirtualList,
    nothing_fits,
)

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

PAGE = 200  # entries read at once
LONG_PAGE = 2_000  # entries read at once on the way to the oldest
MOST_CHOICES = 50  # memories of one entry that are offered for opening
RESTING_SECONDS = 0.04  # before the pane follows the cursor

HISTORY_ACTS = (
    Act("history.undo", "U", "Undo this", "undo_this", "Undoes this entry, not the newest."),
    Act("history.filters", "f", "Filter by", "filters",
        "Only this actor, act, memory or session, or a time; again all.", of_row=False),
    Act("history.open", "enter", "Open memory", "open", "Opens the entry's memory."),
    FILTER_ACT,
    COPY_ACT,
    ZOOM_ACT,
)  # fmt: skip
"""What works in History, beside what works everywhere."""

EMPTY = (
    NothingLine("Nothing was changed yet.", is_title=True),
    NothingLine(),
    NothingLine("Every change is listed here: who made it, what it was before and after."),
    NothingLine("`U` undoes the change under the cursor."),
    NothingLine(),
    NothingLine("open Memories, where c writes one", key="1"),
    NothingLine("connect an agent in Setup", key="5"),
)
NO_MATCH = nothing_fits("No change matches the filter.")


# -- the filter

KEYS = ("action", "actor", "session", "memory", "since", "until")

ACTIONS = tuple(
    ACT_WORDS.get(action, action)
    for action in "add edit promote pin unpin keep forget restore link merge conflict supersede"
    " resolve expire evict compact clear session finalize accept reject snooze reinforce"
    " quarantine task complete use checkpoint fork incognito auto alias budget config"
    " import redact undo purge".split()
)
"""Words the journal uses for what was done."""

MOST_WORDS = 64
SPANS = ("1h", "today", "7d", "30d")


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """The arguments of a query of the journal; None means any."""

    action: str | None = None
    actor: str | None = None
    session: str | None = None
    memory: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: tuple[str, ...] = ()  # each occurs in what the entry says
    hints: tuple[str, ...] = field(default_factory=tuple)


def parse_filter(text: str, now: datetime) -> EntryFilter:
    """The filter that `text` means; of two tokens with one key, the later counts."""
    values: dict[str, Any] = {}
    hints: list[str] = []
    words: list[str] = []
    for token in text.split():
        key, colon, value = token.partition(":")
        key = key.lower()
        if not colon:
            key, value = _key_of(token), token
            if not key:
                words.append(token)
                continue
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, 1)
            advice = f"did you mean {near[0]}?" if near else f"filter by {', '.join(KEYS)}"
            hints.append(f"{key}: unknown; {advice}")
        elif not value:
            hints.append(f"{key}: needs a value")
        elif key in ("since", "until"):
            try:
                values[key] = moment(value, now=now)
            except ValueError:
                hints.append(f"{key}: needs 7d, 12h, today, monday or 2026-01-31")
        elif key == "actor" and value.lower() not in (*ACTORS, "you"):
            hints.append("actor: is you, agent, rule")
        else:
            values[key] = journal_name(value) if key in ("actor", "action") else value
    wanted = tuple(dict.fromkeys(words))
    if len(wanted) > MOST_WORDS:
        hints.append(f"only the first {MOST_WORDS} words count")
    return EntryFilter(**values, words=wanted[:MOST_WORDS], hints=tuple(hints))


def _key_of(word: str) -> str:
    word = word.lower()
    if word in ACTORS or word == "you":
        return "actor"
    if word in ACTIONS:
        return "action"
    return "since" if word in ("today", "yesterday") else ""


def toggled(text: str, key: str, value: str) -> str:
    """`text` with `key:value`, or without it if it is there already."""
    token = f"{key}:{value}"
    others = [other for other in text.split() if not other.lower().startswith(f"{key}:")]
    return " ".join(others if token in text.split() else [*others, token])


def completion(text: str) -> str | None:
    """`text` with its last word completed, or None."""
    head, space, word = text.rpartition(" ")
    key, colon, _ = word.partition(":")
    if not word:
        return None
    options = [f"{name}:" for name in KEYS]
    if colon:
        values = {
            "action": ACTIONS,
            "actor": ("you", "agent", "rule"),
            "since": (*SPANS, "yesterday"),
        }.get(key, ())
        options = [f"{key}:{option}" for option in values]
    match = next((option for option in options if option.startswith(word) and option != word), None)
    return None if match is None else head + space + match


class FilterSuggester(Suggester):
    """Shows the end of the word that is being typed."""

    async def get_suggestion(self, value: str) -> str | None:
        return completion(value)


# -- what is asked of the core, in a lane


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Entries, newest first."""

    entries: tuple[Entry, ...]
    is_complete: bool  # nothing older matches
    hints: tuple[str, ...]
    now: datetime
    matching: int = 0  # entries that match, read or not
    total: int = 0
    about: str = ""  # the memory and the session that the filter names, in words
    project: str = ""  # its id


def read_page(core: MemoryCoordinator, text: str, before: int | None, limit: int) -> EntryPage:
    """The newest `limit` entries that match the filter, older than entry `before`."""
    now = core.now()
    wanted = parse_filter(text, now)
    session = wanted.session
    if session:
        with contextlib.suppress(ManagerError):  # an id that nobody noted
            session = core.session_named(session).id
    request: dict[str, Any] = {name: getattr(wanted, name) for name in (*KEYS, "words")}
    request["session"] = session
    total, project = core.audit_count(), core.context.project_id
    try:
        entries = core.audit(**request, before=before, limit=limit)
        matching = (
            total if wanted == EntryFilter(hints=wanted.hints) else core.audit_count(**request)
        )
        about = _about(core, wanted.memory, session)
    except ManagerError as error:
        entries, matching, about = [], 0, ""
        wanted = replace(wanted, hints=(str(error), *wanted.hints))
    return EntryPage(
        tuple(entries), len(entries) < limit, wanted.hints, now, matching, total, about, project
    )


def _about(core: MemoryCoordinator, memory: str | None, session: str | None) -> str:
    titles = core.services.audit.titles([core.resolve(memory).id]) if memory else {}
    return ", ".join([*titles.values(), *core.services.sessions.names([session]).values()])


def read_entry(core: MemoryCoordinator, entry: Entry) -> Document:
    """The entry laid out; where the journal cannot tell its rows any more, with the reason."""
    titles = core.services.audit.titles(entry.memories[:MOST_ROWS])
    try:
        return entry_document(entry, core.differences(entry.seq), titles)
    except ManagerError as error:
        return entry_document(entry, (), titles, str(error))


# -- the list


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One line of the list."""

    entry: Entry

    @property
    def num(self) -> int:
        return self.entry.seq

    @property
    def revision(self) -> int:
        return hash((self.entry.seq, self.entry.undone_by))


class EntryPages(Pages[EntryRow]):
    """All entries that were read; their keys are their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def has(self, index: int) -> bool:
        return 0 <= index < len(self.entries)

    def row(self, index: int) -> EntryRow | None:
        return EntryRow(self.entries[index]) if self.has(index) else None


class HistoryList(VirtualList[EntryRow]):
    """Changes, newest first, under their days; more are asked for before the end is reached."""

    HELP = """\
## History
Every change, newest first: who made it, what, and to which memory. The pane beside it shows the
words before and after. `U` undoes the entry under the cursor.
"""

    class MoreWanted(Message):
        """The end is near; `to_the_end` if it is to be reached at once."""

        def __init__(self, before: int, to_the_end: bool) -> None:
            super().__init__()
            self.before, self.to_the_end = before, to_the_end

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.pages: EntryPages = EntryPages()
        self.is_complete = True
        self.today = date.min
        self.seen: int | None = None  # the newest entry of the visit before; None: no such visit
        self._is_asking = self._to_the_end = False

    @property
    def entries(self) -> list[Entry]:
        """The entries that were read, newest first."""
        return self.pages.entries

    @property
    def entry(self) -> Entry | None:
        """The entry under the cursor."""
        row = self.current
        return None if row is None else row.entry

    def show_entries(self, page: EntryPage, goes_to: int | None = None) -> None:
        """Replace everything. The cursor goes to entry `goes_to`, else stays on its entry."""
        seqs, here = array("q", [entry.seq for entry in page.entries]), self.current_key
        self.today = page.now.astimezone().date()
        self.pages.entries = list(page.entries)
        self.is_complete, self._is_asking = page.is_complete, False
        self.show(seqs, (), self._groups(), goes_to if goes_to in seqs else here)
        self.forget_paint()

    def _groups(self, start: int = 0) -> list[tuple[int, str]]:
        """The first entry of each day, and the first that was seen before, with their headings."""
        last = self.entries[start - 1].at.astimezone().date() if start else None
        groups = []
        for row in range(start, len(self.entries)):
            entry = self.entries[row]
            day = entry.at.astimezone().date()
            is_first_seen = row == self._news_count and row > 0
            if day != last or is_first_seen:
                words = "Seen before · " if is_first_seen else ""
                if row == 0 and self._news_count:
                    words = f"{self._news()} · "
                groups.append((row, words + self._day(day)))
                last = day
        return groups

    @property
    def _news_count(self) -> int:
        """How many entries are newer than the visit before; 0 if the user made them all."""
        seen = self.seen
        fresh = [entry for entry in self.entries if seen is not None and entry.seq > seen]
        return len(fresh) if any(entry.actor != "person" for entry in fresh) else 0

    def _news(self) -> str:
        """What others changed since the user was here, in a few words."""
        kinds: dict[str, int] = {}
        for entry in self.entries[: self._news_count]:
            if entry.actor != "person":
                kinds[act_words(entry)] = kinds.get(act_words(entry), 0) + 1
        common = sorted(kinds.items(), key=lambda item: -item[1])[:3]
        listed = ", ".join(f"{count} {action}" for action, count in common)
        return f"Since you were here: {counted(sum(kinds.values()), 'change')} ({listed})"

    def _day(self, day: date) -> str:
        names = {self.today: "Today", self.today - timedelta(days=1): "Yesterday"}
        year = f" {day.year}" if day.year != self.today.year else ""
        return f"{names.get(day, f'{day:%A}')} {day.day} {day:%B}{year}"

    def extend(self, page: EntryPage) -> None:
        """Add older entries below."""
        start = len(self.entries)
        self.keys.extend(entry.seq for entry in page.entries)
        self.entries.extend(page.entries)
        for row, heading in self._groups(start):
            self.lines.starts.append(row)
            self.headings.append(heading)
        self.is_complete, self._is_asking = page.is_complete, False
        self._measure()
        self.refresh()
        if self._to_the_end:
            self._to_the_end = not page.is_complete
            self.cursor = len(self.keys) - 1

    def _measure(self) -> None:
        height = self.lines.top(len(self.keys)) + (0 if self.is_complete else 1)
        self.virtual_size = Size(self.scrollable_content_region.width, height)

    def _hold(self, row: int, offset: int) -> None:
        if self.scroll_offset.y:  # at the top, new entries come into sight
            super()._hold(row, offset)

    def watch_cursor(self, old: int, new: int) -> None:
        super().watch_cursor(old, new)
        self._ask_for_more()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._ask_for_more()

    def _ask_for_more(self) -> None:
        if self.is_complete or self._is_asking or not self.entries:
            return
        height = self.scrollable_content_region.height
        lowest = max(self.scroll_offset.y + height, self.lines.top(self.cursor))
        if self._to_the_end or lowest + height >= self.lines.top(len(self.keys)):
            self._is_asking = True
            self.post_message(self.MoreWanted(self.entries[-1].seq, self._to_the_end))

    def action_move(self, steps: int, unit: str = "row") -> None:
        self._to_the_end = False
        super().action_move(steps, unit)

    def action_jump(self, row: int) -> None:
        """To the newest entry, or to the oldest, reading what is missing on the way."""
        self._to_the_end = row < 0 and not self.is_complete
        super().action_jump(row)
        if row >= 0:
            self.scroll_to(y=0, animate=False)
        self._ask_for_more()

    def draw_row(self, row: EntryRow, look: Look) -> Strip:
        pieces = entry_pieces(row.entry, look.width)
        segments = [
            Segment(text, self._ink(look, "" if look.is_flashing else role))
            for text, role in pieces
        ]
        return self._line_of(look, segments)


Piece = tuple[str, str]
"""A text, and the end of the name of its ink; "" for the row's own."""

ACTOR_GLYPHS = {"person": "●", "agent": "◆", "rule": "◦"}
UNDONE_GLYPH = "↶"
LEAD = 2  # cells of the cursor's bar
REASON_FROM = 14  # cells that must be left over for a reason


def entry_pieces(entry: Entry, cells: int) -> list[Piece]:
    """An entry on one line: time, actor, act, title, and the reason if there is room."""
    is_undone = entry.undone_by is not None
    action_cells = 11 if cells >= 56 else 9
    actor = entry.actor if entry.actor in ("person", "agent") and not is_undone else "muted"
    grave = "error" if entry.action in ("purge", "evict") else ""
    pieces: list[Piece] = []
    if cells >= 40:
        pieces.append((f"{entry.at.astimezone():%H:%M}  ", "muted"))
    pieces.append((ACTOR_GLYPHS.get(entry.actor, "·") + " ", actor))
    pieces.append((fit(act_words(entry), action_cells - 1) + " ", "muted" if is_undone else grave))
    end = f" {UNDONE_GLYPH}" if is_undone else ""
    room = max(1, cells - LEAD - sum(width(text) for text, _ in pieces) - width(end))
    title, reason = one_line(entry.title[:400]), one_line(entry.reason[:400])
    role = "undone" if is_undone else ""
    if not title:
        title, reason, role = reason or "—", "", "muted"
    number = f"  ×{len(entry.memories):,}" if len(entry.memories) > 1 else ""
    text = cut(title, max(1, room - width(number)))
    rest = room - width(text) - width(number)
    tail = (
        ("   " + fit(reason, rest - 3), "muted")
        if reason and reason != title and rest >= REASON_FROM + 3
        else (" " * rest, "")
    )
    return [*pieces, (text, role), (number, "muted"), tail, (end, "muted")]


def _exported(entry: Entry) -> Exported:
    """Return an entry to be copied, as one line."""
    what = act_words(entry)
    about = (
        f"{counted(len(entry.memories), 'memory', 'memories')}" if len(entry.memories) > 1 else ""
    )
    title = " ".join(filter(None, (what, about or entry.title)))
    when = f"{entry.at.astimezone():%Y-%m-%d %H:%M}"
    line = f"#{entry.seq} {when} {ACTOR_WORDS[entry.actor]}: {title}"
    return Exported(title, f"{line} ({entry.reason})" if entry.reason else line, entry)


# -- the screen


class HistoryView(View):
    """The list of changes, and the one under the cursor in full."""

    ACTS = HISTORY_ACTS
    HELP = HistoryList.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(HISTORY_ACTS, "history.back")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._goal: int | None = None  # the entry the cursor goes to with the next reading
        self._counts = (0, 0)  # entries that match, and all
        self._visited: dict[str, int | None] = {}  # by project, what the visit before had seen
        typed = FilterInput(
            placeholder="words, action:forget  actor:you  since:7d  memory:ab12",
            suggester=FilterSuggester(use_cache=False, case_sensitive=False),
        )
        self.box = FilterLine(self.load, self.focus_main, typed, id="history-filter")
        self.list = HistoryList(id="history-list")
        self.detail = TextPane("Before and after", id="history-detail")
        self._shown: Document | None = None
        self._stand_beside("History", self.detail)

    def on_mount(self) -> None:
        """Read the first page."""
        self.list.say_nothing(EMPTY)
        self._let_keys_wait_for(self.load())

    def place(self) -> Place:
        return Place(self.id or "", query=self.box.text)

    def open_place(self, position: Place) -> None:
        """Go to an entry, to those of a memory, or come back with the same filter."""
        if position.entry is not None:
            self.box.set_text("", silent=True)
            self.load(goes_to=int(position.entry))
        elif position.memory is not None:
            self.box.set_text(f"memory:{position.memory}")
        elif position.query is not None and position.query != self.box.text:
            self.box.set_text(position.query)

    # -- reading

    def load(self, wait: float = 0.0, *, goes_to: int | None = None) -> Worker[None]:
        """Read the entries that match; the cursor stays on its entry, or goes to `goes_to`."""
        if goes_to is not None:
            self._goal = goes_to
        return self._load(wait)

    @work(exclusive=True, group="history-list")
    async def _load(self, wait: float) -> None:
        await asyncio.sleep(wait)
        text, entries = self.box.text, self.list
        limit = LONG_PAGE if self._goal else max(PAGE, min(len(entries.entries), LONG_PAGE))
        page = await self.app.pages.run(lambda core: read_page(core, text, None, limit))
        goal, self._goal = self._goal, None
        self._note_visit(page)
        self._counts = page.matching, page.total
        self.list_pane.border_title = (
            Content(f"History of {cut(page.about, 40)}") if page.about else "History"
        )
        entries.say_nothing(NO_MATCH if text.strip() else EMPTY)
        entries.show_entries(page, goal)
        if goal is not None:
            entries.flashing = frozenset([goal])
        if page.hints:
            self.box.say(plain(f" {page.hints[0]} ", "$text-warning"))
        else:
            self.box.say_count(page.matching, page.total)
        self._follow()

    def _note_visit(self, page: EntryPage) -> None:
        """Mark what is new since the visit before, and remember this one."""
        before = self.app.last_run.now.seen
        is_first = page.project not in self._visited
        if is_first:
            self._visited[page.project] = before.get(page.project)
        self.list.seen = self._visited[page.project]
        newest = page.entries[0].seq if page.entries else 0
        # the first page may come before the screen it was asked for is the current one
        if (self.is_current or is_first) and newest > before.get(page.project, 0):
            self.app.last_run.keep(seen={**before, page.project: newest})

    @on(HistoryList.MoreWanted)
    def _more_wanted(self, event: HistoryList.MoreWanted) -> None:
        event.stop()
        self._load_more(event.before, LONG_PAGE if event.to_the_end else PAGE)

    @work(exclusive=True, group="history-more")
    async def _load_more(self, before: int, limit: int) -> None:
        text, entries = self.box.text, self.list.entries
        page = await self.app.pages.run(lambda core: read_page(core, text, before, limit))
        if text == self.box.text and entries is self.list.entries and entries[-1].seq == before:
            self.list.extend(page)
            self._follow()

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._follow()

    def _follow(self) -> None:
        """Say which entry of how many, and show it in full once the cursor rests."""
        self.refresh_bindings()
        number = f"{self.list.cursor + 1:,} of {self._counts[0]:,}"
        self.list_pane.border_subtitle = number if self.list.entries else ""
        self._read(self.list.entry)

    @work(exclusive=True, group="history-detail")
    async def _read(self, entry: Entry | None) -> None:
        await asyncio.sleep(RESTING_SECONDS)
        visible = self._shown
        self._shown = None
        if entry is not None:
            self._shown = await self.app.pages.run(lambda core: read_entry(core, entry))
        is_other = visible is None or self._shown is None or visible.value != self._shown.value
        self.detail.show(self._write, from_top=is_other)

    def _write(self, cells: int) -> Content:
        if self._shown is None:
            return Content("")
        return DocumentRenderer(cells, self.app.glyphs, self.app.clock()).render(self._shown)

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        self.load(goes_to=event.undid if event.is_ours and self.is_current else None)

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.list.begins_anew = True
        self.load()

    # -- acts

    def why_not(self, action: str) -> str:
        entry, name = self.list.entry, action.partition("(")[0]
        if name in ("undo_this", "open") and entry is None:
            return "No entry is chosen."
        if name == "undo_this" and entry is not None and entry.undone_by is not None:
            return f"Entry #{entry.undone_by} undid this one already."
        if name == "open" and entry is not None and not entry.memories and self.detail.display:
            return "This entry touched no memory."
        return ""

    def action_undo_this(self) -> None:
        """Undo the entry under the cursor; the app says what came of it."""
        if entry := self.list.entry:
            self.app.changes.undo(entry.seq)

    @on(Opened)
    def action_open(self) -> None:
        """Where only the list is shown, the entry in full; else its memory."""
        entry = self.list.entry
        if entry is None:
            return
        if not self.detail.display:
            self._read_in(self.detail)
        elif len(entry.memories) == 1:
            self.post_message(OpenMemory(entry.memories[0]))
        elif entry.memories:
            self._choose_memory(entry.memories[:MOST_CHOICES])

    @asks
    async def _choose_memory(self, ids: Sequence[str]) -> None:
        titles = await self.app.pages.run(lambda core: core.services.audit.titles(ids))
        choices = [Choice(memory, title) for memory, title in titles.items()]
        chosen = await self.app.ask(Menu("Open which memory?", choices))
        if chosen is not None:
            self.post_message(OpenMemory(chosen))

    @asks
    async def action_filters(self) -> None:
        """Offer what to narrow the list by; what is in force already is taken out again."""
        text, entry = self.box.text, self.list.entry
        offers: dict[str, tuple[str, str]] = {}
        if entry is not None:
            actor = "you" if entry.actor == "person" else entry.actor
            offers["actor"] = (f"only {actor}", f"actor:{actor}")
            offers["action"] = (f"only {act_words(entry)}", f"action:{act_words(entry)}")
            if entry.memories:
                offers["memory"] = ("only this memory", f"memory:{entry.memories[0]}")
            if entry.session:
                offers["session"] = ("only this session", f"session:{entry.session[:8]}")
        offers |= {f"since {span}": (f"since {span}", f"since:{span}") for span in SPANS}
        if text:
            offers["all"] = ("everything", "")
        letters = {"actor": "b", "action": "a", "memory": "m", "session": "s", "all": "0"}
        letters |= {f"since {span}": str(number) for number, span in enumerate(SPANS, 1)}
        choices = [
            Choice(name, label, "on" if token and token in text.split() else "", letters[name])
            for name, (label, token) in offers.items()
        ]
        chosen = await self.app.ask(Menu("Show…", choices))
        if chosen is not None:
            key, _, value = offers[chosen][1].partition(":")
            self.box.set_text(toggled(text, key, value) if key else "")

    def exported(self, *, is_all: bool) -> Export:
        text, entry, count = self.box.text, self.list.entry, max(self._counts[0], 1)
        if not is_all:
            return lambda _: [_exported(entry)] if entry else []
        return lambda core: map(_exported, read_page(core, text, None, count).entries)

    @property
    def listed_count(self) -> int:
        return self._counts[0]

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        event.stop()
        self.offer("Change", [act for act in HISTORY_ACTS[:3] if not self.why_not(act.action)])

    async def on_click(self, event: events.Click) -> None:
        """An entry that a row of the pane names."""
        kind, _, name = str(event.style.meta.get("memdeck_link", "")).partition(":")
        if kind == "entry" and name.isdecimal():
            event.stop()
            self.box.set_text("", silent=True)
            self.load(goes_to=int(name))
        elif kind == "memory":
            event.stop()
            self.post_message(OpenMemory(name))
