"""What a text opposes among what is known, of which kind, and what it must not (002-24, 003-10)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.benchmarks.judging import HOSTILE
from memdeck.core.answers import Neighbour
from memdeck.core.storage.conflicts import conflicts_with, describe, refutes
from memdeck.core.storage.duplicates import near_duplicate

DAY = 86_400_000


def known(content: str, **more: object) -> Neighbour:
    """A live decision that was made a day ago."""
    return Neighbour("known", content, **{"category": "decision", "created_ms": DAY, **more})  # type: ignore[arg-type]


def judged(text: str, *neighbours: Neighbour, **more: object):
    """What a decision of today opposes."""
    about = {"category": "decision", "files": (), "created_ms": 2 * DAY, **more}
    return conflicts_with(text, neighbours=neighbours, **about)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("Use the ORM session in routes.", "Don't use the ORM session in routes."),
        ("We are using the ORM session in routes.", "We do not use the ORM session in routes."),
        ("Always log the request body.", "Never log the request body."),
        ("Enable the query cache for reports.", "Disable the query cache for reports."),
        ("The query cache is enabled for reports.", "The query cache is disabled for reports."),
        ("Add docstrings to private helpers.", "Remove docstrings from private helpers."),
        ("Handlers should retry failed calls.", "Handlers shouldn't retry failed calls."),
        ("Allow force pushes to shared branches.", "Forbid force pushes to shared branches."),
        ("Keep the legacy adapter in the client.", "Drop the legacy adapter in the client."),
        ("Run the import with the dry run flag.", "Run the import without the dry run flag."),
        ("Prefer inline styles for mails.", "Avoid inline styles for mails."),
        ("Guests can cancel late bookings.", "Guests cannot cancel late bookings."),
        ("Strict mode is on.", "Strict mode is off."),
        ("cache_enabled is true.", "cache_enabled is false."),
        ("The asset bucket is public.", "The asset bucket is private."),
        ("The mail client is sync.", "The mail client is async."),
        ("The phone number is required for guests.", "The phone number is optional for guests."),
    ],
)
def test_opposite_words_contradict_in_either_order(yes, no):
    for one, other in ((yes, no), (no, yes)):
        (found,) = judged(other, known(one))
        assert found.kind == "contradictory"
        assert near_duplicate(other, [known(one)]) is None


@pytest.mark.parametrize(
    ("text", "other", "said", "was"),
    [
        ("The request timeout is 300 s.", "The request timeout is 30 s.", "300 s", "30 s"),
        ("The dev server uses port 8081.", "The dev server uses port 8080.", "8081", "8080"),
        ("The service requires Python 3.12.", "The service requires Python 3.10.", "3.12", "3.10"),
        ("Install packages with uv.", "Install packages with pip.", "uv", "pip"),
        (
            "The staging database lives on host db-9.",
            "The staging database lives on host db-7.",
            "db-9",
            "db-7",
        ),
        (
            "Configuration is read from config/app.toml.",
            "Configuration is read from config/app.yaml.",
            "config/app.toml",
            "config/app.yaml",
        ),
        ("Feature branches start from main.", "Feature branches start from develop.", "main",
         "develop"),
    ],
)  # fmt: skip
def test_another_value_for_the_same_thing_contradicts_and_both_are_named(text, other, said, was):
    (found,) = judged(text, known(other))

    assert found.kind == "contradictory"
    assert (found.said, found.other) == (said, was)
    assert said in describe(found)
    assert was in describe(found)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Always use uv for installs.", "Never use rebase on shared branches."),
        ("Approach B works for migrations.", "Migrations failed with approach A."),
        ("Use uv, not pip.", "Never use pip."),
        ("Use SQLite in tests.", "Use Postgres in production."),
        ("Tests run on Python 3.12 as well.", "Tests run on Python 3.11."),
        ("Tests can be run with tox.", "Tests can be run with nox."),
        ("The timeout is 0.5 min.", "The timeout is 30 s."),
        ("A list must have at least 3 items.", "A list must have at most 10 items."),
        ("Should we use Redis for sessions?", "Never use Redis for sessions."),
        ("The login timeout is 300 s.", "The upload timeout is 30 s."),
        ("Disable debug mode.", "Debug mode is off."),
        ("Not only admins may delete a project.", "Admins may delete a project."),
    ],
)
def test_what_gets_along_is_no_conflict(text, other):
    assert judged(text, known(other)) == ()
    assert judged(other, known(text)) == ()


def test_a_contrast_agrees_with_who_rejects_the_same_and_opposes_who_uses_it():
    text = "Use uv, not pip."

    assert judged(text, known("Never use pip.")) == ()
    (found,) = judged(text, known("Install packages with pip."))
    assert found.other == "pip"


def test_only_what_shares_a_file_or_the_category_is_compared():
    text, other = "Never use tabs for indentation.", "Always use tabs for indentation."
    elsewhere = known(other, category="architecture", files=("src/quay/a.py",))

    assert judged(text, known(other))
    assert judged(text, elsewhere) == ()
    assert judged(text, elsewhere, files=("src/quay/b.py",)) == ()
    assert judged(text, elsewhere, files=("./src/quay/a.py",))
    assert judged(text, elsewhere, files=("quay/a.py",))


@pytest.mark.parametrize("marker", ["We switched from Poetry to uv for dependencies.",
                                    "Dependencies are managed with uv now.",
                                    "Use uv instead of Poetry for dependencies.",
                                    "Poetry was replaced by uv for dependencies.",
                                    "From now on dependencies are managed with uv."])  # fmt: skip
def test_a_newer_statement_that_things_changed_supersedes(marker):
    (found,) = judged(marker, known("Dependencies are managed with Poetry."))

    assert found.kind == "superseded"
    assert found.said != found.other


def test_only_the_newer_statement_can_supersede():
    old = "Predictions are cached for 6 hours."
    change = "Predictions are now cached for 1 hour."

    assert judged(change, known(old))[0].kind == "superseded"
    assert judged(old, known(change, created_ms=3 * DAY))[0].kind == "contradictory"
    assert judged(change, known(old, created_ms=3 * DAY))[0].kind == "contradictory"
    assert judged(change, known(old, created_ms=2 * DAY))[0].kind == "superseded"
    assert judged(change, known(old), created_ms=None)[0].kind == "superseded"


@pytest.mark.parametrize(
    "text",
    [
        "On staging the request timeout is 120 s.",
        "When the upstream is down, the request timeout is 120 s.",
        "Maybe the request timeout is 120 s.",
        "On Windows the request timeout is 120 s.",
    ],
)
def test_a_condition_or_a_doubt_on_one_side_is_ambiguous(text):
    (found,) = judged(text, known("The request timeout is 30 s."))

    assert found.kind == "ambiguous"


@pytest.mark.parametrize("type", ["prospective", "working"])
def test_plans_and_working_notes_contradict_nothing(type):
    text, other = "Use port 8081 for the API.", "Use port 8080 for the API."

    assert judged(text, known(other), type="semantic")
    assert judged(text, known(other), type=type) == ()
    assert judged(text, known(other, type=type)) == ()


@pytest.mark.parametrize("category", ["task_progress", "file_change"])
def test_what_was_done_is_not_contradicted_by_what_was_done_later(category):
    text, other = "Removed the retry from core/mail.py.", "Added the retry to core/mail.py."

    assert judged(text, known(other, category=category), category=category) == ()


def test_titles_are_read_too():
    neighbour = known("Measured on the boats' networks, in March.", title="A hold lasts 10 minutes")

    (found,) = judged("Chosen after the pilot.", neighbour, title="A hold lasts 15 minutes")

    assert found.said == "15 minutes"
    assert judged("Chosen after the pilot.", neighbour) == ()


def test_each_neighbour_is_named_at_most_once_in_their_order():
    first = known("The request timeout is 30 s. Always log the request body.")
    second = known("Charts use the palette mocha.")
    third = known("The request timeout is 45 s.")

    found = judged("The request timeout is 60 s. Never log the request body.", first, second, third)

    assert [one.neighbour for one in found] == [first, third]


def test_a_description_is_one_line_with_the_words_that_oppose_each_other():
    (plain,) = judged("Disable the query cache for reports.", known("Enable the query cache for "
                      "reports."))  # fmt: skip
    (newer,) = judged("Predictions are now cached for 1 hour.", known("Predictions are cached for "
                      "6 hours."))  # fmt: skip
    (unsure,) = judged("In tests the pool size is 5.", known("The pool size is 10."))

    assert describe(plain) == "query cache reports: “disable” against “enable”."
    assert describe(newer).endswith("“1 hour” against “6 hours”; the new one says that this "
                                    "changed.")  # fmt: skip
    assert describe(unsure).endswith("“5” against “10”; perhaps each holds in its own case.")
    assert all("\n" not in describe(one) and one.reason for one in (plain, newer, unsure))


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        ("Tried pytest-xdist for the database tests, it broke because they share a schema.",
         "Run the database tests with pytest-xdist."),
        ("The alpine base does not work for the Docker image.",
         "Build the Docker image with the alpine base."),
        ("We gave up on the turbo cache in CI.", "Use the turbo cache in CI."),
    ],
)  # fmt: skip
def test_a_failure_and_who_recommends_the_approach_contradict_each_other(failure, advice):
    (found,) = refutes(failure, [known(advice)])
    (turned,) = refutes(advice, [known(failure, category="error")])

    assert found.kind == turned.kind == "contradictory"
    assert (found.said, found.other) == ("failed", "recommended")
    assert (turned.said, turned.other) == ("recommended", "failed")
    assert found.subject in found.reason
    assert near_duplicate(failure, [known(advice)]) is None


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        ("deploy.sh failed because the token had expired.", "Run deploy.sh to deploy."),
        ("Tried pytest-xdist, it broke; fixed by one schema a worker.", "Use pytest-xdist."),
        ("Tried approach A for migrations, it failed.", "Use approach B for migrations."),
        ("The alpine base does not work for the worker.", "Use the slim base for the worker."),
        ("SQLite does not work for the queue.", "Never use SQLite for the queue."),
        ("SQLite does not work for the queue.", "Should we use SQLite for the queue?"),
    ],
)
def test_a_mended_failure_another_approach_or_a_question_is_not_refuted(failure, advice):
    assert refutes(failure, [known(advice)]) == ()
    assert refutes(advice, [known(failure)]) == ()


def test_a_plan_is_not_refuted():
    plan = known("Use the turbo cache in CI.", type="prospective")

    assert refutes("We gave up on the turbo cache in CI.", [plan]) == ()


anything = st.text(max_size=400) | st.text(
    alphabet="use not never 8080 a/b.py `'.,:;()-_=/%@#$\n", max_size=4_000
)


@given(anything, anything)
@settings(max_examples=150, deadline=None)
def test_no_text_raises(one, other):
    neighbour = known(other)

    for found in (*judged(one, neighbour), *refutes(one, [neighbour])):
        assert found.kind in ("contradictory", "superseded", "ambiguous")
        assert "\n" not in describe(found)


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_text_made_to_be_hard_to_read_is_judged_all_the_same(piece):
    text = (piece * 4_000)[:4_000]

    assert len(judged(text, known(text[1:]))) <= 1
    assert len(refutes(text, [known(text[1:])])) <= 1


@pytest.mark.parametrize(
    "numbered",
    [
        "Harbour crane {} wants a permit from the port office first.",
        "The staging API listens on port 80{}.",
    ],
)
def test_the_third_other_value_of_a_subject_makes_it_a_numbering(numbered):
    notes = [known(numbered.format(n)) for n in range(10, 13)]
    text = numbered.format(13)
    assert [len(judged(text, *notes[:n])) for n in (1, 2, 3)] == [1, 2, 0]


def test_what_changed_for_the_third_time_still_replaces_what_was():
    text = "The staging API now listens on port 8003 instead of 8002."
    notes = [known(f"The staging API listens on port {port}.") for port in (8000, 8001, 8002)]
    assert "superseded" in {one.kind for one in judged(text, *notes)}


def test_what_lies_beyond_4000_characters_is_not_read():
    end = "Never log the request body."
    other = known("Always log the request body.")
    padding = "pad " * 993

    assert judged(f"{padding}. {end}", other)
    assert judged(f"{padding * 2}. {end}", other) == ()
