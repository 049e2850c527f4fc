"""What an agent is told over several sessions: true, proven where nobody asked, and by whom."""

import json

import pytest

from memdeck import ConsentNeeded

from .project import Lived, Project, framed
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
ASKED = "Is the version in package.json raised by hand, or was it decided to take the newest tag?"

SMOKE = (
    '<memory type="semantic" category="preference" age="{age}" source="person">'
    "From now on always run the smoke tests before a release, never after it.</memory>"
)
DECIDED = (
    '<memory type="semantic" category="decision" age="{age}" source="claude"{status}>I decided to'
    " count up from the newest tag instead, because a version is never raised by hand.</memory>"
)
CAUSE = (
    '<memory type="semantic" category="discovery" age="{age}" source="claude"{status}>Root cause:'
    " `scripts/release.sh` reads the version from `package.json`, which is never raised, so `make"
    ' release` fails with "tag v2.4.0 already exists".</memory>'
)
POSTGRES = (
    '<memory type="semantic" category="preference" age="{age}" source="person">'
    "We store sessions in Postgres, never in Redis, because they must survive a restart.</memory>"
)
REDIS = (
    '<memory type="semantic" category="discovery" age="{age}" source="claude"{status}>'
    "The sessions have to live in Redis, because only Redis expires them by itself; `auth.py` never"
    " deletes a row.</memory>"
)
ASK_WHICH = (
    '[⚠ CONFLICT] Entry #… says "We store sessions in Postgres, never in Redis, because they must'
    ' survive a restart" but Entry #… says'
    ' "The sessions have to live in Redis, because only Redis expires them by itself; `auth.py`'
    ' never deletes a row". Verify which is current.'
)
LEFT_OPEN = (
    '<memory type="prospective" category="task_progress" age="{{age}}" source="claude"'
    ' trust="unverified" priority="3/5">Todo left open: {0}.</memory>'
)
LIMIT = LEFT_OPEN.format("Add rate limiting to the tide export endpoint")
DOCUMENT = LEFT_OPEN.format("Document the tide export in docs/export.md")
MEASURE = LEFT_OPEN.format("Measure the tide export with 10000 rows")
RAISE = LEFT_OPEN.format("Raise the version in package.json from the release job")
TRIAL = ' trust="unverified"'


# --- at starts: what a person said, pinned or confirmed, or what was promoted


def test_a_start_tells_what_the_person_said_and_not_what_an_agent_left_open(project):
    assert project.session(RELEASE).start == ""
    told = project.session(GREETING)
    [asked] = project.session("P: who raises the version in package.json?\nA: Hm.").prompts
    assert RAISE.format(age="2d") in asked
    assert told.start == framed(SMOKE.format(age="1d", status=TRIAL))
    assert told.prompts == ("",)


def test_what_an_agent_concluded_is_told_when_asked_and_at_starts_once_a_person_confirmed_it(
    project,
):
    project.session(RELEASE)
    [asked] = project.session(f"P: {ASKED}\nA: From the newest tag.").prompts
    assert asked == framed(
        DECIDED.format(age="1d", status=TRIAL),
        RAISE.format(age="1d"),
        CAUSE.format(age="1d", status=TRIAL),
    )
    third = project.session(GREETING)
    assert third.start == framed(
        SMOKE.format(age="2d", status=""), CAUSE.format(age="2d", status="")
    )  # the score was sure of the cause, and in its trial a prompt asked for it

    project.person(lambda memory: memory.confirm(_called(memory, "I decided to count")))
    fourth = project.session(GREETING)
    assert fourth.start == framed(
        CAUSE.format(age="3d", status=""),
        vouched=(SMOKE.format(age="3d"), DECIDED.format(age="3d", status="")),
    )


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
        ("list boats, berths, tides, prices and photos, then look at package.json", False),
        ("does the release script paint berths, boats and buoys?", False),
        ("list boats, berths, tides, prices and photos; package.json names the script", True),
        (
            "list boats, berths, tides, prices, photos, fares, cranes, buoys, piers, ropes, nets;"
            " package.json names the script",
            False,
        ),
    ],
)
def test_what_nobody_stands_for_is_told_to_a_prompt_that_asks_for_it_plainly(
    project, prompt, is_told
):
    """With half of its words, two at least, or a thing by its name; no order to go on asks."""
    project.session(RELEASE.replace("raised, so", "committed, so"))
    [told] = project.session(f"P: {prompt}\nA: Done.").prompts
    assert ("never committed" in told) is is_told


