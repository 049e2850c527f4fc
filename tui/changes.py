"""Acts that write, in the write lane, with progress and undo; notices; and news of the store."""

from __future__ import annotations

import asyncio
import math
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.markup import escape
from textual.message import Message
from textual.widgets import Static
from textual.worker import Worker

from ..core.errors import ConsentNeeded, ManagerError, Refused, StoreUnusable
from ..core.services.bulk import PART, Effect
from ..core.values import ms_of
from .acts import (
    REDO,
    UNDO,
    Done,
    carry_out,
    entry_words,
    foretold,
    plain_entry_words,
    preview,
    with_undone,
)
from .dialogs.questions import Confirm, Dialog
from .document import scroll_keys
from .lanes import Lane
from .settings import read_settings
from .setup import in_words
from .text import age, plain
from .typeahead import may_ask
from .view import VIEWS, Configured, Counts, CountsChanged, MemoriesChanged

if TYPE_CHECKING:
    from textual.notifications import Notification

    from ..core.answers import Entry
    from ..core.compat import MemoryCoordinator
    from .acts import Act
    from .app import MemoryApp

NOTICE_SECONDS = 8.0
REFUSAL_SECONDS = 3.0  # how long it is said why a key does nothing
NOTICE_LINES = 9  # lines at the bottom that notices may take
MOST_KEPT = 50  # notices that can be read again


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice, its time in seconds since 1970, and the traceback of its error, if any."""

    at: float
    title: str
    text: str
    cause: str = ""


class Notices:
    """The notices of the app: one at a time, and never over the cursor.

    A notice that arrives before the last one can have been read is shown beside it.
    """

    READ_SECONDS = 2.0  # in which nobody has read one yet

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self._last_trouble = ""
        self._said_at = 0.0
        self._warning = ("", 0.0)  # what a warning says, and when that was said
        self._refusal = ("", 0.0)  # why a key did nothing, and when that was said
        self._causes: dict[str, str] = {}  # tracebacks by the title of the notice
        self.said: deque[Notice] = deque(maxlen=MOST_KEPT)  # of this run, newest last

    def toast(self, sentence: str, *, undo: bool = False, is_beside: bool = False) -> None:
        """Show the notice of an act in place of older ones: their "Undo" would undo this act.

        `sentence` is markup: memory text in it comes from `quoted`. `is_beside`: what else came of
        the act was said before, and stays.
        """
        if not is_beside:
            # in line with the notices to come
            self._app.call_later(self._app.clear_notifications)
        if undo:
            sentence += f" {self.link(UNDO)}"
        self._app.notify(sentence, timeout=NOTICE_SECONDS)

    def link(self, act: Act) -> str:
        """Markup that offers `act`, and names the key that has it here."""
        return f"[@click={act.id}]{act.label} ({escape(act.key_in(self._app.keymap))})[/]"

    def report(self, error: ManagerError) -> None:
        """The one place where a core error becomes a notice."""
        text = f"{error} {error.hint}".strip()
        if isinstance(error, StoreUnusable) and text == self._last_trouble:
            return  # several lanes stumble over the same thing
        message, when = self._warning
        if str(error).rstrip(".") in message and time.monotonic() - when < NOTICE_SECONDS:
            return  # it is in that notice
        self._last_trouble = text
        self._causes[str(error)] = "".join(traceback.format_exception(error)).rstrip()
        self._app.notify(
            f"{escape(error.hint)} [@click=app.messages]Details (f2)[/]".strip(),
            title=escape(str(error)),
            severity="error" if isinstance(error, StoreUnusable) else "warning",
            timeout=NOTICE_SECONDS,
        )

    def warn(self, title: str, problems: Sequence[str]) -> None:
        """What was found wrong and is to be known, in one notice."""
        self._warning = "\n".join(problems), time.monotonic()
        self._app.notify(
            self._warning[0],
            title=title,
            severity="warning",
            markup=False,
            timeout=NOTICE_SECONDS,
        )

    def refuse(self, reason: str) -> None:
        """Why a dimmed key does nothing; once, however often it is pressed."""
        now = time.monotonic()
        if reason and (reason != self._refusal[0] or now - self._refusal[1] > REFUSAL_SECONDS):
            self._refusal = reason, now
            self._app.notify(reason, timeout=REFUSAL_SECONDS, markup=False)

    def log_notice(self, notification: Notification) -> None:
        """One comes: it is kept, to be read again, and the one before goes if it was read."""
        title = notification.title
        words = notification.message
        text = Content.from_markup(words).plain if notification.markup else words
        text = text.removesuffix("Details (f2)").strip()
        self.said.append(Notice(time.time(), title, text, self._causes.pop(title, "")))
        self.clear_what_was_read()
        self._said_at = time.monotonic()
        if self._app.navigation.has_stage:
            self.keep_off_the_cursor()

    def clear_what_was_read(self) -> None:
        """Before another notice, or a dialog, which none of them may cover."""
        if time.monotonic() - self._said_at > self.READ_SECONDS:
            self._app.clear_notifications()

    def keep_off_the_cursor(self) -> None:
        """Notices stand at the bottom, or at the top while the cursor is down there."""
        view = self._app.stage.current_view
        listing = None if view is None else view.list_in_use()
        row = None if listing is None else listing.cursor_y
        is_low = row is not None and row > self._app.size.height - NOTICE_LINES
        self._app.screen_stack[0].set_class(is_low, "-notices-above")


class MessagesText(VerticalScroll, can_focus=True):
    """The text, to scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *scroll_keys("detail"),
    ]


