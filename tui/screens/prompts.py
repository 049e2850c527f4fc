"""Prompts: each injection with reasons and cost, and the injection of a prompt to try.

The list is a tree: a prompt to try, then the sessions with their prompts and the memories that were
injected. The right pane shows the reasons, and the text that the agent received.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import TextArea
from textual.worker import Worker

from ...core.answers import Explanation
from ...core.documents import document as d
from ...core.documents.receipt import (
    injected_items,
    injected_memory_document,
    injection_document,
    occasion,
)
from ...core.documents.session import session_document
from ...core.services.receipts import Receipt
from ...core.values import Injection, Memory
from ...db.errors import ManagerError
from .. import view, widgets
from ..dialogs import Choice, Menu
from ..lanes import answered, asks, may_ask
from ..text import (
    CANDIDATE,
    CLOSED,
    CONFLICT,
    OPENED,
    PINNED,
    RETIRED,
    counted,
    cut,
    filter_of,
    fit,
    one_line,
    quoted,
    showable,
    width,
)

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator
    from ...core.services.sessions import SessionOverview

TRY, SESSION, PROMPT, MEMORY = "try", "session", "prompt", "memory"  # the kinds of rows

PROMPT_ACTS = (
    view.Act("prompts.open", "enter", "Open", "open",
        "Opens or closes a session or a prompt. Opens a memory in Memories."),
    view.Act("prompts.try", "c", "Try a prompt", "try",
        "Writes a prompt, and shows what an agent would receive with it."),
    view.Act("prompts.options", "at", "Agent", "options", "Chooses the agent that receives it.",
        key_display="@"),
    view.Act("prompts.helpful", "plus", "Helpful", "opinion('helpful')",
        "The memory helped with this prompt: it ranks higher. Again takes it back.",
        key_display="+"),
    view.Act("prompts.unhelpful", "minus", "Not helpful", "opinion('unhelpful')",
        "The memory did not help: it ranks lower. Again takes it back.", key_display="-"),
    view.Act("memory.why", "w", "Numbers", "numbers", "Shows scores, budget and settings, or not.",
        of_row=False),
    view.Act("memory.pin", "p", "Pin", "change('pin')", "Pins the memory, or unpins it."),
    view.Act("memory.forget", "x", "Forget", "change('forget')",
        "Forgets the memory. Can be undone."),
    view.Act("memory.injections", "i", "Injected", "injections",
        "Lists only prompts that received this memory. `esc` lists all.", show=False),
    view.FILTER_ACT,
    view.COPY_ACT,
    view.TRANSCRIPT_ACT,
)  # fmt: skip
"""The acts of Prompts, beside the common ones."""

OF_MEMORY = "memory:"  # prefix of a filter for the prompts of one memory
NEWEST = "newest"  # the newest prompt, where the cursor begins
MOST_SESSIONS = 2_000
MOST_RECEIPTS = 200  # receipts that are read at once; an open session shows as many of its own
LONGEST_PROMPT = 20_000  # characters; recall reads no more
WITH_TOKENS, WITH_WORDS = 34, 70  # cells from which numbers, and their words, have room
NOT_A_MEMORY = "Choose a memory below a prompt: enter opens one."
NOT_INJECTED_YET = "Only a memory that an agent received can be helpful."
DELETED = "It is deleted: nothing of it is left."
IS_RETIRED = "It is retired: enter opens it in Memories, where r restores it."
ELSEWHERE = "It belongs to another project: here it can only be read."
NO_SESSION = "Choose a session or a prompt of one."
TRY_FIRST = "Try a prompt first: c."


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, and the agent that it is tried with."""

    prompt: str = ""
    host: str = "claude"


@dataclass(frozen=True, slots=True)
class Trial:
    """The injection that a prompt would receive now."""

    question: Question
    injection: Injection
    why: Explanation
    advice: tuple[str, ...] = ()  # queries with matches, if nothing is injected


