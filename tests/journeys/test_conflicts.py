"""What contradicts what: marked for agents, listed for the user, retired by the user alone."""

import pytest

from .scripts import GREETING, finds

RULE = "Berth plans are printed on the harbour master's old plotter before each spring tide."
OTHER = "Berth plans are kept for nine years in the archive room behind the chart house."
CAUSE = (
    "The root cause of the slow report is the missing index on orders.created_at, because Postgres"
    " scans the whole table."
)
TAKEN_BACK = (
    "I was wrong: the cause of the slow report is the connection pool, not the missing index."
)


def conflicts(project):
    with project.memory() as memory:
        assert not memory.list("is:retired")
        return [(one.first.content, one.second.content, one.kind) for one in memory.conflicts()]


@pytest.mark.parametrize(
    ("earlier", "later", "new"),
    [
        (
            "from now on the export timeout stays at 45 seconds.",
            "make the export timeout 60 seconds from now on, not 45.",
            "60",
        ),
        (
            "from now on tests here are run with vitest, never with jest.",
            "from now on tests here are run with go test, never with make.",
            "go test",
        ),
        (
            "remember: we store the tides in Redis streams.",
            "remember: we store the tides in Postgres now, not in Redis streams any more.",
            "Postgres now",
        ),
    ],
)
def test_a_newer_word_of_the_user_retires_the_older(project, earlier, later, new):
    project.session(f"P: {earlier}\nA: OK.")
    project.session(f"P: {later}\nA: OK.")
    with project.memory() as memory:
        [old], [live] = memory.list("is:retired"), memory.list()
        assert new in live.content
        assert old.retired_as == "superseded"
        assert memory.conflicts() == []
        [back] = memory.restore(old.id)
        assert back.is_live


@pytest.mark.parametrize(
    ("older", "newer", "rest"),
    [
        (
            "remember: releases go out on Tuesday from stable, after Ines has signed the list.",
            "no, from now on releases go out on Thursday.",
            "Ines",
        ),
        (
            "start the database with bin/tides, ours must listen on 5439, never the usual port.",
            "bin/tides must listen on 5440 since yesterday, the old port is never free.",
            "with bin/tides",
        ),
        (
            "from now on the export waits 4 seconds, tries twice and never books a crane again.",
            "make the export wait 9 seconds from now on, not 4.",
            "never books a crane",
        ),
    ],
)
def test_a_corrected_detail_leaves_the_rest_of_the_older_sentence(project, older, newer, rest):
    project.session(f"P: {older}\nA: OK.")
    project.session(f"P: {newer}\nA: OK.", days=2)
    start = project.session(GREETING, days=2).start
    assert rest in start
    assert start.count("<memory>") == 2
    assert "[⚠ CONFLICT]" in start
    assert "counts where they differ, for it is newer" in start


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Remember: commit generated files.", "Remember: do not commit generated files."),
        ("Запомни: коммить отчёты причала.", "Запомни: не коммить отчёты причала."),
        ("Lembre-se: envie os relatórios do cais.", "Lembre-se: não envie os relatórios do cais."),
        ("Remember: loading stops after three tries.", "Remember: loading stops after five tries."),
    ],
)
def test_of_two_opposite_rules_of_the_user_starts_receive_the_newer(project, older, newer):
    project.session(f"P: {older}\nA: OK.")
    project.session(f"P: {newer}\nA: OK.", days=2)
    assert len(conflicts(project)) == 1
    assert project.session(GREETING, days=2).start.count("<memory>") == 1


REVOCATIONS = (
    "This no longer holds: {}",
    "Not any more: {}",
    "It is no longer true that {}",
    "Das gilt nicht mehr: {}",
    "Esto ya no vale: {}",
)


@pytest.mark.parametrize("words", REVOCATIONS)
def test_what_the_user_revokes_waits_for_a_verdict(project, words):
    project.session(f"P: From now on: {RULE}\nA: Noted.\n")
    project.session(f"P: From now on: {OTHER}\nA: Noted.\n")
    project.session(f"P: {words.format(RULE)}\nA: Understood.\n")
    [(first, second, _)] = conflicts(project)
    assert RULE in first
    assert RULE in second
    with project.memory() as memory:
        memory.resolve_conflict(memory.conflicts()[0].id, "neither")
    start = project.session(GREETING).start
    assert RULE not in start
    assert OTHER in start  # it speaks of the same thing, and says another


NO_CORRECTIONS = (
    "Yeah right, invoices are in CHF, not EUR 🙄",
    "No, aren't invoices in CHF, not EUR?",
    'The ticket says: "No, wrong: invoices are in CHF, not EUR."',
    "No, if invoices were in CHF, not EUR, the bank would tell us.",
    "CI says this:\n  ```\n  No, wrong: invoices are in CHF, not EUR.\n  ```",
    "No, the button in the header must be blue.",
)


def test_irony_questions_quotations_and_other_subjects_correct_nothing(project, subtests):
    project.session(GREETING)
    project.person(lambda memory: memory.remember("Invoices are in EUR, says the shop's owner."))
    for said in NO_CORRECTIONS:
        with subtests.test(said=said):
            project.session(f"P: {said}\nA: Hm.")
            assert conflicts(project) == []


