"""Writing and changing memories from the Deck."""

import asyncio
import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from memdeck.tui.app import MemoryApp


async def e_edits_in_a_form_and_u_takes_it_back(person: Any, harbour: Any) -> None:
    tide = harbour["tide"]
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    assert person.app.screen.query_one(TextArea).text == tide.content
    person.app.screen.query_one("#edit-importance", Input).value = "9"
    await person.press("f2")
    await person.until(lambda: any("Saved" in notice for notice in person.notices))
    await person.rest()
    saved = await person.store(lambda core: core.show(tide.id))
    assert round(saved.importance, 2) == 0.89
    assert saved.title == tide.title
    assert saved.origin == tide.origin  # where it was learned survives
    assert "9/10" in person.screen

    await person.press("u")
    await person.until(lambda: any("Undid" in notice for notice in person.notices))
    await person.rest()
    back = await person.store(lambda core: core.show(tide.id))
    assert back.importance == tide.importance


async def a_mistake_is_said_at_its_field_and_what_is_typed_behind_it_is_for_no_list(
    person: Any,
) -> None:
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    form = person.app.screen
    form.query_one("#edit-importance", Input).value = "eleven"
    form.query_one("#edit-title", Input).value = "Another title"
    before = await person.store(lambda core: core.last_seq())
    await person.burst(["f2", "x", "x"])
    await person.until(lambda: "A whole number from 1 to 10." in person.screen)
    await person.rest()
    assert person.app.screen is form
    assert form.query_one("#edit-importance", Input).has_focus
    assert form.query_one("#edit-title", Input).value == "Another title"
    assert await person.store(lambda core: core.last_seq()) == before
    assert any("what you typed ahead was dropped" in notice for notice in person.notices)


async def test_the_form_says_its_keys_once_and_that_a_title_goes_on(open_app: Any, core: Any):
    core.remember(
        "Tide tables are read at six.", title="The harbour reads " + "very " * 30 + "late"
    )
    async with open_app(size=(80, 24)) as person:
        await person.press("e")
        await person.until(lambda: person.dialog() == "EditMemory")
        await person.rest()
        assert [person.screen.count(words) for words in ("F2", "esc ", "Next field")] == [1, 1, 1]
        line = next(one for one in person.screen.splitlines() if "The harbour reads" in one)
        assert "…" in line
        await person.press("tab")
        await person.rest()
        line = next(one for one in person.screen.splitlines() if " title  " in one)
        assert "…" not in line  # typed in, it shows where the cursor stands


async def the_form_sets_the_privacy(person: Any, harbour: Any) -> None:
    """003-07: its choices are walked through in one burst; another word is refused."""
    tide = harbour["tide"]
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    box = person.app.screen.query_one("#edit-privacy", Input)
    assert box.value == "public"
    box.value = "secret"
    await person.press("f2")
    await person.until(lambda: box.has_focus)
    box.value = "public"
    await person.burst(["down", "down", "f2"])
    await person.until(lambda: any("Saved" in notice for notice in person.notices))
    await person.rest()
    assert (await person.store(lambda core: core.show(tide.id))).privacy == "private"


async def unsaved_edits_are_guarded_on_leaving(person: Any, harbour: Any) -> None:
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    form = person.app.screen
    form.query_one("#edit-title", Input).value = "Half a thought"
    await person.press("escape")
    await person.until(lambda: person.dialog() == "Confirm")
    await person.rest()
    assert "Discard changes  y" in person.screen  # buttons say what they do, and their keys
    assert "Keep editing  n" in person.screen
    await person.press("n")
    await person.until(lambda: person.app.screen is form)
    assert form.query_one("#edit-title", Input).value == "Half a thought"

    await person.press("ctrl+q")  # quitting is guarded as well
    await person.until(lambda: person.dialog() == "Confirm")
    await person.press("y")
    await person.until(lambda: person.dialog() == "Screen")
    await person.rest()
    assert person.here == harbour["tide"].title


async def an_edit_made_elsewhere_meanwhile_is_shown_not_overwritten(
    person: Any, harbour: Any
) -> None:
    tide = harbour["tide"].id
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    form = person.app.screen
    form.query_one("#edit-title", Input).value = "Mine"
    await person.store(lambda core: core.edit(tide, title="Theirs", tags=["elsewhere"]))
    await person.press("f2")
    await person.until(lambda: "Changed elsewhere meanwhile" in person.screen)
    assert "elsewhere: Theirs" in person.screen
    assert form.query_one("#edit-tags", Input).value == "elsewhere"  # taken over
    assert (await person.store(lambda core: core.show(tide))).title == "Theirs"

    await person.press("f2")  # now knowingly
    await person.until(lambda: person.dialog() == "Screen")
    await person.rest()
    merged = await person.store(lambda core: core.show(tide))
    assert (merged.title, merged.tags) == ("Mine", ("elsewhere",))


