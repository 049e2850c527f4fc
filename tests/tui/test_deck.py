"""The Deck: what a person does there all day, by keys only, over a real store."""

import re
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor

from .agents_bench import HOSTS, Machine, an_agent, marks


async def the_newest_memory_stands_on_top_and_is_shown_in_full(person: Any, harbour: Any) -> None:
    assert person.here == harbour["tide"].title
    assert len(person.titles) == 5
    assert "six in the morning" in person.screen
    assert "harbour  5 " in person.screen


async def test_an_empty_store_says_what_this_place_is_for(open_app: Any):
    async with open_app() as person:
        assert "Nothing is remembered for harbour yet." in person.screen
        assert "connect your agents" in person.screen
        assert "memdeck demo" in person.screen
        assert "older folder" not in person.screen


@pytest.fixture
def ships(open_core: Any, tmp_path: Path) -> Path:
    """A folder that had another name when something was remembered there."""
    (tmp_path / "boats").mkdir()
    open_core(str(tmp_path / "boats")).remember("Boats are moored at pier C")
    return (tmp_path / "boats").rename(tmp_path / "ships")


async def test_a_renamed_folder_is_told_of_what_it_had(open_app: Any, ships: Path):
    async with open_app(project=str(ships)) as person:
        await person.until(lambda: "list has 1 memory of an older folder" in person.screen)


@pytest.mark.parametrize(
    ("agents", "steps"),
    [
        ((), "□□□"),
        ((an_agent("codex", scopes=("user",)),), "✓□□"),
        ((an_agent("claude", scopes=("user",), events=marks(2, None)),), "✓✓□"),
    ],
)
async def test_the_first_run_shows_three_steps_done_or_not(
    open_app: Any, tmp_path: Any, agents: Any, steps: str
):
    texts = ("connect your agents", "work with one", "keep the first memory")
    states = {host: an_agent(host) for host in HOSTS} | {one.host: one for one in agents}
    async with open_app(agents=Machine(tmp_path, tuple(states.values()))) as person:
        if not agents:  # nobody is connected, and nobody was asked yet
            await person.until(lambda: "Welcome to memdeck" in person.screen)
            await person.press("escape")
        await person.until(
            lambda: all(
                f"{sign} {text}" in person.screen for sign, text in zip(steps, texts, strict=True)
            )
        )
        if steps == "✓✓□":
            await person.burst(["c", *"Tides come from the harbour office.", "f2"])
            await person.until(lambda: len(person.titles) == 1)
            assert "keep the first memory" not in person.screen


async def typing_searches_and_highlights(person: Any, harbour: Any) -> None:
    await person.press("/")
    await person.type("timeout")
    await person.until(lambda: person.deck.finder.asked.text == "timeout")
    await person.rest()

    assert person.titles == [harbour["queue"].title]
    assert "1 of 5" in person.screen
    assert "best match first" in person.screen


async def escape_clears_the_query_and_goes_to_the_list(person: Any) -> None:
    await person.press("/")
    await person.type("timeout")
    await person.rest()
    await person.press("enter")
    await person.until(lambda: person.deck.memories.has_focus)
    assert person.deck.box.text == "timeout"
    await person.press("escape")
    await person.until(lambda: person.deck.box.text == "")
    await person.rest()
    assert len(person.titles) == 5

    await person.press("/", "q", "escape")
    await person.until(lambda: person.deck.memories.has_focus)
    await person.rest()
    assert person.deck.box.text == ""
    assert len(person.titles) == 5

    await person.press("escape", "escape")  # never quits
    await person.rest()
    assert person.app.is_running


async def the_cursor_stays_on_its_memory_when_the_query_changes(person: Any, harbour: Any) -> None:
    await person.press("j", "j")
    await person.rest()
    before = person.here
    await person.burst("/tag:harbour")
    await person.rest()
    assert person.here == before == harbour["staging"].title


async def another_query_begins_at_its_best_hit(person: Any, harbour: Any) -> None:
    await person.press("G")
    await person.burst("/queue staging")
    await person.rest()
    assert sorted(person.titles) == sorted(harbour[one].title for one in ("queue", "staging"))
    assert person.here == person.titles[0]


