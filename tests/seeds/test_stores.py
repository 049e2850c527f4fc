"""The stores of three scopes and their assembler: printed ones, ours, and ours over the core."""

import json
from collections import namedtuple
from dataclasses import asdict
from datetime import datetime
from types import SimpleNamespace

import pytest

import memdeck
from memdeck import (
    BadInput,
    ContextAssembler,
    ContextPackage,
    ContextRequest,
    CoreBackend,
    GlobalMemoryStore,
    InMemoryBackend,
    JsonFileBackend,
    MemoryCoordinator,
    ProjectMemoryStore,
    Refused,
    TaskMemoryStore,
    open_memory,
)
from memdeck.tests.seeds.printed import run

Task = namedtuple("Task", "task_id metadata")


def named(title):
    """What the printed stores take for granted from the package around them."""
    return run("004", title, FailureSignature=object, MemoryConfig=object, Task=Task)


PRINTED = SimpleNamespace(
    TaskMemoryStore=named("2.2 Design")["TaskMemoryStore"],
    ProjectMemoryStore=named("3.3 Design")["ProjectMemoryStore"],
    GlobalMemoryStore=named("4.2 Design")["GlobalMemoryStore"],
)


@pytest.fixture(params=["printed", "ours", "core"])
def make_store(request):
    """A function that makes the store of a scope."""
    stores = PRINTED if request.param == "printed" else memdeck
    with MemoryCoordinator(":memory:", "harbour", confirmation_callback=lambda _: True) as core:

        def make(name, *values, **more):
            source = {"Task": "task/7", "Project": "project/harbour", "Global": "global"}[name]
            backend = InMemoryBackend()
            if request.param == "core":
                backend = CoreBackend(core, source)
            return getattr(stores, f"{name}MemoryStore")(*values, backend=backend, **more)

        yield make


def test_a_task_keeps_its_thoughts_and_answers_until_it_ends(make_store):
    task = make_store("Task", "7")
    thought = task.add_reasoning("The gauge drifts when the tide turns", "plan")
    answer = task.add_tool_output("gauge", {"metres": 4.1})
    assert (thought.kind, thought.importance, thought.token_cost) == ("reasoning", 0.5, 7)
    assert (answer.kind, answer.importance, answer.source) == ("tool_output", 0.7, "task/7")
    assert answer.payload == {"tool_id": "gauge", "output": {"metres": 4.1}}
    assert answer.tags == ["task", "tool", "gauge"]
    assert task.get_stage_outputs("plan") == [thought]
    assert task.get_stage_outputs("measure") == []
    assert task.backend.count() == 2
    task.clear()
    assert task.backend.count() == 0


def test_a_project_keeps_what_it_holds_to(make_store):
    project = make_store("Project", "harbour")
    first = project.add_decision("Tides live in PostgreSQL", ["storage"])
    second = project.add_decision("Boats over nine metres moor at pier C", ["piers", "boats"])
    convention = project.add_convention("The clock is the last argument", "handlers")
    signature = SimpleNamespace(code=SimpleNamespace(value="timeout"), dict=lambda: {"rows": 500})
    failure = project.add_failure(signature, "The export times out beyond 500 rows at once")
    made = (first, second, convention, failure)
    assert [item.importance for item in made] == [0.9, 0.9, 0.8, 0.85]
    assert failure.tags == ["project", "failure", "timeout"]
    assert failure.payload["failure"] == {"rows": 500}
    assert project.query_decisions() == [second, first]
    assert project.query_decisions(["storage", "nothing"]) == [first]
    assert project.query_decisions(["nothing"]) == []
    assert {item.source for item in project.backend.list_all()} == {"project/harbour"}


def test_what_is_global_is_kept_until_it_is_cleared(make_store):
    everywhere = make_store("Global")
    short = everywhere.add_preference("Answer in one short sentence", "verbosity")
    tabs = everywhere.add_preference("Indent with tabs", "style")
    pattern = everywhere.add_pattern("Retry with jitter", "errors")
    assert [item.importance for item in (short, tabs, pattern)] == [0.9, 0.9, 0.7]
    assert everywhere.query_preferences() == [tabs, short]
    assert everywhere.query_preferences("style") == [tabs]
    assert everywhere.clear_all() is True
    assert everywhere.backend.count() == 0


@pytest.mark.parametrize("stores", [PRINTED, memdeck], ids=["printed", "ours"])
def test_above_its_limit_a_project_evicts_a_tenth(stores):
    project = stores.ProjectMemoryStore("harbour", InMemoryBackend(), max_items=50)
    for number in range(51):
        add = project.add_convention if number % 2 else project.add_decision
        add(f"Statement {number}", "quay" if number % 2 else ["quay"])
    left = [item.text for item in project.backend.list_all()]
    assert len(left) == 46
    gone = {f"Statement {number}" for number in range(51)} - {*left}
    assert gone == {f"Statement {number}" for number in (1, 3, 5, 7, 9)}


