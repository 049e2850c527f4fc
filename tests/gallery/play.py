"""A session taken through the doors, and what is then known.

Claude Code's sessions go through its hooks and the drain, event by event. The hosts whose hooks
are not built yet are read as the drain would: their file in two pieces, extraction, `offer`.
"""

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdeck.core.capture.extract import extract
from memdeck.core.capture.lines import look_back
from memdeck.core.capture.redacted import without_secrets
from memdeck.core.capture.transcripts import read_any
from memdeck.core.coordinator import MemoryCoordinator
from memdeck.core.values import Memory
from memdeck.db.home import Home
from memdeck.demo.doors import Chance, Clock, the_time_of
from memdeck.hooks import drain as drain_room
from memdeck.hooks import main as hook
from memdeck.hooks.detach import DrainLock

from .build import file_of, render
from .dialogue import Dialogue, Step
from .writer import session_id


@dataclass(frozen=True)
class Played:
    """One session after its end."""

    dialogue: Dialogue
    home: Home
    memories: tuple[Memory, ...]


def play(dialogue: Dialogue, folder: Path) -> Played:
    """Live the session in a home of its own below `folder`."""
    player = _Player(dialogue, folder)
    if dialogue.agent == "claude":
        player.hooks()
    else:
        player.readings()
    with MemoryCoordinator.open(player.home, player.root, clock=player.clock) as memory:
        return Played(dialogue, player.home, tuple(memory.list()))


class _Player:
    """The agent's side of one session."""

    def __init__(self, dialogue: Dialogue, folder: Path) -> None:
        self.dialogue = dialogue
        self.home = Home(folder / "home")
        self.home.prepare()
        self.clock = Clock(dialogue.starts)
        self.chance = Chance(dialogue.name)
        self.root = folder / dialogue.project
        (self.root / ".git").mkdir(parents=True)
        (self.root / ".git" / "HEAD").write_text(f"ref: refs/heads/{dialogue.branch}\n")
        self.file = folder / dialogue.agent / file_of(dialogue, str(self.root))
        self.file.parent.mkdir(parents=True)
        self.todos: list[dict[str, str]] = []

    # -- Claude Code

    def hooks(self) -> None:
        """Every hook call of the session, and a drain after each turn."""
        self.tell("SessionStart", source="startup")
        for position, step in enumerate(self.dialogue.steps):
            if step.is_prompt:
                if position:
                    self.tell("Stop", stop_hook_active=False, last_assistant_message="…")
                    self.drain()
                self.tell("UserPromptSubmit", prompt=step.text)
            elif step.kind == "compaction":
                self.tell("PreCompact", trigger="auto")
            self.write(position + 1)
            if step.kind == "todos":
                self.tell_todos(step)
        self.tell("Stop", stop_hook_active=False, last_assistant_message="…")
        self.tell("SessionEnd", reason="prompt_input_exit")
        self.drain()

    def tell_todos(self, step: Step) -> None:
        old, self.todos = self.todos, [{"content": s, "status": x} for s, x in step.todos]
        answer = {"oldTodos": old, "newTodos": self.todos}
        given = {"todos": self.todos}
        self.tell("PostToolUse", tool_name="TodoWrite", tool_input=given, tool_response=answer)

    def tell(self, event: str, **fields: Any) -> None:
        payload = {
            "session_id": session_id(self.dialogue),
            "transcript_path": str(self.file),
            "cwd": str(self.root),
            "hook_event_name": event,
            **fields,
        }
        data = io.BytesIO(json.dumps(payload).encode())
        # Holding the drain's lock keeps the hook from starting a process of its own.
        with self.surroundings(), DrainLock(self.home), contextlib.redirect_stdout(io.StringIO()):
            hook.main(["claude", event], data)

    def drain(self) -> None:
        with self.surroundings():
            report = drain_room.drain(self.home, self.clock.now)
        troubles = (report.failed, report.retried, report.postponed, report.problem)
        assert not any(troubles), report

    def surroundings(self) -> Any:
        return the_time_of(self.home, self.clock, self.chance)

    # -- the other hosts

    def readings(self) -> None:
        """The file read twice, while it grows and when the session is over."""
        steps = self.dialogue.steps
        prompts = [position for position, step in enumerate(steps) if step.is_prompt]
        session = session_id(self.dialogue)
        with MemoryCoordinator.open(self.home, self.root, clock=self.clock, actor="rule") as memory:
            memory.session_seen(session, self.dialogue.agent, str(self.root))
            for upto in (prompts[len(prompts) // 2], len(steps)):
                self.write(upto)
                self.read(memory, session, is_over=upto == len(steps))

    def read(self, memory: MemoryCoordinator, session: str, *, is_over: bool) -> None:
        path = str(self.file)
        mark, since = memory.transcript_mark(path)
        offset, line = (0, 0) if is_over else look_back(path, mark, since)
        reading = read_any(path, self.dialogue.agent, offset, line)
        captures = extract(
            without_secrets(reading.turns),
            session=session,
            agent=self.dialogue.agent,
            transcript=path,
            project_root=str(self.root),
            since_line=0 if is_over else since,
            is_over=is_over,
        )
        memory.offer(captures)
        memory.set_transcript_mark(path, reading.offset, reading.line_no)

    # -- both

    def write(self, upto: int) -> None:
        """The host's file after the first `upto` steps; the clock stands at the last of them."""
        self.file.write_text(render(self.dialogue, str(self.root), upto), "utf-8")
        self.clock.now = max(self.clock.now, self.dialogue.at(upto))
