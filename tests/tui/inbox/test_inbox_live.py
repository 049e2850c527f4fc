"""An empty Inbox, what others bring, and the ways in and out."""

from datetime import timedelta
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator

from .story import TEXTS, Triaging, put_into


async def test_an_empty_inbox_says_what_it_is_for_and_what_to_do(
    triage: Triaging, turned_away: int
):
    async with triage() as person:
        screen = person.person.screen
        assert "Nothing waits for a verdict in harbour." in screen
        assert "look at 1 capture that was refused" in screen
        assert person.view.why_not("decide('accept')") == "Nothing waits for a verdict."
        await person.press("a", "x", "M", "e", "space", "j")  # dimmed, every one
        await person.rest()
        assert person.person.dialog() == "Screen"
        await person.press("f")
        await person.until(lambda: "Refused capture" in person.person.screen)


async def test_what_hooks_bring_appears_within_a_second_and_moves_nothing(
    triage: Triaging, core: MemoryCoordinator, captured: Any, elsewhere: Any
):
    text = "Every berth has exactly one owner; the allocator refuses a second with a clear error."
    async with triage() as person:
        await person.press("j", "j")
        await person.rest()
        assert "inbox 5" in person.person.screen
        elsewhere(lambda core: core.offer([Capture(text, importance=0.99)]))
        await person.until(lambda: "inbox 6" in person.person.screen)
        await person.until(lambda: len(person.view.waiting.keys) == 6)
        await person.rest()
        assert person.here == "tide"
        assert TEXTS["tide"][0] in person.told


async def test_the_first_candidate_of_an_empty_inbox_appears_and_can_be_decided(
    triage: Triaging, elsewhere: Any
):
    async with triage() as person:
        assert "Nothing waits" in person.person.screen
        elsewhere(lambda core: put_into(core, "berths"))
        await person.until(lambda: TEXTS["berths"][0] in person.told)
        await person.rest()
        await person.press("a")
        await person.said("Accepted")
        assert "Nothing waits" in person.person.screen


async def test_the_count_in_the_header_is_what_waits_not_what_is_put_off(
    open_app: Any, core: MemoryCoordinator, captured: dict[str, str], clock: Any
):
    core.snooze([captured["tide"]], clock() + timedelta(hours=1))
    async with open_app(view="deck") as person:
        await person.until(lambda: "inbox 4" in person.screen)


async def test_it_opens_on_the_candidate_it_is_asked_for(
    triage: Triaging, captured: dict[str, str]
):
    async with triage(select=captured["berths"]) as person:
        await person.until(lambda: person.here == "berths")
        assert TEXTS["berths"][0] in person.told
    async with triage(select=captured["known"]) as person:
        await person.said("That memory waits for no verdict.")


async def test_capital_l_opens_the_nearest_memory_on_the_deck_and_backspace_comes_back(
    triage: Triaging, captured: dict[str, str]
):
    async with triage() as person:
        await person.press("j")
        await person.rest()
        await person.press("L")
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        assert person.person.here.startswith("Webhook timeout is 30 seconds")
        await person.press("backspace")
        await person.until(lambda: person.app.view == "inbox")
        await person.rest()
        assert person.here == "webhook"


@pytest.fixture
def lagoon(open_core: Any) -> None:
    """Another project in the same store, in whose Inbox nothing waits."""
    open_core("lagoon").remember("The lagoon is another project with memories of its own.")


async def test_another_project_has_another_inbox(triage: Triaging, captured: Any, lagoon: None):
    async with triage() as person:
        person.app.open_project("lagoon")
        await person.until(lambda: "Nothing waits" in person.person.screen)
        await person.rest()
