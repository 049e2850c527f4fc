"""The demo store, made by the pipeline that makes real ones: offers, hooks, drain, curation.

Everything happens in the order of the story, with the clock set to the day. The same `now` in
the same folder gives the same journal, byte for byte.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from ..core.answers import Capture, Exchange, Salience, StoreResult
from ..core.clock import to_ms
from ..core.compat import MemoryCoordinator
from ..core.judgement.weights import threshold
from ..core.values import Origin
from ..db.home import Home
from ..db.journal import writer_of
from . import history
from .doors import Chance, Clock, Doors, the_time_of
from .history import DEMO_NOW, Act, Conversation, Days, Sitting, Told

Progress = Callable[[int, int | None], bool]

_MORNING = 8.4  # the hour at which a person goes through what agents left the day before


@dataclass(frozen=True, slots=True)
class DemoStore:
    """A store that was built, and how to look at it."""

    home: str
    project_root: str
    project: str  # the project's id
    memories: int  # in the store, retired ones included
    now: datetime  # the day of the story


class DemoError(Exception):
    """The story does not fit the pipeline: a memory was refused, or a hook failed."""


def build_demo_store(
    home: str, *, now: datetime | None = None, progress: Progress | None = None
) -> DemoStore:
    """Fill the empty folder `home` with the story of quayside, seen from `now` (UTC).

    `progress` is told how many of how many things have happened; what it answers does not count.
    Raises DemoError when anything of the story is lost on its way.
    """
    builder = _Builder(home, now or DEMO_NOW)
    try:
        store = builder.build(progress or (lambda _done, _of: True))
    finally:
        builder.close()
    for folder, folders, files in os.walk(os.path.join(store.home, "demo")):
        for name in (*folders, *files):
            os.chmod(os.path.join(folder, name), 0o700 if name in folders else 0o600)
    os.chmod(os.path.join(store.home, "demo"), 0o700)
    return store


def project_root_of(home: str) -> str:
    """The folder that plays quayside's repository."""
    return os.path.join(os.path.abspath(home), "demo", history.PROJECT)


