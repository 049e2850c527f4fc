"""Mark what an agent recorded if its words stood in a tool's result or a paste first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from ..core.answers import Recording
from ..core.compat import MemoryCoordinator
from ..core.sessions.echo import markers, records, without_recordings
from ..core.sessions.transcript import Reading
from ..core.sessions.turns import ClearTurns, Turn
from ..core.sessions.utterances import first_source

Read = Callable[[int, int, frozenset[str]], Reading]

_LETTERS = re.compile(r"[\W_]+")
_MARKER = "[REDACTED:"
_COMPARED = 200  # letters of a text that are looked for in a command


def settle(
    memory: MemoryCoordinator,
    session: str,
    read: Read,
    start: tuple[int, int],
    *,
    is_over: bool,
) -> None:
    """Check what a session recorded and nobody has looked for; `start` is an offset and a line.

    What the transcript does not hold yet waits, until the session `is_over`. What was recorded in
    a turn off the record is taken back, in one for some only it is for these.
    """
    waiting = memory.unchecked(session)
    if not waiting:
        return
    turns = _turns(read, start)
    if any(_MARKER in text for _, text in waiting):
        clear = ClearTurns(choice=memory.redaction_choice())
        turns = list(clear.without_secrets(turns))
    marked = markers(turns)
    for recording, text in waiting:
        call = _call_of(turns, text)
        marker = "" if call is None else marked[call]
        if marker == "incognito":
            memory.withdraw_recording(recording.id)
            continue
        before = _before(turns, call, recording, is_over=is_over)
        if before is not None:
            said = [turns[place] for place in before if marked[place] != "incognito"]
            source = first_source(text, without_recordings(said))
            memory.settle_recording(recording.id, source, privacy=marker or "public")


def _turns(read: Read, start: tuple[int, int]) -> list[Turn]:
    """All turns from `start` on; those before the first prompt of a file's middle are left out."""
    (offset, line), seen = start, frozenset[str]()
    found: list[Turn] = []
    while True:
        reading = read(offset, line, seen)
        found += reading.turns
        if not reading.has_more or reading.offset <= offset:
            break
        offset, line, seen = reading.offset, reading.line_no, reading.seen_uuids
    if start[0] == 0:
        return found
    first = next((place for place, turn in enumerate(found) if turn.kind == "user"), len(found))
    return found[first:]


def _call_of(turns: Sequence[Turn], text: str) -> int | None:
    """The place of the call that recorded `text`; None where no call holds its words."""
    wanted = _letters(text)[:_COMPARED]
    for place, turn in enumerate(turns):
        command = turn.tool_input.get("command") if turn.kind == "tool_call" else None
        if isinstance(command, str) and records(command) and wanted in _letters(command):
            return place
    return None


def _before(
    turns: Sequence[Turn], call: int | None, recording: Recording, *, is_over: bool
) -> Sequence[int] | None:
    """The places of what was said before it was recorded; None while that is not all written."""
    if call is not None:
        return range(call)
    times = [turn.at for turn in turns]
    if not is_over and not any(at is not None and at > recording.at for at in times):
        return None
    return [place for place, at in enumerate(times) if _is_until(at, recording.at)]


def _is_until(at: datetime | None, moment: datetime) -> bool:
    return at is not None and at <= moment


def _letters(text: str) -> str:
    return _LETTERS.sub("", text.lower())
