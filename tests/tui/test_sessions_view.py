"""Sessions: what each was asked, told, learned, spent and left open. Keys in bursts."""

from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin

from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]

FIRST, FORK = "0f3c9a21-7711-4a6e-9d01-5c2e88aa0001", "0f3c9a21-7711-4a6e-9d01-5c2e88aa0002"
SILENT, OTHER = "b9eabb48-c386-5fac-bddb-30ffaa218361", "ses_b13ce57235d1584fbc67ba38"
SAFE, TIDES = "Make the deploys safe before the regatta", "Read the tide tables at six"
DEPLOYS = "Deploys go out on Mondays before noon, never on a Friday."
PILOTS = "Pilots report by radio when they pass the outer buoy, since the radar is blind there"
RADAR = "The radar sees everything behind the outer buoy, so nobody reports by radio there"
TODO = "The staging certificate has to be renewed before the regatta."


def _learn(core: MemoryCoordinator, session: str, text: str, line: int, **more: Any) -> str:
    place = Origin(session=session, agent="claude", transcript=more.pop("transcript", None),
                   line=line)  # fmt: skip
    [result] = core.offer([Capture(text, rule="agent.finding", origin=place, **more)])
    assert result.memory_id, result.reason
    return result.memory_id


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_text("{}\n" * 20)
    return path


@pytest.fixture
def days(core: MemoryCoordinator, clock: Any, transcript: Path) -> dict[str, str]:
    """Four sessions of three hosts in three days, one a fork; ids of memories by a short name."""
    ids = {"deploys": core.remember(DEPLOYS, pin=True).memory_id or ""}
    core.session_seen(FIRST, "claude", cwd="/src/harbour")
    core.session_goal(FIRST, SAFE)
    where = {"transcript": str(transcript)}
    ids["pilots"] = _learn(core, FIRST, PILOTS, 7, **where)
    ids["todo"] = _learn(core, FIRST, TODO, 12, type="prospective", **where)
    clock.forward(minutes=40)
    core.session_ended(FIRST, "clear")
    clock.forward(days=1)
    core.session_seen(FORK, "claude")
    core.fork_session(FIRST, as_id=FORK)
    core.recall("when do deploys go out?", host="claude", session=FORK)
    ids["radar"] = core.remember(RADAR).memory_id or ""
    core.mark_conflict(ids["pilots"], ids["radar"])
    clock.forward(days=1)
    core.session_seen(SILENT, "codex")
    clock.forward(hours=1)
    core.session_seen(OTHER, "opencode")
    core.session_goal(OTHER, TIDES)
    return ids


def view_of(person: Any) -> Any:
    return person.app.stage.view("sessions")


def here(person: Any) -> str:
    """The id of the session under the cursor."""
    course = view_of(person).current
    return course.session.id if course else ""


async def at_rest(person: Any, view: str = "sessions") -> None:
    await person.until(lambda: person.app.stage.current == view)
    await person.rest()


async def test_the_sessions_look_as_they_did(
    open_app: Any, days: Any, transcript: Path, utc: None, subtests: Any
):
    async with open_app(size=SIZES[0], view="sessions", theme="memdeck-dark") as person:
        await person.until(lambda: person.app.counts.memories is not None)
        await person.burst("jj")
        await looks_as_it_did_at(person, "sessions", SIZES, subtests)
        # it stands at the end, where its length moves nothing in these
        assert transcript.name not in person.screen


async def test_an_empty_store_says_what_the_place_is_for_and_the_key_that_fills_it(
    open_app: Any, core: MemoryCoordinator
):
    async with open_app(size=(60, 20)) as person:
        await person.burst("9")
        await at_rest(person)
        assert "No session was seen yet" in person.screen
        await person.burst("6")
        await at_rest(person, "agents")


