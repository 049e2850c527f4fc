"""An Inbox with five candidates, and the app open on it."""

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator

from .story import KNOWN, REFUSED, TEXTS, Triager, Triaging, put_into


@pytest.fixture
def laid_candidates(laid_out: Any) -> dict[str, str]:
    """The store of `captured`."""
    return dict(laid_out(_candidates))


@pytest.fixture
def captured(laid_candidates: dict[str, str]) -> dict[str, str]:
    """One memory that is known, and five candidates; their ids by name, `known` included."""
    return laid_candidates


def _candidates(core: MemoryCoordinator, clock: Any) -> dict[str, str]:
    known = core.remember(KNOWN, tags=["webhooks"]).memory_id or ""
    clock.forward(hours=2)
    put_into(core, *TEXTS)
    clock.forward(hours=3)
    titles = {memory.content: memory.id for memory in core.list()}
    return {"known": known, **{name: titles[text] for name, (text, _) in TEXTS.items()}}


@pytest.fixture
def turned_away(core: MemoryCoordinator) -> int:
    """One capture was refused; its number."""
    [result] = core.offer([Capture(REFUSED, rule="agent.status", importance=0.1)])
    assert not result.stored
    return core.refused_captures()[0].number


@pytest.fixture
def elsewhere(home_path: Path, clock: Any) -> Callable[[Callable[[MemoryCoordinator], Any]], None]:
    """Somebody else at the same store: a core of its own in a thread of its own."""

    def act(write: Callable[[MemoryCoordinator], Any]) -> None:
        def run() -> None:
            with MemoryCoordinator.open(home_path, "harbour", clock=clock, actor="rule") as core:
                write(core)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()

    return act


@pytest.fixture
def triage(open_app: Any) -> Triaging:
    """Open the app on the Inbox."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Triager]:
        async with open_app(size=size, view="inbox", **more) as person:
            yield Triager(person)

    return opened
