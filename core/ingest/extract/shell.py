"""Shell commands as people read them: which program, on what, does it only look, is it the same?"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .subjects import PROGRAMS, words

_ASKING_ANYWHERE = ("--version", "--help")
_ASKING = (*_ASKING_ANYWHERE, "-h", "-V")
_LOOKING = words(
    """
    ls cat head tail less more grep egrep rg ag find fd tree pwd echo printf which type whereis file
    wc stat du df ps top env printenv date whoami id uname diff cmp sort uniq cut awk sed jq test [
    [[ sleep exit return man help history wait jobs kill pkill read lsof netstat ss dig nslookup
    host ping nc xxd hexdump strings nm objdump ldd otool lsusb lspci dmesg pgrep nvidia-smi
    journalctl basename dirname realpath readlink sha256sum md5sum tail file locale hostname nl
    """
)
_LOOKING_SUBCOMMANDS = words(
    """
    status log logs diff show blame grep ls-files remote rev-parse describe ps ls list get inspect
    info images top view tree outdated why explain version freeze search history events config
    cat-file count-objects ls-tree rev-list merge-base
    """
)
_LOOKING_ANYWHERE = words("status where list ls show info version tasks")  # whatever the program


def looks(program: str, parts: Sequence[str]) -> bool:
    """Whether a command changes nothing: `ls`, `grep`, `git status`."""
    if program == "sed":
        return not any(part.startswith(("-i", "--in-place")) for part in parts)
    if program in _LOOKING or not {*parts[1:2]}.isdisjoint(_ASKING):
        return True
    if program in PROGRAMS:
        first = 3 if program == "git" and parts[1:2] == ["-C"] else 1
        if not {*parts[first : first + 2]}.isdisjoint(_LOOKING_SUBCOMMANDS):
            return True
    elif not {*parts[1:2]}.isdisjoint(_LOOKING_ANYWHERE):
        return True
    return not {*parts[1:]}.isdisjoint(_ASKING_ANYWHERE)


MAX_COMMAND = 2000  # characters; longer ones are scripts
MAX_SHOWN = 100  # characters

_BREAK = re.compile(r"&&|\|\||;|\n")
_REDIRECT = re.compile(r"\s*(?:\d?>>?\s?&?\s?\S+|<\s?\S+|2>&1)")
_PREFIX = re.compile(
    r"^(?:(?:[A-Z_][A-Z0-9_]*=(?:'[^']*'|\"[^\"]*\"|\S*)|sudo|time|nice|env|exec|command|nohup|"
    r"timeout(?:\s-\S+)*\s\d+\w?)\s+)+"
)
_VARIABLE = re.compile(r"\b([A-Z_][A-Z0-9_]*)=")
_ASSIGNS = re.compile(r"^(?:\$\w+\s*=|\w+=\S*$)")  # a variable and nothing else
_SETUP = words("cd pushd popd export set source . unset true : umask")
_TOOLCHAIN = re.compile(r"^\+[\w.-]+$")  # `cargo +nightly build`
_PYTHON = re.compile(r"^(?:.*/)?python\d?(?:\.\d+)?$")
_CARRYING = words("ssh bash sh zsh su pwsh powershell")  # their last argument may be a command
_COMMAND_FLAG = re.compile(r"^-(?:\w*c|command)$", re.IGNORECASE)
_RUNNERS = tuple(
    tuple(runner.split())
    for runner in (
        "uv run|poetry run|pdm run|pipenv run|bundle exec|npx|pnpm exec|pnpm dlx|yarn exec"
        "|python -m|python3 -m|docker compose exec"
    ).split("|")
)


@dataclass(frozen=True, slots=True)
class Step:
    """One simple command of a line."""

    text: str  # as written, without redirections, variables in front and pipes behind
    words: tuple[str, ...]  # program and arguments, without flags and runners
    is_looking: bool = False  # changes nothing: `ls`, `grep`, `git status`
    is_setup: bool = False  # `cd`, `export`
    is_piped: bool = False  # its own exit code was lost in a pipe
    variables: tuple[str, ...] = ()  # names of those set for it; never their values


@lru_cache(maxsize=1_024)  # asked for fixes, for pieces of work, for errors that come again
def steps(command: str) -> tuple[Step, ...]:
    """The simple commands of `command`; none where it is a script or a here-document."""
    if len(command) > MAX_COMMAND or "<<" in command:
        return ()
    return tuple(_steps(command.replace("\\\n", " ")))


def _steps(command: str) -> Iterator[Step]:
    exported: tuple[str, ...] = ()
    for piece in _outside_quotes(command):
        pipe = _masked(piece).find("|")
        is_piped = pipe >= 0
        plain = _without_redirections(piece[:pipe] if is_piped else piece).strip(" ()")
        prefix = _PREFIX.match(plain)
        text = plain[prefix.end() :] if prefix else plain
        parts = _parts(text)
        if not parts or text.startswith("#") or _ASSIGNS.match(text):
            continue
        program = (os.path.basename(parts[0]) or parts[0]).removesuffix(".exe")
        named = tuple(_VARIABLE.findall(prefix[0])) if prefix else ()
        if program == "export":
            exported += tuple(_VARIABLE.findall(text))
        if (
            program in _CARRYING
            and " " in parts[-1]
            and (program == "ssh" or any(map(_COMMAND_FLAG.match, parts)))
        ):  # `bash deploy.sh "ls all"` runs a script
            is_looking = all(step.is_looking or step.is_setup for step in _steps(parts[-1]))
        else:
            is_looking = looks(program, parts)
        is_setup = program in _SETUP
        yield Step(text, _essence(parts), is_looking, is_setup, is_piped, (*exported, *named))


def are_alike(one: Step, other: Step) -> bool:
    """Whether two commands try the same thing, perhaps in another way or on less."""
    if one.text == other.text:
        return True
    a, b = set(one.words), set(other.words)
    if not a or not b:
        return False
    common = sum(any(covers(x, y) for y in b) for x in a)
    smaller = min(len(a), len(b))
    if smaller == 1:
        return common == 1 and one.words[0] == other.words[0]
    return common >= 2 and common / smaller >= 2 / 3


def shown(text: str) -> str:
    """`text` as inline code on one line, at most `MAX_SHOWN` characters."""
    line = " ".join(text.split()).replace("`", "'")
    if len(line) > MAX_SHOWN:
        line = line[: MAX_SHOWN - 1].rsplit(" ", 1)[0] + " …"
    return f"`{line}`"


def _outside_quotes(command: str) -> Iterator[str]:
    """The pieces between `&&`, `||`, `;` and newlines that are not inside quotation marks."""
    masked = _masked(command)
    start = 0
    for stop in _BREAK.finditer(masked):
        yield command[start : stop.start()]
        start = stop.end()
    yield command[start:]


def _without_redirections(text: str) -> str:
    for found in reversed(list(_REDIRECT.finditer(_masked(text)))):
        text = text[: found.start()] + text[found.end() :]
    return text.strip()


def _masked(text: str) -> str:
    """`text` at the same length, with quoted parts filled."""
    return re.sub(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", lambda m: "·" * len(m[0]), text)


def _parts(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _essence(parts: list[str]) -> tuple[str, ...]:
    """Program and arguments that tell what is attempted: no flags, no runner, no long texts."""
    while runner := next((r for r in _RUNNERS if tuple(parts[: len(r)]) == r < tuple(parts)), None):
        parts = parts[len(runner) :]
    if parts[0] in _CARRYING and " " in parts[-1]:
        parts = [*parts[:-1], *_parts(parts[-1])]
    if _PYTHON.match(parts[0]):
        parts = ["python", *parts[1:]]
        parts = parts[2:] if parts[1:2] == ["-m"] and len(parts) > 2 else parts
    plain = [
        p.removeprefix("./") for p in parts if not p.startswith("-") and not _TOOLCHAIN.match(p)
    ]
    return tuple(p for p in plain if " " not in p and p != "run")[:6] or (parts[0],)


def covers(one: str, other: str) -> bool:
    """Whether two arguments are the same, or one is a path or test inside the other."""
    if one == other:
        return True
    short, long = sorted((one.rstrip("/"), other.rstrip("/")), key=len)
    return bool(short) and long.startswith((f"{short}/", f"{short}::", f"{short}=="))
