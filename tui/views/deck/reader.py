"""The pane of the memory under the cursor; what the core is asked for it, and for the marked."""

from __future__ import annotations

import asyncio
import os
import re
import time
from array import array
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ....core.answers import StoreResult
from ....core.context import left_behind
from ....core.errors import ManagerError
from ....core.places import FilePlace, file_places
from ....core.query.language import Query
from ....core.services.bulk import special
from ....core.values import Hit, Memory
from ...glyphs import Glyphs
from ...markdown import prepare
from ...widgets.account import LAST_INJECTIONS, LONGEST_BODY, Account, Shown, Why
from ...widgets.text_pane import scroll_keys

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from .view import Deck


class Detail(VerticalScroll, can_focus=True):
    """One memory with everything known of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
        Binding("n", "match(1)", "Next match", show=False, id="detail.next_match"),
        Binding("N", "match(-1)", "Last match", show=False, id="detail.previous_match"),
    ]
    HELP = """\
## Memory
The memory under the cursor: its text, every field, where it was learned, and its links.
`H` adds its history, `w` says why it is a hit.
"""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.shown: Shown | None = None
        self.terms: re.Pattern[str] | None = None
        self.now = datetime.now(UTC)
        self._match = -1
        self._written = Content("")
        # held, not looked up: an answer may arrive while the app is being taken down
        self._text = Static("", id="detail-text", markup=False)

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, shown: Shown | None, terms: re.Pattern[str] | None, now: datetime) -> None:
        """Show a memory, or nothing; another memory starts at its top."""
        is_other = self.shown is None or shown is None or self.shown.memory.id != shown.memory.id
        self.shown, self.terms, self.now = shown, terms, now
        self._write()
        if is_other:
            self._match = -1
            self.scroll_home(animate=False, immediate=True)

    def _write(self) -> None:
        text = Content("")
        if self.shown is not None:
            width = self.scrollable_content_region.width - 1
            text = Account(width, self.glyphs, self.now).of(self.shown, self.terms)
        if not text.is_same(self._written):  # else the whole screen is laid out for nothing
            self._written = text
            self._text.update(text)

    def on_resize(self) -> None:
        self._write()

    # -- matches

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Matches are walked only where there are some; else the key means what it means."""
        if action == "match":
            return self._has_match
        return super().check_action(action, parameters)

    @property
    def _has_match(self) -> bool:
        if self.terms is None or self.shown is None:
            return False
        memory = self.shown.memory
        return bool(self.terms.search(memory.title) or self.terms.search(memory.content))

    def _lines(self) -> list[str]:
        """The text as it is wrapped now."""
        width = self.scrollable_content_region.width - 1
        if self.shown is None or width < 1:
            return []
        content = Account(width, self.glyphs, self.now).of(self.shown, self.terms)
        return [line.plain for line in content.wrap(width)]

    def _match_lines(self) -> list[int]:
        """The lines in which the query's words stand."""
        if self.terms is None:
            return []
        return [row for row, line in enumerate(self._lines()) if self.terms.search(line)]

    def bring_to_sight(self, section: str) -> None:
        """Scroll to the section with this heading, unless all of it stands in sight."""
        lines, rule = self._lines(), self.glyphs.empty * 2
        for row, line in enumerate(lines):
            if line.startswith(f"{section} ") and line.endswith(rule):
                blank = (end for end in range(row, len(lines)) if not lines[end].strip())
                if next(blank, len(lines)) > self.size.height:
                    # when it is laid out: it has just grown
                    self.call_after_refresh(self.scroll_to, y=row, animate=False)
                return

    def action_match(self, direction: int) -> None:
        """Scroll to the next line with a match."""
        lines = self._match_lines()
        if lines:
            self._match = (self._match + direction) % len(lines)
            self.scroll_to(y=max(lines[self._match] - 1, 0), animate=False)


RESTING_SECONDS = 0.04  # the cursor rests before what is said of its row follows
RUNNING_SECONDS = 0.15  # the same while it goes on and on, as with a key held down
LONGEST_RUN = 0.4  # for so long what others wrote is not looked at while the cursor goes on
MOST_COUNTED = 2_000  # marked rows that are looked at for what is special about them


