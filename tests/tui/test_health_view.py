"""The Health view: what stands there is what the store says, and `K` keeps after a yes."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin

from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]
NOTES = {
    "berths": "The berth allocation was moved over to the new schema, its views are missing",
    "tides": "The tide import was cut in two halves, and the second still reads the old feed",
    "tests": "The ferry booking tests were ported to pytest, the fixtures are still unittest's",
}
FREEZE = "The release freeze of the harbour app lasts until the second tide gate is in."
SIZE = re.compile(r"(?:[━#]+  )?[\d.,]+ [kM]?B(?= )")


def found_by_agents(core: MemoryCoordinator) -> dict[str, str]:
    """What agents noted on the way, each by a session of its own: it lives fourteen days."""
    ids = {}
    for number, (name, text) in enumerate(NOTES.items()):
        session = f"s-{number}"
        core.session_seen(session, "claude")
        origin = Origin(session=session, agent="claude", line=3)
        [kept] = core.offer([Capture(text, category="task_progress", origin=origin)])
        ids[name] = kept.memory_id or ""
    return ids


def tell(core: MemoryCoordinator, memory: str, host: str, tokens: int, latency: float) -> str:
    """A receipt, as a hook reports it."""
    receipt = {
        "id": core.context.new_id(),
        "at": core.now_ms(),
        "host": host,
        "project": core.project_id,
        "session": f"{host}-{core.now_ms()}",
        "event": "UserPromptSubmit",
        "prompt_fingerprint": "x",
        "tokens": tokens,
        "budget": 1_500,
        "items": [{"id": memory, "tokens": tokens}],
        "per_tier": {},
        "left_out": [],
        "latency_ms": latency,
    }
    assert core.keep_receipt(receipt)
    return str(receipt["id"])


@pytest.fixture
def story(core: MemoryCoordinator, clock: Any) -> dict[str, str]:
    """Six weeks: notes, a person's word, what two agents were told, and what helped."""
    clock.now -= timedelta(days=42)
    kept = core.remember(FREEZE).memory_id or ""
    for day in range(30):
        clock.forward(days=1)
        receipt = tell(core, kept, "claude" if day % 3 else "codex", 40 + 7 * day, 12.0 + day)
        if day % 10 == 0:
            core.feedback(receipt, kept, True)
    clock.forward(days=2)
    ids = found_by_agents(core)
    clock.forward(days=10)
    core.maintenance.run()
    return ids | {"freeze": kept}


def view_of(person: Any) -> Any:
    return person.app.stage.view("health")


async def test_health_looks_as_it_did(
    open_app: Any, story: dict[str, str], utc: None, subtests: Any
):
    async with open_app(size=SIZES[0], view="health", theme="memdeck-dark") as person:
        await person.until(lambda: person.app.counts.memories is not None)
        await person.until(lambda: view_of(person).found)
        await looks_as_it_did_at(
            person,
            "health",
            SIZES,
            subtests,
            lambda seen: SIZE.sub(lambda found: "≈".ljust(len(found[0])), seen),
        )


async def test_keys_typed_in_a_burst_keep_one_and_an_undo_brings_its_end_back(
    open_app: Any, story: dict[str, str]
):
    async with open_app(size=(120, 35)) as person:
        await person.press("7")
        await person.until(lambda: len(view_of(person).found) == 3)
        before = [one.memory for one in view_of(person).found]
        await person.burst("jsy")
        await person.until(lambda: len(view_of(person).found) == 2)
        [kept] = set(before) - {one.memory for one in view_of(person).found}
        assert kept == before[1]
        memory = await person.store(lambda core: core.resolve(kept))
        assert (memory.status, memory.degree) == ("confirmed", "person")
        await person.until(lambda: any("Kept" in notice for notice in person.notices))

        await person.burst("u")
        await person.until(lambda: len(view_of(person).found) == 3)
        memory = await person.store(lambda core: core.resolve(kept))
        assert memory.status == "candidate"


