"""Review: the queue of items that need a verdict at the left, one card at the right.

One rule on every card: the lit side stays. `enter` carries out the card's proposal, `a` accepts or
keeps both sides, `x` rejects a single memory, `X` retires both sides or all likely junk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Static
from textual.worker import Worker

from ...core.details import numbers_of
from ...core.documents import candidate as documents
from ...core.documents.candidate import HEADINGS, side_facts
from ...core.documents.document import Mark, Section, document, section
from ...core.documents.memory import Numbers, number_sections
from ...core.judgements import RefusedCapture
from ...core.services.bulk import Effect
from ...core.services.review import ReviewItem, cannot
from ...core.services.review_entries import ReviewEntry
from ...core.text.sameness import ALIKE
from ...core.values import Memory, ms_of
from ...db.errors import ManagerError, NotFound
from .. import view, widgets
from ..dialogs import Choice, Confirm, Menu, Preview
from ..lanes import asks, may_ask
from ..text import MARK, age, counted, cut, filter_of, fit, one_line, plain, quoted

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

REVIEW_ACTS = (
    view.Act("review.propose", "enter", "Agree", "propose", "Carries out what the card proposes."),
    view.Act("review.accept", "a", "Accept", "decide('accept')",
        "Accepts it. Of two, both stay. An outdated memory is confirmed."),
    view.Act("review.reject", "x", "Reject", "decide('reject')",
        "Rejects a single memory, or declines a suggestion."),
    view.UNDO,
    view.Act("review.snooze", "s", "Snooze", "snooze", "Hides it for an hour, a day or a week."),
    view.Act("review.edit", "e", "Edit", "edit",
        "Edits it in a form. A new blank line makes two memories. Saving accepts."),
    view.Act("review.merge", "M", "Merge", "merge",
        "Merges a candidate into the nearest memory, or writes one text for both sides."),
    view.Act("review.neither", "X", "Neither", "neither",
        "Takes away both sides, or all likely junk. It says what first.", show=False),
    view.Act("review.left", "left", "Side", "light(0)", "Chooses the left side: it stays.",
        key_display="← →"),
    view.Act("review.right", "right", "Right side", "light(1)", "Chooses the right side: it stays.",
        show=False),
    view.Act("review.done", "d", "Done", "decide('done')", "Ends a task that is done.", show=False),
    view.Act("memory.pin", "p", "Pin", "pin",
        "Accepts and pins it: injected at starts, as many as fit.", show=False),
    view.Act("memory.why", "w", "Why", "why", "Shows all numbers, or hides them.", show=False),
    view.Act("memory.injections", "i", "Injected", "injections", "Shows where it was injected.",
        show=False),
    view.TRANSCRIPT_ACT,
    view.COPY_ACT,
    view.Act("review.open", "", "Open memory", "open", "Opens the lit memory in Memories."),
    view.Act("review.nearest", "", "Nearest memory", "nearest", "Opens the nearest memory."),
    view.Act("review.filtered", "f", "Filtered", "turn", "Shows captures that a check dropped.",
        of_row=False),
    view.Act("list.mark_all", "A", "Mark all", "mark('all')",
        "Marks every item for one act on all.", show=False),
    view.Act("list.mark", "space", "Mark", "mark('row')", "Marks the item and goes on.",
        show=False),
    view.FILTER_ACT,
)  # fmt: skip
"""The acts of Review, beside the common ones."""

JUNK = "Likely junk"
JUNK_KEY = "X rejects all"

NOTHING = widgets.empty_text(
    "Nothing needs your word.",
    "Records of agents and captures of hooks come here first, and two memories that contradict each"
    " other or say the same, and tasks past their date.",
    ("f", "look at filtered captures"),
    ("1", "go to Memories"),
)
NOTHING_FILTERED = widgets.empty_text(
    "No capture was filtered.",
    "A capture that a check drops is listed here with the reason.",
    ("f", "back to the queue"),
)
NOTHING_FITS = widgets.nothing_fits("No item fits the filter.")

PAST = {
    "accept": "Accepted",
    "reject": "Rejected",
    "done": "Done with",
    "merge": "Merged",
    "neither": "Retired",
}
PAIR_SAYS = {
    "accept": "Both stay.",
    "keep": "Kept {}. It replaces the other one.",
    "merge": "Merged into {}.",
    "neither": "Retired both sides.",
}
OF_TWO = "Of two, x takes nothing away: enter keeps the lit side, X retires both."
TITLE_CELLS = 26  # of a title in a notice
MOST_FILTERED = 200
MINUTE_SECONDS = 30.0  # between two checks of snoozed items
MORNING = 8  # o'clock, when items snoozed for days return
TWO_LINES_FROM = 24  # rows of the list from which an item has two lines
STACKED_BELOW = 100  # columns below which the card is under the list
SIDES_FROM = 56  # cells of the card from which two sides fit beside each other
MOST_COMPARED = 8_000  # characters of each side
QUOTED = re.compile(r"“([^”]{1,80})”")  # quotations of the texts in the reason of a conflict


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One item of the list. `num` names it while the app runs."""

    num: int
    title: str
    text: str
    is_conflict: bool
    is_muted: bool

    @property
    def revision(self) -> int:
        return hash((self.title, self.text, self.is_conflict, self.is_muted))


