"""Answers that come late: after the person went on, or beside another reading of the same list.

Each test holds a lane, as a slow machine does, goes on, and lets the answers come.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdeck import Memory, MemoryCoordinator
from memdeck.core.agents import AgentState

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import Judge, pairs_of
from .inbox.story import KNOWN, TEXTS, put_into

SlowReads = Callable[..., threading.Event]


@pytest.fixture
def waiting(core: MemoryCoordinator) -> None:
    """Five candidates wait in the Inbox."""
    put_into(core, *TEXTS)


@pytest.fixture
def clashes(core: MemoryCoordinator, clock: Any) -> None:
    """Three conflicts are open."""
    pairs_of(core, clock)


async def change(person: Any, *ids: str, undid: int | None = None) -> Callable[[], Any]:
    """What the app tells its views of a write of its own: it is told when the test says so."""
    made: list[Callable[[], Any]] = []
    news = person.app.news
    tell, news.tell = news.tell, made.append
    await news.wrote(ids, undid=undid)
    news.tell = tell
    return made[-1]


# -- the Deck


async def test_the_key_behind_going_to_a_memory_is_for_that_memory(
    open_app: Any, harbour: dict[str, Memory], slow_reads: SlowReads
):
    async with open_app() as person:
        await person.press("5")
        await person.rest()  # its entries are here
        await person.press("G", "k")
        goes_on = slow_reads("search")
        await person.burst(["enter", "x"])
        await person.until(lambda: person.app.view == "deck")
        await asyncio.sleep(0.3)  # time enough for a key that does not wait
        goes_on.set()
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        await person.rest()
        now = await person.store(lambda core: [core.show(one.id) for one in harbour.values()])
        assert [memory.is_live for memory in now] == [True, False, True, True, True]


async def test_a_change_meanwhile_does_not_keep_one_from_the_memory_one_goes_to(
    open_app: Any, harbour: dict[str, Memory], slow_reads: SlowReads
):
    async with open_app() as person:
        await person.press("5")
        await person.rest()
        await person.press("G")
        written = await change(person, harbour["tide"].id)
        goes_on = slow_reads("search")
        await person.burst(["enter"])
        await person.until(lambda: person.app.view == "deck")
        person.app.news.tell(written)
        await person.pilot.pause()
        goes_on.set()
        await person.rest()
        assert person.here == harbour["retry"].title


async def test_who_moves_while_the_hits_are_ranked_stays_where_they_went(
    open_app: Any, harbour: dict[str, Memory], slow_reads: SlowReads
):
    async with open_app() as person:
        await person.press("j", "j")
        written = await change(person, harbour["tide"].id)
        goes_on = slow_reads("search")
        person.app.news.tell(written)  # a change of ours: the list is read again
        await person.pilot.pause()
        person.deck.memories.cursor += 1  # by the wheel: keys would wait
        goes_on.set()
        await person.rest()
        assert person.here == harbour["queue"].title


async def test_what_is_said_of_marks_stays_with_the_list_they_are_in(
    open_app: Any, harbour: dict[str, Memory], slow_reads: SlowReads
):
    async with open_app() as person:
        await person.press("2", "1")
        goes_on = slow_reads("pages")
        await person.press("space", "2")
        goes_on.set()
        await person.rest()
        assert "marked" not in person.screen


# -- what others write


async def test_a_look_that_takes_long_is_not_cut_short_by_the_next(
    open_app: Any, core: MemoryCoordinator, harbour: dict[str, Memory], monkeypatch: Any
):
    real = MemoryCoordinator.data_version

    def late(core: MemoryCoordinator) -> int:
        threading.Event().wait(0.8)  # it is looked every half second
        return real(core)

    async with open_app() as person:
        monkeypatch.setattr(MemoryCoordinator, "data_version", late)
        await asyncio.to_thread(_write_elsewhere, person.app.home)
        await person.until(lambda: len(person.titles) == 6)
        monkeypatch.setattr(MemoryCoordinator, "data_version", real)


async def test_who_goes_to_another_project_during_a_look_gets_there(
    open_app: Any, core: MemoryCoordinator, harbour: dict[str, Memory], monkeypatch: Any
):
    looks, goes_on = threading.Event(), threading.Event()
    real = MemoryCoordinator.data_version

    def late(core: MemoryCoordinator) -> int:
        looks.set()
        assert goes_on.wait(60)
        return 1

    async with open_app() as person:
        person.app.news.begin_anew()  # as right after the start: a look asks twice
        monkeypatch.setattr(MemoryCoordinator, "data_version", late)
        person.app.news.look()
        await person.until(looks.is_set)
        monkeypatch.setattr(MemoryCoordinator, "data_version", real)
        person.app.open_project("lighthouse")
        goes_on.set()
        await person.rest()
        assert "lighthouse" in person.header
        assert person.titles == []


async def test_who_leaves_health_before_it_knows_what_leaves_does_not_wait_for_that(
    open_app: Any, core: MemoryCoordinator, harbour: dict[str, Memory], monkeypatch: Any
):
    looks, goes_on = threading.Event(), threading.Event()
    vitals = type(core.services.vitals)
    real = vitals.forecast

    def late(self: Any) -> Any:
        looks.set()
        assert goes_on.wait(60)
        return real(self)

    monkeypatch.setattr(vitals, "forecast", late)
    async with open_app() as person:
        await person.press("7")
        await person.until(looks.is_set)
        await person.press("8")
        await person.until(lambda: "Facts and policies" in person.screen)
        goes_on.set()
        await person.rest()


def _write_elsewhere(home: str) -> None:
    with MemoryCoordinator.open(home, "harbour") as core:
        core.remember("The crane is out of order.")


# -- the Inbox


async def test_who_goes_on_while_the_inbox_is_read_stays_where_they_went(
    open_app: Any, core: MemoryCoordinator, waiting: None, slow_reads: SlowReads
):
    async with open_app(view="inbox") as person:
        view = person.app.stage.view("inbox")
        goes_on = slow_reads("pages")
        await person.press("f", "f", "space")
        went_to = view.waiting.current_key
        goes_on.set()
        await person.rest()
        assert view.waiting.current_key == went_to
        assert view.waiting.cursor == 1


async def test_a_change_meanwhile_does_not_keep_one_from_a_candidate(
    open_app: Any, core: MemoryCoordinator, waiting: None, slow_reads: SlowReads
):
    async with open_app(view="inbox") as person:
        view = person.app.stage.view("inbox")
        last = await person.store(lambda core: core.rows(core.waiting())[-1])
        await person.press("G", "1", "2", "g")
        written = await change(person)
        await person.rest()
        goes_on = slow_reads("pages")
        person.app.navigation.way.leave(replace(view.place(), memory=last.id))
        await person.press("backspace")
        person.app.news.tell(written)
        await person.pilot.pause()
        goes_on.set()
        await person.rest()
        assert view.waiting.current_key == last.num


async def test_the_key_behind_an_undo_is_for_the_candidate_that_comes_back(
    open_app: Any, core: MemoryCoordinator, slow_reads: SlowReads
):
    core.remember(KNOWN)
    put_into(core, "tariffs", "webhook", "tide")
    async with open_app(view="inbox") as person:
        await person.press("j", "x")
        await person.rest()
        entry = await person.store(lambda core: core.undo())
        undone = await change(person, *entry.memories, undid=entry.undoes)
        goes_on = slow_reads("pages")
        person.app.news.tell(undone)
        await person.pilot.pause()
        await person.burst("L")
        goes_on.set()
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        assert person.here.startswith("Webhook timeout is 30 seconds")


# -- the workbench


async def test_a_change_meanwhile_does_not_keep_one_from_a_conflict(
    open_app: Any, core: MemoryCoordinator, clashes: None, slow_reads: SlowReads
):
    async with open_app(view="conflicts") as person:
        judge = Judge(person)
        here = judge.view.model.listed[-1].id
        written = type((await change(person))())
        await person.rest()
        goes_on = slow_reads("pages")
        person.app.navigation.way.leave(replace(judge.view.place(), memory=here))
        await person.press("backspace")
        person.app.news.tell(written)  # by somebody else: it names no memory
        await person.pilot.pause()
        goes_on.set()
        await person.rest()
        assert judge.view.current is not None
        assert judge.view.current.id == here


# -- the journal


async def test_a_change_meanwhile_does_not_keep_one_from_what_was_undone(
    open_app: Any, core: MemoryCoordinator, harbour: dict[str, Memory], slow_reads: SlowReads
):
    async with open_app(view="audit") as person:
        timeline = person.app.stage.view("audit").timeline
        oldest = timeline.entries[-1].seq
        undone = await change(person, harbour["retry"].id, undid=oldest)
        written = await change(person, harbour["tide"].id)
        await person.rest()
        goes_on = slow_reads("pages")
        person.app.news.tell(undone)
        await person.pilot.pause()
        person.app.news.tell(written)
        await person.pilot.pause()
        goes_on.set()
        await person.rest()
        assert timeline.entry.seq == oldest


async def test_a_span_of_time_is_chosen_of_no_entry(
    open_app: Any, harbour: dict[str, Memory], clock: Any, slow_reads: SlowReads
):
    clock.forward(hours=2)
    async with open_app(view="audit") as person:
        view = person.app.stage.view("audit")
        goes_on = slow_reads("pages")
        await person.press("f", "t", "f")
        await person.until(lambda: person.dialog() == "Menu")
        goes_on.set()
        await person.until(lambda: not view.timeline.entries)  # the entry one was at has left
        await person.press("t")
        await person.until(lambda: view.box.text == "since:today")
        assert not person.notices


async def test_news_that_came_with_the_list_are_not_told_as_news(
    open_app: Any, harbour: dict[str, Memory], slow_reads: SlowReads, monkeypatch: Any
):
    async with open_app(view="audit") as person:
        written = await change(person, harbour["tide"].id)
        await person.rest()
        # no other look puts it right
        monkeypatch.setattr(MemoryCoordinator, "data_version", lambda _: person.app.news.version)
        goes_on = slow_reads("pages")
        await asyncio.to_thread(_write_elsewhere, person.app.home)
        person.app.news.tell(written)  # the list is read again
        await person.pilot.pause()
        person.app.news.tell(type(written()))  # what others wrote is counted
        await person.pilot.pause()
        goes_on.set()
        await person.rest()
        assert "new · R to show" not in person.screen


# -- the agents


async def test_who_asks_while_the_agents_are_looked_at_gets_a_look_of_their_own(
    open_app: Any, core: MemoryCoordinator, tmp_path: Path
):
    class Slow(Machine):
        looks, goes_on = 0, None

        def survey(self) -> tuple[AgentState, ...]:
            seen = super().survey()  # what it sees is from before it answers
            self.looks += 1
            if self.goes_on is not None:
                assert self.goes_on.wait(60)
            return seen

    machine = Slow(tmp_path, a_busy_machine())
    async with open_app(view="agents", agents=machine) as person:
        looks, machine.goes_on = machine.looks, threading.Event()
        await person.press("R")
        await person.until(lambda: machine.looks > looks)
        machine.apply(machine.plan("gemini"))  # connected while that look is under way
        await person.press("R")
        machine.goes_on.set()
        await person.rest()
        assert "○ Gemini CLI     silent" in person.screen


# -- Recall


async def test_an_answer_to_a_prompt_does_not_stand_among_receipts(
    open_app: Any, core: MemoryCoordinator, harbour: dict[str, Memory], slow_reads: SlowReads
):
    core.recall("when do deploys go out?", host="claude")
    async with open_app(view="recall") as person:
        view = person.app.stage.view("recall")
        goes_on = slow_reads("slow")
        await person.burst(["c", *"staging"])
        await asyncio.sleep(0.2)  # the question is asked
        await person.press("enter", "I")
        await person.until(lambda: view.receipts.opened is not None)
        goes_on.set()
        await person.rest()
        assert [told.text for told in view.answers.answer.tolds] == [
            told.text for told in view.receipts.opened.tolds
        ]
        await person.press("I")
        await person.rest()
        assert "db-7" in view.answers.main.text.render().plain


async def test_a_filter_of_memories_does_not_narrow_what_a_receipt_told(
    open_app: Any, core: MemoryCoordinator, harbour: dict[str, Memory], slow_reads: SlowReads
):
    core.recall("when do deploys go out?", host="claude")
    async with open_app(view="recall") as person:
        view = person.app.stage.view("recall")
        view.trial.prompt.take("staging host")
        await person.rest()
        goes_on = slow_reads("search")
        await person.burst("/nothing")
        await person.until(lambda: view.box.text == "nothing")
        await asyncio.sleep(0.2)  # the filter is looked up
        view.show_receipts_of(None)
        await person.until(lambda: view.receipts.opened is not None)
        goes_on.set()
        await person.rest()
        assert view.answers.fitting is None
        assert len(view.answers.shown) == len(view.receipts.opened.items)


async def test_what_is_chosen_before_the_settings_are_read_stays_chosen(
    open_app: Any, harbour: dict[str, Memory], slow_reads: SlowReads
):
    async with open_app() as person:
        goes_on = slow_reads("slow")
        await person.press("4")
        view = person.app.stage.view("recall")
        before = view.trial.policy
        await person.press("f", "b")
        await person.until(lambda: view.trial.policy != before)
        chosen = view.trial.policy
        goes_on.set()
        await person.rest()
        assert view.trial.policy == chosen != view.trial.defaults.policy
