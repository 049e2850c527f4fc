"""How a person felt about it, from -2 to +2."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FEELINGS = [
    ("This is the third time you broke the build.", -2),
    ("I hate it when the formatter runs on everything.", -2),
    ("How often do I have to say this?", -2),
    ("please stop adding comments", -1),
    ("That's not what I asked for.", -1),
    ("ugh, it still fails", -1),
    ("Add a test for the parser.", 0),
    ("Run it a second and a last time.", 0),
    ("Thanks, that works.", 1),
    ("looks good", 1),
    ("great, exactly what I wanted", 2),
    ("You saved my day!", 2),
    # anger outweighs a thank you
    ("Thanks, but this is the third time.", -2),
    # what is quoted, denied or private is no feeling
    ('The user wrote "I hate this app".', 0),
    ("This is not perfect yet.", 0),
    ("<private>I hate him</private> go on", 0),
]


def test_words_tell_the_feeling(fields_of):
    found = fields_of("episodic", [text for text, _ in FEELINGS])
    told = [
        (text, one["emotional_valence"]) for (text, _), one in zip(FEELINGS, found, strict=True)
    ]
    assert told == FEELINGS


@pytest.mark.parametrize(
    ("reaction", "valence"), [("great, exactly what I wanted", 2), ("I hate that, please undo", -2)]
)
def test_the_reaction_to_a_piece_of_work_is_kept_with_it(session, reaction, valence):
    session.asks("Speed the import up.").edits("app/imports.py", "a", "b")
    session._add("queued", "Remember that the build failed because libpq was missing.")
    session.says("It now reads in batches of 500 rows.").asks(reaction)
    [kept] = [c for c in session.captures() if c.type == "episodic"]
    assert kept.details["emotional_valence"] == valence


def test_without_a_reaction_the_request_tells_the_feeling(session):
    session.asks("This is the third time the import is slow. Fix it.")
    session.edits("app/imports.py", "a", "b")
    session._add("queued", "Remember that the build failed because libpq was missing.")
    session.says("It now reads in batches of 500 rows.")
    [kept] = session.captures()
    assert kept.details["emotional_valence"] == -2


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=300), min_size=20, max_size=20))
def test_every_text_lies_within_the_range(fields_of, texts):
    for found in fields_of("episodic", [f"{n} {text}" for n, text in enumerate(texts)]):
        assert -2 <= found["emotional_valence"] <= 2
