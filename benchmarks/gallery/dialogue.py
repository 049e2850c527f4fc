"""The terse form of a session, read. `sessions/*.txt` are in it.

A head of `name: value` lines, a blank line, then steps. What is indented by two spaces goes on
with the step above.

    P: a prompt             Q: one typed meanwhile      A: an answer      N: a thought
    M: injected memories    C: a compaction's summary   X: a trace of the host's own commands
    $ command               R path   E path   W path    S kind: task of a subagent
    > output or content     - line taken out            + line put in     ! exit code
    D: words with which a user refuses the call above
    T                       the todo list: [ ] open, [~] begun, [x] done

`{{NAME}}` becomes a pretended secret, `> %200 text {n}` is 200 lines of output.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

SESSIONS = Path(__file__).parent / "sessions"
NAMES = tuple(sorted(path.stem for path in SESSIONS.glob("*.txt")))
STEP = timedelta(seconds=40)  # between two steps

_STATUS = {" ": "pending", "~": "in_progress", "x": "completed"}
_HEX = hashlib.sha256(b"gallery").hexdigest()
_SECRETS = {  # made of parts, so that no file holds what looks like one
    "GITHUB_TOKEN": "gh" + "p_" + _HEX[:36],
    "API_KEY": "gk" + "_live_" + "Zq8" + _HEX[20:46] + "Kd3",
    "PASSWORD": "Tr0ub4dor" + "-" + _HEX[50:58],
}
_KINDS = {"P": "prompt", "Q": "queued", "A": "answer", "N": "thought", "M": "injected"}
_KINDS |= {"C": "compaction", "X": "trace"}
_PATHS = {"R": "read", "E": "edit", "W": "write"}


@dataclass(frozen=True)
class Step:
    """One thing said or done."""

    kind: str
    text: str = ""  # words, command or task
    path: str = ""  # relative to the project
    output: tuple[str, ...] = ()
    code: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    refusal: str = ""
    todos: tuple[tuple[str, str], ...] = ()  # (subject, status)

    @property
    def is_prompt(self) -> bool:
        return self.kind == "prompt"


@dataclass(frozen=True)
class Dialogue:
    """One session."""

    name: str
    host: str  # claude, codex, codex-old, gemini, gemini-json, opencode
    project: str
    branch: str
    starts: datetime
    steps: tuple[Step, ...]
    expected: dict[str, Any] = field(default_factory=dict)

    @property
    def agent(self) -> str:
        """The host without the age of its format."""
        return self.host.partition("-")[0]

    def at(self, position: int) -> datetime:
        """When a step took place."""
        return self.starts + position * STEP


def load(name: str) -> Dialogue:
    """The session of that name, with what is expected of it."""
    text = _with_secrets((SESSIONS / f"{name}.txt").read_text("utf-8"))
    head, _, body = text.partition("\n\n")
    about = dict(line.split(": ", 1) for line in head.splitlines())
    return Dialogue(
        name,
        about["host"],
        about["project"],
        about["branch"],
        datetime.fromisoformat(f"{about['date']}+00:00"),
        tuple(steps_in(body)),
        json.loads(_with_secrets((SESSIONS / f"{name}.expected.json").read_text("utf-8"))),
    )


def steps_in(body: str) -> list[Step]:
    """The steps of a session's body."""
    steps: list[Step] = []
    for number, line in enumerate(body.splitlines(), 1):
        if not line.strip():
            continue
        if opened := _opened(line):
            steps.append(opened)
            continue
        if not steps:
            raise ValueError(f"line {number} belongs to no step: {line}")
        steps[-1] = _continued(steps[-1], line, number)
    return steps


def _opened(line: str) -> Step | None:
    if line == "T":
        return Step("todos")
    if line.startswith("$ "):
        return Step("run", line[2:])
    if found := re.match(r"([PQANMCX]): ?(.*)", line):
        return Step(_KINDS[found[1]], found[2])
    if found := re.match(r"([REW]) (\S+)$", line):
        return Step(_PATHS[found[1]], path=found[2])
    if found := re.match(r"S (\w+): (.+)", line):
        return Step("subagent", found[2], path=found[1])
    return None


def _continued(step: Step, line: str, number: int) -> Step:
    mark, rest = line[:2], line[2:]
    if line.startswith("D: "):
        return replace(step, refusal=line[3:])
    if mark in ("> ", ">"):
        return replace(step, output=(*step.output, *_repeated(rest)))
    if mark == "! ":
        return replace(step, code=int(rest))
    if mark == "- ":
        return replace(step, before=(*step.before, rest))
    if mark == "+ ":
        return replace(step, after=(*step.after, rest))
    if mark == "  " and step.kind == "todos":
        return replace(step, todos=(*step.todos, (rest[4:], _STATUS[rest[1]])))
    if mark == "  ":
        return replace(step, text=f"{step.text}\n{rest}" if step.text else rest)
    raise ValueError(f"line {number} is in no known form: {line}")


def _repeated(line: str) -> list[str]:
    found = re.match(r"%(\d+) (.*)", line)
    if not found:
        return [line]
    return [found[2].replace("{n}", str(n)) for n in range(int(found[1]))]


def _with_secrets(text: str) -> str:
    for name, secret in _SECRETS.items():
        text = text.replace("{{" + name + "}}", secret)
    return text
