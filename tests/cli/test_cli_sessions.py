"""sessions: what came of each is told, forks take it along, and nobody takes down the incognito."""

import pytest

from memdeck import Capture, Origin, open_memory

LEARNED = "We decided that the deploy script only runs from the release branch, as main may be red."
TALK = "The tests ran green just now and I moved on to the next thing."


@pytest.fixture
def told(home):
    """A session with a goal, one finding, one refusal, a checkpoint and an end."""
    with open_memory(home, actor="rule") as core:
        core.session_seen("0f3c9a21-77", "claude", cwd="/src/acme-api")
        core.session_goal("0f3c9a21-77", "Make the release safe")
        origin = Origin(session="0f3c9a21-77", agent="claude", line=3)
        core.offer(
            [
                Capture(LEARNED, category="decision", rule="agent.decision", origin=origin),
                Capture(TALK, rule="agent.finding", importance=0.2, origin=origin),
            ]
        )
        core.checkpoint("0f3c9a21-77", 12, line=40)
        core.session_ended("0f3c9a21-77", "clear")
        core.session_seen("0f3c9b00-12", "codex")
    return "0f3c9a21-77"


def test_the_list_tells_what_came_of_each(cli, told):
    answer = cli("sessions", code=0)
    assert "1 learned, 1 filtered" in answer.out
    assert "Make the release safe" in answer.out
    assert "codex" in answer.out
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    listed = {one["id"]: one for one in cli("sessions", "list", "--json").lines}
    assert set(listed) == {told, "0f3c9b00-12"}
    one = listed[told]
    wanted = {
        "agent": "claude",
        "goal": "Make the release safe",
        "learned": 1,
        "captures": 2,
        "refused": 1,
        "messages": 10,
        "is_incognito": False,
        "parent": None,
        "cwd": "/src/acme-api",
        "end_reason": "clear",
    }
    assert {name: one[name] for name in wanted} == wanted
    assert len(cli("sessions", "list", "--limit", "1", "--json").lines) == 1
    assert cli("sessions", "list", "--limit", "0").code == 2


def test_show_tells_summary_checkpoints_learned_and_refused(cli, told):
    answer = cli("sessions", "show", "0f3c9a", code=0)
    for words in (
        *(told, "claude", "Make the release safe", "/src/acme-api", "clear", "messages"),
        *("summary", "Decided: ", "checkpoints", "learned", "filtered", "The tests ran green"),
    ):
        assert words in answer.out, words
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    whole = cli("sessions", "show", told, "--json").json
    assert [one["content"] for one in whole["memories"]] == [LEARNED]
    assert [one["content"] for one in whole["filtered"]] == [TALK]
    [checkpoint] = whole["checkpoints"]
    assert (checkpoint["messages"], checkpoint["line"]) == (10, 40)
    assert checkpoint["learned"] == [whole["memories"][0]["id"]]
    assert whole["summary"].startswith("Goal: Make the release safe")
    number = str(whole["filtered"][0]["number"])
    assert cli("review", "rescue", number).code == 0


def test_a_fork_has_what_was_found_and_undo_takes_it_back(cli, told):
    answer = cli("sessions", "fork", "0f3c9a", "--json", code=0)
    fork = answer.json
    assert (fork["parent"], fork["goal"], fork["source"]) == (told, "Make the release safe", "fork")
    assert (fork["captures"], fork["refused"], fork["messages"]) == (2, 1, 10)
    assert cli("sessions", "show", "0f3c9a21", "--json").json["id"] == told  # still told apart
    assert "fork" in cli("sessions").out
    assert cli("sessions", "fork", "nowhere").code == 1
    assert cli("undo").code == 0
    assert fork["id"] not in [one["id"] for one in cli("sessions", "--json").lines]


def test_incognito_is_switched_on_and_off_and_undone(cli, home, told):
    assert told in cli("sessions", "incognito", "0f3c9a", code=0).out
    assert "incognito" in cli("sessions").out
    with open_memory(home) as core:
        assert core.is_recorded(told) is False
    assert cli("sessions", "incognito", told, "--off", "--json").json["is_incognito"] is False
    assert cli("undo").code == 0
    assert cli("sessions", "show", told, "--json").json["is_incognito"] is True
    assert cli("sessions", "incognito", "nowhere").code == 1


def test_hostile_names_and_goals_steer_no_terminal(cli, home):
    name = 's"\x1b[2J\x1b]52;c;aGk=\x07\u202e\x9b31m session:x'
    with open_memory(home, actor="rule") as core:
        core.session_seen(name, name, cwd=name)
        core.session_goal(core.sessions()[0].id, f"Clear {name}")
        kept = core.sessions()[0].id
    for words in (
        ["sessions"],
        ["sessions", "show", kept],
        ["sessions", "fork", kept],
        ["sessions", "incognito", kept],
        ["sessions"],
        ["sessions", "--json"],
    ):
        answer = cli(*words, code=0)
        for shown in (answer.out, answer.err):
            assert not any(ord(c) < 32 and c not in "\r\n\t" for c in shown), words
            assert "\x9b" not in shown
            assert "\u202e" not in shown
