"""Search: lists for the app, hits for a question, counts for both."""

from __future__ import annotations

import re
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...db import ageing, memories, reviews, sessions
from ...db.errors import BadInput
from ...db.images import Image, headline
from ...db.memories import Condition, Request, Row
from ..context import names_of, of_row, project_names, shows
from ..query.language import RELEVANCE, Query, asked_of, parse
from ..text.words import clean, letters_and_digits
from ..values import MAIN_ROLE, TIERS, Hit, Memory, memory_from_image, ms_since

if TYPE_CHECKING:
    from ..answers import Link, Neighbour
    from ..context import Context
    from ..recall.ranking import Ranked, Strategy
    from ..recall.selection import Viewer
    from .meaning import Meaning


NOWHERE = " "
"""No project's id: the project of an agent's query for another project than its own."""


def narrowed(request: Request, viewer: Viewer) -> Request:
    """Return the request, limited to the viewer's own project and permitted memories."""
    is_own = request.project in (None, viewer.project)
    conditions = (*request.conditions, *_visible_to(viewer))
    project = viewer.project if is_own else NOWHERE
    return request._replace(project=project, conditions=conditions)


def _visible_to(viewer: Viewer) -> tuple[tuple[Condition, ...], ...]:
    """Return the conditions of memories that privacy shows to `viewer` (`withheld_because`)."""
    always = (Condition("own", viewer.session),) if viewer.session is not None else ()
    shared = viewer.shared_before_ms
    old = (Condition("created", shared, "<="),) if shared is not None else ()
    role = Condition("role", viewer.role or MAIN_ROLE)
    return (
        (Condition("privacy", "agent-only", "!="), role, *always),
        (Condition("privacy", "private", "!="), *old, *always),
    )


PAGE = 128  # rows of a page. The first one comes with the list.
RANKED_WHOLE = 50_000  # matches that are ranked all at once, in a sixth of a second
READ_FOR_EXCERPT = 8_000  # characters of a text that are searched for an excerpt

NEIGHBOURS = 30  # memories that are compared with a text. The index finds them.
ENOUGH_WORDS = 4  # rare words of a text from which on neighbours need not share the common ones


class SearchResult(NamedTuple):
    """One answer for a list. A better one may follow."""

    nums: array[int]
    first_page: tuple[Row, ...]
    total: int
    final: bool
    phase: str  # newest, ranked, exact
    milliseconds: float


Memories = list[Memory]

GENERAL = "general"  # the group of memories without one

Profile = dict[str, dict[str, Memories]]
"""By `preference` and `pattern`, then by their groups: memories, the most important first."""


class Suggestion(NamedTuple):
    """Suggestions for a query without matches."""

    did_you_mean: str | None  # the query with words that exist
    other_projects: int  # memories elsewhere that would match
    retired: int  # retired memories here that would match

    @property
    def is_empty(self) -> bool:
        """Return True without any suggestion."""
        return not any((self.did_you_mean, self.other_projects, self.retired))


class Stats(NamedTuple):
    """Counts over the live memories of a project."""

    total_count: int
    by_type: Mapping[str, int]
    by_status: Mapping[str, int]
    by_category: Mapping[str, int]
    retired: int
    conflicts: int
    expiring: int
    database_bytes: int
    journal_bytes: int
    by_tier: Mapping[str, int]  # hot, warm, cold
    totals: Mapping[str, int]  # promotions, evictions, accesses ever


