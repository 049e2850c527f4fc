"""The budget policy `tiered`: task, project and global memory side by side."""

import pytest

ASKED = "which sluice opens at high water?"


@pytest.fixture
def sluices(core):
    """Put memories of a kind into a scope: `sluices("project", 3, words=40)`."""

    def put(scope, count, words=0, **fields):
        core.import_memories(
            {
                "content": f"Sluice {scope[0]}{number} opens at high water {'rope ' * words}",
                "scope": scope,
                "key": f"{scope} {number}",
                **fields,
            }
            for number in range(count)
        )

    return put


def told(core, prompt=ASKED, **more):
    return core.recall(prompt, policy="tiered", write_receipt=False, **more)


def by_scope(injection):
    sums = {"task": 0, "project": 0, "global": 0}
    for hit in injection.items:
        sums[hit.memory.scope] += injection.costs[hit.id]
    return sums


def test_40_of_100_are_for_the_task_40_for_the_project_20_for_everywhere(core, sluices, settings):
    settings(token_estimate="words", injection_top_n=50, top_k=100, drop_bottom_share=0.0)
    sluices("project", 40, words=15)
    sluices("global", 40, words=15)
    for number in range(20):
        core.create_working_memory(f"Look at sluice {number} {'rope ' * 15}", "s1")
    injection = told(core, context_left=20_000, session="s1")
    assert injection.budget == 1_600
    tokens = by_scope(injection)
    assert 560 < tokens["task"] <= 640
    assert 560 < tokens["project"] <= 640
    assert 220 < tokens["global"] <= 320  # the frame takes its few from the last
    assert injection.tokens <= 1_600


def test_what_one_scope_leaves_another_uses(core, sluices, settings):
    """Shares, and a total that is always a hard limit."""
    settings(token_estimate="words", injection_top_n=50, top_k=100, drop_bottom_share=0.0)
    sluices("project", 80, words=15)
    injection = told(core, context_left=20_000)
    assert 640 < by_scope(injection)["project"] <= 960
    assert injection.tokens <= injection.budget


def test_settings_and_a_ceiling_adjust_it_for_a_project(core, sluices, settings):
    settings(budget_policy="tiered", context_share=0.02)
    sluices("project", 2)
    injection = core.recall(ASKED, context_left=50_000, write_receipt=False)
    assert (injection.policy, injection.budget) == ("tiered", 1_000)
    core.set_ceiling(300)
    assert told(core, context_left=50_000).budget == 300


@pytest.mark.parametrize("context_left", [5_000, 10_000, 20_000])
def test_no_more_memories_than_a_tenth_of_the_tokens(core, sluices, settings, context_left):
    """About 10 tokens per item assumed for limits."""
    settings(injection_top_n=50, top_k=100, drop_bottom_share=0.0)
    sluices("project", 50)
    injection = told(core, context_left=context_left)
    assert 0 < len(injection.items) <= injection.budget // 10
    assert min(injection.costs.values()) >= 10


def test_the_task_is_told_always_the_rest_when_it_answers(core, sluices, settings):
    settings(drop_bottom_share=0.0)
    sluices("project", 2)
    sluices("global", 2)
    task = core.create_working_memory("Look at the crane", "s1").id
    small_talk = told(core, "ok thanks", session="s1")
    assert [hit.id for hit in small_talk.items] == [task]
    answered = told(core, session="s1")
    assert answered.items[0].id == task
    assert {hit.memory.scope for hit in answered.items} == {"task", "project", "global"}
    scores = [hit.score for hit in answered.items[1:]]
    assert scores == sorted(scores, reverse=True)


def test_a_task_that_needs_more_than_its_share_is_told_before_any_answer(core, sluices):
    sluices("project", 3)
    for number in range(20):
        core.create_working_memory(f"Look at sluice {number} {'rope ' * 15}", "s1")
    injection = told(core, context_left=10_000, session="s1")
    tokens = by_scope(injection)
    assert tokens["task"] > 0.4 * injection.budget
    assert injection.tokens <= injection.budget == 800
    assert injection.items[0].memory.type == "working"


def test_global_memory_comes_by_its_category_at_a_start(core, open_core, keep):
    keep(
        {
            "content": "Prefers short answers",
            "category": "preference",
            "scope": "global",
            "importance": 0.2,
            "key": "preference",
        },
        {
            "content": "Retry with jitter",
            "category": "pattern",
            "scope": "global",
            "importance": 0.2,
            "key": "pattern",
        },
    )
    start = told(open_core("airport"), "", event="SessionStart")
    assert [hit.key for hit in start.items] == ["preference"]
    assert start.items[0].parts == {"profile": 0.2}  # imported: nobody said that it is theirs
    assert told(core, "", event="SessionStart", context_left=300).items == ()  # no budget for it


def test_of_equals_the_most_important_are_selected_and_what_does_not_fit_is_skipped(
    core, sluices, settings
):
    core.import_memories(
        {
            "content": f"Sluice {name} opens at high water {'rope ' * words}",
            "importance": importance,
            "key": name,
        }
        for name, importance, words in (
            ("least", 0.1, 0),
            ("most", 0.9, 0),
            ("huge", 1.0, 500),
            ("second", 0.6, 0),
        )
    )
    settings(injection_top_n=4, drop_bottom_share=0.0)
    injection = told(core, context_left=10_000)
    assert [hit.key for hit in injection.items] == ["most", "second", "least"]
    assert "tokens" in dict(injection.left_out)[core.show("huge").id]
    settings(injection_top_n=2, drop_bottom_share=0.0)
    assert [hit.key for hit in told(core, context_left=10_000).items] == ["most", "second"]


@pytest.mark.parametrize(
    ("kept", "names"), [(0, {"4", "3"}), (1, {"0", "4"}), (2, {"0", "1", "3", "4"})]
)
def test_the_head_and_the_tail_are_preserved_when_told_to(core, settings, clock, kept, names):
    settings(head_tail=kept, injection_top_n=2 * kept or 2, drop_bottom_share=0.0)
    for number in range(5):
        core.import_memories(
            [{"content": f"Sluice {number} opens at high water", "key": str(number)}]
        )
        clock.forward(days=30)
    assert {hit.key for hit in told(core).items} == names


def test_the_compression_ratio_is_the_share_of_tokens_that_was_told(core, sluices, settings):
    settings(injection_top_n=1, drop_bottom_share=0.0)
    sluices("project", 4)
    injection = core.recall(ASKED, policy="tiered")
    assert injection.compression_ratio == pytest.approx(1 / 4, abs=0.01)
    assert core.receipts()[0].compression_ratio == pytest.approx(1 / 4, abs=0.01)
    settings(drop_bottom_share=0.0)
    assert told(core).compression_ratio == pytest.approx(1.0)
    assert told(core, "ok thanks").compression_ratio == 0.0
