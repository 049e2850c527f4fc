"""What of a session is kept: judged by the fitted score, whoever said it, in whatever form."""

import shutil
from datetime import timedelta

import pytest

from memdeck.core.judgement import weights

from .project import Project, framed

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
OWN = "no, keep three tries, the harbour's gateway bans us for an hour after the fourth one"
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


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


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
    assert any("person said it" in words for words, _ in judged.reasons)


def test_a_pasted_article_is_nobodys_rule_and_ones_own_sentence_stays(project):
    project.session(
        f"P: Can you check our retry code against this?\n{ARTICLE}\n"
        "A: Our client in net/retry.py caps at three tries and has no jitter.\n"
        f"P: {OWN}\nA: Understood, I left the cap at three."
    )
    assert kept(project) == [
        "Keep three tries, the harbour's gateway bans us for an hour after the fourth one."
    ]
    assert project.session(GREETING).start == framed(
        '<memory type="semantic" category="preference" age="1d" source="claude" status="candidate">'
        "Keep three tries, the harbour's gateway bans us for an hour after the fourth one.</memory>"
    )


def test_a_session_is_read_to_its_end_when_reviewers_find_another_type(project):
    project.session(
        "P: We look at your process, not only at the result. Use the Relay CLI"
        " (https://relay.example.dev) to record your deployments and push them to your repo, so"
        " we can see how you worked with it and where you corrected it.\nA: I will record them.\n"
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


def test_of_a_session_that_offers_a_hundred_the_best_are_kept(project):
    causes = "\n".join(
        f"- Pier {n} must never be dredged in week {n % 52}, because its cable number {n * 7} lies"
        f" only {n + 1} cm deep there."
        for n in range(100)
    )
    listed = causes.replace("\n", "\n  ")
    project.session(f"P: which rules are there for dredging?\nA: They are:\n  {listed}")
    assert 0 < len(kept(project)) <= 40


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
