"""A command line in a project of its own: in this process for speed, as a process for pipes."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, Origin, open_memory
from memdeck.tests.answers import Answer, answer_of

WIDTH = 80


@pytest.fixture
def home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lay_out_empty: Callable[[Path], None]
) -> Path:
    """A store of its own, opened once, and a project folder `acme-api` as the current one."""
    folder = tmp_path / "home"
    lay_out_empty(folder)
    project = tmp_path / "acme-api"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("MEMDECK_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    for name in ("NO_COLOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def no_home(home: Path) -> Path:
    """Where that store will be; nothing was ever opened there."""
    shutil.rmtree(home)
    return home


Cli = Callable[..., Answer]


@pytest.fixture
def cli(home: Path) -> Cli:
    """Runs a command line in this process: `cli("search", "redis", stdin="…", code=0)`."""
    return answer_of


@pytest.fixture
def process(home: Path) -> Cli:
    """Runs a command line as a process of its own, with pipes for all three streams."""

    def run(*words: str, stdin: str | bytes | None = "", **environment: str) -> Answer:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "memdeck", *words],
            input=given,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": "", **environment},
            timeout=300,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def remembered(cli: Cli) -> Callable[..., str]:
    """Remembers a text and gives its id."""

    def remember(text: str, *options: str) -> str:
        answer = cli("remember", text, *options, "--json", code=0)
        identifier: str = answer.json["id"]
        return identifier

    return remember


@pytest.fixture
def captured(home: Path) -> Callable[..., str]:
    """Offers a text as a session of an agent does, and gives the id of what it became.

    What is refused gives the number of the capture.
    """

    def capture(text: str, session: str = "s-1", **fields: Any) -> str:
        given = {"rule": "person.instruction", "importance": 0.8, **fields}
        origin = Origin(session=session, agent="claude", line=3)
        with open_memory(home, actor="rule") as core:
            core.session_seen(session, "claude")
            [result] = core.offer([Capture(text, origin=origin, **given)])
            return result.memory_id or str(core.refused_captures(1)[0].number)

    return capture
