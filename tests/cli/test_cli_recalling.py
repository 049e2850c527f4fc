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
    answer = cli("recall", "how", "do", "I", "run", "the", "queue", "tests?")
    assert answer.code == 0
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


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "opencode"])
def test_recall_speaks_the_format_of_each_host(cli, stocked, host):
    answer = cli("recall", "queue tests", "--cli", host)
    assert answer.code == 0
    assert "redis on port 6380" in answer.out


@pytest.mark.parametrize("policy", ["adaptive", "five-type", "tiered"])
def test_recall_takes_a_policy_and_the_context_that_is_left(cli, stocked, policy):
    answer = cli(
        *("recall", "queue tests", "--policy", policy, "--context-left", "20000", "--json"),
        *("--files", "tests/queue.py", "--file", "redis.conf"),
    )
    assert answer.code == 0
    assert answer.json["budget"] > 0


def test_recall_refuses_what_cannot_be(cli):
    assert cli("recall").code == 2
    assert cli("recall", "x", "--cli", "emacs").code == 2
    assert cli("recall", "x", "--policy", "lavish").code == 2
    assert cli("recall", "x", "--context-left", "-1").code == 2


def test_recall_explains_itself(cli, stocked):
    answer = cli("recall", "queue tests", "--explain")
    assert "given:" in answer.err
    assert "receipt" in answer.err
    assert "given:" not in answer.out


def test_recall_reads_the_prompt_from_a_pipe(cli, stocked):
    assert "6380" in cli("recall", "-", stdin="queue tests\n").out


def test_recall_with_nothing_to_say_says_so(cli):
    answer = cli("recall", "anything at all")
    assert (answer.code, answer.out) == (0, "")
    assert "Nothing fits" in answer.err


def test_recall_leaves_a_receipt_unless_only_looking(cli, stocked):
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    cli("recall", "queue tests", "--no-receipt")
    assert [line["id"] for line in cli("receipts", "--json").lines] == [receipt]


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
    assert "given" in plain
    assert "queue tests need" in plain
    assert "s-1" in plain


def test_a_receipt_that_is_not_there_is_refused(cli, stocked):
    answer = cli("receipts", "show", "zzzz")
    assert (answer.code, answer.out) == (1, "")
    assert "memdeck receipts" in answer.err
    assert cli("receipts", "show").code == 2
    assert cli("receipts", "frobnicate").code == 2


def test_no_receipts_yet(cli):
    answer = cli("receipts")
    assert (answer.code, answer.out) == (0, "")
    assert "memdeck install" in answer.err


def test_a_memory_knows_the_prompts_it_was_given_with(cli, stocked):
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    assert [each["id"] for each in cli("show", stocked[0], "--json").json["injections"]] == [
        receipt
    ]
    assert receipt in cli("show", stocked[0]).out
