"""What a memory's session adds to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.retrieval.company import (
    FADING,
    LEAST_LEANING,
    LONG,
    REACH,
    SHORT,
    before,
    leaning,
    lent,
    together,
)
from memdeck.core.retrieval.keywords import Term
from memdeck.core.retrieval.relevance import NOTHING, Match


def test_a_hit_lends_to_its_neighbours_and_less_to_farther_ones():
    found = lent({3: 1.0}, [[1, 2, 3, 4]])
    assert found == pytest.approx({1: 1 - 2 * FADING, 2: 1 - FADING, 4: 1 - FADING})


def test_two_hits_lend_to_each_other_and_the_best_counts():
    found = lent({1: 1.0, 3: 0.5}, [[1, 2, 3]])
    assert found[3] == pytest.approx(1 - 2 * FADING)
    assert found[1] == pytest.approx(0.5 * (1 - 2 * FADING))
    assert found[2] == pytest.approx(1 - FADING)


@pytest.mark.parametrize(("away", "gets"), [(REACH, True), (REACH + 1, False)])
def test_nothing_is_lent_beyond_reach(away, gets):
    session = list(range(away + 1))
    assert (session[-1] in lent({0: 1.0}, [session])) is gets


def test_sessions_do_not_lend_to_each_other():
    assert lent({1: 1.0}, [[1], [2, 3]]) == {}


@settings(deadline=None)
@given(
    st.dictionaries(st.integers(0, 30), st.floats(0.01, 1)),
    st.lists(st.integers(0, 30), unique=True).map(sorted),
)
def test_what_is_lent_is_never_more_than_the_best_hit(scores, session):
    found = lent(scores, [session])
    assert all(0 < share < max(scores.values()) for share in found.values())


def test_a_session_adds_the_words_that_a_memory_lacks():
    limit, berth = Term("limit"), Term("berth")
    one = ({"num": 1, "session": "s"}, Match(0.5, 1.0, (limit,), False))
    other = ({"num": 2, "session": "s"}, Match(0.5, 1.0, (berth,), False))
    stranger = ({"num": 3, "session": "t"}, Match(0.5, 1.0, (limit,), False))
    alone = ({"num": 4, "session": None}, NOTHING)
    found = together([one, other, stranger, alone], {"limit": 1.0, "berth": 3.0})
    assert found == {1: 0.75, 2: 0.25}


@pytest.mark.parametrize(
    ("words", "leans"), [(0, 1.0), (SHORT, 1.0), (LONG, LEAST_LEANING), (900, LEAST_LEANING)]
)
def test_a_short_memory_leans_on_its_session_and_a_long_one_stands_alone(words, leans):
    assert leaning(words) == pytest.approx(leans)
    assert leaning(words + 1) <= leaning(words)


def test_the_memory_just_before_adds_what_the_answer_leaves_out():
    queue, redis = Term("queue"), Term("redis")
    asked = ({"num": 7, "session": "s"}, Match(0.5, 1.0, (queue,), False))
    answer = ({"num": 8, "session": "s"}, Match(0.5, 1.0, (redis,), False))
    later = ({"num": 10, "session": "s"}, NOTHING)
    stranger = ({"num": 11, "session": "t"}, NOTHING)
    found = before([asked, answer, later, stranger], {"queue": 3.0, "redis": 1.0})
    assert found == {8: 0.75}


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
