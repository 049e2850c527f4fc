"""Which reader reads which session file: by the host's name, else by the look of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Protocol

from .lines import MAX_LINE, MAX_READ, LineReader, open_regular
from .transcript_claude import read_transcript
from .transcript_codex import read_codex
from .transcript_gemini import read_gemini
from .transcript_opencode import read_opencode
from .transcript_reader import Reading, text_of

_LOOK = 64 * 1024  # bytes at the start that show whose file it is
_CLAUDE = ("parentUuid", "isSidechain", "leafUuid", "permissionMode", "isSnapshotUpdate")
_CODEX_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_SIGNS = (
    # Where the first line is not whole: pretty-printed, or longer than the look.
    ("codex", re.compile(r'\A\{[^{]{0,200}"type"\s*:\s*"session_meta"')),
    ("gemini", re.compile(r'"projectHash"\s*:\s*"')),
    ("opencode", re.compile(r'\A(?:\[\s*)?\{\s*"info"\s*:\s*\{')),
)


class Reader(Protocol):
    """Reads the turns of one host's files."""

    def __call__(
        self,
        path: str,
        offset: int = 0,
        line_no: int = 0,
        seen_uuids: Iterable[str] = (),
        *,
        sidechains: bool = False,
        max_bytes: int = MAX_READ,
        max_line: int = MAX_LINE,
    ) -> Reading: ...


_READERS: dict[str, Reader] = {
    "claude": read_transcript,
    "codex": read_codex,
    "gemini": read_gemini,
    "opencode": read_opencode,
}


def read_any(
    path: str,
    host: str = "",
    offset: int = 0,
    line_no: int = 0,
    seen_uuids: Iterable[str] = (),
    *,
    sidechains: bool = False,
    max_bytes: int = MAX_READ,
    max_line: int = MAX_LINE,
) -> Reading:
    """The turns of a session file after `offset`, at most `max_bytes` of a file that grows.

    `host` names the reader; a host without one is told by the look of the file. A file that
    nobody can read gives no turns and says why in `skipped`. Raises OSError where there is no
    readable file.
    """
    seen = frozenset(seen_uuids)
    reader = _READERS.get(host) or _READERS.get(host_of_file(path))
    if reader is None:
        return Reading((), offset, line_no, seen, skipped="of no known form")
    return reader(
        path,
        offset,
        line_no,
        seen,
        sidechains=sidechains,
        max_bytes=max_bytes,
        max_line=max_line,
    )


def host_of_file(path: str) -> str:
    """The host whose marks the start of a file bears; "" when it bears none.

    Raises OSError where there is no readable file.
    """
    for _, line in LineReader(path, max_bytes=_LOOK, max_line=_LOOK):
        if host := _host_of_line(line):
            return host
    with open_regular(path) as file:
        start = file.read(_LOOK).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if host := next((host for host, sign in _SIGNS if sign.search(start)), ""):
        return host
    return _host_of_whole(start)


def _host_of_line(line: dict[str, Any]) -> str:
    if line.get("type") in _CODEX_TYPES and "payload" in line:
        return "codex"
    if "projectHash" in line:
        return "gemini"
    if isinstance(line.get("info"), dict) and ("parts" in line or "messages" in line):
        return "opencode"
    if text_of(line.get("id")).startswith("ses_") and "projectID" in line:
        return "opencode"
    if any(mark in line for mark in _CLAUDE):
        return "claude"
    return ""


def _host_of_whole(start: str) -> str:
    """The host of a file that is one short JSON text over several lines, or an unended one."""
    try:
        value = json.loads(start)
    except (ValueError, RecursionError):
        return ""
    first = value[0] if isinstance(value, list) and value else value
    return _host_of_line(first) if isinstance(first, dict) else ""
