"""Procedures that a person wrote down, as a list or in a sentence."""

import pytest

from memdeck.core.ingest.extract.recipes import LEAST_STEPS, MAX_STEPS

STEPS = "1. Run `make check`.\n2. Push the tag.\n3. Approve the job in GitLab."


def test_a_list_of_steps_under_a_heading_is_one_procedure(session):
    [kept] = session.asks(f"How we release:\n{STEPS}").captures()
    assert kept.content == (
        "How we release: Run `make check`; then Push the tag; then Approve the job in GitLab."
    )
    assert (kept.rule, kept.type, kept.category) == ("person.recipe", "procedural", "pattern")
    assert kept.details["procedure_name"] == "How we release"
    assert kept.details["steps"] == [
        "Run `make check`",
        "Push the tag",
        "Approve the job in GitLab",
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "To deploy the API:",
        "Our release checklist:",
        "The steps to rotate a key",
        "Remember: how to seed it",
    ],
)
def test_a_heading_says_that_steps_follow(session, heading):
    assert [c.rule for c in session.asks(f"{heading}\n{STEPS}").captures()] == ["person.recipe"]


@pytest.mark.parametrize(
    "text",
    [
        f"Please do this now:\n{STEPS}",
        f"Steps to reproduce the bug:\n{STEPS}",
        "To reproduce:\n1. Open the page\n2. It crashes",
        "How we release:\n1. Run `make check`.",
        f"```\nHow we release:\n{STEPS}\n```",
        "How do we release?",
    ],
)
def test_other_lists_are_no_procedures(session, text):
    assert session.asks(text).contents("recipe") == []


def test_a_long_list_is_cut_and_stays_a_capture(session):
    items = "\n".join(f"{n}. Run `make step-{n}` and wait for it." for n in range(1, 40))
    [kept] = [
        c for c in session.asks(f"How we release:\n{items}").captures() if c.rule == "person.recipe"
    ]
    assert LEAST_STEPS < len(kept.details["steps"]) == MAX_STEPS
    assert len(kept.content) <= 500


@pytest.mark.parametrize(
    ("text", "kind", "event"),
    [
        ("Remember that the build failed because libpq was missing.", "episodic", "error"),
        ("Remember that we moved the billing service to Go last week.", "episodic", "user_query"),
        ("Remember that the EU tenants have their own host.", "semantic", None),
    ],
)
def test_what_happened_is_an_event_and_what_holds_a_fact(session, text, kind, event):
    [kept] = session.asks(text).captures()
    assert (kept.type, kept.details.get("event_type")) == (kind, event)


def test_a_text_between_two_types_is_marked_for_the_reviewers(session):
    session.asks("From now on, run `make fmt` first, then commit.")
    session.asks("Remember: the default timeout is 30 seconds and we changed it last week.")
    session.asks("Remember: never push without asking me first.")
    unsure = {c.content: c.is_type_unsure for c in session.captures()}
    assert unsure["The default timeout is 30 seconds and we changed it last week."] is True
    assert unsure["From now on, run `make fmt` first, then commit."] is False
    assert unsure["Never push without asking me first."] is False
