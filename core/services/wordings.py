"""Summaries of days, weeks and months that are over, worded by a model that the person has.

Off until a person wants it. The model is the extractor's, asked out of the same day's budget, and
shown exactly the lines that the summary holds. These stay what is stored and what all else goes
by; a wording only stands in their place where they are read, for as long as they are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...db import digests
from ...db.connection import mapped_errors
from ...frozen import dataclass
from ..errors import BadInput, Refused
from ..extractions import Worded
from ..lifecycle.digests import lessons_of, stretch_of
from ..redaction.redact import redact
from ..review.wordings import SCHEMA, WordingRequest, why_refused, wording_in
from ..text.clean import clean
from ..values import DAY_MS

if TYPE_CHECKING:
    from ...db.digests import WordableSummary
    from ..context import Context
    from .extractor import Extractor
    from .summaries import Summaries

RECENT_MS = 31 * DAY_MS
"""How long ago a stretch ended that is worded for the first time: one who switches it on has not
years of summaries sent away."""


MOST_TRIES = 2
"""Calls about the same lines, where the first fails."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """Has summaries worded, for one project."""

    _context: Context
    _extractor: Extractor
    _summaries: Summaries

    @property
    def is_on(self) -> bool:
        """Whether summaries are made, and a model is to word them."""
        policy = self._context.policy
        is_wanted = policy.lifecycle.summaries and policy.extractor.words_summaries
        return is_wanted and bool(self._extractor.engine)

    def projects(self) -> list[str]:
        """Ids of the projects, of all, of which summaries are to be worded now."""
        if not self.is_on:
            return []
        return list(dict.fromkeys(row["project"] for row in self._due()))

    @mapped_errors()
    def planned(self) -> tuple[int, str]:
        """(how many summaries of this project a maintain would have worded now, by which engine).

        Those that it would write itself are among them. Nobody is asked.
        """
        if not self.is_on:
            return 0, ""
        try:
            model = self._extractor.model()
        except (BadInput, Refused):  # no such engine, as `status` says, or auto-memory is off
            return 0, ""
        now = self._context.now_ms()
        recent = (
            name
            for name, stretch in self._summaries.unwritten()
            if stretch.level in ("day", "week", "month")
            and now - RECENT_MS <= stretch.ends_at <= now
        )
        known = (row["id"] for row in self._due() if row["project"] == self._context.project_id)
        count = len({*known, *recent})
        return (count, model.name) if count and not model.why_not(0) else (0, "")

    @mapped_errors()
    def word(self) -> Worded:
        """Have the newest summary that waits worded, and keep the answer if it holds.

        Nothing is written while the model thinks. Lines that were answered, however, are put to it
        once; a call that fails is made once more after an hour. Raises BadInput for an engine that
        there is not, Refused where auto-memory is off.
        """
        extractor = self._extractor
        model = extractor.model()
        row = next((each for each in self._due() if self._is_current(each)), None)
        if row is None:
            return Worded("", model.name, "nothing", "No summary waits for a model.")
        name, request = row["id"].rpartition(":")[2], self._request(row)
        if why := model.why_not(request.tokens):
            return Worded(name, model.name, "over_budget", why)
        tried = {
            "id": row["id"],
            "fingerprint": digests.fingerprint_of(row["content"]),
            "engine": model.name,
            "content": "",
            "tries": (row["tries"] or 0) + 1 if _is_same(row) else 1,
            "not_before": extractor.retry_at(),
            "is_answered": 0,
        }
        digests.note(self._context.database, tried)  # who is killed on the way has tried as well
        asked = model.ask(request.text, schema=SCHEMA, parse=wording_in)
        cost = (asked.tokens, asked.cost_usd, asked.latency_ms)
        if asked.answer is None:
            done = Worded(name, model.name, asked.status, asked.reason, *cost)
        else:
            text = self._redacted(clean(asked.answer["summary"])).strip()
            why = why_refused(text, request.lines, request.lessons)
            if not why and not self._is_current(row):
                why = "changed meanwhile"  # what was withdrawn is kept in no wording either
            content = "" if why else text
            digests.note(self._context.database, {**tried, "content": content, "is_answered": 1})
            done = Worded(name, model.name, "ok", "", *cost, dropped={why: 1} if why else {})
        extractor.note_summary(done)
        return done

    @mapped_errors()
    def _due(self) -> list[WordableSummary]:
        now = self._context.now_ms()
        rows = digests.wordable(self._context.database, now, now - RECENT_MS)
        return [row for row in rows if not _is_same(row) or _may_be_tried(row, now)]

    def _is_current(self, row: WordableSummary) -> bool:
        """Whether a summary of this project says what its memories say now."""
        if row["project"] != self._context.project_id:
            return False
        stretch = stretch_of(row["level"], row["starts_at"])
        return self._summaries.content_of(stretch) == row["content"]

    def _request(self, row: WordableSummary) -> WordingRequest:
        stretch = stretch_of(row["level"], row["starts_at"])
        lessons = lessons_of(self._summaries.learned(stretch), row["content"])
        return WordingRequest(
            f"{stretch.level} {stretch.name}",
            self._redacted(row["content"]),
            tuple(map(self._redacted, lessons)),
        )

    def _redacted(self, text: str) -> str:
        return redact(text, choice=self._context.redaction_choice()).value


def _is_same(row: WordableSummary) -> bool:
    """Whether what is known of a wording is about the lines of today."""
    return row["fingerprint"] == digests.fingerprint_of(row["content"])


def _may_be_tried(row: WordableSummary, now: int) -> bool:
    """Whether a call about these lines failed, and may be made once more."""
    is_left = not row["is_answered"] and (row["tries"] or 0) < MOST_TRIES
    return is_left and (row["not_before"] or 0) <= now
