"""The one object that doors talk to: capture, curation, search, recall, audit over one store.

    with open_memory(project="~/src/acme-api") as memory:
        memory.remember("Integration tests need `make test-db` first.")
        for hit in memory.search("how do I run the integration tests?"):
            print(hit.memory.title, hit.score)

Each part is a room of its own; this one only joins them.
"""

import contextlib
import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ..db.home import Home
from .auditing import Auditing
from .base import Clock, Confirm, system_clock
from .correcting import Correcting
from .instructing import Instructing
from .learning import Learning
from .query import Query
from .recalling import Recalling
from .sweeping import Sweeping
from .values import Memory

if TYPE_CHECKING:
    from .extracting import Extractor

__all__ = ["MemoryCoordinator", "open_memory"]

Memories = list[Memory]


class MemoryCoordinator(Correcting, Learning, Recalling, Auditing, Sweeping, Instructing):
    """The public interface of memdeck's core (000-04, 001).

    Everything it returns is frozen. It belongs to the thread that opened it; `interrupt()` may
    be called from any. Acts raise subclasses of `ManagerError`, whose `hint` says what to do.
    """

    @cached_property
    def extractor(self) -> "Extractor":
        """The model that reads sessions, if the person has chosen one."""
        from .extracting import Extractor  # most doors never ask for it

        return Extractor(self)

    def list(self, query: Query | str = "", limit: int | None = None) -> Memories:
        """The memories that fit, newest first (or as `sort:` says); all without a limit.

        Here, since a method of that name hides the type from the rest of its class.
        """
        nums = self.find(query, "exact").nums
        return self._memories(nums if limit is None else nums[:limit])


@contextlib.contextmanager
def open_memory(
    home: str | os.PathLike[str] | Home | None = None,
    project: str | os.PathLike[str] | None = None,
    *,
    clock: Clock = system_clock,
    actor: str = "person",
    session: str | None = None,
    agent: str | None = None,
    confirmation_callback: Confirm | None = None,
) -> Iterator[MemoryCoordinator]:
    """The store of `home` (default: MEMDECK_HOME or the platform's), seen from `project`.

    A project is a folder, or a name; by default the folder we are in. `confirmation_callback` is
    given a sentence before every project is told something, and answers whether a person agrees;
    without it that is refused. Raises StoreUnusable.
    """
    coordinator = MemoryCoordinator.open(
        home,
        project,
        clock=clock,
        actor=actor,
        session=session,
        agent=agent,
        confirmation_callback=confirmation_callback,
    )
    try:
        yield coordinator
    finally:
        coordinator.close()
