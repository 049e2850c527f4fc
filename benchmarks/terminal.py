"""The app on a terminal of its own: a process behind a pty, typed into in bursts, read as shown."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from rich.cells import cell_len

from .report import peak_mb

PATIENCE_S = 60.0

RUN = """
import sys
from datetime import datetime, timedelta
from time import monotonic
from memdeck.demo.store import DemoDesk
from memdeck.tui.app import MemoryApp
home, project, now = sys.argv[1], sys.argv[2], datetime.fromisoformat(sys.argv[3])
began = monotonic()
clock = lambda: now + timedelta(seconds=monotonic() - began)
MemoryApp(home, project, clock=clock, agents=DemoDesk()).run_in_terminal()
"""
"""The app as `memdeck demo` starts it, on a clock that begins when the demo ends."""


def of_demo(home: str, project: str, now: datetime) -> list[str]:
    """The command that opens the app on a demo store."""
    return [sys.executable, "-c", RUN, home, project, now.isoformat()]


_SEQUENCE = re.compile(
    r"\x1b(?:\[(?P<parameters>[0-?]*)[ -/]*(?P<final>[@-~])"
    r"|[\]P_^].*?(?:\x07|\x1b\\)|[()].|[^\[\]P_^()])",
    re.DOTALL,
)


class Screen:
    """What a terminal shows: the cells of the last frame, without colours (ECMA-48)."""

    def __init__(self, columns: int, lines: int) -> None:
        self.columns, self.lines = columns, lines
        self.cells = [[" "] * columns for _ in range(lines)]
        self._row = self._column = 0
        self._rest = ""
        self.modes: set[str] = set()  # that are set now: "?1003", "?1049"
        self.others: set[str] = set()  # sequences that neither set a mode nor paint, as written

    def feed(self, text: str) -> None:
        """Take in what the program wrote; a sequence that is cut off waits for its end."""
        text = self._rest + text
        self._rest = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
            elif found := _SEQUENCE.match(text, at):
                self._control(found["final"] or "", found["parameters"] or "")
                at = found.end()
            else:
                self._rest = text[at:]
                return

    def __str__(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def _put(self, letter: str) -> None:
        if letter == "\r":
            self._column = 0
        elif letter == "\n":
            self._row = min(self._row + 1, self.lines - 1)
        elif letter >= " " and self._column < self.columns:
            width = cell_len(letter)
            if width:
                self.cells[self._row][self._column] = letter
            if width == 2 and self._column + 1 < self.columns:
                self.cells[self._row][self._column + 1] = ""
            self._column += width

    def _control(self, final: str, parameters: str) -> None:
        if final == "h":
            self.modes.add(parameters)
        elif final == "l":
            self.modes.discard(parameters)
        elif final == "H":
            row, _, column = parameters.partition(";")
            self._row = min(int(row or 1), self.lines) - 1
            self._column = min(int(column or 1), self.columns) - 1
        elif final == "J":
            self.cells = [[" "] * self.columns for _ in range(self.lines)]
        elif final == "K":
            self.cells[self._row][self._column :] = [" "] * (self.columns - self._column)
        elif final == "C":
            self._column = min(self._column + int(parameters or 1), self.columns - 1)
        elif final != "m":
            self.others.add(parameters + final)


class Terminal:
    """A user at the app, to be closed; a missing text fails in time with the screen."""

    read_at = 0.0
    """When it last wrote, by `time.perf_counter`."""

    def __init__(
        self,
        command: Sequence[str],
        columns: int = 120,
        lines: int = 35,
        variables: Mapping[str, str] = os.environ,
        kind: str = "xterm-256color",
    ) -> None:
        self.screen = Screen(columns, lines)
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        variables = {**variables, "TERM": kind, "COLORTERM": "truecolor"}
        variables["LC_ALL"] = "C.UTF-8"
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            variables.pop(name, None)
        self._app = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=variables,
        )
        os.close(theirs)
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._exit: int | None = None

    @property
    def processor_s(self) -> float:
        """Seconds of the processor that the app took so far, on Linux; else nan."""
        try:
            with open(f"/proc/{self._app.pid}/stat", encoding="utf-8") as file:
                times = file.read().rpartition(")")[2].split()[11:13]
        except OSError:
            return float("nan")
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    @property
    def peak_mb(self) -> float:
        """Megabytes that the app needed at most so far, on Linux; else 0."""
        return peak_mb(self._app.pid)

    def type(self, keys: str) -> None:
        """Write keys in one go, as fast fingers do; what is written meanwhile is read."""
        left = keys.encode()
        os.set_blocking(self._ours, False)
        while left:
            readable, writable, _ = select.select([self._ours], [self._ours], [])
            if readable:
                self._read()
            if writable:
                left = left[os.write(self._ours, left) :]
        os.set_blocking(self._ours, True)

    def sees(self, *words: str) -> str:
        """Wait until all the words stand on the screen; the screen."""
        return self.until(lambda shown: all(word in shown for word in words), ", ".join(words))

    def until(self, holds: Callable[[str], bool], what: str) -> str:
        """Wait for a screen; the screen. Raises AssertionError."""
        end = time.monotonic() + PATIENCE_S
        while not holds(shown := str(self.screen)):
            ready, _, _ = select.select([self._ours], [], [], 0.2)
            if ready:
                self._read()
            assert time.monotonic() < end, f"never seen: {what}\n{shown}"
        return shown

    def rest(self, silence_s: float, least_s: float = 0.0) -> None:
        """Read until nothing was written for `silence_s`, and for `least_s` in any case."""
        end = time.perf_counter() + max(silence_s, least_s)
        while (left := end - time.perf_counter()) > 0:
            if select.select([self._ours], [], [], left)[0]:
                self._read()
                end = max(end, self.read_at + silence_s)

    def _read(self) -> None:
        written = os.read(self._ours, 65_536)
        self.read_at = time.perf_counter()
        self.screen.feed(self._decoder.decode(written))

    def vanish(self) -> int:
        """Take the terminal away without a signal; the exit code. Raises TimeoutExpired."""
        os.close(self._ours)
        try:
            self._exit = self._app.wait(PATIENCE_S)
        finally:
            self._app.kill()
        return self._exit

    def close(self) -> int:
        """Leave the app; its exit code. A second time it only says that code again."""
        if self._exit is not None:
            return self._exit
        self.type("\x11")  # ctrl+q
        end = time.monotonic() + PATIENCE_S
        while self._app.poll() is None and time.monotonic() < end:
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    self._read()
                except OSError:
                    break
        if self._app.poll() is None:
            self._app.send_signal(signal.SIGKILL)
        os.close(self._ours)
        self._exit = self._app.wait(PATIENCE_S)
        return self._exit
