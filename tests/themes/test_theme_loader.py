"""Theme files: what is offered, what is proved, and what is said about a broken one."""

import pytest
from textual.theme import BUILTIN_THEMES

from memdeck.tui.app import MemoryApp

BUILT_IN = ["memdeck-dark", "memdeck-light", "high-contrast", "terminal16"]
LARGEST_FILE = 64 * 1024  # bytes
GOOD = 'primary = "#336699"\n'


@pytest.fixture
def folder(tmp_path):
    themes = tmp_path / "themes"
    themes.mkdir()
    return themes


def load(folder):
    """What an app offers with these files, behind Textual's own, and what it says of them."""
    app = MemoryApp(str(folder.parent), None)
    known = [
        one for name, one in app.available_themes.items() if one is not BUILTIN_THEMES.get(name)
    ]
    return known, app.problems


def names_and_problems(folder):
    themes, problems = load(folder)
    return [theme.name for theme in themes], problems


def test_the_built_in_themes_come_in_their_order_and_name_every_meaning(tmp_path):
    """A folder that is not there is no problem; what a meaning is by default the first shows."""
    themes, problems = load(tmp_path / "nowhere")
    assert [theme.name for theme in themes] == BUILT_IN
    assert problems == []
    meanings = MemoryApp(str(tmp_path), None).get_theme_variable_defaults()
    assert len(meanings) == 8
    assert all(theme.variables.keys() >= meanings.keys() for theme in themes)
    assert {name: themes[0].variables[name] for name in meanings} == meanings


def test_a_theme_of_ones_own_stands_behind_the_built_in_ones(folder):
    (folder / "ocean.toml").write_text(GOOD)

    assert names_and_problems(folder) == ([*BUILT_IN, "ocean"], [])


def test_a_theme_without_our_meanings_gets_them_from_its_own_colours(folder):
    (folder / "ocean.toml").write_text(GOOD + 'warning = "#ffcc00"\n')

    ocean = load(folder)[0][-1]

    assert ocean.variables["pinned"].lower() == "#ffcc00"
    assert ocean.variables["score"].lower() == "#336699"


def test_a_theme_of_ones_own_may_replace_a_built_in_one(folder):
    (folder / "memdeck-dark.toml").write_text(GOOD)

    themes, problems = load(folder)

    assert problems == []
    assert [theme.primary for theme in themes if theme.name == "memdeck-dark"] == ["#336699"]


def test_a_broken_theme_is_a_sentence_that_names_file_and_key(folder, subtests):
    rows = [
        ("primary = ", "Invalid value"),
        ('accent = "#336699"', "primary: this colour is required"),
        ('primary = "reddish"', "primary: 'reddish' is not a colour"),
        ("primary = 7", "primary: should be text"),
        (GOOD + 'dark = "yes"', "dark: should be true or false"),
        (GOOD + "luminosity_spread = true", "luminosity_spread: should be a number"),
        (GOOD + "text_alpha = 1.1", "text_alpha: should be a number from 0 to 1"),
        (GOOD + 'primry = "red"', "primry: is not a key of a theme"),
        (GOOD + 'name = "a,b"', "name: use letters"),
        (GOOD + 'variables = "red"', "variables: should be a table"),
        (GOOD + '[variables]\npined = "red"', "variables.pined: nothing has this name"),
        (GOOD + "[variables]\npinned = 3", "variables.pinned: 3 is not a colour"),
        (GOOD + '[variables]\npinned = "$warning"', "variables.pinned: '$warning' is not a colour"),
        (GOOD + '[variables]\npinned = "auto 87%"', "variables.pinned: 'auto 87%' is not a colour"),
        (GOOD + '[variables]\nborder = "red; } * {"', "variables.border: 'red; } * {' is not"),
        (GOOD + '[variables]\nlink-style = "loud"', "variables.link-style: 'loud' is not a col"),
        ("a = " + "[" * 20_000, "recursion depth"),
        ("#" * (LARGEST_FILE + 1), "larger than 64 KB"),
    ]
    for text, said in rows:
        with subtests.test(text=text):
            (folder / "mine.toml").write_text(text)

            names, problems = names_and_problems(folder)

            assert names == BUILT_IN
            assert len(problems) == 1
            assert problems[0].startswith("mine.toml: ")
            assert said in problems[0]


def test_what_cannot_be_read_is_a_sentence_and_takes_no_other_theme_with_it(folder):
    (folder / "a.toml").write_bytes(b"\xff\xfe")
    (folder / "b.toml").write_text(GOOD)
    (folder / "c.toml").mkdir()
    names, [no_text, no_file] = names_and_problems(folder)
    assert names == [*BUILT_IN, "b"]
    assert no_text.startswith("a.toml: 'utf-8' codec")
    assert no_file == "c.toml: is not a file."


@pytest.mark.slow
async def test_every_theme_and_a_bare_one_can_be_shown(folder):
    (folder / "bare.toml").write_text('primary = "red"\n')
    (folder / "bare16.toml").write_text('primary = "ansi_blue"\nansi = true\n')
    app = MemoryApp(str(folder.parent), None)
    assert app.problems == []
    seen: list[str] = []
    async with app.run_test() as pilot:
        for theme in (*BUILT_IN, "bare", "bare16"):
            app.theme = theme
            await pilot.pause()
            variables = app.get_css_variables()
            for meaning in app.get_theme_variable_defaults():
                app.screen.styles.color = variables[meaning]
            app.screen.styles.color = variables["pinned"]
            seen.append(app.screen.styles.color.hex)
    assert len(set(seen)) > 4
