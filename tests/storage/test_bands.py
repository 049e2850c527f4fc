"""What a text says again, what it contradicts among what is known, and what it only speaks of.

001-06, 002-24, 003-10; the figures of the judge itself are measured in `benchmarks`, these are its
bands.
"""

import re
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck import Capture, MemoryCoordinator, Origin
from memdeck.core.judgement import weights
from memdeck.tests.fillers import filler

HELD = "A berth at the outer pier is held for {} minutes while a guest pays"
BACKUPS = "Backups of the harbour database are kept for {} days"
NO_TUESDAYS = "Deploys of the booking service never go out on Tuesdays"
TUESDAYS = (
    "Only on Tuesdays do deploys of the booking service go out, after lunch",
    "The booking service is deployed on Tuesdays only",
    "On Tuesdays only, deploys of the booking service go out",
    "The booking service is deployed on Tuesdays and on no other day",
)
HOSTILE = ("a", "aA", "a.", "a-", "1", "1,", "a/", "not ", "use x. ", "no pip, ", "a=b", "é", "'s",
           "((", "\u0301")  # fmt: skip
"""Pieces of which a text is made that backtracks where backtracking is possible."""

QUEUE = "The message queue between the booking service and the mail sender of the harbour is {}."
SAME = (
    ("Run the linter before a commit.", "before a commit, run the LINTER"),
    ("Migrations are run by hand.", "Migration is run by hand"),
    ("The upload timeout is 30 seconds.", "Upload timeout: 30 s"),
    (
        "CI caches node_modules by the hash of pnpm-lock.yaml.",
        "CI caches node_modules by the hash of pnpm-lock.yaml, which saves minutes.",
    ),
    (QUEUE.format("RabbitMQ"), QUEUE.format("RABBITMQ")),
)
DIFFERENT = (
    ("The timeout of the gate is 30 s", "The timeout of the gate is 300 s"),
    ("The gauge of the pier uses port 8080", "The gauge of the pier uses port 8081"),
    ("always use tabs in this project", "never use tabs in this project"),
    ("enable the query cache in production", "disable the query cache in production"),
    ("the retry loop is in core/a.py", "the retry loop is in core/b.py"),
    ("sessions live in Postgres, not Redis", "sessions live in Redis, not Postgres"),
    ("the service needs Python 3.10", "the service needs Python 3.12"),
    ("deploys to staging are made by the release job", "deploys to production are made by the "
     "release job"),
    ("invoices for Sandvik are mailed on Monday", "invoices for Ellery are mailed on Monday"),
    ("call parse_plan before the import", "call parse_survey before the import"),
    *((QUEUE.format(one), QUEUE.format(other)) for one, other in (
        ("RabbitMQ", "Kafka"),
        ("Marta's", "Lena's"),
        ("marta's", "lena's"),
        ("in eu-west-1", "in eu-west-2"),
        ("kept for 12 minutes", "kept for 12 seconds"),
        ("src/queue/amqp.py", "src/queue/nats.py"),
        ("set by `strict`", "set by `verbose`"),
        ("required", "not required"),
        ("emptied before a deploy", "emptied after a deploy"),
        ("blue", "turquoise"),
    )),
)  # fmt: skip


EVERYTHING = """
[capture]
min_length = 1
[review]
rule = "consensus"
consensus_score = 0.0
"""


class Notes:
    """Projects in which one thing is known, or a few, and another is said."""

    def __init__(self, open_core):
        self._open, self.core = open_core, None

    def known(self, *texts, **fields):
        """A project in which these decisions were laid down, a day ago."""
        number = 0 if self.core is None else int(self.core.project.name.removeprefix("p")) + 1
        self.core = self._open(f"p{number}")
        given = {"category": "decision", "created_at": self.core.now() - timedelta(days=1)}
        items = [{"content": text, **given, **fields} for text in texts]
        self.core.import_memories(items)
        return self

    def says(self, text, rule="", **fields):
        """What becomes of a text that a session offers."""
        given = {"category": "decision", "rule": rule, "origin": Origin(session="s2"), **fields}
        [result] = self.core.offer([Capture(text, **given)])
        return result

    def judged(self, text, **fields):
        """What it is in conflict with, or may be."""
        self.says(text, **fields)
        return self.core.conflicts()


