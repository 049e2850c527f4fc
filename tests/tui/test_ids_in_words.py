"""No list says an id: a session is its goal, a memory its title. Details say it after the words.

Every view is opened on a store whose sessions have the ids that hosts give them.
"""

import re
from itertools import product
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin

from .views import VIEWS

FIRST, SECOND = "0f3c9a21-7711-4a6e-9d01-5c2e88aa0001", "c7ae4a77-c127-503c-887e-4b157d716799"
SAFE, TIDES = "Make the deploys safe", "Read the tide tables at six"
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}|0f3c9a21|c7ae4a77|\b5[0-9a-z]{15}\b")
PILOTS = "Pilots report by radio when they pass the outer buoy, since the radar is blind there"
RADAR = "The radar sees everything behind the outer buoy, so nobody reports by radio there"
TALK = "The tests ran green just now and I moved on to the next thing."

LISTS = {
    "deck": "memories",
    "inbox": "waiting",
    "conflicts": "list",
    "audit": "timeline",
    "agents": "list",
    "profile": "list",
    "health": "list",
    "sessions": "list",
}


@pytest.fixture
def told(laid_out: Any) -> None:
    """Two sessions: something of them in every view, the journal's own entries about them too."""
    laid_out(_told)


def _told(core: MemoryCoordinator, clock: Any) -> None:
    for session, goal in ((FIRST, SAFE), (SECOND, TIDES)):
        core.session_seen(session, "claude", cwd="/src/harbour")
        core.session_goal(session, goal)
    origin = Origin(session=FIRST, agent="claude", line=3)
    texts = (PILOTS, RADAR, TALK)
    core.offer([Capture(text, rule="agent.finding", origin=origin) for text in texts])
    pair = [one.id for one in core.list() if "radio" in one.content]
    if len(pair) == 2:
        core.mark_conflict(*pair)
    core.remember("Deploys go out on Mondays before noon.", pin=True)
    clock.forward(hours=1)
    core.recall("when do deploys go out?", host="claude", session=FIRST)
    core.recall("", host="claude", session=SECOND, event="SessionStart", source="startup")
    core.checkpoint(FIRST, 12, line=40)
    core.set_incognito(SECOND)
    clock.forward(hours=1)
    core.session_ended(FIRST, "clear")


def lines_of(shown: Any) -> list[str]:
    """What a list says, from its first line on, as far as it is shown."""
    return [
        shown.render_line(y - shown.scroll_offset.y).text for y in range(min(len(shown.keys), 60))
    ]


async def test_no_list_says_an_id(open_app: Any, told: None, subtests: Any):
    async with open_app(size=(60, 20)) as person:
        for size, (view, name) in product(((60, 20), (200, 50)), LISTS.items()):
            with subtests.test(view=view, size=size):
                await person.pilot.resize_terminal(*size)
                await person.burst([VIEWS[view].key])
                await person.rest()
                assert person.app.view == view
                said = lines_of(getattr(person.app.stage.view(view), name))
                assert not [line for line in said if IDS.search(line)]
                if view == "audit":
                    assert any(f"session “{SAFE}" in line for line in said)


async def test_receipts_say_what_their_session_was_asked(open_app: Any, told: None, subtests: Any):
    async with open_app(view="recall") as person:
        await person.burst("I")
        for size in ((120, 35), (200, 50)):
            await person.pilot.resize_terminal(*size)
            await person.rest()
            said = lines_of(person.app.stage.view("recall").receipts.list)
            with subtests.test(size=size):
                assert said
                assert not [line for line in said if IDS.search(line)]
                assert SAFE in person.screen or TIDES in person.screen


async def test_where_details_say_an_id_they_say_the_words_before_it(
    open_app: Any, told: None, subtests: Any
):
    async with open_app(size=(200, 50)) as person:
        for view in ("deck", "inbox", "audit"):
            await person.burst([VIEWS[view].key])
            await person.rest()
            shown = getattr(person.app.stage.view(view), LISTS[view])
            with subtests.test(view=view):
                for _ in range(len(shown.keys)):
                    screen = person.screen
                    if FIRST in screen:
                        assert SAFE in screen[: screen.index(FIRST)]
                    await person.press("j")
                    await person.rest()


async def test_the_switches_name_sessions_by_what_they_were_asked(open_app: Any, told: None):
    async with open_app(view="agents") as person:
        await person.burst([":", *"switch.incognito", "enter"])
        await person.until(lambda: person.dialog() == "Menu")
        assert TIDES in person.screen
        assert not IDS.search(person.screen)
        await person.press("escape")


async def test_the_journal_of_one_session_is_narrowed_and_named_by_words(open_app: Any, told: None):
    async with open_app(view="audit") as person:
        await person.burst([":", *"audit.session", "enter"])
        await person.until(lambda: f"Journal of {SAFE}" in person.screen)
        await person.rest()
        view = person.app.stage.view("audit")
        assert view.box.text == "session:Make-the-deploys-safe"
        assert {one.session for one in view.timeline.entries} == {FIRST}
        assert view.timeline.entries
        await person.burst([":", *"audit.session", "enter"])
        await person.until(lambda: not view.box.text)
        await person.rest()
        assert SECOND in {one.session for one in view.timeline.entries}
        assert f"Journal of {SAFE}" not in person.screen


async def test_the_deck_as_it_was_says_a_session_by_what_it_was_asked(open_app: Any, told: None):
    async with open_app(view="audit", size=(200, 50)) as person:
        await person.burst("P")
        await person.until(lambda: type(person.app.screen).__name__ == "PastScreen")
        past = person.app.screen
        await person.until(lambda: past.glance is not None)
        seen = set()
        for _ in range(len(past.memories.keys)):
            await person.rest()
            screen = person.screen
            for identifier, words in ((FIRST, SAFE), (SECOND, TIDES)):
                if identifier in screen:
                    seen.add(identifier)
                    assert words in screen[: screen.index(identifier)]
            await person.press("j")
        assert FIRST in seen
        await person.press("escape")
