"""What a prompt speaks of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.retrieval.keywords import (
    HEAD_CHARACTERS,
    MAX_WORDS,
    TAIL_CHARACTERS,
    WEIGHTS,
    index_words,
    keywords,
    paths_in,
    split_name,
)


def texts(prompt):
    return [term.text for term in keywords(prompt)]


def kinds(prompt):
    return {term.text: term.kind for term in keywords(prompt)}


def test_a_question_leaves_the_words_that_mean_something():
    assert texts("Where do we store idempotency keys?") == ["store", "idempotency", "keys"]


def test_small_talk_leaves_nothing(subtests):
    rows = [
        "ok thanks",
        "Yes, please go ahead!",
        "lgtm",
        "",
        "   ",
        "…?!",
        "sounds good to me :)",
        "a b c",
    ]
    for small_talk in rows:
        with subtests.test(small_talk=small_talk):
            assert keywords(small_talk) == ()
            assert index_words(keywords(small_talk)) == ()


def test_each_kind_of_word_is_known(subtests):
    rows = [
        ("retryBudget", "name", ("retry", "budget")),
        ("MAX_RETRY_COUNT", "name", ("max", "retry", "count")),
        ("PaymentService.charge", "name", ("payment", "service", "charge")),
        ("std::vector", "name", ("std", "vector")),
        ("db/store.py", "path", ("db", "store")),
        ("store.py", "path", ("store",)),
        ("./scripts/run_all.sh", "path", ("scripts", "run", "all")),
        ("src\\app\\Main.java", "path", ("src", "app", "main")),
        ("TS2345", "code", ()),
        ("ECONNREFUSED", "code", ()),
        ("CVE-2024-3094", "code", ()),
        ("0xdeadbeef", "code", ()),
        ("8080", "number", ()),
        ("3.11", "number", ()),
        ("test", "common", ()),
        ("idempotency", "word", ()),
    ]
    for token, kind, parts in rows:
        with subtests.test(token=token):
            [term] = keywords(f"look at {token}, would you")[-1:]
            assert term.kind == kind
            expected = tuple(part for part in parts if part not in ("all",))
            assert term.parts == expected


def test_a_line_number_is_no_part_of_a_path():
    assert paths_in(keywords("fails in db/store.py:12:5.")) == ("db/store.py",)


def test_two_words_with_a_slash_are_two_words():
    assert texts("read/write the client-side cache") == ["read", "write", "client", "side", "cache"]


def test_contractions_and_possessives_leave_the_word():
    assert texts("Don't touch the store's outbox, l'archive") == [
        "touch",
        "store",
        "outbox",
        "archive",
    ]


@pytest.mark.parametrize("length", [1, 201])
def test_too_short_and_too_long_runs_are_no_words(length):
    assert keywords("q" * length) == ()


@pytest.mark.parametrize("length", [2, 200])
def test_at_both_ends_of_the_length_they_are(length):
    assert texts("q" * length) == ["q" * length]


def test_at_most_64_words_leave_and_the_telling_ones_stay():
    """keywords.MAX_WORDS: the index takes no more."""
    prompt = " ".join(f"word{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(100))
    terms = keywords(f"{prompt} db/store.py TS2345")
    assert len(terms) == MAX_WORDS == 64
    assert {"db/store.py", "ts2345"} <= {term.text for term in terms}
    assert len(index_words(terms)) == MAX_WORDS


def test_a_long_prompt_is_read_at_both_ends():
    middle = "middleword " * 10
    prompt = f"firstword {'x ' * HEAD_CHARACTERS}{middle}{'x ' * TAIL_CHARACTERS}lastword"
    assert texts(prompt) == ["firstword", "lastword"]


def test_common_words_are_asked_for_too_and_the_index_decides_which_it_can_afford():
    few = index_words(keywords("run the integration tests"))
    many = index_words(keywords("run the integration tests against postgres, redis and kafka"))
    assert {"run", "tests"} <= set(few)
    assert {"run", "tests"} <= set(many)


def test_wholes_come_before_parts_and_parts_before_synonyms():
    words = index_words(keywords("loginFlow uses the db", {"db": ["ledger"]}))
    assert words == ("loginflow", "db", "login", "flow", "ledger")


def test_names_split_at_humps_and_underscores():
    assert split_name("HTTPRetry_max2Übung") == ("http", "retry", "max", "2", "übung")


@given(st.text(max_size=300))
def test_any_text_gives_clean_bounded_terms(text):
    terms = keywords(text)
    words = index_words(terms)
    assert len(terms) <= MAX_WORDS
    assert len(words) == len(set(words)) <= MAX_WORDS
    for term in terms:
        assert term.text
        assert term.kind in WEIGHTS
        assert not any(character.isspace() for character in term.text)


def test_hostile_runs_end(subtests):
    for hostile in ["A1", "a_", "a-b/", "x.y.", "A1-", "a'", ":1", "E", "((", "a:b", "Aa", "_"]:
        with subtests.test(hostile=hostile):
            assert len(keywords(hostile * 20_000)) <= MAX_WORDS