@dataclass(frozen=True, slots=True)
class Session:
    """A session of the tree: a recorded one, or one that only its receipts name."""

    id: str
    title: str
    agent: str
    began_at: datetime
    prompts: int
    tokens: int
    overview: SessionOverview | None = None

    @property
    def words(self) -> str:
        summary = self.overview.session.summary if self.overview else ""
        return " ".join((self.title, self.agent, summary, self.id))


@dataclass(frozen=True, slots=True)
class Tree:
    """The sessions and prompts of the list, as read from the store."""

    sessions: tuple[Session, ...] = ()  # newest first
    prompts: Mapping[str, tuple[Receipt, ...]] = field(default_factory=dict)  # by session
    why: Mapping[str, Explanation] = field(default_factory=dict)  # by receipt, of the open ones
    of_memory: str = ""  # title of the memory whose prompts alone are listed
    project: str = ""  # id of the project that is open


@dataclass(frozen=True, slots=True)
class TreeRow:
    num: int
    kind: str
    title: str
    when: str = ""
    about: str = ""  # the agent of a session
    count: int | None = None  # of prompts or memories
    tokens: int | None = None
    is_open: bool | None = None  # None: nothing is below it
    mark: tuple[str, str] = (" ", "")  # of a memory: its sign and the ink
    opinion: bool | None = None
    session: Session | None = None
    receipt: Receipt | None = None
    item: Mapping[str, Any] | None = None
    memory: Memory | None = None  # as it is now; None if it is deleted

    @property
    def revision(self) -> int:
        """Return a number that changes with the content of the row."""
        visible = (self.title, self.when, self.about, self.count, self.tokens, self.is_open)
        return hash((*visible, self.mark, self.opinion))


class PromptTree(widgets.VirtualList[TreeRow]):
    """A prompt to try, sessions, their prompts, and the memories of each."""

    DEPTHS: ClassVar[Mapping[str, int]] = {TRY: 0, SESSION: 0, PROMPT: 1, MEMORY: 2}

    def draw_row(self, row: TreeRow, look: widgets.Look) -> Strip:
        muted = self.ink(look, "" if look.is_cursor else "muted")
        base = self.ink(look)
        head = "  " * self.DEPTHS[row.kind]
        if row.kind == MEMORY:
            head += f"{row.mark[0]} "
        elif row.is_open is None:
            head += "  "
        else:
            head += f"{OPENED if row.is_open else CLOSED} "
        times = f"{row.when} " if row.when else ""
        about = f"{fit(row.about, 8)} " if row.about and look.width >= WITH_TOKENS else ""
        note = self._note(row, look.width)
        opinion = {True: "+ ", False: "- ", None: ""}[row.opinion]
        used = widgets.LEAD + width(head) + len(times) + len(about) + len(opinion) + width(note)
        ink = self.ink(look, row.mark[1]) if row.mark[1] and not look.is_cursor else muted
        is_dim = row.kind == MEMORY and (row.memory is None or row.memory.retired_at is not None)
        segments = [
            Segment(head, ink),
            Segment(times + about, muted),
            Segment(opinion, self.ink(look, "helpful" if row.opinion else "unhelpful")),
            Segment(fit(row.title, max(look.width - used, 1)), muted if is_dim else base),
            Segment(note, muted),
        ]
        return self.line_of(look, segments)

    def _note(self, row: TreeRow, cells: int) -> str:
        """Return the numbers at the right end that fit."""
        if cells < WITH_TOKENS or row.tokens is None:
            return ""
        tokens = f"{row.tokens:,}" if row.tokens < 100_000 else f"{row.tokens // 1000:,}k"
        if cells < WITH_WORDS:
            number = f"{row.count:>4,}" if row.count is not None else "    "
            return f" {number} {tokens:>6}t"
        nouns = ("prompt", "prompts") if row.kind == SESSION else ("memory", "memories")
        words = counted(row.count, *nouns) if row.count is not None else ""
        return f" {words:>12} {tokens:>7} tokens"


