"""What of a session is kept: judged by the fitted score, whoever said it, in whatever form."""

import shutil

import pytest

from memdeck.core.judgement import salience as weights

from .project import contents, framed, parts

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
        "Don't touch legacy_export.py, the customs office reads exactly that format.",
    ]


def test_a_pasted_article_is_nobodys_rule_and_ones_own_sentence_stays(project):
    project.session(
        f"P: Can you check our retry code against this?\n{ARTICLE}\n"
        "A: Our client in net/retry.py caps at three tries and has no jitter.\n"
        f"P: {OWN}\nA: Understood, I left the cap at three."
    )
    assert kept(project) == [RULE]
    told = f'<memory type="semantic" category="preference" age="1d" source="person">{RULE}</memory>'
    assert contents(project.session(GREETING).start) == framed(judged=(told,))
    project.session(f"P: From now on: {RULE[0].lower()}{RULE[1:]}\nA: Yes.")
    assert RULE in parts(project.session(GREETING).start)[0]


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


def test_with_damaged_weights_explicit_words_are_kept_and_nothing_is_lost(
    project, tmp_path, monkeypatch
):
    folder = tmp_path / "fitted"
    shutil.copytree(weights.FOLDER, folder)
    (folder / "salience.json").write_text("{}")
    monkeypatch.setattr(weights, "FOLDER", str(folder))
    weights.salience_model.cache_clear()
    weights.manifest.cache_clear()
    try:
        project.session(TIDES + "    P: Remember that the ferry sheet is printed on A5 paper.\n")
    finally:
        monkeypatch.undo()
        weights.salience_model.cache_clear()
        weights.manifest.cache_clear()
    assert kept(project) == ["The ferry sheet is printed on A5 paper."]


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
