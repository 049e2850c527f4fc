"""Acts that write, in the write lane, with progress and undo; notices; and news of the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from textual.markup import escape
from textual.message import Message
from textual.worker import Worker

from ..core.answers import Entry
from ..core.documents.entry import act_words
from ..core.services.bulk import PART, Effect, special
from ..core.values import Memory, ms_of
from ..db.errors import ConsentNeeded, ManagerError, NotFound, Refused, StoreUnusable
from .dialogs import Confirm, Preview, Working
from .lanes import may_ask
from .text import age, counted, cut, escaped, quoted
from .view import (
    REDO,
    UNDO,
    VIEWS,
    Act,
    Configured,
    Counts,
    CountsChanged,
    MemoriesChanged,
    in_words,
    read_settings,
)
from .widgets import empty_text

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator
    from ..db.memories import Row
    from .app import MemoryApp

NOTICE_SECONDS = 8.0
READ_SECONDS = 2.0  # after which a notice counts as read
REFUSAL_SECONDS = 3.0  # for the reason why a key does nothing
NOTICE_LINES = 9  # lines at the bottom that notices may take


class Notices:
    """The notices of the app: one at a time, and never over the cursor.

    A notice that arrives before the last one can have been read is shown beside it.
    """

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self._last_trouble = ""
        self._notified_at = 0.0
        self._refusal = ("", 0.0)  # the last reason why a key did nothing, and its time

    def toast(self, sentence: str, *, undo: bool = False, is_beside: bool = False) -> None:
        """Show the notice of an act in place of older ones: their "Undo" would undo this act.

        `sentence` is markup: memory text in it comes from `quoted`. `is_beside`: an earlier notice
        of the same act stays.
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
        """Show a core error as a notice."""
        if isinstance(error, StoreUnusable) and self._app.has_stage:
            for view in self._app.stage.mounted_views:
                view.list.say_nothing(empty_text(str(error), error.hint))
        text = f"{error} {error.hint}".strip()
        if isinstance(error, StoreUnusable) and text == self._last_trouble:
            return  # several lanes stumble over the same thing
        self._last_trouble = text
        self._app.notify(
            escape(error.hint),
            title=escape(str(error)),
            severity="error" if isinstance(error, StoreUnusable) else "warning",
            timeout=NOTICE_SECONDS,
        )

    def warn(self, title: str, problems: Sequence[str]) -> None:
        """Show problems in one notice."""
        text = "\n".join(problems)
        self._app.notify(
            text, title=title, severity="warning", markup=False, timeout=NOTICE_SECONDS
        )

    def refuse(self, reason: str) -> None:
        """Show why a dimmed key does nothing; once, however often it is pressed."""
        now = time.monotonic()
        if reason and (reason != self._refusal[0] or now - self._refusal[1] > REFUSAL_SECONDS):
            self._refusal = reason, now
            self._app.notify(reason, timeout=REFUSAL_SECONDS, markup=False)

    def make_room(self) -> None:
        """Clear the last notice if it was read, before another one."""
        self.clear_what_was_read()
        self._notified_at = time.monotonic()
        self.keep_off_the_cursor()

    def clear_what_was_read(self) -> None:
        """Clear read notices before another one, or a dialog, which no notice may cover."""
        if time.monotonic() - self._notified_at > READ_SECONDS:
            self._app.clear_notifications()

    def keep_off_the_cursor(self) -> None:
        """Show notices at the bottom, or at the top while the cursor is down there."""
        view = self._app.stage.current_view if self._app.has_stage else None
        if view is not None:
            row = view.list.cursor_y if view.list.has_focus else 0
            is_low = row > self._app.size.height - NOTICE_LINES
            self._app.screen_stack[0].set_class(is_low, "-notices-above")
            self._app.screen_stack[0].set_class(view.has_foot, "-notices-over-foot")


NEWS_SECONDS = 0.5  # between two polls for writes of others
COUNT_SECONDS = 2.0  # how often the header is counted while others go on writing


