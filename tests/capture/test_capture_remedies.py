"""What made the difference, and what only looked as if it had."""

import pytest

from .conftest import SessionBuilder


def test_a_variant_that_fails_in_another_way_has_not_worked(session):
    session.runs("make flash", "Error: libusb: device busy", 2)
    session.runs("make flash PORT=usb1", "Error: checksum mismatch in sector 4", 2)
    assert session.contents("error-fix") == []


def test_a_program_that_could_not_be_run_and_now_does_its_work_was_helped(session):
    session.runs("pytest tests/rooms", "/bin/bash: line 1: pytest: command not found", 127)
    session.runs("uv run pytest tests/rooms", "E   AssertionError: assert 2 == 1", 1)
    [fix] = session.contents("error-fix")
    assert "`uv run pytest tests/rooms` worked" in fix


def test_a_file_that_the_failure_does_not_name_is_no_fix_while_it_still_fails(session):
    session.runs("make check", "Error: board.c: bad rook", 2)
    session.edits("docs/clock.md", "a", "b")
    session.runs("make check", "Error: board.c: bad king", 2)
    assert session.contents("error-fix") == []


def test_a_flag_that_was_added_is_the_fix(subtests):
    rows = [
        ("cargo build", "cargo +nightly build"),
        ("go test ./...", "go test -tags integration ./..."),
        ("mvn package", "mvn package -Pflight"),
    ]
    for tried, worked in rows:
        with subtests.test(tried=tried):
            session = SessionBuilder()
            session.runs(tried, "error: edition 2024 is unstable", 1).runs(worked)
            [fix] = session.contents("error-fix")
            assert f"`{worked}` worked" in fix


def test_looking_is_no_remedy(subtests):
    rows = [
        "cargo +nightly --version",
        "uv run python --version",
        "ls build",
        "cat rates.toml",
        "lsof -i :5433",
        "systemctl status ledger",
        "uv run python -c 'import rooms'",
        "rustup show",
        "nl -ba src/rooms.py",
        "bd where",
        "mise tasks",
        "git -C ../acme cat-file -t e53647b",
        "ssh root@box 'cd /etc && cat rates.conf'",
        "gofmt -w rooms",
        "go test ./rooms -run TestRates",
        "python -m py_compile rates.py",
        "ROOT=/srv/acme",
    ]
    for look in rows:
        with subtests.test(look=look):
            session = SessionBuilder()
            session.runs("make e2e", "Error: connect refused", 2).runs(look).runs("make e2e")
            assert session.contents("error-fix") == []


def test_acting_is_one(subtests):
    rows = [
        "systemctl restart ledger",
        "psql -c 'create database x'",
        "sed -i s/a/b/ rates.ini",
        "ssh root@box 'systemctl restart ledger'",
        "bd init",
    ]
    for act in rows:
        with subtests.test(act=act):
            session = SessionBuilder()
            session.runs("make e2e", "Error: connect refused", 2).runs(act).runs("make e2e")
            assert act in session.contents("error-fix")[0]


def test_what_a_command_is_asked_to_do_says_whether_it_only_looks(subtests):
    rows = [
        ("bash -lc 'ls /srv && cat rates.conf'", True),
        ("bash -lc 'ls /srv && make rates'", False),
        ("bash deploy.sh 'ls all'", False),
        ("git -C ../acme ls-files", True),
        ("git -C ../acme gc", False),
        ("bd list", True),
        ("bd create rates", False),
    ]
    for command, looks in rows:
        with subtests.test(command=command):
            session = SessionBuilder()
            session.asks("From now on, never push without asking me first.").runs(command)
            [kept] = session.captures()
            assert (kept.envelope.actions == ()) is looks


def test_a_certificate_that_is_not_asked_for_is_a_remedy(session):
    session.runs("curl https://box/rates", "curl: (60) SSL certificate problem", 60)
    session.runs("curl -k https://box/rates")
    assert "`curl -k https://box/rates` worked" in session.contents("error-fix")[0]


def test_what_was_refused_and_put_otherwise_is_the_fix(subtests):
    rows = [
        ("rtk bun run test", "error: unrecognized subcommand 'bun'", "bun run test"),
        (
            "workmux add rooms --branch x",
            "error: unexpected argument '--branch' found",
            "workmux add rooms",
        ),
        (
            "scripts/send.sh a b",
            "zsh:1: no such file or directory: scripts/send.sh",
            "/opt/scripts/send.sh a b",
        ),
    ]
    for tried, error, worked in rows:
        with subtests.test(tried=tried):
            session = SessionBuilder()
            session.runs(tried, error, 2).runs(worked)
            [fix] = session.contents("error-fix")
            assert f"`{worked}` worked" in fix