class Search:
    """Lists, search, facets and counts. A query is a text or a parsed Query."""

    _context: Context
    _meaning: Meaning

    @property
    def project_name(self) -> str:
        name_of = sessions.name_of(*self._context.here)
        return name_of or self._context.project.name

    # --- lists

    def find(self, query: Query | str = "", phase: str = "exact") -> SearchResult:
        """Return the row numbers of the matches, in order, with the first page.

        With words, `phase` "newest" answers at once, unranked. "ranked" ranks all of at most
        `RANKED_WHOLE` (50,000), else the newest 2,000 matches. "exact" ranks all. `final` is True
        if no later phase changes the answer.
        """
        started = time.perf_counter()
        parsed = as_query(query)
        request = self.request(parsed, prefix_last=True)
        nums, final = self._in_phase(parsed, request, phase, is_shown=True)
        total = len(nums) if final else memories.count(self._context.database, request)
        first = tuple(self.rows(nums[:PAGE], (*parsed.words, *parsed.phrases)))
        spent = ms_since(started)
        return SearchResult(nums, first, total, final, phase, spent)

    def _in_phase(
        self, parsed: Query, request: Request, phase: str, most: int = -1, *, is_shown: bool = False
    ) -> tuple[array[int], bool]:
        """Return row numbers, at most the first `most`, and True if no later phase changes them."""
        database = self._context.database
        if request.expression is None or parsed.sort not in (None, *RELEVANCE):
            sort = parsed.sort if parsed.sort in memories.ORDERS else "created"
            return memories.nums(database, request, sort=sort, limit=most), True
        if phase == "newest" or _is_one_letter(request):
            limit = memories.NEWEST_HITS
            nums = memories.newest_hits(database, request, limit)
            return nums, len(nums) == 1 or _is_one_letter(request)
        is_all = phase == "exact" or (
            memories.count(database, request, RANKED_WHOLE + 1) <= RANKED_WHOLE
        )
        if is_all and request.words:
            return self._best_first(parsed, request, is_shown), True
        hits = memories.ranked_hits(
            database, request, over=None if is_all else memories.RANKED_OVER
        )
        return array("q", [num for num, _ in hits]), is_all

    def _best_first(self, parsed: Query, request: Request, is_shown: bool) -> array[int]:
        """Return all matches: the best as `search` ranks them, then by words, then newest."""
        from ..recall.candidates import READ_WHOLE

        ranked = self._foremost(parsed, READ_WHOLE, with_meaning=is_shown) or ()
        best = [item.image["num"] for item in ranked]
        rest = memories.foremost_first(self._context.database, request)
        if not rest and all(map(str.isalpha, request.words)):  # db-7 is not db-9
            return array("q", best)
        foremost, matching = set(best), set(rest)
        matching.update(item.image["num"] for item in ranked if item.parts.keys() == {"meaning"})
        nums = array("q", [num for num in best if num in matching])
        nums.extend(num for num in rest if num not in foremost)
        return nums

    def rows(self, nums: Sequence[int], words: Sequence[str] = ()) -> list[Row]:
        """Return one list row per number, with excerpts around `words`; `is_gone` if deleted."""
        length = READ_FOR_EXCERPT if words else memories.START
        page = memories.page(self._context.database, nums, length)
        rows = [_row(page[num], words) if num in page else Row(num) for num in nums]
        theirs = other_projects(self._context, page)
        rows = [row._replace(project=theirs[row.num]) if row.num in theirs else row for row in rows]
        names = names_of(self._context.database, (row.session for row in rows))
        return [
            row._replace(session_name=names[row.session]) if row.session in names else row
            for row in rows
        ]

    def memory(self, num: int) -> Memory | None:
        """Return the memory with this row number; None without one."""
        return next(iter(self._context.memories([num])), None)

    def links(self, ref: str) -> list[Link]:
        """Return the links from and to a memory, oldest first. Agents see only permitted ones."""
        memory = self._context.resolve(ref)
        links = [_link(row) for row in memories.links(self._context.database, memory.id)]
        return [link for link in links if shows(self._context, link.source, link.target)]

    # --- search

    def search(
        self,
        query: Query | str,
        limit: int = 10,
        strategy: str | Strategy | None = None,
        *,
        conditions: Sequence[tuple[Condition, ...]] = (),
    ) -> list[Hit]:
        """Return the best matches for a query or a natural question, with the parts of their
        scores.

        Any word counts, rare ones more. Without words, return all that pass the filters, newest
        first. `strategy` is one of `STRATEGIES`, another package's name or your own; by default the
        configured one. `conditions` are added to those of the query. Raises BadInput for an unknown
        strategy, never for typed text.
        """
        parsed = as_query(query)
        foremost = self._foremost(parsed, limit, strategy, conditions)
        if foremost is None:
            request = _narrower(self.request(parsed), conditions)
            sort = parsed.sort if parsed.sort in memories.ORDERS else "created"
            nums = memories.nums(self._context.database, request, sort=sort, limit=limit)
            return [Hit(memory, 0.0, {}) for memory in self._context.memories(nums)]
        images = self._context.reader().images([item.image["num"] for item in foremost])
        whole = {image["id"]: image for image in images}
        return [
            Hit(memory_from_image(whole[item.id]), item.score, item.parts, item.matched)
            for item in foremost
            if item.id in whole
        ]

    def _foremost(
        self,
        parsed: Query,
        limit: int,
        strategy: str | Strategy | None = None,
        conditions: Sequence[tuple[Condition, ...]] = (),
        with_meaning: bool = True,
    ) -> Sequence[Ranked] | None:
        """Return the matches of `search`, with few columns; None without searchable words."""
        from ..recall import candidates
        from ..recall.ranking import Strategy, rank, strategy_called

        limits = self._context.policy.recall
        wanted = limits.strategy if strategy is None else strategy
        how = wanted if isinstance(wanted, Strategy) else strategy_called(wanted)
        reader, now_ms = self._context.reader(), self._context.now_ms()
        aliases = reader.aliases(self._context.project_id)  # words that mean the same
        terms = candidates.keywords(" ".join(parsed.words), aliases)
        request = self.request(parsed, candidates.index_words(terms) or parsed.words)
        request = _narrower(request, conditions)
        if request.expression is None:
            return None
        text = " ".join((*parsed.words, *parsed.phrases))
        terms = terms or tuple(candidates.Term(word.lower(), "common") for word in parsed.words)
        pool = candidates.gather(
            reader,
            terms,
            lambda words, most: self._hits(request, words, max(most, limit)),
            project=self._context.project_id,
            limits=limits,
            timer=candidates.Timer(lambda: 1000 * time.perf_counter(), limits.max_retrieval_ms),
            most=max(candidates.READ_WHOLE, limit * how.over_fetch),
            question=text,
            with_neighbours=not (request.conditions or request.phrases or request.excluded)
            and request.project == self._context.project_id
            and request.retired is False,
        )
        if parsed.phrases:
            pool = pool._replace(terms=candidates.keywords(text, aliases))
        ranked = rank(
            pool,
            limits=limits,
            active=candidates.paths_in(terms),
            window=candidates.window_of(text, now_ms),
            now_ms=now_ms,
            profile=how.profile,
        )
        if limits.encoder and not parsed.phrases and with_meaning:
            ranked = self._meaning.added(text, request, ranked, terms)
        return how.rerank(text, ranked[: max(limit * how.over_fetch, limit)], now_ms)[:limit]

    def _hits(self, request: Request, words: Sequence[str], limit: int) -> list[tuple[int, float]]:
        """Return the hits for some of the words, with all conditions of the request."""
        details = request._replace(words=tuple(words))
        over = None if request.conditions else max(memories.RANKED_OVER, limit)
        return memories.ranked_hits(self._context.database, details, limit=limit, over=over)

    def account(self, question: Query | str, hit: Hit) -> tuple[str, ...]:
        """Return in words why `hit` matches the question, the weightiest reason first."""
        from ..recall.candidates import keywords, match

        parts, memory = hit.parts, hit.memory
        if reasons := tuple(says for name, says in _WITHOUT_QUERY.items() if name in parts):
            return reasons
        if isinstance(question, Query):
            question = " ".join((*question.words, *question.phrases))
        terms = keywords(question, self._context.reader().aliases(self._context.project_id))
        image = {
            name: getattr(memory, name) for name in "title content tags files category".split()
        }
        has = [term.text for term in match([t._replace(synonyms=()) for t in terms], image).terms]
        text = []
        if has:
            words = f"{len(has)} of {len(terms)} words" if len(terms) > 1 else "the word"
            text.append(f"has {words}: {', '.join(has)}")
        enough = max(_LEAST_SHARE * hit.score, 1e-9)
        if sum(parts.get(name, 0.0) for name in _LENT) >= enough:
            text.append("its session matches")
        text += [says for name, says in _PARTS.items() if parts.get(name, 0.0) >= enough]
        if parts.get("importance", 0.0) > 0 and memory.importance >= _IMPORTANT:
            text.append("it is important")
        helpful, unhelpful = memory.helpful or 0, memory.unhelpful or 0
        if helpful != unhelpful:
            text.append(f"you called it {'helpful' if helpful > unhelpful else 'not helpful'}")
        return tuple(text)

    def request(
        self, parsed: Query, words: Sequence[str] | None = None, *, prefix_last: bool = False
    ) -> Request:
        """Return the request for the store, by `words` or the query's own, for the viewer."""
        viewer = self._context.viewer
        request = asked_of(
            parsed,
            words=parsed.words if words is None else words,
            project=self._context.project_id,
            projects=self._project_ids() if parsed.of("project") else {},
            now=self._context.now(),
            prefix_last=prefix_last,
        )
        if viewer is None:
            return request
        return narrowed(request, viewer)

    def _project_ids(self) -> dict[str, str]:
        """Return ids of projects by id and by name. A name of several means the current one."""
        names, here = project_names(self._context), self._context.project
        by_name = {name: key for key, name in names.items()}
        return {**by_name, **{key: key for key in names}, here.name: here.id, here.id: here.id}

    # --- suggestions for a text

    def neighbours(
        self, text: str, *, without: str | None = None, limit: int = 5
    ) -> tuple[Neighbour, ...]:
        """Return the live memories nearest to a text, nearest first, each with its similarity."""
        from ..ingest.pipeline import nearest

        return nearest(text, self.sharing_words(text, without), limit=limit)

    def sharing_words(self, text: str, without: str | None = None) -> list[Neighbour]:
        """Return memories that share words with a text, by the index; no similarity yet."""
        matches = memories.neighbours(*self._context.here, _shared_words(text), NEIGHBOURS)
        return [neighbour_of(row) for row in matches if row["id"] != without]

    def since(self, seq: int, text: str, around: list[Neighbour]) -> list[Neighbour]:
        """Return `around`, the neighbours of a text, updated by writes since entry `seq`: the
        same list object if none of them is a neighbour."""
        written = memories.written_since(self._context.database, seq)
        if not written:
            return around
        rows = memories.neighbours(*self._context.here, _shared_words(text), among=written)
        same = [item for item in around if item.id not in written]
        return [*same, *map(neighbour_of, rows)] if rows or len(same) < len(around) else around

    # --- counts

    def facets(self, query: Query | str = "") -> dict[str, list[tuple[str, int]]]:
        """Return the counts by facet and value, the most common first; projects by name."""
        request = self.request(as_query(query), prefix_last=True)
        counts = memories.facets(self._context.database, request)
        names = project_names(self._context)
        if len(names) > 1:
            elsewhere = memories.by_project(self._context.database, request._replace(project=None))
        else:  # the only project there is: its number is known already
            elsewhere = {self._context.project_id: sum(counts["type"].values())} if names else {}
        counts["project"] = {names.get(key, key): n for key, n in elsewhere.items()}
        return {
            facet: sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
            for facet, values in counts.items()
        }

    def count(self, query: Query | str = "") -> int:
        return memories.count(
            self._context.database, self.request(as_query(query), prefix_last=True)
        )

    def standing(self, *flags: str) -> tuple[int, ...]:
        """Return the number of live memories, and of each of `flags`, which are those of `is:`."""
        return tuple(memories.counts(self._context.database, self.request(as_query("")), flags))

    def conflict_count(self) -> int:
        """Return the number of open conflicts that agents receive."""
        return reviews.open_conflicts(*self._context.here)

    def stats(self) -> Stats:
        """Return counts over the project's live memories, and the sizes on disk."""
        counts = self.facets("")
        by_type = dict(counts["type"])
        return Stats(
            total_count=sum(by_type.values()),
            by_type=by_type,
            by_status=dict(counts["status"]),
            by_category=dict(counts["category"]),
            by_tier={name: dict(counts["tier"]).get(name, 0) for name in TIERS},
            totals=ageing.totals(*self._context.here),
            retired=self.count("is:retired"),
            conflicts=self.conflict_count(),
            expiring=self.count("is:expiring"),
            database_bytes=memories.size_of(self._context.home.database),
            journal_bytes=memories.size_of(self._context.home.journal),
        )

    def nums(self, query: Query | str = "", limit: int | None = None) -> Sequence[int]:
        """Return the row numbers for `list`, at 8 bytes each, withheld memories included."""
        request = self.request(parsed := as_query(query), prefix_last=True)
        most = -1 if limit is None else limit
        nums, _ = self._in_phase(parsed, request, "exact", most)
        return nums if limit is None else nums[:limit]

    # --- help for a query that finds nothing, and the profile

    def suggest(self, query: Query | str) -> Suggestion:
        """Return suggestions that have matches if `query` has none."""
        parsed = as_query(query)
        request = self.request(parsed, prefix_last=True)
        database = self._context.database
        is_person = self._context.viewer is None  # an agent receives nothing of other projects
        wider = request._replace(project=None)
        everywhere = memories.by_project(database, wider) if is_person else {}
        return Suggestion(
            did_you_mean=self._nearest_query(parsed),
            other_projects=sum(n for key, n in everywhere.items() if key != request.project),
            retired=memories.count(database, request._replace(retired=True)),
        )

    def suggest_instead(self, prompt: str) -> Suggestion:
        """Return the same for a prompt, with its spelling corrected. Empty for small talk."""
        from ..recall.candidates import keywords

        words = tuple(term.text for term in keywords(prompt) if term.kind in ("word", "common"))
        if not words:
            return Suggestion(None, 0, 0)
        suggestion = self.suggest(Query(words=words))
        if suggestion.did_you_mean is None:
            return suggestion
        corrected = prompt
        for word, new in zip(words, parse(suggestion.did_you_mean).words, strict=False):
            corrected = re.sub(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", new, corrected)
        return suggestion._replace(did_you_mean=corrected)

    def _nearest_query(self, parsed: Query) -> str | None:
        words = [self._nearest_word(word) for word in parsed.words]
        if all(new == old for new, old in zip(words, parsed.words, strict=True)):
            return None
        corrected = str(replace(parsed, words=tuple(words)))
        return corrected if self.count(corrected) else None

    def _nearest_word(self, word: str) -> str:
        """Return the correction of `word`; itself if some memory has it."""
        from ..recall.expansion import SHORTEST, meant_by

        lower = word.lower()
        if len(lower) < SHORTEST or self.count(f'"{lower}"'):
            return word
        targets = meant_by(lower, self._context.reader().near_words)
        return self._as_written(targets[0], lower) if targets else word

    def _as_written(self, stem: str, word: str) -> str:
        """Return a stem of the index (`monei`) as a memory writes it; `word` if none does."""
        written = {
            token
            for hit in self.search(f'"{stem}"', limit=5)
            for token in letters_and_digits(hit.memory.content.lower())
            if token[0] == stem[0]
        }
        from rapidfuzz import fuzz, process

        best = process.extractOne(stem, sorted(written), scorer=fuzz.ratio)
        return str(best[0]) if best else word

    def profile(self) -> Profile:
        """Return the memories of `is:me`: preferences by category, patterns by domain."""
        profile: Profile = {"preference": {}, "pattern": {}}
        for memory in self.list("is:me sort:importance"):
            profile[memory.category].setdefault(_group_of(memory), []).append(memory)
        return {category: dict(sorted(groups.items())) for category, groups in profile.items()}

    def list(self, query: Query | str = "", limit: int | None = None) -> Memories:
        """Return the matching memories, newest first (or as `sort:` says); all without a limit."""
        return self._context.memories(self.nums(query, limit))  # last: the name hides the type


def as_query(query: Query | str) -> Query:
    """Return the query for a text. Raises BadInput for other values."""
    if isinstance(query, str):
        return parse(clean(query))
    if isinstance(query, Query):
        return query
    raise BadInput(f"A query is a text, not {type(query).__name__}.")


def _narrower(request: Request, conditions: Sequence[tuple[Condition, ...]]) -> Request:
    return request._replace(conditions=(*request.conditions, *conditions))


def _is_one_letter(request: Request) -> bool:
    """Return True for a single letter. Ranking it would take a second at a million memories."""
    return not request.phrases and len(request.words) == 1 and len(request.words[0]) == 1


@lru_cache(maxsize=4)
def _shared_words(text: str) -> tuple[str, ...]:
    """Return the words by which the index finds the neighbours of a text."""
    from ..recall.candidates import index_words, keywords

    terms = keywords(text, {})
    rare = [term for term in terms if term.kind != "common"]
    return index_words(rare if len(rare) >= ENOUGH_WORDS else terms)


def neighbour_of(row: Image) -> Neighbour:
    from ..answers import Neighbour

    return of_row(
        Neighbour,
        row,
        title=headline(row["title"], row["content"]),
        created_ms=row["created_at"],
        is_private=row["privacy"] != "public",
    )


def _row(row: Image, words: Sequence[str]) -> Row:
    return of_row(
        Row,
        row,
        title=headline(row["title"], row["start"]),
        created_ms=row["created_at"],
        expires_ms=row["expires"],
        excerpt=_excerpt(row["start"], words),
        project="",  # `rows` names that of another project
    )


def _link(row: Image) -> Link:
    from ..answers import Link

    title = headline(row["other_title"] or "", row["other_start"] or "")
    return of_row(Link, row, other_title=title)


def other_projects(context: Context, rows: Mapping[int, Image]) -> dict[int, str]:
    """Map row number to project name, for rows of other projects than the open one."""
    own = ("", context.project_id)
    theirs = {num: row["project"] for num, row in rows.items() if row["project"] not in own}
    names = {project.id: project.name for project in context.projects()} if theirs else {}
    return {num: names.get(project, project) for num, project in theirs.items()}


def _group_of(memory: Memory) -> str:
    """Return the category or domain of a memory: the tag behind `preference` or `pattern`."""
    tags = [tag.lower() for tag in memory.tags]
    if memory.category in tags and (rest := tags[tags.index(memory.category) + 1 :]):
        return rest[0]
    others = [tag for tag in tags if tag not in ("global", memory.category)]
    return others[0] if others else GENERAL


# --- why a memory matches, in words

_LEAST_SHARE = 0.05  # share of the score, 0-1, from which on a part gets a sentence
_LENT = ("near", "together", "before")  # parts that the session adds
_IMPORTANT = 0.7  # importance, 0-1, from which on a memory is called important

_WITHOUT_QUERY: Mapping[str, str] = {
    "pinned": "it is pinned",
    "working": "it is the session's working memory",
    "rival": "it contradicts one that is injected",
    "open": "it is open",
    "preference": "it is what you prefer",
    "profile": "it is part of your profile",
    "told": "the session received it before",
    "task": "it fits the subagent's task",
    "handover": "the session before left it",
    "fix": "it says what made such a command work",
    "role": "agents of this role learned it",
}
"""Sentences for parts of a score without a query."""

_PARTS: Mapping[str, str] = {
    "when": "it is from the time that you ask about",
    "speaker": "the agent that you name learned it",
    "files": "one of its files is in your hands",
    "recency": "it is recent",
    "meaning": "its meaning is near",
}
"""Sentences for parts of a score."""


EXCERPT = 320  # characters of an excerpt; more than two lines of a wide screen
BEFORE = 32  # characters before the first matching word
READ_AS_BEGINNING = 72  # a word within so many characters is seen from the beginning


def _excerpt(text: str, words: Sequence[str] = ()) -> str:
    """At most EXCERPT characters of `text`, from the first of `words` in it, at a word's start.

    Words match as in a search: at the beginning of a word, in any case. `…` marks
    omitted text before it.
    """
    pattern = terms_pattern(words)
    match = pattern.search(text) if pattern else None
    start = match.start() if match else 0
    if start <= READ_AS_BEGINNING:
        return text[:EXCERPT]
    begins = text.rfind(" ", 0, start - BEFORE // 2)
    begins = begins + 1 if begins >= start - BEFORE else start
    return "…" + text[begins : begins + EXCERPT - 1]


def terms_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for the terms, at the beginning of words; None when there is nothing to find.

    Matching is by prefix, as in a search while typing.
    """
    existing = sorted({term.strip() for term in terms if term.strip()}, key=len, reverse=True)
    if not existing:
        return None
    # Scripts without spaces have no word beginnings to hold on to.
    parts = [
        rf"(?<!\w){re.escape(term)}" if term.isascii() else re.escape(term) for term in existing
    ]
    return re.compile("|".join(parts), re.IGNORECASE)
