"""Each verdict with its effect in the store, and the next candidate at once."""

import asyncio
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from memdeck import Capture, MemoryCoordinator, StoreBusy

from .story import KNOWN, TEXTS, Triaging, put_into


async def a_accepts_and_the_next_one_follows(person: Any, captured: dict[str, str]) -> None:
    await person.press("a")
    await person.said("Accepted “Never run")
    assert person.here == "webhook"
    memory = await person.memory(captured["tariffs"])
    assert (memory.status, memory.scope) == ("confirmed", "project")
    assert person.waiting == list(TEXTS)[1:]
    assert person.app.counts.inbox == 4


async def the_next_one_does_not_wait_for_the_verdict_to_be_written(
    person: Any, captured: dict[str, str]
) -> None:
    written = threading.Event()
    busy = asyncio.ensure_future(person.app.write.run(lambda _: written.wait(300)))
    await person.press("a", "a")
    await person.until(lambda: person.here == "tide" and TEXTS["tide"][0] in person.told)
    assert (await person.memory(captured["tariffs"])).status == "candidate"
    written.set()
    await busy
    await person.said("Accepted “Webhook")
    assert (await person.memory(captured["tariffs"])).status == "confirmed"
    assert person.waiting == list(TEXTS)[2:]


async def the_newest_verdict_is_the_one_that_is_spoken_of(person: Any) -> None:
    """Also where what the one before it brought is known later."""
    news, first, wrote = person.app.news, asyncio.Event(), person.app.news.wrote

    async def late(ids: Any) -> None:
        news.wrote = wrote
        await first.wait()
        await wrote(ids)

    news.wrote = late
    await person.press("a", "a")
    await person.until(lambda: any("Webhook" in notice for notice in person.person.notices))
    first.set()
    await person.person.rest()
    assert ["Webhook" in notice for notice in person.person.notices] == [True]


async def test_what_could_not_be_written_comes_back_and_says_why(
    triage: Triaging, captured: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: Any, **__: Any) -> None:
        raise StoreBusy("Another process kept the database locked.")

    monkeypatch.setattr(MemoryCoordinator, "accept", refuse)
    async with triage() as person:
        await person.press("a")
        await person.said("kept the database locked")
        await person.until(lambda: person.waiting == list(TEXTS))
        assert not person.view.candidates.deciding


async def p_accepts_and_pins(person: Any, captured: dict[str, str]) -> None:
    await person.press("p")
    await person.said("Accepted and pinned “Never run")
    assert (await person.memory(captured["tariffs"])).status == "pinned"


async def test_x_rejects_and_the_same_text_is_not_captured_again(
    triage: Triaging, captured: dict[str, str], core: MemoryCoordinator
):
    async with triage() as person:
        await person.press("x")
        await person.said("Rejected “Never run")
        assert (await person.memory(captured["tariffs"])).retired_as == "rejected"
    [again] = core.offer([Capture(TEXTS["tariffs"][0], importance=0.9)])
    assert not again.stored


async def e_edits_and_saving_accepts(person: Any, captured: dict[str, str]) -> None:
    await person.press("e")
    await person.until(lambda: person.person.dialog() == "EditMemory")
    assert "Saving accepts it." in person.person.screen
    person.app.screen.query_one("#edit-tags", Input).value = "database, care"
    await person.press("f2")
    await person.said("Accepted “Never run")
    memory = await person.memory(captured["tariffs"])
    assert (memory.status, memory.tags) == ("confirmed", ("database", "care"))
    assert memory.origin.line == 101  # where it was learned survives
    assert person.here == "webhook"
    await person.press("u")
    await person.said("Undid")
    back = await person.memory(captured["tariffs"])
    assert (back.status, back.tags) == ("candidate", ())


async def saving_the_form_unchanged_accepts_as_it_stands_and_escape_leaves_it(
    person: Any, captured: dict[str, str]
) -> None:
    await person.press("e")
    await person.until(lambda: person.person.dialog() == "EditMemory")
    await person.press("escape")
    await person.until(lambda: person.person.dialog() == "Screen")
    assert (await person.memory(captured["tariffs"])).status == "candidate"

    await person.press("e")
    await person.until(lambda: person.person.dialog() == "EditMemory")
    await person.press("f2")
    await person.said("as edited")
    memory = await person.memory(captured["tariffs"])
    assert (memory.status, memory.content) == ("confirmed", TEXTS["tariffs"][0])


