"""What the reliability tests share: everything the journal answers for, and children that die."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memdeck.db.home import Home
from memdeck.db.store import Store
from memdeck.tests import forked
from memdeck.tests.contents import contents as rows_of

Contents = dict[str, list[str]]


@pytest.fixture
def contents() -> Callable[[Home], Contents]:
    """Every journaled row of a store, table by table, as text that can be compared."""

    def read(home: Home) -> Contents:
        store = Store(home)
        try:
            return rows_of(store.connection)
        finally:
            store.close()

    return read


@pytest.fixture
def texts() -> Callable[[Home], list[str]]:
    """The texts of all memories of a store, in the order they came."""

    def read(home: Home) -> list[str]:
        store = Store(home)
        try:
            found = store.connection.execute("SELECT content FROM memory ORDER BY num")
            return [text for (text,) in found]
        finally:
            store.close()

    return read


@pytest.fixture
def child(home_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run code in a process of its own: `home` and `given` are there, and `die()` is SIGKILL."""
    return lambda code, *given: forked.run(HEAD + code, str(home_path), *given)


@pytest.fixture
def start_child(home_path: Path) -> Callable[..., forked.Forked]:
    """The same, but do not wait for its end."""
    return lambda code, *given: forked.Forked(HEAD + code, str(home_path), *given)


@pytest.fixture
def quick_pauses() -> Iterator[None]:
    """A clock that a pause moves on at once: who waits for a lock has waited its whole time."""
    paused, now = [0.0], time.monotonic
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(time, "sleep", paused.append)
        clock.setattr(time, "monotonic", lambda: now() + 100 * sum(paused))
        yield


HEAD = f"""
import json, os, signal, sys
home, *given = sys.argv[1:]
def die(*_, **__): os.kill(os.getpid(), {int(signal.SIGKILL)})
"""
