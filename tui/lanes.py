"""Lanes: threads that talk to the core; and keys, each handled after the one before.

A key's echo must not wait for a query, so nothing that may touch the disk runs on the event
loop. Each lane has one thread and one coordinator, which it opens itself, since a connection
belongs to its thread. Cancelling the waiting coroutine interrupts the query as well.

search   queries, facets, explanations
pages    rows, one memory, polling: reads that must come at once
write    every act, in order; never interrupted
slow     counts, completion, previews, verification, export

A terminal sends keys as fast as they are typed, and an act that opens a dialog reads the store
first. So keys come in here, one at a time, in order. The next one is let in when

- every message that the key before it caused has been handled, the focus included, and
- no act is running that does not wait for the user: see `asks`.

So `ex` types an x into the form, however late the form opens, and never forgets a memory. When
the dialog does not open, or an act fails, the keys typed for it are dropped with a notice.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from textual import events
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.worker import Worker, WorkerCancelled, WorkerFailed

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

    from ..core.compat import MemoryCoordinator
    from .app import MemoryApp

T = TypeVar("T")
AGAIN_SECONDS = 0.02
OpenCore = Callable[[], "MemoryCoordinator"]


class LaneClosed(RuntimeError):
    """The app ends or opens another project, so this core takes no more jobs."""


class Lane:
    """A private thread with its own core, so that one kind of work runs in order and can stop."""

    def __init__(self, name: str, open_core: OpenCore, *, interruptible: bool = True) -> None:
        self.name = name
        self._open_core = open_core
        self._interruptible = interruptible
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=f"lane-{name}")
        self._core: MemoryCoordinator | None = None
        self._running: object | None = None
        self._lock = threading.Lock()  # an interrupt must not reach the job after the one it is for
        self._closed = False

    async def run(self, job: Callable[[MemoryCoordinator], T]) -> T:
        """Return the result of `job(core)`; cancelling the caller stops the query too.

        A job in the write lane is finished even if its caller is gone. Raises LaneClosed if the app
        ends, or has opened another project.
        """
        if self._closed:
            raise LaneClosed(self.name)
        token = object()
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(self._pool, self._call, job, token)
        try:
            if not self._interruptible:
                return await asyncio.shield(answer)
            return await answer
        except asyncio.CancelledError:
            if self._interruptible:
                self._stop(loop, token)
            raise

    def _call(self, job: Callable[[MemoryCoordinator], T], token: object) -> T:
        with self._lock:
            if self._closed:
                raise LaneClosed(self.name)
        if self._core is None:
            self._core = self._open_core()
        with self._lock:
            self._running = token
        try:
            return job(self._core)
        finally:
            with self._lock:
                self._running = None

    def _stop(self, loop: asyncio.AbstractEventLoop, token: object) -> None:
        """Interrupt the job repeatedly: between two statements an interrupt has no effect."""
        if self._interrupt(token) and not loop.is_closed():
            loop.call_later(AGAIN_SECONDS, self._stop, loop, token)

    def _interrupt(self, token: object | None = None) -> bool:
        """Interrupt the running job, if it is that of `token`; return True if it was running."""
        with self._lock:
            if self._core is None or self._running is None:
                return False
            if token is not None and self._running is not token:
                return False
            self._core.interrupt()
            return True

    def _stop_for_good(self) -> None:
        pause = threading.Event()
        while self._interrupt():
            pause.wait(AGAIN_SECONDS)

    def close(self) -> None:
        """Stop the running job, close the core in its own thread, and let the thread end."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        if self._interruptible and self._interrupt():
            threading.Thread(target=self._stop_for_good, daemon=True).start()
        self._pool.submit(self._close_core)
        self._pool.shutdown(wait=False)

    def _close_core(self) -> None:
        if self._core is not None:
            self._core.close()
            self._core = None


P = ParamSpec("P")


class Acting(Protocol):
    """The origin of an act: a node, or an object that acts for it."""

    @property
    def app(self) -> Any: ...


N = TypeVar("N", bound=Acting)
Typed = events.Key | events.Paste

