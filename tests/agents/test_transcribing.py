"""What the drain takes from a session's file beside captures: tasks, checkpoints, ends, forks."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest

from memdeck import ContextAssembler, open_memory
from memdeck.agents import spool
from memdeck.agents.drain import drain_spool
from memdeck.core.documents.session import session_document

pytestmark = pytest.mark.usefixtures("opened_once")

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)

SAID = "From now on always run `make test-db` before the integration tests, they need its data."

TODOS = (("Move the tide gauge to pier C", "in_progress"), ("Paint the light house", "pending"))


class File:
    """A session's file that a test lets grow, as the host writes it."""

    def __init__(self, path, session):
        self.path, self.session, self.count = path, session, 0
        path.parent.mkdir(exist_ok=True)

    def write(self, kind, content, **more):
        self.count += 1
        line = {
            "type": kind,
            "uuid": str(uuid5(NAMESPACE_URL, f"{self.session}/{self.count}")),
            "sessionId": self.session,
            "timestamp": "2026-03-20T09:00:00Z",
            "message": {"role": kind, "content": content},
            **more,
        }
        with open(self.path, "ab") as file:
            file.write(json.dumps(line).encode() + b"\n")

    def say(self, *texts):
        for text in texts:
            self.write("user", text)

    def use(self, tool, given, text="done", result=None, **more):
        call = f"toolu_{self.session}_{self.count}"
        self.write("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": given}])
        told = {"type": "tool_result", "tool_use_id": call, "content": text, **more}
        self.write("user", [told], toolUseResult=result or {})

    def list(self, *todos):
        """Write the whole list: (content, status) each."""
        items = [{"content": text, "status": status, "activeForm": text} for text, status in todos]
        self.use("TodoWrite", {"todos": items})

    def create(self, number, subject):
        text = f"Task #{number} created successfully: {subject}"
        self.use("TaskCreate", {"subject": subject}, text, {"task": {"id": str(number)}})

    def update(self, number, status, spelling="taskId"):
        self.use("TaskUpdate", {spelling: str(number), "status": status}, result={"success": True})


@pytest.fixture
def session_file(tmp_path):
    return lambda session: File(tmp_path / "projects" / f"{session}.jsonl", session)


@pytest.fixture
def file(session_file):
    return session_file("s1")


@pytest.fixture
def told(home, project, file):
    """Put records into the spool, one event after the other, and drain them."""

    def _told(*kinds, now=NOW, **fields):
        for kind in kinds:
            record = spool.new_record(kind, "claude", fields.get("session", "s1"), project)
            spool.append(home, {**record, "transcript": str(file.path), **fields})
        report = drain_spool(home, now)
        assert (report.retried, report.failed, report.problem) == (0, 0, "")
        return report

    return _told


@pytest.fixture
def look(home, project):
    """Ask the store something: `look(lambda memory: memory.list())`."""

    def _look(ask, now=NOW):
        with open_memory(home, project, clock=lambda: now) as memory:
            return ask(memory)

    return _look


@pytest.fixture
def held(look):
    """What is held for the tasks at hand."""
    return lambda: sorted(one.content for one in look(lambda m: m.list("type:working")))


# --- working memory from the agent's list (000-17, 000-19, 000-50)


def test_each_open_todo_is_held_told_with_a_prompt_and_cleared_when_it_is_done_or_dropped(
    file, told, held, look
):
    """000-17 to 000-19: created when a todo is, told with the next prompt, never deleted."""
    file.list(*TODOS, ("Read the code", "completed"))
    told("turn_ended")
    assert held() == sorted(text for text, _ in TODOS)
    [first, _] = look(lambda memory: memory.list("type:working"))
    assert first.origin.session == "s1"
    assert first.details["todo_id"]
    assert TODOS[0][0] in look(lambda memory: memory.recall("go on", session="s1").text)
    assert TODOS[0][0] not in look(lambda memory: memory.recall("go on", session="s2").text)
    file.list((TODOS[0][0], "completed"))
    told("turn_ended")
    assert held() == []
    gone = look(lambda memory: memory.list("is:retired type:working"))
    assert {one.retired_as for one in gone} == {"cleared"}
    assert all(one.details["cleared_at"] for one in gone)


