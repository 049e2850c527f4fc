"""How much a prompt and a memory have in common, and whether that is enough."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.retrieval.keywords import Term, keywords, split_name
from memdeck.core.retrieval.relevance import (
    NOTHING,
    frequencies,
    is_relevant,
    match,
    stands_out,
    stem,
)


@pytest.fixture
def common(an_image):
    """What a prompt and a note have in common."""

    def judge(prompt, content, aliases=None, **fields):
        return match(keywords(prompt, aliases), an_image(content, **fields))

    return judge


@pytest.mark.parametrize(
    "family",
    [
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
    ],
)
def test_words_of_a_family_share_a_stem(family):
    assert len({stem(word) for word in family.split()}) == 1


def test_different_words_keep_different_stems():
    words = "retry store key class run cache deploy error user build token queue"
    assert len({stem(word) for word in words.split()}) == len(words.split())


@given(st.text(max_size=40))
def test_a_stem_is_never_empty_nor_longer_than_7(word):
    assert len(stem(word)) <= 7
    assert bool(stem(word)) == bool(word)


def test_the_whole_question_in_common_is_a_share_of_one(common):
    found = common("where do we store idempotency keys?", "Idempotency keys are stored in Redis.")
    assert found.share == 1.0
    assert found.words == ("store", "idempotency", "keys")
    assert is_relevant(found)


def test_nothing_in_common_is_nothing(common):
    found = common("write a haiku about autumn", "Berth 12 floods at spring tide")
    assert (found.share, found.weight, found.terms) == (0.0, 0.0, ())
    assert not is_relevant(found)
    assert match((), {}) == NOTHING
    assert not is_relevant(NOTHING)


@pytest.mark.parametrize("prompt", ["fix the test", "run it", "add a new test", "update the file"])
def test_one_very_common_word_is_never_enough(common, prompt):
    found = common(prompt, "The test of the file server must run and be updated on Mondays.")
    assert len(common("run", "They run on Mondays").terms) == 1
    assert not is_relevant(common(prompt.split()[0], "nothing of the kind"))
    assert not is_relevant(common("run it", "They run on Mondays"), is_rare=True)
    assert found.weight < 1.3


def test_two_common_words_that_are_all_of_the_question_are_enough(common):
    assert is_relevant(common("how do I run the tests?", "Run tests with make check."))


@pytest.mark.parametrize(
    ("prompt", "is_enough"),
    [("ttl", True), ("increase ttl", True), ("increase ttl everywhere", False)],
)
def test_one_ordinary_word_is_enough_when_it_is_about_half_of_the_question(
    common, prompt, is_enough
):
    assert is_relevant(common(prompt, "Keys have a TTL of a day")) is is_enough


@pytest.mark.parametrize(("others", "is_enough"), [(4, True), (5, False)])
def test_a_rare_word_is_enough_from_a_fifth_of_the_question(common, others, is_enough):
    prompt = " ".join(["ttl", *("alpha", "bravo", "gamma", "delta", "omega")[:others]])
    assert is_relevant(common(prompt, "Keys have a TTL of a day"), is_rare=True) is is_enough


@pytest.mark.parametrize("thing", ["db/outbox.py", "TS2345", "retryBudget", "ECONNREFUSED"])
def test_the_name_of_a_very_thing_is_enough_in_any_question(common, thing):
    prompt = f"please have a long careful look around the whole place, then refactor {thing} gently"
    assert is_relevant(common(prompt, f"Mind {thing} when it rains."))


def test_parts_and_synonyms_count_for_less(common):
    whole = common("retryBudget", "The retryBudget is 3")
    parts = common("retryBudget", "The budget for a retry is 3")
    synonym = common("auth", "The login is slow", {"auth": ["login"]})
    assert whole.share == 1.0
    assert parts.share == pytest.approx(0.9)
    assert synonym.share == pytest.approx(0.7)
    assert common("retryBudget", "The budget is 3").share == pytest.approx(0.45)
    assert not parts.names_it


@pytest.mark.parametrize(
    ("content", "share"), [("A manager of each package", 0.7), ("The package is heavy", 0.0)]
)
def test_a_synonym_of_two_words_is_there_when_both_are(common, content, share):
    assert common("pnpm", content, {"pnpm": ["package manager"]}).share == pytest.approx(share)


@pytest.mark.parametrize(
    ("content", "share"), [("会员折扣是九折", 1.0), ("折扣给会员", 0.6), ("泊位已满", 0.0)]
)
def test_of_words_without_spaces_all_count_fully_and_pairs_of_letters_in_part(
    common, content, share
):
    assert common("会员折扣", content).share == pytest.approx(share)


def test_humps_in_a_memory_are_words_too(common):
    assert common("retry budget", "paymentRetryBudget is 3").share == 1.0


def test_tags_files_title_and_category_count(common):
    fields = {"title": "Tides", "tags": ["flood"], "files": ["berths/pump.py"]}
    found = common("flood tides pump warning", "Nothing here", **fields)
    assert found.share == 1.0


def test_a_long_prompt_needs_some_weight_not_a_share(common):
    filler = " ".join(f"filler{chr(97 + i)}{chr(97 + j)}" for i in range(5) for j in range(10))
    note = "Idempotency keys expire in Redis"
    assert is_relevant(common(f"{filler} idempotency keys expire redis", note))
    assert not is_relevant(common(f"{filler} idempotency redis", note))


def test_a_rare_word_stands_out_only_among_the_best(common):
    lone = common("ttl everywhere", "Keys have a TTL")
    assert stands_out(lone, {"ttl": 3}, 0.6)
    assert not stands_out(lone, {"ttl": 4}, 0.6)
    assert not stands_out(lone, {"ttl": 3}, 0.59)
    assert frequencies([lone, lone, NOTHING]) == {"ttl": 2}


@given(st.text(max_size=80), st.text(max_size=200))
def test_a_share_is_between_none_and_all(prompt, content):
    image = {"title": "", "content": content, "tags": [], "files": [], "category": "warning"}
    found = match(keywords(prompt), image)
    assert 0.0 <= found.share <= 1.0
    assert found.weight >= 0.0
    is_relevant(found)


@given(
    st.text("aeioubcdgrstyB_-. /", max_size=60),
    st.text("aeioubcdgrsty", min_size=1, max_size=9),
)
def test_a_word_is_there_when_a_word_or_a_part_of_a_name_has_its_stem(text, word):
    """The memory's words are not stemmed one by one; the answer is as if they were."""
    image = {"title": "", "content": text, "tags": [], "files": [], "category": ""}
    names = [name for name in re.findall(r"[^\W_]+", text) if re.search("[a-z0-9][A-Z]", name)]
    words = [*re.findall(r"[^\W_]+", text.lower())]
    words += [part for name in names for part in split_name(name)]
    there = stem(word) in {stem(one) for one in words}
    assert match([Term(word)], image).share == float(there)
