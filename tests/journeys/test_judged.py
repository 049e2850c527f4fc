"""What of a session is kept: judged by the fitted score, whoever said it, in whatever form."""

import shutil
import sys
from datetime import timedelta

import pytest

from memdeck.benchmarks.gallery.programs import put_program
from memdeck.core.judgement import weights

from .project import framed

ARTICLE = """
  # Designing resilient clients

  ## Introduction

  Retries are a **powerful** mechanism, but they must be used with care. You should always use exponential backoff with jitter. Never retry requests that are not idempotent.

  ## Best practices

  - Always cap the number of retries at five.
  - Prefer circuit breakers over naive retries, because they protect the service behind them.
  - Never share a retry budget between tenants.

  ## Conclusion

  In summary, resilient clients must combine backoff, budgets and circuit breakers. ✅
"""  # noqa: E501
RULE = "We must never try more than three times, the harbour's gateway bans us for an hour then."
OWN = f"no, {RULE[0].lower()}{RULE[1:-1]}"
TIDES = """
    P: can we make the export always write the tide times in UTC, the pilots' app shows them an hour off in summer
    R export/tides.py
    > def rows(): ...
    A: The hour came from `datetime.now()` without a zone: the container runs in Europe/Berlin, while the pilots' app takes what it gets as UTC.
    E export/tides.py
    - now()
    + now(UTC)
    $ make test
    > 14 passed
    A: Done. I updated export/tides.py and all 14 tests pass.
    P: good. and don't touch legacy_export.py, the customs office reads exactly that format
    A: I left it alone.
    P: commit
    $ git commit -am "Write UTC"
    > 1 file changed
    A: Committed.
"""  # noqa: E501
GREETING = "P: good morning\nA: Good morning."


def kept(project):
    """What lies in the store, oldest first."""
    with project.memory() as memory:
        return [one.content for one in reversed(memory.list(""))]


def test_the_score_keeps_what_no_rule_knows_and_drops_progress(project):
    project.session(TIDES)
    assert kept(project) == [
        "Can we make the export always write the tide times in UTC, the pilots' app shows them an"
        " hour off in summer.",
        "The hour came from `datetime.now()` without a zone: the container runs in Europe/Berlin,"
        " while the pilots' app takes what it gets as UTC.",
        "Don't touch legacy_export.py, the customs office reads exactly that format.",
    ]


def test_it_can_be_said_why_a_sentence_was_kept(project):
    project.session(TIDES)
    with project.memory() as memory:
        [rule] = memory.list("customs")
        judged = memory.salience(rule.id)
    assert judged.worth_keeping < judged.worth_a_look < 1
    assert any("names a file" in words for words, _ in judged.reasons)


def test_a_pasted_article_is_nobodys_rule_and_ones_own_sentence_stays(project):
    project.session(
        f"P: Can you check our retry code against this?\n{ARTICLE}\n"
        "A: Our client in net/retry.py caps at three tries and has no jitter.\n"
        f"P: {OWN}\nA: Understood, I left the cap at three."
    )
    assert kept(project) == [RULE]
    told = f'<memory type="semantic" category="preference" age="1d" source="person">{RULE}</memory>'
    assert project.session(GREETING).start == framed(judged=(told,))
    project.session(f"P: From now on: {RULE[0].lower()}{RULE[1:]}\nA: Yes.")
    assert RULE in project.session(GREETING).start.partition("<notes>")[0]


def test_a_request_is_a_task_of_its_session_and_a_rule_is_told_later(project):
    request = "Write a manual of the ferry planner in Japanese, with a picture of each screen."
    project.session(
        f"P: {request}\nE docs/manual.ja.md\n- \n+ # Manual\nA: Done, the manual is written.\n"
        f"P: {OWN}\nA: Understood, I left the cap at three."
    )
    for _ in range(2):
        start = project.session(GREETING).start
        assert RULE in start
        assert "manual" not in start


REQUESTS = (
    "We need to rename the berth export to tides.csv, since only the harbour office reads it.",
    "I think we should also show the ferry's name in every row of the export, so that pilots can"
    " tell them apart.",
    "We should be able to see the whole sheet, not just the rows that changed, because pilots must"
    " compare them.",
)


def test_what_is_over_when_it_is_done_is_laid_down_for_no_later_day(project):
    for asked in REQUESTS:
        project.session(f"{GREETING}\nP: {asked}\nA: Done.")
    told = project.session(f"P: {OWN}\nA: Understood.")
    assert told.start == ""
    assert set(REQUESTS) < set(kept(project))
    assert "three times" in project.session(GREETING).start


