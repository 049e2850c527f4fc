"""Dialogs ask and go: a question, the keys in force, a theme."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList, Static

from memdeck import tui
from memdeck.themes.loader import BUILT_IN, MEANINGS, TEXTUALS, load_themes
from memdeck.tui.dialogs.confirm import Confirm
from memdeck.tui.dialogs.help import HelpScreen, guide_for
from memdeck.tui.dialogs.themes import ThemePicker

from .waiting import press, rest


class Pane(Static, can_focus=True):
    """A pane with keys of its own."""

    HELP = "## Pane\nWhere one works. Press `x` to forget."
    BINDINGS = [
        Binding("x,delete", "forget", "Forget", id="memory.forget", tooltip="Can be undone."),
        Binding("j", "down", "Down", id="list.down"),
        Binding("d", "dim", "Dim", id="memory.dim"),
    ]

    def action_forget(self) -> None: ...

    def action_down(self) -> None: ...

    def action_dim(self) -> None: ...

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action == "dim" else True


class Stage(App[None]):
    """An app to ask in."""

    CSS_PATH = str(Path(next(iter(tui.__path__))) / "styles" / "dialogs.tcss")
    BINDINGS = [Binding("u", "undo", "Undo", id="app.undo", tooltip="Takes back the newest act.")]

    def __init__(self) -> None:
        super().__init__()
        self.animation_level = "none"
        self.answers: list[object] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(MEANINGS)

    def compose(self) -> ComposeResult:
        yield Pane("here", id="pane")

    def on_mount(self) -> None:
        for theme in load_themes(None)[0]:
            self.register_theme(theme)
        self.theme = "memdeck-dark"

    def action_undo(self) -> None: ...

    def ask(self, screen: Any) -> None:
        self.push_screen(screen, self.answers.append)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for a state, not for a time."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "still not so"
        await pilot.pause(0.002)


def a_question(**more: Any) -> Confirm:
    return Confirm("Purge 3 memories?", "Their text is erased everywhere.", "Purge them", **more)


# Confirm


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["enter"], False),
        (["escape"], False),
        (["n"], False),
        (["y"], True),
        (["right", "enter"], True),
        (["tab", "enter"], True),
        (["right", "left", "enter"], False),
    ],
)
async def test_the_answer_is_no_unless_one_says_yes(keys: list[str], answer: bool):
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(a_question(asked_with="D"))
        await press(pilot, *keys)
        await until(pilot, lambda: app.answers == [answer])


async def test_the_key_that_asked_never_confirms():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(a_question(asked_with="y"))
        await press(pilot, "y", "y")

        assert app.answers == []
        assert "y" not in str(app.screen.query_one("#confirm-yes", Button).label).split()


async def test_a_word_has_to_be_typed_before_yes_is_possible():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(a_question(typed="purge", asked_with="D"))
        await press(pilot, "y", "enter")
        yes = app.screen.query_one("#confirm-yes", Button)
        assert app.answers == []
        assert yes.disabled

        await press(pilot, "backspace", *"purge")
        await until(pilot, lambda: not yes.disabled)

        await press(pilot, "enter")
        await until(pilot, lambda: app.answers == [True])


async def test_a_question_may_quote_any_memory():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(Confirm("Purge “[/foo] [@click=app.quit]x”?", "[b", "[/] yes", typed="[x"))
        await rest(pilot)

        said = app.screen.query_one("#confirm-question", Static).render()
        assert str(said) == "Purge “[/foo] [@click=app.quit]x”?"


async def test_every_button_says_the_key_that_presses_it():
    app = Stage()
    async with app.run_test() as pilot:
        for asks_for, words in ((None, {"n", "y"}), ("purge", {"esc", "enter"})):
            app.ask(a_question(typed=asks_for, asked_with="D"))
            await rest(pilot)
            labels = [str(one.label) for one in app.screen.query(Button)]
            assert {label.rpartition("  ")[2] for label in labels} == words
            keys = [*"purge", "enter"] if asks_for else ["y"]
            await press(pilot, *keys)
            await until(pilot, lambda: len(app.screen_stack) == 1)
        assert app.answers == [True, True]


# Help


async def test_help_has_the_keys_in_force_of_the_focused_pane_first():
    app = Stage()
    async with app.run_test():
        guide = guide_for(app.screen)
        acts = [(row.group, row.act, row.keys) for row in guide.rows]

        assert acts[0] == ("Memory", "Forget", ("x", "del"))
        assert ("Everywhere", "Undo", ("u",)) in acts
        assert [row.group for row in guide.rows].index("Memory") < len(acts) - 1
        assert guide.about == "Where one works. Press `x` to forget."


async def test_a_key_that_cannot_act_now_says_so():
    app = Stage()
    async with app.run_test():
        rows = {row.act: row for row in guide_for(app.screen).rows}

        assert rows["Forget"].is_enabled
        assert not rows["Dim"].is_enabled


async def test_typing_narrows_help_and_esc_widens_it_before_it_closes():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(HelpScreen.of(app.screen))
        await press(pilot, *"undone")
        page = app.screen.query_one("#help-page", Static)
        assert "Forget" in str(page.render())
        assert "Undo" not in str(page.render())

        await press(pilot, "escape")
        assert "Undo" in str(page.render())
        await press(pilot, "escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)


async def test_help_says_when_nothing_fits():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(HelpScreen.of(app.screen))
        await press(pilot, *"zz[/")

        assert "“zz[/”" in str(app.screen.query_one("#help-page", Static).render())


# Themes


async def test_a_theme_is_shown_while_moving_and_kept_on_enter():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(ThemePicker())
        await press(pilot, "down")
        assert app.theme == "memdeck-light"

        await press(pilot, "j", "enter")
        await until(pilot, lambda: app.answers == ["high-contrast"])

        assert app.theme == "high-contrast"


async def test_letters_go_to_the_first_theme_that_begins_so_and_others_stay_keys():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(ThemePicker())
        await press(pilot, *"tok")
        assert app.theme == "tokyo-night"
        await press(pilot, *"gru")
        assert app.theme.startswith("gruvbox")
        await press(pilot, "q")
        await until(pilot, lambda: app.answers == [None])


async def test_esc_brings_the_old_theme_back():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(ThemePicker())
        await press(pilot, "down", "down", "escape")
        await until(pilot, lambda: app.answers == [None])

        assert app.theme == "memdeck-dark"


async def test_ours_are_offered_first_and_textuals_with_our_meanings_behind_them():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(ThemePicker())
        await rest(pilot)
        offered = app.screen.query_one(OptionList)

        assert [option.id for option in offered.options] == [*BUILT_IN, *TEXTUALS]
        assert all(
            app.available_themes[name].variables.keys() >= MEANINGS.keys() for name in TEXTUALS
        )


async def test_dialogs_fit_every_size(subtests: Any):
    app = Stage()
    async with app.run_test(size=(60, 20)) as pilot:
        for screen in (a_question(typed="purge"), ThemePicker(), HelpScreen.of(app.screen)):
            app.ask(screen)
            for size in ((60, 20), (80, 24), (200, 50)):
                with subtests.test(dialog=type(screen).__name__, size=size):
                    await pilot.resize_terminal(*size)
                    await rest(pilot)
                    dialog = app.screen.query(".dialog").first()
                    assert app.screen.region.size == size
                    assert app.screen.region.contains_region(dialog.region)
            app.screen.dismiss(None)
            await rest(pilot)


async def test_an_input_takes_letters_that_are_keys_elsewhere():
    app = Stage()
    async with app.run_test() as pilot:
        app.ask(HelpScreen.of(app.screen))
        await press(pilot, *"xju")

        assert app.screen.query_one(Input).value == "xju"
