"""History: changes with actor, time and reason, the words before and after, and undo."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from textual import on
from textual.content import Content
from textual.strip import Strip
from textual.worker import Worker

from ...core.answers import Entry
from ...core.context import names_of
from ...core.documents.document import Document
from ...core.documents.entry import (
    ACTOR_WORDS,
    MOST_ROWS,
    act_words,
    entry_document,
    journal_name,
)
from ...core.text.times import moment
from ...core.values import ACTORS
from ...db.errors import ManagerError
from .. import view, widgets
from ..changes import plain_entry_words
from ..dialogs import Choice, Menu
from ..lanes import asks
from ..text import counted, cut, fit, plain, width

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

PAGES = (200, 10_000)  # entries read: at once, and all that the view keeps
MOST_CHOICES = 50  # memories of one entry that are offered for opening

HISTORY_ACTS = (
    view.Act("history.undo", "U", "Undo this", "undo_this", "Undoes this entry, not the newest."),
    view.Act("history.open", "enter", "Open memory", "open", "Opens the entry's memory."),
    view.FILTER_ACT,
    view.COPY_ACT,
)  # fmt: skip
"""The acts of History, beside the common ones."""

EMPTY = widgets.empty_text(
    "Nothing was changed yet.",
    "Every change is listed here: who made it, what it was before and after. `U` undoes the change"
    " under the cursor.",
    ("1", "open Memories, where c writes one"),
    ("5", "connect an agent in Setup"),
)
NO_MATCH = widgets.nothing_fits("No change matches the filter.")


# -- the filter

KEYS = ("action", "actor", "session", "memory", "since", "until")

MOST_WORDS = 64


def parse_filter(text: str, now: datetime) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments of a query of the journal, and the invalid parts of `text`.

    Of two tokens with one key, the later counts. Each of `words` occurs in the entry's text.
    """
    request: dict[str, Any] = {}
    hints: list[str] = []
    words: list[str] = []
    for token in text.split():
        key, colon, value = token.partition(":")
        key = key.lower()
        if not colon:
            words.append(token)
        elif key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, 1)
            advice = f"did you mean {near[0]}?" if near else f"filter by {', '.join(KEYS)}"
            hints.append(f"{key}: unknown; {advice}")
        elif not value:
            hints.append(f"{key}: needs a value")
        elif key in ("since", "until"):
            try:
                request[key] = moment(value, now=now)
            except ValueError:
                hints.append(f"{key}: needs 7d, 12h, today, monday or 2026-01-31")
        elif key == "actor" and value.lower() not in (*ACTORS, "you"):
            hints.append("actor: is you, agent, rule")
        else:
            request[key] = journal_name(value) if key in ("actor", "action") else value
    if words:
        request["words"] = tuple(dict.fromkeys(words))[:MOST_WORDS]
    return request, hints


# -- calls of the core, in a lane


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Entries, newest first."""

    entries: tuple[Entry, ...]
    hints: tuple[str, ...]
    now: datetime
    matching: int = 0  # entries that match, read or not
    total: int = 0
    about: str = ""  # the memory and the session that the filter names, in words
    project: str = ""  # its id


def read_page(core: MemoryCoordinator, text: str, limit: int) -> EntryPage:
    """Return the newest `limit` entries that match the filter."""
    now = core.now()
    request, hints = parse_filter(text, now)
    if "session" in request:
        with contextlib.suppress(ManagerError):  # an unknown id
            request["session"] = core.session_named(request["session"]).id
    total, project = core.audit_count(), core.context.project_id
    try:
        entries = core.audit(**request, limit=limit)
        matching = core.audit_count(**request) if request else total
        memory, session = request.get("memory"), request.get("session")
        titles = core.services.audit.titles([core.resolve(memory).id]) if memory else {}
        names = names_of(core.context.database, [session])
        about = ", ".join([*titles.values(), *names.values()])
    except ManagerError as error:
        entries, matching, about = [], 0, ""
        hints = [str(error), *hints]
    return EntryPage(tuple(entries), tuple(hints), now, matching, total, about, project)


def read_entry(core: MemoryCoordinator, entry: Entry) -> Document:
    """Return the document of an entry; with the reason if the journal has lost its rows."""
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


class HistoryList(widgets.VirtualList[EntryRow]):
    """Changes, newest first, under their days."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.entries: Sequence[Entry] = ()  # newest first
        self.seen: int | None = None  # the newest entry of the visit before; None: no such visit

    @property
    def entry(self) -> Entry | None:
        row = self.current
        return None if row is None else row.entry

    def show_entries(self, page: EntryPage, goes_to: int | None = None) -> None:
        """Replace everything. The cursor goes to entry `goes_to`, else stays on its entry."""
        seqs, here = array("q", [entry.seq for entry in page.entries]), self.current_key
        self.entries = page.entries
        rows = [EntryRow(entry) for entry in page.entries]
        is_at_top = not self.scroll_offset.y  # there, new entries come into sight
        groups = self._groups(page.now.astimezone().date())
        self.show(seqs, rows, groups, goes_to if goes_to in seqs else here)
        if is_at_top and goes_to is None:
            self.scroll_to(y=0, animate=False)

    def _groups(self, today: date) -> list[tuple[int, str]]:
        """The first entry of each day, and the first that was seen before, with their headings."""
        seen = self.seen
        fresh = [entry for entry in self.entries if seen is not None and entry.seq > seen]
        others = [entry for entry in fresh if entry.actor != "person"]
        last, groups = None, list[tuple[int, str]]()
        for row, entry in enumerate(self.entries):
            day = entry.at.astimezone().date()
            is_first_seen = bool(others) and row == len(fresh)
            if day != last or is_first_seen:
                words = "Seen before · " if is_first_seen else ""
                if row == 0 and others:
                    words = f"{_news(others)} · "
                groups.append((row, words + widgets.day_words(day, today)))
                last = day
        return groups

    def draw_row(self, row: EntryRow, look: widgets.Look) -> Strip:
        pieces = entry_pieces(row.entry, look.width)
        return self.line_of(look, [Segment(text, self.ink(look, role)) for text, role in pieces])


