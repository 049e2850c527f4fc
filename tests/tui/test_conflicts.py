"""Conflicts decided on the screen: each verdict, what it leaves in the store, its way back."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from memdeck import Memory, MemoryCoordinator

TEXTS = {
    "thirty": "Queue timeout is 30 seconds for webhooks, since the provider retries after forty.",
    "sixty": "Queue timeout is 60 seconds for batch jobs, since the provider retries after ninety.",
    "always": "Always run the migrations before the deploy, with the lock taken.",
    "never": "Never run the migrations before the deploy, with the lock taken.",
    "tabs": "The linter of the harbour project wants tabs in every file.",
    "spaces": "The linter of the harbour project wants spaces in every file.",
}
PAIRS = (
    ("thirty", "sixty", "contradictory", "the timeout: 30 seconds against 60 seconds"),
    ("always", "never", "superseded", "always against never"),
    ("tabs", "spaces", "ambiguous", ""),
)


class Judge:
    """Somebody at the workbench."""

    def __init__(self, person: Any) -> None:
        self.person, self.app, self.pilot = person, person.app, person.pilot
        self.press, self.until, self.store = person.press, person.until, person.store
        view = person.app.stage.view("conflicts")
        self.view = view

    @property
    def seen(self) -> tuple[str, str]:
        """The two texts that stand there; "" without any."""
        pair = self.view.model.pair
        if pair is None:
            return "", ""
        return pair.first.memory.content, pair.second.memory.content

    async def sees(self, first: str) -> None:
        """Wait until this memory stands at the left."""
        await self.until(lambda: self.seen[0] == TEXTS[first] and self.view.judged is not None)

    @property
    def open_count(self) -> int:
        return len(self.view.model.listed)

    async def decided(self) -> None:
        """Wait until a verdict is written and shown."""
        await self.until(lambda: bool(self.person.notices))
        await self.person.rest()

    def notice(self) -> str:
        return self.person.notices[-1]


def imported(core: MemoryCoordinator, clock: Any, texts: dict[str, str]) -> dict[str, str]:
    """Memories an hour apart, by name. An import looks for no conflicts: tests name their own."""
    ids = {}
    for name, text in texts.items():
        clock.forward(hours=1)
        [one] = core.import_memories([{"content": text, "tags": ["harbour", name]}]).ids
        ids[name] = one or ""
    return ids


@pytest.fixture
def rivals(core: MemoryCoordinator, clock: Any) -> dict[str, Memory]:
    """Three conflicts between six memories, an hour apart; the oldest is about a timeout."""
    ids = imported(core, clock, TEXTS)
    for first, second, kind, reason in PAIRS:
        clock.forward(minutes=1)
        core.mark_conflict(ids[first], ids[second], kind, reason)
    return {name: core.show(memory) for name, memory in ids.items()}


@pytest.fixture
def judging(open_app: Any) -> Callable[..., Any]:
    """Open the app on the workbench."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Judge]:
        async with open_app(size=size, view="conflicts", **more) as person:
            yield Judge(person)

    return opened


async def memory(judge: Judge, one: Memory) -> Memory:
    """A memory as the store has it now."""
    found: Memory = await judge.store(lambda core: core.show(one.id))
    return found


async def links(judge: Judge, one: Memory) -> list[tuple[str, str, str]]:
    """The links of a memory: from, kind, to."""
    found = await judge.store(lambda core: core.links(one.id))
    return [(link.source, link.kind, link.target) for link in found]


async def verdicts(judge: Judge) -> list[tuple[str | None, str]]:
    """Verdict and context of everything decided."""
    found = await judge.store(lambda core: core.conflicts(resolved=True))
    return [(one.verdict, one.context) for one in found]


@pytest.fixture
def newer_first(core: MemoryCoordinator, clock: Any) -> tuple[str, str]:
    """A conflict whose left side was learned later."""
    ids = imported(core, clock, {"tabs": TEXTS["tabs"], "spaces": TEXTS["spaces"]})
    core.mark_conflict(ids["spaces"], ids["tabs"])
    return ids["spaces"], ids["tabs"]


