"""How Recall looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from ..looks import looks_as_it_did_at
from .story import BROAD, PROMPT, remember_all

SIZES = [(60, 20), (120, 35)]
STATES: dict[str, tuple[str, ...]] = {
    "recall": ("j", "j"),
    "recall-compare": ("f", "h", "f", "c", "j"),
    "recall-receipts": ("I", "j"),
    "recall-replay": ("I", "j", "R", "l"),
}


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def story(
    home_path: Path, clock: Any, utc: None, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Two injections and what was learned since, with the same ids and times each time."""
    ticks = itertools.count(1)
    numbers = itertools.count(1)
    core = MemoryCoordinator.open(
        home_path,
        "harbour",
        clock=clock,
        entropy=lambda count: next(numbers).to_bytes(count, "big"),
    )
    with core, monkeypatch.context() as still:
        still.setattr("time.perf_counter", lambda: next(ticks) / 250)
        clock.forward(days=-2)
        ids = remember_all(core, clock)
        clock.forward(hours=20)
        core.recall(BROAD, host="codex", session="4f2a9c11-77aa", context_left=20_000)
        clock.forward(hours=2)
        core.recall(PROMPT, host="claude", session="9b01c7d2-03ee")
        core.forget(ids["alarm"])
        clock.forward(hours=25)
    return ids


@pytest.mark.parametrize("state", STATES)
async def test_recall_looks_as_it_did(
    open_app: Any, story: dict[str, str], subtests: Any, state: str
):
    async with open_app(size=SIZES[0], view="recall", theme="memdeck-dark", query=BROAD) as person:
        await person.until(lambda: person.app.counts.memories is not None)
        await person.until(lambda: person.app.stage.view("recall").trial.preview is not None)
        await person.rest()
        for key in STATES[state]:
            await person.press(key)
            await person.rest()
        person.app.clear_notifications()
        await looks_as_it_did_at(person, state, SIZES, subtests)
