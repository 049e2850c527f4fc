"""The process that is the app's alone: its collector, its threads, its terminal."""

from __future__ import annotations

import gc
import select
import sys

COLLECTED_AFTER = 2_000, 10, 100
"""New objects until the young, and collections of those until the older, are looked through."""

SWITCH_SECONDS = 0.001
"""How long a lane that computes keeps a key from being heard: the usual 5 ms are felt."""


HANGUP_SECONDS = 1.0
"""How often it is looked whether the terminal is there: not each that goes sends SIGHUP."""


def has_hung_up() -> bool:
    """Whether nothing will ever be read from the terminal again; False where nobody can say."""
    try:
        terminal = select.poll()
    except AttributeError:  # a system without it
        return False
    terminal.register(sys.__stdin__ or 0, 0)  # a hang-up is told unasked
    return any(state & select.POLLHUP for _, state in terminal.poll(0))


def keep_what_is_here() -> None:
    """Collector pauses are the longest stalls: what is here now is here to stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
    gc.enable()  # it was off while everything was loaded


def give_way_to_keys() -> None:
    """A lane that computes gives way after `SWITCH_SECONDS`."""
    sys.setswitchinterval(SWITCH_SECONDS)