async def pin_is_a_toggle_that_can_be_undone(person: Any, harbour: Any) -> None:
    tide = harbour["tide"].id
    await person.press("p")
    await person.until(lambda: "★" in person.screen)
    await person.rest()
    assert (await person.store(lambda core: core.show(tide))).status == "pinned"
    assert any("Pinned" in notice for notice in person.notices)

    await person.press("p")
    await person.until(lambda: any("Unpinned" in notice for notice in person.notices))
    await person.rest()
    assert (await person.store(lambda core: core.show(tide))).status == "confirmed"

    await person.press("u")
    await person.until(lambda: any("Undid" in notice for notice in person.notices))
    await person.rest()
    assert (await person.store(lambda core: core.show(tide))).status == "pinned"


async def forget_takes_the_row_away_and_undo_brings_it_back(person: Any, harbour: Any) -> None:
    await person.press("j", "x")
    await person.until(lambda: len(person.titles) == 4)
    await person.rest()
    assert harbour["deploy"].title not in person.titles
    assert person.here == harbour["staging"].title  # the cursor stays in its place

    await person.press("u")
    await person.until(lambda: len(person.titles) == 5)
    await person.rest()
    assert not (await person.store(lambda core: core.show(harbour["deploy"].id))).retired_as

    await person.press("ctrl+r")
    await person.until(lambda: len(person.titles) == 4)
    await person.rest()


async def test_a_retired_memory_can_be_found_and_restored(
    open_app: Any, harbour: Any, forgotten_queue: Any
):
    async with open_app(query="is:retired") as person:
        await person.until(lambda: person.titles == [harbour["queue"].title])
        assert "forgotten" in person.screen
        await person.press("r")
        await person.until(lambda: not person.titles)
        await person.rest()
        assert (await person.store(lambda core: core.show(harbour["queue"].id))).is_live


async def test_marks_survive_another_query_and_acts_apply_to_them(open_app: Any, harbour: Any):
    async with open_app() as person:
        await person.press("space", "space")
        await person.until(lambda: "2 marked" in person.screen)
        await person.rest()
        await person.press("/")
        await person.type("timeout")
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.deck.memories.has_focus)
        assert "2 marked" in person.screen
        await person.press("x")
        await person.until(lambda: any("Forgot 2 memories" in n for n in person.notices))
        await person.rest()
        assert not person.deck.memories.marks.keys

        left = await person.store(lambda core: [memory.title for memory in core.list()])
        assert sorted(left) == sorted(harbour[name].title for name in ("retry", "queue", "staging"))
        entries = await person.store(lambda core: core.audit(action="forget"))
        assert len(entries) == 1  # one act, one undo


async def range_all_and_invert(person: Any) -> None:
    memories = person.deck.memories
    shown = [*memories.keys]
    for key, marked in (
        *(("G", []), ("space", [4]), ("g", [4])),
        *(("v", [0, 4]), ("j", [0, 1, 4]), ("j", [0, 1, 2, 4]), ("k", [0, 1, 4])),  # its end moves
        *(("v", [0, 1, 4]), ("j", [0, 1, 4])),  # it stays as it is
        *(("*", [2, 3]), ("A", [0, 1, 2, 3, 4])),
    ):
        await person.press(key)
        await person.rest()
        assert memories.marks.keys == {shown[row] for row in marked}, key
        assert not marked or f"{len(marked)} marked" in person.screen
    await person.press("escape")
    await person.rest()
    assert not memories.marks.keys


async def what_an_act_would_touch_is_said_before_it_is_done(person: Any) -> None:
    await person.press("A")
    await person.until(lambda: "5 marked: 1 pinned" in person.screen)


async def facets_count_and_put_their_token_into_the_box(person: Any, harbour: Any) -> None:
    await person.press("f")
    await person.until(lambda: person.deck.facets.has_focus)
    while person.deck.facets.current.value != "pinned":
        await person.press("j")
        await person.rest()
    assert person.deck.facets.current.count == 1
    await person.press("enter")
    await person.until(lambda: person.deck.box.text == "status:pinned")
    await person.rest()
    assert person.titles == [harbour["tide"].title]

    await person.press("enter")  # again: out of the query
    await person.until(lambda: person.deck.box.text == "")
    await person.rest()

    await person.press("-")
    await person.until(lambda: person.deck.box.text == "-status:pinned")
    await person.rest()
    assert len(person.titles) == 4


async def test_what_a_pinned_memory_promises(
    open_app: Any, harbour: Any, pinned_tide: Any, promises: Any
):
    async with open_app() as person:
        await promises.hold(
            person,
            what_an_act_would_touch_is_said_before_it_is_done,
            facets_count_and_put_their_token_into_the_box,
        )


