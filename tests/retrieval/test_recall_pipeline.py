"""From a prompt to the text, over a reader that holds images in memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.config.limits import BUDGET_TOLERANCE, RecallLimits
from memdeck.core.retrieval.pipeline import recall
from memdeck.core.retrieval.tokens import (
    ESTIMATES,
    estimate_tokens,
    strict_tokens,
    utf8_bytes,
    utf16_units,
)

ASKING = ("UserPromptSubmit", "PreToolUse", "SubagentStart", "TaskBoundary")
UNASKED = ("SessionStart", "PostCompact", "PreAssistantResponse")
NOTE = "Idempotency keys are stored in Redis for a day"
QUESTION = "where do we store idempotency keys?"


@pytest.fixture
def ask(shelf, limits, now_ms):
    """Recall from these images; keyword arguments go to recall, or to the shelf."""

    def run(images, prompt=QUESTION, *, over=None, limits=limits, **more):
        reader = over or shelf(
            images,
            **{k: more.pop(k) for k in ("scores", "pairs", "aliases", "summaries") if k in more},
        )
        return recall(reader, prompt, project="harbour", limits=limits, now_ms=now_ms, **more)

    return run


def shown(injection):
    return [hit.memory.content for hit in injection.items]


def reasons(injection):
    return dict(injection.left_out)


def words(count, *, of="berth"):
    return " ".join([of] * count)


def test_a_natural_question_finds(ask, an_image):
    injection = ask([an_image("The tide tables are in db/tides"), an_image(NOTE)])
    assert shown(injection) == [NOTE]
    [hit] = injection.items
    assert hit.matched == ("store", "idempotency", "keys")
    assert hit.score == pytest.approx(sum(hit.parts.values()))
    assert NOTE in injection.text
    assert injection.tokens == estimate_tokens(injection.text) <= injection.budget == 5_000


def test_without_anything_relevant_nothing_is_injected(ask, an_image, subtests):
    """000-48: an empty result is no injection."""
    rows = ["ok thanks", "", "…", "haiku about autumn", "fix the test"]
    for prompt in rows:
        with subtests.test(prompt=prompt):
            injection = ask([an_image(NOTE), an_image("Run every test on Mondays")], prompt)
            assert injection.text == ""
            assert injection.tokens == 0
            assert injection.items == ()


@pytest.mark.parametrize(
    ("prompt", "has_account"),
    [("fix the test", False), ("the storm pump fails a test of the berth lights", True)],
)
def test_common_words_alone_leave_no_account_that_tells_nothing(ask, an_image, prompt, has_account):
    images = [
        an_image("Run every test on Mondays"),
        an_image("Another test", session="elsewhere", privacy="private"),
    ]
    injection = ask(images, prompt)
    assert injection.text == ""
    assert bool(injection.left_out) is has_account


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart"])
def test_pinned_memories_come_with_every_event_even_with_small_talk(ask, an_image, event):
    """002-15, 002-18."""
    pinned = an_image("Never touch the auth middleware", status="pinned", importance=0.1)
    injection = ask([pinned], "ok thanks", event=event)
    assert shown(injection) == ["Never touch the auth middleware"]
    assert injection.per_tier["always"] > 0


def test_at_most_five_pinned_are_injected_and_the_rest_is_named(ask, an_image):
    """002-16: maxPinned 5."""
    pinned = [an_image(f"Pin {n}", status="pinned") for n in range(7)]
    injection = ask(pinned, "ok thanks")
    assert shown(injection) == [f"Pin {n}" for n in range(5)]
    assert [why for _, why in injection.left_out] == ["only 5 pinned are injected"] * 2
    assert ask(pinned, "ok", limits=RecallLimits(max_pinned=0)).text == ""


def test_a_pinned_memory_that_answers_is_shown_once(ask, an_image):
    injection = ask([an_image(NOTE, status="pinned")])
    assert shown(injection) == [NOTE]
    assert injection.per_tier["retrieval"] == 0


def test_a_pin_beyond_its_own_tier_takes_the_room_of_the_answers(ask, an_image):
    """Priority always before retrieval (002-19): 200-400 tokens, then the retrieval tier's."""
    long_pins = [an_image(words(200), status="pinned") for _ in range(3)]
    injection = ask([*long_pins, an_image(NOTE)])
    assert len(injection.items) == 4
    assert injection.per_tier["always"] <= injection.limits["always"] == 400
    assert injection.per_tier["retrieval"] > 2 * 260


def test_top_five_are_injected_and_each_other_says_why_not(ask, an_image):
    """002-15, 002-16: topK 15, minus 30 %, top 5."""
    images = [an_image(f"{NOTE} number {n}") for n in range(20)]
    injection = ask(images, scores={image["num"]: 90.0 - image["num"] / 100 for image in images})
    assert shown(injection) == [f"{NOTE} number {n}" for n in range(5)]
    why = list(reasons(injection).values())
    assert why.count("weakest of the running") == 4
    assert why.count("only 5 are injected") == 6


