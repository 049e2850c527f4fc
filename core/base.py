"""What every part of the coordinator stands on: the store, the project, the clock, the policy."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Self

from ..db import finding
from ..db.home import Home
from ..db.images import Image
from ..db.reader import Reader
from ..db.store import Change, Store
from .answers import Project
from .errors import Ambiguous, NotFound
from .ids import new_id
from .policy import Policy, load_policy
from .projects import Identity, identify, named
from .values import Memory
from .values_from import memory_from_image

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]


def system_clock() -> datetime:
    return datetime.now(UTC)


def to_ms(moment: datetime | None) -> int | None:
    """Whole milliseconds since the epoch; a naive moment counts as UTC. None stays None."""
    if moment is None:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(aware.timestamp() * 1000)


class Core:
    """One open store, seen from one project. Belongs to the thread that opened it."""

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
    ) -> None:
        self.home = home
        self._store = Store(home)
        self.clock = clock
        self.entropy = entropy
        self.actor = actor
        self.session = session
        self.agent = agent
        joined = self._reader().project_of([identity.id, identity.root, identity.name])
        self._identity = identity
        self.project_id = joined or identity.id

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
    ) -> Self:
        """Open the store in `home` for `project`: a folder, a project's name or its id.

        Without a project, the one that the current directory lies in. Raises StoreUnusable.
        """
        where = home if isinstance(home, Home) else Home(home)
        identity = _identity_of(where, os.fspath(project) if project is not None else None)
        return cls(
            where,
            identity,
            clock=clock,
            entropy=entropy,
            actor=actor,
            session=session,
            agent=agent,
        )

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
        paths = [self.home.config]
        if self._identity.root:
            paths.append(os.path.join(self._identity.root, ".memdeck.toml"))
        return load_policy(paths)

    @property
    def project(self) -> Project:
        """The project this core looks from."""
        for row in finding.projects(self._store.connection):
            if row["id"] == self.project_id:
                return _project(row)
        identity = self._identity
        return Project(self.project_id, identity.name, identity.root, identity.remote)

    def projects(self) -> list[Project]:
        """All projects of the store, the fullest first."""
        return [_project(row) for row in finding.projects(self._store.connection)]

    def resolve(self, ref: str) -> Memory:
        """The memory with this id, unique prefix of an id, or key.

        Raises NotFound or Ambiguous.
        """
        text = ref.strip()
        found = finding.by_prefix(self._store.connection, text) if text else []
        exact = [row for row in found if row["id"] == text] or found
        if not exact:
            raise NotFound(f"No memory is called {ref!r}.")
        if len(exact) > 1:
            names = ", ".join(row["id"][: len(text) + 4] for row in exact[:5])
            raise Ambiguous(f"{ref!r} could be {names}.")
        return self._memories([exact[0]["num"]])[0]

    # --- for the parts of the coordinator

    def _reader(self) -> Reader:
        return Reader(self._store.connection, self.now_ms())

    def _memories(self, nums: Sequence[int]) -> list[Memory]:
        return [memory_from_image(image) for image in self._reader().images(nums)]

    def _new_id(self) -> str:
        return new_id(self.now_ms(), self.entropy)

    def _change(self, action: str, reason: str = "", **more: Any) -> Any:
        """The store's change, filled in with who, when and where."""
        return self._store.change(
            action,
            actor=more.pop("actor", self.actor),
            at=self.now_ms(),
            project=more.pop("project", self.project_id),
            session=more.pop("session", self.session),
            reason=reason,
            **more,
        )

    def _ensure_project(self, change: Change) -> None:
        """Put the project into the change unless the store knows it."""
        if change.get("project", self.project_id) is None:
            identity = self._identity
            change.put(
                "project",
                {
                    "id": self.project_id,
                    "name": identity.name,
                    "root": identity.root,
                    "remote": identity.remote,
                    "aliases": [],
                    "created_at": self.now_ms(),
                },
            )


def _project(row: Image) -> Project:
    return Project(row["id"], row["name"], row["root"], row["remote"], row["memories"])


def _identity_of(home: Home, project: str | None) -> Identity:
    """Who `project` is: a folder, a known project's id or name, or a new name."""
    if project is None:
        return identify(os.getcwd())
    if os.path.isdir(project) or os.sep in project:
        return identify(project)
    if os.path.exists(home.database):
        store = Store(home)
        try:
            known = [
                row
                for row in finding.projects(store.connection)
                if project in (row["id"], row["name"])
            ]
        finally:
            store.close()
        if known:
            row = known[0]
            return Identity(row["id"], row["name"], row["root"], row["remote"])
    return named(project)