def _news(entries: Sequence[Entry]) -> str:
    """Return changes by others since the last visit, in a few words."""
    kinds = Counter(act_words(entry) for entry in entries)
    listed = ", ".join(f"{count} {action}" for action, count in kinds.most_common(3))
    return f"Since you were here: {counted(len(entries), 'change')} ({listed})"


Piece = tuple[str, str]
"""A text, and the suffix of its ink's name; "" for the row's own."""

ACTOR_GLYPHS = {"person": "●", "agent": "◆", "rule": "◦"}
UNDONE_GLYPH = "↶"


def entry_pieces(entry: Entry, cells: int) -> list[Piece]:
    """Return an entry on one line: time, actor, act and title."""
    is_undone = entry.undone_by is not None
    actor = entry.actor if entry.actor in ("person", "agent") and not is_undone else "muted"
    grave = "error" if entry.action in ("purge", "evict") else ""
    pieces: list[Piece] = []
    if cells >= 40:
        pieces.append((f"{entry.at.astimezone():%H:%M}  ", "muted"))
    pieces.append((ACTOR_GLYPHS.get(entry.actor, "·") + " ", actor))
    pieces.append((fit(act_words(entry), 10) + " ", "muted" if is_undone else grave))
    number = f"  ×{len(entry.memories):,}" if len(entry.memories) > 1 else ""
    tail = number + (f" {UNDONE_GLYPH}" if is_undone else "")
    room = max(1, cells - widgets.LEAD - sum(width(text) for text, _ in pieces) - width(tail))
    title = fit(entry.title or entry.reason or "—", room)
    return [*pieces, (title, "undone" if is_undone else ""), (tail, "muted")]


def _exported(entry: Entry) -> view.Exported:
    title = plain_entry_words(entry)
    when = f"{entry.at.astimezone():%Y-%m-%d %H:%M}"
    line = f"#{entry.seq} {when} {ACTOR_WORDS[entry.actor]}: {title}"
    return view.Exported(title, f"{line} ({entry.reason})" if entry.reason else line, entry)


# -- the screen


