"""How the journal looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

import html
import itertools
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Input

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp
from memdeck.tui.widgets.before_after import BeforeAfter

GOLDENS = Path(__file__).parent / "goldens"
SIZES = [(60, 20), (80, 24), (120, 35), (200, 50)]
TEXT = re.compile(r'<text class="[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)

RETRY = "Retry budget is 3 attempts, then the job fails for good and the on-call engineer is paged."
TESTS = "Integration tests need `make test-db` first, else they fail with a connection error."
WIDE = "日本語の設定 ファイルは config/ja.toml にあり、[/foo] リリース前に必ず確認する。"


def as_text(svg: str, columns: int, rows: int) -> str:
    """The picture as characters: 12.2 px a column, 24.4 px a row, first baseline at 20."""
    grid = [[" "] * columns for _ in range(rows)]
    for x, y, run in TEXT.findall(svg):
        row, column = round((float(y) - 20) / 24.4), round(float(x) / 12.2)
        for char in html.unescape(run).replace("\xa0", " ").strip("\n") if 0 <= row < rows else "":
            cells = cell_len(char)
            if cells and column < columns:
                grid[row][column] = char
                for covered in range(column + 1, min(column + cells, columns)):
                    grid[row][covered] = ""
            column += cells
    return "\n".join("".join(line).rstrip() for line in grid) + "\n"


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for a state, not for a time."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.002)


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


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
async def test_the_journal_looks_as_it_did(
    home_path: Path, clock: Any, story: None, columns: int, rows: int
):
    app = MemoryApp(str(home_path), "harbour", view="audit", clock=clock, theme="memdeck-dark")
    async with app.run_test(size=(columns, rows)) as pilot:
        await until(pilot, lambda: bool(app.query(BeforeAfter)))
        await until(pilot, lambda: app.query_one(BeforeAfter).seq is not None)
        await until(pilot, lambda: app.standing.memories is not None)
        await until(pilot, lambda: all(worker.is_finished for worker in app.workers))
        assert not any(field.cursor_blink for field in app.query(Input))
        await pilot.pause()
        seen = as_text(app.export_screenshot(simplify=True), columns, rows)

    golden = GOLDENS / f"audit-{columns}x{rows}.txt"
    if os.environ.get("MEMDECK_GOLDENS") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(seen, encoding="utf-8")
    assert seen == golden.read_text(encoding="utf-8")
    assert all(cell_len(line) <= columns for line in seen.splitlines())