def test_at_most_two_of_one_session_are_injected_of_what_it_also_said(ask, an_image):
    """002-16: maxPerSource 2."""
    images = [an_image(f"{NOTE} {n}", session="s1") for n in range(2)]
    images += [an_image(f"The keys of shed {n} are heavy", session="s1") for n in range(3)]
    told = ask(images)
    assert {hit.id for hit in told.items} == {one["id"] for one in images[:2]}
    assert "2 of its session are ahead" in dict(told.left_out).values()


def test_a_session_with_five_good_answers_tells_all_five(ask, an_image):
    images = [an_image(f"{NOTE} {n}", session="s1") for n in range(7)]
    assert len(ask(images).items) == 5


def test_the_index_is_asked_within_the_limit(shelf, ask, an_image, limits):
    """002-16, 002-17."""
    reader = shelf([an_image(NOTE)])
    ask([], over=reader)
    ask([], over=reader, limits=limits.degraded())
    assert [limit for _, limit in reader.asked] == [500, 100]


def test_small_talk_does_not_even_ask_the_index(shelf, ask, an_image):
    reader = shelf([an_image(NOTE)])
    ask([], "ok thanks", over=reader)
    assert reader.asked == []


def test_aliases_widen_the_question(ask, an_image):
    """002-14."""
    assert shown(ask([an_image("The quay floods")], "berth floods", aliases={"berth": ["quay"]}))
    assert not shown(ask([an_image("The quay leaks")], "berth floods when", aliases={}))


def test_the_file_in_hand_decides_between_equals(ask, an_image):
    """002-15: file affinity, from the host or from the prompt itself."""
    images = [an_image(NOTE, files=["a/one.py"]), an_image(NOTE, files=["b/two.py"])]
    assert ask(images, files=["/src/b/two.py"]).items[0].memory.files == ("b/two.py",)
    assert ask(images, f"{QUESTION} see a/one.py").items[0].memory.files == ("a/one.py",)


def test_a_reranker_has_the_last_word_on_the_order(ask, an_image):
    """002-15: the reranker hook."""
    images = [an_image(f"{NOTE} {n}") for n in range(3)]
    plain = shown(ask(images))
    seen = []

    def backwards(prompt, ranked):
        seen.append(prompt)
        return list(reversed(ranked))

    assert shown(ask(images, rerank=backwards)) == plain[::-1]
    assert seen == [QUESTION]


def test_each_profile_finds(ask, an_image, subtests):
    for ranking in ["blend", "multiplicative", "additive"]:
        with subtests.test(ranking=ranking):
            images = [an_image("The tide tables"), an_image(NOTE)]
            assert shown(ask(images, limits=RecallLimits(ranking=ranking))) == [NOTE]


def test_working_memory_of_the_session_comes_always_and_only_there(ask, an_image):
    """000-18."""
    fields = {"type": "working", "scope": "task", "session": "s1"}
    image = an_image("Migrating berth tables", **fields)
    mine = ask([image], "ok thanks", session="s1")
    assert shown(mine) == ["Migrating berth tables"]
    assert mine.per_tier["working"] > 0
    assert ask([image], "ok thanks", session="s2").text == ""
    assert ask([image], "Migrating berth tables").text == ""


def test_both_sides_of_a_conflict_are_injected_with_the_marker(ask, an_image):
    """002-25: active conflicts are also checked on retrieval."""
    one = an_image(NOTE, short_id="a1b2c3d")
    rival = an_image("They live in Postgres", short_id="c3d4e5f")
    injection = ask([one, rival], pairs=[(rival["id"], one["id"])])
    assert shown(injection) == [NOTE, "They live in Postgres"]
    assert f'[⚠ CONFLICT] Entry #a1b2c3d says "{NOTE}" but Entry #c3d4e5f says' in injection.text
    assert "Verify which is current." in injection.text


def test_a_conflict_is_never_split_by_the_budget(ask, an_image):
    one, rival = an_image(f"{NOTE} {words(100)}"), an_image(words(400))
    other = an_image(f"{NOTE} elsewhere")
    injection = ask([one, rival, other], pairs=[(one["id"], rival["id"])], context_left=8_000)
    assert shown(injection) == [f"{NOTE} elsewhere"]
    assert {one["id"], rival["id"]} <= reasons(injection).keys()
    assert "tokens" in reasons(injection)[one["id"]]


