"""The Deck's rows: what two lines say, one line where one wants it, and the columns one chooses."""

import re
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator, Origin

LONG = (
    "The staging database is restored each night from the last backup of production, which takes"
    " about forty minutes and locks the reports; whoever needs numbers early asks the on-call"
    " engineer for the read replica instead."
)


@pytest.fixture
def told(core: MemoryCoordinator, harbour: Any) -> None:
    """One long text, and one that an agent said."""
    core.remember(LONG, tags=["staging", "backups"])
    said = "Deploys go out by hand on Mondays, after `make release` was run on the build host."
    core.offer([Capture(said, origin=Origin(session="4f2a9c11-77aa", agent="claude"))])


def lines_of(screen: str, text: str) -> tuple[str, str]:
    """The line of the list in which `text` stands, and the one below."""
    lines = [line.split("││")[1] if "││" in line else line for line in screen.splitlines()]
    row = next(row for row, line in enumerate(lines) if text in line)
    return lines[row], lines[row + 1]


async def test_the_second_line_goes_on_where_the_title_stops_or_has_the_words_looked_for(
    open_app: Any, told: None
):
    async with open_app(size=(160, 35)) as person:
        title, below = lines_of(person.screen, "The staging database is")
        assert "…" in title
        assert "#staging" in below
        assert "you" in below
        assert "semantic" in below
        title, below = lines_of(person.screen, "Deploys go out by hand")
        assert "candidate" in below
        assert "claude" in below

        await person.burst([*"/replica", "enter"])
        await person.rest()
        _, below = lines_of(person.screen, "The staging database is")
        assert "read replica" in below


async def test_one_line_a_row_by_its_name_and_still_after_a_restart(open_app: Any, told: None):
    async with open_app(size=(160, 35)) as person:
        assert "#staging" in person.screen
        await person.press(":")
        await person.until(lambda: person.dialog() == "Palette")
        await person.type("compact rows")
        await person.press("enter")
        await person.until(lambda: "#staging" not in person.screen)
        assert person.deck.memories.lines.height == 1
        await person.rest()
    async with open_app(size=(160, 35)) as person:
        assert person.deck.memories.lines.height == 1
        await person.burst(["j", "j"])
        await person.rest()
        assert person.deck.memories.cursor == 2


async def test_the_settings_choose_columns_and_lines(open_app: Any, home_path: Path, told: None):
    (home_path / "config.toml").write_text(
        '[app]\ncompact_list = true\ncolumns = ["importance", "age"]\n'
    )
    async with open_app() as person:
        assert person.deck.memories.lines.height == 1
        header = next(line for line in person.screen.splitlines() if "newest first" in line)
        assert "importance" in header
        assert "session" not in header
        title, _ = lines_of(person.screen, "Deploys go out by hand")
        assert "/10" in title


TO_TAGS = ("home", *"jjjjjjj")


async def columns_menu(person: Any) -> None:
    await person.press(":")
    await person.until(lambda: person.dialog() == "Palette")
    await person.type("columns")
    await person.press("enter")
    await person.until(lambda: person.dialog() == "Menu")


async def in_menu(person: Any, *keys: str) -> None:
    """Type keys in the menu of columns: each waits until it stands there again."""
    await person.burst(keys)
    await person.rest()
    assert person.dialog() == "Menu"


def header_of(person: Any) -> str:
    return next(line for line in person.screen.splitlines() if "newest first" in line)


async def test_a_column_is_made_wider_and_takes_what_is_free_by_keys_also_after_a_restart(
    open_app: Any, core: Any, told: None
):
    core.remember("Cranes are checked before a storm.", tags=["mooring-lines-north"])
    size = (200, 40)
    async with open_app(size=size) as person:
        await columns_menu(person)
        await in_menu(person, "g", "k")  # nothing is changed by going about
        assert person.deck.looks.columns == ()
        await in_menu(person, "home", "enter")  # the type is chosen
        assert person.deck.looks.columns == ("type", "age")
        await in_menu(person, "enter")  # and leaves again
        assert person.deck.looks.columns == ("age",)
        await in_menu(person, *TO_TAGS)  # the tags
        await in_menu(person, "enter", "left", "left", "left")
        assert re.search(r"tags +14 cells", person.screen)
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        assert "mooring-lines…   now" in person.screen
        before = header_of(person).index("tags")
        await columns_menu(person)
        await in_menu(person, *TO_TAGS)
        await in_menu(person, *["right"] * 3)
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        assert "mooring-lines-north" in person.screen
        assert header_of(person).index("tags") == before - 6  # two cells a key, from the title
        await columns_menu(person)
        await in_menu(person, *TO_TAGS, "f")
        assert re.search(r"tags +the rest", person.screen)
        assert re.search(r"title +46 cells", person.screen)
        await in_menu(person, "end", "k", *["left"] * 3)
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        title, _ = lines_of(person.screen, "The staging database")
        assert re.search(r"The staging database is .{15}…  staging backups", title)  # in 40 cells
        seen = header_of(person)
        await person.rest()
    async with open_app(size=size) as person:
        assert header_of(person) == seen