def test_a_correction_retires_the_claim_of_an_earlier_session(project):
    wrong = "We decided that the invoices of the shop are in EUR, because the shop is in Berlin."
    project.session(finds(wrong, "In which currency are the invoices?"))
    right = "invoices are in CHF, not EUR."
    project.session(f"P: add the footer\nA: Done.\nP: No, wrong: {right}\nA: ok")
    with project.memory() as memory:
        [old], [live] = memory.list("is:retired"), memory.list()
        assert (old.content, live.content) == (wrong, "Invoices are in CHF, not EUR.")


def test_an_agent_that_takes_its_word_back_retires_nothing(project):
    project.session(finds(CAUSE, "why is the report slow?"))
    project.person(lambda memory: memory.confirm(memory.list()[0].id))
    project.session(f"P: look at the slow report again\nA: {TAKEN_BACK}")
    [(first, _, _)] = conflicts(project)
    assert first == CAUSE


def test_a_verdict_ends_the_mark_for_good(project):
    held = "P: Remember: a berth at the outer pier is held for {} minutes, then freed.\nA: ok"
    asked = "P: how long is a berth at the outer pier held while a guest pays?\nA: Hm."
    project.session(held.format(10))
    project.session(held.format(15), days=3)
    told = project.session(asked, days=2)
    assert "10 minutes" not in told.start  # both are the user's: the newer counts
    assert "CONFLICT" in told.prompts[0]
    with project.memory() as memory:
        [found] = memory.conflicts()
        memory.resolve_conflict(found.id, "b")
    told = project.session(asked, days=30)
    assert "CONFLICT" not in told.start + told.prompts[0]
    assert "15 minutes" in told.start + told.prompts[0]
    assert "10 minutes" not in told.start + told.prompts[0]


ANOTHER_VALUE = """
The staging database runs on port 5432. | The staging database runs on port 6543 now.
Our main branch is called master. | Our main branch is called main.
The code freeze starts on Friday. | The code freeze starts on Wednesday.
The API rate limit is 100 requests. | The API rate limit is 250 requests.
Use Node 18 for the frontend. | Use Node 20 for the frontend.
Python 3.11 is the minimum version. | Python 3.12 is the minimum version.
Our default region is eu-west-1. | Our default region is eu-central-1.
The nightly backup runs at 02:00. | The nightly backup runs at 03:30.
Maria owns the billing service. | Now Tom owns the billing service.
Sessions expire after 30 minutes. | Sessions expire after 15 minutes.
Commit messages are written in German. | Commit messages are written in English from now on.
Error messages are shown in a toast. | From now on error messages are shown in a banner.
We use npm as the package manager. | We use pnpm as the package manager now.
Indent with tabs in this repo. | No, indent with two spaces in this repo.
Feature flags live in LaunchDarkly. | Feature flags live in Unleash now.
The reviewer for payments is Ana. | The reviewer for payments is Luis.
Line length is 100 characters. | Line length is 88 characters.
Der Timeout für den Export beträgt 45 Sekunden. | Der Timeout für den Export beträgt 60 Sekunden.
El límite de reintentos es 5. | El límite de reintentos es 8.
Deploys happen on Tuesday. | Never deploy on Tuesday.
Use default exports in components. | Avoid default exports in components.
Mock the database in unit tests. | Do not mock the database in unit tests.
"""
BOTH_HOLD = """
Always use pnpm here, not npm. | Always use pnpm instead of npm in this repo.
Deploys happen on Thursday. | Never deploy on Tuesday.
Crane 3 stands at the outer pier. | Crane 5 stands at the outer pier.
The export timeout is 45 seconds. | The import timeout is 60 seconds.
The dev server listens on port 3000. | The mock server listens on port 4000.
The users table has 12 columns. | The orders table has 30 columns.
The build takes 4 minutes on CI. | The build takes 90 seconds on my laptop.
Sprint 12 ends on Friday. | Sprint 13 ends on Friday.
The cache is Redis. | The queue is Redis.
Alice works in the Berlin office. | Bob works in the Berlin office.
Use ruff for linting. | Use mypy for type checking.
Write tests for every bug fix. | Write a changelog entry for every bug fix.
From now on every PR needs a changelog entry. | From now on every PR needs a reviewer.
The API returns JSON. | The API requires a token.
Use tabs in Makefiles. | Use spaces in Python files.
Tests use vitest. | Tests use the fixtures in tests/data.
Deploys need two approvals. | Hotfixes need one approval.
Run make lint before each commit. | Run make test before each push.
"""


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        (*pair.split(" | "), count)
        for pairs, count in ((ANOTHER_VALUE, 1), (BOTH_HOLD, 0))
        for pair in pairs.strip().splitlines()
    ],
)
def test_only_what_speaks_of_the_same_thing_contradicts(project, one, other, count):
    with project.memory() as memory:
        memory.remember(one, category="decision")
        memory.remember(other, category="decision")
        assert len(memory.conflicts()) + len(memory.list("is:retired")) == count
