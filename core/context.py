"""The context of every service: store, project, clock, policy, the user's consent."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from ..db import memories, sessions
from ..db.connection import Database
from ..db.errors import Ambiguous, BadInput, ConsentNeeded, NotFound, Refused
from ..db.fast_reader import Reader
from ..db.home import Home
from ..db.images import Image, headline_of
from ..db.store import Change, Group, Store, opened
from . import hosts
from .projects import Identity, identify, named
from .text.words import MOST_KEY, MOST_NAME, clean
from .values import (
    ACTORS,
    Clock,
    Memory,
    at,
    memory_from_image,
    moment_at,
    new_id,
    system_clock,
    to_ms,
)

if TYPE_CHECKING:
    from .config.settings import Ignored, Policy
    from .recall.selection import Viewer
    from .redaction.redact import Choice


T = TypeVar("T")


class Project(NamedTuple):
    """A project as the store knows it."""

    id: str
    name: str
    root: str
    remote: str | None
    memories: int = 0


Confirm = Callable[[str], bool]  # gets a question for the user, returns True for a yes
INJECTED_FIELDS = ("content", "title", "privacy")  # a change of these alters what agents receive

COUNTED = ("usage_count", "success_rate", "last_used_at", "evidence_count", "source_sessions")
"""Fields of a type's own that are counters; `updated_at` follows from any change."""


def must_not_be_agent(actor: str) -> None:
    """Raise Refused if an agent acts, since an agent makes nothing the user's."""
    if actor == "agent":
        raise Refused(
            ONLY_THE_USER,
            hint="Ask them to run it in a terminal of their own; `memdeck learn TEXT --replaces ID`"
            " records what you found.",
        )


ONLY_THE_USER = "Only the user does this: nothing was changed."

_AGENTS_MAY = ("reinforce", "complete", "use")
"""Acts of an agent on memories of the user: repeat them, complete a task, use them."""


def question_about(what: str) -> str:
    """Return the question, without the consequences of the answers."""
    return f"Agents of every project will receive {what}."


def question_of(
    changes: Sequence[Mapping[str, Any]],
    of_others: Callable[[Collection[str]], Mapping[str, str]] | None = None,
) -> str:
    """Return the question that the user must answer before these rows are written; "" for none.

    `changes` are rows of the journal. `of_others` returns the titles of global memories that
    are not the user's so far.
    """
    trusts = [row["after"] for row in changes if row["table"] == "memory_trust" and row["after"]]
    confirmed = {trust["memory"] for trust in trusts if trust["vouched_at"] is not None}
    raised = dict(of_others(confirmed)) if of_others and confirmed else {}
    details, dropped, changed = list[str](), list[str](), list[str]()
    for row in changes:
        if row["table"] != "memory":
            continue
        before, after = row["before"], row["after"]
        was, will_be = _is_injected(before), _is_injected(after)
        if will_be and (not was or any(before[name] != after[name] for name in INJECTED_FIELDS)):
            details.append(headline_of(after))
        elif was and not will_be:
            dropped.append(headline_of(before))
        elif was and will_be and _decided(before) != _decided(after):
            changed.append(headline_of(after))
        else:
            continue
        raised.pop((after or before)["id"], None)  # asked about already
    sentences = (
        question_about(_named(details)) if details else "",
        f"Agents of every project will no longer receive {_named(dropped)}." if dropped else "",
        f"This changes {_named(changed)}, which agents of every project receive."
        if changed
        else "",
        f"Agents of every project will be asked to follow {_named([*raised.values()])}."
        if raised
        else "",
    )
    return " ".join(filter(None, sentences))


def _is_injected(image: Mapping[str, Any] | None) -> bool:
    return image is not None and image["scope"] == "global" and image["retired_at"] is None


def _decided(image: Mapping[str, Any]) -> dict[str, Any]:
    """Return the image without its counters: the fields that only a decision changes."""
    details = {name: value for name, value in image["details"].items() if name not in COUNTED}
    return {**image, "details": details, "updated_at": None}


