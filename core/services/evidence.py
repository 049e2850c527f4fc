"""What of the project speaks against its memories, gathered once a day and never by a hook."""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ...db import ageing
from ...db.images import headline
from ..lifecycle.staleness import (
    DECLARED,
    FILES,
    MUCH,
    TELLS_WHAT_WAS,
    Declared,
    Fact,
    Sign,
    command_sign,
    declared,
    facts_of,
    flag_sign,
    gone_sign,
    left_work_sign,
    moved_sign,
    rewritten_sign,
    told,
    version_sign,
    worked_at,
)
from ..values import DAY_MS
from .maintenance import Proposal
from .repository import Left, NoEvidence, Repository

if TYPE_CHECKING:
    from ...db.ageing import Examined
    from ...db.store import Change
    from ..context import Context

MOST_MOVES = 10
"""A file is followed so many times."""

LEAST_REMOVED = 10
"""Lines of a file that are gone when it has changed much: a short one is soon all new."""

LARGEST = 1024 * 1024
"""Bytes of a manifest that is read."""


class History:
    """What git says of a project since its oldest memory, which names these facts.

    Raises NoEvidence when made.
    """

    def __init__(
        self, repository: Repository, root: str, since_ms: int, facts: Iterable[Fact]
    ) -> None:
        self._repository = repository
        self._root = root
        self._departures = repository.departures(since_ms)
        self._commits = repository.commits(since_ms)[::-1]
        self._manifests: dict[str, Declared] = {}
        self._flags: dict[str, set[str]] = {}
        named = sorted(set(facts))
        paths = [
            fact.name
            for fact in named
            if fact.kind == "file" or (fact.kind == "name" and self._is_known(fact.name))
        ]
        flags = [fact.name for fact in named if fact.kind == "flag"]
        self._removals = repository.removals(since_ms, paths) if paths else {}
        standing = repository.having("HEAD", flags) if flags else set[str]()
        self._missing = [flag for flag in flags if flag not in standing]

    def _is_known(self, name: str) -> bool:
        """Whether a name without a folder is that of a file of the project, now or once."""
        return name in self._departures or os.path.lexists(os.path.join(self._root, name))

    def left(self, path: str, since_ms: int) -> Sign | None:
        """How a file left after `since_ms`; None while it stands, or when git never had it."""
        if path not in self._departures or self._stands(path):
            return None
        here, last, seen = path, None, {path}
        for _ in range(MOST_MOVES):
            step = self._next(here, last.at if last else since_ms, is_first=last is None)
            if step is None:
                break
            last = step
            if not step.moved_to or step.moved_to in seen:
                break
            here = step.moved_to
            seen.add(here)
            if self._stands(here):
                return moved_sign(path, here, step.at, step.commit)
        return gone_sign(path, last.at, last.commit) if last and not last.moved_to else None

    def _next(self, path: str, since_ms: int, *, is_first: bool) -> Left | None:
        steps = self._departures.get(path, ())
        later = [one for one in steps if one.at > since_ms or (not is_first and one.at == since_ms)]
        return later[-1] if later else None

    def _stands(self, path: str) -> bool:
        if os.path.lexists(os.path.join(self._root, path)):
            return True
        return path in self._repository.standing([path])  # only not checked out

    def rewritten(self, path: str, since_ms: int) -> Sign | None:
        """That a file which still stands has few of the lines left that it had then."""
        later = [(at, lines) for at, lines in self._removals.get(path, ()) if at > since_ms]
        commit = self._commit_at(since_ms)
        if commit is None or sum(lines for _, lines in later) < LEAST_REMOVED:
            return None
        had = len((self._repository.text(commit, path) or "").splitlines())
        removed = self._repository.removed(commit, path) if had else 0
        if removed < LEAST_REMOVED or removed <= MUCH * had:
            return None
        return rewritten_sign(path, later[0][0], commit[:12])

    def lost(self, flag: Fact, since_ms: int) -> bool:
        """Whether a flag stood in the project then and does not now."""
        commit = self._commit_at(since_ms) if flag.name in self._missing else None
        if commit is None:
            return False
        if commit not in self._flags:
            self._flags[commit] = self._repository.having(commit, self._missing)
        return flag.name in self._flags[commit]

    def _commit_at(self, moment_ms: int) -> str | None:
        """What was checked out then, as far as the main line knows."""
        number = bisect_left(self._commits, (moment_ms + 1, ""))
        return self._commits[number - 1][1] if number else None

    def at(self, moment_ms: int) -> Declared | None:
        """What the manifests said at that moment; None before the first commit that is known."""
        commit = self._commit_at(moment_ms)
        if commit is None:
            return None
        if commit not in self._manifests:
            read = partial(self._repository.text, commit)
            self._manifests[commit] = declared(read)
        return self._manifests[commit]


