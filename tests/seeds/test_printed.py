"""The code that the design documents print runs as it stands, and ours decides as it does."""

import ast
import asyncio
import inspect
import itertools
import re
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

import memdeck
from memdeck import MemoryCoordinator, MemoryType, RetrievalPipeline
from memdeck.core.lifecycle.worth import WEIGHTS
from memdeck.core.models.reviewers import SCORERS, Subject
from memdeck.tests.seeds.printed import BLOCKS, NOT_RUN, run

KEYS = "Rotate the signing key of the staging server before the audit in March"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    """`MemoryCoordinator()` is the store of this test, seen from a project of its own."""
    folder = tmp_path / "harbour"
    folder.mkdir()
    monkeypatch.chdir(folder)


@pytest.fixture
def coordinator():
    with MemoryCoordinator() as core:
        yield core


# --- names and signatures

SHAPES = [
    *(("000", title) for title in ("MemoryCoordinator", "StoragePipeline", "RetrievalPipeline")),
    ("000", "AgentReviewCoordinator"),
    *(("001", title) for title in ("coordinator.py", "storage_pipeline.py")),
    *(("001", title) for title in ("retrieval_pipeline.py", "Memory Data Class")),
    ("001", "StoreResult Data Class"),
    *(("004", title) for title in ("1.1 Core Interface", "1.2 InMemoryBackend Implementation")),
    *(("004", title) for title in ("2.2 Design", "3.3 Design", "4.2 Design")),
    ("004", "6.1 Updated ContextAssembler"),
]
LISTS = [block for block in BLOCKS if block[1].startswith("Module: ")]


def test_every_block_is_run_compared_or_named():
    source = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    driven = {
        (document, title)
        for document, title in re.findall(r'run\(\s*"(00\d)",\s*"([^"]+)"', source)
    }
    assert len(BLOCKS) > 50
    assert driven | {*SHAPES, *LISTS, *NOT_RUN} == {*BLOCKS}


@pytest.mark.parametrize(("document", "title"), LISTS)
def test_each_name_of_a_module_is_public(document, title):
    names = re.findall(r"^\w+", BLOCKS[document, title], re.MULTILINE)
    assert len(names) >= 3
    assert {*names} <= {*memdeck.__all__}


@pytest.mark.parametrize(("document", "title"), SHAPES)
def test_each_printed_class_takes_what_is_printed(document, title, coordinator):
    classes = [
        node
        for node in ast.walk(ast.parse(BLOCKS[document, title]))
        if isinstance(node, ast.ClassDef)
    ]
    assert classes
    for printed in classes:
        ours = getattr(memdeck, printed.name)
        fields = [node.target.id for node in printed.body if isinstance(node, ast.AnnAssign)]
        own = {**getattr(ours, "__dataclass_fields__", {}), **vars(ours)}
        assert {*fields} - {"memory_config"} <= {*own}
        for method in printed.body:
            if not isinstance(method, ast.FunctionDef) or re.match(r"_(?!_init__$)", method.name):
                continue
            wanted = [arg.arg for arg in method.args.args if arg.arg != "self"]
            accepted = [*inspect.signature(getattr(ours, method.name)).parameters]
            accepted = [name for name in accepted if name != "self"]
            if accepted == ["values", "named"]:  # handed on to the coordinator
                accepted = [*inspect.signature(getattr(coordinator, method.name)).parameters]
            assert accepted[: len(wanted)] == wanted, f"{printed.name}.{method.name}"


# --- 000


def test_working_memory_is_made_and_cleared_by_hand(coordinator):
    coordinator.create_working_memory("Another task", "s-1", todo_id="t-2")
    names = {"coordinator": coordinator, "session_id": "s-1", "todo_id": "t-1"}
    run("000", "5. Working Memory (Active Context)", **names)
    assert [memory.content for memory in coordinator.working_memory("s-1")] == ["Another task"]
    cleared = coordinator.list("is:retired")
    assert [(memory.content, memory.retired_as) for memory in cleared] == [
        ("Current context", "cleared")
    ]


