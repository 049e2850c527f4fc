"""What becomes of junk: how much of what a session offers is refused or stays below established.

`MEMDECK_BENCH_SESSIONS` names folders of transcripts (those that `training/README.md` lists). Each
project that has gold memories and labels is left out, the weights are fitted anew on the others
(that needs scikit-learn); its sessions are read into a new store by the code of the drain, with
the settings as they are shipped. Junk is an offer that rests on no sentence of a gold memory.
Beside that, how long the built-in reviewers take.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdeck.agents.transcripts import read_on
from memdeck.core.answers import Salience
from memdeck.core.compat import MemoryCoordinator
from memdeck.core.config.policy import ReviewPolicy
from memdeck.core.models.reviewers import Subject, reviewers_for
from memdeck.core.models.reviewers import review as reviewed
from memdeck.db.home import Home
from memdeck.hosts import wire
from training import sessions

from . import report, texts
from .gold import TRAINING, carried_by, fitted_without, letters_of, sessions_of

GRADES = ("junk", "borderline", "worth keeping")
ENDS = ("refused", "not established", "established", "needed no judgement")
ROUNDS = 500  # texts that are timed


def run() -> None:
    """Print what became of the offers by how good they are, and the time of a review."""
    spent = _times_ms()
    figures: dict[str, Any] = {
        "time": {"median_ms": report.median(spent), "p95_ms": report.quantile(spent, 0.95)}
    }
    print(f"a review takes {report.median(spent):.3f} ms, p95 {report.quantile(spent, 0.95):.3f}")
    folders = os.environ.get("MEMDECK_BENCH_SESSIONS")
    if not folders:
        print("Whole sessions: not measured, MEMDECK_BENCH_SESSIONS is not set.")
        return
    ended = Counter(_ended([Path(folder) for folder in folders.split(os.pathsep)]))
    rows = []
    for number, grade in enumerate(GRADES):
        counts = [ended[number, end] for end in ENDS]
        held = (counts[0] + counts[1]) / max(1, sum(counts))
        rows.append((grade, sum(counts), *counts, f"{held:.0%}"))
        ends = dict(zip(ENDS, counts, strict=True))
        figures[grade] = {"offers": sum(counts), "held": held, **ends}
    header = ("offers", "all", *ENDS, "refused or not established")
    report.table("What becomes of what sessions offer, projects left out", header, rows)
    report.save("review", figures)


def _ended(folders: Sequence[Path]) -> Iterator[tuple[int, str]]:
    """Of each offer of the sessions that are there: its grade, 0-2, and what became of it."""
    files = sorted((TRAINING / "gold").glob("*.json"))
    gold = [one for file in files for one in sessions_of(file, folders)]
    labels: list[Any] = []
    for project in sorted({one["project"] for one, _ in gold}):
        with fitted_without(project, folders, labels):
            for one, path in gold:
                if one["project"] == project:
                    carried = letters_of(sessions.turns_of(path), one)
                    for text, end in _offers(path):
                        yield _grade(text, one["memories"], carried), end


def _offers(path: Path) -> Iterator[tuple[str, str]]:
    """Each offer of a session that was not known already, as text and end."""
    with TemporaryDirectory() as folder:
        home, root = Home(os.path.join(folder, "home")), os.path.join(folder, "project")
        os.mkdir(root)
        record = {
            "kind": wire.SESSION_ENDED,
            "session": path.stem,
            "host": path.stem.rpartition("-")[2],
            "cwd": root,
            "role": None,
        }
        with MemoryCoordinator.open(home, root, actor="rule") as core:
            core.session_seen(path.stem, record["host"], root, None)
            read_on(core, record, str(path))
            for refused in core.refused_captures(limit=10_000):
                yield refused.content, "refused"
            for memory in core.list():
                score = core.salience(memory.id)
                if score is None:
                    yield memory.content, "needed no judgement"
                else:
                    is_sure = score.is_established
                    yield memory.content, "established" if is_sure else "not established"


def _grade(text: str, memories: Sequence[Mapping[str, Any]], carried: dict[str, set[int]]) -> int:
    """The highest grade of the gold memories whose sentences `text` carries; 0 without one."""
    return max((int(memories[number]["grade"]) for number in carried_by(text, carried)), default=0)


def _times_ms() -> list[float]:
    """Milliseconds of computing for each review by the built-in three."""
    score = Salience(-3.0, 0.4, 0.1, True, False, (("gives a reason", 0.4),))
    spent = []
    for row in texts.memories(ROUNDS):
        subject = Subject(
            row["content"],
            "semantic",
            "discovery",
            0.5,
            salience=score,
        )
        started = time.process_time()
        reviewed(subject, reviewers_for(ReviewPolicy()), heuristic=lambda _: None)
        spent.append((time.process_time() - started) * 1000)
    return spent
