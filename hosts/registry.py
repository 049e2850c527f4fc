"""The hosts by name, each imported on first use: a host is a folder beside this module.

`wire` is light enough for an agent that waits. `host` has everything (see `hosts/install.py`).
"""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from .install import Host

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def names() -> tuple[str, ...]:
    """Return the names of all hosts, in the order of the alphabet."""
    with os.scandir(_FOLDER) as entries:
        matches = [
            entry.name for entry in entries if os.path.isfile(os.path.join(entry.path, "wire.py"))
        ]
    return tuple(sorted(matches))


def module(name: str, kind: str) -> Any:
    """The module of this kind in the folder of the host of this name; None without such a host.

    By the interpreter's own import: `importlib` costs more, and a hook's host needs no list of
    folders.
    """
    path = f"{__package__}.{name}.{kind}"
    if not name.isidentifier():
        return None
    try:
        __import__(path)  # also of a loaded module: another thread may still be loading it
    except ModuleNotFoundError as error:
        if error.name is not None and path.startswith(error.name):
            return None
        raise
    return sys.modules[path]


def wire(name: str) -> Any:
    """Return the `wire` of the host of this name; None without one."""
    matches = module(name, "wire")
    return matches.WIRE if matches is not None else None


def host(name: str) -> Host | None:
    """Return the host of this name; None without one."""
    matches = module(name, "host")
    return matches.HOST if matches is not None else None


def hosts() -> list[Host]:
    """Return all hosts, in the order of their names."""
    return [matches for name in names() if (matches := host(name)) is not None]


PROCESSES = "/proc"
"""The system's list of processes. Without it only the environment names our caller."""

_RUNTIMES = ("node", "nodejs", "bun", "deno", "python", "python3")
_MOST_ANCESTORS = 64


class Shell:
    """The agent in whose shell we run, if any."""

    def __init__(self) -> None:
        self.hosts: set[str] = set()
        self.folder = ""  # of the nearest agent; "" if unknown
        self.session: str | None = None  # its id, where the host names it


def shell(environ: Mapping[str, str]) -> Shell:
    """Return the agent that runs us, by the marks in the environment and by the processes above us.

    A command can take a mark out of its own environment, but not out of its parents'.
    """
    dialects = [wire(name) for name in names()]
    answer = Shell()
    answer.hosts = _marked(environ, dialects)
    variables = [dialect.SESSION_VARIABLE for dialect in dialects]
    answer.session = next((environ[name] for name in variables if environ.get(name)), None)
    for folder, command, around in _ancestors():
        programs = {item.HOST for item in dialects if _is_program(command, item)}
        answer.hosts |= programs | _marked(around, dialects)
        if programs and not answer.folder:
            answer.folder = folder
    return answer


def is_shell_of(dialect: Any, environ: Mapping[str, str]) -> bool:
    """Return True if a tool of this agent runs us, and not the agent itself.

    Some agents put their marks on hooks too, so for them the result is False.
    """
    around = [environ, *(variables for _, _, variables in _ancestors())]
    return not dialect.IN_HOOKS and any(_marked(item, [dialect]) for item in around)


def _marked(environ: Mapping[str, str], dialects: list[Any]) -> set[str]:
    return {item.HOST for item in dialects if any(environ.get(mark) for mark in item.MARKS)}


def _is_program(command: list[str], dialect: Any) -> bool:
    """Return True if a command line starts the agent: its program, or its package in a runtime."""
    names = [os.path.splitext(os.path.basename(word))[0] for word in command[:1]]
    script = ""
    if names and names[0] in _RUNTIMES:
        script = next((word for word in command[1:] if not word.startswith("-")), "")
        names = [os.path.splitext(os.path.basename(script))[0]]
    package = f"/{dialect.INSTALL.split()[-1]}/"
    return dialect.HOST in names or package in script


