"""Tokens: how they are counted, and who gets how many."""

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.config.limits import BUDGET_TOLERANCE, RecallLimits
from memdeck.core.retrieval.budget import (
    TIERS,
    TYPE_SHARES,
    adaptive_row,
    adaptive_total,
    allocate,
    type_shares,
    widened,
)
from memdeck.core.retrieval.pipeline import head_and_tail, recall
from memdeck.core.retrieval.selection import Ranked
from memdeck.core.retrieval.tokens import (
    ESTIMATES,
    estimate_tokens,
    strict_tokens,
    utf8_bytes,
    utf16_units,
)


def test_an_estimate_is_the_whole_part_of_words_times_1_3(subtests):
    """000-41."""
    for words, tokens in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (10, 13), (1_000, 1_300)]:
        with subtests.test(words=words):
            assert estimate_tokens(" \n".join(["word"] * words)) == tokens


def test_lengths_are_counted_as_hosts_do():
    assert (utf16_units("aé€😀"), utf8_bytes("aé€😀")) == (5, 10)
    assert (utf16_units(""), utf8_bytes("")) == (0, 0)
    assert utf8_bytes("\ud800") == 1


@given(st.text())
def test_bytes_are_never_fewer_than_utf16_units(text):
    clean = text.encode("utf-8", "replace").decode()
    assert utf8_bytes(clean) >= utf16_units(clean) == len(clean.encode("utf-16-le")) // 2


def test_the_table_holds_as_written_and_the_total_always_wins(subtests):
    """002-19 and "Settled": lower tiers shrink first until the parts fit."""
    rows = [
        (100_000, 5_000, (400, 2_300, 1_500, 600)),
        (50_000, 4_000, (320, 1_840, 1_196, 600)),
        (20_000, 1_600, (200, 700, 500, 200)),
        (8_000, 640, (200, 500, 300, 200)),
    ]
    for context, total, row in rows:
        with subtests.test(context=context):
            allocation = allocate(RecallLimits(), context)
            assert allocation.total == total
            assert tuple(allocation.row[tier] for tier in TIERS) == row
            limits = allocation.limits
            assert sum(limits.values()) <= total
            left = total
            for tier, wanted in zip(TIERS, row, strict=True):
                assert limits[tier] == min(wanted, left)
                left -= limits[tier]


def test_with_8000_tokens_left_the_lower_tiers_give_way():
    assert allocate(RecallLimits(), 8_000).limits == {
        "always": 200,
        "working": 440,
        "retrieval": 0,
        "summary": 0,
    }


def test_an_unknown_context_counts_as_100000():
    """000-40."""
    assert allocate(RecallLimits()) == allocate(RecallLimits(), 100_000)


def test_the_total_is_8_percent_up_to_the_ceiling(subtests):
    rows = [(-5, 0), (0, 0), (12, 0), (13, 1), (62_499, 4_999), (62_500, 5_000), (10**9, 5_000)]
    for context, total in rows:
        with subtests.test(context=context):
            assert adaptive_total(RecallLimits(), context) == total


@given(st.integers(0, 60_000))
def test_rows_grow_with_the_total(total):
    row, next_row = adaptive_row(total), adaptive_row(total + 1)
    assert all(row[tier] <= next_row[tier] for tier in TIERS)
    if total <= 5_000:  # 002-18
        assert 200 <= row["always"] <= 400
        assert 300 <= row["retrieval"] <= 1_500
        assert 200 <= row["summary"] <= 600


def test_a_raised_ceiling_raises_every_tier():
    """002-23."""
    allocation = allocate(RecallLimits().with_ceiling(10_000), 200_000)
    assert allocation.total == 10_000
    assert tuple(allocation.row[tier] for tier in TIERS) == (800, 4_600, 3_000, 1_200)


@given(
    st.integers(0, 2_000_000),
    st.integers(100, 50_000),
    st.sampled_from(["adaptive", "five-type", "tiered"]),
    st.text(max_size=40),
)
def test_the_parts_of_every_policy_fit_the_total(context, ceiling, policy, prompt):
    limits = RecallLimits(budget_policy=policy, max_budget_tokens=ceiling)
    allocation = allocate(limits, context, prompt)
    assert sum(allocation.limits.values()) <= allocation.total
    assert all(value >= 0 for value in allocation.limits.values())


def test_the_five_type_policy_has_000s_numbers():
    """000-40, 000-42, 000-18."""
    allocation = allocate(RecallLimits(budget_policy="five-type"))
    assert allocation.total == 8_000
    assert allocation.shares == {
        "episodic": 2_000,
        "semantic": 3_000,
        "prospective": 1_000,
        "procedural": 2_000,
    }
    assert allocation.shares_are_hard
    assert allocation.row["working"] == 1_000
    assert allocation.places == 20
    assert allocate(RecallLimits(budget_policy="five-type"), 50_000).total == 4_000


