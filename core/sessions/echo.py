"""Remove from prompts what the user did not type, and detect sessions that a program started.

A prompt may begin with a marker, which holds for its whole turn: the prompt, the answer and the
calls, up to the next prompt that opens a turn. Of an incognito turn nothing is kept. Captures of
the others are for agents of the same role, or for their session.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ..recall.frame import EARLIER_INTRODUCTIONS, INTRODUCTIONS, MARKS, without_request
from .turns import Turn, calls_in

_MARKER = re.compile(
    r"\s*(?:[#＃](incognito|agent-only|private)(?![\w-])|\[\s?(incognito|agent-only|private)\s?\]"
    r"|[(\[]?off the record(?![\w-]))[\s:,.]*",
    re.IGNORECASE,
)
_STRICTER = ("", "agent-only", "private", "incognito")

MARKERS = ("", "incognito", "agent-only", "private")
"""The markers of a turn; the store keeps the index in this list."""

_HIDDEN = (
    # a user's own fence, which never leaves the session; memdeck's injection, and its first part
    # in earlier versions, if an agent quotes that alone; additions of hosts and editors
    "private project_memory laid_down recorded_by_agents system-reminder system_instruction"
    " persisted-output ide_opened_file ide_selection new-diagnostics mem-context".split()
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
    r"|(?:UserPromptSubmit o|O)peration (?:stopped|blocked) by hook:"
    r"|\w+(?::\w+)? hook (?:additional context|success|error|feedback|blocking error)\b)"
)
_HANDED_OVER = re.compile(r"\A\s*A previous agent produced the plan below\b[^\n]*\n*")
"""The text that Codex puts before a plan that the user let a new agent carry out."""

_ATTACHED = re.compile(r"(?:\[Image #?\d+\]|(?<!\S)\.context/attachments/\S+)[^\S\n]*")
"""The hosts' placeholder for a pasted image or an attached file."""

_COMMANDED = re.compile(
    r"\A\s*(?:<command-message>[^<]*</command-message>\s*"
    r"<command-name>(?!/?(?:\w+:)?(?:remember|forget|pin|mem)<)[^<]+</command-name>\s*"
    r"<command-args>(.*?\S.*?)</command-args>\s*|"
    r"##? User Input\s+(`{3,})\w*\n(.*?)\n?\2\s+You \*\*MUST\*\* consider the user input.*)\Z",
    re.DOTALL,
)
"""Expansions of "/command words" by hosts and Spec Kit. The user typed only the words."""

_OWN_COMMAND = re.compile(
    r"\A\s*\$(?:remember|forget|pin|mem)(?:\s|\Z)"
    r"|^The (?:user|person) typed [/$](?:remember|forget|pin|mem)"
    r"(?:\. Run this command once|; above is what memdeck printed)",
    re.MULTILINE,
)
"""Expansions of our slash commands in a session. The command itself stores the memory."""


_PROGRAM = (  # ours, where a command of a line begins
    r"(?:^|(?<=[\s;&|(]))(?<![^;&|(\s]\s)(?:\w+=\S*\s+)*(?:'[^'\n]*[/\\]|\"[^\"\n]*[/\\]|[^\s'\";&|]*[/\\])?"
    r"(?:memdeck(?:\.exe)?['\"]?|python[\d.]*['\"]?\s+-m\s+memdeck)"
)
_MEMDECK = re.compile(rf"{_PROGRAM}(?=\s|$)", re.MULTILINE)
_RECORDS = re.compile(
    rf"{_PROGRAM}(?:\s+--(?:home|project)[\s=]\S+|\s+--json)*\s+learn(?=\s|$)", re.MULTILINE
)


def runs_memdeck(command: str) -> bool:
    """Return True if a shell command runs memdeck, so that its output is ours."""
    return _MEMDECK.search(command) is not None


def records(command: str) -> bool:
    """Return True if a shell command records something with memdeck for the agent."""
    return _RECORDS.search(command) is not None


