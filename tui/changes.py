"""Acts that write: run in the write lane, reported in a notice, undone; progress of long ones."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from ..core.errors import ConsentNeeded, Refused
from ..core.services.bulk import PART, Effect
from ..core.values import ms_of
from .acts import (
    REDO,
    Done,
    carry_out,
    entry_words,
    foretold,
    plain_entry_words,
    preview,
    with_undone,
)
from .dialogs.questions import Confirm, Dialog
from .stage import VIEWS
from .text import age, plain
from .typeahead import may_ask

if TYPE_CHECKING:
    from ..core.answers import Entry
    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp


P = ParamSpec("P")
T = TypeVar("T")
FROM = 3
"""Memories from which on an act shows first what it would do; fewer are seen at a glance."""

LARGE_SECONDS = 0.05  # how often an act is looked at that may turn out to be large


def agreed(
    job: Callable[Concatenate[MemoryCoordinator, P], T],
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """Return `job` with the consent that the user has given."""

    def run(core: MemoryCoordinator, /, *args: P.args, **named: P.kwargs) -> T:
        with core.context.consent.given():
            return job(core, *args, **named)

    return run


class Changes:
    """What the user changes in the store, and undo."""

    def __init__(self, app: MemoryApp) -> None:
        self.app = app
        self._acts: list[tuple[int, str]] = []  # of this run: entry and screen

    @may_ask
    async def change(
        self, name: str, nums: Sequence[int], after: Callable[[], None] | None = None
    ) -> bool:
        """Carry out a change on these rows, show what came of it, and how to take it back.

        On several memories the user sees first what it would do, and may cancel. `after` is called
        when it is done.
        """
        if len(nums) >= FROM:
            change, effect = await self.app.pages.run(lambda core: preview(core, name, nums))
            if not await self.may_go_on(change.verb, effect):
                return True
        done = await self.carry(
            lambda core, progress: carry_out(core, name, nums, progress), len(nums)
        )
        await self.say_done(done)
        if after is not None:
            after()
        return done.error is None

    async def may_go_on(self, verb: str, effect: Effect) -> bool:
        """Return True if the user agrees to an act on several memories; without asking for fewer.

        From a worker that is begun with `asks` or `may_ask`.
        """
        if effect.count < FROM:
            return True
        goes_on: bool | None = await self.app.ask(Preview(foretold(verb, effect)))
        return goes_on is True

    async def say_done(self, done: Done) -> None:
        """Show what an act came to, and how to take it back."""
        if done.ids:
            await self.app.news.wrote(done.ids)
        self.app.notices.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.app.notices.report(done.error)

    async def agree(self, question: str) -> None:
        """Ask what only a person may agree to; what they typed ahead is no answer to it.

        From a worker. Raises Refused for a no.
        """
        self.app.typed.drop("That needs your yes: what you typed ahead was dropped.")
        if not await self.app.ask(
            Confirm(
                question,
                "It can be undone.",
                "Agree and write it",
                no_label="Write nothing",
            )
        ):
            raise Refused("Nothing was saved: it was not agreed to.", hint="") from None

    async def carry(self, job: Callable[[MemoryCoordinator, Progress], T], total: int = 0) -> T:
        """The answer of a job in the write lane; one on many shows how far it is, and can be
        stopped between two transactions.

        `total`: on how many, where that is known before the job says so itself. What needs the
        person's yes is asked in between. Raises Refused for a no.
        """
        try:
            return await self._carried(job, total)
        except ConsentNeeded as needed:
            await self.agree(needed.question)
            return await self._carried(agreed(job), total)

    async def _carried(self, job: Callable[[MemoryCoordinator, Progress], T], total: int) -> T:
        progress = Progress(total)
        writing = asyncio.ensure_future(self.app.write.run(lambda core: job(core, progress)))
        while not writing.done():
            if progress.is_large:
                await self.app.ask(Working(writing, progress))
                break
            await asyncio.wait({writing}, timeout=LARGE_SECONDS)
        return await writing

    async def note(self, undid: int | None) -> None:
        """Remember that this app wrote, in the screen that is shown."""
        entry = await self.app.pages.run(lambda core: core.services.curation.next_undo())
        if undid is None and entry is not None:
            self._acts.append((entry.seq, self.app.view))
        elif undid is not None:
            self._acts = [act for act in self._acts if act[0] != undid]

    async def _may_undo(self) -> bool:
        """Ask before an act is undone that was done before this run, or in another screen.

        After a yes its screen is shown: what comes back comes back in sight.
        """
        entry = await self.app.pages.run(lambda core: core.services.curation.next_undo())
        if entry is None or self._acts[-1:] == [(entry.seq, self.app.view)]:
            return True
        here = dict(self._acts).get(entry.seq)
        where = "" if here is None else f", in {VIEWS[here].label}"
        ago = age(ms_of(entry.at), ms_of(self.app.clock())).strip()
        question = f"Undo {plain_entry_words(entry)}, {ago} ago{where}?"
        says = "It was done before this run." if here is None else "It was done in another screen."
        label = "Undo it" if here in (None, self.app.view) else "Undo it there"
        if not await self.app.ask(Confirm(question, says, label, no_label="Leave it")):
            return False
        if here is not None:
            await self.app.stage.go(here)
        return True

    @may_ask
    async def undo(self, seq: int | None = None) -> None:
        """Undo entry `seq`, or the newest act; one of another run or screen after a yes."""
        if seq is None and not await self._may_undo():
            return
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.undo(seq, progress=progress))
        )
        await self._go_by(taken)
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        again = self.app.notices.link(REDO)
        self.app.notices.toast(f"Undid {entry_words(taken or entry)}. {again}")

    @may_ask
    async def redo(self) -> None:
        """Do again what was just undone."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.redo(progress=progress))
        )
        await self._go_by(entry)
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        back = await self.app.write.run(lambda core: with_undone(core, taken)[1] if taken else None)
        self.app.notices.toast(f"Did again {entry_words(back or entry)}.", undo=True)

    async def _go_by(self, entry: Entry | None) -> None:
        """Let the app go by settings that came back, or went again."""
        if entry is not None and not entry.memories:
            await self.app.news.configured()