class Reader:
    """What the Deck knows of the memory one reads."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.with_history = False
        self.with_why = False
        self._asked_for = ""  # the part that the person wants to see
        self._moved_at = 0.0

    def follow(self, wait: float = 0.0) -> None:
        """Show the memory under the cursor once it rests."""
        self.deck.begin(partial(self._read, wait), "detail")

    def follow_moving(self) -> None:
        """The cursor goes its way: one key paints its rows alone, all else comes when it rests.

        What is painted in one go is painted with all that lies between, to the foot of the screen.
        """
        wait = RUNNING_SECONDS if self.is_running else RESTING_SECONDS
        self._moved_at = time.monotonic()
        self.follow(wait)

    def follow_news(self) -> None:
        """What others wrote may be about the memory that is read; on its way nothing is read."""
        if not self.is_running:
            self.follow()

    @property
    def is_running(self) -> bool:
        """Whether the cursor goes on and on; the memory where it comes to rest is read then."""
        return time.monotonic() - self._moved_at < RUNNING_SECONDS

    async def rested(self, longest: float = LONGEST_RUN) -> None:
        """Return once the cursor rests, or has gone on for so long that one must not wait more."""
        until = time.monotonic() + longest
        while time.monotonic() < min(until, self._moved_at + RUNNING_SECONDS):
            await asyncio.sleep(RESTING_SECONDS)

    async def _read(self, wait: float) -> None:
        await asyncio.sleep(wait)
        if wait:
            self.deck.finder.say_place()
            self.deck.refresh_bindings()
        num, asked = self.deck.memories.current_key, self.deck.finder.asked
        terms = self.deck.memories.terms
        if num is None:
            self.deck.detail.show(None, None, self.deck.app.clock())
            return
        app, with_history = self.deck.app, self.with_history
        shown = await app.pages.run(lambda core: read(core, num, with_history=with_history))
        if shown is not None and self.with_why:
            why = await app.search.run(lambda core: explain(core, asked, num))
            shown = replace(shown, why=why)
        self.deck.detail.show(shown, terms, self.deck.app.clock())
        if self._asked_for:
            self.deck.detail.bring_to_sight(self._asked_for)
            self._asked_for = ""
        self.deck.refresh_bindings()

    def toggle(self, part: str) -> None:
        """Show or hide why this is a hit (`why`), or what happened to the memory (`life`)."""
        if part == "why":
            is_on = self.with_why = not self.with_why
        else:
            is_on = self.with_history = not self.with_history
        self._asked_for = ("why" if part == "why" else "history") if is_on else ""
        self.follow()
        self.deck.detail.scroll_home(animate=False)

    def say_marks(self) -> None:
        """How many are marked, and what an act on them would touch."""
        self.deck.begin(self._say_marks, "marks")

    async def _say_marks(self) -> None:
        memories = self.deck.memories
        marked = len(memories.marks.keys)
        keys = self.deck.app.stage.keys
        if not self.deck.is_current:
            return  # that line speaks of another view now
        range_says = "range · " if memories.marks.in_range else ""
        if not marked:
            keys.say("")
        elif marked > MOST_COUNTED:
            keys.say(f"{range_says}{marked:,} marked")
        else:
            keys.say(f"{range_says}{marked:,} marked")
            nums = sorted(memories.marks.keys)
            says = await self.deck.app.pages.run(lambda core: special_among(core, nums))
            if not self.deck.is_current:
                return
            keys.say(f"{range_says}{marked:,} marked{says and f': {says}'}")
        self.deck.refresh_bindings()


MOST_EXPLAINED = 60  # hits that are ranked with all signals


def read(core: MemoryCoordinator, num: int, *, with_history: bool) -> Shown | None:
    """One memory with its links, where it was told, and its history if wanted. Runs in a lane."""
    memory = core.memory(num)
    if memory is None:
        return None
    history = core.history(memory.id) if with_history else None
    prepare(memory.content[:LONGEST_BODY])
    told = core.injections(memory.id, LAST_INJECTIONS + 1)
    return Shown(
        memory,
        core.links(memory.id),
        history,
        here=core.project.id,
        worth=core.worth(memory.id) if memory.is_live else None,
        injections=told,
        named=words_for(core, memory),
    )


def words_for(core: MemoryCoordinator, memory: Memory) -> dict[str, str]:
    """By id, what is said instead of it: sessions and another project by their names, memories
    by their titles."""
    sources = memory.details.get("source_sessions") or ()
    names = core.services.sessions.names([memory.origin.session, *map(str, sources)])
    if memory.project not in ("", core.project.id):
        names |= {one.id: one.name for one in core.projects() if one.id == memory.project}
    return names | {one: core.show(one).title for one, _, _ in memory.both_hold}


def explain(core: MemoryCoordinator, asked: Query, num: int) -> Why:
    """The parts of a hit's score, and the hit behind it. Runs in a lane."""
    if not (asked.words or asked.phrases):
        return Why(None, is_ranked=False)
    hits: Sequence[Hit] = core.search(asked, limit=MOST_EXPLAINED)
    for place, hit in enumerate(hits):
        if hit.memory.num == num:
            after = hits[place + 1] if place + 1 < len(hits) else None
            return Why(hit, place + 1, after, account=core.account(asked, hit))
    return Why(None)


def place_of(core: MemoryCoordinator, ref: str) -> tuple[int, bool]:
    """The row number of a memory, and whether it is live. Raises NotFound, Ambiguous."""
    memory = core.show(ref)
    return memory.num, memory.is_live


def special_among(core: MemoryCoordinator, nums: Sequence[int]) -> str:
    """What deserves a second look among these rows."""
    return special(core.services.bulk.targets(nums))


def nums_of(core: MemoryCoordinator, ids: Sequence[str]) -> set[int]:
    """The row numbers of those of these memories that are there. Runs in a lane."""
    found = set[int]()
    for memory in ids:
        try:
            found.add(core.resolve(memory).num)
        except ManagerError:
            continue
    return found


def news_of(core: MemoryCoordinator, asked: Query, shown: array[int]) -> int:
    """How many of the result are newer than all that is shown. Runs in a lane."""
    return core.services.search.newer(asked, max(shown, default=0))


def left_behind_near(core: MemoryCoordinator) -> int:
    """How many memories may be of this project, whose folder was renamed or has another remote."""
    here = core.project
    place = os.path.dirname(here.root)
    return sum(
        one.memories
        for one, _ in left_behind(core.context)
        if one.name == here.name or os.path.dirname(one.root) == place
    )


def remember(core: MemoryCoordinator, fields: dict[str, Any]) -> StoreResult:
    """Keep a new memory; runs in the write lane."""
    given = dict(fields)
    text = cast(str, given.pop("content"))
    return core.remember(text, **given)


def memories_of(core: MemoryCoordinator, nums: list[int]) -> list[Memory]:
    return [memory for num in nums if (memory := core.memory(num)) is not None]


def places_named(core: MemoryCoordinator, num: int) -> list[FilePlace]:
    """The files that a memory names; none when it is gone. Runs in a lane: looks at the disk."""
    memory = core.memory(num)
    return [] if memory is None else file_places(core, memory)
