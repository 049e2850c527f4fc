"""The query language: whatever is typed means something, and a slip is named."""

import os
import re

import pytest

from memdeck.tests.answers import answer_of
from memdeck.tests.vocabulary import CATEGORIES, SCOPES, STATUSES, TYPES

WHOLE = {
    "content": "Retry of the queue timeout",
    "type": "semantic",
    "tags": ["two words"],
    "files": ["db/store.py"],
    "importance": 8 / 9,
}


@pytest.fixture
def found(core):
    """The keys of what a query finds, in its order."""
    return lambda query: [memory.key for memory in core.list(query)]


@pytest.fixture
def hints(core, home_path):
    """What the command line says of a query that it does not take as it stands, in that order.

    Without what would find something where nothing did.
    """

    def said_of(query):
        place = ("--home", os.fspath(home_path), "--project", "harbour")
        said = answer_of(*place, "list", "--", query, code=0).err.splitlines()
        return [line for line in said if not re.match(r"  |[\d,]+ memor|Nothing found", line)]

    return said_of


def put(core, **objects):
    core.import_memories({"content": "Budget", "key": key, **one} for key, one in objects.items())


def test_everything_at_once(core, found, hints):
    put(
        core,
        all=WHOLE,
        later={**WHOLE, "created_at": "2030-01-01"},
        draft={**WHOLE, "content": "Retry of the queue timeout, a draft"},
        plan={**WHOLE, "content": "Retry of the queue timeout, an old plan"},
        apart={**WHOLE, "content": "Retry of the queue and its timeout"},
        other={**WHOLE, "type": "episodic"},
        untagged={**WHOLE, "tags": ["two", "words"]},
        elsewhere={**WHOLE, "files": ["db/index.py"]},
        light={**WHOLE, "importance": 5 / 9},
    )
    asked = (
        'retry "queue  timeout" -draft -"old plan" type:semantic -type:episodic tag:"two words"'
        " file:db/store.py importance:>=7 sort:"
    )
    assert found(f"{asked}-created") == ["all", "later"]
    assert found(f"{asked}title sort:created") == ["later", "all"]  # the last order counts
    assert hints(f"{asked}-created") == []


def test_next_to_nothing_is_a_query_too(core, found, hints, subtests):
    put(core, one={})
    for text in ["", "   ", "\n\t", '""', '-""']:
        with subtests.test(text=text):
            assert found(text) == ["one"]
            assert hints(text) == []
    for text in ["-", "- -", "\\"]:
        with subtests.test(text=text):
            assert core.find(text) is not None


def test_each_value_of_a_choice_and_each_state_is_known_in_any_case(core, found, hints, subtests):
    rows = [("type", TYPES), ("status", STATUSES), ("category", CATEGORIES), ("scope", SCOPES)]
    for key, values in rows:
        put(core, **{f"{key} {one}": {"content": f"{key} {one}", key: one} for one in values})
    for key, values in rows:
        with subtests.test(key=key):
            for value in values:
                keys = found(f"{key.upper()}:{value.title()}")
                assert f"{key} {value}" in keys
                assert not {f"{key} {other}" for other in values if other != value} & set(keys)
    for state in ["conflict", "pinned", "stale", "expiring", "retired", "candidate", "live"]:
        with subtests.test(state=state):
            assert hints(f"is:{state} -is:{state}") == []


def test_free_values_are_taken_as_they_stand(core, found, subtests):
    for key, field in [("tag", "tags"), ("file", "files"), ("session", "session")]:
        for number, (value, typed) in enumerate(
            [("/Über-x", "/Über-x"), ('say "hi" \\ there', '"say \\"hi\\" \\\\ there"')]
        ):
            with subtests.test(key=key, typed=typed):
                name = f"{key} {number}"
                put(
                    core, **{name: {"content": name, field: [value] if field[-1] == "s" else value}}
                )
                assert found(f"{key}:{typed}") == [name]


def test_importance_is_compared_on_the_scale_1_to_10(core, found, subtests):
    put(core, **{f"{n}": {"content": f"{n}", "importance": (n - 1) / 9} for n in range(1, 11)})
    rows = [
        (">=7", range(7, 11)),
        ("<3", range(1, 3)),
        ("=5", [5]),
        ("5", [5]),
        (">9", [10]),
        ("<=1", [1]),
        ("≥10", [10]),
        ("≤2", [1, 2]),
    ]
    for text, numbers in rows:
        with subtests.test(text=text):
            assert sorted(map(int, found(f"importance:{text}"))) == list(numbers)


def test_a_slip_is_named_with_what_may_be_meant_and_the_rest_still_works(
    core, found, hints, subtests
):
    """ux.md requirement 4."""
    put(core, meant={"tags": ["x"]}, other={"content": "Budget two"})
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
        ("created:lately", "created:<7d"),
        ("before:2026-02-30", "before:7d"),
        ("type:zzzzzzzz", None),
        ("type:", None),
    ]
    for text, better in rows:
        with subtests.test(text=text):
            assert found(f"budget {text} tag:x") == ["meant"]
            [hint] = hints(f"budget {text} tag:x")
            assert hint.endswith(f"Did you mean {better}?") == (better is not None)
            assert better is None or not hints(better)


def test_a_word_with_a_colon_is_a_word_and_what_resembles_no_key_is_searched(
    core, found, hints, subtests
):
    words = ["https://example.org/a?b=c", "std::vector", "C:\\dir", "store.py:12", "12:30", "a=b"]
    for word in [*words, "x-"]:
        with subtests.test(word=word):
            put(core, note={"content": f"See {word} there"})
            assert found(word) == ["note"]
            assert hints(word) == []
    put(core, note={"content": "See localhost:8080, ValueError: broken"})
    assert found("localhost:8080") == ["note"]
    assert found("-localhost:8080") == []
    assert "searched as text" in hints("localhost:8080")[0]
    assert found("ValueError: broken") == ["note"]
    assert hints("ValueError: broken") == []


def test_a_quotation_without_end_goes_on_to_the_end(core, found, hints):
    put(core, one={"content": "The budget of the queue time"}, other={"content": "Budget: queue"})
    assert found('budget "queue time') == ["one"]
    assert hints('budget "queue time') == ['This quotation has no end. Did you mean "queue time"?']


def test_at_most_64_of_each_are_used_and_the_rest_is_said(core, found, hints):
    put(core, one={"content": "w63"}, two={"content": "w64"})
    text = " ".join(f"w{n}" for n in range(66))
    assert found(text) == ["one"]
    assert len(hints(text)) == 1


def test_a_query_is_written_down_as_it_is_understood(core):
    put(core, one={**WHOLE, "content": "The budget of two words", "tags": ["a b"]})
    asked = 'bugdet "two words" -draft -draft tag:"a b" IMPORTANCE:>=7 type:Semantic sort:-created'
    meant = core.suggest(asked).did_you_mean
    assert meant == 'budget "two words" -draft tag:"a b" importance:>=7 type:semantic sort:-created'