async def test_without_a_yes_nothing_is_kept(open_app: Any, story: dict[str, str], subtests: Any):
    async with open_app(size=(80, 24), view="health") as person:
        await person.until(lambda: len(view_of(person).found) == 3)
        before = await person.store(lambda core: core.last_seq())
        for answer in ("n", "s", "escape"):
            with subtests.test(answer=answer):
                await person.burst(["s", answer])
                await person.rest()
                if answer == "s":  # the key that asks is no yes
                    assert person.dialog() == "Confirm"
                    await person.burst(["escape"])
                    await person.rest()
                assert await person.store(lambda core: core.last_seq()) == before
                assert len(view_of(person).found) == 3


async def test_what_others_write_is_seen_while_one_looks(
    open_app: Any, core: MemoryCoordinator, clock: Any, story: dict[str, str]
):
    async with open_app(size=(200, 50), view="health") as person:
        await person.until(lambda: len(view_of(person).found) == 3)
        assert "30 times" in person.screen
        why = next(line for line in person.screen.splitlines() if ": kept " in line)
        assert why.index(": kept ") < 110, "a reason stands far from its title"
        tell(core, story["freeze"], "gemini", 500, 20.0)
        core.forget(story["tides"])
        await person.until(lambda: len(view_of(person).found) == 2)
        await person.until(lambda: "31 times" in person.screen)
        assert "gemini" in person.screen


async def test_the_last_of_many_endings_is_read_too(
    open_app: Any, core: MemoryCoordinator, clock: Any
):
    core.offer(
        [
            Capture(
                f"The view v{number} was moved over to the new schema, its index is missing",
                category="task_progress",
                origin=Origin(session="s-many", agent="claude", line=number + 1),
            )
            for number in range(140)
        ]
    )
    clock.forward(days=10)
    async with open_app(size=(120, 35), view="health") as person:
        await person.until(lambda: len(view_of(person).found) == 140)
        last = await person.store(lambda core: core.resolve(view_of(person).found[-1].memory))
        await person.press("G")
        await person.rest()
        words = " ".join(last.title.split()[:3])
        assert words in "\n".join(person.screen.splitlines()[-12:])


async def test_enter_opens_the_memory_backspace_comes_back_to_it_and_the_days_come_nearer(
    open_app: Any, clock: Any, story: dict[str, str]
):
    async with open_app(size=(120, 35), view="health") as person:
        await person.until(lambda: len(view_of(person).found) == 3)
        assert {one.within_days for one in view_of(person).found} == {7}
        chosen = view_of(person).found[2]
        await person.burst(["G", "enter"])
        await person.until(lambda: person.app.view == "deck" and person.here == chosen.title)
        await person.burst(["backspace"])
        await person.until(lambda: person.app.view == "health")
        await person.rest()
        assert view_of(person).current.memory == chosen.memory
        clock.forward(days=4)
        await person.burst("R")
        await person.until(lambda: {one.within_days for one in view_of(person).found} == {0})
        assert "3 now" in person.screen


async def test_an_empty_store_says_what_the_place_is_for(open_app: Any):
    async with open_app(view="health") as person:
        await person.until(lambda: "Nothing leaves within 30 days." in person.screen)
        assert "not measured yet" in person.screen
        await person.burst("s")
        await person.rest()
        assert person.dialog() == "Screen"
        assert any("Nothing here is about to leave." in notice for notice in person.notices)


async def test_plain_glyphs_are_ascii(
    open_app: Any, home_path: Path, story: dict[str, str], core: MemoryCoordinator
):
    (home_path / "config.toml").write_text("[app]\nascii_glyphs = true\n")
    async with open_app(view="health") as person:
        await person.until(lambda: view_of(person).found)
        inner = "".join(set(person.screen) - set("╭╮╰╯─│…⏎"))
        assert inner.isascii(), inner
