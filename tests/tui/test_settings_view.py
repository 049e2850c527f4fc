"""The Settings: each with its value, where that comes from and what it does. Keys in bursts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from .looks import looks_as_it_did_at

SIZES = [(60, 20), (120, 35)]


@pytest.fixture
def config(home_path: Path, harbour: Any) -> Path:
    path = home_path / "config.toml"
    path.write_text("# mine\n[recall]\nmax_pinned = 3 # few\n")
    return path


def here(person: Any) -> str:
    """The place of the setting under the cursor."""
    view = person.app.stage.view("settings")
    return view.current.knob.place if view is not None and view.current else ""


async def at(person: Any, place: str) -> None:
    """Open the view and go to a setting, as coming back to it does."""
    await person.burst([",", "escape"])
    await person.rest()
    view = person.app.stage.shown
    view.open_place(replace(view.place(), query=place, memory=None))
    await person.until(lambda: here(person) == place)
    await person.rest()


async def test_the_settings_look_as_they_did(open_app: Any, config: Path, utc: None, subtests: Any):
    async with open_app(size=SIZES[0], view="settings", theme="memdeck-dark") as person:
        await person.until(lambda: person.app.counts.memories is not None)
        await person.until(lambda: "auto_memory" in person.screen)
        await looks_as_it_did_at(person, "settings", SIZES, subtests)


async def test_a_comma_opens_them_with_their_sections_and_where_they_come_from(
    open_app: Any, config: Path
):
    async with open_app(size=(120, 60)) as person:
        await person.burst([","])
        await person.until(lambda: person.app.view == "settings")
        await person.rest()
        assert here(person) == "preset"
        assert "redaction · What is taken out" in person.screen
        await person.burst(["/", *"max_pinned", "enter"])
        await person.rest()
        assert "config.toml" in person.screen
        assert "2 set" in person.screen
        await person.burst(["/", *"keys", "enter"])  # by the heading that they stand under
        await person.rest()
        assert "memory.pin " in person.screen


async def a_number_is_asked_for_checked_at_the_field_written_and_taken_back(
    person: Any, config: Path
) -> None:
    await at(person, "recall.max_pinned")
    await person.burst(["e", *"99", "enter"])
    await person.until(lambda: "less than or equal to 20" in person.screen)
    await person.until(lambda: person.dialog() == "EditSetting")
    await person.burst(["backspace", "backspace", "7", "enter"])
    await person.until(lambda: person.dialog() == "Screen")
    await person.rest()
    assert config.read_text() == "# mine\n[recall]\nmax_pinned = 7 # few\n"
    assert await person.store(lambda core: core.policy.recall.max_pinned) == 7
    await person.burst(["u"])
    await person.until(lambda: any("Undid" in notice for notice in person.notices))
    await person.rest()
    assert config.read_text() == "# mine\n[recall]\nmax_pinned = 3 # few\n"
    assert await person.store(lambda core: core.policy.recall.max_pinned) == 3
    await person.burst(["ctrl+r"])
    await person.until(lambda: any("Did again" in notice for notice in person.notices))
    await person.rest()
    assert await person.store(lambda core: core.policy.recall.max_pinned) == 7


async def esc_in_the_field_changes_nothing(person: Any, config: Path) -> None:
    await at(person, "recall.max_pinned")
    await person.burst(["e", *"9", "escape"])
    await person.until(lambda: person.dialog() == "Screen")
    await person.rest()
    assert "max_pinned = 3 # few" in config.read_text()


async def arrows_walk_through_what_a_value_may_be(person: Any, config: Path) -> None:
    await at(person, "preset")
    await person.burst(["enter", "up", "enter"])
    await person.until(lambda: "aggressive" in config.read_text())
    await person.rest()
    assert await person.store(lambda core: core.policy.preset) == "aggressive"
    await at(person, "recall.max_pinned")
    await person.burst(["e", "down", "down", "enter"])
    await person.until(lambda: "max_pinned = 1 # few" in config.read_text())


async def a_switch_turns_and_x_gives_the_default_back(person: Any, config: Path) -> None:
    await at(person, "redaction.emails")
    await person.burst(["enter"])
    await person.until(lambda: "emails = false" in config.read_text())
    await person.rest()
    assert not await person.store(lambda core: core.policy.redaction.emails)
    await person.burst(["x"])
    await person.until(lambda: "emails" not in config.read_text())
    await person.rest()
    assert await person.store(lambda core: core.policy.redaction.emails)
    await person.burst(["x"])  # dimmed now, and says why
    await person.until(lambda: any("at its default" in one for one in person.notices))


async def test_what_a_setting_does_stands_beside_it_and_beneath_the_field(
    open_app: Any, config: Path, core: Any
):
    core.recall("when do deploys go out?")
    async with open_app() as person:
        await at(person, "redaction.cards")
        await person.until(lambda: "[REDACTED:card-number]" in person.screen)
        await person.burst(["escape"])
        await at(person, "recall.max_budget_tokens")
        await person.until(lambda: "when do deploys go out?" in person.screen)
        assert "of 5,000 tokens" in person.screen
        await person.burst(["e", *"900"])
        await person.until(lambda: "of 900 tokens" in person.screen)


async def test_a_project_that_says_otherwise_wins_and_that_is_said(
    open_app: Any, config: Path, tmp_path: Path
):
    place = tmp_path / "quay"
    place.mkdir()
    (place / ".memdeck.toml").write_text("[recall]\nmax_pinned = 9\n")
    async with open_app(project=str(place)) as person:
        await at(person, "recall.max_pinned")
        assert "This project's .memdeck.toml says so" in person.screen
        await person.burst(["e", *"4", "enter"])
        await person.until(lambda: "max_pinned = 4 # few" in config.read_text())
        await person.rest()
        assert await person.store(lambda core: core.policy.recall.max_pinned) == 9
        assert any("change it there" in notice for notice in person.notices)


async def test_a_theme_is_shown_live_written_down_and_taken_back(open_app: Any, config: Path):
    async with open_app() as person:
        await at(person, "app.theme")
        await person.burst(["enter"])
        await person.until(lambda: person.dialog() == "ThemePicker")
        await person.burst(["j"])
        await person.until(lambda: person.app.theme == "memdeck-light")
        await person.burst(["enter"])
        await person.until(lambda: 'theme = "memdeck-light"' in config.read_text())
        await person.rest()
        await person.burst(["u"])
        await person.until(lambda: person.app.theme == "memdeck-dark")
        assert "theme" not in config.read_text()
        await person.rest()
    async with open_app() as person:
        assert person.app.theme == "memdeck-dark"


async def test_undo_reaches_the_app_though_the_settings_were_never_opened(
    open_app: Any, config: Path
):
    async with open_app() as person:
        await person.app.write.run(
            lambda core: core.services.settings_book.put("app.theme", "memdeck-light")
        )
        await person.app.news.configured()
        await person.until(lambda: person.app.theme == "memdeck-light")
        await person.burst(["u"])
        await person.until(lambda: person.app.theme == "memdeck-dark")
        await person.rest()


async def test_a_file_that_cannot_be_read_is_named(open_app: Any, config: Path):
    async with open_app(view="settings") as person:
        await person.rest()
        config.write_text("[recall\n")
        await person.press("1", ",")  # a view that was never out of sight is not read again
        await person.until(lambda: "The settings cannot be read" in person.screen)
        await person.rest()
        assert "is not valid TOML" in " ".join(person.screen.replace("│", " ").split())


async def test_in_a_narrow_place_l_and_h_go_between_list_and_account(
    open_app: Any, config: Path, subtests: Any
):
    async with open_app(size=(60, 20)) as person:
        for size in ((60, 20), (40, 10)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await at(person, "recall.top_k")
                await person.burst(["l"])
                await person.until(lambda: "may be" in person.screen)
                await person.burst(["h"])
                await person.until(lambda: "may be" not in person.screen)
                assert here(person) == "recall.top_k"


async def test_every_setting_can_be_looked_at(open_app: Any, config: Path, subtests: Any):
    async with open_app(size=(120, 35), view="settings") as person:
        await person.until(lambda: here(person))
        view = person.app.stage.view("settings")
        for one in view.settings.all:
            with subtests.test(place=one.knob.place):
                view._write(one, from_top=True)  # as going to it does
                said = " ".join(view.account.text.render().plain.split())
                assert " ".join(one.knob.about.split())[:30] in said
                assert "default" in said
        await person.burst(["G", "k"])
        await person.rest()
        assert here(person) == view.settings.all[-2].knob.place

        def named() -> str:
            return here(person).rpartition(".")[2].strip('"') + " "

        for keys in (["G"], ["ctrl+u"], ["k"] * 5, ["pageup"], ["g"], ["pagedown"], ["j"] * 3):
            await person.burst(keys)
            await person.rest()
            lines = person.screen.splitlines()
            [row] = [number for number, line in enumerate(lines) if line.startswith("│▌")]
            assert named() in lines[row]  # though headings are above
        await person.pilot.click(offset=(12, row - 2))
        assert named() in person.screen.splitlines()[row - 2]
        view.list.scroll_to(y=0, animate=False)
        await person.rest()
        assert any(line.startswith("│▌") for line in person.screen.splitlines())


async def test_a_key_of_ones_own_counts_at_once_and_its_clash_is_said(
    open_app: Any, config: Path, core: Any
):
    async with open_app() as person:
        await at(person, 'app.keymap."memory.pin"')
        await person.burst(["e", *"x,ctrl+?"])
        await person.until(lambda: "is no key" in person.screen)
        await person.burst([*["backspace"] * 7, "p"])
        await person.until(lambda: "xp is no key" in person.screen)  # no terminal sends it
        await person.burst(["backspace"])
        await person.until(lambda: "memory.forget" in person.screen)  # has x on the Deck
        await person.burst(["backspace", *"%,f6", "enter"])
        await person.until(lambda: '"memory.pin" = "percent_sign,f6"' in config.read_text())
        await person.rest()
        await person.burst(["1", "f6"])
        await person.until(lambda: any("Pinned" in notice for notice in person.notices))
        await person.rest()
        await person.burst(["u", "u", "p"])  # the pin, then the key: p pins again
        await person.until(lambda: "memory.pin" not in config.read_text())
        await person.rest()
        assert (await person.store(lambda core: core.count("is:pinned"))) == 1
        await at(person, 'app.keymap."app.undo"')
        await person.burst(["e", *"f8", "enter"])
        await person.until(lambda: '"app.undo" = ' in config.read_text())
        await person.until(lambda: " 3 set ─" in person.screen)  # the fixture's, motion, this key
        await person.burst(["1", "p"])
        await person.until(lambda: any("Undo (f8)" in notice for notice in person.notices))


async def an_act_that_works_everywhere_clashes_with_every_view(person: Any, config: Path) -> None:
    await at(person, 'app.keymap."app.help"')
    await person.burst(["e", *"x"])
    await person.until(lambda: "memory.forget" in person.screen)
    await person.until(lambda: "profile.retire" in person.screen)
    await person.burst(["backspace", *"1,escape"])
    await person.until(lambda: "opens deck everywhere" in person.screen)
    await person.until(lambda: "leads back everywhere" in person.screen)
    await person.burst(["escape"])


async def the_key_that_says_yes_is_given_to_no_act_that_asks(person: Any, config: Path) -> None:
    await at(person, 'app.keymap."profile.clear"')
    await person.burst(["e", *"f7,y", "enter"])
    await person.until(lambda: "y is the yes that it asks for" in person.screen)
    await person.burst([*["backspace"] * 2, "enter"])
    await person.until(lambda: '"profile.clear" = "f7"' in config.read_text())
    await at(person, 'app.keymap."profile.retire"')
    await person.burst(["e", "y", "enter"])
    await person.until(lambda: '"profile.retire" = "y"' in config.read_text())


async def test_what_the_settings_promise(open_app: Any, config: Path, promises: Any):
    async with open_app(view="settings") as person:
        await promises.hold(
            person,
            a_number_is_asked_for_checked_at_the_field_written_and_taken_back,
            esc_in_the_field_changes_nothing,
            arrows_walk_through_what_a_value_may_be,
            a_switch_turns_and_x_gives_the_default_back,
            an_act_that_works_everywhere_clashes_with_every_view,
            the_key_that_says_yes_is_given_to_no_act_that_asks,
        )