async def an_edit_made_elsewhere_meanwhile_stops_the_acceptance_once(
    person: Any, captured: dict[str, str]
) -> None:
    ref = captured["tariffs"]
    await person.press("e")
    await person.until(lambda: person.person.dialog() == "EditMemory")
    person.app.screen.query_one(TextArea).text = "Pause the waitlist worker before 0042."
    await person.store(lambda core: core.edit(ref, tags=["elsewhere"]))
    await person.press("f2")
    await person.until(lambda: "Changed elsewhere meanwhile" in person.person.screen)
    assert (await person.memory(ref)).status == "candidate"
    await person.press("f2")
    await person.said("as edited")
    memory = await person.memory(ref)
    assert (memory.status, memory.tags) == ("confirmed", ("elsewhere",))


async def m_merges_into_the_neighbour_and_u_takes_the_two_apart_again(
    person: Any, captured: dict[str, str]
) -> None:
    await person.press("j", "M")
    await person.until(lambda: person.person.dialog() == "Confirm")
    await person.press("y")
    await person.said("Merged into “Webhook timeout")
    assert (await person.memory(captured["webhook"])).retired_as == "merged"
    known = await person.memory(captured["known"])
    assert (known.content, known.details["evidence_count"]) == (KNOWN, 2)
    assert person.here == "tide"

    await person.press("u")
    await person.said("Undid")
    assert person.here == "webhook"
    assert (await person.memory(captured["webhook"])).status == "candidate"
    assert (await person.memory(captured["known"])).details["evidence_count"] == 1


async def m_asks_where_the_two_are_little_alike_and_shows_both(
    person: Any, captured: dict[str, str]
) -> None:
    await person.press("j", "j")
    assert person.here == "tide"
    await person.person.burst("MM")  # the key that asked never says yes
    await person.until(lambda: person.person.dialog() == "Confirm")
    await person.rest()
    screen = person.person.screen
    assert "Only 6% alike. Merge them?" in screen
    assert "Stays: Webhook timeout is 60 seconds" in screen
    assert "Leaves recall: When the tide API answers 429" in screen
    assert (await person.memory(captured["tide"])).is_live

    await person.person.burst("nM")  # asked again, and left again
    await person.until(lambda: person.person.dialog() == "Confirm")
    await person.press("enter")
    await person.rest()
    assert person.here == "tide"
    assert (await person.memory(captured["tide"])).status == "candidate"
    assert (await person.memory(captured["known"])).details["evidence_count"] == 1


async def test_m_does_not_ask_where_two_texts_say_the_same(
    triage: Triaging, captured: dict[str, str], home_path: Path
):
    (home_path / "config.toml").write_text("[capture]\nsimilarity = 0.7\n", encoding="utf-8")
    async with triage() as person:
        await person.press("j", "M")
        await person.said("Merged into “Webhook timeout")
        assert (await person.memory(captured["webhook"])).retired_as == "merged"


async def what_is_typed_ahead_of_the_question_is_no_verdict(person: Any) -> None:
    await person.press("j")
    await person.person.burst("Mxa")
    await person.until(lambda: person.person.dialog() == "Confirm")
    await person.rest()
    assert person.waiting == list(TEXTS)


async def test_without_a_neighbour_m_is_dimmed_and_says_why(
    triage: Triaging, core: MemoryCoordinator
):
    put_into(core, "berths")
    async with triage() as person:
        assert "Nothing that is known shares words with it" in person.told
        assert person.view.check_action("decide", ("merge",)) is None
        assert person.view.why_not("decide('merge')") == "Nothing that is known is near to it."
        await person.press("M")
        await person.rest()
        assert person.waiting == ["berths"]
        assert person.person.notices == ["Nothing that is known is near to it."]