def without_recordings(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """`turns` without the calls by which an agent recorded something, and their results.

    Of a command that did something else before, that stays.
    """
    listed = list(turns)
    gone: set[int] = set()
    for call in calls_in(listed):
        command = call.argument("command")
        match = _RECORDS.search(command)
        if match is None:
            continue
        before = command[: match.start()].rstrip(" \t\n;&|(")
        if before and not re.fullmatch(r"cd\s+\S+", before):
            values = {**call.turn.tool_input, "command": before}
            listed[call.position] = replace(call.turn, tool_input=values)
        else:
            gone |= {call.position, call.answered}
    return tuple(turn for position, turn in enumerate(listed) if position not in gone)


def is_handed_over(text: str) -> bool:
    """Return True if a prompt is an agent's plan that the host passed on, not the user's words."""
    return _HANDED_OVER.match(text) is not None


def is_trace(text: str) -> bool:
    """Return True if a prompt is the trace of a command or a notice of the host."""
    if _TRACE.match(text):
        return _COMMANDED.match(text) is None
    return _OWN_COMMAND.search(text) is not None


def without_echo(text: str) -> str:
    """`text` without private passages, reminders, memories that were injected, our request, lines
    that are not to be kept, and the places of images and attached files; of a command, what was
    typed behind it.

    An element that is never closed hides everything after it: better to miss a sentence
    than to keep one that was fenced. Of an incognito prompt nothing remains.
    """
    from ..language.phrases import phrases

    marker, plain = _marked(text)
    if marker == "incognito":
        return ""
    plain = without_request(plain)
    if "project memory" in plain.lower():
        plain = _without_blocks(
            plain,
            lambda line: _HEADER.match(line) is not None,
            lambda _, line: _ENTRY.match(line) is not None or not line.strip(),
        )
    unkept = [phrase.unkept for phrase in phrases()]
    if any(way.search(plain) for way in unkept):
        plain = _without_blocks(
            plain,
            lambda line: any(way.search(line) for way in unkept),
            lambda first, line: first.endswith(":") and bool(line.strip()),
        )
    return plain


def _without_blocks(
    text: str, begins: Callable[[str], bool], goes_on: Callable[[str, str], bool]
) -> str:
    """`text` without the lines that begin a block, and those with which it goes on."""
    retained: list[str] = []
    first: str | None = None  # line of the block
    for line in text.split("\n"):
        if begins(line):
            first = line.strip()
        elif first is None or not goes_on(first, line):
            first = None
            retained.append(line)
    return "\n".join(retained)


def _marked(text: str) -> tuple[str, str]:
    """Return the strictest of a prompt's leading markers, and the text without them.

    A host's placeholder of a pasted image may precede them.
    """
    if any(mark in text for mark in MARKS[1:]):  # XML's are an element
        text = _without_blocks(text, lambda line: line.strip() in _FRAMES, _is_framed)
    text = _COMMANDED.sub(lambda m: m[1] or m[3] or "", _without_elements(text))
    marker, plain = "", _ATTACHED.sub("", _HANDED_OVER.sub("", text))
    while match := _MARKER.match(plain):
        name = (match[1] or match[2] or "incognito").lower()
        marker, plain = max(marker, name, key=_STRICTER.index), plain[match.end() :]
    return marker, plain


def off_the_record(turns: Iterable[Turn], spells: Sequence[tuple[int, int]]) -> tuple[Turn, ...]:
    """Return `turns` with those in one of `spells` (milliseconds) marked as incognito.

    Their words are removed, and the rest of the same turn is hidden with them.
    """

    def hidden(turn: Turn) -> Turn:
        kind = "user" if turn.kind == "user" else "queued"
        return Turn(kind, "#incognito", line=turn.line, uuid=turn.uuid, at=turn.at)

    return tuple(hidden(turn) if was_off(turn.at, spells) else turn for turn in turns)


def was_off(at: datetime | None, spells: Sequence[tuple[int, int]]) -> bool:
    """Return True if a moment lies in one of `spells`."""
    if at is None or not spells:
        return False
    moment = int(at.timestamp() * 1000)
    return any(start <= moment < end for start, end in spells)


def without_incognito(turns: Iterable[Turn], *, starts_inside: bool = False) -> Iterator[Turn]:
    """Yield `turns` without incognito ones.

    A prompt typed while the agent worked does not open a turn, so it stays hidden with the one
    it fell into. `starts_inside` says that the reading begins in the middle of such a turn.
    """
    listed = list(turns)
    marked = markers(listed, "incognito" if starts_inside else "")
    for turn, marker in zip(listed, marked, strict=True):
        if marker != "incognito":
            yield turn


def markers(turns: Iterable[Turn], start: str = "") -> list[str]:
    """Return the marker of each of `turns`; `start` is the one before the first of them.

    A prompt typed while the agent worked makes the turn it fell into stricter, never looser.
    """
    matches = list[str]()
    now = start
    for turn in turns:
        if turn.kind == "user":
            now, _ = _marked(turn.text)
        elif turn.kind == "queued":
            now = max(now, _marked(turn.text)[0], key=_STRICTER.index)
        matches.append(now)
    return matches


def _without_elements(text: str) -> str:
    retained: list[str] = []
    count = depth = 0
    name = ""
    for tag in _TAG.finditer(text):
        closes, this = bool(tag[1]), tag[2].lower()
        if depth == 0:
            retained.append(text[count : tag.start()])
            count = tag.end()
            if not closes and not tag[0].endswith(("/>", "/&gt;")):
                name, depth = this, 1
        elif this == name:
            depth += -1 if closes else 1
            count = tag.end()
    if depth == 0:
        retained.append(text[count:])
    return "\n".join(retained) if len(retained) > 1 else "".join(retained)


_FRAMES = (*MARKS[1:], "[end of project memory]")
_FRAMED = ("    ", "### ", *INTRODUCTIONS.values(), *EARLIER_INTRODUCTIONS)
"""Beginnings of our own frame's lines, of this version and earlier ones."""


def _is_framed(first: str, line: str) -> bool:
    """Return True if a line belongs to a Markdown or plain injection that begins with `first`."""
    if first == MARKS[1]:
        return not line.strip() or line.startswith(_FRAMED)
    return first == MARKS[2]


SCHEDULED = 3  # times the same long prompt, and it was not typed
RESENT = 40  # characters from which on the same prompt twice is one that was sent again

_HUNKS = re.compile(r"^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+|--- a/|\+\+\+ b/)", re.MULTILINE)
_DIFF = 3  # such lines
_IN_A_TAG = re.compile(r"\s*<([a-z][\w-]*)\b[^>]*>.*</\1>\s*", re.DOTALL)
_GIVES_A_ROLE = re.compile(
    r"\s*(?:#+ [^\n]{1,80}\n+)?(?:you are|act as|your (?:task|role|job) is)\b", re.I
)
_INSTRUCTS = 200  # characters; users give a role in fewer words
_SPACES = re.compile(r"\s+")


def is_machine_started(turns: Sequence[Turn]) -> bool:
    """Return True if there are prompts, and none of them was typed.

    A single typed prompt makes a conversation of it; turns without any prompt are a piece of one.
    """
    prompts = [turn.text for turn in turns if turn.is_prompt]
    message = [plain for text in prompts if (plain := without_echo(text).strip())]
    often = Counter(_SPACES.sub(" ", text) for text in message if len(text) >= RESENT)
    return bool(message) and all(
        _is_machines(text) or often[_SPACES.sub(" ", text)] >= SCHEDULED for text in message
    )


def _is_machines(text: str) -> bool:
    gives_a_role = len(text) >= _INSTRUCTS and _GIVES_A_ROLE.match(text)
    is_diff = len(_HUNKS.findall(text)) >= _DIFF
    return bool(gives_a_role or is_diff or _IN_A_TAG.fullmatch(text)) or is_trace(text)
