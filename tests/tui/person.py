"""Somebody in front of the app, through Textual's public interface."""

import asyncio
import html
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

from textual import events
from textual.app import App
from textual.content import Content
from textual.notifications import Notify
from textual.pilot import Pilot

from memdeck import MemoryCoordinator
from memdeck.tui.app import MemoryApp

T = TypeVar("T")
Awaited = Callable[[], object] | str | None  # a state, or a text on the screen
PATIENCE_S = 60.0  # far above what anything takes on a machine that has much else to do
STEP_S = 0.005

NAMES = {" ": "space", "/": "slash", "?": "question_mark", ":": "colon", "*": "asterisk",
         "-": "minus", '"': "quotation_mark", "<": "less_than_sign", ">": "greater_than_sign",
         "=": "equals_sign", "'": "apostrophe", "+": "plus", ",": "comma", ".": "full_stop",
         "@": "at", "_": "underscore", "#": "number_sign", "`": "grave_accent"}  # fmt: skip
CHARACTERS = {name: character for character, name in NAMES.items()}

_TEXT = re.compile(
    r'<text[^>]*? x="([\d.]+)"[^>]*? clip-path="[^"]*line-(\d+)\)">(.*?)</text>', re.S
)


def key_event(key: str) -> events.Key:
    """Return the event that a terminal's key makes; `key` is a character or a name of Textual's."""
    name = NAMES.get(key, key)
    return events.Key(name, CHARACTERS.get(name) or (name if len(name) == 1 else None))


def text_of(app: App[Any]) -> str:
    """Return the screen as text, without its colours."""
    lines: dict[int, list[tuple[float, str]]] = {}
    for x, line, text in _TEXT.findall(app.export_screenshot()):
        lines.setdefault(int(line), []).append((float(x), html.unescape(text)))
    rows = [""] * (max(lines, default=-1) + 1)
    for line, parts in lines.items():
        for x, text in sorted(parts):
            rows[line] = rows[line].ljust(round(x / 12.2)) + text
    return "\n".join(row.replace("\xa0", " ").rstrip() for row in rows)


class WatchedApp(MemoryApp):
    """The app, with the text of every notice of the run."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.heard: list[str] = []
        super().__init__(*args, **more)

    def on_notify(self, event: Notify) -> None:
        notice = event.notification
        words = notice.message
        text = Content.from_markup(words).plain if notice.markup else words
        self.heard.append(f"{notice.title} {text}".strip())


class Person:
    """Presses keys, looks at the screen, asks the store."""

    def __init__(self, app: MemoryApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str, until: Awaited = None) -> None:
        """Send keys one by one, each after the one before has had its effect; then wait."""
        for key in keys:
            self.app.post_message(key_event(key))
            await self.pilot.pause()
            await self.until(lambda: not self.app.typed.is_moving)
        await self._until(until)

    async def burst(self, keys: str | Sequence[str], until: Awaited = None) -> None:
        """Send keys at once, as a terminal does with what is typed quickly; then wait."""
        for key in keys:
            self.app.post_message(key_event(key))
        await self.pilot.pause()
        await self._until(until)

    async def _until(self, reached: Awaited) -> None:
        if isinstance(reached, str):
            await self.until_shown(reached)
        elif reached is not None:
            await self.until(reached)

    async def settle(self, *keys: str) -> None:
        """Send keys one by one, and wait until they have had all their effects."""
        await self.press(*keys)
        await self.rest()

    async def settle_burst(self, keys: str | Sequence[str], until: Awaited = None) -> None:
        """Send keys at once, and wait until they have had all their effects."""
        await self.burst(keys, until)
        await self.rest()

    async def type(self, text: str) -> None:
        """Write `text` quickly, and wait until each letter has arrived."""
        await self.burst(text)
        await self.until(lambda: not self.app.typed.is_moving)

    async def sizes(self, sizes: Sequence[tuple[int, int]]) -> AsyncIterator[tuple[int, int]]:
        """Give the terminal one size after another."""
        for size in sizes:
            await self.pilot.resize_terminal(*size)
            await self.rest()
            yield size

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for a state, not for a time."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"still not so:\n{self.screen}"
            await asyncio.sleep(STEP_S)

    async def until_shown(self, *texts: str) -> None:
        """Wait until the screen shows each of these texts."""
        end = time.monotonic() + PATIENCE_S
        while not all(text in self.screen for text in texts):
            assert time.monotonic() < end, f"{texts} not on:\n{self.screen}"
            await asyncio.sleep(10 * STEP_S)

    async def rest(self) -> None:
        """Wait until no answer of the core is on its way and every message was handled."""
        calm = 0
        while calm < 2:
            await self.until(lambda: not self.is_busy)
            await self.pilot.pause()
            calm = 0 if self.is_busy else calm + 1

    @property
    def is_busy(self) -> bool:
        """Whether a key or an answer is on its way; dialogs wait for the user."""
        return self.app.typed.is_busy or not all(
            work.is_finished or work.group in ("dialog", "welcomed") for work in self.app.workers
        )

    async def store(self, ask: Callable[[MemoryCoordinator], T]) -> T:
        """Return what the core answers, asked in a lane of its own."""
        return await self.app.slow.run(ask)

    @property
    def screen(self) -> str:
        """The screen as text."""
        return text_of(self.app)

    @property
    def header(self) -> str:
        """The first line of the screen."""
        return self.screen.partition("\n")[0]

    @property
    def memories(self) -> Any:
        """The screen of that name."""
        return self.app.stage.view("memories")

    @property
    def titles(self) -> list[str]:
        """The titles of the list, from the top, as far as their pages are loaded."""
        listing = self.memories.memories
        rows = (listing.row(index) for index in range(len(listing.keys)))
        return [row.title for row in rows if row is not None]

    @property
    def here(self) -> str:
        """The title under the cursor; "" in an empty list."""
        row = self.memories.memories.current
        return row.title if row is not None else ""

    @property
    def notices(self) -> list[str]:
        """All notices of this run, the newest last."""
        assert isinstance(self.app, WatchedApp)
        return self.app.heard

    def said(self, words: str) -> bool:
        """Whether a notice of this run has these words."""
        return any(words in notice for notice in self.notices)

    def dialog(self) -> str:
        """The class name of the screen on top; "Screen" without a dialog."""
        return type(self.app.screen).__name__ if self.app.screen.is_mounted else ""
