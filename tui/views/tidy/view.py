"""Tidy: the proposals at the left, the memories that one is about at the right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from ....core.judgements import trust_words
from ....core.services.tidy import Proposal
from ....core.values import Memory, ms_of
from ...acts import bindings
from ...matches import filter_of
from ...messages import MemoriesChanged, OpenMemory, ProjectChanged
from ...text import age, counted, cut, fit, key_lines, one_line, plain
from ...view import Place, View
from ...widgets.account import Account
from ...widgets.filter_line import FilterLine
from ...widgets.pages import keys_of
from ...widgets.text_pane import TextPane, scroll_keys
from ...widgets.virtual_list import LEAD, Look, Moved, Opened, VirtualList
from ...widgets.word_diff import Comparison, compare, content_of
from .model import Answers, Proposals, parts, said
from .text import ANSWERS, ASKS, KIND_WORDS, LOOKING, NOTHING, NOTHING_FITS, TIDY_ACTS, why_not

KIND_WIDTH = 13


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One line; `num` names the proposal while the app runs."""

    num: int
    kind: str  # in words
    title: str
    is_urgent: bool  # agents may be misled by it

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.kind, self.title, self.is_urgent))


class ProposalList(VirtualList[ProposalRow]):
    """Proposals, those that mislead agents first."""

    HELP = """\
## Tidy
What is known already, one proposal at a time: what contradicts, is said twice, names files that are
gone, may be done, is long, or was told to no agent in a month. One key settles it, `u` takes it
back.
"""

    def draw_row(self, row: ProposalRow, look: Look) -> Strip:
        kind = self._ink(look, "urgent" if row.is_urgent else "muted")
        title = fit(one_line(row.title), max(look.width - LEAD - KIND_WIDTH, 1))
        segments = [Segment(fit(row.kind, KIND_WIDTH), kind), Segment(title, self._ink(look))]
        return self._line_of(look, segments)


MOST_COMPARED = 3_000  # characters of both texts: comparing them takes some milliseconds
MOST_SHOWN = 20_000


class ProposalPane(TextPane, inherit_bindings=False):
    """One side; letters go on to the view."""

    HELP = """\
## The memory
What it says, who said it, and how often agents were told of it. Arrows scroll.
"""
    BINDINGS = scroll_keys("pane", letters=False)


def side(
    account: Account, memory: Memory, words: Comparison | None, *, is_first: bool, is_low: bool
) -> Content:
    """A memory, no line wider than the account; `words` marks where the two differ.

    Where it `is_low`, nothing parts the title from the text.
    """
    return Content("\n").join(_lines(account, memory, words, is_first, is_low))


def compared(first: Memory, second: Memory | None) -> Comparison | None:
    """Where the two differ; None of one alone, of texts that have nothing in common, and of texts
    too long to compare at once."""
    if second is None or len(first.content) + len(second.content) > MOST_COMPARED:
        return None
    words = compare(first.content, second.content)
    return words if any(not run.is_changed for run in words.before) else None


def _lines(
    account: Account, memory: Memory, words: Comparison | None, is_first: bool, is_low: bool
) -> Iterator[Content]:
    title = one_line(memory.title)
    if not one_line(memory.content).startswith(title.rstrip("….")):  # else it is read twice
        yield plain(cut(title, account.width), "bold $text")
        if not is_low:
            yield Content("")
    if words is None:
        body = plain(memory.content[:MOST_SHOWN])
    else:
        body = content_of(*((words.before, "before") if is_first else (words.after, "after")))
    yield from body.wrap(account.width)
    yield Content("")
    told = counted(memory.accesses, "time") if memory.accesses else "never"
    used = f", used {memory.used}×" if memory.used else ""
    learned = age(ms_of(memory.created_at), account.now_ms).strip()
    yield from account.fields(
        ("verify", memory.stale),
        ("state", memory.status),
        ("trust", trust_words(memory.degree, memory.provenance)),
        ("learned", "just now" if learned == "now" else f"{learned} ago"),
        ("told", told + used),
        ("files", account.paths(memory.files)),
        ("tokens", f"{memory.tokens:,}"),
    )


LOST = 12  # cells that may stay empty where a line of words ends


