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


def test_a_label_is_nobodys_name(store):
    told(store, "Warning: the kitten ate the cable.", *FILLER)
    assert first(store, "warning about the kitten").parts["speaker"] == 0


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


def test_a_note_tells_as_much_when_it_is_short(store):
    told(store, "The ferry leaves the harbour at nine.", *FILLER, session="a")
    long = "At nine in the morning, when the mill opens and the seals sleep, leaves the harbour's"
    told(store, f"{long} ferry.", *FILLER, session="b")
    assert first(store, "when does the ferry leave the harbour").key == "a0"


def test_another_word_for_a_word_is_said_as_early_as_the_word(store):
    told(store, "The waitlist goes by time.", *FILLER)
    asked = {words: first(store, words) for words in ("waiting list", "waitlist")}
    assert {hit.key for hit in asked.values()} == {"s0"}
    assert asked["waiting list"].parts["lead"] == asked["waitlist"].parts["lead"] > 0


LONG_FILLER = tuple(
    f"The gulls of pier {place} woke the keeper, who wrote of rain, of ropes and of the tide in"
    " his book, closed the gate behind the last guest of the evening, fed the cat, put a lamp into"
    " the window for the boats that come late, and went to bed with an old map of the bay."
    for place in range(8)
)


def test_where_notes_are_long_the_one_with_few_other_words_comes_first(store):
    said = "At the sluice the crane is greased."
    told(store, f"{said} {LONG_FILLER[0]} {LONG_FILLER[1]}", *LONG_FILLER, session="a")
    told(store, f"{said} Every spring, by the keeper, with the tide out.", session="b")
    found = store.search("who greased the crane at the sluice of the keeper")
    assert found[0].key == "b0"
    assert found[0].parts["dense"] > found[1].parts["dense"] > 0


def test_where_notes_are_short_how_densely_they_say_it_counts_nothing(store):
    told(store, "The crane is greased.", "The crane at the sluice has a new rope.", *FILLER)
    assert {hit.parts["dense"] for hit in store.search("is the crane greased")} == {0.0}


def test_where_notes_are_long_what_goes_with_a_missing_word_decides(store):
    cause = "The crane at the sluice stood still, caused by a wrong bearing that was broken."
    told(store, f"{cause} {LONG_FILLER[0]}", *LONG_FILLER[1:], session="a")
    paint = "The crane at the sluice stood tall, painted by a young keeper who was cheerful."
    told(store, f"{paint} {LONG_FILLER[0]}", session="b")
    kin = {hit.key: hit.parts["kindred"] for hit in store.search("fix the crane at the sluice")}
    assert next(iter(kin)) == "a0"
    assert kin["a0"] > kin["b0"] >= 0
    assert next(hit.key for hit in store.search("paint the crane at the sluice")) == "b0"


def test_a_word_that_a_memory_has_needs_no_other_that_goes_with_it(store):
    note = f"Fix of the crane at the sluice: a wrong bearing was broken. {LONG_FILLER[0]}"
    told(store, note, *LONG_FILLER[1:])
    assert first(store, "fix the crane at the sluice").parts["kindred"] == 0


def test_where_notes_are_short_what_goes_with_a_missing_word_counts_nothing(store):
    told(store, "The crane broke, caused by a wrong bearing.", *FILLER)
    assert first(store, "fix the crane").parts["kindred"] == 0


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
