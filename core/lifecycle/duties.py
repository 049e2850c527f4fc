"""What maintain does: a duty proposes changes with their reasons, and carries them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ...frozen import dataclass, field

if TYPE_CHECKING:
    from ...db.store import Change


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change that is due."""

    memory: str  # the memory's id; "" where the change concerns no single one
    title: str  # what a person reads
    why: str  # the reason in words, with its numbers
    data: Mapping[str, Any] = field(default_factory=dict)  # what carrying out needs
    rule: str = ""  # the reason that the trail tells, the same for many; `why` when empty


class Duty(Protocol):
    """A kind of upkeep. What it proposes follows from the store alone, so that a second run
    proposes nothing and a killed one goes on where it stopped."""

    name: str  # shown to people: quarantine, expiry, eviction, summaries
    action: str  # the journal's word
    does_retire: bool  # held back while the clock is not to be believed

    def proposals(self) -> Iterable[Proposal]:
        """What is due. Writes nothing, holds little, and stays right while earlier ones are
        carried out."""
        ...

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Put one change into the entry; False when it is no longer due."""
        ...
