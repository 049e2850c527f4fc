"""A session of OpenCode as JSON text: `opencode export`, run once, and nothing of it on the disk.

OpenCode keeps sessions in a database of its own, whose form it does not promise; what it exports
it does. It must not write into a pipe: it ends before its text is through (1.18.33 cuts 900 kB
to 256), so that it gets a file without a name, where the system has it in memory alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Mapping
from typing import BinaryIO

from ...core.errors import ManagerError
from ...core.models.client import surroundings
from ...core.projects import identify
from ...core.sessions.transcript import MAX_WHOLE
from .wire import ADDRESS

LIMIT_S = 60.0
"""How long an export may take: it starts all of OpenCode, some 2 s of a processor's time."""

_PROGRAM = "opencode"
_ADDRESS = re.compile(rf"{ADDRESS}(?P<session>ses_\w{{1,100}})(?:@(?P<program>.+))?", re.DOTALL)
_LOOK_S = 0.05  # how often the growing file is looked at
_GONE = re.compile(r"session not found", re.IGNORECASE)


class ExportFailed(ManagerError):
    """OpenCode did not give a session away."""

    hint = "See whether `opencode export` works by itself."


class NoSuchSession(ExportFailed):
    """OpenCode does not have the session any more."""


def is_address(transcript: str) -> bool:
    """Whether a transcript is a session of OpenCode's, and not a file."""
    return _ADDRESS.fullmatch(transcript) is not None


def name_of(address: str) -> str:
    """What names the session for good, whichever program tells of it: for marks and references.

    Raises ExportFailed when `address` is none.
    """
    return ADDRESS + _parts(address)[0]


def export(
    address: str,
    folder: str = "",
    *,
    environment: Mapping[str, str] | None = None,
    limit_s: float = LIMIT_S,
    most_bytes: int = MAX_WHOLE,
) -> str:
    """The session at `address` as OpenCode exports it, one JSON text; unredacted.

    Runs in `folder` where it exists, without the person's plugins. Raises NoSuchSession, or
    ExportFailed: no program, longer than `limit_s` seconds, more than `most_bytes` bytes.
    """
    session, program = _parts(address)
    around = os.environ if environment is None else environment
    started = _program(program, around, folder)
    place = next(path for path in (folder, os.path.expanduser("~"), os.sep) if os.path.isdir(path))
    # No plugins: ours would answer, others are none of our business.
    settings = {**surroundings(around, place), "OPENCODE_PURE": "1"}
    with _nameless() as out, _nameless() as err:
        try:
            process = subprocess.Popen(
                [started, "export", session],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=place,
                env=settings,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ExportFailed(f"{started} cannot be started: {error}.") from None
        try:
            _wait(process, out, time.monotonic() + limit_s, limit_s, most_bytes)
        finally:
            _end(process)
        text, told = _text(out), _text(err)
    if _GONE.search(told):
        raise NoSuchSession(f"OpenCode has no session {session}.")
    if process.returncode != 0 or not text.rstrip().endswith("}"):
        raise ExportFailed(f"`opencode export {session}` ended with code {process.returncode}.")
    return text


def _wait(
    process: subprocess.Popen[bytes],
    out: BinaryIO,
    deadline: float,
    limit_s: float,
    most_bytes: int,
) -> None:
    """Wait until the process has ended. Raises ExportFailed for one that takes or says too much."""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_S)
        if os.fstat(out.fileno()).st_size > most_bytes:
            raise ExportFailed(f"The session is larger than {most_bytes:,} bytes.")
        if process.returncode is not None:
            return
        if time.monotonic() > deadline:
            raise ExportFailed(f"OpenCode did not export a session within {limit_s:.0f} s.")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, whichever way it ended: helpers may have stayed behind."""
    with contextlib.suppress(OSError, AttributeError):  # nobody is left; Windows
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()


def _nameless() -> BinaryIO:
    """An empty file without a name: in memory where the system can (Linux), else deleted."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("export", os.MFD_CLOEXEC), "w+b")
    return tempfile.TemporaryFile()


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").lstrip("\ufeff")


def _parts(address: str) -> tuple[str, str]:
    """(session, program or "") of an address. Raises ExportFailed when it is none."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise ExportFailed(f"{address!r} names no session of OpenCode.")
    return found["session"], found["program"] or ""


def _program(told: str, environment: Mapping[str, str], folder: str) -> str:
    """The program that told of the session, else the one on the PATH or in its usual place.

    What told of a session is the word of whoever called the hook: it is believed where the person
    could have put the program there, and nobody else. None is taken that a project brings along.
    Raises ExportFailed without any.
    """
    project = identify(folder).root if folder else ""
    places = environment.get("PATH", os.defpath).split(os.pathsep)
    found = [shutil.which(_PROGRAM, path=place) for place in places if os.path.isabs(place)]
    usual = os.path.join(os.path.expanduser("~"), ".opencode", "bin", _PROGRAM)
    for path in filter(None, (told if _is_believed(told) else None, *found, usual)):
        is_program = os.path.isfile(path) and os.access(path, os.X_OK)
        if is_program and not _is_brought(path, project):
            return os.path.abspath(path)
    raise ExportFailed(
        "The program `opencode` was not found.",
        hint="Put it on the PATH, outside of the project.",
    )


def _is_believed(path: str) -> bool:
    """Whether `path` is whole, called `opencode`, ours or the system's, and not everybody's."""
    if not os.path.isabs(path) or os.path.splitext(os.path.basename(path))[0] != _PROGRAM:
        return False
    try:
        about = os.stat(path)
    except OSError:
        return False
    owners = (0, os.getuid()) if hasattr(os, "getuid") else (about.st_uid,)
    return about.st_uid in owners and not about.st_mode & stat.S_IWOTH


def _is_brought(path: str, project: str) -> bool:
    """Whether the program, or the way to it, lies in the project. A home folder is no project."""
    home = os.path.realpath(os.path.expanduser("~"))
    if not project or _lies_in(home, project):
        return False
    return any(_lies_in(way, project) for way in (os.path.abspath(path), os.path.realpath(path)))


def _lies_in(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))