def test_a_conflict_is_never_split_by_the_last_place(ask, an_image):
    images = [an_image(f"{NOTE} {n}") for n in range(6)]
    rival = an_image("They live in Postgres")
    scores = {image["num"]: 90.0 - image["num"] / 100 for image in images}
    injection = ask(
        [*images, rival],
        scores=scores,
        pairs=[(images[2]["id"], rival["id"])],
        limits=RecallLimits(injection_top_n=3),
    )
    assert shown(injection) == [f"{NOTE} {n}" for n in (0, 1, 3)]


def test_a_rival_that_is_hidden_is_not_dragged_in(ask, an_image):
    one, rival = an_image(NOTE), an_image("Elsewhere", privacy="private", session="s9")
    injection = ask([one, rival], pairs=[(one["id"], rival["id"])])
    assert shown(injection) == [NOTE]
    assert "CONFLICT" not in injection.text


def test_what_does_not_fit_is_skipped_and_the_next_is_tried(ask, an_image):
    """ "Settled": trimming skips and goes on."""
    big, small = an_image(f"{NOTE} {words(600)}"), an_image(f"{NOTE} briefly")
    images = [big, small]
    injection = ask(images, scores={big["num"]: 9.0, small["num"]: 8.0}, context_left=8_000)
    assert shown(injection) == [f"{NOTE} briefly"]
    assert "tokens" in reasons(injection)[big["id"]]


def test_types_get_their_share_when_there_is_not_room_for_all(ask, an_image):
    """000-42 inside 002's tier, when it is contended; what one leaves, the others use."""
    semantic = [an_image(f"{NOTE} {words(120)} {n}") for n in range(4)]
    procedural = an_image(f"{NOTE} {words(60)}", type="procedural")
    images = [*semantic, procedural]
    scores = {image["num"]: 90.0 - 20 * (image is procedural) for image in images}
    limits = RecallLimits(drop_bottom_share=0.0)
    injection = ask(images, scores=scores, context_left=20_000, limits=limits)
    kinds = [hit.memory.type for hit in injection.items]
    assert "procedural" in kinds
    assert kinds == sorted(kinds, key=["semantic", "procedural"].index)  # by rank
    assert injection.per_tier["retrieval"] <= 500


def test_the_five_type_policy_keeps_types_apart_and_has_more_places(ask, an_image):
    """000-35, 000-42, 000-46: at most 20, of which at most 15 semantic and 5 procedural."""
    images = [an_image(f"{NOTE} {n}") for n in range(20)]
    limits = RecallLimits(budget_policy="five-type", top_k=30, drop_bottom_share=0.0)
    assert len(ask(images, limits=limits).items) == 15
    images += [an_image(f"{NOTE} {n}", type="procedural") for n in range(10)]
    types = [hit.memory.type for hit in ask(images, limits=limits).items]
    assert (types.count("semantic"), types.count("procedural")) == (15, 5)
    long_ones = [an_image(f"{NOTE} {words(120)} {n}", type="prospective") for n in range(10)]
    injection = ask(long_ones, limits=limits, context_left=20_000)
    assert len(injection.items) == 1
    assert "for prospective are used" in "".join(reasons(injection).values())


def test_the_tiered_policy_keeps_a_share_for_global_memories(ask, an_image):
    """004-10."""
    own = [an_image(f"{NOTE} {words(150)} {n}") for n in range(4)]
    shared = an_image(f"{NOTE} {words(100)}", scope="global", project="")
    images = [*own, shared]
    scores = {image["num"]: 90.0 - image["num"] / 100 for image in images}
    limits = RecallLimits(budget_policy="tiered", drop_bottom_share=0.0)
    injection = ask(images, scores=scores, context_left=12_000, limits=limits)
    assert "global" in [hit.memory.scope for hit in injection.items]


def test_without_room_nothing_is_said(ask, an_image, subtests):
    for context in [-1, 0, 100, 500]:
        with subtests.test(context=context):
            injection = ask(
                [an_image(NOTE), an_image("Pin", status="pinned")], context_left=context
            )
            assert injection.text == ""
            assert len(injection.left_out) == 2


def test_a_session_starts_with_pins_open_todos_and_what_is_important(ask, an_image, now_ms):
    images = [
        an_image("Minor fact", importance=0.3),
        an_image("Old decision", importance=0.9, updated_at=now_ms - 400 * 86_400_000),
        an_image("Fresh decision", importance=0.9),
        an_image("Call the pilot", type="prospective", details={"status": "pending"}),
        an_image("Paint the crane", type="prospective", details={"status": "active"}),
        an_image(
            "Done long ago", type="prospective", details={"status": "completed"}, importance=1
        ),
        an_image("Never moor here", status="pinned"),
        an_image("An agent found that cranes rust", importance=0.9, status="candidate"),
        an_image("We repaired the sluice", importance=0.2, session="s0"),
        an_image("An agent found that sluices leak", session="s0", status="candidate"),
    ]
    ends_at = now_ms - 86_400_000
    summaries = [{"id": "x", "session": "s0", "goal": "Mend the sluice", "ends_at": ends_at}]
    injection = ask(images, "", event="SessionStart", summaries=summaries)
    assert shown(injection) == [
        "Never moor here",
        "Call the pilot",
        "Paint the crane",
        "Fresh decision",
        "Old decision",
    ]
    assert "Goal: Mend the sluice\nWatch out: We repaired the sluice<" in injection.text
    assert "An agent found" not in injection.text
    assert injection.per_tier["summary"] > 0


