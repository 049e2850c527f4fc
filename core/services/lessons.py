"""A person's verdicts move the bar of this project, and no other's."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ...db import reviews
from ...db.images import Image
from ...db.store import Change
from ...frozen import dataclass
from ..errors import BadInput
from ..values import at

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.reviews import JudgedCandidate
    from ...db.store import Change
    from ..context import Context
    from ..judgement.lessons import Lessons

SETTING = "teaching"
"""Where the store keeps from when on verdicts count: milliseconds, by project."""


@dataclass(frozen=True, slots=True)
class Taught:
    """What the verdicts of a project come to."""

    lessons: Lessons  # what they would add to scores
    is_on: bool  # `review.teaching` of the settings: whether they do
    since: datetime | None = None  # when it was started anew; None: never

    @property
    def in_force(self) -> Lessons:
        """What is added to the scores of what is captured next."""
        from ..judgement.lessons import NO_LESSONS

        return self.lessons if self.is_on else NO_LESSONS

    def words(self, *, is_person: bool) -> str:
        """What the verdicts on one speaker's sentences come to, for a person to read."""
        from ..judgement.lessons import in_words

        told = in_words(self.lessons.lesson(is_person=is_person), is_person=is_person)
        return told if self.is_on else f"Teaching is switched off. {told}"


@dataclass(frozen=True, slots=True)
class Teaching:
    """Verdicts on candidates, what they come to, and starting anew.

    The fitted numbers are loaded where something is made of verdicts: most projects have none yet.
    """

    _context: Context

    def taught(self) -> Taught:
        """What the verdicts here come to; with damaged weights nothing is taught."""
        from ..judgement.lessons import NEWEST, NO_LESSONS, Verdict, lessons_of
        from ..judgement.weights import DamagedWeights

        since = self._teaching_since()
        verdicts = [
            Verdict(row["score"], bool(row["is_kept"]), bool(row["is_person"]))
            for row in self._given(since, NEWEST)
        ]
        try:
            lessons = lessons_of(verdicts)
        except DamagedWeights:
            lessons = NO_LESSONS
        return Taught(lessons, self._is_teaching, at(since or None))

    def felt(self) -> list[str]:
        """What the verdicts come to on agents' sentences and a person's, where they move a bar."""
        if not self._given(self._teaching_since(), 1):
            return []
        taught = self.taught()
        return [
            taught.words(is_person=is_person)
            for is_person in (False, True)
            if taught.lessons.lesson(is_person=is_person).is_felt
        ]

    def reset_teaching(self) -> int:
        """Let the verdicts so far count no more; how many there were. One entry, undoable."""
        from ..judgement.lessons import NEWEST

        given = self._given(self._teaching_since(), NEWEST)
        now = max([self._context.now_ms(), *(row["at"] for row in given)])
        key = f"{SETTING}|{self._context.project_id}"
        self._context.choose("teaching", f"{len(given)} verdicts count no more", key, now)
        return len(given)

    def _given(self, since: int, limit: int) -> list[JudgedCandidate]:
        return reviews.candidate_verdicts(*self._context.here, since, limit)

    @property
    def _is_teaching(self) -> bool:
        """Whether the settings let verdicts count; where these cannot be read, the default."""
        try:
            return self._context.policy.review.teaching
        except BadInput:  # told where settings are told; what only looks goes on
            return True

    def _teaching_since(self) -> int:
        chosen = self._context.setting(SETTING)
        return chosen if isinstance(chosen, int) else 0

    def put_verdict(self, change: Change, image: Image, *, is_kept: bool) -> None:
        """Note what a person made of a candidate; of what was never judged there is no score."""
        judged = change.get("memory_salience", image["id"])
        if judged is None or image["status"] != "candidate" or self._context.actor != "person":
            return
        candidacy = change.get("memory_candidacy", image["id"]) or {}
        said = judged.get("is_person")
        if said is None:  # kept before that was noted
            said = "user-intent" in candidacy.get("signals", {})
        self.put_score(
            change, image["id"], judged["score"] - (judged.get("bias") or 0.0), is_kept, said
        )

    def put_score(
        self, change: Change, memory: str, score: float, is_kept: bool, is_person: bool
    ) -> None:
        change.put(
            "memory_verdict",
            {
                "memory": memory,
                "project": self._context.project_id,
                "score": score,
                "is_kept": int(is_kept),
                "is_person": int(is_person),
                # After a new start within the same millisecond it counts all the same.
                "at": max(self._context.now_ms(), self._teaching_since() + 1),
            },
        )