@pytest.fixture
def notes(open_core, home_path):
    """Nobody reviews: what is no duplicate is kept."""
    (home_path / "config.toml").write_text(EVERYTHING)
    return Notes(open_core)


# --- the same


@pytest.mark.slow
def test_the_same_in_other_words_is_known_and_another_value_name_or_denial_is_not(notes, subtests):
    for pairs, is_known in ((SAME, True), (DIFFERENT, False)):
        for one, other in pairs:
            with subtests.test(one=one, other=other):
                result = notes.known(one).says(other)
                assert (result.outcome == "duplicate") is is_known


def test_a_text_that_was_made_to_be_hard_to_read_is_known_again(notes, subtests):
    for piece in HOSTILE:
        with subtests.test(piece=piece):
            text = (piece * 480)[:480]
            again = notes.known(text[1:]).says(text)
            assert again.outcome in ("stored", "duplicate", "refused")
            assert len(notes.core.conflicts()) <= 1


anything = st.text(max_size=300) | st.text(
    alphabet="use not never 8080 a/b.py `'.,:;()-_=/%@#$\n0129", max_size=490
)


@pytest.fixture(scope="module")
def any_notes(tmp_path_factory):
    home = tmp_path_factory.mktemp("any") / "home"
    home.mkdir()
    (home / "config.toml").write_text(EVERYTHING)
    with MemoryCoordinator.open(home, "p0") as core:
        yield core


@pytest.mark.slow
@given(anything, anything)
@settings(deadline=None, max_examples=20)
def test_any_text_is_its_own_duplicate_and_what_contradicts_is_none(any_notes, one, other):
    origins = Origin(session="s1"), Origin(session="s2"), Origin(session="s3")
    first, again, _ = any_notes.offer(
        Capture(text, rule="agent.finding", category="decision", origin=origin)
        for text, origin in zip((one, one, other), origins, strict=True)
    )
    if first.memory_id is not None and any_notes.show(first.memory_id).is_live:
        assert (again.outcome, again.memory_id) == ("duplicate", first.memory_id)
    for found in any_notes.conflicts():
        assert found.kind in ("contradictory", "superseded", "ambiguous")
        assert "\n" not in found.reason
        assert found.first.id != found.second.id
        any_notes.resolve_conflict(found.id, "both")


@pytest.mark.parametrize(("type", "is_known"), [("prospective", False), ("semantic", True)])
def test_a_plan_is_never_the_duplicate_of_a_fact(notes, type, is_known):
    fact = "The importer of the harbour writes UTF-8"
    assert (
        notes.known(f"{fact}.", type="semantic").says(fact, type=type).outcome == "duplicate"
    ) is is_known


def test_the_nearest_that_may_be_the_same_is_found_behind_one_that_contradicts(notes):
    opposite = "Never run the suite in parallel on the runner."
    same = "On the runner, run the suite in parallel."
    result = notes.known(opposite, same).says("Run the suite in parallel on the runner.")
    assert result.outcome == "duplicate"
    assert notes.core.show(result.memory_id).content == same


# --- in conflict, or near


def test_the_opposites_that_are_named_are_in_conflict_in_either_order(notes, subtests):
    """002-24."""
    rows = [
        ("Use the ORM session in routes.", "Don't use the ORM session in routes."),
        ("Always log the request body.", "Never log the request body."),
        ("Enable the query cache for reports.", "Disable the query cache for reports."),
        ("Add docstrings to private helpers.", "Remove docstrings from private helpers."),
        ("Handlers should retry failed calls.", "Handlers shouldn't retry failed calls."),
    ]
    for yes, no in rows:
        with subtests.test(yes=yes):
            for one, other in ((yes, no), (no, yes)):
                [found] = notes.known(one).judged(other)
                assert (found.is_sure, found.kind) == (True, "contradictory")


