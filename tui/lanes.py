"""Lanes: private threads that talk to the core.

A key's echo must not wait for a query, so nothing that may touch the disk runs on the event
loop. Each lane has one thread and one coordinator, which it opens itself, since a connection
belongs to its thread. Cancelling the waiting coroutine interrupts the query as well.

search   queries, facets, explanations
pages    rows, one memory, the live look: what must come at once
write    every act, in order; never interrupted
slow     counts, completion, previews, verification, export
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

T = TypeVar("T")
AGAIN_SECONDS = 0.02
OpenCore = Callable[[], "MemoryCoordinator"]


class LaneClosed(RuntimeError):
    """The app goes, or to another project; nothing more is asked of this core."""


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
        """The answer of `job(core)`; cancelling the caller stops the query, not only the waiting.

        What the write lane has begun is finished even when nobody waits for it any more. Raises
        LaneClosed where the app goes, or looks at another project by now.
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
        """Interrupt what runs, if it is the job of `token`; whether it was running."""
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
        """Stop what runs, close the core in its own thread, and let the thread end."""
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


class Lanes:
    """The four lanes of one project; a change of project opens new ones."""

    def __init__(self, open_core: OpenCore) -> None:
        opening = threading.Lock()  # the first to open may create or upgrade the store

        def open_alone() -> MemoryCoordinator:
            with opening:
                return open_core()

        self.search = Lane("search", open_alone)
        self.pages = Lane("pages", open_alone)
        self.write = Lane("write", open_alone, interruptible=False)
        self.slow = Lane("slow", open_alone)
        self._open_core = open_alone

    def close(self) -> None:
        """Close all four; safe to call twice."""
        for lane in (self.search, self.pages, self.slow, self.write):
            lane.close()
