"""The one object that doors talk to: capture, curation, search, recall, audit over one store.

    with open_memory(project="~/src/acme-api") as memory:
        memory.remember("Integration tests need `make test-db` first.")
        for hit in memory.search("how do I run the integration tests?"):
            print(hit.memory.title, hit.score)

Each act is a service's, named here once; the services stand in `core/memdeck.py`.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from ..db.connection import mapped_errors
from ..db.home import Home
from ..db.store import Store
from .answers import Project
from .clock import Clock, system_clock
from .config.policy import Policy
from .consent import Confirm, Consent
from .context import Context, Entropy
from .memdeck import Memdeck
from .services.accounts import Accounts
from .services.audit import Audit
from .services.conflicts import Conflicts
from .services.corrections import Corrections
from .services.curation import Curation
from .services.inbox import Inbox
from .services.ingest import Captures
from .services.instruction_files import InstructionFiles
from .services.lessons import Teaching
from .services.merges import Merges
from .services.milestones import Milestones
from .services.preferences import Preferences
from .services.recall import Recall
from .services.receipts import ReceiptBook
from .services.recordings import Recordings
from .services.search import Search
from .services.secrets import Sweep
from .services.sessions import Sessions
from .services.suggestions import Suggestions
from .services.switchboard import Switchboard, Switches
from .services.transfer import Imports
from .services.working_memory import WorkingMemory

if TYPE_CHECKING:
    from .services.extractor import Extractor
    from .services.opinions import Opinions

__all__ = ["MemoryCoordinator", "open_memory"]


S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")


def _act(
    act: Callable[Concatenate["MemoryCoordinator", P], T],
) -> Callable[Concatenate["MemoryCoordinator", P], T]:
    """`act`, refused in a foreign thread, and with the database's errors turned into ours."""

    @wraps(act)
    def acted(core: "MemoryCoordinator", /, *given: P.args, **named: P.kwargs) -> T:
        core.context.must_be_own_thread()
        with mapped_errors():
            return act(core, *given, **named)

    return acted


def _act_of(
    service: Callable[[Memdeck], S], act: Callable[Concatenate[S, P], T]
) -> Callable[Concatenate["MemoryCoordinator", P], T]:
    """A service's act as one of the coordinator's: same signature, same docstring."""

    @wraps(act)
    def acted(core: "MemoryCoordinator", /, *given: P.args, **named: P.kwargs) -> T:
        return act(service(core.services), *given, **named)

    return _act(acted)


