"""Every theme can be read: WCAG contrast of each pair that the screens use."""

import re
from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

import memdeck
from memdeck.tui.app import MemoryApp
from memdeck.tui.widgets import VirtualList

MEANINGS = ("pinned", "conflict", "stale", "candidate", "retired", "expiring", "score",
            "over-budget")  # fmt: skip
LEAST = {"high-contrast": 7.0}  # the others: 4.5

ON_SURFACE = (
    *("foreground", "text", "text-muted", "foreground-muted", "accent", "warning", "error"),
    *("success", "text-accent", "text-warning", "text-error", "text-success", *MEANINGS),
)
PAIRS = (
    *((name, "surface") for name in ON_SURFACE),
    *((name, "background") for name in ON_SURFACE),
    ("text-muted", "panel"),
    ("foreground", "panel"),
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("text-muted", "block-cursor-background"),
    ("text-muted", "block-cursor-blurred-background"),
    ("footer-key-foreground", "footer-background"),
    ("footer-description-foreground", "footer-background"),
    ("text-error", "error-muted"),
    ("text-success", "success-muted"),
    ("text-warning", "warning-muted"),
    ("input-cursor-foreground", "input-cursor-background"),
    ("link-color-hover", "link-background-hover"),
)


@pytest.fixture(scope="module")
def ours():
    """The themes that are ours, by name."""
    known = MemoryApp("", None).available_themes
    return {name: theme for name, theme in known.items() if name not in BUILTIN_THEMES}


@pytest.fixture(scope="module")
def themes(ours):
    """Those of ours with colours of their own."""
    return {name: theme for name, theme in ours.items() if not theme.ansi}


def variables(theme):
    return {**theme.to_color_system().generate(), **theme.variables}


def luminance(color):
    """Relative luminance, as WCAG 2.1 defines it: 0 for black, 1 for white."""
    channels = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.normalized
    ]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(front, back):
    """From 1 (the same) to 21 (black on white)."""
    ground = Color.parse(back)
    light, dark = sorted((luminance(ground + Color.parse(front)), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


ON_CURSOR = tuple((meaning, "block-cursor-background") for meaning in MEANINGS)


def unreadable(colors, pairs, least):
    """The pairs whose contrast is less than that, with what it is."""
    found = {pair: contrast(colors[pair[0]], colors[pair[1]]) for pair in pairs}
    return {pair: round(it, 2) for pair, it in found.items() if it < least}


def test_text_can_be_read_on_the_cursor_too(themes, subtests):
    for name, theme in themes.items():
        with subtests.test(name=name):
            colors = variables(theme)
            assert unreadable(colors, PAIRS, LEAST.get(name, 4.5)) == {}
            assert unreadable(colors, ON_CURSOR, 4.5) == {}
            # what cannot be done now is dim and still seen; the cursor's row stands out
            off = (("text-disabled", "surface"), ("text-disabled", "background"))
            assert unreadable(colors, off, 3.0) == {}
            assert contrast(colors["block-cursor-background"], colors["surface"]) >= 1.2


def test_sixteen_colours_are_the_terminals_own(ours):
    [theme] = [theme for theme in ours.values() if theme.ansi]
    colors = [
        value
        for key, value in theme.variables.items()
        if not key.endswith(("-style", "-text-style"))
    ]

    assert all(value.startswith("ansi_") for value in colors)


def test_each_ink_that_lines_are_painted_with_is_known():
    tui = Path(memdeck.__file__).parent / "tui"
    ink = re.compile(r"\blist--[a-z][a-z-]*")
    used = {name for file in tui.rglob("*.py") for name in ink.findall(file.read_text("utf-8"))}
    assert used <= VirtualList.COMPONENT_CLASSES


async def test_hints_in_fields_and_the_keys_of_a_dialog_can_be_read(open_app):
    async with open_app() as person:
        for theme in ("memdeck-dark", "memdeck-light", "high-contrast"):
            person.app.theme = theme
            await person.press("c", until=lambda: person.dialog() == "EditMemory")
            await person.rest()
            boxes = [person.memories.query_one("Input"), person.app.screen.query_one("Input")]
            hints = [box.get_component_rich_style("input--placeholder") for box in boxes]
            keys = person.app.screen.query_one(
                "Footer"
            )  # the dialog's own: what is below is dimmed
            assert keys.region.bottom == person.app.size.height
            await person.until_shown("esc Cancel")
            for style in (*hints, keys.rich_style):
                front, back = (color.triplet.hex for color in (style.color, style.bgcolor))
                assert contrast(front, back) >= 4.5
            await person.press("escape", until=lambda: person.dialog() == "Screen")