class Evidence:
    """The project's folder, and its history where it has one."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.root = context.root
        self.met = ""  # why git could not say what the last upkeep asked

    @property
    def is_there(self) -> bool:
        """Whether there is a folder to look at: one that is gone is no evidence."""
        return bool(self.root) and os.path.isdir(self.root)

    def history(self, since_ms: int, facts: Iterable[Fact] = ()) -> History | None:
        """What git knows of these facts; None where there is no repository.

        Raises NoEvidence for a repository that cannot be read: then nothing is said.
        """
        repository = Repository(self.root, self._context.policy.lifecycle.git_seconds)
        if not repository.has_history():
            return None
        return History(repository, self.root, since_ms, facts)

    def hindrance(self) -> str:
        """Why git cannot be asked, a year back; "" when it can, or there is nothing to ask."""
        try:
            if self.is_there:
                self.history(self._context.now_ms() - 365 * DAY_MS)
        except NoEvidence as error:
            return str(error)
        return ""

    def now(self) -> Declared:
        """What the manifests say as they lie in the folder."""
        return declared(self._read)

    def _read(self, name: str) -> str | None:
        try:
            path = os.path.join(self.root, name)
            if os.path.islink(path) or os.path.getsize(path) > LARGEST:
                return None
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except (OSError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class StalenessDuty:
    """Marks what is to be verified, with the reason, and takes the mark off when it is so again.

    A mark is derived, so that it makes no entry of the trail; what a person answers is one.
    """

    name, action, does_retire = "staleness", "verify", False

    _context: Context
    _evidence: Evidence

    def proposals(self) -> Iterator[Proposal]:
        """Marks to set and to take off. Says nothing where the project cannot be looked at."""
        evidence = self._evidence
        evidence.met = ""
        if not evidence.is_there:
            return
        asked = [
            (one, facts)
            for one in ageing.examined(*self._context.here)
            if (facts := self._facts(one)) or self._work(one, facts) or one["at"] is not None
        ]
        if not asked:
            return
        try:
            named = (fact for _, facts in asked for fact in facts)
            history = evidence.history(min(one["created_at"] for one, _ in asked), named)
            now = evidence.now()
            for one, facts in asked:
                yield from self._of(one, facts, history, now)
        except NoEvidence as error:  # what stands marked stays so
            evidence.met = str(error)

    def _facts(self, one: Examined) -> list[Fact]:
        if one["category"] in TELLS_WHAT_WAS:
            return []
        return facts_of(one["content"], one["files"], self._evidence.root)

    def _work(self, one: Examined, facts: Sequence[Fact]) -> list[Fact]:
        """The files that the work changed at which it was learned, if they speak for it."""
        if one["category"] in TELLS_WHAT_WAS:
            return []
        root = self._evidence.root
        return worked_at(facts, one["category"], one["artifacts"] or (), root)

    def _of(
        self, one: Examined, facts: Sequence[Fact], history: History | None, now: Declared
    ) -> Iterator[Proposal]:
        title = headline(one["title"], one["content"])
        if history is None:
            signs, seen = self._by_sight(one, facts, now)
            if seen is not None:
                why = "what it names is noted, to be looked at again"
                yield Proposal(one["id"], title, why, {"seen": seen})
        else:
            signs = self._by_history(one, facts, history, now)
        work = self._work(one, facts) if history is not None else []
        lost = _lost(history, work, one) if history is not None else None
        signs += [lost] if lost is not None else []
        known = set(json.loads(one["evidence"])) if one["evidence"] else set[str]()
        keys = sorted(sign.key for sign in signs)
        if not signs:
            if one["at"] is not None:
                yield Proposal(one["id"], title, "what it names stands again", {})
            return
        if set(keys) == known:
            return
        answered = one["vouched_at"] is not None and (one["at"] or 0) <= one["vouched_at"]
        new = [sign for sign in signs if not (answered and sign.key in known)]
        if not new:
            return
        spoken = {sign.path for sign in signs}
        files = [f for f in facts if f.kind == "file" or (f.kind == "name" and f.name in spoken)]
        gone = [sign for sign in signs if sign.path and not sign.moved_to]
        is_gone = bool(files) and len(gone) == len(files)
        if lost is not None and not one["is_persons"]:  # what a person said is told on, marked
            is_gone = True
        row = {
            "reason": told(new),
            "evidence": json.dumps(keys),
            "moves": json.dumps([[sign.path, sign.moved_to] for sign in signs if sign.moved_to]),
            "is_gone": int(is_gone),
        }
        yield Proposal(one["id"], title, f"verify: {row['reason']}", {"row": row})

    def _by_history(
        self, one: Examined, facts: Sequence[Fact], history: History, now: Declared
    ) -> list[Sign]:
        """Signs since it was learned, or since a person stood for it."""
        since, at = max(one["created_at"], one["vouched_at"] or 0), self._context.now_ms()
        signs = [
            sign
            for fact in facts
            if fact.kind in FILES
            and (sign := history.left(fact.name, since) or history.rewritten(fact.name, since))
        ]
        signs += [
            flag_sign(fact, at)
            for fact in facts
            if fact.kind == "flag" and history.lost(fact, since)
        ]
        others = [fact for fact in facts if fact.kind in DECLARED and now.denies(fact)]
        then = history.at(since) if others else None
        if then is not None:
            signs += [_changed(fact, now, at) for fact in others if then.holds(fact)]
        return signs

    def _by_sight(
        self, one: Examined, facts: Sequence[Fact], now: Declared
    ) -> tuple[list[Sign], list[str] | None]:
        """Signs against what stood when it was last looked at, and what to note as seen."""
        at, root = self._context.now_ms(), self._evidence.root
        known: list[str] = json.loads(one["names"]) if one["names"] else []
        standing, signs = set[str](), list[Sign]()
        for fact in facts:
            if fact.kind in FILES:
                stands = os.path.lexists(os.path.join(root, fact.name))
            else:
                stands = fact.kind in DECLARED and now.holds(fact)
            if stands:
                standing.add(fact.key)
            elif fact.key in known:
                if fact.kind in FILES:
                    signs.append(gone_sign(fact.name, at, ""))
                elif now.denies(fact):
                    signs.append(_changed(fact, now, at))
        seen = sorted(standing.union(known))
        return signs, seen if seen != known else None

    def carry_out(self, change: Change, proposal: Proposal) -> bool:  # noqa: ARG002
        """Set a mark or take it off; False for what only notes what was seen."""
        database, data = self._context.database, proposal.data
        if "seen" in data:
            ageing.note_sighting(database, proposal.memory, data["seen"])
            return False
        if "row" not in data:
            ageing.drop_staleness(database, proposal.memory)
            return True
        now = self._context.now_ms()
        ageing.put_staleness(database, {"memory": proposal.memory, "at": now, **data["row"]})
        return True


def _lost(history: History, work: Sequence[Fact], one: Examined) -> Sign | None:
    """That none of the files is left that were changed at the work it was learned at."""
    since = max(one["created_at"], one["vouched_at"] or 0)
    signs = [history.left(fact.name, since) for fact in work]
    gone = [sign for sign in signs if sign is not None and not sign.moved_to]
    if not gone or len(gone) < len(work):
        return None
    last = max(gone, key=lambda sign: sign.at)
    return left_work_sign([sign.path for sign in gone], last.at, last.key.rpartition("@")[2])


def _changed(fact: Fact, now: Declared, at: int) -> Sign:
    return version_sign(fact, now, at) if fact.kind == "version" else command_sign(fact, at)