class MemoryCoordinator:
    """The public interface of memdeck's core (000-04, 001).

    Everything it returns is frozen. It belongs to the thread that opened it: elsewhere its acts
    raise WrongThread, and only `interrupt()` may be called. Acts raise subclasses of
    `ManagerError`, whose `hint` says what to do. It has more methods than a class should, since
    each only names a service's.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.services = Memdeck(context)

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
        """Open the store in `home` for `project`: a folder, a project's name or its id.

        Without a project, the one that the current directory lies in. `confirmation_callback` is
        asked before every project is told something (004-09); without it that is refused. Raises
        StoreUnusable.
        """
        with mapped_errors():
            return cls(
                Context.open(
                    home,
                    project,
                    clock=clock,
                    entropy=entropy,
                    actor=actor,
                    session=session,
                    agent=agent,
                    confirmation_callback=confirmation_callback,
                )
            )

    def close(self) -> None:
        """Close the store. The object is of no use afterwards."""
        with mapped_errors():
            self.context.close()

    def interrupt(self) -> None:
        """Stop the query that runs now. Safe from any thread."""
        with mapped_errors():
            self.context.interrupt()

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

    @_act
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
    def extractor(self) -> "Extractor":
        """The model that reads sessions, if the person has chosen one."""
        return self.services.extractor

    @property
    def opinions(self) -> "Opinions":
        """What that model says of pairs in Conflicts."""
        return self.services.opinions

    @property
    @_act
    def auto_memory(self) -> bool:
        """Whether sessions of this project are taken down: settings and switches agree (002-22)."""
        return self.services.preferences.auto_memory

    @property
    @_act
    def ceiling(self) -> int | None:
        """The budget's ceiling in tokens that was chosen here (002-23); None: the settings'."""
        return self.services.preferences.ceiling

    @property
    @_act
    def switches(self) -> Switches:
        """Every switch of this project and of the sessions in it that have not ended."""
        return self.services.switchboard.switches

    @property
    @_act
    def why_unasked(self) -> str:
        """Why agents are not asked here to record what they learn; "" when they are."""
        return self.services.switchboard.why_unasked

    # --- the context's

    now = _act_of(lambda of: of.context, Context.now)
    now_ms = _act_of(lambda of: of.context, Context.now_ms)
    is_here = _act_of(lambda of: of.context, Context.is_here)
    projects = _act_of(lambda of: of.context, Context.projects)
    resolve = _act_of(lambda of: of.context, Context.resolve)
    settings_problems = _act_of(lambda of: of.context, Context.settings_problems)
    redaction_choice = _act_of(lambda of: of.context, Context.redaction_choice)
    as_one_act = _act_of(lambda of: of.context, Context.as_one_act)
    agreeing = _act_of(lambda of: of.context.consent, Consent.agreeing)

    # --- accounts

    receipts = _act_of(lambda of: of.accounts, Accounts.receipts)
    receipt = _act_of(lambda of: of.accounts, Accounts.receipt)
    receipt_named = _act_of(lambda of: of.accounts, Accounts.receipt_named)
    injections = _act_of(lambda of: of.accounts, Accounts.injections)
    refusals = _act_of(lambda of: of.accounts, Accounts.refusals)
    latencies = _act_of(lambda of: of.accounts, Accounts.latencies)
    health = _act_of(lambda of: of.accounts, Accounts.health)

    # --- preferences

    aliases = _act_of(lambda of: of.preferences, Preferences.aliases)
    default_aliases = _act_of(lambda of: of.preferences, Preferences.default_aliases)
    add_alias = _act_of(lambda of: of.preferences, Preferences.add_alias)
    remove_alias = _act_of(lambda of: of.preferences, Preferences.remove_alias)
    set_auto_memory = _act_of(lambda of: of.preferences, Preferences.set_auto_memory)
    set_ceiling = _act_of(lambda of: of.preferences, Preferences.set_ceiling)
    set_preset = _act_of(lambda of: of.preferences, Preferences.set_preset)

    # --- switchboard

    set_switch = _act_of(lambda of: of.switchboard, Switchboard.set_switch)

    # --- sessions

    session_seen = _act_of(lambda of: of.sessions, Sessions.session_seen)
    session_goal = _act_of(lambda of: of.sessions, Sessions.session_goal)
    sessions = _act_of(lambda of: of.sessions, Sessions.sessions)
    session_named = _act_of(lambda of: of.sessions, Sessions.session_named)
    fork_session = _act_of(lambda of: of.sessions, Sessions.fork_session)
    set_incognito = _act_of(lambda of: of.sessions, Sessions.set_incognito)
    set_auto_memory_of = _act_of(lambda of: of.sessions, Sessions.set_auto_memory_of)
    is_taken_down = _act_of(lambda of: of.sessions, Sessions.is_taken_down)
    has_ended = _act_of(lambda of: of.sessions, Sessions.has_ended)
    note_activity = _act_of(lambda of: of.sessions, Sessions.note_activity)
    activity = _act_of(lambda of: of.sessions, Sessions.activity)
    transcript_mark = _act_of(lambda of: of.sessions, Sessions.transcript_mark)
    set_transcript_mark = _act_of(lambda of: of.sessions, Sessions.set_transcript_mark)
    is_incognito_at_mark = _act_of(lambda of: of.sessions, Sessions.is_incognito_at_mark)

    # --- milestones

    checkpoint = _act_of(lambda of: of.milestones, Milestones.checkpoint)
    checkpoints = _act_of(lambda of: of.milestones, Milestones.checkpoints)
    finalize_session = _act_of(lambda of: of.milestones, Milestones.finalize_session)
    session_ended = _act_of(lambda of: of.milestones, Milestones.session_ended)
    end_quarantines = _act_of(lambda of: of.milestones, Milestones.end_quarantines)

    # --- receipt book

    keep_receipt = _act_of(lambda of: of.receipt_book, ReceiptBook.keep_receipt)
    feedback = _act_of(lambda of: of.receipt_book, ReceiptBook.feedback)

    # --- teaching

    taught = _act_of(lambda of: of.teaching, Teaching.taught)
    reset_teaching = _act_of(lambda of: of.teaching, Teaching.reset_teaching)

    # --- curation

    edit = _act_of(lambda of: of.curation, Curation.edit)
    pin = _act_of(lambda of: of.curation, Curation.pin)
    unpin = _act_of(lambda of: of.curation, Curation.unpin)
    confirm = _act_of(lambda of: of.curation, Curation.confirm)
    promote = _act_of(lambda of: of.curation, Curation.promote)
    forget = _act_of(lambda of: of.curation, Curation.forget)
    done = _act_of(lambda of: of.curation, Curation.done)
    delete_memory = _act_of(lambda of: of.curation, Curation.delete_memory)
    clear_working_memory = _act_of(lambda of: of.curation, Curation.clear_working_memory)
    supersede = _act_of(lambda of: of.curation, Curation.supersede)
    restore = _act_of(lambda of: of.curation, Curation.restore)
    retag = _act_of(lambda of: of.curation, Curation.retag)
    link = _act_of(lambda of: of.curation, Curation.link)
    undo = _act_of(lambda of: of.curation, Curation.undo)
    redo = _act_of(lambda of: of.curation, Curation.redo)

    # --- merges

    merge = _act_of(lambda of: of.merges, Merges.merge)

    # --- inbox

    waiting = _act_of(lambda of: of.inbox, Inbox.waiting)
    waiting_count = _act_of(lambda of: of.search, Search.waiting_count)
    candidates = _act_of(lambda of: of.inbox, Inbox.candidates)
    candidate = _act_of(lambda of: of.inbox, Inbox.candidate)
    lessons = _act_of(lambda of: of.inbox, Inbox.lessons)
    neighbours = _act_of(lambda of: of.inbox, Inbox.neighbours)
    envelope = _act_of(lambda of: of.inbox, Inbox.envelope)
    salience = _act_of(lambda of: of.inbox, Inbox.salience)
    weight = _act_of(lambda of: of.inbox, Inbox.weight)
    reviews = _act_of(lambda of: of.inbox, Inbox.reviews)
    candidacy = _act_of(lambda of: of.inbox, Inbox.candidacy)
    wanted_everywhere = _act_of(lambda of: of.inbox, Inbox.wanted_everywhere)
    accept = _act_of(lambda of: of.inbox, Inbox.accept)
    accept_edited = _act_of(lambda of: of.inbox, Inbox.accept_edited)
    reject = _act_of(lambda of: of.inbox, Inbox.reject)
    snooze = _act_of(lambda of: of.inbox, Inbox.snooze)
    refused_captures = _act_of(lambda of: of.inbox, Inbox.refused_captures)

    # --- conflicts

    conflicts = _act_of(lambda of: of.conflicts, Conflicts.conflicts)
    bias = _act_of(lambda of: of.conflicts, Conflicts.bias)
    conflict = _act_of(lambda of: of.conflicts, Conflicts.conflict)
    mark_conflict = _act_of(lambda of: of.conflicts, Conflicts.mark_conflict)
    resolve_conflict = _act_of(lambda of: of.conflicts, Conflicts.resolve_conflict)

    # --- working memory

    create_working_memory = _act_of(
        lambda of: of.working_memory, WorkingMemory.create_working_memory
    )
    sync_tasks = _act_of(lambda of: of.working_memory, WorkingMemory.sync_tasks)
    hold_prompt = _act_of(lambda of: of.working_memory, WorkingMemory.hold_prompt)
    note_step = _act_of(lambda of: of.working_memory, WorkingMemory.note_step)
    working_memory = _act_of(lambda of: of.working_memory, WorkingMemory.working_memory)
    fail_task = _act_of(lambda of: of.working_memory, WorkingMemory.fail_task)
    complete_task = _act_of(lambda of: of.working_memory, WorkingMemory.complete_task)
    end_todos = _act_of(lambda of: of.working_memory, WorkingMemory.end_todos)
    clear_expired = _act_of(lambda of: of.working_memory, WorkingMemory.clear_expired)

    # --- imports

    import_memories = _act_of(lambda of: of.imports, Imports.import_memories)

    # --- captures

    remember = _act_of(lambda of: of.captures, Captures.remember)
    offer = _act_of(lambda of: of.captures, Captures.offer)
    rescue = _act_of(lambda of: of.captures, Captures.rescue)
    store = _act_of(lambda of: of.captures, Captures.store)

    # --- corrections

    correct = _act_of(lambda of: of.corrections, Corrections.correct)
    judge_again = _act_of(lambda of: of.corrections, Corrections.judge_again)

    # --- recordings

    learn = _act_of(lambda of: of.recordings, Recordings.learn)
    recordings = _act_of(lambda of: of.recordings, Recordings.recordings)
    unchecked = _act_of(lambda of: of.recordings, Recordings.unchecked)
    settle_recording = _act_of(lambda of: of.recordings, Recordings.settle_recording)
    withdraw_recording = _act_of(lambda of: of.recordings, Recordings.withdraw_recording)

    # --- search

    find = _act_of(lambda of: of.search, Search.find)
    rows = _act_of(lambda of: of.search, Search.rows)
    fitting = _act_of(lambda of: of.search, Search.fitting)
    memory = _act_of(lambda of: of.search, Search.memory)
    show = _act_of(lambda of: of.search, Search.show)
    links = _act_of(lambda of: of.search, Search.links)
    search = _act_of(lambda of: of.search, Search.search)
    query = _act_of(lambda of: of.search, Search.query)
    search_many = _act_of(lambda of: of.search, Search.search_many)
    explain = _act_of(lambda of: of.search, Search.explain)
    account = _act_of(lambda of: of.search, Search.account)
    facets = _act_of(lambda of: of.search, Search.facets)
    count = _act_of(lambda of: of.search, Search.count)
    stats = _act_of(lambda of: of.search, Search.stats)
    list = _act_of(lambda of: of.search, Search.list)

    # --- suggestions

    suggest = _act_of(lambda of: of.suggestions, Suggestions.suggest)
    suggest_instead = _act_of(lambda of: of.suggestions, Suggestions.suggest_instead)
    complete = _act_of(lambda of: of.suggestions, Suggestions.complete)

    # --- recall

    recall = _act_of(lambda of: of.recall, Recall.recall)
    replay = _act_of(lambda of: of.recall, Recall.replay)
    retrieve = _act_of(lambda of: of.recall, Recall.retrieve)

    # --- audit

    audit = _act_of(lambda of: of.audit, Audit.audit)
    audit_count = _act_of(lambda of: of.audit, Audit.audit_count)
    act = _act_of(lambda of: of.audit, Audit.act)
    history = _act_of(lambda of: of.audit, Audit.history)
    differences = _act_of(lambda of: of.audit, Audit.differences)
    last_seq = _act_of(lambda of: of.audit, Audit.last_seq)
    data_version = _act_of(lambda of: of.audit, Audit.data_version)
    verify = _act_of(lambda of: of.audit, Audit.verify)
    index_problem = _act_of(lambda of: of.audit, Audit.index_problem)
    rebuild = _act_of(lambda of: of.audit, Audit.rebuild)

    # --- sweep

    find_secrets = _act_of(lambda of: of.sweep, Sweep.find_secrets)
    redact_store = _act_of(lambda of: of.sweep, Sweep.redact_store)

    # --- instruction files

    instructions_in = _act_of(lambda of: of.instruction_files, InstructionFiles.instructions_in)
    import_instructions = _act_of(
        lambda of: of.instruction_files, InstructionFiles.import_instructions
    )


@contextlib.contextmanager
def open_memory(
    home: str | os.PathLike[str] | Home | None = None,
    project: str | os.PathLike[str] | None = None,
    *,
    clock: Clock = system_clock,
    actor: str = "person",
    session: str | None = None,
    agent: str | None = None,
    confirmation_callback: Confirm | None = None,
) -> Iterator[MemoryCoordinator]:
    """The store of `home` (default: MEMDECK_HOME or the platform's), seen from `project`.

    A project is a folder, or a name; by default the folder we are in. `confirmation_callback` is
    given a sentence before every project is told something, and answers whether a person agrees;
    without it that is refused. Raises StoreUnusable.
    """
    coordinator = MemoryCoordinator.open(
        home,
        project,
        clock=clock,
        actor=actor,
        session=session,
        agent=agent,
        confirmation_callback=confirmation_callback,
    )
    try:
        yield coordinator
    finally:
        coordinator.close()