async def theirs_can_be_taken(person: Any, harbour: Any) -> None:
    tide = harbour["tide"].id
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    form = person.app.screen
    form.query_one(TextArea).text = "Tide tables are read at seven in the morning, by hand."
    theirs = "Tide tables are read at five in the morning, by the script."
    await person.store(lambda core: core.edit(tide, content=theirs))
    await person.press("f2")
    await person.until(lambda: "ctrl+t" in person.screen)
    await person.rest()
    await person.press("ctrl+t")
    await person.until(lambda: form.query_one(TextArea).text == theirs)
    await person.rest()
    await person.press("f2")
    await person.until(lambda: person.dialog() == "Screen")
    await person.rest()


async def n_writes_a_memory_down_and_goes_to_it(person: Any) -> None:
    await person.press("c")
    await person.until(lambda: person.dialog() == "EditMemory")
    await person.type("Crane three is out of order")
    await person.press("tab", "tab", "down")  # title, then type: the first choice
    await person.rest()
    await person.press("enter")
    await person.until(lambda: person.dialog() == "Screen")
    await person.until(lambda: "Crane three" in person.here)
    await person.rest()
    newest = (await person.store(lambda core: core.list(limit=1)))[0]
    assert newest.content == "Crane three is out of order"
    assert newest.type == "episodic"
    assert newest.status == "confirmed"


async def t_adds_and_removes_tags_of_all_that_is_marked(person: Any, harbour: Any) -> None:
    await person.press("A", "t")
    await person.until(lambda: person.dialog() == "Ask")
    await person.type("quay")
    await person.press(" ")
    await person.type("-harbour")
    await person.press("enter")
    await person.until(lambda: any("Tagged 5 memories" in n for n in person.notices))
    await person.rest()
    tags = await person.store(lambda core: [set(memory.tags) for memory in core.list()])
    assert all("quay" in each and "harbour" not in each for each in tags)


async def test_y_copies_in_the_form_chosen_and_says_where_it_went(
    open_app: Any, harbour: Any, subtests: Any
):
    async with open_app() as person:
        for letter, said in (("t", "Tide"), ("m", "## Tide"), ("c", "memdeck --project harbour")):
            with subtests.test(letter=letter):
                person.app.clear_notifications()
                await person.rest()
                await person.press("y")
                await person.until(lambda: person.dialog() == "Menu")
                await person.press(letter)
                await person.until(lambda: bool(person.notices))
                await person.rest()
                assert person.app.clipboard.startswith(said)


async def test_l_goes_to_a_linked_memory_and_backspace_comes_back(
    open_app: Any, harbour: Any, linked: Any
):
    async with open_app() as person:
        await person.press("L")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("enter")
        await person.until(lambda: person.here == harbour["retry"].title)
        await person.rest()
        await person.press("backspace")
        await person.until(lambda: person.here == harbour["tide"].title)
        await person.rest()