async def test_the_settings_give_columns_their_widths(open_app: Any, home_path: Path, told: None):
    config = home_path / "config.toml"
    config.write_text('[app]\ncompact_list = true\ncolumns = ["tags", "age"]\n')
    async with open_app(size=(160, 35)) as person:
        usual = header_of(person)
    config.write_text(
        config.read_text() + 'free_column = "tags"\ncolumn_widths = { title = 25, age = 9 }\n'
    )
    async with open_app(size=(160, 35)) as person:
        header = header_of(person)
        assert len(header) == len(usual)
        assert header.index("tags") < usual.index("tags")
        title, _ = lines_of(person.screen, "Deploys go out")
        assert "Deploys go out by hand o… " in title
        assert header.index("age") - header.index("tags") > usual.index("age") - usual.index("tags")
        assert person.notices == []


async def test_a_width_that_is_none_is_said_and_the_list_has_the_usual_ones(
    open_app: Any, home_path: Path, told: None
):
    (home_path / "config.toml").write_text("[app]\ncolumn_widths = { tags = 3, ages = 9 }\n")
    async with open_app() as person:
        await person.until(lambda: person.notices)
        assert "column_widths" in person.notices[0]
        assert person.titles


async def test_widths_are_a_setting_like_the_others_and_undone(
    open_app: Any, home_path: Path, told: None
):
    async with open_app(view="settings") as person:
        await person.burst(["/", *"column_widths", "enter"])
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.dialog() == "EditSetting")
        await person.type("{ tags = 30 }")
        await person.press("enter")
        await person.until(lambda: any("column_widths is" in one for one in person.notices))
        await person.rest()
        assert "tags = 30" in (home_path / "config.toml").read_text()
        newest = (await person.store(lambda core: core.audit(limit=1)))[0]
        assert newest.action == "config"
        await person.press("u")
        await person.until(lambda: "tags" not in (home_path / "config.toml").read_text())
        await person.rest()


async def test_the_cursor_is_in_sight_whole_however_one_moves(open_app: Any, core: Any):
    core.import_memories({"content": f"Berth {number} is cleaned in May."} for number in range(40))
    async with open_app(size=(80, 24)) as person:
        memories = person.deck.memories
        height = memories.scrollable_content_region.height
        for keys in (["G"], ["k"] * 5, ["ctrl+u"], ["pagedown"], ["g"], ["j"] * 9):
            await person.burst(keys)
            await person.rest()
            top = memories.lines.top(memories.cursor) - memories.scroll_offset.y
            assert 0 <= top <= height - memories.lines.height
        memories.scroll_to(y=31, animate=False)
        await person.rest()
        top = memories.lines.top(memories.cursor) - memories.scroll_offset.y
        assert 0 <= top <= height - memories.lines.height


async def test_a_click_on_the_second_line_is_one_on_the_row(open_app: Any, told: None):
    async with open_app() as person:
        await person.pilot.click(person.deck.memories, offset=(12, 5))
        await person.until(lambda: person.deck.memories.cursor == 2)
        await person.rest()


async def test_no_row_is_cut_in_two_at_the_top_of_the_list(open_app: Any, harbour: Any):
    async with open_app(size=(80, 24)) as person:
        memories = person.deck.memories
        assert memories.size.height % 2  # rows of two lines do not fill it
        await person.press(*"jjjj")
        await person.rest()
        assert memories.scroll_offset.y == 2
        assert person.titles[1] in memories.render_line(0).text
