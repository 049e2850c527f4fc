"""A project over several sessions: each through its host's hooks and the drain, days apart."""

import contextlib
import io
import json
import os
import re
import shlex
import shutil
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

from memdeck import Memory, MemoryCoordinator
from memdeck.benchmarks.gallery.dialogue import Dialogue, Step, steps_in
from memdeck.benchmarks.gallery.play import Player
from memdeck.cli.main import run
from memdeck.core.context import Context
from memdeck.core.services.sessions import Session

BEGINS = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_REQUEST = re.compile(r"\[memdeck\] Record what[^\n]*\n[^\n]*")
LAID_DOWN = "Laid down by the person for this project; keep to it."


@dataclass(frozen=True)
class Heard:
    """What the agent of one session was told, ids and the request to record left out."""

    start: str
    prompts: tuple[str, ...]
    request: str  # what it was asked to record; "" where it was not


@dataclass(frozen=True)
class Ran:
    """What a command of ours answered in an agent's shell."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON object that it is."""
        return json.loads(self.out)


class Worker(Player):
    """A player whose agent really runs what it runs of memdeck: at the session's own time."""

    ran: list[Ran]

    def go_on(self, more: tuple[Step, ...], source: str | None) -> list[str]:
        """Live further steps of the same session; what the model was told with them."""
        first, self.heard = len(self.dialogue.steps), []
        self.dialogue = replace(self.dialogue, steps=(*self.dialogue.steps, *more))
        if source:
            self.hear(self.dialect.started(source))
        for place, step in enumerate(more, first):
            if step.is_prompt:
                self.hear(self.dialect.prompt(step.text))
            elif step.kind == "compaction":
                self.tell(self.dialect.compacting())
            self.write(place + 1)
            if step.kind == "compaction":
                self.drain()
                self.hear(self.dialect.started("compact"))
            elif step.kind == "answer":
                self.tell(self.dialect.turn_ended())
                self.drain()
        self.tell(self.dialect.ended())
        self.drain()
        return self.heard

    def write(self, upto: int) -> None:
        step = self.dialogue.steps[upto - 1]
        if step.kind == "run" and step.text.startswith("memdeck "):
            with self.surroundings():
                self.ran.append(run_at(self.clock, shlex.split(step.text)[1:], self))
        super().write(upto)


def run_at(clock: Callable[[], datetime], words: list[str], player: Player) -> Ran:
    """A command line in the project's folder, at the clock's time."""
    out, err = io.StringIO(), io.StringIO()
    defaults = Context.__init__.__kwdefaults__
    assert defaults
    before = defaults["clock"]
    defaults["clock"] = clock
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([*words, "--project", str(player.root)])
    finally:
        defaults["clock"] = before
    return Ran(code, out.getvalue(), err.getvalue())


class Project:
    """One home and one repository; the clock stands at the day of the last session."""

    def __init__(self, folder: Path, name: str = "harbour") -> None:
        self._folder = folder
        self._name = name
        self._sessions = 0
        self.now = BEGINS
        self.ran: list[Ran] = []  # what the agents ran of memdeck, in the last session

    @property
    def folder(self) -> Path:
        """Where home, repository and the hosts' files lie."""
        return self._folder

    def copy(self) -> "Project":
        """The same project, to live on from here by itself."""
        other = copy(self)
        other.player, other.ran = copy(self.player), [*self.ran]
        other.player.clock = copy(self.player.clock)
        return other

    def session(self, script: str, *, host: str = "claude", days: float = 1) -> Heard:
        """Live a session, in the form of the gallery, `days` after the last one."""
        self._sessions += 1
        self.now += timedelta(days=days)
        steps = tuple(steps_in(dedent(script).strip()))
        session = (
            f"day-{self._sessions}" if self._name == "harbour" else f"{self._name}-{self._sessions}"
        )
        dialogue = Dialogue(session, host, self._name, "main", self.now, steps)
        self.player = player = Worker(dialogue, self._folder)
        player.ran = self.ran = []
        player.live()
        self.now = player.clock.now
        start, *prompts = [_without_ids(without_request(text)) for text in player.heard]
        return Heard(start, tuple(prompts), "\n".join(map(request_in, player.heard)).strip())

    def go_on(self, script: str, source: str | None = None) -> list[str]:
        """The last session goes on, after a start of this `source`; what it is told meanwhile.

        A step `C:` compacts its context.
        """
        self.player.clock.now = max(self.player.clock.now, self.now) + timedelta(seconds=10)
        told = self.player.go_on(tuple(steps_in(dedent(script).strip())), source)
        self.now = self.player.clock.now
        return [_without_ids(without_request(text)) for text in told]

    def command(self, *words: str) -> Ran:
        """A command line between two sessions, in the project's folder."""
        with self.player.surroundings():
            return run_at(lambda: self.now, list(words), self.player)

    def move(self, name: str) -> None:
        """The project's folder has another name from now on."""
        os.rename(self._folder / self._name, self._folder / name)
        self._name = name

    def memory(self) -> MemoryCoordinator:
        """The store as a person opens it now; to be closed."""
        return MemoryCoordinator.open(
            self._folder / "home", self._folder / self._name, clock=lambda: self.now
        )

    def person(self, act: Callable[[MemoryCoordinator], object]) -> None:
        """What a person does between two sessions."""
        with self.memory() as memory:
            act(memory)


class Lived:
    """A project as its first sessions left it: lived once, and laid anew for each test.

    A store knows its project by the folder, so all have the same one, one after the other.
    """

    def __init__(self, folder: Path, live: Callable[[Project], object]) -> None:
        self._folder, self._kept = folder / "lived", folder / "kept"
        self._folder.mkdir()
        self._project = Project(self._folder)
        live(self._project)
        shutil.copytree(self._folder, self._kept)

    def again(self) -> Project:
        """The project as it was then."""
        shutil.rmtree(self._folder)
        shutil.copytree(self._kept, self._folder)
        return self._project.copy()


def live(project: Project, query: str = "") -> list[Memory]:
    """The memories that a query lists now."""
    with project.memory() as memory:
        return memory.list(query)


def newest_session(project: Project) -> Session:
    """The last session as the store has it."""
    with project.memory() as memory:
        return memory.sessions()[0]


def contents(text: str) -> list[str]:
    """The texts of the memories in an injection, sorted."""
    texts = re.findall(r">([^<>]+)(?:<about [^>]*/>)?</(?:memory|task)>", text)
    return sorted(words.removeprefix("Todo left open: ") for words in texts)


def framed(*notes: str, vouched: tuple[str, ...] = (), judged: tuple[str, ...] = ()) -> list[str]:
    """The texts of these memories, as `contents` has them."""
    return contents("\n".join((*vouched, *judged, *notes)))


def parts(text: str) -> tuple[str, str]:
    """What the user confirmed, and the rest."""
    confirmed, end, rest = text.partition("</confirmed>")
    return (confirmed, rest) if end else ("", text)


def request_in(text: str) -> str:
    """The two lines that ask an agent to record, in what it was told; "" without them."""
    found = _REQUEST.search(text)
    return found[0] if found else ""


def without_request(text: str) -> str:
    """What an agent was told, but for these lines."""
    return re.sub(r"\n{3,}", "\n\n", _REQUEST.sub("", text)).strip("\n")


def _without_ids(text: str) -> str:
    return re.sub(r"#\w{7,}", "#…", re.sub(r' id="[^"]+"', "", text))