# -- $EDITOR


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make $EDITOR a script; the terminal is handed over, as far as a test has one."""
    from contextlib import nullcontext

    from memdeck.tui.app import MemoryApp

    monkeypatch.setattr(MemoryApp, "suspend", lambda app: nullcontext())

    def use(script: str) -> None:
        path = tmp_path / "editor.sh"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o700)
        monkeypatch.setenv("EDITOR", str(path))

    return use


async def test_capital_e_edits_in_the_persons_editor_a_file_that_is_private_and_gone_afterwards(
    open_app: Any, harbour: Any, editor: Any, tmp_path: Path
):
    editor("sed -i 's/^importance: .*/importance: 10/; s/six/seven/' \"$1\"")
    async with open_app() as person:
        await person.press("E")
        await person.until(lambda: any("Saved" in notice for notice in person.notices))
        await person.rest()
        memory = await person.store(lambda core: core.show(harbour["tide"].id))
        assert memory.importance == 1.0
        assert "at seven in the morning" in memory.content
        assert "seven" in memory.title  # made from the text, as before

        editor(f'stat -c %a "$1" "$(dirname "$1")" > {tmp_path}/modes; echo "$1" > {tmp_path}/path')
        await person.press("E")
        await person.until(lambda: any("Nothing was changed" in n for n in person.notices))
    assert (tmp_path / "modes").read_text().split() == ["600", "700"]
    assert not os.path.exists((tmp_path / "path").read_text().strip())


async def test_a_mistake_in_the_editor_offers_the_same_text_again(
    open_app: Any, harbour: Any, editor: Any, tmp_path: Path
):
    seen = tmp_path / "seen"
    editor(
        f'if [ -e {seen} ]; then cp "$1" {seen}.again; sed -i "s/eleven/8/" "$1";'
        f' else cp "$1" {seen}; sed -i "s/^importance: .*/importance: eleven/" "$1"; fi'
    )
    async with open_app() as person:
        await person.press("E")
        await person.until(lambda: person.dialog() == "Menu")
        await person.until(lambda: "A whole number from 1 to 10" in person.screen)
        await person.rest()
        await person.press("e")
        await person.until(lambda: any("Saved" in notice for notice in person.notices))
        await person.rest()
        assert "importance: eleven" in Path(f"{seen}.again").read_text()
        for spoilt in ('sed -i "s/six/nine/" "$1"; exit 3', 'printf "caf\\351" >> "$1"', 'rm "$1"'):
            editor(spoilt)
            await person.press("E")
            if "rm" not in spoilt:
                await person.until(lambda: person.dialog() == "Menu")
                await person.press("d")
        await person.until(lambda: any("left no page. Nothing" in one for one in person.notices))


async def where_no_editor_can_be_opened_the_form_does_the_same(person: Any) -> None:
    await person.press("E")
    await person.until(lambda: person.dialog() == "EditMemory")
    await person.until(lambda: "No editor can be opened here" in person.screen)


async def test_what_the_app_remembers_is_private(open_app: Any, harbour: Any, home_path: Path):
    secret = "ghp_" + "a1B2" * 9
    async with open_app() as person:
        for query in ("queue", secret):
            await person.burst([*f"/{query}", "enter"])
            await person.rest()
        await person.press("q")
        await person.until(lambda: not person.app.is_running)
    left = home_path / "app.json"
    assert stat.S_IMODE(left.stat().st_mode) == 0o600
    kept = json.loads(left.read_text())["queries"]
    assert len(kept) == 2
    assert kept[0] == "queue"
    assert secret not in left.read_text()


async def test_the_view_that_one_left_is_remembered_also_where_the_deck_was_never_opened(
    open_app: Any, harbour: Any, home_path: Path
):
    async with open_app(view="home") as person:
        await person.press("5")
        await person.until(lambda: person.app.view == "audit")
        await person.press("q")
        await person.until(lambda: not person.app.is_running)
    assert json.loads((home_path / "app.json").read_text())["view"] == "audit"


async def test_of_two_that_save_at_once_the_later_stays(
    open_app: Any, harbour: Any, home_path: Path, monkeypatch: pytest.MonkeyPatch
):
    begun, goes_on, ended = threading.Event(), threading.Event(), threading.Event()
    left, real = home_path / "app.json", os.replace

    def slow(draft: str, path: str) -> None:
        if Path(path) != left or '"rows": "two"' in Path(draft).read_text():
            real(draft, path)
            return
        begun.set()
        assert goes_on.wait(60)
        real(draft, path)
        ended.set()

    async with open_app() as person:
        monkeypatch.setattr(os, "replace", slow)
        person.app.last_run.keep(rows="one")
        await person.until(begun.is_set)
        person.app.last_run.keep(rows="two")
        asyncio.get_running_loop().call_later(0.1, goes_on.set)
        await person.until(ended.is_set)
        await person.rest()
        assert json.loads(left.read_text())["rows"] == "two"


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "{}", "\x00", '{"queries": 3, "memories": []}'),
        *('{"skipped": "x"}', '{"skipped": [1, null]}'),
    ],
)
def test_a_file_that_cannot_be_read_counts_as_empty(home_path: Path, content: str):
    home_path.mkdir()
    without = MemoryApp(str(home_path), None).last_run.now
    (home_path / "app.json").write_text(content)
    assert MemoryApp(str(home_path), None).last_run.now == without


async def test_order_and_cursor_survive_a_restart(open_app: Any, harbour: Any):
    async with open_app(query="sort:title") as person:
        await person.press("j")
        await person.rest()
        before = person.here
        await person.press("q")
        await person.until(lambda: not person.app.is_running)
    async with open_app() as person:
        assert person.deck.box.text == "sort:title"
        assert person.here == before


async def the_form_asks_before_every_project_is_told(person: Any, harbour: Any) -> None:
    tide = harbour["tide"].id
    await person.press("e")
    await person.until(lambda: person.dialog() == "EditMemory")
    person.app.screen.query_one("#edit-scope", Input).value = "global"
    await person.press("f2")
    await person.until(lambda: person.dialog() == "Confirm")
    assert "Agents of every project" in person.screen
    await person.press("n")
    await person.until(lambda: person.dialog() == "EditMemory")  # nothing typed is lost
    await person.until(lambda: "not agreed to" in person.screen)
    assert (await person.store(lambda core: core.show(tide))).scope == "project"
    await person.press("f2")
    await person.until(lambda: person.dialog() == "Confirm")
    await person.press("y")
    await person.until(lambda: any("Saved" in one for one in person.notices))
    assert (await person.store(lambda core: core.show(tide))).scope == "global"


async def a_new_memory_for_every_project_is_asked_about_and_a_secret_taken_out(
    person: Any,
) -> None:
    secret = "ghp_" + "a1B2" * 9
    await person.press("c")
    await person.until(lambda: person.dialog() == "EditMemory")
    person.app.screen.query_one(TextArea).text = f"The deploy token is {secret} for now."
    person.app.screen.query_one("#edit-scope", Input).value = "global"
    await person.press("f2")
    await person.until(lambda: person.dialog() == "Confirm")
    await person.press("y")
    await person.until(lambda: any("Remembered" in one for one in person.notices))
    await person.until(lambda: any("Taken out" in notice for notice in person.notices))
    await person.rest()
    assert secret not in person.screen
    assert await person.store(lambda core: core.count("scope:global")) == 1


async def test_what_writing_and_changing_promises(open_app: Any, harbour: Any, promises: Any):
    async with open_app() as person:
        await promises.hold(
            person,
            e_edits_in_a_form_and_u_takes_it_back,
            a_mistake_is_said_at_its_field_and_what_is_typed_behind_it_is_for_no_list,
            the_form_sets_the_privacy,
            unsaved_edits_are_guarded_on_leaving,
            an_edit_made_elsewhere_meanwhile_is_shown_not_overwritten,
            theirs_can_be_taken,
            n_writes_a_memory_down_and_goes_to_it,
            t_adds_and_removes_tags_of_all_that_is_marked,
            where_no_editor_can_be_opened_the_form_does_the_same,
            the_form_asks_before_every_project_is_told,
            a_new_memory_for_every_project_is_asked_about_and_a_secret_taken_out,
        )


@pytest.fixture
def task(open_core: Any) -> Any:
    """A task, and a fact beside it that is none."""
    core = open_core()
    core.remember("The tide feed is read every ten minutes by the pier")
    return core.remember("Renew the certificate of the tide feed", type="prospective").memory_id


async def test_d_ends_a_task_and_nothing_else_and_u_opens_it_again(open_app: Any, task: Any):
    """000-12. Typed in one go."""
    async with open_app() as person:
        await person.burst("Ad")
        await person.until(lambda: any("Done with" in notice for notice in person.notices))
        await person.rest()
        ended = await person.store(lambda core: core.show(task))
        live = await person.store(lambda core: core.list())
        assert (ended.retired_as, ended.details["status"]) == ("completed", "completed")
        assert [memory.type for memory in live] == ["semantic"]

        await person.burst("u")
        await person.until(lambda: any("Undid" in notice for notice in person.notices))
        await person.rest()
        again = await person.store(lambda core: core.show(task))
        assert (again.is_live, again.details["status"]) == (True, "pending")


@pytest.fixture
def everywhere(core: Any, harbour: Any) -> Any:
    """The newest memory, told to every project."""
    return core.show(core.remember("I prefer tabs over spaces", scope="global").memory_id)


async def test_a_key_that_changes_what_every_project_is_told_asks_and_typed_ahead_is_no_yes(
    open_app: Any, everywhere: Any
):
    async with open_app() as person:
        await person.until(lambda: "I prefer tabs" in person.screen)
        for key, answer, retired_as, status in (
            ("p", "n", None, "confirmed"),
            ("p", "y", None, "pinned"),
            ("x", "n", None, "pinned"),
            ("x", "y", "forgotten", "pinned"),
        ):
            person.app.clear_notifications()
            await person.burst([key, "y"])
            await person.until(lambda: person.dialog() == "Confirm")
            await person.rest()
            await person.press(answer)
            await person.until(lambda: person.dialog() != "Confirm")
            await person.until(lambda a=answer: bool(person.notices) or a == "n")
            await person.rest()
            now = await person.store(lambda core: core.show(everywhere.id))
            assert (now.retired_as, now.status) == (retired_as, status)


async def test_taking_back_asks_for_what_every_project_is_told(open_app: Any, everywhere: Any):
    async with open_app() as person:
        await person.press("u")
        await person.until(lambda: person.dialog() == "Confirm")
        assert "no longer be told" in person.screen
        await person.press("y")
        await person.until(lambda: any("Undid" in one for one in person.notices))
        assert await person.store(lambda core: core.count("scope:global")) == 0
