"""recall and receipts: the exact text, what it cost, and what was left out."""

import os

import pytest

from memdeck import open_memory

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


def test_recall_speaks_the_format_of_each_host(cli, stocked, subtests):
    for host in ["claude", "codex", "copilot", "gemini", "opencode"]:
        with subtests.test(host=host):
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
    assert "memdeck doctor" in answer.err


def test_a_memory_knows_the_prompts_it_was_given_with(cli, stocked):
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    assert [each["id"] for each in cli("show", stocked[0], "--json").json["injections"]] == [
        receipt
    ]
    assert receipt in cli("show", stocked[0]).out


def test_recall_as_json_says_what_it_cost_and_what_comes_next(cli, remembered):
    for number in range(8):
        remembered(f"The queue tests of module {number} need redis {number}{number}")
    answer = cli("recall", "queue tests module redis", "--profile", "additive", "--json").json
    assert (answer["policy"], answer["profile"]) == ("adaptive", "additive")
    assert 0 < answer["compression_ratio"] < 1
    assert answer["next"].keys() == {"id", "title", "score", "tokens", "why"}
    assert all(item["injected_tokens"] > 0 and item["tier"] for item in answer["items"])
    assert sum(item["injected_tokens"] for item in answer["items"]) <= answer["tokens"]
    assert answer["degraded"] is False
    explained = cli("recall", "queue tests module redis", "--explain").err
    assert "next:" in explained
    assert "of what was in question" in explained


@pytest.mark.parametrize(
    "event", ["SessionStart", "PostCompact", "PreAssistantResponse", "TaskBoundary"]
)
def test_an_event_may_come_without_a_prompt(cli, stocked, event):
    assert cli("recall", "--event", event).code == 0
    assert cli("recall", "", "--event", event).code == 0
    assert cli("recall", "--event", "SessionStart", "--source", "compact").code == 0
    assert cli("recall", "--event", "Lunch").code == 2


def test_one_session_is_told_once(cli, stocked):
    asked = ("recall", "how do I run the queue tests?", "--session", "s-1")
    assert "6380" in cli(*asked).out
    again = cli(*asked, "--explain")
    assert again.out == ""
    assert "told already in this session" in again.err
    assert "6380" in cli("recall", "how do I run the queue tests?").out


def test_a_session_that_asks_is_named_by_the_beginning_of_its_id(cli, home, stocked):
    with open_memory(home, os.getcwd()) as core:
        core.session_seen("0f3c9a-the-whole-id", "claude")
    asked = ("recall", "how do I run the queue tests?", "--session")
    assert "redis" in cli(*asked, "0f3c9a-the-whole-id").out
    again = cli(*asked, "0f3c9a", "--explain")
    assert "redis" not in again.out
    assert "told already in this session" in again.err
    whole = cli("audit", "--session", "0f3c9a-the-whole-id", "--json").lines
    assert whole
    assert cli("audit", "--session", "0f3c9a", "--json").lines == whole


def test_receipts_are_those_of_a_memory_or_a_session(cli, stocked):
    one = cli("recall", "queue tests", "--session", "s-1", "--json").json["receipt"]
    assert cli("recall", "--event", "SessionStart", "--session", "s-2").code == 0
    for words in (("receipts",), ("receipts", "list")):
        assert [line["id"] for line in cli(*words, "--session", "s-1", "--json").lines] == [one]
        assert len(cli(*words, "--memory", stocked[1], "--json").lines) == 2
        assert len(cli(*words, "--memory", stocked[1], "--limit", "1", "--json").lines) == 1
    assert cli("receipts", "--limit", "1", "list").code == 2  # it would not count there
    nothing = cli("receipts", "--session", "s-9")
    assert (nothing.code, nothing.out) == (0, "")


