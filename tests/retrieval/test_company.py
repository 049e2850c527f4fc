"""What a memory's session adds to it, as the parts of its score say."""

from collections.abc import Callable

import pytest

NEAR, TOGETHER, BEFORE, WORDS = 0.14, 0.29, 0.23, 0.09
"""What these parts weigh among short memories (docs/query.md)."""


@pytest.fixture
def parts(core) -> Callable[..., dict[str, dict[str, float]]]:
    """The parts of each answer's score, by the memory's text, as shares of their weights.

    A session is a list of texts; the question's best answer has its words in full.
    """

    def ask(question, *sessions):
        core.import_memories(
            {"content": text, "session": f"s{number}"}
            for number, session in enumerate(sessions)
            for text in session
        )
        hits = core.search(question, limit=40)
        one = max(hit.parts["words"] for hit in hits) / WORDS
        weights = {"near": NEAR, "together": TOGETHER, "before": BEFORE, "words": WORDS}
        return {
            hit.memory.content: {
                name: hit.parts[name] / weight / one for name, weight in weights.items()
            }
            for hit in hits
        }

    return ask


def others(count):
    return [f"Other {chr(97 + number)}x" for number in range(count)]


def test_a_hit_lends_to_its_neighbours_and_less_to_farther_ones_and_nothing_beyond_twelve(parts):
    told = parts("berth importer", [*others(2), "Berth importer", *others(16)[2:]])
    near = {text: share["near"] for text, share in told.items()}
    assert near.pop("Berth importer") == 0
    right = {text: 1 - 0.06 * (place + 1) for place, text in enumerate(others(16)[2:14])}
    left = {"Other ax": 0.88, "Other bx": 0.94}
    assert near == {text: pytest.approx(share) for text, share in {**left, **right}.items()}
    assert all(share < told["Berth importer"]["words"] for share in near.values())


def test_two_hits_lend_to_each_other_and_the_best_counts(parts):
    told = parts("berth importer", ["Berth importer", "Other ax", "Berth nine"])
    weaker = told["Berth nine"]["words"]
    assert 0 < weaker < 1
    assert told["Berth nine"]["near"] == pytest.approx(0.88)
    assert told["Berth importer"]["near"] == pytest.approx(0.88 * weaker)
    assert told["Other ax"]["near"] == pytest.approx(0.94)


def test_sessions_do_not_lend_to_each_other(parts):
    told = parts("berth importer", ["Berth importer"], ["Other ax", "Berth nine"])
    assert told["Berth importer"]["near"] == 0
    assert told["Berth nine"]["together"] == 0
    assert told["Other ax"]["near"] < 0.94 > told["Berth nine"]["near"]


def test_a_session_adds_the_words_that_a_memory_lacks_and_rare_ones_more(parts):
    told = parts("limit berth", ["The limit", "A berth"], ["Limit nine"], ["Limit ten"], ["Crane"])
    common, rare = told["The limit"]["together"], told["A berth"]["together"]
    assert common > rare > 0  # who lacks the rarer word gets more
    assert common + rare == pytest.approx(1)
    assert told["Limit nine"]["together"] == told["Limit ten"]["together"] == 0


@pytest.mark.parametrize(("words", "leans"), [(1, 1.0), (4, 1.0), (32, 0.8), (60, 0.6), (900, 0.6)])
def test_a_short_memory_leans_on_its_session_and_a_long_one_stands_alone(parts, words, leans):
    note = " ".join(["abc"] * words)
    told = parts("berth importer", ["Other ax", "Berth importer", note], *[["Berth"]] * 5)
    assert told[note]["near"] / told["Other ax"]["near"] == pytest.approx(leans)


def test_the_memory_just_before_adds_what_the_answer_leaves_out(parts):
    told = parts(
        "queue redis",
        ["A queue", "On Redis", "Other ax", "Other bx"],
        ["Redis nine"],
        ["Redis ten"],
    )
    added = {text: share["before"] for text, share in told.items() if share["before"]}
    assert added == {
        "On Redis": pytest.approx(told["On Redis"]["together"]),
        "Other ax": pytest.approx(told["A queue"]["together"]),
    }
    assert added["On Redis"] > 0.5 > added["Other ax"]


def test_what_stands_alone_gets_nothing_from_others_sessions(core):
    notes = {
        "queue": ("The queue runs on Redis.", "s"),
        "jobs": ("Its jobs are kept for a day.", "s"),
        "alone": ("The Redis cluster has three nodes.", "t"),
    }
    core.import_memories(
        [{"key": key, "content": text, "session": at} for key, (text, at) in notes.items()]
    )
    hits = {hit.id: hit.parts for hit in core.search("redis queue jobs")}
    assert hits[core.show("jobs").id]["near"] > 0
    alone = hits[core.show("alone").id]
    assert alone["near"] == alone["together"] == alone["before"] == 0
