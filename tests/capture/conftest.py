"""Transcripts from files, and sessions built line by line."""

import contextlib
import fcntl
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memdeck import Capture, MemoryCoordinator
from memdeck.agents import main as hook
from memdeck.benchmarks.gallery.extract import extract
from memdeck.cli.main import run as run_command_line
from memdeck.core.sessions.turns import Turn
from memdeck.tests.transcripts import read_claude

FILES = Path(__file__).resolve().parents[1] / "wire" / "claude" / "transcripts"
ROOT = "/home/dev/acme-api"


@pytest.fixture(scope="session")
def transcript() -> Callable[[str], str]:
    """The path of a recorded transcript."""
    return lambda name: str(FILES / f"{name}.jsonl")


@pytest.fixture(scope="session")
def captured(transcript: Callable[[str], str]) -> Callable[[str], list[Capture]]:
    """What a recorded transcript yields."""

    def _captured(name: str) -> list[Capture]:
        path = transcript(name)
        reading = read_claude(path, sidechains="subagent" in name)
        return extract(reading.turns, session="s1", transcript=path, project_root=ROOT)

    return _captured


class SessionBuilder:
    """Turns as a session makes them; `captures()` tells what is left of it."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def _add(self, kind: str, text: str = "", **fields: Any) -> "SessionBuilder":
        line = len(self.turns) + 1
        self.turns.append(Turn(kind, text, line=line, uuid=f"u{line}", **fields))
        return self

    def asks(self, text: str, **fields: Any) -> "SessionBuilder":
        return self._add("user", text, **fields)

    def says(self, text: str, **fields: Any) -> "SessionBuilder":
        return self._add("assistant", text, **fields)

    def calls(
        self,
        tool: str,
        result: str = "",
        *,
        is_error: bool = False,
        details: Any = None,
        **given: Any,
    ) -> "SessionBuilder":
        name = f"call-{len(self.turns)}"
        self._add("tool_call", tool=tool, tool_input=given, call_id=name)
        return self._add(
            "tool_result", result, tool=tool, is_error=is_error, call_id=name, details=details or {}
        )

    def runs(self, command: str, output: str = "ok", code: int = 0) -> "SessionBuilder":
        text = f"Exit code {code}\n{output}" if code else output
        return self.calls("Bash", text, is_error=bool(code), command=command)

    def edits(self, path: str, old: str, new: str) -> "SessionBuilder":
        file = f"{ROOT}/{path}"
        return self.calls("Edit", "updated", file_path=file, old_string=old, new_string=new)

    def captures(self, **options: Any) -> list[Capture]:
        return extract(self.turns, session="s1", project_root=ROOT, **options)

    def contents(self, rule: str = "") -> list[str]:
        kept = (c for c in self.captures() if not c.filtered)
        return [c.content for c in kept if c.rule.endswith(rule)]


@pytest.fixture
def session() -> SessionBuilder:
    return SessionBuilder()


@pytest.fixture
def said() -> Callable[[str], list[str]]:
    """What is kept when a person says just this."""
    return lambda text: SessionBuilder().asks(text).contents()


@pytest.fixture
def fields_of(core: MemoryCoordinator) -> Callable[..., list[Mapping[str, Any]]]:
    """The fields of their type's own table that follow from texts, in a store of their own."""

    def fields(kind: str, texts: Sequence[str], **more: Any) -> list[Mapping[str, Any]]:
        items = [{"content": text, "type": kind, **more} for text in texts]
        report = core.import_memories(items)
        assert not report.refused
        return [core.show(memory).details for memory in report.ids]

    return fields


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Sequence[Any]], str]:
    """A file of these lines; what is no text is written as JSON."""

    def _written(lines: Sequence[Any]) -> str:
        path = tmp_path / "session.jsonl"
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return str(path)

    return _written


class Lived:
    """A session of Claude Code that is over: its file was read through hook and drain."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self._root = home, folder / "acme-api"
        self._file = folder / "s1.jsonl"
        self._lines = list[str]()
        (self._root / ".git").mkdir(parents=True)
        (self._root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    def _add(self, kind: str, content: Any, **more: Any) -> "Lived":
        number = len(self._lines) + 1
        message = {"id": f"m{number}", "role": kind, "content": content}
        at = datetime.now(UTC).isoformat()  # the store has the same clock
        about = {"sessionId": "s1", "cwd": str(self._root), "timestamp": at}
        line = {"type": kind, "uuid": f"u{number}", "message": message, **about, **more}
        self._lines.append(json.dumps(line))
        return self

    def asks(self, text: str) -> "Lived":
        return self._add("user", text)

    def says(self, text: str) -> "Lived":
        return self._add("assistant", [{"type": "text", "text": text}])

    def runs(self, command: str, output: str = "ok") -> "Lived":
        return self.calls("Bash", {"command": command}, output, {"stdout": output, "stderr": ""})

    def calls(self, tool: str, given: Any, output: str = "ok", kept: Any = None) -> "Lived":
        call = f"toolu_{len(self._lines)}"
        self._add("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": given}])
        result = {"type": "tool_result", "tool_use_id": call, "content": output}
        return self._add("user", [result], toolUseResult=kept or {})

    def before(self) -> MemoryCoordinator:
        """The store before the session; to be closed."""
        return MemoryCoordinator.open(self._home, self._root)

    def core(self) -> MemoryCoordinator:
        """The store after the session's end; to be closed."""
        self._file.write_text("\n".join(self._lines) + "\n", "utf-8")
        told = {
            **{"session_id": "s1", "cwd": str(self._root), "hook_event_name": "SessionEnd"},
            **{"transcript_path": str(self._file), "reason": "exit"},
        }
        lock = self._home / "spool" / "drain.lock"
        with open(lock, "a") as held:  # whoever sees it held starts no drain
            fcntl.flock(held, fcntl.LOCK_EX)
            hook.main(["claude", "SessionEnd"], io.BytesIO(json.dumps(told).encode()))
        with contextlib.redirect_stderr(io.StringIO()):
            assert run_command_line(["drain"]) == 0
        return self.before()


@pytest.fixture
def lived(home_path: Path, tmp_path: Path, lay_out_empty: Callable[[Path], None]) -> Lived:
    lay_out_empty(home_path)
    return Lived(home_path, tmp_path / "client")
