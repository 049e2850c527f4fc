"""A cause that an agent tells without the word, in the middle of its work or at the end."""

import pytest

CAUSES = (
    "It comes from `engine/clock.py`: it rounds the increment to whole seconds.",
    "That happens because `payroll/tax.py` caches the rate table per process.",
    "The double booking is caused by `rooms.lock()`, which releases before the commit.",
    "`flash()` must be called with interrupts off, otherwise the bootloader watchdog fires.",
    (
        "The sandbox rejects the call because the signature covers the raw body, not the "
        "parsed one in `sign.ts`."
    ),
    "Found it: `layout.ts` measures the column before the fonts are loaded.",
    "`seed.sql` inserts the rooms before the hotels exist, so the foreign key fails.",
    "What happens: `scheduler.py` computes the pass in UTC but the antenna table is in local time.",
    "The fonts load after `layout.ts` has run, that is why the columns jump.",
    "The bug sits in `board.py`: `castle()` never clears the rook's square.",
    "The hash in `zobrist.c` did not include the side to move, so two positions shared one entry.",
    "The `shift_start` column has to be read as local time, otherwise the night bonus is lost.",
    "`export_csv()` opens the file without an encoding, which breaks umlauts on Windows.",
    "The mistake is in `rates/season.py`: the upper bound of a season is exclusive there.",
    "This is due to `Uplink.send()`, which drops the last byte of odd frames.",
    (
        "The timeouts come from `proof_server`: it opens one connection per page and "
        "never closes them."
    ),
)

NO_CAUSES = (
    "It comes from the config.",
    "It comes from the test, I think.",
    "That happens because the tests have not been run.",
    "I'll check whether it comes from `foo.py`.",
    "That means I need to read `foo.py`.",
    "It must be somewhere in `foo.py`, otherwise the test would pass.",
    "You must restart the server, otherwise the change is not visible.",
    "Found it: `layout.ts`.",
    "Found it.",
    "I read `board.py`, so I know the layout.",
    "I changed `foo.py`, so the tests pass.",
    "All tests pass, so `board.py` is fine.",
    "The test in `test_a.py` fails, so I will look at it.",
    "It could come from `engine/clock.py`: it may round.",
    "What happens: nothing.",
    "This is because you asked for it.",
    "`foo.py` was not changed, so nothing breaks.",
)

ASKED = "The clock shows the wrong time after each move."


def found(session):
    return [c for c in session.captures() if c.rule.startswith("agent.")]


@pytest.mark.parametrize("sentence", CAUSES)
def test_it_is_kept_from_the_closing_words(session, sentence):
    session.asks(ASKED).runs("make build").says(sentence)
    assert [c.category for c in found(session)] == ["discovery"]


@pytest.mark.parametrize("sentence", CAUSES)
def test_it_is_kept_from_the_middle_of_the_work(session, sentence):
    session.asks(ASKED).runs("make build").says(sentence)
    session.edits("x.py", "a", "b").runs("make build").says("Fixed.")
    assert [c.category for c in found(session)] == ["discovery"]


@pytest.mark.parametrize("sentence", NO_CAUSES)
@pytest.mark.parametrize("goes_on", [False, True])
def test_a_guess_a_plan_or_a_status_is_none(session, sentence, goes_on):
    session.asks(ASKED).runs("make build").says(sentence)
    if goes_on:
        session.edits("x.py", "a", "b").runs("make build").says("Fixed.")
    assert found(session) == []


def test_it_is_told_with_what_comes_from_there(session):
    session.asks(ASKED).runs("make build")
    session.says("It comes from `clock.py`: it rounds the increment to whole seconds.")
    assert session.contents("explained") == [
        "The clock shows the wrong time after each move: "
        "it comes from `clock.py`: it rounds the increment to whole seconds."
    ]


def test_without_trouble_it_is_told_with_what_was_asked(session):
    session.asks("Please look why room lists come up twice").runs("make build")
    session.says("It comes from `rooms.py`: it joins the beds before it groups.")
    [kept] = session.contents("explained")
    assert kept.endswith("(Asked: “Please look why room lists come up twice”)")


def test_what_the_person_denies_then_is_gone(session):
    session.asks(ASKED).runs("make build")
    session.says("It comes from `clock.py`: it rounds the increment to whole seconds.")
    session.asks("No, that's wrong.")
    assert session.contents("explained") == []