async def the_newest_stands_first_and_the_cursor_stands_on_sessions_only(person: Any) -> None:
    seen = [here(person)]
    for _ in range(5):
        await person.press("j")
        seen.append(here(person))
    assert list(dict.fromkeys(seen)) == [OTHER, SILENT, FORK, FIRST]
    await person.burst("g")
    await person.rest()
    assert here(person) == OTHER
    # what nobody said a goal for has words all the same
    assert "no prompt was kept" in person.screen
    await person.press("j")
    await person.rest()
    assert "codex, 22 Mar 2026" in person.screen


async def test_one_session_tells_what_it_was_asked_told_learned_and_left_open(
    open_app: Any, days: Any
):
    async with open_app(view="sessions", size=(120, 50)) as person:
        await person.burst("G")
        await person.rest()
        for words in (
            *(SAFE[:30], "learned  2 memories", "Pilots report by radio", "left open"),
            *("The staging certificate", "against The radar sees", "goes on in"),
        ):
            assert words in person.screen, words
        await person.burst("k")
        await person.rest()
        for words in ("when do deploys go out?", "forked from", "tokens, 1 memory"):
            assert words in person.screen, words


async def enter_goes_to_its_memories_by_words_and_backspace_comes_back(person: Any) -> None:
    await person.burst(["G", "enter"])
    await at_rest(person, "deck")
    assert {TODO[:20], PILOTS[:20]} == {title[:20] for title in person.titles}
    await person.burst(["backspace"])
    await at_rest(person)
    assert here(person) == FIRST


async def test_a_goal_of_ones_own_names_the_session_in_queries_else_its_id_does(
    core: MemoryCoordinator, days: Any
):
    word = core.services.chronicle.word_for
    assert word(OTHER) == "Read-the-tide-tables-at-six"
    assert word(FIRST) == FIRST  # its fork has the same goal, and an id that begins alike
    _learn(core, OTHER, "Berth 12 floods at spring tide, so boats are moved to pier C", 3)
    found = core.list("session:read-the-tide")
    assert [one.origin.session for one in found] == [OTHER]
    assert core.list("session:read") == []  # one word may be the beginning of an id
    assert core.session_named("Read-the-tide").id == OTHER


async def test_its_receipts_its_history_and_its_fork_are_a_key_away(open_app: Any, days: Any):
    async with open_app(view="sessions") as person:
        await person.burst(["j", "j", "I"])
        await at_rest(person, "recall")
        assert f"Receipts of {SAFE[:20]}" in person.screen
        assert "when do deploys go out?" in person.screen
        receipts = person.app.stage.view("recall").receipts
        assert [one.session for one in receipts.listing.receipts] == [FORK]
        await person.burst(["backspace"])
        await at_rest(person)
        assert here(person) == FORK

        await person.burst("L")  # its parent is the only one it can go to
        await person.until(lambda: here(person) == FIRST)
        await person.rest()
        await person.burst("H")
        await at_rest(person, "audit")
        shown = person.app.stage.view("audit").timeline.entries
        assert {one.session for one in shown} == {FIRST}
        await person.burst(["backspace"])
        await at_rest(person)
        assert here(person) == FIRST


async def what_cannot_be_done_is_said(person: Any) -> None:
    await person.burst("I")
    await person.rest()
    assert person.app.view == "sessions"
    assert any("It was told nothing" in notice for notice in person.notices)
    await person.burst("b")
    await person.rest()
    assert any("where its transcript stands" in notice for notice in person.notices)


async def test_b_opens_the_transcript_where_the_last_of_it_was_learned(
    open_app: Any, days: Any, transcript: Path, monkeypatch: pytest.MonkeyPatch
):
    async with open_app(view="sessions") as person:
        await person.burst("G")
        await person.rest()
        opened = view_of(person).shown
        assert (opened.session.transcript, opened.session.line) == (str(transcript), 12)
        await person.burst("b")  # no editor can be had in a test: the place is said
        await person.rest()
        assert any("No editor could be opened" in notice for notice in person.notices)
        transcript.unlink()
        await person.burst(["k", "j"])
        await person.rest()
        await person.burst("b")
        await person.rest()
        assert any("not there any more" in notice for notice in person.notices)


