"""What a text contradicts among what is known, what it only speaks of, and what it must not.

002-24, 003-10; the figures of the judge itself are measured in `benchmarks`, these are its bands.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.answers import Neighbour
from memdeck.core.ingest.conflicts import MOST_NEAR, oppositions
from memdeck.core.ingest.duplicates import near_duplicate
from memdeck.core.ingest.verdicts import MOST, Judged, bias_of, shifted
from memdeck.core.judgement import weights
from memdeck.core.judgement.pairs import Bias

DAY = 86_400_000
HELD = "A berth at the outer pier is held for {} minutes while a guest pays"
BACKUPS = "Backups of the harbour database are kept for {} days"
NO_TUESDAYS = "Deploys of the booking service never go out on Tuesdays"
TUESDAYS = (
    "Only on Tuesdays do deploys of the booking service go out, after lunch",
    "The booking service is deployed on Tuesdays only",
    "On Tuesdays only, deploys of the booking service go out",
    "The booking service is deployed on Tuesdays and on no other day",
)
HOSTILE = ("a", "aA", "a.", "a-", "1", "1,", "a/", "not ", "use x. ", "no pip, ", "a=b", "é", "'s",
           "((", "\u0301")  # fmt: skip
"""Pieces of which a text is made that backtracks where backtracking is possible."""


def known(content: str, name: str = "known", **more: object) -> Neighbour:
    """A live decision that was made a day ago."""
    return Neighbour(name, content, **{"category": "decision", "created_ms": DAY, **more})  # type: ignore[arg-type]


def judged(text: str, *neighbours: Neighbour, **more: object):
    """What a decision of today contradicts, or may."""
    about = {"category": "decision", "files": (), "created_ms": 2 * DAY, **more}
    return oppositions(text, neighbours=neighbours, **about)  # type: ignore[arg-type]


def test_the_opposites_that_are_named_are_in_conflict_in_either_order(subtests):
    """002-24."""
    rows = [
        ("Use the ORM session in routes.", "Don't use the ORM session in routes."),
        ("Always log the request body.", "Never log the request body."),
        ("Enable the query cache for reports.", "Disable the query cache for reports."),
        ("Add docstrings to private helpers.", "Remove docstrings from private helpers."),
        ("Handlers should retry failed calls.", "Handlers shouldn't retry failed calls."),
    ]
    for yes, no in rows:
        with subtests.test(yes=yes):
            for one, other in ((yes, no), (no, yes)):
                (found,) = judged(other, known(one))
                assert (found.band, found.kind) == ("conflict", "contradictory")
                assert near_duplicate(other, [known(one)]) is None


@pytest.mark.parametrize("text", [HELD, BACKUPS])
def test_another_value_is_surely_in_conflict_and_both_are_named(text):
    (found,) = judged(text.format(90), known(text.format(30)))

    assert (found.band, found.kind) == ("conflict", "contradictory")
    assert found.said.startswith("90")
    assert found.other.startswith("30")
    assert f"“{found.said}” against “{found.other}”." in found.reason


def test_what_gets_along_is_neither_marked_nor_listed(subtests):
    rows = [
        ("Always use uv for installs.", "Never use rebase on shared branches."),
        ("Use SQLite in tests.", "Use Postgres in production."),
        ("The login timeout is 300 s.", "The upload timeout is 30 s."),
        ("Nightly jobs start at 02:00.", "Invoices are immutable once sent."),
    ]
    for text, other in rows:
        with subtests.test(text=text):
            assert judged(text, known(other)) == ()
            assert judged(other, known(text)) == ()


def test_what_speaks_of_the_same_thing_is_listed_and_not_marked():
    text, neighbour = NO_TUESDAYS, known(TUESDAYS[0])

    (found,) = judged(text, neighbour)

    assert (found.band, found.kind) == ("near", "ambiguous")
    assert found.reason


def test_at_most_three_are_listed_for_one_text_the_likeliest_first():
    neighbours = [known(other, f"m{n}") for n, other in enumerate(TUESDAYS)]
    each = [found for one in neighbours for found in judged(NO_TUESDAYS, one)]

    found = judged(NO_TUESDAYS, *neighbours)

    assert len(each) > MOST_NEAR == len(found)
    sure = [one.same + one.contradict for one in found]
    assert sure == sorted(sure, reverse=True)


def test_only_what_shares_a_file_or_the_category_is_marked_the_rest_is_listed():
    """002-24; a failure may contradict whatever recommends the approach (003-10)."""
    text, other = HELD.format(15), HELD.format(10)
    elsewhere = known(other, category="architecture", files=("src/quay/a.py",))

    assert judged(text, known(other))[0].band == "conflict"
    assert judged(text, elsewhere)[0].band == "near"
    assert judged(text, elsewhere, files=("src/quay/b.py",))[0].band == "near"
    assert judged(text, elsewhere, files=("./src/quay/a.py",))[0].band == "conflict"
    assert judged(text, elsewhere, files=("quay/a.py",))[0].band == "conflict"
    assert judged(text, elsewhere, category="error")[0].band == "conflict"


def test_only_a_newer_statement_supersedes_a_persons_or_one_that_says_so():
    old, new = HELD.format(10), HELD.format(15)
    change = new.replace("held", "now held")

    assert judged(new, known(old))[0].kind == "contradictory"
    assert judged(new, known(old), is_persons=True)[0].kind == "superseded"
    assert judged(change, known(old))[0].kind == "superseded"
    assert judged(change, known(old, created_ms=2 * DAY))[0].kind == "superseded"
    assert judged(change, known(old, created_ms=2 * DAY + 1))[0].kind == "contradictory"
    assert judged(change, known(old), created_ms=None)[0].kind == "superseded"


@pytest.mark.parametrize("type", ["prospective", "working"])
def test_plans_and_working_notes_contradict_nothing(type):
    text, other = HELD.format(15), HELD.format(10)

    assert judged(text, known(other), type="semantic")
    assert judged(text, known(other), type=type) == ()
    assert judged(text, known(other, type=type)) == ()


@pytest.mark.parametrize("category", ["task_progress", "file_change"])
def test_what_was_done_is_not_contradicted_by_what_was_done_later(category):
    neighbour = known(HELD.format(10), category=category)

    assert judged(HELD.format(15), neighbour, category=category) == ()


def test_a_question_contradicts_nothing():
    assert judged(HELD.format(15) + "?", known(HELD.format(10))) == ()
    assert judged(HELD.format(15), known(HELD.format(10) + "?")) == ()


@pytest.mark.parametrize("number", [13, 999])
def test_a_numbering_contradicts_nothing(number):
    numbered = "Harbour crane {} wants a permit from the port office first."

    assert judged(numbered.format(number), known(numbered.format(10))) == ()


def test_the_third_other_value_of_a_subject_makes_it_a_numbering():
    notes = [known(HELD.format(n), f"m{n}") for n in (10, 11, 12)]

    assert [len(judged(HELD.format(13), *notes[:n])) for n in (1, 2, 3)] == [1, 2, 0]


def test_without_the_fitted_numbers_nothing_is_told_but_the_named_opposites(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "FOLDER", str(tmp_path))
    weights.boosted.cache_clear()
    try:
        assert judged(HELD.format(15), known(HELD.format(10))) == ()
        assert judged("Never log the body.", known("Always log the body."))
        assert near_duplicate("The mirror is read at night", [known("the mirror is read at NIGHT")])
    finally:
        monkeypatch.undo()
        weights.boosted.cache_clear()


anything = st.text(max_size=400) | st.text(
    alphabet="use not never 8080 a/b.py `'.,:;()-_=/%@#$\n", max_size=4_000
)


@pytest.mark.slow
@given(anything, anything)
@settings(max_examples=80, deadline=None)
def test_no_text_raises(one, other):
    for found in judged(one, known(other)):
        assert found.kind in ("contradictory", "superseded", "ambiguous")
        assert "\n" not in found.reason


def test_a_text_made_to_be_hard_to_read_is_judged_all_the_same(subtests):
    for piece in HOSTILE:
        with subtests.test(piece=piece):
            text = (piece * 4_000)[:4_000]

            assert len(judged(text, known(text[1:]))) <= 1


# --- verdicts


def test_without_verdicts_there_is_no_bias():
    assert bias_of([]) == Bias(0.0, 0.0)


def test_pairs_that_a_person_dismisses_make_a_contradiction_less_likely_within_bounds():
    dismissed = Judged(0.05, 0.8, "not_a_conflict")
    one, ten, many = (bias_of([dismissed] * n).contradict for n in (1, 10, 400))

    assert -MOST == many < ten < one < 0
    assert shifted(0.8, one) > 0.6  # one verdict does not make a rule
    assert shifted(0.8, many) < 0.4


def test_confirmed_pairs_make_it_likelier():
    assert bias_of([Judged(0.05, 0.5, "a")] * 5).contradict > 0
    assert bias_of([Judged(0.5, 0.2, "merged")] * 5).same > 0


def test_a_judge_that_is_right_is_left_as_it_is():
    told = [Judged(0.1, 0.75, "a")] * 3 + [Judged(0.1, 0.75, "both")]

    assert abs(bias_of(told).contradict) < 0.01
