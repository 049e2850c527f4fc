"""What an agent did: the commands it ran, how each ended and why, and the files it changed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .shell import Step, are_alike, steps
from .subjects import relative
from .turns import Call

MAX_LINE = 160  # characters of the line that is kept
_LONGEST = 2000  # characters of a line that is looked at
_FEW = 5  # lines of an output of which the last one tells, though none looks like an error
_LAST = 200  # runs of one piece of work that are looked at

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
_SCORES = tuple(
    (score, re.compile(pattern))
    for score, pattern in (
        (7, r"\S+_test\.go:\d+:\s\S.*"),
        (
            8,
            r"(?:E\s{2,}|FAILED\s\S+\s-\s)(?P<said>\S.*)"
            r"|(?:[\w.]+\.)?\w*(?:Error|Exception)\b(?:\s\[\w+\])?:\s\S.*"
            r"|.*\berror\s(?:TS\d+|[A-Z]+\d+):\s\S.*"
            r"|(?i:error(?:\[E\d+\])?|fatal(?: error)?|panic|critical):\s\S.*",
        ),
        (6, r"npm (?:ERR!|error)\s(?P<said>\S.*)"),
        (
            5,
            r"(?i:.*\b(?:No such file or directory|Permission denied|No module named|not found"
            r"|does not exist|cannot find|could not|unable to|refused|denied|timed? ?out|undefined"
            r"|unexpected|unresolved|missing|already in use)\b.*)",
        ),
        (4, r"(?i:.*\b(?:error|failed|failure|fatal|invalid|unsupported|conflict)\b.*)"),
    )
)
"""How much a line says of why a command failed; the first that fits."""

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
    telling: list[str] = []
    for line in map(str.strip, plain(output).splitlines()):
        if not line or len(line) > _LONGEST or _USELESS.match(line) or _ORDERS.search(line):
            continue
        telling.append(line)
        fits = ((score, found) for score, way in _SCORES if (found := way.fullmatch(line)))
        score, found = next(fits, (0, None))
        if found and score >= best_score:
            best, best_score = found.groupdict().get("said") or line, score
    if not best and 0 < len(telling) <= _FEW:
        best = telling[-1]
    best = _SHELL.sub("", " ".join(best.split()))
    return best if len(best) <= MAX_LINE else best[: MAX_LINE - 1].rsplit(" ", 1)[0] + "…"


def signature(error: str) -> str:
    """The error without what it has otherwise elsewhere: two of one signature are the same."""
    return _DETAIL.sub("", error).lower()


def plain(output: str) -> str:
    """`output` without colours and control characters."""
    return _UNPRINTABLE.sub("", _ANSI.sub("", output.replace("\r\n", "\n").replace("\r", "\n")))


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
        is_piped = any(step.is_piped for step in acting)
        failed = has_failed(call.result.text, call.result.is_error, is_piped)
        if call.result.is_error and not failed:
            continue  # a person refused it
        error = essential_line(call.result.text) if failed else ""
        found.append(Run(call, acting, failed, error))
    return found


def unanswered(runs: Sequence[Run]) -> list[Run]:
    """The failures among `runs` after which nothing like them worked."""
    runs = runs[-_LAST:]
    left = []
    for place, run in enumerate(runs):
        later = (step for other in runs[place + 1 :] if not other.failed for step in other.steps)
        if run.failed and not any(are_alike(run.steps[-1], step) for step in later):
            left.append(run)
    return left


EDITING = ("Edit", "MultiEdit", "Write", "NotebookEdit")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file."""

    position: int  # of the call among the turns
    path: str  # relative to the project where possible
    is_new: bool  # the file was written whole


def edits_in(calls: Iterable[Call], root: str | None) -> tuple[Edit, ...]:
    """The changes that `calls` made and that did not fail."""
    found = []
    for call in calls:
        path = call.argument("file_path", "notebook_path", "path")
        if call.tool not in EDITING or not path or (call.result and call.result.is_error):
            continue
        found.append(Edit(call.position, relative(path, root), call.tool == "Write"))
    return tuple(found)


def edits_between(edits: Sequence[Edit], first: int, last: int) -> Sequence[Edit]:
    """The changes after position `first` and before `last`; `edits` are in order."""
    start = bisect_right(edits, first, key=lambda edit: edit.position)
    return edits[start : bisect_left(edits, last, key=lambda edit: edit.position)]
