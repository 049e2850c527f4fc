"""check and redact: what is looked for, how it is called, how it ends, and that it is not shown."""

import json
import os

import pytest

from memdeck.benchmarks.redaction_vectors import filled
from memdeck.db.home import Home
from memdeck.db.store import Store

TOKEN = filled("gh" + "p_{w36}")


@pytest.fixture
def slipped(home, remembered):
    """A memory whose secret no rule knew when it was written."""
    identifier = remembered("Staging lives on host db-7")
    store = Store(Home(home))
    with store.change("edit", actor="person", at=1) as change:
        image = change.get("memory", identifier)
        change.put("memory", {**image, "content": f"Staging needs {TOKEN} on host db-7"})
    store.close()
    return identifier


def test_a_sound_store_passes(cli, remembered):
    remembered("Staging lives on host db-7")
    answer = cli("check", code=0)
    assert [line.split()[:3] for line in answer.out.splitlines()] == [
        ["✓", "conflicts", "0"],
        ["✓", "secrets", "none"],
    ]
    assert cli("check", "--json").json == {
        "ok": True,
        "conflicts": 0,
        "secrets": {"records": 0, "count": 0, "kinds": {}},
    }
    assert "No record holds a secret." in cli("check", "--secrets").err
    assert cli("check", "--secrets", "--fix", "--json").json["ok"] is True


def test_a_secret_fails_the_check_and_is_counted_and_not_shown(cli, slipped):
    answer = cli("check", code=1)
    assert "2 records hold github-token ×2" in answer.out  # the row, and its entry of the journal
    assert "check --secrets" in answer.err
    assert TOKEN not in answer.out + answer.err
    assert cli("check", "--json").json["secrets"] == {
        "records": 2,
        "count": 2,
        "kinds": {"github-token": 2},
    }


def test_a_fix_takes_them_out_and_says_what_a_person_must_do(cli, home, slipped):
    answer = cli("check", "--secrets", "--fix", code=0)
    assert "Taken out: 2 records hold github-token ×2." in answer.err
    assert "Change each secret where it is valid" in answer.err
    assert TOKEN not in answer.out + answer.err
    assert cli("check").code == 0
    assert cli("verify").code == 0
    shown = cli("show", slipped, "--json").json
    assert shown["content"] == "Staging needs [REDACTED:github-token] on host db-7"
    [entry] = cli("audit", "--action", "redact", "--json").lines
    assert entry["reason"] == "redacted: content github-token ×1"
    for folder, _, names in os.walk(home):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert TOKEN.encode() not in file.read(), name


def test_an_altered_journal_is_repaired_first(cli, home, slipped):
    path = home / "journal" / "000001.jsonl"
    path.write_bytes(path.read_bytes().replace(b"db-7", b"db-8", 1))
    assert "Repaired" in cli("check", "--secrets", "--fix", code=0).err


# --- redact


def test_redact_is_a_filter(cli, no_home):
    text = f"one {TOKEN}\ntwo me@corp.example\n\nthree é\n"
    answer = cli("redact", stdin=text, code=0)
    assert answer.out == "one [REDACTED:github-token]\ntwo [REDACTED:email]\n\nthree é\n"
    assert cli("redact", stdin=answer.out).out == answer.out
    assert not no_home.exists()  # nothing is stored


def test_redact_answers_each_line_with_its_own_id(cli):
    lines = [
        json.dumps({"id": "a", "text": f"use {TOKEN}"}),
        json.dumps({"id": 7, "text": "nothing here"}),
        json.dumps({"text": "password: hunter2"}),
    ]
    answer = cli("redact", "--jsonl", stdin="\n".join(lines), code=0)
    assert answer.lines == [
        {"id": "a", "text": "use [REDACTED:github-token]", "removed": ["github-token"]},
        {"id": 7, "text": "nothing here", "removed": []},
        {"id": None, "text": "password: [REDACTED:password]", "removed": ["password"]},
    ]
