"""Tidying what is known: proposals made of what is stored, each settled by an act there is.

Looks for what is said twice, what contradicts, what the project's files speak against, tasks that
may be done, long texts, and what no agent was ever told. Nothing changes without a person's word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from ...db import conflicts, tidy
from ...db.connection import mapped_errors
from ...db.trust import DEGREES
from ...frozen import dataclass, replace
from ..clock import to_ms
from ..errors import BadInput, Refused
from ..ingest.conflicts import oppositions
from ..judgement.pairs import judged
from ..judgements import CONFLICT, LIKELY
from ..text.sameness import says_the_same

if TYPE_CHECKING:
    from ..context import Context
    from ..judgement.pairs import Bias
    from ..judgements import Conflict
    from ..values import Memory
    from .conflicts import Conflicts
    from .curation import Curation
    from .inbox import Inbox
    from .search import Search
    from .staleness import Staleness

KINDS = ("contradiction", "repetition", "moved", "verify", "task", "long", "untold")
"""What may be proposed, in the order in which it is: what misleads agents comes first."""

PAIRS = ("contradiction", "repetition")
"""Of these, what is about two memories."""

QUIET = timedelta(days=30)
"""For so long what a person stood for is not asked about again."""

UNTOLD = timedelta(days=30)
"""From this age on it is strange that no agent was told of a memory."""

OPEN = timedelta(days=14)
"""From this age on a task without a date is asked about."""

LONG_TOKENS = 150
"""Estimated tokens from which on a text is long: three such take half of a start's budget."""

MOST_COMPARED = 200
"""Memories, the newest, that are laid beside what shares words with them."""

SURELY = {
    "contradictory": "they contradict each other: only one can",
    "superseded": "one seems to replace the other",
    "ambiguous": "they do not quite agree: it may depend on where, or when",
}
"""Why the two of a conflict may not both hold, where nobody said it."""

MOST_BESIDE = 8
"""Of what shares words with a memory, the best by BM25: what says the same is among the first."""

MOST_OF_A_KIND = 200
"""Memories of one kind that are looked at, the oldest or the longest: as many as one would settle
in an hour. Those behind them come when these are settled."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to tidy: a memory, for pairs the other one, and why."""

    kind: str  # one of KINDS
    memory: Memory  # of a pair the one that may leave: the older, less sure side
    why: str  # a sentence
    other: Memory | None = None  # of a pair the one that may stay
    conflict: str | None = None  # id of the open conflict that it is

    @property
    def key(self) -> str:
        """What it is remembered by; another one as soon as either text changed."""
        sides = (self.memory, self.other) if self.other else (self.memory,)
        return ":".join([self.kind, *sorted(f"{one.id}@{one.revision}" for one in sides)])

    @property
    def matter(self) -> str:
        """What it is known by however its texts change."""
        return ":".join([self.kind, *sorted(self.pair)])

    @property
    def pair(self) -> frozenset[str]:
        """The ids of the memories that it is about."""
        return frozenset(one.id for one in self.sides)

    @property
    def sides(self) -> tuple[Memory, ...]:
        """The memories that it is about: one, or of a pair both."""
        return (self.memory, self.other) if self.other else (self.memory,)