async def test_supersede_keeps_the_newer_one_wherever_it_stands(judging: Any, newer_first: Any):
    newer, older = newer_first
    async with judging() as judge:
        await judge.sees("spaces")
        assert "← keep this · newer" in judge.person.screen
        await judge.press(":", *"newer", "enter")
        await judge.decided()

        assert "left replaces right" in judge.notice()
        assert (await judge.store(lambda core: core.show(newer))).is_live
        assert (await judge.store(lambda core: core.show(older))).retired_as == "superseded"


@pytest.fixture
def unlike(core: MemoryCoordinator, clock: Any) -> None:
    """A conflict between two texts that are worded quite differently under titles that are not."""
    texts = {
        "A hold lives ten minutes for guests": "While a guest pays, the berth is kept in our list.",
        "A hold lives 15 minutes": "Since March, on slow networks, banks take long: kept longer.",
    }
    one, other = core.import_memories(
        [{"title": title, "content": text} for title, text in texts.items()]
    ).ids
    core.mark_conflict(one or "", other or "", reason="“ten minutes” against “15 minutes”")


async def test_only_words_that_can_be_compared_offer_a_guess(judging: Any, unlike: Any):
    async with judging() as judge:
        await judge.until(lambda: judge.view.judged is not None)
        await judge.person.rest()
        await judge.press("a")
        await judge.until(lambda: judge.person.dialog() == "Ask")
        assert judge.app.screen.query_one("#ask-line").value == "one only for guests"
        await judge.press("escape")
        await judge.until(lambda: judge.person.dialog() == "Screen")


async def leaving_the_question_decides_nothing(judge: Any) -> None:
    await judge.sees("thirty")
    await judge.press("a")
    await judge.until(lambda: judge.person.dialog() == "Ask")
    await judge.press("1", "escape")
    await judge.until(lambda: judge.person.dialog() == "Screen")
    await judge.person.rest()

    assert await verdicts(judge) == []
    assert judge.open_count == 3


async def leaving_the_form_leaves_both_as_they_are(judge: Any, rivals: Any) -> None:
    await judge.sees("thirty")
    await judge.press("M")
    await judge.until(lambda: judge.person.dialog() == "MergeMemories")
    await judge.press("1", "2")
    await judge.press("escape")
    await judge.until(lambda: judge.person.dialog() == "Confirm")
    await judge.press("y")
    await judge.until(lambda: judge.person.dialog() == "Screen")
    await judge.sees("thirty")

    assert await verdicts(judge) == []
    assert (await memory(judge, rivals["thirty"])).content == TEXTS["thirty"]


SIDES = (
    ("left enter", "thirty", "sixty", "a"),
    ("right enter", "sixty", "thirty", "b"),
    (": n e w e r enter", "sixty", "thirty", "b"),
)
"""Keys, which of the two they keep and which they retire, and the verdict."""


async def the_side_that_is_kept_supersedes_the_other_and_the_next_conflict_follows(
    judge: Judge, rivals: Any, keys: str, keeps: str, leaves: str, verdict: str
) -> None:
    await judge.person.burst(keys.split())
    await judge.sees("always")
    await judge.decided()

    kept, left = rivals[keeps], rivals[leaves]
    assert (await memory(judge, kept)).is_live
    assert (await memory(judge, left)).retired_as == "superseded"
    assert await links(judge, left) == [(left.id, "superseded_by", kept.id)]
    assert await verdicts(judge) == [(verdict, "")]
    assert "≠ 2" in judge.person.screen
    assert "1 of 2" in judge.person.screen


async def both_stay_with_what_tells_them_apart(judge: Judge, rivals: Any) -> None:
    await judge.press("a")
    await judge.until(lambda: judge.person.dialog() == "Ask")
    assert "one for webhooks, the other for batch jobs" in judge.person.screen
    await judge.person.burst([*" abcst", "enter"])  # letters are text here, no verdicts
    await judge.sees("always")
    await judge.decided()

    assert await verdicts(judge) == [("both", "one for webhooks, the other for batch jobs abcst")]
    for name in ("thirty", "sixty"):
        assert (await memory(judge, rivals[name])).is_live
        assert not (await memory(judge, rivals[name])).in_conflict
        assert await links(judge, rivals[name]) == []


