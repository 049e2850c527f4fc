"""Plays a project: its sessions through their hosts' hooks and the drain, days apart.

A project is a TOML file: sessions in their order, each with its host, the days since the last one,
what is said and done in it (the terse form of the gallery), what the person does after it, and
claims. Only the clock and the outside world are replaced. What every start, prompt, touched file
and subagent was told is returned as it was told, ids left out.
"""

import contextlib
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memdeck import Memory, MemoryCoordinator
from memdeck.agents import spool
from memdeck.benchmarks.gallery.dialects import Said
from memdeck.benchmarks.gallery.dialogue import STEP, Dialogue, Step, steps_in
from memdeck.benchmarks.gallery.play import Player
from memdeck.benchmarks.gallery.write_claude import Claude as ClaudeFile
from memdeck.benchmarks.gallery.writer import jsonl

from ..project import run_at, without_request

FOLDER = Path(__file__).parent
PROJECTS = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
BEGINS = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_PAUSE = re.compile(r"-- (\d+) minutes$")
_NAMED = re.compile(r"<<(.+?)>>")
_READERS = {"claude": "Read", "gemini": "read_file"}


@dataclass(frozen=True)
class Told:
    """One telling: where it took place ("start", "prompt 2", "file a.py", …), and the text."""

    place: str
    text: str


@dataclass(frozen=True)
class Paced(Dialogue):
    """A session with pauses between its steps; `times[n]` is when step n begins."""

    times: tuple[datetime, ...] = ()

    def at(self, position: int) -> datetime:
        return self.times[min(position, len(self.times) - 1)]


class Sitting(Player):
    """One session, from its first start over its resumptions."""

    told: list[Told]
    prompts = 0

    def go_on(self, more: Paced, source: str) -> list[Told]:
        """Live the steps of `more` after those that were lived; what was told meanwhile."""
        self.told = []
        done = len(self.dialogue.steps)
        assert isinstance(self.dialogue, Paced)
        times = (*self.dialogue.times[:done], *more.times)
        self.dialogue = replace(
            self.dialogue, steps=(*self.dialogue.steps, *more.steps), times=times
        )
        self.clock.now = max(self.clock.now, more.times[0])
        self.listen("start", self.dialect.started(source))
        for place, step in enumerate(more.steps, done):
            if step.is_prompt and place > done:
                self.end_turn()  # then time passes
            self.clock.now = max(self.clock.now, self.dialogue.at(place))
            self.live_step(place, step)
        self.end_turn()
        self.tell(self.dialect.ended())
        return self.told

    def live_step(self, place: int, step: Step) -> None:
        if step.kind in ("prompt", "queued"):
            self.prompts += 1
            self.listen(f"prompt {self.prompts}", self.dialect.prompt(step.text))
        elif step.kind == "compaction":
            self.tell(self.dialect.compacting())
        elif step.kind in ("edit", "read", "write"):
            self.touch(step)
        elif step.kind == "subagent" and self.dialogue.agent == "claude":
            self.send_out(place, step)
        self.write(place + 1)
        if step.kind == "compaction":
            self.listen("compaction", self.dialect.started("compact"))
        elif step.kind == "todos":
            old, self.todos = self.todos, [{"content": s, "status": x} for s, x in step.todos]
            self.tell(self.dialect.todos(old, self.todos))

    def write(self, upto: int) -> None:
        """The file; the clock stands where the last step ends, and not after a pause."""
        before = self.clock.now
        super().write(upto)
        self.clock.now = max(before, self.dialogue.at(upto - 1) + STEP)

    def end_turn(self) -> None:
        self.tell(self.dialect.turn_ended())

    def tell(self, said: Said | None, session: str = "") -> str:
        """One call of the hook, and a drain where it starts one: here, not in a process."""
        wanted: list[bool] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spool, "start_drain", lambda _home: not wanted.append(True))
            printed = super().tell(said, session)
        if wanted:
            self.drain()
        return printed

    def touch(self, step: Step) -> None:
        """What the model hears with a file, where its host lets it hear anything."""
        path, agent = f"{self.root}/{step.path}", self.dialogue.agent
        said: Said | None = self.dialect.touches(path)
        if step.kind == "read":
            given, reader = {"file_path": path}, _READERS.get(agent)
            said = reader and Said("PreToolUse", {"tool_name": reader, "tool_input": given})
            if agent == "gemini":
                said = self.dialect.tool(reader, given, {"llmContent": "\n".join(step.output)})
        if said:
            self.listen(f"file {step.path}", said)

    def send_out(self, place: int, step: Step) -> None:
        """A subagent of Claude Code's: it is given its task, starts, and brings something back."""
        given = {"description": "Look", "prompt": step.text, "subagent_type": step.path}
        its = {"agent_id": f"a{place:016x}", "agent_type": step.path}
        self.tell(Said("PreToolUse", {"tool_name": "Agent", "tool_input": given}))
        self.listen(f"subagent {step.path}", Said("SubagentStart", its))
        file = self.file.with_suffix("") / "subagents" / f"agent-{its['agent_id']}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        found = "\n".join(step.output)
        steps = (Step("prompt", text=step.text), Step("answer", text=found))
        own = replace(self.dialogue, steps=steps, times=(self.dialogue.at(place),))
        lines = ClaudeFile(own, str(self.root), None).lines()
        mark = {"isSidechain": True, "agentId": its["agent_id"]}
        file.write_text(jsonl({**line, **mark} for line in lines), "utf-8")
        about = {**its, "stop_hook_active": False, "last_assistant_message": found}
        self.tell(Said("SubagentStop", {**about, "agent_transcript_path": str(file)}))

    def listen(self, place: str, said: Said) -> None:
        printed = self.tell(said)
        text = self.dialect.heard(json.loads(printed)) if printed else ""
        self.told.append(Told(place, without_ids(without_request(text))))