class News:
    """Polls the store, and posts its changes to the views."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self.version: int | None = None  # of the store, at the last poll
        self._is_looking = False
        self._counted_at = float("-inf")  # monotonic, for writes of others
        self._counts_are_old = False

    def count(self) -> Worker[None]:
        return self._app.run_worker(self._count, name="count", group="count", exclusive=True)

    async def _count(self) -> None:
        app = self._app
        counts = replace(await app.slow.run(_counts), setup=app.counts.setup)
        if counts != app.counts and app.has_stage:
            app.counts = counts
            app.stage.header.show_counts(counts)
            self.post(CountsChanged)

    def look(self) -> Worker[None]:
        """Check for writes of other programs; a slow check is not ended by the next."""
        return self._app.run_worker(self._look, name="look", group="look")

    async def _look(self) -> None:
        app, lane = self._app, self._app.pages
        if self._is_looking:
            return
        self._is_looking = True
        try:
            version = await lane.run(lambda core: core.data_version())
        except StoreUnusable as error:
            app.notices.report(error)  # only once
            return
        finally:
            self._is_looking = False
        if lane is not app.pages:
            return  # another project is open by now
        if self.version is not None and version != self.version:
            self._counts_are_old = True
            self.post(MemoriesChanged)
        self.version = version
        if self._counts_are_old and time.monotonic() - self._counted_at > COUNT_SECONDS:
            self._counts_are_old, self._counted_at = False, time.monotonic()
            self.count()

    async def configured(self) -> None:
        """Apply changed settings to every lane and the app."""
        app = self._app
        for lane in (app.search, app.pages, app.slow, app.write):
            # not waited for: the next job of the lane comes after it
            read = lane.run(lambda core: core.context.reload_policy())
            app.run_worker(read, name="configured", group="configured")
        settings, _ = await asyncio.to_thread(read_settings, app.home, app.project)
        app.post_message(Configured(settings))

    async def wrote(
        self, ids: Sequence[str], *, goes_to: str | None = None, undid: int | None = None
    ) -> None:
        """Refresh after a write of our own, which may have changed everything shown."""
        self.version = await self._app.pages.run(lambda core: core.data_version())
        await self._app.changes.note(undid)
        self.count()
        self.post(lambda: MemoriesChanged(tuple(ids), goes_to, undid))

    def post(self, make: Callable[[], Message]) -> None:
        """Pass a message to every view that has been visited; to none once the app is leaving."""
        for view in self._app.stage.mounted_views if self._app.has_stage else ():
            view.post_message(make())


def _counts(core: MemoryCoordinator) -> Counts:
    """Return the numbers of the header; runs in a lane."""
    [memories] = core.services.search.standing()
    review = core.services.review_entries.count()
    return Counts(core.project.name, memories, review, switched=in_words(core.switches))


@dataclass(frozen=True, slots=True)
class Change:
    """An act that writes."""

    name: str
    verb: str  # how the preview begins
    past: str  # how the notice begins
    none: str  # the notice when it applies to none of the rows
    applies: Callable[[Row], bool]
    write: Callable[[MemoryCoordinator, list[str]], list[Memory]]


CHANGES = {
    change.name: change
    for change in (
        Change(
            "pin", "Pin", "Pinned", "Pinned already",
            lambda item: item.is_live and item.status != "pinned",
            lambda core, ids: core.pin(ids),
        ),
        Change(
            "unpin", "Unpin", "Unpinned", "Not pinned",
            lambda item: item.is_live and item.status == "pinned",
            lambda core, ids: core.unpin(ids),
        ),
        Change(
            "forget", "Forget", "Forgot", "Forgotten already", lambda item: item.is_live,
            lambda core, ids: core.forget(ids),
        ),
        Change(
            "done", "End", "Done with", "Not a task that is open",
            lambda item: item.is_live and item.type == "prospective",
            lambda core, ids: core.done(ids),
        ),
        Change(
            "still_true", "Keep as true", "Still true:", "Retired", lambda item: item.is_live,
            lambda core, ids: core.services.staleness.confirm(ids),
        ),
        Change(
            "restore", "Restore", "Restored", "Not retired: nothing to restore",
            lambda item: not item.is_live,
            lambda core, ids: core.restore(ids),
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a change, for the notice."""

    ids: tuple[str, ...]
    sentence: str  # plain text and markup-safe
    error: ManagerError | None = None  # that ended it early


