"""What a stretch of the journal did to memories: each as it was before, after, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ...db.images import headline
from ..answers import ChangedMemory
from ..values import moment_at

if TYPE_CHECKING:
    from ...db.images import Image


class State(NamedTuple):
    """What is compared of a memory, at one of two times."""

    id: str
    project: str
    retired_at: int | None
    retired_as: str | None
    title: str
    content: str
    type: str
    category: str
    scope: str
    status: str
    importance: float
    confidence: float
    privacy: str
    tags: list[str]
    files: list[str]
    due: int | None
    expires: int | None

    @property
    def headline(self) -> str:
        """Its title, its own or made of the text."""
        return headline(self.title, self.content)

    @property
    def is_live(self) -> bool:
        """Whether it was not retired."""
        return self.retired_at is None

    @property
    def compared(self) -> tuple[Any, ...]:
        """The values of `COMPARED`, in order."""
        return self[-len(COMPARED) :]

    def told(self, name: str) -> Any:
        """What is told of a field: its value, of the title what stands in its place as well."""
        return self.headline if name == "title" else self.compared[COMPARED.index(name)]


COMPARED = State._fields[State._fields.index("title") :]
"""The fields of a memory whose change is told: what follows from others is not."""

_TAKEN = itemgetter(*State._fields)


def state_of(image: Image | None) -> State | None:
    """What is compared of an image; None of a memory that was not there."""
    return None if image is None else State(*_TAKEN(image))


class Touched:
    """One memory over a stretch of the journal: as it was before and after, and what touched it."""

    __slots__ = ("after", "before", "record")

    def __init__(self, before: State | None) -> None:
        self.before = before
        self.after: State | None = None
        self.record: dict[str, Any] = {}  # the last one that changed something of it, without rows

    @property
    def what(self) -> str:
        """added, changed, retired or restored; "" where nothing is told of it."""
        was_live = self.before is not None and self.before.is_live
        is_live = self.after is not None and self.after.is_live
        if was_live != is_live:
            if was_live:
                return "retired"
            return "added" if self.before is None else "restored"
        return "changed" if was_live and self.fields else ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that differ."""
        before, after = self.before, self.after
        if before is None or after is None:
            return ()
        pairs = zip(COMPARED, before.compared, after.compared, strict=True)
        return tuple(name for name, one, other in pairs if one != other)


class Pair(NamedTuple):
    """A conflict over a stretch: as it was before and after; None where it was not."""

    before: Image | None
    after: Image | None
    project: str


class Stretch:
    """Some records of the journal, gathered by what they touched."""

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        self.memories: dict[str, Touched] = {}
        self.conflicts: dict[str, Pair] = {}
        self.replaced: dict[str, str] = {}  # by a memory's id that of what took its place
        for record in records:
            head = {name: value for name, value in record.items() if name != "changes"}
            for change in record["changes"]:
                self._take(change, head)

    def _take(self, change: dict[str, Any], head: dict[str, Any]) -> None:
        table, key, before, after = (change[name] for name in ("table", "key", "before", "after"))
        if table == "memory":
            one = self.memories.get(key)
            if one is None:
                one = self.memories[key] = Touched(state_of(before))
            one.after, one.record = state_of(after), head
        elif table == "conflict":
            first = self.conflicts.get(key)
            self.conflicts[key] = Pair(first.before if first else before, after, head["project"])
        elif table == "memory_link" and after is not None and after["kind"] == "superseded_by":
            self.replaced[after["source"]] = after["target"]


def changed_memory(touched: Touched) -> ChangedMemory:
    """What became of a memory, as a value."""
    state = touched.after or touched.before
    assert state is not None
    before, after, record = touched.before, touched.after, touched.record
    fields = [
        (name, before.told(name), after.told(name))
        for name in touched.fields
        if before is not None and after is not None
    ]
    return ChangedMemory(
        id=state.id,
        title=state.headline,
        type=state.type,
        category=state.category,
        status=state.status,
        importance=state.importance,
        what=touched.what,
        fields=tuple(fields),
        retired_as=state.retired_as,
        entry=record["seq"],
        at=moment_at(record["at"]),
        actor=record["actor"],
        action=record["action"],
        reason=record["reason"],
        session=record["session"],
    )
