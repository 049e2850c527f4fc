"""Processes that begin with the package imported: forks of one that has it.

An interpreter of its own imports for longer than what most tests have it do takes. They are
processes like any other: they hold locks, have limits and die of signals. Where the start itself
is what a test is about (imports, arguments, the environment), it starts an interpreter.
"""

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from pathlib import Path

PATIENCE_S = 300
_STARTING = threading.Lock()
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["memdeck.tests.warm"])


class Forked:
    """Python code that runs as a process of its own, with `sys.argv[1:]` as given.

    Its streams are pipes of text, like those of `subprocess`.
    """

    def __init__(
        self,
        code: str,
        *given: str,
        cwd: Path | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        (read, to_it), (from_it, write), (complaints, complain) = os.pipe(), os.pipe(), os.pipe()
        streams = [Connection(end) for end in (read, write, complain)]
        self._process = CONTEXT.Process(
            target=_live, args=(streams, code, given, str(cwd or Path.cwd()), dict(environment))
        )
        with _STARTING:
            _begin_server()
            self._process.start()
        for stream in streams:
            stream.close()
        self.stdin, self.stdout = os.fdopen(to_it, "w"), os.fdopen(from_it)
        self.stderr = os.fdopen(complaints)

    @property
    def returncode(self) -> int | None:
        """As `subprocess` says it; None while it lives."""
        with _STARTING:  # a start reads the exit codes of all children
            return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int | None:
        wait_for([self._process.sentinel], PATIENCE_S)
        return self.returncode

    def communicate(self, given: str = "") -> tuple[str, str]:
        """Hand it the rest of its input; all that it says to the end, and on standard error."""
        with ThreadPoolExecutor(1) as beside, self.stdin, self.stdout, self.stderr:
            complaints = beside.submit(self.stderr.read)
            with suppress(BrokenPipeError):  # it may end without reading
                self.stdin.write(given)
                self.stdin.flush()
            with suppress(BrokenPipeError):
                self.stdin.close()
            told = self.stdout.read(), complaints.result()
        self.wait()
        return told


def run(
    code: str, *given: str, stdin: str = "", cwd: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run code to its end."""
    forked = Forked(code, *given, cwd=cwd)
    out, err = forked.communicate(stdin)
    assert forked.returncode is not None, "it closed its streams and lives on"
    return subprocess.CompletedProcess([code, *given], forked.returncode, out, err)


def _begin_server() -> None:
    """It takes over standard error, which has no number while an app is open in this process."""
    shown, sys.stderr = sys.stderr, sys.__stderr__
    try:
        forkserver.ensure_running()
    finally:
        sys.stderr = shown


def _live(
    streams: list[Connection],
    code: str,
    given: tuple[str, ...],
    folder: str,
    environment: dict[str, str],
) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
    sys.argv = ["-c", *given]
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    exec(compile(code, "<forked>", "exec"), {"__name__": "__main__"})