@pytest.mark.parametrize(
    "text", ["ok", "Sounds good.", "done", "x" * 49, f"  {'x' * 49}  ", "Berth 12 floods " * 5]
)
def test_what_is_trivial_is_what_the_printed_filter_says(text):
    names = run("000", "Phase 1.5: Trivial Pre-Filter (BEFORE Agent Review)", recent_hashes=set())
    assert memdeck.filter_trivial(text) == names["pre_filter_trivial"](text)[0]


ANSWERS = [
    {"success": True, "agent": "analyzer", "importance": 8, "relevance": 5, "novelty": 5},
    {"success": True, "agent": "security", "importance": 5, "relevance": 9, "novelty": 5},
    {"success": True, "agent": "patterns", "importance": 2, "relevance": 3, "novelty": 9},
    {"success": True, "agent": "analyzer", "importance": 4, "relevance": 8, "novelty": 4,
     "trivial": True},
    {"success": True, "agent": "nobody", "importance": 9, "relevance": 4, "novelty": 2,
     "trivial": True},
    {"success": False, "agent": "knowledge-archaeologist", "error": "late"},
]  # fmt: skip


@pytest.mark.parametrize("answers", [*itertools.combinations_with_replacement(ANSWERS, 3)])
def test_answers_are_decided_as_printed(answers):
    names = run("000", "CRITICAL: Parallel Agent Invocation Pattern")
    printed = names["AgentReviewCoordinator"]()
    assert tuple(printed.REVIEW_AGENTS) == memdeck.AgentReviewCoordinator.REVIEW_AGENTS
    assert printed.AGENT_TIMEOUT == memdeck.AgentReviewCoordinator.AGENT_TIMEOUT
    for text in (KEYS, "ok"):
        theirs = vars(type(printed))["_aggregate_with_fallback"](printed, [*answers], text)
        ours = memdeck.aggregate_decisions(answers, text)
        assert (ours.action, ours.importance) == (theirs.action, theirs.importance)
        assert dict(ours.metadata) == {**(theirs.metadata or {})}
        assert ours.reason == theirs.reason


@pytest.mark.parametrize(("importance", "is_stored"), [(7, True), (2, False)])
def test_the_printed_pipeline_stores_what_three_agents_accept(coordinator, importance, is_stored):
    asked = []

    def task(subagent_type, prompt):
        asked.append((subagent_type, KEYS in prompt, "episodic" in prompt))
        return f'Here:\n```json\n{{"importance": {importance}, "relevance": 7}}\n```'

    agents = run("000", "CRITICAL: Parallel Agent Invocation Pattern")["AgentReviewCoordinator"]
    filtered = run("000", "Phase 1.5: Trivial Pre-Filter (BEFORE Agent Review)", recent_hashes=())
    names = run(
        "000",
        "Phase 2.5: Parallel Agent Invocation (Implementation Example)",
        Task=task,
        AgentReviewCoordinator=agents,
        pre_filter_trivial=filtered["pre_filter_trivial"],
    )

    class Pipeline(names["StoragePipeline"]):
        def _write_to_db(self, content, memory_type, importance, context):
            about = {"importance": (importance - 1) / 9}
            assert coordinator.store(content, memory_type, about, context).stored

    stored, _ = Pipeline().store_memory(KEYS, MemoryType.EPISODIC, {"session_id": "s-1"})
    assert stored is is_stored
    assert asked == [(name, True, True) for name in agents.REVIEW_AGENTS]
    kept = [(memory.type, memory.origin.session) for memory in coordinator.list()]
    assert kept == ([("episodic", "s-1")] if is_stored else [])


def test_a_query_is_built_as_printed(coordinator):
    for text, importance in (("Berth 12 floods at spring tide", 0.9), ("Berth 3 is dry", 0.1)):
        coordinator.remember(text, importance=importance, type="semantic")
    query = run("000", "Phase 1: Query Construction", current_session=None)["query"]
    assert [memory.content for memory in query.of(coordinator)] == [
        "Berth 12 floods at spring tide"
    ]


