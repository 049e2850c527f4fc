"""A task's store, a project's and everybody's, each over sessions and each within its bounds."""

import time
from pathlib import Path

import pytest

from memdeck import (
    Capture,
    CoreBackend,
    GlobalMemoryStore,
    Origin,
    ProjectMemoryStore,
    Refused,
)
from memdeck.tests.tasks import Task

from .project import Lived, Project
from .scripts import BERTHS, DEPLOYS, FIX, GREETING, finds

DATES = "Write dates as 2026-03-20 in every project of mine."
GAUGE = "The gauge at pier C answered 4.1 m at noon, which is a hand above the tide table."
HELD = "P: Paint the harbour.\nT\n  [~] Paint the quay of the harbour\nA: Begun.\n"


def live(project, query=""):
    with project.memory() as memory:
        return memory.list(query)


def stored(memories):
    return {(one.type, one.scope) for one in memories}


# --- 000-51: whose a memory is by its kind


def test_what_is_found_is_its_sessions_and_what_is_laid_down_the_projects_never_everybodys(project):
    """000-51, as settled: episodes and what is held are a session's, facts the project's."""
    project.session(GREETING)
    project.session(FIX)
    [fix] = live(project, "ECONNREFUSED")
    assert (fix.type, fix.scope) == ("episodic", "session")
    project.session(f"P: {DEPLOYS}\nA: Noted.\n")
    project.session("P: TODO: renew the crane's licence, no rush.\nA: Noted.\n")
    project.session("P: Decided: we store the tides in Postgres, since Redis lost some.\nA: ok\n")
    assert ("prospective", "project") in stored(live(project))  # a person's, for whoever is next
    assert ("semantic", "project") in stored(live(project))
    project.session(FIX, host="codex", days=3)
    [fix] = live(project, "ECONNREFUSED")
    assert (fix.type, fix.scope) == ("episodic", "project")
    assert all(one.scope != "global" for one in (*live(project), *live(project, "is:retired")))
    [task] = live(project, "type:prospective")
    assert project.command("promote", task.id, "--to", "global", "--yes").code == 0  # marked so
    assert live(project, "type:prospective")[0].scope == "global"


# --- 004-05: the task's store


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    def live(project):
        project.session(GREETING)
        project.session(HELD)
        session = newest(project)
        with project.memory() as memory:
            memory.sync_tasks(session, [a_task("in_progress")])
            note = {"session": session, "todo_id": "1"}
            bled = "The quay needs two coats, for its first one bled"
            memory.note_step(bled, stage="plan", **note)
            memory.note_step(GAUGE, stage="measure", kind="tool_output", **note)

    return Lived(tmp_path_factory.mktemp("task"), live)


@pytest.fixture
def at_work(lived):
    """A project whose last session is at work on a task, with what two of its stages brought."""
    return lived.again()


def newest(project):
    with project.memory() as memory:
        return memory.sessions()[0].id


def a_task(status):
    return Task("1", "Paint the quay of the harbour", status)


def held(project, session, **more):
    with project.memory() as memory:
        return {one.content: one.importance for one in memory.working_memory(session, **more)}


def test_a_tasks_thoughts_weigh_half_what_its_tools_say_more_and_each_stage_has_its_own(at_work):
    """004-05: .5 and .7, by stage."""
    project, task = at_work, newest(at_work)
    assert set(held(project, task, stage="measure").values()) == {0.7}
    assert set(held(project, task, stage="plan").values()) == {0.5}
    assert len(held(project, task, todo_id="1")) == 3
    with project.memory() as memory:
        assert GAUGE in memory.recall("Please go on.", session=task).text
    heard = project.session(GREETING, days=0)  # another session is told none of it
    assert "4.1 m" not in heard.start + "".join(heard.prompts)


@pytest.mark.parametrize(("status", "is_cleared"), [("completed", True), ("in_progress", False)])
def test_a_task_that_is_done_leaves_nothing_but_what_was_promoted_before(
    at_work, status, is_cleared
):
    """004-05: cleared at a terminal state, promoted before, told to later sessions."""
    project, task = at_work, newest(at_work)
    with project.memory() as memory:
        [answer] = memory.working_memory(task, stage="measure")
        memory.promote(answer.id, "project")
        memory.sync_tasks(task, [a_task(status)])
    assert (held(project, task) == {}) is is_cleared
    project.session(GREETING, days=2)
    heard = project.session("P: What did the gauge at pier C answer?\nA: 4.1 m.\n", days=30)
    assert GAUGE in heard.start + "".join(heard.prompts)
    assert "two coats" not in heard.start + "".join(heard.prompts)
    gone = [one for one in live(project, "is:retired") if "two coats" in one.content]
    assert [one.retired_as for one in gone] == ["cleared" if is_cleared else "expired"]