def test_importance_6_of_10_is_the_least_for_a_start(ask, an_image):
    """000-35."""
    images = [an_image("Five", importance=4 / 9), an_image("Six", importance=5 / 9)]
    assert shown(ask(images, "", event="SessionStart")) == ["Six"]


def test_a_session_of_an_empty_store_starts_in_silence(ask):
    assert ask([], "", event="SessionStart").text == ""


def test_each_host_gets_its_format(ask, an_image, subtests):
    """002-30."""
    rows = [
        ("claude", "<project_memory>"),
        ("gemini", "## Memory Context"),
        ("codex", "[project memory"),
    ]
    for host, start in rows:
        with subtests.test(host=host):
            assert ask([an_image(NOTE)], host=host).text.startswith(start)


CONTENT = st.text(max_size=1_500) | st.builds(
    lambda word, count: " ".join([word] * count),
    st.sampled_from(["idempotency keys", "漢字", "😀😀", "<&>", "a\u0301", "line\n"]),
    st.integers(1, 400),
)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_text_never_exceeds_budget_nor_cap_and_holds_whole_entries(data, shelf, an_image, now_ms):
    """Invariant 5: never above 105 % of the budget (we use none of the tolerance); 9,900 units."""
    images = [
        an_image(
            f"idempotency keys {data.draw(CONTENT)}",
            type=data.draw(st.sampled_from(["semantic", "episodic", "procedural", "working"])),
            status=data.draw(st.sampled_from(["confirmed", "pinned", "candidate"])),
            scope=data.draw(st.sampled_from(["project", "global"])),
            session=data.draw(st.sampled_from(["s1", "s2", None])),
            importance=data.draw(st.floats(0, 1)),
        )
        for _ in range(data.draw(st.integers(0, 12)))
    ]
    ids = [image["id"] for image in images]
    pairs = (
        data.draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)))) if ids else []
    )
    limits = RecallLimits(
        budget_policy=data.draw(st.sampled_from(["adaptive", "five-type", "tiered"])),
        max_output_units=data.draw(st.integers(500, 9_900)),
        token_estimate=data.draw(st.sampled_from(sorted(ESTIMATES))),
        head_tail=data.draw(st.integers(0, 3)),
    )
    host = data.draw(st.sampled_from(["claude", "gemini", "codex", "opencode"]))
    event = data.draw(st.sampled_from([*ASKING, *UNASKED]))
    injection = recall(
        shelf(images, pairs=pairs),
        QUESTION,
        project="harbour",
        limits=limits,
        now_ms=now_ms,
        host=host,
        session="s1",
        context_left=data.draw(st.none() | st.integers(-10, 200_000)),
        event=event,
    )
    length = utf16_units if host == "claude" else utf8_bytes
    assert length(injection.text) <= limits.max_output_units <= 9_900
    assert injection.tokens == ESTIMATES[limits.token_estimate].of(injection.text)
    assert injection.tokens <= injection.budget <= injection.budget * (1 + BUDGET_TOLERANCE)
    if host == "codex":
        assert strict_tokens(injection.text) <= 2_500
    assert sum(injection.per_tier.values()) <= injection.tokens
    assert all(injection.per_tier[tier] <= injection.limits[tier] for tier in injection.per_tier)
    shown_ids = [hit.id for hit in injection.items]
    assert len(shown_ids) == len(set(shown_ids))
    assert bool(injection.text) == bool(shown_ids)
    assert not set(shown_ids) & {memory_id for memory_id, _ in injection.left_out}
    assert injection.costs.keys() == injection.tiers.keys() == set(shown_ids)
    assert sum(injection.costs.values()) <= injection.tokens
    assert 0 <= injection.compression_ratio <= 1
    if host == "claude" and limits.budget_policy != "five-type":
        assert injection.text.count("<memory ") == len(shown_ids)
    visible = {
        i["id"]
        for i in images
        if i["session"] == "s1"
        or (i["type"] != "working" and (event in ASKING or i["status"] != "candidate"))
    }  # where nobody asks, what is unproven stays away
    for one, other in pairs:
        if one in visible and other in visible:
            assert (one in shown_ids) == (other in shown_ids)
