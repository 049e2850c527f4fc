"""What the next session is told, over up to six real sessions of a project.

`MEMDECK_BENCH_SESSIONS` names folders of transcripts (`training/README.md` lists them). Each
project's sessions are lived in the order of their days, each call through the hook of its host at
the time of the session, a drain after each turn, with default settings; every start is looked at.
Told must be what a person said, pinned or accepted, or what the score is sure of. Where a session
has gold, what came from it is held against that, by weights that never saw the project.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memdeck.core.compat import MemoryCoordinator
from memdeck.core.values import Memory

from . import report
from .living import Session, opened

SESSIONS = 6  # of a project
WHYS = ("person", "sure", "list", "accepted", "unproven")


@dataclass(frozen=True)
class Told:
    """A memory that a start told."""

    content: str
    why: str  # one of WHYS; "unproven" must not be
    grade: int | None  # 2 keep, 1 borderline, 0 no; None where its session has no gold


@dataclass(frozen=True)
class Gold:
    """What a judge would keep of one session."""

    grades: Sequence[int]
    carried: dict[str, set[int]]  # by the letters of a sentence


def run() -> None:
    """Live each project's sessions and print what every start told."""
    folders = [Path(name) for name in os.environ.get("MEMDECK_BENCH_SESSIONS", "").split(":")]
    if folders == [Path()]:
        print("\nWeeks of real sessions: not measured, MEMDECK_BENCH_SESSIONS is not set.")
        return
    from . import gold

    rows, everything, labels = [], list[Told](), list[Any]()
    for project, its, judged in _by_project(folders):
        golds = {
            one["name"]: Gold(
                [memory["grade"] for memory in one["memories"]],
                gold.letters_of(next(s for s in its if s.name == one["name"]).turns, one),
            )
            for one in judged
        }
        without = gold.fitted_without(project, folders, labels)
        with TemporaryDirectory(prefix="memdeck-week-") as home, without:
            for number, session in enumerate(its, 1):
                session.live(Path(home))
                with opened(Path(home), session.ends) as store:
                    told = _told(store, session.name, golds)
                    rows.append((project, number, *_row(told), len(store.list())))
                everything += told
                if os.environ.get("MEMDECK_BENCH_SHOW"):
                    _show(project, number, told)
    heads = ("project", "start", "told", *WHYS, "judged", "good", "live after")
    report.table("What starts told", heads, rows)
    _sum_up(everything)


def _row(told: Sequence[Told]) -> tuple[int, ...]:
    count = [sum(one.why == why for one in told) for why in WHYS]
    judged = [one.grade for one in told if one.grade is not None]
    return (len(told), *count, len(judged), sum(grade > 0 for grade in judged))


def _sum_up(told: Sequence[Told]) -> None:
    judged = [one.grade for one in told if one.grade is not None]
    good = sum(grade > 0 for grade in judged) / max(1, len(judged))
    proven = sum(one.why != "unproven" for one in told) / max(1, len(told))
    print(f"\n{len(told)} tellings, {proven:.2f} a person's, sure, an open list or accepted")
    print(f"{len(judged)} from sessions with gold, {good:.2f} of them gold or borderline")


def _show(project: str, number: int, told: Sequence[Told]) -> None:
    for one in told:
        print(f"{project} {number}  {one.why:9} {one.grade}  {one.content[:300]}")


def _told(store: MemoryCoordinator, session: str, golds: Mapping[str, Gold]) -> list[Told]:
    """What the session's start was told, with why that may be; as the store is at its end."""
    starts = [one for one in store.receipts(200, session=session) if one.event == "SessionStart"]
    told = [store.show(item["id"]) for item in (starts[-1].items if starts else ())]
    return [Told(one.content, _why(store, one), _grade(one, golds)) for one in told]


def _why(store: MemoryCoordinator, one: Memory) -> str:
    judged = store.salience(one.id)
    if judged is not None and judged.is_established:
        return "sure"
    if one.status != "candidate" or not one.is_live:
        return "accepted"
    if "user-intent" in store.candidate(one.id).signals:
        return "person"
    return "list" if one.type == "prospective" else "unproven"


def _grade(one: Memory, golds: Mapping[str, Gold]) -> int | None:
    from . import gold

    its = golds.get(one.origin.session or "")
    if its is None:
        return None
    numbers = gold.carried_by(one.content, its.carried)
    return max((its.grades[number] for number in numbers), default=0)


def _by_project(
    folders: Sequence[Path],
) -> Iterator[tuple[str, list[Session], list[dict[str, Any]]]]:
    """Projects of which two sessions and one with gold are there, in the order of their days."""
    training = Path(__file__).resolve().parents[1] / "training"
    judged, projects = {}, {}
    for file in (*sorted(training.glob("labels/*.json")), *sorted(training.glob("gold/*.json"))):
        for one in json.loads(file.read_text("utf-8")):
            projects[one["name"]] = one["project"]
            if "memories" in one:
                judged[one["name"]] = one
    found: dict[str, list[Session]] = defaultdict(list)
    for path in sorted(path for folder in folders for path in folder.glob("*.jsonl")):
        if path.stem in projects:
            found[projects[path.stem]].append(Session(path.stem, path))
    for project, its in sorted(found.items()):
        golden = [one for one in its if one.name in judged]
        if golden and len(its) > 1:
            others = [one for one in its if one.name not in judged]
            chosen = [*golden, *others][:SESSIONS]
            chosen.sort(key=lambda one: one.begins)
            yield project, chosen, [judged[one.name] for one in golden if one in chosen]
