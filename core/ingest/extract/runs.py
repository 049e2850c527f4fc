"""Runs of commands that do something: how each of them ended, and which line says why it failed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .shell import Step, are_alike, steps
from .turns import Call

MAX_LINE = 160  # characters of the line that is kept
_LONGEST = 2000  # characters of a line that is looked at

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NO_FAILURE = re.compile(
    r"^\s*(?:The user doesn't want to|User rejected|Permission to use|<tool_use_error>|"
    r"\[Request interrupted|Command was aborted|Tool use was rejected|Claude requested permissions)"
)
_HIDDEN_FAILURE = re.compile(
    r"^(?:FAILED\s\S+.*|E\s{2,}\S.*|npm (?:ERR!|error).*|.*\berror TS\d+.*|BUILD FAILED.*|"
    r"Traceback \(most recent call last\):|=+ .{0,200}\b[1-9]\d* (?:failed|errors?)\b.*|"
    r"\s*[1-9]\d* (?:failed|failing)\b.*|FAIL\s\S+.*|--- FAIL: .*|error(?:\[E\d+\])?: .*)$",
    re.MULTILINE,
)
_USELESS = re.compile(
    r"^(?:Exit code \d+|make(?:\[\d+\])?: \*\*\*|[=_~*.\-\s]+$|at \S+|FAIL\b|FAILED\s*\(|"
    r"Found \d+ error|ELIFECYCLE|"
    r"npm (?:ERR!|error) (?:A complete log|code\b|errno|path|command|\s*$|\S*/_logs)|"
    r"error: (?:failed to push|test failed|could not compile)|(?:Error: )?Process completed|!+\s|"
    r"\d+ (?:failed|passed)|Traceback \()",
    re.IGNORECASE,
)
_SCORES: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"^(?:E\s{2,}|FAILED\s\S+\s-\s)(?P<said>\S.*)$"), 8),
    (re.compile(r"^(?:[\w.]+\.)?\w*(?:Error|Exception)\b(?:\s\[\w+\])?:\s\S.*$"), 8),
    (re.compile(r"^\S+_test\.go:\d+:\s\S.*$"), 7),
    (re.compile(r"^.*\berror\s(?:TS\d+|[A-Z]+\d+):\s\S.*$"), 8),
    (re.compile(r"^(?:error(?:\[E\d+\])?|fatal(?: error)?|panic|critical):\s\S.*$", re.I), 8),
    (re.compile(r"^npm (?:ERR!|error)\s(?P<said>\S.*)$"), 6),
    (
        re.compile(
            r"^.*\b(?:No such file or directory|Permission denied|No module named|not found|"
            r"does not exist|cannot find|could not|unable to|refused|denied|timed? ?out|undefined|"
            r"unexpected|unresolved|missing|already in use)\b.*$",
            re.I,
        ),
        5,
    ),
    (re.compile(r"^.*\b(?:error|failed|failure|fatal|invalid|unsupported|conflict)\b.*$", re.I), 4),
)
_SHELL = re.compile(r"^(?:/\S*/)?(?:ba|z|da)?sh: (?:line )?(?:\d+: )?")
_DETAIL = re.compile(r"\d+|\S*/(?=\S)|[^\w\s]|\s+")
"""What the same failure has otherwise elsewhere: numbers, folders, signs, spacing."""

_ORDERS = re.compile(
    r"\b(?:ignore (?:all |any )?(?:previous|prior|above)|system prompt|disregard|you (?:must|"
    r"should) (?:now|always)|as an ai|new instructions|do not tell)\b|</?\w+[^>]*>",
    re.IGNORECASE,
)


def has_failed(text: str, is_error: bool, is_piped: bool) -> bool:
    """Whether a command's result is a failure of its own.

    A refusal by the person is none. A pipe (`pytest | tail`) hides the exit code, so there
    the output decides.
    """
    if is_error:
        return _NO_FAILURE.match(text) is None
    return is_piped and _HIDDEN_FAILURE.search(plain(text)) is not None


def essential_line(output: str) -> str:
    """The line that says why, at most `MAX_LINE` characters, or "" if none does.

    Of equally telling lines the last one wins, as programs end with the reason. A line that
    gives orders is not taken: output is evidence, not an instruction.
    """
    best, best_score = "", 0
    for line in plain(output).splitlines():
        line = line.strip()
        if not line or len(line) > _LONGEST or _USELESS.match(line) or _ORDERS.search(line):
            continue
        for pattern, score in _SCORES:
            found = pattern.match(line)
            if found and score >= best_score:
                said = found["said"] if "said" in pattern.groupindex else line
                best, best_score = said, score
            if found:
                break
    if not best:
        best = _only_line(output)
    best = _SHELL.sub("", " ".join(best.split()))
    return best if len(best) <= MAX_LINE else best[: MAX_LINE - 1].rsplit(" ", 1)[0] + "…"


def signature(error: str) -> str:
    """The error without what it has otherwise elsewhere: two of one signature are the same."""
    return _DETAIL.sub("", error).lower()


def plain(output: str) -> str:
    """`output` without colours and control characters."""
    return _UNPRINTABLE.sub("", _ANSI.sub("", output.replace("\r\n", "\n").replace("\r", "\n")))


def _only_line(output: str) -> str:
    """The last line that says anything, where none looks like an error."""
    lines = [line.strip() for line in plain(output).splitlines()]
    telling = [
        x
        for x in lines
        if 0 < len(x) <= _LONGEST and not _USELESS.match(x) and not _ORDERS.search(x)
    ]
    return telling[-1] if telling and len(telling) <= 5 else ""


_LOOKS_AT = 200  # runs of one piece of work, the last ones


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command that does something."""

    call: Call
    steps: tuple[Step, ...]
    failed: bool
    error: str  # the essential line; "" where it succeeded


def runs_in(calls: Iterable[Call]) -> list[Run]:
    """The runs among `calls` that are over: none that only looks, or that a person stopped."""
    found = []
    for call in calls:
        if call.tool != "Bash" or call.result is None:
            continue
        parts = steps(call.argument("command"))
        acting = tuple(s for s in parts if not s.is_looking and not s.is_setup)
        if not acting or call.result.details.get("interrupted") is True:
            continue
        failed = has_failed(
            call.result.text, call.result.is_error, any(step.is_piped for step in acting)
        )
        if call.result.is_error and not failed:
            continue  # a person refused it
        error = essential_line(call.result.text) if failed else ""
        found.append(Run(call, acting, failed, error))
    return found


def unanswered(runs: Sequence[Run]) -> list[Run]:
    """The failures among `runs` after which nothing like them worked."""
    left = []
    runs = runs[-_LOOKS_AT:]
    for place, run in enumerate(runs):
        if not run.failed:
            continue
        later = (step for other in runs[place + 1 :] if not other.failed for step in other.steps)
        if not any(are_alike(run.steps[-1], step) for step in later):
            left.append(run)
    return left
