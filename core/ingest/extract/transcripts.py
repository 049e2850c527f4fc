"""Which reader reads which session file: by the host's name, else by the look of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ... import hosts
from .lines import MAX_READ, MAX_WHOLE, LineReader, open_regular, whole_json
from .transcript_reader import Reading, SessionReader, list_of, mapping_of

_LOOK = 64 * 1024  # bytes at the start that show whose file it is
_WHOLE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[|\{\s*\n)")


@dataclass(frozen=True, slots=True)
class Transcript:
    """How one host's session files are known and read."""

    reader: type[SessionReader]
    is_line: Callable[[dict[str, Any]], bool]
    """Whether an object, a line of a file or all of it, bears the host's marks and no other's."""
    sign: re.Pattern[str] | None = None
    """At a file's start, where the first line is not whole: pretty-printed, or very long."""
    newest: Callable[[int], list[str]] = lambda _most: []
    """So many of the person's files, the newest first; none where a host's are not looked for."""
    messages: Callable[[Any, str], tuple[list[Any], str]] | None = None
    """Of a host that also writes files of one JSON text: from the value and the path to its
    messages and why there are none."""


def messages_in(value: Any, _path: str = "") -> tuple[list[Any], str]:
    """The messages of a session that is one JSON text: all of it, or listed in it."""
    return list_of(value if isinstance(value, list) else mapping_of(value).get("messages")), ""


def read_any(
    path: str,
    host: str = "",
    offset: int = 0,
    line_no: int = 0,
    seen_uuids: Iterable[str] = (),
    *,
    sidechains: bool = False,
    max_bytes: int = MAX_READ,
) -> Reading:
    """The turns of a session file after `offset`, at most `max_bytes` of a file that grows; all of
    one that is rewritten.

    `host` names the reader; a host without one is told by the look of the file. What subagents
    said is read where `sidechains` asks for it, which is what a subagent's own file consists of. A
    file that nobody can read gives no turns and says why in `skipped`. Raises OSError where there
    is no readable file.
    """
    owner = hosts.registry.host(host) or hosts.registry.host(host_of_file(path))
    if owner is None:
        return Reading((), offset, line_no, frozenset(seen_uuids), skipped="of no known form")
    transcript = owner.transcript
    head = next((line for _, line in LineReader(path, max_bytes=_LOOK)), {})
    if transcript.messages and (not head or "messages" in head or _is_whole(path)):
        value, size, problem = whole_json(path, MAX_WHOLE)
        messages, absent = transcript.messages(value, path)
        session = transcript.reader(mapping_of(value), seen_uuids, sidechains=sidechains)
        turns, count = session.read(enumerate(messages, 1)), len(messages)
        return Reading(turns, size, count, frozenset(session.seen), skipped=problem or absent)
    session = transcript.reader(head, seen_uuids, sidechains=sidechains)
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes)
    turns = session.read(lines)
    seen = frozenset(session.seen)
    return Reading(turns, lines.offset, lines.line_no, seen, lines.bad_lines, lines.has_more)


def _is_whole(path: str) -> bool:
    """Whether a file begins as one JSON text over several lines; lines in it may be objects."""
    with open_regular(path) as file:
        return _WHOLE.match(file.read(_LOOK)) is not None


def host_of_file(path: str) -> str:
    """The host whose marks the start of a file bears; "" when it bears none.

    Raises OSError where there is no readable file.
    """
    for _, line in LineReader(path, max_bytes=_LOOK, max_line=_LOOK):
        if host := _host_of_line(line):
            return host
    with open_regular(path) as file:
        start = file.read(_LOOK).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    for one in hosts.registry.hosts():
        if one.transcript.sign is not None and one.transcript.sign.search(start):
            return one.name
    return _host_of_whole(start)


def _host_of_line(line: dict[str, Any]) -> str:
    return next((one.name for one in hosts.registry.hosts() if one.transcript.is_line(line)), "")


def _host_of_whole(start: str) -> str:
    """The host of a file that is one short JSON text over several lines, or an unended one."""
    try:
        value = json.loads(start)
    except (ValueError, RecursionError):
        return ""
    first = value[0] if isinstance(value, list) and value else value
    return _host_of_line(first) if isinstance(first, dict) else ""
