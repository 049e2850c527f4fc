"""Setup: the first step, agents, what to fix, switches and settings."""

import pytest

from memdeck.core.agents import Finding

from .agents_bench import Machine, a_busy_machine, an_agent, told

SIZES = [(40, 12), (60, 20), (80, 24), (120, 35), (200, 50)]


@pytest.fixture
def machine(tmp_path):
    """Two agents, neither connected."""
    states = (
        an_agent("claude"),
        an_agent("codex"),
        an_agent("gemini", is_present=False, program=""),
    )
    return Machine(tmp_path, states)


@pytest.fixture
def busy(tmp_path):
    """Agents in every state, and problems."""
    return Machine(tmp_path, a_busy_machine())


def row(person):
    return person.app.stage.current_view.list.current


async def go_to(person, name):
    """Put the cursor on a row, as the palette does."""
    view = person.app.stage.current_view
    for number, key in enumerate(view.list.keys):
        found = view.list.row(number)
        if found is not None and found.id == name:
            view.list.cursor = list(view.list.keys).index(key)
    await person.rest()
    assert row(person).id == name


# -- the first run


async def test_an_empty_store_shows_one_next_step_that_is_shown_whole_before_it_is_done(
    open_app, machine, core
):
    async with open_app(size=(120, 35), agents=machine) as person:
        assert person.app.view == "setup"
        async for _ in person.sizes([(120, 35), (40, 12)]):
            await person.until_shown("Found Claude Code and Codex", "enter  see what would change")
        await person.press("enter", until=lambda: person.dialog() == "Confirm")
        assert not told(machine, "claude")
        await person.press("enter")  # reading on is no yes
        assert person.dialog() == "Confirm"
        assert not told(machine, "claude")
        await person.press("y", until=lambda: told(machine, "claude"))
        await person.until(lambda: person.said("Connected Claude"))
        assert "memdeck-hook codex" in told(machine, "codex")
        await person.rest()
        assert person.app.stage.current_view.list.has_focus


async def test_a_store_without_any_agent_says_where_it_looked_and_how_to_get_one(
    open_app, tmp_path
):
    states = (an_agent("claude", is_present=False, program="", findings=()),)
    machine = Machine(tmp_path, states)
    async with open_app(size=(80, 24), agents=machine) as person:
        await person.until_shown("`claude` in PATH and ~/.claude", "npm install -g")
        looks = machine.looks
        await person.press("enter", until=lambda: machine.looks > looks)
        await person.press("escape", until=lambda: person.app.stage.current_view.list.has_focus)
        await person.until_shown("Record sessions", "not found on this machine")
    async with open_app(agents=machine, view="setup") as person:
        await person.until_shown("Record sessions")  # it was left for good


async def test_the_example_is_one_key_away(open_app, machine):
    async with open_app(agents=machine) as person:
        await person.until_shown("look around in an example")
        await person.press("E", until=lambda: person.app.wants_demo)


# -- agents


async def test_agents_and_problems_are_listed_with_counts_at_every_size(
    open_app, busy, core, harbour
):
    core.recall("how long is the queue timeout?", host="claude")
    async with open_app(size=SIZES[0], agents=busy) as person:
        await person.settle_burst("5")
        async for width, _ in person.sizes(SIZES):
            await go_to(person, "agent:claude")
            if width >= 120:
                await person.until_shown(
                    "To fix", "claude-mem injects", "Last 7 days", "1 with 1 memories"
                )
            assert person.app.counts.setup == 3
            assert all(len(line) <= width for line in person.screen.split("\n"))


async def test_an_agent_is_connected_after_its_diff_was_read_and_disconnected_again(
    open_app, busy, harbour
):
    async with open_app(agents=busy) as person:
        await person.settle("5")
        await go_to(person, "agent:gemini")
        await person.burst(["enter", "u"])  # the user's own settings
        await person.until(lambda: person.dialog() == "Confirm")
        await person.until_shown("Connect Gemini CLI", '"hooks": "memdeck-hook gemini"')
        await person.press("escape")
        assert not told(busy, "gemini")
        await person.burst(["enter", "u", "y"], until=lambda: told(busy, "gemini"))
        await person.until_shown("connected, but no event came yet")
        await person.rest()
        await person.burst("x", until=lambda: person.dialog() == "Confirm")
        await person.press("y", until=lambda: "memdeck-hook" not in told(busy, "gemini"))


async def test_a_problem_is_fixed_after_a_yes(open_app, busy, harbour):
    busy.findings = (Finding("spool", False, "Two records wait.", "`memdeck drain`.", "drain"),)
    async with open_app(agents=busy) as person:
        await person.settle("5")
        assert person.app.counts.setup == 4
        await go_to(
            person, "finding:path:The hook starts /opt/old/bin/memdeck-hook, which is gone."
        )
        await person.press("enter", until=lambda: person.dialog() == "Confirm")
        await person.press("n")
        assert not busy.fixed
        await person.burst(["enter", "y"], until=lambda: busy.fixed == ["claude:path"])
        await person.until(lambda: person.app.counts.setup == 3)


