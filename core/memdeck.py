"""The services over one store, each made when it is first asked for, and told whom it needs.

Only what is used is imported. Services are composed: none inherits from another.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..db.connection import mapped_errors
from ..db.home import Home
from .context import Context

if TYPE_CHECKING:
    from . import services
    from .services.audit import Audit
    from .services.bulk import Bulk
    from .services.curation import Curation
    from .services.extractor_state import ExtractorState
    from .services.ingest import Captures
    from .services.maintenance import Duty, Maintenance
    from .services.models import Extractor
    from .services.past import Past
    from .services.preferences import Preferences, SavedViews
    from .services.profile import ProfileBook
    from .services.projects import Projects
    from .services.recall import Recall
    from .services.receipts import Receipts
    from .services.review import Review
    from .services.search import Search
    from .services.secrets import Sweep
    from .services.sessions import Sessions
    from .services.settings import SettingsBook
    from .services.sources import Sources
    from .services.staleness import Staleness
    from .services.suggestions import Suggestions
    from .services.summaries import Summaries
    from .services.transfer import Imports
    from .services.vitals import Vitals
    from .services.working_memory import WorkingMemory
    from .services.worth import Worths
    from .services.writer import Writer
else:

    class _Services:
        """The package, whose modules are loaded as they are first named: most are not needed."""

        def __getattr__(self, module: str) -> Any:
            return import_module(f"{__package__}.services.{module}")

    services = _Services()


class Memdeck:
    """One open store, seen from one project, as its services."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @cached_property
    def saved_views(self) -> "SavedViews":
        return services.preferences.SavedViews(self.context)

    @cached_property
    def preferences(self) -> "Preferences":
        return services.preferences.Preferences(self.context)

    @cached_property
    def sessions(self) -> "Sessions":
        return services.sessions.Sessions(
            self.context, self.preferences, lambda: self.receipts, lambda: self.review
        )

    @cached_property
    def receipts(self) -> "Receipts":
        return services.receipts.Receipts(self.context, self.sessions)

    @cached_property
    def writer(self) -> "Writer":
        return services.writer.Writer(self.context)

    @cached_property
    def curation(self) -> "Curation":
        return services.curation.Curation(self.context, self.writer)

    @cached_property
    def bulk(self) -> "Bulk":
        return services.bulk.Bulk(self.context)

    @cached_property
    def review(self) -> "Review":
        return services.review.Review(
            self.context, self.writer, self.curation, self.staleness, self.search
        )

    @cached_property
    def working_memory(self) -> "WorkingMemory":
        return services.working_memory.WorkingMemory(self.context, self.writer)

    @cached_property
    def maintenance(self) -> "Maintenance":
        return services.maintenance.Maintenance(
            self.context, self._duties, lambda: self.worths.weigh()
        )

    def _duties(self) -> "list[Duty]":
        """The kinds of upkeep that the settings leave on, in the order in which they are done."""
        from .services.maintenance import (
            Duplicates,
            Eviction,
            Expiry,
            Folding,
            Quarantine,
            WorkingExpiry,
        )

        chosen = self.context.policy.lifecycle
        duties: list[Duty] = [
            Quarantine(self.context),
            WorkingExpiry(self.context, self.writer),
        ]
        if chosen.consolidation:  # before its episodes grow too old
            duties.append(self._consolidation())
        if chosen.summaries:
            duties.append(Folding(self.context, self.writer))
        if chosen.expiry:
            duties.append(Expiry(self.context, self.writer))
        if chosen.eviction:
            duties.append(Eviction(self.context, self.writer))
        if chosen.staleness:
            duties.append(self.staleness)
        duties.append(Duplicates(self.context, self.review))
        return duties

    def _consolidation(self) -> "Duty":
        from .services.maintenance import Consolidation

        return Consolidation(self.context, self.writer, self.review)

    @cached_property
    def summaries(self) -> "Summaries":
        return services.summaries.Summaries(self.context)

    @cached_property
    def staleness(self) -> "Staleness":
        return services.staleness.Staleness(self.context, self.writer)

    @cached_property
    def imports(self) -> "Imports":
        return services.transfer.Imports(self.context, self.writer)

    @cached_property
    def sources(self) -> "Sources":
        return services.sources.Sources(self.context, self.imports, self.curation, self.review)

    @cached_property
    def projects(self) -> "Projects":
        return services.projects.Projects(self.context)

    @cached_property
    def vitals(self) -> "Vitals":
        return services.vitals.Vitals(
            self.context,
            self.receipts,
            self.search,
            self.preferences,
            self.review,
            self.maintenance,
            self.projects,
        )

    @cached_property
    def captures(self) -> "Captures":
        return services.ingest.Captures(
            self.context, self.review, self.writer, self.sessions, self.preferences
        )

    @cached_property
    def extractor(self) -> "Extractor":
        return services.models.Extractor(
            self.context,
            self.preferences,
            self.sessions,
            self.review,
            self.writer,
            self.curation,
            self.captures,
        )

    @cached_property
    def settings_book(self) -> "SettingsBook":
        return services.settings.SettingsBook(self.context)

    @cached_property
    def search(self) -> "Search":
        return services.search.Search(self.context)

    @cached_property
    def suggestions(self) -> "Suggestions":
        return services.suggestions.Suggestions(self.context, self.search)

    @cached_property
    def profile_book(self) -> "ProfileBook":
        return services.profile.ProfileBook(self.captures, self.curation, self.search)

    @cached_property
    def recall(self) -> "Recall":
        return services.recall.Recall(
            self.context,
            self.preferences,
            self.sessions,
            self.receipts,
            self.search,
        )

    @cached_property
    def worths(self) -> "Worths":
        return services.worth.Worths(self.context)

    @cached_property
    def audit(self) -> "Audit":
        return services.audit.Audit(self.context)

    @cached_property
    def past(self) -> "Past":
        return services.past.Past(self.context)

    @cached_property
    def sweep(self) -> "Sweep":
        return services.secrets.Sweep(self.context)

    def extractor_state(self) -> "ExtractorState":
        """How the model that reads sessions stands; where none is, its libraries are left out."""
        from .services.extractor_state import idle_state

        return idle_state(self.context, self.preferences) or self.extractor.state()


@contextmanager
def open_services(
    home: str | os.PathLike[str] | Home | None = None,
    project: str | os.PathLike[str] | None = None,
    **who: Any,
) -> Iterator[Memdeck]:
    """The services over the store of `home`, for whoever uses few: `open_memory` imports them all.
    The database's errors come as ours. Raises StoreUnusable.
    """
    with mapped_errors(), Context.open(home, project, **who) as context:
        yield Memdeck(context)
