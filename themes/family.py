"""Textual's own themes (catppuccin, gruvbox, nord, …) with our meanings, made readable.

Their grounds and hues stay. Most set some words under the contrast that we promise: such a colour
goes towards white, or black in a light theme, until it is read on every ground that it stands on.
They follow from Textual's values, so that a new one comes with a new Textual; each costs about a
millisecond, and only what is asked for is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

STEP = 0.04  # of the way to white or black that a colour goes at a time
_WHITE, _BLACK = Color(255, 255, 255), Color(0, 0, 0)


def contrast(front: Color, back: Color) -> float:
    """From 1 (the same) to 21 (black on white), as WCAG 2.1 defines it; both opaque."""
    item, other = _luminance(front), _luminance(back)
    return (max(item, other) + 0.05) / (min(item, other) + 0.05)


def readable(front: Color, grounds: Iterable[Color], least: float, *, is_dark: bool) -> Color:
    """`front`, as far towards white (`is_dark`) or black as its contrast to each ground is `least`.

    Where nothing reaches it, white or black.
    """
    backs, end = tuple(grounds), _WHITE if is_dark else _BLACK
    for step in range(round(1 / STEP)):
        lifted = front.blend(end, step * STEP, 1)
        if all(contrast(lifted, back) >= least for back in backs):
            return lifted
    return end


def _luminance(color: Color) -> float:
    """Relative luminance: 0 for black, 1 for white."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LEFT_OUT: Mapping[str, str] = {
    "ansi-dark": "its colours are the terminal's, as those of terminal16, which has our meanings",
    "ansi-light": "its colours are the terminal's, as those of terminal16, which has our meanings",
}
"""Textual's themes that are not offered, and why."""

NAMES = tuple(name for name in BUILTIN_THEMES if name not in LEFT_OUT)
"""The themes of this family, in Textual's order."""

LEAST = 4.6  # contrast of words; what a test asks for is 4.5, and colours are rounded to bytes
CURSOR_LEAST = 1.25  # contrast of the cursor's row to the surface
PANEL_MOST = 1.25  # contrast of a panel to the surface: a brighter one would bleach all muted words
APART = 1.3  # contrast of words to muted words
FAINT = 3.0  # contrast of what is off: seen, and not in the way

_MEANINGS = {
    "pinned": ("warning", "warning"),
    "conflict": ("error", "error"),
    "stale": ("foreground", "panel"),
    "candidate": ("secondary", "accent"),
    "retired": ("foreground", "panel"),
    "expiring": ("warning", "error"),
    "score": ("primary", "primary"),
    "over-budget": ("error", "error"),
}
"""Each of our meanings lies half way between two of a theme's colours."""


_HUES = ("primary", "secondary", "accent", "warning", "error", "success")

_BEHIND_SCROLLBARS = (
    "scrollbar-background",
    "scrollbar-background-hover",
    "scrollbar-background-active",
    "scrollbar-corner-color",
)


def themed(name: str) -> Theme:
    """Textual's theme `name` with our meanings. Raises KeyError for one that it has not."""
    colours = _Colours(BUILTIN_THEMES[name])
    grounds = {
        key: getattr(colours, key) for key in ("foreground", "background", "surface", "panel")
    }
    styles = {"block-cursor-text-style": "bold", "block-cursor-blurred-text-style": "none"}
    return replace(
        colours.theme,
        **{key: color.hex for key, color in (grounds | colours.pure).items()},
        variables=styles | {key: color.hex for key, color in colours.variables().items()},
    )


class _Colours:
    """A theme's grounds as they are, its words and hues as far from these as it takes."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._generated = theme.to_color_system().generate()
        self.surface, self.background = self.own("surface"), self.own("background")
        self.panel = _shade(self.own("panel"), self.surface)
        hues = (self.own("primary"), self.own("foreground"))
        self.rows = [_cursor(hue, self.surface) for hue in hues]  # under the cursor; blurred
        foreground = self._read(self.own("foreground"))
        self.muted = self._read(foreground.blend(self.background, 0.35, 1))
        self.foreground = self._lifted(foreground, self.muted, least=APART)
        faint = self.foreground.blend(self.background, 0.6, 1)
        self.disabled = self._lifted(faint, self.surface, self.background, least=FAINT)
        self.pure = {key: self._read(self.own(key)) for key in _HUES}

    def own(self, key: str) -> Color:
        """The theme's own colour of this name, or the one that Textual makes of the others."""
        return Color.parse(getattr(self.theme, key, None) or self._generated[key])

    def variables(self) -> dict[str, Color]:
        """All that our screens name, by name."""
        soft = {f"{key}-muted": self.surface.blend(self.own(key), 0.16, 1) for key in _HUES}
        text = {f"text-{key}": self._lifted(self.pure[key], soft[f"{key}-muted"]) for key in _HUES}
        return self._meanings() | soft | text | self._parts(text["text-accent"])

    def _meanings(self) -> dict[str, Color]:
        return {
            meaning: self._read(
                self.own(item).blend(self.own(other), 0.5 if item != other else 0, 1)
            )
            for meaning, (item, other) in _MEANINGS.items()
        }

    def _parts(self, accent: Color) -> dict[str, Color]:
        """What words, borders, cursors, scrollbars, fields and buttons are painted with."""
        foreground, muted, surface = self.foreground, self.muted, self.surface
        selected = surface.blend(self.own("primary"), 0.35, 1)
        return {
            "text": foreground,
            "text-muted": muted,
            "text-disabled": self.disabled,
            "foreground-muted": muted,
            "foreground-disabled": self.disabled,
            "border": self.pure["primary"],
            "border-blurred": surface.blend(foreground, 0.22, 1),
            "surface-active": self.panel,
            "block-cursor-foreground": foreground,
            "block-cursor-background": self.rows[0],
            "block-cursor-blurred-foreground": foreground,
            "block-cursor-blurred-background": self.rows[1],
            "block-hover-background": surface.blend(foreground, 0.06, 1),
            "scrollbar": surface.blend(foreground, 0.25, 1),
            "scrollbar-hover": surface.blend(foreground, 0.4, 1),
            "scrollbar-active": self.pure["primary"],
            **dict.fromkeys(_BEHIND_SCROLLBARS, surface),
            "input-cursor-background": foreground,
            "input-cursor-foreground": self.background,
            "input-selection-background": selected,
            "link-color": accent,
            "link-color-hover": self.background,
            "link-background-hover": accent,
            "footer-background": self.background,
            "footer-foreground": muted,
            "footer-key-foreground": accent,
            "footer-description-foreground": muted,
            "button-foreground": foreground,
            "button-color-foreground": self.background,
            "screen-selection-background": selected,
        }

    def _read(self, color: Color) -> Color:
        """The colour as words of it are read on every ground."""
        return self._lifted(color, self.surface, self.background, self.panel, *self.rows)

    def _lifted(self, color: Color, *grounds: Color, least: float = LEAST) -> Color:
        return readable(color, grounds, least, is_dark=self.theme.dark)


def _shade(panel: Color, surface: Color) -> Color:
    """The panel, as near to the surface as a ground has to be."""
    return next(
        shade
        for share in range(0, 101, 5)
        if contrast(shade := panel.blend(surface, share / 100, 1), surface) <= PANEL_MOST
    )


def _cursor(hue: Color, surface: Color) -> Color:
    """The surface with as little of this hue as tells a row from its neighbours."""
    return next(
        (
            row
            for share in range(12, 60, 2)
            if contrast(row := surface.blend(hue, share / 100, 1), surface) >= CURSOR_LEAST
        ),
        hue,
    )