def test_a_prompt_is_answered_by_the_printed_hook_and_by_ours(coordinator):
    coordinator.store("Decided to use Redis for sessions", "semantic")
    hook_data = {"userMessage": {"text": "@codex which Redis sessions?"}, "sessionId": "s-1"}
    names = run("000", "1. UserPromptSubmit Hook", generate_session_id=lambda: "s-9")
    answer = names["on_user_prompt_submit"](hook_data)
    assert answer == memdeck.register_hooks()["UserPromptSubmit"](hook_data)
    text = answer["userMessage"]["text"]
    assert "- Decided to use Redis for sessions" in text
    assert text.endswith("\n\n@codex which Redis sessions?")
    unknown = {"userMessage": {"text": "And the weather?"}}
    assert names["on_user_prompt_submit"](unknown) == {}
    assert memdeck.UserPromptSubmitHandler()(unknown) == {}


def test_what_a_named_agent_learned_comes_first():
    with MemoryCoordinator() as core:
        for agent, berth in (("codex", 3), ("claude", 5), ("codex", 7)):
            item = {"content": f"Berth {berth} floods at spring tide", "type": "semantic"}
            core.import_memories([{**item, "agent": agent}])
    pipeline = RetrievalPipeline()
    with pipeline.coordinator:
        named = memdeck.detect_agent_references("Ask @Claude, or gemini: which berth floods?")
        assert named == ["claude", "gemini"]
        text, _ = pipeline.retrieve_relevant("which berth floods?", agents=named)
    assert re.findall(r"Berth (\d)", text)[0] == "5"


def test_what_a_text_says_for_a_session_is_its_own_or_verified_and_counts_as_used(coordinator):
    """No type takes another's places: 15 facts and 5 procedures."""
    said = [f"Berth {n} floods at spring tide" for n in range(20)]
    coordinator.import_memories([{"content": one, "type": "semantic"} for one in said])
    ways = [f"When berth {n} floods: 1) close it 2) call the pilot" for n in range(8)]
    coordinator.import_memories([{"content": one, "type": "procedural"} for one in ways])
    guess = "Berth ninety floods at neap tide, as it seems to me today"
    coordinator.store(guess, "episodic", {"session_id": "s-1"})
    query, types = "how to close a berth that floods at tide?", [*map(str, MemoryType)]
    pipeline = RetrievalPipeline()
    with pipeline.coordinator:
        own, others = (
            pipeline.retrieve_relevant(query, types, session_id=session)[0]
            for session in ("s-1", "s-2")
        )
    assert [text.count("at spring tide") for text in (own, others)] == [15, 15]
    assert [text.count("call the pilot") for text in (own, others)] == [5, 5]
    assert [guess in text for text in (own, others)] == [True, False]
    used = [one.accesses for one in coordinator.list("", limit=100) if one.accesses]
    assert sorted(used) == [1, *[2] * 20]


def test_a_category_of_a_type_and_a_confidence_are_kept(coordinator):
    rows = [
        ("semantic", "principle", ("principle", "discovery")),
        ("semantic", "pattern", ("pattern", "pattern")),
        ("semantic", "decision", ("fact", "decision")),
        ("procedural", "technique", ("technique", "discovery")),
    ]
    for number, (kind, category, expected) in enumerate(rows):
        text = f"Rows of the year {1990 + number * 7} are kept apart, number {number} of {category}"
        metadata = {"category": category, "confidence": number / 3}
        kept = coordinator.show(coordinator.store(text, kind, metadata).memory_id)
        assert (kept.details["category"], kept.category) == expected
        assert kept.confidence == number / 3
    for metadata in ({"category": "principles"}, {"confidence": 1.1}):
        with pytest.raises(memdeck.BadInput):
            coordinator.store("A confidence is between nought and one", "semantic", metadata)


TALK = [
    {"role": "user", "text": "ok", "timestamp": "2026-03-20T09:30:00"},
    {"role": "user", "text": f"TODO: {KEYS}", "timestamp": "2026-03-20T09:31:00"},
    {"role": "assistant", "text": "We decided to keep one database for each tenant, not for all.",
     "timestamp": "2026-03-20T09:32:00"},
]  # fmt: skip