def _named(titles: Sequence[str]) -> str:
    return f"“{titles[0]}”" if len(titles) == 1 else f"{len(titles):,} memories"


class Consent:
    """The user's consent, by a `callback`; without one nothing is agreed. An agent never agrees."""

    def __init__(self, callback: Confirm | None, *, is_agents: bool = False) -> None:
        self.callback = None if is_agents else callback
        self._is_agents = is_agents
        self._is_given = False

    def agree(self, question: str) -> bool:
        """Return True after a yes, outside of a change. Raises ConsentNeeded, Refused."""
        if self.callback is None:
            raise ConsentNeeded(question, is_agents=self._is_agents)
        if not self.callback(question):
            raise Refused("It was not agreed to: nothing was changed.")
        return True

    def must_cover(
        self,
        changes: Sequence[Mapping[str, Any]],
        of_others: Callable[[Collection[str]], Mapping[str, str]] | None = None,
    ) -> None:
        """Raise ConsentNeeded if these rows need the user's yes and there was none."""
        if not self._is_given and (question := question_of(changes, of_others)):
            raise ConsentNeeded(question, is_agents=self._is_agents)

    def with_consent(self, act: Callable[[], T]) -> T:
        """Do an act of one change, again with the user's yes if needed. Raises as `agree` does."""
        try:
            return act()
        except ConsentNeeded as needed:
            if self.callback is None or self._is_given:
                raise
            self.agree(needed.question)
        self._is_given = True
        try:
            return act()
        finally:
            self._is_given = False

    @contextmanager
    def granted(self) -> Iterator[None]:
        """Treat every question in this block as agreed, without asking."""
        callback, is_given = self.callback, self._is_given
        if not self._is_agents:
            self.callback, self._is_given = (lambda _: True), True
        try:
            yield
        finally:
            self.callback, self._is_given = callback, is_given

    @contextmanager
    def agreeing(self, callback: Confirm) -> Iterator[None]:
        """Ask `callback` for the user's yes in this block."""
        before, self.callback = self.callback, None if self._is_agents else callback
        try:
            yield
        finally:
            self.callback = before


Entropy = Callable[[int], bytes]

READ_AT_ONCE = 1_000  # memories of a list that is written out as it is read
LONGEST_NAME = 80  # characters of a session's name


def _clean_name(value: str | None) -> str | None:
    """`outside_name`, whose rules are only loaded for a name that is given."""
    if value is None:
        return None
    from .ingest.drafts import outside_name

    return outside_name(value)