FIRST_WORDS = 1.0  # seconds before one can say how long the rest takes


class Progress:
    """How far an act is: the lane's thread says it, the screen reads it."""

    def __init__(self, total: int = 0) -> None:
        self.done, self.total = 0, total
        self.is_stopped = False
        self._now, self._began = time.monotonic, time.monotonic()

    def __call__(self, done: int, total: int | None) -> bool:
        """Say how much is done, and of how much; whether to go on."""
        self.done, self.total = done, self.total if total is None else total
        return not self.is_stopped

    @property
    def is_large(self) -> bool:
        """Whether it is worth being shown."""
        return self.total > PART

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the pace so far; None while that is not known."""
        spent = self._now() - self._began
        if not 0 < self.done < self.total or spent < FIRST_WORDS:
            return None
        return spent * (self.total - self.done) / self.done


def time_left(seconds: float) -> str:
    """A time to wait, rounded up: `3 s`, `2 min`; seconds at least one."""
    whole = max(math.ceil(seconds), 1)
    return f"{whole} s" if whole < 90 else f"{math.ceil(whole / 60)} min"


class Preview(Dialog[bool]):
    """Answers whether to go on. The act can be undone, so that a line is enough.

    `enter` goes on: it is no act of any list on several memories, so the key that asked never
    answers.
    """

    HELP = "An act on several memories, and what it would do. `enter` goes on, `esc` leaves them."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "Go on", id="preview.go_on"),
        Binding("escape", "cancel", "Cancel", id="preview.cancel"),
    ]

    def __init__(self, effect: str) -> None:
        super().__init__()
        self._effect = effect

    def compose(self) -> ComposeResult:
        with Horizontal(id="preview"):
            yield Static(plain(self._effect), id="preview-effect")
            for binding, name in zip(self.BINDINGS, ("go-on", "cancel"), strict=True):
                assert isinstance(binding, Binding)
                assemble = Content.assemble(
                    (self.app.get_key_display(binding), "bold $footer-key-foreground"),
                    (f" {binding.description}", "$text-muted"),
                )
                yield Static(assemble, id=f"preview-{name}", classes="preview-key", markup=False)

    def on_click(self, event: events.Click) -> None:
        """The two keys can be clicked."""
        clicked = event.widget.id if event.widget is not None else None
        if clicked in ("preview-go-on", "preview-cancel"):
            event.stop()
            self.dismiss(clicked == "preview-go-on")

    def action_go_on(self) -> None:
        """Do it."""
        self.dismiss(True)

    def action_cancel(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)


LOOK_SECONDS = 0.1
BAR_CELLS = 40


class Working(Dialog[None]):
    """Stands until `writing` has come to its end; `esc` stops it between two transactions."""

    HELP = "Something large is being written. `esc` stops it: what was done until then stays."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop", id="working.stop"),
    ]

    def __init__(self, writing: asyncio.Future[Any], progress: Progress) -> None:
        super().__init__()
        self._writing, self._progress = writing, progress

    def compose(self) -> ComposeResult:
        with Vertical(id="working", classes="dialog"):
            yield Static("Working", classes="dialog-title")
            yield Static("", id="working-bar", markup=False)
            yield Static("", id="working-count", markup=False)

    def on_mount(self) -> None:
        """Look at once, and then again and again."""
        self.set_interval(LOOK_SECONDS, self._look)
        self._look()

    def _look(self) -> None:
        if self._writing.done():
            if self.is_current:
                self.dismiss(None)
            return
        done, total = self._progress.done, self._progress.total
        filled = BAR_CELLS * done // total if total else 0
        self.query_one("#working-bar", Static).update(
            Content.assemble(
                ("━" * filled, "$text-accent"), ("─" * (BAR_CELLS - filled), "$text-muted")
            )
        )
        remaining = self._progress.seconds_left
        rest = "" if remaining is None else f" · {time_left(remaining)} left"
        rest = " · stopping …" if self._progress.is_stopped else rest
        self.query_one("#working-count", Static).update(f"{done:,} of {total:,}{rest}")

    def action_stop(self) -> None:
        """Stop after the transaction that is under way."""
        self._progress.is_stopped = True
        self._look()

    def guard_leaving(self) -> bool:
        """Whoever leaves the app does not wait for the rest."""
        self._progress.is_stopped = True
        return False
