"""What an agent is told over several sessions: true, proven where nobody asked, and by whom."""

import pytest

from memdeck import ConsentNeeded

from .project import Project, contents, framed
from .scripts import GREETING

RELEASE = """
    P: The release script fails. Please make it work again. From now on always run the smoke tests before a release, never after it.
    $ make release
    > error: tag v2.4.0 already exists on the remote
    ! 1
    A: Root cause: `scripts/release.sh` reads the version from `package.json`, which is never raised, so `make release` fails with "tag v2.4.0 already exists".
    E scripts/release.sh
    - VERSION=$(jq -r .version package.json)
    + VERSION=$(git describe --abbrev=0 | bump)
    $ make release
    > released v2.4.1
    A: I decided to count up from the newest tag instead, because a version is never raised by hand.
    T
      [x] Fix the release script
      [ ] Raise the version in package.json from the release job
    A: Released v2.4.1.
"""  # noqa: E501

SMOKE = (
    '<memory type="semantic" category="preference" age="{age}" source="person">'
    "From now on always run the smoke tests before a release, never after it.</memory>"
)
CAUSE = (
    '<memory type="semantic" category="discovery" age="{age}" source="claude"{status}>Root cause:'
    " `scripts/release.sh` reads the version from `package.json`, which is never raised, so `make"
    ' release` fails with "tag v2.4.0 already exists".</memory>'
)
TRIAL = ' trust="unverified"'


# --- at starts: what a person said, pinned or confirmed, or what was promoted


@pytest.mark.parametrize(
    ("prompt", "is_told"),
    [
        ("commit and push", False),
        ("I committed it", False),
        ("commit the release script", True),
        ("is the release fine?", False),
        ("review the release branch", False),
        ("what does the release script read?", True),
        ("and package.json?", True),
        ("package.json has a version", True),
        ("list boats, berths, tides, prices and photos, then look at package.json", True),
        ("does the release script paint berths, boats and buoys?", False),
        ("list boats, berths, tides, prices and photos; package.json names the script", True),
        (
            "list boats, berths, tides, prices, photos, fares, cranes, buoys, piers, ropes, nets;"
            " package.json names the script",
            True,
        ),
    ],
)
def test_what_nobody_stands_for_is_told_to_a_prompt_that_asks_for_it_plainly(
    project, prompt, is_told
):
    """With two rare words, or an identifier; no order to go on asks."""
    project.session(RELEASE.replace("raised, so", "committed, so"))
    [told] = project.session(f"P: {prompt}\nA: Done.").prompts
    assert ("never committed" in told) is is_told


@pytest.mark.parametrize(
    ("prompt", "is_told"),
    [
        ("which endpoint and serializer has the export?", "Worked off"),
        ("the serializer of tides loses the last second of a day when Ingrid uses her tablet", ""),
        ("colour the header bar of the report", "I think we should"),
        ("now update the layout of the header bar of the berth report in colour", ""),
        ("the header bar and the phones of the pages of the guests are too narrow today", ""),
    ],
)
def test_finished_work_and_orders_come_with_a_prompt_that_is_half_about_them(
    project, prompt, is_told
):
    """Most are done by then. A task that begins receives what was done, a command its fix."""
    things = ("an export endpoint", "a CSV serializer", "a JSON serializer", "a button", "a manual")
    done = "\n".join(f"  [x] Add {thing} for berth reports" for thing in (*things, "journeys"))
    order = "I think we should update the layout of the header bar of the berth report in colour."
    project.session(f"P: {order}\nT\n{done}\nA: All of it is done.")
    [told] = project.session(f"P: {prompt}\nA: Done.").prompts
    assert (is_told in told) if is_told else told == ""


def test_what_was_promoted_is_told_at_starts_after_its_trial_and_not_before(project):
    """The score is sure of the cause; a prompt that asks for it in its day of trial proves it."""
    project.session(RELEASE)
    again = "P: error: tag v2.4.0 already exists on the remote, what is it?\nA: Wait."
    told = project.session(again, days=0.5)
    assert contents(told.start) == framed(SMOKE.format(age="12h", status=TRIAL))
    [prompt] = told.prompts
    assert contents(prompt) == framed(CAUSE.format(age="12h", status=TRIAL))
    told = project.session(GREETING, days=0.6)  # when it ends, the day is over
    assert contents(told.start) == framed(SMOKE.format(age="1d", status=TRIAL))
    assert contents(project.session(GREETING).start) == framed(
        SMOKE.format(age="2d", status=""), CAUSE.format(age="2d", status="")
    )


# --- both hold, and both are told

QUEUE = "The message queue between the booking service and the mail sender of the harbour is {}."
ASKED_QUEUE = (
    "P: which message queue is between the booking service and the mail sender?\nA: It depends."
)


def test_two_that_both_hold_by_a_persons_word_are_both_told_in_every_session_after(project):
    for text in (QUEUE.format("RabbitMQ"), QUEUE.format("Kafka")):
        project.session(GREETING)
        project.person(lambda memory, text=text: memory.remember(text, importance=0.3))
    project.person(lambda memory: memory.mark_conflict(*(one.id for one in memory.list())))
    [unsettled] = project.session(ASKED_QUEUE).prompts
    assert "CONFLICT" in unsettled

    def both(memory):
        [conflict] = memory.conflicts()
        memory.resolve_conflict(conflict.id, "both", context="staging and production")

    project.person(both)
    for host in ("claude", "codex", "gemini"):
        [told] = project.session(ASKED_QUEUE, host=host).prompts
        assert "CONFLICT" not in told
        assert told.count("The message queue between") == 2
        assert told.count("with #…: staging and production") == 2
        assert QUEUE.format("RabbitMQ") in told
        assert QUEUE.format("Kafka") in told
    project.person(lambda memory: memory.remember(QUEUE.format("Kafka")))
    project.person(lambda memory: memory.conflicts() and pytest.fail("asked again"))


def test_what_was_imported_for_every_project_is_a_note_until_a_person_agrees(tmp_path):
    """Three sessions, days and hosts apart: a key that keeps it is no yes to what all are told."""
    project = Project(tmp_path)
    project.session(GREETING)
    told = "Every release of the harbour app is signed with the key of the port"

    def take_in(memory):
        with memory.context.consent.granted():
            memory.import_memories([{"content": told, "scope": "global", "importance": 0.9}])

    def keep(memory):
        memory.keep(memory.list()[0].id)

    project.person(take_in)
    with pytest.raises(ConsentNeeded):
        project.person(keep)
    heard = project.session(GREETING, host="codex", days=2).start
    assert told in heard
    assert "<confirmed>" not in heard, "it is no rule"

    def agree(memory):
        with memory.agreeing(lambda _: True):
            keep(memory)

    project.person(agree)
    heard = project.session(GREETING, host="claude", days=9).start
    assert told in heard.partition("<confirmed>")[2].partition("</confirmed>")[0]
    assert "<unverified>" not in heard
    assert heard.count(told) == 1
