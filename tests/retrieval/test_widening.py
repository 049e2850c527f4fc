"""Plain questions: what counts beside a question's own words, and when."""

import pytest

from memdeck.core.retrieval.aliases import everyday, everyday_words, own_words
from memdeck.core.retrieval.expansion import (
    LOOKED_AT,
    find_enough,
    joined_words,
    question_terms,
)
from memdeck.core.retrieval.keywords import keywords


def contents(hits):
    return [hit.memory.content for hit in hits]


# --- the words themselves


def test_every_word_of_a_group_stands_for_the_others():
    """002-14."""
    for group in everyday().same:
        for word in group:
            assert set(everyday_words([word], {})[word]) >= set(group) - {word}


def test_a_kind_of_tool_stands_for_its_tools_and_they_for_it():
    for kind, names in everyday().kinds.items():
        words = kind.split()
        found = everyday_words(["old", *words], {})
        assert all(set(found[word]) >= set(names) for word in words)
        for name in names:
            assert kind in everyday_words(name.split(), {})[name.split()[0]]


def test_the_words_of_a_kind_apart_are_no_kind():
    assert everyday_words(["package", "and", "manager"], {}) == {}


def test_no_everyday_word_stands_for_itself():
    assert all(len(set(group)) == len(group) for group in everyday().groups)


def test_a_projects_own_alias_wins_both_ways_and_can_switch_one_off():
    own = {"berth": ["quay"], "auth": []}
    assert own_words("berth", own) == ("quay",)
    assert own_words("quay", own) == ("berth",)
    assert own_words("auth", own) == ()
    assert own_words("nothing", own) == ()
    assert everyday_words(["auth", "login"], own).keys() == {"login"}


def test_two_words_in_a_row_are_joined_as_they_stand_and_by_the_stem_of_the_first():
    assert joined_words(keywords("the waiting list"))["list"] == ["waitinglist", "waitlist"]
    assert joined_words(keywords("list 42")) == {}


def test_a_question_word_asks_for_what_answers_it():
    terms = keywords("who reviews the crane")
    assert [term.text for term in question_terms("Who reviews the crane", terms)] == ["who"]
    assert not list(question_terms("the crane", terms))
    assert not list(question_terms("who are you", ()))


@pytest.mark.parametrize(
    ("question", "is_enough"),
    [
        ("crane", True),
        ("crane zeppelin", False),
        ("crane harbour zeppelin", False),
        ("crane harbour sluice zeppelin", True),
        ("zeppelin", False),
    ],
)
def test_more_than_two_thirds_of_the_question_are_enough(an_image, question, is_enough):
    images = [an_image("Rope"), an_image("A crane, a harbour and a sluice")]
    assert find_enough(keywords(question), images) is is_enough


def test_only_the_first_ten_answers_say_whether_it_is_enough(an_image):
    ropes = [an_image("Rope") for _ in range(LOOKED_AT)]
    assert find_enough(keywords("crane"), [*ropes[1:], an_image("Crane")])
    assert not find_enough(keywords("crane"), [*ropes, an_image("Crane")])


# --- what a person sees


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which package manager do we use?", "Install with pnpm, never with npm"),
        ("what is our test runner?", "Run vitest --changed before each push"),
        ("which linter is it?", "Ruff must be clean before a merge"),
        ("how is the database reached?", "Postgres listens on 5433 in staging"),
        ("do we use pnpm?", "The package manager is yarn 4"),
        ("how does authentication work", "Auth tokens live for an hour"),
        ("who is first on the waiting list", "The waitlist is ordered by time"),
    ],
)
def test_a_plain_question_finds_the_answer_in_other_words(core, question, answer):
    core.remember(answer)
    core.remember("The crane is yellow since the storm")
    assert contents(core.search(question))[:1] == [answer]
    assert [hit.memory.content for hit in core.recall(question).items][:1] == [answer]


def test_other_words_stand_aside_where_the_plain_ones_answer(core):
    core.remember("The package manager is pinned in the root manifest")
    core.remember("Yarn for the sails is bought in March")
    assert contents(core.search("which package manager?")) == [
        "The package manager is pinned in the root manifest"
    ]


def test_what_a_person_calls_it_wins_over_everyday_words(core):
    core.add_alias("database", ["ledger"])
    core.remember("The ledger is closed at midnight")
    core.remember("Postgres listens on 5433")
    assert contents(core.search("database")) == ["The ledger is closed at midnight"]


def test_a_question_word_decides_between_equals_and_finds_nothing_alone(core):
    core.remember("Crane seven: the maintainer is Imke")
    core.remember("Crane seven: the paint is yellow")
    found = core.search("who greases the winch and motor of crane seven")
    assert contents(found)[0] == "Crane seven: the maintainer is Imke"
    assert core.recall("who is it?").items == ()
