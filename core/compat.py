"""The one object that doors talk to: capture, curation, search, recall, audit over one store.

    with open_memory(project="~/src/acme-api") as memory:
        memory.remember("Integration tests need `make test-db` first.")
        for hit in memory.search("how do I run the integration tests?"):
            print(hit.memory.title, hit.score)

Each act is a service's, named here once; the services stand in `core/memdeck.py`."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, cast

from ..db.connection import mapped_errors
from ..db.home import Home, home_at
from ..db.store import Progress, Store
from .answers import Project
from .clock import Clock, system_clock
from .context import Confirm, Consent, Context, Entropy
from .errors import BadInput
from .memdeck import Memdeck

S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")


def act_here(
    act: Callable[Concatenate[MemoryCoordinator, P], T],
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """`act`, refused in a foreign thread, and with the database's errors turned into ours.

    What every project is told by it is asked for (`core/consent.py`).
    """

    @wraps(act)
    def acted(core: MemoryCoordinator, /, *args: P.args, **named: P.kwargs) -> T:
        core.context.must_be_own_thread()
        with mapped_errors():
            return core.context.consent.asked(lambda: act(core, *args, **named))

    return acted


class Later:
    """A service's class, imported when one of its acts is first looked at.

    It stands for the class where acts are named: `Later("search.Search").find` is the act that is
    meant. Whoever opens a store to look at a list waits for no module that takes sessions in.
    """

    def __init__(self, where: str) -> None:
        self._where = where  # module and class, below `services`

    def __getattr__(self, act: str) -> _Meant:
        return _Meant(self._where, act)


class _Meant:
    """An act of a service whose module may not be loaded yet."""

    def __init__(self, where: str, act: str) -> None:
        self._where, self._act = where, act

    def found(self) -> Callable[..., Any]:
        module, name = self._where.split(".")
        service = getattr(import_module(f"{__package__}.services.{module}"), name)
        return cast("Callable[..., Any]", getattr(service, self._act))


LATER = {
    where.rpartition(".")[2]: Later(where)
    for where in """
        audit.Audit
        curation.Curation ingest.Captures
        maintenance.Maintenance past.Past
        preferences.Preferences profile.ProfileBook
        recall.Recall receipts.Receipts review.Review
        search.Search secrets.Sweep
        sessions.Sessions suggestions.Suggestions summaries.Summaries
        transfer.Imports working_memory.WorkingMemory worth.Worths
    """.split()
}
"""What stands for the services' classes whose acts the coordinator names, by their names."""


class _ActOf:
    """An act in the class of who names it, until it is first looked at; then what was meant."""

    def __init__(self, made: Callable[[], Callable[..., Any]]) -> None:
        self._made = made

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, core: object, owner: type) -> Any:
        act = self._made()
        setattr(self._owner, self._name, act)
        return act if core is None else act.__get__(core, owner)


def _must_fit(
    act: Callable[..., Any], values: Sequence[Any], named: Mapping[str, Any], error: Exception
) -> None:
    """Raise BadInput where an act broke since it was given no text for a text, or None."""
    kinds = {name: str(kind) for name, kind in act.__annotations__.items() if name != "return"}
    for name, value in (*zip(kinds, values, strict=False), *named.items()):
        kind = kinds.get(name, "Any")
        is_missing = value is None and kind not in ("Any", "object") and "None" not in kind
        if is_missing or (kind == "str" and not isinstance(value, str)):
            wanted = "a text" if kind == "str" else f"a value of the kind {kind}"
            raise BadInput(
                f"{name} cannot be {value!r:.60}.",
                hint=f"Give {wanted}: `help(memory.{act.__name__})` says more.",
            ) from error