async def a_context_that_is_too_long_is_asked_for_again_and_not_lost(
    judge: Judge, rivals: Any
) -> None:
    await judge.press("a")
    await judge.until(lambda: judge.person.dialog() == "Ask")
    judge.app.screen.query_one("#ask-line").value = "x" * 501
    await judge.press("enter")
    await judge.until(lambda: "these are 501" in judge.person.screen)
    judge.app.screen.query_one("#ask-line").value = "y" * 500
    await judge.press("enter")
    await judge.decided()

    assert await verdicts(judge) == [("both", "y" * 500)]


async def neither_takes_both_out_of_recall(judge: Judge, rivals: Any) -> None:
    await judge.press("x")
    await judge.sees("always")
    await judge.decided()

    for name in ("thirty", "sixty"):
        assert (await memory(judge, rivals[name])).retired_as == "rejected"
    assert await verdicts(judge) == [("neither", "")]


async def what_was_no_conflict_is_never_asked_again(judge: Judge, rivals: Any) -> None:
    await judge.press("s")
    await judge.sees("always")
    await judge.decided()

    assert await verdicts(judge) == [("not_a_conflict", "")]
    assert (await memory(judge, rivals["sixty"])).is_live
    assert await links(judge, rivals["sixty"]) == []


async def the_two_are_merged_in_a_form_that_shows_both_texts(judge: Judge, rivals: Any) -> None:
    await judge.press("M")
    await judge.until(lambda: judge.person.dialog() == "MergeMemories")
    await judge.person.rest()
    screen = judge.person.screen
    assert "30 seconds for webhooks" in screen
    assert "60 seconds for batch jobs" in screen
    await judge.person.burst([*"Both: ", "f2"])
    await judge.sees("always")
    await judge.decided()

    left = await memory(judge, rivals["thirty"])
    assert left.content == f"Both: {TEXTS['thirty']}"
    assert set(left.tags) == {"harbour", "thirty", "sixty"}
    assert (await memory(judge, rivals["sixty"])).retired_as == "merged"
    assert await verdicts(judge) == [("merged", "")]


async def a_merge_without_a_change_lets_the_left_text_stand_for_both(
    judge: Judge, rivals: Any
) -> None:
    await judge.press("M")
    await judge.until(lambda: judge.person.dialog() == "MergeMemories")
    await judge.press("f2")
    await judge.decided()

    assert (await memory(judge, rivals["thirty"])).content == TEXTS["thirty"]
    assert (await memory(judge, rivals["sixty"])).retired_as == "merged"


async def keys_that_come_before_the_next_pair_is_seen_decide_nothing(
    judge: Judge, rivals: Any
) -> None:
    pair = judge.view.model.pair
    judge.view.action_decide("a")
    judge.view.action_decide("b")
    judge.view.action_decide("newer")
    await judge.sees("always")
    await judge.decided()

    assert pair is not None
    assert await verdicts(judge) == [("a", "")]
    assert judge.app.view == "conflicts"


VERDICTS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    *((the_side_that_is_kept_supersedes_the_other_and_the_next_conflict_follows, row)
      for row in SIDES),
    (neither_takes_both_out_of_recall, ()),
    (what_was_no_conflict_is_never_asked_again, ()),
    (both_stay_with_what_tells_them_apart, ()),
    (the_two_are_merged_in_a_form_that_shows_both_texts, ()),
    (a_context_that_is_too_long_is_asked_for_again_and_not_lost, ()),
    (a_merge_without_a_change_lets_the_left_text_stand_for_both, ()),
    (keys_that_come_before_the_next_pair_is_seen_decide_nothing, ()),
)  # fmt: skip
"""Each is given on the first of three conflicts."""


async def one_undo_brings_the_conflict_back_into_view(judge: Judge, rivals: Any) -> None:
    """From the one behind the next."""
    assert "Undo (u)" in judge.notice()
    await judge.press("n")
    await judge.sees("tabs")
    await judge.press("u")
    await judge.sees("thirty")
    await judge.person.rest()

    assert await verdicts(judge) == []
    for name in ("thirty", "sixty"):
        again = await memory(judge, rivals[name])
        assert again.is_live
        assert again.in_conflict
        assert (again.content, again.tags) == (rivals[name].content, rivals[name].tags)
    assert judge.open_count == 3
    assert "≠ 3" in judge.person.screen
    judge.app.clear_notifications()


