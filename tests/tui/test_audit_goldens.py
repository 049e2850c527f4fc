"""How the journal looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

import itertools
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .looks import looks_as_it_did

SIZES = [(60, 20), (120, 35)]
Driven = Callable[..., AbstractAsyncContextManager[Any]]

RETRY = "Retry budget is 3 attempts, then the job fails for good and the on-call engineer is paged."
TESTS = "Integration tests need `make test-db` first, else they fail with a connection error."
WIDE = "日本語の設定 ファイルは config/ja.toml にあり、[/foo] リリース前に必ず確認する。"


@pytest.fixture
def story(home_path: Path, clock: Any, utc: None) -> None:
    """Two days in the life of a store: the same ids each time."""
    numbers = itertools.count(1)

    def open_as(actor: str, session: str | None = None) -> MemoryCoordinator:
        return MemoryCoordinator.open(
            home_path,
            "harbour",
            clock=clock,
            entropy=lambda count: next(numbers).to_bytes(count, "big"),
            actor=actor,
            session=session,
        )

    clock.forward(days=-1)
    with open_as("agent", "4f2a9c11-77aa") as agent, open_as("person") as person:
        retry = agent.remember(RETRY, tags=["queue"]).memory_id or ""
        tests = agent.remember(TESTS).memory_id or ""
        clock.forward(hours=3)
        person.pin([retry, tests])
        clock.forward(hours=20)
        person.remember(WIDE)
        person.forget(tests, "the Makefile does it now")
        clock.forward(minutes=20)
        person.undo()
        clock.forward(minutes=12)
        person.edit(retry, content=RETRY.replace("3 attempts", "5 attempts with jitter"))
    clock.forward(minutes=28)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_journal_looks_as_it_did(open_app: Driven, story: None, columns: int, rows: int):
    async with open_app(size=(columns, rows), view="audit", theme="memdeck-dark") as person:
        await person.until(lambda: person.app.query_one("BeforeAfter").seq is not None)
        await person.until(lambda: person.app.counts.memories is not None)
        await person.rest()
        seen = person.screen

    looks_as_it_did(seen, "audit", columns, rows)
