"""A store with ten memories, and the app open on Recall."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .story import PROMPT, Tryer, Trying, remember_all


@pytest.fixture
def laid_ten(laid_out: Any) -> dict[str, str]:
    """The store of `known`."""
    return dict(laid_out(remember_all))


@pytest.fixture
def known(laid_ten: dict[str, str]) -> dict[str, str]:
    """Ten memories, one of them pinned; their ids by name."""
    return laid_ten


@pytest.fixture
def told(core: MemoryCoordinator, clock: Any, known: dict[str, str]) -> list[str]:
    """Two agents were told something, a day and an hour ago; the receipts' ids, newest first."""
    first = core.recall(PROMPT, host="claude", session="4f2a9c11-77aa").receipt
    clock.forward(hours=23)
    second = core.recall("when do deploys go out?", host="gemini", session="9b01c7d2-03ee").receipt
    clock.forward(hours=1)
    return [second, first]


@pytest.fixture
def slow(core: MemoryCoordinator, known: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Five recalls, and each look at the clock came two fifths of a second after the last."""
    ticks = itertools.count()
    with monkeypatch.context() as still:
        still.setattr("time.perf_counter", lambda: next(ticks) * 0.4)
        for _ in range(5):
            core.recall(PROMPT)


@pytest.fixture
def unkept(home_path: Path, open_core: Any, known: dict[str, str]) -> None:
    """An agent was told something, and its prompt was not to be kept."""
    (home_path / "config.toml").write_text("[recall]\nkeep_prompts = false\n", encoding="utf-8")
    assert open_core().recall(PROMPT).receipt


@pytest.fixture
def trying(open_app: Any, known: dict[str, str]) -> Trying:
    """Open the app on Recall."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Tryer]:
        async with open_app(size=size, view="recall", **more) as person:
            yield Tryer(person, known)

    return opened
