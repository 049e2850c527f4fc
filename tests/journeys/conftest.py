"""What the journeys share: agents' sessions, told event by event, and command lines."""

import fcntl
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from click.testing import CliRunner

from memdeck import Memory, MemoryCoordinator
from memdeck.agents import drain, spool
from memdeck.agents import main as hook_room
from memdeck.cli.main import run as run_command_line
from memdeck.db.home import Home
from memdeck.tests import forked
from memdeck.tests.answers import Answer

from .project import Project

TRANSCRIPTS = Path(__file__).parent.parent / "wire" / "claude" / "transcripts"
HOOK = "from memdeck.agents.main import main\nmain()"
TODO_TOOLS = ("TodoWrite", "TaskCreate", "TaskUpdate")


class Cli:
    """Runs command lines in `folder` unless told otherwise: in this process, since starting one
    takes longer than what it does.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, cwd: Path | None = None, stdin: str = "") -> Answer:
        with CliRunner().isolation(input=stdin) as (out, err, _), chdir(cwd or self.folder):
            code = run_command_line(words)
            sys.stdout.flush()
            sys.stderr.flush()
            return Answer(code, out.getvalue().decode(), err.getvalue().decode())

    def found(self, *query: str, cwd: Path | None = None) -> list[str]:
        """The texts of what a search finds, best first."""
        return [hit["content"] for hit in self("search", *query, "--json", cwd=cwd).lines]

    def remember(self, text: str, *options: str, cwd: Path | None = None) -> str:
        """Have a text remembered; its id."""
        identifier: str = self("remember", text, *options, "--json", cwd=cwd).json["id"]
        return identifier

    def is_whole(self) -> bool:
        """Whether journal, database and index agree."""
        return bool(self("verify", "--json").json["ok"])


def run_hook(event: str, data: bytes, *, cwd: Path | None = None, first: str = "") -> str:
    """What one hook call prints that has a process of its own; it ends well, whatever happens.

    The process does something `first`.
    """
    done = forked.run(f"{first}\n{HOOK}", "claude", event, stdin=data.decode(), cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def injected(event: str, data: bytes, cwd: Path, *, apart: bool = False) -> str:
    """What a hook call hands to the model; "" for nothing.

    It is made in this process, or `apart` in one of its own, which costs twenty times as much.
    """
    if apart:
        told = run_hook(event, data, cwd=cwd)
    else:
        out, err = io.StringIO(), io.StringIO()
        with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
            code = hook_room.main(["claude", event], io.BytesIO(data))
        told = out.getvalue()
        assert (code, err.getvalue()) == (0, "")
    if not told:
        return ""
    reply = json.loads(told)["hookSpecificOutput"]
    assert reply["hookEventName"] == event
    return str(reply["additionalContext"])


class Session:
    """An agent's session in one folder: its file grows, and each event is a call of the hook."""

    def __init__(self, name: str, cwd: Path, folder: Path, *, apart: bool = False) -> None:
        self.name = name
        self.apart = apart  # each call is a process
        self.cwd = cwd
        self.transcript = folder / "projects" / cwd.name / f"{name}.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.calls: list[tuple[str, bytes]] = []  # every event that was told, to tell it again
        self._lines = 0

    def tell(self, event: str, **fields: Any) -> str:
        """Tell one event to the hook; returns what it hands to the model."""
        payload = {
            "session_id": self.name,
            "transcript_path": str(self.transcript),
            "cwd": str(self.cwd),
            "hook_event_name": event,
            **fields,
        }
        self.calls.append((event, json.dumps(payload).encode()))
        return injected(*self.calls[-1], cwd=self.cwd, apart=self.apart)

    def ask(self, prompt: str) -> str:
        """Submit a prompt; returns what is injected with it."""
        return self.tell("UserPromptSubmit", prompt=prompt)

    def todos(self, tool: str, given: Mapping[str, Any], answer: Any) -> None:
        """Report the use of a todo tool."""
        call = f"toolu_{len(self.calls)}"
        about = {"tool_name": tool, "tool_use_id": call}
        self.tell("PostToolUse", tool_input=given, tool_response=answer, **about)

    def stop(self) -> None:
        """The agent's turn is over."""
        self.tell("Stop", stop_hook_active=False, last_assistant_message="Done.")

    def end(self) -> None:
        """The session is over."""
        self.tell("SessionEnd", reason="prompt_input_exit")

    def tell_all_again(self) -> None:
        """Deliver every event a second time, byte by byte the same."""
        for event, data in self.calls:
            injected(event, data, cwd=self.cwd, apart=self.apart)

    # -- the host writes its file

    def write(self, line: Mapping[str, Any]) -> None:
        """Put a line into the transcript as the host would."""
        self.write_bytes(json.dumps(line).encode() + b"\n")

    def write_bytes(self, data: bytes) -> None:
        """Put these bytes at the end of the transcript."""
        with open(self.transcript, "ab") as file:
            file.write(data)

    def line(self, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        """A line of this session's transcript."""
        self._lines += 1
        return {
            "type": kind,
            "uuid": str(uuid5(NAMESPACE_URL, f"{self.name}/{self._lines}")),
            "sessionId": self.name,
            "cwd": str(self.cwd),
            "timestamp": f"2026-03-20T09:{self._lines // 60:02}:{self._lines % 60:02}.000Z",
            "message": {"id": f"msg-{self._lines}", "role": kind, "content": content},
            **more,
        }

    def says(self, *texts: str) -> None:
        """The person's words, as they get into the transcript."""
        for text in texts:
            self.write(self.line("user", text))

    def answers(self, text: str) -> None:
        """The agent's last words of a turn."""
        self.write(self.line("assistant", [{"type": "text", "text": text}]))

    def uses(
        self, tool: str, given: Mapping[str, Any], result: str, *, failed: bool = False
    ) -> None:
        """A tool call and what came of it."""
        call = f"toolu_{self._lines}"
        block = {"type": "tool_use", "id": call, "name": tool, "input": dict(given)}
        self.write(self.line("assistant", [block]))
        block = {"type": "tool_result", "tool_use_id": call, "content": result, "is_error": failed}
        kept = f"Error: {result}" if failed else {"stdout": result, "stderr": ""}
        self.write(self.line("user", [block], toolUseResult=kept))

    def write_recording(self, name: str) -> None:
        """Put a whole recorded session into the transcript."""
        self.write_bytes("".join(self._recorded(name)).encode())

    def _recorded(self, name: str) -> list[str]:
        """The lines of a recorded session, as if it had taken place in our folder."""
        text = (TRANSCRIPTS / name).read_text(encoding="utf-8")
        return text.replace("/home/dev/acme-api", str(self.cwd)).splitlines(keepends=True)

    def replay(self, name: str) -> None:
        """Live through a recorded session, from its start to its end, event by event."""
        calls: dict[str, Any] = {}
        self.tell("SessionStart", source="startup")
        for text in self._recorded(name):
            line = json.loads(text)
            if prompt := prompt_in(line):
                self.ask(prompt)
            is_compacting = line.get("subtype") == "compact_boundary"
            if is_compacting:
                self.tell("PreCompact", trigger="auto")
            self.write_bytes(text.encode())
            for block in blocks_in(line):
                if block.get("type") == "tool_use":
                    calls[block["id"]] = block
                elif block.get("type") == "tool_result":
                    call = calls[block["tool_use_id"]]
                    if call["name"] in TODO_TOOLS:
                        self.todos(call["name"], call["input"], line["toolUseResult"])
            if is_compacting:
                self.tell("SessionStart", source="compact")
            if (line.get("message") or {}).get("stop_reason") == "end_turn":
                self.stop()
        self.end()


def blocks_in(line: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The content blocks of a line of a transcript; none for a plain text."""
    content = (line.get("message") or {}).get("content")
    return content if isinstance(content, list) else []


def prompt_in(line: Mapping[str, Any]) -> str:
    """What a person typed to make the host write this line; "" when nobody did."""
    content = (line.get("message") or {}).get("content")
    if line.get("type") != "user" or line.get("isMeta") or line.get("isCompactSummary"):
        return ""
    if isinstance(content, list):
        content = "\n".join(block.get("text", "") for block in content)
    is_trace = str(content).lstrip().startswith(("<command-", "<local-command-", "[Request"))
    return "" if is_trace else str(content or "")


@pytest.fixture(autouse=True)
def _opened_once(home_path: Path, lay_out_empty: Callable[[Path], None]) -> None:
    """A journey begins with a home that was opened once; where none is there yet is told where."""
    lay_out_empty(home_path)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A new project, whose agents live session after session."""
    return Project(tmp_path)


@pytest.fixture
def home(home_path: Path) -> Iterator[Home]:
    """The home that all processes of the test find by themselves; left when all is quiet."""
    yield Home()
    wait_for_drains(Home())


@pytest.fixture
def start(home: Home, tmp_path: Path) -> Callable[..., Session]:
    """Start an agent's session: `start("s1", repo)`; `apart=True`: each event is a process."""
    return lambda name, cwd, **more: Session(name, cwd, tmp_path / "client", **more)


@pytest.fixture
def repository(tmp_path: Path) -> Callable[..., Path]:
    """Make a git repository in `tmp_path`, as `git init` and `git clone` leave it."""

    def make(place: str = "acme-api", origin: str = "") -> Path:
        folder = tmp_path / place
        git = folder / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
        if origin:
            config += f'[remote "origin"]\n\turl = {origin}\n'
            config += "\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
        (git / "config").write_text(config)
        return folder

    return make


@pytest.fixture
def repo(repository: Callable[..., Path]) -> Path:
    """The repository in which the journey takes place."""
    return repository("acme-api")


@pytest.fixture
def cli(home: Home, repo: Path) -> Cli:
    """Command lines in `repo`."""
    return Cli(repo)


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """Enter the shell of an agent's session, whose name may be unknown; None is a person's."""

    def enter(session: str | None) -> None:
        for name, value in (("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", session)):
            if session is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value or "")

    return enter


@pytest.fixture
def hook() -> Callable[..., str]:
    """One hook call with these bytes on its standard input: `hook("Stop", b"{}")`."""
    return run_hook


@pytest.fixture
def settle(home: Home, cli: Cli) -> Callable[[], None]:
    """Return when everything that waited has been worked off, by whichever drain."""

    def until_all_is_drained() -> None:
        for _ in range(20):
            wait_for_drains(home)
            if not spool.has_waiting(home):
                break
            answer = cli("drain")
            assert answer.code == 0, answer.err
        assert not spool.has_waiting(home)
        assert drain.failed(home) == []

    return until_all_is_drained


@pytest.fixture
def known(home: Home, repo: Path) -> Callable[..., list[Memory]]:
    """The project's live memories, newest first, as the database has them now."""

    def read(query: str = "", *, cwd: Path | None = None) -> list[Memory]:
        with MemoryCoordinator.open(home, cwd or repo) as core:
            return core.list(query)

    return read


@pytest.fixture
def no_drain(home: Home) -> Callable[[], Any]:
    """A context in which the hooks start no drain, since one seems to run already."""

    @contextmanager
    def held() -> Iterator[None]:
        home.prepare()
        with open(spool.lock_path(home), "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    return held


@pytest.fixture
def no_drain_runs(home: Home) -> Callable[[], None]:
    """Return when no drain runs any more."""
    return lambda: wait_for_drains(home)


def wait_for_drains(home: Home) -> None:
    """Return when no drain holds the lock."""
    if os.path.isfile(spool.lock_path(home)):
        with open(spool.lock_path(home), "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