@pytest.mark.parametrize("text", [HELD, BACKUPS])
def test_another_value_is_surely_in_conflict_and_both_are_named(notes, text):
    [found] = notes.known(text.format(30)).judged(text.format(90))
    assert (found.is_sure, found.kind) == (True, "contradictory")
    assert re.search("“90.*” against “30.*”", found.reason)


def test_what_gets_along_is_neither_marked_nor_listed(notes, subtests):
    rows = [
        ("Always use uv for installs.", "Never use rebase on shared branches."),
        ("Use SQLite in tests.", "Use Postgres in production."),
        ("The login timeout is 300 s.", "The upload timeout is 30 s."),
        ("Nightly jobs start at 02:00.", "Invoices are immutable once sent."),
    ]
    for text, other in rows:
        with subtests.test(text=text):
            assert notes.known(other).judged(text) == []
            assert notes.known(text).judged(other) == []


def test_at_most_three_of_what_speaks_of_the_same_thing_are_listed_and_none_is_marked(notes):
    found = notes.known(*TUESDAYS).judged(NO_TUESDAYS)
    assert [(one.is_sure, one.kind) for one in found] == [(False, "ambiguous")] * 3
    assert all(one.reason for one in found)
    assert len(TUESDAYS) > 3
    for other in TUESDAYS:
        assert len(notes.known(other).judged(NO_TUESDAYS)) == 1


def test_only_what_shares_a_file_or_the_category_is_marked_the_rest_is_listed(notes):
    """002-24; a failure may contradict whatever recommends the approach (003-10)."""
    text, other = HELD.format(15), HELD.format(10)
    rows = [
        ({}, {}, True),
        ({"category": "architecture", "files": ["src/quay/a.py"]}, {}, False),
        (
            {"category": "architecture", "files": ["src/quay/a.py"]},
            {"files": ("src/quay/b.py",)},
            False,
        ),
        (
            {"category": "architecture", "files": ["src/quay/a.py"]},
            {"files": ("./src/quay/a.py",)},
            True,
        ),
        ({"category": "architecture", "files": ["src/quay/a.py"]}, {"files": ("quay/a.py",)}, True),
        ({"category": "architecture"}, {"category": "error"}, True),
    ]
    for known, said, is_sure in rows:
        [found] = notes.known(other, **known).judged(text, **said)
        assert found.is_sure is is_sure, (known, said)


def test_only_a_newer_statement_supersedes_a_persons_or_one_that_says_so(notes, clock):
    old, new = HELD.format(10), HELD.format(15)
    change = new.replace("held", "now held")
    for text, rule, kind in (
        (new, "agent.finding", "contradictory"),
        (new, "person.instruction", "superseded"),
        (change, "agent.finding", "superseded"),
    ):
        [found] = notes.known(old).judged(text, rule=rule)
        assert found.kind == kind, text
    for later, kind in ((0, "superseded"), (1, "contradictory")):
        known_since = clock.now + timedelta(milliseconds=later)
        core = notes.known(old, created_at=known_since).core
        core.remember(new, category="decision")
        assert [one.kind for one in core.conflicts()] == [kind]


def test_plans_working_notes_what_was_done_and_questions_contradict_nothing(notes, subtests):
    text, other = HELD.format(15), HELD.format(10)
    rows = [
        (text, {"type": "prospective"}, other, {}),
        (text, {}, other, {"type": "prospective"}),
        (text, {"category": "task_progress"}, other, {"category": "task_progress"}),
        (text, {"category": "file_change"}, other, {"category": "file_change"}),
        (f"{text}?", {}, other, {}),
        (text, {}, f"{other}?", {}),
    ]
    assert notes.known(other, type="semantic").judged(text, type="semantic")
    for said, of_it, there, of_that in rows:
        with subtests.test(said=of_it, there=of_that):
            assert notes.known(there, **of_that).judged(said, **of_it) == []


def test_a_numbering_contradicts_nothing_and_the_third_other_value_makes_one(notes):
    numbered = "Harbour crane {} wants a permit from the port office first."
    for number in (13, 999):
        assert notes.known(numbered.format(10)).judged(numbered.format(number)) == []
    for count, conflicts in ((1, 1), (2, 2), (3, 0)):
        values = [HELD.format(n) for n in (10, 11, 12)[:count]]
        assert len(notes.known(*values).judged(HELD.format(13))) == conflicts, count


