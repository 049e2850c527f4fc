"""Duplicates and conflicts on pairs that a person labelled; half of them no rule was tuned on."""

import pytest

from memdeck.benchmarks.judging import (
    LABELS,
    PARTS,
    Pair,
    conflicts_score,
    duplicates_score,
    kinds_right,
    pairs,
)


def test_there_are_enough_pairs_of_each_label_in_each_part():
    assert len(pairs()) >= 120
    for part in PARTS:
        labels = [pair.label for pair in pairs(part)]
        assert all(labels.count(label) >= 10 for label in LABELS)


@pytest.mark.parametrize("part", PARTS)
def test_what_is_called_a_duplicate_is_one_and_few_are_missed(part):
    score = duplicates_score(pairs(part))

    assert score.precision >= 0.95
    assert score.recall >= 0.85


@pytest.mark.parametrize("part", PARTS)
def test_what_is_called_a_conflict_is_one_and_few_are_missed(part):
    judged = pairs(part)
    score = conflicts_score(judged)

    assert score.precision >= 0.95
    assert score.recall >= 0.85
    assert kinds_right(judged) >= 0.9


@pytest.mark.parametrize("pair", [p for p in pairs() if p.label != "duplicate"][::3], ids=str)
def test_no_pair_is_a_duplicate_and_a_conflict_at_once(pair: Pair):
    assert not (pair.is_duplicate() and pair.opposition())
