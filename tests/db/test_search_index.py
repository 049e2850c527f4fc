"""What a person types is looked for, never interpreted."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdeck import MemoryCoordinator

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
