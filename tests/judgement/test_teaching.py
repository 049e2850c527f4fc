"""From verdicts to a shift of the score: its direction, its size, and both of its ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.judgement.lessons import (
    LEAST,
    MOST,
    NEWEST,
    Lesson,
    Verdict,
    bias_from,
    in_words,
    lessons_of,
)

SCORES = [-3.5, -2.0, -1.0, 0.0, 1.0, 2.5]


def verdicts(kept, count=1, is_person=False):
    return [Verdict(score, kept, is_person) for score in SCORES for _ in range(count)]


def test_without_verdicts_the_score_stays_as_it_was_fitted():
    assert bias_from([]) == 0.0
    assert in_words(Lesson(), is_person=True).startswith("No verdict on your own sentences yet")


@pytest.mark.parametrize(("kept", "end"), [(False, LEAST), (True, MOST)])
def test_the_shift_grows_with_the_verdicts_and_stops_at_its_end(kept, end):
    shifts = [abs(bias_from(verdicts(kept, count))) for count in (1, 2, 4, 100)]
    assert shifts == sorted(shifts)
    assert 0.1 < shifts[0] < shifts[1]
    assert bias_from(verdicts(kept, 100)) == end


def test_verdicts_that_the_score_expected_move_nothing():
    kept = [Verdict(3.0, n < 86, False) for n in range(100)]  # it gives 86 of 100 a look there
    assert abs(bias_from(kept)) < 0.1


def test_one_verdict_moves_little():
    assert abs(bias_from([Verdict(0.0, False, False)])) < 0.3


def test_each_speakers_sentences_teach_for_themselves():
    lessons = lessons_of([*verdicts(False, 3), *verdicts(True, 3, is_person=True)])
    assert lessons.agent.bias < 0 < lessons.person.bias
    assert (lessons.agent.rejected, lessons.person.kept) == (18, 18)
    assert lessons.agent.asked > lessons.agent.asked_before
    assert lessons.person.asked < lessons.person.asked_before


def test_only_the_newest_count():
    old = [Verdict(0.0, False, False)] * 50
    assert lessons_of([*[Verdict(0.0, True, False)] * NEWEST, *old]).agent.rejected == 0


def test_the_effect_is_told_in_words():
    lessons = lessons_of([Verdict(0.0, n < 3, False) for n in range(12)])
    assert in_words(lessons.agent, is_person=False) == (
        "You rejected 9 of 12 of agents' sentences: the bar here is higher"
        f" ({lessons.agent.bias:+.1f}); from {lessons.agent.asked:.0%} likely worth a look on they"
        f" wait for you, instead of {lessons.agent.asked_before:.0%}."
    )


@given(
    st.lists(
        st.builds(Verdict, st.floats(-30, 30), st.booleans(), st.just(False)),
        max_size=40,
    )
)
def test_any_verdicts_give_a_shift_within_its_range(given_verdicts):
    assert LEAST <= bias_from(given_verdicts) <= MOST
