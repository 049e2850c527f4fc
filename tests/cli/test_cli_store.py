"""status, stats, doctor: how the store is doing."""

import json

COUNTED = {
    "total_count",
    "by_type",
    "by_status",
    "by_category",
    "by_tier",
    "retired",
    "conflicts",
    "expiring",
    "database_bytes",
    "journal_bytes",
}


def test_status_of_a_new_project(cli, home):
    answer = cli("status")
    assert answer.code == 0
    assert answer.out.startswith("acme-api  0 memories")
    assert "`memdeck doctor` says how" in answer.out  # whichever agents are on this machine
    assert str(home) in answer.out


def test_status_shows_counts_gauges_hooks_and_injections(cli, remembered, tmp_path):
    remembered("The queue tests need a running redis on port 6380", "--pin")
    cli("forget", remembered("Something that did not last at all"))
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    cli("install", "claude")
    answer = cli("status")

    assert answer.out.startswith("acme-api  1 memory\n")
    for words in ("★ 1 pinned", "· 1 retired", "of 3,000", "Claude Code (user)", receipt):
        assert words in answer.out
    assert "0 notes waiting" in answer.out
    assert max(len(line) for line in answer.out.splitlines() if str(tmp_path) not in line) <= 80


def test_status_as_json(cli, remembered):
    remembered("The queue tests need a running redis on port 6380")
    answer = cli("status", "--json")
    assert answer.json["project"]["name"] == "acme-api"
    assert answer.json["stats"].keys() == COUNTED
    assert answer.json["stats"]["total_count"] == 1
    hosts = ("claude", "codex", "copilot", "gemini", "opencode")
    assert answer.json["hooks"] == {host: [] for host in hosts}
    assert answer.json["spool"] == 0
    assert answer.json["receipts"] == []


def test_status_says_what_waits_for_a_verdict(cli, captured, remembered):
    assert "0 in the inbox, 0 conflicts\n" in cli("status").out
    captured("From now on, run the queue tests against redis on port 6380, never a mock.")
    sides = remembered("Tax is rounded per line"), remembered("Use decimals")
    cli("conflicts", "mark", *sides)
    answer = cli("status")
    assert "1 in the inbox, 1 conflict: `memdeck inbox`, `memdeck conflicts`" in answer.out
    whole = cli("status", "--json").json
    assert (whole["inbox"], whole["conflicts"]) == (1, 1)
    cli("inbox", "snooze", "redis")
    assert cli("status", "--json").json["inbox"] == 0


def test_status_counts_what_the_hooks_have_noted(cli, process, no_home):
    payload = {
        "session_id": "s-1",
        "transcript_path": "/nowhere.jsonl",
        "cwd": ".",
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    process("hook", "claude", "SessionStart", stdin=json.dumps(payload))
    assert cli("status", "--json").json["spool"] == 1


def test_stats_count_by_type_status_and_category(cli, remembered):
    remembered("Never run migrations on Fridays", "--category", "warning", "--type", "semantic")
    remembered("Pay the invoice in March", "--type", "prospective", "--pin")
    answer = cli("stats", "--json")
    assert answer.code == 0
    assert answer.json.keys() == COUNTED
    assert answer.json["by_type"] == {"semantic": 1, "prospective": 1}
    assert answer.json["by_status"] == {"confirmed": 1, "pinned": 1}
    assert answer.json["by_category"]["warning"] == 1
    plain = cli("stats").out
    assert "prospective" in plain
    assert "warning" in plain


def test_doctor_names_what_is_wrong_and_what_mends_it(cli):
    answer = cli("doctor")
    assert answer.code == 1
    assert "Run `memdeck install claude`." in answer.out
    assert "to mend" in answer.err


def test_doctor_is_content_with_a_whole_installation(cli, remembered):
    remembered("Never run migrations on Fridays")
    cli("install", "claude")
    answer = cli("doctor")
    assert answer.code == 0, answer.out
    assert answer.err == ""
    found = cli("doctor", "--json").lines
    assert all(finding["ok"] for finding in found)
    assert {"store", "spool", "hooks"} <= {finding["name"] for finding in found}


def test_doctor_looks_even_when_the_store_cannot_be_opened(cli, no_home):
    no_home.write_text("a file where a folder must be")
    answer = cli("doctor")
    assert answer.code == 1
    assert "is a file" in answer.out


def test_status_says_how_quick_recall_is(cli, remembered):
    """002-34."""
    remembered("The queue tests need a running redis on port 6380")
    assert "not measured yet" in cli("status").out
    for _ in range(5):
        cli("recall", "queue tests")
    assert "of the last 5" in cli("status").out
    recall = cli("status", "--json").json["recall"]
    assert recall["samples"] == 5
    assert recall["p95_ms"] > 0
    assert (recall["healthy_below_ms"], recall["degraded_above_ms"]) == (200, 300)
