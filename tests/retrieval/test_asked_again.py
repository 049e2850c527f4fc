"""What was read for one question serves the next, until anybody writes; nobody can spoil it."""

import pytest

QUESTION = "which port does the relay listen on"
STEPS = ["stop the relay", "start the relay"]


@pytest.fixture
def two(open_core):
    """Two open doors to one store that holds one note and one procedure."""
    one, other = open_core(), open_core()
    one.remember("The relay listens on port 8080, behind the proxy.", tags=["relay"])
    one.remember("How the relay is started anew.", type="procedural", details={"steps": STEPS})
    return one, other


def foremost(core):
    return core.search(QUESTION)[0].memory


def all_that_is_said_of(core):
    return [(hit.memory, hit.score, hit.parts) for hit in core.search(QUESTION)]


def test_asked_again_the_answer_is_the_same(two):
    one, other = two
    first = all_that_is_said_of(one)
    assert len(first) == 2
    assert all_that_is_said_of(one) == first == all_that_is_said_of(other)


@pytest.mark.parametrize("writer", [0, 1], ids=["by itself", "by another"])
def test_what_is_written_between_is_heard(two, writer):
    asker = two[0]
    found = foremost(asker)
    two[writer].edit(found.id, content="The relay listens on port 9090 since it moved.")
    assert "9090" in foremost(asker).content
    two[writer].pin(found.id)
    assert foremost(asker).status == "pinned"
    two[writer].add_alias("doorway", ["port"])
    assert asker.search("doorway")[0].memory.id == found.id
    two[writer].forget(found.id)
    assert foremost(asker).id != found.id


def test_what_a_caller_does_to_an_answer_is_the_callers_own(two):
    one, _ = two
    procedure = next(hit.memory for hit in one.search(QUESTION) if hit.memory.type == "procedural")
    assert procedure.details["steps"] == STEPS
    procedure.details["steps"].append("pull the plug")
    procedure.details["another"] = 1
    again = next(hit.memory for hit in one.search(QUESTION) if hit.memory.type == "procedural")
    assert again.details["steps"] == STEPS
    assert "another" not in again.details
