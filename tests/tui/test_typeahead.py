"""What is typed ahead of a dialog waits for it: keys come in one burst, as from a terminal."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.dom import DOMNode
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget
from textual.widgets import Input, TextArea

import memdeck
from memdeck import MemoryCoordinator, Refused
from memdeck.tui.app import MemoryApp

from .agents_bench import Machine, a_busy_machine
from .conflicts_bench import pairs_of
from .conftest import five
from .inbox.story import KNOWN, put_into

TUI = Path(memdeck.__file__).parent / "tui"
DANGEROUS = "xcep"
"""Letters that forget, write, edit or pin when they reach a list."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def busy(laid_out: Any) -> None:
    """Something to act on in every view."""
    laid_out(_busy)


def _busy(core: MemoryCoordinator, clock: Any) -> None:
    harbour = five(core, clock)
    core.remember(KNOWN)
    clock.forward(hours=1)
    put_into(core, "webhook", "tariffs")
    clock.forward(hours=1)
    core.recall("when do deploys go out?", host="claude", session="4f2a9c11-77aa")
    pairs_of(core, clock)
    core.link(harbour["tide"].id, harbour["retry"].id, "extends")
    core.retag([harbour["tide"].id, harbour["retry"].id], add=["both"])  # the newest entry


@dataclass(frozen=True)
class Opens:
    """An act that opens a dialog: where, by which act, which dialog."""

    view: str
    act: str
    dialog: str
    before: str = ""  # keys typed first
    typed: str = DANGEROUS  # keys typed ahead

    def __str__(self) -> str:
        return f"{self.view}-{self.act}"


OPENING = (
    Opens("deck", "memory.edit", "EditMemory"),
    Opens("deck", "memory.new", "EditMemory"),
    Opens("deck", "memory.editor", "EditMemory"),  # where no editor can be had
    Opens("deck", "memory.tags", "Ask"),
    Opens("deck", "memory.copy", "Menu"),
    Opens("deck", "list.sort", "Menu"),
    Opens("deck", "memory.links", "Menu"),
    Opens("deck", "list.group", "Menu"),
    Opens("inbox", "inbox.edit", "EditMemory"),
    Opens("inbox", "inbox.snooze", "Menu"),
    Opens("conflicts", "verdict.both", "Ask"),
    Opens("conflicts", "verdict.merge", "MergeMemories"),
    Opens("conflicts", "conflict.open", "Menu", before="h"),
    Opens("recall", "recall.context", "Menu"),
    Opens("recall", "recall.past", "Menu"),
    Opens("audit", "audit.open", "Menu"),
    Opens("agents", "agents.install", "Menu"),
    Opens("agents", "agents.uninstall", "PlanDialog"),
    Opens("agents", "agents.fix_all", "Confirm"),
    # their other letters turn the switch
    Opens("agents", "switch.auto", "Menu", typed="xn"),
    Opens("agents", "switch.incognito", "Menu", typed="xn"),
    Opens("agents", "setup.welcome", "Welcome"),
    Opens("agents", "setup.extractor", "Menu"),
    Opens("agents", "teaching.reset", "Confirm"),
    Opens("deck", "app.help", "HelpScreen"),
    Opens("deck", "app.command", "Palette"),
)
TINY = (40, 10)
TYPED_INTO = ("EditMemory", "MergeMemories", "Ask", "Palette")
"""Dialogs that take what is typed ahead as text; in others a letter may choose or close."""
ELSEWHERE = {
    *(
        "inbox.merge",
        "app.redo",
        "memory.file",
        "memory.project",
        "health.keep",
        "list.save_view",
        "list.views",
        "list.remove_view",
        "app.digest",
    ),
    *("audit.actor", "audit.action", "audit.memory", "audit.session"),
    *("audit.as_of", "audit.difference"),
}
"""Acts that open a dialog sometimes: they are burst elsewhere."""


def opens_a_dialog(view: str, act: str) -> bool:
    """Whether the act is burst here, in the smallest terminal."""
    return any((one.view, one.act) == (view, act) for one in OPENING)


def keys_of(person: Any, act: str) -> list[str]:
    """The key of an act; one that has none is called by how its name begins."""
    offered = (*MemoryApp.BINDINGS, *person.app.stage.shown.ACTS)
    key = next((one.key.partition(",")[0] for one in offered if one.id == act), "")
    return [key] if key else [":", *act.partition(".")[2][:5], "enter"]


