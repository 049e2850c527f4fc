"""Help for a query that finds nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...db import memories
from ..query.language import Query, parse
from ..recall.candidates import keywords
from ..recall.expansion import SHORTEST, meant_by
from .search import Search, as_query

if TYPE_CHECKING:
    from ..context import Context

_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Suggestions for a query without matches."""

    did_you_mean: str | None  # the query with words that exist
    other_projects: int  # memories elsewhere that would match
    retired: int  # retired memories here that would match

    @property
    def is_empty(self) -> bool:
        """Return True without any suggestion."""
        return not any((self.did_you_mean, self.other_projects, self.retired))


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Corrections and other places for a query."""

    _context: Context
    _search: Search

    def suggest(self, query: Query | str) -> Suggestion:
        """Return what would find something if `query` found nothing."""
        parsed = as_query(query)
        request = self._search.request(parsed, prefix_last=True)
        database = self._context.database
        is_person = self._context.viewer is None  # an agent hears nothing of other projects
        wider = replace(request, project=None)
        everywhere = memories.by_project(database, wider) if is_person else {}
        return Suggestion(
            did_you_mean=self._nearest_query(parsed),
            other_projects=sum(n for key, n in everywhere.items() if key != request.project),
            retired=memories.count(database, replace(request, retired=True)),
        )

    def suggest_instead(self, prompt: str) -> Suggestion:
        """Return the same for a prompt, with its spelling corrected. Empty for small talk."""
        words = tuple(term.text for term in keywords(prompt) if term.kind in ("word", "common"))
        if not words:
            return Suggestion(None, 0, 0)
        suggestion = self.suggest(Query(words=words))
        if suggestion.did_you_mean is None:
            return suggestion
        mended = prompt
        for word, new in zip(words, parse(suggestion.did_you_mean).words, strict=False):
            mended = re.sub(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", new, mended)
        return replace(suggestion, did_you_mean=mended)

    def _nearest_query(self, parsed: Query) -> str | None:
        words = [self._nearest_word(word) for word in parsed.words]
        if all(new == old for new, old in zip(words, parsed.words, strict=True)):
            return None
        mended = str(replace(parsed, words=tuple(words)))
        return mended if self._search.count(mended) else None

    def _nearest_word(self, word: str) -> str:
        """Return the correction of `word`; itself if some memory has it."""
        lower = word.lower()
        if len(lower) < SHORTEST or self._search.count(f'"{lower}"'):
            return word
        targets = meant_by(lower, self._context.reader().near_words)
        return self._as_written(targets[0], lower) if targets else word

    def _as_written(self, stem: str, word: str) -> str:
        """Return a stem of the index (`monei`) as a memory writes it; `word` if none does."""
        written = {
            token
            for hit in self._search.search(f'"{stem}"', limit=5)
            for token in _TOKEN.findall(hit.memory.content.lower())
            if token[0] == stem[0]
        }
        from rapidfuzz import fuzz, process

        best = process.extractOne(stem, sorted(written), scorer=fuzz.ratio)
        return str(best[0]) if best else word
