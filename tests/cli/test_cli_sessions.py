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


def test_without_a_session_it_says_what_to_do(cli, home):
    answer = cli("sessions")
    assert (answer.code, answer.out) == (0, "")
    assert "`memdeck doctor` says how" in answer.err
    assert cli("sessions", "--json").out == ""


def test_the_list_tells_what_came_of_each(cli, told):
    answer = cli("sessions")
    assert answer.code == 0
    assert "1 learned, 2 captured, 1 refused, 10 messages" in answer.out
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
        "incognito": False,
        "parent": None,
        "cwd": "/src/acme-api",
        "end_reason": "clear",
    }
    assert {name: one[name] for name in wanted} == wanted
    assert len(cli("sessions", "list", "--limit", "1", "--json").lines) == 1
    assert cli("sessions", "list", "--limit", "0").code == 2


def test_show_tells_summary_checkpoints_learned_and_refused(cli, told):
    answer = cli("sessions", "show", "0f3c9a")
    assert answer.code == 0
    for words in (
        *(told, "claude", "Make the release safe", "/src/acme-api", "clear", "10 messages"),
        *("summary", "Decided: ", "checkpoints", "learned", "refused", "The tests ran green"),
    ):
        assert words in answer.out, words
    assert max(len(line) for line in answer.out.splitlines()) <= 80
    whole = cli("sessions", "show", told, "--json").json
    assert [one["content"] for one in whole["memories"]] == [LEARNED]
    assert [one["content"] for one in whole["refusals"]] == [TALK]
    [checkpoint] = whole["checkpoints"]
    assert (checkpoint["messages"], checkpoint["line"]) == (10, 40)
    assert checkpoint["learned"] == [whole["memories"][0]["id"]]
    assert whole["summary"].startswith("Goal: Make the release safe")
    number = str(whole["refusals"][0]["number"])
    assert cli("inbox", "rescue", number).code == 0


def test_a_beginning_that_several_have_is_refused(cli, told):
    answer = cli("sessions", "show", "0f3c9")
    assert (answer.code, answer.out) == (1, "")
    assert "0f3c9a" in answer.err
    for name in ("nowhere", "", "%", "\x1b[2J"):
        assert cli("sessions", "show", name).code == 1


def test_a_session_is_listed_by_as_much_of_its_id_as_tells_it_from_the_others(cli, told, home):
    with open_memory(home, actor="rule") as core:
        for name in ("abcdefghij", "abcdefghxy", "abcd"):
            core.session_seen(name, "codex")
    listed = [line.split()[0] for line in cli("sessions").out.splitlines()]
    assert {"0f3c9a21", "abcdefghi", "abcdefghx", "abcd"} <= set(listed)
    assert cli("sessions", "show", "abcd", "--json").json["id"] == "abcd"


def test_a_fork_has_what_was_found_and_undo_takes_it_back(cli, told):
    answer = cli("sessions", "fork", "0f3c9a", "--json")
    assert answer.code == 0, answer.err
    fork = answer.json
    assert (fork["parent"], fork["goal"], fork["source"]) == (told, "Make the release safe", "fork")
    assert (fork["captures"], fork["refused"], fork["messages"]) == (2, 1, 10)
    assert cli("sessions", "show", "0f3c9a21", "--json").json["id"] == told  # still told apart
    assert f"fork of {told}" in cli("sessions").out
    assert cli("sessions", "fork", "nowhere").code == 1
    assert cli("undo").code == 0
    assert fork["id"] not in [one["id"] for one in cli("sessions", "--json").lines]


def test_the_memories_of_a_session_are_not_those_of_one_named_alike(cli, home, captured):
    captured(LEARNED, session="s-1", rule="agent.decision")
    captured("Always deploy on Tuesday mornings, when the harbour is quiet.", session="s-11")
    [only] = cli("sessions", "show", "s-1", "--json").json["memories"]
    assert only["content"] == LEARNED


def test_incognito_is_switched_on_and_off_and_undone(cli, home, told):
    answer = cli("sessions", "incognito", "0f3c9a")
    assert answer.code == 0
    assert told in answer.out
    assert "incognito" in cli("sessions").out
    with open_memory(home) as core:
        assert core.is_taken_down(told) is False
    assert cli("sessions", "incognito", told, "--off", "--json").json["incognito"] is False
    assert cli("undo").code == 0
    assert cli("sessions", "show", told, "--json").json["incognito"] is True
    assert cli("sessions", "incognito", "nowhere").code == 1


def test_another_project_sees_nothing_of_it(cli, told):
    assert cli("sessions", "--json", "--project", "elsewhere").out == ""
    assert cli("sessions", "show", told, "--project", "elsewhere").code == 1


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
        answer = cli(*words)
        assert answer.code == 0, answer.err
        for shown in (answer.out, answer.err):
            assert not any(ord(c) < 32 and c not in "\r\n\t" for c in shown), words
            assert "\x9b" not in shown
            assert "\u202e" not in shown


def test_the_list_and_one_session_tell_what_was_told_and_left_open(cli, home, told):
    with open_memory(home) as core:
        core.remember("Releases are cut from the release branch on Mondays, before noon.")
        core.recall("when are releases cut?", host="claude", session=told)
    with open_memory(home, actor="rule") as core:
        core.offer(
            [
                Capture(
                    "The staging certificate has to be renewed before the next release.",
                    type="prospective",
                    rule="agent.todo",
                    origin=Origin(session=told, agent="claude"),
                )
            ]
        )
    answer = cli("sessions")
    assert "told 2 memories (" in answer.out
    assert "1 left open" in answer.out
    [one] = [one for one in cli("sessions", "--json").lines if one["id"] == told]
    wanted = {"name": "Make the release safe", "prompts": 1, "told": 2, "open": 1, "undecided": 0}
    assert {name: one[name] for name in wanted} == wanted
    assert one["tokens"] > 0

    answer = cli("sessions", "show", told)
    assert "when are releases cut?" in answer.out
    assert "left open" in answer.out
    whole = cli("sessions", "show", told, "--json").json
    assert whole["asked"] == ["when are releases cut?"]
    assert [receipt["tokens"] for receipt in whole["receipts"]] == [one["tokens"]]
    assert [todo["type"] for todo in whole["todos"]] == ["prospective"]
    assert max(len(line) for line in answer.out.splitlines()) <= 80


def test_a_session_is_named_by_how_its_goal_begins_two_words_at_least(cli, told):
    assert cli("sessions", "show", "make-the-release", "--json").json["id"] == told
    assert cli("sessions", "show", "Make-the", "--json").json["id"] == told
    answer = cli("sessions", "show", "Make")  # one word may be the beginning of an id
    assert (answer.code, answer.out) == (1, "")
    assert cli("sessions", "show", "make-no-release").code == 1
    [one] = cli("list", "session:make-the-release", "--json").lines
    assert one["session"] == told
    assert cli("list", "session:make-no", "--json").out == ""
