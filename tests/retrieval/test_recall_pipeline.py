"""From a prompt to the text: who is told, what is not, and why."""

import html
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from memdeck import MemoryCoordinator, open_memory

ASKING = ("UserPromptSubmit", "PreToolUse", "SubagentStart", "TaskBoundary")
UNASKED = ("SessionStart", "PostCompact", "PreAssistantResponse")
NOTE = "Idempotency keys are stored in Redis for a day"
QUESTION = "where do we store idempotency keys?"


@pytest.fixture
def ask(core):
    """Recall for a prompt; nothing is noted of it."""
    return lambda prompt=QUESTION, **more: core.recall(prompt, write_receipt=False, **more)


def shown(injection):
    return [hit.memory.content for hit in injection.items]


def reasons(injection):
    return dict(injection.left_out)


def words(count, *, of="berth"):
    return " ".join([of] * count)


def by_importance(*notes, step=0.02):
    """The notes, the first the best answer of otherwise equal ones."""
    return [{"content": note, "importance": 0.9 - step * place} for place, note in enumerate(notes)]


def test_a_natural_question_finds(ask, keep):
    keep("The tide tables are in db/tides", NOTE)
    injection = ask()
    assert shown(injection) == [NOTE]
    [hit] = injection.items
    assert hit.matched == ("store", "idempotency", "keys")
    assert hit.score == pytest.approx(sum(hit.parts.values()))
    assert NOTE in injection.text
    assert 0 < injection.tokens <= injection.budget == 5_000


def test_without_anything_relevant_nothing_is_injected(ask, keep, subtests):
    """An empty result is no injection. Common words leave no account of nothing."""
    keep(NOTE, "Run every test on Mondays")
    keep("Another test", session="elsewhere", privacy="private")
    for prompt in ["ok thanks", "", "…", "haiku about autumn", "fix the test"]:
        with subtests.test(prompt=prompt):
            injection = ask(prompt)
            assert (injection.text, injection.tokens, injection.items) == ("", 0, ())
            assert injection.left_out == ()
    longer = ask("the storm pump fails a test of the berth lights")
    assert (longer.text, bool(longer.left_out)) == ("", True)


@pytest.fixture
def crowd(open_core):
    """More, of more importance, than any list holds: of another project, and what is forgotten."""
    kinds = (
        {"status": "pinned"},
        {"category": "preference"},
        {},
        {"type": "prospective", "details": {"priority": 5}},
    )
    notes = [
        {"content": f"Of ship {n}, {kind}", "importance": 1.0, "category": "discovery", **kind}
        for n in range(12)
        for kind in kinds
    ]
    open_core("shipyard").import_memories(notes)
    own = open_core()
    own.forget([str(one) for one in own.import_memories(notes).ids])


@pytest.mark.usefixtures("crowd")
def test_pinned_memories_come_with_every_event_even_with_small_talk(ask, keep):
    """One that answers is shown once."""
    keep(NOTE, status="pinned", importance=0.1)
    for event in ("UserPromptSubmit", "SessionStart"):
        injection = ask("ok thanks", event=event)
        assert shown(injection) == [NOTE]
        assert injection.per_tier["always"] > 0
    answered = ask()
    assert shown(answered) == [NOTE]
    assert answered.per_tier["retrieval"] == 0


def test_at_most_five_pinned_are_injected_and_the_rest_is_named(ask, keep, settings):
    keep(*by_importance(*(f"Pin {n}" for n in range(7))), status="pinned")
    injection = ask("ok thanks")
    assert shown(injection) == [f"Pin {n}" for n in range(5)]
    assert [why for _, why in injection.left_out] == ["only 5 pinned are injected"] * 2
    settings(max_pinned=0)
    assert ask("ok").text == ""
    assert [why for _, why in ask("ok").left_out] == ["only 0 pinned are injected"] * 5


def test_a_pin_beyond_its_own_tier_takes_the_room_of_the_answers(ask, keep):
    """Priority always before retrieval: 200-400 tokens, then the retrieval tier's."""
    keep(*(f"{n} {words(200)}" for n in range(3)), status="pinned")
    keep(NOTE)
    injection = ask()
    assert len(injection.items) == 4
    assert injection.per_tier["always"] <= injection.limits["always"] == 400
    assert injection.per_tier["retrieval"] > 2 * 200


def test_top_five_are_injected_and_each_other_says_why_not(ask, keep):
    keep(*by_importance(*(f"{NOTE} number {n}" for n in range(20))))
    injection = ask()
    assert shown(injection) == [f"{NOTE} number {n}" for n in range(5)]
    why = list(reasons(injection).values())
    assert why.count("weakest of the running") == 4
    assert why.count("only 5 are injected") == 6


