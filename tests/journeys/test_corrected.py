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


def test_of_a_series_in_one_session_only_the_last_is_left_and_told(project):
    project.session(f"""
        P: {NINE}
        A: Noted, the backups are kept for 9 days.
        P: no, 12 days
        A: Set to 12.
        P: 10 from now on, please
        A: Done.
    """)
    assert live(project, "backups") == [NINE.replace("9", "10")]
    with project.memory() as memory:
        assert memory.conflicts() == []
    for days in (1, 30):
        told = project.session(GREETING, days=days).start
        assert "for 10 days" in told
        assert "9 days" not in told
        assert "12 days" not in told


def test_of_a_series_over_three_sessions_only_the_last_is_left_and_told(project):
    project.session(f"P: {NINE}\nA: Done.")
    project.session(f"P: No, {NINE.lower().replace('9', '12')}\nA: Set.")
    project.session(
        "P: The backups of the booking database are kept for 10 days from now on.\nA: Done."
    )
    assert live(project, "backups") == [
        "The backups of the booking database are kept for 10 days from now on."
    ]
    with project.memory() as memory:
        assert memory.conflicts() == []
    told = project.session(GREETING).start
    assert "10 days" in told
    assert "12 days" not in told
    assert "CONFLICT" not in told


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


def test_a_report_that_it_did_not_work_is_no_rule_and_takes_no_wish_back(project):
    wish = "House rule: the headings of sections must always be aligned to the top of the number."
    project.session(f"""
        P: {wish}
        E index.js
        - a
        + b
        A: Some padding now aligns the headings of sections to the top of the number.
        P: Now the headings of sections are not aligned to the top of the number
        A: Let me look at it again.
    """)
    assert "are not aligned" not in " ".join(live(project))
    assert wish.partition(": the ")[2] in " ".join(live(project))


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


@pytest.mark.parametrize(
    ("claim", "correction", "holds"),
    [
        (
            "Die Rechnungen des Hafens werden in EUR gestellt.",
            "Nein, falsch: Rechnungen werden in CHF gestellt, nicht in EUR.",
            "Rechnungen werden in CHF gestellt, nicht in EUR.",
        ),
        (
            "Las facturas del puerto van en EUR.",
            "No, eso no es así: las facturas van en CHF, no en EUR.",
            "Las facturas van en CHF, no en EUR.",
        ),
    ],
)
def test_german_and_spanish_corrections_are_understood(project, claim, correction, holds):
    project.session(GREETING)
    project.person(lambda memory: memory.remember(claim))
    project.session(f"P: {correction}\nA: ok")
    assert live(project) == [holds]
    assert retired(project) == [(claim, "superseded", holds)]
    assert holds in project.session(GREETING).start


def test_a_rule_that_is_said_again_in_short_is_not_put_into_the_long_one(project):
    project.session(
        """
        P: Install the new parser library for the tide tables, please.
        A: I installed it with pip.
        P: No, use uv instead of pip here, since the lock file of this project is written by uv.
        A: I installed it with uv.
        P: Use uv, never pip, here.
        A: Yes.
        """
    )
    assert not live(project, "uv instead of uv")
    assert live(project, "uv instead of pip")


def test_a_denial_that_speaks_of_something_else_keeps_the_decision(project):
    project.session(SLOW.format("No, the button in the header must be blue."))
    assert live(project, "import") == [BATCHES]
    project.session("P: Wrong, the header has two buttons now.\nA: ok")
    project.session(GREETING)
    assert live(project, "import") == [BATCHES]
    assert retired(project) == []


def test_a_denial_that_names_nothing_takes_the_claim_just_made(project):
    project.session(SLOW.format("No, that's wrong."))
    assert live(project, "import") == []
    assert retired(project) == [(BATCHES, "rejected", "")]
    assert project.session(GREETING).start == ""


def test_what_a_person_brought_back_after_a_denial_stays(project):
    project.session(SLOW.format("No, that's wrong."))
    project.person(lambda memory: memory.restore([memory.list("is:retired")[0].id]))
    project.session(GREETING)
    assert live(project, "import") == [BATCHES]


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


def test_what_an_agent_takes_back_is_replaced_in_its_session(project):
    project.session(looked_twice(f"P: please look once more\nA: {TAKEN_BACK}"))
    assert live(project, "report") == [
        "The cause of the slow report is the connection pool, not the missing index."
    ]


def test_what_an_agent_takes_back_is_replaced_in_a_later_session_and_an_undo_brings_it_back(
    project,
):
    project.session(looked_twice("P: ok\nA: Fine."))
    [wrong] = live(project, "report")
    project.session(f"P: look at the slow report again\nA: {TAKEN_BACK}")
    [(gone, how, successor)] = retired(project)
    assert (gone, how) == (wrong, "superseded")
    assert live(project, "report") == [successor]

    with project.memory() as memory:
        [entry] = memory.audit(action="supersede")
        assert (entry.actor, len(entry.memories)) == ("rule", 2)
        assert entry.reason.startswith("the agent took it back: “the cause of the slow report")
        memory.undo(entry.seq)
        assert memory.verify().ok
    assert sorted(live(project, "report")) == sorted([wrong, successor])
    project.session(GREETING)
    assert sorted(live(project, "report")) == sorted([wrong, successor])


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


def test_another_agent_does_not_take_back_what_the_first_one_found(project):
    project.session(looked_twice("P: ok\nA: Fine."))
    project.session(f"P: look at the slow report again\nA: {TAKEN_BACK}", host="codex")
    assert retired(project) == []
