"""What is not for everybody stays with those it is for, by whatever way it could be told."""

import pytest

ASKING = ("UserPromptSubmit", "PreToolUse", "SubagentStart", "TaskBoundary")
UNASKED = ("SessionStart", "PostCompact", "PreAssistantResponse")
ASKED = "what limit does the berth importer have?"
SECRETS = {
    "answer": {"content": "The berth importer has a limit of forty"},
    "neighbour": {"content": "Settled at forty a minute"},
    "pinned": {"content": "Never raise it above forty", "status": "pinned"},
    "todo": {"content": "Raise it to forty on Friday", "type": "prospective"},
    "preference": {"content": "Prefers a limit of forty", "category": "preference"},
    "important": {"content": "Above forty the radio fails", "importance": 1.0},
    "everywhere": {"content": "A limit of forty holds for every importer", "scope": "global"},
    "working": {"content": "Trying forty now", "type": "working"},
}


@pytest.fixture
def planted(core):
    """Memories of session s1, each found in another way, with one privacy; and a public one."""

    def plant(privacy, **fields):
        objects = [
            {**memory, "key": name, "session": "s1", "privacy": privacy, "agent": "claude"}
            for name, memory in SECRETS.items()
        ]
        public = {"content": "Working on the berth importer", "session": "s1", "agent": "claude"}
        report = core.import_memories([*objects, {**public, **fields}])
        assert report.added == len(SECRETS) + 1
        return core

    return plant


def told(core, event, **more):
    """What is told at an event, by key; nothing is kept of it."""
    prompt = ASKED if event in ASKING else ""
    injection = core.recall(prompt, event=event, context_left=100_000, write_receipt=False, **more)
    names = {hit.key for hit in injection.items if hit.key}
    for name, memory in SECRETS.items():
        assert (memory["content"] in injection.text) == (name in names)
    return names


@pytest.mark.parametrize("event", [*ASKING, *UNASKED])
@pytest.mark.parametrize("session", ["s2", None])
def test_what_is_private_is_told_to_no_other_session(planted, event, session):
    """Private is for the session that wrote it; a neighbour or a rival brings none in."""
    core = planted("private")
    assert told(core, event, session=session) == set()


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart"])
def test_its_own_session_is_told_what_is_private(planted, event):
    names = told(planted("private"), event, session="s1")
    assert names >= {"pinned", "working"}
    assert names & {"answer", "important", "preference"}


@pytest.mark.parametrize("event", [*ASKING, *UNASKED])
def test_what_is_for_one_role_is_told_to_no_other(planted, event):
    """agent-only is for the same role, whatever the host."""
    core = planted("agent-only")
    assert told(core, event, session="s2", role="researcher") == set()
    ours = told(core, event, session="s2", host="codex")
    assert ours
    assert "working" not in ours  # a session's working memory is its own, whoever asks


def test_a_private_rival_is_not_dragged_in_by_its_conflict(core, keep):
    keep(
        {"content": "The berth importer has a limit of thirty", "key": "public"},
        {"content": "Forty", "key": "private", "privacy": "private", "session": "s1"},
    )
    core.mark_conflict(core.show("public").id, core.show("private").id)
    others = core.recall(ASKED, session="s2", write_receipt=False)
    assert [hit.key for hit in others.items] == ["public"]
    assert "CONFLICT" not in others.text
    own = core.recall(ASKED, session="s1", write_receipt=False)
    assert "[⚠ CONFLICT]" in own.text
    assert {hit.key for hit in own.items} == {"public", "private"}
