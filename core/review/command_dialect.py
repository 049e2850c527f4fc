"""How a program is asked one question without a person, and how its answer is read.

One dialect a host: the arguments, what goes into its environment, and what its output means. Each
host brings its own (`headless` in its folder); what they share in reading stands here.
Hooks, tools, session files and project settings are switched off as far as the host lets us;
against our own hooks the guard variable works everywhere. Nothing of the prompt is an argument:
arguments can be seen by everybody on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .command_run import Finished
from .replies import NoReply, Reply, dollars, objects_in

ANSWER_SCHEMA, LAST_MESSAGE, NO_HOOKS = "schema.json", "last-message.txt", "no-hooks.json"
"""Files beside the empty folder that a program works in."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a dialect may use: the wanted model, and a folder for files of its own."""

    model: str
    files: str  # an absolute path; not the folder the program works in
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one host, or another program, is asked and understood."""

    arguments: Callable[[Call], list[str]]
    read: Callable[[Finished, Call], Reply]
    environment: Callable[[Call], Mapping[str, str]] = lambda _call: {}
    clean_up: Callable[[str], list[str] | None] = lambda _stdout: None


# --- any other program


def read_program(done: Finished, _call: Call) -> Reply:
    """Its whole output; `total_cost_usd` in an object of it is what the call cost."""
    reported = [
        cost
        for one in objects_in(done.stdout)
        if (cost := dollars(one.get("total_cost_usd"))) is not None
    ]
    cost = reported[-1] if reported else None
    if done.code:
        raise NoReply("failed", last_words(done), cost_usd=cost)
    return Reply(done.stdout, cost)


def events_in(text: str) -> Iterator[dict[str, Any]]:
    """The objects of an output: one, an array of them, or one a line; the rest is passed over."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        for line in text.splitlines():
            if line.lstrip().startswith(("{", "[")):
                yield from _objects(line)
    else:
        yield from _members(whole)


def _objects(line: str) -> Iterator[dict[str, Any]]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return
    yield from _members(found)


def _members(found: Any) -> Iterator[dict[str, Any]]:
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, dict):
            yield one


def table(value: Any) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def told_in(error: Any, depth: int = 4) -> str:
    """The message in what a host gives as an error: a text, a list, or an object a few deep."""
    if isinstance(error, str):
        return error
    if not depth:
        return ""
    if isinstance(error, list):
        return "; ".join(filter(None, (told_in(one, depth - 1) for one in error[:3])))
    given = table(error)
    told = (told_in(given.get(name), depth - 1) for name in ("message", "data", "error", "name"))
    return next(filter(None, told), "")


def last_words(done: Finished) -> str:
    """What a program printed last, which is where it says why it failed."""
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    words = " ".join(lines[-3:])
    ended = f"signal {-done.code}" if done.code < 0 else f"exit code {done.code}"
    return f"It ended with {ended}: {words[-400:] or '(no output)'}"
