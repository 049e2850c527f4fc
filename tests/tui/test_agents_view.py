"""The Agents view: who is connected and heard, what is found, and keys that mend it."""

from pathlib import Path
from typing import Any

import pytest

from memdeck import MemoryCoordinator

from .agents_bench import Machine, a_busy_machine, told
from .promises import close_dialogs
from .test_typeahead import opens_a_dialog


@pytest.fixture
def machine(tmp_path: Path, core: MemoryCoordinator) -> Machine:
    """Four agents, each in another state."""
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    return Machine(tmp_path, a_busy_machine())


@pytest.fixture
def look(open_app: Any, machine: Machine) -> Any:
    """Open the app on its agents."""
    return lambda **more: open_app(view="agents", agents=machine, **more)


def view_of(person: Any) -> Any:
    view = person.app.stage.view("agents")
    return view


async def each_agent_says_how_it_stands_and_the_chosen_one_all_there_is(person: Any) -> None:
    screen = person.screen
    assert "6 Agents" in screen
    for words in (
        "● Claude Code    firing",
        "◐ Codex          needs trust",
        "· Gemini CLI     not installed",
        "– OpenCode       not present",
    ):
        assert words in screen
    assert "p50 41 ms, p95 88 ms" in screen
    assert "UserPromptSubmit  2m" in screen
    assert "PreCompact        never" in screen

    await person.press("j")
    await person.until(lambda: "installed, but it needs your trust" in person.screen)
    await person.until(lambda: "payload is no JSON object" in person.screen)
    await person.press("G")
    await person.until(lambda: "– not on this machine" in person.screen)


async def what_wants_mending_stands_first_with_what_to_do(person: Any) -> None:
    names = [one.name for one in view_of(person).findings.findings]
    assert names == ["path", "clash", "program", "events"]
    await person.until(lambda: "2 of 4 findings to mend" in person.screen)
    await person.until(lambda: "→ Run `memdeck install claude`.  r mends it" in person.screen)


async def test_installing_shows_every_line_and_waits_for_a_yes(look: Any, machine: Machine):
    async with look() as person:
        await person.press("j", "j", "i")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("u")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.until(lambda: '+  "hooks": "memdeck-hook gemini"' in person.screen)
        await person.until(lambda: "gemini-user.json  new file" in person.screen)
        await person.press("i", "enter")  # neither the key that asked nor enter is a yes
        await person.until(lambda: person.dialog() == "Screen")
        assert not told(machine, "gemini")

        await person.press("i")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("u")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("y")
        await person.until(lambda: any("Connected Gemini CLI" in one for one in person.notices))
        assert "memdeck-hook gemini" in told(machine, "gemini")
        await person.until(lambda: "○ Gemini CLI     silent" in person.screen)


async def test_uninstalling_gives_the_settings_back(look: Any, machine: Machine):
    async with look() as person:
        machine.apply(machine.plan("claude"))
        await person.press("x")
        await person.until(lambda: person.dialog() == "PlanDialog")  # one scope: nothing to ask
        await person.until(lambda: '-  "hooks": "memdeck-hook claude"' in person.screen)
        await person.press("n")
        await person.until(lambda: person.dialog() == "Screen")
        assert "memdeck-hook" in told(machine, "claude")
        await person.press("x")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("y")
        await person.until(lambda: any("Left Claude Code" in one for one in person.notices))
        assert "memdeck-hook" not in told(machine, "claude")


async def test_what_cannot_be_done_is_said_and_not_offered(look: Any, machine: Machine):
    async with look() as person:
        await person.press("j", "j", "i")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("l")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.until(lambda: "✗ Gemini CLI knows no settings of this kind." in person.screen)
        await person.press("y")
        await person.rest()
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")

        machine.refuses = "settings.json was changed meanwhile."
        await person.press("i")
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("p")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("y")
        await person.until(lambda: any("changed meanwhile" in one for one in person.notices))
        assert not any("Connected" in one for one in person.notices)


async def test_r_mends_the_finding_under_the_cursor_after_a_yes(look: Any, machine: Machine):
    async with look() as person:
        await person.press("r")
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("n")
        await person.until(lambda: person.dialog() == "Screen")
        assert machine.fixed == []
        await person.press("r")
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.until(lambda: "Mended path [of all]." in person.screen)
        assert machine.fixed == ["claude:path"]
        await person.until(lambda: "It was mended [/b]." in person.screen)

        view = view_of(person)
        await person.press("tab", "tab", "g")
        await person.until(lambda: view.findings.has_focus)
        assert view.findings.current is not None
        assert view.findings.current.name == "clash"
        assert view.why_not("fix") == "Only you can mend it; its advice says how."
        assert view.why_not("fix_all") == "There is nothing that could be mended from here."
        await person.press("y")  # the command that it says
        await person.until(lambda: person.app.clipboard == "claude plugin disable claude-mem")
        await person.press("j")
        await person.rest()
        assert view.why_not("copy") == "All is well with it."