class ReviewList(widgets.VirtualList[ReviewRow]):
    """The queue, by kind under headings."""

    def draw_row(self, row: ReviewRow, look: widgets.Look) -> Strip:
        ink = "conflict" if row.is_conflict else "muted" if row.is_muted else ""
        mark = fit(MARK if look.is_marked else "", widgets.LEAD)
        title = fit(one_line(row.title), max(look.width - 2 * widgets.LEAD, 1))
        segments = [Segment(mark, self.ink(look, "mark")), Segment(title, self.ink(look, ink))]
        return self.line_of(look, segments)

    def draw_below(self, row: ReviewRow, look: widgets.Look) -> Strip:
        text = fit(one_line(row.text), max(look.width - 2 * widgets.LEAD, 1))
        return self.line_of(look, [Segment(" " * widgets.LEAD + text, self.ink(look, "muted"))])


class CardPane(widgets.TextPane, inherit_bindings=False):
    """One memory to judge. Letters go on to the screen."""

    BINDINGS = widgets.scroll_keys(letters=False)


@dataclass(frozen=True, slots=True)
class Card:
    """An item, and the texts of a pair with the words marked in which they differ."""

    item: ReviewItem
    texts: tuple[Content, ...] = ()


class ReviewView(view.View):
    """The queue at the left, the card of one item at the right."""

    ACTS = REVIEW_ACTS
    has_foot = True

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.entries: list[ReviewEntry] = []  # those that are listed
        self.captures: list[RefusedCapture] = []
        self.lit = 0  # place of the side that stays
        self._card: Card | None = None  # as it is shown
        self.numbers: Numbers | None = None  # of that card, while `w` shows them
        self._all: list[ReviewEntry] = []  # as read last
        self._every: list[RefusedCapture] = []
        self._deciding: set[str] = set()  # keys of items whose verdict is being written
        self._goal: frozenset[str] = frozenset()  # ids of memories to go to
        self._decided: set[str] = set()  # keys of the items decided here
        self._shown = ""  # key of the item that the card shows
        self.box = widgets.FilterLine(
            lambda _: self._list_again(), self.focus_main, id="review-filter"
        )
        self.list: ReviewList = ReviewList(id="review-list")
        self.head = Static("", id="review-head", markup=False)
        self.foot = Static("", id="review-foot", markup=False)
        self.sides = (CardPane("", id="review-first"), CardPane("", id="review-second"))
        for side in self.sides:
            side.add_class("side")
        self.both = Container(*self.sides, id="review-sides")
        self.list_pane = Horizontal(self.list, id="review-list-pane", classes="pane")
        self.beside = self.sides

    def compose(self) -> ComposeResult:
        yield self.box
        yield Container(
            self.list_pane,
            Vertical(self.head, self.both, self.foot, id="review-card"),
            id="review-panes",
        )

    def on_mount(self) -> None:
        self.set_interval(MINUTE_SECONDS, self._minute)
        self.let_keys_wait_for(self.load())

    def _minute(self) -> None:
        """Update for the time: trials end, and snoozed items return."""
        if self.is_current:
            self.load()
            self.app.news.count()

    def on_resize(self) -> None:
        """Lay out again for the new size."""
        self.set_class(self.size.width < STACKED_BELOW, "-stacked")
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        is_tall = self.list.size.height >= TWO_LINES_FROM
        self.list.set_row_height(2 if is_tall else 1)
        self.set_class(self.both.size.width < SIDES_FROM, "-over")
        self._write()
        self.keep_focus()

    # -- where one is

    def open_place(self, position: view.Place) -> None:
        """Come back to an item, or go to that of a memory."""
        if position.memory is not None:
            self.box.set_text("", silent=True)
            self._goal = frozenset([position.memory])
            if self.is_filtered:
                self._turn()
            self.let_keys_wait_for(self.load())

    @property
    def is_filtered(self) -> bool:
        """Return True if filtered captures are listed, instead of the queue."""
        return self.has_class("-filtered")

    @property
    def entry(self) -> ReviewEntry | None:
        """Return the item under the cursor; None where filtered captures are listed."""
        at = self.list.cursor
        return self.entries[at] if not self.is_filtered and at < len(self.entries) else None

    @property
    def capture(self) -> RefusedCapture | None:
        at = self.list.cursor
        return self.captures[at] if self.is_filtered and at < len(self.captures) else None

    @property
    def card(self) -> ReviewItem | None:
        """Return the card of the item under the cursor, once it was read."""
        entry = self.entry
        card = self._card.item if self._card else None
        return card if entry and card and card.key == entry.key else None

    def lit_of(self, card: ReviewItem) -> Memory:
        return card.memories[min(self.lit, len(card.memories) - 1)]

    @property
    def chosen(self) -> list[ReviewEntry]:
        """Return the entries for a verdict: the marked ones, else the one under the cursor."""
        if marked := self.list.marks:
            return [entry for entry in self.entries if hash(entry.key) in marked]
        return [self.entry] if self.entry else []

    # -- which keys work

    def can(self, action: str) -> bool | None:
        """Return True if an act works now; None shows its key dimmed, False not at all."""
        if action.startswith("light"):
            return self.entry is not None and _is_pair(self.entry)
        return super().can(action)

    def why_not(self, action: str) -> str:
        """Return why a dimmed key cannot act now, as a sentence."""
        name, _, parameter = action.partition("(")
        parameter = parameter.strip("')")
        if not self.is_of_row(action):
            return ""
        if self.is_filtered:
            if self.capture is None:
                return "No capture was filtered."
            if name != "propose" and parameter != "accept":
                return "It is out of memory already. enter rescues it."
            return "" if self.capture.content.strip() else "Nothing of its text was kept."
        if self.entry is None:
            return "No item fits the filter." if self.box.text else "Nothing needs your word."
        card = self.card
        if card is None or (self.list.marks and name == "decide"):
            return ""  # not read yet, or many: the key may act
        if name == "decide":
            return OF_TWO if card.is_pair and parameter == "reject" else cannot(card, parameter)
        if name == "merge":
            return cannot(card, "merge")
        if name == "neither" and not card.is_pair and not card.is_junk:
            return "This is one memory. x rejects it."
        if name == "pin" and card.is_pair:
            return "Choose the side that stays first."
        if name == "transcript" and card.quote is None:
            return "Its transcript cannot be read here."
        if name == "nearest" and card.near is None:
            return "No memory is near to it."
        return ""

    # -- reading the queue

    def load(self) -> Worker[None]:
        """Read the queue again. The cursor stays on its item, or goes where it was sent."""
        return self.begin(self._load, "review-list")

    async def _load(self) -> None:
        if self.is_filtered:
            self._every = await self.app.pages.run(
                lambda core: core.refused_captures(MOST_FILTERED)
            )
        else:
            self._all = await self.app.pages.run(lambda core: core.services.review_entries.queue())
        self._list_again()

    def _list_again(self) -> None:
        """List the items that match the filter, without those being decided."""
        fits = filter_of(self.box.text)
        self.list.set_now(self.app.clock())
        if self.is_filtered:
            self.captures = [
                capture for capture in self._every if fits(f"{capture.content} {capture.reason}")
            ]
            rows = [self._capture_row(capture) for capture in self.captures]
            total, nothing = len(self._every), NOTHING_FILTERED
            groups: list[tuple[int, str]] = []
            keep = self.list.current_key
        else:
            remaining = [capture for capture in self._all if capture.key not in self._deciding]
            self.entries = [
                capture
                for capture in remaining
                if fits(
                    f"is:{capture.kind} {HEADINGS[capture.kind]} "
                    f"{capture.title} {capture.text} {capture.reason}"
                )
            ]
            rows = [self._row(capture) for capture in self.entries]
            total, nothing = len(remaining), NOTHING
            groups = list(self._groups())
            keep = self._cursor_line()
        self.list.say_nothing(NOTHING_FITS if total and not rows else nothing)
        self.box.say_count(len(rows), total)
        self.list.show(widgets.keys_of(rows), rows, groups, keep=keep)
        self.set_class(not rows, "-empty")
        self.follow()

    def _groups(self) -> Iterator[tuple[int, str]]:
        """Return the line of each heading, with the number of items under it."""
        names = [JUNK if entry.is_junk else HEADINGS[entry.kind] for entry in self.entries]
        for position, name in enumerate(names):
            if position == 0 or names[position - 1] != name:
                note = f" · {JUNK_KEY}" if name == JUNK else ""
                yield position, f"{name} {names.count(name):,}{note}"

    def _cursor_line(self) -> int | None:
        """Return the line of the cursor: of a requested or returned item, else the last one."""
        came = next((it for it in self.entries if self._goal & {it.key, *it.ids}), None)
        if came is None:
            return self.list.current_key
        self._goal = frozenset()
        self._decided.discard(came.key)
        return hash(came.key)

    def _row(self, entry: ReviewEntry) -> ReviewRow:
        text = entry.text if _is_pair(entry) else entry.reason
        text = text or widgets.beyond(entry.title, entry.text)
        is_conflict = entry.kind == "conflict"
        return ReviewRow(hash(entry.key), entry.title, text, is_conflict, entry.is_junk)

    def _capture_row(self, capture: RefusedCapture) -> ReviewRow:
        text = capture.content.strip() or "(nothing of its text was kept)"
        number = hash(f"filtered:{capture.number}")
        return ReviewRow(number, text, capture.reason, False, True)

    # -- the card

    def follow(self) -> None:
        """Show the item under the cursor, and read the next ones."""
        name = "Filtered" if self.is_filtered else "Review"
        total = len(self.captures if self.is_filtered else self.entries)
        self.list_pane.border_title = f"{name} {total:,}" if total else name
        self.say_row()
        entry = self.entry
        key = entry.key if entry else f"filtered:{self.capture.number}" if self.capture else ""
        if key != self._shown:
            self._shown, self.numbers = key, None
            for side in self.sides:
                side.scroll_home(animate=False, immediate=True)
        if entry is not None:
            self.begin(self._read, "review-card")  # until then the card before stays in sight
        else:
            self._card = None
            self._write()
        self.refresh_bindings()

    async def _read(self) -> None:
        """Read the card of the item under the cursor, and show it."""
        entry = self.entry
        if entry is None:
            return
        try:
            card = await self.app.pages.run(lambda core: read_card(core, entry))
        except NotFound:  # the list is being read again
            self._card = None
            return
        if self._card is None or self._card.item.key != entry.key:
            self.lit = card.item.stays  # the side that its proposal keeps
        self._card = card
        self._write()
        self.refresh_bindings()

    # -- drawing

    def _write(self) -> None:
        card, capture = self.card, self.capture
        self.set_class(card is not None and card.is_pair, "-pair")
        self.head.update(self._head(card, capture))
        says = card.if_nothing if card else "it stays out of memory." if capture else ""
        foot = Content.assemble((documents.IF_NOTHING, "bold"), plain(says, "$text-warning"))
        self.foot.update(foot if says else Content(""))
        is_pair = card is not None and card.is_pair
        entry, name = self.entry, "Filtered" if self.is_filtered else "Memory"
        if entry is not None and entry.kind != "candidate":
            name = HEADINGS[entry.kind].rstrip("?")
        for position, pane in enumerate(self.sides):
            is_lit = position == self.lit
            pane.set_class(is_pair and is_lit, "-lit")
            pane.name_it(name if not is_pair else "stays" if is_lit else "goes")
        if capture is not None:
            filtered_card = documents.filtered_card(capture)
            self._show(0, filtered_card.sections[:-1], filtered_card.marks)
        elif card is None:
            self.sides[0].show_document(None, self.app.clock())
        elif card.is_pair and self._card is not None:
            for position, pane in enumerate(self.sides):
                if self.numbers is not None and position == self.lit:
                    self._show(position, number_sections(self.lit_of(card), self.numbers))
                else:
                    pane.show(partial(self._side, self._card, position), from_top=False)
        elif self.numbers is not None:
            self._show(0, number_sections(card.memory, self.numbers))
        else:
            marks = documents.marks_of(card.memory, card.is_junk)
            self._show(0, documents.card_sections(card), marks)

    def _show(self, position: int, sections: Iterable[Section], marks: Iterable[Mark] = ()) -> None:
        """Show a document without a title, since the frame has it."""
        untitled = document("", *sections, marks=marks)
        self.sides[position].show_document(untitled, self.app.clock())

    def _side(self, card: Card, position: int, cells: int) -> Content:
        """One side of a pair, with the words marked in which it differs from the other one."""
        memory = card.item.memories[position]
        lines = [] if documents.repeats(memory) else [plain(one_line(memory.title), "bold $text")]
        if self.screen.has_class("-low"):  # there the panes have no frame to say it
            is_lit = position == self.lit
            style = "bold $text-success" if is_lit else "$text-muted"
            lines.insert(0, plain("stays:" if is_lit else "goes:", style))
        lines.append(card.texts[position])
        renderer = widgets.DocumentRenderer(cells, self.app.clock())
        facts = section("", *side_facts(memory))
        return Content("\n").join([*lines, Content(""), *renderer.section(facts)])

    def _head(self, card: ReviewItem | None, capture: RefusedCapture | None) -> Content:
        if capture is not None:
            return Content.assemble(("enter rescues it", "bold $text-accent"))
        if card is None:
            return Content("")
        if card.is_pair and self.lit != card.stays:
            proposal = "keep the lit side"
        else:
            proposal = documents.proposal_words(card)
        proposal = f"{proposal[:1].upper()}{proposal[1:]}?"
        return Content.assemble(
            (f"{proposal} ", "bold $text-accent"), plain(one_line(card.reason), "$text-muted")
        )

    # -- verdicts

    def action_propose(self) -> None:
        if self.is_filtered:
            self._rescue()
        elif self.list.marks:
            self.app.notices.refuse("Several items are marked: a accepts them, x rejects them.")
        else:
            self._decide("")

    def action_decide(self, decision: str) -> None:
        if self.is_filtered:
            if decision == "accept":
                self._rescue()
            return
        chosen = self.chosen
        if self.list.marks or len(chosen) > 1:
            self._decide_many(decision, chosen)
        else:
            self._decide(decision)

    @may_ask
    async def _decide(self, decision: str) -> bool:
        """Give a verdict on the item under the cursor; "" for its card's proposal."""
        card = await self._current()
        if card is None:
            return False
        if not decision and card.proposal == "merge" and card.kind == "candidate":
            return await self._merge_candidate(card)
        return await self._carry_out(card, decision or card.proposal)

    async def _current(self) -> ReviewItem | None:
        """Return the card under the cursor, read again; None where there is none any more."""
        await self._read()
        if self.entry is not None and self._card is None:
            self.load()
        return self.card

    async def _carry_out(self, card: ReviewItem, decision: str) -> bool:
        """Write a verdict on one item; the next item comes at once."""
        if why := OF_TWO if card.is_pair and decision == "reject" else cannot(card, decision):
            self.app.notices.refuse(why)
            return False
        stays = self.lit_of(card) if card.is_pair else None
        ref = stays.id if stays else ""
        return await self._written(
            [card.key],
            lambda core: core.services.review.decide(card, decision, stays=ref),
            _notice_of(card, decision, stays),
        )

    async def _written(
        self, keys: Sequence[str], job: Callable[[MemoryCoordinator], list[Memory]], text: str
    ) -> bool:
        """Remove items from the list, write, and show the result; on an error they return."""
        self._deciding.update(keys)
        self.list.set_marks()
        self._list_again()
        try:
            memories = await self.app.write_agreed(job)
        except BaseException as error:
            self._deciding.difference_update(keys)
            self.load()
            if not isinstance(error, ManagerError):
                raise
            self.app.notices.report(error)
            return False
        await self._report(keys, memories, text)
        return True

    async def _report(self, keys: Sequence[str], memories: Sequence[Memory], text: str) -> None:
        """Update the list after a verdict, and show a notice with undo."""
        self._deciding.difference_update(keys)
        self._decided.update(keys)
        self._all = [entry for entry in self._all if entry.key not in keys]
        await self.app.news.wrote([memory.id for memory in memories])
        self.app.notices.toast(text, undo=True)

    @may_ask
    async def _decide_many(self, decision: str, entries: Sequence[ReviewEntry]) -> bool:
        """Show a preview of a verdict on several items, and give it."""
        fits = [entry for entry in entries if decision != "done" and not _is_pair(entry)]
        if decision == "accept":
            fits = list(entries)
        if not fits:
            self.app.notices.refuse("That verdict fits none of the marked items.")
            return False
        nums = [num for entry in fits for num in entry.nums]
        targets = await self.app.pages.run(lambda core: core.services.bulk.targets(nums))
        effect = Effect(tuple(targets), len(entries) - len(fits))
        verb = "Accept" if decision == "accept" else "Reject"
        if not await self.app.changes.may_go_on(verb, effect):
            return False
        past = PAST[decision]
        return await self._written(
            [entry.key for entry in fits],
            lambda core: core.services.review.decide_all(
                fits, decision, core.accept if decision == "accept" else core.reject
            ),
            f"{past} {counted(len(fits), 'item')}.",
        )

    def action_neither(self) -> None:
        entry = self.entry
        if entry is not None and not _is_pair(entry):
            junk = [item for item in self.entries if item.is_junk]
            self._reject_junk(junk if entry.is_junk else [])
        elif entry is not None:
            self._neither()

    @asks
    async def _neither(self) -> bool:
        card = await self._current()
        if card is None:
            return False
        titles = " and ".join(quoted(memory.title, TITLE_CELLS) for memory in card.memories)
        if await self.app.ask(Preview(f"Retire both: {titles}")) is not True:
            return True
        return await self._carry_out(card, "neither")

    @asks
    async def _reject_junk(self, junk: Sequence[ReviewEntry]) -> bool:
        if not junk:
            return False
        says = f"Reject {counted(len(junk), 'item')} of likely junk"
        if await self.app.ask(Preview(says)) is not True:
            return True
        return await self._written(
            [item.key for item in junk],
            lambda core: core.services.review.decide_all(junk, "reject", core.reject),
            f"Rejected {counted(len(junk), 'item')}.",
        )

    @may_ask
    async def action_pin(self) -> bool:
        card = await self._current()
        if card is None or card.is_pair:
            return False
        ref = card.memory.id
        title = quoted(card.memory.title, TITLE_CELLS)
        if card.kind == "candidate":
            return await self._written(
                [card.key],
                lambda core: core.accept(ref, pin=True),
                f"Accepted and pinned {title}.",
            )
        pinned = await self.app.write_agreed(lambda core: core.pin(ref))
        await self.app.news.wrote([item.id for item in pinned])
        self.app.notices.toast(f"Pinned {title}.", undo=True)
        return True

    @asks
    async def action_snooze(self) -> bool:
        entries, now = self.chosen, self.app.clock()
        if not entries:
            return False
        many = f"{len(entries):,} items " if len(entries) > 1 else ""
        times = later(now)
        choices = [
            Choice(letter, label, f"{at.astimezone():%a %d %b %H:%M}", key=letter)
            for letter, (label, at) in times.items()
        ]
        chosen = await self.app.ask(Menu(f"Snooze {many}for", choices))
        if chosen is None:
            return True
        until = times[chosen][1]
        away = age(ms_of(until), ms_of(now)).strip().lstrip("+")
        what = (
            counted(len(entries), "item")
            if len(entries) > 1
            else quoted(entries[0].title, TITLE_CELLS)
        )

        def snooze(core: MemoryCoordinator) -> list[Memory]:
            core.services.review.snooze_entries(entries, until)
            return core.context.memories([entry.nums[0] for entry in entries])

        return await self._written(
            [entry.key for entry in entries], snooze, f"Snoozed {what} for {away}."
        )

    @asks
    async def action_edit(self) -> bool:
        card = await self._current()
        if card is None:
            return False
        from ..forms import edited  # editing pays for the text area

        memory = self.lit_of(card)
        is_candidate = card.kind == "candidate"
        made: list[Memory] = []

        def write(core: MemoryCoordinator, fields: dict[str, Any], revision: int | None) -> Memory:
            parts = split_at_blank_line(memory.content, fields.get("content", ""))
            if parts is not None:
                fields = {name: value for name, value in fields.items() if name != "content"}
                made[:] = core.services.review.split(memory.id, parts[1], first=parts[0], **fields)
                return made[0]
            if is_candidate:
                return core.accept_edited(memory.id, expected_revision=revision, **fields)
            return core.edit(memory.id, expected_revision=revision, **fields)

        about = "A new blank line makes two memories."
        if is_candidate:
            about = f"Saving accepts it. {about}"
        saved = await edited(self.app, memory, about, write=write, saves_unchanged=is_candidate)
        if saved is not None:
            await self.app.news.wrote([item.id for item in made or [saved]])
            title = quoted(saved.title, TITLE_CELLS)
            says = f"Accepted {title} as edited." if is_candidate else f"Saved {title}."
            self.app.notices.toast("Made two memories of it." if made else says, undo=True)
        return True

    @may_ask
    async def action_merge(self) -> bool:
        card = await self._current()
        if card is None:
            return False
        if why := cannot(card, "merge"):
            self.app.notices.refuse(why)
            return False
        return await (self._merge_pair(card) if card.is_pair else self._merge_candidate(card))

    async def _merge_candidate(self, card: ReviewItem) -> bool:
        """Merge into the nearest memory; ask first unless they are duplicates."""
        assert card.near is not None
        if card.near.similarity < ALIKE:
            question = Confirm(
                "The two are similar, not the same. Merge them?",
                f"Stays: {cut(one_line(card.near.content), 240)}\n\n"
                f"Goes: {cut(one_line(card.memory.content), 240)}",
                "Merge them",
                no_label="Keep them apart",
            )
            if not await self.app.ask(question):
                return True
        return await self._carry_out(card, "merge")

    async def _merge_pair(self, card: ReviewItem) -> bool:
        """One text for both sides, written in a form; the lit side keeps it."""
        from ..forms import edited  # merging pays for the text area

        stays, goes = card.memories[self.lit], card.memories[1 - self.lit]
        merged: list[Memory] = []

        def write(core: MemoryCoordinator, fields: dict[str, Any], _revision: int | None) -> Memory:
            merged[:] = core.services.review.decide(card, "merge", stays=stays.id, **fields)
            return merged[0]

        about = f"Makes one of two. The other says: {cut(one_line(goes.content), 400)}"
        if await edited(self.app, stays, about, write=write, saves_unchanged=True):
            await self._report([card.key], merged, _notice_of(card, "merge", stays))
        return True

    @may_ask
    async def _rescue(self) -> bool:
        """Store a filtered capture as a memory."""
        capture = self.capture
        if capture is None or not capture.content.strip():
            return False
        self._every = [item for item in self._every if item.number != capture.number]
        self._list_again()
        try:
            memory = await self.app.write.run(lambda core: core.rescue(capture.number))
        finally:
            self.load()
        await self.app.news.wrote([memory.id])
        self.app.notices.toast(f"Rescued {quoted(memory.title, TITLE_CELLS)}.", undo=True)
        return True

    # -- other acts

    def exported(self, *, is_all: bool) -> view.Export:
        if self.is_filtered:
            captures = self.captures if is_all else filter(None, [self.capture])
            filtered = [
                view.Exported(one_line(c.content), c.content, c, (c.reason,)) for c in captures
            ]
            return lambda _: filtered
        nums = [num for entry in (self.entries if is_all else self.chosen) for num in entry.nums]
        return lambda core: map(view.exported_memory, core.context.memories(nums))

    @may_ask
    async def action_light(self, position: int) -> bool:
        card = await self._current()
        if card is None or not card.is_pair:
            return False
        self.lit = position
        self._write()
        return True

    def action_turn(self) -> None:
        self._turn()
        self.let_keys_wait_for(self.load())

    def _turn(self) -> None:
        self.list.set_marks()
        self.toggle_class("-filtered")
        self.list.say_nothing(Content(""))  # until the other list is read
        self.list.show(widgets.keys_of(()), ())
        self.follow()

    @may_ask
    async def action_why(self) -> bool:
        card = await self._current()
        if card is None:
            return False
        if self.numbers is not None:
            self.numbers = None
        else:
            memory = self.lit_of(card)
            self.numbers = await self.app.pages.run(lambda core: numbers_of(core, memory))
        self._write()
        return True

    def action_injections(self) -> None:
        self._open_lit("injections")

    def _open_lit(self, kind: str) -> None:
        if card := self.card:
            memory = self.lit_of(card)
            self.app.call_later(self.app.action_follow, f"{kind}:{memory.id}")

    def action_transcript(self) -> None:
        if quote := self.card.quote if self.card else None:
            self.open_file(quote.path, quote.line)

    @on(widgets.Opened)
    def action_open(self) -> None:
        self._open_lit("memory")

    def action_nearest(self) -> None:
        card = self.card
        if card is not None and card.near is not None:
            self.app.call_later(self.app.action_follow, f"memory:{card.near.id}")

    def out_of_mode(self) -> None:
        if self.is_filtered:
            self.action_turn()

    # -- changes elsewhere

    @on(view.MemoriesChanged)
    def _changed(self, event: view.MemoriesChanged) -> None:
        if event.undid is not None and self.is_current:
            self._goal = frozenset((*(event.ids or ()), *self._decided))  # it may return
            self.let_keys_wait_for(self.load())  # the next key is for the returned items
        else:
            self.load()

    @on(view.ProjectChanged)
    def _other_project(self) -> None:
        self.list.set_marks()
        self._all = []
        self.load()