def test_the_running_is_the_top_15_without_its_weakest_30_percent(core, ask, keep, settings, clock):
    """Three or fewer all stay."""
    settings(injection_top_n=20)
    ids = keep(
        *(
            {
                "content": f"{NOTE} {n}",
                "created_at": (clock.now - timedelta(days=9 * n)).isoformat(),
            }
            for n in range(16)
        )
    )
    for count, kept in ((16, 11), (15, 11), (14, 10), (10, 7), (7, 5), (6, 5), (4, 3), (3, 3)):
        core.forget([one for one in ids[count:] if core.show(one).is_live])
        assert [hit.id for hit in ask().items] == ids[:kept], count


def test_of_one_session_two_are_injected_and_the_best_matches(ask, keep, settings):
    """maxPerSource 2. It hides no answer."""
    settings(drop_bottom_share=0.0)
    asked = "which crane and which gate and which sluice have keys?"
    weak = {"importance": 0.0, "created_at": "2010-01-01"}
    two = (
        "The crane and the gate of the north pier have keys",
        "At the south pier crane and gate have keys too",
    )
    third = "A porter of the yard in the north rings a bell each night before he locks the gate"
    keep(two[0], session="a")
    [held_back] = keep({"content": third, **weak}, session="a")
    assert reasons(ask(asked)) == {}
    keep(two[1], session="a")
    assert shown(ask(asked)) == [*two]
    assert reasons(ask(asked)) == {held_back: "2 of its session are ahead"}
    keep("The crane and the gate beside the quay have keys", session="b")
    assert reasons(ask(asked)) == {held_back: "2 of its session are ahead"}
    weaker = "A lamp of the depot burns all night, and in the dark hangs a key beside the gate"
    keep({"content": weaker, **weak}, session="c")
    assert shown(ask(asked))[-1] == weaker
    assert reasons(ask(asked)) == {held_back: "2 of its session are ahead"}
    keep(*(f"{NOTE} {n}" for n in range(7)), session="a")
    assert len(ask().items) == 5
    keep("Capstans are greased in May", "Iron capstans rust at the pier", session="d")
    keep("A porter locks the capstans each night and hangs the key behind a door", session="d")
    assert len(ask("capstans").items) == 3  # each has all words of the prompt
    keep(*(f"Berth {n} is dry" for n in range(20)))
    keep("Bollards rust", "Bollards are painted", "Bollards are old", session="e")
    keep(f"{words(30, of='rope')} and winches stand beside bollards", session="f")
    assert len(ask("bollards and winches").items) == 4  # fewer words, but the best scores


def test_the_index_is_asked_within_the_limit_and_not_at_all_for_small_talk(core, ask, keep):
    keep(*(f"{NOTE} number {n}" for n in range(3)))
    asked = []
    core._store.connection.set_trace_callback(asked.append)
    ask()
    assert any("LIMIT 500" in statement for statement in asked)
    asked.clear()
    ask("ok thanks")
    core._store.connection.set_trace_callback(None)
    assert not any("MATCH" in statement for statement in asked)


def test_the_file_in_hand_decides_between_equals(ask, keep):
    """File affinity, from the host or from the prompt itself."""
    keep({"content": f"{NOTE} once", "files": ["a/one.py"]})
    keep({"content": f"{NOTE} twice", "files": ["b/two.py"]})
    assert ask(files=["/src/b/two.py"]).items[0].memory.files == ("b/two.py",)
    assert ask(f"{QUESTION} see a/one.py").items[0].memory.files == ("a/one.py",)


def test_a_conflict_is_never_split_by_the_budget(core, ask, keep):
    one, rival, _ = keep(f"{NOTE} {words(100)}", words(400), f"{NOTE} elsewhere")
    core.mark_conflict(one, rival)
    injection = ask(context_left=8_000)
    assert shown(injection) == [f"{NOTE} elsewhere"]
    assert {one, rival} <= reasons(injection).keys()
    assert "tokens" in reasons(injection)[one]


def test_a_conflict_brings_in_the_conflicts_of_its_other_side(core, ask, keep):
    ids = keep(NOTE, "Postgres has them", "A file has them")
    for pair in pairwise(ids):
        core.mark_conflict(*pair)
    assert [hit.id for hit in ask().items] == ids


def test_the_five_type_policy_keeps_types_apart_and_has_more_places(core, ask, keep, settings):
    """At most 20, of which at most 15 semantic and 5 procedural."""
    settings(budget_policy="five-type", drop_bottom_share=0.0)
    keep(*(f"{NOTE} {n}" for n in range(20)), type="semantic")
    assert len(ask().items) == 15
    procedures = keep(*(f"{NOTE} {n} steps" for n in range(10)), type="procedural")
    types = [hit.memory.type for hit in ask().items]
    assert (types.count("semantic"), types.count("procedural")) == (15, 5)
    settings(budget_policy="five-type")
    types = [hit.memory.type for hit in ask().items]
    assert (types.count("semantic"), types.count("procedural")) == (11, 5)
    settings(budget_policy="five-type", drop_bottom_share=0.0)
    events = keep(*(f"{NOTE} {n} again" for n in range(10)), type="episodic")
    assert len(ask().items) == 20
    core.forget([*procedures, *events, *(one.id for one in core.list("type:semantic"))])
    keep(*(f"{NOTE} {words(120)} {n}" for n in range(10)), type="prospective")
    injection = ask(context_left=20_000)
    assert len(injection.items) == 1
    assert "for prospective are used" in "".join(reasons(injection).values())


