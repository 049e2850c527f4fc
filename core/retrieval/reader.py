"""What recall asks of the store; `db/fast_reader.py` answers. Times are milliseconds since 1970."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Reader(Protocol):
    """One open store, read only. `num` is a memory's row number, opaque and stable."""

    def frequencies(self, words: Sequence[str], project: str | None = None) -> Mapping[str, int]:
        """How many memories have each of `words`, counted to where a word is common.

        With a `project`, of its live memories and those of everywhere; else of all there are.
        """
        ...

    def near_words(self, word: str) -> Sequence[str]:
        """Words of the index that `word`, which it does not have, may be a slip of."""
        ...

    def holding(
        self, texts: Sequence[str], project: str, limit: int, beside: Sequence[str] = ()
    ) -> list[int]:
        """Which of the newest `limit` live memories hold one of `texts` (lower case) anywhere.

        Or a word of `beside` next to writing without spaces.
        """
        ...

    def company(self, nums: Sequence[int]) -> list[Sequence[int]]:
        """The sessions of these memories, each as the row numbers of its memories in order."""
        ...

    def sketches(self, nums: Sequence[int]) -> list[dict[str, Any]]:
        """What ranking needs of these memories, in the order asked for; `accesses` included."""
        ...

    def candidates(self, words: Sequence[str], project: str, limit: int) -> list[tuple[int, float]]:
        """Live memories of `project` or of global scope with any of `words`, best first.

        Each with its BM25 as a positive number, larger is better; at most `limit` of them.
        """
        ...

    def images(self, nums: Sequence[int]) -> list[dict[str, Any]]:
        """The whole of these memories, in the order asked for; unknown ones are left out."""
        ...

    def pinned(self, project: str, limit: int) -> list[int]:
        """Pinned live memories of `project` and of global scope, most important first."""
        ...

    def working(self, project: str, session: str) -> list[int]:
        """Working memory of the session that is neither cleared nor expired, urgent first."""
        ...

    # What nobody asked for must be settled: written, pinned or accepted by a person, captured from
    # their words, or through its trial. What `session` learned itself is told there anyway, and
    # with `unproven` everything.

    def todos(
        self, project: str, session: str | None, limit: int, *, unproven: bool = False
    ) -> list[int]:
        """Pending and active intentions, by due time, then priority: settled ones, those of
        `session`."""
        ...

    def reminders(self, project: str, session: str | None, limit: int) -> list[tuple[int, int]]:
        """(num, due) of those whose time has come and that nobody was told since."""
        ...

    def awaited(self, project: str, session: str | None, limit: int) -> list[tuple[int, str]]:
        """(num, the event in words) of open tasks that wait for an event, settled or of
        `session`."""
        ...

    def foremost(
        self,
        project: str,
        session: str | None,
        min_importance: float,
        limit: int,
        *,
        unproven: bool = False,
    ) -> list[int]:
        """Settled memories, and those of `session`, from `min_importance` (0-1) up, newest
        first."""
        ...

    def preferences(
        self, project: str, session: str | None, limit: int, *, unproven: bool = False
    ) -> list[int]:
        """What the person prefers, here and everywhere, settled or of `session`, most important
        first."""
        ...

    def of_role(
        self, project: str, session: str | None, role: str, limit: int, *, unproven: bool = False
    ) -> list[int]:
        """What agents of this role learned, settled or of `session`, newest first."""
        ...

    def settled(self, nums: Sequence[int], session: str | None) -> list[int]:
        """Those of `nums` that are settled, or of `session`."""
        ...

    def learned(self, session: str) -> list[int]:
        """What was learned in a session, still holds, is settled and not cold; no todos."""
        ...

    def about_files(self, project: str, paths: Sequence[str], limit: int) -> list[int]:
        """Live memories that name one of these files, the most important first."""
        ...

    def summaries(self, project: str, limit: int) -> list[dict[str, Any]]:
        """The last sessions that were summed up, newest first: id, session, goal, ends_at."""
        ...

    def aliases(self, project: str) -> Mapping[str, Sequence[str]]:
        """A project's own synonyms by word; an empty list switches a built-in one off."""
        ...

    def rivals(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """The unresolved conflicts that touch any of `ids`, as pairs of ids."""
        ...

    def both_hold(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs of memories of which a person decided that both hold, that touch any of `ids`."""
        ...

    def nums(self, ids: Sequence[str]) -> list[int]:
        """The row numbers of these ids, in order; unknown ones are left out."""
        ...
