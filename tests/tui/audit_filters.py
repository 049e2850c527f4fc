"""Filters of the journal, and what they mean: rows for the tests of its screen."""

from datetime import datetime, timedelta
from typing import Any

WORDS = tuple(f"w{n}" for n in range(65))
DAY = timedelta(days=1)
FILTERS: tuple[tuple[str, dict[str, Any], str | None], ...] = (
    ("action:forget actor:person", {"action": "forget", "actor": "person"}, ""),
    ("until:2026-03-19", {"until": datetime(2026, 3, 19).astimezone()}, ""),
    ("forget", {"action": "forget"}, ""),
    ("Agent", {"actor": "agent"}, ""),
    ("ACTION:Edit", {"action": "edit"}, ""),
    ("retry queue action:edit", {"action": "edit", "words": ("retry", "queue")}, ""),
    ("actoin:forget action:edit", {"action": "edit"}, "did you mean action?"),
    ("retry:3 action:edit", {"action": "edit"}, "filter by action, actor"),
    ("actor:robot action:edit", {"action": "edit", "actor": None}, "person, agent or rule"),
    ("since:soon action:edit", {"action": "edit", "since": None}, "wants 7d"),
    ("memory: action:edit", {"action": "edit", "memory": None}, "wants a value"),
    (": action:edit", {"action": "edit"}, "filter by"),
    ("since:0001-01-01 action:edit", {"action": "edit"}, None),
    (" ".join(f"w{n} w{n}" for n in range(64)), {"words": WORDS[:64]}, ""),
    (" ".join(WORDS), {"words": WORDS[:64]}, "first 64 words"),
    *(
        (text, {}, None)
        for text in ("  ", "\udcff", ":::", "since:", "[/x] (", "é" * 2_000, "\x00")
    ),
)
"""A filter, what the app asks the core for by it, and what it says it cannot understand."""

COMPLETED = (
    ("act", "action:"),
    ("action:for", "action:forget"),
    ("pin actor:ag", "pin actor:agent"),
    ("pin ", None),
    ("memory:ab", None),
    ("action:forget", None),
)
"""What is typed, and what the box makes of its last word; None: nothing."""
