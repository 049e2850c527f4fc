"""What holds where nobody configured anything, and where settings would stand.

A command that only looks must not wait for the library that checks settings: it costs as much as
all the rest of a search. Standard library only; `core/config/policy.py` takes its defaults from
here, and a test compares.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...frozen import dataclass, field
from .limits import RecallLimits

PROJECT_FILE = ".memdeck.toml"

EVENTS = ("sessions", "prompts", "turns", "todos", "compaction", "files", "roles")
"""The smallest set of groups of events that serves: what agents are asked for."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What memdeck does by itself, as far as a glance at the project or a search needs it."""

    auto_memory: bool = True  # whether sessions are taken down
    learn: bool = True  # whether agents are asked to record what they learn
    teaching: bool = True  # whether verdicts move the bar
    engine: str = ""  # which model reads sessions; "" is none
    max_calls_per_day: int = 20
    max_tokens_per_day: int = 200_000
    max_cost_usd_per_day: float = 0.5
    max_memories: int = 3_000  # automatic ones from which on the least worth leave; 0 is none
    limits: RecallLimits = field(default_factory=RecallLimits)  # how far recall goes
    decay: bool = True  # whether worth wears off
    tiers: bool = True  # whether memories are hot, warm or cold


DEFAULTS = Habits()
"""What holds where nothing is configured."""


def files_of(config: str, root: str) -> list[str]:
    """The settings files that count in a project: the home's, and the one at its root."""
    return [config, os.path.join(root, PROJECT_FILE)] if root else [config]


def any_there(paths: Iterable[str]) -> bool:
    """Whether one of these files exists; one that cannot be looked at counts, and is told of."""
    for path in paths:
        try:
            os.lstat(path)
        except FileNotFoundError:
            continue
        except OSError:
            pass
        return True
    return False