class HistoryView(view.View):
    """The list of changes, and the one under the cursor in full."""

    ACTS = HISTORY_ACTS
    no_row = "No entry is chosen."

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._goal: int | None = None  # the entry the cursor goes to with the next reading
        self._counts = (0, 0)  # entries that match, and all
        self._visited: dict[str, int | None] = {}  # by project, the newest entry of the last visit
        typed = widgets.FilterInput("words, action:forget  actor:you  since:7d  memory:ab12")
        self.box = widgets.FilterLine(self.load, self.focus_main, typed, id="history-filter")
        self.list: HistoryList = HistoryList(id="history-list")
        self.detail = widgets.TextPane("Before and after", id="history-detail")
        self.lay_out("History", self.detail)

    def on_mount(self) -> None:
        self.list.say_nothing(EMPTY)
        self.let_keys_wait_for(self.load())

    def open_place(self, position: view.Place) -> None:
        """Go to an entry, to those of a memory, or come back with the same filter."""
        if position.entry is not None:
            self.box.set_text("", silent=True)
            self.load(goes_to=int(position.entry))
        elif position.memory is not None:
            self.box.set_text(f"memory:{position.memory}")
        elif position.query is not None:
            self.box.set_text(position.query)

    # -- reading

    def load(self, wait: float = 0.0, *, goes_to: int | None = None) -> Worker[None]:
        """Read the entries that match; the cursor stays on its entry, or goes to `goes_to`."""
        if goes_to is not None:
            self._goal = goes_to
        return self.begin(self._load, "history-list", after=wait)

    async def _load(self) -> None:
        text, entries = self.box.text, self.list
        is_near = entries.cursor < PAGES[0] // 2 and self._goal is None
        for limit in PAGES if is_near else PAGES[1:]:
            page = await self.app.pages.run(lambda core, limit=limit: read_page(core, text, limit))  # type: ignore[misc]
            goal, self._goal = self._goal, None
            await self._note_visit(page)
            self._counts = page.matching, page.total
            about = f"History of {cut(page.about, 40)}" if page.about else "History"
            self.list_pane.border_title = Content(about)
            entries.say_nothing(NO_MATCH if text.strip() else EMPTY)
            entries.show_entries(page, goal)
            if page.hints:
                self.box.say(plain(f" {page.hints[0]} ", "$text-warning"))
            else:
                self.box.say_count(page.matching, page.total)
            self.follow()
            if len(page.entries) < limit:
                break

    async def _note_visit(self, page: EntryPage) -> None:
        """Mark new entries since the last visit, and remember this one."""
        carried = self.app.carried
        is_first = page.project not in self._visited
        if is_first:
            self._visited[page.project] = carried.seen.get(page.project)
        self.list.seen = self._visited[page.project]
        newest = page.entries[0].seq if page.entries else 0
        # the first page may come before the screen it was asked for is the current one
        if (self.is_current or is_first) and newest > carried.seen.get(page.project, 0):
            carried.seen[page.project] = newest
            await asyncio.to_thread(carried.save)

    def follow(self) -> None:
        """Show the number of the entry, and the entry in full once the cursor rests."""
        self.refresh_bindings()
        self.say_row()
        self.begin(self._read, "history-detail", after=widgets.RESTING_SECONDS)

    async def _read(self) -> None:
        entry, document = self.list.entry, None
        if entry is not None:
            document = await self.app.pages.run(lambda core: read_entry(core, entry))
        self.detail.show_document(document, self.app.clock())

    @on(view.MemoriesChanged)
    def _changed(self, event: view.MemoriesChanged) -> None:
        self.load(goes_to=event.undid if self.is_current else None)

    @on(view.ProjectChanged)
    def _other_project(self) -> None:
        self.list.is_new_query = True
        self.load()

    # -- acts

    def why_not(self, action: str) -> str:
        entry, name = self.list.entry, action.partition("(")[0]
        if entry is None:
            return super().why_not(action)
        if name == "undo_this" and entry.undone_by is not None:
            return f"Entry #{entry.undone_by} undid this one already."
        if name == "open" and not entry.memories and self.detail.display:
            return "This entry touched no memory."
        return ""

    def action_undo_this(self) -> None:
        if entry := self.list.entry:
            self.app.changes.undo(entry.seq)

    @on(widgets.Opened)
    def action_open(self) -> None:
        entry = self.list.entry
        if entry is None:
            return
        if not self.detail.display:
            self.read_in(self.detail)
        elif len(entry.memories) == 1:
            self.app.call_later(self.app.action_follow, f"memory:{entry.memories[0]}")
        elif entry.memories:
            self._choose_memory(entry.memories[:MOST_CHOICES])

    @asks
    async def _choose_memory(self, ids: Sequence[str]) -> None:
        titles = await self.app.pages.run(lambda core: core.services.audit.titles(ids))
        choices = [Choice(memory, title) for memory, title in titles.items()]
        chosen = await self.app.ask(Menu("Open which memory?", choices))
        if chosen is not None:
            await self.app.action_follow(f"memory:{chosen}")

    def exported(self, *, is_all: bool) -> view.Export:
        text, entry, count = self.box.text, self.list.entry, max(self._counts[0], 1)
        if not is_all:
            return lambda _: [_exported(entry)] if entry else []
        return lambda core: map(_exported, read_page(core, text, count).entries)

    @property
    def listed_count(self) -> int:
        return self._counts[0]
