"""How much of a question a memory has, as its score says, and whether that is enough to tell it."""

import pytest

WORDS, COVERAGE = 0.09, 0.28
"""What these parts weigh among short memories (docs/measured.md)."""


def share_of(hit):
    """How much of the question the best answer has, 0-1."""
    return hit.parts["coverage"] / COVERAGE / (hit.parts["words"] / WORDS)


@pytest.fixture
def share(core):
    """How much of a question one note has, by itself in a store."""

    def ask(question, content, **fields):
        core.import_memories([{"content": content, **fields}])
        hits = core.search(question)
        return share_of(hits[0]) if hits else 0.0

    return ask


@pytest.fixture
def told(core):
    """Which of some notes are told unasked, with a prompt."""

    def ask(prompt, *notes):
        core.import_memories({"content": note} for note in notes)
        return {hit.memory.content for hit in core.recall(prompt).items}

    return ask


def test_words_of_a_family_share_a_stem_and_different_words_do_not(core, subtests):
    families = [
        "retry retries retried retrying",
        "store stores stored storing",
        "key keys",
        "class classes",
        "run running",
        "migration migrations migrate migrating",
        "dependency dependencies",
        "cache caches cached caching",
        "deploy deploys deployed deployment deployments",
        "error errors",
        "user users",
        "configure configuration",
        *("build", "token", "queue"),
    ]
    words = " ".join(families).split()
    core.import_memories({"content": f"Harbour {word} 1", "key": word} for word in words)
    for family in families:
        with subtests.test(family):
            asked = family.split()[0]
            hits = core.search(f"harbour {asked}", limit=45)
            assert {hit.key for hit in hits if asked in hit.matched} == set(family.split())


@pytest.mark.parametrize("prompt", ["fix the test", "run it", "add a new test", "update the file"])
def test_one_very_common_word_is_never_enough(told, prompt):
    assert told(prompt, "They run on Mondays", "Each test is green", "A file is a file") == set()


@pytest.mark.parametrize(("others", "is_enough"), [(4, True), (5, False)])
def test_a_rare_word_is_enough_from_a_fifth_of_the_question(told, others, is_enough):
    prompt = " ".join(["ttl", *("alpha", "bravo", "gamma", "delta", "omega")[:others]])
    assert bool(told(prompt, "Keys have a TTL of a day")) is is_enough


def test_a_rare_word_stands_out_only_among_the_best(told):
    long = f"A TTL, {' '.join(f'rope{chr(97 + n % 26)}' for n in range(60))}"
    moles = [f"Mole {chr(97 + n)}x" for n in range(20)]
    assert told("increase ttl everywhere", "The TTL", long, *moles) == {"The TTL"}


@pytest.mark.parametrize("thing", ["db/outbox.py", "TS2345", "retryBudget", "ECONNREFUSED"])
def test_the_name_of_a_very_thing_is_enough_in_any_question(told, thing):
    prompt = f"please have a long careful look around the whole place, then refactor {thing} gently"
    assert told(prompt, f"Mind {thing} when it rains.")


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("retryBudget", "The retryBudget is 3", 1.0),
        ("retryBudget", "The budget for a retry is 3", 0.9),
        ("retryBudget", "The budget is 3", 0.45),
        ("auth", "The login is slow", 0.7),
        ("harbour pnpm", "Harbour: a manager of each package", 0.85),
        ("harbour pnpm", "Harbour: the package is heavy", 0.5),
        ("会员折扣", "会员折扣是九折", 1.0),
        ("会员折扣", "折扣给会员", 0.6),
        ("会员折扣", "泊位已满", 0.0),
        ("harbour retry budget", "Harbour: paymentRetryBudget is 3", 1.0),
    ],
)
def test_parts_synonyms_and_pairs_of_letters_count_for_less(
    core, share, question, content, expected
):
    core.add_alias("auth", ["login"])
    core.add_alias("pnpm", ["package manager"])
    assert share(question, content) == pytest.approx(expected)
