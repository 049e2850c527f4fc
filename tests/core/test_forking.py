"""A fork begins with what its parent found, and the two count as one."""

import pytest

from memdeck import NotFound


@pytest.fixture
def parent(core, offer):
    """A session that found one thing, was refused another, and has a checkpoint."""
    core.session_seen("parent", "claude", "/src/harbour", "startup")
    core.session_goal("parent", "Make the tide importer faster")
    found = offer(session="parent", ref="claude:parent:u1:0").memory_id
    offer("Sounds good.", session="parent")
    core.checkpoint("parent", 10, line=12)
    core.finalize_session("parent")
    return found


def test_a_finding_has_what_the_requirement_lists(core, parent, row_of, texts):
    """Id, fingerprint, content, category, importance, confidence, files, tags, entry."""
    where = "session = 'parent' AND outcome = 'stored'"
    for column, value in (
        ("content", texts["tide"]),
        ("importance", 5 / 9),
        ("confidence", 0.7),
        ("files", "[]"),
        ("tags", "[]"),
        ("memory", parent),
    ):
        assert row_of(column, "finding", where) == value, column
    assert row_of("id", "finding", where) > 0
    assert row_of("fingerprint", "finding", where) == row_of("fingerprint", "memory", "1")


def test_a_fork_is_a_deep_copy_with_its_parent_named(core, parent):
    fork = core.fork_session("parent", "child")
    source = core.session_named("parent")
    assert (fork.id, fork.parent, fork.source) == ("child", "parent", "fork")
    assert (fork.goal, fork.summary, fork.agent, fork.cwd) == (
        source.goal,
        source.summary,
        source.agent,
        source.cwd,
    )
    assert (fork.captures, fork.refused, fork.messages) == (2, 1, 10)
    [mine], [theirs] = core.checkpoints("child"), core.checkpoints("parent")
    assert {**mine, "session": "parent"} == theirs


def test_a_parent_and_its_fork_count_as_one_session(core, parent, offer):
    """Dedup handles repeats; no second session for the same words."""
    core.fork_session("parent", "child")
    offer(session="child")
    assert "multi-session" not in core.candidacy(parent)["signals"]
    offer(session="elsewhere")
    assert core.candidacy(parent)["signals"]["multi-session"] == 2


def test_both_may_promote_what_was_found(core, parent, offer):
    core.fork_session("parent", "child")
    offer(session="child", rule="person.remember")
    assert core.show(parent).scope == "project"
    assert len(core.list()) == 1


def test_a_fork_can_be_taken_back(core, parent):
    core.fork_session("parent", "child")
    core.undo()
    with pytest.raises(NotFound):
        core.session_named("child")
    assert core.verify().ok
