"""Reports by users of such tools, each as steps and what must be seen after them.

`reports/NAME.json`: `tries`, or a `pattern` whose {names} `each` fills. Steps: {"sh"} runs in bash,
where $MD is memdeck, $CASE the inputs and $WORK a folder of the try; {"session"} is played through
the hooks, "rewind" takes the turn before it back; {"forget"} forgets the memory with these words.
"""

import json
import os
import re
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from .conftest import Cli, Session

REPORTS = Path(__file__).parent / "reports"

# Hands its folder, words, environment and input to the test, which runs them: an interpreter takes
# longer to start than what most commands do.
MEMDECK = """#!/bin/bash
at=$WORK/$BASHPID
mkdir "$at"
mkfifo "$at/code"
printf '%s\\0' "$PWD" "$@" >"$at/words"
env -0 >"$at/environment"
cat >"$at/input"
echo "$at" >"$WORK/commands"
read -r code <"$at/code"
cat "$at/out"
cat "$at/err" >&2
exit "$code"
"""


class Try:
    """A home, a user's folder and a project of its own, and what was seen in them."""

    def __init__(
        self, cli: Cli, start: Callable[..., Session], settle: Callable[[], None], work: Path
    ) -> None:
        self.cli, self.start, self.settle, self.work = cli, start, settle, work
        self.outs: list[str] = []
        self.codes: list[int] = []
        self.second = ""
        self.now = datetime.now(UTC) - timedelta(minutes=30)

    def shell(self, text: str) -> None:
        """Run it in bash; each memdeck in it runs in this process, one after another."""
        with open(os.open(self.work / "commands", os.O_RDWR)) as commands:
            process = subprocess.Popen(
                ["bash", "-c", text],
                cwd=self.cli.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            assert process.stdout
            out = b""
            while ready := select.select([commands, process.stdout], [], [], 60)[0]:
                if commands in ready:
                    for folder in os.read(commands.fileno(), 1 << 16).decode().splitlines():
                        self._answer(Path(folder))
                elif chunk := os.read(process.stdout.fileno(), 1 << 16):
                    out += chunk
                else:
                    break
            process.stdout.close()
            self.codes.append(process.wait())
        self.outs.append(out.decode(errors="replace"))

    def _answer(self, call: Path) -> None:
        """Run a command line, and leave what it printed where its program waits for it."""
        folder, *words = (call / "words").read_text().split("\0")[:-1]
        environment = dict(
            row.split("=", 1) for row in (call / "environment").read_text().split("\0")[:-1]
        )
        with pytest.MonkeyPatch.context() as patch:
            for name in os.environ.keys() - environment.keys():
                patch.delenv(name)
            for name, value in environment.items():
                patch.setenv(name, value)
            given = (call / "input").read_text(errors="replace")
            answer = self.cli(*words, cwd=Path(folder), stdin=given)
        (call / "out").write_text(answer.out)
        (call / "err").write_text(answer.err)
        (call / "code").write_text(f"{answer.code}\n")

    def live(self, turns: list[Any]) -> None:
        """Play a session of Claude Code, each row of its file under the one before it."""
        session = self.start(str(uuid4()), self.cli.folder)
        session.tell("SessionStart", source="startup")
        latest: str | None = None
        before: str | None = None

        def write(kind: str, content: Any, **more: Any) -> None:
            nonlocal latest
            self.now += timedelta(milliseconds=10)
            moment = self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            row = session.line(kind, content, parentUuid=latest, timestamp=moment, **more)
            session.write(row)
            latest = row["uuid"]

        for turn in turns:
            if turn == "rewind":
                latest = before
                continue
            if isinstance(turn, dict) and "start" in turn:
                self.second = session.tell("SessionStart", source="startup")
                continue
            before = latest
            prompt, answer = (turn["text"], "Noted.") if isinstance(turn, dict) else turn
            context = session.ask(prompt)
            content: Any = prompt
            if isinstance(turn, dict):
                data = {"type": "base64", "media_type": "image/png", "data": "A" * turn["image"]}
                content = [{"type": "text", "text": prompt}, {"type": "image", "source": data}]
            write("user", content)
            if context:
                attached = {"type": "hook_additional_context", "content": [context]}
                write("attachment", "", attachment=attached)
            write("assistant", [{"type": "text", "text": answer}])
            session.stop()
        session.end()
        self.settle()

    def see(self, what: str) -> str:
        """What `of` names in an expectation."""
        memories = self.cli("list", "--json").lines if what in ("live", "count", "dated") else []
        if what == "count":
            return str(len(memories))
        if what in ("live", "dated"):
            more = "{content}" if what == "live" else "{content} due={due} expires={expires}"
            fields = {"due": None, "expires": None}
            return "\n".join(more.format(**(fields | m)).replace("\n", " / ") for m in memories)
        if what == "start2":
            return self.second
        if what == "start" or what.startswith("prompt: "):
            session = self.start(str(uuid4()), self.cli.folder)
            text = session.tell("SessionStart", source="startup")
            if what != "start":
                text = session.ask(what.removeprefix("prompt: "))
            session.end()
            return re.sub(r"\[memdeck\] Record what.*", "", text, flags=re.DOTALL)
        kind, _, number = what.partition(".")
        answers = self.outs if kind == "out" else self.codes
        return str(answers[int(number) - 1 if number else -1])


def tries(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each try of a report, the names in its pattern filled in."""
    yield from report.get("tries", [])
    for words in report.get("each", []):

        def fill(value: Any, words: dict[str, Any] = words) -> Any:
            if isinstance(value, str):
                for name, word in words.items():
                    value = value.replace("{" + name + "}", word if isinstance(word, str) else "")
                return value
            if isinstance(value, list):
                return [fill(item) for item in value]
            return {key: fill(item) for key, item in value.items()}

        yield fill(report["pattern"])


def cases() -> list[Any]:
    every: list[Any] = []
    for path in sorted(REPORTS.glob("*.json")):
        for number, entry in enumerate(tries(json.loads(path.read_text(encoding="utf-8")))):
            every.append(pytest.param(path.stem, entry, id=f"{path.stem}-{number}"))
    return every


@pytest.mark.parametrize(("name", "entry"), cases())
def test_a_report_is_answered(
    name: str,
    entry: dict[str, Any],
    cli: Cli,
    start: Callable[..., Session],
    settle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "person").mkdir(exist_ok=True)
    program = work / "memdeck"
    os.mkfifo(work / "commands")
    program.write_text(MEMDECK)
    program.chmod(0o700)
    surroundings = {
        **{f"GIT_{who}_NAME": "x" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "x@example.org" for who in ("AUTHOR", "COMMITTER")},
        **{"MD": str(program), "CASE": str(REPORTS / name), "WORK": str(work)},
        "TZ": entry.get("tz", "UTC"),
    }
    for key, value in surroundings.items():
        monkeypatch.setenv(key, value)
    time.tzset()
    attempt = Try(cli, start, settle, work)
    try:
        for step in entry["steps"]:
            if "sh" in step:
                attempt.shell(step["sh"])
            elif "session" in step:
                attempt.live(step["session"])
            else:
                for memory in cli("list", "--json").lines:
                    if re.search(step["forget"], memory["content"]):
                        cli("forget", memory["id"])
        for expected in entry["expect"]:
            seen = attempt.see(expected["of"])
            if "is" in expected:
                assert seen.strip() == str(expected["is"])
            else:
                pattern = expected.get("must", expected.get("not"))
                is_there = bool(re.search(pattern, seen, re.IGNORECASE | re.MULTILINE))
                assert is_there == ("must" in expected), (pattern, seen)
    finally:
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()