@pytest.mark.parametrize("is_ours", [False, True])
def test_a_conversation_is_stored_by_the_printed_hook_and_by_ours(coordinator, is_ours):
    hook_data = {"sessionId": "s-1", "conversationHistory": TALK}
    if is_ours:
        answer = memdeck.register_hooks()["SessionStop"](hook_data)
    else:
        cleanup = {"cleanup_working_memory": coordinator.clear_working_memory}
        answer = run("000", "2. SessionStop Hook", **cleanup)["on_session_stop"](hook_data)
    assert answer == {}
    kept = {memory.content: memory.type for memory in coordinator.list()}
    assert kept == {TALK[1]["text"]: "prospective", TALK[2]["text"]: "episodic"}
    assert {memory.context["role"] for memory in coordinator.list()} == {"user", "assistant"}


STEPS = "Release:\n" + "\n".join(f"{n}. Do step {n} of it with `make s{n}`" for n in range(1, 8))


@pytest.mark.parametrize("is_ours", [False, True])
def test_a_finished_task_is_cleared_by_the_printed_hook_and_by_ours(coordinator, is_ours):
    def extract(session_id, task, steps):
        coordinator.store(task, "procedural", {"steps": steps}, {"session_id": session_id})

    names = run(
        "000",
        "3. TodoWriteComplete Hook (Custom)",
        clear_working_memory=coordinator.clear_working_memory,
        is_complex_task=lambda todo: todo.count("\n") > 5,
        extract_procedural_memory=extract,
        extract_steps_from_todo=lambda todo: todo.splitlines()[1:],
    )
    complete = (
        memdeck.register_hooks()["TodoWriteComplete"] if is_ours else names["on_todo_complete"]
    )
    for todo_id, content in (("t-1", STEPS), ("t-2", "Paint the light house")):
        coordinator.create_working_memory(content, "s-1", todo_id=todo_id)
        assert complete({"sessionId": "s-1", "todoId": todo_id, "todoContent": content}) == {}
    assert coordinator.working_memory("s-1") == []
    [procedure] = coordinator.list("type:procedural")
    assert (len(procedure.details["steps"]), procedure.origin.session) == (7, "s-1")


@pytest.mark.parametrize(
    "query", ["which task is next?", "how to release", "the todo procedure", "berth 12"]
)
def test_tokens_are_shared_out_as_printed(query):
    printed = run("000", "Dynamic Budget Allocation")["TokenBudget"]()
    ours = memdeck.TokenBudget()
    assert ours.BASE_ALLOCATION == printed.BASE_ALLOCATION
    assert ours.allocate(query) == printed.allocate(query)
    texts = [SimpleNamespace(content="rope " * n, relevance_score=n, tokens=int(n * 1.3))
             for n in (10, 40, 20)]  # fmt: skip
    assert ours.trim_to_budget(texts, 80) == printed.trim_to_budget(texts, 80)


def test_each_printed_sample_has_its_type():
    names = run("000", "Test Data")
    for kind in MemoryType:
        text = names[f"{kind.name}_TEST"]
        assert memdeck.determine_memory_type(text, {}) == kind
        with MemoryCoordinator(":memory:") as core:
            result = core.store(text)
            assert core.show(result.memory_id).type == kind


# --- 001


def test_a_printed_procedure_has_its_steps(coordinator):
    document = (Path(__file__).parent / "000.md").read_text()
    [sample] = re.findall(r'PROCEDURAL_TEST = "(.*)"', document)
    complete, about = memdeck.TodoCompleteHandler(), {"sessionId": "s", "todoId": "t"}
    five = "Release: 1) a 2) b 3) c 4) d 5) e"
    complete({**about, "todoContent": five})
    assert coordinator.list("type:procedural") == []
    complete({**about, "todoContent": f"{five} 6) f"})
    coordinator.store(sample, "procedural")
    first, second = sorted(coordinator.list("type:procedural"), key=lambda one: one.content)
    assert first.details["steps"] == ["Define API via __all__", "Single responsibility"]
    assert second.details["steps"] == [*"abcdef"]


def test_a_memory_is_stored_found_and_counted_as_printed(capsys):
    names = run("001", "Public API")
    assert names["result"].stored
    assert [memory.content for memory in names["memories"]] == ["Decided to use Redis for sessions"]
    assert names["memories"][0].metadata["component"] == "authentication"
    assert capsys.readouterr().out == "Total memories: 1\nBy type: {'episodic': 1}\n"
    names["coordinator"].close()