async def tab_completes_keys_and_values(person: Any) -> None:
    await person.press("/")
    await person.type("sta")
    await person.rest()
    await person.press("tab")
    await person.until(lambda: person.deck.box.text == "status:")
    await person.until(lambda: person.deck.box.has_offers)
    await person.until(lambda: "status:confirmed" in person.screen)
    await person.rest()
    await person.press("tab")
    await person.until(lambda: person.deck.box.text == "status:confirmed ")
    await person.rest()


async def an_unknown_key_names_the_nearest_and_tab_takes_it(person: Any) -> None:
    await person.press("/")
    await person.type("statsu:confirmed")
    await person.until(lambda: "No key is called" in person.screen)
    await person.rest()
    await person.press("tab")
    await person.until(lambda: person.deck.box.text.strip() == "status:confirmed")
    await person.rest()
    assert len(person.titles) == 5
    await person.press("escape")
    await person.press("/")
    await person.type("typ:semantic tide")
    await person.until(lambda: "No key is called" in person.screen)
    await person.rest()
    await person.press("tab")
    await person.until(lambda: person.deck.box.text == "type:semantic tide")
    await person.type("s")  # where one was
    assert person.deck.box.text == "type:semantic tides"


async def the_history_of_queries_comes_back_with_the_arrows(person: Any) -> None:
    for words in ("timeout", "staging"):
        await person.press("/", "ctrl+u")
        await person.rest()
        await person.type(words)
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.deck.memories.has_focus)
        await person.rest()
    await person.press("/", "ctrl+u")
    await person.rest()
    await person.press("up")
    await person.until(lambda: person.deck.box.text == "staging")
    await person.press("up")
    await person.until(lambda: person.deck.box.text == "timeout")
    await person.press("down", "down")
    await person.until(lambda: person.deck.box.text == "")
    await person.rest()


async def test_nothing_found_offers_what_would_find_something(
    open_app: Any, harbour: Any, forgotten_queue: Any
):
    async with open_app() as person:
        await person.press("/")
        await person.type("timeout")
        await person.until(lambda: "Nothing matches." in person.screen)
        await person.until(lambda: "1 retired memory" in person.screen)
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.deck.memories.has_focus)
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.titles == [harbour["queue"].title])
        assert "is:retired" in person.deck.box.text
        await person.rest()


async def a_typing_mistake_is_one_key_from_what_was_meant(person: Any, harbour: Any) -> None:
    await person.press("/")
    await person.type("timeuot")
    await person.until(lambda: "did you mean" in person.screen)
    await person.rest()
    await person.press("enter")
    await person.until(lambda: person.deck.memories.has_focus)
    await person.rest()
    await person.press("enter")
    await person.until(lambda: person.titles == [harbour["queue"].title])
    await person.rest()


async def test_other_words_are_one_key_away(open_app: Any, core: Any):
    core.remember("Install with pnpm, and with nothing else")
    async with open_app() as person:
        await person.press("/")
        await person.type("package manager")
        await person.until(lambda: "other words  pnpm 1" in person.screen)
        await person.press("enter", "enter")
        await person.until(lambda: person.deck.box.text == "pnpm")
        await person.until(lambda: person.titles == ["Install with pnpm, and with nothing else"])
        await person.press("w")
        await person.until(lambda: "has your word pnpm" in person.screen)
        await person.rest()


async def the_order_is_chosen_from_a_menu_and_stands_in_the_box(person: Any, harbour: Any) -> None:
    await person.press("j")
    await person.rest()
    before = person.here
    await person.press("o")
    await person.until(lambda: person.dialog() == "Menu")
    await person.press("j", "enter")
    await person.until(lambda: person.deck.box.text == "sort:-created")
    await person.rest()
    assert person.titles[0] == harbour["retry"].title
    assert person.here == before
    assert "oldest first" in person.screen


@pytest.mark.parametrize("size", [(80, 24), (120, 35)])
async def test_why_adds_up_and_names_the_next(open_app: Any, harbour: Any, size: tuple[int, int]):
    async with open_app(query="retries attempts", size=size) as person:
        await person.press("w")
        await person.until(lambda: "why" in person.screen and "score" in person.screen)
        assert "because    has both words" in person.screen


@pytest.mark.parametrize("size", [(80, 24), (120, 35)])
async def test_history_shows_what_happened(
    open_app: Any, harbour: Any, pinned_tide: Any, size: tuple[int, int]
):
    async with open_app(size=size) as person:
        await person.press("H")
        await person.until(lambda: "history  2 entries" in person.screen)
        await person.rest()