def test_what_only_went_elsewhere_is_no_fix(subtests):
    rows = [
        ("make push A=rooms/one", "gh: Not Found (HTTP 404)", "make push A=rooms/two"),
        ("cargo test", "Error: RATES_KEY is missing", "cargo test -- --skip rates"),
        ("pnpm run test", "Error: listen EPERM 127.0.0.1", "pnpm exec oxfmt src/test"),
    ]
    for tried, error, worked in rows:
        with subtests.test(tried=tried):
            session = SessionBuilder()
            session.runs(tried, error, 1).runs(worked)
            assert session.contents("error-fix") == []


def test_the_summary_of_the_tests_is_not_why_they_failed(subtests):
    rows = [
        "Test Files  1 failed | 3 passed (4)",
        "Tests: 3 failed, 2 passed",
        "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        "12 examples, 1 failure",
        "Tests run: 5, Failures: 1, Errors: 0",
        "error: test failed, to rerun pass `--lib`",
        "Error: Process completed with exit code 1.",
        "Failed!  - Failed:     1, Passed:     2",
        "1 of 12 tests failed",
        "BUILD FAILED in 3s",
    ]
    for summary in rows:
        with subtests.test(summary=summary):
            session = SessionBuilder()
            assert told(session, f"KeyError: 'tariff'\n{summary}\n") == ("KeyError: 'tariff'",)


def test_a_number_after_the_word_error_is_no_summary(session):
    assert told(session, "ERROR: 403 Forbidden: exists") == ("ERROR: 403 Forbidden: exists",)


def told(session, output):
    """Why a command failed, as it is kept with what was said meanwhile."""
    session.asks("From now on, never push without asking me first.").runs("make x", output, 1)
    [kept] = session.captures()
    return kept.envelope.errors


def test_the_same_failure_in_two_places_is_told_once(session):
    error = "E   ModuleNotFoundError: No module named 'tariffs'"
    session.runs("pytest tests", error, 1).runs("uv sync").runs("pytest tests")
    session.runs("make ci", error, 1).runs("uv sync --frozen").runs("make ci")
    assert len(session.contents("error-fix")) == 1


def test_two_failures_are_told_twice(session):
    session.runs("make a", "Error: no such network: acme", 1).runs("docker network create acme")
    session.runs("make a").runs("make b", "Error: no such volume: acme", 1)
    session.runs("docker volume create acme").runs("make b")
    assert len(session.contents("error-fix")) == 2


TWICE = (
    "The cause: `send()` in payroll/mail.py:40 always sends the payslip again after a timeout, "
    "since the queue must not lose one."
)


def report(session, text):
    session.asks("Find out why payslips are sent twice.")
    return session.calls("Agent", text, prompt="Where are payslips sent?")


def test_a_subagent_that_found_nothing_leaves_nothing(subtests):
    rows = [
        "`payroll/mail.py:40` was not changed by this work.",
        "`payroll/mail.py:40` is unrelated and only formats the date.",
        "There are no other callers of `send()` besides payroll/mail.py:40 here.",
        "| Where | Does |\n|---|---|\n| payroll/mail.py:40 | Sends the payslip again |",
        "#### **send() for payslips that were sent** (payroll/mail.py:40)",
    ]
    for finding in rows:
        with subtests.test(finding=finding):
            session = SessionBuilder()
            assert report(session, finding).contents("subagent-finding") == []


@pytest.mark.parametrize(("path", "is_kept"), [("payroll/mail.py", False), ("a.py", True)])
def test_what_was_changed_after_a_report_is_no_fact_of_it(session, path, is_kept):
    report(session, TWICE).edits(path, "a", "b")
    assert bool(session.contents("subagent-finding")) is is_kept


def of_payroll(session):
    return [c for c in session.captures(is_judged=True) if "payroll/" in c.content]


def test_what_the_agent_says_of_another_file_is_no_repetition(session):
    report(session, TWICE)
    session.runs("make check")
    session.says("The cause is in payroll/queue.py:7: `ack()` is only called after the timeout.")
    assert len(of_payroll(session)) == 2
