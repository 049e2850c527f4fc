"""A list of more than five tasks that was worked off is how such a job is done.

A shorter one, and what became of the files, belongs to the session's record and is no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...answers import Capture
from ...text.sentences import sentences
from .echo import without_echo
from .envelopes import outcome_of
from .rules import TASKS_DONE
from .shape import capture, shortened
from .stretches import Stretch, Stretches
from .subjects import unique
from .todos import ROUTINE, Todo, todo_lists
from .turns import Session, Turn, reference
from .wording import finished, points, without_filler

MANY_TASKS = 5  # more completed tasks than this make a procedure
LEAST_SPECIAL = 3  # of them that are no routine
LONGEST_REQUEST = 120  # characters; what is longer hands a plan over and names no job
WORKED_OFF = "Worked off in this order: "
_MAX_TOLD = 420  # characters of the steps in the text


def workflows(stretches: Stretches, session: Session) -> list[Capture]:
    """One capture for each long list that was asked for and done."""
    found = []
    work = {call.position: n for n, one in enumerate(stretches.all) for call in one.calls}
    lists = {work.get(call.position): listed for call, listed in todo_lists(stretches.calls)}
    known: frozenset[str] = frozenset()  # tasks that an earlier piece of work had finished
    for number, stretch in enumerate(stretches.all):
        todos = [todo for todo in lists.get(number, ()) if todo.status != "deleted"]
        done = todos if all(todo.status == "completed" for todo in todos) else []
        fresh = [todo for todo in done if todo.subject not in known]
        known |= {todo.subject for todo in done}
        if stretch.prompt is not None and stretch.is_closed and len(fresh) > MANY_TASKS:
            found += _tasks_done(stretch, fresh, session)
    return found


def _tasks_done(stretch: Stretch, done: Sequence[Todo], session: Session) -> list[Capture]:
    special = [todo for todo in done if not ROUTINE.match(todo.subject)]
    request = without_filler(next((s.text for s in sentences(stretch.intent)), ""))
    is_job = 0 < len(request) <= LONGEST_REQUEST and ":" not in request and not points(request)
    if len(special) < LEAST_SPECIAL or not is_job or outcome_of(stretch) == "failure":
        return []
    steps = [_line(todo).rstrip(". ") for todo in done]
    text = WORKED_OFF
    for place, step in enumerate(steps):
        if place and len(text) + len(step) > _MAX_TOLD:
            text += f" … ({len(steps)} steps)"
            break
        text += ("; " if place else "") + step
    last = next((t for t in reversed(stretch.turns) if t.kind == "assistant"), stretch.turns[-1])
    made = capture(
        TASKS_DONE,
        finished(text),
        last,
        TASKS_DONE.name,
        session,
        title=shortened(f"How to: {'; '.join(steps)}", 80),
        details=_details(stretch, last, [_line(todo) for todo in special], steps),
        files=unique(edit.path for edit in stretch.edits)[:8],
        kind="procedural",
    )
    ref = reference(session, (stretch.prompt or last).uuid, TASKS_DONE.name)
    return [replace(made, origin=replace(made.origin, ref=ref))]


def _line(todo: Todo) -> str:
    return " ".join(without_echo(todo.subject).split())


def _details(
    stretch: Stretch, last: Turn, special: Sequence[str], steps: Sequence[str]
) -> dict[str, Any]:
    """The fields of the procedure, which is called by its steps that are no routine."""
    failures = [run for run in stretch.runs if run.failed and run.error]
    spent, moment = stretch.milliseconds(), last.at
    metrics: dict[str, Any] = {"task_type": "feature", "success": True}
    if spent is not None:
        metrics["duration_minutes"] = round(spent / 60_000, 1)
    metrics["failures_on_the_way"] = len(failures)
    return {
        "procedure_name": shortened("; ".join(special), 80),
        "category": "workflow",
        "steps": [shortened(step, 200) for step in steps],
        "prerequisites": [],
        "success_conditions": [],
        "failure_patterns": list(unique(run.error for run in failures))[:4],
        "performance_metrics": metrics,
        "usage_count": 1,
        "success_rate": 1.0,
        "last_used_at": round(moment.timestamp() * 1000) if moment else None,
    }