def change_of(core: MemoryCoordinator, name: str | Change, nums: Sequence[int]) -> Change:
    """Return the change of that name; `pin` takes the pin away where every memory has one."""
    if isinstance(name, Change):
        return name
    if name == "pin" and all(
        target.status == "pinned" for target in core.services.bulk.targets(nums)
    ):
        name = "unpin"
    return CHANGES[name]


def preview(
    core: MemoryCoordinator, name: str | Change, nums: Sequence[int]
) -> tuple[Change, Effect]:
    """Return the change of that name, and its effect on these memories. Runs in a lane."""
    change = change_of(core, name, nums)
    return change, core.services.bulk.preview(nums, change.applies)


def carry_out(
    core: MemoryCoordinator, name: str | Change, nums: Sequence[int], progress: Progress
) -> Done:
    """Apply the change `name` to the memories it applies to, as one act. Runs in the write lane.

    Raises ManagerError.
    """
    change = change_of(core, name, nums)
    written = core.services.bulk.carry_out(
        nums, change.applies, lambda ids: change.write(core, ids), progress
    )
    if not written.targets:
        return Done((), f"{change.none}.")
    stopped = f"Stopped with {written.left:,} left. " if written.left else ""
    pins = core.services.pin_words() if change.name == "pin" else ""
    sentence = f"{stopped}{change.past} {described(written.targets)}.{f' {pins}.' if pins else ''}"
    return Done(tuple(target.id for target in written.targets), sentence, written.error)


def described(targets: Sequence[Row]) -> str:
    """Return the title of one memory, or the number of several with their special states."""
    if len(targets) == 1:
        return quoted(targets[0].title, 22)
    what = special(targets)
    return counted(len(targets), "memory", "memories") + (f": {what}" if what else "")


def with_undone(core: MemoryCoordinator, entry: Entry) -> tuple[Entry, Entry | None]:
    """Return an undo together with the act it took back."""
    try:
        taken = core.act(entry.undoes) if entry.undoes is not None else None
        if taken is None or taken.group is not None or len(taken.memories) < 2:
            return entry, taken
        # the view also lists it under memories that it linked or compared, which did not change
        changed = {
            difference.key
            for difference in core.differences(taken.seq)
            if difference.table == "memory"
        }
        retained = tuple(difference for difference in taken.memories if difference in changed)
        return entry, replace(taken, memories=retained or taken.memories[:1])
    except NotFound:  # older than the trail
        return entry, None


def plain_entry_words(entry: Entry) -> str:
    """Return an entry as plain text: `forget “Queue timeout”`."""
    if len(entry.memories) > 1:
        return f"{act_words(entry)} of {counted(len(entry.memories), 'memory', 'memories')}"
    return f"{act_words(entry)} “{cut(entry.title, 40)}”" if entry.title else act_words(entry)


def entry_words(entry: Entry) -> str:
    """Return an entry for a sentence of markup: `forget “Queue timeout”`, `edit of 12 memories`."""
    return escaped(plain_entry_words(entry))


P = ParamSpec("P")
T = TypeVar("T")
FROM = 3  # memories from which on an act shows a preview; fewer are seen at a glance
LARGE_SECONDS = 0.05  # between two checks of an act that may turn out to be large


