"""What is corrected holds no more: in the same session, in later ones, in what the next is told."""

import pytest

from .scripts import GREETING

NINE = "Keep the backups of the booking database for 9 days."
CAUSE = (
    "The root cause of the slow report is the missing index on orders.created_at, because Postgres"
    " scans the whole table."
)
TAKEN_BACK = (
    "I was wrong: the cause of the slow report is the connection pool, not the missing index."
)
BATCHES = (
    "Decided that the nightly import must only write its rows in batches of 500, because one"
    " connection per row costs most of the time."
)
SLOW = f"""
    P: the nightly import takes seven minutes, please make it faster
    E import.py
    - a
    + b
    A: {BATCHES}
    P: {{}}
    A: ok
"""


def live(project, word=""):
    with project.memory() as memory:
        return [one.content for one in memory.list() if word in one.content]


def retired(project):
    """(text, how it left, what replaced it), oldest first."""
    with project.memory() as memory:
        return [
            (one.content, one.retired_as, _successor(memory, one))
            for one in reversed(memory.list("is:retired"))
        ]


def _successor(memory, one):
    for link in memory.links(one.id):
        if link.kind == "superseded_by" and link.source == one.id:
            return memory.show(link.target).content
    return ""


# --- a series: only the last holds


def test_a_pinned_nine_stays_and_the_series_after_it_asks_a_person(project):
    project.session(GREETING)
    project.person(lambda memory: memory.remember(NINE, pin=True))
    project.session(
        "P: Actually, keep the backups of the booking database for 12 days.\nA: Set to 12."
    )
    assert len(live(project, "backups")) == 2
    with project.memory() as memory:
        [conflict] = memory.conflicts()
        assert conflict.first.content == NINE
    assert "CONFLICT" in project.session(GREETING).start


# --- a person corrects an agent


def test_a_persons_correction_replaces_the_claim_of_an_earlier_session(project):
    wrong = "We decided that the invoices of the shop are in EUR, because the shop is in Berlin."
    project.session(f"P: In which currency are the invoices?\nA: {wrong}\nP: ok\nA: Fine.")
    assert live(project, "EUR") == [wrong]
    project.session("""
        P: please add the footer of the invoice
        A: I wrote the footer with the amounts in EUR.
        P: No, wrong: invoices are in CHF, not EUR.
        A: Changed.
    """)
    assert live(project, "nvoices") == ["Invoices are in CHF, not EUR."]
    assert retired(project) == [(wrong, "superseded", "Invoices are in CHF, not EUR.")]
    told = project.session(GREETING).start
    assert "Invoices are in CHF, not EUR." in told
    assert "Berlin" not in told


def test_a_denial_that_speaks_of_something_else_keeps_the_decision(project):
    project.session(SLOW.format("No, the button in the header must be blue."))
    assert live(project, "import") == [BATCHES]
    project.session("P: Wrong, the header has two buttons now.\nA: ok")
    project.session(GREETING)
    assert live(project, "import") == [BATCHES]
    assert retired(project) == []


NO_CORRECTIONS = (
    "Yeah right, invoices are in CHF, not EUR 🙄",
    "No, aren't invoices in CHF, not EUR?",
    'The ticket says: "No, wrong: invoices are in CHF, not EUR."',
    "No, if invoices were in CHF, not EUR, the bank would tell us.",
    "CI says this:\n  ```\n  No, wrong: invoices are in CHF, not EUR.\n  ```",
)


def test_irony_questions_and_quotations_correct_nothing(project, subtests):
    project.session(GREETING)
    project.person(lambda memory: memory.remember("Invoices are in EUR, says the shop's owner."))
    for said in NO_CORRECTIONS:
        with subtests.test(said=said):
            project.session(f"P: {said}\nA: Hm.")
            assert live(project, "EUR, says") == ["Invoices are in EUR, says the shop's owner."]
            assert retired(project) == []


# --- an agent takes its word back


def looked_twice(between=""):
    return f"P: why is the report slow?\nA: {CAUSE}\n{between}"


@pytest.mark.parametrize("act", ["pin", "confirm", "edit"])
def test_what_a_person_touched_is_not_retired_by_an_agent_but_asked_about(project, act):
    project.session(looked_twice("P: ok\nA: Fine."))

    def touch(memory):
        [one] = [one for one in memory.list() if "report" in one.content]
        if act == "edit":
            memory.edit(one.id, importance=0.9)
        else:
            getattr(memory, act)(one.id)

    project.person(touch)
    project.session(f"P: look at the slow report again\nA: {TAKEN_BACK}")
    assert len(live(project, "report")) == 2
    with project.memory() as memory:
        [conflict] = memory.conflicts()
        assert conflict.first.content.startswith("The root cause")


def test_an_agent_never_corrects_what_a_person_said(project):
    said = "Remember: the slow report is caused by the missing index on orders.created_at."
    project.session(f"P: {said}\nA: ok")
    [kept] = live(project, "report")
    project.session(f"P: look at the slow report again\nA: {TAKEN_BACK}")
    assert kept in live(project, "report")
    assert retired(project) == []
