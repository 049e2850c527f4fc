"""Who is told what a person remembers: `remember --privacy`."""

import json

TEXT = "The staging database is reached through the harbour jump host"
PROMPT = "How is the staging database reached?"


def told(cli):
    return TEXT in cli("recall", PROMPT, "--cli", "claude", "--json", code=0).json["text"]


def test_what_is_for_agents_of_a_role_is_told_to_the_main_agent_from_a_terminal(cli):
    """Who has no role is the orchestrator."""

    def remembered(*options):
        return cli("remember", TEXT, *options, "--json", code=0).json["memory"]

    assert remembered("--privacy", "agent-only")["privacy"] == "agent-only"
    assert told(cli)


def test_an_import_of_an_agent_touches_only_what_is_for_it(cli, monkeypatch):
    known = json.dumps({"content": TEXT, "key": "jump", "privacy": "private"})
    assert cli("import", "-", stdin=known).code == 0
    assert cli("project", "new", "elsewhere").code == 0
    assert cli("remember", "The jump host is in Oslo", "--project", "elsewhere").code == 0
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")

    over = json.dumps({"content": "There is no jump host", "key": "jump", "confidence": 1})
    own = {"content": "The jump host asks for a hardware key", "privacy": "private"}
    lines = "\n".join([over, json.dumps(own), json.dumps({"content": "Berths have numbers"})])
    done = cli("import", "-", "--json", stdin=f"{lines}\n{json.dumps(own)}\n").json
    assert (done["added"], done["duplicates"]) == (2, 1)
    assert done["refused"][0]["line"] == 1
    assert len(cli("list", "hardware key", "--json").lines) == 1
    assert "other projects" not in cli("search", "Oslo").err

    monkeypatch.delenv("CLAUDECODE")
    assert cli("show", "jump", "--json").json["content"] == TEXT
