"""How the Inbox looks at four sizes, as text. `MEMDECK_GOLDENS=write` accepts what is there.

Look at the diff before it is committed: a person reads these files.
"""

import itertools
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, Envelope, MemoryCoordinator, Origin

from ..looks import looks_as_it_did

SIZES = [(60, 20), (120, 35)]
STATES: dict[str, tuple[str, ...]] = {
    "inbox": ("G",),
    "inbox-refused": ("f",),
    "inbox-empty": ("A", "x", "enter"),
}

KNOWN = "Queue timeout is 30 s for webhooks, since the payment provider retries after 40 s."
NEAR = "Queue timeout is 60 s for webhooks, since the payment provider retries after 70 s."
ORDERED = "Never run a migration on the live database without pausing the waitlist worker first."
WIDE = "日本語の設定 ファイルは config/ja.toml にあり、[/foo] 必ず確認してください。" * 2
CHAT = "Running the tests again now to see whether they pass this time, one moment please."
WORK = Envelope(
    task="Make the webhook worker survive slow days",
    intent="Stop the double charges on busy Saturdays",
    actions=("edited src/webhooks/worker.py", "ran make test-webhooks"),
    outcome="success",
    errors=("TimeoutError: no answer within 30 s",),
    lessons=("A retry with the same key is not charged twice.",),
    tokens=18_200,
    time_ms=412_000,
)


def offered(text: str, line: int, rule: str, **more: Any) -> Capture:
    """A capture of the one session of this story."""
    origin = Origin(
        session="4f2a9c11-77aa",
        agent="claude",
        role="executor",
        transcript="/t/4f2a.jsonl",
        line=line,
    )
    return Capture(text, rule=rule, origin=origin, **more)


@pytest.fixture
def story(home_path: Path, clock: Any, utc: None) -> None:
    """What a session left, with the same ids each time."""
    numbers = itertools.count(1)
    core = MemoryCoordinator.open(
        home_path,
        "harbour",
        clock=clock,
        entropy=lambda count: next(numbers).to_bytes(count, "big"),
    )
    with core:
        clock.forward(days=-3)
        core.remember(KNOWN, tags=["queue"], pin=True)
        clock.forward(hours=67)
        captures = [
            offered(NEAR, 118, "agent.discovery", importance=0.7, envelope=WORK,
                    files=("src/webhooks/worker.py",), tags=("queue", "webhooks")),
            offered(ORDERED, 131, "person.instruction", importance=0.9),
            offered(WIDE, 140, "person.instruction", importance=0.4),
            offered(CHAT, 152, "agent.status", importance=0.1),
        ]  # fmt: skip
        assert [result.stored for result in core.offer(captures)] == [True, True, True, False]
        clock.forward(hours=5)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_inbox_looks_as_it_did(
    open_app: Any, story: None, state: str, columns: int, rows: int
):
    async with open_app(size=(columns, rows), view="inbox", theme="memdeck-dark") as person:
        await person.until(lambda: person.app.counts.memories is not None)
        for key in STATES[state]:
            await person.press(key)
            await person.rest()
        person.app.clear_notifications()
        await person.rest()
        seen = person.screen

    looks_as_it_did(seen, state, columns, rows)
