"""Whatever is captured, judged, decided and taken back: the journal gives the same rows back."""

import contextlib
import os
import shutil
import tempfile
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memdeck import Capture, Envelope, ManagerError, MemoryCoordinator, NotFound, Origin, Refused
from memdeck.tests.contents import contents
from memdeck.tests.mending import rebuild
from memdeck.tests.tasks import Task

pytestmark = pytest.mark.slow

TEXTS = (
    "Always moor the pilot boat at the inner quay when the wind is from the north",
    "Never moor the pilot boat at the inner quay when the wind is from the north",
    "The gauge of berth 12 is read on port 7600, since the gateway forwards no other",
    "The gauge of berth 12 is read on port 7700, since the gateway forwards no other",
    "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C",
    "Berth 12 floods at spring tide, so that boats above nine metres get moved to pier C",
    "The crane at the ferry pier lifts forty tonnes, and its brake is tested every Monday",
    "Sounds good.",
)
texts = st.sampled_from(TEXTS)
sessions = st.sampled_from(["s1", "s2", "s3"])
which = st.integers(0, 20)
VERDICTS = ("a", "b", "both", "neither", "merged", "not_a_conflict")


class Acts(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.now = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
        self.folder = tempfile.mkdtemp()
        self.home = os.path.join(self.folder, "home")
        self.open()

    def open(self):
        self.core = MemoryCoordinator.open(self.home, "harbour", clock=lambda: self.now)

    def teardown(self):
        self.core.close()
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self):
        for session, agent in (("s1", "claude"), ("s2", "codex"), ("s3", "claude")):
            self.core.session_seen(session, agent)

    def one(self, number):
        """One of the memories, retired ones too; None when there is none."""
        found = self.core.list() + self.core.list("is:retired")
        return found[number % len(found)].id if found else None

    def act(self, action, *given, **named):
        """An act that may be refused, and then must change nothing."""
        before = self.core._store.position()
        try:
            action(*given, **named)
        except ManagerError:
            assert self.core._store.position() == before

    @rule(
        text=texts,
        session=sessions,
        rule_name=st.sampled_from(["person.instruction", "agent.error-fix", "agent.finding"]),
        importance=st.sampled_from([0.2, 0.5, 0.9]),
        kind=st.sampled_from([None, "episodic"]),
    )
    def offer(self, text, session, rule_name, importance, kind):
        self.core.offer(
            [
                Capture(
                    content=text,
                    rule=rule_name,
                    importance=importance,
                    type=kind,
                    origin=Origin(session=session, agent="claude"),
                    envelope=Envelope(task="Move the gauge", outcome="success"),
                )
            ]
        )

    @rule(text=texts, pin=st.booleans())
    def remember(self, text, pin):
        self.core.remember(text, pin=pin)

    @rule(number=which, verb=st.sampled_from(["accept", "reject", "restore", "pin", "forget"]))
    def decide(self, number, verb):
        if memory := self.one(number):
            self.act(getattr(self.core, verb), memory)

    @rule(number=which, hours=st.sampled_from([1, 30]))
    def snooze(self, number, hours):
        if memory := self.one(number):
            self.act(self.core.snooze, memory, self.now + timedelta(hours=hours))

    @rule(number=which, content=texts)
    def accept_edited(self, number, content):
        if memory := self.one(number):
            self.act(self.core.accept_edited, memory, content=content)

    @rule(one=which, other=which)
    def merge(self, one, other):
        if self.one(one):
            self.act(self.core.merge, self.one(one), self.one(other))

    @rule(one=which, other=which)
    def mark_conflict(self, one, other):
        if self.one(one):
            self.act(self.core.mark_conflict, self.one(one), self.one(other))

    @rule(number=which, keep=st.sampled_from(VERDICTS))
    def resolve(self, number, keep):
        if found := self.core.conflicts():
            conflict = found[number % len(found)]
            self.act(self.core.resolve_conflict, conflict.id, keep)

    @rule(number=which)
    def rescue(self, number):
        if found := self.core.refused_captures():
            self.act(self.core.rescue, found[number % len(found)].number)

    @rule(hours=st.sampled_from([0.05, 24]))
    def wait(self, hours):
        self.now += timedelta(hours=hours)
        self.core.end_quarantines()
        self.core.clear_expired()

    @rule(session=sessions, done=st.booleans())
    def work(self, session, done):
        status = "completed" if done else "in_progress"
        self.core.sync_tasks(session, [Task("1", "Move the tide gauge", status)])
        self.core.finalize_session(session)
        self.core.checkpoint(session, 10)

    @rule(parent=sessions, child=st.sampled_from(["f1", "f2"]))
    def fork(self, parent, child):
        self.act(self.core.fork_session, parent, child)

    @rule(back=st.integers(0, 4))
    def take_back(self, back):
        seq = self.core._store.position().seq - back
        if seq > 0:
            with contextlib.suppress(Refused, NotFound):
                self.core.undo(seq)

    @invariant()
    def rows_equal_their_journal(self):
        outcome = self.core.verify()
        assert outcome.ok, outcome.problems

    @invariant()
    def a_conflict_that_is_open_has_two_live_sides(self):
        for conflict in self.core.conflicts():
            assert conflict.first.is_live
            assert conflict.second.is_live

    @rule()
    def rebuild_gives_the_same_rows(self):
        before, home = contents(self.core._store.connection), self.core.home
        self.core.close()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(home.database + suffix):
                os.remove(home.database + suffix)
        rebuild(home)
        self.open()
        assert contents(self.core._store.connection) == before


Acts.TestCase.settings = settings(max_examples=7, stateful_step_count=20, deadline=None)
TestAnySequenceOfActs = Acts.TestCase
