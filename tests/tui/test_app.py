"""The app around its views: mouse, settings, themes, keys, errors, starting and leaving."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from textual.filter import NoColor
from textual.widgets import Input, Static

from memdeck import MemoryCoordinator, NotFound
from memdeck.tui.app import MemoryApp

from .views import VIEWS


async def test_the_notice_never_covers_the_row_one_works_on(open_app: Any, core: MemoryCoordinator):
    fill(core, 40)
    async with open_app(size=(60, 20)) as person:
        for key in ("p", "G", "p", "g"):
            await person.press(key)
            await person.rest()
            await person.until(lambda: row_under_the_cursor(person).endswith("now"))
            await person.rest()
        await person.press("G")
        await person.pilot.resize_terminal(80, 16)
        await person.rest()
        await person.until(lambda: row_under_the_cursor(person).endswith("now"))


def row_under_the_cursor(person: Any) -> str:
    """The cursor's row as it stands on the screen, to its last column."""
    line: str = person.screen.splitlines()[person.deck.memories.cursor_y]
    return line.rstrip("│█▁▂▃▄▅▆▇ ")


def fill(core: MemoryCoordinator, count: int) -> None:
    """So many memories, the newest with the highest number."""
    core.import_memories(
        {"content": f"Memory number {n} of a long list of things to keep in mind."}
        for n in range(count)
    )


@pytest.mark.painted
async def test_hundreds_of_rows_are_read_page_by_page(open_app: Any, core: MemoryCoordinator):
    fill(core, 400)
    async with open_app() as person:
        await person.press("G")
        await person.rest()
        assert "400 of 400" in person.screen
        assert "Memory number 0 " in person.here
        await person.press("A")
        await person.until(lambda: "400 marked" in person.screen)


# -- the footer tells the truth


async def test_the_footer_shows_only_keys_that_work_now(open_app: Any, harbour: Any):
    async with open_app() as person:
        assert "r Restore" not in person.screen
        await person.press("/")
        await person.rest()
        footer = person.screen.splitlines()[-1]
        assert "tab Complete" in footer
        assert "x Forget" not in footer
        assert "F1 Help" in footer  # `?` would only be typed


async def test_a_view_has_the_focus_at_once_so_that_waiting_keys_are_no_text(
    open_app: Any, harbour: Any, subtests: Any
):
    async with open_app() as person:
        for view, key in (("deck", "1"), ("audit", "5")):
            with subtests.test(view=view):
                await person.burst([key])
                await person.until(lambda view=view: person.app.stage.current == view)
                await person.rest()
                shown = person.app.stage.view(view)
                field = shown.query(Input).first()
                person.app.screen.set_focus(field)
                shown.focus_main()
                assert person.app.focused is not field
                await person.press("3")
                await person.until(lambda: person.app.stage.current == "conflicts")
                assert field.value == ""


