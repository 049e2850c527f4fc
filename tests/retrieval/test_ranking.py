"""Each part of a score by itself, and the profiles that join them."""

from math import log

import pytest

from memdeck.core.recall.ranking import PROFILES, Signals, access_frequency, file_affinity, label

MIDDLING = Signals(0.5, 0.5, 7.0, 0.5, 3, "confirmed", "decision", 0.0)
BETTER = {
    "words": 0.9,
    "age_days": 0.0,
    "importance": 0.9,
    "accesses": 50,
    "status": "pinned",
    "category": "warning",
    "affinity": 1.0,
}
MATCHES = ("lead", "near", "together", "before", "when", "speaker")


def test_files_are_near_when_they_or_their_folders_are_the_same(subtests):
    rows = [
        ((), ("db/store.py",), 0.0),
        (("db/store.py",), (), 0.0),
        (("db/store.py",), ("db/store.py",), 1.0),
        (("db/store.py",), ("/src/acme/db/store.py",), 1.0),
        (("./db/Store.py",), ("db\\store.py",), 1.0),
        (("db/store.py",), ("db/index.py",), 0.5),
        (("db/store.py",), ("/src/acme/db/index.py",), 0.5),
        (("store.py",), ("index.py",), 0.0),
        (("mydb/store.py",), ("db/index.py",), 0.0),
        (("db/store.py", "tui/app.py"), ("tui/app.py",), 1.0),
        (("",), ("",), 0.0),
    ]
    for files, active, affinity in rows:
        with subtests.test(files=files):
            assert file_affinity(files, active) == affinity


@pytest.mark.parametrize(
    ("name", "signal"),
    [("multiplicative", signal) for signal in BETTER]
    + [("blend", signal) for signal in ("words", "age_days", "importance", "affinity", *MATCHES)],
)
def test_each_signal_moves_the_score_up(name, signal):
    """Category, recency, access, file affinity, status; and importance."""
    middling, _ = PROFILES[name](MIDDLING._replace(category="file_change"))
    better, _ = PROFILES[name](
        MIDDLING._replace(category="file_change")._replace(**{signal: BETTER.get(signal, 1.0)})
    )
    assert better > middling


def test_the_multiplicative_profile_boosts_a_category_as_the_design_says(subtests):
    rows = [
        *((name, 1.1) for name in ("warning", "decision")),
        *((name, 1.05) for name in ("architecture", "preference")),
        *((name, 1.0) for name in ("pattern", "error", "discovery")),
        *((name, 0.9) for name in ("file_change", "task_progress")),
    ]
    for category, boost in rows:
        with subtests.test(category=category):
            _, parts = PROFILES["multiplicative"](MIDDLING._replace(category=category))
            assert parts["category"] == pytest.approx(boost)


def test_the_multiplicative_boosts_have_the_ends_that_the_design_gives():
    low = Signals(1.0, 1.0, 10**6, 0.0, 0, "confirmed", "pattern", 0.0, approval=0.0)
    high = Signals(1.0, 1.0, 0.0, 1.0, 100, "confirmed", "pattern", 1.0, approval=1.0)
    ends = {
        "recency": (0.7, 1.0),
        "importance": (0.7, 1.3),
        "access": (1.0, 1.2),
        "files": (1.0, 1.5),
        "approval": (0.9, 1.1),
    }
    _, least = PROFILES["multiplicative"](low)
    _, most = PROFILES["multiplicative"](high)
    assert {name: (least[name], most[name]) for name in ends} == {
        name: (pytest.approx(bottom), pytest.approx(top)) for name, (bottom, top) in ends.items()
    }


BLEND = {  # docs/dev/benchmarks.md: for memories of a sentence or two, and for longer ones
    "words": (0.09, 0.20),
    "coverage": (0.28, 0.23),
    "lead": (0.53, 0.32),
    "near": (0.14, 0.05),
    "together": (0.29, 0.10),
    "before": (0.23, 0.10),
}
DECIDING = {
    **{"when": 1.41, "speaker": 0.45, "tells": 0.43, "importance": 0.06, "files": 0.05},
    **{"recency": 0.05, "approval": 0.04},
}


@pytest.mark.parametrize("length", [0.0, 0.5, 1.0])
def test_the_blend_weighs_its_signals_as_fitted_and_makes_one(length):
    every = dict.fromkeys((*BLEND, "when", "speaker", "statement", "importance", "approval"), 1.0)
    every |= {"age_days": 0.0, "affinity": 1.0, "length": length}
    score, parts = PROFILES["blend"](MIDDLING._replace(**every))
    assert score == pytest.approx(1.0) == sum(parts.values())
    weights = {name: (1 - length) * few + length * many for name, (few, many) in BLEND.items()}
    match = sum(parts[name] for name in weights)
    assert parts == pytest.approx(
        {name: match * weight / sum(weights.values()) for name, weight in weights.items()}
        | {name: match * weight for name, weight in DECIDING.items()}
    )


def test_use_grows_by_its_logarithm_from_zero_to_ten():
    assert [access_frequency(count) for count in (-1, 0, 100, 10_000)] == [0.0, 0.0, 10.0, 10.0]
    assert access_frequency(9) == pytest.approx(10 * log(10) / log(101))


def test_its_session_and_the_note_before_it_lend_a_memory_their_words(core):
    notes = {
        "Retries of the winch are three": "s2",
        "The berth queue is kept in Redis": "s1",
        "It has seven retries, each after a minute": "s1",
    }
    core.import_memories({"content": text, "session": notes[text]} for text in notes)
    parts = {hit.memory.content[:7]: hit.parts for hit in core.search("retries of the berth queue")}
    for part in ("together", "before"):
        assert parts["It has "][part] > 0.02 > 0.0 == parts["Retries"][part]


def test_a_part_has_a_label_or_its_own_name():
    assert [label(part) for part in ("words", "own_words")] == ["rare words", "own words"]