def test_without_the_fitted_numbers_nothing_is_told_but_the_named_opposites(
    notes, tmp_path, monkeypatch
):
    monkeypatch.setattr(weights, "FOLDER", str(tmp_path))
    weights.boosted.cache_clear()
    try:
        assert notes.known(HELD.format(10)).judged(HELD.format(15)) == []
        assert notes.known("Always log the body.").judged("Never log the body.")
        night = "The mirror is read at night"
        assert notes.known(night).says("the mirror is read at NIGHT").outcome == "duplicate"
    finally:
        monkeypatch.undo()
        weights.boosted.cache_clear()


# --- verdicts


@pytest.mark.slow
def test_verdicts_move_the_judge_within_bounds_and_only_where_it_erred(notes):
    held = "A {} at the outer pier is held for {} minutes while a {} pays"

    def bias(verdict, count):
        """(same, contradict) after so many conflicts of a project of their own were decided so."""
        things = [(filler(2 * n, 1), filler(2 * n + 1, 1)) for n in range(count)]
        notes.known(*(held.format(one, 10, other) for one, other in things))
        for one, other in things:
            notes.says(held.format(one, 20, other))
        found = [one for one in notes.core.conflicts() if one.is_sure]
        assert len(found) == count
        for one in found:
            notes.core.resolve_conflict(one.id, verdict)
        told = notes.core.bias()
        return told.same, told.contradict

    assert bias("a", 0) == (0.0, 0.0)
    one, four, many = (bias("not_a_conflict", count)[1] for count in (1, 4, 13))
    assert -2.0 == many < four < one < 0
    assert bias("merged", 2)[0] > 0
    assert abs(bias("a", 2)[1]) < 0.3


# --- what a session says again

TOLD = "Mails are sent by the worker. The worker retries each mail three times."


REPETITIONS = [
    (TOLD, True),
    ("the worker retries each mail three times", True),
    ("As noted, the worker retries each mail three times.", True),
    ("The worker retries each mail", True),
    ("each mail", False),
    ("The worker never retries each mail three times.", False),
    ("The worker retries each mail five times.", False),
    (
        "The worker retries each mail three times, which floods the log of the relay in Bergen"
        " whenever DNS is down.",
        False,
    ),
    ("The queue is drained before each deploy.", False),
]


def test_what_is_made_of_what_was_told_repeats_it_and_news_do_not(open_core, home_path, subtests):
    (home_path / "config.toml").write_text("[capture]\nmin_length = 8\n")
    core = open_core()
    core.remember(TOLD)
    assert TOLD in core.recall("How often does the worker retry a mail?", session="s1").text
    origin = Origin(session="s1", agent="claude")
    for text, is_repeated in REPETITIONS:
        with subtests.test(text=text):
            [result] = core.offer([Capture(content=text, rule="agent.finding", origin=origin)])
            is_told = result.reason.startswith("this session was told")
            assert (result.outcome == "duplicate", is_told) == (is_repeated, is_repeated)


def test_a_prompt_that_goes_on_from_one_of_its_session_stands_for_it(core):
    for berth, session, rule, is_kept in (
        ("Oslo", "s2", "person.said", True),  # another session's: both were said
        ("Narva", "s1", "agent.finding", True),
        ("Bergen", "s1", "person.said", False),
    ):
        text = f"The berths of {berth} are let by the month"
        more = f"{text}, and the crane beside them is serviced by Ada before each spring tide."
        first, result = (
            core.offer([Capture(content=said, rule=by, origin=Origin(session=place))])[0]
            for said, by, place in ((f"{text}.", "person.said", "s1"), (more, rule, session))
        )
        assert (result.stored, core.show(first.memory_id).is_live) == (True, is_kept), berth
    core.undo(core.audit(memory=result.memory_id)[0].seq)
    assert core.show(first.memory_id).is_live