@pytest.mark.parametrize("stores", [PRINTED, memdeck], ids=["printed", "ours"])
def test_the_user_is_asked_before_a_preference_and_before_all_is_cleared(stores):
    asked, answers = [], iter([False, True, False, True])

    def ask(question):
        asked.append(question)
        return next(answers)

    everywhere = stores.GlobalMemoryStore(InMemoryBackend(), ask)
    prefer = ("Indent with tabs", "style")
    assert everywhere.add_preference(*prefer, require_confirmation=True) is None
    assert everywhere.add_preference(*prefer, require_confirmation=True).text == prefer[0]
    everywhere.add_pattern("Retry with jitter", "errors")
    assert everywhere.query_preferences()
    assert (everywhere.clear_all(), everywhere.backend.count()) == (False, 2)
    assert (everywhere.clear_all(), everywhere.backend.count()) == (True, 0)
    assert asked[0] == "Add global preference: 'Indent with tabs' (category: style)?"
    assert "cannot be undone" in asked[2]
    assert len(asked) == 4


def test_items_move_between_scopes_only_by_hand():
    task, project = TaskMemoryStore("7"), ProjectMemoryStore("harbour", InMemoryBackend())
    everywhere = GlobalMemoryStore(InMemoryBackend(), lambda _: False)
    thought = task.add_reasoning("The gauge drifts when the tide turns", "plan")
    promoted = task.promote(thought.context_item_id, project)
    assert (promoted.source, promoted.tags) == ("project/harbour", ["project", "plan"])
    task.clear()
    assert [item.payload for item in project.backend.list_all()] == [thought.payload]
    with pytest.raises(Refused):
        project.promote(promoted.context_item_id, everywhere)
    assert everywhere.backend.count() == 0
    everywhere.confirmation_callback = lambda _: True
    project.promote(promoted.context_item_id, everywhere)
    assert (project.backend.count(), everywhere.backend.count()) == (1, 1)
    with pytest.raises(BadInput, match="nothing"):
        task.promote("nothing", project)


# --- assembling


def filled(assembler, words=3):
    """Add six items to each scope: of 3 words, and of importance .1 to .6."""
    for scope, store in (
        ("task", assembler.task_stores["7"]),
        ("project", assembler.project_stores["harbour"]),
        ("global", assembler.global_store),
    ):
        for number in range(6):
            store.backend.add(
                memdeck.ContextItem(
                    f"{scope}-{number}",
                    "note",
                    scope,
                    f"2026-03-0{number + 1}T12:00:00",
                    [],
                    (number + 1) / 10,
                    words,
                    {"text": f"{scope} {number}"},
                )
            )
    return assembler


def ours(**more):
    assembler = ContextAssembler(**more)
    assembler.task_store("7"), assembler.project_store("harbour")
    return filled(assembler)


TASK = Task("7", {"project_id": "harbour"})


def picked(package):
    return [item.context_item_id for item in package.items]


def test_the_printed_assembler_runs_over_our_stores():
    names = named("6.1 Updated ContextAssembler")
    names["TaskMemoryStore"], names["ProjectMemoryStore"] = TaskMemoryStore, ProjectMemoryStore
    printed = names["ContextAssembler"](
        {"7": TaskMemoryStore("7")}, {"harbour": ProjectMemoryStore("harbour", InMemoryBackend())}
    )
    request = ContextRequest(budget_tokens=1_000)
    theirs = filled(printed).build_context(TASK, request)
    package = ours().build_context(TASK, request)
    assert isinstance(theirs, ContextPackage)
    assert {*picked(theirs)} == {*picked(package)}
    assert theirs.compression_ratio == package.compression_ratio == 1.0
    assert vars(type(printed))["_get_budget_allocation"](
        printed, request
    ) == ContextAssembler().allocation(request)
    printed.cleanup_task("7")
    assert printed.task_stores == {}


def test_the_task_comes_always_and_the_others_in_their_shares():
    package = ours().build_context(TASK, ContextRequest(budget_tokens=40))
    # 40 % and 20 % of 40 tokens leave the project one item of ten tokens, and global none
    assert picked(package) == [*(f"task-{n}" for n in (5, 4, 3, 2, 1, 0)), "project-5"]
    assert package.compression_ratio == 21 / 21
    package = ours().build_context(TASK, ContextRequest(budget_tokens=10))
    assert picked(package) == ["task-5", "task-4", "task-3"]


