"""Settings: all at the left, by section; at the right what the one under the cursor does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.worker import Worker

from ....core.config.catalogue import text_of, titles
from ...acts import bindings
from ...matches import filter_of
from ...messages import MemoriesChanged, ProjectChanged
from ...text import plain
from ...view import Place, View
from ...widgets.filter_line import FilterLine
from ...widgets.pages import under
from ...widgets.setting_rows import FROM, SettingList, SettingRow, account, heading
from ...widgets.text_pane import TextPane
from ...widgets.virtual_list import MenuWanted, Moved, Opened
from .acts import SettingActs
from .model import SECTION, Settings, effect_of, read
from .text import LOOKING, NOTHING_FITS, SETTINGS_ACTS, UNREADABLE, why_not

if TYPE_CHECKING:
    from ....core.services.effects import Effect
    from ....core.services.settings_book import Setting

OTHER_HEADINGS = {"": "What is kept", SECTION: "Which key does what; ids are those of app.keymap"}
"""Headings of the settings that stand in no table, and of the keys."""


class SettingsView(View):
    """The settings under the headings of their sections, and the one under the cursor in full."""

    ACTS = SETTINGS_ACTS
    HELP = SettingList.HELP
    BINDINGS: ClassVar[list[BindingType]] = bindings(SETTINGS_ACTS, "settings.step_out")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.acts = SettingActs(self)
        self.settings = Settings()
        self._goal: str | None = None  # the place to go to, whichever reading finds it
        self._effect: tuple[str, Effect | None] = ("", None)  # of which setting, and what it does
        # held, not looked up: an answer may arrive while the app is being taken down
        self.box = FilterLine(lambda _: self._show_fitting(), self.focus_main, id="settings-filter")
        self.list = SettingList(self.app.glyphs, id="settings-list")
        self.account = TextPane("Setting", id="settings-account")
        self._stand_beside("Settings", self.account)

    def on_mount(self) -> None:
        """Read."""
        self.list.say_nothing(LOOKING)
        self._let_keys_wait_for(self.load())

    # -- where one is

    def place(self) -> Place:
        setting = self.current
        return Place("settings", query=setting.knob.place if setting else None)

    def open_place(self, place: Place) -> None:
        """Come back to a setting."""
        self._goal = place.query
        self.load()

    @property
    def current(self) -> Setting | None:
        """The setting under the cursor."""
        row = self.list.current
        return row.setting if row else None

    # -- which keys work

    def why_not(self, action: str) -> str:
        return why_not(action, self.current)

    # -- reading

    def load(self) -> Worker[None]:
        """Read the settings anew; the cursor stays on its setting."""
        return self.begin(self._load, "settings-list")

    async def _load(self) -> None:
        self.settings = await self.app.pages.run(read)
        self._effect = ("", None)
        self._show_fitting()

    def on_show(self) -> None:
        """One comes back: a file may have been changed by hand."""
        if self.settings.all:
            self.load()

    def _show_fitting(self) -> None:
        """List the settings that fit the filter under their headings; there are few."""
        if not (self.settings.problem or self.settings.all):
            return
        fits, about = filter_of(self.box.text), {**titles(), **OTHER_HEADINGS}
        rows = [SettingRow(*one) for one in enumerate(self.settings.all) if fits(_said(one[1]))]
        self.list.say_nothing(UNREADABLE if self.settings.problem else NOTHING_FITS)
        self.box.say_count(len(rows), len(self.settings.all))
        parts = groupby(rows, lambda row: row.setting.knob.section)
        under_headings = ((heading(section, about[section]), inside) for section, inside in parts)
        self.list.show(*under(under_headings), keep=self._kept(rows))
        own = sum(  # the table of keys has a row for each of them
            one.source != "default" and one.knob.place != "app.keymap" for one in self.settings.all
        )
        says = f"{own} set" if own else "all at their default"
        self.list_pane.border_subtitle = Content(says)
        self._show_current(from_top=False)

    def _kept(self, rows: Sequence[SettingRow]) -> int | None:
        """The row to stand on: what was asked for, else where one stood."""
        for row in rows if self._goal else ():
            if row.setting.knob.place == self._goal:
                self._goal = None
                return row.num
        return self.list.current_key

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._show_current(from_top=True)

    def _show_current(self, *, from_top: bool) -> None:
        self.refresh_bindings()
        setting = self.current
        if setting is None:
            self.account.name_it("Setting")
            trouble = f"{self.settings.problem} {self.settings.hint}".strip()
            self.account.show(lambda _: plain(trouble, "$text-error"), from_top=True)
            return
        self.account.name_it(setting.knob.place)
        self._write(setting, from_top=from_top)
        if self._effect[0] != setting.knob.place:
            self.begin(self._try, "settings-effect")

    def _write(self, setting: Setting, *, from_top: bool) -> None:
        place, effect = self._effect
        shown = effect if place == setting.knob.place else None
        self.account.show(lambda cells: account(setting, shown, cells), from_top=from_top)

    async def _try(self) -> None:
        """Work out what the setting under the cursor does; the newest one counts."""
        if (setting := self.current) is None or not self.is_current:
            return
        effect = await self.app.slow.run(lambda core: effect_of(core, setting, None))
        if self.current == setting:
            self._effect = setting.knob.place, effect
            self._write(setting, from_top=False)

    @on(MemoriesChanged)
    @on(ProjectChanged)
    def _changed(self) -> None:
        self.load()

    # -- acts

    @on(Opened)
    def action_edit(self) -> None:
        """Change the setting under the cursor."""
        if setting := self.current:
            self.acts.begin(setting)

    def action_default(self) -> None:
        """Take the person's value out of the file."""
        if setting := self.current:
            self.acts.default(setting)

    def action_test_reviewers(self) -> None:
        """Let every reviewer vote, those that ask a model too."""
        self._goal = "review.reviewers"
        self.begin(self._test_reviewers, "settings-effect")

    async def _test_reviewers(self) -> None:
        self._show_fitting()
        effect = await self.app.slow.run(lambda core: core.services.effects.asked_reviewers())
        if (setting := self.current) is not None:
            self._effect = setting.knob.place, effect
            self._write(setting, from_top=False)

    @on(MenuWanted)
    def _menu_wanted(self, event: MenuWanted) -> None:
        """What can be done with the setting under the mouse."""
        event.stop()
        acts = [act for act in SETTINGS_ACTS[:2] if not self.why_not(act.action)]
        if self.current is not None:
            self.offer(self.current.knob.place, acts)


def _said(one: Setting) -> str:
    """What a setting says, to look for words in."""
    knob = one.knob
    words = knob.place.replace("_", " ").replace(".", " ")
    value = text_of(one.value)
    return " ".join((knob.section, knob.place, words, knob.about, value, FROM[one.source]))