CONTENT = st.text(max_size=900) | st.builds(
    lambda word, count: " ".join([word] * count),
    st.sampled_from(
        [
            *(
                "idempotency keys",
                "漢字かな交",
                "한글 자",
                "жду ок",
                "قاعدة",
                "ทดสอบ",
                "éñ ç e\u0301",
            ),
            *("😀👩\u200d🚀🇩🇪", "<&>", "line\n", "{a_b[0].c}", "9f86d081a"),
        ]
    ),
    st.integers(1, 200),
)


@pytest.fixture(scope="module")
def property_home(tmp_path_factory):
    """A home for many small projects."""
    home = tmp_path_factory.mktemp("property") / "home"
    with open_memory(home, "harbour"):
        pass
    return home


@pytest.mark.slow
@examples(deadline=None, max_examples=45)
@given(data=st.data())
def test_a_text_never_exceeds_budget_nor_cap_and_holds_whole_entries(data, property_home):
    """Invariant 5: never above 105 % of the budget (we use none of the tolerance); 9,900 units;
    never half a character, entry or conflict pair."""
    limits = {
        "budget_policy": data.draw(st.sampled_from(["adaptive", "five-type", "tiered"])),
        "max_output_units": data.draw(st.integers(500, 9_900)),
        "token_estimate": data.draw(st.sampled_from(["words", "strict"])),
        "head_tail": data.draw(st.integers(0, 3)),
    }
    text = "".join(f"{name} = {value!r}\n" for name, value in limits.items())
    (property_home / "config.toml").write_text(f"[recall]\n{text}")
    notes = [
        {
            "content": f"idempotency keys of {number} {data.draw(CONTENT)}",
            "type": data.draw(st.sampled_from(["semantic", "episodic", "procedural", "working"])),
            "status": data.draw(st.sampled_from(["confirmed", "pinned", "candidate"])),
            "session": data.draw(st.sampled_from(["s1", "s2", None])),
            "importance": data.draw(st.floats(0, 1)),
        }
        for number in range(data.draw(st.integers(0, 9)))
    ]
    host = data.draw(st.sampled_from(["claude", "gemini", "codex", "opencode"]))
    event = data.draw(st.sampled_from([*ASKING, *UNASKED]))
    asked = {
        "host": host,
        "session": "s1",
        "context_left": data.draw(st.none() | st.integers(-10, 120_000)),
        "event": event,
    }
    with MemoryCoordinator.open(property_home, f"p{data.draw(st.uuids())}") as core:
        ids = [one for one in core.import_memories(notes).ids if one]
        kept = {one.id: one for one in core.list()}
        live = [one for one in dict.fromkeys(ids) if one in kept]
        pairs = set()
        if len(live) > 1:
            for _ in range(data.draw(st.integers(0, 3))):
                pair = data.draw(
                    st.lists(st.sampled_from(live), min_size=2, max_size=2, unique=True)
                )
                core.mark_conflict(*pair)
                pairs.add(tuple(pair))
        injection = core.recall(QUESTION, write_receipt=False, **asked)
    told = injection.text
    in_units = len(told.encode("utf-16-le")) // 2 if host == "claude" else len(told.encode())
    assert in_units <= limits["max_output_units"] <= 9_900
    if limits["token_estimate"] == "words":
        assert injection.tokens == int(len(told.split()) * 1.3)
    assert injection.tokens <= injection.budget
    if host == "codex":
        assert sum(sign > "\u2e80" for sign in told) <= injection.budget <= 2_500
    assert sum(injection.per_tier.values()) <= injection.tokens
    assert all(injection.per_tier[tier] <= injection.limits[tier] for tier in injection.per_tier)
    shown_ids = [hit.id for hit in injection.items]
    assert len(shown_ids) == len(set(shown_ids))
    assert bool(told) == bool(shown_ids)
    assert not set(shown_ids) & {memory_id for memory_id, _ in injection.left_out}
    assert injection.costs.keys() == injection.tiers.keys() == set(shown_ids)
    assert sum(injection.costs.values()) <= injection.tokens
    assert 0 <= injection.compression_ratio <= 1
    if host == "claude" and limits["budget_policy"] != "five-type":
        assert told.count("<memory>") + told.count("<task>") == len(shown_ids)
    laid_out = html.unescape(told).replace("\n      ", "\n")
    for hit in injection.items:
        assert hit.memory.content in laid_out
    visible = {
        one.id
        for one in kept.values()
        if one.origin.session == "s1"
        or (one.type != "working" and (event in ASKING or one.status != "candidate"))
    }  # where nobody asks, what is unproven stays away
    for one, other in pairs:
        if one in visible and other in visible:
            assert (one in shown_ids) == (other in shown_ids)
