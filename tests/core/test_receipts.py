"""What was injected is accounted for, told once, judged, and can be replayed."""

import json
import os
from datetime import UTC, datetime

import pytest

from memdeck.cli.main import run
from memdeck.tests.fingerprints import fingerprint
from memdeck.tests.receipts import receipt_of

FACT = "Integration tests need `make test-db` before they run, or every one of them fails."
ASKED = "how do I run the integration tests?"


@pytest.fixture
def fact(core):
    return core.remember(FACT).memory_id


def ids(injection):
    return [hit.id for hit in injection.items]


# --- the account


def test_a_receipt_tells_everything(core, fact):
    made = core.recall(
        ASKED,
        host="gemini",
        session="s1",
        context_left=50_000,
        policy="tiered",
        profile="additive",
        files=["tests/db.py"],
        role="executor",
    )
    receipt = core.receipt(made.receipt)
    assert (receipt.host, receipt.session, receipt.event) == ("gemini", "s1", "UserPromptSubmit")
    assert (receipt.policy, receipt.profile) == ("tiered", "additive")
    assert (receipt.context_left, receipt.budget) == (50_000, 4_000)
    assert (receipt.files, receipt.role) == (("tests/db.py",), "executor")
    assert receipt.prompt_fingerprint == fingerprint(ASKED)
    assert receipt.prompt == ASKED
    assert dict(receipt.per_tier) == dict(made.per_tier)
    assert dict(receipt.limits) == dict(made.limits)
    assert receipt.latency_ms > 0
    assert receipt.compression_ratio == 1.0
    [item] = receipt.items
    assert (item["id"], item["tier"], item["helpful"]) == (fact, "retrieval", None)
    assert item["tokens"] == made.costs[fact] > 0
    assert sum(item["parts"].values()) == pytest.approx(item["score"], abs=0.01)


# --- the prompt


def test_the_prompt_is_kept_redacted(core, fact):
    secret = "ghp_" + "Zk3x" * 9
    made = core.recall(f"{ASKED} with the token {secret}")
    kept = core.receipt(made.receipt).prompt
    assert kept.startswith(ASKED)
    assert secret not in kept
    assert "[REDACTED:" in kept


# --- the text that was told


def test_neither_an_incognito_prompt_nor_the_text_that_answered_it_is_kept(core, fact, tmp_path):
    def noted(prompt, *, said=None, session="s1", **more):
        path = tmp_path / "session.jsonl"
        lines = [
            {
                "type": "user",
                "uuid": f"u{number}",
                "sessionId": session,
                "message": {"role": "user", "content": text},
            }
            for number, text in enumerate(said if said is not None else [prompt])
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        about = {"id": f"receipt{len(core.receipts())}", "session": session, "items": []}
        receipt = receipt_of(core, prompt, **about, transcript=str(path), **more)
        receipt["prompt"] = None
        core.keep_receipt(receipt)
        return core.receipt(receipt["id"])

    assert noted(ASKED, text="told").text == "told"
    hidden = noted(f"#incognito {ASKED}", text="told")
    assert (hidden.prompt, hidden.text) == (None, None)
    assert noted(ASKED, said=["something else"], text="told").text == "told"
    core.session_seen("s2", "claude")
    core.set_incognito("s2")
    hidden = noted(ASKED, session="s2", text="told")
    assert (hidden.prompt, hidden.text) == (None, None)
    hidden = core.recall(f"#incognito {ASKED}")
    assert core.receipt(hidden.receipt).text is None


def test_an_agent_reads_only_what_its_own_session_was_told(
    open_core, monkeypatch, capsys, tmp_path
):
    (tmp_path / "harbour").mkdir()
    monkeypatch.chdir(tmp_path / "harbour")

    def agent(session, *words):
        with monkeypatch.context() as caller:
            if session is not None:
                caller.setenv("CLAUDECODE", "1")
                caller.setenv("CLAUDE_CODE_SESSION_ID", session)
            assert run(["receipts", *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    core = open_core(os.getcwd(), clock=lambda: datetime.now(UTC))
    core.remember(FACT)
    told = core.recall(ASKED, session="s1")
    assert agent("s1", "show", told.receipt)["text"] == told.text
    for other in ("s2", ""):
        assert agent(other, "show", told.receipt)["text"] is None


# --- told once


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_after_a_reset_it_is_told_again(core, clock, source):
    fact = core.remember(FACT, importance=0.3).memory_id  # too little for a session's start
    core.recall(ASKED, session="s1")
    clock.forward(seconds=1)
    start = core.recall("", session="s1", event="SessionStart", source=source)
    clock.forward(seconds=1)
    again = core.recall(ASKED, session="s1")
    assert ids(start) + ids(again) == [fact]  # a compaction tells it at once, the others when asked


def test_pinned_memories_are_told_once_and_again_after_a_compaction(core, clock):
    pinned = core.remember("No migrations on Fridays, whatever happens.", pin=True).memory_id
    assert ids(core.recall("anything", session="s1")) == [pinned]
    assert core.recall("anything else", session="s1").text == ""
    clock.forward(seconds=1)
    assert ids(core.recall("", session="s1", event="SessionStart", source="compact")) == [pinned]
    assert core.recall("anything", session="s1").text == ""


def test_a_subagent_knows_nothing_of_what_its_session_was_told(core, fact):
    core.recall(ASKED, session="s1")
    assert ids(core.recall(ASKED, session="s1", event="SubagentStart")) == [fact]
    other = core.recall(ASKED, session="s2", event="SubagentStart")
    assert ids(other) == [fact]
    assert ids(core.recall(ASKED, session="s2")) == [fact]


def test_a_conflict_found_later_is_told_with_both_sides(core):
    one = core.remember("The deploy tool of the harbour is fabric, run by hand.").memory_id
    core.recall("which deploy tool does the harbour use?", session="s1")
    other = core.remember("The deploy tool of the harbour is ansible, run nightly.").memory_id
    core.mark_conflict(one, other)
    again = core.recall("which deploy tool does the harbour use?", session="s1")
    assert {one, other} <= set(ids(again))
    assert "[⚠ CONFLICT]" in again.text


# --- explained


def test_the_reasons_of_changed_memories_are_omitted(core, fact):
    receipt = core.receipt(core.recall(ASKED).receipt)
    core.edit(fact, content="Integration tests need `make test-pg` before they run, all of them.")
    assert fact not in core.explanation(receipt).reasons
