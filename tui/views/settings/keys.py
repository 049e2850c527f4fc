"""Keys of one's own: each act as a setting, what a key may be called, and who has it already."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from textual.keys import KEY_NAME_REPLACEMENTS

from ....core.config.catalogue import Knob
from ....core.config.toml_text import key_of, toml_of
from ....core.errors import BadInput
from ....core.services.effects import Effect, Line
from ....core.services.settings_book import Setting
from ...acts import EVERYWHERE, VIEW_KEYS, Act, acts_by_view, every_act
from ...settings import is_key

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
    for view, key in VIEW_KEYS.items():
        own = keymap.get(f"view.{view}", _named(key))
        yield from ((each, f"opens {view}") for each in own.split(","))
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