def test_a_receipt_tells_the_prompt_the_parts_and_the_tiers(cli, stocked):
    made = cli("recall", "queue tests", "--context-left", "50000", "--json").json
    shown = cli("receipts", "show", made["receipt"], "--json").json
    assert (shown["prompt"], shown["context_left"]) == ("queue tests", 50_000)
    assert shown["per_tier"] == made["per_tier"]
    assert all(item["parts"] and item["tokens"] and item["tier"] for item in shown["items"])
    plain = cli("receipts", "show", made["receipt"]).out
    for said in ("prompt queue tests", "50,000 tokens left", "adaptive", "retrieval", "words"):
        assert said in plain


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


def test_an_opinion_needs_a_receipt_and_a_memory_of_it(cli, stocked, remembered):
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    other = remembered("The billing service keeps its keys in Postgres")
    assert cli("receipts", "helpful", receipt).code == 1
    assert cli("receipts", "helpful", receipt, other).code == 1
    assert cli("receipts", "helpful", "zzzz", stocked[0]).code == 1


def test_a_replay_shows_what_differs_today(cli, stocked):
    receipt = cli("recall", "queue tests", "--session", "s-1", "--json").json["receipt"]
    cli("forget", stocked[0])
    answer = cli("receipts", "replay", receipt)
    assert "6380" not in answer.out
    assert "gone" in answer.err
    replay = cli("receipts", "replay", receipt, "--json").json
    assert replay["exact"] is True
    assert {each["id"]: each["change"] for each in replay["changes"]} == {
        stocked[0]: "gone",
        stocked[1]: "same",
    }
    assert replay["receipt"]["id"] == receipt
    assert len(cli("receipts", "--json").lines) == 1


def test_a_prompt_that_was_not_kept_is_asked_for(cli, stocked, home_path):
    (home_path / "config.toml").write_text("[recall]\nkeep_prompts = false\n")
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    refused = cli("receipts", "replay", receipt)
    assert refused.code == 1
    assert "--prompt" in refused.err
    assert cli("receipts", "replay", receipt, "--prompt", "queue tests").code == 0


def test_explain_says_in_words_what_put_each_there(cli, stocked):
    answer = cli("recall", "queue tests", "--explain")
    assert "has both words of your question: queue, tests" in answer.err
    assert "it is pinned" in answer.err
    items = cli("recall", "queue tests", "--explain", "--json").json["items"]
    assert all(item["account"] for item in items)


def test_what_was_called_helpful_is_remembered_in_the_account(cli, stocked):
    receipt = cli("recall", "queue tests", "--json").json["receipt"]
    cli("receipts", "helpful", receipt, stocked[0])
    assert "you called it helpful" in cli("recall", "queue tests", "--explain").err
    cli("receipts", "unhelpful", receipt, stocked[0])
    assert "you called it not helpful" in cli("recall", "queue tests", "--explain").err


def test_a_prompt_that_nothing_answers_is_told_what_would(cli, stocked, remembered):
    gone = remembered("The zeppelin lands at noon")
    cli("forget", gone)
    answer = cli("recall", "when does the zeppelin land?")
    assert "No memory answers this prompt" in answer.err
    assert "1 retired memory would match" in answer.err
    told = cli("recall", "when does the zeppelin land?", "--json").json
    assert told["suggestion"]["retired"] == 1
    assert "suggestion" not in cli("recall", "queue tests", "--json").json
    assert "No memory answers" not in cli("recall", "thanks").err


def test_a_preset_says_what_is_told_of_the_unproven(cli, home, stocked):
    guess = "The berth planner loses a booking when two skippers take one berth at once."
    with open_memory(home, os.getcwd()) as memory:
        memory.session_seen("a-session", "claude")
        memory.learn(guess, session="a-session")
    asked = ("recall", "when does the berth planner lose a booking?", "--no-receipt")
    for preset, is_told in (("conservative", False), ("balanced", True), ("aggressive", True)):
        told = cli(*asked, "--policy", preset, "--json").json
        assert (guess in told["text"]) is is_told
        assert told["policy"] == "adaptive"
        reasons = [one["why"] for one in told["left_out"]]
        assert any("nothing bears it out" in why for why in reasons) is not is_told
    assert cli(*asked, "--policy", "eager").code == 2
