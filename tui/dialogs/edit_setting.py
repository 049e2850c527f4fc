"""One setting changed: what is wrong with a value, and what it would do, stand beneath it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from ..text import plain
from ..widgets.filter_line import Field
from .questions import Dialog

Check = Callable[[str], Awaitable[str]]
"""Why a text is no value; "" when it is one."""

Try = Callable[[str, int], Awaitable[Content]]
"""What a value would do, no line wider than so many cells."""

TYPING_SECONDS = 0.08  # a quicker key makes what was worked out for the last one useless


class EditSetting(Dialog[str | None]):
    """Answers the text of a value that fits, or None when it was left."""

    HELP = "`enter` keeps the value if it fits, arrows go to the next one, `esc` changes nothing."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(1)", "Next", id="setting.next", show=False, priority=True),
        Binding("down", "step(-1)", "Previous", id="setting.previous", show=False, priority=True),
        Binding("enter", "keep", "Keep", id="setting.keep", priority=True),
        Binding("escape", "leave", "Leave", id="setting.leave"),
    ]

    def __init__(
        self,
        title: str,
        about: str,
        value: str,
        allowed: str,
        *,
        check: Check,
        try_out: Try,
        step: Callable[[str, int], str],
    ) -> None:
        super().__init__()
        self._title, self._about, self._value, self._allowed = title, about, value, allowed
        self._check, self._try_out, self._step = check, try_out, step
        # held, not looked up: an answer may arrive while the dialog is being taken down
        self._problem = Static("", id="setting-problem", markup=False)
        self._effect = Static("", id="setting-effect", markup=False)

    def compose(self) -> ComposeResult:
        with Vertical(id="setting", classes="dialog"):
            yield Static(plain(self._title), classes="dialog-title")
            yield Static(plain(self._about, "$text-muted"), id="setting-about")
            box = Field(self._value, id="setting-line", compact=True)
            box.cursor_blink = False
            yield box
            yield Static(plain(self._allowed, "$text-muted"), id="setting-allowed")
            yield self._problem
            yield self._effect

    def on_mount(self) -> None:
        self.query_one("#setting-line").focus()  # its text is selected: what is typed replaces it

    def action_step(self, step: int) -> None:
        """The value after this one, or before it."""
        box = self.query_one(Input)
        box.value = self._step(box.value, step)
        box.cursor_position = len(box.value)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.run_worker(self._look(event.value), group="look", exclusive=True)

    async def _look(self, text: str) -> None:
        await asyncio.sleep(TYPING_SECONDS)
        problem = await self._check(text)
        self._say(problem)
        if not problem:
            self._effect.update(await self._try_out(text, max(self._effect.size.width, 20)))

    def _say(self, problem: str) -> None:
        self._problem.update(plain(problem, "$text-error"))

    def action_keep(self) -> None:
        """Keep the value, if it fits."""
        self.run_worker(self._keep(self.query_one(Input).value), group="look", exclusive=True)

    async def _keep(self, text: str) -> None:
        problem = await self._check(text)
        self._say(problem)
        if not problem:
            self.dismiss(text)
