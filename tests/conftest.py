"""One fixture per idea; every store is a real file in a temporary home."""

import fcntl
import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest
from hypothesis import HealthCheck, settings

from memdeck.db.home import Home
from memdeck.hosts import registry
from memdeck.tests.seeds import postgres

if TYPE_CHECKING:
    from memdeck.demo.store import DemoStore

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
MEMORY_NEEDED = 2 << 30  # bytes; a run of four workers was never seen to use a tenth of them

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes share compiled modules
os.environ["TZ"] = "UTC"  # days are those where the user is
time.tzset()

# Properties are tried on the same examples in each run, however slow the machine is: what a change
# did not cause does not refuse it. `pytest --hypothesis-profile=search` looks for new ones.
patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("search", **patient)
settings.register_profile("same", **patient, derandomize=True, max_examples=40)
settings.load_profile("same")


def pytest_configure() -> None:
    """Put stores into memory where the system has such a folder: tests mostly wait for disks."""
    memory = "/dev/shm"
    if "PYTEST_DEBUG_TEMPROOT" in os.environ or not os.access(memory, os.W_OK | os.X_OK):
        return
    room = os.statvfs(memory)
    if room.f_bavail * room.f_frsize > MEMORY_NEEDED and not room.f_flag & os.ST_NOEXEC:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = memory


def pytest_collection_finish() -> None:
    """Leave what collecting made alone: looking through it for garbage took a fifth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in the last lines what this machine could not test."""
    if reason := postgres.missing():
        terminalreporter.write_line(reason, yellow=True)


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture(autouse=True, scope="session")
def _own_scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What goes into a temporary folder without a name lies in memory, and leaves with the run."""
    get_temp_dir()  # multiprocessing has a folder until its processes end, after the run
    folder = tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", None)
        yield
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test sees the person's own store, settings, colours or agents."""
    for name in (
        *("NO_COLOR", "TMUX", "MEMDECK_GUARD", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR"),
        *("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "GEMINI_CLI", "GEMINI_SESSION_ID", "OPENCODE"),
        *("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "COPILOT_CLI"),
        *("CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"),
        "COPILOT_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(registry, "PROCESSES", "/nowhere")  # an agent may run the tests
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("MEMDECK_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True)
def _own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What recall may take counts the time its thread worked, not what others took from it.

    After 200 ms it looks at less, and of five recalls one of 300 ms makes it look at less from
    then on: on a busy machine the tests would see what busy people see. What has an alarm for a
    bound, and may not count so, has a minute instead of two seconds.
    """
    monkeypatch.setattr(time, "perf_counter", time.thread_time)
    alarm = signal.setitimer
    monkeypatch.setattr(signal, "setitimer", lambda which, after: alarm(which, 30 * after))


@pytest.fixture
def home_path(tmp_path: Path) -> Path:
    """Where this test's store lives."""
    return tmp_path / "home"


@pytest.fixture
def home(home_path: Path) -> Home:
    return Home(home_path)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database of a home that was opened once and closed: a new one takes 20 ms to make."""
    from memdeck import open_memory

    home = tmp_path_factory.mktemp("empty") / "home"
    with open_memory(home, "harbour"):
        pass
    assert not list((home / "journal").iterdir()), "the copy would lack what the journal says"
    return (home / "memory.db").read_bytes()


@pytest.fixture
def lay_out_empty(empty_database: bytes) -> Callable[[Path], None]:
    """Make a home as it is after its first opening, unless it is there already."""

    def lay_out(home: Path) -> None:
        if home.exists():
            return
        for folder in (home, *(home / name for name in ("journal", "spool", "backups", "log"))):
            folder.mkdir(mode=0o700, parents=True)
        (home / "memory.db").touch(0o600)
        (home / "memory.db").write_bytes(empty_database)

    return lay_out


@pytest.fixture
def open_core(
    home_path: Path, clock: Clock, lay_out_empty: Callable[[Path], None]
) -> Iterator[Callable[..., object]]:
    """Open the store, as often and for as many projects as a test likes; all are closed again.

    Whoever has it is a person who says yes when asked (`confirmation_callback`).
    """
    from memdeck import MemoryCoordinator

    agreed = {"confirmation_callback": lambda _question: True}
    opened: list[MemoryCoordinator] = []
    lay_out_empty(home_path)

    def open_one(project: str = "harbour", **more: object) -> MemoryCoordinator:
        opened.append(
            MemoryCoordinator.open(home_path, project, **{"clock": clock, **agreed, **more})  # type: ignore[arg-type]
        )
        return opened[-1]

    yield open_one
    for core in opened:
        core.close()


@pytest.fixture
def core(open_core: Callable[..., object]) -> object:
    """The store seen from the project "harbour"."""
    return open_core()


@pytest.fixture
def laid_out(
    home_path: Path,
    clock: Clock,
    open_core: Callable[..., object],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[Callable[[Any, Clock], T]], T]:
    """Lay the store there that a function builds with a core and a clock, and give its answer.

    It is built once in a run, for all workers: a copy and the time at its end do for the next test.
    Nobody may have opened the store.
    """

    def lay(build: Callable[[Any, Clock], T]) -> T:
        def built(folder: Path) -> tuple[datetime, T]:
            core: Any = open_core()
            answer = build(core, clock)
            core.close()
            shutil.copytree(home_path, folder)
            return clock.now, answer

        name = f"{build.__module__}.{build.__qualname__}"
        clock.now, answer = built_once(tmp_path_factory, name, built)
        shutil.rmtree(home_path)
        shutil.copytree(tmp_folder(tmp_path_factory) / name, home_path)
        return answer

    return lay


@pytest.fixture(scope="session")
def demo_template(tmp_path_factory: pytest.TempPathFactory) -> "DemoStore":
    """The demo store as it was recorded, written once in a run for all workers: copy it.

    Nobody opens it. Its repository and its transcripts are read where they are.
    """
    from memdeck.demo.store import RECORDED_AT, write_demo_store

    return built_once(
        tmp_path_factory, "demo", lambda folder: write_demo_store(str(folder), RECORDED_AT)
    )


def built_once(
    tmp_path_factory: pytest.TempPathFactory, name: str, build: Callable[[Path], T]
) -> T:
    """What `build` makes in a folder and answers: once in a run, for all workers."""
    folder = tmp_folder(tmp_path_factory)
    home, built = folder / name, folder / f"{name}.pickle"
    with open(folder / f"{name}.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            shutil.rmtree(home, ignore_errors=True)
            built.write_bytes(pickle.dumps(build(home)))
    return cast("T", pickle.loads(built.read_bytes()))


def tmp_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the run's workers find what one of them built."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture
def copy_demo(demo_template: "DemoStore") -> Callable[[Path], "DemoStore"]:
    """Lay a demo store of one's own into a folder that does not exist yet."""

    def copy(folder: Path) -> "DemoStore":
        shutil.copytree(demo_template.home, folder)
        return replace(demo_template, home=str(folder))

    return copy


@pytest.fixture
def run_python() -> Callable[[str], str]:
    """What a fresh interpreter prints."""

    def run(code: str) -> str:
        environment = {**os.environ, "PYTHONPATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
