"""Somebody at the workbench, and conflicts to decide: what several of its tests share."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from memdeck import Memory, MemoryCoordinator

Made = tuple[str, Memory, Memory]
"""A conflict: its id, its left side, its right side."""

TEXTS = (
    ("Queue timeout is 30 seconds for webhooks.", "Queue timeout is 60 seconds for webhooks."),
    ("Always migrate before the deploy.", "Never migrate before the deploy."),
    ("The linter wants tabs everywhere.", "The linter wants spaces everywhere."),
)


def pairs_of(core: MemoryCoordinator, clock: Any, texts: Any = TEXTS) -> list[Made]:
    """Conflicts: (id, left, right). An import looks for none: these are the only ones."""
    made = []
    for texts_of_pair in texts:
        clock.forward(hours=1)
        found = core.import_memories([{"content": text} for text in texts_of_pair]).ids
        one, other = (core.show(ref or "") for ref in found)
        made.append((core.mark_conflict(one.id, other.id), one, other))
    return made


class Judge:
    """Somebody at the workbench."""

    def __init__(self, person: Any) -> None:
        self.person, self.app, self.pilot = person, person.app, person.pilot
        self.press, self.until, self.store = person.press, person.until, person.store
        view = person.app.stage.view("conflicts")
        self.view = view

    @property
    def seen(self) -> str:
        """The text at the left; "" without a conflict."""
        return self.view.model.pair.first.memory.content if self.view.model.pair else ""

    async def sees(self, pair: int) -> None:
        await self.until(lambda: self.seen == TEXTS[pair][0])
        await self.person.rest()

    async def decide(self, keys: str, left: int) -> None:
        """Give a verdict by these keys, and wait until so many conflicts are left."""
        await self.until(lambda: self.view.judged is not None)
        await self.person.rest()
        await self.press(*keys.split())
        await self.until(lambda: len(self.view.model.listed) == left)
        await self.person.rest()

    def place_of(self, text: str) -> tuple[int, int]:
        """Column and row at which `text` stands."""
        for row, line in enumerate(self.person.screen.splitlines()):
            if text in line:
                return line.index(text), row
        raise AssertionError(f"{text!r} is not on the screen:\n{self.person.screen}")


def bench(open_app: Any) -> Callable[..., Any]:
    """Open the app on the workbench."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Judge]:
        async with open_app(size=size, view="conflicts", **more) as person:
            yield Judge(person)

    return opened