def test_tasks_are_followed_by_their_number(file, told, held):
    """000-17, with TaskCreate and TaskUpdate."""
    file.create(1, "Move the tide gauge to pier C")
    file.create(2, "Paint the light house")
    told("turn_ended")
    assert held() == ["Move the tide gauge to pier C", "Paint the light house"]
    file.use("Read", {"file_path": "tides.csv"}, "07:40 1.2 m " * 40_000)  # it is far back then
    told("turn_ended")
    file.update(1, "completed")
    told("turn_ended")
    assert held() == ["Paint the light house"]


def test_the_event_of_a_finished_task_clears_it_before_the_turn_ends(file, told, held):
    """000-50, 001-11: the todo-complete hook."""
    file.create(1, "Move the tide gauge to pier C")
    file.create(2, "Paint the light house")
    told("turn_ended")
    todos = {"tool": "TaskCompleted", "call": "", "open": 0, "completed": 1, "task": "1"}
    told("task_completed", todos=todos)
    assert held() == ["Paint the light house"]


THOUGHT = "The parser drops hour 0, for the feed counts its hours from one and the table from zero."
OUTPUT = "`make tides`: FAILED src/tides/feed.py::test_hour_zero"
MENDING = "Repair the hours in src/tides/feed.py"


def at_work(file, *more):
    """The agent is at work on a task, and says and does this."""
    file.list((MENDING, "in_progress"), ("Paint the light house", "pending"))
    file.use("Read", {"file_path": "/src/tides/other.py"}, "def other(): ...")
    file.write("assistant", [{"type": "text", "text": THOUGHT}])
    file.use("Bash", {"command": "make tides"}, f"start\n{OUTPUT[14:]}\n1 failed", is_error=False)
    file.use("Bash", {"command": "make berths"}, "all is well")


@pytest.fixture
def steps(look):
    """By text the stage, kind and importance of what is held of the task at work."""

    def _steps():
        held = look(lambda memory: memory.working_memory("s1"))
        return {one.content: (*one.tags[1:], one.importance) for one in held if len(one.tags) > 1}

    return _steps


def test_what_the_task_at_work_came_to_is_held_by_stage_until_it_ends(file, told, steps, look):
    """004-05: its agent's thoughts, and of its tools what names an error, or a file of the task."""
    file.say("Make the tide import whole.")
    at_work(file)
    told("turn_ended")
    found = {THOUGHT: ("reasoning", "look", 0.5), OUTPUT: ("tool_output", "check", 0.7)}
    assert steps() == found
    told("turn_ended", "compacting")  # a second delivery
    assert steps() == found
    store = look(lambda memory: memory.working_memory("s1", stage="check"))
    assert [one.content for one in store] == [OUTPUT]
    file.use("Bash", {"command": "make gauge"}, "sqlite3: no such table: gauge", is_error=True)
    told("compacting")
    assert steps()["`make gauge`: sqlite3: no such table: gauge"][:2] == ("tool_output", "check")
    [kept] = [one for one in look(lambda m: m.working_memory("s1")) if one.content == THOUGHT]
    look(lambda memory: memory.promote(kept.id, "project"))
    file.list((MENDING, "completed"), ("Paint the light house", "in_progress"))
    told("turn_ended")
    assert steps() == {}
    assert THOUGHT in [one.content for one in look(lambda memory: memory.list("-type:working"))]


def test_the_store_of_a_task_gives_what_each_of_its_stages_left(file, told, look):
    """004-05, by the class of the design; and Prompts shows it under the session."""
    at_work(file)
    told("turn_ended")
    task = look(lambda m: m.list("type:working tag:reasoning"))[0].details["todo_id"].split("#")[0]

    def asked(memory):
        store = ContextAssembler.over(memory).task_store(task)
        stages = ("plan", "look", "change", "check")
        return {name: [one.text for one in store.get_stage_outputs(name)] for name in stages}

    assert look(asked) == {"plan": [], "look": [THOUGHT], "change": [], "check": [OUTPUT]}
    document = look(lambda memory: session_document(memory.services.sessions.detail("s1")))
    [section] = [one for one in document.sections if one.title == "task memory"]
    assert [(row.value, row.note) for row in section.rows] == [
        (THOUGHT, "look · reasoning"),
        (OUTPUT, "check · tool output"),
    ]


