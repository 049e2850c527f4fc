"""The services over one store, each made on first use with the services that it needs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..db.connection import mapped_errors
from ..db.home import Home
from .context import Context

if TYPE_CHECKING:
    from . import services  # noqa: I001
    from .services import (  # noqa: F401 - so that mypy has read them
        audit, bulk, curation, ingest, maintenance, meaning, models, preferences, projects, recall,
        receipts, review, review_entries, search, secrets, sessions, settings, sources, staleness,
        summaries, transfer, vitals, working_memory, worth, writer,
    )  # fmt: skip
    from .values import Memory


class _Part:
    """The context or a service that a service declares, handed over at its first use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, service: Any, _kind: type) -> Any:
        part = vars(service)[f"_{self._name}"] = getattr(vars(service)["memdeck"], self._name)
        return part


class Memdeck:
    """One open store, seen from one project, as its services.

    A service is given what its class declares, such as `_context` and `_review`. It is given
    another service when it first uses it, so that a command imports only what it needs.
    """

    audit: "services.audit.Audit"
    bulk: "services.bulk.Bulk"
    captures: "services.ingest.Captures"
    curation: "services.curation.Curation"
    extractor: "services.models.Extractor"
    imports: "services.transfer.Imports"
    maintenance: "services.maintenance.Maintenance"
    meaning: "services.meaning.Meaning"
    preferences: "services.preferences.Preferences"
    projects: "services.projects.Projects"
    recall: "services.recall.Recall"
    receipts: "services.receipts.Receipts"
    review: "services.review.Review"
    review_entries: "services.review_entries.ReviewEntries"
    search: "services.search.Search"
    sessions: "services.sessions.Sessions"
    settings_book: "services.settings.SettingsBook"
    sources: "services.sources.Sources"
    staleness: "services.staleness.Staleness"
    summaries: "services.summaries.Summaries"
    sweep: "services.secrets.Sweep"
    vitals: "services.vitals.Vitals"
    working_memory: "services.working_memory.WorkingMemory"
    worths: "services.worth.Worths"
    writer: "services.writer.Writer"

    def __init__(self, context: Context) -> None:
        self.context = context

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make a service, and keep it."""
            if name not in Memdeck.__annotations__:
                raise AttributeError(name)
            module, _, kind = Memdeck.__annotations__[name].rpartition(".")
            service_class = getattr(import_module(f".{module}", __package__), kind)
            for part in service_class.__annotations__:
                if part not in vars(service_class):
                    setattr(service_class, part, _Part(part.removeprefix("_")))
            service = service_class()
            vars(service)["memdeck"] = self
            setattr(self, name, service)
            return service

    def pin_words(self, memory: "Memory | None" = None) -> str:
        """Return how many pins are injected at a start, and whether `memory` is; "" if none lacks
        room. A start is only computed if there are more pins than its limit.
        """
        if self.search.standing("pinned")[1] <= self.context.policy.recall.max_pinned:
            return ""
        pins = self.recall.pins()
        words = f"{len(pins.injected)} of {pins.count} pins fit into a start"
        if memory is None:
            return words
        return f"{words}, this one {'fits' if memory.id in pins.injected else 'does not'}"


@contextmanager
def open_services(
    home: str | os.PathLike[str] | Home | None = None,
    project: str | os.PathLike[str] | None = None,
    **who: Any,
) -> Iterator[Memdeck]:
    """Open the services over the store of `home`; `open_memory` imports all of them.
    The database's errors come as ours. Raises StoreUnusable.
    """
    with mapped_errors(), Context.open(home, project, **who) as context:
        yield Memdeck(context)