def test_the_words_of_a_prompt_move_500_tokens(subtests):
    """000-43."""
    rows = [
        ("what is on the TODO list", {"prospective": 1_500, "semantic": 2_500}),
        ("which task comes next", {"prospective": 1_500, "semantic": 2_500}),
        ("how to release", {"procedural": 2_500, "episodic": 1_500}),
        ("the procedure for tasks", {"procedural": 2_500, "prospective": 1_500}),
        ("anything else", {}),
    ]
    for prompt, moved in rows:
        with subtests.test(prompt=prompt):
            shares = allocate(RecallLimits(budget_policy="five-type"), None, prompt).shares
            assert {name: shares[name] for name in moved} == moved
            assert sum(shares.values()) == 8_000


@given(st.text())
def test_shares_always_add_up(prompt):
    assert sum(type_shares(prompt).values()) == pytest.approx(1.0)


def test_the_retrieval_tier_is_shared_by_type():
    """ "Settled": 000's type shares inside 002's retrieval tier."""
    allocation = allocate(RecallLimits(), 100_000)
    assert allocation.shares == {name: int(1_500 * part) for name, part in TYPE_SHARES.items()}
    assert not allocation.shares_are_hard
    assert allocation.share_of("social") == allocation.shares["prospective"]  # 001-13


def test_the_tiered_policy_is_40_40_20():
    """004-10."""
    allocation = allocate(RecallLimits(budget_policy="tiered"), 50_000)
    assert allocation.row["working"] == 1_600
    assert allocation.shares == {"project": 1_600, "global": 800}
    assert allocation.shares_by == "scope"


def test_a_strict_estimate_counts_letters_digits_signs_and_writing(subtests):
    rows = [
        ("", 0),
        ("a", 1),
        ("abcde", 1),
        ("abcdef", 2),
        ("1", 1),
        ("12", 1),
        ("123", 2),
        ("a.b", 3),
        ("漢字", 2),
        ("한글", 3),
        ("жук", 3),
        ("éé", 4),
        ("😀", 4),
        ("a\nb", 3),
        ("a b", 2),
        ("a  b", 3),
    ]
    for text, tokens in rows:
        with subtests.test(text=text):
            assert strict_tokens(text) == tokens


@pytest.mark.parametrize("name", sorted(ESTIMATES))
@given(pieces=st.lists(st.text(max_size=30).map(str.strip), max_size=8))
def test_an_estimate_adds_up_over_lines(name, pieces):
    estimate = ESTIMATES[name]
    parts = [estimate.count(piece) + estimate.line for piece in pieces]
    whole = estimate.count("\n".join(pieces)) + (estimate.line if pieces else 0)
    assert whole == sum(parts)
    assert estimate.of("\n".join(pieces)) <= estimate.tokens(sum(parts))


def test_what_words_miss_the_strict_estimate_sees(subtests):
    rows = [
        ("統合テストを実行する前に、データベースを起動する必要があります。", True),
        ("def test_a(b: int) -> None: assert b[0] == {'x': 1}", True),
        ("/usr/lib/python3/dist-packages/foo_bar/baz.py", True),
        ("the tests run on one of the old hosts in the lab", False),
    ]
    for text, strict_is_more in rows:
        with subtests.test(text=text):
            assert (strict_tokens(text) > 1.5 * estimate_tokens(text)) is strict_is_more


@pytest.mark.parametrize("policy", ["adaptive", "five-type", "tiered"])
@pytest.mark.parametrize(
    ("host", "most"), [("codex", 2_500), ("Codex", 2_500), ("claude", None), ("gemini", None)]
)
def test_what_a_host_takes_is_a_ceiling_for_every_policy(policy, host, most):
    limits = RecallLimits(budget_policy=policy)
    total = allocate(limits, None, "", host).total
    assert total == (most or allocate(limits).total)
    assert allocate(limits, 10_000, "", host).total == 800  # below the ceiling it decides nothing


def test_five_type_holds_so_many_of_each_type():
    """000-46, 001-16."""
    allocation = allocate(RecallLimits(budget_policy="five-type"))
    assert allocation.most == {
        "episodic": 10,
        "semantic": 15,
        "prospective": 10,
        "procedural": 5,
    }
    assert allocate(RecallLimits()).most == {}
    assert widened(RecallLimits(budget_policy="five-type")).top_k == 30
    assert widened(RecallLimits(budget_policy="five-type").degraded()).top_k == 10
    assert widened(RecallLimits()) == RecallLimits()


def test_the_oldest_and_the_newest_are_kept_first(an_image, subtests):
    """004-12: head and tail; of no more than twice as many all stay as they are."""
    rows = [
        (0, "abcdefg"),
        (1, "adbcefg"),
        (2, "adefbcg"),
        (3, "abdefgc"),
        (4, "abcdefg"),
    ]
    for count, order in rows:
        with subtests.test(count=count):
            ages = {"a": 1, "b": 4, "c": 5, "d": 9, "e": 8, "f": 2, "g": 6}  # by rank, their time
            units = [[Ranked(an_image(name, created_at=at), 1.0, {})] for name, at in ages.items()]
            kept = head_and_tail(units, count)
            assert "".join(unit[0].image["content"] for unit in kept) == order


