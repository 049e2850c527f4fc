"""What fingers rely on: in each view the keys that work, by the ids that settings name them by.

`key_contract.json` was recorded from a version that is in use; what it names must be there. What is
new is added to it by `MEMDECK_RECORD=1 pytest tests/tui/test_key_contract.py`.
"""

import json
import os
import re
from pathlib import Path

import pytest

from memdeck.tui.app import MemoryApp

from .letter_table import LETTERS, is_in_table, printed
from .test_typeahead import every_act_that_opens_a_dialog_is_burst_here
from .views import VIEWS as NAMED

RECORD = Path(__file__).with_name("key_contract.json")
IS_RECORDING = bool(os.environ.get("MEMDECK_RECORD"))
VIEWS = {
    **{"1": "deck", "2": "inbox", "3": "conflicts", "4": "recall", "5": "audit", "6": "agents"},
    "7": "health",
    "8": "profile",
    "0": "home",
    "9": "sessions",
    "T": "tidy",
    ",": "settings",
}


NEVER = {f"ctrl+{letter}" for letter in "hijmszba"} | {f"alt+{n}" for n in range(10)}
"""Keys that terminals and multiplexers keep for themselves."""
IN_TWO_WAYS = {"inbox": "f", "recall": "Icf"}
"""Keys that stand for two acts, of which a view shows one or the other."""


def explains_itself(view, own):
    """Whether each act of a view has an id and keys of its own, two words at most, and a help."""
    app = [one for one in MemoryApp.BINDINGS if one.id]  # one for each key
    ids = [*(act.id for act in own), *{one.id for one in app}]
    assert len(set(ids)) == len(ids)
    assert all(act.help.endswith(".") for act in own)
    assert all(len(act.label.split()) <= 2 or act.label == "On the Deck" for act in own)
    assert all(one.tooltip.endswith(".") and len(one.description.split()) <= 2 for one in app)
    keys = [key for one in (*own, *app) for key in one.key.split(",") if key]
    assert not set(keys) & NEVER
    assert not {view.key for view in NAMED.values()} & {
        key for act in own for key in act.key.split(",")
    }
    twice = {key for key in keys if keys.count(key) > 1}
    assert twice == set(IN_TWO_WAYS.get(view, "")), view


def ids_of_the_settings_page():
    """The ids that `docs/settings.md` lists for a keymap."""
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    table = page.partition("Ids for `[app.keymap]`")[2].partition("Keys are named")[0]
    return re.findall(r"`([a-z]+\.[a-z_]+)`", table)


@pytest.mark.usefixtures("harbour")
async def test_each_key_of_a_view_is_still_there_and_does_what_the_letter_table_says(
    open_app, subtests
):
    known = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    bound_letters, acts = set(), {}
    async with open_app() as person:
        for key, view in VIEWS.items():
            await person.burst([key])
            await person.until(lambda view=view: person.app.stage.current == view)
            await person.rest()
            now = {
                name: one.binding.id or one.binding.description
                for name, one in person.app.screen.active_bindings.items()
                if not one.binding.system and (one.binding.id or one.binding.description)
            }
            with subtests.test(view=view, promise="the letter table"):
                for node in (person.app, *person.app.stage.shown.walk_children(with_self=True)):
                    for letter, bound in node._bindings.key_to_bindings.items():
                        bound_letters.add(printed(letter))
                        for one in bound:
                            if one.id is not None:
                                assert is_in_table(letter, one.id), (node, letter, one.id)
            own = person.app.stage.shown.ACTS
            acts |= {act.id: act for act in own}
            with subtests.test(view=view, promise="an act says what it does, on a key of its own"):
                explains_itself(view, own)
            if IS_RECORDING:
                known[view] = dict(sorted((known.get(view, {}) | now).items()))
            with subtests.test(view=view):
                recorded = known[view]
                assert {name: now.get(name) for name in recorded} == recorded
        with subtests.test(promise="what opens a dialog"):
            await every_act_that_opens_a_dialog_is_burst_here(person)
        with subtests.test(promise="the ids of the settings page"):
            await person.press(":")
            await person.until(lambda: person.dialog() == "Palette")
            await person.until(lambda: not person.app.screen._is_searching)
            offered = {one.id for one in person.app.screen._offers}
            ids = {one[4:] for one in offered if one.startswith("act:") and "." in one}
            ids |= acts.keys() | {one.id for one in MemoryApp.BINDINGS if one.id}
            assert set(ids_of_the_settings_page()) == ids
    assert bound_letters >= LETTERS.keys()
    if IS_RECORDING:
        RECORD.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8")
