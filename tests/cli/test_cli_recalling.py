"""recall and receipts: the exact text, what it cost, and what was left out."""

import pytest

RECALLED = {"text", "tokens", "budget", "per_tier", "items", "left_out", "receipt"}
RECEIPT = {"id", "at", "host", "session", "event", "tokens", "budget", "latency_ms", "items"}


@pytest.fixture
def stocked(remembered):
    return [
        remembered("The queue tests need a running redis on port 6380", "--importance", "9"),
        remembered("Never run migrations on Fridays", "--category", "warning", "--pin"),
    ]


def test_recall_prints_the_text_and_only_the_text(cli, stocked):
    answer = cli("recall", "how", "do", "I", "run", "the", "queue", "tests?", code=0)
    assert "redis on port 6380" in answer.out
    assert "migrations on Fridays" in answer.out
    assert "tokens" in answer.err
    assert (
        answer.out.strip()
        == cli("recall", "how do I run the queue tests?", "--json").json["text"].strip()
    )


def test_recall_as_json_accounts_for_everything(cli, stocked):
    answer = cli("recall", "how do I run the queue tests?", "--json")
    assert answer.json.keys() >= RECALLED
    assert answer.json["tokens"] <= answer.json["budget"]
    assert {item["id"] for item in answer.json["items"]} == set(stocked)


def test_recall_explains_itself(cli, stocked):
    answer = cli("recall", "queue tests", "--explain")
    assert "injected" in answer.err
    assert "receipt" in answer.err
    assert "injected" not in answer.out


def test_receipts_are_listed_newest_first(cli, stocked):
    made = [cli("recall", f"queue tests {n}", "--json").json["receipt"] for n in range(3)]
    listed = cli("receipts", "list", "--json").lines
    assert [line["id"] for line in listed] == made[::-1]
    assert all(line.keys() >= RECEIPT for line in listed)
    assert len(cli("receipts", "list", "--limit", "1", "--json").lines) == 1
    plain = cli("receipts").out.splitlines()
    assert len(plain) == 3
    assert max(map(len, plain)) <= 80


def test_one_receipt_is_shown_item_by_item(cli, stocked):
    made = cli("recall", "queue tests", "--session", "s-1", "--json").json
    shown = cli("receipts", "show", made["receipt"], "--json").json
    assert {item["id"] for item in shown["items"]} == set(stocked)
    assert shown["session"] == "s-1"
    plain = cli("receipts", "show", made["receipt"]).out
    assert "injected" in plain
    assert "queue tests need" in plain
    assert "s-1" in plain
    assert stocked[0][:8] in plain  # `receipts helpful` takes it
    assert "score" not in plain
    numbers = cli("receipts", "show", made["receipt"], "--numbers").out
    assert "score" in numbers
    assert "budget" in numbers


def test_opinions_are_given_changed_and_taken_back(cli, stocked):
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    said = cli("receipts", "helpful", receipt, stocked[0], stocked[1], "--json").json
    assert [item["helpful"] for item in said["items"]] == [True, True]
    assert cli("receipts", "unhelpful", receipt, stocked[0]).code == 0
    assert "- not helpful" in cli("receipts", "show", receipt).out
    counted = cli("show", stocked[0], "--json").json
    assert (counted["helpful"], counted["unhelpful"]) == (0, 1)
    assert cli("receipts", "unhelpful", receipt, stocked[0], "--clear").code == 0
    assert cli("show", stocked[0], "--json").json["unhelpful"] == 0