def read_card(core: MemoryCoordinator, entry: ReviewEntry) -> Card:
    """Return the card of an item. Runs in a lane: long texts take a while to compare."""
    item = core.services.review.item(entry)
    if not item.is_pair:
        return Card(item)
    first, second = (memory.content[:MOST_COMPARED] for memory in item.memories[:2])
    contested = QUOTED.findall(item.reason)
    styles = widgets.DIFFERS, widgets.DIFFERS
    return Card(item, widgets.word_diff(first, second, styles, contested))


def split_at_blank_line(before: str, after: str) -> tuple[str, str] | None:
    """Return the two texts that a new blank line makes of one; None where it makes none."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", after.strip()) if part.strip()]
    was_one = len(re.split(r"\n\s*\n", before.strip())) == 1
    return (parts[0], parts[1]) if was_one and len(parts) == 2 else None


def later(now: datetime) -> dict[str, tuple[str, datetime]]:
    """Return the choices for snoozing, in words and as a time, by letter."""
    local = now.astimezone()
    morning = local.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return {
        "h": ("an hour", now + timedelta(hours=1)),
        "t": ("tomorrow", morning + timedelta(days=1)),
        "w": ("a week", morning + timedelta(days=7)),
    }


def _is_pair(entry: ReviewEntry) -> bool:
    return len(entry.ids) > 1


def _notice_of(card: ReviewItem, decision: str, stays: Memory | None) -> str:
    """Return the notice of a verdict, with memory text escaped."""
    if card.is_pair:
        return PAIR_SAYS[decision].format(quoted((stays or card.memory).title, TITLE_CELLS))
    title = quoted(card.memory.title, TITLE_CELLS)
    if card.kind == "global":
        return f"{title} is global." if decision == "accept" else f"{title} stays in this project."
    if decision == "merge" and card.near is not None:
        return f"Merged into {quoted(card.near.title, TITLE_CELLS)}."
    if card.kind == "outdated":
        past = {"accept": "Confirmed", "reject": "Forgot"}.get(decision, PAST[decision])
        return f"{past} {title}."
    return f"{PAST[decision]} {title}."
