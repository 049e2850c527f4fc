"""What contradicts what: marked for agents, listed for the user, retired by the user alone."""

import pytest

from .scripts import GREETING

RULE = "Berth plans are printed on the harbour master's old plotter before each spring tide."
OTHER = "Berth plans are kept for nine years in the archive room behind the chart house."
CAUSE = (
    "The root cause of the slow report is the missing index on orders.created_at, because Postgres"
    " scans the whole table."
)
TAKEN_BACK = (
    "I was wrong: the cause of the slow report is the connection pool, not the missing index."
)
QUEUE = "The message queue between the booking service and the mail sender of the harbour is {}"


def conflicts(project):
    with project.memory() as memory:
        assert not memory.list("is:retired")
        return [(one.first.content, one.second.content, one.kind) for one in memory.conflicts()]


@pytest.mark.parametrize(
    ("earlier", "later", "new"),
    [
        (
            "remember: the export timeout is 45 seconds",
            "remember: the export timeout is 60 seconds now",
            "60",
        ),
        (
            "from now on the retry limit stays at 5.",
            "from now on the retry limit is 8.",
            "is 8",
        ),
        (
            "we always deploy on tuesdays, remember that",
            "no, from now on we deploy on thursdays.",
            "thursdays",
        ),
        (
            "from now on log in json format.",
            "from now on log in plain text, json was a mistake.",
            "plain text",
        ),
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
def test_a_newer_word_of_the_user_is_marked_beside_the_older(project, earlier, later, new):
    project.session(f"P: {earlier}\nA: OK.")
    project.session(f"P: {later}\nA: OK.")
    [(_, second, kind)] = conflicts(project)
    assert new in second
    assert kind == "superseded"


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


def test_a_correction_marks_the_claim_of_an_earlier_session(project):
    wrong = "We decided that the invoices of the shop are in EUR, because the shop is in Berlin."
    project.session(f"P: In which currency are the invoices?\nA: {wrong}\nP: ok\nA: Fine.")
    right = "invoices are in CHF, not EUR."
    project.session(f"P: add the footer\nA: Done.\nP: No, wrong: {right}\nA: ok")
    [(first, second, _)] = conflicts(project)
    assert (first, second) == (wrong, "Invoices are in CHF, not EUR.")


def test_an_agent_that_takes_its_word_back_retires_nothing(project):
    project.session(f"P: why is the report slow?\nA: {CAUSE}\nP: ok\nA: Fine.")
    project.person(lambda memory: memory.confirm(memory.list()[0].id))
    project.session(f"P: look at the slow report again\nA: {TAKEN_BACK}")
    [(first, _, _)] = conflicts(project)
    assert first == CAUSE


def test_a_verdict_ends_the_mark_for_good(project):
    held = "P: From now on a berth at the outer pier is held for {} minutes, then freed.\nA: ok"
    asked = "P: how long is a berth at the outer pier held while a guest pays?\nA: Hm."
    project.session(held.format(10))
    project.session(held.format(15), days=3)
    told = project.session(asked, days=2)
    assert "CONFLICT" in told.start + told.prompts[0]
    with project.memory() as memory:
        [found] = memory.conflicts()
        memory.resolve_conflict(found.id, "b")
    told = project.session(asked, days=30)
    assert "CONFLICT" not in told.start + told.prompts[0]
    assert "15 minutes" in told.start + told.prompts[0]
    assert "10 minutes" not in told.start + told.prompts[0]


def test_what_both_hold_is_injected_without_a_mark_and_never_asked_again(project):
    with project.memory() as memory:
        one, other = (
            memory.remember(QUEUE.format(name)).memory_id for name in ("RabbitMQ", "Kafka")
        )
        conflict = memory.mark_conflict(one, other)
        memory.resolve_conflict(conflict, "both", context="mails and receipts")
    for days in (1, 40):
        told = project.session("P: which message queue does the booking service use?\nA: Hm.",
                               days=days)  # fmt: skip
        heard = told.start + told.prompts[0]
        assert "RabbitMQ" in heard
        assert "Kafka" in heard
        assert "CONFLICT" not in heard
    with project.memory() as memory:
        memory.remember(QUEUE.format("Kafka"))
        assert memory.conflicts() == []


def test_the_same_words_with_other_signs_are_known(project):
    texts = (
        "The cache lives for 40 minutes.",
        "The cache lives for 40 minutes!",
        "**The cache lives for 40 minutes.**",
        "“The cache lives for 40 minutes.”",
        "The cache lives for `40 minutes`.",
    )
    with project.memory() as memory:
        for text in texts:
            memory.remember(text)
        assert len(memory.list()) == 1


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("Always use pnpm here, not npm.", "Always use pnpm instead of npm in this repo.", 0),
        ("Deploys happen on Thursday.", "Never deploy on Tuesday.", 0),
        ("Deploys happen on Tuesday.", "Never deploy on Tuesday.", 1),
        ("The API rate limit is 100 requests.", "The API rate limit is 250 requests.", 1),
        ("Crane 3 stands at the outer pier.", "Crane 5 stands at the outer pier.", 0),
    ],
)
def test_only_what_speaks_of_the_same_thing_contradicts(project, one, other, count):
    with project.memory() as memory:
        memory.remember(one, category="decision")
        memory.remember(other, category="decision")
        assert len(memory.conflicts()) == count