def feed(person: Any, text: str) -> None:
    """What a terminal sends when `text` is typed, through Textual's own parser."""
    for event in XTermParser().feed(text):
        person.app.post_message(event)


async def journal(person: Any) -> int:
    """The number of the newest entry."""
    [newest] = await person.store(lambda core: core.audit(limit=1))
    return int(newest.seq)


def fields_of(screen: Any) -> str:
    """All that was typed into a dialog."""
    texts = [area.text for area in screen.query(TextArea)]
    return "".join([*texts, *(box.value for box in screen.query(Input))])


# -- the row of the issue


async def a_whole_edit_in_one_burst_does_what_it_does_typed_slowly(
    person: Any, harbour: Any
) -> None:
    tide, deploy = harbour["tide"], harbour["deploy"]
    feed(person, "eexcept now: ")
    await person.burst(["f2", "j", "x"])
    await person.until(lambda: any("Forgot" in notice for notice in person.notices))
    await person.rest()
    saved = await person.store(lambda core: core.show(tide.id))
    assert saved.content == f"except now: {tide.content}"
    assert saved.is_live
    assert not (await person.store(lambda core: core.show(deploy.id))).is_live


async def tags_in_one_burst_and_the_key_behind_them_is_for_the_list(
    person: Any, harbour: Any
) -> None:
    await person.burst(["t", *"gate", "enter", "p"])
    await person.until(lambda: any("Pinned" in notice for notice in person.notices))
    tide = await person.store(lambda core: core.show(harbour["tide"].id))
    assert "gate" in tide.tags
    assert tide.status == "pinned"


async def test_the_key_behind_a_new_memory_is_for_that_memory(
    open_app: Any, harbour: Any, slow_reads: Callable[..., threading.Event]
):
    async with open_app() as person:
        await person.press("j")
        goes_on = slow_reads("search")
        await person.burst(["c", *"The crane is out of order.", "f2", "x"])
        await person.until(lambda: any("Remembered" in notice for notice in person.notices))
        goes_on.set()
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        for memory in harbour.values():
            assert (await person.store(lambda core, ref=memory.id: core.show(ref))).is_live


async def test_the_key_behind_a_query_is_for_what_it_finds(
    open_app: Any, harbour: Any, slow_reads: Callable[..., threading.Event]
):
    async with open_app() as person:
        goes_on = slow_reads("search")
        await person.burst([*"/staging", "enter", "x"])
        await person.until(lambda: person.deck.box.text == "staging")
        goes_on.set()
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        now = await person.store(lambda core: [core.show(one.id) for one in harbour.values()])
        gone = {name for name, memory in zip(harbour, now, strict=True) if not memory.is_live}
        assert gone == {"staging"}


@pytest.mark.parametrize("slow", [(events.Key,), (Input.Submitted,), (events.Key, Input.Submitted)])
async def test_keys_wait_for_a_widget_that_takes_its_time(
    open_app: Any, harbour: Any, monkeypatch: pytest.MonkeyPatch, slow: tuple[type[Message], ...]
):
    dispatch = MessagePump._dispatch_message

    async def late(pump: MessagePump, message: Message) -> None:
        if isinstance(message, slow) and isinstance(pump, Widget):
            await asyncio.sleep(0.05)
        await dispatch(pump, message)

    async with open_app() as person:
        monkeypatch.setattr(MessagePump, "_dispatch_message", late)
        await person.burst([*"/staging", "enter", "x"])
        await person.until(lambda: any("Forgot" in notice for notice in person.notices))
        assert person.deck.box.text == "staging"
        now = await person.store(lambda core: [core.show(one.id) for one in harbour.values()])
        assert [one.is_live for one in now] == [name != "staging" for name in harbour]


# -- every act that opens a dialog, in every view


def opening_acts(owner: type, acts: Any) -> set[str]:
    """The ids of the acts of this class that always open a dialog: their methods ask."""
    asks = MemoryApp.action_project.__code__  # what `asks` and `may_ask` make of a method
    opening = set()
    for act in acts:
        name = act.action.partition("(")[0]
        method = inspect.getattr_static(owner, f"action_{name}", None)
        gives = inspect.get_annotations(method).get("return", "") if method else ""
        if getattr(method, "__code__", None) is asks or gives == "Worker[None]":
            opening.add(act.id)
    return opening


