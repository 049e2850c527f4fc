"""Acts on many: one sees how far they are, can stop them, and takes all of it back with one `u`."""

import threading
from functools import partialmethod
from typing import Any

import pytest
from textual.widgets import Static

from memdeck import MemoryCoordinator

PART = 50
"""Memories written in one transaction: a tenth, so that as many parts take a tenth of the time."""

MOST_TAGS = 24

MANY = 3 * PART + PART // 5
BERTHS = [f"Berth {number} is dredged in May." for number in range(MANY)]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("core.services.bulk.PART", "core.services.transfer.IMPORT_CHUNK",
                 "tui.changes.PART"):  # fmt: skip
        monkeypatch.setattr(f"memdeck.{name}", PART)


@pytest.fixture
def many(laid_out: Any) -> None:
    """More memories than are written at once."""
    laid_out(_many)


def _many(core: MemoryCoordinator, _clock: Any) -> None:
    core.import_memories({"content": berth} for berth in BERTHS)


@pytest.fixture
def many_wait(laid_out: Any) -> None:
    """As many candidates."""
    laid_out(_many_wait)


def _many_wait(core: MemoryCoordinator, _clock: Any) -> None:
    core.import_memories({"content": berth, "status": "candidate"} for berth in BERTHS)


@pytest.fixture
def one_for_every_project(laid_out: Any) -> None:
    """One memory more than one transaction takes; the newest, which comes last, is global."""
    laid_out(_one_for_every_project)


def _one_for_every_project(core: MemoryCoordinator, clock: Any) -> None:
    core.import_memories({"content": berth} for berth in BERTHS[:PART])
    clock.forward(hours=1)
    core.remember("I prefer tabs over spaces.", scope="global")


TIMES = ((0.9, ""), (1.6, " · 1 s left"), (99, " · 60 s left"), (148, " · 89 s left"),
         (151, " · 2 min left"), (999, " · 10 min left"))  # fmt: skip
"""Seconds for the first 100 of 160, and what is said of the rest."""


class Steps:
    """Before all parts of an act but the first, the lane waits for a permit."""

    def __init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.has_begun = threading.Semaphore(1)
        self.waits = threading.Event()

    def let(self, parts: int) -> None:
        for _ in range(parts):
            self.permits.release()


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps()

    def in_steps(core: MemoryCoordinator, ids: Any, *more: Any, write: Any, **named: Any) -> Any:
        if not steps.has_begun.acquire(blocking=False):
            steps.waits.set()
            assert steps.permits.acquire(timeout=60)
        return write(core, ids, *more, **named)

    for name in ("retag", "pin", "reject"):
        write = getattr(MemoryCoordinator, name)
        monkeypatch.setattr(MemoryCoordinator, name, partialmethod(in_steps, write=write))
    return steps


async def count(person: Any, query: str) -> int:
    return int(await person.store(lambda core: core.find(query).total))


async def says(person: Any, words: str) -> None:
    await person.until(lambda: any(words in notice for notice in person.notices))
    await person.rest()


@pytest.mark.usefixtures("many")
async def test_a_large_act_says_how_far_it_is_and_esc_stops_it_between_two_parts(
    open_app: Any, steps: Steps
):
    async with open_app() as person:
        await person.burst(["A", "t", *"gate", "enter"])
        await person.until(lambda: person.dialog() == "Working")
        await person.until(lambda: f"{PART:,} of {MANY:,}" in person.screen)
        steps.let(1)
        await person.until(lambda: f"{2 * PART:,} of {MANY:,}" in person.screen)
        progress = person.app.screen._progress
        for spent_s, left in TIMES:
            progress._now = lambda spent=spent_s: progress._began + spent
            person.app.screen._look()
            counted = person.app.screen.query_one("#working-count", Static)
            assert str(counted.render()) == f"{2 * PART} of {MANY}{left}"
        await person.press("escape")
        await person.until(lambda: "stopping" in person.screen)
        steps.let(1)
        await says(person, f"Stopped with {MANY - 3 * PART:,} left. Tagged {3 * PART:,} memories.")
        assert person.dialog() == "Screen"
        assert await count(person, "tag:gate") == 3 * PART
        assert not person.deck.memories.marks.keys

        await person.press("u")  # one act, whatever it came to
        await says(person, "Undid")
        assert await count(person, "tag:gate") == 0


@pytest.mark.usefixtures("many")
async def test_a_large_act_that_ran_to_its_end_is_one_undo_and_one_redo(open_app: Any):
    """So is the import that brought what it is done to, which is as large."""
    async with open_app() as person:
        await person.press("A", "x", "enter")
        await says(person, f"Forgot {MANY:,} memories.")
        assert await count(person, "") == 0

        await person.press("u")
        await says(person, f"Undid forget of {MANY:,} memories.")
        assert await count(person, "") == MANY

        await person.press("ctrl+r")
        await says(person, f"Did again forget of {MANY:,} memories.")
        assert await count(person, "") == 0

        await person.press("u")
        await person.until(lambda: len(person.titles) > 0)
        await person.until(lambda: person.dialog() == "Screen")
        await person.rest()
        await person.press("u")
        await says(person, "Undid import of")
        assert await count(person, "") == 0
        assert await count(person, "is:retired") == 0
        await person.press("ctrl+r")
        await says(person, "Did again import")
        assert await count(person, "") == MANY


