"""The first run: it offers, shows what it would do, and does nothing without a yes."""

import json
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from memdeck import MemoryCoordinator
from memdeck.core.agents import InstructionFile

from .agents_bench import HOSTS, Machine, a_busy_machine, an_agent, told

RULES = "# Rules\n\n- Always run `make test-db` before the tests.\n- Never push on a Friday.\n"


def was_welcomed(home: Path) -> bool:
    """Whether the next run knows that the first one's offer was answered or left."""
    left = home / "app.json"
    return left.exists() and json.loads(left.read_text()).get("was_welcomed") is True


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A file of instructions that an agent reads."""
    path = tmp_path / "person" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_text(RULES)
    return path


@pytest.fixture
def machine(tmp_path: Path, rules: Path) -> Machine:
    """Two agents, neither connected, and a file of instructions."""
    states = (
        an_agent("claude"),
        an_agent("codex"),
        an_agent("gemini", is_present=False, program=""),
        an_agent("opencode", is_present=False, program=""),
    )
    return Machine(tmp_path, states, (InstructionFile(str(rules), ("as the hooks see it",)),))


async def test_it_comes_by_itself_and_esc_sends_it_away_for_good(
    open_app: Any, machine: Machine, home_path: Path
):
    async with open_app(agents=machine) as person:
        await person.until(lambda: "1 file chosen" in person.screen)
        said = " ".join(person.screen.split())
        for words in ("[✓] Claude Code", "[✓] Codex", "Gemini CLI not found",
                      "[✓] CLAUDE.md 2 instructions ~"):  # fmt: skip
            assert words in said
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        await person.until(lambda: was_welcomed(home_path))
        await person.until(lambda: any("“Welcome”" in one for one in person.notices))
    assert not told(machine, "claude")

    async with open_app(agents=machine) as person:
        await person.rest()
        await person.until(lambda: person.dialog() == "Screen")

        await person.press("ctrl+p")
        await person.until(lambda: person.dialog() == "Palette")
        await person.type("welcome")
        await person.rest()
        await person.press("enter")
        await person.until(lambda: person.dialog() == "Welcome")
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")


async def test_each_offer_has_one_line_and_the_buttons_are_always_there(
    open_app: Any, machine: Machine, subtests: Any
):
    async with open_app(agents=machine, size=(60, 20)) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        for size in ((60, 20), (60, 30), (80, 24), (120, 35), (200, 50)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                boxes = person.app.screen.query_one("#welcome-list")
                assert boxes.virtual_size.height == boxes.option_count
                for words in ("Not now", "Show what would change", "1 file chosen"):
                    assert words in person.screen
        await person.press("escape")


async def test_only_what_is_chosen_is_done_and_only_after_a_yes(open_app: Any, machine: Machine):
    async with open_app(agents=machine) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.press("space", "enter")  # not Claude Code
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.until(lambda: "Connect Codex · user" in person.screen)
        assert "Connect Claude Code" not in person.screen
        await person.until(lambda: "+ Never push on a Friday." in person.screen)
        assert "for every project" in person.screen  # a file of the person's
        assert not told(machine, "codex")

        await person.press("escape")  # back to the choice, as it was left
        await person.until(lambda: person.dialog() == "Welcome")
        await person.until(lambda: "[ ] Claude Code" in person.screen)
        await person.press("enter")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("y")
        await person.until(lambda: any("Remembered 2" in one for one in person.notices))
        await person.until(lambda: any("Connected Codex." in one for one in person.notices))
        await person.until(lambda: any("trust the hooks" in one for one in person.notices))
        [left_to_do] = [one for one in person.notices if "trust the hooks" in one]
        assert "Codex: Start codex once" in left_to_do
        assert "\nCodex asks anew" in left_to_do  # which names it already
        assert "memdeck-hook codex" in told(machine, "codex")
        assert not told(machine, "claude")
        await person.until(lambda: len(person.titles) == 2)

        await person.press("u")  # they are every project's, so one is asked
        await person.until(lambda: person.dialog() == "Confirm")
        await person.press("y")
        await person.until(lambda: not person.titles)


@pytest.fixture
def quay(open_core: Any, rules: Path, tmp_path: Path) -> Path:
    """A project with instructions of its own; half of the person's are remembered already."""
    project = tmp_path / "quay"
    for path, text in (
        (project / "CLAUDE.md", "- Never push on a Friday afternoon.\n"),
        (project / "AGENTS.md", "# Nothing\n"),
        # beside the person's folder, which is called `person`
        (tmp_path / "personal" / "GEMINI.md", "- Write the date in full.\n"),
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (project / ".git").mkdir()
    known = "Never push on a Friday."
    open_core(str(project)).import_instructions(str(rules), entries=(known,), scope="global")
    return project


async def test_only_what_is_new_in_a_file_is_offered_and_for_whom_it_is_by_where_it_lies(
    open_app: Any, quay: Path, rules: Path
):
    beside = quay.parent / "personal" / "GEMINI.md"
    paths = (rules, *(quay / name for name in ("CLAUDE.md", "AGENTS.md", "gone.md")), beside)
    files = tuple(InstructionFile(str(path), ()) for path in paths)
    agents = tuple(an_agent(host, is_present=False) for host in HOSTS)
    machine = Machine(quay.parent, agents, files)
    async with open_app(agents=machine, project=str(quay), size=(120, 45)) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.until(lambda: "3 files chosen" in person.screen)
        await person.press("enter")
        await person.until(lambda: person.dialog() == "PlanDialog")
        said = str(person.app.screen.query_one("#plan-text", Static).render())
        assert said.split("\n\n") == [
            "Remember 1 instruction of ~/CLAUDE.md, for every project\n"
            "+ Always run `make test-db` before the tests.",
            f"Remember 1 instruction of {quay}/CLAUDE.md, for this project\n"
            "+ Never push on a Friday afternoon.",
            f"Remember 1 instruction of {beside}, for every project\n+ Write the date in full.",
        ]


async def test_nothing_chosen_is_nothing_to_show(open_app: Any, machine: Machine):
    async with open_app(agents=machine) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.press("space", "j", "space", "j", "space", "enter")
        await person.until(lambda: any("Nothing is chosen" in one for one in person.notices))
        await person.until(lambda: person.dialog() == "Welcome")
        await person.until(lambda: "Nothing is chosen." in person.screen)


async def test_what_fails_is_said_and_the_rest_is_done(open_app: Any, machine: Machine):
    machine.refuses = "Another installation is going on."
    async with open_app(agents=machine) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.press("enter")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("y")
        await person.until(lambda: any("Remembered 2" in one for one in person.notices))
        await person.until(lambda: any("Another installation" in one for one in person.notices))
        assert not any("Connected" in one for one in person.notices)


async def test_a_secret_in_the_file_is_neither_shown_nor_kept(
    open_app: Any, machine: Machine, rules: Path
):
    secret = "ghp_" + "a1B2" * 9
    rules.write_text(f"- Log in with the token {secret} before you push a release.\n")
    async with open_app(agents=machine) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.press("enter")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("G")
        await person.until(lambda: "[REDACTED:" in person.screen)
        assert secret not in person.screen
        await person.press("y")
        await person.until(lambda: len(person.titles) == 1)
        assert secret not in str(await person.store(lambda core: core.list()))


async def test_it_does_not_come_where_it_has_no_business(
    open_app: Any, machine: Machine, tmp_path: Path, core: MemoryCoordinator
):
    async with open_app(agents=machine, view="audit") as person:  # sent somewhere
        await person.rest()
        await person.until(lambda: person.dialog() == "Screen")
    async with open_app(agents=Machine(tmp_path, a_busy_machine())) as person:  # one is connected
        await person.rest()
        await person.until(lambda: person.dialog() == "Screen")
    core.remember("Deploys go out on Mondays before noon, never on a Friday.")
    async with open_app(agents=machine) as person:  # there is a memory
        await person.rest()
        await person.until(lambda: person.dialog() == "Screen")


async def test_both_pages_and_their_buttons_fit(open_app: Any, machine: Machine, subtests: Any):
    async with open_app(size=(40, 10), agents=machine) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        for size in ((40, 10), (60, 20), (80, 24)):
            with subtests.test(size=size):
                await person.pilot.resize_terminal(*size)
                await person.rest()
                await person.until(lambda: "Claude Code" in person.screen)
                await person.until(lambda: "Not now" in person.screen)
                await person.press("enter")
                await person.until(lambda: person.dialog() == "PlanDialog")
                await person.until(lambda: "Do it" in person.screen)
                await person.burst(["j", "k", "G", "g", "ctrl+d", "ctrl+u", "right", "left"])
                await person.rest()
                await person.press("n")
                await person.until(lambda: person.dialog() == "Welcome")
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")


async def test_a_model_is_offered_with_its_cost_and_taken_with_one_key(
    open_app: Any, machine: Machine
):
    async with open_app(agents=machine, size=(80, 24)) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.until(lambda: "its small model reads each session once" in person.screen)
        said = " ".join(person.screen.split())
        assert "Read off; about 6,400 tokens a session (median of 9 of yours)" in said
        assert "[ ] Claude Code m: its small model" in said
        await person.press("m")
        await person.until(lambda: "and a model chosen" in " ".join(person.screen.split()))
        await person.press("enter")
        await person.until(lambda: person.dialog() == "PlanDialog")
        await person.press("G")
        await person.until(lambda: "200,000 tokens a day" in " ".join(person.screen.split()))
        assert await _engine(person) == ""
        await person.press("y")
        await person.until(lambda: any("reads each session once" in one for one in person.notices))
        assert await _engine(person) == "claude"


async def test_a_model_that_was_declined_is_never_offered_again(
    open_app: Any, machine: Machine, home_path: Path
):
    async with open_app(agents=machine, size=(80, 24)) as person:
        await person.until(lambda: person.dialog() == "Welcome")
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        await person.until(lambda: was_welcomed(home_path))
    async with open_app(agents=machine, size=(80, 24)) as person:
        await person.until(lambda: person.dialog() == "Screen")
        await _from_palette(person, "setup: welcome")
        await person.until(lambda: person.dialog() == "Welcome")
        await person.until(lambda: "Connect" in person.screen)
        assert "reads each session" not in person.screen
        await person.press("m", "escape")
        await person.until(lambda: person.dialog() == "Screen")
        assert await _engine(person) == ""

        await _from_palette(person, "setup: extractor")  # where it can be found later
        await person.until(lambda: person.dialog() == "Menu")
        await person.press("1")
        await person.until(lambda: any("reads each session once" in one for one in person.notices))
        assert await _engine(person) == "claude"
        await person.press("u")
        await person.rest()
        assert await _engine(person) == ""


async def test_what_is_typed_says_yes_to_nothing(open_app: Any, machine: Machine):
    """The offer waits until one has written what one writes; a letter is no answer to it."""
    offered = dict(machine.states)
    machine.states["claude"] = an_agent("claude", scopes=("user",))
    async with open_app(agents=machine, size=(80, 24)) as person:
        machine.states.update(offered)
        await person.type("/my")
        await person.press("ctrl+p")
        person.app.setup.welcome_the_first_time()
        for dialog, keys in (("Palette", "escape"), ("Screen", " memory")):
            await person.rest()
            assert person.dialog() == dialog
            await (person.press(keys) if keys == "escape" else person.type(keys))
        await person.rest()
        assert person.deck.box.text == "my memory"
        await person.press("enter")
        await person.until(lambda: person.dialog() == "Welcome")
        await person.burst("my memory")
        await person.rest()
        await person.press("escape")
        await person.until(lambda: person.dialog() == "Screen")
        assert await _engine(person) == ""
    assert not told(machine, "claude")


async def _from_palette(person: Any, name: str) -> None:
    await person.press("ctrl+p")
    await person.until(lambda: person.dialog() == "Palette")
    await person.type(name)
    await person.rest()
    await person.press("enter")


async def _engine(person: Any) -> str:
    return str(await person.store(lambda core: core.extractor.engine))
