"""Random bursts in every view: nothing changes that the letter table does not say, every change
is in the journal and undone by as many `u`, and what stands around the view is true.

A few bursts in each view here; `MEMDECK_FUZZ=600 pytest tests/tui/test_fuzz.py` types for ten
minutes in each, and `MEMDECK_FUZZ_SEED` chooses other keys. `:` and `q` are left out: the command
line runs what its words name, and leaving is no change.
"""

import asyncio
import os
import random
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from memdeck.tests.contents import contents

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import KNOWN, put_into
from .letter_table import LETTERS
from .promises import close_dialogs
from .test_typeahead import unread
from .views import VIEWS

SECONDS = float(os.environ.get("MEMDECK_FUZZ", "0"))
SEED = os.environ.get("MEMDECK_FUZZ_SEED", "1")
BURSTS = 2  # in each view, when no time is given
LONGEST = 7  # keys of a burst

LEFT_OUT = {":", "q", "u", "U"}
MOVING = ("up", "down", "left", "right", "tab", "shift+tab", "escape", "pagedown", "pageup",
          "home", "end", "ctrl+d", "ctrl+u", "backspace")  # fmt: skip
VIEW_KEYS = tuple(kind.key for kind in VIEWS.values())
QUIET = (*(key for key, letter in LETTERS.items() if not letter.writes), *MOVING, *VIEW_KEYS)
ALL = (*LETTERS, *MOVING, *VIEW_KEYS, "enter")
BOOKKEEPING = {"revision", "updated_at", "row_hash", "terms"}
"""Columns that say when a row was last written, and not what is in it."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def busy(laid_out: Any) -> None:
    """Something to act on in every view."""
    laid_out(_busy)


def _busy(core: Any, clock: Any) -> None:
    harbour = five(core, clock)
    core.remember(KNOWN)
    clock.forward(hours=1)
    put_into(core, "webhook", "tariffs", "tide")
    clock.forward(hours=1)
    core.recall("when do deploys go out?", host="claude", session="4f2a9c11-77aa")
    pairs_of(core, clock)
    core.link(harbour["tide"].id, harbour["retry"].id, "extends")
    core.remember("I prefer tabs to spaces in every project.", category="preference")
    clock.forward(hours=1)


def _stored(database: Path) -> dict[str, list[str]]:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return contents(connection, without=BOOKKEEPING)
    finally:
        connection.close()


class Hands:
    """Fingers that type without looking, and what came of it."""

    def __init__(self, person: Any, home: Path, chance: random.Random) -> None:
        self.person, self.home, self.chance = person, home, chance
        self.typed: list[str] = []

    async def stored(self) -> dict[str, list[str]]:
        """What the journal brings back, without when it was written."""
        return await asyncio.to_thread(_stored, self.home / "memory.db")

    async def standing(self, since: int) -> int:
        """How many acts since then still stand: each is one `u`."""
        entries = await self.person.store(lambda core: core.audit(limit=200))
        new = [one for one in entries if one.seq > since and one.undoes is None]
        return len({one.group or one.seq for one in new if one.undone_by is None})

    async def newest(self) -> int:
        """The number of the newest entry."""
        return int(await self.person.store(lambda core: core.last_seq()))

    async def burst(self, keys: Iterable[str]) -> None:
        """Type some of these in one go, and let everything come to rest."""
        pool = [key for key in keys if key not in LEFT_OUT]
        self.typed = self.chance.choices(pool, k=self.chance.randint(1, LONGEST))
        await self.person.burst(self.typed)
        await self.person.rest()

    async def undo(self) -> None:
        """One `u`, out of the line that it would only be typed into; a change that needed a yes
        needs one to be taken back as well."""
        if self.person.app.stage.view(self.person.app.view).is_typed_in():
            await self.person.burst(["escape"])
            await self.person.rest()
        await self.person.burst(["u"])
        await self.person.rest()
        if self.person.dialog() == "Confirm":
            await self.person.burst(["y"])
            await self.person.rest()

    def look_around(self) -> None:
        """What stands around the view is true of it."""
        app = self.person.app
        stage = app.stage
        assert stage.header.current == stage.current == app.view
        assert VIEWS[app.view].label in stage.header.render().plain
        there = {active.binding.action for active in app.screen.active_bindings.values()}
        shown = {active.binding.action for _, active in stage.keys.shown()}
        assert shown <= there, self.typed


def differing(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Where two states of the store differ, for the failure's words."""
    return {
        name: [
            row for row in (*one[name], *other[name]) if (row in one[name]) != (row in other[name])
        ]
        for name in one
        if one[name] != other[name]
    }


