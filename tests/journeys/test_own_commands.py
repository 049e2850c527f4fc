"""A slash command of ours is done when it has run: nothing of how it was asked for is kept."""

import tomllib
from dataclasses import replace

import pytest

from memdeck import MemoryCoordinator
from memdeck.agents import slash_commands as commands
from memdeck.core.ingest.extract.echo import is_trace
from memdeck.tests.gallery.dialogue import Step, load
from memdeck.tests.gallery.play import Player

HOSTS = ("claude", "codex", "gemini", "opencode")  # those with commands from files

WORDS = "From now on always run `make test-db` before the integration tests, they need its data."
ASKED = "Mend the tide tables of pier C, please."


def prompts(host: str) -> list[str]:
    """What each of our commands becomes in the host's session, the person's words in it."""
    if host == "codex":
        return [f"${name} {WORDS}" for name in commands.NAMES]
    made = commands.files(host, "project", "/src/acme", program="/opt/memdeck/bin/memdeck")
    found = []
    for text in (one.data.decode() for one in made):
        if host == "gemini":
            _, _, rest = tomllib.loads(text)["prompt"].partition("\n")  # the command's own line
            found.append(f"remembered  {WORDS}\n{rest}")
        else:
            found.append(text.split("---\n", 2)[2].replace("$ARGUMENTS", WORDS).strip())
    return found


@pytest.fixture(params=HOSTS)
def player(request, tmp_path):
    model = load("parser")
    said = [Step("prompt", text=prompts(request.param)[0]), Step("answer", text="Remembered.")]
    steps = (*said, Step("prompt", text=ASKED), Step("answer", text="The tables are whole again."))
    return Player(replace(model, host=request.param, name="notes", steps=steps), tmp_path)


@pytest.mark.parametrize("host", HOSTS)
def test_each_command_is_known_by_what_it_becomes(host):
    """002-23: in each host's own form."""
    assert len(prompts(host)) == len(commands.NAMES)
    assert all(is_trace(text) for text in prompts(host))


@pytest.mark.parametrize(
    "text",
    [
        "$remembered is a shell variable",
        "$MEM is full",
        "The person typed /remember.",
        "See: The person typed /mem; above is what memdeck printed.",
        "Run /pin by hand",
    ],
)
def test_what_only_looks_like_one_is_a_prompt(text):
    assert not is_trace(text)


def test_the_sessions_goal_and_memories_come_from_what_was_asked(player):
    player.home.prepare()
    with open(player.home.config, "w", encoding="utf-8") as file:
        file.write('[working]\nprompts = "turn"\n')
    player.live()
    with MemoryCoordinator.open(player.home, player.root, clock=player.clock) as memory:
        [session] = memory.sessions()
        kept = [one.content for one in memory.list("")]
        held = [one.content for one in memory.list("is:retired type:working")]
    assert session.goal == ASKED
    assert not any("make test-db" in text or "memdeck printed" in text for text in kept)
    assert held == [f"Asked for now: {ASKED}"]
