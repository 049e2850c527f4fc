"""Whatever became of the store, the agent goes on; and what it said meanwhile is not lost."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from .conftest import injected

FACT = "Integration tests need the seeded tenant acme-eu, so run `make test-db` before them."
LATER = "From now on always use port 5433 for the test database, 5432 belongs to production."
ASKED = "how do I run the integration tests?"

EVERY_EVENT = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": ASKED},
    "PreToolUse": {"tool_name": "Read", "tool_input": {"file_path": "/src/acme/app.py"}},
    "PostToolUse": {"tool_name": "TodoWrite", "tool_input": {"todos": [{"status": "pending"}]}},
    "PostToolUseFailure": {"tool_name": "Bash", "error": "Exit code 1"},
    "SubagentStart": {"agent_id": "a1", "agent_type": "Explore"},
    "StopFailure": {"error": "rate_limit"},
    "TaskCompleted": {"task_id": "1"},
    "SubagentStop": {"agent_type": "Explore", "agent_transcript_path": "/none.jsonl"},
    "PreCompact": {"trigger": "auto"},
    "Stop": {"stop_hook_active": False},
    "SessionEnd": {"reason": "other"},
    "Notification": {"message": "waiting"},
    "NobodyKnows": {},
}


def payloads(cwd):
    """One payload of each kind of event, as the host sends it."""
    path = str(cwd / "projects" / "none.jsonl")
    about = {"session_id": "s1", "transcript_path": path, "cwd": str(cwd)}
    for event, fields in EVERY_EVENT.items():
        yield event, json.dumps({**about, "hook_event_name": event, **fields}).encode()


def a_file(path):
    path.write_text("precious")


def below_a_file(path):
    path.parent.write_text("precious")


def not_writable(path):
    path.mkdir()
    path.chmod(0o500)


def a_link_to_nowhere(path):
    path.symlink_to(path.parent / "gone")


def a_device(path):
    path.symlink_to("/dev/null")


def with_a_file_as_spool(path):
    path.mkdir()
    (path / "spool").write_text("precious")


@pytest.mark.parametrize(
    "make",
    [a_file, below_a_file, not_writable, a_link_to_nowhere, a_device, with_a_file_as_spool],
    ids=lambda f: f.__name__,
)
def test_an_unusable_home_is_not_the_agents_problem(make, hook, repo, tmp_path, monkeypatch):
    """002-38: an injection that cannot be made is none."""
    path = tmp_path / "place" / "home"
    if make is not below_a_file:
        path.parent.mkdir()
    make(path)
    monkeypatch.setenv("MEMDECK_HOME", str(path))
    for event, data in payloads(repo):
        assert injected(event, data, repo) == ""
    assert hook("UserPromptSubmit", data) == ""
    assert not (path.parent / "gone").exists()
    if path.is_file() and not path.is_symlink():
        assert path.read_text() == "precious"


WITHOUT_ROOM = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"


def test_a_full_disk_is_not_the_agents_problem(hook, repo, cli, home, start):
    """No file of the hook's process may grow by a single byte."""
    cli.remember(FACT)
    for event, data in payloads(repo):
        hook(event, data, first=WITHOUT_ROOM)

    assert "make test-db" in start("s1", repo).ask(ASKED)  # there is room again
    assert cli("drain").code == 0
    assert cli.is_whole()


def newer(database, by=1):
    with closing(sqlite3.connect(database)) as connection:
        [version] = connection.execute("PRAGMA user_version").fetchone()
        connection.execute(f"PRAGMA user_version = {version + by}")


def noise(database):
    Path(database).write_bytes(bytes(range(256)) * 256)
    forget_the_log(database)


def scrambled(database):
    """The head is sound, so that it opens; what stands behind it is not."""
    data = Path(database).read_bytes()
    Path(database).write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    forget_the_log(database)


def forget_the_log(database):
    """A write-ahead log could mend what a test breaks."""
    for suffix in ("-wal", "-shm"):
        Path(database + suffix).unlink(missing_ok=True)


@pytest.mark.parametrize("spoil", [newer, noise, scrambled], ids=lambda spoil: spoil.__name__)
def test_a_store_that_cannot_be_read_keeps_hooks_silent_and_loses_nothing(
    spoil, start, repo, home, cli, settle, known, no_drain
):
    """002-38."""
    cli.remember(FACT)
    spoil(home.database)

    session = start("s1", repo)
    session.says(LATER)
    with no_drain():
        assert session.ask(ASKED) == ""
        session.stop()
        for event, data in payloads(repo):
            assert injected(event, data, repo) == ""
    settle()  # the drain opens the store, which repairs it
    [first] = known("seeded tenant")
    [later] = known("port 5433")
    assert (first.content, later.origin.session) == (FACT, "s1")
    assert len(known()) == 2
    assert "make test-db" in session.ask(ASKED)
    assert cli.is_whole()
