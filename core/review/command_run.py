"""A program run once on our behalf: bounded in time and output, and gone afterwards.

It gets a process group of its own, which is killed as a whole at the end, whichever way it came:
agents start helpers, and a helper that hangs holds our pipes open. What puts itself into another
session escapes the group, but nobody waits for it. POSIX only.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .replies import MOST_BYTES, NoReply

GUARD = "MEMDECK_GUARD"
"""Set for whatever runs on our behalf: our own hooks see it and end at once."""

PARENTS = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE")
"""Marks of the agent's session that we were started from. With the first of them set, Claude Code
refuses to start a further session."""

_CHUNK = 65_536
_LOOK_S = 0.02  # how often we look whether a program that keeps its pipes open has ended


@dataclass(frozen=True, slots=True)
class Finished:
    """What a program left behind."""

    code: int  # exit code; negative when a signal ended it
    stdout: str
    stderr: str


def run(
    arguments: Sequence[str],
    *,
    text: str,
    folder: str,
    environment: Mapping[str, str],
    limit_s: float,
    most_bytes: int = MOST_BYTES,
) -> Finished:
    """Run a program in `folder` with `text` on its standard input.

    Raises NoReply: failed when it cannot start, timeout after `limit_s` seconds, invalid when it
    prints more than `most_bytes` bytes.
    """
    if os.name != "posix":
        raise NoReply("failed", "Programs can be asked on POSIX systems only.", is_asked=False)
    # A file without a name: nothing lies about, and no thread has to feed a pipe.
    with tempfile.TemporaryFile() as stdin:
        stdin.write(text.encode("utf-8", "replace"))
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                list(arguments),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=surroundings(environment, folder),
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = f"{arguments[0]} cannot be started: {_cause(error)}."
            raise NoReply("failed", reason, is_asked=False) from None
    try:
        stdout, stderr = _watch(process, time.monotonic() + limit_s, limit_s, most_bytes)
    finally:
        _end(process)
    return Finished(process.returncode, _decoded(stdout), _decoded(stderr))


def surroundings(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """The environment of a program that runs in `folder`: guarded, and nobody's child session."""
    kept = {name: value for name, value in environment.items() if name not in PARENTS}
    # Some agents take the folder they work in from PWD.
    return {**kept, GUARD: "1", "PWD": folder}


def _watch(
    process: subprocess.Popen[bytes], deadline: float, limit_s: float, most_bytes: int
) -> tuple[bytes, bytes]:
    """What the program prints until it has ended. Raises NoReply when it takes too long.

    It has ended when its own process has, whoever else still holds its pipes.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.fileno(), process.stderr.fileno()
    kept = {out: bytearray(), err: bytearray()}
    with selectors.DefaultSelector() as selector:
        for handle in kept:
            os.set_blocking(handle, False)
            selector.register(handle, selectors.EVENT_READ)
        while True:
            is_over = process.poll() is not None
            left_s = deadline - time.monotonic()
            if is_over:
                _kill(process)  # nobody shall go on filling the pipes that are emptied here
            elif left_s <= 0:
                told = _decoded(bytes(kept[out]))
                raise NoReply("timeout", f"No answer within {limit_s:.1f} s.", output=told)
            elif not selector.get_map():
                _wait(process, left_s)
                continue
            ready = selector.select(0 if is_over else min(left_s, _LOOK_S))
            for key, _ in ready:
                _read(key.fd, kept[key.fd], selector)
            if len(kept[out]) > most_bytes:
                raise NoReply("invalid", f"It printed more than {most_bytes:,} bytes.")
            del kept[err][:-_CHUNK]  # the last words say what went wrong
            if is_over and (not ready or left_s <= 0):
                return bytes(kept[out]), bytes(kept[err])


def _read(handle: int, into: bytearray, selector: selectors.BaseSelector) -> None:
    """Take one piece from a pipe, and at its end leave it alone."""
    try:
        piece = os.read(handle, _CHUNK)
    except BlockingIOError:
        return
    if not piece:
        selector.unregister(handle)
    into += piece


def _wait(process: subprocess.Popen[bytes], left_s: float) -> None:
    """Wait for a program that has closed its pipes; the caller looks at the clock again."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(left_s)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group, also after a good end: a helper may have stayed behind."""
    with contextlib.suppress(OSError):  # nobody is left
        os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace").lstrip("\ufeff")


def _cause(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "it is not installed, or not on the PATH"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return "its arguments cannot be passed on"
