"""What a person labelled: texts the rules were not written against (000-53)."""

import json

from memdeck.benchmarks.review import FILE, labelled, score_of, too_short_or_filler

FIELDS = {"content", "from", "rule", "keep", "trivial", "known"}


def test_the_labelled_set_is_large_balanced_and_whole():
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]

    assert len(rows) >= 200
    assert all(set(row) <= FIELDS for row in rows)
    assert len({row["content"] for row in rows}) == len(rows)
    assert len({row["from"] for row in rows}) >= 10
    assert 0.45 <= sum(row["keep"] for row in rows) / len(rows) <= 0.55
    assert not any(row["keep"] and row["trivial"] for row in rows)


def test_most_of_it_is_held_out():
    parts = [item.part for item in labelled()]
    assert 0.55 <= parts.count("held-out") / len(parts) <= 0.65


def test_the_trivial_filter_is_precise_and_misses_little_on_what_was_held_out():
    score = score_of("held-out")["trivial filter"]

    assert score.right + score.missed >= 50
    assert score.precision > 0.8
    assert score.recall > 0.9


def test_the_panel_keeps_what_is_worth_it_and_little_else_of_what_was_held_out():
    score = score_of("held-out")["kept"]

    assert score.right + score.missed >= 80
    assert score.precision >= 0.9
    assert score.recall >= 0.9


def test_the_filter_before_the_panel_spares_it_a_share_of_the_trivial():
    trivial = [item for item in labelled() if item.trivial]
    spared = [item for item in trivial if too_short_or_filler(item.subject)]
    lost = [item for item in labelled() if item.keep and too_short_or_filler(item.subject)]

    assert len(spared) >= 10
    assert len(lost) <= 0.03 * len(labelled())
