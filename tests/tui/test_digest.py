"""Pages to read, over any view: the digest, and what differs between two times."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .views import VIEWS

Driven = Callable[..., AbstractAsyncContextManager[Any]]

RETRY = "Retry budget is 3 attempts, then the job fails for good and pages somebody."
STAGING = "Staging lives on host db-7 behind the jump host; it is reached through the VPN only."


@pytest.fixture
def lived(core: MemoryCoordinator, clock: Any) -> list[str]:
    """One memory is ten days old; this week it is edited, and another comes and one goes."""
    ids = [core.remember(RETRY).memory_id or "", core.remember("An old note on tides").memory_id]
    clock.forward(days=10)
    core.edit(ids[0], content=RETRY.replace("3 attempts", "5 attempts"))
    core.forget([ids[1]], "not true any more")
    ids.append(core.remember(STAGING).memory_id)
    clock.forward(hours=1)
    return ids


def is_read(person: Any) -> bool:
    """Whether a page stands on top."""
    return type(person.app.screen).__name__ == "Reading"


async def read(person: Any) -> str:
    """The page once it is read."""
    await person.until(lambda: is_read(person))
    await person.until(lambda: person.app.screen.lines.option_count > 0)
    await person.rest()
    return str(person.screen)


async def command(person: Any, words: str) -> None:
    """Type a name into the `:` line."""
    await person.press(":")
    await person.type(words)
    await person.press("enter")


async def test_the_digest_is_a_word_away_in_every_view_and_a_line_opens_its_memory(
    open_app: Driven, lived: list[str], subtests: Any
):
    async with open_app(size=(120, 35), view="audit") as person:
        for view in ("audit", "deck", "health"):
            with subtests.test(view=view):
                await person.burst([VIEWS[view].key])
                await command(person, "digest")
                page = await read(person)
                for words in ("New  1 memory", "Staging lives", "Corrected  1 memory",
                              "5 attempts", "1 forgotten by you: not true any more",
                              "An old note on tides"):  # fmt: skip
                    assert words in page
                await person.burst(["escape"])
                await person.until(lambda: not is_read(person))
                assert person.app.view == view
        await command(person, "digest")
        await read(person)
        await person.burst(["j", "k", "j", "enter"])
        await person.until(lambda: person.app.view == "deck")
        deck = person.app.stage.view("deck")
        await person.until(lambda: deck.memories.current and deck.memories.current.id == lived[0])


async def test_an_empty_week_says_so(open_app: Driven, core: MemoryCoordinator, clock: Any):
    core.remember(RETRY)
    clock.forward(days=30)
    async with open_app(size=(80, 24), view="deck") as person:
        await command(person, "digest")
        assert "Nothing changed" in await read(person)


async def a_difference_is_asked_for_by_its_times(person: Any) -> None:
    await command(person, "difference")
    await person.until(lambda: type(person.app.screen).__name__ == "Ask")
    await person.type("#2, #4")
    await person.press("enter")
    await person.until(lambda: is_read(person))
    await person.pilot.resize_terminal(40, 12)
    await person.rest()
    [title] = [line for line in person.screen.splitlines() if "Difference" in line]
    assert "…" in title  # it goes on
    await person.pilot.resize_terminal(120, 35)
    await person.rest()
    page = await read(person)
    assert "Changed  1 memory" in page
    assert "Retired  1 memory" in page
    assert "Added" not in page


async def a_time_that_was_not_is_refused_on_the_page(person: Any) -> None:
    await command(person, "difference")
    await person.until(lambda: type(person.app.screen).__name__ == "Ask")
    await person.type("#99")
    await person.press("enter")
    await person.until(lambda: is_read(person))
    await person.until(lambda: "There is no entry 99" in person.screen)
    await person.press("escape")
    await person.until(lambda: not is_read(person))


async def test_what_asking_for_a_difference_promises(
    open_app: Driven, lived: list[str], promises: Any
):
    async with open_app(size=(120, 35), view="audit") as person:
        await promises.hold(
            person,
            a_difference_is_asked_for_by_its_times,
            a_time_that_was_not_is_refused_on_the_page,
        )
