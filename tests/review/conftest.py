"""Stand-ins for agents and servers, and notes to judge."""

import importlib.util
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memdeck import Neighbour, Subject, Vote
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.core.config.settings import Policy
from memdeck.core.models.reviewers import ModelReviewer, reviewers_for

FAKES = Path(__file__).parent / "fakes"
NOTE = Subject(
    "Always run make migrate before the test database is seeded, or the suite fails.",
    type="procedural",
    category="pattern",
    importance=0.7,
    neighbours=(Neighbour("a1", "The test database is seeded with make test-db."),),
)


class Model:
    """A model in place of an engine's: it gives one reply, and keeps what it was asked."""

    name = "m"

    def __init__(self) -> None:
        self.reply = SimpleNamespace(
            text='{"trivial": false}', cost_usd=None, tokens_in=None, tokens_out=None
        )
        self.prompt = ""
        self.properties: tuple[str, ...] = ()
        self.calls = 0

    def ask(self, prompt: str, schema: Mapping[str, Any], _limit_s: float) -> SimpleNamespace:
        self.calls += 1
        self.prompt, self.properties = prompt, tuple(schema["properties"])
        return self.reply


@pytest.fixture
def model() -> Model:
    return Model()


@dataclass
class Program:
    """One stand-in on the PATH."""

    path: Path

    def acts(self, **part: Any) -> None:
        """What it does from now on; see fakes/program.py."""
        Path(f"{self.path}.part.json").write_text(json.dumps(part), encoding="utf-8")

    @property
    def calls(self) -> list[dict[str, Any]]:
        found = sorted(self.path.parent.glob(f"{self.path.name}.*.seen.json"))
        return [json.loads(file.read_text(encoding="utf-8")) for file in found]

    @property
    def seen(self) -> dict[str, Any]:
        """Its first call."""
        return self.calls[0]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Program]:
    """Put a stand-in with this name on the PATH; without a part it prints a good answer."""
    folder = tmp_path / "bin"

    def make(name: str = "judge", **part: Any) -> Program:
        folder.mkdir(exist_ok=True)
        path = folder / name
        source = (FAKES / "program.py").read_text(encoding="utf-8")
        put_program(path, f"#!{sys.executable} -IS\n{source}")  # a third of its start
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        made = Program(path)
        made.acts(**(part or {"stdout": '{"importance": 8, "reason": "A lasting rule."}'}))
        return made

    return make


@pytest.fixture
def model_server() -> Iterator[Any]:
    spec = importlib.util.spec_from_file_location("fake_server", FAKES / "server.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = module.ModelServer()
    yield server
    server.close()


@pytest.fixture
def reviewer() -> Callable[..., ModelReviewer]:
    """The reviewer that settings make of one engine."""

    def make(
        name: str = "analyzer",
        spent: tuple[float, int] = (0.0, 0),
        review: Any = None,
        **engine: Any,
    ) -> ModelReviewer:
        settings = {
            "reviewers": [name],
            "engines": {"one": engine},
            "engine_by_reviewer": {name: "one"},
            **(review or {}),
        }
        policy = Policy.of({"review": settings})
        made = reviewers_for(policy.review, spent=spent)[0]
        assert isinstance(made, ModelReviewer)
        return made

    return make


@pytest.fixture
def ask(reviewer: Callable[..., ModelReviewer]) -> Callable[..., Vote]:
    """The vote on a note, of the reviewer that settings make of one engine."""

    def vote(limit_s: float = 20.0, subject: Subject = NOTE, **more: Any) -> Vote:
        return reviewer(**more).review(subject, limit_s)

    return vote


@pytest.fixture
def note() -> Callable[..., Subject]:
    """A note worth keeping, with these fields changed."""
    return lambda **fields: replace(NOTE, **fields)


@pytest.fixture
def is_gone() -> Callable[[int], bool]:
    """Whether a process has ended; one that was killed may take a moment."""

    def gone(pid: int) -> bool:
        for _ in range(6000):
            if _is_dead(pid):
                return True
            time.sleep(0.01)
        return False

    return gone


def _is_dead(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = shutil.which("ps") and os.popen(f"ps -o stat= -p {pid}").read().strip()
    return bool(state) and state.startswith("Z")  # dead, and nobody there to be told
