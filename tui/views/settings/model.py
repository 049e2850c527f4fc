"""What the Settings ask the core, in a lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....core.errors import BadInput
from .keys import SECTION, effect_of_keys, key_settings, keys_in

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ....core.services.effects import Effect
    from ....core.services.settings_book import Setting


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, or why they cannot be read."""

    all: tuple[Setting, ...] = ()
    problem: str = ""
    hint: str = ""


def read(core: MemoryCoordinator) -> Settings:
    """Every setting as it stands. Runs in a lane."""
    try:
        known = core.services.settings_book.settings()
        keymap = next(one.value for one in known if one.knob.place == "app.keymap")
        return Settings((*known, *key_settings(keymap)))
    except BadInput as error:
        return Settings(problem=str(error), hint=error.hint)


def problem_with(core: MemoryCoordinator, setting: Setting, text: str) -> str:
    """Why `text` is no value of the setting; "" when it is one. Runs in a lane."""
    try:
        value_of(core, setting, text)
    except BadInput as error:
        return str(error)
    return ""


def value_of(core: MemoryCoordinator, setting: Setting, text: str) -> Any:
    """The value that `text` means. Runs in a lane. Raises BadInput."""
    if setting.knob.section == SECTION:
        return keys_in(setting, text)
    return core.services.settings_book.checked(setting.knob, text)


def effect_of(core: MemoryCoordinator, setting: Setting, text: str | None) -> Effect | None:
    """What the setting does as it is, and with `text`, or with other values. Runs in a lane."""
    if setting.knob.section == SECTION:
        return effect_of_keys(setting, text, core.policy.app.keymap)
    values: list[Any] = [setting.value]
    if text is None:
        values += others(setting)
    else:
        try:
            typed = value_of(core, setting, text)
        except BadInput:
            typed = setting.value
        values += [typed] if typed != setting.value else []
    return core.services.effects.of(setting.knob, values)


def others(setting: Setting) -> Sequence[Any]:
    """Values beside the one in force that show what the setting does."""
    knob, value = setting.knob, setting.value
    match knob.kind:
        case "switch":
            return [not value]
        case "word":
            return [one for one in knob.choices if one != value]
        case "number":
            low, high = knob.low or 0, knob.high if knob.high is not None else value
            near = (max(value / 2, low), min(max(value * 2, low), high))
            made = [int(one) if knob.is_whole else round(one, 4) for one in near]
            return [one for one in dict.fromkeys(made) if one != value]
        case _:
            return []


def stepped(setting: Setting, text: str, step: int) -> str:
    """The value after this one (`step` 1), or before it (-1), as a person writes it."""
    knob = setting.knob
    if knob.kind in ("word", "switch"):
        known = knob.choices or ("on", "off")
        at = known.index(text) if text in known else -1 if step > 0 else 0
        return known[(at + step) % len(known)]
    if knob.kind != "number" or knob.low is None or knob.high is None:
        return text
    try:
        value = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        return text
    if knob.is_whole:
        size = max(10 ** (len(str(int(abs(value)))) - 2), 1)
        return f"{int(min(max(value + step * size, knob.low), knob.high)):,}"
    size = 0.01 if knob.high <= 0.5 else 0.05 if knob.high <= 1 else 0.5
    return f"{round(min(max(value + step * size, knob.low), knob.high), 4):g}"
