"""How the workbench looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

import itertools
from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]
STATES: dict[str, tuple[str, ...]] = {
    "conflicts": (),
    "conflicts-merge": ("M",),
    "conflicts-steps": ("escape", "n"),
    "conflicts-decided": ("N", "s", "f"),
    "conflicts-nothing": ("f", "s", "s"),
}
"""Each with the keys that lead to it from the one before."""

STORY: tuple[dict[str, Any], ...] = (
    {
        "content": "Queue timeout is 30 s for webhooks, since the payment provider retries at 40.",
        "tags": ["queue", "webhooks"],
        "files": ["src/jobs/queue.py"],
        "session": "4f2a9c11-77aa",
        "agent": "claude",
        "created_at": "2026-03-11T09:30:00+00:00",
    },
    {
        "title": "Batch jobs may wait longer",
        "content": "Queue timeout is 60 s for batch jobs, since the payment provider allows 90.",
        "tags": ["queue", "batch"],
        "files": ["src/jobs/queue.py", "src/jobs/batch.py"],
        "created_at": "2026-03-15T09:30:00+00:00",
    },
    {
        "content": "Migrations run before the deploy.\n1. lock\n2. make migrate\n3. deploy",
        "tags": ["deploy"],
        "created_at": "2026-03-15T14:30:00+00:00",
    },
    {
        "content": "Migrations run after the deploy.\n1. deploy\n2. make migrate\n3. watch it",
        "tags": ["deploy", "runbook"],
        "created_at": "2026-03-16T14:30:00+00:00",
    },
    {"content": "Tests use tabs [/foo] and list[int].", "created_at": "2026-03-17T08:00:00+00:00"},
    {
        "content": "日本語の設定 ファイルは config/ja.toml にあり、[/foo] 確認する。",
        "created_at": "2026-03-17T09:00:00+00:00",
    },
)


@pytest.fixture
def story(home_path: Path, clock: Any, utc: None) -> None:
    """Three conflicts, with the same ids each time; an import looks for no others."""
    numbers = itertools.count(1)
    core = MemoryCoordinator.open(
        home_path,
        "harbour",
        clock=clock,
        entropy=lambda count: next(numbers).to_bytes(count, "big"),
    )
    with core:
        clock.forward(days=-1)
        ids = [one or "" for one in core.import_memories(STORY).ids]
        core.pin(ids[2])
        core.link(ids[1], ids[3], "extends")
        core.mark_conflict(ids[0], ids[1], reason="the timeout: 30 s against 60 s")
        clock.forward(minutes=9)
        core.mark_conflict(ids[2], ids[3], "superseded", "before against after the deploy")
        clock.forward(minutes=9)
        core.mark_conflict(ids[4], ids[5], "ambiguous")
    clock.forward(hours=26)


async def test_the_workbench_looks_as_it_did(open_app: Any, story: None, subtests: Any):
    async with open_app(size=SIZES[0], view="conflicts", theme="memdeck-dark") as person:
        view = person.app.stage.view("conflicts")
        await person.until(lambda: view.judged is not None)
        await person.until(lambda: person.app.counts.memories is not None)
        for state, keys in STATES.items():
            await person.pilot.resize_terminal(*SIZES[0])
            for key in keys:
                await person.rest()
                await person.press(key)
                await person.rest()
            person.app.clear_notifications()
            await looks_as_it_did_at(person, state, SIZES, subtests)
