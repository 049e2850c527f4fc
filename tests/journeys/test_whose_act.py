"""What an agent does in its own shell is an agent's act: nothing becomes a person's by it."""

import json

import pytest

RULE = "Never deploy on Fridays, since nobody is at the harbour on Saturday."
FOUND = "The tide table is read from `tides.csv`, of which column 4 is in feet."
MINE = "The crane at pier C is locked by its key switch whenever the wind is above 7."
ONLY = "Only a person pins, accepts and rewords what is theirs."


@pytest.fixture
def inside(monkeypatch):
    """The shell of an agent's session; "" is a person's terminal."""

    def enter(session):
        for name, value in (("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", session)):
            monkeypatch.setenv(name, value) if session else monkeypatch.delenv(name, raising=False)

    return enter


@pytest.fixture
def begins(start, repo, settle, inside):
    """What a session is told as it begins; the agent's shell is entered."""

    def begin(name):
        inside("")
        told = start(name, repo).tell("SessionStart", source="startup")
        settle()
        inside(name)
        return told

    return begin


def trust(cli, ref):
    shown = cli("show", ref, "--json").json
    return shown["status"], shown["provenance"], shown["degree"]


def test_what_an_agent_remembers_is_told_unasked_only_once_a_person_accepts_it(cli, begins, inside):
    persons = cli("remember", RULE, "--json").json["id"]
    assert trust(cli, persons) == ("confirmed", "person", "person")

    begins("s1")
    found = cli("remember", FOUND, "--json").json["id"]
    assert trust(cli, found) == ("candidate", "agent-unverified", "unproven")
    for refused in (
        ("remember", MINE, "--pin"),
        ("pin", found),
        ("promote", found, "--to", "project"),
        ("review", "accept", found),
        ("review", "edit", found, "--content", MINE),
        ("review", "split", found, "--first", FOUND, "--second", MINE),
        ("edit", persons, "--content", "Always deploy on Fridays, whatever the weather is like."),
        ("merge", found, persons),
        ("merge", persons, found),
    ):
        answer = cli(*refused)
        assert (answer.code, ONLY in answer.err) == (1, True), (refused, answer)
    assert cli("edit", persons, "--add-tag", "deploys").code == 0
    assert cli("edit", found, "--content", f"{FOUND} So divide it by 3.28.").code == 0
    assert trust(cli, found) == ("candidate", "agent-unverified", "unproven")
    assert trust(cli, persons) == ("confirmed", "person", "person")

    told = begins("s2")
    assert RULE in told
    assert "tides.csv" not in told
    inside("")
    assert [one["memories"][0]["id"] for one in cli("review", "--json").lines] == [found]
    assert cli("review", "accept", found).code == 0
    assert trust(cli, found)[::2] == ("confirmed", "person")
    assert "tides.csv" in begins("s3")


def test_what_an_agent_imports_waits_and_what_a_person_took_out_stays_out(
    cli, begins, inside, tmp_path
):
    kept = cli("remember", MINE, "--key", "crane", "--json").json["id"]
    gone = cli("remember", RULE, "--json").json["id"]
    assert cli("forget", gone).code == 0
    [forgot] = [one["seq"] for one in cli("audit", "--json").lines if one["action"] == "forget"]
    lines = (
        {"content": FOUND, "status": "pinned", "key": "tide"},
        {"content": RULE},
        {"content": "The crane is never locked.", "key": "crane"},
        {"content": "Every project deploys at noon.", "scope": "global"},
    )
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    written = tmp_path / "CLAUDE.md"
    written.write_text(f"- {RULE}\n- Ropes are checked with `make ropes` before each release.\n")

    begins("s1")
    brought = json.loads(cli("import", str(path), "--json").out)
    assert (brought["added"], [one["line"] for one in brought["refused"]]) == (1, [2, 3, 4])
    found = cli("show", "tide", "--json").json["id"]
    assert trust(cli, found) == ("candidate", "agent-unverified", "unproven")
    assert cli("import", str(written), "--json").json["added"] == 1
    for refused in (("remember", RULE), ("restore", gone), ("undo", str(forgot))):
        answer = cli(*refused)
        assert (answer.code, "Only a person" in answer.err) == (1, True), (refused, answer)
    assert cli("forget", found).code == 0
    assert cli("restore", found).code == 0

    told = begins("s2")
    assert MINE in told
    assert not {"tides.csv", "Fridays", "ropes"} & {*told.replace("`", " ").split()}
    inside("")
    assert trust(cli, kept) == ("confirmed", "person", "person")
    assert len(cli("review", "list", "--json").lines) == 2
    assert json.loads(cli("import", str(path), "--json").out)["added"] == 2  # a person may
    assert cli("show", "crane", "--json").json["content"] == "The crane is never locked."
