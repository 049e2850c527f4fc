"""The query language: whatever is typed means something, and what it means can be written down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.query.language import MAX_TERMS, Filter, Query, parse
from memdeck.tests.vocabulary import CATEGORIES, SCOPES, STATUSES, TYPES


def messages(text):
    return [hint.message for hint in parse(text).hints]


def test_everything_at_once():
    query = parse(
        'retry "queue  timeout" -draft -"old plan" type:semantic -type:episodic tag:"two words"'
        " file:db/store.py importance:>=7 sort:-created"
    )
    assert query.words == ("retry",)
    assert query.phrases == ("queue timeout",)
    assert query.excluded == ("draft", "old plan")
    assert query.filters == (
        Filter("type", "semantic"),
        Filter("type", "episodic", negated=True),
        Filter("tag", "two words"),
        Filter("file", "db/store.py"),
        Filter("importance", "7", op=">="),
    )
    assert query.sort == "-created"
    assert query.hints == ()


def test_next_to_nothing_is_a_query_too(subtests):
    for text in ["", "   ", "\n\t", "-", "- -", '""', '-""', "\\"]:
        with subtests.test(text=text):
            query = parse(text)
            assert query.filters == query.phrases == query.excluded == ()
            assert query.is_empty == (query.words == ())
            assert query.text == text


def test_each_value_of_a_choice_is_known_in_any_case(subtests):
    rows = [("type", TYPES), ("status", STATUSES), ("category", CATEGORIES), ("scope", SCOPES)]
    for key, values in rows:
        with subtests.test(key=key):
            for value in values:
                assert parse(f"{key.upper()}:{value.title()}").filters == (Filter(key, value),)


def test_each_state_is_known(subtests):
    for state in ["conflict", "pinned", "stale", "expiring", "retired", "candidate", "live"]:
        with subtests.test(state=state):
            assert parse(f"is:{state}").filters == (Filter("is", state),)
            assert parse(f"-is:{state}").filters == (Filter("is", state, negated=True),)


def test_free_values_are_taken_as_they_stand(subtests):
    for key in ["tag", "file", "session", "agent", "project"]:
        with subtests.test(key=key):
            assert parse(f"{key}:/Über-x").filters == (Filter(key, "/Über-x"),)
            assert parse(f'{key}:"say \\"hi\\" \\\\ there"').filters == (
                Filter(key, 'say "hi" \\ there'),
            )


def test_importance_is_compared_on_the_scale_1_to_10(subtests):
    rows = [
        (">=7", ">=", 7),
        ("<3", "<", 3),
        ("=5", "=", 5),
        ("5", "=", 5),
        (">9", ">", 9),
        ("<=1", "<=", 1),
        ("≥10", ">=", 10),
        ("≤2", "<=", 2),
    ]
    for text, op, number in rows:
        with subtests.test(text=text):
            [found] = parse(f"importance:{text}").filters
            assert (found.op, found.number) == (op, number)


def test_a_slip_is_named_with_its_place_and_what_may_be_meant(subtests):
    """ux.md requirement 4: the rest of the query still works."""
    rows = [
        ("importance:0", "importance:1"),
        ("importance:>11", "importance:>10"),
        ("importance:high", "importance:>=7"),
        ("importance:7.5", "importance:>=7"),
        ("-importance:>=12", "-importance:>=10"),
        ("type:semantc", "type:semantic"),
        ("-type:semantc", "-type:semantic"),
        ("status:pined", "status:pinned"),
        ("is:conflicts", "is:conflict"),
        ("tpye:semantic", "type:semantic"),
        ("-tga:'x'", "-tag:'x'"),
        ('tga:"two words"', 'tag:"two words"'),
        ("cat:decision", "category:decision"),
        ("sort:creation", "sort:created"),
        ("-sort:title", "sort:-title"),
        ("sort:-relevance", "sort:relevance"),
        ("created:yesterday", "created:<7d"),
        ("before:2026-02-30", "before:7d"),
        ("type:zzzzzzzz", None),
        ("type:", None),
    ]
    for text, better in rows:
        with subtests.test(text=text):
            query = parse(f"budget {text} tag:x")
            [hint] = query.hints
            assert query.text[hint.start : hint.end] == text
            assert hint.nearest == better
            assert hint.message
            assert query.words == ("budget",)
            assert query.filters == (Filter("tag", "x"),)
            if better:
                assert not parse(better).hints


def test_a_word_with_a_colon_is_a_word(subtests):
    rows = [
        "https://example.org/a?b=c",
        "std::vector",
        "C:\\dir",
        "store.py:12",
        "12:30",
        "a=b",
        "::",
        "x-",
    ]
    for word in rows:
        with subtests.test(word=word):
            assert parse(word).words == (word,)
            assert not parse(word).hints


def test_what_resembles_no_key_is_searched_as_it_stands():
    assert parse("localhost:8080").words == ("localhost:8080",)
    assert parse('zzz:"two words"').phrases == ("two words",)
    assert parse("-localhost:8080").excluded == ("localhost:8080",)
    assert "searched as it stands" in messages("localhost:8080")[0]
    assert parse("ValueError: broken").words == ("ValueError", "broken")
    assert not parse("ValueError: broken").hints


def test_a_quotation_without_end_goes_on_to_the_end():
    query = parse('budget "queue time')
    assert (query.words, query.phrases) == (("budget",), ("queue time",))
    [hint] = query.hints
    assert hint.nearest == '"queue time"'


def test_the_last_order_counts():
    assert parse("sort:title sort:-importance").sort == "-importance"


def test_the_same_twice_counts_once():
    assert str(parse("a a -b -b tag:c tag:c")) == "a -b tag:c"


def test_at_most_64_of_each_are_used_and_the_rest_is_said():
    text = " ".join(f"w{n}" for n in range(MAX_TERMS + 2))
    query = parse(text)
    assert len(query.words) == MAX_TERMS == 64
    assert [text[hint.start : hint.end] for hint in query.hints] == ["w64", "w65"]


def test_equal_meaning_is_equal_however_typed():
    assert parse("a   TYPE:Semantic") == parse("a type:semantic")
    assert parse('tag:"x"') == parse("tag:x")
    assert parse("a b") != parse("b a")


KEYS = (
    *("type", "status", "category", "scope", "tier", "is", "tag", "file", "session", "agent"),
    *("project", "importance", "created", "before", "after", "sort", "group"),
)
SYNTAX = st.lists(
    st.sampled_from(
        [
            *(f"{key}:" for key in KEYS),
            *("semantic", "pinned", "conflict", ">=7", "<3", "7d", "<2w", "2026-01-31", "created"),
            *('"', "\\", "-", ":", " ", "\t", "//", "word", "two words", "tpye:", "a:b", "\u2028"),
        ]
    )
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@given(st.text() | SYNTAX)
def test_no_text_raises_and_every_query_can_be_written_down(text):
    query = parse(text)
    canonical = str(query)
    assert parse(canonical) == query
    assert str(parse(canonical)) == canonical
    assert query.text == text
    for hint in query.hints:
        assert 0 <= hint.start < hint.end <= len(text)


VALUES = st.text(max_size=20).filter(lambda value: bool(value.strip()))
FREE_KEYS = st.sampled_from(["tag", "file", "session", "agent", "project"])


@given(SYNTAX, FREE_KEYS, VALUES, st.booleans())
def test_any_value_can_be_put_in_and_taken_out_again(text, key, value, negated):
    """ux.md requirement 6: a facet puts its token into the box."""
    before = parse(text)
    if before.has(key, value) or before.has(key, value, negated=True):
        return
    with_it = before.with_filter(key, value, negated=negated)
    assert with_it.has(key, value, negated=negated)
    assert set(with_it.filters) - set(before.filters) == {with_it.filters[-1]}
    assert (with_it.words, with_it.phrases) == (before.words, before.phrases)
    assert with_it.without_filter(key, value) == before


def test_the_text_in_the_box_is_kept_when_a_filter_joins_it():
    query = parse("tpye:x  retry").with_filter("type", "semantic")
    assert query.text == "tpye:x retry type:semantic"
    assert query.with_filter("type", "semantic") is query


def test_a_filter_takes_the_place_of_its_opposite():
    query = parse("a type:semantic").with_filter("type", "semantic", negated=True)
    assert query.text == "a -type:semantic"


def test_an_open_quotation_does_not_swallow_a_filter():
    query = parse('"open').with_filter("tag", "x")
    assert query.phrases == ("open",)
    assert query.has("tag", "x")


def test_a_filter_is_put_in_and_taken_out():
    once = parse("a").with_filter("is", "pinned")
    assert once.text == "a is:pinned"
    assert once.without_filter("is", "pinned").text == "a"


def test_an_order_is_replaced_and_taken_out():
    query = parse("a sort:title").with_filter("sort", "-created")
    assert query.text == "a sort:-created"
    assert query.has("sort", "-created")
    assert query.without_filter("sort", "title").sort == "-created"
    assert query.without_filter("sort").text == "a"


def test_a_whole_key_can_be_taken_out():
    assert parse("a tag:b -tag:c tpye:x").without_filter("tag").text == "a tpye:x"
    assert parse("tag:b type:semantic").of("tag") == (Filter("tag", "b"),)


def test_a_program_that_asks_for_nonsense_is_told(subtests):
    rows = [("type", "nonsense"), ("colour", "red"), ("tag", " "), ("importance", "11")]
    for key, value in rows:
        with subtests.test(key=key), pytest.raises(ValueError, match="is no filter"):
            Query().with_filter(key, value)


def test_a_query_made_by_hand_can_be_changed_too():
    made = Query(words=("a",), filters=(Filter("tag", "b"),))
    assert made.with_filter("type", "semantic").text == "a tag:b type:semantic"
