"""The drain as a process of its own: it outlives the hook, and there is one per home."""

from __future__ import annotations

import os
import sys
import time

from ..core.hosts import GUARD
from ..db.home import Home, create_private, try_lock

_START = "import sys; sys.path += sys.argv[2:]; from memdeck.agents.drain import main; main()"

_RETRIES = 5
_PAUSE_S = 0.02  # a hook that looks whether a drain runs holds the lock for microseconds


class DrainLock:
    """The right to drain one home; use as a context manager, true inside when it was got.

    Under another name it is the right to have models read sessions, one at a time.
    """

    def __init__(self, home: Home, name: str = "drain") -> None:
        self._path = lock_path(home, name)
        self._handle = -1

    def __enter__(self) -> bool:
        create_private(self._path)
        self._handle = os.open(self._path, os.O_RDWR)
        for attempt in range(_RETRIES):
            if try_lock(self._handle):
                return True
            if attempt < _RETRIES - 1:
                time.sleep(_PAUSE_S)
        return False

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)  # which gives the lock back


def lock_path(home: Home, name: str = "drain") -> str:
    """The file whose lock the drain, or whatever has the other name, holds."""
    return os.path.join(home.spool, f"{name}.lock")


def is_draining(home: Home) -> bool:
    """Whether a drain of this home runs now."""
    try:
        handle = os.open(lock_path(home), os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not try_lock(handle)
    finally:
        os.close(handle)


def start_drain(home: Home) -> bool:
    """Start the drain unless one runs; it gets its own session and no streams of ours.

    False when there was nothing to start. A drain that runs looks again after it has given
    back its lock, so that a record written before this call is never left behind.
    """
    if not sys.executable or is_draining(home):
        return False
    # -I: the project, in the current folder or on PYTHONPATH, must not lend us its modules; nor
    # shall what the drain starts see them
    arguments = [sys.executable, "-I", "-c", _START, home.path, *_own_place()]
    environment = {**os.environ, GUARD: "1"}
    if home.path != Home().path:
        environment["MEMDECK_HOME"] = home.path
    environment.pop("PYTHONPATH", None)
    if not hasattr(os, "posix_spawn"):
        return _start_without_spawn(arguments, environment)
    streams = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    try:
        os.posix_spawn(sys.executable, arguments, environment, file_actions=streams, setsid=True)
    except NotImplementedError:  # an old C library has no session flag
        return _start_without_spawn(arguments, environment)
    return True


def _own_place() -> list[str]:
    """The folder that this package was found in, where -I leaves it out: the person's own site."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [os.path.dirname(package)] if os.path.basename(package) == "memdeck" else []


def _start_without_spawn(arguments: list[str], environment: dict[str, str]) -> bool:
    import subprocess

    flags = getattr(subprocess, "DETACHED_PROCESS", 0)
    subprocess.Popen(
        arguments,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=flags,
    )
    return True
