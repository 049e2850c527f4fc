"""What waits in these tests, and somebody who goes through it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from memdeck import Capture, Memory, MemoryCoordinator, Origin

Triaging = Callable[..., AbstractAsyncContextManager[Any]]

KNOWN = (
    "Webhook timeout is 30 seconds, since the payment provider retries after forty seconds;"
    " anything longer is counted twice."
)
TEXTS = {
    "tariffs": (
        "Never run the migration `0042_split_tariffs` on a live database without pausing the"
        " waitlist worker first.", 0.95,
    ),
    "webhook": (
        "Webhook timeout is 60 seconds, since the payment provider retries after seventy seconds;"
        " anything longer is counted twice.", 0.8,
    ),
    "tide": (
        "When the tide API answers 429, wait for the seconds in Retry-After and try at most three"
        " times.", 0.65,
    ),
    "berths": (
        "The berth allocator rounds boat length up to the next half metre, which is why a 9.2 m"
        " boat is refused at a 9 m berth.", 0.5,
    ),
    "small": (
        "Prefer small pull requests: one per endpoint, with the reviewer named on the same day.",
        0.35,
    ),
}  # fmt: skip
"""What waits, by a short name, with its importance: the most valuable first."""

REFUSED = "Running the tests again now to see whether they pass this time, one moment please."


def put_into(core: MemoryCoordinator, *names: str) -> None:
    """Offer these captures, as a session's end would."""
    places = {name: line for line, name in enumerate(TEXTS, 101)}
    captures = [
        Capture(
            TEXTS[name][0],
            rule="agent.discovery",
            importance=TEXTS[name][1],
            origin=Origin(
                session="4f2a9c11-77aa",
                agent="claude",
                role="executor",
                transcript="/t/4f2a.jsonl",
                line=places[name],
            ),
        )
        for name in names
    ]
    for result in core.offer(captures):
        assert result.stored, result.reason


class Triager:
    """Somebody who goes through the Inbox."""

    def __init__(self, person: Any) -> None:
        self.person, self.app, self.pilot = person, person.app, person.pilot
        self.press, self.until = person.press, person.until
        self.rest, self.store = person.rest, person.store
        view = person.app.stage.view("inbox")
        self.view = view

    @property
    def here(self) -> str:
        """The short name of the candidate under the cursor; "" when nothing waits."""
        row = self.view.waiting.current
        return next(
            (name for name, (text, _) in TEXTS.items() if row and text.startswith(row.title[:30])),
            "",
        )

    @property
    def waiting(self) -> list[str]:
        """The short names of what the list shows, from the top."""
        rows = [self.view.waiting.row(n) for n in range(len(self.view.waiting.keys))]
        return [
            name for row in rows if row is not None
            for name, (text, _) in TEXTS.items() if text.startswith(row.title[:30])
        ]  # fmt: skip

    @property
    def told(self) -> str:
        """The words of the three panes, wherever their lines break."""
        panes = (self.view.beside.main, self.view.beside.near, self.view.beside.why)
        words = " ".join(pane.text.render().plain for pane in panes)
        return " ".join(words.replace("▌", " ").split())

    async def memory(self, ref: str) -> Memory:
        """What the store says of a memory."""
        return await self.store(lambda core: core.show(ref))

    async def said(self, words: str) -> None:
        """Wait for a notice with these words."""
        await self.until(lambda: any(words in notice for notice in self.person.notices))
        await self.rest()
