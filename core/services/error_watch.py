"""Does an error come again whose lesson the session was told?

A lesson is a procedure that names the error which it ends, learned in another session. Told it, a
session has *passed* the error when it did what the lesson says and the command then worked: it ran
one of the steps before the last, and then the last one or one that tries the same; of a lesson of
one step, that step as it is written. The error *came again* when a command failed with its
signature. Whatever else a session does says nothing: neither that nothing failed, nor that the
command worked by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...db import value
from ...frozen import dataclass
from ..clock import to_ms
from ..ingest.extract.runs import runs_in, signature
from ..ingest.extract.shell import are_alike, steps
from ..ingest.extract.turns import calls_in
from ..ingest.fingerprint import fingerprint

if TYPE_CHECKING:
    from ...db.value import ToldLesson, WatchedError
    from ..context import Context
    from ..ingest.extract.runs import Run
    from ..ingest.extract.shell import Step
    from ..ingest.extract.turns import Turn


@dataclass(frozen=True, slots=True)
class ErrorWatch:
    """Notes, as sessions are read, how known errors fare in them."""

    _context: Context

    def watch_errors(self, session: str, turns: Sequence[Turn], since_line: int = 0) -> int:
        """Note what the runs that ended behind line `since_line` say of errors told to the session.

        How many pairs of a lesson and an error they say anything of. Reading them again changes
        nothing.
        """
        if not any(turn.kind == "tool_result" and turn.line > since_line for turn in turns):
            return 0
        lessons = value.lessons_told(self._context.database, session)
        if not lessons:
            return 0
        runs = [(run, self._ended(run)) for run in runs_in(calls_in(turns))]
        found: list[WatchedError] = []
        for lesson in lessons:
            heard = [one for one in runs if one[1] >= lesson["told_at"]]
            for place, (run, at) in enumerate(heard):
                if run.call.result is not None and run.call.result.line > since_line:
                    before = [other for other, _ in heard[:place] if not other.failed]
                    found += _fared(session, lesson, run, at, before)
        value.note_errors(self._context.database, found)
        return len({(row["memory"], row["signature"]) for row in found})

    def _ended(self, run: Run) -> int:
        """When a run ended, in milliseconds; now where the transcript does not say."""
        turn = run.call.result or run.call.turn
        return to_ms(turn.at) or self._context.now_ms()


def _fared(
    session: str, lesson: ToldLesson, run: Run, at: int, before: Sequence[Run]
) -> list[WatchedError]:
    """What one run says of a lesson's errors; `before` are those that worked since it was told."""
    errors = {mark for text in lesson["failure_patterns"] if (mark := signature(text))}
    if run.failed:
        errors &= {signature(run.error)}
    elif not _follows(lesson, run, before):
        errors = set()
    return [
        {
            "session": session,
            "memory": lesson["id"],
            "signature": fingerprint(error),
            "passed_at": None if run.failed else at,
            "failed_at": at if run.failed else None,
        }
        for error in sorted(errors)
    ]


def _follows(lesson: ToldLesson, run: Run, before: Sequence[Run]) -> bool:
    """Whether a run that worked did so as the lesson says."""
    *remedies, last = [steps(text)[-1:] for text in lesson["steps"]] or [()]
    tried = [one for one in last if not one.is_setup]
    if not remedies:
        return any(step.text == one.text for step in run.steps for one in tried)
    place = next((n for n, step in enumerate(run.steps) if _is_one(step, tried)), None)
    if place is None:
        return False
    ran = [*(step for other in before for step in other.steps), *run.steps[:place]]
    wanted = [one for remedy in remedies for one in remedy]
    return any(_is_one(step, wanted) for step in ran)


def _is_one(step: Step, wanted: Iterable[Step]) -> bool:
    return any(are_alike(step, one) for one in wanted)