async def every_act_that_opens_a_dialog_is_burst_here(person: Any) -> None:
    opening = opening_acts(MemoryApp, [one for one in MemoryApp.BINDINGS if one.id])
    for view in person.app.stage.mounted_views:
        opening |= opening_acts(type(view), view.ACTS)
        asking = {act.id for act in view.ACTS if act.asks_first}
        plain = ("Confirm", "PlanDialog")
        assert {one.act for one in OPENING if one.view == view.id and one.dialog in plain} <= asking
    burst = {one.act for one in OPENING}
    assert opening - ELSEWHERE <= burst
    assert opening >= {"memory.edit", "memory.tags", "conflict.open"}
    # acts of which only some ask: nothing in the method tells which
    assert burst >= {"inbox.snooze", "verdict.both", "recall.past"}


def test_there_is_no_other_way_to_wait_for_a_dialog():
    waiting = {
        path.name for path in TUI.rglob("*.py") if "push_screen_wait" in path.read_text("utf-8")
    }
    assert waiting == {"app.py"}


def unread(app: MemoryApp) -> list[str]:
    """Rules for something on the screen on top that stand in a sheet which was not read."""
    kind = type(app.sheets)
    others = kind(variables=app.get_css_variables())
    others.need(*(path.stem for path in (TUI / "styles").glob("*.tcss")))
    for place in others.source.keys() & app.sheets.source.keys():
        del others.source[place]
    inks = " ".join(name[1:] for name in others.rules_map if "--" in name)
    nodes: list[DOMNode] = list(app.screen.walk_children(with_self=True))
    for widget in tuple(nodes):
        node = DOMNode(classes=inks)  # all at once: what one of them matches, they match
        node._attach(widget)
        nodes.append(node)
    return sorted(
        {
            rule.selectors
            for node in nodes
            for path in (node.css_path_nodes,)
            for name in others.rules_map.keys() & node._selector_names
            for rule in others.rules_map[name]
            if list(kind._check_rule(rule, path))
        }
    )


async def it_opens_by_its_key_alone(person: Any, opens: Opens) -> None:
    await person.burst(keys_of(person, opens.act))
    await person.until(lambda: person.dialog() == opens.dialog)
    await person.rest()
    assert person.screen.strip()
    assert unread(person.app) == []


async def what_is_typed_ahead_waits_for_it(
    person: Any, opens: Opens, slow_reads: Callable[..., threading.Event]
) -> None:
    before = await journal(person)
    goes_on = slow_reads()  # the dialog takes its time
    await person.burst([*keys_of(person, opens.act), *opens.typed])
    goes_on.set()
    await person.until(lambda: person.app.typed.is_busy or person.dialog() != "Screen")
    await person.rest()
    assert await journal(person) == before
    assert person.app.view == opens.view
    if opens.dialog in TYPED_INTO:
        assert person.dialog() == opens.dialog
        assert DANGEROUS in fields_of(person.app.screen)
        assert person.screen.strip()
        assert unread(person.app) == []


@pytest.mark.parametrize("view", dict.fromkeys(one.view for one in OPENING))
@pytest.mark.usefixtures("busy")
async def test_a_dialog_opens_by_its_key_alone_and_what_is_typed_ahead_waits_for_it(
    view: str,
    open_app: Any,
    machine: Machine,
    slow_reads: Callable[..., threading.Event],
    subtests: Any,
):
    size = (120, 35) if view == "audit" else TINY  # where `enter` leads to what is read first
    async with open_app(view=view, agents=machine, size=size) as person:
        for opens in (one for one in OPENING if one.view == view):
            await person.burst(opens.before)
            await person.rest()
            if opens.dialog not in TYPED_INTO:  # of those one sees it when they are typed into
                with subtests.test(opens=str(opens), how="alone"):
                    await it_opens_by_its_key_alone(person, opens)
                while len(person.app.screen_stack) > 1:
                    dialog = person.app.screen
                    await person.burst(["escape"])
                    await person.until(lambda d=dialog: person.app.screen is not d)
                await person.rest()
            with subtests.test(opens=str(opens), how="typed ahead"):
                await what_is_typed_ahead_waits_for_it(person, opens, slow_reads)
            while len(person.app.screen_stack) > 1:
                person.app.screen.dismiss()
                await person.rest()


