"""Several memories become one, and one again several."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck import BadInput, Refused, StaleEdit, open_memory

ONE = "Pilots report by radio when they pass the outer buoy"
OTHER = "A pilot who passes the outer buoy says so on channel 12"
THIRD = "The outer buoy is where a pilot has to report"


def test_what_cannot_be_merged_changes_nothing(core):
    said = [
        core.remember(ONE, tags=["radio"], files=["a.md"], importance=0.4).memory_id,
        core.remember(OTHER, tags=["buoy"], files=["b.md"], importance=0.8).memory_id,
        core.remember(THIRD, tags=["radio", "pilots"]).memory_id,
    ]
    with pytest.raises(BadInput, match="itself"):
        core.merge(said[0], said[0])
    with pytest.raises(BadInput):
        core.merge(said[0], [])
    revision = core.show(said[0]).revision
    core.pin(said[0])
    with pytest.raises(StaleEdit):
        core.merge(said[0], said[1], expected_revision=revision)
    core.forget(said[2])
    with pytest.raises(Refused, match="forgotten"):
        core.merge(said[0], [said[1], said[2]])
    assert core.show(said[1]).is_live


memories = st.lists(
    st.fixed_dictionaries(
        {
            "tags": st.lists(st.sampled_from(["tide", "radio", "crane"]), max_size=3),
            "files": st.lists(st.sampled_from(["a.md", "b.md"]), max_size=2),
            "importance": st.floats(0, 1),
            "pin": st.booleans(),
            "type": st.sampled_from(["semantic", "episodic", "procedural"]),
        }
    ),
    min_size=2,
    max_size=5,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(memories)
def test_taking_a_merge_back_restores_every_row(tmp_path_factory, given_memories):
    home = tmp_path_factory.mktemp("merging") / "home"
    with open_memory(home, "harbour") as core:
        said = [
            core.remember(f"Pilots report at buoy {number}", **fields).memory_id
            for number, fields in enumerate(given_memories)
        ]
        before = [without_bookkeeping(core.show(one)) for one in said]
        core.merge(said[0], said[1:])
        assert [one.id for one in core.list()] == said[:1]
        core.undo()
        assert [without_bookkeeping(core.show(one)) for one in said] == before
        assert core.links(said[0]) == []
        assert core.verify().ok


def without_bookkeeping(memory):
    """The memory without its revision, which counts entries."""
    from dataclasses import replace

    return replace(memory, revision=0)
