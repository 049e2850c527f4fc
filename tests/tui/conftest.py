"""The app on a real store, driven by keys; and the guard that no query runs on its loop."""

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memdeck import Memory, MemoryCoordinator
from memdeck.db.store import Store

from .person import Person, WatchedApp

OpenApp = Callable[..., AbstractAsyncContextManager[Person]]


@pytest.fixture(autouse=True)
def _calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """No editor or clipboard of this machine is used."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "VISUAL", "EDITOR", "MEMDECK_THEME",
                 "LC_ALL", "LC_CTYPE", "LANG"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)


class _Guarded:
    """The store's connection: nobody may take it in a thread with an event loop.

    Only `interrupt` may, which is made for other threads; and a test may use the store that it
    opened itself before the loop began.
    """

    def __get__(self, store: Store, owner: type) -> object:
        is_the_tests_own = store.__dict__["opened_in"] == threading.get_ident()
        frame = inspect.currentframe()
        caller = frame.f_back.f_code.co_name if frame and frame.f_back else ""
        assert is_the_tests_own or caller == "interrupt" or not _has_loop(), "a query on the loop"
        return store.__dict__["connection"]

    def __set__(self, store: Store, connection: object) -> None:
        assert not _has_loop(), "a store was opened on the event loop"
        store.__dict__["opened_in"] = threading.get_ident()
        store.__dict__["connection"] = connection


def _has_loop() -> bool:
    """Whether this thread runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.fixture(autouse=True)
def _no_query_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof for every test at once that the app asks the core in its lanes only."""
    monkeypatch.setattr(Store, "connection", _Guarded(), raising=False)


@pytest.fixture
def in_front() -> list[Person]:
    """Who sits before an app that this test opened, the last one at the end."""
    return []


@pytest.fixture
def open_app(home_path: Path, clock: Any, in_front: list[Person]) -> OpenApp:
    """Open the app on this test's store, for the project "harbour"."""

    @asynccontextmanager
    async def opened(size: tuple[int, int] = (120, 35), **more: Any) -> AsyncIterator[Person]:
        project = more.pop("project", "harbour")
        app = WatchedApp(str(home_path), project, clock=clock, **more)
        async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
            person = Person(app, pilot)
            in_front.append(person)
            await person.until(lambda: app.stage.current)
            await person.rest()
            yield person
            await person.rest()

    return opened


@pytest.fixture
def slow_reads(
    monkeypatch: pytest.MonkeyPatch, in_front: list[Person]
) -> Callable[..., threading.Event]:
    """From when it is called, no read in these lanes is answered until the event is set."""

    def hold(*lanes: str) -> threading.Event:
        goes_on = threading.Event()

        def late(real: Callable[..., Any], *job: Any) -> Any:
            assert goes_on.wait(60)
            return real(*job)

        for name in lanes or ("pages", "slow"):
            lane = getattr(in_front[-1].app, name)
            monkeypatch.setattr(lane, "_call", partial(late, lane._call))
        return goes_on

    return hold


@pytest.fixture
def core(request: pytest.FixtureRequest, open_core: Any) -> Any:
    """The store seen from the project "harbour", after what a fixture laid there (`laid_…`)."""
    for name in request.fixturenames:
        if name.startswith("laid_") and name != "laid_out":
            request.getfixturevalue(name)
    return open_core()


@pytest.fixture
def laid_five(laid_out: Any) -> dict[str, Memory]:
    """The store of `harbour`."""
    return dict(laid_out(five))


@pytest.fixture
def harbour(laid_five: dict[str, Memory]) -> dict[str, Memory]:
    """Five memories of a project, a minute apart, by a short name; the newest is `tide`."""
    return laid_five


def five(core: MemoryCoordinator, clock: Any) -> dict[str, Memory]:
    """The five of `harbour`."""
    texts = {
        "retry": "Retry budget is three attempts, then the job fails for good.",
        "queue": "Queue timeout is 30 seconds, since the provider retries after forty.",
        "staging": "Staging lives on host db-7 and is reached through the jump host.",
        "deploy": "Deploys go out on Mondays before noon, never on a Friday.",
        "tide": "Tide tables are read from the port authority at six in the morning.",
    }
    ids = {}
    for name, text in texts.items():
        clock.forward(minutes=1)
        ids[name] = core.remember(text, tags=["harbour", name]).memory_id or ""
    return {name: core.show(memory) for name, memory in ids.items()}