def test_of_a_task_the_newest_eight_steps_are_held(file, told, steps):
    at_work(file)
    for number in range(9):
        told("turn_ended")
        file.write("assistant", [{"type": "text", "text": f"{THOUGHT} Look {number}."}])
    told("turn_ended")
    assert [text[-2:] for text in steps()] == [f"{number}." for number in range(1, 9)]


@pytest.mark.parametrize("mark", ["#private ", "#incognito "])
def test_what_is_private_is_no_step_of_a_task(file, told, steps, mark):
    file.say(f"{mark}Make the tide import whole.")
    at_work(file)
    told("turn_ended")
    assert steps() == {}


def test_a_resumed_session_holds_its_list_again_when_it_goes_on(file, told, held):
    file.list(*TODOS)
    told("turn_ended", "session_ended")
    told("session_started", detail="resume")
    file.say("Go on with the gauge, please.")
    told("turn_ended")
    assert held() == sorted(text for text, _ in TODOS)


def test_a_list_is_held_in_the_middle_of_a_turn_of_which_nothing_else_is_read(
    file, told, held, look
):
    """000-17: known when the tool has run, not when the turn is over."""
    todos = {"tool": "TodoWrite", "call": "c", "open": 2, "completed": 0, "task": ""}
    file.say("From now on always measure the tide at noon, never in the morning.")
    file.list(*TODOS)
    told("todos", todos=todos)
    assert held() == sorted(text for text, _ in TODOS)
    assert look(lambda memory: memory.list("-type:working")) == []
    told("turn_ended")
    assert look(lambda memory: memory.list("-type:working")) != []
    assert held() == sorted(text for text, _ in TODOS)


def test_without_a_report_it_expires_after_a_fortnight(file, told, held, look):
    """000-19, 000-49: the drain clears what has expired."""
    file.list(*TODOS)
    told("turn_ended")
    todos = {"tool": "TodoWrite", "call": "c", "open": 1, "completed": 0, "task": ""}
    told("todos", todos=todos, now=NOW + timedelta(days=14, seconds=-1))
    assert len(held()) == 2
    told("todos", todos=todos, now=NOW + timedelta(days=14))
    assert held() == []
    gone = look(lambda memory: memory.list("is:retired type:working"))
    assert {one.retired_as for one in gone} == {"expired"}


# --- more than five tasks make a procedure (000-50, 001-11)


@pytest.mark.parametrize(("tasks", "is_kept"), [(5, False), (6, True)])
def test_more_than_five_finished_tasks_become_a_procedure(file, told, look, tasks, is_kept):
    """000-50, 001-11: procedural, with task_type, success and duration_minutes."""
    steps = [
        "Create the gauge table",
        "Write the importer for tides.csv",
        "Backfill the readings of 2025",
        "Switch the berth plan to the new table",
        "Drop the old feed in ops/feeds.yml",
        "Tell the pilots on channel 12",
    ][:tasks]
    file.say("Move the tide readings from the old feed into a table of their own.")
    file.list(*((step, "pending") for step in steps))
    file.list(*((step, "completed") for step in steps))
    file.write("assistant", [{"type": "text", "text": "The tide readings are moved."}])
    told("turn_ended")
    told("session_ended", detail="other")
    found = look(lambda memory: memory.list("type:procedural"))
    assert bool(found) == is_kept
    if is_kept:
        [memory] = found
        assert memory.details["steps"] == steps
        metrics = memory.details["performance_metrics"]
        assert metrics["success"] is True
        assert metrics["task_type"]
        assert "duration_minutes" in metrics


# --- what was asked for (001-10)


@pytest.mark.parametrize(
    ("setting", "kind", "is_held"),
    [
        ("", "turn_ended", False),
        ("", "compacting", True),
        ('[working]\nprompts = "turn"\n', "turn_ended", True),
        ('[working]\nprompts = "never"\n', "compacting", False),
    ],
)
def test_the_last_prompt_is_held_when_the_context_is_compacted(
    home, file, told, held, setting, kind, is_held
):
    """001-10: the prompt also becomes working memory; the setting says when."""
    home.prepare()
    Path(home.config).write_text(setting)
    file.say("Fix the tide table.", "Now make the import survive a missing gauge.")
    told(kind)
    asked = ["Asked for now: Now make the import survive a missing gauge."]
    assert held() == (asked if is_held else [])


