"""Lays out one setting: what it does, its value, and where that comes from."""

from __future__ import annotations

from ..services.settings import SOURCES, Setting, text_of
from . import document as d

LATER = {
    "app.glyphs": "The app uses it from its next start.",
    "hooks.events": "`memdeck install` brings it into the agents that are connected.",
}
"""What a change needs before it has an effect."""


def setting_document(setting: Setting) -> d.Document:
    """Return everything there is to read about a setting."""
    return d.document(
        setting.key,
        [
            d.section("", [d.Row("", setting.about)]),
            d.section(
                "",
                [
                    d.Row("value", text_of(setting.value) or "none"),
                    d.Row("default", text_of(setting.default) or "none"),
                    d.Row("may be", setting.rule.allowed),
                    d.Row("from", SOURCES[setting.source]),
                ],
            ),
            d.section(
                "",
                [
                    d.Row("", setting.overridden, d.WARNING),
                    d.Row("", setting.problem, d.BAD),
                    d.Row("", LATER.get(setting.key, ""), d.MUTED),
                ],
            ),
        ],
        value=setting,
    )
