"""A person's first minute: agents are found, two are connected, a file is brought along."""

import json
from pathlib import Path
from typing import Any

import pytest

from memdeck.agents.desk import Desk
from memdeck.db.home import Home
from memdeck.tests.tui.person import Person, WatchedApp
from memdeck.tui.app import MemoryApp

RULES = """\
# Working here

- Always run `make test-db` before the integration tests, they need its data.
- Never commit to the main branch, always open a pull request instead.
"""


@pytest.fixture(autouse=True)
def _opened_once() -> None:
    """Nothing was ever opened here."""


@pytest.fixture
def machine(home: Home, repo: Path) -> Path:
    """A person with Claude Code and Codex, and a project with a CLAUDE.md; the person's folder."""
    person = Path.home()
    (person / ".claude").mkdir(parents=True)
    (person / ".claude" / "settings.json").write_text('{\n  "theme": "dark"\n}\n')
    (person / ".codex").mkdir()
    (person / ".codex" / "config.toml").write_text('model = "gpt-5.6"\n')
    (repo / "CLAUDE.md").write_text(RULES)
    return person


def texts_in(folder: Path) -> str:
    """All that stands in the files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "\n".join(path.read_text(errors="replace") for path in files)


async def test_two_agents_are_connected_and_a_file_is_remembered(
    machine: Path, home: Home, repo: Path, cli: Any
):
    before = texts_in(machine)
    desk = Desk(home, str(repo))
    app = WatchedApp(home.path, str(repo), agents=desk)
    async with app.run_test(size=(120, 40)) as pilot:
        person = Person(app, pilot)
        await person.until_shown("see what would change")
        assert "Claude Code and Codex" in " ".join(person.screen.split())

        await pilot.press("enter")
        await person.until_shown("settings.json")
        assert texts_in(machine) == before  # all that was done until here is to look

        await pilot.press("y")
        await person.until(lambda: any("Connected" in notice for notice in app.heard))
        await person.rest()

        await pilot.press("1")
        await person.until_shown("take or share them")
        await pilot.press("enter")
        await person.until_shown("All 2 that memdeck lacks")
        await pilot.press("enter")
        await person.until_shown("Always run", "Never commit", "2 memories")
        await person.rest()

    stands = {agent.host: agent.scopes for agent in desk.survey()}
    assert stands["claude"] == stands["codex"] == ("user",)
    assert stands["gemini"] == stands["opencode"] == ()
    settings = json.loads((machine / ".claude" / "settings.json").read_text())
    assert settings["theme"] == "dark"
    assert "hooks" in settings
    assert len(cli("list", "--json").lines) == 2
    assert len(cli.found("integration tests")) >= 1

    again = MemoryApp(home.path, str(repo), agents=Desk(home, str(repo)))
    async with again.run_test(size=(120, 40)) as pilot:
        person = Person(again, pilot)
        await person.until_shown("Always run")
        await person.rest()
        assert again.view == "memories"