# --- the end (002-22)


def finalized(look):
    return len(look(lambda memory: memory.audit(action="finalize")))


@pytest.mark.parametrize("kind", ["turn_ended", "compacting", "session_ended"])
def test_a_session_is_summed_up_at_each_of_its_ends(file, told, look, kind):
    """002-22: Stop, PreCompact, SessionEnd."""
    file.say(SAID)
    told(kind, detail="other")
    session = look(lambda memory: memory.session_named("s1"))
    assert "make test-db" in session.summary
    assert session.finalized_at == NOW
    assert finalized(look) == 1


# --- what is not taken down (000-49, 002-22)


def nothing_was_kept(look):
    return look(
        lambda memory: (
            memory.list() == []
            and memory.list("type:working") == []
            and memory.refused_captures() == []
            and memory.checkpoints("s1") == []
            and memory.session_named("s1").goal == ""
            and memory.session_named("s1").summary == ""
        )
    )


@pytest.mark.parametrize("how", ["incognito", "switched off"])
def test_nothing_is_kept_of_what_is_not_to_be_taken_down(file, told, look, how):
    """002-22, 002-04: incognito sessions, and autoMemoryEnabled false."""
    told("session_started", detail="startup")
    if how == "incognito":
        look(lambda memory: memory.set_incognito("s1"))
    else:
        look(lambda memory: memory.set_switch("auto_memory", False))
    file.say(SAID, *(f"Message {number}" for number in range(20)))
    file.list(*TODOS)
    told("turn_ended", "compacting", "session_ended")
    assert nothing_was_kept(look)


def test_what_was_said_off_the_record_is_never_caught_up_with(file, told, look):
    told("session_started", detail="startup")
    look(lambda memory: memory.set_incognito("s1"))
    file.write("user", SAID, timestamp="2026-03-20T09:30:01Z")
    told("turn_ended")
    look(lambda memory: memory.set_incognito("s1", False), now=NOW.replace(minute=31))
    told("turn_ended")
    assert look(lambda memory: memory.list()) == []
    file.say("Never commit to the main branch of this repository, open a pull request instead.")
    told("turn_ended")
    assert len(look(lambda memory: memory.list())) == 1


@pytest.mark.parametrize("how", ["session", "project", "everywhere", "auto-memory", "undo"])
def test_what_was_said_meanwhile_is_never_read_though_no_drain_ran_meanwhile(file, told, look, how):
    def switch(memory, is_off):
        if how == "session":
            memory.set_incognito("s1", is_off)
        elif how == "auto-memory":
            memory.set_switch("auto_memory", not is_off)
        elif how == "undo" and not is_off:
            memory.undo()
        else:
            memory.set_switch(
                "incognito", is_off, "everywhere" if how == "everywhere" else "project"
            )

    def said(minute, text, kind="user"):
        file.write(kind, text, timestamp=f"2026-03-20T09:{minute}:00.000Z")

    told("session_started", detail="startup")
    said(10, SAID)
    look(lambda memory: switch(memory, True), now=NOW.replace(minute=15))
    said(20, "From now on the merger with Initech is never named in a commit of this project.")
    look(lambda memory: switch(memory, False), now=NOW.replace(minute=25))
    said(26, "The root cause is that Initech's rows are cut after 40 characters.", "assistant")
    said(28, "Never commit to the main branch of this repository, open a pull request instead.")
    told("turn_ended", "session_ended")
    kept = look(lambda memory: sorted(one.content for one in memory.list()))
    assert (len(kept), [one for one in kept if "Initech" in one]) == (2, [])
    assert look(lambda memory: memory.extractor.passed_over("s1")) == 3  # nor by a model


