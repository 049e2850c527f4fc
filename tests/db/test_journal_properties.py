"""Any sequence of operations: the journal gives the same rows back, and undo gives nothing back."""

import contextlib
import os
import shutil
import tempfile
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from memdeck import MemoryCoordinator, Refused
from memdeck.db.home import Home
from memdeck.db.store import Store
from memdeck.tests.contents import contents
from memdeck.tests.mending import rebuild, verify

pytestmark = pytest.mark.slow

words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30)
kinds = st.sampled_from(["semantic", "episodic", "prospective", "procedural", "working"])

DETAILS = {
    "semantic": {
        **{"concept": "c", "category": "fact", "evidence_count": 1},
        **{"source_sessions": [], "related_concepts": []},
    },
    "episodic": {"timestamp": 5, "event_type": "decision", "context": {}, "emotional_valence": 0},
    "prospective": {
        **{"intention_type": "todo", "priority": 3, "status": "pending"},
        **dict.fromkeys(("trigger_condition", "trigger_type", "due_at", "completed_at")),
    },
    "procedural": {
        **{"procedure_name": "p", "category": "workflow", "steps": [], "prerequisites": []},
        **{"success_conditions": [], "failure_patterns": [], "performance_metrics": {}},
        **{"usage_count": 0, "success_rate": 1.0, "last_used_at": None},
    },
    "working": {
        **{"context_type": "state", "expires_at": 9, "scope": "task", "priority": 3},
        **{"todo_id": None, "cleared_at": None},
    },
}
UNSAID = dict.fromkeys(
    (
        *("key", "session", "agent", "agent_id", "role", "transcript", "line", "ref"),
        *("due", "expires", "retired_at", "retired_as"),
    )
)


def told(store):
    """The same but for which entry wrote a memory: of a past no entry says it."""
    return contents(store.connection, without={"revision", "row_hash", "terms", "parts"})


class StoreMachine(RuleBasedStateMachine):
    live = Bundle("live")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.home = Home(os.path.join(self.folder, "home"))
        self.store = Store(self.home)
        self.at = 1_000
        self.count = 0
        self.states = {}  # what the store held, by its newest entry, and when that was written

    def teardown(self):
        self.every_past_is_as_it_was()
        self.undo_everything()
        self.store.close()
        shutil.rmtree(self.folder)

    def now(self):
        self.at += 1
        return self.at

    @rule(target=live, kind=kinds, text=words, tags=st.lists(words, max_size=3, unique=True))
    def add(self, kind, text, tags):
        self.count += 1
        memory = f"m{self.count:05}"
        with self.store.change("add", actor="person", at=self.now()) as change:
            change.put(
                "memory",
                UNSAID
                | {
                    "num": change.next_num(),
                    "id": memory,
                    "type": kind,
                    "category": "decision",
                    "scope": "project",
                    "project": "p-1",
                    "status": "confirmed",
                    "title": text,
                    "content": text,
                    "importance": 0.5,
                    "confidence": 1.0,
                    "privacy": "public",
                    "tags": tags,
                    "files": [],
                    "fingerprint": "0",
                    "tokens": 1,
                    "created_at": self.at,
                    "updated_at": self.at,
                    "details": DETAILS[kind],
                },
            )
        return memory

    @rule(memory=live, text=words, tags=st.lists(words, max_size=3, unique=True))
    def edit(self, memory, text, tags):
        with self.store.change("edit", actor="person", at=self.now()) as change:
            if image := change.get("memory", memory):
                change.put("memory", {**image, "content": text, "tags": tags})

    @rule(memory=live, kind=kinds)
    def change_type(self, memory, kind):
        with self.store.change("edit", actor="person", at=self.now()) as change:
            if image := change.get("memory", memory):
                details = DETAILS[kind]
                change.put("memory", {**image, "type": kind, "details": details})

    @rule(memory=consumes(live))
    def forget(self, memory):
        with self.store.change("forget", actor="person", at=self.now()) as change:
            if image := change.get("memory", memory):
                change.put("memory", {**image, "retired_at": self.at, "retired_as": "forgotten"})

    @rule(one=live, other=live)
    def link(self, one, other):
        with self.store.change("link", actor="rule", at=self.now()) as change:
            if not (change.get("memory", one) and change.get("memory", other)):
                return  # taken back: no door links what is not there
            change.put(
                "memory_link",
                {
                    "source": one,
                    "target": other,
                    "kind": "extends",
                    "strength": 1.0,
                    "created_at": self.at,
                },
            )

    @rule(name=words, value=st.one_of(st.integers(), words, st.none(), st.lists(words)))
    def choose(self, name, value):
        with self.store.change("setting", actor="person", at=self.now()) as change:
            change.put("setting", {"key": name.replace("|", "/"), "value": value})

    @rule(back=st.integers(0, 3))
    def undo_some(self, back):
        seq = self.store.position().seq - back
        if seq > 0:
            with contextlib.suppress(Refused):
                self.store.take_back(seq, at=self.now())

    @rule()
    def reopen(self):
        self.store.close()
        self.store = Store(self.home)

    @invariant()
    def rows_equal_their_journal(self):
        if self.at % 3 == 0:
            outcome = verify(self.home)
            assert outcome.ok, outcome.problems

    @invariant()
    def note_how_it_is(self):
        self.states.setdefault(self.store.position().seq, (self.at, told(self.store)))

    def every_past_is_as_it_was(self):
        """Opened one by one, from the newest on."""
        seqs = sorted(self.states)
        with MemoryCoordinator.open(self.home.path, "p-1") as core:
            for seq in reversed(seqs):
                at, then = self.states[seq]
                with core.as_of(
                    datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
                ) as past:
                    assert past.last_seq() == seq
                    assert told(past._store) == then
                    assert past.index_problem() == ""

    @rule()
    def rebuild_gives_the_same_rows(self):
        before = contents(self.store.connection)
        self.store.close()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(self.home.database + suffix):
                os.remove(self.home.database + suffix)
        rebuild(self.home)
        self.store = Store(self.home)
        assert contents(self.store.connection) == before

    def undo_everything(self):
        """Taking back the standing entries, newest first, leaves an empty store."""
        standing = [
            seq
            for (seq,) in self.store.connection.execute(
                "SELECT seq FROM audit WHERE undone_by IS NULL AND action != 'undo'"
                " ORDER BY seq DESC"
            )
        ]
        for seq in standing:
            self.store.take_back(seq, at=self.now())
        assert all(found == [] for found in contents(self.store.connection).values())
        assert verify(self.home).ok


StoreMachine.TestCase.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
TestAnySequenceOfOperations = StoreMachine.TestCase
