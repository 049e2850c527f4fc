"""Review: one story of the screen on a real store, with keys typed in bursts."""

import pytest

from memdeck import Capture, Origin

ALWAYS = "Always moor the pilot boat at the inner quay when the wind is from the north"
NEVER = "Never moor the pilot boat at the inner quay when the wind is from the north"
TEXTS = {
    "tide": "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C",
    "locks": "The reservation table is locked per berth because two skippers once got the same one",
    "pilots": "Pilots report by radio when they pass the outer buoy, as the radar is blind there",
}
JUNK = {
    "crane": "The crane at the ferry pier lifts forty tonnes, and its brake is tested every Monday",
    "lamp": "The lamp at the head of pier B was painted red again before the winter came",
}


def offer(core, text, **fields):
    origin = Origin(session="s1", agent="claude")
    given = {"rule": "person.instruction", "importance": 0.8, **fields}
    [result] = core.offer([Capture(content=text, origin=origin, **given)])
    assert result.stored, result.reason
    return str(result.memory_id)


def queued(core, clock):
    """Three candidates, two of likely junk, and a conflict."""
    ids = {}
    for name, text in TEXTS.items():
        clock.forward(minutes=1)
        ids[name] = offer(core, text, importance=0.9 - 0.1 * len(ids))
    for name, text in JUNK.items():
        ids[name] = offer(core, text, rule="agent.finding", importance=0.3)
    for name, text in (("always", ALWAYS), ("never", NEVER)):
        clock.forward(minutes=1)
        ids[name] = core.remember(text).memory_id
    return ids


@pytest.fixture
def queue(core, clock):
    return queued(core, clock)


def state(core, ref):
    memory = core.show(ref)
    return memory.retired_as or memory.status


async def at_review(person):
    await person.settle("2")
    return person.app.stage.view("review")


async def test_a_burst_of_verdicts_is_carried_out_and_undone_one_by_one(open_app, core, queue):
    async with open_app() as person:
        view = await at_review(person)
        assert [one.kind for one in view.entries] == ["conflict", *["candidate"] * 5]
        await person.until_shown("New 3", "Conflicts 1", "Likely junk 2 · X rejects all")
        await person.settle_burst("jaxa")
        states = await person.store(lambda core: [state(core, queue[n]) for n in TEXTS])
        assert states == ["confirmed", "rejected", "confirmed"]
        assert len(view.entries) == 3
        for count in (4, 5, 6):
            await person.settle("u")
            assert len(view.entries) == count
        assert view.entry.ids == (queue["tide"],)
        await person.until_shown("Review 6", "If you do nothing:", "You said it.")
        await person.settle("enter")
        assert await person.store(lambda core: state(core, queue["tide"])) == "confirmed"


async def test_the_lit_side_of_a_pair_stays(open_app, core, queue):
    async with open_app() as person:
        view = await at_review(person)
        sides = [side.id for side in view.card.memories]
        assert view.card.memories[view.lit].id == queue["never"]
        await person.until_shown("stays", "goes", "together, marked as conflicting")
        await person.press("x")  # of two, x takes nothing away
        await person.rest()
        assert len(view.entries) == 6
        await person.settle_burst(["left", "enter"])
        assert await person.store(lambda core: state(core, queue["never"])) == "superseded"
        await person.settle("u")
        assert view.card.is_pair
        await person.settle("a")
        assert len(view.entries) == 5
        await person.settle("u")
        await person.press("X", until="Retire both")
        await person.settle("escape")
        assert len(view.entries) == 6
        await person.settle_burst(["X", "enter"])
        states = await person.store(lambda core: [state(core, ref) for ref in sides])
        assert states == ["rejected", "rejected"]


async def test_keys_typed_ahead_of_the_card_are_about_that_card(open_app, core, queue):
    async with open_app() as person:
        view = await at_review(person)
        await person.settle_burst(["j", "k", "left", "enter"])
        assert await person.store(lambda core: state(core, queue["never"])) == "superseded"
        await person.settle("u")
        await person.burst(["j", "k", "enter"])  # the proposal keeps the newer side
        await person.rest()
        assert await person.store(lambda core: state(core, queue["always"])) == "superseded"
        await person.settle("u")
        await person.press("M", until=lambda: person.dialog() == "EditMemory")
        await person.settle("ctrl+s")
        assert await person.store(lambda core: state(core, queue["always"])) == "merged"
        assert len(view.entries) == 5


