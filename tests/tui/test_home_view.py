"""Home: what waits, what was learned, each one key away."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from memdeck import Capture, Origin

from .agents_bench import Machine, a_busy_machine

SIZES = [(60, 20), (120, 35), (200, 50)]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def story(core, clock, harbour):
    """Three sessions over a fortnight: one found something, one was told, one contradicts."""
    core.session_seen("s1", "claude", "/harbour")
    found = Capture(
        content="The crane at the ferry pier lifts forty tonnes, its brake is tested on Mondays",
        rule="agent.finding",
        origin=Origin("s1", "claude"),
    )
    core.offer([found])
    clock.forward(days=10)
    core.recall("when do deploys go out?", host="claude", session="s2")
    clock.forward(days=1)
    core.remember("The tide service answers in local time, its field is called utc_at all the same")


def lines(person):
    view = person.app.stage.view("home")
    return {one.what: one.count for one in view.found}


async def test_home_is_what_one_sees_first_when_there_are_memories(
    open_app, story, machine, tmp_path
):
    (tmp_path / "home" / "app.json").write_text("{}")
    async with open_app(agents=machine) as person:
        assert person.app.view == "home"


async def test_an_empty_store_begins_on_the_deck(open_app, tmp_path, home_path):
    home_path.mkdir(exist_ok=True)
    (home_path / "app.json").write_text("{}")
    async with open_app() as person:
        assert person.app.view == "deck"


async def test_it_counts_what_waits_and_names_what_was_learned_and_used(open_app, story, machine):
    async with open_app(view="home", agents=machine) as person:
        await person.until(lambda: person.app.stage.view("home").found)
        told = lines(person)
        assert told["candidate waits for your verdict"] == 1
        assert told["learned this week"] == 1
        assert told["memories in all"] == 7
        await person.until(lambda: "The tide service answers" in person.screen)
        assert "told 1×" in person.screen
        assert "Claude Code" in person.screen
        # what the line under the cursor counts is named beneath it
        await person.until(lambda: "The crane at the ferry pier" in person.screen)
        assert "─ Candidate waits for your verdict ─" in person.screen
        # and a click on it goes to where it is settled
        await person.rest()
        lines_of = person.screen.splitlines()
        [row] = [n for n, line in enumerate(lines_of) if "The crane at the ferry" in line]
        await person.pilot.click(offset=(lines_of[row].index("The crane") + 2, row))
        await person.until(lambda: person.app.view == "inbox")
        await person.press("backspace")
        await person.until(lambda: person.app.view == "home")
        await person.press("G")
        await person.until(lambda: "─ Memories in all ─" in person.screen)
        await person.until(lambda: "Deploys" in person.screen)


async def test_it_counts_what_contradicts_what_ends_and_what_a_start_took(
    open_app, core, clock, story, harbour, machine
):
    core.mark_conflict(harbour["retry"].id, harbour["queue"].id)
    core.pin(harbour["tide"].id)
    core.remember("The north crane is booked until Friday.", expires=clock.now + timedelta(days=3))
    core.recall("", event="SessionStart", host="claude", session="s3")
    async with open_app(view="home", agents=machine, size=(160, 50)) as person:
        await person.until(lambda: person.app.stage.view("home").found)
        await person.rest()
        told = lines(person)
        assert told["conflict to decide: both sides are told"] == 1
        assert told["ends within a week"] == 1
        assert told["pinned: told at each start"] == 1
        assert any("told to no agent so far" in what for what in told)
        await person.until(lambda: "last start" in person.screen)


PLACES = (
    ("enter", "inbox", None),
    ("G enter", "deck", ""),
    ("slash l e a r n e d enter enter", "deck", "created:<7d"),
    ("slash n o space a g e n t enter enter", "deck", "is:untold"),
)


async def test_each_line_is_one_key_from_where_it_is_settled_and_back_again(
    open_app, story, machine, subtests
):
    async with open_app(view="home", agents=machine) as person:
        await person.until(lambda: person.app.stage.view("home").found)
        for keys, view, query in PLACES:
            with subtests.test(keys=keys):
                await person.burst(keys.split())
                await person.until(lambda view=view: person.app.view == view)
                if query is not None:
                    await person.until(lambda q=query: person.deck.place().query == q)
                await person.press("backspace")
                await person.until(lambda: person.app.view == "home")
                await person.rest()
                await person.burst(["escape", "escape", "g"])
                await person.rest()


async def test_what_waits_stands_there_before_a_large_store_is_counted(
    open_app, story, machine, slow_reads
):
    async with open_app(agents=machine) as person:
        goes_on = slow_reads("slow")
        await person.press("0")
        await person.until(lambda: "candidate waits for your verdict" in person.screen)
        await person.until(lambda: "The tide service answers" in person.screen)
        told = lines(person)
        assert told["candidate waits for your verdict"] == 1
        assert told["memories in all"] is None
        await person.press("j", "j")
        on = person.app.stage.view("home")
        under = on.found[on.list.cursor].what
        assert "nothing waits for you" not in person.screen
        goes_on.set()
        await person.until(lambda: lines(person)["memories in all"] == 7)
        assert on.found[on.list.cursor].what == under


async def test_what_is_settled_is_gone_when_one_comes_back(open_app, story, machine):
    async with open_app(view="home", agents=machine) as person:
        await person.until(lambda: person.app.stage.view("home").found)
        await person.press("2")
        await person.until(lambda: person.app.view == "inbox")
        await person.rest()
        await person.press("a")
        await person.rest()
        await person.press("0")
        await person.until(lambda: "candidate waits for your verdict" not in lines(person))


async def test_it_fits_every_size(open_app, story, machine, subtests):
    async with open_app(size=SIZES[0], view="home", agents=machine) as person:
        await person.until(lambda: "waits for your verdict" in person.screen)
        for size in SIZES:
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                assert "waits for your verdict" in person.screen
                assert all(len(line) <= size[0] for line in person.screen.splitlines())


async def test_a_count_is_told_whole_or_in_millions(
    open_app, core, story, machine, monkeypatch, subtests
):
    vitals = core.services.vitals
    seen = vitals.counted(vitals.at_once())
    monkeypatch.setattr(type(vitals), "counted", lambda _self, _seen: seen)
    async with open_app(view="home", agents=machine) as person:
        for count, shown in ((999_999, "999,999 "), (1_234_567, "1.23 M ")):
            with subtests.test(count=count):
                seen = replace(seen, memories=count)
                await person.press("1")
                await person.rest()  # Home is out of sight: only then does it look again
                await person.press("0")
                said = f"{shown} memories in all"
                await person.until(lambda said=said: said in person.screen)


async def test_what_may_hold_for_every_project_is_opened_as_counted(open_app, core, machine):
    core.remember("Rotate the staging key of the payment partner.", type="prospective")
    core.remember("Paint the staging crane before the winter.", type="prospective")
    for _ in range(3):
        core.recall("rotate the staging key of the payment partner")
    async with open_app(view="home", agents=machine) as person:
        await person.until(lambda: person.app.stage.view("home").found)
        count = lines(person)["memory may hold for every project"]
        [wanted] = core.wanted_everywhere()
        await person.press("/")
        await person.type("every project")
        await person.rest()
        await person.press("enter", "enter")
        await person.until(lambda: person.app.view == "deck")
        await person.until(lambda: person.deck.box.text == "is:offered")
        await person.rest()
        assert person.titles == [wanted.title]
        assert count == 1


@pytest.fixture
def doubtful(open_core, clock, tmp_path):
    """A project's folder, with a memory of a file that has gone since."""
    folder = tmp_path / "harbour"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "tides.py").touch()
    core = open_core(str(folder))
    core.remember("The tide table of the harbour app is read by src/tides.py before any berth.")
    core.remember("The quay is swept before the morning tide, never after it.")
    core.maintenance.run()
    (folder / "src" / "tides.py").unlink()
    clock.forward(days=1)
    core.maintenance.run()
    return str(folder)


