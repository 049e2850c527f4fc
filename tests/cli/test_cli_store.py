"""status, doctor: how the store is doing."""

import re

COUNTED = set(
    (
        "total_count by_type by_status by_category by_tier totals retired conflicts expiring "
        "database_bytes journal_bytes"
    ).split()
)


def test_status_as_json(cli, remembered):
    remembered("The queue tests need a running redis on port 6380")
    answer = cli("status", "--json")
    assert answer.json["project"]["name"] == "acme-api"
    assert answer.json["stats"].keys() == COUNTED
    assert answer.json["stats"]["total_count"] == 1
    hosts = ("claude", "codex", "copilot", "gemini", "opencode")
    assert answer.json["hooks"] == {host: [] for host in hosts}
    assert answer.json["spool_bytes"] == 0
    assert answer.json["receipts"] == []


def test_status_counts_by_type_status_and_category(cli, remembered):
    remembered("Never run migrations on Fridays", "--category", "warning", "--type", "semantic")
    remembered("Pay the invoice in March", "--type", "prospective", "--pin")
    stats = cli("status", "--json").json["stats"]
    assert stats["by_type"] == {"semantic": 1, "prospective": 1}
    assert stats["by_status"] == {"confirmed": 1, "pinned": 1}
    assert stats["by_category"]["warning"] == 1
    plain = cli("status").out
    assert "1 prospective" in plain
    assert re.search(r"pinned +1\b", plain)


def test_doctor_is_content_with_a_whole_installation(cli, remembered):
    remembered("Never run migrations on Fridays")
    cli("install", "claude")
    assert cli("doctor", code=0).err == ""
    found = cli("doctor", "--json").lines
    assert all(finding["ok"] for finding in found)
    assert {"store", "spool"} <= {finding["name"] for finding in found}
