"""What a person types is looked for, never interpreted."""

import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import MemoryCoordinator
from memdeck.db import index
from memdeck.db.fast_reader import open_reader
from memdeck.db.home import Home

SYNTAX = st.text(alphabet="\"()*:^-+{}[]<>&|\\/~,.;'NEARORTDaz \x00\n", max_size=40)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    core = MemoryCoordinator.open(tmp_path_factory.mktemp("fuzz") / "home", "harbour")
    core.import_memories(
        {"content": f'Berth {number} AND pier NEAR(the tide) "quoted" col:umn', "key": str(number)}
        for number in range(50)
    )
    yield core
    core.close()


@pytest.mark.slow
@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(text=st.one_of(SYNTAX, st.text(max_size=60)))
def test_no_text_is_an_error_through_any_way_of_asking(filled, text):
    filled.search(text)
    filled.find(text, "newest")
    filled.find(text, "exact")
    filled.facets(text)
    filled.recall(text, write_receipt=False)


@given(text=st.text(max_size=60))
def test_a_quoted_text_is_one_string_of_the_engine(text):
    quoted = index.quote(text)
    inner = quoted[1:-1].replace('""', "")
    assert quoted[0] == quoted[-1] == '"'
    assert '"' not in inner


def test_operators_of_the_engine_are_plain_words(filled):
    assert filled.count("content : nothing") == 0
    assert filled.count("NEAR") == 50
    assert filled.count('"quoted"') == 50
    assert filled.count("-quoted pier") == 0


def test_words_are_capped(filled):
    assert len(filled.search(" ".join(f"word{number}" for number in range(20_000)))) == 0
    assert filled.search("x" * 1_000_000) == []


def test_identifiers_are_found_whole_and_in_parts(filled):
    filled.remember("The retry_budget of fetchTideTable is three attempts in berths/tide.py")
    for query in ("retry_budget", "budget", "tide.py", "fetchTideTable"):
        assert filled.search(query), query


def test_a_slip_in_the_first_letters_is_among_the_beginnings(subtests):
    rows = [
        ("budget", "bud"),  # as typed
        ("ubdget", "bud"),  # neighbours the other way round
        ("bduget", "bud"),
        ("bugdet", "bud"),
        ("bxudget", "bud"),  # a letter too many
        ("buxdget", "bud"),
        ("xbudget", "bud"),
        ("buget", "budg"),  # the third letter missing
        ("buxget", "budg"),  # or wrong
        ("größe", "gro"),  # the index knows no accents
    ]
    for typed, first in rows:
        with subtests.test(typed=typed):
            assert first in index.beginnings(typed)


@given(st.text("abcdefghijklmnopqrstuvwxyzäöüß", min_size=4, max_size=12))
def test_beginnings_are_few_and_none_begins_another(word):
    starts = index.beginnings(word)
    assert len(starts) <= 58
    assert len(set(starts)) == len(starts)
    assert not any(one != other and one.startswith(other) for one in starts for other in starts)


def test_words_near_a_mistyped_one_are_of_the_index_and_none_stands_for_a_known_one(core):
    core.remember("The importer settles the invoices of the harbour")
    connection = core._store.connection
    assert index.words_near(connection, "improter") == ["import"]
    assert index.words_near(connection, "importer") == []
    assert index.words_near(connection, "zzyzzy") == []


def test_looking_for_near_words_leaves_a_connection_that_only_reads_as_it_was(core, home_path):
    core.remember("The importer settles the invoices of the harbour")
    reader = open_reader(Home(home_path), 0)
    assert reader.near_words("improter") == ["import"]
    assert reader.near_words("hrabour") == ["harbour"]
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.connection.execute("DELETE FROM memory")
    assert reader.connection.execute("PRAGMA query_only").fetchone() == (1,)
    reader.close()


def test_words_are_counted_everywhere_or_among_the_live_memories_of_a_project(core, open_core):
    other = open_core("airport")
    other.import_memories({"content": f"Crane {n} is yellow", "key": str(n)} for n in range(4))
    kept = core.remember("The crane of the harbour is green")
    core.remember("Cranes are greased in May", scope="global")
    connection = core._store.connection
    words = ["crane", "yellow", "zzyzzy"]
    assert index.frequencies(connection, words) == {"crane": 6, "yellow": 4, "zzyzzy": 0}
    here = index.frequencies(connection, words, core.project_id)
    assert here == {"crane": 2, "yellow": 0, "zzyzzy": 0}
    core.forget(kept.memory_id)
    assert index.frequencies(connection, ["crane"], core.project_id) == {"crane": 1}


def test_the_rarest_words_are_chosen_within_the_budget_and_one_beyond_it_only_on_demand():
    entries = {"often": 9, "never": 0, "seldom": 2, "always": 50}
    assert index.affordable(entries, 11) == ["seldom", "often"]
    assert index.affordable(entries, 10) == ["seldom"]
    assert index.affordable({"always": 50}, 10) == ["always"]
    assert index.affordable({"always": 50}, 10, least=0) == []
    assert index.affordable({"always": 10}, 10, least=0) == ["always"]