async def test_s_puts_off_until_exactly_then(
    triage: Triaging, captured: dict[str, str], core: MemoryCoordinator, clock: Any
):
    begins = clock()
    letters = {"tariffs": "h", "webhook": "t", "tide": "w"}
    async with triage() as person:
        for count, (name, letter) in enumerate(letters.items(), 1):
            assert person.here == name
            await person.press("s")
            await person.until(lambda: person.person.dialog() == "Menu")
            await person.press(letter)
            await person.until(lambda count=count: len(person.waiting) == len(TEXTS) - count)
            await person.said("Put off for")
            assert person.waiting == list(TEXTS)[count:]
            assert f"{count} put off" in person.person.screen
    nums = {memory.id: memory.num for memory in core.list()}
    for name, letter in letters.items():
        until = core.candidacy(captured[name])["snoozed_until"]
        away = timedelta(milliseconds=until) - timedelta(seconds=begins.timestamp())
        if letter == "h":
            assert away == timedelta(hours=1)
        else:
            days = {"t": 1, "w": 7}[letter]
            local = (begins + away).astimezone()
            assert (local.hour, local.minute) == (8, 0)
            assert local.date() - begins.astimezone().date() == timedelta(days=days)
        clock.now = begins + away - timedelta(milliseconds=1)
        assert nums[captured[name]] not in core.waiting()
        clock.now = begins + away
        assert nums[captured[name]] in core.waiting()


async def test_what_was_put_off_comes_back_by_itself(
    triage: Triaging, captured: dict[str, str], clock: Any
):
    async with triage() as person:
        await person.press("s")
        await person.until(lambda: person.person.dialog() == "Menu")
        await person.press("enter")  # an hour
        await person.said("Put off for 1h")
        await person.press("j")
        await person.rest()
        assert person.here == "tide"
        clock.forward(hours=1, minutes=1)
        person.view._minute()
        await person.until(lambda: len(person.waiting) == 5)
        await person.rest()
        assert person.here == "tide"  # what one reads stays in hand
        assert person.app.counts.inbox == 5


async def test_d_ends_a_task_and_u_opens_it_again(triage: Triaging, core: MemoryCoordinator):
    text = "The backup of the lagoon has to be moved to the new disk before the winter storms."
    [task] = core.offer([Capture(text, rule="agent.todo", type="prospective", importance=0.9)])
    assert task.memory_id
    put_into(core, "berths", "small")
    async with triage() as person:
        await person.person.burst("gddd")  # the two behind it are no tasks
        await person.until(lambda: not person.view.candidates.deciding)
        await person.rest()
        assert person.waiting == ["berths", "small"]
        ended = await person.memory(task.memory_id)
        assert (ended.details["status"], ended.is_live) == ("completed", False)
        await person.press("u")
        await person.until(lambda: len(person.view.waiting.keys) == 3)
        again = await person.memory(task.memory_id)
        assert (again.status, again.details["status"]) == ("candidate", "pending")
        assert again.is_live


async def d_on_what_is_no_task_is_dimmed_and_says_why(person: Any) -> None:
    assert person.view.check_action("decide", ("done",)) is None
    await person.person.burst("ddd")
    await person.rest()
    assert person.waiting == list(TEXTS)
    assert person.person.notices == ["This is no task that could be done."]


async def d_on_what_is_marked_ends_the_tasks_alone(person: Any) -> None:
    await person.person.burst("Ad")
    await person.until(lambda: not person.view.candidates.deciding)
    await person.rest()
    assert person.waiting == list(TEXTS)
    assert "Not a task that is open." in person.person.notices


async def test_what_a_verdict_promises(triage: Triaging, captured: dict[str, str], promises: Any):
    async with triage() as person:
        await promises.hold(
            person,
            a_accepts_and_the_next_one_follows,
            the_next_one_does_not_wait_for_the_verdict_to_be_written,
            the_newest_verdict_is_the_one_that_is_spoken_of,
            p_accepts_and_pins,
            e_edits_and_saving_accepts,
            saving_the_form_unchanged_accepts_as_it_stands_and_escape_leaves_it,
            an_edit_made_elsewhere_meanwhile_stops_the_acceptance_once,
            m_merges_into_the_neighbour_and_u_takes_the_two_apart_again,
            m_asks_where_the_two_are_little_alike_and_shows_both,
            what_is_typed_ahead_of_the_question_is_no_verdict,
            d_on_what_is_no_task_is_dimmed_and_says_why,
            d_on_what_is_marked_ends_the_tasks_alone,
        )
