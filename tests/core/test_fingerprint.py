"""Equal texts have equal names. An account of a recall names its prompt by it."""

import pytest

from memdeck.tests.fingerprints import fingerprint


@pytest.fixture
def named(core):
    """The name that the account of a recall gives a prompt."""
    return lambda text: core.receipt(core.recall(text).receipt).prompt_fingerprint


@pytest.mark.parametrize(
    ("text", "name"),
    [("", "deadbeef41c6ce57"), ("a", "b4659cae7aa09956"), ("Staging is db-7", "f360ee0859a2beb0")],
)
def test_a_fingerprint_never_changes_between_versions(named, text, name):
    assert named(text) == fingerprint(text) == name


def test_it_is_two_hashes_of_the_normalised_text(named):
    odd = ("Ä", "ß İ", "日本\u3000語", "🚢 e\u0301", "0", " \n", "A\u2028b", "x" * 900, "\x00-")
    for text in odd:
        assert named(text) == fingerprint(text), text


def test_case_and_spacing_do_not_count(named):
    assert named("  Use\tPNPM\n\nhere ") == named("use pnpm here")
    assert named("use pnpm here") != named("use pnpm there")
    assert named("use pnpm") != named("usepnpm")


@pytest.mark.slow
def test_the_second_hash_tells_apart_what_the_first_confuses():
    names = [fingerprint(f"memory {number} of the harbour") for number in range(20_000)]
    assert len(set(names)) == 20_000
