"""What extraction keeps of the gallery's sessions: precision and recall, each and overall.

Target: at least 0.8 of what is kept is worth it, and 0.7 of what is worth it is kept.
"""

import tempfile
import time
from pathlib import Path

from . import report
from .gallery.dialogue import NAMES, load
from .gallery.play import play
from .gallery.score import Score, score

_HEAD = ("session", "host", "kept", "wanted", "precision", "expected", "found", "recall", "s")


def run() -> None:
    """Play every session through the doors and count."""
    rows, figures, total = [], {}, Score()
    for name in NAMES:
        dialogue = load(name)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder:
            memories = play(dialogue, Path(folder)).memories
        seconds = time.perf_counter() - started
        one = score(memories, dialogue.expected)
        total += one
        rows.append(_row(name, dialogue.host, one, f"{seconds:.1f}"))
        figures[name] = {"precision": one.precision, "recall": one.recall, "kept": one.kept}
    rows.append(_row("overall", "", total, ""))
    report.table("Capture", _HEAD, rows)
    overall = {"precision": total.precision, "recall": total.recall, "kept": total.kept}
    report.save("capture", {"overall": overall, "sessions": figures})


def _row(name: str, host: str, one: Score, seconds: str) -> tuple[str, ...]:
    return (
        name,
        host,
        str(one.kept),
        str(one.wanted),
        f"{one.precision:.2f}",
        str(one.expected),
        str(one.found),
        f"{one.recall:.2f}",
        seconds,
    )
