"""What a person does to the setting under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from ....core.config.catalogue import text_of
from ...dialogs.edit_setting import EditSetting
from ...text import escaped
from ...typeahead import asks, may_ask
from ...widgets.setting_rows import effect_lines
from .model import effect_of, problem_with, stepped, value_of

if TYPE_CHECKING:
    from ....core.services.settings_book import Setting
    from .view import SettingsView


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
