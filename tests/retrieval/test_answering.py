"""Which of several memories comes first, through `search` on a real store."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import MemoryCoordinator

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
FILLER = (
    "Alice: The weather was mild and we stayed inside for most of it.",
    "Bob: I painted the fence green and then had a nap.",
    "Alice: Grandmother sent a parcel full of jam.",
)


@pytest.fixture
def store(tmp_path):
    with MemoryCoordinator.open(tmp_path / "home", "acme", clock=lambda: NOW) as core:
        yield core


def told(core, *texts, session="s", first_day=10):
    """Keep `texts` as one session, a day apart; their keys are their places."""
    start = NOW - timedelta(days=first_day)
    core.import_memories(
        {
            "content": text,
            "key": f"{session}{place}",
            "session": session,
            "created_at": (start + timedelta(days=place)).isoformat(),
        }
        for place, text in enumerate(texts)
    )


def first(core, question):
    return core.search(question)[0]


def test_who_says_it_decides_between_turns_about_the_same_thing(store):
    told(store, "Alice: I adopted a kitten.", "Bob: I adopted a kitten.", *FILLER)
    assert first(store, "what did Bob adopt, a kitten?").key == "s1"
    assert first(store, "what did Alice adopt, a kitten?").key == "s0"
    assert first(store, "what did Bob adopt, a kitten?").parts["speaker"] > 0


def test_what_only_asks_comes_after_what_tells(store):
    told(store, "Bob: When did the ferry leave the harbour?", *FILLER, session="a")
    told(store, "Bob: The ferry had to leave the harbour at nine.", *FILLER, session="b")
    found = store.search("when did the ferry leave the harbour")
    assert [hit.key for hit in found[:2]] == ["b0", "a0"]
    assert found[0].parts["tells"] > 0 == found[1].parts["tells"]


def test_of_two_turns_the_one_that_says_more_comes_first(store):
    told(store, "Bob: Oh, the ferry, lovely harbour!", *FILLER, session="a")
    text = "Bob: The ferry left the harbour at nine, and I saw seals, an old mill and my cousin."
    told(store, text, *FILLER, session="b")
    found = store.search("the ferry in the harbour")
    assert [hit.key for hit in found[:2]] == ["b0", "a0"]
    assert found[0].parts["tells"] > found[1].parts["tells"] > 0


def test_a_day_that_the_question_names_brings_its_memory_first(store):
    told(store, *(f"Bob: On my walk I saw heron number {place}." for place in range(8)))
    assert first(store, "which heron did Bob see on 14 March 2026").key == "s4"


def test_the_turn_before_says_what_an_answer_leaves_out(store):
    told(store, "What about the invoice queue?", "We moved it to Redis in the end.", *FILLER)
    told(store, "What about the pager?", "We moved it to Redis as well.", *FILLER, session="t")
    hits = store.search("where was the invoice queue moved")
    places = [hit.key for hit in hits]
    assert places.index("s1") < places.index("t1")
    assert next(hit for hit in hits if hit.key == "s1").parts["before"] > 0
