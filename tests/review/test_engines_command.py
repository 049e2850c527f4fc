"""Programs as reviewers: how they are called, and what they may do without harm."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from memdeck.agents import spool
from memdeck.core.models.reviewers import gather

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


def test_each_call_has_a_folder_of_its_own(program, ask):
    judge = program()
    for _ in range(2):
        ask(kind="program", program=["judge"])
    assert len({call["folder"] for call in judge.calls}) == 2


def test_a_program_does_not_think_it_runs_inside_the_agents_session(program, ask, monkeypatch):
    for name in ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("LOGIN_OF_THE_PERSON", "kept")
    judge = program()
    ask(kind="program", program=["judge"])
    assert not [name for name in judge.seen["environment"] if name.startswith("CLAUDE")]
    assert judge.seen["environment"]["LOGIN_OF_THE_PERSON"] == "kept"


def test_nothing_of_the_note_is_an_argument(program, ask, note):
    judge = program()
    ask(kind="program", program=["judge", "--fast"], subject=note(content="swordfish " * 20))
    assert "swordfish" in judge.seen["prompt"]
    assert "swordfish" not in " ".join(judge.seen["arguments"])


def test_a_program_may_be_named_by_its_path_or_from_the_persons_home(program, ask, monkeypatch):
    judge = program()
    monkeypatch.setenv("HOME", str(judge.path.parent))
    monkeypatch.setenv("PATH", os.defpath)
    assert ask(kind="program", program=[str(judge.path)]).status == "ok"
    assert ask(kind="program", program=["~/judge"]).status == "ok"


def test_a_program_that_cannot_be_started_is_a_failed_vote_that_cost_nothing(ask, tmp_path):
    (tmp_path / "judge").write_text("#!/bin/sh\n")  # of mode 0644
    for program, why in (
        ("no-such-program-anywhere", "not installed, or not on the PATH"),
        (str(tmp_path / "judge"), "it is not executable"),
    ):
        vote = ask(kind="program", program=[program])
        assert (vote.status, vote.score, vote.cost_usd) == ("failed", None, 0.0)
        assert why in vote.reason


def test_a_program_that_cannot_be_started_says_why(program, ask):
    judge = program()
    judge.path.write_text("#!/no/such/interpreter\n")
    vote = ask(kind="program", program=["judge"])
    assert vote.status == "failed"
    assert "cannot be started" in vote.reason


@pytest.mark.parametrize(("is_unsure", "kind"), [(True, "episodic"), (False, None)])
def test_a_type_is_corrected_only_where_the_rules_were_unsure(program, ask, note, is_unsure, kind):
    program(stdout='{"importance": 8, "type": "episodic"}')
    vote = ask(kind="program", program=["judge"], subject=note(is_type_unsure=is_unsure))
    assert vote.type == kind


def test_a_trivial_note_is_voted_trivial(program, ask):
    program(stdout='{"importance": 1, "trivial": true}')
    assert ask(kind="program", program=["judge"]).is_trivial is True


# --- what a program may do


def test_prose_instead_of_an_answer_is_invalid_and_shown(program, ask):
    program(stdout="I think this is a very good note!")
    vote = ask(kind="program", program=["judge"])
    assert (vote.status, vote.score) == ("invalid", None)
    assert "very good note" in vote.reason


def test_nothing_at_all_is_invalid(program, ask):
    program(stdout="")
    vote = ask(kind="program", program=["judge"])
    assert (vote.status, vote.reason) == ("invalid", "No JSON object in the answer: (empty)")


def test_a_fenced_answer_counts(program, ask):
    program(stdout=f"Sure!\n\n```json\n{GOOD}\n```\nAnything else?")
    assert ask(kind="program", program=["judge"]).score == 8


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


def test_a_helper_that_is_left_behind_does_not_hold_up_the_answer(program, ask, is_gone):
    judge = program(do="leave-behind", stdout=GOOD)
    begun = time.monotonic()
    vote = ask(kind="program", program=["judge"], limit_s=30)
    assert time.monotonic() - begun < FOREVER_S
    assert (vote.status, vote.score) == ("ok", 8.0)
    assert is_gone(judge.seen["child"])


def test_a_crash_is_a_failed_vote(program, ask):
    program(do="crash", stderr="worker lost\n")
    vote = ask(kind="program", program=["judge"])
    assert vote.status == "failed"
    assert vote.reason == "It ended with signal 6: worker lost"


def test_an_exit_code_counts_more_than_a_good_answer(program, ask):
    program(stdout=GOOD, code=3)
    vote = ask(kind="program", program=["judge"])
    assert vote.status == "failed"
    assert "exit code 3" in vote.reason


def test_fifty_megabytes_are_not_waited_for(program, ask, is_gone):
    judge = program(do="flood")
    vote = ask(kind="program", program=["judge"])
    assert (vote.status, vote.score) == ("invalid", None)
    assert vote.reason == "It printed more than 4,194,304 bytes."
    assert is_gone(judge.seen["pid"])


def test_fifty_megabytes_of_complaints_do_no_harm_to_a_good_answer(program, ask):
    program(do="flood-errors", stdout=GOOD)
    assert ask(kind="program", program=["judge"]).score == 8


def test_output_that_is_no_text_is_survived(program, ask):
    judge = program(stdout=GOOD)
    judge.path.write_text(
        '#!/bin/sh\nprintf \'\\377\\376 {"importance": 9, "reason": "\\033[31mred\\000"}\'\n'
    )
    vote = ask(kind="program", program=["judge"])
    assert vote.status in ("ok", "invalid")
    assert "\x1b" not in vote.reason
    assert "\x00" not in vote.reason


def test_a_program_that_does_not_read_its_prompt_is_no_problem(program, ask, note):
    judge = program()
    judge.path.write_text(f"#!/bin/sh\necho '{GOOD}'\n")
    assert ask(kind="program", program=["judge"], subject=note(content="x" * 500)).score == 8


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


def test_three_programs_are_asked_at_the_same_time_without_disturbing_each_other(
    program, reviewer, note
):
    program("one", stdout='{"importance": 2}')
    program("two", stdout='{"importance": 9}')
    program("stuck", do="hang")
    voters = [reviewer(kind="program", program=[name]) for name in ("one", "two", "stuck")]

    votes = gather(note(), voters, 4.0)

    assert [vote.score for vote in votes] == [2.0, 9.0, None]
    assert [vote.status for vote in votes] == ["ok", "ok", "timeout"]
    # the work was begun; on a busy machine the vote that says so comes after the panel has gone
    assert voters[2].budget.calls == 1


def with_engine(voter, engine):
    return replace(voter, model=replace(voter.model, engine=engine))


def test_an_engine_that_breaks_is_a_failed_vote_and_never_an_error(reviewer, note):
    class Broken:
        def ask(self, prompt, schema, limit_s):
            raise KeyError("a line of the note")

    voter = with_engine(reviewer(kind="claude"), Broken())
    vote = voter.review(note(), 5.0)
    assert (vote.status, vote.reason) == ("failed", "Unexpected KeyError.")
    assert voter.budget.calls == 1


@pytest.mark.parametrize(("limit_s", "left_s"), [(0.1, 0.08), (2.0, 1.9), (30.0, 29.9)])
def test_a_late_vote_still_reaches_the_panel_in_time(reviewer, note, limit_s, left_s):
    """It says what the call cost, which the panel's own vote for a late reviewer cannot."""
    given = []

    class Noting:
        def ask(self, prompt, schema, limit_s):
            given.append(limit_s)
            raise TimeoutError

    with_engine(reviewer(kind="claude"), Noting()).review(note(), limit_s)
    assert given == [pytest.approx(left_s)]


def test_no_thread_stays_behind_a_program(program, ask):
    before = threading.active_count()
    program(do="hang")
    ask(kind="program", program=["judge"], limit_s=1.0)
    assert threading.active_count() <= before
