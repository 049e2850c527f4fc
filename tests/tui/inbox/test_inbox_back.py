"""Verdicts are taken back, given to many at once, and what was refused is rescued."""

import asyncio
import threading
from typing import Any

from .story import TEXTS, Triaging


async def u_takes_a_verdict_back_and_brings_the_candidate_into_view(
    person: Any, captured: dict[str, str]
) -> None:
    for key in "apx":
        await person.press("g", "j", key)
        await person.until(lambda: person.here == "tide")
        await person.rest()
        await person.press("j", "j")
        await person.rest()
        assert person.here == "small"
        await person.press("u")
        await person.said("Undid")
        assert person.here == "webhook"
        assert TEXTS["webhook"][0] in person.told
        memory = await person.memory(captured["webhook"])
        assert (memory.status, memory.is_live) == ("candidate", True)
        assert person.waiting == list(TEXTS)


async def verdicts_given_without_a_pause_all_count_and_all_come_back(
    person: Any, captured: dict[str, str]
) -> None:
    await person.press("a", "x", "p", "a", "a")
    await person.until(lambda: not person.view.candidates.deciding)
    await person.rest()
    assert person.waiting == []
    found = [await person.memory(captured[name]) for name in TEXTS]
    assert [memory.retired_as or memory.status for memory in found] == [
        "confirmed", "rejected", "pinned", "confirmed", "confirmed",
    ]  # fmt: skip
    await person.press(*"uuuuu")
    await person.until(lambda: len(person.waiting) == 5)
    await person.rest()
    assert person.waiting == list(TEXTS)


async def a_verdict_and_its_undo_right_behind_it_leave_everything_as_it_was(
    person: Any, captured: dict[str, str]
) -> None:
    await person.press("x", "u")
    await person.said("Undid")
    await person.until(lambda: person.waiting == list(TEXTS))
    assert person.here == "tariffs"
    assert (await person.memory(captured["tariffs"])).is_live


async def only_the_newest_verdict_has_a_notice(person: Any) -> None:
    await person.press("a", "a", "a")
    await person.said("Accepted “When the tide")
    verdicts = [notice for notice in person.person.notices if "Accepted" in notice]
    assert len(verdicts) == 1
    assert "Undo (u)" in verdicts[0]


async def what_somebody_else_decided_is_not_decided_again(
    person: Any, captured: dict[str, str]
) -> None:
    ref, pressed = captured["tariffs"], threading.Event()
    look = asyncio.ensure_future(person.app.pages.run(lambda _: pressed.wait(300)))
    await person.app.write.run(lambda core: core.reject([ref]))
    await person.person.burst("a")
    pressed.set()  # until then the app can see nothing of what others wrote
    await look
    await person.said("Decided already")
    assert (await person.memory(ref)).retired_as == "rejected"
    assert person.waiting == list(TEXTS)[1:]


# -- many at once


async def a_range_is_decided_in_one_entry(person: Any) -> None:
    await person.press("j", "v", "j", "j")
    await person.until(lambda: "3 marked" in person.person.screen)
    await person.rest()
    await person.press("x", "enter")
    await person.said("Rejected 3 memories")
    assert person.waiting == ["tariffs", "small"]
    assert not person.view.waiting.marks.keys
    await person.press("u")
    await person.said("Undid")
    assert person.waiting == list(TEXTS)


async def all_are_marked_inverted_and_unmarked(person: Any) -> None:
    await person.press("A")
    await person.until(lambda: "5 marked" in person.person.screen)
    await person.rest()
    await person.press("*")
    await person.until(lambda: "marked" not in person.person.screen)
    await person.rest()
    await person.press("A", "escape")
    await person.rest()
    assert not person.view.waiting.marks.keys
    assert person.app.view == "inbox"
    await person.press("A", "a", "enter")
    await person.said("Accepted 5 memories")
    assert "Nothing waits for a verdict" in person.person.screen


async def test_what_taking_back_promises(triage: Triaging, captured: dict[str, str], promises: Any):
    async with triage() as person:
        await promises.hold(
            person,
            u_takes_a_verdict_back_and_brings_the_candidate_into_view,
            verdicts_given_without_a_pause_all_count_and_all_come_back,
            a_verdict_and_its_undo_right_behind_it_leave_everything_as_it_was,
            only_the_newest_verdict_has_a_notice,
            what_somebody_else_decided_is_not_decided_again,
            a_range_is_decided_in_one_entry,
            all_are_marked_inverted_and_unmarked,
        )


# -- what was refused


async def f_shows_what_was_refused_r_rescues_it_and_u_takes_that_back(person: Any) -> None:
    await person.press("f")
    await person.until(lambda: "Refused capture" in person.person.screen)
    await person.rest()
    assert "Importance 2, and 4 is needed" in person.told
    assert "analyzer" in person.told
    footer = person.person.screen.splitlines()[-1]
    assert "r Rescue" in footer
    assert "a Accept" not in footer

    await person.press("r")
    await person.said("Brought back “Running the tests")
    kept = await person.store(lambda core: core.list('"one moment please"'))
    assert [memory.status for memory in kept] == ["confirmed"]
    assert "Nothing was refused" in person.person.screen

    await person.press("u")
    await person.said("Undid")
    assert await person.store(lambda core: core.list('"one moment please"')) == []
    assert "Refused capture" in person.person.screen

    await person.press("f")
    await person.until(lambda: TEXTS["tariffs"][0] in person.told)
    await person.rest()
    assert person.waiting == list(TEXTS)


async def letters_of_the_inbox_do_nothing_among_the_refused(person: Any) -> None:
    await person.press("f")
    await person.rest()
    await person.press(*"apxMesvAL")
    await person.rest()
    assert person.person.dialog() == "Screen"
    assert await person.store(lambda core: core.waiting_count()) == 5
    await person.press("escape")
    await person.until(lambda: person.here == "tariffs" and not person.view.is_refused)
    await person.rest()
    await person.press("r")
    await person.rest()
    assert len(await person.store(lambda core: core.refused_captures())) == 1


async def test_what_the_refused_promise(
    triage: Triaging, captured: Any, turned_away: int, promises: Any
):
    async with triage() as person:
        await promises.hold(
            person,
            f_shows_what_was_refused_r_rescues_it_and_u_takes_that_back,
            letters_of_the_inbox_do_nothing_among_the_refused,
        )
