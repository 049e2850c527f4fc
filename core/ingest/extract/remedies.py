"""What made a failed command work: something run before it, or another way to put it.

Held against the failures of real sessions: what only looks, checks or formats is no remedy, and
other arguments are none unless the first ones were refused; they look elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from .runs import Run
from .shell import Step, are_alike, covers, shown
from .subjects import unique, words

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
_NOISY_VARIABLE = re.compile(r"TRACE|DEBUG|VERBOSE|LOG|COLOR")
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


def has_worked(failure: Run, success: Run) -> bool:
    """Whether the later run got through, or the program now runs that could not be run before."""
    return not success.failed or (
        _UNRUNNABLE.search(failure.error) is not None and not _UNRUNNABLE.search(success.error)
    )


def run_before(
    failure: Run, tried: Step, worked: Step, success: Run, meanwhile: Sequence[Run]
) -> tuple[str, ...]:
    """The last commands, two at most, that worked between a failure and its success."""
    before = takewhile(lambda step: step is not worked, success.steps)
    between = [step for attempt in meanwhile if not attempt.failed for step in attempt.steps]
    return unique(
        step.text
        for step in (*between, *before)
        if step.words[0] not in _CHORES
        and _CHECKING.isdisjoint(step.words[:2])
        and not _SCRIPT.match(step.text)
        and not are_alike(step, tried)
        and not any(step.text == old.text for old in failure.steps)
    )[-2:]


def another_way(tried: Step, worked: Step, error: str) -> tuple[str, str]:
    """The command as it worked and the same in words, where it was put in another way; else ""."""
    if _adds_a_flag(tried, worked) or (_is_misput(tried, error) and _differs(tried, worked)):
        return worked.text, f"{shown(worked.text)} worked"
    names = [
        name
        for name in worked.variables
        if name not in tried.variables and not _NOISY_VARIABLE.search(name)
    ][:3]
    told = " and ".join(f"`{name}`" for name in names)
    way = f"set {', '.join(names)}, then {worked.text}"
    return (way, f"it worked with {told} set") if names else ("", "")


def _is_misput(tried: Step, error: str) -> bool:
    """Whether the command itself was refused: its program, or how it was told what to do."""
    return (
        _MISPUT.search(error) is not None
        or _UNRUNNABLE.search(error) is not None
        or tried.text.split()[0] in error.split()
    )


def _adds_a_flag(tried: Step, worked: Step) -> bool:
    """Whether it is the same command with a flag more."""
    old, new = tried.text.split(), worked.text.split()
    more = [word for word in new if word not in old]
    return (
        bool(more)
        and all(word in new for word in old)
        and all(word.startswith(("-", "+")) and not _NOISY_FLAG.match(word) for word in more[:1])
    )


def _differs(tried: Step, worked: Step) -> bool:
    """Whether the command was put in another way, not merely run on less or more quietly."""
    old, new = tried.text.split(), worked.text.split()
    if old[0] != new[0]:
        return True
    changed = {*old} ^ {*new}
    flags = {f for f in changed if f.startswith(("-", "+")) and not _NOISY_FLAG.match(f)}
    few, many = sorted((tried.words, worked.words), key=len)
    return bool(flags) or not all(any(covers(word, other) for other in many) for word in few)
