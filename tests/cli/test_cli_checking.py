"""check and redact: what is looked for, how it is called, how it ends, and that it is not shown."""

import json
import os
import sqlite3

import pytest

from memdeck import open_memory
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
    answer = cli("check")
    assert answer.code == 0
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


def test_an_open_conflict_fails_the_check(cli, home, remembered):
    first, second = remembered("Staging lives on host db-7"), remembered("Lunch is at noon")
    with open_memory(home, str(os.getcwd())) as core:
        core.mark_conflict(first, second)
    answer = cli("check")
    assert answer.code == 1
    assert "✗ conflicts  1 open" in answer.out
    assert "is:conflict" in answer.err
    assert cli("check", "--json").json["conflicts"] == 1
    assert cli("check", "--secrets").code == 0


def test_a_secret_fails_the_check_and_is_counted_and_not_shown(cli, slipped):
    answer = cli("check")
    assert answer.code == 1
    assert "2 records hold github-token ×2" in answer.out  # the row, and its entry of the journal
    assert "check --secrets" in answer.err
    assert TOKEN not in answer.out + answer.err
    assert cli("check", "--json").json["secrets"] == {
        "records": 2,
        "count": 2,
        "kinds": {"github-token": 2},
    }


def test_each_record_is_told_by_place_name_field_kind_and_count(cli, slipped):
    answer = cli("check", "--secrets", "--json")
    assert answer.code == 1
    assert answer.lines == [
        {
            "place": "memory",
            "name": slipped,
            "found": [{"field": "content", "kind": "github-token", "count": 1}],
        },
        {
            "place": "journal",
            "name": "2",
            "found": [{"field": "after.content", "kind": "github-token", "count": 1}],
        },
    ]
    plain = cli("check", "--secrets")
    assert plain.code == 1
    assert f"memory   {slipped}  content github-token ×1" in plain.out
    assert "--fix" in plain.err
    assert TOKEN not in answer.out + answer.err + plain.out + plain.err


def test_a_fix_takes_them_out_and_says_what_a_person_must_do(cli, home, slipped):
    answer = cli("check", "--secrets", "--fix")
    assert answer.code == 0
    assert "Taken out: 2 records hold github-token ×2." in answer.err
    assert "change it where it is valid" in answer.err
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


def test_what_a_fix_must_leave_is_named_with_what_to_do(cli, home, slipped):
    backup = home / "backups" / "before-schema-9.db"
    source, target = sqlite3.connect(home / "memory.db"), sqlite3.connect(backup)
    source.backup(target)
    source.close()
    target.close()
    (home / "spool" / "pending.jsonl").write_text(f'\n0 {{"id": "1", "detail": "{TOKEN}"}}\n')
    answer = cli("check", "--secrets", "--fix")
    assert answer.code == 1
    assert "backups/before-schema-9.db. Remove that file" in answer.err
    assert "spool/pending.jsonl. Run `memdeck drain`" in answer.err
    again = cli("check", "--secrets", "--fix", "--json").json
    assert again["ok"] is False
    assert {one["place"] for one in again["left"]} == {"backups", "spool"}
    assert TOKEN not in json.dumps(again)


def test_a_backup_that_cannot_be_read_is_not_passed_over(cli, home, remembered):
    remembered("Staging lives on host db-7")
    (home / "backups" / "damaged-1.db").write_bytes(b"no database at all" * 100)
    [held] = cli("check", "--secrets", "--json").lines
    assert held["found"] == [{"field": "file", "kind": "unreadable", "count": 1}]


def test_a_store_that_others_hold_open_is_told(cli, home, slipped, monkeypatch):
    from memdeck.db import rewrite as resealing

    monkeypatch.setattr(resealing, "READERS_WAIT_MS", 10)
    reader = sqlite3.connect(home / "memory.db")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory").fetchone()
    answer = cli("check", "--secrets", "--fix")
    reader.close()
    assert answer.code == 1
    assert "Close the app" in answer.err


def test_fix_alone_is_not_understood(cli):
    answer = cli("check", "--fix")
    assert answer.code == 2
    assert "--secrets" in answer.err


def test_an_altered_journal_is_refused_with_a_hint(cli, home, slipped):
    path = home / "journal" / "000001.jsonl"
    path.write_bytes(path.read_bytes().replace(b"db-7", b"db-8", 1))
    answer = cli("check", "--secrets", "--fix")
    assert answer.code == 1
    assert "not whole" in answer.err
    assert "memdeck verify" in answer.err


# --- redact


def test_redact_is_a_filter(cli, no_home):
    text = f"one {TOKEN}\ntwo me@corp.example\n\nthree é\n"
    answer = cli("redact", stdin=text)
    assert answer.code == 0
    assert answer.out == "one [REDACTED:github-token]\ntwo [REDACTED:email]\n\nthree é\n"
    assert cli("redact", stdin=answer.out).out == answer.out
    assert not no_home.exists()  # nothing is stored


def test_redact_of_a_text_as_json_says_which_kinds_went(cli):
    answer = cli("redact", "--json", stdin=f"{TOKEN} {TOKEN}")
    assert answer.json == {
        "text": "[REDACTED:github-token] [REDACTED:github-token]",
        "removed": ["github-token"],
    }


def test_redact_answers_each_line_with_its_own_id(cli):
    lines = [
        json.dumps({"id": "a", "text": f"use {TOKEN}"}),
        json.dumps({"id": 7, "text": "nothing here"}),
        json.dumps({"text": "password: hunter2"}),
    ]
    answer = cli("redact", "--jsonl", stdin="\n".join(lines))
    assert answer.code == 0
    assert answer.lines == [
        {"id": "a", "text": "use [REDACTED:github-token]", "removed": ["github-token"]},
        {"id": 7, "text": "nothing here", "removed": []},
        {"id": None, "text": "password: [REDACTED:password]", "removed": ["password"]},
    ]


def test_a_line_that_cannot_be_read_is_answered_and_the_next_one_too(cli):
    answer = cli("redact", "--jsonl", stdin='no json\n{"id": 1}\n{"id": 2, "text": "x"}\n')
    assert answer.code == 1
    assert [line.get("line") for line in answer.lines] == [1, 2, None]
    assert answer.lines[1]["error"] == "`text` is no text"
    assert answer.lines[2]["text"] == "x"


def test_redact_follows_the_persons_own_settings(cli, home):
    (home / "config.toml").write_text('[redaction]\nkeep_emails = ["me@corp.example"]\n')
    answer = cli("redact", stdin="me@corp.example you@corp.example")
    assert answer.out == "me@corp.example [REDACTED:email]"


def test_redact_lets_nothing_through_that_steers_a_terminal(cli):
    hidden = TOKEN[:9] + "\u200b" + TOKEN[9:]
    assert cli("redact", stdin=f"\x1b]0;x\x07{hidden}").out == "[REDACTED:github-token]"


@pytest.mark.slow
def test_redact_of_pipes_in_a_process(process):
    answer = process("redact", stdin=f"{TOKEN}".encode() + b"\xff\n")
    assert answer.code == 0
    assert TOKEN not in answer.out
    assert answer.out.endswith("\n")
