"""What the reliability tests share: everything the journal answers for, and children that die."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memdeck.db.home import Home
from memdeck.db.images import canonical, rows
from memdeck.db.store import Store
from memdeck.db.tables import JOURNALED

Contents = dict[str, list[str]]


@pytest.fixture
def home(home_path: Path) -> Home:
    return Home(home_path)


@pytest.fixture
def contents() -> Callable[[Home], Contents]:
    """Every journaled row of a store, table by table, as text that can be compared."""

    def read(home: Home) -> Contents:
        store = Store(home)
        try:
            return {
                model._meta.table_name: sorted(
                    canonical(row)
                    for row in rows(store.connection, f'SELECT * FROM "{model._meta.table_name}"')
                )
                for model in JOURNALED
            }
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

    def run(code: str, *given: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command_line(code, home_path, *given),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    return run


@pytest.fixture
def start_child(home_path: Path) -> Callable[..., "subprocess.Popen[str]"]:
    """The same, but do not wait for its end."""

    def start(code: str, *given: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command_line(code, home_path, *given),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    return start


def command_line(code: str, home: Path, *given: str) -> list[str]:
    head = (
        "import json, os, signal, sys\n"
        "home, *given = json.loads(sys.argv[1])\n"
        f"def die(*_, **__): os.kill(os.getpid(), {int(signal.SIGKILL)})\n"
    )
    return [sys.executable, "-c", head + code, json.dumps([os.fspath(home), *given])]
