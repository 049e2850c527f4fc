"""A slash command of ours is done when it has run: nothing of how it was asked for is kept."""

import tomllib
from dataclasses import replace

import pytest

from memdeck import MemoryCoordinator
from memdeck.benchmarks.gallery.dialogue import Step, load
from memdeck.benchmarks.gallery.play import Player
from memdeck.hosts import commands as commands
from memdeck.hosts.install import host_of

HOSTS = ("claude", "codex", "gemini", "opencode")  # those with commands from files

WORDS = "From now on always run `make test-db` before the integration tests, they need its data."
ASKED = "Mend the tide tables of pier C, please."


def prompts(host: str) -> list[str]:
    """What each of our commands becomes in the host's session, the person's words in it."""
    if host == "codex":
        return [f"${name} {WORDS}" for name in (one.name for one in commands.COMMANDS)]
    made = commands.files(host_of(host).commands, "project", "/src/acme", "/bin/memdeck", "")
    found = []
    for text in (data.decode() for _, data in made):
        if host == "gemini":
            found.append(tomllib.loads(text)["prompt"].replace("{{args}}", WORDS))
        else:
            found.append(text.split("---\n", 2)[2].replace("$ARGUMENTS", WORDS).strip())
    return found


def player(host, folder, *texts):
    """A session in which these are the prompts, each with an answer."""
    model = load("parser")
    steps = [
        step
        for text in texts
        for step in (Step("prompt", text=text), Step("answer", text="It is done."))
    ]
    return Player(replace(model, host=host, name="notes", steps=tuple(steps)), folder)


def live_at_once(player):
    """The session as its file tells it in the end: hooks tell of its start and end alone."""
    if player.dialogue.agent == "opencode":
        player.stand_in()
    player.hear(player.dialect.started())
    player.write(len(player.dialogue.steps))
    player.tell(player.dialect.turn_ended())
    player.tell(player.dialect.ended())
    player.drain()


@pytest.mark.parametrize("host", HOSTS)
def test_each_command_is_known_by_what_it_becomes(host, tmp_path):
    """002-23: in each host's own form."""
    typed = prompts(host)
    assert len(typed) == len(commands.COMMANDS)
    session = player(host, tmp_path, *typed, ASKED)
    live_at_once(session)
    with MemoryCoordinator.open(session.home, session.root, clock=session.clock) as memory:
        assert [one.goal for one in memory.sessions()] == [ASKED]
        assert not any("make test-db" in one.content for one in memory.list())


LOOK_ALIKES = (
    "$remembered is a shell variable",
    "$MEM is full",
    "The user typed /remember.",
    "See: The user typed /mem; above is what memdeck printed.",
    "Run /pin by hand",
)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_one_is_a_prompt(text, tmp_path):
    session = player("claude", tmp_path, text, ASKED)
    live_at_once(session)
    with MemoryCoordinator.open(session.home, session.root, clock=session.clock) as memory:
        assert [one.goal for one in memory.sessions()] == [text]


@pytest.mark.parametrize("host", HOSTS)
def test_the_sessions_goal_and_memories_come_from_what_was_asked(host, tmp_path):
    session = player(host, tmp_path, prompts(host)[0], ASKED)
    session.home.prepare()
    with open(session.home.config, "w", encoding="utf-8") as file:
        file.write('[working]\nprompts = "turn"\n')
    session.live()
    with MemoryCoordinator.open(session.home, session.root, clock=session.clock) as memory:
        [lived] = memory.sessions()
        kept = [one.content for one in memory.list("")]
        held = [one.content for one in memory.list("is:retired type:working")]
    assert lived.goal == ASKED
    assert not any("make test-db" in text or "memdeck printed" in text for text in kept)
    assert held == [f"Asked for now: {ASKED}"]