@pytest.mark.parametrize("stamp", ["2026-03-20T09:10:00Z", None])
def test_what_was_said_before_is_read_once_recording_is_on_again(file, told, look, stamp):
    """Without times nothing tells what was said before from what was said meanwhile."""
    told("session_started", detail="startup")
    file.write("user", SAID, timestamp=stamp)
    look(lambda memory: memory.set_incognito("s1"), now=NOW.replace(minute=15))
    told("turn_ended")
    file.write("user", "From now on Initech is never named here.", timestamp="2026-03-20T09:20:00Z")
    told("turn_ended")
    assert nothing_was_kept(look)
    look(lambda memory: memory.set_incognito("s1", False), now=NOW.replace(minute=25))
    told("turn_ended")
    kept = look(lambda memory: [one.content for one in memory.list()])
    assert (len(kept), [one for one in kept if "Initech" in one]) == (int(stamp is not None), [])


# --- forks (002-29)


@pytest.mark.slow
def test_a_fork_begins_with_what_its_parent_found_and_repeats_nothing(
    file, session_file, told, look
):
    """002-29: deep copy, parentSessionId, dedup handles repeats."""
    told("session_started", detail="startup")
    file.say(SAID)
    told("turn_ended")
    child = session_file("s2")
    child.path.write_bytes(file.path.read_bytes())  # a fork's file begins with its parent's lines
    child.count = file.count
    more = {"session": "s2", "transcript": str(child.path)}
    told("session_started", detail="fork", **more)
    child.say("Never commit to the main branch of this repository, open a pull request instead.")
    told("turn_ended", **more)
    told("session_ended", detail="other", **more)

    fork = look(lambda memory: memory.session_named("s2"))
    assert (fork.parent, fork.source) == ("s1", "fork")
    first, second = sorted(look(lambda memory: memory.list()), key=lambda one: one.num)
    assert (first.origin.session, second.origin.session) == ("s1", "s2")
    assert first.accesses == 0
    assert "multi-session" not in look(lambda memory: memory.candidacy(first.id))["signals"]
    assert look(lambda memory: memory.session_named("s1")).ended_at is None


# --- what a session comes to when it stops (000-49, 001-12)


def test_a_stopped_session_leaves_events_facts_and_no_working_memory(file, told, held, look):
    """000-49, 001-12: events are episodic, concepts semantic, each with its category."""
    file.say("The berth import fails since yesterday, please find out why.")
    file.list(*TODOS)
    file.use("Bash", {"command": "make tides"}, "sqlite3: no such table: gauge", is_error=True)
    file.use("Bash", {"command": "make migrate"}, "ok")
    file.use("Bash", {"command": "make tides"}, "ok")
    text = (
        "The root cause was that `ops/import.py` opened the database before the migration had "
        "created the table `gauge`. The importer must never create tables itself, because "
        "`ops/import.py` runs with a read-only account. ok."
    )
    file.write("assistant", [{"type": "text", "text": text}])
    told("turn_ended")
    assert len(held()) == 4  # two tasks, and what the one at work came to
    told("session_ended", detail="other")
    assert held() == []
    gone = look(lambda memory: memory.list("is:retired type:working"))
    assert {one.retired_as for one in gone} == {"cleared"}
    kept = look(lambda memory: memory.list("-type:working"))
    kinds = {one.type for one in kept}
    assert kinds <= {"semantic", "episodic", "procedural", "prospective"}
    assert "semantic" in kinds
    assert all(len(one.content) >= 30 for one in kept)
    assert all(one.details["category"] for one in kept if one.type == "semantic")
    assert {one.details["emotional_valence"] for one in kept if one.type == "episodic"} == {1}
    assert look(lambda memory: memory.session_named("s1")).summary


def test_what_each_event_of_the_work_would_tell_is_read_from_the_file(file, told, look):
    """003-01, 003-02, 003-06: intent, actions, errors and outcome of the work, by event.

    No process runs at each tool call: the session's file holds them all when the turn is over.
    """
    file.say("Make the tide import work again.")  # SessionStart, UserPromptSubmit: the goal
    file.use("Bash", {"command": "make tides"}, "no such table: gauge", is_error=True)  # Error
    file.use("Bash", {"command": "make migrate"}, "migrated")  # PreToolUse, PostToolUse
    file.use("Bash", {"command": "make tides"}, "imported 4711 readings")
    file.write(
        "assistant",
        [{"type": "text", "text": "The import works again, since the tables were migrated first."}],
    )
    told("turn_ended")  # PostAssistantResponse
    told("session_ended", detail="other")

    def ask(memory):
        return [(one, memory.envelope(one.id)) for one in memory.list("-type:working")]

    found = look(ask)
    work = next(envelope for one, envelope in found if "no such table" in one.content)
    assert "tide import" in work.intent
    assert any("make tides" in action for action in work.actions)
    assert work.errors == ("no such table: gauge",)
    assert work.outcome == "success"
    assert look(lambda memory: memory.session_named("s1")).goal == (
        "Make the tide import work again."
    )