@pytest.mark.parametrize(
    ("request_", "by_agent", "allocation"),
    [
        (ContextRequest(1_000), {}, (400, 400, 200)),
        (ContextRequest(1_000, {"task": 0, "project": 3, "global": 1}), {}, (0, 750, 250)),
        (ContextRequest(1_000, agent="codex"), {"codex": {"global": 1.2}}, (200, 200, 600)),
        (ContextRequest(1_000, agent="claude"), {"codex": {"global": 1.2}}, (400, 400, 200)),
        (ContextRequest(1_000, {"global": 0}, "codex"), {"codex": {"global": 9}}, (500, 500, 0)),
    ],
)
def test_shares_are_adjusted_by_request_and_by_agent(request_, by_agent, allocation):
    shares = ContextAssembler(shares_by_agent=by_agent).allocation(request_)
    assert tuple(shares.values()) == allocation


@pytest.mark.parametrize(
    "shares", [{"quay": 1}, {"task": -1}, dict.fromkeys(("task", "project", "global"), 0)]
)
def test_shares_that_cannot_be_used_are_refused(shares):
    with pytest.raises(BadInput, match="shares"):
        ContextAssembler().allocation(ContextRequest(100, shares))


def test_the_oldest_and_the_newest_come_first_where_they_are_preserved():
    request = ContextRequest(18, {"task": 1, "project": 0, "global": 0}, head_tail_preserve=2)
    package = ours().build_context(TASK, request)
    assert picked(package) == [f"task-{number}" for number in (5, 4, 1, 0, 3, 2)]


def test_projects_are_apart_and_a_finished_task_is_gone(tmp_path):
    def backend_of(source):
        return JsonFileBackend(tmp_path / source / "memory.json")

    assembler = ContextAssembler(backend_of=backend_of)
    assembler.task_store("7").add_reasoning("The gauge drifts", "plan")
    for project in ("harbour", "pier"):
        assembler.project_store(project).add_decision(f"Decided for {project}")
    texts = [item.text for item in assembler.build_context(TASK, ContextRequest(1_000)).items]
    assert texts == ["The gauge drifts", "Decided for harbour"]
    assembler.cleanup_task("7")
    assembler.cleanup_task("nothing")
    texts = [item.text for item in assembler.build_context(TASK, ContextRequest(1_000)).items]
    assert texts == ["Decided for harbour"]
    for store in assembler.project_stores.values():
        store.backend.flush()
    [kept] = json.loads((tmp_path / "project" / "pier" / "memory.json").read_text("utf-8"))
    assert kept["payload"] == {"decision": "Decided for pier"}


def test_over_the_core_the_stores_are_views(tmp_path):
    with open_memory(tmp_path / "home", "harbour", confirmation_callback=lambda _: True) as core:
        assembler = ContextAssembler.over(core)
        assembler.task_store("7").add_reasoning("The gauge drifts when the tide turns", "plan")
        project = assembler.project_store("harbour")
        project.add_decision("Boats over nine metres moor at pier C", ["boats"])
        assembler.global_store.add_preference("Answer in one short sentence", "verbosity")
        core.remember("The crane is oiled in May", importance=0.2)
        package = assembler.build_context(TASK, ContextRequest(1_000))
        assert [item.source for item in package.items] == [
            "task/7/plan", "project/harbour", "project/harbour", "global",
        ]  # fmt: skip
        told = core.recall("where do boats of ten metres moor?").text
        assert "moor at pier C" in told
        assert core.profile()["preference"]["verbosity"][0].scope == "global"
        core.undo()
        assert core.count() == 3
        with pytest.raises(BadInput, match="another project"):
            assembler.project_store("pier")
    with open_memory(tmp_path / "home", "pier") as other:
        sources = {
            item.source for item in ContextAssembler.over(other).global_store.backend.list_all()
        }
        assert sources == {"global"}
        assert other.backend.count() == 1


def test_the_sketches_of_the_document_are_python(tmp_path):
    run("004", "8.2 Vector Search")
    run("004", "7.1 Current State")["ContextStore"]().items["a"] = None
    backend = run("004", "JSON", Path=type(tmp_path), MemoryBackend=object)["JSONFileBackend"]
    saved = []
    kept = type(
        "Kept", (backend,), {"_load": lambda self: {}, "_save": lambda self: saved.append(1)}
    )
    item = memdeck.ContextItem("a", "note", "global", datetime.now().isoformat())
    store = kept(tmp_path / "items.json")
    store.add(item)
    assert (store.items, saved) == ({"a": item}, [1])
    assert asdict(item)["context_item_id"] == "a"
    backend = run(
        "004", "SQLite", Path=type(tmp_path), MemoryBackend=object, sqlite3=__import__("sqlite3")
    )
    made = type("Made", (backend["SQLiteBackend"],), {"_create_tables": lambda self: None})
    made(tmp_path / "items.db").conn.close()
