"""Plain questions: what counts beside a question's own words, and when."""

import pytest

from memdeck.core.recall.expansion import everyday_groups


def contents(hits):
    return [hit.memory.content for hit in hits]


# --- the words themselves


@pytest.fixture
def of_each_word(core):
    """Which of the everyday words answer a question that has one of them: a note for each."""
    groups = everyday_groups()
    words = dict.fromkeys(word for group in groups for word in group)
    core.import_memories({"content": f"{word} 1", "key": word} for word in words)

    def ask(word):  # the two others are found nowhere, so that the plain words find little
        return {hit.key for hit in core.search(f"{word}, zeppelin gasbag", limit=45)}

    return ask


@pytest.mark.slow
def test_every_everyday_word_stands_for_the_others_of_its_line(core, of_each_word, subtests):
    """Of a kind of tool, in one word or two, it finds its tools, and they the kind."""
    unheard = {"dir", "go mod", "clang-format"}  # as asked: a word left out, or its words parted
    kinds = {"package manager", "test runner", "database", "queue", "cache", "linter"}
    groups = everyday_groups()
    assert kinds <= {group[0] for group in groups}
    for group in groups:
        with subtests.test(group[0]):
            assert len(set(group)) == len(group)
            asked = [word for word in group if word not in unheard]
            assert of_each_word(asked[0]) >= set(group)
            for word in asked[1:]:
                assert of_each_word(word) >= {group[0], word}


def test_the_words_of_a_kind_apart_are_no_kind(of_each_word):
    assert of_each_word("package of a zoo manager") == {
        "package manager",
        "packages",
        "package",
        "pkg",
    }


def test_a_projects_own_alias_wins_both_ways_and_can_switch_one_off(core, of_each_word):
    core.import_memories({"content": f"{word} 1", "key": word} for word in ("berth", "quay"))
    assert "login" in of_each_word("auth")
    assert of_each_word("berth") == {"berth"}
    core.add_alias("berth", ["quay"])
    core.add_alias("auth", ["gangway"])
    assert of_each_word("berth") == of_each_word("quay") == {"berth", "quay"}
    assert of_each_word("auth") == {"auth"}
    assert "authentication" in of_each_word("login")


def test_two_words_in_a_row_are_joined_as_they_stand_and_by_the_stem_of_the_first(core):
    joined = {"waitinglist", "waitlist"}
    core.import_memories({"content": word, "key": word} for word in (*joined, "list42", "listing"))
    assert {hit.key for hit in core.search("the waiting list")} == {*joined, "listing", "list42"}
    assert {hit.key for hit in core.search("list 42")} == {"listing", "list42"}


def test_a_question_word_asks_for_what_answers_it(core):
    core.import_memories([{"content": "A maintainer is 1"}, {"content": "A mole is 1"}])
    assert contents(core.search("who greases cranes")) == ["A maintainer is 1"]
    assert core.search("greases cranes") == []
    assert core.recall("who are you").items == ()


@pytest.mark.parametrize(
    ("question", "is_enough"),
    [
        ("crane", True),
        ("crane auth", False),
        ("crane harbour auth", False),
        ("crane harbour sluice auth", True),
        ("auth", False),
    ],
)
def test_more_than_two_thirds_of_the_question_are_enough(core, question, is_enough, keep):
    keep({"content": "Rope"}, {"content": "A crane, a harbour and a sluice"}, {"content": "Login"})
    assert ("Login" not in contents(core.search(question))) is is_enough


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
