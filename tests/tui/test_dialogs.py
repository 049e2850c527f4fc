"""Dialogs ask and go: a question, the keys in force, a theme."""

from pathlib import Path
from typing import Any

import pytest
from textual.theme import BUILTIN_THEMES
from textual.widgets import Button, Input, OptionList, Static

from .agents_bench import Machine, a_busy_machine

SIZES = ((60, 20), (80, 24), (200, 50))
OURS = ["memdeck-dark", "memdeck-light", "high-contrast", "terminal16"]


class Broken(Machine):
    """Agents of which nothing is mended for long."""

    def fix(self, finding: Any) -> str:
        self.fixed.append(finding.fix)
        return "Mended."


@pytest.fixture
def machine(tmp_path: Path) -> Broken:
    """Agents with something to mend, which `r` asks about."""
    return Broken(tmp_path, a_busy_machine())


async def opens(person: Any, dialog: str) -> None:
    await person.until(lambda: person.dialog() == dialog)
    await person.rest()


async def it_fits_every_size(person: Any, subtests: Any) -> None:
    """The dialog on top, on the whole screen, whatever its size."""
    before = person.app.size
    for size in SIZES:
        with subtests.test(dialog=person.dialog(), size=size):
            await person.pilot.resize_terminal(*size)
            await person.rest()
            screen = person.app.screen
            assert screen.region.size == size
            assert screen.region.contains_region(screen.query(".dialog").first().region)
    await person.pilot.resize_terminal(*before)
    await person.rest()


# Questions

ANSWERS = (
    ("enter", False),
    ("escape", False),
    ("n", False),
    ("y", True),
    ("right enter", True),
    ("tab enter", True),
    ("right left enter", False),
    ("r r r enter", False),  # the key that asked, held down
)


async def test_the_answer_is_no_unless_one_says_yes(open_app: Any, machine: Machine, subtests: Any):
    async with open_app(view="agents", agents=machine) as person:
        await person.press("r")
        await opens(person, "Confirm")
        labels = [str(one.label) for one in person.app.screen.query(Button)]
        assert {label.rpartition("  ")[2] for label in labels} == {"n", "y"}
        await it_fits_every_size(person, subtests)
        await person.press("escape")
        await opens(person, "Screen")
        for keys, answer in ANSWERS:
            with subtests.test(keys=keys):
                machine.fixed.clear()
                await person.press("r")
                await opens(person, "Confirm")
                await person.press(*keys.split())
                await opens(person, "Screen")
                assert machine.fixed == ["claude:path"] * answer


# Help


def page_of(person: Any) -> str:
    return str(person.app.screen.query_one("#help-page", Static).render())


async def test_help_has_the_keys_in_force_first_and_typing_narrows_it(
    open_app: Any, harbour: Any, subtests: Any
):
    async with open_app(size=(120, 45)) as person:
        rows = person.help.rows
        acts = [(row.group, row.act, row.keys) for row in rows]
        assert acts[0][0] == "Memory"
        assert ("Memory", "Forget", ("x",)) in acts
        assert ("Everywhere", "Help", ("?", "F1")) in acts
        assert [row.group for row in rows].index("Everywhere") > len(acts) // 2
        is_enabled = {(row.group, row.act): row.is_enabled for row in rows}
        assert is_enabled["Memory", "Forget"]
        assert not is_enabled["List", "Next match"]  # nothing is looked for
        assert person.help.about.startswith(person.deck.memories.HELP.split("\n")[-1][:10])

        await person.press("?")
        await opens(person, "HelpScreen")
        await it_fits_every_size(person, subtests)
        await person.type("leaves recall")
        assert "Forget" in page_of(person)
        assert "Undo" not in page_of(person)
        await person.press("escape")
        assert "Undo" in page_of(person)
        await person.type("xju")  # which are keys elsewhere
        assert person.app.screen.query_one(Input).value == "xju"
        await person.press("escape")
        await person.type("zz[/")
        assert "“zz[/”" in page_of(person)
        await person.press("escape", "escape")
        await opens(person, "Screen")
        assert person.titles[0] == harbour["tide"].title


# Themes


async def test_a_theme_is_shown_while_moving_and_kept_on_enter_and_not_on_esc(
    open_app: Any, harbour: Any, subtests: Any
):
    async with open_app() as person:
        app = person.app

        async def picks(*keys: str) -> None:
            app.action_theme()
            await opens(person, "ThemePicker")
            await person.press(*keys)

        await picks()
        offered = [one.id for one in app.screen.query_one(OptionList).options]
        family = [name for name in BUILTIN_THEMES if not name.startswith("ansi")]
        assert offered == [*OURS, *family]  # ours first, Textual's with our meanings behind them
        meanings = app.get_theme_variable_defaults().keys()
        assert all(app.available_themes[name].variables.keys() >= meanings for name in offered)
        await it_fits_every_size(person, subtests)

        await person.press("down")
        assert app.theme == "memdeck-light"
        await person.press("down", "escape")
        await opens(person, "Screen")
        assert app.theme == "memdeck-dark"

        await picks("down", "down", "down")
        assert app.theme == "terminal16"
        hint = person.deck.box.input.get_component_rich_style("input--placeholder")
        assert hint.color.number == 8  # bright black
        assert not hint.dim, "dark grey, and dimmed"
        await person.press("escape")
        await opens(person, "Screen")

        await picks(*"tok")
        assert app.theme == "tokyo-night"
        await person.press(*"gru")
        assert app.theme.startswith("gruvbox")
        await person.press("q")  # begins no name
        await opens(person, "Screen")
        assert app.theme == "memdeck-dark"

        await picks("down", "j", "enter")
        await opens(person, "Screen")
        assert app.theme == "high-contrast"