class Week:
    """One project and its home; the clock stands where the last session ended."""

    def __init__(self, text: str, folder: Path) -> None:
        self.folder = folder
        data = tomllib.loads(text)
        self.name: str = data["project"]
        self.sessions: list[dict[str, Any]] = data["session"]
        self.now = BEGINS
        self._sittings: dict[str, Sitting] = {}
        self._last: Sitting | None = None

    def play(self) -> Iterator[tuple[int, dict[str, Any], list[Told]]]:
        """Each session's number from 1, its data, and what was told in it.

        While it is held, the store is as the session and the person's acts after it left it.
        """
        for number, session in enumerate(self.sessions, 1):
            told = self._live(number, session)
            for line in session.get("after", ()):
                assert self.command(line) == 0, line
            for line in session.get("refused", ()):
                assert self.command(line) == 1, line
            if "settings" in session:
                (self.folder / "home" / "config.toml").write_text(session["settings"], "utf-8")
            yield number, session, told

    def _live(self, number: int, session: dict[str, Any]) -> list[Told]:
        if number > 1:
            self.now += timedelta(days=session.get("days", 1))
        host, goes_on = session["host"], session.get("resumes")
        lived = paced(f"{self.name}-{number}", host, self.name, self.now, session["script"])
        if goes_on:
            sitting = self._sittings[str(goes_on)]
        else:
            empty = replace(lived, steps=(), times=(self.now,))
            sitting = Sitting(empty, self.folder)
            if host == "opencode":
                sitting.stand_in()
        source = session.get("source", "resume" if goes_on else "startup")
        told = sitting.go_on(lived, source)
        self._sittings[str(number)] = self._last = sitting
        self.now = sitting.clock.now
        return told

    def command(self, line: str) -> int:
        """The exit code of a person's command line.

        In it, `<<words>>` is the id of the live memory that holds them, and `{conflict}` that of
        the only open conflict.
        """
        self.now += timedelta(minutes=1)
        if "{conflict}" in line:
            with self.memory() as memory:
                [conflict] = memory.conflicts()
            line = line.replace("{conflict}", conflict.id)
        words = [_NAMED.sub(lambda found: self.called(found[1]).id, one) for one in split(line)]
        assert self._last is not None
        with self._last.surroundings():
            return run_at(lambda: self.now, words, self._last).code

    def called(self, words: str, *, retired: bool = False) -> Memory:
        """The one memory that holds these words."""
        [one] = self.those(words, retired=retired)
        return one

    def those(self, words: str, *, retired: bool = False) -> list[Memory]:
        """The live memories that hold these words, or the retired ones."""
        with self.memory() as memory:
            listed = memory.list("is:retired" if retired else "")
            return [one for one in listed if words in one.content]

    @contextlib.contextmanager
    def memory(self) -> Iterator[MemoryCoordinator]:
        """The store as a person opens it now."""
        home, root = self.folder / "home", self.folder / self.name
        with MemoryCoordinator.open(home, root, clock=lambda: self.now) as memory:
            yield memory


def paced(name: str, host: str, project: str, starts: datetime, script: str) -> Paced:
    """The session of a script in which `-- 20 minutes` is a pause before the next step."""
    steps: list[Step] = []
    times, waited = [starts], timedelta()
    for part in re.split(r"(?m)^(-- \d+ minutes)$", script):
        if pause := _PAUSE.match(part):
            waited += timedelta(minutes=int(pause[1]))
            continue
        for step in steps_in(part):
            times[-1] += waited
            waited = timedelta()
            steps.append(step)
            times.append(times[-1] + STEP)
    return Paced(name, host, project, "main", starts, tuple(steps), times=tuple(times))


def split(line: str) -> list[str]:
    """The words of a command line, without the name of the program."""
    words = shlex.split(line)
    return words[1:] if words[0] == "memdeck" else words


def without_ids(text: str) -> str:
    """A text that was told, with ids left out, since they are made by chance."""
    text = re.sub(r"memdeck done \w{7,}", "memdeck done …", re.sub(r' id="[^"]+"', "", text))
    return re.sub(r"#\w{7,}", "#…", text)
