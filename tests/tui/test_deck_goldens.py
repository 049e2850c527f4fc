"""How the Deck looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

import itertools
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin

from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]
STATES: dict[str, tuple[str, ...]] = {
    "deck": ("j",),
    "deck-search": ("/", *"queue budget", "enter", "w"),
    "deck-nothing": ("/", *"bugdet", "enter"),
}

RETRY = "Retry budget is 3 attempts, then the job fails for good and the on-call engineer is paged."
QUEUE = "Queue timeout is 30 s for webhooks, since the payment provider retries after 40 s."
RIVAL = "Queue timeout is 60 s for webhooks, as the provider's status page asks for since March."
TESTS = "Integration tests need `make test-db` first, else they fail with a connection error."
WIDE = "日本語の設定 ファイルは config/ja.toml にあり、[/foo] リリース前に必ず確認する。"


@pytest.fixture
def story(home_path: Path, clock: Any, utc: None) -> None:
    """A store in which every sign stands once, with the same ids each time."""
    numbers = itertools.count(1)
    core = MemoryCoordinator.open(
        home_path,
        "harbour",
        clock=clock,
        entropy=lambda count: next(numbers).to_bytes(count, "big"),
    )
    with core:
        clock.forward(days=-9)
        retry = core.remember(RETRY, tags=["queue", "jobs"], files=["src/jobs/retry.py"]).memory_id
        clock.forward(days=3)
        queue = core.remember(QUEUE, tags=["queue", "webhooks"]).memory_id
        clock.forward(days=2)
        rival = core.remember(RIVAL, tags=["queue", "webhooks"]).memory_id
        clock.forward(hours=30)
        core.remember(TESTS, expires=clock() + timedelta(days=4))
        session = Origin(
            session="4f2a9c11-77aa", agent="claude", transcript="/t/4f2a.jsonl", line=7
        )
        core.offer(
            [Capture("Deploys go out on Mondays before noon, never on a Friday.", origin=session)]
        )
        core.remember(WIDE)
        core.pin(retry or "")
        core.mark_conflict(queue or "", rival or "")
        clock.forward(hours=40)


def untimed(screen: str) -> str:
    """The screen without how long a search took."""
    return re.sub(r" +([\d,]+(?: of [\d,]+)?) · \d+ ms", r"  \1 · _ ms", screen)


@pytest.mark.parametrize("state", STATES)
async def test_the_deck_looks_as_it_did(open_app: Any, story: None, subtests: Any, state: str):
    async with open_app(size=SIZES[0], theme="memdeck-dark") as person:
        for key in STATES[state]:
            await person.press(key)
            if key in ("/", "enter"):
                await person.rest()
        await person.until(lambda: person.app.counts.memories is not None)
        await looks_as_it_did_at(person, state, SIZES, subtests, untimed)
