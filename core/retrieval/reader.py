"""What recall asks of the store; `db/reader.py` answers. Times are milliseconds since 1970."""

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

    def holding(self, texts: Sequence[str], project: str, limit: int) -> list[int]:
        """Which of the newest `limit` live memories hold one of `texts` (lower case) anywhere."""
        ...

    def company(self, nums: Sequence[int]) -> list[list[int]]:
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

    def todos(self, project: str, limit: int) -> list[int]:
        """Live prospective memories that are pending or active: by due time, then priority."""
        ...

    def foremost(self, project: str, min_importance: float, limit: int) -> list[int]:
        """Live memories from `min_importance` (0-1) up, newest first."""
        ...

    def preferences(self, project: str, limit: int) -> list[int]:
        """What the person prefers, here and everywhere, most important first."""
        ...

    def of_role(self, project: str, role: str, limit: int) -> list[int]:
        """Live memories that an agent of this role learned, newest first."""
        ...

    def about_files(self, project: str, paths: Sequence[str], limit: int) -> list[int]:
        """Live memories that name one of these files, the most important first."""
        ...

    def summaries(self, project: str, limit: int) -> list[dict[str, Any]]:
        """Summaries of the last sessions, newest first: id, content, ends_at."""
        ...

    def aliases(self, project: str) -> Mapping[str, Sequence[str]]:
        """A project's own synonyms by word; an empty list switches a built-in one off."""
        ...

    def rivals(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """The unresolved conflicts that touch any of `ids`, as pairs of ids."""
        ...

    def nums(self, ids: Sequence[str]) -> list[int]:
        """The row numbers of these ids, in order; unknown ones are left out."""
        ...