class TidyView(View):
    """One proposal at a time: what is asked above, the one or two memories below."""

    ACTS = TIDY_ACTS
    HELP = ProposalList.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(TIDY_ACTS, "tidy.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.proposals = Proposals(self.app)
        self.answers = Answers(
            self.app, self.proposals, show=self._show_fitting, load=self._load_again
        )
        self.fitting: list[Proposal] = []
        self.lit = 0  # the side that an act which takes away is about
        self._nums: dict[str, int] = {}  # a number for each proposal, for the list
        self._shown = ""  # the key of the proposal that the panes show
        self._was_used = False  # until then what is first is shown, whatever comes later
        self._goal: frozenset[str] = frozenset()  # ids of memories to go to
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self._show_fitting(), self.focus_main, id="tidy-filter")
        self.list = ProposalList(self.app.glyphs, id="tidy-list")
        self.head = Static("", id="tidy-head", markup=False)
        self.sides = (
            ProposalPane("", id="tidy-first"),
            ProposalPane("", id="tidy-second"),
        )

    def compose(self) -> ComposeResult:
        yield self.box
        with Container(id="tidy-panes"):
            with Vertical(id="tidy-list-pane", classes="pane"):
                yield self.list
            with Vertical(id="tidy-proposal"):
                yield self.head
                with Container(id="tidy-sides"):
                    yield from self.sides

    def on_mount(self) -> None:
        """Name the list and look."""
        self._part("#tidy-list-pane").border_title = "Tidy"
        self.list.say_nothing(LOOKING)
        self._let_keys_wait_for(self.load())
        self.look()

    # -- where one is

    def place(self) -> Place:
        current = self.current
        return Place("tidy", memory=current.memory.id if current else None)

    def open_place(self, place: Place) -> None:
        """Come back to the proposal about a memory."""
        self._goal = frozenset([place.memory]) if place.memory else frozenset()
        self._let_keys_wait_for(self.load())

    def panes(self) -> list[tuple[str, Widget, Widget]]:
        shown = [one for one in self.sides if one.display]
        names = zip("bc", shown, shown, strict=False)
        return [("a", self._part("#tidy-list-pane"), self.list), *names]

    @property
    def current(self) -> Proposal | None:
        """The proposal under the cursor."""
        at = self.list.cursor
        return self.fitting[at] if at < len(self.fitting) else None

    @property
    def lit_memory(self) -> Memory | None:
        """Of the proposal under the cursor the side that is lit."""
        current = self.current
        return current.sides[min(self.lit, len(current.sides) - 1)] if current else None

    # -- which keys work

    def why_not(self, action: str) -> str:
        name, _, parameter = action.partition("(")
        if name in ("settle", "skip", "open", "light"):
            return why_not(parameter.strip("')") if name == "settle" else name, self.current)
        return ""

    # -- reading

    def load(self) -> Worker[None]:
        """Read what stands; the cursor stays on its proposal."""
        return self.begin(self._load, "tidy-list")

    def _load_again(self) -> None:
        if self.is_attached:
            self.load()

    async def _load(self) -> None:
        await self.proposals.read()
        self._show_fitting()

    def look(self) -> Worker[None]:
        """Lay texts beside each other, a part at a time; what is found comes as it is found."""
        return self.begin(self._look, "tidy-look")

    async def _look(self) -> None:
        self.proposals.is_looking = True
        self._say_place()
        try:
            for start in parts():
                await self.proposals.look(start)
                self._show_fitting()
        finally:
            self.proposals.is_looking = False
        self._show_fitting()

    def _show_fitting(self) -> None:
        """List the proposals that fit the filter."""
        known, fits = self.proposals.open, filter_of(self.box.text)
        self.fitting = [one for one in known if fits(said(one, KIND_WORDS[one.kind]))]
        if not self.proposals.is_looking:
            self.list.say_nothing(NOTHING_FITS if known else NOTHING)
        self.box.say_count(len(self.fitting), len(known))
        rows = self._rows()
        self.list.show(keys_of(rows), rows, keep=self._kept())
        self._show_current()

    def _rows(self) -> list[ProposalRow]:
        return [
            ProposalRow(
                self._num(one), KIND_WORDS[one.kind], one.memory.title, one.kind == "contradiction"
            )
            for one in self.fitting
        ]

    def _num(self, one: Proposal) -> int:
        return self._nums.setdefault(one.key, len(self._nums) + 1)

    def _kept(self) -> int | None:
        """The line to stand on: what was asked for or came back, else where one stood."""
        for one in self.fitting if self._goal else ():
            if one.pair & self._goal:
                self._goal = frozenset()
                self._was_used = True
                return self._num(one)
        return self.list.current_key if self._was_used else None

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._was_used = True
        self._show_current()

    # -- the proposal

    def _show_current(self) -> None:
        one = self.current
        key = one.key if one else ""
        is_other, self._shown = key != self._shown, key
        if is_other:
            self.lit = 0
        self.set_class(one is None, "-empty")
        self.set_class(one is not None and one.other is not None, "-pair")
        self._say_place()
        self._light()
        self.refresh_bindings()
        if one is None:
            return
        self._say_head()
        if is_other:
            self._show_sides(one)

    def _say_head(self) -> None:
        """What is asked, and the keys that answer."""
        one = self.current
        cells = self.head.content_size.width
        if one is not None and cells:
            why = cut(one.why, 2 * cells - len(ASKS[one.kind]) - LOST) if self._is_low else one.why
            asks = plain(f"{ASKS[one.kind]} ", "bold $text-accent") + plain(why, "$text-muted")
            keys = [] if self._is_low else key_lines(ANSWERS[one.kind], cells)
            self.head.update(Content("\n").join([*asks.wrap(cells), *keys]))

    @property
    def _is_low(self) -> bool:
        """Whether there is hardly room for the memory: then what can be left out is."""
        return self.screen.has_class("-low")

    def on_resize(self) -> None:
        """The keys may break elsewhere."""
        self.call_after_refresh(self._say_head)

    def _show_sides(self, one: Proposal) -> None:
        glyphs, now = self.app.glyphs, self.app.clock()
        words = compared(one.memory, one.other)
        for place, (pane, memory) in enumerate(zip(self.sides, one.sides, strict=False)):
            pane.show(
                lambda cells, memory=memory, is_first=not place: side(  # type: ignore[misc]
                    Account(cells, glyphs, now),
                    memory,
                    words,
                    is_first=is_first,
                    is_low=self._is_low,
                ),
                from_top=True,
            )

    def _light(self) -> None:
        one = self.current
        for place, pane in enumerate(self.sides):
            is_lit = place == self.lit
            pane.set_class(is_lit, "-lit")
            if one is not None and one.other is not None:
                pane.name_it("x takes this one away" if is_lit else "stays")
            else:
                pane.name_it("Memory")

    def _say_place(self) -> None:
        """Which one of how many, at the foot of the list."""
        says = ""
        if self.fitting:
            place, total = self.proposals.place(self.list.cursor)
            says = f"{place:,} of {total:,}"
        looking = "looking" if self.proposals.is_looking else ""
        self._part("#tidy-list-pane").border_subtitle = " · ".join(filter(None, (says, looking)))

    # -- what happens elsewhere

    @on(MemoriesChanged)
    def _changed(self, event: MemoriesChanged) -> None:
        if event.undid is not None and event.ids:
            self._goal = frozenset(event.ids)
        self.load()

    @on(ProjectChanged)
    def _other_project(self) -> None:
        self.proposals.begin_anew()
        self._was_used = False
        self._show_fitting()
        self.list.say_nothing(LOOKING)
        self.load()
        self.look()

    # -- acts

    def action_settle(self, what: str) -> None:
        """Say what is to become of the proposal under the cursor."""
        one, lit = self.current, self.lit_memory
        if one is not None and lit is not None:
            self._was_used = True
            self.answers.give(what, one, lit)

    def action_skip(self) -> None:
        """Leave it, in this run and the next ones."""
        if one := self.current:
            self._was_used = True
            self.proposals.skip(one)
            self._show_fitting()

    def action_again(self) -> None:
        """Look anew, also for what was skipped."""
        self.proposals.unskip()
        self._let_keys_wait_for(self.load())
        self.look()

    def action_light(self, place: int) -> None:
        """Light one side: it is what an act takes away."""
        self._was_used = True
        self.lit = place
        self._light()

    def action_zoom(self) -> None:
        """Give the focused pane all the room, or give it back."""
        super().action_zoom()
        self.set_class(self._part("#tidy-list-pane").has_class("-zoom"), "-list-zoomed")

    def action_go(self, step: int) -> None:
        """To the next proposal, or the one before."""
        self.list.cursor += step

    @on(Opened)
    def action_open(self) -> None:
        """The lit memory on the Deck."""
        if lit := self.lit_memory:
            self.post_message(OpenMemory(lit.id))
