"""Memories: search as one types, read, write, mark, undo, time travel, export."""

import json
from pathlib import Path
from typing import Any

import pytest


def sections(person: Any) -> set[str]:
    """The headings of the memory that is shown."""
    document = person.memories.pane.document
    return {part.title for part in document.sections} if document else set()


async def test_one_finds_reads_writes_and_undoes(open_app: Any, harbour: dict[str, Any]) -> None:
    async with open_app() as person:
        await person.until_shown("Tide tables", "1 of 5", "newest first")
        await person.type("/deplyo mondays")  # with a slip
        await person.until(lambda: person.titles[:1] and person.here.startswith("Deploys"))
        await person.press("enter", "w")
        await person.until(lambda: {"Why it matches", "Numbers", "History"} <= sections(person))
        await person.press("w", "p")
        await person.until(lambda: any(one.startswith("Pinned") for one in person.notices))
        for number in range(5):
            await person.store(
                lambda core, n=number: core.remember(f"Buoy {n} is green.", pin=True)
            )
        await person.press("p", "p")
        await person.until(lambda: any("6 of 6 pins fit" in one for one in person.notices))
        await person.until_shown("6 of 6 pins fit into a start")
        await person.press("escape", "escape")
        await person.burst(["slash", *"queue", "enter", "e", "x", "y", " ", "ctrl+s"])
        await person.until(lambda: any(one.startswith("Saved") for one in person.notices))
        queue = await person.store(lambda core: core.show(harbour["queue"].id))
        assert queue.content.startswith("xy Queue timeout")
        await person.press("u")
        await person.until(lambda: any("Undid edit" in one for one in person.notices))
        queue = await person.store(lambda core: core.show(harbour["queue"].id))
        assert queue.content.startswith("Queue timeout")
        await person.press("t", *"quay", "enter")
        await person.until(lambda: any(one.startswith("Tagged") for one in person.notices))
        await person.press("escape")
        await person.type("/tag:quay")
        await person.until(lambda: len(person.titles) == 1)


@pytest.mark.usefixtures("harbour")
async def test_marked_memories_are_forgotten_in_one_act_after_its_preview(open_app: Any) -> None:
    async with open_app() as person:
        await person.press("A", "x")
        await person.until_shown("Forget 5")
        await person.press("enter")
        await person.until_shown("Nothing is remembered for harbour yet.")
        await person.press("u")
        await person.until(lambda: len(person.titles) == 5)
        await person.press("A", "x", "escape")
        await person.rest()
        assert len(person.titles) == 5


@pytest.mark.usefixtures("harbour")
async def test_at_shows_the_memories_as_they_were_to_read(open_app: Any) -> None:
    async with open_app() as person:
        await person.type("/at:#2")
        await person.until_shown("as of #2, read only", "2 hits")
        assert person.here.startswith("Queue timeout")
        await person.press("enter", "x")
        await person.until(lambda: any("as of #2" in one for one in person.notices))
        await person.press("escape", "escape")
        await person.until(lambda: len(person.titles) == 5)


@pytest.mark.usefixtures("harbour")
async def test_a_query_without_hits_offers_what_finds_something(open_app: Any) -> None:
    async with open_app() as person:
        await person.type("/tag:deploy type:working")
        await person.until_shown("Nothing matches.", "clear the query")
        await person.press("escape", "escape")
        await person.until(lambda: len(person.titles) == 5)


@pytest.mark.usefixtures("harbour")
async def test_what_is_listed_is_exported_and_a_query_is_saved(
    open_app: Any, tmp_path: Path
) -> None:
    target = tmp_path / "harbour.jsonl"
    async with open_app() as person:
        await person.type("/tag:harbour")
        await person.until_shown("5 of 5")
        await person.press("enter", "y", "J")
        await person.until(lambda: person.dialog() == "Ask")
        await person.press("ctrl+u", *str(target), "enter")
        await person.until(target.exists)
        await person.until(lambda: any(one.startswith("Wrote 5") for one in person.notices))
        lines = [json.loads(line) for line in target.read_text().splitlines()]
        assert len(lines) == 5
        assert lines[0]["content"].startswith("Tide tables")
        await person.type(":save query")
        await person.until_shown("Saves the query")
        await person.press("enter")
        await person.until(lambda: person.dialog() == "Ask")
        await person.type("quay\n")
        await person.press("enter")
        await person.until(lambda: any(one.startswith("Saved") for one in person.notices))


async def test_what_others_write_appears_at_the_top_and_moves_nothing(
    open_app: Any, core: Any, harbour: dict[str, Any]
) -> None:
    del harbour
    async with open_app() as person:
        await person.store(lambda lane: lane.remember("Pilots board at the outer buoy."))
        await person.until_shown("Pilots board")
        assert person.here.startswith("Tide tables")
        await person.press("j", "j")
        here = person.here
        await person.store(lambda lane: lane.remember("Tugs wait on channel twelve."))
        await person.until(lambda: len(person.titles) == 7)
        assert person.here == here


async def test_an_empty_list_offers_what_agents_remember_as_it_comes(
    open_app: Any, tmp_path: Path
) -> None:
    slug = "".join(sign if sign.isalnum() else "-" for sign in str(tmp_path / "app"))
    folder = tmp_path / "person/.claude/projects" / slug
    (tmp_path / "app/.git/objects").mkdir(parents=True)
    (tmp_path / "app/.git/HEAD").write_text("ref: refs/heads/main")
    (tmp_path / "app/AGENTS.md").write_text("- Moor at the outer pier only.\n")
    async with open_app(project=str(tmp_path / "app")) as person:
        await person.until_shown("Instruction files hold 1 rule.", "import them")
        (folder / "memory").mkdir(parents=True)
        (folder / "memory/MEMORY.md").write_text("- nothing\n")
        (folder / "memory/a.md").write_text("Berth twelve floods at spring tide.\n")
        await person.until_shown("Claude Code remembers 1 thing here; 1 is never loaded.")
        await person.press("enter")
        await person.until_shown("Take what your agents remember?")
        await person.press("y")
        await person.until(lambda: any(one.startswith("Took 2 mem") for one in person.notices))
        await person.until(lambda: len(person.titles) == 2)


async def test_a_new_memory_is_under_the_cursor(open_app: Any, core: Any) -> None:
    del core
    async with open_app(view="memories") as person:
        await person.until_shown("Nothing is remembered")
        await person.burst(["c", *"Moor at berth nine.", "ctrl+s"])
        await person.until(lambda: any(one.startswith("Remembered") for one in person.notices))
        await person.until(lambda: person.here.startswith("Moor at berth nine"))
