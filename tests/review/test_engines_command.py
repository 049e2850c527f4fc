"""Programs as reviewers: how they are called, and what they may do without harm."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

from memdeck.agents import spool

GOOD = '{"importance": 8, "trivial": false, "reason": "A lasting rule."}'
FOREVER_S = 60  # the stand-ins that hang do so for ten minutes


def test_a_program_reads_the_prompt_and_its_answer_becomes_a_vote(program, ask):
    judge = program(stdout=GOOD)

    vote = ask(kind="program", program=["judge", "--terse"])

    assert (vote.reviewer, vote.score, vote.is_trivial) == ("analyzer", 8.0, False)
    assert (vote.reason, vote.status, vote.engine) == ("A lasting rule.", "ok", "program judge")
    assert vote.latency_ms > 0
    assert judge.seen["arguments"] == ["--terse"]
    assert "Always run make migrate" in judge.seen["prompt"]


def test_our_own_hooks_are_silent_in_what_we_start(program, ask):
    judge = program()
    ask(kind="program", program=["judge"])
    assert judge.seen["environment"][spool.GUARD] == "1"


def test_a_program_works_in_an_empty_private_folder_that_is_gone_afterwards(program, ask):
    judge = program()
    ask(kind="program", program=["judge"])
    seen = judge.seen
    assert seen["inside"] == []
    assert seen["mode"] == 0o700
    assert seen["environment"]["PWD"] == seen["folder"]
    assert seen["folder"] != os.getcwd()
    assert not os.path.exists(os.path.dirname(seen["folder"]))


def test_a_program_that_cannot_be_started_is_a_failed_vote_that_cost_nothing(ask, tmp_path):
    (tmp_path / "judge").write_text("#!/bin/sh\n")  # of mode 0644
    for program, why in (
        ("no-such-program-anywhere", "not installed, or not on the PATH"),
        (str(tmp_path / "judge"), "it is not executable"),
    ):
        vote = ask(kind="program", program=[program])
        assert (vote.status, vote.score, vote.cost_usd) == ("failed", None, 0.0)
        assert why in vote.reason


# --- what a program may do


def test_programs_that_hang_are_killed_with_all_they_started(program, ask, is_gone, subtests):
    deeds = ("hang", "fork", "close-and-hang")
    judges = [program(deed, do=deed, stdout=GOOD) for deed in deeds]
    begun = time.monotonic()

    with ThreadPoolExecutor(len(deeds)) as pool:
        votes = pool.map(lambda deed: ask(kind="program", program=[deed], limit_s=4.0), deeds)

    assert time.monotonic() - begun < FOREVER_S
    for deed, judge, vote in zip(deeds, judges, votes, strict=True):
        with subtests.test(deed=deed):
            assert (vote.status, vote.score) == ("timeout", None)
            assert vote.reason == "No answer within 3.9 s."
            seen = judge.seen
            assert is_gone(seen["pid"])
            assert deed != "fork" or is_gone(seen["child"])
            assert seen["group"] == seen["pid"] != os.getpgid(0)
            assert not os.path.exists(os.path.dirname(seen["folder"]))


def test_a_crash_is_a_failed_vote(program, ask):
    program(do="crash", stderr="worker lost\n")
    vote = ask(kind="program", program=["judge"])
    assert vote.status == "failed"
    assert vote.reason == "It ended with signal 6: worker lost"


def test_what_a_program_says_of_its_cost_is_what_it_cost(program, ask):
    program(stdout='{"importance": 8, "total_cost_usd": 0.0042}')
    assert ask(kind="program", program=["judge"]).cost_usd == 0.0042


def test_a_secret_that_a_program_prints_does_not_reach_the_reason(program, ask):
    secret = "ghp" + "_" + "Zq7Rk2Lw9Tx4Vb6Nc1Md8Pf3Hs5Jg0YaUeIo"
    program(stderr=f"login failed for {secret}\n", code=1)
    vote = ask(kind="program", program=["judge"])
    assert secret not in vote.reason
    assert "[REDACTED:github-token]" in vote.reason
    program(stdout=f'{{"importance": 3, "reason": "holds {secret}"}}')
    assert secret not in ask(kind="program", program=["judge"]).reason
