"""What the tests of the hooks share: a home of their own, and the hook as a real process."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memdeck import open_memory
from memdeck.agents import main as door
from memdeck.agents import spool
from memdeck.db.home import Home

PAYLOADS = Path(__file__).parent.parent / "wire" / "claude" / "payloads"


@pytest.fixture
def home() -> Home:
    """An empty home that the hooks find by themselves."""
    return Home()


@pytest.fixture
def opened_once(home_path: Path, lay_out_empty: Callable[[Path], None]) -> None:
    """That home has a store already, in which nothing is."""
    lay_out_empty(home_path)


@pytest.fixture
def quiet_home(home: Home) -> Iterator[Home]:
    """A home where a drain seems to run, so that no hook starts one."""
    home.prepare()
    with spool.DrainLock(home) as is_held:
        assert is_held
        yield home


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The homes for which a hook in this process started the drain; none really starts."""
    started: list[str] = []

    def start(home: Home) -> bool:
        started.append(home.path)
        return True

    monkeypatch.setattr(spool, "start_drain", start)
    return started


@pytest.fixture
def tell(home: Home, starts: list[str], capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Hand one payload to the hook in this process; returns what it printed."""

    def _tell(payload: bytes | dict[str, Any], *words: str) -> str:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        assert door.main(list(words) or ["claude", "Event"], io.BytesIO(data)) == 0
        shown = capfd.readouterr()
        assert shown.err == ""
        return shown.out

    return _tell


class Heard(NamedTuple):
    """What one payload led to: what the hook took it for, left for the drain, and said."""

    name: str  # the host's event; "" for one that is left alone
    record: dict[str, Any]  # what the drain reads of it; {} for nothing
    said: str  # what the host is handed, "" for nothing
    receipt: dict[str, Any]  # the account of it

    @property
    def kind(self) -> str | None:
        """What was noted; None for what was left alone, "" for what is only answered."""
        return self.record.get("kind", "") if self.name else None

    def __getattr__(self, name: str) -> Any:
        return self.record.get(name, "")


@pytest.fixture
def hear(home: Home, starts: list[str], capfd: pytest.CaptureFixture[str]) -> Callable[..., Heard]:
    """Hand one payload of a host to the hook in this process, and see what is left of it."""
    home.prepare()
    marks, spool = Path(home.log) / "fired", Path(home.spool)

    known: dict[Path, int] = {}  # bytes of each file of the spool that were looked at

    def noted() -> list[dict[str, Any]]:
        found = []
        for path in spool.glob("*.jsonl"):
            with open(path) as file:
                file.seek(known.get(path, 0))
                found += [json.loads(line[line.index("{") :]) for line in file if "{" in line]
            known[path] = path.stat().st_size
        return found

    def _hear(host: str, payload: Any, word: str = "") -> Heard:
        for left in marks.glob("*"):
            left.unlink()
        capfd.readouterr()
        assert door.main([host, word], io.BytesIO(json.dumps(payload).encode())) == 0
        shown = capfd.readouterr()
        assert shown.err == ""
        assert not list(Path(home.log).glob("*.log")), "the hook had to swallow an error"
        names = [mark.name.removeprefix(f"{host}.") for mark in marks.glob("*")]
        by_kind = {record["kind"] == "receipt": record for record in noted()}
        receipt = by_kind.get(True, {}).get("receipt", {})
        return Heard(names[0] if names else "", by_kind.get(False, {}), shown.out, receipt)

    return _hear


@pytest.fixture
def hook_errors(home: Home) -> Callable[[], list[str]]:
    """The lines of the hooks' log."""

    def lines() -> list[str]:
        path = Path(home.log, "hooks.log")
        return path.read_text().splitlines() if path.exists() else []

    return lines


@pytest.fixture
def known(home: Home) -> Callable[..., None]:
    """Let the project at a folder know these statements, each with what it is about."""

    def _known(folder: str | Path, **about: dict[str, Any]) -> None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with open_memory(home, folder) as memory:
            for text, fields in about.items():
                memory.remember(text.replace("_", " "), **fields)

    return _known


@pytest.fixture
def project(tmp_path: Path) -> str:
    """The folder of a project."""
    folder = tmp_path / "harbour"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def remember(home: Home, project: str) -> Callable[..., str]:
    """Put a memory into the project's store as a person would; its id."""

    def _remember(text: str, **more: Any) -> str:
        with open_memory(home, project) as memory:
            return str(memory.remember(text, **more).memory_id)

    return _remember


@pytest.fixture
def say(tell: Callable[..., str], project: str) -> Callable[..., str]:
    """One event of Claude Code's in the project; the text that the model is given."""

    def _say(name: str, session: str = "s1", **fields: Any) -> str:
        payload = {"session_id": session, "cwd": project, "hook_event_name": name, **fields}
        out = tell(payload, "claude", name)
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""

    return _say


@pytest.fixture
def assert_reply() -> Callable[[str, str], None]:
    """What a hook printed is nothing, or one object of exactly the shape that hosts accept."""

    def check(out: str, event: str) -> None:
        if out == "":
            return
        assert out.startswith("{")
        reply = json.loads(out)
        assert set(reply) == {"hookSpecificOutput"}
        inner = reply["hookSpecificOutput"]
        assert set(inner) == {"hookEventName", "additionalContext"}
        assert inner["hookEventName"] == event
        assert len(inner["additionalContext"].encode()) <= 9900

    return check


@pytest.fixture
def payload() -> Callable[[str], dict[str, Any]]:
    """A recorded payload, by file name without the suffix."""

    def load(name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_bytes())
        return found

    return load