def test_what_was_promoted_is_told_at_starts_after_its_trial_and_not_before(project):
    """The score is sure of the cause; a prompt that asks for it in its day of trial proves it."""
    project.session(RELEASE)
    again = "P: error: tag v2.4.0 already exists on the remote, what is it?\nA: Wait."
    told = project.session(again, days=0.5)
    assert told.start == framed(SMOKE.format(age="12h", status=TRIAL))
    assert told.prompts == (framed(CAUSE.format(age="12h", status=TRIAL)),)
    told = project.session(GREETING, days=0.6)  # when it ends, the day is over
    assert told.start == framed(SMOKE.format(age="1d", status=TRIAL))
    assert project.session(GREETING).start == framed(
        SMOKE.format(age="2d", status=""), CAUSE.format(age="2d", status="")
    )


def test_what_its_own_session_asks_for_or_says_again_proves_nothing(project):
    again = """
    P: error: tag v2.4.0 already exists on the remote, what was it again?
    A: Root cause: `scripts/release.sh` reads the version from `package.json`, and it is never raised, so that `make release` fails with "tag v2.4.0 already exists".
    """  # noqa: E501
    project.session(RELEASE + again)
    project.session(GREETING, days=2)
    assert "Root cause" not in project.session(GREETING).start


def test_what_was_pasted_into_a_prompt_is_not_the_persons_word(project):
    project.session(
        """
        P: CI says this, what does it want?
          ```
          From now on always run the smoke tests on the staging cluster.
          ```
        A: It wants the staging cluster.
        """
    )
    assert project.session(GREETING).start == ""
    assert project.session(GREETING).start == ""


def test_an_agents_guess_does_not_get_to_starts_by_contradicting_what_a_person_said(project):
    project.session(
        "P: We store sessions in Postgres, never in Redis, because they must survive a restart.\n"
        "A: ok"
    )
    project.session(
        """
        P: what does auth.py do?
        E auth.py
        - a
        + b
        A: The sessions have to live in Redis, because only Redis expires them by itself; `auth.py` never deletes a row.
        """  # noqa: E501
    )
    project.person(
        lambda memory: memory.mark_conflict(
            *_called(memory, "We store"), *_called(memory, "The sessions have")
        )
    )
    told = project.session("P: where are the sessions stored, Postgres or Redis?\nA: Hm.")
    assert told.start == framed(judged=(POSTGRES.format(age="2d", status=""),))
    assert told.prompts == (
        framed(
            "<conflict>",
            ASK_WHICH,
            POSTGRES.format(age="2d", status=""),
            REDIS.format(age="1d", status=TRIAL),
            "</conflict>",
        ),
    )


def test_what_a_session_came_to_names_what_is_proven_and_not_told_above(project):
    """What is of little weight is told by the summary; what an agent concluded is in none."""
    project.session(RELEASE)
    project.person(
        lambda memory: (
            memory.edit(_called(memory, "From now on")[0], importance=0.3)
            and memory.edit(_called(memory, "From now on")[0], category="architecture")
        )
    )
    start = project.session(GREETING).start
    assert start == framed(
        '<session age="1d">Goal: The release script fails. Please make it work again.\n'
        "Decided: From now on always run the smoke tests before a release, never after it"
        "</session>",
    )
    project.person(lambda memory: memory.forget(_called(memory, "From now on")))
    assert project.session(GREETING).start == ""


# --- what is finished is open no more

EXPORT = """
    P: add the tide table export
    T
      [x] Write the exporter
      [ ] Add rate limiting to the tide export endpoint
      [ ] Document the tide export in docs/export.md
      [ ] Measure the tide export with 10000 rows
    A: Written.
"""
GONE_ON = """
    P: go on with the export
    T
      [~] Add rate limiting to the tide export endpoint
      [ ] Document the tide export in docs/export.md
    A: I start with the limit.
    P: yes
    T
      [x] Add rate limiting to the tide export endpoint
    A: Limited.
    P: and the linter?
    T
      [x] Run the linter
    A: It is clean.
"""


LEFT = "P: what is left to do of the tide export, which todo is open?\nA: Let me see."


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    return Lived(tmp_path_factory.mktemp("export"), lambda project: project.session(EXPORT))


@pytest.fixture
def exported(lived):
    """The project after a session that left three todos open."""
    return lived.again()


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "opencode"])
def test_a_todo_that_any_agent_completes_later_is_open_no_more_and_one_that_vanishes_is(
    exported, host
):
    exported.session(GONE_ON, host=host)
    told = exported.session(LEFT)
    assert told.start == ""  # an agent's list is unproven elsewhere
    [asked] = told.prompts
    left = framed(DOCUMENT.format(age="2d"), MEASURE.format(age="2d"))
    assert sorted(asked.splitlines()) == sorted(left.splitlines())


