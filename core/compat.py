"""The facade over one store: capture, curation, search, recall, history.

    with open_memory(project="~/src/acme-api") as memory:
        memory.remember("Integration tests need `make test-db` first.")
        for hit in memory.search("how do I run the integration tests?"):
            print(hit.memory.title, hit.score)

Each act is a service's, named here once; `core/memdeck.py` lists the services.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from importlib import import_module
from operator import attrgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, cast

from ..db.connection import mapped_errors
from ..db.errors import BadInput, WrongThread
from ..db.home import Home, home_at
from ..db.store import Progress, Store
from .context import Confirm, Consent, Context, Project
from .memdeck import Memdeck

_SERVICES = {  # class: its module, and where `Memdeck` has the service
    "Consent": ("context", "context.consent"),
    "Context": ("context", "context"),
    **{
        kind.rpartition(".")[2]: (kind.rpartition(".")[0], name)
        for name, kind in Memdeck.__annotations__.items()
    },
}

if TYPE_CHECKING:
    from .backends import CoreBackend
    from .config.settings import Policy
    from .query.language import Query
    from .services.audit import Audit
    from .services.curation import Curation
    from .services.ingest import Captures
    from .services.maintenance import Maintenance
    from .services.models import Extractor
    from .services.preferences import Preferences, Switches
    from .services.recall import Recall
    from .services.receipts import Receipts
    from .services.review import Review
    from .services.review_entries import ReviewEntries
    from .services.search import Search
    from .services.secrets import Sweep
    from .services.sessions import Sessions
    from .services.summaries import Summaries
    from .services.transfer import Imports
    from .services.working_memory import WorkingMemory
    from .services.worth import Worths
else:

    class _Class:
        """Names the acts of a service's class without importing its module."""

        def __init__(self, name):
            self._name = name

        def __getattr__(self, act):
            return SimpleNamespace(__qualname__=f"{self._name}.{act}")

    globals().update({name: _Class(name) for name in _SERVICES if name not in globals()})

T = TypeVar("T")
P = ParamSpec("P")

__all__ = ["MemoryCoordinator", "open_memory"]


def act_here(
    act: Callable[Concatenate[MemoryCoordinator, P], T],
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """`act`, refused in another thread, with the database's errors as ours, and with consent."""

    @wraps(act)
    def acted(core: MemoryCoordinator, /, *args: P.args, **named: P.kwargs) -> T:
        if not core.context.is_own_thread:
            raise WrongThread("This store was opened by another thread.")
        with mapped_errors():
            return core.context.consent.with_consent(lambda: act(core, *args, **named))

    return acted


class _Act:
    """A service's act in the coordinator's class, imported when it is first used."""

    def __init__(self, service: str, act: str, *, any_thread: bool = False) -> None:
        self._service, self._act, self._any_thread = service, act, any_thread

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, core: object, owner: type) -> Any:
        module, attribute = _SERVICES[self._service]
        service_class = getattr(import_module(f"{__package__}.{module}"), self._service)
        act, service_of = getattr(service_class, self._act), attrgetter(attribute)

        @act_here
        @wraps(act)
        def acted(core: MemoryCoordinator, /, *values: Any, **named: Any) -> Any:
            try:
                return act(service_of(core.services), *values, **named)
            except (TypeError, AttributeError) as error:
                _must_fit(act, values, named, error)
                raise

        @wraps(act)
        def anywhere(core: MemoryCoordinator, /, *values: Any, **named: Any) -> Any:
            if core.context.is_own_thread:
                return acted(core, *values, **named)
            with mapped_errors(), type(core)(context=core.context.elsewhere()) as other:
                return acted(other, *values, **named)

        named_act = anywhere if self._any_thread else acted
        setattr(self._owner, self._name, named_act)
        return named_act if core is None else named_act.__get__(core, owner)


