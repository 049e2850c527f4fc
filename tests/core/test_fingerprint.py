"""Equal texts have equal names (002-26)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.ingest.fingerprint import SEEDS, fingerprint, normalised


def djb2(text: str, seed: int) -> int:
    """The same hash in plain arithmetic, one step for each character."""
    value = seed
    for char in text:
        value = ((value * 33) ^ ord(char)) % 2**32
    return value


def test_the_seeds_are_those_of_the_requirement():
    assert SEEDS == (0xDEADBEEF, 0x41C6CE57)
    assert fingerprint("") == "deadbeef41c6ce57"


@pytest.mark.parametrize(
    ("text", "name"), [("a", "b4659cae7aa09956"), ("Staging is db-7", "f360ee0859a2beb0")]
)
def test_a_fingerprint_never_changes_between_versions(text, name):
    assert fingerprint(text) == name


@given(st.text())
def test_it_is_two_hashes_of_the_normalised_text(text):
    first, second = (djb2(normalised(text), seed) for seed in SEEDS)
    assert fingerprint(text) == f"{first:08x}{second:08x}"
    assert re.fullmatch(r"[0-9a-f]{16}", fingerprint(text))


def test_case_and_spacing_do_not_count():
    assert fingerprint("  Use\tPNPM\n\nhere ") == fingerprint("use pnpm here")
    assert fingerprint("use pnpm here") != fingerprint("use pnpm there")
    assert fingerprint("use pnpm") != fingerprint("usepnpm")


def test_the_second_hash_tells_apart_what_the_first_confuses():
    names = [fingerprint(f"memory {number} of the harbour") for number in range(20_000)]
    assert len(set(names)) == 20_000
