"""What fingers rely on: in each view the keys that work, by the ids that settings name them by.

`key_contract.json` was recorded from a version that is in use; what it names must be there. What is
new is added to it by `MEMDECK_RECORD=1 pytest tests/tui/test_key_contract.py`.
"""

import json
import os
from pathlib import Path

import pytest

from memdeck.tui.acts import is_in_table

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


@pytest.mark.usefixtures("harbour")
async def test_each_key_of_a_view_is_still_there_and_does_what_the_letter_table_says(
    open_app, subtests
):
    known = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
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
                        for one in bound:
                            if one.id is not None:
                                assert is_in_table(letter, one.id), (node, letter, one.id)
            if IS_RECORDING:
                known[view] = dict(sorted((known.get(view, {}) | now).items()))
            with subtests.test(view=view):
                recorded = known[view]
                assert {name: now.get(name) for name in recorded} == recorded
    if IS_RECORDING:
        RECORD.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8")
