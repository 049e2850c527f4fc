"""Several promises on one app: each finds it as it was opened, and leaves it so.

To open the app costs thirty keys, and most of what is looked at takes five.
"""

import inspect
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from .views import VIEWS

Promise = Callable[..., Awaitable[None]]
MOST_STEPS = 20  # dialogs that lie on one another, or acts of one promise


class Promises:
    """Holds promises one after the other on an app, each with the fixtures that it names."""

    def __init__(self, request: pytest.FixtureRequest, rows: Any) -> None:
        self._request, self._rows = request, rows

    async def hold(self, opened: Any, *promises: Promise) -> None:
        """Each of them, named where it fails; what it changed is undone, and the screen says so.

        What was opened is a person in front of the app, or has one (`opened.person`).
        """
        person = getattr(opened, "person", opened)
        as_opened = await _State.of(person)
        for promise in promises:
            with self._rows.test(promise=promise.__name__):
                try:
                    await promise(opened, **self._given(promise))
                finally:
                    await as_opened.bring_back(person)

    def _given(self, promise: Promise) -> dict[str, Any]:
        """The fixtures by whose names it calls its arguments behind the first."""
        _, *names = inspect.signature(promise).parameters
        return {name: self._request.getfixturevalue(name) for name in names}


class _State:
    """How an app was opened."""

    def __init__(self, person: Any, seq: int) -> None:
        self._view, self._size, self._seq = person.app.view, person.app.size, seq
        self._query, self._screen = _query(person), _untimed(person.screen)
        self._focused = person.app.focused

    @classmethod
    async def of(cls, person: Any) -> "_State":
        return cls(person, await person.store(lambda core: core.last_seq()))

    async def bring_back(self, person: Any) -> None:
        """Out of all dialogs, lines and queries, without what was done, and on the first row."""
        app, view = person.app, self._view
        assert not app._exit, "whoever leaves the app needs one of their own"
        await person.rest()
        app.clear_notifications()
        await person.rest()
        if await self._is_as_opened(person):
            return
        await close_dialogs(person)
        if app.size != self._size:
            await person.pilot.resize_terminal(*self._size)
        app.clear_notifications()
        await self._undo(person)
        await person.burst([*["escape"] * 4, "g"])
        await person.rest()
        if app.view != view:
            await person.burst([VIEWS[view].key])
            await person.rest()
            await person.burst([*["escape"] * 4, "g"])
            await person.rest()
        if _query(person) != self._query:
            await person.burst(["/", *self._query, "enter", "g"])
            await person.rest()
        app.clear_notifications()
        await person.rest()
        left = _untimed(person.screen).splitlines()
        assert left == self._screen.splitlines(), "it did not leave the app as it found it"

    async def _is_as_opened(self, person: Any) -> bool:
        """Whether there is nothing to bring back: it is the same place, focus, screen and store."""
        app = person.app
        place = app.view, app.size, app.focused, _query(person)
        return (
            place == (self._view, self._size, self._focused, self._query)
            and not await self._standing(person)  # cheaper than a look at the screen
            and _untimed(person.screen) == self._screen
        )

    async def _undo(self, person: Any) -> None:
        """Take back what was done since, in a view where a letter is an act."""
        for _ in range(MOST_STEPS):
            if not await self._standing(person):
                return
            await person.burst(["escape", "escape", "u"])
            await person.rest()
            if person.dialog() == "Confirm":
                await person.burst(["y"])
                await person.rest()

    async def _standing(self, person: Any) -> bool:
        """Whether an act since then still stands."""

        def ask(core: Any) -> bool:
            if core.last_seq() == self._seq:
                return False
            entries = {one.seq: one for one in core.audit(limit=200) if one.seq > self._seq}

            def stands(seq: int) -> bool:
                by = entries[seq].undone_by
                return by is None or not stands(by)

            return any(one.undoes is None and stands(seq) for seq, one in entries.items())

        return bool(await person.store(ask))


async def close_dialogs(person: Any) -> None:
    """Out of all dialogs without a yes to anything but to leaving."""
    for _ in range(MOST_STEPS):
        if len(person.app.screen_stack) == 1:
            return
        leaves = "Discard changes" in person.screen
        await person.burst(["y" if leaves else "escape"])
        await person.rest()
    raise AssertionError(f"a dialog stays open:\n{person.screen}")


def _query(person: Any) -> str:
    """What stands in the box of the view, if it has one."""
    box = getattr(person.app.stage.view(person.app.view), "box", None)
    return str(box.text) if box is not None else ""


def _untimed(screen: str) -> str:
    """The screen without how long a search took."""
    return re.sub(r"─*\s*\d+ ms", " ms", screen)