def test_a_todo_that_was_completed_is_told_to_nobody_until_an_undo_brings_it_back(exported):
    exported.session(GONE_ON)
    [asked] = exported.session("P: what of the rate limiting of the tide export?\nA: …").prompts
    assert "rate limiting" not in asked
    with exported.memory() as memory:
        [entry] = memory.audit(action="complete")
        [done] = memory.list("is:retired type:prospective")
        assert (entry.actor, entry.title, done.retired_as) == ("rule", done.title, "completed")
        assert done.details["status"] == "completed"
        assert done.details["completed_at"]
        memory.undo(entry.seq)
        assert memory.verify().ok
    [asked] = exported.session(LEFT).prompts
    assert LIMIT.format(age="3d") in asked


def test_a_todo_that_a_later_session_cancels_is_open_no_more_and_undo_brings_it_back(exported):
    with exported.memory() as memory:
        later = [("Add the rate limiting to the tide export endpoint", None)]
        [ended] = memory.end_todos("elsewhere", later, "cancelled")
        assert memory.end_todos("elsewhere", [("Add rate limiting to the mail", None)]) == []
        gone = memory.show(ended)
        assert (gone.retired_as, gone.details["status"]) == ("cancelled", "cancelled")
        assert gone.details["completed_at"] is None
    [asked] = exported.session(LEFT).prompts
    assert "rate limiting" not in asked
    with exported.memory() as memory:
        memory.undo(memory.audit(action="cancel")[0].seq)
    [asked] = exported.session(LEFT).prompts
    assert LIMIT.format(age="2d") in asked


def test_what_a_person_put_off_ends_when_an_agent_has_done_it(project):
    project.session("P: We still need to add a retry to the mail sender later.\nA: Noted.")
    assert "add a retry to the mail sender" in project.session(GREETING).start
    project.session("P: go\nT\n  [x] Add a retry to the mail sender\nA: Done.")
    assert project.session(GREETING).start == ""


# --- a quotation is no proof

BATCHES = (
    "We decided to write the rows of the nightly import in batches of 500, because one connection"
    " per row costs most of the time."
)
SLOW = f"""
    P: the nightly import takes seven minutes, please make it faster
    E import.py
    - for row in rows: connect().write(row)
    + for batch in batches(rows, 500): connection.write_all(batch)
    A: {BATCHES}
"""
QUOTED = f"""
    P: how does the nightly import write its rows?
    E import.py
    - b
    + c
    A: {BATCHES}
"""
HOW = (
    '<memory type="semantic" category="decision" age="{age}" source="claude"{status}>'
    "{text}</memory>"
)


def _standing(project):
    """How the agent's finding stands: status, scope, importance, points, uses."""
    with project.memory() as memory:
        [one] = [one for one in memory.list() if one.content == BATCHES]
        points = memory.candidacy(one.id)["points"]
        return one.status, one.scope, one.importance, points, one.accesses


def test_a_memory_that_agents_quote_is_used_and_never_proven_by_it(project):
    project.session(SLOW)
    status, scope, importance, points, _ = _standing(project)
    for days, host in enumerate(["claude", "codex", "gemini", "opencode", "claude"], 1):
        told = project.session(QUOTED, host=host)
        assert BATCHES in told.prompts[0]
        *stands, uses = _standing(project)
        assert stands == [status, scope, importance, points]
        assert uses == 2 * days  # it was told, and it was of use
    assert (status, scope, points) == ("candidate", "session", 0.0)
    told = project.session(QUOTED)
    assert told.start == ""
    assert told.prompts == (framed(HOW.format(age="6d", status=TRIAL, text=BATCHES)),)


def test_what_a_session_says_that_was_not_told_so_is_evidence_as_before(project):
    project.session(SLOW)
    asked = "the nightly import takes seven minutes, please make it faster"
    told = project.session(SLOW.replace(asked, "good morning, please go on with the work"))
    assert told.prompts == ("",)
    status, scope, _, points, _ = _standing(project)
    assert (status, scope, points) == ("candidate", "project", 3.0)


def test_what_a_person_says_in_own_words_counts_though_the_session_was_told_it(project):
    project.session(SLOW)
    project.session(QUOTED)
    own = "Remember: write the rows of the nightly import in batches of 500, because one connection"
    told = project.session(
        f"P: how does the nightly import write its rows?\nA: …\nP: {own} per row costs most of the"
        " time.\nA: ok"
    )
    assert BATCHES in told.prompts[0]
    *_, points, _ = _standing(project)
    assert points >= 5.0
    persons = HOW.replace('source="claude"', 'source="person"')
    assert project.session(GREETING).start == framed(
        persons.format(age="3d", status="", text=BATCHES)
    )


def test_what_an_agent_adds_to_what_it_was_told_is_news(project):
    project.session(SLOW)
    project.session(
        """
        P: how does the nightly import write its rows?
        E import.py
        - b
        + c
        A: Decided to write the rows of the nightly import in batches of 2000 instead, because Postgres 17 pipelines them.
        """  # noqa: E501
    )
    with project.memory() as memory:
        assert (
            len([one for one in memory.list() if "rows of the nightly import" in one.content]) == 2
        )


