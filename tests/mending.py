"""A store that is looked over and made anew, as `memdeck verify` and `memdeck rebuild` do it."""

from typing import Any, NamedTuple

from memdeck import MemoryCoordinator
from memdeck.tests.answers import answer_of


class Rebuilt(NamedTuple):
    """What a rebuild found."""

    records: int
    memories: int
    skipped: list[str]
    set_aside: str | None
    restored: int
    lost: int


def rebuild(home: Any) -> Rebuilt:
    """Make the database of a home anew from its journal."""
    place = ("--home", getattr(home, "path", str(home)))
    return Rebuilt(**answer_of(*place, "rebuild", "--json", code=0).json)


def verify(home: Any) -> Any:
    """What is wrong with the store of a home."""
    with MemoryCoordinator.open(home, "harbour") as core:
        return core.verify()