async def test_the_lines_of_help_fit_its_width(open_app: Any, harbour: Any, subtests: Any):
    async with open_app(size=(60, 20)) as person:
        for size in ((60, 20), (80, 24), (100, 30)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.press("?")
                await person.until(lambda: person.dialog() == "HelpScreen")
                await person.rest()
                page = person.app.screen.query_one("#help-page", Static)
                lines = str(page.render()).splitlines()
                assert page.size.height == len(lines)  # no line is wrapped again
                await person.press("escape")
                await person.until(lambda: person.dialog() == "Screen")


async def test_keys_without_a_memory_are_dimmed_with_the_reason(open_app: Any):
    async with open_app() as person:
        keys = person.app.query_one("Keys")
        shown = dict(keys.shown())
        assert not shown["x"].enabled
        assert shown["c"].enabled
        assert person.deck.why_not("edit") == "There is no memory here."
        await person.press("c")
        await person.until(lambda: person.dialog() == "EditMemory")
        assert person.notices == []
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        await person.press("x", "x", "e")
        await person.rest()
        assert person.notices == ["There is no memory here."]  # said once


# -- settings, themes, colours


def config(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(text)


async def test_theme_glyphs_and_keys_come_from_the_settings(
    open_app: Any, harbour: Any, pinned_tide: Any, home_path: Path
):
    config(
        home_path,
        '[app]\ntheme = "memdeck-light"\nascii_glyphs = true\n'
        '[app.keymap]\n"memory.forget" = "delete"\n"no.such" = "k"\n"memory.pin" = "what ever"\n',
    )
    async with open_app() as person:
        assert person.app.theme == "memdeck-light"
        assert "★" not in person.screen
        assert "*" in person.screen
        assert any("no act is called no.such" in notice for notice in person.notices)
        assert any("is no key" in notice for notice in person.notices)
        await person.press("x")
        await person.rest()
        assert len(person.titles) == 5
        await person.press("delete")
        await person.until(lambda: len(person.titles) == 4)
        await person.rest()


async def test_a_setting_that_does_not_exist_is_said_once_and_the_others_count(
    open_app: Any, harbour: Any, home_path: Path
):
    config(
        home_path, 'auto_memory = false\n[app]\nglyphs = "x"\ntheme = "memdeck-light"\nmotion = 3\n'
    )
    async with open_app() as person:
        assert person.app.theme == "memdeck-light"
        assert sum("`app.glyphs` is no setting" in notice for notice in person.notices) == 1
        assert sum("`app.motion` is 3, but" in notice for notice in person.notices) == 1
        assert len(person.titles) == 5
        await person.until(lambda: "auto-memory off" in person.screen)  # the header


async def test_broken_settings_are_a_notice_and_never_a_refusal(
    open_app: Any, harbour: Any, home_path: Path
):
    config(home_path, "[app\ntheme = 3")
    async with open_app(theme="no-such-theme") as person:
        assert person.app.theme == "memdeck-dark"
        assert any("config.toml" in notice for notice in person.notices)
        assert any("no-such-theme" in notice for notice in person.notices)
        assert len(person.titles) == 5


async def test_without_colour_the_cursor_is_still_seen(
    open_app: Any, harbour: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_app() as person:
        assert any(isinstance(one, NoColor) for one in person.app._filters)
        strip = person.deck.memories.render_line(0)
        assert any(segment.style and segment.style.reverse for segment in strip)


async def test_a_theme_chosen_in_the_app_is_there_again_next_time_and_textuals_own_are_like_ours(
    open_app: Any, harbour: Any, home_path: Path
):
    async with open_app() as person:
        person.app.action_theme()
        await person.until(lambda: person.dialog() == "ThemePicker")
        await person.burst(["end"])
        await person.until(lambda: person.app.theme == "atom-one-light")
        assert "catppuccin-latte" in person.screen
        await person.burst(["k", "enter"])
        await person.until(lambda: person.dialog() == "Screen")
        await person.rest()
    async with open_app() as person:
        assert person.app.theme == "atom-one-dark"
    config(home_path, '[app]\ntheme = "catppuccin-macchiato"\n')
    async with open_app() as person:
        assert person.app.theme == "catppuccin-macchiato"
        assert "pinned" in person.app.current_theme.variables


async def test_a_theme_of_ones_own_stands_before_textuals_of_that_name(
    open_app: Any, home_path: Path, harbour: Any
):
    (home_path / "themes").mkdir()
    (home_path / "themes" / "nord.toml").write_text('primary = "#123456"\n')
    async with open_app(theme="nord") as person:
        person.app.action_theme()
        await person.until(lambda: person.dialog() == "ThemePicker")
        assert person.app.current_theme.primary == "#123456"


UNICODE, ASCII = "▌", ">"  # what stands before the row that one is in
LOCALES: tuple[tuple[dict[str, str], str, str], ...] = (
    ({}, "", UNICODE),
    ({"LANG": "en_US.UTF-8", "LC_ALL": "C"}, "", ASCII),
    ({"LANG": "de_DE.UTF-8"}, "", UNICODE),
    ({"LANG": "de_DE@euro"}, "", ASCII),
    ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "", ASCII),  # what Python makes of LANG=C
    ({"LANG": "C.UTF-8", "LC_CTYPE": "C.UTF-8"}, "", UNICODE),
    ({"LC_ALL": "POSIX"}, "ascii_glyphs = false", UNICODE),
    ({"LC_ALL": "C.utf8"}, "ascii_glyphs = true", ASCII),
    ({"LC_ALL": "C"}, "compact_list = true", ASCII),
)


async def test_signs_are_ascii_where_the_locale_is_and_nothing_else_was_set(
    open_app: Any, harbour: Any, home_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: Any
):
    for number, (locale, written, bar) in enumerate(LOCALES):
        with subtests.test(locale=locale, config=written), monkeypatch.context() as there:
            for name, value in locale.items():
                there.setenv(name, value)
            config(home_path, f"[app]\n{written}\n")
            assert MemoryApp(str(home_path), "harbour").glyphs.bar == bar
            if number < 2:  # one of each kind is looked at
                async with open_app(view="deck") as person:
                    assert {"▌", ">"} & set(person.screen) == {bar}


# -- starting, failing, leaving


async def test_a_link_opens_the_memory_it_names(open_app: Any, harbour: Any):
    async with open_app(select=harbour["queue"].id) as person:
        await person.until(lambda: person.here == harbour["queue"].title)
    async with open_app(select=harbour["queue"].id, query="staging") as person:
        await person.until(lambda: person.here == harbour["queue"].title)


async def test_a_link_to_a_memory_that_is_gone_is_said(open_app: Any, harbour: Any):
    async with open_app(select="nosuchmemory0000") as person:
        await person.until(lambda: any("nosuchmemory0000" in n for n in person.notices))
        await person.until(lambda: len(person.titles) == 5)


async def test_a_link_to_a_retired_memory_finds_it_among_the_retired(
    open_app: Any, harbour: Any, forgotten_queue: Any
):
    async with open_app(select=harbour["queue"].id) as person:
        await person.until(lambda: person.here == harbour["queue"].title)
        assert person.deck.box.text == "is:retired"


@pytest.fixture
def newer_store(core: MemoryCoordinator, harbour: Any, home_path: Path) -> None:
    """A store that a newer memdeck wrote."""
    core.close()
    with sqlite3.connect(home_path / "memory.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


class Listening(MemoryApp):
    """The app, with what it tells the person written down."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.told: list[str] = []

    def notify(self, message: str, **named: Any) -> None:
        self.told.append(message)
        super().notify(message, **named)


async def test_a_store_that_cannot_be_opened_says_what_to_do(
    newer_store: Any, home_path: Path, clock: Any
):
    app = Listening(str(home_path), "harbour", clock=clock)
    async with app.run_test(size=(120, 35), notifications=True) as pilot:
        end = time.monotonic() + 60
        while "Upgrade memdeck" not in app.export_screenshot().replace("&#160;", " "):
            assert time.monotonic() < end
            await pilot.pause(0.01)
        assert app.is_running
        assert len(app.told) == 1  # said once, although four lanes stumbled


async def test_q_leaves_at_once_even_while_a_query_runs(open_app: Any, harbour: Any):
    async with open_app() as person:

        @person.app.run_worker
        async def endless() -> None:
            await person.app.search.run(
                lambda core: core._store.connection.execute(
                    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
                    " SELECT count(*) FROM n"
                ).fetchall()
            )

        await person.until(lambda: person.app.search._running is not None)
        await person.press("q")
        await person.until(lambda: not person.app.is_running)  # the query would never end


async def test_cancelling_the_waiter_stops_the_query_and_nothing_else(
    home_path: Path, core: MemoryCoordinator
):
    import asyncio

    app = MemoryApp(str(home_path), "harbour")
    lane = app.search
    endless = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    )
    waiting = asyncio.create_task(
        lane.run(lambda core: core._store.connection.execute(endless).fetchall())
    )
    while lane._running is None:
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await lane.run(lambda core: core.last_seq()) == 0  # the lane goes on
    app.lanes.close()
    app.lanes.close()


@pytest.fixture
def other_project(home_path: Path, clock: Any, harbour: Any) -> None:
    """A second project in the same store."""
    with MemoryCoordinator.open(home_path, "lighthouse", clock=clock) as core:
        core.remember("The lamp turns once in eleven seconds.")


async def test_another_project_is_chosen_from_a_menu(open_app: Any, other_project: Any):
    async with open_app() as person:
        assert not any("lamp" in title for title in person.titles)
        person.app.action_project()
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("j", "enter")
        await person.until(lambda: ["lamp" in title for title in person.titles] == [True])
        await person.until(lambda: "lighthouse" in person.screen)
        await person.rest()


async def test_n_walks_the_matches_while_reading(open_app: Any, core: Any, long_text: Any):
    async with open_app(query="needle", size=(80, 24)) as person:
        await person.press("enter")
        await person.until(lambda: person.deck.detail.has_focus)
        await person.rest()
        await person.press("n")
        await person.rest()
        first = person.deck.detail.scroll_offset.y
        await person.press("n", "n")
        await person.rest()
        assert person.deck.detail.scroll_offset.y > first
        assert "needle" in person.screen
        await person.press("N")
        await person.rest()
        assert person.dialog() == "Screen"


@pytest.fixture
def long_text(core: MemoryCoordinator) -> None:
    """A memory of many lines, three of which hold a needle."""
    lines = [f"Line {n} of hay." + (" A needle." if n % 12 == 5 else "") for n in range(36)]
    core.remember("\n".join(lines))


async def test_news_that_come_while_the_app_leaves_are_no_error(open_app: Any):
    """The look for others' changes may come back when the screen is gone already."""
    async with open_app() as person:
        app = person.app
        assert app.navigation.has_stage
    assert not app.navigation.has_stage
    app.news.tell(lambda: pytest.fail("there is nobody to be told"))


async def test_an_answer_that_comes_while_the_app_leaves_is_no_error(
    open_app: Any, harbour: Any, subtests: Any
):
    """Parts of a view are taken down before the view, and with it what it has begun."""
    async with open_app() as person:
        for name in VIEWS:
            with subtests.test(view=name):
                await person.app.action_view(name)
                await person.until(lambda name=name: person.app.view == name)
                await person.rest()
                view = person.app.stage.shown
                for pane in view.query(".pane"):
                    await pane.remove()
                await person.app.news.wrote(())
                await person.rest()
                assert view.is_attached


FOURTH = "Fourth. Look. [@click=app.setup('messages')]Details (f2)[/]"


async def test_one_notice_stands_at_a_time_whoever_gives_it_once_it_was_read(
    open_app: Any, harbour: Any
):
    async with open_app(size=(60, 20)) as person:
        app = person.app
        app.notices.toast("Zeroth.")
        app.notify("First.")  # what comes before a notice was read stands beside it
        await person.until(lambda: person.notices == ["Zeroth.", "First."])
        app.clear_notifications()
        app.notices.READ_SECONDS = 0.0  # each was read when the next comes
        app.notices.toast("First.")
        app.notify("Second.")
        app.notices.warn("Third", ["one", "two"])
        app.notices.report(NotFound("Fourth.", hint="Look."))
        await person.until(lambda: person.notices == [FOURTH])
        await person.press("p")
        await person.until(lambda: any("Pinned" in one for one in person.notices))
        assert len(person.notices) == 1


async def test_the_notice_of_an_act_takes_the_place_of_those_before(open_app: Any, harbour: Any):
    """They offer to undo what is not the newest act any more, and would cover a dialog."""
    async with open_app() as person:
        for word in ("Pinned", "Unpinned", "Undid unpin"):
            await person.press("u" if word.startswith("Undid") else "p")
            await person.until(lambda word=word: any(word in one for one in person.notices))
            assert len(person.notices) == 1
        person.app.notices.READ_SECONDS = 0.0  # it was read when the dialog comes
        await person.press("e")
        await person.until(lambda: person.dialog() == "EditMemory")
        assert not person.notices


async def test_undo_counts_what_was_changed_and_not_what_that_contradicts(
    open_app: Any, core: MemoryCoordinator
):
    core.remember("Use tabs for indentation, never spaces.", category="preference")
    made = core.remember("Use spaces for indentation, never tabs.", category="preference")
    assert len(core.audit(memory=made.memory_id)[0].memories) == 2  # it contradicts the first
    async with open_app() as person:
        await person.press("u")
        await person.until(lambda: any("Undid" in one for one in person.notices))
        assert "Use spaces" in person.notices[0]
        assert "2 memories" not in person.notices[0]