async def m_puts_them_under_days_agents_and_lines_of_forks(person: Any) -> None:
    await person.burst("md")
    await person.rest()
    assert "by day" in person.screen
    assert "Yesterday" in person.screen
    await person.burst("ma")
    await person.rest()
    assert "codex  1 session" in " ".join(person.screen.split("\n")) or "codex 1" in person.screen
    await person.burst("ml")
    await person.rest()
    assert "Without forks" in person.screen
    assert here(person) == OTHER  # the cursor stays on its session
    await person.burst(["escape"])
    await person.rest()
    assert "by line" not in person.screen
    assert person.app.view == "sessions"


async def the_filter_finds_what_was_asked_and_learned(person: Any) -> None:
    await person.burst(["/", *"tide tables", "enter"])
    await person.rest()
    assert here(person) == OTHER
    assert "1 of 4" in person.screen
    await person.burst(["escape"])
    await person.rest()
    assert len(view_of(person).list.keys) == 4


async def test_what_an_agent_does_meanwhile_comes_in_and_the_cursor_stays(
    open_app: Any, days: Any, open_core: Any
):
    async with open_app(view="sessions") as person:
        await person.burst("G")
        await person.rest()

        def begin(core: MemoryCoordinator) -> None:
            core.session_seen("s-new", "gemini")
            core.session_goal("s-new", "Paint the lighthouse")

        await person.store(begin)
        await person.until(lambda: "Paint the lighthouse" in person.screen)
        await person.rest()
        assert here(person) == FIRST


async def test_from_the_deck_one_comes_to_a_memorys_session_and_back(open_app: Any, days: Any):
    async with open_app() as person:
        await person.burst(["/", *"pilots report", "enter", ":", *"memory.session", "enter"])
        await at_rest(person)
        assert here(person) == FIRST
        await person.burst(["backspace"])
        await at_rest(person, "deck")
        await person.burst(["/", *["backspace"] * 20, *"is:pinned", "enter"])
        await person.rest()
        await person.burst([":", *"memory.session", "enter"])
        await person.until(lambda: any("No session" in notice for notice in person.notices))
        assert person.app.view == "deck"


async def test_from_a_memory_one_comes_to_its_session(open_app: Any, days: Any):
    async with open_app(view="sessions", select=days["todo"]) as person:
        assert here(person) == FIRST
    async with open_app(view="sessions", select=SILENT[:6]) as person:
        assert here(person) == SILENT


async def incognito_is_turned_from_the_command_line_of_the_app_and_undone(person: Any) -> None:
    await person.burst(["G", ":", *"session.incognito", "enter"])
    await person.until(lambda: any("Incognito" in notice for notice in person.notices))
    await person.rest()
    assert (await person.store(lambda core: core.session_named(FIRST))).is_incognito
    assert "incognito" in person.screen
    await person.burst("u")
    await person.until(lambda: any("Undid" in notice for notice in person.notices))
    await person.rest()
    assert not (await person.store(lambda core: core.session_named(FIRST))).is_incognito


async def test_what_the_list_of_sessions_promises(open_app: Any, days: Any, promises: Any):
    async with open_app(view="sessions") as person:
        await promises.hold(
            person,
            the_newest_stands_first_and_the_cursor_stands_on_sessions_only,
            enter_goes_to_its_memories_by_words_and_backspace_comes_back,
            what_cannot_be_done_is_said,
            m_puts_them_under_days_agents_and_lines_of_forks,
            the_filter_finds_what_was_asked_and_learned,
            incognito_is_turned_from_the_command_line_of_the_app_and_undone,
        )


async def test_hostile_goals_are_shown_as_text(open_app: Any, core: MemoryCoordinator):
    core.session_seen("s-1", "claude")
    core.session_goal("s-1", "[red]Clear[/red] \x1b[2J the ‮ screen [@click=app.quit]x[/]")
    async with open_app(view="sessions") as person:
        assert "[red]Clear[/red]" in person.screen
        assert "\x1b" not in person.screen
        assert "‮" not in person.screen
        await person.burst(["m", "escape", "y", "escape", "enter"])
        await person.rest()
