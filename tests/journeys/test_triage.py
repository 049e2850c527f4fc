"""A newcomer's morning on the demo store, with the app alone: seven candidates, two conflicts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from memdeck import MemoryCoordinator
from memdeck.tests.demo_store import DemoStore
from memdeck.tests.journeys.newcomer import Newcomer
from memdeck.tui.app import MemoryApp

SEVEN, TWO = 7, 2


class Triager(Newcomer):
    """A newcomer in the Inbox and in Conflicts."""

    @property
    def inbox(self) -> Any:
        return self.app.stage.view("inbox")

    async def stands(self, dialog: str) -> None:
        """Wait until this dialog is open."""
        await self.until(lambda: type(self.app.screen).__name__ == dialog)

    async def is_back(self) -> None:
        """Wait until no dialog is open, and what it led to is done."""
        await self.until(lambda: len(self.app.screen_stack) == 1 and self.is_quiet)

    async def here(self) -> str:
        """The id of the candidate that is shown."""
        num = self.inbox.waiting.current_key
        assert num is not None
        found = await self.store(lambda core: core.memory(num))
        assert found is not None
        shown = self.inbox.beside.main.text.render().plain.replace("▌", " ")
        assert found.content[:40] in " ".join(shown.split())
        return found.id

    async def edits(self) -> None:
        """Correct the tags in the form, which accepts."""
        await self.pilot.press("e")
        await self.stands("EditMemory")
        self.app.screen.query_one("#edit-tags", Input).value = "checked"
        await self.pilot.press("f2")
        await self.is_back()

    async def merges(self) -> None:
        """Into the nearest, which is little like it: it asks."""
        await self.pilot.press("M")
        await self.stands("Confirm")
        await self.pilot.press("y")
        await self.is_back()

    async def puts_off(self) -> None:
        """Until tomorrow."""
        await self.pilot.press("s")
        await self.stands("Menu")
        await self.pilot.press("t")
        await self.is_back()


@pytest.fixture
def demo(tmp_path: Path, copy_demo: Callable[[Path], DemoStore]) -> DemoStore:
    """The store of `memdeck demo`."""
    return copy_demo(tmp_path / "demo")


def standing_of(core: MemoryCoordinator, ref: str) -> str:
    """What became of a candidate, in a word."""
    memory = core.show(ref)
    if memory.retired_as:
        return memory.retired_as
    is_off = core.candidacy(ref).get("snoozed_until") is not None
    return "put off" if is_off else memory.status


def everything(core: MemoryCoordinator) -> dict[str, Any]:
    """What the morning may change: every memory, what waits, and every conflict."""
    return {
        "memories": {
            memory.id: (memory.status, memory.content, memory.tags, memory.files, memory.details)
            for memory in core.list()
        },
        "waiting": list(core.waiting()),
        "conflicts": {one.id: one.verdict for one in core.conflicts(resolved=None)},
    }


async def test_seven_candidates_and_two_conflicts_are_decided_and_everything_can_be_taken_back(
    demo: DemoStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_MOTION", "1")
    app = MemoryApp(demo.home, demo.project_root, clock=lambda: demo.now)
    async with app.run_test(size=(120, 35)) as pilot:
        person = Triager(app, pilot)
        await person.until(lambda: app.stage.current == "home" and person.is_quiet)
        before = await person.store(everything)
        assert len(before["waiting"]) >= SEVEN

        # the first line says how many wait; 2 is the Inbox
        assert app.standing.inbox == len(before["waiting"])
        await person.press("2")
        await person.until(lambda: app.view == "inbox" and person.is_quiet)

        steps: list[tuple[Any, str]] = [
            ("a", "confirmed"), ("p", "pinned"), (person.edits, "confirmed"),
            (person.merges, "merged"), ("x", "rejected"), (person.puts_off, "put off"),
            ("space", "candidate"),
        ]  # fmt: skip
        decided: dict[str, str] = {}
        for step, becomes in steps:
            decided[await person.here()] = becomes
            await (person.press(step) if isinstance(step, str) else step())
        assert len(decided) == SEVEN  # after each verdict another one was shown

        became = {ref: await person.store(lambda core, ref=ref: standing_of(core, ref))
                  for ref in decided}  # fmt: skip
        assert became == decided
        edited = [*decided][2]
        assert (await person.store(lambda core: core.show(edited))).tags == ("checked",)
        left = await person.store(lambda core: core.waiting_count())
        assert left == len(before["waiting"]) - (SEVEN - 1)  # one was skipped
        assert app.standing.inbox == left

        # 3 is the workbench: the right one is lit and kept, s is no conflict
        waiting = await person.store(lambda core: core.conflicts())
        open_ones = [one.id for one in waiting]
        told = sum(one.band != "near" for one in waiting)
        assert app.standing.conflicts == told >= TWO  # what is only near is listed after them
        await person.press("3")
        await person.until(lambda: app.view == "conflicts" and person.is_quiet)
        await person.press("right")
        await person.press("enter")
        await person.press("s")
        verdicts = {
            one.id: one.verdict
            for one in await person.store(lambda core: core.conflicts(resolved=True))
            if one.id in open_ones
        }
        assert sorted(verdicts.values(), key=str) == ["b", "not_a_conflict"]
        assert app.standing.conflicts == told - TWO

        # every one of the eight acts is one undo, the newest first
        for ref in reversed(verdicts):
            await person.press("u")
            conflict = await person.store(lambda core, ref=ref: core.conflict(ref))
            assert conflict.is_open
        for ref, verdict in reversed(decided.items()):
            if verdict != "candidate":
                await person.press("u")
                assert await person.store(
                    lambda core, ref=ref: standing_of(core, ref)
                ) == "candidate"  # fmt: skip
        assert await person.store(everything) == before