@dataclass(frozen=True, slots=True)
class Tidy:
    """Makes proposals, and carries out what a person says to them: one act, one undo each."""

    _context: Context
    _search: Search
    _inbox: Inbox
    _conflicts: Conflicts
    _curation: Curation
    _staleness: Staleness

    # -- what there is to tidy

    @mapped_errors()
    def proposals(self, kinds: Sequence[str] = KINDS, limit: int | None = None) -> list[Proposal]:
        """What there is to tidy, by kind in the order of `KINDS`; at most `limit`.

        Each memory is in one proposal about itself at most, each pair in one. Raises BadInput.
        """
        if unknown := sorted(set(kinds) - set(KINDS)):
            raise BadInput(
                f"{unknown[0]!r} is no kind of tidying.", hint=f"Use: {', '.join(KINDS)}."
            )
        found = self.known()
        if set(kinds) & set(PAIRS):
            found += self.alike()
        found = [one for one in found if one.kind in kinds]
        return sorted(found, key=lambda one: KINDS.index(one.kind))[:limit]

    @mapped_errors()
    def known(self) -> list[Proposal]:
        """What is found without laying texts beside each other: fast on a large store."""
        quiet = self._vouched()
        found = [one for conflict in self._conflicts.conflicts() for one in _listed(conflict)]
        seen = set[str]()
        for one in self._singles(quiet):
            if one.memory.id not in seen:
                seen.add(one.memory.id)
                found.append(one)
        return sorted(found, key=lambda one: KINDS.index(one.kind))

    @mapped_errors()
    def alike(self, start: int = 0, count: int = MOST_COMPARED) -> list[Proposal]:
        """Pairs among the newest memories that nobody listed, and no verdict was given on.

        Looks at `count` of the `MOST_COMPARED` newest from place `start` on (0 is the newest):
        each takes some hundredths of a second. Asked for in parts, a pair may come in two of them.
        """
        context, bias = self._context, self._conflicts.bias()
        done = self._judged_pairs()
        nums = tidy.comparable(*context.here, MOST_COMPARED)
        found = []
        for memory in context.memories(nums[start : start + count]):
            for proposal in self._beside(memory, bias, done):
                if proposal.pair not in done:
                    done.add(proposal.pair)
                    found.append(proposal)
        return found

    def _judged_pairs(self) -> set[frozenset[str]]:
        """The pairs that are listed as conflicts, or were decided."""
        known = conflicts.conflicts(*self._context.here, resolved=None)
        return {frozenset((row["entry_a"], row["entry_b"])) for row in known}

    @mapped_errors()
    def still(self, found: Sequence[Proposal]) -> list[Proposal]:
        """Of the pairs that `alike` found those that stand, with the memories as they are now.

        Where a side left recall, reads otherwise, or a verdict was given, nothing is to be tidied.
        """
        judged_pairs, context = self._judged_pairs(), self._context
        nums = list(dict.fromkeys(side.num for one in found for side in one.sides))
        now = {memory.id: memory for memory in context.memories(nums)}
        standing = []
        for one in found:
            memory, other = (now.get(side.id) for side in one.sides)
            if one.pair not in judged_pairs and memory is not None and other is not None:
                both = ((memory, one.sides[0]), (other, one.sides[1]))
                if all(new.is_live and new.content == old.content for new, old in both):
                    standing.append(replace(one, memory=memory, other=other))
        return standing

    def _beside(self, memory: Memory, bias: Bias, done: set[frozenset[str]]) -> Iterator[Proposal]:
        """What repeats or contradicts a memory."""
        around = [
            one
            for one in self._inbox.sharing_words(memory.content, memory.id)
            if one.status != "candidate"
            and one.type not in ("working", "prospective")
            and frozenset((memory.id, one.id)) not in done
        ][:MOST_BESIDE]
        for one in around:
            told = judged(memory.content, one.content, bias)
            is_surely_same = told is not None and told.is_surely_same
            if is_surely_same or says_the_same(memory.content, one.content):
                yield self._pair("repetition", memory, one.id, "the two say the same")
        opposed = oppositions(
            memory.content,
            category=memory.category,
            files=memory.files,
            neighbours=around,
            created_ms=to_ms(memory.created_at),
            type=memory.type,
            is_persons=memory.degree == "person",
            bias=bias,
        )
        for near in opposed:
            same, contradict = near.same or 0.0, near.contradict or 0.0
            if near.band == CONFLICT or contradict >= LIKELY:
                yield self._pair("contradiction", memory, near.neighbour.id, near.reason)
            elif same >= LIKELY:
                yield self._pair("repetition", memory, near.neighbour.id, near.reason)

    def _pair(self, kind: str, memory: Memory, other: str, why: str) -> Proposal:
        leaves, stays = _by_worth(memory, self._context.resolve(other))
        return Proposal(kind, leaves, why, stays)

    def _vouched(self) -> set[str]:
        since = to_ms(self._context.now() - QUIET) or 0
        return set(tidy.vouched(*self._context.here, since))

    def _singles(self, quiet: set[str]) -> Iterator[Proposal]:
        """What concerns one memory; one that a person stood for lately only where it is new."""
        context, now = self._context, self._context.now()
        for memory in self._staleness.flagged()[:MOST_OF_A_KIND]:
            if memory.status != "candidate":
                moves = self._staleness.moves(memory.id)
                yield Proposal("moved" if moves else "verify", memory, memory.stale)
        tasks = "type:prospective -is:candidate sort:-created"
        for memory in self._search.list(tasks, MOST_OF_A_KIND):
            is_over = memory.due is not None and memory.due < now
            is_old = memory.due is None and memory.created_at < now - OPEN
            if memory.id not in quiet and (is_over or is_old):
                yield Proposal("task", memory, _task_why(memory, (now - memory.created_at).days))
        long = tidy.long_texts(*context.here, LONG_TOKENS, MOST_OF_A_KIND)
        for memory in context.memories(long):
            if memory.id not in quiet:
                why = f"about {memory.tokens} tokens, each time that an agent is told of it"
                yield Proposal("long", memory, why)
        query = f"is:untold -is:candidate -is:pinned created:>{UNTOLD.days}d sort:-created"
        for memory in self._search.list(query, MOST_OF_A_KIND):
            if memory.type not in ("working", "prospective") and memory.id not in quiet:
                days = (now - memory.created_at).days
                yield Proposal("untold", memory, f"told to no agent in {days} days")

    # -- what a person says to it

    def keep(self, proposal: Proposal) -> list[Memory]:
        """It stands as it is: the person says so, and is not asked again for a while.

        Both sides of a pair stay, and it is never asked about again. A memory whose files moved
        names them where they are now. Raises NotFound, Refused.
        """
        self._still_as_shown(proposal)
        if proposal.other is not None:
            self._keep_both(proposal)
        elif proposal.kind == "moved":
            self._staleness.follow(proposal.memory.id)
        elif proposal.kind == "verify":
            self._staleness.confirm(proposal.memory.id)
        else:
            self._curation.keep(proposal.memory.id)
        return self._as_they_are(proposal)

    def _keep_both(self, proposal: Proposal) -> None:
        assert proposal.other is not None
        verdict = "both" if proposal.kind == "contradiction" else "not_a_conflict"
        with self._context.as_one_act():
            ref = proposal.conflict or self._conflicts.mark_conflict(
                proposal.other.id, proposal.memory.id, "ambiguous", proposal.why
            )
            self._conflicts.resolve_conflict(ref, verdict)

    def drop(self, proposal: Proposal, leaves: str) -> list[Memory]:
        """`leaves`, one of its sides, goes out of recall, restorably.

        Of a contradiction the other side takes its place. Raises BadInput, NotFound, Refused.
        """
        self._still_as_shown(proposal)
        stays = self._other_of(proposal, leaves)
        if proposal.conflict is not None:
            first = self._conflicts.conflict(proposal.conflict).first.id
            self._conflicts.resolve_conflict(proposal.conflict, "b" if first == leaves else "a")
        elif proposal.kind == "contradiction":
            self._curation.supersede(leaves, stays)
        else:
            self._curation.forget(leaves, "tidied")
        return self._as_they_are(proposal)

    def merge(self, proposal: Proposal, leaves: str) -> list[Memory]:
        """The other side says it for both, with what `leaves` had beside its text.

        Raises BadInput for what is no pair, NotFound, Refused.
        """
        if proposal.other is None:
            raise BadInput("There is nothing to merge it into.")
        self._still_as_shown(proposal)
        self._curation.merge(self._other_of(proposal, leaves), leaves)
        return self._as_they_are(proposal)

    def done(self, proposal: Proposal) -> list[Memory]:
        """The task is done. Raises NotFound, and Refused for what is no task."""
        self._still_as_shown(proposal)
        return self._curation.done(proposal.memory.id)

    def _still_as_shown(self, proposal: Proposal) -> None:
        """Raise Refused where a side left or was reworded since: a person judged what they saw, and
        of what was said twice one may be the last that says it."""
        now = {one.id: one for one in self._as_they_are(proposal) if one.is_live}
        for side in proposal.sides:
            if side.id not in now or now[side.id].content != side.content:
                raise Refused(f"“{side.title}” was changed meanwhile.", hint="Look at it again.")

    def _other_of(self, proposal: Proposal, leaves: str) -> str:
        """The id of the side that stays; "" where there is none. Raises BadInput."""
        ids = [one.id for one in proposal.sides]
        if leaves not in ids:
            raise BadInput("That memory is no part of the proposal.")
        return next((one for one in ids if one != leaves), "")

    def _as_they_are(self, proposal: Proposal) -> list[Memory]:
        return self._context.memories([one.num for one in proposal.sides])


def _listed(one: Conflict) -> Iterator[Proposal]:
    """An open conflict as a proposal; what is listed without being likely is left to Conflicts."""
    same, contradict = one.same or 0.0, one.contradict or 0.0
    leaves, stays = _by_worth(one.first, one.second)
    if one.is_sure or contradict >= max(LIKELY, same):
        why = SURELY.get(one.kind, "") if one.is_sure else "they likely contradict each other"
        yield Proposal("contradiction", leaves, one.reason or why, stays, one.id)
    elif same >= LIKELY:
        why = one.reason or "they likely say the same"
        yield Proposal("repetition", leaves, why, stays, one.id)


def _by_worth(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The side that may leave and the one that may stay: what is pinned, surer or newer stays."""

    def standing(memory: Memory) -> tuple[bool, int, float]:
        unsure = DEGREES.index(memory.degree) if memory.degree in DEGREES else len(DEGREES) - 1
        return memory.status == "pinned", -unsure, memory.created_at.timestamp()

    leaves, stays = sorted((one, other), key=standing)
    return leaves, stays


def _task_why(memory: Memory, days: int) -> str:
    if memory.due is not None:
        return f"was due on {memory.due.astimezone():%d %b %Y}: is it done?"
    return f"open for {days} days: is it done?"