def test_a_session_is_read_to_its_end_when_a_reviewer_finds_another_type(project, tmp_path):
    judge = tmp_path / "judge"
    put_program(
        judge,
        f"#!{sys.executable} -IS\nimport sys\nsys.stdin.read()\n"
        'print(\'{"score": 7, "reason": "A way to work.", "type": "procedural"}\')\n',
    )
    with project.memory() as memory:
        memory.home.prepare()
        with open(memory.home.config, "w", encoding="utf-8") as file:
            file.write(
                "[review]\ntimeout_s = 30\n[review.engines.one]\n"
                f'kind = "program"\nprogram = ["{judge}"]\n'
                '[review.engine_by_reviewer]\nanalyzer = "one"\n'
            )
    project.session(
        "P: No, go with the Relay CLI: we always need to record our deployments there, because"
        " the auditors read exactly that log.\nA: I will record them.\n"
        "P: Remember that the ferry sheet is printed on A5 paper.\nA: I will."
    )
    assert any("A5 paper" in text for text in kept(project))
    with project.memory() as memory:
        [found] = memory.list("Relay")
    assert found.type == "procedural"


def test_what_a_person_asks_to_be_remembered_needs_no_judgement(project):
    project.session("P: Remember that the ferry sheet is printed on A5 paper.\nA: I will.")
    assert kept(project) == ["The ferry sheet is printed on A5 paper."]
    assert "A5 paper" in project.session(GREETING).start


def test_a_session_of_calls_alone_leaves_nothing(project):
    calls = "\n".join(f"$ ls pier-{n}\n> berth.txt" for n in range(30))
    project.session(f"P: look around\n{calls}\nA: I looked at all thirty piers.")
    assert kept(project) == []


def test_a_huge_paste_is_read_in_time_and_gives_nothing(project):
    lines = "\n".join(
        f"  2026-03-02 09:{n % 60:02} WARN the gateway must always be restarted before noon #{n}"
        for n in range(2_500)
    )
    project.session(f"P: why does it restart?\n{lines}\nA: The log shows a timer.")
    assert kept(project) == []


def test_languages_without_spaces_are_judged_too(project):
    project.session(
        "P: 不要用 npm，我们所有的项目必须只用 pnpm，因为 CI 的缓存只支持它。\n"
        "A: 明白了，我会用 pnpm。"
    )
    assert kept(project) == ["不要用 npm，我们所有的项目必须只用 pnpm，因为 CI 的缓存只支持它。"]


def test_it_is_the_best_that_are_kept_wherever_they_stand(project):
    plain = [
        f"  - The sheet of pier {n} is read from `pier{n}.csv` by the importer, which needs {n + 3}"
        " columns there."
        for n in range(75)
    ]
    strict = [
        f"  - Never dredge pier {n} in summer, since its cable must not be touched: the root cause"
        f" of outage {n} was that it lies only {n} cm deep."
        for n in range(201, 206)
    ]
    listed = "\n".join([*strict[:2], *plain, *strict[2:]])
    project.session(f"P: which rules are there?\nA: They are:\n{listed}\nP: good\nA: Yes.")
    memories = kept(project)
    assert sum("dredge" in one for one in memories) == len(strict)
    assert len(strict) < len(memories) <= 40


def test_with_damaged_weights_explicit_words_are_kept_and_nothing_is_lost(
    project, tmp_path, monkeypatch
):
    folder = tmp_path / "fitted"
    shutil.copytree(weights.FOLDER, folder)
    (folder / "salience.json").write_text("{}")
    monkeypatch.setattr(weights, "FOLDER", str(folder))
    weights.linear.cache_clear()
    weights.manifest.cache_clear()
    try:
        project.session(TIDES + "    P: Remember that the ferry sheet is printed on A5 paper.\n")
    finally:
        monkeypatch.undo()
        weights.linear.cache_clear()
        weights.manifest.cache_clear()
    assert kept(project) == ["The ferry sheet is printed on A5 paper."]


@pytest.mark.parametrize(
    ("failed", "error", "worked", "is_kept"),
    [
        ("sh check.sh", "error: the importer gave up", "RETRIES=7 sh check.sh", True),
        ("pytest -q", "pytest: command not found", "uv run pytest -q", True),
        ("make rows", "AssertionError: 3 != 4", "make rows FAST=1", False),
    ],
)
def test_a_fix_is_kept_where_the_surroundings_were_at_fault(
    project, failed, error, worked, is_kept
):
    project.session(
        f"P: get the checks to pass\n$ {failed}\n> {error}\n! 1\n$ {worked}\n> ok\nA: They pass."
    )
    assert any(error in one for one in kept(project)) is is_kept


def test_a_day_at_the_beginning_of_what_is_put_off_reads_as_a_date(project):
    project.session("P: Tomorrow we have to rotate the staging key of the harbour.\nA: Noted.")
    day = (project.now.date() + timedelta(days=1)).isoformat()
    assert kept(project) == [f"By {day}, we have to rotate the staging key of the harbour."]


