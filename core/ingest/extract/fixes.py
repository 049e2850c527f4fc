"""Commands that failed and later worked in another way, or after something else was run.

Only what lay outside of the code at hand is of use a month later: a command, a flag, a variable, a
dependency, a service. What was written wrongly and mended in the same session is not: of 27 judged
none was kept. A failure that went away by itself teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from ...answers import Capture
from .rules import ERROR_FIX
from .runs import Edit, Run, edits_between, runs_in, signature
from .shape import capture, shortened
from .shell import Step, are_alike, covers, shown
from .subjects import unique, words
from .turns import Call, Session

_ENVIRONMENT = re.compile(
    r"\b(?:no module|modulenotfound\w*|not found|does not exist|no such|cannot find|can't find|"
    r"refused|permission|denied|not installed|missing|unable to (?:connect|locate|find)|"
    r"could not (?:connect|find|resolve|read|load)|already (?:in use|allocated)|"
    r"unknown (?:command|option|database|host)|unrecognized|unexpected argument|not running|"
    r"expired|out of date|version|"
    r"E(?:RESOLVE|NOENT|ACCES|PERM|CONN\w+|ADDRINUSE|NOTFOUND|TIMEDOUT))\b",
    re.IGNORECASE,
)
_UNRUNNABLE = re.compile(
    r"\bcommand not found\b|\bnot recognized as\b|\bexecutable file not found\b",
    re.IGNORECASE,
)
_MISPUT = re.compile(  # what was said was wrong, not what it was said of
    r"\b(?:unknown|unrecognized|unexpected|invalid|no such|unsupported|ambiguous) "
    r"(?:sub)?(?:command|option|argument|flag|switch|parameter)\b",
    re.IGNORECASE,
)
_NOISY_FLAG = re.compile(
    r"^(?:--|-[vqsx]+|--(?:verbose|quiet|tb=\w+|no-header|color=?\w*|lf|ff|maxfail=\d+"
    r"|skip|ignore|deselect|exclude|filter|grep|dry-run)(?:=.*)?)$"
)
_CHECKING = words(
    "test tests check fmt format lint vet typecheck verify gofmt rustfmt oxfmt py_compile for if do"
)
_CHORES = words(
    """
    mkdir touch rm cp mv chmod tee git gh black isort prettier open code pytest ruff mypy eslint tsc
    jest vitest tox nox flake8 pylint curl
    """
)
_SCRIPT = re.compile(r"^(?!psql|mysql)(?:\S+ ){1,4}?-[cep] ")  # `python -c …` tries something out


def lies_outside(error: str) -> bool:
    """Whether an error tells of the surroundings: a command, a flag, a dependency, a service."""
    return _ENVIRONMENT.search(error) is not None


MAX_ATTEMPTS = 40  # commands between a failure and the success that answers it


def fixes(calls: Sequence[Call], edits: Sequence[Edit], session: Session) -> list[Capture]:
    """One capture for each failure whose remedy lay in its surroundings.

    Of failures that another one tells, seen elsewhere (on CI, in a shell), one stays.
    """
    tries = runs_in(calls)
    best: dict[str, Capture] = {}
    for number, failure in enumerate(tries):
        later = tries[number + 1 : number + 1 + MAX_ATTEMPTS]
        answer = _answer(failure, later) if failure.failed and failure.error else None
        if answer is None:
            continue
        success = answer[2]
        changed = edits_between(edits, failure.call.position, success.call.position)
        if changed and not lies_outside(failure.error):
            continue
        if steps_and_how := _remedy(failure, *answer, later[: later.index(success)]):
            made = _capture(failure, answer[0], success, *steps_and_how, session)
            error = signature(made.title)
            if error not in best or made.confidence > best[error].confidence:
                best.pop(error, None)
                best[error] = made
    return [*best.values()]


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


def _remedy(
    failure: Run, tried: Step, worked: Step, success: Run, meanwhile: Sequence[Run]
) -> tuple[list[str], str] | None:
    """What to run instead and the same in words: what was run before it worked, or the form in
    which it worked."""
    if lies_outside(failure.error):
        before = takewhile(lambda step: step is not worked, success.steps)
        between = [step for attempt in meanwhile if not attempt.failed for step in attempt.steps]
        first = unique(
            step.text
            for step in (*between, *before)
            if step.words[0] not in _CHORES
            and _CHECKING.isdisjoint(step.words[:2])
            and not _SCRIPT.match(step.text)
            and not are_alike(step, tried)
            and not any(step.text == old.text for old in failure.steps)
        )[-2:]
        if first:
            return [*first, tried.text], f"running {' and '.join(map(shown, first))} first fixed it"
    if success.failed and not (_cannot_run(failure.error) and not _cannot_run(success.error)):
        return None
    if _adds_a_flag(tried, worked) or (
        _is_misput(tried, failure.error) and _differs(tried, worked)
    ):
        return [worked.text], f"{shown(worked.text)} worked"
    if names := [name for name in worked.variables if name not in tried.variables][:3]:
        told = " and ".join(f"`{name}`" for name in names)
        return [f"set {', '.join(names)}, then {worked.text}"], f"it worked with {told} set"
    return None


def _cannot_run(error: str) -> bool:
    return _UNRUNNABLE.search(error) is not None


def _is_misput(tried: Step, error: str) -> bool:
    """Whether the command itself was refused: its program, or how it was told what to do."""
    is_named = tried.text.split()[0] in error.split()
    return is_named or _MISPUT.search(error) is not None or _cannot_run(error)


def _adds_a_flag(tried: Step, worked: Step) -> bool:
    """Whether it is the same command with a flag more."""
    old, new = tried.text.split(), worked.text.split()
    more = [word for word in new if word not in old]
    return bool(more) and all(word in new for word in old) and _is_flag(more[0])


def _differs(tried: Step, worked: Step) -> bool:
    """Whether the command was put in another way, not merely run on less or more quietly."""
    old, new = tried.text.split(), worked.text.split()
    few, many = sorted((tried.words, worked.words), key=len)
    is_same = all(any(covers(word, other) for other in many) for word in few)
    return old[0] != new[0] or any(map(_is_flag, {*old} ^ {*new})) or not is_same


def _is_flag(word: str) -> bool:
    """Whether it is a flag that does more than make a run quiet, or shorter."""
    return word.startswith(("-", "+")) and not _NOISY_FLAG.match(word)


def _capture(
    failure: Run, tried: Step, success: Run, steps: Sequence[str], how: str, session: Session
) -> Capture:
    title = shortened(f"Fix for: {failure.error}", 80)
    details = {
        "procedure_name": title,
        "category": "technique",
        "steps": steps,
        "prerequisites": [],
        "success_conditions": [f"{shown(tried.text)} succeeds"],
        "failure_patterns": [failure.error],
    }
    return capture(
        replace(ERROR_FIX, confidence=0.6 if success.failed else 0.8),
        f"{shown(tried.text)} failed with “{failure.error}”; {how}",
        # Its result shows that it worked, and may be read later than the call.
        success.call.result or success.call.turn,
        "fix",
        session,
        details=details,
        title=title,
        kind="procedural",
    )
