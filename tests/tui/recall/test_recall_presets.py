"""The presets side by side: what each tells and holds back, and why."""

import pytest

from .story import Trying

GUESS = "The webhook worker loses a job when its lease ends before the queue timeout does."
ASKED = "when does the webhook worker lose a job?"


@pytest.fixture
def guess(known, open_core):
    """What an agent recorded in a session of its own, and nothing bears out; its id."""
    core = open_core()
    core.session_seen("a-session", "claude")
    return core.learn(GUESS, session="a-session").result.memory_id


async def test_compare_goes_on_to_the_presets_and_says_why_one_holds_back(
    trying: Trying, guess, subtests
):
    async with trying(size=(80, 24)) as person:
        await person.ask(ASKED)
        columns, answers = person.view.answers.columns, person.view.answers
        for size in ((80, 24), (120, 35), (200, 50)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.burst("fcfc")  # in one burst: two budgets, then the presets
                await person.rest()
                tolds = answers.answer.tolds
                assert [told.label for told in tolds] == ["conservative", "balanced", "aggressive"]
                assert [GUESS in told.text for told in tolds] == [False, True, True]
                assert all(pane.is_on_screen for pane in columns)
                first, second, third = (pane.text.render().plain for pane in columns)
                assert "held back  1" in first
                assert "nothing bears it out" in " ".join(first.split())
                assert "held back" not in second + third
                assert "laid down" in first
                assert "notes" not in first.partition("held back")[0]
                for pane in (second, third):  # the pin is the person's, the guess is a note
                    assert pane.index("laid down") < pane.index("notes  1") < pane.index("budget")
                await person.burst("fc")
                await person.rest()
                assert not answers.is_beside
                assert not columns[2].is_on_screen
        await person.pilot.resize_terminal(120, 35)
        await person.burst("fcfc")
        await person.rest()
        for place, column in enumerate(columns):
            with subtests.test(copied=place):  # what is copied is the column one reads
                person.app.screen.set_focus(column)
                await person.rest()
                assert answers.to_copy() == answers.answer.tolds[place].text


async def test_escape_goes_from_the_presets_to_one_and_two_columns_leave_no_third(
    trying: Trying, guess
):
    async with trying() as person:
        await person.ask(ASKED)
        await person.press(*"fcfc", "escape", *"fc")
        await person.rest()
        assert [pane.is_on_screen for pane in person.view.answers.columns] == [True, True, False]
