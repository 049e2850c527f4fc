"""What in a prompt is not the person's to keep: injected text, notices, private passages.

A prompt that begins with `INCOGNITO`'s marker hides its whole turn: the prompt, the answer and
the calls, up to the next prompt that opens a turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .turns import Turn

INCOGNITO = re.compile(
    r"\s*(?:#incognito(?![\w-])|\[\s?incognito\s?\]|[(\[]?off the record(?![\w-]))", re.IGNORECASE
)
"""The marker with which a prompt begins that nothing shall be kept of."""

_HIDDEN = (
    "private",  # a person's own fence: never leaves the session
    "project_memory",  # what memdeck injects
    "system-reminder",
    "persisted-output",
    "ide_opened_file",
    "ide_selection",
    "new-diagnostics",
    "mem-context",
)
_TAG = re.compile(
    r"(?:<|&lt;)\s*(/?)\s*(" + "|".join(_HIDDEN) + r")(?=[\s/>&])[^<>]{0,400}?(?:>|&gt;)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^.{0,80}\bproject memory\b.{0,120}(?:entries\)|:)\s*$", re.IGNORECASE)
_ENTRY = re.compile(r"^\s*(?:[-*•]\s|\d+[.)]\s|\[[^\]]{1,40}\]|\s{2,}\S)")
_TRACE = re.compile(
    r"^\s*(?:<(?:command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)|"
    r"task-notification|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|teammate-message|"
    r"tool_use_error)\b"
    r"|\[Request interrupted by user|Caveat: The messages below were generated"
    r"|This session is being continued from a previous conversation"
    r"|\w+(?::\w+)? hook (?:additional context|success|error|feedback|blocking error)\b)"
)
_OWN_COMMAND = re.compile(
    r"\A\s*\$(?:remember|forget|pin|mem)(?:\s|\Z)"
    r"|^The person typed [/$](?:remember|forget|pin|mem)"
    r"(?:\. Run this command once|; above is what memdeck printed)",
    re.MULTILINE,
)
"""What our slash commands become in a session: the command keeps what is to be kept."""


def is_trace(text: str) -> bool:
    """Whether a prompt is the trace of a command or a notice of the host, not words."""
    return _TRACE.match(text) is not None or _OWN_COMMAND.search(text) is not None


def without_echo(text: str) -> str:
    """`text` without private passages, reminders and memories that were injected.

    An element that is never closed hides everything after it: better to miss a sentence
    than to keep one that was fenced. Of an incognito prompt nothing is left.
    """
    plain = _without_elements(text)
    return "" if INCOGNITO.match(plain) else _without_listing(plain)


def is_incognito(text: str) -> bool:
    """Whether a prompt asks that its turn be forgotten."""
    return INCOGNITO.match(_without_elements(text)) is not None


def without_incognito(turns: Iterable[Turn], *, starts_inside: bool = False) -> Iterator[Turn]:
    """`turns` without those that a person wanted forgotten.

    A prompt typed while the agent worked does not open a turn, so it stays hidden with the one
    it fell into. `starts_inside` says that the reading begins in the middle of such a turn.
    """
    is_hidden = starts_inside
    for turn in turns:
        is_hidden = _hides(turn, is_hidden)
        if not is_hidden:
            yield turn


def ends_incognito(turns: Iterable[Turn], *, starts_inside: bool = False) -> bool:
    """Whether what comes after `turns` still belongs to a prompt that was to be forgotten."""
    is_hidden = starts_inside
    for turn in turns:
        is_hidden = _hides(turn, is_hidden)
    return is_hidden


def _hides(turn: Turn, is_hidden: bool) -> bool:
    if turn.kind == "user":
        return is_incognito(turn.text)
    return is_hidden or (turn.kind == "queued" and is_incognito(turn.text))


def _without_elements(text: str) -> str:
    kept: list[str] = []
    place = depth = 0
    name = ""
    for tag in _TAG.finditer(text):
        closes, this = bool(tag[1]), tag[2].lower()
        if depth == 0:
            kept.append(text[place : tag.start()])
            place = tag.end()
            if not closes and not tag[0].endswith(("/>", "/&gt;")):
                name, depth = this, 1
        elif this == name:
            depth += -1 if closes else 1
            place = tag.end()
    if depth == 0:
        kept.append(text[place:])
    return "\n".join(kept) if len(kept) > 1 else "".join(kept)


def _without_listing(text: str) -> str:
    """`text` without a heading "Project memory for …:" and the entries under it."""
    if "project memory" not in text.lower():
        return text
    kept: list[str] = []
    is_inside = False
    for line in text.split("\n"):
        if _HEADER.match(line):
            is_inside = True
        elif is_inside and (_ENTRY.match(line) or not line.strip()):
            continue
        else:
            is_inside = False
            kept.append(line)
    return "\n".join(kept)
