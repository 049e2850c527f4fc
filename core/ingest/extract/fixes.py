"""Commands that failed and later worked in another way, or after something else was run.

Only what lay outside of the code at hand is of use a month later: a command, a flag, a variable, a
dependency, a service. What was written wrongly and mended in the same session is not: of 27 judged
none was kept. A failure that went away by itself teaches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...answers import Capture
from .edits import Edit, edits_between
from .failures import signature
from .remedies import another_way, has_worked, lies_outside, run_before
from .rules import Rule
from .runs import Run, runs_in
from .shape import Session, capture, shortened
from .shell import Step, are_alike, shown
from .turns import Call
from .weights import importance_of

MAX_ATTEMPTS = 40  # commands between a failure and the success that answers it

_RULE = Rule(
    "error-fix", "error", "episodic", importance_of("error-fix"), 0.8, "error", ("error-fix",)
)


def fixes(calls: Sequence[Call], edits: Sequence[Edit], session: Session) -> list[Capture]:
    """One capture for each failure whose remedy lay in its surroundings."""
    tries = runs_in(calls)
    found = []
    for number, failure in enumerate(tries):
        if not failure.failed or not failure.error:
            continue
        later = tries[number + 1 : number + 1 + MAX_ATTEMPTS]
        if answer := _answer(failure, later):
            tried, worked, success = answer
            meanwhile = later[: later.index(success)]
            changed = edits_between(edits, failure.call.position, success.call.position)
            if lies_outside(failure.error) or not changed:
                found += _told(failure, tried, worked, success, meanwhile, session)
    return _each_once(found)


def _each_once(found: Sequence[Capture]) -> list[Capture]:
    """`found` without those whose failure another one tells, seen elsewhere: on CI, in a shell."""
    best: dict[str, Capture] = {}
    for one in found:
        error = signature(one.title)
        if error not in best or one.confidence > best[error].confidence:
            best[error] = one
    kept = {id(one) for one in best.values()}
    return [one for one in found if id(one) in kept]


def _answer(failure: Run, later: Sequence[Run]) -> tuple[Step, Step, Run] | None:
    """The first later run of the same command that got further, with both forms of it."""
    for attempt in later:
        # The step that failed is the last that ran; with several, any of them may be meant.
        pairs = (
            (old, new)
            for old in reversed(failure.steps)
            for new in attempt.steps
            if are_alike(old, new)
        )
        pair = next(pairs, None)
        if pair is None or attempt.call.turn.agent_id != failure.call.turn.agent_id:
            continue
        if attempt.failed and (not attempt.error or attempt.error == failure.error):
            return None  # that later failure is the one to explain
        return *pair, attempt
    return None


def _told(
    failure: Run,
    tried: Step,
    worked: Step,
    success: Run,
    meanwhile: Sequence[Run],
    session: Session,
) -> list[Capture]:
    """What was run before it worked, or the form in which it worked; none of both: nothing."""
    commands: Sequence[str] = ()
    if lies_outside(failure.error):
        commands = run_before(failure, tried, worked, success, meanwhile)
    if commands:
        steps = [*commands, tried.text]
        how = f"running {' and '.join(shown(one) for one in commands)} first fixed it"
    else:
        instead, how = another_way(tried, worked, failure.error)
        steps = [instead]
        if not how or not has_worked(failure, success):
            return []
    title = shortened(f"Fix for: {failure.error}", 80)
    details = {
        "procedure_name": title,
        "category": "technique",
        "steps": steps,
        "prerequisites": [],
        "success_conditions": [f"{shown(tried.text)} succeeds"],
        "failure_patterns": [failure.error],
    }
    made = capture(
        replace(_RULE, confidence=0.6 if success.failed else 0.8),
        f"{shown(tried.text)} failed with “{failure.error}”; {how}",
        # Its result shows that it worked, and may be read later than the call.
        success.call.result or success.call.turn,
        "fix",
        session,
        details=details,
        title=title,
        kind="procedural",
    )
    return [made]