async def test_it_counts_what_is_to_verify_and_leads_there(open_app, doubtful, machine):
    async with open_app(view="home", project=doubtful, agents=machine) as person:
        await person.until(lambda: person.app.stage.view("home").found)
        what = "to verify: the project speaks against it"
        await person.until(lambda: lines(person).get(what) == 1)
        await person.burst(["/", *"verify", "enter", "enter"])
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        assert person.deck.place().query == "is:verify"
        assert len(person.titles) == 1


async def test_what_is_to_verify_has_its_sign_in_the_list_until_somebody_stands_for_it(
    open_app, doubtful
):
    async with open_app(view="deck", project=doubtful) as person:
        await person.until(lambda: len(person.titles) == 2)
        [marked] = [line for line in person.screen.splitlines() if "○" in line and "▌" not in line]
        assert "tide table" in marked
        await person.store(
            lambda core: core.services.staleness.confirm(core.list("is:verify")[0].id)
        )
        await person.until(lambda: "○" not in person.screen)


async def test_the_lines_are_whole_in_a_small_terminal(open_app, core, harbour, story, machine):
    core.mark_conflict(harbour["retry"].id, harbour["queue"].id)
    async with open_app(view="home", agents=machine, size=(60, 20)) as person:
        await person.until(lambda: person.app.stage.view("home").to_tidy is not None)
        await person.rest()
        assert re.search(r"conflict to decide: both sides are told +3 │", person.screen)
        assert re.search(r"to tidy: contradicted +T │", person.screen)  # what there is, not may be
        assert "…" not in person.screen
