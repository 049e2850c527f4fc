"""One memory for four agents: each host's own events and words, from start to end."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memdeck import MemoryCoordinator, Receipt
from memdeck.benchmarks.gallery.build import file_of
from memdeck.benchmarks.gallery.dialects import DIALECTS, Said
from memdeck.benchmarks.gallery.dialogue import Dialogue, Step, load
from memdeck.benchmarks.gallery.play import Player

from .project import without_request

HOSTS = ("claude", "codex", "gemini", "opencode")

ASKED = "how are the release notes built?"
TOLD = "Release notes are built from the changelog fragments, never from the commit list."
DECIDED = "Decision: we use towncrier for the release notes, because it keeps fragments apart."
STEPS = (
    Step("prompt", text="Set up how we write release notes."),
    Step("todos", todos=(("Compare the tools for release notes", "in_progress"),)),
    Step("answer", text=f"I compared the tools. {DECIDED}"),
    Step("prompt", text=f"Good. {TOLD} Remember that."),
    Step("answer", text="Understood."),
)


@pytest.fixture(params=HOSTS)
def player(request: pytest.FixtureRequest, tmp_path: Path) -> Player:
    """A session of the host, about to begin."""
    model = load("parser")
    dialogue: Dialogue = replace(model, host=request.param, name="notes", steps=STEPS)
    return Player(dialogue, tmp_path)


def heard(player: Player, said: Said | None, session: str = "ses_second") -> str:
    """The text that the model of another session is given, but for the request to record."""
    out = player.tell(said, session)
    return without_request(player.dialect.heard(json.loads(out))) if out else ""


def store(player: Player) -> MemoryCoordinator:
    return MemoryCoordinator.open(player.home, player.root, clock=player.clock)


def receipts(player: Player) -> list[Receipt]:
    with store(player) as memory:
        return list(memory.receipts())


@pytest.fixture
def lived(player: Player) -> Player:
    """The session is over, in which something was told."""
    with store(player) as memory:
        memory.remember("Release notes are read by the pilots as well.")
    player.live()
    return player


def test_what_one_session_said_the_next_one_hears(lived, tmp_path, subtests):
    """000-02, 000-03, 000-48, 000-49, 002-38: by hooks alone, at the three triggers."""
    dialect = lived.dialect
    with subtests.test("heard, in the form that the host knows"):  # 002-30
        text = heard(lived, dialect.prompt(ASKED))
        assert "changelog fragments" in text
        marks = {"claude": "<project_memory>", "gemini": "## "}
        mark = marks.get(lived.dialogue.agent)
        if mark is None:
            assert "<" not in text.splitlines()[0]
            assert not text.startswith("#")
        else:
            assert mark in text
    with subtests.test("by every other host"):
        for host in HOSTS:
            other = Player.__new__(Player)
            other.__dict__.update(lived.__dict__)
            other.dialogue, other.dialect = replace(lived.dialogue, host=host), DIALECTS[host]
            other.file = tmp_path / file_of(other.dialogue, str(lived.root))
            asked = other.dialect.prompt(ASKED)
            assert "changelog fragments" in heard(other, asked, f"ses_{host}")
    with subtests.test("accounted for with its prompt"):  # of the host's file, or what it exports
        assert f"Good. {TOLD} Remember that." in {one.prompt for one in receipts(lived)}
    with subtests.test("nothing to say is nothing said"):  # 000-48: an empty result
        session = "ses_third"
        heard(lived, dialect.started(), session)
        heard(lived, dialect.prompt("Good morning!"), session)  # Gemini hears of the start with it
        colour = dialect.prompt("which colour shall the logo have?")
        assert heard(lived, colour, session) == ""
    with subtests.test("summed up"), store(lived) as memory:
        [session] = [one for one in memory.sessions() if one.ended_at]
        assert session.agent == lived.dialogue.agent
        assert session.finalized_at is not None
        assert session.summary
        actions = {entry.action for entry in memory.audit(limit=200)}
        assert {"add", "finalize"} <= actions
    with subtests.test("in no other project"):  # 003-16
        other_root = tmp_path / "elsewhere"
        (other_root / ".git").mkdir(parents=True)
        (other_root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        lived.root = other_root
        assert heard(lived, dialect.prompt(ASKED), "ses_fourth") == ""


def test_an_open_todo_is_held_until_its_session_ends(player):
    """000-17 to 000-19: working memory of the host's own todo tool, told with the next prompt."""
    steps = player.dialogue.steps
    player.dialogue = replace(player.dialogue, steps=steps[:3])
    told = []
    ended = player.dialect.ended()

    def before_the_end(said: Said | None, session: str = "") -> str:
        if said == ended:
            player.drain()
            with store(player) as memory:
                told.extend(one.content for one in memory.list("type:working -tag:task"))
            prompt = player.dialect.prompt("go on with it, please")
            told.append(player.dialect.heard(json.loads(Player.tell(player, prompt, session))))
        return Player.tell(player, said, session)

    player.tell = before_the_end  # type: ignore[method-assign]
    player.live()
    assert told[0] == "Compare the tools for release notes"
    assert told[0] in told[1]
    with store(player) as memory:
        assert memory.list("type:working") == []


def test_before_a_file_is_edited_its_memories_are_told_where_the_host_can_hear(player):
    """003-03; Gemini's model hears nothing before a tool runs."""
    with store(player) as memory:
        memory.remember(TOLD, files=["docs/notes.md"])
    text = heard(player, player.dialect.touches(f"{player.root}/docs/notes.md"))
    assert (TOLD in text) == (player.dialogue.agent != "gemini")
    if player.dialogue.agent == "gemini":  # with the file's content, then
        given = {"file_path": f"{player.root}/docs/notes.md"}
        read = player.dialect.tool("read_file", given, {"llmContent": "# Notes"})
        assert TOLD in heard(player, read)
        assert heard(player, read) == ""
    assert heard(player, player.dialect.touches(f"{player.root}/docs/notes.md")) == ""
    assert heard(player, player.dialect.touches(f"{player.root}/docs/other.md")) == ""


def test_with_auto_memory_off_a_session_is_told_and_not_taken_down(player):
    """002-22, 002-38: skipped when auto-memory is off."""
    with store(player) as memory:
        memory.remember(TOLD)
        memory.set_switch("auto_memory", False)
    player.live()
    assert TOLD in heard(player, player.dialect.prompt(ASKED))
    with store(player) as memory:
        assert [one.content for one in memory.list()] == [TOLD]
        assert all(one.finalized_at is None and not one.summary for one in memory.sessions())
