"""Textual's own themes (catppuccin, gruvbox, nord, …) with our meanings, made readable.

Their grounds and hues stay. Most set some words under the contrast that we promise: such a colour
goes towards white, or black in a light theme, until it is read on every ground that it stands on.
They follow from Textual's values, so that a new one comes with a new Textual; each costs about a
millisecond, and only what is asked for is made.
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from ..frozen import replace
from .contrast import contrast, readable

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


def themed(name: str) -> Theme:
    """Textual's theme `name` with our meanings. Raises KeyError for one that it has not."""
    theme = BUILTIN_THEMES[name]
    colors = theme.to_color_system().generate()

    def own(key: str) -> Color:
        return Color.parse(getattr(theme, key, None) or colors[key])

    surface, background = own("surface"), own("background")
    panel = _shade(own("panel"), surface)
    rows = [_cursor(own("primary"), surface), _cursor(own("foreground"), surface)]
    words = [surface, background, panel, *rows]

    def lifted(color: Color, *grounds: Color, least: float = LEAST) -> Color:
        return readable(color, grounds, least, is_dark=theme.dark)

    foreground = lifted(own("foreground"), *words)
    muted = lifted(foreground.blend(background, 0.35, 1), *words)
    foreground = lifted(foreground, muted, least=APART)
    disabled = lifted(foreground.blend(background, 0.6, 1), surface, background, least=FAINT)
    pure = {
        key: lifted(own(key), *words)
        for key in ("primary", "secondary", "accent", "warning", "error", "success")
    }
    soft = {f"{key}-muted": surface.blend(own(key), 0.16, 1) for key in pure}
    said = {f"text-{key}": lifted(color, soft[f"{key}-muted"]) for key, color in pure.items()}
    meanings = {
        meaning: lifted(own(one).blend(own(other), 0.5 if one != other else 0, 1), *words)
        for meaning, (one, other) in _MEANINGS.items()
    }
    variables = {
        **meanings,
        **soft,
        **said,
        "text": foreground,
        "text-muted": muted,
        "text-disabled": disabled,
        "foreground-muted": muted,
        "foreground-disabled": disabled,
        "border": pure["primary"],
        "border-blurred": surface.blend(foreground, 0.22, 1),
        "surface-active": panel,
        "block-cursor-foreground": foreground,
        "block-cursor-background": rows[0],
        "block-cursor-blurred-foreground": foreground,
        "block-cursor-blurred-background": rows[1],
        "block-hover-background": surface.blend(foreground, 0.06, 1),
        "scrollbar": surface.blend(foreground, 0.25, 1),
        "scrollbar-hover": surface.blend(foreground, 0.4, 1),
        "scrollbar-active": pure["primary"],
        **dict.fromkeys(_BEHIND_SCROLLBARS, surface),
        "input-cursor-background": foreground,
        "input-cursor-foreground": background,
        "input-selection-background": surface.blend(own("primary"), 0.35, 1),
        "link-color": said["text-accent"],
        "link-color-hover": background,
        "link-background-hover": said["text-accent"],
        "footer-background": background,
        "footer-foreground": muted,
        "footer-key-foreground": said["text-accent"],
        "footer-description-foreground": muted,
        "button-foreground": foreground,
        "button-color-foreground": background,
        "screen-selection-background": surface.blend(own("primary"), 0.35, 1),
    }
    return replace(
        theme,
        foreground=foreground.hex,
        background=background.hex,
        surface=surface.hex,
        panel=panel.hex,
        primary=pure["primary"].hex,
        secondary=pure["secondary"].hex,
        accent=pure["accent"].hex,
        warning=pure["warning"].hex,
        error=pure["error"].hex,
        success=pure["success"].hex,
        variables={
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-text-style": "none",
            **{key: color.hex for key, color in variables.items()},
        },
    )


_BEHIND_SCROLLBARS = (
    "scrollbar-background",
    "scrollbar-background-hover",
    "scrollbar-background-active",
    "scrollbar-corner-color",
)


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
