"""The profile: looked at, added to, divided, cleared, each by what its memories are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...db import memories as profiles
from ..errors import BadInput
from ..ingest.drafts import texts
from ..lifecycle.profile import SECTIONS, in_question, section_of, weight_of
from ..lifecycle.profile_groups import OWN, group_of, names_of, regrouped
from ..profiles import Profile, ProfileEntry
from ..text.sameness import says_the_same

if TYPE_CHECKING:
    from ..answers import StoreResult
    from ..context import Context
    from ..judgements import Conflict
    from ..values import Memory
    from .curation import Curation
    from .ingest import Captures
    from .review import Review
    from .search import Search

MOST_ENTRIES = 300
"""Memories that a profile is made of: preferences first, then patterns, then the weightiest."""

KINDS: Mapping[str, tuple[str, float]] = {
    "decision": ("decision", 0.9),
    "convention": ("pattern", 0.8),
    "failure": ("error", 0.85),
}
"""Category and importance, 0-1, by kind."""

MOST_ASKED = 100
"""Memories of one question."""

LONGEST_GROUP = 40
"""Characters of a category or a domain."""


@dataclass(frozen=True, slots=True)
class ProfileBook:
    """Who the person is to agents, derived from the memories there are."""

    _context: Context
    _curation: Curation
    _review: Review
    _captures: Captures
    _search: Search

    def profile(self) -> Profile:
        """The profile of the person in this project, as the memories have it now.

        Nothing unproven is in it. What contradicts another entry has that conflict's id in
        `asked`, and stands among the questions.
        """
        context = self._context
        nums = profiles.sure(*context.here, context.now_ms(), MOST_ENTRIES + 1)
        existing = [
            (section, memory)
            for memory in context.memories(nums[:MOST_ENTRIES])
            if (section := section_of(image_of(memory)))
        ]
        questions, untold = self._questions([memory for _, memory in existing])
        request = {
            side.id: question.id
            for question in questions
            for side in (question.first, question.second)
        }
        entries = _entries(existing, request, untold)
        parts = {
            name: tuple(question for question in entries if question.section == name)
            for name in SECTIONS
        }
        return Profile(
            project=context.project.name,
            preferences=parts["preferences"],
            patterns=parts["patterns"],
            facts=parts["facts"],
            questions=tuple(questions),
            is_told=bool(context.policy.limits.profile_share),
            is_cut=len(nums) > MOST_ENTRIES,
        )

    def _questions(self, memories: Sequence[Memory]) -> tuple[list[Conflict], Set[str]]:
        """The open conflicts between two of `memories`, and who is not told until they are decided.

        What is only listed is no conflict. What is pinned is told, and its rival with it.
        """
        degrees = {memory.id: memory.degree for memory in memories if memory.in_conflict}
        if not degrees:
            return [], frozenset()
        pinned = {memory.id for memory in memories if memory.status == "pinned"}
        matches = {
            (conflict.first.id, conflict.second.id): conflict
            for conflict in self._review.conflicts()
        }
        request, _ = in_question(degrees, list(matches))
        _, untold = in_question(degrees, [pair for pair in matches if not pinned & {*pair}])
        return [matches[pair] for pair in request], untold

    # --- what a person adds and changes

    def add_preference(self, preference: str, category: str) -> StoreResult:
        """Keep what the person prefers, for every project and with importance 0.9.

        A person is asked first. Raises BadInput, Refused, ConsentNeeded.
        """
        return self._add("preferences", preference, category)

    def add_pattern(self, pattern: str, domain: str) -> StoreResult:
        """Keep how things are done in a domain, for every project and with importance 0.7.

        Always asked for. Raises as above.
        """
        return self._add("patterns", pattern, domain)

    def _add(self, section: str, text: str, group: str) -> StoreResult:
        name = group_name(group)
        return self._captures.remember(
            text,
            type="semantic",
            category=OWN[section],
            scope="global",
            importance=weight_of(section, 0.0),
            tags=["global", OWN[section], name],
        )

    def query_preferences(self, category: str | None = None) -> list[Memory]:
        """What the person prefers, or of one category, the weightiest first."""
        return _memories(self.profile().preferences, category)

    def query_patterns(self, domain: str | None = None) -> list[Memory]:
        """How things are done, or in one domain, the weightiest first."""
        return _memories(self.profile().patterns, domain)

    # --- what this project alone holds to

    def add_decision(self, decision: str, tags: Sequence[str] = ()) -> StoreResult:
        """Keep what was decided in this project, with importance 0.9. Raises BadInput."""
        return self._keep("decision", decision, texts("tags", tags))

    def add_convention(self, convention: str, scope: str) -> StoreResult:
        """Keep how things are done here, with importance 0.8; `scope` says where, in a word or two.

        Raises BadInput.
        """
        return self._keep("convention", convention, (group_name(scope),))

    def add_failure(self, failure: str, lesson: str) -> StoreResult:
        """Keep what a failure taught, with importance 0.85; `failure` names its kind, in short.

        Raises BadInput.
        """
        return self._keep("failure", lesson, (group_name(failure),))

    def query_decisions(self, tags: Sequence[str] = ()) -> list[Memory]:
        """This project's decisions, or those with any of `tags`, newest first; at most 100.

        Those that sessions found are among them. Raises BadInput.
        """
        wanted = texts("tags", tags)
        request: dict[str, object] = {"category": KINDS["decision"][0], "scope": "project"}
        return self._search.query({**request, "tags": wanted} if wanted else request, MOST_ASKED)

    def _keep(self, kind: str, text: str, tags: Sequence[str]) -> StoreResult:
        category, importance = KINDS[kind]
        return self._captures.remember(
            text,
            type="semantic",
            category=category,
            scope="project",
            importance=importance,
            tags=["project", kind, *tags],
        )

    def regroup(self, ref: str, group: str) -> Memory:
        """Put an entry into another category, domain or kind: its memory's tags say so.

        Raises NotFound, Refused for another project's, and BadInput for what is no entry, and for a
        kind of fact that there is not.
        """
        memory = self._context.resolve(ref)
        self._context.must_be_here(memory)
        section = section_of(image_of(memory))
        name = group_name(group)
        if section is None:
            raise BadInput(
                f"“{memory.title}” belongs to no profile.",
                hint="`memdeck profile` lists what does.",
            )
        if section not in OWN and name not in names_of(section):
            existing = ", ".join(names_of(section)[:-1])
            raise BadInput(f"There is no kind of fact {name!r}.", hint=f"Use: {existing}.")
        return self._curation.edit(memory.id, tags=regrouped(section, memory.tags, name))

    def clear_profile(self, category: str | None = None) -> list[Memory]:
        """Forget the preferences and patterns of a category or domain, or all; what left recall.

        Always asked, with a warning; what holds in the project stays. One act, which
        `undo` takes back. Raises ConsentNeeded where nobody is asked, Refused for a no.
        """
        profile = self.profile()
        entries = (
            profile.of_group(group_name(category))
            if category is not None
            else (*profile.preferences, *profile.patterns)
        )
        memories = {item.id: item for entry in entries for item in entry.rests_on}
        if not memories:
            return []
        self._context.consent.agree(warning(len(memories), category))
        with self._context.consent.agreeing(lambda _: True):
            ids = list(memories)
            return self._context.consent.asked(
                lambda: self._curation.forget(ids, f"the profile's {category or 'own'}")
            )

    def clear_global(self) -> int:
        """Forget all that every project is told, with a warning; how many.

        One act. Raises ConsentNeeded where nobody is asked, Refused for a no.
        """
        ids = [memory.id for memory in self._search.list("scope:global")]
        return len(self._curation.forget(ids, "all that is global")) if ids else 0


def warning(count: int, category: str | None) -> str:
    """What a person is asked before a part of the profile is cleared: nothing in it untrue."""
    what = f"the {count:,} memories" if count > 1 else "the one memory"
    whose = f"of “{category}” in your profile" if category else "of ALL preferences and patterns"
    return (
        f"DANGER: this clears {what} {whose}; agents are told no more of it."
        " What they do without it cannot be undone; the memories come back with undo."
    )


def group_name(text: str) -> str:
    """A category or domain as it is stored: lower case, no spaces. Raises BadInput."""
    name = "-".join(text.lower().split())
    if not name or len(name) > LONGEST_GROUP or "," in name:
        raise BadInput(
            f"{text[:60]!r} is no name of a category.", hint="One or two words: style, verbosity."
        )
    if name in (*OWN.values(), "global"):
        raise BadInput(f"{name!r} is what the entry is; its category says of what.")
    return name


def image_of(memory: Memory) -> Mapping[str, Any]:
    """A memory as the rules of the profile take it."""
    return {
        name: getattr(memory, name)
        for name in ("type", "category", "scope", "degree", "tags", "files", "title", "content")
    }


def _entries(
    existing: Sequence[tuple[str, Memory]], request: Mapping[str, str], untold: Set[str]
) -> list[ProfileEntry]:
    """The entries, those of a section by weight; what says the same in one group is one entry.

    What is in question stands for itself: it must not count for both sides.
    """
    made: dict[tuple[str, str], list[tuple[str, list[Memory]]]] = {}
    for section, memory in sorted(existing, key=_foremost_first):
        group, why = group_of(section, image_of(memory))
        there = made.setdefault((section, group), [])
        same = next(
            (
                rests
                for _, rests in there
                if memory.id not in request
                and rests[0].id not in request
                and _is_same(rests[0].content, memory.content)
            ),
            None,
        )
        if same is None:
            there.append((why, [memory]))
        else:
            same.append(memory)
    entries = [
        ProfileEntry(
            section=section,
            group=group,
            why=why,
            weight=weight_of(section, max(rest.importance for rest in rests)),
            memory=rests[0],
            rests_on=tuple(rests),
            asked=request.get(rests[0].id, ""),
            is_told=rests[0].id not in untold,
        )
        for (section, group), there in made.items()
        for why, rests in there
    ]
    order = {name: position for position, name in enumerate(SECTIONS)}
    return sorted(entries, key=lambda rest: (order[rest.section], *_rank(rest.memory, rest.weight)))


def _is_same(item: str, other: str) -> bool:
    """Whether two texts say the same, in the same order: "tabs over spaces" turned is another."""
    first, second = item.lower().split(), other.lower().split()
    shared = set(first).intersection(second)
    if 4 * len(shared) < 3 * min(len(first), len(second)):  # as with most: no need to ask
        return False
    in_order = [word for word in first if word in shared]
    return in_order == [word for word in second if word in shared] and says_the_same(item, other)


def _foremost_first(pair: tuple[str, Memory]) -> tuple[bool, float, int]:
    section, memory = pair
    return _rank(memory, weight_of(section, memory.importance))


def _rank(memory: Memory, weight: float) -> tuple[bool, float, int]:
    return (memory.degree != "person", -weight, -memory.num)


def _memories(entries: Sequence[ProfileEntry], group: str | None) -> list[Memory]:
    wanted = None if group is None else group_name(group)
    return [entry.memory for entry in entries if wanted in (None, entry.group)]
