"""Recall that is too slow looks at less, until it is quick again."""

import os

import pytest

from memdeck.cli.main import run
from memdeck.tests.receipts import receipt_of


@pytest.fixture
def noted(core):
    """Report recalls that took so many milliseconds each."""

    told = receipt_of(core, "crane", session=None, items=[])

    def note(*latencies):
        for latency in latencies:
            core.keep_receipt({**told, "id": os.urandom(8).hex(), "latency_ms": latency})
        return core.health()

    return note


STEPS = (
    ([], ("unknown", None, 0, False), "not measured yet"),
    ([900.0] * 4, ("unknown", 900.0, 4, False), "too few to judge"),
    ([900.0], ("slow", 900.0, 5, True), "looks at less"),
    ([200.0] * 95, ("fair", 200.0, 100, True), "looks at less"),
    ([199.9] * 95, ("healthy", 199.9, 100, False), "healthy"),  # one in twenty may be slow
    ([300.0] * 95, ("fair", 300.0, 100, False), "fair"),
    ([300.1] * 5, ("fair", 300.0, 100, False), "fair"),
    ([300.1], ("slow", 300.1, 100, True), "looks at less"),
)
"""Further recalls, how the last hundred then stand, and what is said of them."""


def test_the_store_remembers_that_recall_is_degraded_until_it_is_healthy(
    core, home_path, noted, capsys, subtests
):
    core.remember("The harbour crane is checked by crew 7.")
    for number, (latencies, health, said) in enumerate(STEPS):
        with subtests.test(step=number):
            assert noted(*latencies) == health
            assert run(["status", "--home", str(home_path), "--project", "harbour"]) == 0
            assert said in capsys.readouterr().out
    assert len(core.context.reader().receipts.latencies()[0]) == 100


def test_a_degraded_recall_looks_at_less_and_says_so(core, noted):
    for number in range(12):
        core.remember(f"The harbour crane number {number} is checked by crew {number}{number}.")
    assert not core.recall("harbour crane crew", write_receipt=False).is_degraded
    noted(*[900.0] * 5)
    less = core.recall("harbour crane crew", write_receipt=False)
    assert less.is_degraded
    running = [why for _, why in less.left_out if why != "others rank before it"]
    assert len(less.items) + len(running) <= 5