def rounds() -> Iterable[int]:
    """So many bursts, or as long as one asked for."""
    end, number = time.monotonic() + SECONDS / 2, 0  # keys that write take the other half
    while number < BURSTS or time.monotonic() < end:
        yield number
        number += 1


async def keys_that_write_nothing_by_the_table_write_nothing(hands: Hands, view: str) -> None:
    before, seq = await hands.stored(), await hands.newest()
    for _ in rounds():
        await hands.burst(QUIET)
        hands.look_around()
        await close_dialogs(hands.person)
        assert await hands.newest() == seq, hands.typed
        await hands.person.burst([VIEWS[view].key])
        await hands.person.rest()
    assert differing(before, await hands.stored()) == {}


async def every_change_is_in_the_journal_and_undone_by_as_many_u(hands: Hands, view: str) -> None:
    before = await hands.stored()
    for _ in rounds():
        seq = await hands.newest()
        await hands.burst(ALL)
        hands.look_around()
        await close_dialogs(hands.person)
        after = await hands.stored()
        if differing(before, after):
            assert await hands.newest() > seq, hands.typed
            assert set(hands.typed) & {
                "enter", "y", *(key for key, letter in LETTERS.items() if letter.writes)
            }, hands.typed  # fmt: skip
        if standing := await hands.standing(seq):
            for _ in range(standing):
                await hands.undo()
            assert await hands.standing(seq) == 0, hands.typed
        assert differing(before, await hands.stored()) == {}, hands.typed
        await hands.person.burst(["escape", "escape", VIEWS[view].key])
        await hands.person.rest()


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("view", VIEWS)
async def test_keys_at_random_write_what_the_table_says_and_as_many_u_undo_it(
    open_app: Any, home_path: Path, machine: Machine, view: str, subtests: Any
):
    async with open_app(view=view, agents=machine) as person:
        with subtests.test(promise="what it looks like was read"):
            assert unread(person.app) == []
        for keys, promise in (
            ("quiet", keys_that_write_nothing_by_the_table_write_nothing),
            ("all", every_change_is_in_the_journal_and_undone_by_as_many_u),
        ):
            hands = Hands(person, home_path, random.Random(f"{SEED} {keys} {view}"))
            with subtests.test(promise=promise.__name__):
                await promise(hands, view)
                assert person.screen  # whatever it has become can be painted
            await person.burst(["escape", "escape", VIEWS[view].key])
            await person.rest()


@pytest.mark.usefixtures("busy")
async def test_a_change_is_seen_and_so_is_what_an_undo_leaves_behind(
    open_app: Any, home_path: Path, machine: Machine
):
    async with open_app(agents=machine) as person:
        hands = Hands(person, home_path, random.Random(SEED))
        before, seq = await hands.stored(), await hands.newest()
        said = len(person.app.notices.said)
        await person.burst("pxx")
        await person.until(lambda: len(person.app.notices.said) >= said + 3)
        await person.rest()
        assert set(differing(before, await hands.stored())) >= {"memory"}
        assert await hands.standing(seq) == 3
        for left in (2, 1, 0):
            assert differing(before, await hands.stored()) != {}
            await hands.undo()
            assert await hands.standing(seq) == left
        assert differing(before, await hands.stored()) == {}