class PromptArea(TextArea):
    """The prompt to try. `enter` moves to its injection; a paste keeps its lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape", "leave", "To the answer"),
    ]

    class Left(Message):
        """The prompt is written."""

    def __init__(self, *, id: str) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            placeholder="Type or paste a prompt, as you would to an agent.",
            highlight_cursor_line=False,
        )
        self.cursor_blink = False

    def on_key(self, event: events.Key) -> None:
        """Leave with `enter`: a line feed only comes with a paste."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.action_leave()

    def on_paste(self, event: events.Paste) -> None:
        """Insert the paste as far as it fits, with control characters visible."""
        event.stop()
        event.prevent_default()
        room = LONGEST_PROMPT - len(self.text) + len(self.selected_text)
        # terminals send the ends of pasted lines as they send the key
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")[: max(room, 0)]
        start, end = self.selection
        self.move_cursor(self.replace(showable(text), start, end).end_location)

    def action_leave(self) -> None:
        self.post_message(self.Left())


class PromptsView(view.View):
    """Sessions, their prompts and injections; and a prompt to try."""

    ACTS = PROMPT_ACTS

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.loaded = Tree()
        self.trial: Trial | None = None
        self.question = Question()
        self.with_numbers = False
        self._open: set[str] | None = None  # sessions and receipts; None before the first reading
        self._open_try = True
        self._goal: str | None = NEWEST  # where the cursor goes: "session:ID", "receipt:ID"
        self._is_old = False  # the store changed while another screen was shown
        self.box = widgets.FilterLine(self._narrow, self.focus_main, id="prompts-filter")
        self.list: PromptTree = PromptTree(id="prompts-list")
        self.prompt = PromptArea(id="prompts-prompt")
        self.ask_pane = Vertical(self.prompt, id="prompts-ask", classes="pane")
        self.ask_pane.border_title = "Prompt"
        self.text = widgets.TextPane("Received", id="prompts-text")
        self.lay_out("Prompts", self.text)

    def compose(self) -> ComposeResult:
        yield self.box
        yield Horizontal(
            self.list_pane,
            Vertical(self.ask_pane, self.text, id="prompts-right"),
            id="prompts-panes",
            classes="panes",
        )

    def on_mount(self) -> None:
        self.list.say_nothing(Content("Reading the prompts…"))
        self.let_keys_wait_for(self.read())

    # -- where one is

    def open_place(self, position: view.Place) -> None:
        """Go to a session, to the prompts that received a memory, or try a prompt."""
        if position.query:
            self._take(position.query)
            self.box.set_text("", silent=True)
            self._list(TRY)
            self.list.cursor = 0
            self.let_keys_wait_for(self._compute())
            return
        if position.receipt:
            self._open_receipt(position.receipt)
            return
        self._goal = NEWEST
        if position.session:
            self._goal = f"session:{position.session}"
            self._open = {*(self._open or ()), position.session}
        self._narrow_to(position.memory)

    def _narrow_to(self, memory: str | None) -> None:
        self.box.set_text(f"{OF_MEMORY}{memory}" if memory else "", silent=True)
        self.let_keys_wait_for(self.read())

    @may_ask
    async def _open_receipt(self, ref: str) -> None:
        receipt = await self.app.pages.run(lambda core: core.receipt_named(ref))
        self._goal = f"receipt:{receipt.id}"
        self._open = {*(self._open or ()), receipt.session or ""}
        self.box.set_text("", silent=True)
        await answered(self.read())

    def stops(self) -> Sequence[Widget]:
        return (self.list, self.prompt, self.text)

    def is_typed_in(self) -> bool:
        return self.box.is_typed_in or self.screen.focused is self.prompt

    def out_of_mode(self) -> None:
        """Up one level of the tree, and close it."""
        row = self.list.current
        if row is None:
            return
        parent = TRY
        if row.receipt and row.session:
            is_prompt = row.kind == PROMPT
            parent = f"session:{row.session.id}" if is_prompt else f"receipt:{row.receipt.id}"
        if row.kind in (PROMPT, MEMORY):
            self.list.cursor = self.list.row_of(hash(parent)) or 0
        elif row.is_open:
            self.action_open()

    # -- which keys work

    def can(self, action: str) -> bool | None:
        if self.is_typed_in() and any(act.action == action for act in PROMPT_ACTS):
            return False
        return super().can(action)

    def why_not(self, action: str) -> str:
        row = self.list.current
        if action == "injections" or action.startswith("change"):
            if row is None or row.kind != MEMORY:
                return NOT_A_MEMORY
            memory = row.memory
            if memory is None:
                return DELETED
            if action == "injections":
                return ""
            if memory.project not in ("", self.loaded.project):
                return ELSEWHERE
            return IS_RETIRED if memory.retired_at is not None else ""
        if action.startswith("opinion"):
            if row is None or row.kind != MEMORY:
                return NOT_A_MEMORY
            return NOT_INJECTED_YET if row.receipt is None else ""
        if action == "options":
            return "" if row is None or row.session is None else TRY_FIRST
        if action == "transcript":
            return "" if row is not None and row.session is not None else NO_SESSION
        return ""

    # -- reading the list

    def read(self) -> Worker[None]:
        """Read the sessions and their open prompts; the cursor stays on its row."""
        return self.begin(self._read, "prompts-tree")

    async def _read(self) -> None:
        self._is_old = False
        row = self.list.current
        if self._open is not None and row is not None and row.receipt and row.session:
            self._open.add(row.session.id)  # also when the list is no longer narrowed
        opened, text = self._open, self.box.text
        tree = await self.app.slow.run(lambda core: read_tree(core, opened, text))
        self.loaded = tree
        if self._open is None:
            self._open = set(tree.prompts)
        is_newest = self._goal == NEWEST
        goal, self._goal = self._goal, None
        if is_newest:
            newest = next((r for s in tree.sessions for r in tree.prompts.get(s.id, ())), None)
            goal = f"receipt:{newest.id}" if newest is not None else None
        self._list(goal)
        if is_newest:
            self.list.scroll_to(y=0, animate=False, force=True)
        await self._show_current()

    def _list(self, goal: str | None = None) -> None:
        """Lay out the rows."""
        now = self.app.clock()
        self.list.set_now(now)
        rows: list[TreeRow] = []
        groups: list[tuple[int, str]] = []
        if not self.box.text:
            rows += self._try_rows()
        for session in self.loaded.sessions:
            day = widgets.day_words(session.began_at.astimezone().date(), now.astimezone().date())
            if not groups or groups[-1][1] != day:
                groups.append((len(rows), day))
            rows += self._session_rows(session)
        memory = self.loaded.of_memory
        none = "No prompt received it yet." if memory else "No prompt matches."
        self.list.say_nothing(widgets.nothing_fits(none))
        keep = hash(goal) if goal else self.list.current_key
        self.list.show(widgets.keys_of(rows), rows, groups, keep=keep)
        title = f"Prompts with {cut(memory, 40)}" if memory else "Prompts"
        self.list_pane.border_title = Content(title)
        matching = self.loaded.prompts.values()
        count = (
            sum(map(len, matching))
            if self.box.text
            else sum(session.prompts for session in self.loaded.sessions)
        )
        self.list_pane.border_subtitle = Content(
            f"{counted(len(self.loaded.sessions), 'session')}, {counted(count, 'prompt')}"
            if self.loaded.sessions
            else ""
        )
        self.box.say(counted(count, "prompt") if self.box.text else "")
        self.refresh_bindings()

    def _try_rows(self) -> Iterator[TreeRow]:
        """Yield the rows of the prompt to try, and of its injection."""
        trial, text = self.trial, one_line(self.question.prompt)
        has_items = trial is not None and bool(trial.injection.items)
        yield TreeRow(
            hash(TRY),
            TRY,
            f"Try: {text}" if text else "Try a prompt",
            count=len(trial.injection.items) if trial else None,
            tokens=trial.injection.tokens if trial else None,
            is_open=self._open_try if has_items else None,
        )
        if trial is not None and self._open_try:
            for item in injected_items(trial.injection):
                yield self._memory_row(TRY, item, trial.why, None, None)

    def _session_rows(self, session: Session) -> Iterator[TreeRow]:
        prompts = self.loaded.prompts.get(session.id, ())
        is_open = session.id in (self._open or ()) or (bool(self.box.text) and bool(prompts))
        yield TreeRow(
            hash(f"session:{session.id}"),
            SESSION,
            session.title,
            f"{session.began_at.astimezone():%H:%M}",
            session.agent,
            session.prompts,
            session.tokens,
            is_open if session.prompts else None,
            session=session,
        )
        for receipt in prompts if is_open else ():
            name = f"receipt:{receipt.id}"
            why = self.loaded.why.get(receipt.id)
            yield TreeRow(
                hash(name),
                PROMPT,
                one_line(occasion(receipt)),
                f"{receipt.at.astimezone():%H:%M}",
                count=len(receipt.items),
                tokens=receipt.tokens,
                is_open=why is not None if receipt.items else None,
                session=session,
                receipt=receipt,
            )
            for item in receipt.items if why else ():
                yield self._memory_row(name, item, why, session, receipt)

    def _memory_row(
        self,
        parent: str,
        item: Mapping[str, Any],
        why: Explanation | None,
        session: Session | None,
        receipt: Receipt | None,
    ) -> TreeRow:
        memory = why.memories.get(item["id"]) if why else None
        mark = (" ", "")
        if memory is None or memory.retired_at is not None:
            mark = RETIRED
        elif memory.in_conflict:
            mark = CONFLICT
        elif memory.status in ("pinned", "candidate"):
            mark = PINNED if memory.status == "pinned" else CANDIDATE
        return TreeRow(
            hash(f"{parent}/{item['id']}"),
            MEMORY,
            str(item.get("title") or "(deleted)"),
            tokens=item.get("tokens"),
            mark=mark,
            opinion=item.get("helpful"),
            session=session,
            receipt=receipt,
            item=item,
            memory=memory,
        )

    def _narrow(self, wait: float) -> Worker[None]:
        """List only the prompts and sessions that match the filter."""
        return self.begin(self._read, "prompts-tree", after=wait)

    # -- the pane

    def follow(self) -> None:
        self.refresh_bindings()
        self.begin(self._show_current, "prompts-panes", after=widgets.RESTING_SECONDS)

    async def _show_current(self) -> None:
        """Show the row under the cursor in the pane."""
        row = self.list.current
        self.set_class((row is None or row.session is None) and not self.box.text, "-trying")
        self.ask_pane.border_subtitle = Content(f"@ {self.question.host}")
        title, cost, document = "Received", "", None
        trial = self.trial
        if row is None:
            pass
        elif row.kind == SESSION and row.session is not None:
            title, document = "Session", await self._session_document(row.session)
        elif source := row.receipt or (trial.injection if trial else None):
            receipt, why = row.receipt, trial.why if trial else None
            if receipt is not None:
                why = self.loaded.why.get(receipt.id) or await self.app.pages.run(
                    lambda core: core.explanation(receipt)
                )
            assert why is not None
            title = "Memory" if row.kind == MEMORY else title
            hint = "w hides the numbers" if self.with_numbers else "w shows the numbers"
            cost = f"{source.tokens:,} of {source.budget:,} tokens · {hint}"
            document = self._injection_document(row, source, why)
        if row is not self.list.current:
            return  # another one is being read
        self.text.name_it(title, cost)
        if row is not None and document is None and row.kind == TRY:
            self.text.show(lambda _: NOTHING_TRIED, from_top=True)
        else:
            self.text.show_document(document, self.app.clock())

    async def _session_document(self, session: Session) -> d.Document | None:
        if session.overview is None:
            text = "This session was not recorded: only its receipts are known."
            return d.document(session.title, d.section("", d.Row("", text)))
        with suppress(ManagerError):  # it is gone: the next reading of the list shows that
            return session_document(
                await self.app.pages.run(lambda core: core.services.sessions.detail(session.id))
            )
        return None

    def _injection_document(
        self, row: TreeRow, source: Receipt | Injection, why: Explanation
    ) -> d.Document:
        if row.kind == MEMORY and row.item is not None:
            return injected_memory_document(row.item, why, with_numbers=self.with_numbers)
        document = injection_document(
            source, why, self.question.prompt, with_numbers=self.with_numbers
        )
        advice = self.trial.advice if self.trial and row.receipt is None else ()
        first = d.section("", *[d.Row("", line, d.WARNING) for line in advice])
        above = ("injected", "received", "left out")
        rest = sorted(document.sections, key=lambda part: part.title not in above)
        return document._replace(sections=(*([first] if advice else ()), *rest))

    def on_resize(self) -> None:
        """Panes may come or go."""
        self.call_after_refresh(self.refresh_bindings)
        self.call_after_refresh(self.keep_focus)

    # -- trying a prompt

    def action_try(self) -> None:
        row = self.list.current
        if row is not None and row.receipt is not None and row.receipt.prompt:
            self._take(row.receipt.prompt, row.receipt.host)
        self.box.set_text("", silent=True)
        self._list(TRY)
        self.list.cursor = 0
        self.add_class("-trying", "-reading")
        self.screen.set_focus(self.prompt)
        self.prompt.select_all()
        self._compute()

    def _take(self, prompt: str, host: str = "") -> None:
        from ...core.agents import HOSTS

        text = showable(prompt[:LONGEST_PROMPT])
        self.question = replace(
            self.question, prompt=text, host=host if host in HOSTS else self.question.host
        )
        with self.prompt.prevent(TextArea.Changed):
            self.prompt.text = text

    @on(TextArea.Changed, "#prompts-prompt")
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self.prompt.text != self.question.prompt:
            self.question = replace(self.question, prompt=self.prompt.text)
            self._compute(widgets.TYPING_SECONDS)

    @on(PromptArea.Left)
    def _prompt_left(self, event: PromptArea.Left) -> None:
        event.stop()
        self.remove_class("-reading")
        self.screen.set_focus(self.list)
        self.let_keys_wait_for(self._compute())

    def _compute(self, wait: float = 0.0) -> Worker[None]:
        """Compute the injection of the prompt; an older computation is cancelled."""
        return self.begin(self._try, "prompts-trial", after=wait)

    async def _try(self) -> None:
        question = self.question
        if question.prompt.strip():
            self.trial = await self.app.slow.run(lambda core: try_prompt(core, question))
        else:
            self.trial = None
        self._list()
        await self._show_current()

    @asks
    async def action_options(self) -> None:
        from ...core.agents import HOSTS, NAMES

        here = self.question.host
        choices = [
            Choice(host, NAMES[host], key=str(number), is_current=host == here)
            for number, host in enumerate(HOSTS, start=1)
        ]
        chosen = await self.app.ask(Menu("Try with which agent?", choices))
        if chosen is not None:
            self.question = replace(self.question, host=chosen)
            self._compute()

    # -- acts

    @on(widgets.Opened)
    def action_open(self) -> None:
        row = self.list.current
        if row is None:
            return
        if row.kind == MEMORY:
            if row.memory is None:
                self.app.notices.refuse(DELETED)
            else:
                self.app.call_later(self.app.action_follow, f"memory:{row.memory.id}")
        elif row.kind == TRY:
            if self.trial is None:
                self.action_try()
            else:
                self._open_try = not self._open_try
                self._list()
        elif row.is_open is None:
            self.read_in(self.text)
        else:
            name = row.receipt.id if row.receipt else row.session.id if row.session else ""
            opened = self._open if self._open is not None else set()
            self._open = opened ^ {name}
            self.let_keys_wait_for(self.read())

    def action_numbers(self) -> None:
        self.with_numbers = not self.with_numbers
        self.follow()

    def action_injections(self) -> None:
        row = self.list.current
        if row is not None and row.memory is not None:
            self._goal = NEWEST
            self._narrow_to(row.memory.id)

    def action_change(self, name: str) -> None:
        row = self.list.current
        if row is not None and row.memory is not None:
            self.app.changes.change(name, [row.memory.num])

    @may_ask
    async def action_opinion(self, word: str) -> None:
        row = self.list.current
        if row is None or row.receipt is None or row.item is None:
            return
        receipt, memory, is_helpful = row.receipt.id, str(row.item["id"]), word == "helpful"
        opinion = None if row.opinion is is_helpful else is_helpful
        await self.app.write.run(lambda core: core.feedback(receipt, memory, opinion))
        await self.app.news.wrote([memory])
        words = {True: "Helpful", False: "Not helpful", None: "No opinion"}[opinion]
        self.app.notices.toast(f"{words}: {quoted(row.title, 22)}.")
        await self._read()

    def exported(self, *, is_all: bool) -> view.Export:
        row, trial = self.list.current, self.trial
        if is_all:
            items = [_exported(row) for row in self.list.rows if row.kind in (SESSION, PROMPT)]
        elif row is None or row.session is not None:
            items = [_exported(row)] if row else []
        elif row.memory is not None:
            items = [view.exported_memory(row.memory)]
        elif trial is not None:
            items = [view.Exported(trial.question.prompt, trial.injection.text, trial.injection)]
        else:
            items = []
        return lambda _: items

    @property
    def listed_count(self) -> int:
        return sum(row.kind in (SESSION, PROMPT) for row in self.list.rows)

    def action_transcript(self) -> None:
        row = self.list.current
        self.open_transcript(row.session.id if row is not None and row.session else None)

    # -- changes meanwhile

    @on(view.MemoriesChanged)
    def _changed(self) -> None:
        if self.is_current:
            self._refresh_all()
        else:
            self._is_old = True

    @on(events.Show)
    def _came(self) -> None:
        """Read changes of the meantime when the screen is shown."""
        if self._is_old:
            self._refresh_all()

    def _refresh_all(self) -> None:
        self.read()
        if self.trial is not None:
            self._compute()

    @on(view.ProjectChanged)
    def _other_project(self) -> None:
        self._open, self._goal, self.trial = None, NEWEST, None
        self.box.set_text("", silent=True)
        self.read()