class Context:
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
        confirmation_callback: Confirm | None = None,
        store: Store | None = None,
        is_typed: bool = False,  # the user typed it, though their agent runs it
    ) -> None:
        self.home = home
        self.store = store or opened(home)
        self.clock = clock
        self.entropy = entropy
        shell = hosts.registry.shell(os.environ) if actor == "person" else None
        is_agents = actor == "agent" or (shell is not None and bool(shell.hosts))
        self.actor = "agent" if is_agents and not is_typed else actor
        self.session = _clean_name(session)
        self.agent = _clean_name(agent)
        self.consent = Consent(confirmation_callback, is_agents=is_agents)
        self.viewer: Viewer | None = None  # the reading agent; None: the user, who sees everything
        self.group: Group | None = None  # of the act that is under way, when it has several parts
        self.is_read_back = True  # whether acts return the memories that they changed
        self.root = identity.root  # the project's folder; "" of one that is only a name
        self._identity = identity
        self._thread = threading.get_ident()
        try:
            self.project_id = self._joined(identity)
            if shell is not None and is_agents:
                self._must_be_agents(identity, shell.folder or current_folder())
            if is_agents:
                self.viewer = self.viewer_of(shell.session if shell is not None else self.session)
        except BaseException:
            self.store.close()
            raise

    def is_here(self, folder: str) -> bool:
        return self._joined(identify(folder)) == self.project_id

    def _must_be_agents(self, identity: Identity, folder: str) -> None:
        """Raise Refused unless the project is that of the agent in `folder`, or lies below it."""
        own = identify(folder)
        is_below = f"{identity.root}{os.sep}".startswith(f"{own.root}{os.sep}")
        if not is_below and self._joined(own) != self.project_id:
            hint = "The user can, in a terminal of their own."
            raise Refused(f"An agent in {own.name} reads no other project.", hint=hint)

    def viewer_of(self, session: str | None) -> Viewer:
        """Return the agent of this session as a viewer; None is an unknown session."""
        from .recall.selection import Viewer, shared_before

        now_ms = self.now_ms()
        shared = shared_before(self.policy.recall, now_ms)
        return Viewer(self.project_id, _clean_name(session), None, now_ms, shared)

    def _joined(self, identity: Identity) -> str:
        return self.reader().projects.id_of(identity)

    @classmethod
    def open(
        cls,
        home: str | os.PathLike[str] | Home | None = None,
        project: str | os.PathLike[str] | None = None,
        **who: Any,
    ) -> Self:
        """Open the store in `home` for `project`: a folder, a project's name or its id.

        Without a project, the one that the current directory lies in. `who` are further
        arguments of the class. Raises StoreUnusable, and BadInput for an unknown actor.
        """
        if who.get("actor", ACTORS[0]) not in ACTORS:
            raise BadInput(
                f"Nobody is known as {who['actor']!r}.", hint=f"An actor is {', '.join(ACTORS)}."
            )
        where = home if isinstance(home, Home) else Home(home)
        store = opened(where)
        try:
            identity = _identity_of(store, os.fspath(project) if project is not None else None)
        except BaseException:
            store.close()
            raise
        return cls(where, identity, store=store, **who)

    @property
    def database(self) -> Database:
        return self.store.database

    @property
    def here(self) -> tuple[Database, str]:
        """Return the first arguments of a query about the project: database and project id."""
        return self.store.database, self.project_id

    @property
    def is_own_thread(self) -> bool:
        """Return True in the thread that opened the store."""
        return threading.get_ident() == self._thread

    def elsewhere(self) -> Context:
        """Return the same over another connection, for the thread that asks; to be closed."""
        return Context(
            self.home,
            self._identity,
            clock=self.clock,
            entropy=self.entropy,
            actor=self.actor,
            session=self.session,
            agent=self.agent,
            confirmation_callback=self.consent.callback,
            is_typed=self.actor != "agent",
        )

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def now(self) -> datetime:
        return self.clock()

    def now_ms(self) -> int:
        return to_ms(self.clock()) or 0

    @cached_property
    def policy(self) -> Policy:
        """Return all settings: the home's `config.toml`, then the project's `.memdeck.toml`."""
        from .config.settings import files_of, load_policy

        return load_policy(files_of(self.home.config, self.root), self.setting("preset"))

    def reload_policy(self) -> None:
        """Read the settings again on next use."""
        self.__dict__.pop("policy", None)

    def settings_problems(self) -> list[Ignored]:
        """Return invalid parts of the settings files, whole files included."""
        from .config.settings import files_of, problems_in

        return problems_in(files_of(self.home.config, self.root))

    def setting(self, name: str) -> Any:
        """Return the user's choice for this project in the store; None if there is none."""
        return self.reader().projects.setting(f"{name}|{self.project_id}")

    @property
    def project(self) -> Project:
        """Return the current project, at its present folder: it may have been moved."""
        for project in self.projects():
            if project.id == self.project_id:
                is_there = self.root in ("", project.root)  # as stored, so it can be kept
                return project if is_there else project._replace(root=self._described[1])
        return Project(self.project_id, *self._described)

    @cached_property
    def _described(self) -> tuple[str, str, str | None]:
        """Name, root and remote as they can be kept: a folder's name may be no text at all."""
        identity = self._identity
        name, root, remote = (
            _clean_name(text[:MOST_NAME])
            for text in (identity.name, identity.root, identity.remote or "")
        )
        return name or "", root or "", remote or None

    def projects(self) -> list[Project]:
        """Return all projects of the store, the fullest first."""
        return [of_row(Project, row) for row in sessions.projects(self.database)]

    def must_be_known(self, name: str) -> None:
        """Raise NotFound, with what may have been meant, if the project called so never began."""
        projects = {project.id: project.name for project in self.projects()}
        if self.project_id in projects or os.path.isdir(os.path.expanduser(name)):
            return
        from difflib import get_close_matches

        near = get_close_matches(name, [*projects.values(), *projects])
        raise NotFound(
            f"There is no folder {name[:MOST_NAME]}, and no memory from one."
            if os.sep in name
            else f"No project is called {name[:MOST_NAME]!r}.",
            hint=(
                f"Did you mean {near[0]}? "
                if near
                else "--project takes a folder or a project's name. "
            )
            + "`memdeck project new NAME` begins a project that has no folder.",
        )

    def resolve(self, ref: str) -> Memory:
        """Return the memory with this id, prefix or live key. Raises NotFound, Ambiguous."""
        matches = self.memories([self.named(ref)["num"]])
        if not matches:
            raise NotFound(
                f"{ref[:60]!r} is not for this session.",
                hint="It is private, or of another role or project. The user sees it in a"
                " terminal.",
            )
        return matches[0]

    @contextmanager
    def as_one_act(self, *, is_read_back: bool = True) -> Iterator[None]:
        """Make the changes in this block one act: several entries of the trail, and one undo.

        `is_read_back` False: acts on memories return none, since reading thousands again takes
        a quarter of the time.
        """
        if self.group is not None:  # a part of a larger act
            yield
            return
        self.group, self.is_read_back = Group(), is_read_back
        try:
            yield
        finally:
            self.group, self.is_read_back = None, True

    def named(self, ref: str) -> Image:
        """id and num of the memory that `ref` names, as in `resolve`."""
        if not isinstance(ref, str):
            raise BadInput(f"A memory is named by a text, not by {type(ref).__name__}.")
        text = clean(ref[: 2 * MOST_KEY]).strip()
        by_name = memories.by_name(self.database, text, self.project_id) if text else []
        if not by_name:
            raise NotFound(f"No memory is called {ref[:60]!r}.")
        if len(by_name) > 1:
            raise Ambiguous.among(text, [row["id"] for row in by_name])
        return by_name[0]

    def must_be_here(self, *memories: Memory) -> None:
        """Raise Refused for a memory of another project: projects do not mix."""
        for memory in memories:
            if memory.project not in (self.project_id, ""):
                hint = "Name that project: `--project`."
                raise Refused(f"“{memory.title}” belongs to another project.", hint=hint)

    def reader(self) -> Reader:
        return self.store.reader(self.now_ms())

    def memories(self, nums: Sequence[int]) -> list[Memory]:
        """Return the memories of these numbers, in order; for an agent without withheld ones."""
        images = self.reader().images(nums)
        if (viewer := self.viewer) is not None:
            images = [image for image in images if not _is_withheld(image, viewer)]
        return [memory_from_image(image) for image in images]

    def new_id(self) -> str:
        return new_id(self.now_ms(), self.entropy)

    def redaction_choice(self) -> Choice:
        """Return the policy's choice for redaction; EVERYTHING while settings are unreadable."""
        from .redaction.redact import EVERYTHING

        try:
            return self.policy.redaction.choice()
        except BadInput:
            return EVERYTHING

    @contextmanager
    def change(
        self, action: str, reason: str = "", *, is_agreed: bool = False, **more: Any
    ) -> Iterator[Change]:
        """Open the store's change with actor, time and project filled in. Raises ConsentNeeded."""
        from .ingest.drafts import redacted

        with self.store.change(
            action,
            actor=more.pop("actor", self.actor),
            at=self.now_ms(),
            project=more.pop("project", self.project_id),
            session=more.pop("session", self.session),
            reason=redacted(reason) if reason else "",
            group=self.group,
            **more,
        ) as change:
            yield change
            changes = change.changes()
            if not is_agreed:
                self.consent.must_cover(changes, self._of_others)
            if change.head["actor"] == "agent":
                self.must_be_an_agents(changes, change.head["action"])

    def must_be_an_agents(self, changes: Sequence[Mapping[str, Any]], action: str) -> None:
        """Raise Refused if an agent changes settings or memories of the user."""
        if self.actor != "agent" or action in _AGENTS_MAY:
            return
        rows = [row for row in changes if row["table"] == "memory"]
        ids = [row["before"]["id"] for row in rows if row["before"] is not None]
        if action == "link":
            links = [row["after"] for row in changes if row["table"] == "memory_link"]
            ids += [link[side] for link in links for side in ("source", "target")]
        nums = memories.by_ids(self.database, ids).values() if ids else ()
        if (
            any(
                row["table"] == "setting" and not row["key"].startswith("place|") for row in changes
            )
            or any(image["degree"] == "person" for image in self.reader().images([*nums]))
            or any(row["after"] is not None and row["after"]["status"] == "pinned" for row in rows)
        ):
            must_not_be_agent(self.actor)

    def choose(self, action: str, reason: str, key: str, value: Any) -> None:
        """Store the user's choice under `key`."""
        with self.change(action, reason) as change:
            self.ensure_project(change)
            change.put("setting", {"key": key, "value": value})

    def _of_others(self, ids: Collection[str]) -> dict[str, str]:
        """Return the titles of those that are global and not the user's so far."""
        nums = memories.by_ids(self.database, [*ids]).values()
        return {
            image["id"]: headline_of(image)
            for image in self.reader().images([*nums])
            if image["retired_at"] is None
            and image["scope"] == "global"
            and image["degree"] != "person"
        }

    def ensure_project(self, change: Change) -> None:
        """Put the project and its place into the change unless the store has them as they are."""
        existing = change.get("project", self.project_id)
        name, root, remote = self._described
        if existing is None:
            new = {"id": self.project_id, "name": name, "root": root, "remote": remote}
            change.put("project", {**new, "aliases": [], "created_at": self.now_ms()})
        elif remote and existing["remote"] is None and existing["root"] == root:
            change.put("project", {**existing, "remote": remote})
        if self._identity.mark:
            stored, value = change.get("setting", self.place_key), self.placed(self.project_id)
            if stored is None or stored["value"] != value:
                change.put("setting", {"key": self.place_key, "value": value})

    @property
    def place_key(self) -> str:
        """Return the key of the setting with the project of this folder."""
        return self._identity.place

    def placed(self, project: str) -> dict[str, Any]:
        """Return the value of that setting, if the folder is a place of `project`."""
        _, root, remote = self._described
        return {"project": project, "root": root, "remote": remote, "mark": self._identity.mark}


