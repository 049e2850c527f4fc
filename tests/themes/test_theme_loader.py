"""Theme files: what is offered, what is proved, and what is said about a broken one."""

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from memdeck.themes.loader import BUILT_IN, LARGEST_FILE, MEANINGS, load_themes

GOOD = 'primary = "#336699"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    themes = tmp_path / "themes"
    themes.mkdir()
    return themes


def names_and_problems(folder: Path) -> tuple[list[str], list[str]]:
    themes, problems = load_themes(str(folder))
    return [theme.name for theme in themes], problems


def test_the_built_in_themes_come_in_their_order():
    themes, problems = load_themes(None)

    assert tuple(theme.name for theme in themes) == BUILT_IN
    assert problems == []


def test_the_default_of_a_meaning_is_what_the_default_theme_shows():
    default = load_themes(None)[0][0]

    assert {name: default.variables[name] for name in MEANINGS} == MEANINGS


def test_every_theme_names_every_meaning():
    assert all(theme.variables.keys() >= MEANINGS.keys() for theme in load_themes(None)[0])


def test_a_folder_that_is_not_there_is_no_problem(tmp_path: Path):
    assert load_themes(str(tmp_path / "nowhere"))[1] == []


def test_a_theme_of_ones_own_stands_behind_the_built_in_ones(folder: Path):
    (folder / "ocean.toml").write_text(GOOD)

    assert names_and_problems(folder) == ([*BUILT_IN, "ocean"], [])


def test_a_theme_without_our_meanings_gets_them_from_its_own_colours(folder: Path):
    (folder / "ocean.toml").write_text(GOOD + 'warning = "#ffcc00"\n')

    ocean = load_themes(str(folder))[0][-1]

    assert ocean.variables["pinned"].lower() == "#ffcc00"
    assert ocean.variables["score"].lower() == "#336699"


def test_a_theme_of_ones_own_may_replace_a_built_in_one(folder: Path):
    (folder / "memdeck-dark.toml").write_text(GOOD)

    themes, problems = load_themes(str(folder))

    assert problems == []
    assert [theme.primary for theme in themes if theme.name == "memdeck-dark"] == ["#336699"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("primary = ", "not valid TOML"),
        ('accent = "#336699"', "primary: this colour is required"),
        ('primary = "reddish"', "primary: 'reddish' is not a colour"),
        ("primary = 7", "primary: should be text in quotes"),
        (GOOD + 'dark = "yes"', "dark: should be true or false"),
        (GOOD + "luminosity_spread = true", "luminosity_spread: should be a number"),
        (GOOD + "text_alpha = 1.1", "text_alpha: should be from 0 to 1"),
        (GOOD + 'primry = "red"', "primry: is not a key of a theme. Did you mean primary?"),
        (GOOD + 'name = "a,b"', "name: use letters"),
        (GOOD + 'variables = "red"', "variables: should be a table"),
        (GOOD + '[variables]\npined = "red"', "variables.pined: nothing has this name. Did you"),
        (GOOD + "[variables]\npinned = 3", "variables.pinned: should be text in quotes"),
        (GOOD + '[variables]\npinned = "$warning"', "variables.pinned: '$warning' is not a colour"),
        (GOOD + '[variables]\npinned = "auto 87%"', "variables.pinned: 'auto 87%' is not a colour"),
        (GOOD + '[variables]\nborder = "red; } * {"', "variables.border: 'red; } * {' is not"),
        (GOOD + '[variables]\nlink-style = "loud"', "variables.link-style: 'loud' is not a text"),
        ("a = " + "[" * 20_000, "nested too deeply"),
        ("#" * (LARGEST_FILE + 1), "larger than 64 KB"),
    ],
)
def test_a_broken_theme_is_a_sentence_that_names_file_and_key(folder: Path, text: str, said: str):
    (folder / "mine.toml").write_text(text)

    names, problems = names_and_problems(folder)

    assert names == list(BUILT_IN)
    assert len(problems) == 1
    assert problems[0].startswith("mine.toml: ")
    assert said in problems[0]


def test_bytes_that_are_no_text_are_a_sentence(folder: Path):
    (folder / "mine.toml").write_bytes(b"\xff\xfe")

    assert names_and_problems(folder)[1] == ["mine.toml: is not UTF-8 text."]


def test_a_folder_called_like_a_theme_is_a_sentence(folder: Path):
    (folder / "mine.toml").mkdir()

    assert names_and_problems(folder)[1] == ["mine.toml: is not a file."]


def test_one_broken_theme_does_not_take_the_others_with_it(folder: Path):
    (folder / "a.toml").write_text("nonsense")
    (folder / "b.toml").write_text(GOOD)

    names, problems = names_and_problems(folder)

    assert names[-1] == "b"
    assert len(problems) == 1


@pytest.mark.parametrize("value", ["#123", "rgb(1,2,3)", "red 40%", "auto 87%", "transparent"])
def test_what_the_style_sheet_can_read_is_a_colour(folder: Path, value: str):
    (folder / "mine.toml").write_text(GOOD + f'[variables]\ntext-muted = "{value}"')

    assert names_and_problems(folder)[1] == []


class Shows(App[None]):
    """An app that uses every meaning."""

    CSS = "\n".join(f".{name} {{ color: ${name}; }}" for name in MEANINGS)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(MEANINGS)

    def compose(self) -> ComposeResult:
        for name in MEANINGS:
            yield Static(name, classes=name)


async def test_every_theme_and_a_bare_one_can_be_shown(folder: Path):
    (folder / "bare.toml").write_text('primary = "red"\n')
    (folder / "bare16.toml").write_text('primary = "ansi_blue"\nansi = true\n')
    themes, problems = load_themes(str(folder))
    app = Shows()
    seen: list[str] = []

    async with app.run_test() as pilot:
        for theme in themes:
            app.register_theme(theme)
            app.theme = theme.name
            await pilot.pause()
            seen.append(str(app.query_one(".pinned").styles.color.hex))

    assert problems == []
    assert len(set(seen)) > 4
