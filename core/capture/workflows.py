"""How a job was done that a person asked for: the commands that worked, in order (000-13, 000-50).

A release, a migration, a setup; or a list of more than five tasks that was worked off. What
failed on the way is kept beside the steps, and a job that did not end well is no procedure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..answers import Capture
from .echo import without_echo
from .edits import Edit
from .envelopes import outcome_of
from .fixes import CONFIG
from .prose import sentences
from .refusals import STATUS
from .rules import Rule, rx
from .runs import Run
from .shape import Session, capture, reference, shortened
from .shell import shown
from .standalone import finished
from .stretches import Stretch, request_in
from .subjects import unique, words
from .todos import ROUTINE, TODO_TOOLS, Todo, telling, todo_list
from .turns import Call, Turn
from .weights import importance_of

LEAST_COMMANDS = 3  # different ones; two are no procedure
MANY_TASKS = 5  # more completed tasks than this make a procedure (000-50)
MAX_STEPS = 15
_MAX_TOLD = 420  # characters of the steps in the text

_DO = r"(?:do|make|cut|run|perform|prepare|create|finish|carry\ out|walk\ \w+\ through|kick\ off)\ "
JOBS: Mapping[str, re.Pattern[str]] = {
    name: rx(rf"^(?:(?:{verbs})\b|{_DO}(?:\S+\ ){{0,4}}?(?:{nouns})\b)")
    for name, verbs, nouns in (
        (
            "release",
            r"release|publish|ship|tag|cut\ (?:\S+\ ){0,3}?(?:release|tag|version|v?\d)",
            r"release|publication|tag",
        ),
        ("deployment", r"deploy|redeploy|roll\ out|promote", r"deployment|deploy|roll-?out"),
        ("migration", r"migrate|upgrade|port|convert", r"migrations?|upgrade|conversion"),
        (
            "setup",
            r"set\ (?:\S+\ ){0,6}?up|setup|install|bootstrap|provision|configure|initiali[sz]e|"
            r"spin\ up|get\ (?:\S+\ ){1,6}?(?:running|working)|wire\ up|connect",
            r"setup|installation|environment",
        ),
        ("recovery", r"restore|recover|roll\ back|rollback|revive", r"rollback|restore|recovery"),
        ("backup", r"back\ (?:\S+\ ){0,4}?up|backup|dump|snapshot", r"backup|snapshot|dump"),
        ("data", r"seed|import|load|backfill|re-?index|regenerate", r"import|backfill|re-?index"),
        ("rotation", r"rotate|renew", r"rotation|renewal"),
        (
            "build",
            r"package|containeri[sz]e|build\ (?:\S+\ ){0,3}?(?:images?|packages?|wheels?|"
            r"containers?|binar(?:y|ies)|artifacts?|installer)",
            r"build|image|wheel",
        ),
    )
}
"""What a request begins with when its way of being done is worth keeping, by kind of job."""

IN_GENERAL = {
    "release": "make a release",
    "deployment": "deploy",
    "migration": "run the migration",
    "setup": "set the project up",
    "recovery": "roll back",
    "backup": "make a backup",
    "data": "load the data",
    "rotation": "rotate the keys",
    "build": "build the package",
}
_LOOSE = rx(
    r"\b(?:it|this|that|them|these|those)\b(?!\ (?:repo\w*|project|machine|app|package|service)\b)"
)
_WORKFLOW = Rule(
    "workflow",
    rx(r"(?!)"),
    "pattern",
    "procedural",
    importance_of("workflow"),
    0.75,
    "workflow",
    ("workflow",),
)
_TASKS_DONE = replace(_WORKFLOW, name="tasks-done", importance=importance_of("tasks-done"))
_TRIVIAL = words("mkdir touch chmod rm cp mv tee git-add echo")
_VERIFYING = rx(
    r"\b(?:test\w*|check\w*|smoke|health\w*|verify|status|ping|pytest|curl|validate|doctor)\b"
)
_CONDITION = rx(
    r"\b(?:you\ (?:need|must)|requires?|needs?|make\ sure|only\ works|must\ be|has\ to\ be|"
    r"have\ to\ be)\b.*\b(?:log(?:ged)?\ ?in|vpn|access|permissions?|tokens?|credentials?|"
    r"installed|running|connected|exported|clean|branch|main|master|admin|key|version)\b"
)
_CHECKING = rx(
    r"\b(?:pytest|ruff|mypy|pyright|black|isort|eslint|prettier|tsc|jest|vitest|tox|nox|clippy|fmt|"
    r"tests?|lint|check|typecheck|vet)\b"
)
_COMMITTING = rx(
    r"^(?:git\ (?:add|commit|push|pull|fetch|checkout|switch|branch|merge|rebase)|gh)\b"
)
_GOOD_NEWS = rx(
    r"\b(?:is|are|was|were|has\ been|have\ been)\ (?:now\ )?(?:live|published|deployed|released|up|"
    r"running|healthy|migrated|restored|done|complete|installed|green|available)\b|\bsucceeded\b"
)


def workflows(stretches: Sequence[Stretch], session: Session) -> list[Capture]:
    """One capture for each job that was asked for and done."""
    found = []
    listing: list[Call] = []
    known: frozenset[str] = frozenset()  # tasks that an earlier piece of work had finished
    for stretch in stretches:
        own = [call for call in stretch.calls if call.tool in TODO_TOOLS]
        listing = list(telling([*listing, *own]))
        done = _done(listing) if own else ()
        fresh = [todo for todo in done if todo.subject not in known]
        known |= {todo.subject for todo in done}
        if stretch.prompt is None or not stretch.is_closed:
            continue
        made = _workflow(stretch, session) or _tasks_done(stretch, fresh, session)
        if made is not None:
            found.append(made)
    return found


def job_in(intent: str) -> str:
    """The kind of job that a request is, "" for one whose way is not worth keeping."""
    request = request_in(intent)
    return next((name for name, begins in JOBS.items() if begins.match(request)), "")


def _workflow(stretch: Stretch, session: Session) -> Capture | None:
    job = job_in(stretch.intent)
    if not job or outcome_of(stretch) != "success":
        return None
    steps = _steps(stretch)
    commands = [step for is_command, step in steps if is_command]
    doing = [command for command in commands if not _is_routine(command, job)]
    if len(commands) < LEAST_COMMANDS or len(doing) < 2:
        return None
    told = [shown(step) if is_command else step for is_command, step in steps]
    failures = [run for run in stretch.runs if run.failed and run.error]
    details = _details(stretch, job, [step for _, step in steps], failures)
    return _capture(_WORKFLOW, stretch, told, ", then ", failures, details, session)


def _tasks_done(stretch: Stretch, done: Sequence[Todo], session: Session) -> Capture | None:
    special = [todo for todo in done if not ROUTINE.match(todo.subject)]
    if len(done) <= MANY_TASKS or len(special) < LEAST_COMMANDS or not _request(stretch):
        return None
    if outcome_of(stretch) == "failure":
        return None
    steps = [" ".join(without_echo(todo.subject).split()).rstrip(". ") for todo in done]
    failures = [run for run in stretch.runs if run.failed and run.error]
    details = _details(stretch, job_in(stretch.intent) or "feature", steps, failures)
    return _capture(_TASKS_DONE, stretch, steps, "; ", failures, details, session)


def _done(listing: Sequence[Call]) -> tuple[Todo, ...]:
    """The list after these calls if all of it is done; else nothing."""
    todos = todo_list(listing)
    return todos if all(todo.status == "completed" for todo in todos) else ()


def _steps(stretch: Stretch) -> list[tuple[bool, str]]:
    """(is it a command, what was done) in order: what worked, each once, where it last stood."""
    done: list[tuple[int, bool, str]] = []
    for run in stretch.runs:
        if not run.failed:
            done += [
                (run.call.position, True, s.text) for s in run.steps if not _is_trivial(s.words)
            ]
    for edit in stretch.edits:
        if CONFIG.search(edit.path) or edit.path.lower().endswith((".md", ".rst", ".txt")):
            done.append((edit.position, False, _edit_step(edit)))
    last = {(is_command, text): place for place, is_command, text in done}
    ordered = sorted(last.items(), key=lambda one: one[1])
    return [(is_command, " ".join(text.split())) for (is_command, text), _ in ordered][:MAX_STEPS]


def _is_routine(command: str, job: str) -> bool:
    """Whether a command belongs to any work on code: tests, checks, a commit."""
    return bool(_CHECKING.search(command)) or (
        job not in ("release", "deployment") and _COMMITTING.match(command) is not None
    )


def _is_trivial(parts: Sequence[str]) -> bool:
    return parts[0] in _TRIVIAL or "-".join(parts[:2]) in _TRIVIAL


def _edit_step(edit: Edit) -> str:
    change = edit.as_words()
    return f"edit {edit.path}: {change}" if change else f"edit {edit.path}"


def _details(
    stretch: Stretch, job: str, steps: Sequence[str], failures: Sequence[Run]
) -> dict[str, Any]:
    name = shortened(_named(stretch), 80)
    metrics: dict[str, Any] = {"task_type": job, "success": True}
    minutes = stretch.minutes()
    if minutes is not None:
        metrics["duration_minutes"] = minutes
    metrics["failures_on_the_way"] = len(failures)
    moment = stretch.last.at
    return {
        "procedure_name": name,
        "category": "workflow",
        "steps": [shortened(step, 200) for step in steps],
        "prerequisites": list(_prerequisites(stretch)),
        "success_conditions": list(_conditions(stretch)),
        "failure_patterns": list(unique(run.error for run in failures))[:4],
        "performance_metrics": metrics,
        "usage_count": 1,
        "success_rate": 1.0,
        "last_used_at": round(moment.timestamp() * 1000) if moment else None,
    }


def _named(stretch: Stretch) -> str:
    request = _request(stretch)
    return request[:1].upper() + request[1:]


def _request(stretch: Stretch) -> str:
    """What was asked for, so that it stands alone: "release it" says nothing a month later."""
    request = request_in(stretch.intent)
    if not _LOOSE.search(request):
        return request
    return IN_GENERAL.get(job_in(stretch.intent), "")


def _prerequisites(stretch: Stretch) -> tuple[str, ...]:
    """What had to be there: variables that were set, and what was said to be needed."""
    variables = unique(
        name for run in stretch.runs if not run.failed for s in run.steps for name in s.variables
    )
    spoken = [stretch.prompt.text if stretch.prompt else "", stretch.closing]
    said = (s for text in spoken for s in sentences(without_echo(text), may_paste=True))
    needed = (shortened(s.text, 160) for s in said if _CONDITION.search(s.masked))
    return unique([*(f"`{name}` is set" for name in variables), *needed])[:4]


def _conditions(stretch: Stretch) -> tuple[str, ...]:
    """How one sees that it worked: the check that came last, and the agent's good news."""
    return unique(_signs(stretch))[:3]


