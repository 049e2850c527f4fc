"""What is known in these tests, and somebody who tries out what agents are told."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from memdeck import Injection, Memory, MemoryCoordinator

Trying = Callable[..., AbstractAsyncContextManager[Any]]

TEXTS = {
    "retry": "The retry budget of the webhook worker is three attempts, then the job fails.",
    "queue": "The queue timeout of the webhook worker is 30 seconds, as the provider retries.",
    "lease": "A webhook worker takes a lease of one minute on each job before it begins.",
    "alarm": "The alarm of the webhook worker goes off when the queue is longer than 500 jobs.",
    "replay": "Webhook events can be replayed for seven days from the worker's own table.",
    "naming": "Webhook handlers are named after the event, such as on_booking_cancelled.",
    "tests": "The webhook worker is tested against recorded events, never against the provider.",
    "staging": "Staging lives on host db-7 and is reached through the jump host.",
    "deploy": "Deploys go out on Mondays before noon, never on a Friday.",
    "tide": "Tide tables are read from the port authority at six in the morning.",
}
"""What is known, by a short name: seven about one thing, and three others."""

PINNED = "deploy"
BROAD = (
    "the retry budget, the queue timeout, the lease, the alarm, replayed events, handlers named"
    " after events, staging, tide tables"
)
"""A prompt that more memories answer than the adaptive policy tells."""

PROMPT = "why does the webhook worker retry, and how long is its queue timeout?"


class Tryer:
    """Somebody who tries prompts, and reads receipts."""

    def __init__(self, person: Any, ids: dict[str, str]) -> None:
        self.person, self.app, self.pilot = person, person.app, person.pilot
        self.press, self.burst, self.until = person.press, person.burst, person.until
        self.rest, self.store = person.rest, person.store
        self.ids = ids
        view = person.app.stage.view("recall")
        self.view = view

    @property
    def screen(self) -> str:
        return str(self.person.screen)

    @property
    def footer(self) -> str:
        return self.screen.splitlines()[-1]

    async def ask(self, prompt: str) -> None:
        """Paste the prompt and go on to what it gets."""
        self.view.trial.prompt.take(prompt)
        await self.until(lambda: self.view.trial.preview is not None)
        await self.rest()
        self.app.screen.set_focus(self.view.answers.items)
        await self.rest()

    @property
    def text(self) -> str:
        """The text that the pane shows."""
        return str(self.view.answers.main.text.render().plain)

    @property
    def about(self) -> str:
        """What is said of the memory under the cursor, wherever its lines break."""
        pane = self.view.answers.budget if self.view.answers.is_beside else self.view.answers.why
        return " ".join(pane.text.render().plain.split())

    @property
    def told(self) -> list[str]:
        """The short names of what is told, in order."""
        return self.in_state("told")

    def in_state(self, state: str, place: int = 0) -> list[str]:
        """The short names of what is told, left out, or next."""
        names = {ref: name for name, ref in self.ids.items()}
        return [names[one.id] for one in self.view.answers.shown if one.sides[place].state == state]

    async def to(self, name: str) -> None:
        """Put the cursor on this memory."""
        row = next(
            row for row, one in enumerate(self.view.answers.shown) if one.id == self.ids[name]
        )
        self.view.answers.items.cursor = row
        await self.rest()

    async def memory(self, name: str) -> Memory:
        """What the store says of a memory."""
        memory = await self.store(lambda core: core.show(self.ids[name]))
        assert isinstance(memory, Memory)
        return memory

    async def answer(self, prompt: str, **more: Any) -> Injection:
        """What the core says to the prompt."""
        injection = await self.store(lambda core: core.recall(prompt, write_receipt=False, **more))
        assert isinstance(injection, Injection)
        return injection

    async def said(self, words: str) -> None:
        """Wait for a notice with these words."""
        await self.until(lambda: any(words in notice for notice in self.person.notices))
        await self.rest()


def remember_all(core: MemoryCoordinator, clock: Any) -> dict[str, str]:
    """Everything of the story, a minute apart; ids by short name."""
    ids = {}
    for name, text in TEXTS.items():
        clock.forward(minutes=1)
        ids[name] = core.remember(text, tags=[name], pin=name == PINNED).memory_id or ""
    return ids
