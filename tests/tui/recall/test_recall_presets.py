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


@pytest.mark.parametrize("size", [(80, 24), (120, 35), (200, 50)])
async def test_compare_goes_on_to_the_presets_and_says_why_one_holds_back(
    trying: Trying, guess, size
):
    async with trying(size=size) as person:
        await person.ask(ASKED)
        await person.press(*"fcfc")  # in one burst: two budgets, then the presets
        await person.rest()
        tolds = person.view.answers.answer.tolds
        assert [told.label for told in tolds] == ["conservative", "balanced", "aggressive"]
        assert [GUESS in told.text for told in tolds] == [False, True, True]
        panes = person.view.answers.columns
        assert all(pane.is_on_screen for pane in panes)
        first, second, third = (pane.text.render().plain for pane in panes)
        assert "held back  1" in first
        assert "nothing bears it out" in " ".join(first.split())
        assert "held back" not in second + third
        assert "laid down" in first
        assert "notes" not in first.partition("held back")[0]
        for pane in (second, third):  # the pin is the person's, the guess is a note
            assert pane.index("laid down") < pane.index("notes  1") < pane.index("budget")
        await person.press(*"fc")
        await person.rest()
        assert not person.view.answers.is_beside
        assert not panes[2].is_on_screen


async def test_escape_goes_from_the_presets_to_one_and_two_columns_leave_no_third(
    trying: Trying, guess
):
    async with trying() as person:
        await person.ask(ASKED)
        await person.press(*"fcfc", "escape", *"fc")
        await person.rest()
        assert [pane.is_on_screen for pane in person.view.answers.columns] == [True, True, False]


async def test_what_is_copied_is_the_column_one_reads(trying: Trying, guess):
    async with trying() as person:
        await person.ask(ASKED)
        await person.press(*"fcfc")
        await person.rest()
        columns, answers = person.view.answers.columns, person.view.answers
        for place, column in enumerate(columns):
            person.app.screen.set_focus(column)
            await person.rest()
            assert answers.to_copy() == answers.answer.tolds[place].text
