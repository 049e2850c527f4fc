"""What a long act shows meanwhile: a count on the terminal, and ctrl-c as a wish to end it.

What is typed before the app stands waits for it.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .output import clear_line, rewrite_line

Progress = Callable[[int, int | None], bool]


@contextmanager
def counted(word: str) -> Iterator[Progress]:
    """What an act of the core tells its progress to; `word` says what is being done.

    The first ctrl-c is answered between two transactions, so that nothing is left half done;
    a second one does not wait for that.
    """
    is_stopped = False

    def stop(*_: Any) -> None:
        nonlocal is_stopped
        is_stopped = True
        signal.signal(signal.SIGINT, before)

    def tell(done: int, of: int | None) -> bool:
        rewrite_line(f"  {word}  {done:,}" + (f" of {of:,}" if of is not None else ""))
        return not is_stopped

    hears_signals = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if hears_signals:
        signal.signal(signal.SIGINT, stop)
    try:
        yield tell
    finally:
        if hears_signals:
            signal.signal(signal.SIGINT, before)
        clear_line()


@contextmanager
def typed_ahead() -> Iterator[None]:
    """What is typed meanwhile is not echoed, and waits as it is for who reads keys; ctrl-c ends."""
    if sys.platform == "win32":
        yield
        return
    import termios

    try:
        before = termios.tcgetattr(sys.stdin.fileno())
    except (termios.error, OSError):  # in a browser there is no terminal
        yield
        return
    now = [*before[:6], list(before[6])]
    now[0] &= ~(termios.ICRNL | termios.IXON)  # enter stays enter, ctrl+q is a key
    now[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, now)
    try:
        yield
    finally:
        with suppress(termios.error):  # it has gone meanwhile
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)
