"""A session taken through the doors of its host, event by event, and what is then known."""

import contextlib
import io
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from memdeck import Memory, MemoryCoordinator
from memdeck.agents import drain as drain_room
from memdeck.agents import main as hook
from memdeck.agents.spool import DrainLock
from memdeck.benchmarks.story import Chance, Clock, the_time_of
from memdeck.db.home import Home

from .build import file_of, render
from .dialects import DIALECTS, Said
from .dialogue import Dialogue
from .programs import put_program
from .writer import session_id


@dataclass(frozen=True)
class Played:
    """One session after its end."""

    dialogue: Dialogue
    home: Home
    root: Path
    memories: tuple[Memory, ...]


def play(dialogue: Dialogue, folder: Path) -> Played:
    """Live the session in a home of its own below `folder`."""
    player = Player(dialogue, folder)
    player.live()
    with MemoryCoordinator.open(player.home, player.root, clock=player.clock) as memory:
        return Played(dialogue, player.home, player.root, tuple(memory.list()))


class Player:
    """The agent's side of one session."""

    def __init__(self, dialogue: Dialogue, folder: Path) -> None:
        self.dialogue = dialogue
        self.dialect = DIALECTS[dialogue.agent]
        self.home = Home(folder / "home")
        self.home.prepare()
        self.clock = Clock(dialogue.starts)
        self.chance = Chance(dialogue.name)
        self.root = folder / dialogue.project
        (self.root / ".git").mkdir(parents=True, exist_ok=True)
        (self.root / ".git" / "HEAD").write_text(f"ref: refs/heads/{dialogue.branch}\n")
        self.file = folder / dialogue.agent / file_of(dialogue, str(self.root))
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.program = folder / "bin" / "opencode"
        self.todos: list[dict[str, str]] = []
        self.heard: list[str] = []  # what the model was told: at the start, then with each prompt

    def live(self) -> None:
        """Every hook call of the session, and a drain after each turn."""
        if self.dialogue.agent == "opencode":
            self.stand_in()
        self.hear(self.dialect.started())
        for position, step in enumerate(self.dialogue.steps):
            if step.is_prompt:
                if position:
                    self.tell(self.dialect.turn_ended())
                    self.drain()
                self.hear(self.dialect.prompt(step.text))
            elif step.kind == "compaction":
                self.tell(self.dialect.compacting())
            self.write(position + 1)
            if step.kind == "todos":
                old, self.todos = self.todos, [{"content": s, "status": x} for s, x in step.todos]
                self.tell(self.dialect.todos(old, self.todos))
        self.tell(self.dialect.turn_ended())
        self.tell(self.dialect.ended())
        self.drain()

    def hear(self, said: Said) -> None:
        """One call of the hook whose answer is kept."""
        printed = self.tell(said)
        self.heard.append(self.dialect.heard(json.loads(printed)) if printed else "")

    def tell(self, said: Said | None, session: str = "") -> str:
        """One call of the hook; what it printed. A host without such an event makes none."""
        if said is None:
            return ""
        about = self.dialect.about(
            session or session_id(self.dialogue), str(self.file), str(self.root)
        )
        data = io.BytesIO(json.dumps(self.dialect.whole(said, about)).encode())
        out = io.StringIO()
        # Holding the drain's lock keeps the hook from starting a process of its own.
        with self.surroundings(), DrainLock(self.home), contextlib.redirect_stdout(out):
            hook.main([self.dialogue.agent, said.event], data)
        return out.getvalue()

    def drain(self) -> None:
        path = f"{self.program.parent}{os.pathsep}{os.environ['PATH']}"
        with self.surroundings(), mock.patch.dict(os.environ, PATH=path):
            report = drain_room.drain_spool(self.home, self.clock.now)
        troubles = (report.failed, report.retried, report.postponed, report.problem)
        assert not any(troubles), report

    def surroundings(self) -> Any:
        return the_time_of(self.home, self.clock, self.chance)

    def write(self, upto: int) -> None:
        """The host's file after the first `upto` steps; the clock stands at the last of them."""
        self.file.write_text(render(self.dialogue, str(self.root), upto), "utf-8")
        self.clock.now = max(self.clock.now, self.dialogue.at(upto))

    def stand_in(self) -> None:
        """A program `opencode` whose export is the file: the outside world, replaced."""
        self.program.parent.mkdir(exist_ok=True)
        put_program(
            self.program, f"#!{sys.executable} -IS\nprint(open({str(self.file)!r}).read())\n"
        )
