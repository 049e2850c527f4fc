"""A real session lived through the hooks of its host, at its own time."""

from __future__ import annotations

import contextlib
import io
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from memdeck.agents import drain as drain_room
from memdeck.agents import main as hook
from memdeck.agents.spool import DrainLock
from memdeck.benchmarks.story import Chance, Clock, the_time_of
from memdeck.core.compat import MemoryCoordinator
from memdeck.core.sessions.transcript import host_of_file
from memdeck.core.sessions.turns import Turn
from memdeck.db.errors import Refused
from memdeck.db.home import Home
from training import sessions

from .gallery.dialects import DIALECTS, Said

_FOLDER = re.compile(r'"cwd"\s*:\s*"([^"]+)"')
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)
BY_LINES = ("claude", "codex")  # hosts whose files grow line by line
LEAST_FOLDER = 5  # characters of the folder that a transcript names as its project
MANY_PROMPTS = 60  # a longer session takes its last turns at once


@dataclass(frozen=True)
class Session:
    """One transcript, to be lived in a home below a folder; the project is always the same."""

    name: str
    path: Path
    drained: list[float] = field(default_factory=list, compare=False)  # CPU seconds of each drain

    @cached_property
    def turns(self) -> list[Turn]:
        return sessions.turns_of(self.path)

    @cached_property
    def prompts(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.is_prompt][:MANY_PROMPTS]

    @property
    def begins(self) -> datetime:
        return min((turn.at for turn in self.turns if turn.at), default=UNDATED)

    @property
    def ends(self) -> datetime:
        return max((turn.at for turn in self.turns if turn.at), default=UNDATED)

    def live(self, folder: Path, records: Sequence[str] = ()) -> None:
        """Every hook call that its prompts make, a drain after each turn; RuntimeError when that
        fails. `records` are what its agent records at the end."""
        home, root = prepared(folder)
        host = host_of_file(str(self.path))
        file = folder / host / self.path.name
        file.parent.mkdir(exist_ok=True)
        dialect = DIALECTS[host]
        about = dialect.about(self.name, str(file), str(root))
        clock, chance = Clock(self.begins), Chance(self.name)
        text = self.path.read_text("utf-8", errors="replace")
        if (found := _FOLDER.search(text)) and len(found[1]) >= LEAST_FOLDER:
            text = text.replace(found[1], str(root))  # the files that it edits are this project's
        lines = text.split("\n")

        def tell(said: Said) -> None:
            data = io.BytesIO(json.dumps(dialect.whole(said, about)).encode())
            quiet = contextlib.redirect_stdout(io.StringIO())
            # Holding the drain's lock keeps the hook from starting a process of its own.
            with the_time_of(home, clock, chance), DrainLock(home), quiet:
                hook.main([host, said.event], data)

        def drain() -> None:
            began = time.process_time()
            with the_time_of(home, clock, chance):
                report = drain_room.drain_spool(home, clock.now)
            self.drained.append(time.process_time() - began)
            if report.failed or report.retried or report.problem:
                raise RuntimeError(f"{self.path.name}: {report}")

        def grow(upto: int) -> None:
            """The file up to a line; one that is a single JSON text comes whole, at the end."""
            if upto >= len(lines):
                file.write_text(text, "utf-8")
            elif host in BY_LINES:
                file.write_text("".join(f"{line}\n" for line in lines[:upto]), "utf-8")

        grow(self.prompts[0].line - 1 if self.prompts else len(lines))
        tell(dialect.started())
        drain()
        for place, prompt in enumerate(self.prompts):
            clock.now = max(clock.now, prompt.at or clock.now)
            tell(dialect.prompt(prompt.text))
            following = self.prompts[place + 1 : place + 2]
            grow(following[0].line - 1 if following else len(lines))
            tell(dialect.turn_ended())
            drain()
        clock.now = max(clock.now, self.ends)
        with MemoryCoordinator.open(home, root, actor="agent", clock=clock) as memory:
            for text in records:
                with contextlib.suppress(Refused):  # filtered: that is measured, too
                    memory.learn(text, session=self.name)
        tell(dialect.ended())
        drain()


def opened(folder: Path, now: datetime) -> MemoryCoordinator:
    """The store as a user opens it then; to be closed."""
    home, root = prepared(folder)
    return MemoryCoordinator.open(home, root, clock=lambda: now)


def prepared(folder: Path) -> tuple[Home, Path]:
    home, root = Home(folder / "home"), folder / "project"
    home.prepare()
    (root / ".git").mkdir(parents=True, exist_ok=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return home, root