NOTHING_TRIED = widgets.empty_text(
    "What would an agent receive?",
    "Write a prompt, and see the text that would be injected with it, what it costs, and what"
    " is left out and why. Nothing is sent to an agent.",
    ("c", "write a prompt"),
    ("5", "connect your agents"),
)


def try_prompt(core: MemoryCoordinator, question: Question) -> Trial:
    """Return the injection that the prompt would receive now. Runs in a lane."""
    injection = core.recall(question.prompt, host=question.host, write_receipt=False)
    advice: list[str] = []
    if not injection.text:
        suggestion = core.suggest_instead(question.prompt)
        if suggestion.did_you_mean:
            advice.append(f"Did you mean: {suggestion.did_you_mean}")
        if suggestion.retired:
            count = counted(suggestion.retired, "retired memory", "retired memories")
            advice.append(f"{count} would match: is:retired in Memories.")
    why = core.explanation(injection, question.prompt)
    return Trial(question, injection, why, tuple(advice))


def read_tree(
    core: MemoryCoordinator,
    opened: set[str] | None,
    text: str,
) -> Tree:
    """Return the sessions, and the prompts of those that are open. Runs in a lane.

    `opened` holds ids of sessions and of receipts; None opens the newest session. With a filter
    `text` (words, or `memory:ID`) only matches are listed, all of them open.
    """
    overviews = core.services.sessions.overviews(MOST_SESSIONS)
    of_memory, is_of_memory = "", text.startswith(OF_MEMORY)
    if is_of_memory:
        receipts, ref = [], text.removeprefix(OF_MEMORY).strip()
        with suppress(ManagerError):  # not typed to its end, or deleted meanwhile
            receipts = core.receipts(MOST_RECEIPTS, memory=ref)
            of_memory = core.show(ref).title
    else:
        receipts = core.receipts(MOST_RECEIPTS)
    matches = filter_of(text)
    if text.strip() and not is_of_memory:
        receipts = [receipt for receipt in receipts if matches(_words_of(receipt))]
    by_session: dict[str, list[Receipt]] = {}
    for receipt in receipts:
        by_session.setdefault(receipt.session or "", []).append(receipt)
    sessions = [
        Session(
            overview.session.id,
            overview.name,
            overview.session.agent,
            overview.began_at,
            overview.prompts,
            overview.tokens,
            overview,
        )
        for overview in overviews
    ]
    recorded = {session.id for session in sessions}
    for name, prompts in by_session.items():
        if name not in recorded:
            tokens = sum(receipt.tokens for receipt in prompts)
            title = prompts[0].session_name or name or "Without a session"
            first = prompts[-1]
            sessions.append(Session(name, title, first.host, first.at, len(prompts), tokens))
    if is_of_memory:
        sessions = [session for session in sessions if session.id in by_session]
    elif text.strip():
        sessions = [
            session for session in sessions if session.id in by_session or matches(session.words)
        ]
    sessions.sort(key=lambda session: session.began_at, reverse=True)
    if opened is None:
        newest = next((session.id for session in sessions if session.id in by_session), None)
        opened = set() if newest is None else {newest}
    if text.strip():
        visible = {name: tuple(prompts) for name, prompts in by_session.items()}
    else:
        visible = {}
        for session in sessions:
            if session.id not in opened:
                continue
            prompts = by_session.get(session.id, [])
            if session.overview and len(prompts) < min(session.prompts, MOST_RECEIPTS):
                named = core.receipts(MOST_RECEIPTS, session=session.id)
                prompts = [receipt for receipt in named if receipt.session == session.id]
            visible[session.id] = tuple(prompts)
    why = {
        receipt.id: core.explanation(receipt)
        for prompts in visible.values()
        for receipt in prompts
        if receipt.id in opened
    }
    return Tree(tuple(sessions), visible, why, of_memory, core.project.id)


def _exported(row: TreeRow) -> view.Exported:
    """Return a row of the tree to be copied: a memory, the text of a prompt, or a session."""
    if row.kind == MEMORY and row.memory is not None:
        return view.exported_memory(row.memory)
    facts = tuple(filter(None, (row.when, row.about, f"{row.tokens or 0:,} tokens")))
    if row.receipt is not None:
        return view.Exported(row.title, row.receipt.text or "", row.receipt, facts)
    session = row.session
    assert session is not None
    summary = session.overview.session.summary if session.overview else ""
    return view.Exported(session.title, summary, session, facts)


def _words_of(receipt: Receipt) -> str:
    titles = (str(item.get("title") or "") for item in receipt.items)
    words = (occasion(receipt), receipt.host, receipt.event, receipt.session_name)
    return " ".join((*words, receipt.session or "", receipt.text or "", *receipt.files, *titles))