def _must_fit(
    act: Callable[..., Any], values: Sequence[Any], named: Mapping[str, Any], error: Exception
) -> None:
    """Raise BadInput if an act failed because a text, or anything at all, is missing."""
    kinds = {name: str(kind) for name, kind in act.__annotations__.items() if name != "return"}
    for name, value in (*zip(kinds, values, strict=False), *named.items()):
        kind = kinds.get(name, "Any")
        is_missing = value is None and kind not in ("Any", "object") and "None" not in kind
        if is_missing or (kind == "str" and not isinstance(value, str)):
            wanted = "a text" if kind == "str" else f"a value of the kind {kind}"
            hint = f"Give {wanted}: `help(memory.{act.__name__})` says more."
            raise BadInput(f"{name} cannot be {value!r:.60}.", hint=hint) from error


def act_of(
    act: Callable[Concatenate[Any, P], T], *, any_thread: bool = False
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """Return a service's act as one of the coordinator's; `any_thread`: for all threads."""
    return cast(
        "Callable[Concatenate[MemoryCoordinator, P], T]",
        _Act(*act.__qualname__.split("."), any_thread=any_thread),
    )


class MemoryCoordinator:
    """The public interface of memdeck's core. Everything it returns is frozen.

    In another thread than the one that opened it, only `store` and `interrupt` may be called:
    other acts raise WrongThread. Acts raise subclasses of `ManagerError`, whose `hint` says
    what to do.
    """

    def __init__(
        self,
        db_path: str | os.PathLike[str] | Home | None = None,
        project: str | os.PathLike[str] | None = None,
        *,
        session_id: str | None = None,
        confirmation_callback: Confirm | None = None,
        context: Context | None = None,
    ) -> None:
        """The store at `db_path`: a home, the `memory.db` in it, or `":memory:"`, which is
        gone when it is closed. `context` is one that is open already. Raises BadInput.
        """
        home, clear_away = home_at(db_path)
        self._clear_away = weakref.finalize(self, clear_away)
        with mapped_errors():
            self.context = context or Context.open(
                home, project, session=session_id, confirmation_callback=confirmation_callback
            )
        self.services = Memdeck(self.context)
        self._past: tuple[int, MemoryCoordinator] | None = None  # an entry, the store after it

    @classmethod
    def open(
        cls,
        home: str | os.PathLike[str] | Home | None = None,
        project: str | os.PathLike[str] | None = None,
        **who: Any,
    ) -> Self:
        """The store of `home` (default: MEMDECK_HOME or the platform's), seen from `project`.

        A project is a folder, a name or an id; by default the folder we are in. `who` may hold
        `session`, `agent`, `actor`, `clock`, `entropy`, and `is_typed`: the user typed the
        agent's command. `confirmation_callback` gets a question before a change that every project
        receives, and returns True if the user agrees; without it that is refused. Raises
        StoreUnusable.
        """
        with mapped_errors():
            return cls(context=Context.open(home, project, **who))

    def close(self) -> None:
        if self._past is not None:
            self._past[1].close()
        with mapped_errors():
            self.context.close()
        self._clear_away()

    def interrupt(self) -> None:
        """Stop the query that runs now. Safe from any thread."""
        with mapped_errors():
            self.context.store.interrupt()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- where it looks from

    @property
    def home(self) -> Home:
        return self.context.home

    @property
    def project(self) -> Project:
        return self.context.project

    @property
    def policy(self) -> Policy:
        """Return all settings: the home's `config.toml`, then the project's `.memdeck.toml`."""
        return self.context.policy

    @property
    def is_read_only(self) -> bool:
        """Return True if the store can only be read from here, as in an agent's sandbox."""
        return self.context.store.is_read_only

    @act_here
    def problems_at_opening(self) -> list[str]:
        """Lines of the journal that were no whole records when the store was opened."""
        return [*self.context.store.skipped]

    @property
    def _store(self) -> Store:
        """Return the store itself, for tests that break it."""
        return self.context.store

    @property
    def backend(self) -> CoreBackend:
        """Return the memories that are seen from here as items of context."""
        from .backends import CoreBackend

        return CoreBackend(self)

    @property
    def maintenance(self) -> Maintenance:
        return self.services.maintenance

    @property
    def extractor(self) -> Extractor:
        """Return the model that reads sessions, if the user has chosen one."""
        return self.services.extractor

    @property
    @act_here
    def auto_memory(self) -> bool:
        """Return True if sessions of this project are recorded, by settings and switches."""
        return self.services.preferences.auto_memory

    @property
    @act_here
    def ceiling(self) -> int | None:
        """Return the budget's ceiling in tokens that was chosen here; None: the settings'."""
        return self.services.preferences.ceiling

    @property
    @act_here
    def switches(self) -> Switches:
        """Return every switch of this project."""
        return self.services.preferences.switches

    @act_here
    def route_retrieval(
        self, query: str, memory_types: Sequence[str] = (), token_budget: int = 8_000
    ) -> str:
        """Return the memories for a query as one text within the budget."""
        return self.services.recall.context(query, memory_types, token_budget)[0]

    @act_here
    def as_of(self, when: datetime | int, progress: Progress | None = None) -> MemoryCoordinator:
        """The store as it was at a moment, or after an entry; to be closed. See `Audit.as_of`."""
        return MemoryCoordinator(context=self.services.audit.as_of(when, progress))

    @act_here
    def at(self, query: Query) -> MemoryCoordinator:
        """Return the store as of a query's `at:`, or this one. It is closed with this one."""
        if query.at is None:
            return self
        from .query.language import when_of

        when = when_of(query.at, self.now())
        point = self.services.audit.point(when)
        if self._past is None or self._past[0] != point.entry:
            if self._past is not None:
                self._past[1].close()
            self._past = point.entry, self.as_of(when)
        return self._past[1]

    # --- the context's

    now = act_of(Context.now)
    now_ms = act_of(Context.now_ms)
    is_here = act_of(Context.is_here)
    projects = act_of(Context.projects)
    show = resolve = act_of(Context.resolve)
    settings_problems = act_of(Context.settings_problems)
    redaction_choice = act_of(Context.redaction_choice)
    as_one_act = act_of(Context.as_one_act)
    agreeing = act_of(Consent.agreeing)

    # --- receipts

    receipts = act_of(Receipts.newest)
    receipt = act_of(Receipts.receipt)
    receipt_named = act_of(Receipts.receipt_named)
    health = act_of(Receipts.health)
    keep_receipt = act_of(Receipts.keep_receipt)
    note_known = act_of(Receipts.note_known)
    feedback = act_of(Receipts.feedback)

    # --- preferences

    profile = act_of(Search.profile)
    aliases = act_of(Preferences.aliases)
    add_alias = act_of(Preferences.add_alias)
    remove_alias = act_of(Preferences.remove_alias)
    set_ceiling = act_of(Preferences.set_ceiling)
    set_preset = act_of(Preferences.set_preset)
    set_switch = act_of(Preferences.set_switch)

    # --- sessions

    session_seen = act_of(Sessions.session_seen)
    session_goal = act_of(Sessions.session_goal)
    sessions = act_of(Sessions.sessions)
    session_named = act_of(Sessions.session_named)
    fork_session = act_of(Sessions.fork_session)
    set_incognito = act_of(Sessions.set_incognito)
    is_recorded = act_of(Preferences.is_recorded)
    summaries = act_of(Summaries.summaries)
    opened_summary = act_of(Summaries.opened_summary)
    has_ended = act_of(Sessions.has_ended)
    note_activity = act_of(Sessions.note_activity)
    activity = act_of(Sessions.activity)
    transcript_mark = act_of(Sessions.transcript_mark)
    set_transcript_mark = act_of(Sessions.set_transcript_mark)
    marker_at_mark = act_of(Sessions.marker_at_mark)

    checkpoint = act_of(Sessions.checkpoint)
    checkpoints = act_of(Sessions.checkpoints)
    finalize_session = act_of(Sessions.finalize_session)
    session_ended = act_of(Sessions.session_ended)
    end_quarantines = act_of(Maintenance.end_quarantines)

    # --- curation

    edit = act_of(Curation.edit)
    pin = act_of(Curation.pin)
    unpin = act_of(Curation.unpin)
    confirm = act_of(Curation.confirm)
    keep = act_of(Curation.keep)
    promote = act_of(Curation.promote)
    demote = act_of(Curation.demote)
    forget = act_of(Curation.forget)
    done = act_of(Curation.done)
    delete_memory = act_of(Curation.delete_memory)
    restore = act_of(Curation.restore)
    retag = act_of(Curation.retag)
    link = act_of(Curation.link)
    merge = act_of(Curation.merge)

    # --- inbox

    neighbours = act_of(Search.neighbours)
    envelope = act_of(Review.envelope)
    recordings = act_of(Review.recordings)
    salience = act_of(Review.salience)
    reviews = act_of(Review.reviews)
    candidacy = act_of(Review.candidacy)
    wanted_everywhere = act_of(ReviewEntries.wanted_everywhere)
    accept = act_of(Review.accept)
    accept_edited = act_of(Review.accept_edited)
    reject = act_of(Review.reject)
    snooze = act_of(Review.snooze)
    refused_captures = act_of(Review.refused_captures)

    # --- conflicts, working memory, imports

    conflicts = act_of(Review.conflicts)
    conflict = act_of(Review.conflict)
    mark_conflict = act_of(Review.mark_conflict)
    resolve_conflict = act_of(Review.resolve_conflict)
    create_working_memory = act_of(WorkingMemory.create_working_memory)
    sync_tasks = act_of(WorkingMemory.sync_tasks)
    hold_prompt = act_of(WorkingMemory.hold_prompt)
    hand_over = act_of(WorkingMemory.hand_over)
    note_step = act_of(WorkingMemory.note_step)
    note_steps = act_of(WorkingMemory.note_steps)
    clear_working_memory = act_of(WorkingMemory.clear_working_memory)
    working_memory = act_of(WorkingMemory.working_memory)
    complete_task = act_of(WorkingMemory.complete_task)
    begin_todos = act_of(WorkingMemory.begin_todos)
    end_todos = act_of(WorkingMemory.end_todos)
    clear_expired = act_of(Maintenance.clear_expired)
    import_memories = act_of(Imports.import_memories)

    # --- captures, corrections, recordings

    remember = act_of(Captures.remember)
    offer = act_of(Captures.offer)
    rescue = act_of(Captures.rescue)
    store = act_of(Captures.store, any_thread=True)
    route_storage = act_of(Captures.route_storage)
    determine_memory_type = act_of(Captures.determine_memory_type)
    correct = act_of(Captures.correct)
    take_back = act_of(Captures.take_back)
    end_left_todos = act_of(Captures.end_left_todos)
    learn = act_of(Captures.learn)
    unchecked = act_of(Captures.unchecked)
    settle_recording = act_of(Captures.settle_recording)
    withdraw_recording = act_of(Captures.withdraw_recording)

    # --- search, suggestions

    find = act_of(Search.find)
    rows = act_of(Search.rows)
    memory = act_of(Search.memory)
    links = act_of(Search.links)
    search = act_of(Search.search)
    account = act_of(Search.account)
    facets = act_of(Search.facets)
    count = act_of(Search.count)
    stats = act_of(Search.stats)
    list = act_of(Search.list)
    suggest = act_of(Search.suggest)
    suggest_instead = act_of(Search.suggest_instead)

    # --- recall, worth

    recall = act_of(Recall.recall)
    explanation = act_of(Recall.explanation)
    retrieve = act_of(Recall.retrieve)
    worth = act_of(Worths.worth)
    weigh = act_of(Worths.weigh)
    note_uses = act_of(Worths.note_uses)

    # --- audit, sweep, instruction files

    audit = act_of(Audit.audit)
    audit_count = act_of(Audit.audit_count)
    undo = act_of(Audit.undo)
    redo = act_of(Audit.redo)
    act = act_of(Audit.act)
    history = act_of(Audit.history)
    differences = act_of(Audit.differences)
    last_seq = act_of(Audit.last_seq)
    data_version = act_of(Audit.data_version)
    verify = act_of(Audit.verify)
    index_problem = act_of(Audit.index_problem)
    rebuild = act_of(Audit.rebuild)
    find_secrets = act_of(Sweep.find_secrets)
    redact_store = act_of(Sweep.redact_store)
    instructions_in = act_of(Imports.instructions_in)
    import_instructions = act_of(Imports.import_instructions)


open_memory = MemoryCoordinator.open
"""`with open_memory(project="~/src/acme-api") as memory:` closes it at the end."""