def _signs(stretch: Stretch) -> Iterator[str]:
    last = next((run for run in reversed(stretch.runs) if not run.failed), None)
    if last is not None and _VERIFYING.search(last.steps[-1].text):
        yield f"{shown(last.steps[-1].text)} succeeds"
    for sentence in sentences(stretch.closing):
        if _GOOD_NEWS.search(sentence.masked) or STATUS.search(sentence.masked):
            yield shortened(sentence.text, 160)


def _capture(
    rule: Rule,
    stretch: Stretch,
    told: Sequence[str],
    joint: str,
    failures: Sequence[Run],
    details: Mapping[str, Any],
    session: Session,
) -> Capture:
    request = _request(stretch)
    text = f"To {request[:1].lower()}{request[1:]}: "
    for place, step in enumerate(told):
        if place and len(text) + len(joint) + len(step) > _MAX_TOLD:
            text += f" … ({len(told)} steps)"
            break
        text += (joint if place else "") + step
    text = finished(text)
    if failures and len(text) + len(failures[-1].error) < 470:
        text += f" On the way it failed with “{failures[-1].error}”."
    turn: Turn = stretch.last
    made = capture(
        rule,
        text,
        turn,
        rule.name,
        session,
        title=shortened(f"How to {request[:1].lower()}{request[1:]}", 80),
        details=details,
        files=unique(edit.path for edit in stretch.edits)[:8],
        kind="procedural",
    )
    asked = stretch.prompt.uuid if stretch.prompt else turn.uuid
    return replace(made, origin=replace(made.origin, ref=reference(session, asked, rule.name)))
