"""What a person accepts and rejects moves the bar of their project: sessions through the hooks."""

import os
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from memdeck import MemoryCoordinator
from memdeck.benchmarks.gallery.dialogue import load
from memdeck.benchmarks.gallery.play import Player
from memdeck.core.judgement import weights
from memdeck.tests.conftest import built_once

FIRST, SECOND, THIRD = "parser", "watchdog", "ledger"
DAY = timedelta(days=1)


class Week:
    """Sessions of one home, a day after each other, and a person's verdicts in between."""

    def __init__(self, folder):
        self.folder, self.days, self.player = folder, 0, None

    def live(self, name, project="harbour"):
        """Play a session through its host's hooks; what the project's candidates are then."""
        starts = load(FIRST).starts + self.days * DAY
        self.days += 1
        dialogue = replace(load(name), host="claude", project=project, starts=starts)
        self.player = Player(dialogue, self.folder)
        self.player.live()
        return self.judged(project)

    def open(self, project="harbour"):
        """The project's memory, as a person at the terminal has it."""
        root = self.folder / project
        return MemoryCoordinator.open(self.player.home, root, clock=self.player.clock)

    def judged(self, project="harbour"):
        """Candidates that the score let in, each with its score as fitted."""
        with self.open(project) as core:
            return {
                one.memory.content: round(one.salience.score - one.salience.bias, 2)
                for one in core.candidates()
                if one.salience is not None
            }

    def decide(self, act):
        """Accept or reject all that waits; the teaching that came of it."""
        with self.open() as core:
            waiting = [one.memory.id for one in core.candidates()]
            getattr(core, act)(waiting)
            return core.taught()


@pytest.fixture(scope="module")
def first_day(tmp_path_factory):
    """The first session, lived once for all: the week, and a copy of its folder."""
    folder = tmp_path_factory.mktemp("week")
    week = Week(folder / "lived")
    week.live(FIRST)
    shutil.copytree(week.folder, folder / "kept")
    return week, folder / "kept", week.player.clock.now


@pytest.fixture
def week(first_day):
    """A week after its first session; a store knows its project by the folder, so it has one."""
    week, kept, now = first_day
    shutil.rmtree(week.folder)
    shutil.copytree(kept, week.folder)
    lived = Week(week.folder)
    lived.days, lived.player = 1, week.player
    lived.player.clock.now = now
    return lived


@pytest.fixture(scope="module")
def untaught(tmp_path_factory):
    """What the third session leaves where nobody judged anything."""
    return built_once(tmp_path_factory, "untaught", lambda folder: Week(folder).live(THIRD))


def test_after_rejections_fewer_wait(week, untaught):
    once = week.decide("reject")
    week.live(SECOND)
    twice = week.decide("reject")
    assert 0 > once.lessons.agent.bias > twice.lessons.agent.bias >= -1.5
    words = twice.words(is_person=False)
    count = twice.lessons.agent.rejected
    assert words.startswith(f"You rejected {count} of {count} of agents' sentences: the bar here")
    assert "higher" in words

    kept = week.live(THIRD)
    assert 0 < len(kept) < len(untaught)
    # explicit corrections wait whatever they score, so the least one need not be another
    assert sum(kept.values()) / len(kept) > sum(untaught.values()) / len(untaught)

    with week.open() as core:
        [one] = [one for one in core.candidates() if one.salience][:1]
        assert one.lesson
        assert one.salience.bias < 0
        assert core.reset_teaching() == count + twice.lessons.person.rejected
        assert core.taught().lessons.agent.bias == 0
        entry = core.audit(limit=1)[0]
        assert (entry.action, entry.actor) == ("teaching", "person")
        core.undo(entry.seq)
        assert core.taught() == twice
        assert core.verify().ok


def test_after_a_new_start_as_many_wait_as_if_nobody_had_judged(week, untaught):
    week.decide("reject")
    with week.open() as core:
        core.reset_teaching()
    assert week.live(THIRD) == untaught
    lessons = week.decide("reject").lessons  # and it goes on counting
    assert lessons.agent.rejected + lessons.person.rejected == len(untaught)


def test_after_acceptances_more_waits(week, untaught):
    week.decide("accept")
    week.live(SECOND)
    teaching = week.decide("accept")
    assert 0 < teaching.lessons.agent.bias <= 1.5
    assert "lower" in teaching.words(is_person=False)
    assert len(week.live(THIRD)) > len(untaught)


def test_an_undo_of_a_verdict_and_a_restore_take_its_lesson_back(week):
    with week.open() as core:
        before = core.taught()
        first, second = [one.memory.id for one in core.candidates() if one.salience][:2]
        core.reject(first)
        assert core.taught() != before
        core.undo()
        assert core.taught() == before
        core.reject(second)
        core.restore(second)
        assert core.taught() == before
        core.accept_edited(first, title="Shorter")
        core.reject(second)
        lessons = core.taught().lessons
        assert lessons.agent.kept + lessons.person.kept == 1
        assert lessons.agent.rejected + lessons.person.rejected == 1
        assert core.verify().ok


def test_merging_is_keeping(week):
    with week.open() as core:
        first, second = [one.memory.id for one in core.candidates() if one.salience][:2]
        core.merge(first, second)
        lessons = core.taught().lessons
        assert lessons.agent.kept + lessons.person.kept == 2


def test_only_a_persons_verdicts_count(week):
    with MemoryCoordinator.open(
        week.player.home, week.folder / "harbour", clock=week.player.clock, actor="agent"
    ) as agent:
        agent.reject([one.memory.id for one in agent.candidates()])
        assert agent.taught().lessons.agent.rejected == 0


def test_no_other_project_is_taught_by_it(week, untaught):
    week.decide("reject")
    assert set(week.live(THIRD, project="shipyard")) == set(untaught)


def test_it_can_be_switched_off(week, untaught):
    week.decide("reject")
    (week.folder / "home" / "config.toml").write_text("[review]\nteaching = false\n")
    assert set(week.live(THIRD)) == set(untaught)
    with week.open() as core:
        assert core.taught().words(is_person=False).startswith("Teaching is switched off.")


def test_the_rebuilt_store_was_taught_the_same(week):
    teaching = week.decide("reject")
    with week.open() as core:
        core.rebuild()
        assert core.taught() == teaching
        assert core.verify().ok


def test_with_damaged_weights_nothing_is_taught_and_nothing_lost(week, tmp_path, monkeypatch):
    teaching = week.decide("reject")
    with monkeypatch.context() as damaged:
        damaged.setattr(weights, "FOLDER", str(tmp_path / "nowhere"))
        _forget()
        with week.open() as core:
            assert core.taught().lessons.agent.bias == 0
            assert os.path.exists(core.home.database)
    _forget()
    with week.open() as core:
        assert core.taught() == teaching


def _forget():
    weights.linear.cache_clear()
    weights.manifest.cache_clear()