class MessagesScreen(Dialog[None]):
    """Answers nothing."""

    HELP = "Everything that was said since the app was opened. `esc` goes back."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "leave", "Back", id="messages.leave"),
        Binding("question_mark", "app.help", "Help", key_display="?", id="messages.help"),
    ]

    def __init__(self, said: Iterable[Notice]) -> None:
        super().__init__()
        self._said = tuple(said)

    def compose(self) -> ComposeResult:
        with Vertical(id="reading"):
            yield Static("Messages", classes="dialog-title", markup=False)
            with MessagesText():
                yield Static(Content("\n").join(list(_lines(self._said))), markup=False)
            yield Static(plain("j k scroll  esc back", "$text-muted"), markup=False)

    def on_mount(self) -> None:
        """Keys scroll."""
        self.query_one(MessagesText).focus()


def _lines(notices: tuple[Notice, ...]) -> Iterator[Content]:
    if not notices:
        yield plain("Nothing was said yet.", "$text-muted")
    for item in reversed(notices):
        moment = f"{datetime.fromtimestamp(item.at).astimezone():%H:%M:%S}  "
        yield Content.assemble((moment, "$text-muted"), plain(item.title or item.text, "bold"))
        if item.title and item.text:
            yield plain(f"          {item.text}")
        for line in item.cause.splitlines():
            yield plain(f"          {line}", "$text-muted")
        yield Content("")


NEWS_SECONDS = 0.5  # how often the store is looked at for what others wrote
COUNT_SECONDS = 2.0  # how often the header is counted while others go on writing


