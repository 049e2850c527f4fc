"""What the workbench asks the core, in a lane: the conflicts, one with both its sides, verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ....core.errors import NotFound, StaleEdit
from ....core.judgements import Conflict
from ....core.values import Memory
from ...widgets.side_account import MOST_INJECTIONS, Pair, Side, titles_of
from ...widgets.word_diff import Pairs, are_alike, side_lines

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator
    from ...app import MemoryApp

QUOTED = re.compile(r"“([^”]{1,80})”")
"""What the reason of a conflict quotes from the texts."""

MOST_ENTRIES = 200  # of each side, looked through for a verdict


class Conflicts:
    """Which conflicts there are, open or decided, and the pair that is looked at."""

    def __init__(self, app: MemoryApp) -> None:
        self._app = app
        self.listed: list[Conflict] = []  # those that fit the filter
        self.ids: list[str] = []  # of all that there are, whether they fit the filter or not
        self.shows_decided = False
        self.is_read = False  # whether the list says what the store holds
        self.pair: Pair | None = None  # what the two sides show
        self.decided_here: list[str] = []  # ids, newest last: an undo brings them back
        self.left: dict[str, Conflict] = {}  # those that left the list since one came to it
        self._going: tuple[str, bool] | None = None  # what is being gone to, and whether asked for
        self._keys: dict[str, int] = {}  # a number for each conflict, for the list

    @property
    def is_going(self) -> bool:
        """Whether one is on the way to a conflict."""
        return self._going is not None

    def key(self, ref: str) -> int:
        """The number of this conflict in the list."""
        return self._keys.setdefault(ref, len(self._keys) + 1)

    def go_to(self, ref: str, *, is_asked: bool) -> None:
        """To a conflict, or to that of a memory, whatever makes the list be read meanwhile."""
        self._going = ref, is_asked

    def turn(self, *, decided: bool) -> None:
        """To the decided ones, or to the open ones: nothing of them is read yet."""
        self.shows_decided, self.listed, self.ids, self.pair = decided, [], [], None
        self.left.clear()

    async def arrived(self) -> tuple[Conflict | None, str]:
        """The conflict that one is on the way to, open or decided; and what is not there.

        Neither when somebody else got there first.
        """
        going = self._going
        if going is None:
            return None, ""
        ref, is_asked = going
        for decided in (False, True):
            conflicts, _ = await self._app.pages.run(partial(read_conflicts, decided=decided))
            if self._going != going:
                return None, ""
            for one in conflicts:
                if any(name.startswith(ref) for name in (one.id, one.first.id, one.second.id)):
                    self._going = None
                    return one, ""
        self._going = None
        return None, ref if is_asked else ""

    async def read(
        self, text: str, show: str | None, current: Callable[[], Conflict | None]
    ) -> tuple[bool, int | None]:
        """Read what fits `text`; the key of the conflict to keep in sight, None for none.

        False: it answers the other list. A verdict given here that was taken back comes into
        sight, whoever tells us first.
        """
        decided = self.shows_decided
        conflicts, all_ids = await self._app.pages.run(
            lambda core: read_conflicts(core, decided=decided, text=text)
        )
        if decided != self.shows_decided:
            return False, None
        ids = {one.id for one in conflicts}
        known = {one.id for one in self.listed}
        back = [ref for ref in self.decided_here if ref in ids - known and not decided]
        at = current()
        wanted = show if show in ids else back[-1] if back else at.id if at else None
        still = set(all_ids)
        self.left |= {one.id: one for one in self.listed if one.id not in still}
        self.listed, self.ids, self.is_read = conflicts, all_ids, True
        return True, self.key(wanted) if wanted is not None and wanted in ids else None

    async def read_pair(self, ref: str) -> Pair:
        """One conflict with all there is to compare. Raises NotFound."""
        return await self._app.pages.run(lambda core: read_pair(core, ref))


def read_conflicts(
    core: MemoryCoordinator, *, decided: bool, text: str = ""
) -> tuple[list[Conflict], list[str]]:
    """The open pairs, the likeliest first, or the decided ones, newest verdict first: those that
    have a side which fits `text`, and the ids of all.
    """
    found = core.conflicts(resolved=decided)
    if decided:
        found.sort(key=lambda one: (one.resolved_at or one.detected_at, one.id), reverse=True)
    ids = [one.id for one in found]
    if text.strip():
        fitting = set(core.fitting(text))
        found = [one for one in found if {one.first.num, one.second.num} & fitting]
    return found, ids


def read_pair(core: MemoryCoordinator, ref: str) -> Pair:
    """One conflict with all there is to compare. Raises NotFound, Ambiguous."""
    conflict = core.conflict(ref)
    first, second = conflict.first, conflict.second
    lines, titles = side_lines(first.content, second.content), _titles(first, second)
    guess = _guessed(first, second, in_title=are_alike(titles), in_text=are_alike(lines))
    if not are_alike(lines):
        lines = side_lines(first.content, second.content, QUOTED.findall(conflict.reason))
    return Pair(conflict, _side(core, first), _side(core, second), lines, titles, guess)


def _titles(first: Memory, second: Memory) -> Pairs:
    titles = titles_of(first, second)
    return side_lines(*titles) if titles else ()


def _guessed(first: Memory, second: Memory, *, in_title: bool, in_text: bool) -> str:
    """What may tell the two apart. Words that are quite different anyway offer no guess."""
    ours, theirs = (
        ". ".join([memory.title] * in_title + [memory.content] * in_text)
        for memory in (first, second)
    )
    known = (f"{first.title}. {first.content}", f"{second.title}. {second.content}")
    return guessed_context(ours, theirs, known)


def _side(core: MemoryCoordinator, memory: Memory) -> Side:
    told = core.injections(memory.id, MOST_INJECTIONS)
    session = memory.origin.session
    sources = memory.details.get("source_sessions") or ()
    named = core.services.sessions.names([session, *map(str, sources)])
    name = named.get(session or "", "")
    return Side(memory, core.links(memory.id), told, name, named, core.history(memory.id))


def merge_sides(
    core: MemoryCoordinator, conflict: Conflict, fields: Mapping[str, Any], revision: int | None
) -> Conflict:
    """Decide the conflict with one text for both; runs in the write lane.

    Raises StaleEdit when the left one was changed since `revision`, and what the core raises.
    """
    now = core.show(conflict.first.id)
    if revision is not None and now.revision != revision:
        raise StaleEdit(f"“{now.title}” was changed meanwhile.")
    return core.resolve_conflict(conflict.id, "merged", **fields)


def verdict_entry(core: MemoryCoordinator, conflict: Conflict) -> int:
    """The journal's entry in which the conflict was decided. Raises NotFound."""
    for memory in (conflict.first.id, conflict.second.id):
        for entry in core.audit(memory=memory, limit=MOST_ENTRIES):
            if entry.undone_by is None and any(
                (change.table, change.key, change.field) == ("conflict", conflict.id, "verdict")
                and change.after is not None
                for change in core.differences(entry.seq)
            ):
                return entry.seq
    raise NotFound(
        "The entry with this verdict is not in the journal's view any more.",
        hint="Restore what is missing on the Deck: is:retired shows it.",
    )