def _ancestors() -> Iterator[tuple[str, list[str], dict[str, str]]]:
    """Folder, command line and environment of each process above this one that we may look at."""

    def content(pid: int, name: str) -> str:
        with open(os.path.join(PROCESSES, str(pid), name), "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")

    pid = os.getppid()
    for _ in range(_MOST_ANCESTORS):
        try:
            parent = int(content(pid, "stat").rpartition(")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            return
        try:
            pairs = [pair.partition("=")[::2] for pair in content(pid, "environ").split("\0")]
            folder = os.readlink(os.path.join(PROCESSES, str(pid), "cwd"))
            yield folder, content(pid, "cmdline").split("\0"), dict(pairs)
        except OSError:  # another user's process
            pass
        if parent <= 1:
            return
        pid = parent


MOST_BYTES = 256 * 1024  # of a file that a host loads; larger ones are not compared
MOST_LOADED = 40  # files that are looked into, imports included


def folder_of(variables: Sequence[tuple[str, str]], usual: str) -> str:
    """Return the folder of the user's settings of a host, by the start of its `HOOK_FILES`."""
    for variable, below in variables:
        if chosen := os.environ.get(variable):
            return os.path.abspath(os.path.join(chosen, below))
    return os.path.abspath(os.path.expanduser(usual))


def loaded(name: str, folder: str, root: str) -> dict[str, str]:
    """Return the texts, by path, that a host loads by itself at a start in `folder`.

    `root` is the project's main checkout. Files count that the host's `LOADS` names, from `folder`
    up to its checkout, and their imports by `@path` lines. A file for some paths only
    (`paths:`, `applyTo:`) does not count. Links are followed, since the host follows them.
    """
    room, texts = wire(name), dict[str, str]()
    if room is None:
        return texts
    base, folders = folder_of(*room.HOOK_FILES[:2]), upwards(folder)
    memory = room.memory_folder(base, root, text_at)
    for pattern, *unless in room.LOADS:
        if pattern.startswith("memory:"):
            if memory and (text := text_at(f"{memory}/{pattern[7:]}")):
                lines, signs = room.INDEX_LIMIT
                texts[f"{memory}/{pattern[7:]}"] = "".join(text.splitlines(True)[:lines])[:signs]
            continue
        for at in (base,) if pattern.startswith("@/") else folders:
            if any(os.path.isfile(f"{at}/{other.removeprefix('@/')}") for other in unless):
                continue
            for path in matching(at, pattern.removeprefix("@/")):
                _add(texts, path)
    return texts


def matching(folder: str, pattern: str) -> list[str]:
    """Return the paths below `folder` that a pattern with at most one `*` names, in their order."""
    head, star, tail = pattern.partition("*")
    if not star:
        return [f"{folder}/{pattern}"]
    above, _, start = f"{folder}/{head}".rpartition("/")
    try:
        names = sorted(os.listdir(above))
    except OSError:
        return []
    end, _, rest = tail.partition("/")
    fitting = [name for name in names if name.startswith(start) and name.endswith(end)]
    return [f"{above}/{name}" + (f"/{rest}" if rest else "") for name in fitting]


def upwards(folder: str) -> list[str]:
    """The folder and those above it, up to its checkout; outside of one, the folder alone."""
    folders, at = list[str](), os.path.realpath(folder)
    while True:
        folders.append(at)
        if os.path.lexists(f"{at}/.git"):
            return folders
        if at == os.path.dirname(at):
            return folders[:1]
        at = os.path.dirname(at)


def _add(texts: dict[str, str], path: str) -> None:
    """Add a file's text, and its imports, to `texts`."""
    if path in texts or len(texts) >= MOST_LOADED or not (text := text_at(path)):
        return
    head = text[3 : text.find("\n---", 3)].split("\n") if text.startswith("---") else ()
    scopes = [line for line in head if line.startswith(("paths:", "applyTo:", "globs:"))]
    if any(line.partition(":")[2].strip(" '\"") not in ("**", "**/*") for line in scopes):
        return
    texts[path] = text
    for line in text.split("\n"):
        target = line.strip()
        if target.startswith("@") and "." in target and " " not in target:
            target = os.path.expanduser(target[1:])
            _add(texts, os.path.normpath(os.path.join(os.path.dirname(path), target)))


def text_at(path: str) -> str:
    """The text of a regular file of at most `MOST_BYTES`; "" without one that can be read."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as file:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
                return ""
            return file.read(MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def sources() -> Any:
    from . import sources

    return sources
