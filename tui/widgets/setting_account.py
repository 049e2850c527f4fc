"""One setting as text to read: what it means, where its value comes from, and what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from ...core.config.catalogue import text_of
from ..text import cut, fit, plain

if TYPE_CHECKING:
    from ...core.services.effects import Effect
    from ...core.services.settings_book import Setting

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
        lines += _labelled(label, plain(value, style), cells)
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


def heading(section: str, about: str, cells: int = 200) -> str:
    """The name of a section, and what it is about."""
    return cut(f"{section} · {about}" if section else about, cells)


def _labelled(label: str, value: Content, cells: int) -> list[Content]:
    """The value behind its label; what does not fit goes on beneath itself."""
    return [
        Content.assemble((fit(label if not row else "", LABEL) + "  ", "$text-muted"), line)
        for row, line in enumerate(value.wrap(max(cells - LABEL - 2, 8)))
    ]