class News:
    """Looks at the store, and passes on what changed to the views."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self.version: int | None = None  # of the store, when it was last looked at
        self._looks_in: Lane | None = None  # where a look is under way
        self._since: int | None = None  # ms since 1970 of the first look
        self._left: dict[str, int] = {}  # what left by age from then on
        self._counted_at = float("-inf")  # by the loop's clock, for what others wrote
        self._counts_later = False

    def watch(self) -> None:
        """Look from now on: what is written after this is news."""
        self.look()
        self._app.set_interval(NEWS_SECONDS, self.look)

    def begin_anew(self) -> None:
        """Another project is looked at."""
        self.version = self._since = None
        self._app.counts = Counts()
        self.count()

    def count(self) -> Worker[None]:
        """Read the counts of the header."""
        return self._app.run_worker(self._count, name="count", group="count", exclusive=True)

    def _count_in_time(self) -> None:
        """Count after others wrote: at once, and while they go on only now and then."""
        if not self._counts_later:
            self._counts_later = True
            wait = self._counted_at + COUNT_SECONDS - asyncio.get_running_loop().time()
            self._app.set_timer(max(wait, 0.001), self._count_for_others)

    def _count_for_others(self) -> None:
        self._counts_later = False
        self._counted_at = asyncio.get_running_loop().time()
        self.count()

    async def _count(self) -> None:
        app = self._app
        counts = replace(await app.slow.run(_counts), setup=app.counts.setup)
        if counts != app.counts and app.navigation.has_stage:
            app.counts = counts
            app.stage.header.show_counts(counts)
            self.tell(CountsChanged)

    def look(self) -> Worker[None]:
        """See whether somebody else wrote; a look that takes long is not cut short by the next."""
        return self._app.run_worker(self._look, name="look", group="look")

    async def _look(self) -> None:
        app, lane = self._app, self._app.pages
        if self._looks_in is lane:
            return
        self._looks_in = lane
        try:
            version = await lane.run(lambda core: core.data_version())
            if self._since is None:
                self._since = await lane.run(lambda core: core.now_ms())
                self._left = {}
        except StoreUnusable as error:
            app.notices.report(error)  # only once
            return
        finally:
            if self._looks_in is lane:
                self._looks_in = None
        if lane is not app.pages:
            return  # another project is looked at by now
        if self.version is not None and version != self.version:
            self._count_in_time()
            self.tell(MemoriesChanged)
            await self._tell_what_left(lane, self._since)
        self.version = version

    async def _tell_what_left(self, lane: Lane, since: int) -> None:
        """Say what upkeep retired since the last time this was said."""
        remaining = await lane.run(lambda core: core.maintenance.left_since(since))
        more = {reason: number - self._left.get(reason, 0) for reason, number in remaining.items()}
        self._left = remaining
        details = ", ".join(f"{number:,} {reason}" for reason, number in more.items() if number > 0)
        if details:
            self._app.notify(
                f"Retired automatically: {details}. `is:retired` shows them.",
                timeout=NOTICE_SECONDS,
            )

    async def configured(self) -> None:
        """After a change of the settings: every lane and the app go by it from now on."""
        app = self._app
        for lane in (app.search, app.pages, app.slow, app.write):
            # not waited for: what is asked next in a lane comes after it
            app.run_worker(_read_policy_anew(lane), name="configured", group="configured")
        settings, _ = await asyncio.to_thread(read_settings, app.home, app.project)
        app.post_message(Configured(settings))

    async def wrote(
        self, ids: Sequence[str], *, goes_to: str | None = None, undid: int | None = None
    ) -> None:
        """After a write of our own: nobody else's news, but everything shown may have changed."""
        self.version = await self._app.pages.run(lambda core: core.data_version())
        await self._app.changes.note(undid)
        self.count()
        self.tell(lambda: MemoriesChanged(tuple(ids), goes_to, undid))

    def tell(self, make: Callable[[], Message]) -> None:
        """Pass a message to every view that has been visited; to none once the app is leaving."""
        navigation = self._app.navigation
        for view in navigation.stage.mounted_views if navigation.has_stage else ():
            view.post_message(make())


def _counts(core: MemoryCoordinator) -> Counts:
    """Return the numbers of the header; runs in a lane."""
    search = core.services.search
    memories, _ = search.standing("expiring")
    return Counts(
        core.project.name,
        memories,
        core.services.review.count(),
        switched=in_words(core.switches),
    )


async def _read_policy_anew(lane: Lane) -> None:
    await lane.run(lambda core: core.context.read_policy_anew())


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
