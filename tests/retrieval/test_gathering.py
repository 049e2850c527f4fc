"""What may answer, phase by phase; each phase shown helping and standing aside."""

import time

import pytest


def contents(hits):
    return [hit.memory.content for hit in hits]


def a_note(content, session=None, **fields):
    return {"content": content, "session": session, **fields}


WORKING = a_note("Working on the berth importer", "s1")


@pytest.mark.parametrize(("passed_ms", "is_over"), [(199, False), (200, True), (201, True)])
def test_no_phase_begins_when_the_time_is_spent(monkeypatch, passed_ms, is_over, core):
    """At most 200 ms. What the index found by then is the answer."""

    def gathered(notes, question):
        core.import_memories(notes)
        return contents(core.search(question, limit=100))

    gathered([WORKING, a_note("Forty", "s1")], "crane")

    def found(question):
        looks = iter([0.0])
        monkeypatch.setattr(time, "perf_counter", lambda: next(looks, passed_ms / 1_000))
        return gathered([], question)

    assert found("berth importer") == ["Working on the berth importer", "Forty"][: 2 - is_over]
    assert bool(found("improter")) is not is_over


# --- all of them


def test_neighbours_never_come_from_another_project(core, open_core):
    open_core("airport").import_memories([{"content": "Forty a minute", "session": "s1"}])
    core.import_memories([{"content": "Working on the berth importer", "session": "s1"}])
    assert contents(core.search("berth importer")) == ["Working on the berth importer"]
    left_out = core.recall("berth importer").left_out
    assert left_out == ()
