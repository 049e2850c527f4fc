"""The Inbox shows each candidate with all there is to judge it by."""

from typing import Any

from memdeck import Capture, MemoryCoordinator

from .story import TEXTS, Triaging


async def the_most_valuable_candidate_comes_first_with_all_there_is_to_judge_it_by(
    person: Any,
) -> None:
    assert person.waiting == list(TEXTS)
    assert "1 of 5" in person.person.screen
    assert TEXTS["tariffs"][0] in person.told
    assert "claude · executor" in person.told
    assert "4f2a9c11-77aa · line 101" in person.told
    assert "analyzer" in person.told
    assert "knowledge-archaeologist" in person.told
    assert "consensus" in person.told
    assert "of 3" in person.told  # points of those that are needed
    assert "novelty" in person.told


async def test_the_end_of_the_quarantine_is_counted_down(
    triage: Triaging, core: MemoryCoordinator, clock: Any
):
    text = "From now on every deploy is announced in the harbour channel an hour before it starts."
    assert core.offer([Capture(text, rule="person.instruction", importance=0.8)])[0].stored
    clock.forward(hours=5)
    async with triage() as person:
        assert "kept for the project on trial, for good in 19 h" in person.told
        assert ", enough" in person.told
        assert "+5 a person said it" in person.told
        clock.forward(hours=18, minutes=15)
        person.view._minute()
        await person.rest()
        assert "on trial, for good in 45 min" in person.told
        clock.forward(hours=1)
        person.view._minute()
        await person.rest()
        assert "on trial" not in person.told
        assert "quarantine" not in person.told


async def test_an_open_conflict_names_what_it_contradicts(
    triage: Triaging, core: MemoryCoordinator, captured: dict[str, str]
):
    core.mark_conflict(captured["known"], captured["tide"], reason="forty, three")
    async with triage() as person:
        await person.press("j", "j")
        await person.rest()
        assert person.here == "tide"
        assert "≠ conflict" in person.told
        assert "contradicts" in person.told
        assert "forty, three" in person.told


WALKS = (
    (("j",), "webhook"), (("]", "]"), "tide"), (("space", "space", "k"), "webhook"),
    (("G",), "small"), (("G", "g"), "tariffs"), (("j", "["), "tariffs"),
    (("k",), "tariffs"), (("G", "j"), "small"),
    (("G", "space"), "tariffs"),  # after the last comes the first again
)  # fmt: skip
"""Keys from the first candidate, and where they lead."""


async def one_goes_from_candidate_to_candidate(person: Any) -> None:
    for keys, name in WALKS:
        await person.press("g", *keys)
        await person.rest()
        assert person.here == name, keys
        assert TEXTS[name][0] in person.told
    assert len(person.waiting) == 5  # nothing was decided


async def the_nearest_known_memory_stands_beside_it_with_the_words_that_differ(
    person: Any,
) -> None:
    await person.press("j")
    await person.rest()
    assert person.here == "webhook"
    near = person.view.beside.near.text.render()
    assert "% alike" in near.plain
    changed = {near.plain[s.start : s.end] for s in near.spans if "error-muted" in str(s.style)}
    assert {"30", "forty"} <= changed


async def test_what_an_agent_recorded_says_who_said_it_and_why_it_was_recorded(
    triage: Triaging, core: MemoryCoordinator
):
    core.session_seen("s1", "claude")
    text = "The tide import needs its zone set to UTC, else it drops the first hour."
    core.learn(text, session="s1", why="three runs had failed")
    async with triage(size=(200, 60)) as person:
        assert "recorded by the agent" in person.told
        assert "agent, unverified" in person.told
        assert "its session was not read yet" in person.told
        assert "why: three runs had failed" in person.told


async def a_candidate_says_how_sure_it_is_and_who_said_it(person: Any) -> None:
    assert "unproven · an agent, unverified" in person.told
    await person.person.burst("jjk")
    await person.until(lambda: person.here == "webhook")
    await person.rest()
    assert "unproven · an agent, unverified" in person.told


async def test_what_a_candidate_promises(triage: Triaging, captured: Any, promises: Any):
    async with triage(size=(200, 60)) as person:
        await promises.hold(
            person,
            the_most_valuable_candidate_comes_first_with_all_there_is_to_judge_it_by,
            a_candidate_says_how_sure_it_is_and_who_said_it,
            the_nearest_known_memory_stands_beside_it_with_the_words_that_differ,
            one_goes_from_candidate_to_candidate,
        )