# -- palette, command line, dialogs that open dialogs


async def the_palette_and_the_dialog_it_opens_take_a_burst(person: Any) -> None:
    before = await journal(person)
    await person.burst(["ctrl+p", *"memory: new", "enter", *DANGEROUS])
    await person.until(lambda: person.dialog() == "EditMemory")
    await person.rest()
    assert fields_of(person.app.screen).startswith(DANGEROUS)
    assert await journal(person) == before


async def a_menu_that_leads_to_a_question_takes_a_burst(person: Any, machine: Machine) -> None:
    await person.rest()
    await person.burst(["j", "j", "i", "u"])  # Gemini CLI, in the user's settings
    await person.until(lambda: person.dialog() == "PlanDialog")
    await person.burst(["escape", "k", "k", "x"])  # another agent, and its question
    await person.until(lambda: person.dialog() == "PlanDialog")
    assert "Claude Code" in person.screen
    assert not machine.path_of("gemini").exists()


async def what_is_typed_behind_an_answer_is_for_the_list_as_it_is_then(
    person: Any, core: MemoryCoordinator, harbour: Any
) -> None:
    person.app.screen.set_focus(person.deck.memories)
    await person.burst(["y", "escape", "j", "x"])
    await person.until(lambda: any("Forgot" in notice for notice in person.notices))
    assert not (await person.store(lambda core: core.show(harbour["deploy"].id))).is_live
    assert (await person.store(lambda core: core.show(harbour["tide"].id))).is_live


# -- when no dialog comes


async def when_no_dialog_opens_what_was_typed_for_it_is_dropped_and_said(person: Any) -> None:
    before = await journal(person)
    await person.burst(["L", "x"])  # it is linked to nothing
    await person.until(lambda: typeahead_said(person))
    await person.rest()
    assert await journal(person) == before
    assert any("linked to nothing" in notice for notice in person.notices)

    await person.press("x")  # the next key acts as ever
    await person.until(lambda: any("Forgot" in notice for notice in person.notices))


async def when_an_act_is_refused_what_was_typed_behind_it_is_dropped(
    person: Any, machine: Machine
) -> None:
    await person.rest()
    machine.refuses = "The settings cannot be written."
    await person.press("j", "j", "i")
    await person.until(lambda: person.dialog() == "Menu")
    machine.plan = _refuse  # type: ignore[method-assign]
    await person.burst(["u", "1", "x"])
    await person.until(lambda: typeahead_said(person))
    await person.rest()
    assert person.app.view == "agents"


async def test_what_a_burst_among_the_agents_promises(
    open_app: Any, harbour: Any, machine: Machine, promises: Any
):
    async with open_app(view="agents", agents=machine) as person:
        await promises.hold(
            person,
            a_menu_that_leads_to_a_question_takes_a_burst,
            when_an_act_is_refused_what_was_typed_behind_it_is_dropped,
        )


def _refuse(*_: Any, **__: Any) -> Any:
    raise Refused("No.", hint="Try later.")


async def test_what_a_burst_on_the_deck_promises(
    open_app: Any, harbour: Any, core: MemoryCoordinator, promises: Any
):
    async with open_app() as person:
        await promises.hold(
            person,
            a_whole_edit_in_one_burst_does_what_it_does_typed_slowly,
            tags_in_one_burst_and_the_key_behind_them_is_for_the_list,
            the_palette_and_the_dialog_it_opens_take_a_burst,
            what_is_typed_behind_an_answer_is_for_the_list_as_it_is_then,
            when_no_dialog_opens_what_was_typed_for_it_is_dropped_and_said,
        )


async def test_an_act_that_hangs_keeps_nobody_from_leaving(
    open_app: Any,
    harbour: Any,
    slow_reads: Callable[..., threading.Event],
):
    async with open_app() as person:
        goes_on = slow_reads()
        await person.burst(["e", "x"])
        await person.until(lambda: person.app.typed.is_held)
        for act in person.app.typed._working():
            act.since -= 2.0  # it hangs for two seconds already
        person.app.post_message(typed_key("ctrl+q"))
        await person.until(lambda: person.app._exit)
        goes_on.set()


def typed_key(name: str) -> Any:
    return events.Key(name, None)


def typeahead_said(person: Any) -> bool:
    return any("what you typed ahead was dropped" in notice for notice in person.notices)
