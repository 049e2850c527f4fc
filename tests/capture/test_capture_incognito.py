"""Of a turn that a person calls off the record nothing is kept: prompt, answer and calls."""

from .conftest import SessionBuilder

ASKING = "From now on, ask before you push."
RULE = "From now on, use tabs in Makefiles."


def test_a_marked_prompt_hides_its_whole_turn(subtests):
    rows = [
        "#incognito",
        "[incognito]",
        "#Incognito\n",
        "Off the record:",
        "(off the record)",
        " off the record,",
        "[Image #1] #incognito",
        "#private #incognito",
    ]
    for marker in rows:
        with subtests.test(marker=marker):
            session = SessionBuilder()
            session.asks(f"{marker} {RULE} This is the third time.")
            session.runs("pytest", "E  ModuleNotFoundError: No module named 'x'", 1)
            session.runs("uv sync --extra dev").runs("pytest")
            session.calls(
                "TodoWrite", todos=[{"content": "Sell the old laptops", "status": "pending"}]
            )
            session.says("The root cause is that `parse()` drops the last row of the feed.")
            assert session.captures() == []
            assert session.asks(ASKING).contents() == [ASKING]


def test_the_marker_counts_only_on_its_own_at_the_beginning(subtests):
    rows = [
        f"{RULE} #incognito",
        f"#incognito-mode of the app is broken. {RULE}",
        f"Put a button [incognito] into the form. {RULE}",
        f"#incognitos {RULE}",
        f"> off the record\n\n{RULE}",
    ]
    for text in rows:
        with subtests.test(text=text):
            session = SessionBuilder()
            assert session.asks(text).contents() != []


def test_what_the_host_puts_before_a_prompt_does_not_hide_the_marker(said):
    today = "<system-reminder>Today is Monday.</system-reminder>"
    assert said(f"{today}\n#incognito {RULE}") == []
    assert said(f"{today}\n{RULE}") == [RULE]


def test_words_typed_meanwhile_stay_with_the_turn_they_fell_into(session):
    session.asks(f"#incognito {RULE}").runs("make x")
    session._add("queued", ASKING).says("Done.")
    assert session.captures() == []


def test_a_marker_typed_meanwhile_hides_the_rest_of_the_turn(session):
    session.asks(ASKING)
    session._add("queued", f"#incognito {RULE}").says("The cause was that `x` is missing there.")
    assert session.contents() == [ASKING]


def test_a_reading_may_begin_inside_such_a_turn(session):
    session.runs("make x", "sh: make: command not found", 127).runs("sudo apt install make")
    session.runs("make x")
    session.asks(ASKING)
    assert len(session.captures()) == 2
    assert len(session.captures(starts_incognito=True)) == 1


def test_a_line_that_a_person_does_not_want_remembered_is_not_kept(said, subtests):
    asked = "From now on the door code of the harbour office is the year of the flood"
    rows = [
        (f"Don't remember this: {asked}.", False),
        (f"{asked}, please do not memorise that.", False),
        (f"Please don't remember the following:\n- {asked}.\n- {asked}, always.\n", False),
        (f"Merk dir das bitte nicht: {asked}.", False),
        (f"No recuerdes esto: {asked}.", False),
        (f"I don't remember that, sorry.\n{asked}.", True),
        ("From now on, don't remember the user's choice across sessions.", True),
    ]
    for text, is_kept in rows:
        with subtests.test(text=text):
            kept = [one for one in said(f"{text}\n{RULE}") if one != RULE]
            assert bool(kept) is is_kept


def test_nothing_is_left_of_the_prompt_for_a_sessions_goal(lived):
    lived.asks(f"#incognito {RULE}").says("Done.").asks("Mend the crane.").says("It is mended.")
    with lived.core() as core:
        [session] = core.sessions()
        assert session.goal == "Mend the crane."


def test_the_work_around_such_a_turn_is_told_without_it(session):
    session.asks("#incognito Look at the salaries.").runs("cat salaries.csv && make salaries")
    session.says("They are high.").asks(ASKING).runs("make x").says("Done.")
    [kept] = session.captures()
    assert "salaries" not in repr(kept)