async def test_likely_junk_is_rejected_by_one_key_that_says_so_and_so_is_what_is_marked(
    open_app, core, queue
):
    async with open_app() as person:
        view = await at_review(person)
        await person.burst("GX", until="Reject 2 items of likely junk")
        await person.settle("enter")
        states = await person.store(lambda core: [state(core, queue[n]) for n in JUNK])
        assert states == ["rejected", "rejected"]
        await person.settle("u")
        assert len(view.entries) == 6

        await person.burst("gj   ")  # those that are marked are decided together
        await person.until_shown("3 marked")
        await person.press("a", until="Accept 3")
        await person.settle("enter")
        assert [one.kind for one in view.entries] == ["conflict", "candidate", "candidate"]
        await person.settle("u")
        assert len(view.entries) == 6


async def test_edit_split_snooze_numbers_and_filter(open_app, core, queue):
    async with open_app() as person:
        view = await at_review(person)
        await person.press("j", "w")
        await person.until_shown("Promotion", "importance")
        await person.settle("w")
        await person.burst(["y", "t"], until=lambda: "clipboard" in " ".join(person.notices))
        await person.settle_burst(["s", "t"])
        assert len(view.entries) == 5
        await person.settle("u")
        await person.press("e", until=lambda: person.dialog() == "EditMemory")
        form = person.app.screen.query_one("#edit-content")
        form.text = "Berth 12 floods at spring tide.\n\nBoats move to pier C."
        await person.settle("ctrl+s")
        assert await person.store(lambda core: state(core, queue["tide"])) == "confirmed"
        assert await person.store(lambda core: core.count("Boats move pier")) >= 1
        await person.burst("/radio")
        await person.settle("enter")
        assert [one.ids for one in view.entries] == [(queue["pilots"],)]
        for words in ("is:conflict", "conflicts"):  # the group, as its heading or a query names it
            await person.burst(f"/{words}")
            await person.settle("enter")
            assert [one.kind for one in view.entries] == ["conflict"]
        await person.settle("escape")
        assert len(view.entries) == 5


async def test_a_filtered_capture_is_rescued(open_app, core):
    origin = Origin(session="s1", agent="claude")
    said = "The tests ran green just now and I moved on to the next thing."
    core.offer([Capture(said, rule="agent.finding", importance=0.2, origin=origin)])
    async with open_app() as person:
        view = await at_review(person)
        await person.until_shown("Nothing needs your word")
        await person.settle("f")
        await person.until_shown("Filtered 1", "it stays out of memory")
        await person.settle("enter")
        assert await person.store(lambda core: core.count("tests green")) == 1
        await person.settle("escape")
        assert not view.is_filtered


async def test_what_hooks_bring_arrives_and_leaves_the_cursor_where_it_is(
    open_app, core, queue, open_core, clock
):
    async with open_app() as person:
        view = await at_review(person)
        await person.settle("j")
        here = view.entry.key
        clock.forward(minutes=1)
        text = "The harbour office closes at noon on the last Friday of each month"
        await person.store(lambda core: offer(core, text, importance=1.0))
        await person.until(lambda: len(view.entries) == 7)
        await person.rest()
        assert view.entry.key == here
        await person.until_shown("Review 7")


async def test_the_verdict_and_its_consequence_fit_every_size(open_app, core, queue):
    sizes = [(40, 12), (60, 20), (80, 24), (120, 35), (200, 50)]
    async with open_app(size=sizes[0]) as person:
        await at_review(person)
        async for width, _ in person.sizes(sizes):
            for keys in ("gj", "k"):
                await person.settle_burst(keys)
                assert all(len(line) <= width for line in person.screen.splitlines())
                more = ["goes", "stays"] if keys == "k" else []
                await person.until_shown("If you do nothing:", *more)
                assert "Reject" in person.screen or width < 60