def test_head_and_tail_are_kept_under_tiered_alone(an_image, shelf, now_ms):
    images = [
        an_image(f"idempotency keys of store {n} {n}", created_at=now_ms - n * 1_000)
        for n in range(10)
    ]
    newest, oldest = images[0]["id"], images[6]["id"]  # of the seven that stay in the running

    def told(policy, **more):
        limits = RecallLimits(budget_policy=policy, injection_top_n=2, **more)
        found = recall(
            shelf(images), "idempotency keys", project="harbour", limits=limits, now_ms=now_ms
        )
        return {hit.id for hit in found.items}

    assert told("tiered", head_tail=1) == {newest, oldest}
    assert told("adaptive", head_tail=1) == told("adaptive") != {newest, oldest}


def test_compression_is_the_share_of_tokens_that_was_told(an_image, shelf, now_ms):
    """004-12: tokens of what was selected, over those of what was in question."""
    images = [an_image(f"idempotency keys of store {n} {n}") for n in range(3)]

    def ratio(places, given):
        return recall(
            shelf(given),
            "idempotency keys",
            project="harbour",
            limits=RecallLimits(injection_top_n=places),
            now_ms=now_ms,
        ).compression_ratio

    assert ratio(5, images) == 1.0
    assert ratio(1, images) == pytest.approx(1 / 3)
    assert ratio(5, []) == 0.0


SCRIPTS = {
    "latin": "abcde fg ",
    "accents": "éñ ç e\u0301",
    "cyrillic": "жду ок ",
    "cjk": "漢字かな交",
    "hangul": "한글 자",
    "arabic": "قاعدة ",
    "thai": "ทดสอบ",
    "emoji": "😀👩\u200d🚀🇩🇪",
    "code": "{a_b[0].c}",
    "hash": "9f86d081a",
}


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["adaptive", "five-type", "tiered"])
@settings(deadline=None, max_examples=40)
@given(
    data=st.data(),
    host=st.sampled_from(["claude", "gemini", "codex", "opencode"]),
    script=st.sampled_from(sorted(SCRIPTS)),
)
def test_whole_entries_within_the_budget_for_every_policy_host_and_script(
    data, policy, host, script, an_image, shelf, now_ms
):
    """Invariant 5: never above 105 %, never half a character, entry or conflict pair."""
    lengths = data.draw(st.lists(st.integers(1, 300), min_size=1, max_size=9))
    images = [
        an_image(f"dredging berth {n} {SCRIPTS[script] * length}".strip(), type=kind)
        for n, (length, kind) in enumerate(
            zip(lengths, ["semantic", "episodic", "procedural"] * 3, strict=False)
        )
    ]
    pairs = [(images[0]["id"], images[-1]["id"])] if len(images) > 1 else []
    estimate = data.draw(st.sampled_from(sorted(ESTIMATES)))
    injection = recall(
        shelf(images, pairs=pairs),
        "which dredging of the berth?",
        project="harbour",
        limits=RecallLimits(budget_policy=policy, token_estimate=estimate),
        now_ms=now_ms,
        host=host,
        context_left=data.draw(st.integers(0, 120_000)),
    )
    shown = html.unescape(injection.text).replace("\n    ", "\n")
    held = {hit.id for hit in injection.items}
    assert all(image["content"] in shown for image in images if image["id"] in held)
    assert shown.count("dredging berth") == len(held) + (2 if "[⚠ CONFLICT]" in shown else 0)
    assert all((one in held) == (other in held) for one, other in pairs)
    assert ESTIMATES[estimate].of(injection.text) == injection.tokens
    assert injection.tokens <= injection.budget * (1 + BUDGET_TOLERANCE)
    length = utf16_units if host == "claude" else utf8_bytes
    assert length(injection.text) <= 9_900
    if host == "codex":
        assert strict_tokens(injection.text) <= 2_500


def test_a_conflict_with_more_sides_than_places_is_told_whole_where_it_comes_first(
    an_image, shelf, now_ms
):
    images = [an_image(f"idempotency keys of store {n} {n}") for n in range(4)]
    ids = [image["id"] for image in images]

    def told(pairs, best, places):
        scores = {image["num"]: 5.0 if image is images[best] else 4.0 for image in images}
        found = recall(
            shelf(images, pairs=pairs, scores=scores),
            "idempotency keys",
            project="harbour",
            limits=RecallLimits(injection_top_n=places),
            now_ms=now_ms,
        )
        return {hit.id for hit in found.items}

    three = [(ids[0], ids[1]), (ids[1], ids[2])]
    assert told(three, best=0, places=2) == set(ids[:3])
    assert told(three, best=3, places=2) == {ids[3]}
    assert told(three, best=3, places=4) == set(ids)
