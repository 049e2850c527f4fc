"""What every part of the coordinator stands on: the store, the project, the clock, the policy."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property, wraps
from types import FunctionType
from typing import Any, ParamSpec, Self, TypeVar

from ..db import conversations, finding
from ..db.connection import mapped_errors
from ..db.fields import EARLIEST_MS, LATEST_MS
from ..db.home import Home
from ..db.images import Image
from ..db.reader import Reader
from ..db.store import Change, Group, Store
from .answers import Project
from .clean import clean
from .consent import question_about, refuse_unasked, widens
from .drafting import MOST_KEY, MOST_NAME, Redactor, outside_name
from .errors import Ambiguous, BadInput, ConsentNeeded, NotFound, Refused
from .ids import new_id
from .policy import Policy
from .projects import Identity, identify, named
from .settings import Ignored, files_of, load_policy, problems_in
from .storage.redaction import EVERYTHING, Choice
from .values import Memory
from .values_from import memory_from_image

P = ParamSpec("P")
T = TypeVar("T")

Confirm = Callable[[str], bool]
"""Is asked what only a person may agree to; whether they did."""

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]


def system_clock() -> datetime:
    return datetime.now(UTC)


def to_ms(moment: datetime | None) -> int | None:
    """Whole milliseconds since the epoch; a naive moment counts as UTC. None stays None.

    What another time zone carries beyond the years 1 to 9999 counts as their end: no calendar
    could show it. Raises BadInput for what is no moment.
    """
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        raise BadInput(f"A date with a time was expected, not {type(moment).__name__}.")
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(round(aware.timestamp() * 1000), EARLIEST_MS), LATEST_MS)


def _answering(act: Callable[P, T]) -> Callable[P, T]:
    """`act`, with the database's errors turned into ours."""

    @wraps(act)
    def answered(*given: P.args, **named: P.kwargs) -> T:
        with mapped_errors():
            return act(*given, **named)

    return answered