@pytest.mark.parametrize(("will_retry", "left"), [(True, 3), (False, 0)])
def test_a_task_that_failed_for_good_is_cleared_early(at_work, will_retry, left):
    """004-05."""
    project, task = at_work, newest(at_work)
    with project.memory() as memory:
        if not will_retry:
            memory.clear_working_memory(task, "1")
    assert len(held(project, task)) == left


def test_a_stage_of_more_than_a_thousand_gives_a_thousand(project):
    """004-05: the oldest first."""
    project.session(GREETING)
    with project.memory() as memory:
        memory.note_step("Mooring 0 was looked at", "s9", todo_id="1", stage="plan")
        memory.import_memories(  # held as steps are, in one act
            {
                "content": f"Mooring {number} was looked at",
                "type": "working",
                "scope": "task",
                "session": "s9",
                "tags": ["task", "reasoning", "plan"],
            }
            for number in range(1, 1_000)
        )
        memory.note_step("Mooring 1000 was looked at", "s9", todo_id="1", stage="plan")
        memory.note_step(GAUGE, "s9", todo_id="1", stage="measure")
        assert [one.content for one in memory.working_memory("s9", stage="measure")] == [GAUGE]
        found = memory.working_memory("s9", stage="plan")
        assert len(found) == 1_000
        assert (found[0].content, found[-1].content) == (
            "Mooring 0 was looked at",
            "Mooring 999 was looked at",
        )


# --- 004-06: the project's store


def test_what_a_project_holds_to_weighs_by_its_kind_and_no_other_project_is_told(tmp_path):
    """004-06: decisions .9, conventions .8, failures .85; decisions by any of their tags."""
    project = Project(tmp_path)
    project.session(GREETING)
    with project.memory() as memory:
        store = ProjectMemoryStore(memory.project.name, memory.backend)
        decided = store.add_decision("Tides live in Postgres, for Redis lost some", ["storage"])
        moored = store.add_decision("Boats over nine metres moor at pier C", ["piers", "boats"])
        conventional = store.add_convention("The clock is the last argument", "handlers")
        failed = store.add_failure("timeout", "The export times out beyond 500 rows at once")
        items = (decided, conventional, failed)
        weights = [memory.show(item.context_item_id).importance for item in items]
        assert weights == [0.9, 0.8, 0.85]
        assert store.query_decisions() == [moored, decided]
        assert store.query_decisions(["boats", "storage"]) == [moored, decided]
        assert store.query_decisions(["piers"]) == [moored]
        assert store.query_decisions(["tides"]) == []
    asked = "P: Where do the tides live, in Postgres or in Redis?\nA: In Postgres.\n"
    for days in (1, 90, 300):
        heard = project.session(asked, days=days)
        assert "Tides live in Postgres" in heard.start + "".join(heard.prompts)
    elsewhere = Project(tmp_path, "airport")  # in the same home
    elsewhere.now = project.now
    elsewhere.session(GREETING)
    heard = elsewhere.session(asked)
    assert "Postgres" not in heard.start + "".join(heard.prompts)
    with elsewhere.memory() as memory:
        store = ProjectMemoryStore(memory.project.name, memory.backend)
        assert (store.query_decisions(), store.backend.count()) == ([], 0)


SOUNDS = [first + last for first in "bdfgklmnprstvz" for last in ("a", "e", "i", "o", "u")]