MOST_WORDS = 6  # of a condition, its first word included

_BEGINS = (
    "for|in|on|at|when|while|during|if|unless|under|with|without|before|after|until|inside|outside"
    "|within|behind"
)
_ENDS = (
    "is|are|was|were|be|must|should|shall|can|may|will|never|always|not|has|have|had|needs?|uses?"
    "|lives?|runs?|goes|go|takes?|reads?|fails?|since|because|as|so|then|but|and|or|to"
)
_CONDITION = re.compile(
    rf"\b(?:{_BEGINS})\b(?: [^\s,.;:!?()]+){{1,{MOST_WORDS - 1}}}", re.IGNORECASE
)
_END = re.compile(rf"\s(?:{_ENDS}|{_BEGINS})\b.*", re.IGNORECASE | re.DOTALL)
_NEXT_NOUN = re.compile(r"(?<=\S)\s(?:the|an?|it|we|you|they|this|that)\b.*", re.IGNORECASE)


def guessed_context(first: str, second: str, known: tuple[str, str] | None = None) -> str:
    """`one for webhooks, the other for batch jobs`; "" where the texts name no condition.

    A condition that both name tells nothing apart, and one with a number in it is more likely
    what they disagree about. `known`: all that each side says, when `first` and `second` are
    only the parts to look in.
    """
    one, other = known or (first, second)
    ours, theirs = _told_apart(first, other), _told_apart(second, one)
    if ours and theirs:
        return f"one {ours}, the other {theirs}"
    return f"one only {ours or theirs}" if ours or theirs else ""


def _told_apart(text: str, rival: str) -> str:
    """The first condition of `text` that the other text does not name."""
    known = " ".join(rival.lower().split())
    for condition in _conditions(text):
        if condition.lower() not in known:
            return condition
    return ""


def _conditions(text: str) -> Iterator[str]:
    for found in _CONDITION.finditer(" ".join(text.split())):
        condition = found[0]
        first, _, rest = condition.partition(" ")
        rest = _NEXT_NOUN.sub("", _END.sub("", f" {rest}").strip())
        if rest and not any(character.isdigit() for character in rest):
            yield f"{first.lower()} {rest}"