def act_of(
    service: Callable[[Memdeck], S], act: Callable[Concatenate[S, P], T]
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """A service's act as one of the coordinator's: same signature, same docstring.

    `act` is a method of the service's class, or of what stands for it until then (`Later`).
    """

    def made() -> Callable[..., Any]:
        targets = act.found() if isinstance(act, _Meant) else act

        @wraps(targets)
        def acted(core: MemoryCoordinator, /, *values: Any, **named: Any) -> Any:
            try:
                return targets(service(core.services), *values, **named)
            except (TypeError, AttributeError) as error:
                _must_fit(targets, values, named, error)
                raise

        return act_here(acted)

    return cast("Callable[Concatenate[MemoryCoordinator, P], T]", _ActOf(made))


if TYPE_CHECKING:
    from .config.policy import Policy
    from .query.language import Query
    from .services.audit import Audit
    from .services.curation import Curation
    from .services.ingest import Captures
    from .services.maintenance import Maintenance
    from .services.models import Extractor, Opinions
    from .services.preferences import Preferences, Switches
    from .services.profile import ProfileBook
    from .services.recall import Recall
    from .services.receipts import Receipts
    from .services.review import Review
    from .services.search import Search
    from .services.secrets import Sweep
    from .services.sessions import Sessions
    from .services.suggestions import Suggestions
    from .services.summaries import Summaries
    from .services.transfer import Imports
    from .services.working_memory import WorkingMemory
    from .services.worth import Worths
else:
    globals().update(LATER)  # only to say whose act is meant

__all__ = ["MemoryCoordinator", "open_memory"]


class MemoryCoordinator:
    """The public interface of memdeck's core.

    Everything it returns is frozen. It belongs to the thread that opened it: elsewhere its acts
    raise WrongThread, and only `interrupt()` may be called. Acts raise subclasses of
    `ManagerError`, whose `hint` says what to do. It has more methods than a class should, since
    each only names a service's.
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
        *,
        clock: Clock = system_clock,
        entropy: Entropy = os.urandom,
        actor: str = "person",
        session: str | None = None,
        agent: str | None = None,
        confirmation_callback: Confirm | None = None,
    ) -> Self:
        """The store of `home` (default: MEMDECK_HOME or the platform's), seen from `project`.

        A project is a folder, a name or an id; by default the folder we are in.
        `confirmation_callback` is given a sentence before every project is told something, and
        answers whether a person agrees; without it that is refused. Raises StoreUnusable.
        """
        with mapped_errors():
            context = Context.open(
                home,
                project,
                clock=clock,
                entropy=entropy,
                actor=actor,
                session=session,
                agent=agent,
                confirmation_callback=confirmation_callback,
            )
        return cls(context=context)

    def close(self) -> None:
        """Close the store. The object is of no use afterwards."""
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
        """Where the store lives."""
        return self.context.home

    @property
    def project_id(self) -> str:
        """The id of the project that is looked from."""
        return self.context.project_id

    @property
    def project(self) -> Project:
        """The project that is looked from."""
        return self.context.project

    @property
    def actor(self) -> str:
        """Who acts: person, agent or rule."""
        return self.context.actor

    @property
    def session(self) -> str | None:
        """The session that acts belong to unless they name one."""
        return self.context.session

    @property
    def agent(self) -> str | None:
        """The agent that acts."""
        return self.context.agent

    @property
    def policy(self) -> Policy:
        """What is configured: the home's `config.toml`, then the project's `.memdeck.toml`."""
        return self.context.policy

    @property
    def is_read_only(self) -> bool:
        """Whether the store can only be read from here, as in an agent's sandbox."""
        return self.context.store.is_read_only

    @act_here
    def problems_at_opening(self) -> list[str]:
        """Lines of the journal that were no whole records when the store was opened."""
        return [*self.context.store.skipped]

    @property
    def confirmation_callback(self) -> Confirm | None:
        """Who is asked what only a person may agree to; None: there is nobody."""
        return self.context.consent.callback

    @property
    def clock(self) -> Clock:
        """Where the time comes from."""
        return self.context.clock

    @property
    def _store(self) -> Store:
        """The store itself, for tests that break it."""
        return self.context.store

    @property
    def maintenance(self) -> Maintenance:
        """Upkeep of this project."""
        return self.services.maintenance

    @property
    def extractor(self) -> Extractor:
        """The model that reads sessions, if the person has chosen one."""
        return self.services.extractor

    @property
    def opinions(self) -> Opinions:
        """What that model says of pairs in Conflicts."""
        return self.services.opinions

    @property
    @act_here
    def auto_memory(self) -> bool:
        """Whether sessions of this project are taken down: settings and switches agree."""
        return self.services.preferences.auto_memory

    @property
    @act_here
    def ceiling(self) -> int | None:
        """The budget's ceiling in tokens that was chosen here; None: the settings'."""
        return self.services.preferences.ceiling

    @property
    @act_here
    def switches(self) -> Switches:
        """Every switch of this project and of the sessions in it that have not ended."""
        return self.services.preferences.switches

    @property
    @act_here
    def why_unasked(self) -> str:
        """Why agents are not asked here to record what they learn; "" when they are."""
        return self.services.preferences.why_unasked

    @act_here
    def route_retrieval(
        self, query: str, memory_types: Sequence[str] = (), token_budget: int = 8_000
    ) -> str:
        """What is known for a query as one text within the budget."""
        return self.services.recall.context(query, memory_types, token_budget)[0]

    @act_here
    def as_of(self, when: datetime | int, progress: Progress | None = None) -> MemoryCoordinator:
        """The store as it was at a moment, or after an entry; to be closed. See `Past.as_of`."""
        return MemoryCoordinator(context=self.services.past.as_of(when, progress))

    @act_here
    def at(self, query: Query) -> MemoryCoordinator:
        """Return the store as of a query's `at:`, or this one. It is closed with this one."""
        if query.at is None:
            return self
        from .query.language import when_of

        when = when_of(query.at, self.now())
        point = self.services.past.point(when)
        if self._past is None or self._past[0] != point.entry:
            if self._past is not None:
                self._past[1].close()
            self._past = point.entry, self.as_of(when)
        return self._past[1]

    # --- the context's

    now = act_of(lambda of: of.context, Context.now)
    now_ms = act_of(lambda of: of.context, Context.now_ms)
    is_here = act_of(lambda of: of.context, Context.is_here)
    projects = act_of(lambda of: of.context, Context.projects)
    resolve = act_of(lambda of: of.context, Context.resolve)
    settings_problems = act_of(lambda of: of.context, Context.settings_problems)
    redaction_choice = act_of(lambda of: of.context, Context.redaction_choice)
    as_one_act = act_of(lambda of: of.context, Context.as_one_act)
    agreeing = act_of(lambda of: of.context.consent, Consent.agreeing)

    # --- accounts

    receipts = act_of(lambda of: of.receipts, Receipts.newest)
    receipt = act_of(lambda of: of.receipts, Receipts.receipt)
    receipt_named = act_of(lambda of: of.receipts, Receipts.receipt_named)
    injections = act_of(lambda of: of.receipts, Receipts.injections)
    latencies = act_of(lambda of: of.receipts, Receipts.latencies)
    health = act_of(lambda of: of.receipts, Receipts.health)

    # --- preferences

    profile = act_of(lambda of: of.profile_book, ProfileBook.profile)
    add_preference = act_of(lambda of: of.profile_book, ProfileBook.add_preference)
    add_pattern = act_of(lambda of: of.profile_book, ProfileBook.add_pattern)
    query_preferences = act_of(lambda of: of.profile_book, ProfileBook.query_preferences)
    query_patterns = act_of(lambda of: of.profile_book, ProfileBook.query_patterns)
    clear_global = act_of(lambda of: of.profile_book, ProfileBook.clear_global)
    add_decision = act_of(lambda of: of.profile_book, ProfileBook.add_decision)
    add_convention = act_of(lambda of: of.profile_book, ProfileBook.add_convention)
    add_failure = act_of(lambda of: of.profile_book, ProfileBook.add_failure)
    query_decisions = act_of(lambda of: of.profile_book, ProfileBook.query_decisions)
    aliases = act_of(lambda of: of.preferences, Preferences.aliases)
    default_aliases = act_of(lambda of: of.preferences, Preferences.default_aliases)
    add_alias = act_of(lambda of: of.preferences, Preferences.add_alias)
    remove_alias = act_of(lambda of: of.preferences, Preferences.remove_alias)
    set_auto_memory = act_of(lambda of: of.preferences, Preferences.set_auto_memory)
    set_ceiling = act_of(lambda of: of.preferences, Preferences.set_ceiling)
    set_preset = act_of(lambda of: of.preferences, Preferences.set_preset)
    set_switch = act_of(lambda of: of.preferences, Preferences.set_switch)

    # --- sessions

    session_seen = act_of(lambda of: of.sessions, Sessions.session_seen)
    session_goal = act_of(lambda of: of.sessions, Sessions.session_goal)
    sessions = act_of(lambda of: of.sessions, Sessions.sessions)
    session_named = act_of(lambda of: of.sessions, Sessions.session_named)
    fork_session = act_of(lambda of: of.sessions, Sessions.fork_session)
    set_incognito = act_of(lambda of: of.sessions, Sessions.set_incognito)
    set_auto_memory_of = act_of(lambda of: of.sessions, Sessions.set_auto_memory_of)
    is_recorded = act_of(lambda of: of.sessions, Sessions.is_recorded)
    summaries = act_of(lambda of: of.summaries, Summaries.summaries)
    opened_summary = act_of(lambda of: of.summaries, Summaries.opened_summary)
    has_ended = act_of(lambda of: of.sessions, Sessions.has_ended)
    note_activity = act_of(lambda of: of.sessions, Sessions.note_activity)
    activity = act_of(lambda of: of.sessions, Sessions.activity)
    transcript_mark = act_of(lambda of: of.sessions, Sessions.transcript_mark)
    set_transcript_mark = act_of(lambda of: of.sessions, Sessions.set_transcript_mark)
    marker_at_mark = act_of(lambda of: of.sessions, Sessions.marker_at_mark)

    checkpoint = act_of(lambda of: of.sessions, Sessions.checkpoint)
    checkpoints = act_of(lambda of: of.sessions, Sessions.checkpoints)
    finalize_session = act_of(lambda of: of.sessions, Sessions.finalize_session)
    session_ended = act_of(lambda of: of.sessions, Sessions.session_ended)
    end_quarantines = act_of(lambda of: of.maintenance, Maintenance.end_quarantines)

    # --- receipts

    keep_receipt = act_of(lambda of: of.receipts, Receipts.keep_receipt)
    note_known = act_of(lambda of: of.receipts, Receipts.note_known)
    feedback = act_of(lambda of: of.receipts, Receipts.feedback)

    # --- curation

    edit = act_of(lambda of: of.curation, Curation.edit)
    pin = act_of(lambda of: of.curation, Curation.pin)
    unpin = act_of(lambda of: of.curation, Curation.unpin)
    confirm = act_of(lambda of: of.curation, Curation.confirm)
    keep = act_of(lambda of: of.curation, Curation.keep)
    promote = act_of(lambda of: of.curation, Curation.promote)
    demote = act_of(lambda of: of.curation, Curation.demote)
    forget = act_of(lambda of: of.curation, Curation.forget)
    done = act_of(lambda of: of.curation, Curation.done)
    delete_memory = act_of(lambda of: of.curation, Curation.delete_memory)
    supersede = act_of(lambda of: of.curation, Curation.supersede)
    restore = act_of(lambda of: of.curation, Curation.restore)
    retag = act_of(lambda of: of.curation, Curation.retag)
    link = act_of(lambda of: of.curation, Curation.link)
    merge = act_of(lambda of: of.curation, Curation.merge)
    undo = act_of(lambda of: of.curation, Curation.undo)
    redo = act_of(lambda of: of.curation, Curation.redo)

    # --- inbox

    neighbours = act_of(lambda of: of.review, Review.neighbours)
    envelope = act_of(lambda of: of.review, Review.envelope)
    salience = act_of(lambda of: of.review, Review.salience)
    weight = act_of(lambda of: of.review, Review.weight)
    reviews = act_of(lambda of: of.review, Review.reviews)
    candidacy = act_of(lambda of: of.review, Review.candidacy)
    wanted_everywhere = act_of(lambda of: of.review, Review.wanted_everywhere)
    accept = act_of(lambda of: of.review, Review.accept)
    accept_edited = act_of(lambda of: of.review, Review.accept_edited)
    reject = act_of(lambda of: of.review, Review.reject)
    snooze = act_of(lambda of: of.review, Review.snooze)
    refused_captures = act_of(lambda of: of.review, Review.refused_captures)

    # --- conflicts, working memory, imports

    conflicts = act_of(lambda of: of.review, Review.conflicts)
    conflict = act_of(lambda of: of.review, Review.conflict)
    mark_conflict = act_of(lambda of: of.review, Review.mark_conflict)
    resolve_conflict = act_of(lambda of: of.review, Review.resolve_conflict)
    create_working_memory = act_of(
        lambda of: of.working_memory, WorkingMemory.create_working_memory
    )
    sync_tasks = act_of(lambda of: of.working_memory, WorkingMemory.sync_tasks)
    hold_prompt = act_of(lambda of: of.working_memory, WorkingMemory.hold_prompt)
    note_step = act_of(lambda of: of.working_memory, WorkingMemory.note_step)
    clear_working_memory = act_of(lambda of: of.working_memory, WorkingMemory.clear_working_memory)
    working_memory = act_of(lambda of: of.working_memory, WorkingMemory.working_memory)
    fail_task = act_of(lambda of: of.working_memory, WorkingMemory.fail_task)
    complete_task = act_of(lambda of: of.working_memory, WorkingMemory.complete_task)
    begin_todos = act_of(lambda of: of.working_memory, WorkingMemory.begin_todos)
    end_todos = act_of(lambda of: of.working_memory, WorkingMemory.end_todos)
    clear_expired = act_of(lambda of: of.maintenance, Maintenance.clear_expired)
    import_memories = act_of(lambda of: of.imports, Imports.import_memories)

    # --- captures, corrections, recordings

    remember = act_of(lambda of: of.captures, Captures.remember)
    offer = act_of(lambda of: of.captures, Captures.offer)
    rescue = act_of(lambda of: of.captures, Captures.rescue)
    store = act_of(lambda of: of.captures, Captures.store)
    route_storage = act_of(lambda of: of.captures, Captures.route_storage)
    determine_memory_type = act_of(lambda of: of.captures, Captures.determine_memory_type)
    correct = act_of(lambda of: of.captures, Captures.correct)
    judge_again = act_of(lambda of: of.captures, Captures.judge_again)
    learn = act_of(lambda of: of.captures, Captures.learn)
    recordings = act_of(lambda of: of.captures, Captures.recordings)
    unchecked = act_of(lambda of: of.captures, Captures.unchecked)
    settle_recording = act_of(lambda of: of.captures, Captures.settle_recording)
    withdraw_recording = act_of(lambda of: of.captures, Captures.withdraw_recording)

    # --- search, suggestions

    find = act_of(lambda of: of.search, Search.find)
    rows = act_of(lambda of: of.search, Search.rows)
    memory = act_of(lambda of: of.search, Search.memory)
    show = act_of(lambda of: of.search, Search.show)
    links = act_of(lambda of: of.search, Search.links)
    search = act_of(lambda of: of.search, Search.search)
    query = act_of(lambda of: of.search, Search.query)
    search_many = act_of(lambda of: of.search, Search.search_many)
    account = act_of(lambda of: of.search, Search.account)
    facets = act_of(lambda of: of.search, Search.facets)
    count = act_of(lambda of: of.search, Search.count)
    stats = act_of(lambda of: of.search, Search.stats)
    list = act_of(lambda of: of.search, Search.list)
    suggest = act_of(lambda of: of.suggestions, Suggestions.suggest)
    suggest_instead = act_of(lambda of: of.suggestions, Suggestions.suggest_instead)
    complete = act_of(lambda of: of.suggestions, Suggestions.complete)

    # --- recall, worth

    recall = act_of(lambda of: of.recall, Recall.recall)
    explanation = act_of(lambda of: of.recall, Recall.explanation)
    retrieve = act_of(lambda of: of.recall, Recall.retrieve)
    worth = act_of(lambda of: of.worths, Worths.worth)
    weigh = act_of(lambda of: of.worths, Worths.weigh)
    note_uses = act_of(lambda of: of.worths, Worths.note_uses)

    # --- audit, sweep, instruction files

    audit = act_of(lambda of: of.audit, Audit.audit)
    audit_count = act_of(lambda of: of.audit, Audit.audit_count)
    act = act_of(lambda of: of.audit, Audit.act)
    history = act_of(lambda of: of.audit, Audit.history)
    differences = act_of(lambda of: of.audit, Audit.differences)
    last_seq = act_of(lambda of: of.audit, Audit.last_seq)
    data_version = act_of(lambda of: of.audit, Audit.data_version)
    verify = act_of(lambda of: of.audit, Audit.verify)
    index_problem = act_of(lambda of: of.audit, Audit.index_problem)
    rebuild = act_of(lambda of: of.audit, Audit.rebuild)
    find_secrets = act_of(lambda of: of.sweep, Sweep.find_secrets)
    redact_store = act_of(lambda of: of.sweep, Sweep.redact_store)
    instructions_in = act_of(lambda of: of.imports, Imports.instructions_in)
    import_instructions = act_of(lambda of: of.imports, Imports.import_instructions)


open_memory = MemoryCoordinator.open
"""`with open_memory(project="~/src/acme-api") as memory:` closes it at the end."""
