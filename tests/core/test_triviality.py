"""The first gate: what is too short or says nothing does not go on (000-22, 000-23)."""

import pytest

from memdeck.core.ingest.triviality import FILLER, MIN_LENGTH, trivial_because


def test_fifty_characters_pass_and_forty_nine_do_not():
    assert MIN_LENGTH == 50
    assert trivial_because("x" * 50) is None
    assert trivial_because("x" * 49) == "It is too short: 49 characters, and 50 are needed."


def test_white_space_at_the_ends_does_not_count():
    assert trivial_because("  \n" + "x" * 49 + "\t ") is not None
    assert trivial_because("  \n" + "x" * 50 + "\t ") is None


@pytest.mark.parametrize("min_length", [20, 30, 50])
def test_a_preset_brings_its_own_limit(min_length):
    assert trivial_because("y" * min_length, min_length) is None
    assert trivial_because("y" * (min_length - 1), min_length) is not None


def test_the_filler_of_the_requirement_is_known():
    assert {
        "ok", "okay", "thanks", "got it", "sounds good", "sure", "yep", "yes", "no", "done",
    } == FILLER  # fmt: skip


@pytest.mark.parametrize("filler", sorted(FILLER))
@pytest.mark.parametrize("shape", ["{}", " {}. ", "{}..", "{} ."])
def test_filler_is_trivial_whatever_the_limit(filler, shape):
    for text in (filler, filler.upper(), filler.capitalize()):
        assert "filler" in str(trivial_because(shape.format(text), min_length=0))


def test_a_sentence_that_begins_with_filler_may_stay():
    assert (
        trivial_because("Done: the parser accepts nested lists, tests are in test_lists.py") is None
    )
    assert trivial_because("no tabs", min_length=0) is None


def test_nothing_and_mere_signs_are_trivial():
    assert trivial_because("") == trivial_because(" \n\t ") == "It is empty."
    assert trivial_because("-" * 80) == "It holds no word and no number."
    assert trivial_because("1" * 80) is None