async def one_undo_brings_it_back_when_it_was_done_again_as_well(judge: Judge) -> None:
    await judge.press("ctrl+r")
    await judge.until(lambda: judge.open_count == 2)
    await judge.person.rest()
    await judge.press("u")
    await judge.sees("thirty")
    await judge.until(lambda: judge.open_count == 3)
    await judge.person.rest()
    judge.app.clear_notifications()


async def test_each_verdict_does_what_it_says_and_one_undo_brings_the_conflict_back_into_view(
    judging: Any, rivals: Any, subtests: Any
):
    async with judging() as judge:
        await judge.sees("thirty")
        for promise, row in VERDICTS:
            with subtests.test(promise=promise.__name__, row=row):
                await promise(judge, rivals, *row)
                await one_undo_brings_the_conflict_back_into_view(judge, rivals)
                if promise is VERDICTS[0][0]:
                    await one_undo_brings_it_back_when_it_was_done_again_as_well(judge)


async def a_verdict_of_ours_that_is_taken_back_elsewhere_is_shown_again(
    judge: Judge, somebody: Any
) -> None:
    await judge.sees("thirty")
    await judge.press("left", "enter")
    await judge.sees("always")
    await judge.decided()
    await judge.press("n")
    await judge.sees("tabs")
    somebody(lambda core: core.undo())
    await judge.sees("thirty")
    assert judge.open_count == 3


async def a_click_on_undo_brings_it_back_as_well(judge: Judge) -> None:
    await judge.sees("thirty")
    await judge.press("left", "enter")
    await judge.until(lambda: "Undo" in judge.person.screen)
    await judge.person.rest()
    lines = judge.person.screen.splitlines()
    row = next(row for row, line in enumerate(lines) if "Undo" in line)
    await judge.pilot.click(offset=(lines[row].index("Undo") + 1, row))
    await judge.sees("thirty")


async def test_what_leaving_and_taking_back_promise(
    judging: Any, rivals: Any, promises: Any, somebody: Any
):
    async with judging() as judge:
        await promises.hold(
            judge,
            leaving_the_question_decides_nothing,
            leaving_the_form_leaves_both_as_they_are,
        )
        await a_verdict_of_ours_that_is_taken_back_elsewhere_is_shown_again(judge, somebody)
        judge.app.clear_notifications()
        await judge.person.rest()
        await a_click_on_undo_brings_it_back_as_well(judge)


async def test_a_text_changed_elsewhere_meanwhile_is_not_merged_over(
    judging: Any, rivals: Any, somebody: Any
):
    async with judging() as judge:
        await judge.sees("thirty")
        await judge.press("M")
        await judge.until(lambda: judge.person.dialog() == "MergeMemories")
        somebody(
            lambda core: core.edit(rivals["thirty"].id, content="Queue timeout is 45 seconds.")
        )
        await judge.press("f2")
        await judge.until(lambda: "Changed elsewhere meanwhile" in judge.person.screen)
        assert "45 seconds" in judge.person.screen
        assert await verdicts(judge) == []

        await judge.press("f2")
        await judge.decided()
        merged = await memory(judge, rivals["thirty"])
        assert merged.content == "Queue timeout is 45 seconds."


async def test_a_conflict_decided_elsewhere_meanwhile_is_refused_and_the_list_read_again(
    judging: Any, rivals: Any, somebody: Any, monkeypatch: pytest.MonkeyPatch
):
    async with judging() as judge:
        await judge.sees("thirty")
        # nobody has looked yet
        monkeypatch.setattr(MemoryCoordinator, "data_version", lambda _: judge.app.news.version)
        ref = judge.view.current.id
        somebody(lambda core: core.resolve_conflict(ref, "both", context="told elsewhere"))
        await judge.press("left", "enter")
        await judge.sees("always")
        await judge.person.rest()

        assert "decided already: both" in judge.notice()
        assert await verdicts(judge) == [("both", "told elsewhere")]
        assert (await memory(judge, rivals["sixty"])).is_live
        assert judge.open_count == 2


@pytest.fixture
def somebody(home_path: Path, clock: Any) -> Callable[[Callable[[MemoryCoordinator], Any]], None]:
    """Somebody else at the same store: a core of its own in a thread of its own."""
    import threading

    def write(act: Callable[[MemoryCoordinator], Any]) -> None:
        def run() -> None:
            with MemoryCoordinator.open(home_path, "harbour", clock=clock) as core:
                act(core)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()

    return write