def agreed(
    job: Callable[Concatenate[MemoryCoordinator, P], T],
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """Return `job` with the consent that the user has given."""

    def run(core: MemoryCoordinator, /, *args: P.args, **named: P.kwargs) -> T:
        with core.context.consent.granted():
            return job(core, *args, **named)

    return run


class Progress:
    """The progress of an act: the lane's thread sets it, the screen reads it."""

    def __init__(self, total: int = 0) -> None:
        self.done, self.total = 0, total
        self.is_stopped = False

    def __call__(self, done: int, total: int | None) -> bool:
        """Set the progress and the total; return False to stop."""
        self.done, self.total = done, self.total if total is None else total
        return not self.is_stopped


class Changes:
    """The user's changes of the store, and undo."""

    def __init__(self, app: MemoryApp) -> None:
        self.app = app
        self._acts: list[tuple[int, str]] = []  # of this run: entry and screen

    @may_ask
    async def change(
        self, name: str | Change, nums: Sequence[int], after: Callable[[], None] | None = None
    ) -> bool:
        """Carry out a change on these rows, show the result, and offer undo.

        For several memories the user sees a preview first, and may cancel. `after` is called when
        it is done.
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
        if len(effect.targets) < FROM:
            return True
        details = special(effect.targets)
        what = f": {details}" if details else ""
        alone = f" · leaves {effect.left_alone:,} as they are" if effect.left_alone else ""
        return await self.app.ask(Preview(f"{verb} {len(effect.targets):,}{what}{alone}")) is True

    async def say_done(self, done: Done) -> None:
        """Show the result of an act, and offer undo."""
        if done.ids:
            await self.app.news.wrote(done.ids)
        self.app.notices.toast(done.sentence, undo=bool(done.ids))
        if done.error is not None:
            self.app.notices.report(done.error)

    async def agree(self, question: str) -> None:
        """Ask a question that only the user may answer; keys typed ahead are no answer.

        From a worker. Raises Refused for a no.
        """
        self.app.typed.drop("That needs your yes: what you typed ahead was dropped.")
        text = "It can be undone."
        if not await self.app.ask(
            Confirm(question, text, "Agree and write it", no_label="Write nothing")
        ):
            raise Refused("Nothing was saved: it was not agreed to.", hint="") from None

    async def carry(self, job: Callable[[MemoryCoordinator, Progress], T], total: int = 0) -> T:
        """Return the answer of a job in the write lane; one on many shows its progress, and can be
        stopped between two transactions.

        `total` is their number, if known before the job sets it. Questions of consent are asked in
        between. Raises Refused for a no.
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
            if progress.total > PART:
                await self.app.ask(Working(writing, progress))
                break
            await asyncio.wait({writing}, timeout=LARGE_SECONDS)
        return await writing

    async def note(self, undid: int | None) -> None:
        """Remember that this app wrote, in the screen that is shown."""
        entry = await self.app.pages.run(lambda core: core.services.audit.next_undo())
        if undid is None and entry is not None:
            self._acts.append((entry.seq, self.app.view))
        elif undid is not None:
            self._acts = [act for act in self._acts if act[0] != undid]

    async def _may_undo(self) -> bool:
        """Ask before an act is undone that was done before this run, or in another screen.

        After a yes its screen is shown, so that restored rows are visible.
        """
        entry = await self.app.pages.run(lambda core: core.services.audit.next_undo())
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
        """Redo the last undo."""
        entry, taken = await self.carry(
            lambda core, progress: with_undone(core, core.redo(progress=progress))
        )
        back = await self.app.write.run(lambda core: with_undone(core, taken)[1] if taken else None)
        await self._go_by(back or entry)
        await self.app.news.wrote(entry.memories, undid=entry.undoes)
        self.app.notices.toast(f"Did again {entry_words(back or entry)}.", undo=True)

    async def _go_by(self, entry: Entry | None) -> None:
        """Apply settings and folders that an undo or redo changed."""
        if entry is not None and entry.action == "join":
            self.app.open_project(self.app.project)
        if entry is not None and not entry.memories:
            await self.app.news.configured()
