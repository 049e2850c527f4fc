"""What fingers can rely on: what was found by `n` and `N`, a footer that belongs to what stands on
top, and an undo that flashes. Panes by `h` and `l` are in test_orientation, where each view is
gone to.
"""

from pathlib import Path
from typing import Any

import pytest

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import KNOWN, put_into


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def busy(laid_out: Any) -> None:
    """Something in every view."""
    laid_out(_busy)


def _busy(core: Any, clock: Any) -> None:
    five(core, clock)
    core.remember(KNOWN)
    clock.forward(hours=1)
    put_into(core, "webhook", "tariffs")
    clock.forward(hours=1)
    core.recall("when do deploys go out?", host="claude", session="4f2a9c11-77aa")
    pairs_of(core, clock)


def footer_of(person: Any) -> str:
    return str(person.app.stage.keys.render())


# -- what was found


@pytest.mark.usefixtures("busy")
async def test_n_goes_to_the_next_that_was_found_and_capital_n_back(open_app: Any):
    async with open_app() as person:
        await person.burst(["n"])
        await person.rest()
        assert person.deck.memories.cursor == 0
        assert any("Nothing is looked for" in notice for notice in person.notices)
        await person.burst([*"/the", "enter", "n", "n", "N"])
        await person.rest()
        assert person.deck.memories.cursor == 1


# -- the footer


ON_TOP = (
    ("o", "Menu", "Leave"),
    ("c", "EditMemory", "Save"),
    ("question_mark", "HelpScreen", "Close"),
)


@pytest.mark.usefixtures("busy")
async def test_the_footer_is_that_of_what_stands_on_top(open_app: Any):
    async with open_app() as person:
        before = footer_of(person)
        assert "Forget" in before
        for key, dialog, says in ON_TOP:
            await person.press(key)
            await person.until(lambda dialog=dialog: person.dialog() == dialog)
            await person.rest()
            assert says in footer_of(person)
            assert "Forget" not in footer_of(person)
            keys = person.app.stage.query_one("Keys")
            shown = {active.binding.action for _, active in keys.shown()}
            there = {active.binding.action for active in person.app.screen.active_bindings.values()}
            assert shown <= there, dialog
            await person.press("escape")
            await person.until(lambda: person.dialog() == "Screen")
            await person.rest()
            assert footer_of(person) == before


# -- undo


@pytest.mark.usefixtures("busy")
async def test_what_an_undo_brings_back_flashes_under_the_cursor_for_a_second(
    open_app: Any, monkeypatch: pytest.MonkeyPatch
):
    async with open_app(size=(80, 24)) as person:
        memories, here, ends = person.deck.memories, person.here, []
        monkeypatch.setattr(memories, "set_timer", lambda *timer: ends.append(timer))
        await person.burst(["x", "G", "u"])
        await person.until(lambda: any("Undid" in notice for notice in person.notices))
        await person.until(lambda: person.here == here)
        await person.rest()
        assert memories.current_key in memories.flashing
        [(seconds, end)] = ends
        assert 1 <= seconds < 2
        end()
        assert not memories.flashing


@pytest.mark.usefixtures("busy")
async def test_what_an_act_changes_does_not_flash(open_app: Any):
    async with open_app() as person:
        await person.burst(["p"])
        await person.until(lambda: any("Pinned" in notice for notice in person.notices))
        await person.rest()
        assert not person.deck.memories.flashing