async def test_it_looks_again_by_itself_while_one_looks_at_it(look: Any, machine: Machine):
    async with look() as person:
        view, before = view_of(person), machine.looks
        await person.press("j")
        machine.apply(machine.plan("gemini"))
        view.survey.tick()
        await person.until(lambda: "○ Gemini CLI     silent" in person.screen)
        assert view.current is not None
        assert view.current.host == "codex"  # the cursor stays

        await person.press("1")
        await person.until(lambda: person.app.view == "deck")
        await person.rest()
        looked = machine.looks
        assert looked > before
        view.survey.tick()
        await person.rest()
        assert machine.looks == looked


async def dimmed_keys_say_why(person: Any) -> None:
    view = view_of(person)
    assert not view.why_not("install")
    await person.press("G")
    await person.rest()
    assert view.why_not("install") == "OpenCode was not found on this machine."
    assert view.why_not("uninstall") == "OpenCode is not connected."
    assert view.why_not("fix") == "There is no finding here."


async def test_without_agents_the_place_says_what_to_do(open_app: Any, core: MemoryCoordinator):
    async with open_app(view="agents") as person:
        await person.until(lambda: "Nothing is known of agents here." in person.screen)
        await person.press("i", "x", "f", "F", "y", "enter", "z", "R")
        await person.rest()
        assert person.app.is_running


async def test_every_key_can_be_pressed_in_a_tiny_terminal(look: Any):
    async with look(size=(40, 10)) as person:
        for act in view_of(person).ACTS:
            if opens_a_dialog("agents", act.id):
                continue  # in as tiny a terminal in test_typeahead
            await person.burst([act.key])
            await person.rest()
            assert person.screen.strip()
            await close_dialogs(person)
            await person.burst(["escape", "6"])
        await person.rest()
        assert person.app.is_running


async def escape_leads_out_step_by_step_and_back_to_the_same_agent(person: Any) -> None:
    view = view_of(person)
    await person.press("z")
    await person.until(lambda: "What is remembered?" not in person.screen)
    assert "p50/p95" in person.screen
    await person.press("escape")
    await person.until(lambda: "What is remembered?" in person.screen)
    await person.press("j", "enter", "z")
    await person.until(lambda: view.has_class("-zoomed"))
    await person.press("escape")
    await person.until(lambda: not view.has_class("-zoomed"))
    assert view.account.has_focus
    await person.press("escape")
    await person.until(lambda: view.list.has_focus)
    await person.press("5")
    await person.until(lambda: person.app.view == "audit")
    await person.press("escape", "escape")
    await person.rest()
    assert person.app.view == "audit"
    await person.press("backspace")
    await person.until(lambda: person.app.view == "agents")
    assert view.current is not None
    assert view.current.host == "codex"


async def the_mouse_does_it_too(person: Any) -> None:
    view = view_of(person)
    lines = person.screen.splitlines()
    row = next(number for number, line in enumerate(lines) if "Codex" in line)
    await person.pilot.click(offset=(8, row))
    await person.until(lambda: view.current is not None and view.current.host == "codex")
    await person.pilot.click(offset=(8, row), button=3)
    await person.until(lambda: person.dialog() == "Menu")
    await person.until(lambda: "Uninstall" in person.screen)
    await person.press("escape")
    await person.until(lambda: person.dialog() == "Screen")
    lines = person.screen.splitlines()
    row = next(number for number, line in enumerate(lines) if ": incognito" in line)
    await person.pilot.click(offset=(lines[row].index(": incognito") + 4, row))
    await person.until(lambda: "While it is on, nothing is taken down" in person.screen)
    await person.press("escape")
    await person.until(lambda: person.dialog() == "Screen")


async def test_what_the_agents_view_promises(look: Any, promises: Any):
    async with look() as person:
        await promises.hold(
            person,
            each_agent_says_how_it_stands_and_the_chosen_one_all_there_is,
            what_wants_mending_stands_first_with_what_to_do,
            dimmed_keys_say_why,
            escape_leads_out_step_by_step_and_back_to_the_same_agent,
            the_mouse_does_it_too,
        )


async def test_what_the_agent_brought_stands_beside_its_findings_and_is_found_on_the_deck(
    look: Any, core: MemoryCoordinator
):
    core.import_memories(
        [
            {"content": "Tide tables are read at six.", "agent": "claude"},
            {"content": "Staging lives on host db-7.", "agent": "claude", "status": "candidate"},
            {"content": "Queue timeout is 30 seconds.", "agent": "codex"},
        ]
    )
    async with look() as person:
        view = view_of(person)
        await person.until(lambda: "Brought by Claude Code" in person.screen)
        await person.until(lambda: "2 here, 1 waits" in person.screen)
        assert "Tide tables are read at six" in person.screen
        assert "Queue timeout" not in person.screen
        await person.press("j")
        await person.until(lambda: "Queue timeout is 30 seconds" in person.screen)
        await person.press("j")
        await person.until(lambda: "Gemini CLI brought nothing to this project" in person.screen)
        await person.press("k")
        await person.until(lambda: view.current is not None and view.current.host == "codex")
        await person.press("L")
        await person.until(lambda: person.app.view == "deck")
        await person.until(lambda: "agent:codex" in person.screen)
        await person.until(lambda: person.deck.memories.keys)
        assert "Queue timeout is 30 seconds" in person.screen
        assert "Tide tables" not in person.screen