def word(number):
    """A word of its own for each number below 343,000; neighbours sound unlike."""
    number = number * 7_919 % 343_000
    return SOUNDS[number % 70] + SOUNDS[number // 70 % 70] + SOUNDS[number // 4_900] + "n"


def many(project, count):
    """So many findings of an agent, of which every tenth is less important, the oldest first."""
    with project.memory() as memory:
        memory.session_seen("s1", "claude", str(project.player.root))
        captures = [
            Capture(
                content=" ".join(word(8 * n + place) for place in range(8)),
                category="architecture",
                importance=0.4 if n % 10 == 0 else 0.5,
                rule="claim.finding",
                origin=Origin("s1", "claude"),
            )
            for n in range(count)
        ]
        return [one.memory_id for one in memory.offer(captures)]


@pytest.mark.parametrize("stay", ["keep_memories = 90", ""])
def test_above_the_limit_a_tenth_leaves_the_least_important_first_then_the_oldest(project, stay):
    """004-06: minus 10 %, by importance and age; restorable, a person's untouched."""
    project.session(GREETING)
    settings = Path(project.player.home.config)
    settings.write_text(f"[lifecycle]\nmax_memories = 100\n{stay}\ndecay = false\n")
    assert project.command("remember", DEPLOYS).code == 0
    ids = many(project, 100)
    assert len(set(ids)) == 100
    project.session(GREETING, days=2)
    assert len(live(project)) == 101  # full, and all stay
    project.session(finds(BERTHS), days=0.1)
    project.session(GREETING, days=2)
    gone = live(project, "is:retired")
    assert {one.retired_as for one in gone} == {"evicted"}
    assert len(gone) == 11
    assert {one.id for one in gone} == {*ids[::10], ids[1]}  # of all that weigh more, the oldest
    assert {"person"} == {one.degree for one in live(project) if one.content == DEPLOYS}
    assert project.command("undo", str(trail(project, "evict"))).code == 0
    assert len(live(project)) == 102


def trail(project, action):
    with project.memory() as memory:
        return memory.audit(action=action)[0].seq


# --- 004-07: what a project knows is on the disk


# --- 004-09: who is asked


def asked_of(project, answer, act):
    """The questions that a person hears, and whether the act was refused."""
    heard = []

    def person(question):
        heard.append(question)
        return answer

    with project.memory() as memory, memory.context.consent.agreeing(person):
        try:
            act(memory)
        except Refused:
            return heard, True
    return heard, False


def test_a_person_is_asked_before_everybody_is_told_and_never_to_look_or_for_a_project(project):
    """004-09: adding, changing, clearing all; no question for patterns of a project and queries."""
    project.session(GREETING)

    def everywhere(memory):
        return GlobalMemoryStore(CoreBackend(memory, "global"))

    def add(memory):
        everywhere(memory).add_preference(DATES, "style")

    def edit(memory):
        [item] = everywhere(memory).query_preferences("style")
        memory.edit(
            item.context_item_id, content="Write dates as 20.03.2026 in every project of mine."
        )

    questions, was_refused = asked_of(project, False, add)
    assert was_refused
    assert len(questions) == 1
    assert DATES.rstrip(".") in questions[0]
    assert "2026-03-20" not in project.session(GREETING).start
    assert asked_of(project, True, add) == (questions, False)
    assert "2026-03-20" in project.session(GREETING, days=30).start
    for act in (
        lambda memory: everywhere(memory).query_preferences(),
        lambda memory: memory.profile(),
        lambda memory: memory.search("dates"),
        lambda memory: ProjectMemoryStore(memory.project.name, memory.backend).add_convention(
            "Retry with jitter", "errors"
        ),
    ):
        assert asked_of(project, False, act) == ([], False)
    questions, was_refused = asked_of(project, False, edit)
    assert (len(questions), was_refused) == (1, True)
    questions, was_refused = asked_of(project, False, lambda memory: everywhere(memory).clear_all())
    assert was_refused
    assert asked_of(project, True, edit)[1] is False
    assert "20.03.2026" in project.session(GREETING).start
    with project.memory() as memory, memory.context.consent.agreeing(lambda _: True):
        everywhere(memory).add_preference("Answer in one short sentence, no summary.", "answers")
    questions, _ = asked_of(project, False, lambda memory: everywhere(memory).clear_all())
    assert "cannot be undone" in questions[0]
    assert asked_of(project, True, lambda memory: everywhere(memory).clear_all())[1] is False
    assert "20.03.2026" not in project.session(GREETING).start


# --- 004-16: many items in three tiers


def test_of_more_than_a_thousand_in_three_tiers_each_is_told_where_it_belongs(project):
    """004-16: 1,000 items and more, within the budget, at no more than a few times the work."""
    project.session(GREETING)
    project.session(HELD)
    session = newest(project)

    def told(prompt):
        began = time.process_time()
        with project.memory() as memory:
            injection = memory.recall(prompt, session=session, write_receipt=False)
        return injection, time.process_time() - began

    def fill(numbers, scope):
        with project.memory() as memory, memory.context.consent.agreeing(lambda _: True):
            memory.import_memories(
                {
                    "content": f"The {scope} crane {word(n)} lifts {n * 7 + 3} tonnes an hour",
                    "scope": scope,
                    "type": "semantic",
                    "confidence": 1.0,
                    "status": "confirmed",
                }
                for n in numbers
            )

    fill(range(100), "project")
    with project.memory() as memory:
        memory.create_working_memory(GAUGE, session, todo_id="7")
    prompt = f"How many tonnes an hour does the project crane {word(77)} lift?"
    told(prompt)  # what is loaded once
    few = min(told(prompt)[1] for _ in range(5))
    fill(range(100, 1_000), "project")
    fill(range(4_000, 4_200), "global")
    injection, _ = told(prompt)
    much = min(told(prompt)[1] for _ in range(5))
    assert f"{word(77)} lifts 542 tonnes" in injection.text
    assert GAUGE in injection.text  # the task's own, always
    assert injection.tokens <= injection.budget
    injection, _ = told(f"How many tonnes an hour does the global crane {word(4_042)} lift?")
    assert f"{word(4_042)} lifts 28297 tonnes" in injection.text
    assert much < 6 * few  # of twelve times as many
    heard = project.session(f"P: {prompt}\nA: 542.\n", days=1)
    assert "542 tonnes" in heard.start + "".join(heard.prompts)