def test_the_printed_hooks_store_by_type(coordinator):
    hook = run("001", "memory_prompt_hook.py", _extract_priority=lambda prompt: "high")
    hook["on_user_prompt_submit"](f"Later we need to: {KEYS}", {"session_id": "s-1"})
    hook["on_user_prompt_submit"]("Why does berth 12 flood?", {"session_id": "s-1"})
    kept = {(memory.type, memory.metadata.get("priority")) for memory in coordinator.list()}
    assert kept == {("prospective", "high"), ("working", "medium")}

    hook = run("001", "memory_todo_hook.py", MemoryCoordinator=MemoryCoordinator,
               _extract_workflow=lambda item: f"How to release: {item['content']}")  # fmt: skip
    item = {"content": "run `make check`, then tag", "task_type": "release", "duration": 12}
    hook["on_todo_write_complete"]({**item, "status": "completed"}, {"session_id": "s-1"})
    hook["on_todo_write_complete"]({**item, "status": "pending"}, {"session_id": "s-1"})
    [procedure] = coordinator.list("type:procedural")
    about = {
        name: procedure.metadata[name] for name in ("task_type", "success", "duration_minutes")
    }
    assert about == {"task_type": "release", "success": True, "duration_minutes": 12}

    consolidated = []
    hook = run(
        "001",
        "memory_session_hook.py",
        _extract_significant_events=lambda data: [
            {"description": "We moved the tide tables to PostgreSQL", "type": "storage"}
        ],
        _extract_concepts=lambda data: [
            {"description": "Tide tables are read line by line", "category": "pattern"}
        ],
        _consolidate_working_memory=lambda core, data: consolidated.append(data["session_id"]),
    )
    hook["on_session_stop"]({"session_id": "s-2", "branch": "main"})
    [event] = coordinator.list("type:episodic")
    [fact] = coordinator.list("type:semantic")
    assert (event.metadata["decision_type"], event.context["branch"]) == ("storage", "main")
    assert (fact.category, fact.origin.session, consolidated) == ("pattern", "s-2", ["s-2"])


def test_the_printed_extensions_are_python():
    social = run("001", "Define the memory type")["MemoryType"]
    assert {*map(str.upper, (kind.value for kind in MemoryType))} < {*social.__members__}
    assert callable(run("001", "Add retrieval scoring")["_score_storage"])
    reviewers = run("001", "Define agent in AgentReview")["AgentReview"].STORAGE_AGENTS
    assert {*reviewers} == {*SCORERS}
    names = run("001", "Implement scoring logic")
    for text in ("The auth token expires in an hour", "Berth 12 floods at spring tide"):
        score, _ = names["_score_security"](None, SimpleNamespace(content=text))
        subject = Subject(text, "semantic", "discovery", 0.5)
        assert SCORERS["security"].review(subject, 2.0).score == score


def test_time_weighted_retrieval_subtracts_a_naive_now(coordinator):
    old = datetime.now() - timedelta(days=100)
    said = "Berth 12 floods at spring tide"
    coordinator.import_memories([{"content": said, "created_at": old.astimezone().isoformat()}])
    coordinator.store("The pilots say that berth 12 floods in May too", "semantic")
    found = run("001", "Custom Retrieval Strategies")["TimeWeightedRetrieval"]()
    memories = found.retrieve_time_weighted("berth 12 floods", recency_weight=0.9)
    assert [memory.content == said for memory in memories] == [False, True]
    assert abs(memories[1].timestamp - old) < timedelta(seconds=1)
    recent = coordinator.retrieve("berth 12", since=datetime.now() - timedelta(hours=1))
    assert [memory.content == said for memory in recent] == [False]
    found.coordinator.close()


