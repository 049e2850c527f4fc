"""A client as a user sees it: a terminal that is typed into and looked at (tmux)."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType

from .surroundings import Place

WIDTH, HEIGHT = 120, 40
READY_S = 60.0
"""Longest time until a client has drawn its screen, and until it has done what was typed."""

QUIET_S = 1.5
"""A screen that did not change for so long waits for its person."""

_LOOK_S = 0.2


def is_there() -> bool:
    """Whether this machine can show a client's screen."""
    return shutil.which("tmux") is not None


class Screen:
    """One client on a screen of its own; a context manager, which ends it."""

    def __init__(self, place: Place, command: list[str], more: dict[str, str]) -> None:
        self.place = place
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(place.root / "screen")]
        self._command = command
        around = {**place.environment(), **more}
        self._environment = {**around, "TERM": "xterm-256color", "SHELL": "/bin/sh"}

    def __enter__(self) -> Screen:
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        line = f"exec {shlex.join(self._command)}"
        self._do("new-session", "-d", *size, "-c", str(self.place.project), line)
        self._do("set-option", "-g", "remain-on-exit", "on")
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._do("kill-server")

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return self._do("capture-pane", "-p")

    @property
    def has_ended(self) -> bool:
        """Whether the client is gone."""
        return self._do("list-panes", "-F", "#{pane_dead}").strip() != "0"

    def rest(self) -> None:
        """Wait until the screen is drawn and stays as it is."""
        until, since, last = time.monotonic() + READY_S, time.monotonic(), ""
        while time.monotonic() < until:
            text = self.text
            if text != last or not text.strip():
                last, since = text, time.monotonic()
            elif time.monotonic() - since > QUIET_S:
                return
            time.sleep(_LOOK_S)

    def answer(self, questions: Mapping[str, str]) -> str:
        """Answer what the client asks at its start, each with its key; all that it asked."""
        asked = ""
        for _ in questions:
            self.rest()
            found = next((one for one in questions if one in self.text), None)
            if found is None:
                break
            asked += self.text
            self._do("send-keys", questions[found])
            self._wait(partial(self._lacks, found), 3)
            if found in self.text:
                self._do("send-keys", "Enter")
                self._wait(partial(self._lacks, found), 3)
        return asked

    def allow(self, question: str, key: str) -> bool:
        """Press `key` once the client asks `question`; whether it did in time."""
        self._wait(lambda: question in self.text, READY_S)
        is_asked = question in self.text
        if is_asked:
            self._do("send-keys", key)
        return is_asked

    def say(self, words: str, is_heard: Callable[[], bool]) -> bool:
        """Type `words` and send them; return True if they arrived in time.

        A client that is still starting loses keys: they are typed again until they are seen, and
        sent again while nothing comes of it.
        """
        until = time.monotonic() + READY_S
        self.rest()
        while not self._shows(words) and time.monotonic() < until:
            self._do("send-keys", "-l", words)
            self._wait(lambda: self._shows(words), 3)
        while not is_heard() and time.monotonic() < until:
            self._do("send-keys", "Enter")
            self._wait(is_heard, 5)
        return is_heard()

    def leave(self, words: str) -> bool:
        """Type the client's command for leaving; whether it ended by itself."""
        return self.say(words, lambda: self.has_ended)

    def _lacks(self, words: str) -> bool:
        return words not in self.text

    def _shows(self, words: str) -> bool:
        """Whether `words` stand on the screen, over however many lines."""
        return _bare(words) in _bare(self.text)

    def _wait(self, is_so: Callable[[], bool], limit_s: float) -> None:
        until = time.monotonic() + limit_s
        while not is_so() and time.monotonic() < until:
            time.sleep(_LOOK_S)

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words],
            env=self._environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=20,
        )
        return done.stdout


def _bare(text: str) -> str:
    return re.sub(r"[\s│┃|]+", "", text)