# -- switches and settings


async def test_recording_is_switched_off_here_and_undone(open_app, core, busy, harbour):
    async with open_app(agents=busy, size=(120, 35)) as person:
        await person.settle("5")
        await go_to(person, "switch:auto_memory")
        await person.burst(["enter", "p"], until=lambda: not core.auto_memory)
        await person.until_shown("recording off")
        await person.press("u", until=lambda: core.auto_memory)


@pytest.fixture
def clones(open_core, tmp_path):
    """The store seen from two clones of one repository, with a memory in each."""
    texts = ("Releases are tagged from the main branch", "The staging database is reset on Sundays")
    cores = []
    for number, text in enumerate(texts):
        git = tmp_path / f"clone-{number}" / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text('[remote "origin"]\n\turl = https://github.com/acme/api.git\n')
        cores.append(open_core(str(git.parent)))
        cores[-1].remember(text)
    return cores


async def test_a_second_clone_is_joined_with_one_key_and_parted_by_undo(open_app, busy, clones):
    one, two = clones
    async with open_app(agents=busy, project=two.context.root) as person:
        await person.press("5")
        await person.until_shown("This looks like", "which has the same remote")
        await go_to(person, f"alike:{one.context.project_id}")
        await person.until_shown("memdeck project join")
        await person.press("enter")
        await person.until_shown("becomes a place of", "1 memory moves there")
        await person.press("n")
        assert one.count() == two.count() == 1
        await person.press("enter", until="becomes a place of")
        await person.press("y", until=lambda: one.count() == 2)
        await person.until_shown("2 memories")
        await person.until(lambda: "This looks like" not in person.screen)
        await person.press("u", until=lambda: one.count() == 1)
        await person.until_shown("This looks like")


async def test_settings_are_changed_one_by_one_refused_with_what_fits_and_undone(
    open_app, home_path, busy, harbour
):
    config = home_path / "config.toml"
    async with open_app(agents=busy) as person:
        await person.settle("5")
        await go_to(person, "setting:recall.max_pinned")
        await person.burst(["enter", "backspace", "8", "0", "enter"], until="0 to 20")
        await person.burst(["backspace", "enter"])
        await person.until(lambda: config.exists() and "max_pinned = 8" in config.read_text())
        await person.rest()
        assert row(person).value == "8"

        await go_to(person, "setting:lifecycle.expiry")
        await person.press("enter")  # a switch turns at once
        await person.until(lambda: "expiry = false" in config.read_text())
        await person.rest()
        await go_to(person, "setting:recall.budget_policy")
        await person.burst(["enter", "3"])
        await person.until(lambda: 'budget_policy = "tiered"' in config.read_text())
        await person.rest()
        await person.press("x", until=lambda: "budget_policy" not in config.read_text())
        await person.rest()
        for _ in range(4):
            await person.settle("u")
        assert not config.exists()  # as it was before the first


async def test_a_setting_is_found_by_its_words_and_from_the_palette(open_app, busy, harbour):
    async with open_app(agents=busy) as person:
        await person.settle_burst(["5", "/", *"payment cards", "enter"])
        assert row(person).id == "setting:redaction.cards"
        await person.press("escape", "ctrl+p", until=lambda: person.dialog() == "CommandPalette")
        await person.type("keep_memories")
        await person.until_shown("lifecycle.keep_memories")
        await person.rest()
        await person.press("enter")
        await person.until(
            lambda: row(person) and row(person).id == "setting:lifecycle.keep_memories"
        )


async def test_a_file_that_cannot_be_read_is_said_and_the_rest_is_shown(
    open_app, home_path, busy, harbour
):
    (home_path / "config.toml").write_text("[recall\n")
    async with open_app(agents=busy) as person:
        await person.settle("5")
        assert "is not valid TOML" in " ".join(person.notices) + person.screen


async def test_without_an_agent_the_app_opens_on_setup_until_the_card_was_left(
    open_app, machine, harbour
):
    async with open_app(agents=machine) as person:
        assert person.app.view == "memories"  # nobody looked yet
        await person.until(lambda: not person.app.carried.is_connected)
    async with open_app(agents=machine) as person:
        assert person.app.view == "setup"
        await person.until_shown("Found Claude Code and Codex")
        await person.press("escape", until="Record sessions")
        assert person.app.counts.setup == 1
        await go_to(person, "finding:agents:No agent is connected.")
        await person.press("enter", until=lambda: person.dialog() == "Confirm")
        await person.press("escape")
    async with open_app(agents=machine) as person:
        assert person.app.view == "memories"
