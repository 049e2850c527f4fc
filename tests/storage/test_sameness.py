"""How near two texts are, and which of them say the same (001-06)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.answers import Capture, Neighbour
from memdeck.core.ingest.conflicts import oppositions
from memdeck.core.ingest.duplicates import THRESHOLD, near_duplicate, nearest
from memdeck.core.text.sameness import likeness
from memdeck.core.values import Origin

SAME = (
    ("Run the linter before a commit.", "before a commit, run the LINTER"),
    ("Migrations are run by hand.", "Migration is run by hand"),
    ("The upload timeout is 30 seconds.", "Upload timeout: 30 s"),
    (
        "CI caches node_modules by the hash of pnpm-lock.yaml.",
        "CI caches node_modules by the hash of pnpm-lock.yaml, which saves minutes.",
    ),
)
DIFFERENT = (
    ("timeout is 30 s", "timeout is 300 s"),
    ("use port 8080", "use port 8081"),
    ("always use tabs in this project", "never use tabs in this project"),
    ("enable the query cache in production", "disable the query cache in production"),
    ("the retry loop is in core/a.py", "the retry loop is in core/b.py"),
    ("sessions live in Postgres, not Redis", "sessions live in Redis, not Postgres"),
    ("the service needs Python 3.10", "the service needs Python 3.12"),
    ("deploys to staging are made by the release job", "deploys to production are made by the "
     "release job"),
    ("invoices for Sandvik are mailed on Monday", "invoices for Ellery are mailed on Monday"),
    ("call parse_plan before the import", "call parse_survey before the import"),
)  # fmt: skip
anything = st.text(max_size=300) | st.text("abc .,:'`-/0129%\n", max_size=4_000)


def marked(text, known):
    """Which of one known note a discovery is surely in conflict with."""
    found = oppositions(text, category="discovery", files=(), neighbours=[known])
    return [one for one in found if one.band == "conflict"]


def test_the_same_in_other_words_is_near(subtests):
    for one, other in SAME:
        with subtests.test(one=one):
            assert likeness(one, other) >= THRESHOLD


def test_another_value_name_or_denial_is_never_a_near_duplicate(subtests):
    for one, other in DIFFERENT:
        with subtests.test(one=one):
            known = Neighbour("known", one)

            assert likeness(one, other) < THRESHOLD
            assert near_duplicate(other, [known]) is None
            assert near_duplicate(other, [known], threshold=0.1) is None


def test_texts_without_a_common_word_are_not_near():
    assert likeness("Invoices are immutable once sent.", "Charts use a pastel palette.") < 0.2


def test_equal_texts_have_similarity_one_and_only_case_and_space_do_not_count():
    assert likeness("Use uv", " use\n UV ") == 1.0
    assert likeness("", "  ") == 1.0
    assert likeness("", "Use uv for installs") < 0.5


@given(anything, anything)
@settings(max_examples=150, deadline=None)
def test_similarity_is_symmetric_and_between_0_and_1(one, other):
    near = likeness(one, other)

    assert 0.0 <= near <= 1.0
    assert near == likeness(other, one)


@given(anything)
@settings(max_examples=150, deadline=None)
def test_every_text_is_its_own_near_duplicate_and_never_contradicts_itself(text):
    known = Neighbour("known", text)

    found = near_duplicate(text, [known])

    assert found is not None
    assert found.similarity == 1.0
    assert not marked(text, known)


@pytest.mark.slow
@given(anything, anything)
@settings(max_examples=100, deadline=None)
def test_what_contradicts_is_no_duplicate_whatever_the_texts(one, other):
    known = Neighbour("known", other)

    opposed = marked(one, known)

    assert not (opposed and near_duplicate(one, [known], threshold=0.0))


SUBJECTS = st.sampled_from(("the query cache", "force pushes to main", "inline styles in mails"))


OPPOSITES = st.sampled_from(
    (
        ("Use", "Don't use"),
        ("Add", "Remove"),
        ("Enable", "Disable"),
        ("Always use", "Never use"),
    )
)


@given(SUBJECTS, OPPOSITES)
def test_an_instruction_and_its_opposite_contradict_and_are_no_duplicates(subject, words):
    yes, no = (f"{word} {subject}." for word in words)
    known = Neighbour("known", yes)

    assert marked(no, known)
    assert near_duplicate(no, [known]) is None


def test_exactly_the_threshold_is_near_enough_and_a_little_less_is_not():
    one, other = "Retry failed uploads with backoff.", "Retry failed uploads with a long backoff."
    near = likeness(one, other)
    known = Neighbour("known", one)

    assert 0.8 < near < 1
    assert near_duplicate(other, [known], threshold=near) is not None
    assert near_duplicate(other, [known], threshold=near + 0.001) is None


def test_the_nearest_come_first_with_their_similarity_and_no_more_than_asked_for():
    text = "Redis is flushed at every deploy."
    known = [
        Neighbour("far", "Charts use the palette mocha."),
        Neighbour("same", "redis is flushed at every deploy"),
        Neighbour("near", "Redis is flushed at every deploy of the worker, on purpose."),
    ]

    found = nearest(text, known, limit=2)

    assert [one.id for one in found] == ["same", "near"]
    assert found[0].similarity == 1.0
    assert 0 < found[1].similarity < 1
    assert nearest(text, known, limit=0) == ()


def test_the_nearest_one_that_may_be_the_same_is_found_behind_one_that_contradicts():
    known = [
        Neighbour("opposite", "Never run the suite in parallel on the runner."),
        Neighbour("same", "On the runner, run the suite in parallel."),
    ]

    found = near_duplicate("Run the suite in parallel on the runner.", known)

    assert found is not None
    assert found.id == "same"


@pytest.mark.parametrize(("type", "is_found"), [("prospective", False), ("semantic", True)])
def test_a_plan_is_never_the_duplicate_of_a_fact(type, is_found):
    known = Neighbour("fact", "The importer writes UTF-8.", type="semantic")

    found = near_duplicate("The importer writes UTF-8", [known], type=type)

    assert (found is not None) is is_found


def test_without_a_type_the_wording_tells_a_plan_from_a_fact():
    fact = Neighbour("fact", "The mail client retries with backoff.")
    plan = Neighbour("plan", "TODO: the mail client retries with backoff.", type="prospective")
    text = "Todo: the mail client retries with backoff"

    assert near_duplicate(text, [fact]) is None
    found = near_duplicate(text, [plan])
    assert found is not None
    assert found.id == "plan"


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