def each(context: Context, nums: Sequence[int]) -> Iterator[Memory]:
    """Yield as `Context.memories`, read some at a time, for output as a stream."""
    for number in range(0, len(nums), READ_AT_ONCE):
        yield from context.memories(nums[number : number + READ_AT_ONCE])


def over(context: Context, store: Store, clock: Clock) -> Context:
    """Return the same project in another store, at another time, for the current thread."""
    return Context(context.home, context._identity, clock=clock, store=store)


def current_folder() -> str:
    """Return the folder we are in. Raises BadInput where it is gone."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise BadInput(
            "The folder we are in is gone.", hint="Change to another one, or name a project."
        ) from None


def _identity_of(store: Store, project: str | None) -> Identity:
    """Return the identity of `project`: a folder, a known project's id or name, or a new name.

    Raises Ambiguous for a name of several projects, BadInput for an empty one.
    """
    if project is None:
        return identify(current_folder())
    if os.path.isdir(project) or os.sep in project:
        return identify(project)
    if not project:
        raise BadInput("No project has an empty name.", hint="Name it, or leave it out.")
    name = clean(project[:MOST_NAME])
    existing = sessions.projects_called(store.database, name)
    exact = [row for row in existing if row["id"] == name] or existing
    if len(exact) > 1:
        hint = f"Say which by its id: {', '.join(row['id'] for row in exact[:5])}."
        raise Ambiguous(f"{len(exact)} projects are called {name!r}.", hint=hint)
    if exact:
        row = exact[0]
        return Identity(row["id"], row["name"], row["root"], row["remote"])
    return named(name)


def project_names(context: Context) -> dict[str, str]:
    """Map project id to its name, or to the id if another project has that name as well."""
    projects = context.projects()
    names = [item.name for item in projects]
    return {item.id: item.name if names.count(item.name) == 1 else item.id for item in projects}


def shows(context: Context, *ids: str) -> bool:
    """Return True if privacy lets the viewer see all of these memories."""
    return not withheld(context, ids)


def withheld(context: Context, ids: Iterable[str]) -> set[str]:
    """Return the ids that privacy hides from the viewer; none for the user."""
    if (viewer := context.viewer) is None:
        return set()
    request, matches, reader = [*ids], set[str](), context.reader()
    for number in range(0, len(request), READ_AT_ONCE):
        nums = memories.by_ids(context.database, request[number : number + READ_AT_ONCE]).values()
        images = reader.images([*nums])
        matches.update(image["id"] for image in images if _is_withheld(image, viewer))
    return matches


def _is_withheld(image: Mapping[str, Any], viewer: Viewer) -> bool:
    from .recall.selection import withheld_because

    is_here = image["project"] in (viewer.project, "")
    return not is_here or withheld_because(image, viewer) is not None


def is_own_session(context: Context, session: str | None) -> bool:
    """Return True if the viewer is the user or that session: only they may see its words."""
    viewer = context.viewer
    return viewer is None or (bool(viewer.session) and session == viewer.session)


def names_of(database: Database, ids: Iterable[str | None]) -> dict[str, str]:
    """Map session id to name. Sessions that the store does not hold are omitted."""
    wanted = list(dict.fromkeys(session for session in ids if session))
    rows = sessions.named(database, wanted) if wanted else []
    return {row["id"]: name_of_row(row) for row in rows}


def name_of_row(row: Image) -> str:
    return name_of_session(row["goal"] or "", row["agent"], moment_at(row["started_at"]))


def name_of_session(goal: str, agent: str, started_at: datetime) -> str:
    """Return a session's name: its goal, cut, else its agent and its beginning in local time."""
    if words := " ".join(goal.split()):
        return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1].rstrip()}…"
    began = started_at.astimezone()
    return f"{agent or 'a session'}, {began.day} {began:%b %Y %H:%M}"


_READ: Mapping[str, Callable[[Any], Any]] = {
    "bool": bool,
    "str": lambda text: text or "",
    "datetime": moment_at,
    "datetime | None": at,
    "tuple[str, ...]": lambda items: tuple(items or ()),
}


_READERS: dict[type, list[tuple[str, Callable[[Any], Any] | None]]] = {}


def of_row(kind: type[T], row: Mapping[str, Any], **more: Any) -> T:
    """Return a stored row as a value of this class by its fields' names; `more` are others."""
    if kind not in _READERS:
        forms = kind.__annotations__.items()  # a named tuple wraps them
        _READERS[kind] = [
            (name, _READ.get(str(getattr(form, "__forward_arg__", form)))) for name, form in forms
        ]
    for name, read in _READERS[kind]:
        if name in row and name not in more:
            more[name] = row[name] if read is None else read(row[name])
    return kind(**more)