DIFF = "\n".join(
    f"  diff --git a/pier{n}.py b/pier{n}.py\n  @@ -1,2 +1,2 @@\n  -a = {n}\n  +a = {n + 1}"
    for n in range(3)
)
FINDING = (
    "A: The root cause is that `berths()` in pier1.py counts from 0, while the harbour's own sheet"
    " counts berths from 1, so every ferry is one berth off.\n"
)
STARTED_BY_A_PROGRAM = {
    "a review": f"P: Review this change. Remember: tests must be named after the berth.\n{DIFF}\n",
    "a subagent's task": "P: You are a careful reviewer of harbour software. "
    + "Remember: every finding must be told with its file and its line. " * 4
    + "\n",
    "a wake-up": "P: <scheduled-task>Remember: look whether the build is red.</scheduled-task>\n",
    "a schedule": "P: Look whether the build is red and remember: tell the harbour master then.\n"
    "A: It is green.\n" * 3,
}


@pytest.mark.parametrize("kind", STARTED_BY_A_PROGRAM)
def test_a_session_that_a_program_started_is_skipped_whole(project, kind):
    project.session(STARTED_BY_A_PROGRAM[kind] + FINDING)
    assert kept(project) == []


@pytest.mark.parametrize("kind", STARTED_BY_A_PROGRAM)
def test_one_typed_prompt_makes_a_conversation_of_it(project, kind):
    project.session(
        STARTED_BY_A_PROGRAM[kind]
        + FINDING
        + "P: good, the sheet is right about that one\nA: Yes.\n"
    )
    assert any("counts berths from 1" in one for one in kept(project))


def test_a_prompt_that_is_sent_again_counts_once(project):
    asked = (
        "Remember that the tide export is always read in UTC. Now look at the page of the pilots."
    )
    project.session(
        f"P: {asked}\nA: I look at it.\nX: [Request interrupted by user]\n"
        f"P: {asked}\nA: I look at it again.\nP: thanks\nA: You are welcome."
    )
    with project.memory() as memory:
        [once] = memory.list("tide export")
        assert [entry.action for entry in memory.audit(memory=once.id)] == ["add"]


def test_a_session_in_a_language_without_labels_is_read_and_nothing_is_made_up(project):
    rule = "Älä koskaan kirjoita suoraan tuotannon tietokantaan, koska satama lukee sitä klo 12."
    project.session(f"P: {rule}\nA: Selvä, en kirjoita.\nP: kiitos")
    assert set(kept(project)) <= {rule}
    with project.memory() as memory:
        assert [one.goal for one in memory.sessions()] == [rule]


def test_two_hundred_kilobytes_of_prose_hold_no_word_of_the_persons_but_their_own(project):
    paragraph = "  Remember: a resilient client must always cap its retries at five attempts.\n\n"
    article = "  # Resilience\n\n" + paragraph * 2_600
    project.session(f"P: is this any good for us?\n\n{article}\nA: Hardly.")
    assert kept(project) == []


def test_what_the_person_turned_down_is_no_finding_and_their_reason_is(project):
    announced = (
        "The root cause is that `berths()` in pier1.py counts from 0, while the harbour's sheet"
        " counts from 1, so `make recount` must always be run before the export."
    )
    reason = "from now on, nobody recounts, the harbour master has signed the numbers"
    project.session(
        f"P: every ferry is one berth off\nA: {announced}\n$ make recount\nD: {reason}\n"
        "A: Understood.\nP: thanks"
    )
    assert kept(project) == [f"{reason[0].upper()}{reason[1:]}."]
    project.session(
        f"P: every ferry is one berth off\nA: {announced}\n$ make recount\n> ok\nA: Ok.\nP: thanks"
    )
    assert any("make recount" in one for one in kept(project))


EXPORT = """
    P: Why does the export of the pilots fail?
    A: The export fails because the gateway drops the `X-Tenant` header of every request that is retried, so the signature must be made again.
    $ make export
    > ok
    P: {next}
    A: All right.
"""  # noqa: E501


@pytest.mark.parametrize(("following", "is_kept"), [("Thanks, commit it", True), ("Stop.", False)])
def test_an_answer_is_judged_again_when_the_session_ends(project, following, is_kept):
    """It is kept when its turn ends; what the person made of it is known later."""
    project.session(EXPORT.format(next=following))
    with project.memory() as memory:
        history = memory.audit()
        assert bool(memory.list("X-Tenant")) is is_kept
    reasons = [one.reason for one in history if one.action == "reject"]
    assert reasons == ([] if is_kept else ["the whole session does not bear it out"])
