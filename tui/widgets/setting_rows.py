"""The settings, one a line under the headings of their sections; one setting as text to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from ...core.config.catalogue import text_of
from ..text import fit, labelled, one_line, plain
from .virtual_list import Look, VirtualList

if TYPE_CHECKING:
    from ...core.services.effects import Effect
    from ...core.services.settings_book import Setting

LEAD = 4  # cells before the name: cursor bar, glyph
NAME_WIDTH, SOURCE_WIDTH = 22, 13
VALUE_WANTED = 18  # cells a value should have before its source gets a column

SOURCES = {
    "default": "",
    "yours": "config.toml",
    "project": ".memdeck.toml",
    "chosen": "chosen here",
    "environment": "environment",
}
"""Where a value comes from, in a word; what nobody set says nothing."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting; its number is its place among all of them."""

    num: int
    setting: Setting

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        one = self.setting
        return hash((one.knob.place, text_of(one.value), one.source, one.problem))


class SettingList(VirtualList[SettingRow]):
    """Settings as rows."""

    HELP = """\
## Settings
Every setting, its value, and where that comes from when it is not the default: `✓` it is set, `✗`
what stands in a file for it cannot be used. At the right, what it does.
"""

    def draw_row(self, row: SettingRow, look: Look) -> Strip:
        one = row.setting
        plain, muted, own = self._ink(look), self._ink(look, "muted"), self._ink(look, "set")
        glyph, ink = " ", plain
        if one.problem:
            glyph, ink = self.glyphs.wrong, self._ink(look, "problem")
        elif one.source != "default":
            glyph, ink = self.glyphs.mark, own
        room = max(look.width - LEAD - NAME_WIDTH - 1, 1)
        has_source = room >= VALUE_WANTED + SOURCE_WIDTH + 1
        value = room - (SOURCE_WIDTH + 1 if has_source else 0)
        is_set = one.source != "default"
        segments = [
            Segment(set_cell_size(glyph, 2), ink),
            Segment(fit(one.knob.name, NAME_WIDTH) + " ", plain),
            Segment(fit(one_line(text_of(one.value)) or "none", value), own if is_set else muted),
        ]
        if has_source:
            segments.append(Segment(" " + fit(SOURCES[one.source], SOURCE_WIDTH), muted))
        return self._line_of(look, segments)


LABEL = 8  # cells of a label
FROM = {
    "default": "nobody set it",
    "yours": "your config.toml",
    "project": "this project's .memdeck.toml",
    "chosen": "chosen for this project",
    "environment": "the environment",
}
LATER = {
    "app.ascii_glyphs": "The app draws with it from its next start.",
    "hooks.events": "memdeck install brings it into the agents that are connected.",
}
"""What a change waits for, where it does not count at once."""

TONES = {"now": "bold $foreground", "more": "$text-success", "less": "$text-error",
         "warning": "$text-warning", "": "$foreground"}  # fmt: skip


def account(setting: Setting, effect: Effect | None, cells: int) -> Content:
    """All there is to say of a setting, no line wider than `cells`."""
    knob = setting.knob
    lines = [*plain(knob.about).wrap(max(cells, 8)), Content("")]
    rows = [
        ("value", text_of(setting.value) or "none", "bold $foreground"),
        ("default", text_of(setting.default) or "none", "$foreground"),
        ("may be", knob.allowed, "$foreground"),
        ("from", FROM[setting.source], "$foreground"),
    ]
    if setting.wins and setting.written is not None:
        rows.append(("yours", setting.written, "$foreground"))
    if setting.wins:
        rows.append(("", setting.wins, "$text-warning"))
    if setting.problem:
        rows.append(("problem", setting.problem, "$text-error"))
    if knob.place in LATER:
        rows.append(("", LATER[knob.place], "$text-muted"))
    for label, value, style in rows:
        lines += labelled(label, plain(value, style), cells, LABEL)
    return Content("\n").join([*lines, *effect_lines(effect, cells)])


def effect_lines(effect: Effect | None, cells: int) -> list[Content]:
    """What was tried, and what came of it with each value."""
    if effect is None:
        return []
    tried = f"What it does to {effect.tried_on}" if effect.tried_on else "What it does"
    lines = [Content(""), *plain(tried, "$text-accent").wrap(max(cells, 8))]
    label = min(max((len(one.label) for one in effect.lines), default=0), max(cells // 3, 4))
    for one in effect.lines:
        style = TONES[one.tone]
        wrapped = plain(one.text, style).wrap(max(cells - label - 2, 8))
        lines += [
            Content.assemble((fit(one.label if not at else "", label) + "  ", "$text-muted"), line)
            for at, line in enumerate(wrapped)
        ]
    return lines


def heading(section: str, about: str) -> str:
    """The name of a section, and what it is about."""
    return f"{section} · {about}" if section else about