def test_an_agent_stores_in_the_background_and_another_retrieves(coordinator):
    names = run("001", "Pattern 1")

    class Builder(names["BuilderAgent"]):
        def _extract_steps(self):
            return "backoff, then a dead letter"

    builder = Builder()
    builder.implement_feature({"name": "retries"})
    builder.memory.close()
    [kept] = coordinator.list()
    assert kept.content == "Implemented retries: backoff, then a dead letter"
    assert (kept.type, kept.metadata["feature"], kept.metadata["success"]) == (
        "procedural", "retries", True,
    )  # fmt: skip
    coordinator.store("Decided that the importer retries three times", "episodic")

    class Architect(run("001", "Pattern 2")["ArchitectAgent"]):
        memory = coordinator

        def _generate_design(self, requirements, context):
            return requirements, context

    assert Architect().design_solution("how often does the importer retry?") == (
        "how often does the importer retry?", "Decided that the importer retries three times",
    )  # fmt: skip


def test_reminders_have_their_priority_in_a_word(coordinator, capsys):
    for number, priority in enumerate(("lowest", "low", "high", "urgent")):
        metadata = {"priority": priority}
        assert coordinator.store(f"TODO: rotate key {number}", "prospective", metadata).stored
    coordinator.store("TODO: paint the light house", "prospective", {"priority": 5})
    coordinator.store("TODO: rotate the last key", "prospective")
    run("001", "Pattern 3")["on_session_start"]()
    assert capsys.readouterr().out.splitlines() == [
        "Arrr! Ye have pending tasks, matey:",
        "  [MEDIUM] TODO: rotate the last key",
        "  [URGENT] TODO: paint the light house",
        "  [URGENT] TODO: rotate key 3",
        "  [HIGH] TODO: rotate key 2",
        "  [LOW] TODO: rotate key 1",
        "  [LOWEST] TODO: rotate key 0",
    ]


def test_working_memory_of_one_session_is_consolidated(coordinator):
    for session, gauge in (("s-1", 1), ("s-1", 2), ("s-2", 3)):
        text = f"Tide gauge {gauge} was read by hand"
        assert coordinator.store(text, "working", metadata={"session_id": session}).stored
    seen = []

    def significant(memories):
        seen.extend(memory.content for memory in memories)
        return [{"description": "Tide gauges are read by hand until the cable is laid"}]

    names = run("001", "Pattern 4", _identify_significant_patterns=significant)
    names["consolidate_session_memory"]("s-1")
    assert sorted(seen) == [f"Tide gauge {n} was read by hand" for n in (1, 2)]
    assert [memory.content for memory in coordinator.list("type:working")] == [
        "Tide gauge 3 was read by hand"
    ]
    [promoted] = coordinator.list("type:semantic")
    assert promoted.metadata["promoted_from"] == "working"


async def test_a_coroutine_stores_in_a_thread(coordinator):
    names = {"coordinator": coordinator, "prompt": "Why does berth 12 flood?"}
    before = asyncio.all_tasks()
    run("001", "Background Storage", **names)
    await asyncio.gather(*(asyncio.all_tasks() - before))
    assert [(memory.type, memory.content) for memory in coordinator.list()] == [
        ("working", "Why does berth 12 flood?")
    ]


def test_many_queries_share_a_connection(coordinator):
    for text in ("Berth 12 floods at spring tide", "The crane is oiled in May"):
        coordinator.remember(text)
    names = run("001", "Batch Retrieval", coordinator=coordinator)
    found = names["batch_retrieve"](["berth 12", "crane"])
    assert {query: memories[0].content for query, memories in found.items()} == {
        "berth 12": "Berth 12 floods at spring tide",
        "crane": "The crane is oiled in May",
    }


def test_the_printed_tests_pass():
    for name, test in {**run("001", "Unit Tests"), **run("001", "Integration Tests")}.items():
        if name.startswith("test_"):
            test()


# --- 003


PRINTED = ("outcome_impact", "reuse_frequency", "cross_agent_impact", "novelty", "user_signal",
           "cost_savings")  # fmt: skip


@pytest.mark.parametrize("number", range(6))
def test_importance_is_weighed_as_printed(number):
    factors = {name: float(place == number) for place, name in enumerate(PRINTED)}
    names = run("003", "Score Calculation", **factors)
    assert names["importance_score"] == [*WEIGHTS.values()][number]
