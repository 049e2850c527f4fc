"""A real session lived through the hooks of its host, and what later starts tell of it."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from memdeck.core.capture.transcripts import host_of_file
from memdeck.core.capture.turns import Turn
from memdeck.core.coordinator import MemoryCoordinator
from memdeck.db.home import Home
from memdeck.demo.doors import Chance, Clock, the_time_of
from memdeck.hooks import drain as drain_room
from memdeck.hooks import main as hook
from memdeck.hooks.detach import DrainLock
from memdeck.tests.gallery.dialects import DIALECTS

SESSION = "11111111-2222-4333-8444-555555555555"


def told(path: Path, turns: Sequence[Turn], later: Iterable[timedelta]) -> list[list[str]]:
    """The memories that the next session's start tells, so long after the end, one list each."""
    with TemporaryDirectory() as folder:
        home, root = Home(Path(folder) / "home"), Path(folder) / "project"
        (root / ".git").mkdir(parents=True)
        ended = max((one.at for one in turns if one.at), default=datetime(2026, 1, 1, tzinfo=UTC))
        clock = Clock(ended)
        home.prepare()
        _live(path, home, root, clock)
        answers = []
        for time in later:
            clock.now = ended + time
            with (
                the_time_of(home, clock, Chance(str(time))),
                MemoryCoordinator.open(home, root, clock=clock) as memory,
            ):
                told = memory.recall("", event="SessionStart", source="startup")
                answers.append([hit.memory.content for hit in told.items])
        return answers


def _live(path: Path, home: Home, root: Path, clock: Clock) -> None:
    """The hooks of a session's start and end, and the drain; the transcript is there whole."""
    host = host_of_file(str(path))
    dialect = DIALECTS[host]
    about = dialect.about(SESSION, str(path), str(root), "")
    for said in (dialect.started(), dialect.turn_ended(), dialect.ended()):
        if said is not None:
            data = io.BytesIO(json.dumps(dialect.whole(said, about)).encode())
            # Holding the drain's lock keeps the hook from starting a process of its own.
            with (
                the_time_of(home, clock, Chance(said.event)),
                DrainLock(home),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                hook.main([host, said.event], data)
    with the_time_of(home, clock, Chance("drain")):
        report = drain_room.drain(home, clock.now)
    if report.failed or report.retried or report.problem:
        raise RuntimeError(f"{path.name}: {report}")
