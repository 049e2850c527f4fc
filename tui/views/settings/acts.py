"""What a person does to the setting under the cursor: what is wrong with a value, and what it would
do, stand beneath it while it is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from ....core.config.catalogue import text_of
from ...dialogs.questions import Dialog
from ...text import escaped, plain
from ...typeahead import asks, may_ask
from ...widgets.filter_line import Field
from ...widgets.setting_rows import effect_lines
from .model import effect_of, problem_with, stepped, value_of

if TYPE_CHECKING:
    from ....core.services.settings_book import Setting
    from .view import SettingsView


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


class SettingActs:
    """Changing a setting, and taking the change out of the file."""

    def __init__(self, view: SettingsView) -> None:
        self.view, self.app = view, view.app

    def begin(self, setting: Setting) -> None:
        """Change it in the way that its kind is changed."""
        if setting.knob.place == "app.theme":
            self.theme(setting)
        elif setting.knob.kind == "switch":
            self.turn(setting)
        else:
            self.edit(setting)

    @may_ask
    async def turn(self, setting: Setting) -> None:
        """On where it is off, and off where it is on."""
        await self._put(setting, not setting.value)

    @asks
    async def edit(self, setting: Setting) -> bool:
        """Ask for the value; whether it was changed."""

        async def check(text: str) -> str:
            return await self.app.slow.run(lambda core: problem_with(core, setting, text))

        async def try_out(text: str, cells: int) -> Content:
            effect = await self.app.slow.run(lambda core: effect_of(core, setting, text))
            return Content("\n").join(effect_lines(effect, cells))

        text = await self.app.ask(
            EditSetting(
                setting.knob.place,
                setting.knob.about,
                text_of(setting.value),
                setting.knob.allowed,
                check=check,
                try_out=try_out,
                step=lambda text, step: stepped(setting, text, step),
            )
        )
        if text is None:
            return False
        value = await self.app.pages.run(lambda core: value_of(core, setting, text))
        await self._put(setting, value)
        return True

    @asks
    async def theme(self, setting: Setting) -> bool:
        """Choose a theme, shown while moving; whether one was chosen."""
        from ...dialogs.themes import ThemePicker

        chosen = await self.app.ask(ThemePicker())
        if chosen is None:
            return False
        self.app.last_run.keep(theme="", theme_instead_of="")  # from now on the setting counts
        await self._put(setting, chosen)
        return True

    async def _put(self, setting: Setting, value: Any) -> None:
        place, said = setting.knob.place, text_of(value) or "none"
        is_new = await self.app.write.run(
            lambda core: core.services.settings_book.put(place, value)
        )
        await self._tell(setting, f"{place} is {escaped(said)}." if is_new else "", is_new=is_new)

    @may_ask
    async def default(self, setting: Setting) -> None:
        """Take a choice for this project back, or else what the person's file says."""
        place = setting.knob.place
        if setting.source == "chosen":
            await self.app.write.run(
                lambda core: core.services.settings_book.take_back_choice(place)
            )
            await self._tell(setting, f"{place} is as the settings say.", is_new=True)
            return
        is_new = await self.app.write.run(lambda core: core.services.settings_book.put(place, None))
        await self._tell(setting, f"{place} is at its default.", is_new=is_new)

    async def _tell(self, setting: Setting, said: str, *, is_new: bool) -> None:
        """Let the app go by it, and say what was done, and what it does not change."""
        if not is_new:
            self.app.notices.toast(f"{setting.knob.place} says so already.")
            return
        await self.app.news.configured()
        await self.app.news.wrote([])
        wins = f" {escaped(setting.wins)}" if setting.source in ("project", "environment") else ""
        self.app.notices.toast(f"{said}{wins}", undo=True)
