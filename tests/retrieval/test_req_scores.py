"""What a score is made of, seen from outside: each part with its number, and what it decides."""

from itertools import pairwise

import pytest

FACT = "The sluice of basin four opens at high water"
ASKED = "when does the sluice of basin four open?"


@pytest.fixture
def parts(core):
    """The score and the parts of the one answer to a prompt, under the additive profile."""

    def run(prompt=ASKED):
        [hit] = core.recall(prompt, profile="additive", write_receipt=False).items
        assert hit.score == pytest.approx(sum(hit.parts.values()))
        return dict(hit.parts)

    return run


@pytest.mark.parametrize(("importance", "share"), [(0.0, 0.3), (0.5, 1.65), (1.0, 3.0)])
def test_a_score_of_ten_is_importance_recency_use_and_similarity(core, parts, importance, share):
    """0.3 importance + 0.2 recency + 0.1 access frequency + 0.4 similarity, 0-10."""
    core.remember(FACT, importance=importance)
    assert parts() == pytest.approx(
        {"importance": share, "recency": 2.0, "access": 0.0, "words": 4.0}
    )


@pytest.mark.parametrize(("days", "fresh"), [(0, 1.0), (7, 0.5), (30, 0.1)])
def test_recency_is_one_today_a_half_in_a_week_a_tenth_in_a_month(core, parts, clock, days, fresh):
    core.remember(FACT)
    clock.forward(days=days)
    assert parts()["recency"] == pytest.approx(2.0 * fresh)


def test_use_counts_by_its_logarithm_up_to_ten(core, parts):
    """log(count + 1), scaled 0-10."""
    memory = core.remember(FACT).memory_id
    seen = [parts()["access"]]
    for session in range(4):
        core.recall(ASKED, session=str(session))
        seen.append(parts()["access"])
    assert core.show(memory).accesses == 4
    assert seen[0] == 0.0
    gains = [after - before for before, after in pairwise(seen)]
    assert all(first > second > 0 for first, second in pairwise(gains))
    assert seen[1] / seen[3] == pytest.approx(0.5)  # log 2 to log 4
    assert seen[-1] < 1.0


def test_similarity_is_the_words_in_common_rare_ones_more(core, settings, keep):
    """A TF-IDF of the words; nothing in common is no answer."""
    keep(
        {"content": "The sluice of basin four opens at high water", "key": "both"},
        {"content": "The crane of basin four is yellow", "key": "common"},
        {"content": "The sluice is painted every second year", "key": "rare"},
        {"content": "Pilots report by radio", "key": "none"},
        *({"content": f"Basin {n} is dredged in winter", "key": str(n)} for n in range(5)),
        *({"content": f"Berth {n} is dry", "key": f"dry {n}"} for n in range(20)),
    )
    settings(ranking="additive")
    hits = {hit.key: hit.parts["words"] for hit in core.search("sluice basin", 30)}
    assert hits["both"] == pytest.approx(4.0)
    assert hits["both"] > hits["rare"] > hits["common"] > 0
    assert "none" not in hits


def test_a_query_hits_content_before_tags_files_and_category(core):
    """Boosts content 2, tags 1.5, filePaths 1.2, category 1."""
    rest = {"content": "The gate is checked", "tags": ["old"], "files": ["gate"]}
    places = {
        "content": {"content": "The gate is warning"},
        "tags": {"tags": ["warning"]},
        "files": {"files": ["warning"]},
        "category": {"category": "warning"},
        "nowhere": {},
    }
    core.import_memories(
        {"category": "decision", "title": "note", **rest, **fields, "key": place}
        for place, fields in places.items()
    )
    core.import_memories({"content": f"Berth {n} is dry", "key": str(n)} for n in range(20))
    hits = {hit.key: hit.parts["words"] for hit in core.search("warning")}
    assert list(hits) == ["content", "tags", "files", "category"]
    assert hits["content"] > hits["tags"] > hits["files"] > hits["category"] > 0


@pytest.mark.parametrize(
    ("typed", "slips", "is_found"),
    [
        ("slice", 1, True),  # a fifth of 5 letters
        ("sliuce", 1, True),
        ("sluxxe", 2, False),
        ("brkwatr", 3, False),
        ("brekwatr", 2, True),  # of 8 letters, 1.6: two
        ("braekwatr", 2, True),
        ("breaqwatxr", 3, False),
    ],
)
def test_a_fifth_of_a_words_letters_may_be_wrong(core, typed, slips, is_found):
    """Fuzzy 0.2 of the letters, rounded."""
    assert (slips <= round(0.2 * len(typed))) is is_found
    core.remember("The sluice is behind the breakwater")
    assert bool(core.search(typed)) is is_found


def test_the_beginning_of_a_word_finds_while_it_is_typed(core):
    core.remember(FACT)
    assert [core.count(typed) for typed in ("slui", "basin slui", "uice")] == [1, 1, 0]
    assert [row.title for row in core.find("slui").first_page] == [FACT]


def test_the_greedy_choice_takes_the_best_that_fit_and_says_what_they_cost(core):
    core.import_memories(
        {
            "content": f"The sluice of basin {n} opens at high water {'rope ' * 40 * (n == 2)}",
            "importance": 1 - n / 10,
            "key": str(n),
        }
        for n in range(6)
    )
    asked = "when does the sluice open at high water?"
    everything = core.recall(asked, write_receipt=False)
    scores = [hit.score for hit in everything.items]
    assert scores == sorted(scores, reverse=True)
    less = core.recall(asked, context_left=9_000, write_receipt=False)
    assert 0 < less.tokens <= less.budget == 720
    held = [hit.key for hit in less.items]
    assert held == [hit.key for hit in everything.items if hit.key in held]
    assert sum(less.costs.values()) <= less.tokens < sum(less.costs.values()) + 80  # the frame
    assert set(less.costs) == {hit.id for hit in less.items}


def test_the_account_holds_tokens_budget_share_types_and_what_was_trimmed(core):
    """total_tokens, budget, utilization, per_type, trimmed_count."""
    for number in range(19):
        kind = ("semantic", "procedural")[number % 2]
        core.remember(f"The sluice of basin {number} opens at high water", type=kind)
    told = core.recall("which sluice opens at high water?", policy="five-type")
    [receipt] = core.receipts()
    assert told.text
    assert (told.tokens, told.budget) == (receipt.tokens, receipt.budget) == (receipt.tokens, 8_000)
    assert 0 < told.tokens / told.budget <= 1.0
    per_type = {}
    for hit in told.items:
        per_type[hit.memory.type] = per_type.get(hit.memory.type, 0) + told.costs[hit.id]
    assert per_type.keys() == {"semantic", "procedural"}
    assert sum(per_type.values()) <= told.tokens
    assert len(told.items) + len(told.left_out) == 19
    assert len(told.left_out) == len(receipt.left_out) > 0