class Core:
    """One open store, seen from one project. Belongs to the thread that opened it."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Whatever a public act meets in the database, its caller meets a ManagerError."""
        super().__init_subclass__(**more)
        for name, act in list(vars(cls).items()):
            if isinstance(act, FunctionType) and not name.startswith("_"):
                setattr(cls, name, _answering(act))

    def __init__(
        self,
        home: Home,
        identity: Identity,
        *,
        clock: Clock = system_clock,
        entropy: Entropy = os.urandom,
        actor: str = "person",
        session: str | None = None,
        agent: str | None = None,
        confirmation_callback: Confirm | None = None,
        store: Store | None = None,
    ) -> None:
        self.home = home
        self._store = store or Store(home)
        self.clock = clock
        self.entropy = entropy
        self.actor = actor
        self.session = outside_name(session)
        self.agent = outside_name(agent)
        self.confirmation_callback = confirmation_callback  # None: there is no person to ask
        self._group: Group | None = None  # of the act that is under way, when it has several parts
        self._identity = identity
        try:
            self.project_id = self._joined(identity)
        except BaseException:
            self._store.close()
            raise

    @_answering
    def is_here(self, folder: str) -> bool:
        """Whether a folder belongs to the project that this core looks from."""
        return self._joined(identify(folder)) == self.project_id

    @_answering
    def _joined(self, identity: Identity) -> str:
        reader, root = self._reader(), identity.root
        return reader.project_of(identity.id, identity.name, root, identity.remote)

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
        where = home if isinstance(home, Home) else Home(home)
        store = Store(where)
        try:
            identity = _identity_of(store, os.fspath(project) if project is not None else None)
        except BaseException:
            store.close()
            raise
        return cls(
            where,
            identity,
            clock=clock,
            entropy=entropy,
            actor=actor,
            session=session,
            agent=agent,
            confirmation_callback=confirmation_callback,
            store=store,
        )

    @property
    def is_read_only(self) -> bool:
        """Whether the store can only be read from here, as in an agent's sandbox."""
        return self._store.is_read_only

    def close(self) -> None:
        """Close the store. The object is of no use afterwards."""
        self._store.close()

    def interrupt(self) -> None:
        """Stop the query that runs now. Safe from any thread."""
        self._store.interrupt()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def now(self) -> datetime:
        """The clock's time, UTC."""
        return self.clock()

    def now_ms(self) -> int:
        """The clock's time in milliseconds."""
        return to_ms(self.clock()) or 0

    @cached_property
    def policy(self) -> Policy:
        """What is configured: the home's `config.toml`, then the project's `.memdeck.toml`."""
        return load_policy(self._settings_files(), self._setting("preset"))

    def settings_problems(self) -> list[Ignored]:
        """What in the settings files cannot be used, whole files included."""
        return problems_in(self._settings_files())

    def _settings_files(self) -> list[str]:
        return files_of(self.home.config, self._identity.root)

    def _setting(self, name: str) -> Any:
        """What a person chose for this project in the store; None when nothing was chosen."""
        return conversations.setting(self._store.connection, f"{name}|{self.project_id}")

    @property
    def project(self) -> Project:
        """The project this core looks from."""
        for project in self.projects():
            if project.id == self.project_id:
                return project
        return Project(self.project_id, *self._described())

    def _described(self) -> tuple[str, str, str | None]:
        """Name, root and remote as they can be kept: a folder's name may be no text at all."""
        identity = self._identity
        name, root, remote = (
            outside_name(text[:MOST_NAME])
            for text in (identity.name, identity.root, identity.remote or "")
        )
        return name or "", root or "", remote or None

    @_answering
    def projects(self) -> list[Project]:
        """All projects of the store, the fullest first."""
        return [_project(row) for row in finding.projects(self._store.connection)]

    @_answering
    def resolve(self, ref: str) -> Memory:
        """The memory with this id, this unique prefix of an id, or, in this project, this key.

        Of several memories with one key, the live one counts. Raises NotFound or Ambiguous.
        """
        return self._memories([self._named(ref)["num"]])[0]

    @contextmanager
    def as_one_act(self) -> Iterator[None]:
        """What is changed in here is one act: several entries of the trail, and one undo.

        For what is too much for one transaction, so that it can tell how far it is and be
        stopped in between: what was done until then stays, and is still one undo.
        """
        if self._group is not None:  # a part of a larger act
            yield
            return
        self._group = Group()
        try:
            yield
        finally:
            self._group = None

    # --- for the parts of the coordinator

    def _named(self, ref: str) -> Image:
        """id and num of the memory that `ref` names, as in `resolve`."""
        if not isinstance(ref, str):
            raise BadInput(f"A memory is named by a text, not by {type(ref).__name__}.")
        text = clean(ref[: 2 * MOST_KEY]).strip()
        found = finding.by_name(self._store.connection, text, self.project_id) if text else []
        if not found:
            raise NotFound(f"No memory is called {ref[:60]!r}.")
        if len(found) > 1:
            names = ", ".join(row["id"][: len(text) + 4] for row in found[:5])
            raise Ambiguous(f"{text!r} could be {names}.")
        return found[0]

    def _must_be_here(self, *memories: Memory) -> None:
        """Raise Refused for a memory of another project: projects do not mix."""
        for memory in memories:
            if memory.project not in (self.project_id, ""):
                raise Refused(
                    f"“{memory.title}” belongs to another project.",
                    hint="Name that project: `--project`.",
                )

    def _reader(self) -> Reader:
        return Reader(self._store.connection, self.now_ms())

    def _memories(self, nums: Sequence[int]) -> list[Memory]:
        return [memory_from_image(image) for image in self._reader().images(nums)]

    def _new_id(self) -> str:
        return new_id(self.now_ms(), self.entropy)

    def redaction_choice(self) -> Choice:
        """What the policy lets redaction leave; everything goes while settings are unreadable."""
        try:
            return self.policy.redaction.choice()
        except BadInput:
            return EVERYTHING

    def _agree(self, question: str) -> bool:
        """True once a person has said yes. Raises ConsentNeeded, or Refused for a no.

        Never called inside a change: while a person thinks, others must be able to write.
        """
        if self.confirmation_callback is None:
            raise ConsentNeeded(question)
        if not self.confirmation_callback(question):
            raise Refused("Nothing was changed.", hint="`--scope project` keeps it to one project.")
        return True

    def _agree_to_edit(self, memory: Memory, fields: Mapping[str, Any]) -> bool:
        """Whether a person agreed to what an edit tells every project; False where it does not."""
        needed = widens(memory.scope, fields)
        return needed and self._agree(question_about(f"“{memory.title}”"))

    @contextmanager
    def agreeing(self, callback: Confirm) -> Iterator[None]:
        """What needs a person's yes in here is asked of `callback`."""
        before, self.confirmation_callback = self.confirmation_callback, callback
        try:
            yield
        finally:
            self.confirmation_callback = before

    @contextmanager
    def _change(
        self, action: str, reason: str = "", *, is_agreed: bool = False, **more: Any
    ) -> Iterator[Change]:
        """The store's change, filled in with who, when and where.

        It makes nothing global unless a person agreed to that (`is_agreed`).
        """
        with self._store.change(
            action,
            actor=more.pop("actor", self.actor),
            at=self.now_ms(),
            project=more.pop("project", self.project_id),
            session=more.pop("session", self.session),
            reason=Redactor().text(reason) if reason else "",
            group=self._group,
            **more,
        ) as change:
            yield change
            if not is_agreed:
                refuse_unasked(change)

    def _ensure_project(self, change: Change) -> None:
        """Put the project into the change unless the store knows it."""
        if change.get("project", self.project_id) is None:
            name, root, remote = self._described()
            change.put(
                "project",
                {
                    "id": self.project_id,
                    "name": name,
                    "root": root,
                    "remote": remote,
                    "aliases": [],
                    "created_at": self.now_ms(),
                },
            )


def _project(row: Image) -> Project:
    return Project(row["id"], row["name"], row["root"], row["remote"], row["memories"])


@_answering
def _identity_of(store: Store, project: str | None) -> Identity:
    """Who `project` is: a folder, a known project's id or name, or a new name.

    Raises Ambiguous for a name that several projects have.
    """
    if project is None:
        try:
            return identify(os.getcwd())
        except FileNotFoundError:
            raise BadInput(
                "The folder we are in is gone.", hint="Change to another one, or name a project."
            ) from None
    if os.path.isdir(project) or os.sep in project:
        return identify(project)
    name = clean(project[:MOST_NAME])
    known = finding.projects_called(store.connection, name)
    exact = [row for row in known if row["id"] == name] or known
    if len(exact) > 1:
        raise Ambiguous(
            f"{len(exact)} projects are called {name!r}.",
            hint=f"Say which by its id: {', '.join(row['id'] for row in exact[:5])}.",
        )
    if exact:
        row = exact[0]
        return Identity(row["id"], row["name"], row["root"], row["remote"])
    return named(name)
