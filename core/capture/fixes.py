"""Commands that failed and later worked, and what made the difference.

A pair counts when the same or a similar command succeeds after one or more failures, and
something was run or changed meanwhile. A failure that went away by itself teaches nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from ..answers import Capture
from .edits import Edit, edits_between
from .rules import Rule, rx
from .runs import Run, runs_in
from .shape import Session, capture, shortened
from .shell import Step, are_alike, covers, shown
from .subjects import relative, unique, words
from .turns import Call, Turn
from .weights import UNSURE, importance_of

MAX_ATTEMPTS = 40  # commands between a failure and the success that answers it

_RULE = Rule(
    "error-fix",
    rx(r"(?!)"),
    "error",
    "episodic",
    importance_of("error-fix"),
    0.75,
    "error",
    ("error-fix",),
)
_ENVIRONMENT = re.compile(
    r"\b(?:no module named|modulenotfound|not found|does not exist|no such|cannot find|can't find|"
    r"refused|permission|denied|not installed|missing|unable to (?:connect|locate|find)|"
    r"could not (?:connect|find|resolve|read|load)|already (?:in use|allocated)|"
    r"unknown (?:command|option|database|host)|unrecognized|unexpected argument|not running|"
    r"expired|out of date|ERESOLVE|ENOENT|EACCES|version)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"; it worked (?:with|in|from) ")  # a variable, a folder: `_another_way`
_UNRUNNABLE = re.compile(
    r"\bcommand not found\b|\bnot recognized as\b|\bexecutable file not found\b",
    re.IGNORECASE,
)
CONFIG = re.compile(
    r"(?:^|/)(?:Makefile|Dockerfile|conftest\.py|setup\.(?:py|cfg)|.*\.(?:toml|ya?ml|json|cfg|ini|"
    r"env|lock|conf)|requirements[\w-]*\.txt|\.env[\w.]*)$"
)
_SLIP = re.compile(
    r"^(?:E\s+)?(?:SyntaxError|IndentationError|TabError|NameError)|would reformat|\b(?:F401|E501|"
    r"W29\d|I001)\b|unused (?:import|variable)|prettier",
    re.IGNORECASE,
)
_TEST = re.compile(r"(?:^|/)tests?/|(?:^|/)test_|_test\.|\.(?:test|spec)\.")
_NOISY_FLAG = re.compile(
    r"^(?:-[vqsx]+|--(?:verbose|quiet|tb=\w+|no-header|color=?\w*|lf|ff|maxfail=\d+))$"
)
_CHORES = words(
    """
    mkdir touch rm cp mv chmod tee git gh black isort prettier open code pytest ruff mypy eslint tsc
    jest vitest tox nox flake8 pylint curl
    """
)
_DETAIL = re.compile(r"\d+|\S*/(?=\S)|[^\w\s]|\s+")  # what the same failure has otherwise elsewhere
_SCRIPT = re.compile(r"^(?!psql|mysql)(?:\S+ ){1,4}?-[cep] ")  # `python -c …` tries something out


@dataclass(frozen=True, slots=True)
class _Remedy:
    """What was different when it worked."""

    commands: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    instead: str = ""  # the command in its other form
    otherwise: str = ""  # the same in words


def fixes(
    turns: Sequence[Turn],
    calls: Sequence[Call],
    edits: Sequence[Edit],
    causes: Sequence[tuple[int, str]],
    session: Session,
) -> list[Capture]:
    """One capture for each failure whose remedy is known.

    `causes` are sentences of the agent that explain a failure, with the position of the turn
    that holds them; one between the failure and the next prompt is added to the memory.
    """
    tries = runs_in(calls)
    prompts = [n for n, turn in enumerate(turns) if turn.is_prompt] + [len(turns)]
    found = []
    for number, failure in enumerate(tries):
        if not failure.failed or not failure.error:
            continue
        later = tries[number + 1 : number + 1 + MAX_ATTEMPTS]
        answer = _answer(failure, later)
        if not answer:
            continue
        tried, worked, success = answer
        meanwhile = later[: later.index(success)]
        remedy = _remedy(failure, tried, worked, success, meanwhile, edits, session.root)
        if success.failed:
            told = tuple(e for e in remedy.edits if _is_named(e.path, failure))
            remedy = replace(remedy, edits=told)
        end = prompts[bisect_right(prompts, success.call.position)]
        is_told = any(edit.swap() for edit in remedy.edits) or remedy.commands or remedy.instead
        between = (c for n, c in causes if failure.call.position < n < end)
        cause = "" if is_told else next(between, "")
        if _is_worth(remedy, failure, edits, cause):
            found.append(_told(failure, tried, success, remedy, cause, session))
    return _each_once(found)


def is_of_surroundings(found: Capture) -> bool:
    """Whether a fix is of use a month later: a command, flag or dependency was at fault.

    What was written wrongly and mended in the same session is not: of 27 judged none was kept.
    """
    errors = found.details.get("failure_patterns") or ()
    return found.type == "procedural" and (
        any(_ENVIRONMENT.search(error) for error in errors)
        or _ELSEWHERE.search(found.content) is not None
    )


def _each_once(found: Sequence[Capture]) -> list[Capture]:
    """`found` without those whose failure another one tells, seen elsewhere: on CI, in a shell."""
    best: dict[str, Capture] = {}
    for one in found:
        error = _DETAIL.sub("", one.title).lower()
        other = best.get(error)
        if other is None or (one.importance, one.confidence) > (other.importance, other.confidence):
            best[error] = one
    kept = {id(one) for one in best.values()}
    return [one for one in found if id(one) in kept]


def _is_named(path: str, failure: Run) -> bool:
    """Whether a failure speaks of this file, or the file settles how things are run."""
    output = failure.call.result.text if failure.call.result else ""
    return CONFIG.search(path) is not None or path in output


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
    failure: Run,
    tried: Step,
    worked: Step,
    success: Run,
    meanwhile: Sequence[Run],
    edits: Sequence[Edit],
    root: str | None,
) -> _Remedy:
    """What was run or changed from a failure to the success that answers it."""
    before = takewhile(lambda step: step is not worked, success.steps)
    between = [step for attempt in meanwhile if not attempt.failed for step in attempt.steps]
    commands = unique(
        step.text
        for step in (*between, *before)
        if step.words[0] not in _CHORES
        and not _SCRIPT.match(step.text)
        and not are_alike(step, tried)
        and not any(step.text == old.text for old in failure.steps)
    )[-2:]
    changed = tuple(edits_between(edits, failure.call.position, success.call.position))
    settings = tuple(edit for edit in changed if CONFIG.search(edit.path))
    is_surroundings = _ENVIRONMENT.search(failure.error) is not None
    instead, otherwise = ("", "")
    # A variant that fails in another way has not worked, unless it was the program that could not
    # be run before, and now does its work.
    if not success.failed or (
        _UNRUNNABLE.search(failure.error) and not _UNRUNNABLE.search(success.error)
    ):
        instead, otherwise = _another_way(tried, worked, is_surroundings, root)
    if is_surroundings and (commands or settings):
        return _Remedy(commands, settings)
    if changed and not is_surroundings:
        return _Remedy((), changed)
    if commands:
        return _Remedy(commands, changed)
    return _Remedy((), changed if not instead else (), instead, otherwise)


def _another_way(
    tried: Step, worked: Step, is_surroundings: bool, root: str | None
) -> tuple[str, str]:
    """The command as it worked and the same in words, where it was put in another way."""
    if _differs(tried, worked):
        return worked.text, f"{shown(worked.text)} worked"
    names = [name for name in worked.variables if name not in tried.variables]
    if names:
        told = " and ".join(f"`{name}`" for name in names[:3])
        return f"set {', '.join(names[:3])}, then {worked.text}", f"it worked with {told} set"
    folder = relative(worked.folder, root) if worked.folder else ""
    if folder and folder != (relative(tried.folder, root) if tried.folder else ""):
        is_root = root is not None and folder == relative(root, None)
        if not is_root:
            return f"cd {folder} && {worked.text}", f"it worked in `{folder}`"
        if is_surroundings:
            return worked.text, "it worked from the project's root"
    return "", ""


def _differs(tried: Step, worked: Step) -> bool:
    """Whether the command was put in another way, not merely run on less or more quietly."""
    old, new = tried.text.split(), worked.text.split()
    if old[0] != new[0]:
        return True
    changed = {*old} ^ {*new}
    flags = {f for f in changed if f.startswith(("-", "+")) and not _NOISY_FLAG.match(f)}
    few, many = sorted((tried.words, worked.words), key=len)
    return bool(flags) or not all(any(covers(word, other) for other in many) for word in few)


def _is_worth(remedy: _Remedy, failure: Run, edits: Sequence[Edit], cause: str) -> bool:
    """Whether a colleague would note it: slips and the red half of a test do not count."""
    if _SLIP.search(failure.error):
        return False
    if remedy.commands or remedy.instead:
        return True
    paths = {edit.path for edit in remedy.edits}
    if not paths or len(paths) > 2:
        return False
    if cause or any(CONFIG.search(path) for path in paths):
        return True
    output = failure.call.result.text if failure.call.result else ""
    said = failure.call.argument("command") + output
    return not any(
        edit.position < failure.call.position and _TEST.search(edit.path) and edit.path in said
        for edit in edits
    )


def _told(
    failure: Run, tried: Step, success: Run, remedy: _Remedy, cause: str, session: Session
) -> Capture:
    command = shown(tried.text)
    text = f"{command} failed with “{failure.error}”; {_in_words(remedy)}"
    if cause and len(text) + len(cause) < 470:
        text += f". {cause}"
    is_recipe = bool(remedy.commands or remedy.instead)
    is_sure = is_recipe or cause or any(edit.swap() for edit in remedy.edits)
    rule = replace(
        _RULE,
        importance=_RULE.importance if is_sure else _RULE.importance - UNSURE,
        confidence=0.6 if success.failed else 0.8 if is_sure else 0.65,
    )
    title = shortened(f"Fix for: {failure.error}", 80)
    done = [*remedy.commands, *([remedy.instead] if remedy.instead else [])]
    details: dict[str, Any]
    if is_recipe:
        details = {
            "procedure_name": title,
            "category": "technique",
            "steps": done if remedy.instead else [*done, tried.text],
            "prerequisites": [],
            "success_conditions": [f"{command} succeeds"],
            "failure_patterns": [failure.error],
        }
    else:
        context = {"command": tried.text[:300], "error": failure.error}
        details = {"event_type": "error", "context": context}
    return capture(
        rule,
        text,
        # Its result shows that it worked, and may be read later than the call.
        success.call.result or success.call.turn,
        "fix",
        session,
        details=details,
        files=unique(edit.path for edit in remedy.edits),
        title=title,
        kind="procedural" if is_recipe else "episodic",
    )


def _in_words(remedy: _Remedy) -> str:
    if remedy.otherwise:
        return remedy.otherwise
    told = []
    if remedy.commands:
        told.append(f"running {' and '.join(shown(c) for c in remedy.commands)} first fixed it")
    paths = unique(edit.path for edit in remedy.edits)
    if paths:
        swap = remedy.edits[-1].swap() if len(remedy.edits) == 1 else None
        where = " and ".join(paths[:3])
        if swap:
            told.append(f"in {where} `{swap[0]}` had to become `{swap[1]}`")
        else:
            told.append(f"the fix was in {where}")
    return "; ".join(told)