# --- how much of a turn is judged


@pytest.mark.slow
def test_of_a_turn_twenty_are_kept_of_a_whole_session_forty_and_what_is_far_back_waits_for_its_end(
    file, told, look
):
    def kept():
        return look(lambda memory: memory.list("-type:working", limit=100))

    def answer(text):
        file.write("assistant", [{"type": "text", "text": text}])

    rules = [
        f"- The rows of pier {n} must be written in batches of {n}, never one by one, because one"
        f" connection per row costs most of the time of pier {n}."
        for n in range(201, 251)
    ]
    file.say("Good morning!")
    answer("Good morning.")
    told("turn_ended")
    file.say("Which rules are there?")
    answer("They are:\n" + "\n".join(rules))
    file.say("good")
    answer("Yes.")
    assert told("turn_ended").stored == len(kept()) == 20
    file.use("Read", {"file_path": "tides.csv"}, "07:40 1.2 m " * 40_000)
    told("turn_ended")
    file.say("thanks")
    answer("You are welcome.")
    report = told("turn_ended")
    assert (report.stored, report.duplicates) == (0, 0)
    told("session_ended", detail="other")
    assert len(kept()) == 40


REWINDS = {
    # rows: name, the one it hangs on, kind, words; the memories at the end
    "in the middle": (
        [("a", "", "user", "let us talk"), ("b", "a", "assistant", "Sure.")],
        [("c", "b", "user", "remember: piers are called by letters"), ("d", "c", "user", "Hm")],
        [("e", "b", "user", "remember: piers are called by numbers")],
        ["Piers are called by numbers."],
    ),
    "the first prompt": (
        [("a", "", "user", "remember: piers are called by letters"), ("b", "a", "assistant", "OK")],
        [("c", "b", "user", "remember: the crane needs two keys")],
        [("d", "", "user", "remember: piers have numbers"), ("e", "d", "assistant", "OK")],
        ["Piers have numbers."],
    ),
    "twice, and said again": (
        [("a", "", "user", "hello"), ("b", "a", "user", "remember: piers are called by letters")],
        [("c", "a", "user", "remember: piers are called by numbers")],
        [("d", "a", "user", "remember: piers are called by letters")],
        ["Piers are called by letters."],
    ),
    "no rewind but calls in parallel, and a gap": (
        [("a", "", "user", "remember: the crane needs two keys"), ("b", "a", "assistant", "OK")],
        [("c", "b", "assistant", "One."), ("d", "b", "assistant", "Two.")],
        [("e", "d", "user", "remember: piers have numbers"), ("f", "gone", "assistant", "OK")],
        ["Piers have numbers.", "The crane needs two keys."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("is_drained", [True, False])
@pytest.mark.parametrize("name", REWINDS)
def test_a_rewound_turn_is_nobodys_word_whenever_it_was_read(name, is_drained, file, told, look):
    *parts, wanted = REWINDS[name]
    for rows in parts:
        for uuid, parent, kind, words in rows:
            file.write(kind, words, uuid=uuid, parentUuid=parent or None)
        if is_drained:
            told("turn_ended")
    told("session_ended")
    assert sorted(one.content for one in look(lambda memory: memory.list())) == wanted


def test_what_the_user_took_up_stays_though_its_turn_was_rewound(file, told, look):
    file.write("user", "remember: piers are called by letters", uuid="b", parentUuid="a")
    told("turn_ended")
    look(lambda memory: memory.pin(memory.list()[0].id))
    file.write("user", "hello", uuid="a", parentUuid=None)
    file.write("user", "remember: piers have numbers", uuid="c", parentUuid="a")
    told("session_ended")
    assert len(look(lambda memory: memory.list())) == 2