STEP_SECONDS = 0.005  # between two checks of what holds keys back
SPINS = 100  # turns of the loop before the checks become rarer
PATIENCE_SECONDS = 2.0  # an act that takes longer does not prevent leaving
MOST_PASTED = 20_000  # characters of one paste: more would hold up the keys behind it
DROPPED = "Nothing opened for it, so what you typed ahead was dropped."


@dataclass(slots=True)
class RunningAct:
    """An act that the user began: it works, or it asks the user, until it ends."""

    must_ask: bool
    since: float  # of the loop's clock
    dialog: Screen[Any] | None = None  # its last one


class TypedAhead:
    """The keys that wait, and the acts that they wait for."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._waiting: deque[Typed] = deque()
        self._let_in: Typed | None = None
        self._turn: asyncio.Task[None] | None = None
        self._acts: dict[Worker[None], RunningAct] = {}
        self.is_back = False  # a key came back to the app, since no widget took it

    # -- calls of the app

    def lets_in(self, event: Typed) -> bool:
        """Return True if the app handles this key now; else it is posted again in its turn."""
        if event is self._let_in:
            self._let_in = None
            return True
        if self._may_leave(event):
            return True
        is_first = self._turn is None and not self.is_held and not self._is_early(event)
        if not is_first:
            self._waiting.append(event)
        if self._turn is None:
            self._turn = asyncio.create_task(self._take_turns())
            self._turn.add_done_callback(self._report_bug)
        return is_first

    def fitting(self, event: Typed) -> Typed:
        """Return the event, a paste cut to `MOST_PASTED` characters with a notice."""
        if isinstance(event, events.Key) or len(event.text) <= MOST_PASTED:
            return event
        self._app.notify(
            f"Of {len(event.text):,} pasted characters the first {MOST_PASTED:,} were taken.",
            severity="warning",
            markup=False,
        )
        return events.Paste(event.text[:MOST_PASTED])

    @property
    def is_held(self) -> bool:
        """Return True while an act runs that waits neither for the user nor for a key."""
        return any(True for _ in self._working())

    def _working(self) -> Iterator[RunningAct]:
        """Yield the acts that run and have no open dialog."""
        dialogs = self._app.screen_stack
        for worker, act in self._acts.items():
            if not worker.is_cancelled and act.dialog not in dialogs:
                yield act

    @property
    def is_busy(self) -> bool:
        """Return True if a key or an act is being handled."""
        return self._turn is not None or self.is_held

    @property
    def is_moving(self) -> bool:
        """Return True if a key is being handled, and not held back by an act."""
        return self._turn is not None and not self.is_held

    def drop(self, says: str = DROPPED) -> None:
        """Drop keys typed for a dialog that did not open."""
        if self._waiting:
            self._waiting.clear()
            self._app.notify(says, severity="warning", markup=False)

    def close(self) -> None:
        """Drop everything that waits, since the app ends."""
        self._waiting.clear()
        if self._turn is not None:
            self._turn.cancel()

    # -- calls of acts

    def begin(self, worker: Worker[None], *, must_ask: bool) -> None:
        """Hold keys until this worker is done."""
        self._acts[worker] = RunningAct(must_ask, asyncio.get_running_loop().time())

    def ask_with(self, worker: Worker[None], dialog: Screen[Any]) -> None:
        """Note that the worker asks the user: keys are for this dialog while it is open."""
        if worker in self._acts:
            self._acts[worker].dialog = dialog

    def end(self, worker: Worker[None], *, is_well: bool) -> None:
        """End the act; unless it went well, drop the keys that were typed for it."""
        act = self._acts.pop(worker)
        if not is_well or (act.must_ask and act.dialog is None):
            self.drop()

    # -- one after the other

    async def _take_turns(self) -> None:
        while True:
            await self._until_quiet()
            if not self._waiting:
                break
            if self.is_held or self._is_early(self._waiting[0]):
                await asyncio.sleep(STEP_SECONDS)
                continue
            self._let_in = self._waiting.popleft()
            self._app.post_message(self._let_in)
        self._turn = None

    def _report_bug(self, turn: asyncio.Task[None]) -> None:
        """End the app with the traceback of a bug here; else no key would be handled any more."""
        if not turn.cancelled() and (error := turn.exception()) is not None:
            self._app.call_later(_raise, error)

    async def _until_quiet(self) -> None:
        """Return once neither the app nor a widget of the screen has a message to handle.

        Messages are passed on from queue to queue; a handler that takes its time has none in its
        queue, so all on the way from the focus to the app are asked as well to come to an end: one
        after the other, the way a key goes, so that none passes it on to one that was asked before.
        A key that comes back to the app meanwhile may set off those that were asked before it.
        """
        while True:
            steps = 0
            while self._is_loud():
                steps += 1
                await asyncio.sleep(0 if steps < SPINS else STEP_SECONDS)
            way, self.is_back = self._way(), False
            for node in (self._app, *way):
                await _come_to_an_end(node)
            if not (self.is_back or self._is_loud()) and way == self._way():
                return

    def _is_loud(self) -> bool:
        """Return True if a message waits to be handled."""
        if self._app.message_queue_size > 0:
            return True
        nodes: list[DOMNode] = [self._app.screen]
        for node in nodes:  # ten times a key: Textual's own walk takes half as long again
            if node.message_queue_size and node.is_running:
                return True
            nodes.extend(node.children)
        return False

    def _way(self) -> list[MessagePump]:
        """Return the nodes that a key passes, from the focus to the app."""
        start: DOMNode = self._app.focused or self._app.screen
        return list(start.ancestors_with_self)

    def _is_early(self, event: Typed) -> bool:
        """Return True if the palette still searches for the entry that this key would choose."""
        top = self._app.screen
        is_enter = isinstance(event, events.Key) and event.key == "enter"
        return (
            is_enter
            and isinstance(top, CommandPalette)
            and any(work.node is top and not work.is_finished for work in self._app.workers)
        )

    def _may_leave(self, event: Typed) -> bool:
        """Return True if this key leaves the app, and an act has held it too long."""
        if not isinstance(event, events.Key) or event.key != "ctrl+q":
            return False
        now = asyncio.get_running_loop().time()
        return any(now - act.since > PATIENCE_SECONDS for act in self._working())


async def _come_to_an_end(node: MessagePump) -> None:
    """Return once `node` has handled all its messages, also those it sent itself meanwhile."""
    is_through, received = False, asyncio.Event()

    def answer() -> None:
        nonlocal is_through
        is_through = node.message_queue_size == 0
        received.set()

    while not is_through:
        received.clear()
        if not node.call_later(answer):
            return  # it is being removed
        await received.wait()


def _raise(error: BaseException) -> None:
    raise error


FAILED = object()  # the result of a worker whose core error became a notice


async def answered(reading: Worker[Any]) -> bool:
    """Wait until this worker has ended; False if it failed."""
    try:
        return await reading.wait() is not FAILED
    except WorkerCancelled:
        return True  # another one reads again
    except WorkerFailed:
        return False


def _begun(
    method: Callable[Concatenate[N, P], Coroutine[Any, Any, bool | None]], *, must_ask: bool
) -> Callable[Concatenate[N, P], Worker[None]]:
    @wraps(method)
    def begin(self: N, /, *args: P.args, **kwargs: P.kwargs) -> Worker[None]:
        desk = cast("MemoryApp", self.app)
        typed = desk.typed
        node = self if isinstance(self, DOMNode) else desk

        async def carry_out() -> None:
            is_well = False
            try:
                is_well = await method(self, *args, **kwargs) is not False
            finally:
                typed.end(worker, is_well=is_well)

        worker: Worker[None] = node.run_worker(carry_out(), name=method.__name__, group="dialog")
        typed.begin(worker, must_ask=must_ask)  # at once: the next key may be here already
        return worker

    return begin


def asks(
    method: Callable[Concatenate[N, P], Coroutine[Any, Any, bool | None]],
) -> Callable[Concatenate[N, P], Worker[None]]:
    """Make a worker that opens a dialog: keys wait until the dialog can take them, or it has ended.

    A result of False means that it failed.
    """
    return _begun(method, must_ask=True)


def may_ask(
    method: Callable[Concatenate[N, P], Coroutine[Any, Any, bool | None]],
) -> Callable[Concatenate[N, P], Worker[None]]:
    """Make a worker that may open a dialog; keys wait all the same."""
    return _begun(method, must_ask=False)