class _Builder:
    def __init__(self, home: str, now: datetime) -> None:
        self.home = Home(os.path.abspath(home))
        self.home.prepare()
        self.root = _make_repository(project_root_of(home))
        self.days = Days(now)
        self.clock = Clock(now)
        self.chance = Chance("quayside")
        with the_time_of(self.home, self.clock, self.chance):
            writer_of(self.home)  # the journal's lines name it, and are the same each time
        self.ids: dict[str, str] = {}  # memory ids by key or title
        self.sittings = {sitting.name: sitting for sitting in history.sittings(self.days)}
        self.person = self._open("person")
        self.rule = self._open("rule")

    def _open(self, actor: str) -> MemoryCoordinator:
        return MemoryCoordinator.open(
            self.home,
            self.root,
            clock=self.clock,
            entropy=self.chance,
            actor=actor,
            confirmation_callback=(lambda _: True) if actor == "person" else None,
        )

    def close(self) -> None:
        self.person.close()
        self.rule.close()

    def build(self, progress: Progress) -> DemoStore:
        events = sorted(self._timeline(), key=lambda event: event[:2])
        for done, (moment, _, happens) in enumerate(events):
            progress(done, len(events))
            self.clock.now = moment
            happens()
        self.clock.now = self.days.now
        stats = self.person.stats()
        return DemoStore(
            self.home.path,
            self.root,
            self.person.project.id,
            stats.total_count + stats.retired,
            self.days.now,
        )

    # --- the story in order

    def _timeline(self) -> list[tuple[datetime, int, Callable[[], None]]]:
        """(when, a number that tells equal moments apart, what happens) for the whole story."""
        found: list[tuple[datetime, Callable[[], None]]] = []
        for sitting in self.sittings.values():
            found.append((sitting.starts, partial(self._begin, sitting)))
            found.append((sitting.ends, partial(self._learn, sitting)))
            found.append((self._next_morning(sitting.ends), partial(self._triage, sitting)))
            for told in sitting.told:
                found += self._later(told, sitting.ends, sitting.id)
        for told in history.notes(self.days):
            found.append((told.at, partial(self._note, told)))
            found += self._later(told, told.at)
        for talk in history.conversations(self.days):
            if not talk.is_tour:
                found.append((talk.starts, partial(self._talk, talk)))
        for act in history.acts(self.days):
            found.append((act.at, partial(self._act, act)))
        return [(moment, number, happens) for number, (moment, happens) in enumerate(found)]

    def _next_morning(self, moment: datetime) -> datetime:
        day = (moment.date() - self.days.now.date()).days + 1
        return min(self.days.at(day, _MORNING), self.days.now - timedelta(minutes=30))

    def _later(
        self, told: Told, learned: datetime, session: str | None = None
    ) -> list[tuple[datetime, Callable[[], None]]]:
        """What becomes of one memory after it was learned."""
        found: list[tuple[datetime, Callable[[], None]]] = []
        fields = told.fields
        if "retired" in fields and fields["retired"] != "superseded":
            life = fields.get("expires_after_hours", 72)
            away = max(learned, told.at + timedelta(hours=life * 0.75))  # before it expires
            found.append((away, partial(self._retire, told, session)))
        if old := fields.get("supersedes"):
            found.append(
                (
                    self._next_morning(learned) + timedelta(minutes=5),
                    partial(self._supersede, old, told.key),
                )
            )
        return found

    # --- what agents do

    def _begin(self, sitting: Sitting) -> None:
        self.rule.session_seen(sitting.id, sitting.agent, self.root, "startup")
        self.rule.session_goal(sitting.id, sitting.goal)
        self.rule.recall(sitting.goal, host=sitting.agent, session=sitting.id)

    def _learn(self, sitting: Sitting) -> None:
        captures = [self._capture(told, sitting) for told in sitting.told]
        for told, result in zip(sitting.told, self.rule.offer(captures), strict=True):
            self._keep(told, result)
        self.rule.session_ended(sitting.id, "other")
        for told in sitting.told:
            self._join(told)

    def _capture(self, told: Told, sitting: Sitting) -> Capture:
        return Capture(
            content=told.fields["content"],
            confidence=0.9 if told.status == "pinned" else 0.8,
            origin=Origin(session=sitting.id, agent=sitting.agent, role="executor"),
            said_at=told.at,
            **self._fields(told),
        )

    def _fields(self, told: Told) -> dict[str, Any]:
        """What an agent's find and a person's note have in common."""
        names = ("title", "category", "type", "importance")
        return {
            **{name: told.fields[name] for name in names},
            **{name: tuple(told.fields.get(name, ())) for name in ("tags", "files")},
            "due": self._due(told),
            "expires": self._expires(told),
            "details": self._details(told),
        }

    def _keep(self, told: Told, result: StoreResult) -> None:
        if not result.stored or result.memory_id is None:
            raise DemoError(f"“{told.key}” was not kept: {result.reason}")
        self.ids[told.key] = result.memory_id

    def _talk(self, talk: Conversation) -> None:
        folder = os.path.join(self.home.path, "demo", "claude")
        calls = list(Doors(self.home, self.root, talk, self.chance, folder=folder).play())
        reports = [call.drained for call in calls if call.drained]
        lost = [report for report in reports if report.failed or report.retried or report.problem]
        if lost or not sum(report.stored for report in reports):
            raise DemoError(f"The conversation {talk.name} left nothing: {reports}")

    # --- what people do

    def _note(self, told: Told) -> None:
        result = self.person.remember(
            told.fields["content"],
            scope=told.fields.get("scope"),
            pin=told.status == "pinned",
            **self._fields(told),
        )
        self._keep(told, result)
        self._join(told)

    def _triage(self, sitting: Sitting) -> None:
        """A person accepts what is right and pins what must never be forgotten."""
        accepted = [
            t for t in sitting.told if t.status != "candidate" and "retired" not in t.fields
        ]
        if accepted:
            self.person.confirm([self.ids[told.key] for told in accepted])
        for told in accepted:
            if told.status == "pinned":
                self.person.pin(self.ids[told.key])

    def _act(self, act: Act) -> None:
        fields = act.fields
        memory = self.person
        names = [self.ids[name] for name in fields.get("refs", ())]
        match fields["do"]:
            case "edit":
                memory.edit(self.ids[fields["ref"]], **fields["fields"])
            case "retag":
                memory.retag(names, fields.get("add", ()), fields.get("remove", ()))
            case "pin":
                memory.pin(names)
            case "unpin":
                memory.unpin(names)
            case "forget":
                memory.forget(names, fields["reason"])
            case "restore":
                memory.restore(names)
            case "undo":
                memory.undo(memory.audit(action=fields["action"], limit=1)[0].seq)
            case "link":
                source, target = self.ids[fields["source"]], self.ids[fields["target"]]
                memory.link(source, target, fields["kind"])
            case "accept":
                memory.accept(self._left_by(fields["session"], fields["categories"]))
            case "reject":
                left = self._left_by(fields["session"], fields["categories"])
                memory.reject(left, fields["reason"])
            case "pass over":
                self._pass_over(fields)
            case "no conflict":
                self._let_both_stand(*names)
            case "recall":
                memory.recall(
                    fields["prompt"],
                    host=fields["host"],
                    session=self.sittings[fields["session"]].id,
                    files=fields.get("files", ()),
                )
            case other:
                raise DemoError(f"Nobody can {other}.")

    def _let_both_stand(self, one: str, other: str) -> None:
        """Where the pair was marked, the person says that it is no conflict."""
        for conflict in self.person.conflicts():
            if {conflict.first.id, conflict.second.id} == {one, other}:
                self.person.resolve_conflict(conflict.id, "not_a_conflict")

    def _pass_over(self, fields: Mapping[str, Any]) -> None:
        """Talk just above the bar, at which the person stopped the agent; review refuses it."""
        sitting = self.sittings[fields["session"]]
        origin = Origin(session=sitting.id, agent=sitting.agent, role="executor")
        score = Salience(
            threshold(is_person=False) + 0.3, 0.29, 0.05, is_candidate=True, is_established=False
        )
        stopped = Exchange(answered="Stop, one thing after the other.", reaction="interrupted")
        captures = [
            Capture(
                content=text, rule=fields["rule"], origin=origin, salience=score, exchange=stopped
            )
            for text in fields["texts"]
        ]
        if kept := [one.reason for one in self.rule.offer(captures) if one.outcome != "refused"]:
            raise DemoError(f"Something was kept that should not be: {kept}")

    def _left_by(self, talk: str, categories: Sequence[str]) -> list[str]:
        """What a conversation left in these categories, as ids."""
        session = history.session_id(talk, "claude")
        return [
            memory.id
            for memory in reversed(self.person.list(f"session:{session}"))
            if memory.category in categories
        ]

    def _retire(self, told: Told, session: str | None) -> None:
        if told.fields["retired"] == "cleared" and session is not None:
            self.rule.clear_working_memory(session)
        else:
            self.person.forget(self.ids[told.key], told.fields.get("retired_because", ""))

    def _supersede(self, old: str, new: str) -> None:
        self.person.supersede(self.ids[old], self.ids[new])

    def _join(self, told: Told) -> None:
        """Links and conflicts with what is known already, or of what was known with this."""
        fields = told.fields
        for kind, target in fields.get("link", {}).items():
            self.rule.link(self.ids[told.key], self.ids[target], kind)
        for one in (one for sitting in self.sittings.values() for one in sitting.told):
            pair = one.key, one.fields.get("conflict_with")
            if told.key in pair and all(side in self.ids for side in pair):  # complete by now
                first, second = (self.ids[str(side)] for side in pair)
                self.rule.mark_conflict(first, second, one.fields["conflict_kind"])

    # --- fields

    def _due(self, told: Told) -> datetime | None:
        days = told.fields.get("due_in_days")
        return None if days is None else self.days.in_days(days)

    def _expires(self, told: Told) -> datetime | None:
        if "expires_after_hours" in told.fields:
            return told.at + timedelta(hours=told.fields["expires_after_hours"])
        days = told.fields.get("expires_in_days")
        return None if days is None else self.days.in_days(days)

    def _details(self, told: Told) -> dict[str, Any]:
        """The fields of the type's own table, as the store names them."""
        given = dict(told.fields.get("details", {}))
        if "kind" in given:
            given["category"] = given.pop("kind")
        if "completed_day" in given:
            given["completed_at"] = to_ms(self.days.at(given.pop("completed_day"), 16))
        if uses := given.get("usage_count"):
            latest = self.days.now - timedelta(days=40 / uses)
            given["last_used_at"] = to_ms(max(told.at, latest))
        return given


def _make_repository(root: str) -> str:
    """An empty repository, as far as memdeck looks at one: its remote names the project."""
    folder = os.path.join(root, ".git")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with open(os.path.join(folder, "config"), "w", encoding="utf-8") as file:
        file.write(f'[remote "origin"]\n\turl = {history.REMOTE}\n')
    return root
