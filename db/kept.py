"""What was read of a store since anybody wrote: who asks again need not read it anew.

A person types a question letter by letter, and an agent asks one thing in three ways: most of what
is ranked was ranked a moment ago. Standard library only: recall reads through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .images import Image
    from .index import Counts

    Read = Callable[[Sequence[int]], Iterable[Image]]

MOST_COUNTS = 4_000
"""Words whose counts are kept."""

MOST_IMAGES = 1_000
"""Memories that are kept, and of as many what ranking needs: some megabytes at most."""

MOST_AT_ONCE = 200
"""Whoever asks for more at once reads through a store, and does not ask again."""

MOST_PLACES = 50_000
"""Memories whose session is kept: eight bytes each, and as much again to find it."""


class Kept:
    """What questions to one store have read. Whoever holds it drops it when anything is written.

    What it gives is shared by all who ask: it is to be looked at, never changed.
    """

    def __init__(self) -> None:
        self.counts: Counts = {}
        self.aliases: dict[str, Mapping[str, Sequence[str]]] = {}  # by project
        self._images: dict[int, Image] = {}
        self._sketches: dict[int, Image] = {}
        self._sessions: dict[int, Sequence[int]] = {}

    @property
    def is_full(self) -> bool:
        """Whether to begin anew before the next question."""
        return (
            len(self.counts) > MOST_COUNTS
            or len(self._sketches) > MOST_IMAGES
            or len(self._images) > MOST_IMAGES
            or len(self._sessions) > MOST_PLACES
        )

    def images(self, nums: Sequence[int], read: Read) -> list[Image]:
        """These memories in order, as `Reader.images`; `read` gives those not read yet."""
        return _known(self._images, nums, read)

    def sketches(self, nums: Sequence[int], read: Read) -> list[Image]:
        """What ranking needs of them, in order, as `Reader.sketches`."""
        return _known(self._sketches, nums, read)

    def sessions(
        self, nums: Sequence[int], read: Callable[[Sequence[int]], Sequence[Sequence[int]]]
    ) -> list[Sequence[int]]:
        """The sessions of these memories, as `Reader.company`; `read` gives those not read yet."""
        known = self._sessions
        if new := [num for num in nums if num not in known]:
            for session in read(new):
                known.update(dict.fromkeys(session, session))
            for num in new:
                known.setdefault(num, ())
        found = {id(session): session for num in nums if (session := known[num])}
        return list(found.values())


def _known(known: dict[int, Image], nums: Sequence[int], read: Read) -> list[Image]:
    """What is known by these numbers, in order, without those that name nothing."""
    if len(nums) > MOST_AT_ONCE:
        known = {}
    if new := [num for num in nums if num not in known]:
        known.update((image["num"], image) for image in read(new))
    return [known[num] for num in nums if num in known]
