"""Mistyped words, and which word of the index was meant."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WORDS = "configure service sensor budget auth deploy importer retry timeout".split()


@pytest.fixture
def read_as(core):
    """What answers a mistyped word, by the word that it has: a note for each."""
    core.import_memories({"content": f"The {word} crane", "key": word} for word in WORDS)

    return lambda typed: [hit.key for hit in core.search(typed)]


SLIPS = {
    "sevice": "service",
    "senosr": "sensor",
    "buget": "budget",
    "configurtion": "configure",
    "configuratoin": "configure",
    "improter": "importer",
    "imporrter": "importer",
    "ubdget": "budget",
    "deploments": "deploy",
    "sensro": "sensor",
    "esrvice": "service",
    "sevrice": "service",
    "imxporter": "importer",
    "btudget": "budget",
    "senbor": "sensor",
}


def test_a_slip_leads_to_the_word_that_was_meant_and_another_word_stays_another(read_as, subtests):
    for typed, meant in SLIPS.items():
        with subtests.test(typed):
            assert read_as(typed) == [meant]
    for other in ("autumn", "servant", "bucket", "timber", "confetti", "imprtr"):
        with subtests.test(other):
            assert read_as(other) == []


@given(st.sampled_from(["service", "sensor", "importer", "timeout"]), st.integers(2, 4), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_letter_left_out_put_in_changed_or_swapped_is_one_slip(read_as, word, place, data):
    before, rest = word[:place], word[place:]
    slip = data.draw(st.sampled_from(["out", "in", "changed", "swapped"]))
    typed = {
        "out": before + rest[1:],
        "in": f"{before}x{rest}",
        "changed": f"{before}x{rest[1:]}",
        "swapped": before + rest[1::-1] + rest[2:],
    }[slip]
    assert read_as(typed) == [word], typed


def test_only_words_that_nothing_has_are_looked_up_the_longest_first_and_at_most_three(read_as):
    found = read_as("timeout sevice improter configurtion deploments retry_bugdet TS2345")
    assert set(found) == {"timeout", "configure", "deploy", "importer", "retry"}


def test_a_word_that_a_synonym_stands_for_is_known(core, read_as):
    assert read_as("sevice") == ["service"]
    core.add_alias("sevice", ["login"])
    assert read_as("sevice") == ["service"]  # no memory has the other word either
    core.import_memories([{"content": "The login crane", "key": "login"}])
    assert read_as("sevice") == ["login"]