async def brackets_walk_while_reading(person: Any, harbour: Any) -> None:
    await person.press("enter")
    await person.until(lambda: person.deck.detail.has_focus)
    await person.rest()
    await person.press("]")
    await person.rest()
    assert person.here == harbour["deploy"].title
    assert person.deck.detail.has_focus
    await person.press("[")
    await person.rest()
    assert person.here == harbour["tide"].title


async def zoom_gives_a_pane_all_the_room(person: Any) -> None:
    await person.press("z")
    await person.rest()
    assert "─ Facets" not in person.screen
    assert "tide tables" in person.screen.lower()
    await person.press("escape")
    await person.rest()
    assert "─ Facets" in person.screen


async def test_in_a_narrow_terminal_the_memory_takes_the_place_of_the_list(
    open_app: Any, harbour: Any
):
    async with open_app(size=(60, 20)) as person:
        await person.press("j", "enter")
        await person.until(lambda: person.deck.detail.has_focus)
        await person.rest()
        assert "confidence" in person.screen
        assert "newest first" not in person.screen
        await person.press("escape")
        await person.rest()
        assert "newest first" in person.screen
        assert person.here == harbour["deploy"].title

        await person.press("f")
        await person.until(lambda: person.deck.facets.has_focus)
        assert "category" in person.screen
        await person.press("escape")
        await person.rest()
        assert person.deck.memories.has_focus


async def views_and_the_way_back(person: Any, harbour: Any) -> None:
    await person.press("j")
    await person.press("5")
    await person.until(lambda: person.app.view == "audit")
    await person.rest()
    await person.press("backspace")
    await person.until(lambda: person.app.view == "deck")
    await person.rest()
    assert person.here == harbour["deploy"].title


async def test_what_the_deck_promises(open_app: Any, harbour: Any, promises: Any):
    async with open_app() as person:
        await promises.hold(
            person,
            the_newest_memory_stands_on_top_and_is_shown_in_full,
            typing_searches_and_highlights,
            escape_clears_the_query_and_goes_to_the_list,
            the_cursor_stays_on_its_memory_when_the_query_changes,
            another_query_begins_at_its_best_hit,
            pin_is_a_toggle_that_can_be_undone,
            forget_takes_the_row_away_and_undo_brings_it_back,
            range_all_and_invert,
            tab_completes_keys_and_values,
            an_unknown_key_names_the_nearest_and_tab_takes_it,
            the_history_of_queries_comes_back_with_the_arrows,
            a_typing_mistake_is_one_key_from_what_was_meant,
            the_order_is_chosen_from_a_menu_and_stands_in_the_box,
            brackets_walk_while_reading,
            zoom_gives_a_pane_all_the_room,
            views_and_the_way_back,
        )


async def test_the_detail_says_how_sure_a_memory_is_and_who_said_it(open_app: Any, core: Any):
    path = f"src/{'quayside/' * 8}domain/waitlist.py"
    core.remember("The harbour office opens at seven", files=[path])
    core.import_memories([{"content": "The quay lamps burn until four in the morning"}])
    async with open_app(size=(200, 50)) as person:
        await person.until(lambda: len(person.titles) == 2)
        await person.rest()
        seen = [person.screen]
        await person.burst("j")
        await person.rest()
        seen.append(person.screen)
        assert sum("the person's · said by a person" in one for one in seen) == 1
        assert sum("established · imported" in one for one in seen) == 1
        parts = re.findall(r"[\w/.]*quayside/[\w/.]*", "\n".join(seen))
        assert len(parts) > 1  # a path is broken between its parts
        assert all(part.endswith(("/", "waitlist.py")) for part in parts)


@pytest.mark.painted
async def test_a_key_paints_its_two_rows_and_all_else_comes_when_one_rests(
    open_app: Any, harbour: Any, monkeypatch: pytest.MonkeyPatch
):
    painted: list[set[int]] = []  # the lines of the screen that each paint was for
    paint = Compositor.render_partial_update

    def noted(compositor: Compositor) -> Any:
        painted.append({y for one in compositor._dirty_regions for y in one.line_range})
        return paint(compositor)

    async with open_app() as person:
        monkeypatch.setattr(Compositor, "render_partial_update", noted)
        region = person.deck.memories.region
        await person.press("j")
        await person.until(lambda: painted)
        assert painted[0] <= set(range(region.y, region.y + 4))  # two rows of two lines
        await person.until(lambda: "2 of 5" in person.screen)
        await person.until(lambda: person.deck.detail.shown.memory.id == harbour["deploy"].id)
        await person.until(lambda: region.bottom in set().union(*painted))  # the foot followed
