"""What the Settings ask the core, in a lane; and keys of one's own, each act as a setting."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.keys import KEY_NAME_REPLACEMENTS

from ....core.config.catalogue import Knob
from ....core.config.toml_text import key_of, toml_of
from ....core.errors import BadInput
from ....core.services.effects import Effect, Line
from ....core.services.settings_book import Setting
from ...acts import EVERYWHERE, Act, acts_by_view, every_act
from ...settings import is_key
from ...stage import SCREENS

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator


SECTION = "keys"
YES = "y"
"""What says yes in each dialog that asks."""


def key_settings(keymap: Mapping[str, str]) -> list[Setting]:
    """Every act that has a key, with the keys that it has now."""
    acts = {act.id: act for inside in acts_by_view().values() for act in inside if act.key}
    return [
        Setting(
            Knob(
                place=key_of(("app", "keymap", act.id)),
                section=SECTION,
                name=act.id,
                kind="text",
                about=f"{act.label}. {act.help}",
                needs="keys parted by commas, such as x, ctrl+g, f5",
            ),
            default=act.key,
            value=keymap.get(act.id, act.key),
            source="yours" if act.id in keymap else "default",
            written=toml_of(keymap[act.id]) if act.id in keymap else None,
        )
        for act in acts.values()
    ]


def keys_in(setting: Setting, text: str) -> str:
    """The keys that a person means for an act, by the names that a keymap has. Raises BadInput."""
    keys = [_named(part.strip()) for part in text.split(",") if part.strip()]
    for key in keys:
        if not is_key(key):
            raise BadInput(f"{key} is no key: write x, X, ctrl+g, f5, slash.", hint="")
    if not keys:
        raise BadInput("Name a key, such as x, ctrl+g or f5; a comma is called comma.", hint="")
    if YES in keys and every_act()[setting.knob.name].asks_first:
        raise BadInput(f"{YES} is the yes that it asks for: held down, it would answer.", hint="")
    return ",".join(keys)


def _named(key: str) -> str:
    """A sign by the name that Textual has for it."""
    if len(key) != 1 or key.isalnum():
        return key
    name = unicodedata.name(key, key).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def effect_of_keys(setting: Setting, text: str | None, keymap: Mapping[str, str]) -> Effect:
    """Whether these keys are free where the act works, in lines."""
    keys = str(setting.value) if text is None else keys_in(setting, text)
    lines = [
        Line(key, f"is {act.label} ({act.id}) {where}: one of the two would lose it", "warning")
        for key, act, where in clashes(setting.knob.name, keys, keymap)
    ]
    lines += [
        Line(key, f"{says} everywhere: one of the two would lose it", "warning")
        for key, says in _beside_acts(keymap)
        if key in keys.split(",")
    ]
    return Effect("", tuple(lines) or (Line(keys, "no other act has it here", "now"),))


def _beside_acts(keymap: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The keys that are no act's, and what each does: they open views, lead back, walk, leave."""
    for kind in SCREENS:
        own = keymap.get(f"view.{kind.name}", kind.key)
        yield from ((each, f"opens {kind.label}") for each in own.split(","))
    yield from (("escape", "leads back"), ("tab", "walks"), ("ctrl+c", "says how to leave"))


def clashes(act_id: str, keys: str, keymap: Mapping[str, str]) -> Iterator[tuple[str, Act, str]]:
    """Each key that another act has where this one works: the key, that act, and where."""
    wanted = set(keys.split(","))
    by_view = acts_by_view()
    is_everywhere = act_id in {act.id for act in by_view[EVERYWHERE]}
    seen: set[tuple[str, str]] = set()
    for view, inside in by_view.items():
        if view != EVERYWHERE and not is_everywhere and act_id not in {act.id for act in inside}:
            continue
        where = "everywhere" if view == EVERYWHERE else f"in {view}"
        for act in inside:
            taken = wanted & set(keymap.get(act.id, act.key).split(","))
            for key in sorted(taken) if act.id != act_id else ():
                if (key, act.id) not in seen:
                    seen.add((key, act.id))
                    yield key, act, where


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