@pytest.mark.usefixtures("one_for_every_project")
async def test_a_large_act_that_gets_a_no_for_the_last_of_its_memories_has_written_nothing(
    open_app: Any, subtests: Any
):
    async with open_app() as person:
        at_first = await person.store(lambda core: core.last_seq())
        await person.until(lambda: "▌     I prefer tabs over spaces" in person.screen)
        for keys in ("tgate", "x"):
            with subtests.test(keys=keys):
                await person.burst(["A", *keys, "enter"])
                await person.until(lambda: person.dialog() == "Confirm")
                await person.until(lambda: "every project" in person.screen)
                await person.press("n")
                await person.until(lambda: person.dialog() == "Screen")
                await person.rest()
                assert await person.store(lambda core: core.last_seq()) == at_first
                assert await count(person, "") == PART + 1
                assert await count(person, "tag:gate") == 0


@pytest.mark.usefixtures("many")
async def test_what_is_typed_while_it_works_is_no_act_on_the_list(open_app: Any, steps: Steps):
    async with open_app() as person:
        await person.burst(["A", "p", "enter", "x", "x"])
        await person.until(lambda: person.dialog() == "Working")
        await person.until(lambda: not person.app.typed.is_moving)
        steps.let(3)
        await says(person, f"Pinned {MANY:,} memories")
        assert await count(person, "is:pinned") == MANY


@pytest.mark.usefixtures("many_wait")
async def test_a_verdict_on_many_can_be_stopped_and_the_rest_waits_on(open_app: Any, steps: Steps):
    async with open_app(view="inbox") as person:
        view = person.app.stage.view("inbox")
        await person.burst(["A", "x", "enter"])
        await person.until(lambda: person.dialog() == "Working")
        await person.until(steps.waits.is_set)
        await person.press("escape")
        await person.until(lambda: "stopping" in person.screen)
        steps.let(1)
        await says(person, f"Stopped with {MANY - 2 * PART:,} left. Rejected {2 * PART:,} memories")
        await person.until(lambda: len(view.waiting.keys) == MANY - 2 * PART)

        await person.press("u")
        await says(person, "Undid")
        await person.until(lambda: len(view.waiting.keys) == MANY)


@pytest.mark.usefixtures("many")
async def test_an_error_on_the_way_says_what_was_done_until_then(open_app: Any):
    async with open_app() as person:
        nums = list(person.deck.memories.keys)
        [row] = await person.store(lambda core: core.rows([max(nums)]))
        await person.store(
            lambda core: core.retag([row.id], add=[f"old{number}" for number in range(MOST_TAGS)])
        )
        await person.rest()
        await person.press("A", "t")
        await person.until(lambda: person.dialog() == "Ask")
        await person.burst([*"gate", "enter"])
        await says(person, f"Stopped with {MANY - 3 * PART:,} left. Tagged {3 * PART:,} memories.")
        assert any("is the limit" in notice for notice in person.notices)
        await person.press("u")
        await says(person, "Undid")
        assert await count(person, "tag:gate") == 0


@pytest.mark.usefixtures("harbour")
async def test_an_act_on_three_says_in_a_line_what_it_would_do_and_esc_leaves_them(open_app: Any):
    async with open_app() as person:
        nums = list(person.deck.memories.keys)
        [first] = await person.store(lambda core: core.rows(nums[:1]))
        await person.store(lambda core: core.pin(first.id))
        await person.rest()
        await person.burst([" ", " ", " ", "x", "x"])  # the key that asked is no answer
        await person.until(lambda: person.dialog() == "Preview")
        await person.until(lambda: "Forget 3: 1 pinned" in person.screen)
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        assert await count(person, "") == len(nums)
        assert len(person.deck.memories.marks.keys) == 3  # to do something else with them

        await person.burst(["x", "enter"])
        await says(person, "Forgot 3 memories: 1 pinned")
        assert await count(person, "") == len(nums) - 3
        assert not person.deck.memories.marks.keys
        await person.press("u")
        await says(person, "Undid")
        assert await count(person, "") == len(nums)


@pytest.mark.usefixtures("harbour")
async def test_a_preview_says_what_it_leaves_as_it_is_and_an_act_on_few_is_one_entry(open_app: Any):
    async with open_app() as person:
        nums = list(person.deck.memories.keys)
        [first] = await person.store(lambda core: core.rows(nums[:1]))
        await person.store(lambda core: core.pin(first.id))
        await person.rest()
        before = len(await person.store(lambda core: core.audit()))
        await person.burst(["A", "p"])
        await person.until(lambda: f"Pin {len(nums) - 1} · leaves 1 as they are" in person.screen)
        await person.press("enter")
        await says(person, "Pinned 4 memories")
        entries = await person.store(lambda core: core.audit())
        assert len(entries) == before + 1
        assert entries[0].group is None


async def test_verdicts_on_three_are_previewed(open_app: Any, core: MemoryCoordinator):
    core.import_memories({"content": berth, "status": "candidate"} for berth in BERTHS[:4])
    async with open_app(view="inbox") as person:
        view = person.app.stage.view("inbox")
        await person.burst("Ax")
        await person.until(lambda: "Reject 4" in person.screen)
        await person.press("escape")
        assert len(view.waiting.keys) == 4
        await person.burst(["x", "enter"])
        await says(person, "Rejected 4 memories")
        await person.until(lambda: not len(view.waiting.keys))
