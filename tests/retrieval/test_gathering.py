"""What may answer, phase by phase; each phase shown helping and standing aside."""

import time

import pytest


def contents(hits):
    return [hit.memory.content for hit in hits]


@pytest.fixture
def gathered(core):
    """What answers a question over some notes."""

    def run(notes, question):
        core.import_memories(notes)
        return contents(core.search(question, limit=100))

    return run


def a_note(content, session=None, **fields):
    return {"content": content, "session": session, **fields}


WORKING = a_note("Working on the berth importer", "s1")


def test_what_stands_beside_a_hit_in_its_session_comes_along(gathered):
    notes = [
        WORKING,
        a_note("Settled at forty a minute", "s1"),
        a_note("Settled at twelve a second", "s2"),
    ]
    found = gathered(notes, "berth importer limit")
    assert found == ["Working on the berth importer", "Settled at forty a minute"]
    assert gathered([], "berth importer limit -unknown") == found[:1]  # a filter holds


def test_a_mistyped_word_finds_what_was_meant(gathered):
    notes = [a_note("The importer sleeps at night")]
    assert gathered(notes, "improter") == ["The importer sleeps at night"]


@pytest.mark.parametrize(("passed_ms", "is_over"), [(199, False), (200, True), (201, True)])
def test_no_phase_begins_when_the_time_is_spent(gathered, monkeypatch, passed_ms, is_over):
    """002-16: at most 200 ms. What the index found by then is the answer."""
    gathered([WORKING, a_note("Forty", "s1")], "crane")

    def found(question):
        looks = iter([0.0])
        monkeypatch.setattr(time, "perf_counter", lambda: next(looks, passed_ms / 1_000))
        return gathered([], question)

    assert found("berth importer") == ["Working on the berth importer", "Forty"][: 2 - is_over]
    assert bool(found("improter")) is not is_over


# --- all of them


def test_an_answer_is_found_by_what_its_session_is_about(core):
    """The answer shares "limit" with forty others; only its neighbour names the importer."""
    objects = [
        {"content": f"Limit settled at {n} a minute", "session": f"s{n}", "key": str(n)}
        for n in range(40)
    ]
    objects.insert(21, {"content": "Working on the berth importer", "session": "s20"})
    core.import_memories(objects)
    hits = core.search("what limit does the berth importer have?")
    assert "Limit settled at 20 a minute" in contents(hits)[:2]
    assert hits[0].score == pytest.approx(sum(hits[0].parts.values()))
    [hit] = [hit for hit in hits if hit.key == "20"]
    assert hit.parts["near"] > 0
    assert hit.parts["together"] > 0


def test_a_time_in_the_question_decides_between_equals_but_excludes_nothing(core, clock):
    for day, value in (("2026-03-01", "two"), ("2026-03-19", "three"), ("2026-03-10", "four")):
        core.import_memories(
            [{"content": f"Retry budget is {value}", "created_at": f"{day}T09:00:00+00:00"}]
        )
    assert contents(core.search("retry budget yesterday"))[0] == "Retry budget is three"
    assert contents(core.search("retry budget last week"))[0] == "Retry budget is four"
    assert len(core.search("retry budget yesterday")) == 3


def test_neighbours_never_come_from_another_project(core, open_core):
    open_core("airport").import_memories([{"content": "Forty a minute", "session": "s1"}])
    core.import_memories([{"content": "Working on the berth importer", "session": "s1"}])
    assert contents(core.search("berth importer")) == ["Working on the berth importer"]
    left_out = core.recall("berth importer").left_out
    assert left_out == ()