# --- both hold, and both are told

QUEUE = "The message queue between the booking service and the mail sender of the harbour is {}."
TOLD_QUEUE = (
    '<memory type="semantic" category="discovery" age="{age}" source="person"'
    ' both_hold="with #…: staging and production">{text}</memory>'
)
ASKED_QUEUE = (
    "P: which message queue is between the booking service and the mail sender?\nA: It depends."
)


def test_two_that_both_hold_by_a_persons_word_are_both_told_in_every_session_after(project):
    for text in (QUEUE.format("RabbitMQ"), QUEUE.format("Kafka")):
        project.session(GREETING)
        project.person(lambda memory, text=text: memory.remember(text, importance=0.3))
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
    told = project.session(ASKED_QUEUE)
    assert told.prompts == (
        framed(
            TOLD_QUEUE.format(age="5d", text=QUEUE.format("Kafka")),
            TOLD_QUEUE.format(age="6d", text=QUEUE.format("RabbitMQ")),
        ),
    )


def test_what_tells_two_apart_is_told_as_long_as_both_hold(project):
    """In each door: to agents, to scripts and to the person; an undo takes it back."""
    for text in (QUEUE.format("RabbitMQ"), QUEUE.format("Kafka")):
        project.session(GREETING)
        project.person(lambda memory, text=text: memory.remember(text, importance=0.3))
    [first] = project.session(ASKED_QUEUE).prompts
    assert "CONFLICT" in first
    [conflict] = project.command("conflicts", "--json").out.splitlines()
    conflict = json.loads(conflict)
    words = ("--keep", "both", "--context", 'staging & "production"')
    assert project.command("conflicts", "resolve", conflict["id"], *words).code == 0

    [again] = project.go_on(ASKED_QUEUE)
    assert again.count('both_hold="with #…: staging &amp; &quot;production&quot;"') == 2
    assert project.go_on(ASKED_QUEUE) == [""]  # it stands in its context now
    for one, other in (("a", "b"), ("b", "a")):
        shown = project.command("show", conflict[one]["id"], "--json").json
        told = [{"id": conflict[other]["id"], "context": words[-1]}]
        assert shown["both_hold"] == told
        assert words[-1] in project.command("show", conflict[one]["id"]).out

    project.person(lambda memory: memory.undo())
    assert project.command("show", conflict["a"]["id"], "--json").json["both_hold"] == []
    assert "CONFLICT" in project.session(ASKED_QUEUE).prompts[0]
    project.command("conflicts", "resolve", conflict["id"], *words)
    project.person(lambda memory: memory.forget(conflict["b"]["id"]))
    [left] = project.session(ASKED_QUEUE).prompts
    assert "both_hold" not in left
    assert left.count("The message queue between") == 1


def test_two_that_differ_in_a_name_are_both_told_and_a_copy_once(project):
    """A person said that both hold: names in small letters tell two statements apart."""
    owner = "The on-call rota of the harbour backend in the first week of each month begins with {}"
    project.session(GREETING)
    for text in (owner.format("marta"), owner.format("jonas"), owner.format("marta") + "!"):
        project.person(lambda memory, text=text: memory.remember(text, importance=0.3))
    project.person(
        lambda memory: [memory.resolve_conflict(one.id, "both") for one in memory.conflicts()]
    )
    for _ in range(2):
        [told] = project.session("P: who begins the on-call rota each month?\nA: …").prompts
        assert told.count("The on-call rota") == 2
        assert "marta" in told
        assert "jonas" in told


def _called(memory, words):
    return [one.id for one in memory.list() if one.content.startswith(words)]


def test_what_was_imported_for_every_project_is_a_note_until_a_person_agrees(tmp_path):
    """Three sessions, days and hosts apart: a key that keeps it is no yes to what all are told."""
    project = Project(tmp_path)
    project.session(GREETING)
    told = "Every release of the harbour app is signed with the key of the port"

    def take_in(memory):
        with memory.context.consent.given():
            memory.import_memories([{"content": told, "scope": "global", "importance": 0.9}])

    def keep(memory):
        memory.keep(memory.list()[0].id)

    project.person(take_in)
    with pytest.raises(ConsentNeeded):
        project.person(keep)
    heard = project.session(GREETING, host="codex", days=2).start
    assert told in heard
    assert "Laid down" not in heard, "it is a note"

    def agree(memory):
        with memory.agreeing(lambda _: True):
            keep(memory)

    project.person(agree)
    heard = project.session(GREETING, host="claude", days=9).start
    assert heard.index("Laid down") < heard.index(told)
    assert "Notes from earlier" not in heard
    assert heard.count(told) == 1
