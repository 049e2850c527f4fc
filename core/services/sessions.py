"""Conversations: who spoke where, how far each was read, forks, checkpoints, what each came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...db import memories, reviews, sessions
from ...db.images import Image
from ...db.sessions import CountedSession, StoredTranscript
from ..errors import Ambiguous, NotFound
from ..ingest.drafts import MOST_LOOKED_AT, outside_name
from ..ingest.extract.echo import MARKERS
from ..redaction.redact import redact
from ..retrieval.tokens import estimate_tokens
from ..values import at, moment_at
from .preferences import Preferences, of_session

if TYPE_CHECKING:
    from ...db.rows import StoredCheckpoint
    from ...db.store import Change
    from ..context import Context

CHECKPOINT_EVERY = 10
"""Messages between two checkpoints of a session."""

MOST_GOAL = 200
"""Characters of a prompt that are kept as a session's goal."""


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation with an agent."""

    id: str
    agent: str
    started_at: datetime
    ended_at: datetime | None
    end_reason: str | None
    finalized_at: datetime | None  # when its findings were last summed up
    goal: str
    summary: str
    parent: str | None  # the session that it was forked from
    source: str | None  # startup, resume, clear, compact, fork
    cwd: str | None
    is_incognito: bool
    captures: int  # what was offered from it
    refused: int  # of these
    learned: int  # live memories from it
    messages: int  # at its last checkpoint


@dataclass(frozen=True, slots=True)
class Activity:
    """What a session is at work on, as its events told."""

    files: tuple[str, ...] = ()  # the last touched first
    tools: int = 0  # calls that were reported
    failures: int = 0  # of these, and turns that failed
    last_failure: str = ""


@dataclass(frozen=True, slots=True)
class Sessions:
    """Sessions and transcript offsets, as the drain reports them and people see them."""

    _context: Context
    _preferences: Preferences

    def session_seen(
        self,
        session_id: str,
        agent: str,
        cwd: str = "",
        source: str | None = None,
        parent: str | None = None,
    ) -> None:
        """Note that a session began or went on. The first sight makes the row."""
        session_id = name_of(session_id)
        with self._context.change("session", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is None:
                self._context.ensure_project(change)
                change.put("session", self._new_session(session_id, agent, cwd, source, parent))
            elif known["ended_at"] is not None and source in ("resume", "clear", "compact"):
                change.put("session", {**known, "ended_at": None, "end_reason": None})

    def root_of(self, session_id: str) -> str:
        """The folder of the project that a session is of, whichever that is; "" unless known."""
        return sessions.root_of(self._context.database, name_of(session_id))

    def _new_session(
        self, session_id: str, agent: str, cwd: str, source: str | None, parent: str | None
    ) -> Image:
        return {
            "id": session_id,
            "project": self._context.project_id,
            "agent": name_of(agent),
            "parent": outside_name(parent),
            "cwd": outside_name(cwd or None),
            "source": outside_name(source),
            "goal": None,
            "summary": None,
            "incognito": 0,
            "started_at": self._context.now_ms(),
            "ended_at": None,
            "end_reason": None,
            "finalized_at": None,
        }

    def session_goal(self, session_id: str, prompt: str) -> None:
        """Keep the first prompt of a session as its goal, redacted, at most 200 characters."""
        session_id = name_of(session_id)
        with self._context.change("session", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is not None and known["goal"] is None:
                goal = " ".join(redact(prompt[:MOST_LOOKED_AT]).value.split())[:MOST_GOAL]
                change.put("session", {**known, "goal": goal})

    # --- looking

    def sessions(self, limit: int = 50) -> list[Session]:
        """The project's sessions, newest first."""
        found = sessions.sessions(*self._context.here, limit)
        return [self._seen(row) for row in found]

    def session_named(self, ref: str) -> Session:
        """One session by the beginning of its id, or of its goal: `make-the-release`.

        Of a goal two words at least, joined by `-`. Raises NotFound, Ambiguous.
        """
        ref = name_of(ref).strip()
        found = sessions.sessions_called(*self._context.here, ref)
        if not ref or not found:
            raise NotFound(
                f"No session here is called {ref[:60]!r}.", hint="`memdeck sessions` lists them."
            )
        if len(found) > 1 and found[0]["id"] != ref:
            raise Ambiguous.among(ref, [row["id"] for row in found])
        return self._seen(found[0])

    def _seen(self, row: CountedSession) -> Session:
        """A session as who looks sees it: an agent reads what its memories say now."""
        if self._context.viewer is not None and row["summary"]:
            from .summaries import session_summary

            row = {**row, "summary": session_summary(self._context, row["id"])}
        return _session(row)

    # --- forks, and sessions that nobody shall take down

    def fork_session(self, ref: str, as_id: str | None = None) -> Session:
        """A session with all that was found in another one, and that one as its parent.

        Both may promote what was found; a memory that both name stays one, and the two count as
        one session. With `as_id` of a session that is known already, that one becomes the fork.
        """
        parent = self.session_named(ref)
        fork = name_of(as_id) if as_id else f"fork-{self._context.new_id()[-6:]}-{parent.id[:36]}"
        with self._context.change("fork", session=fork) as change:
            source = change.get("session", parent.id)
            assert source is not None
            known = change.get("session", fork)
            if known is not None and known["parent"] == parent.id:
                return self.session_named(fork)
            taken = {name: source[name] for name in ("goal", "summary", "incognito")}
            row = known or self._new_session(
                fork, source["agent"], source["cwd"] or "", "fork", parent.id
            )
            change.put("session", {**row, **taken, "parent": parent.id, "source": "fork"})
            for checkpoint in sessions.checkpoints(change.database, parent.id):
                change.put("session_checkpoint", {**checkpoint, "session": fork})
        reviews.copy_captures(self._context.database, parent.id, fork, self._context.now_ms())
        return self.session_named(fork)

    def set_incognito(self, ref: str, is_on: bool = True) -> Session:
        """Take nothing down from a session any more, or do so again."""
        session = self.session_named(ref)
        with self._context.change(
            "incognito", "on" if is_on else "off", session=session.id
        ) as change:
            row = change.get("session", session.id)
            assert row is not None
            change.put("session", {**row, "incognito": int(is_on)})
        return self.session_named(session.id)

    def set_auto_memory_of(self, ref: str, is_on: bool = True) -> Session:
        """Switch taking down for one session; off elsewhere stays off. Raises NotFound."""
        session = self.session_named(ref)
        self._preferences.put_switch("auto_memory", is_on, of_session(session.id), " of a session")
        return session

    def is_taken_down(self, session_id: str, at: int | None = None) -> bool:
        """Whether a session's words may be read: not incognito, and auto-memory is on.

        Of what was said `at` a moment (milliseconds) also whether it was so then.
        """
        spells = self._preferences.off_spells(session_id) if at is not None else ()
        if any(start <= (at or 0) < end for start, end in spells):
            return False
        if not self._preferences.takes_down or self._preferences.is_off_in(session_id):
            return False
        known = self._row(session_id)
        return known is None or not known["incognito"]

    def has_ended(self, session_id: str) -> bool:
        """Whether the end of a session was reported, and no resumption since."""
        known = self._row(session_id)
        return known is not None and known["ended_at"] is not None

    def _row(self, session_id: str) -> CountedSession | None:
        """What is known of the session with this very id; None when it was never seen here."""
        name = name_of(session_id)
        found = sessions.sessions_called(*self._context.here, name)
        return found[0] if found and found[0]["id"] == name else None

    # --- checkpoints, and its end, each written once

    def checkpoint(self, session_id: str, messages: int, line: int = 0) -> bool:
        """Note how a session stands, after every tenth message; whether it was due.

        `messages` is how many it has so far, `line` how far its transcript was read.
        """
        session_id, due = name_of(session_id), messages // CHECKPOINT_EVERY * CHECKPOINT_EVERY
        if due == 0:
            return False
        with self._context.change("checkpoint", session=session_id, actor="rule") as change:
            if change.get("session_checkpoint", f"{session_id}|{due}"):
                return False
            learned = memories.learned_in(self._context.database, session_id)
            change.put(
                "session_checkpoint",
                {
                    "session": session_id,
                    "messages": due,
                    "at": self._context.now_ms(),
                    "line": line,
                    "learned": [row["id"] for row in learned],
                },
            )
        return True

    def checkpoints(self, session_id: str) -> list[StoredCheckpoint]:
        """A session's checkpoints, oldest first: messages, at (ms), line, learned (ids)."""
        return sessions.checkpoints(self._context.database, name_of(session_id))

    def finalize_session(self, session_id: str) -> bool:
        """Sum a session up, at the end of a turn, before a compaction and at its end.

        Never twice: without anything learned since the last time, nothing is written. Skipped
        for what is not taken down. Whether something was written.
        """
        session_id = name_of(session_id)
        with self._context.change("finalize", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            return known is not None and self._summed_up(change, known) != known

    def session_ended(self, session_id: str, reason: str) -> None:
        """Sum a session up and note its end, in one entry.

        A second report of the same end changes nothing.
        """
        session_id, reason = name_of(session_id), name_of(reason)
        with self._context.change("finalize", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is None:
                return
            row = self._summed_up(change, known)
            if known["ended_at"] is not None:
                return
            now = self._context.now_ms()
            if row == known and known["finalized_at"] is None and self.is_taken_down(session_id):
                row = {**known, "finalized_at": now}  # there was nothing to sum up
            if row == known:
                change.head["action"] = "session"  # it was summed up before, or never will be
            change.put("session", {**row, "ended_at": now, "end_reason": reason})

    def _summed_up(self, change: Change, known: Image) -> Image:
        """The session's row with its summary, put into the change; `known` without a new one."""
        summary = ""
        if self.is_taken_down(known["id"]):
            from .summaries import session_summary

            summary = session_summary(self._context, known["id"])
        if not summary or summary == known["summary"]:
            return known
        row = {**known, "summary": summary, "finalized_at": self._context.now_ms()}
        change.put("session", row)
        change.put("summary", self._summary_row(known, summary))
        return row

    def _summary_row(self, session: Image, summary: str) -> Image:
        return {
            "id": f"session:{session['id']}",
            "project": session["project"],
            "session": session["id"],
            "level": "session",
            "starts_at": session["started_at"],
            "ends_at": self._context.now_ms(),
            "content": summary,
            "tokens": estimate_tokens(summary),
        }

    # --- what a session is at work on

    def note_activity(
        self,
        session_id: str,
        *,
        files: Sequence[str] = (),
        tools: int = 0,
        failures: int = 0,
        last_failure: str = "",
    ) -> None:
        """Note the files that a session touched, last first, and how its tools did.

        Nothing of it is journaled. Nothing is noted of what is not taken down.
        """
        session_id = name_of(session_id)
        if not self.is_taken_down(session_id):
            return
        sessions.note_activity(
            self._context.database,
            session_id,
            self._context.now_ms(),
            files=[redact(path_of(path)).value for path in files if path],
            tools=tools,
            failures=failures,
            last_failure=redact(last_failure[:MOST_GOAL]).value or None,
        )

    def activity(self, session_id: str) -> Activity:
        """What was noted of a session's work."""
        noted = sessions.activity(self._context.database, name_of(session_id))
        row: Mapping[str, Any] = noted or {}
        return Activity(
            tuple(row.get("files") or ()),
            row.get("tools", 0),
            row.get("failures", 0),
            row.get("last_failure") or "",
        )

    # --- how far a transcript was read

    def transcript_mark(self, path: str) -> tuple[int, int]:
        """(byte offset, lines read) of a transcript; (0, 0) for one never seen."""
        row = self._transcript(path)
        return (row["offset"], row["line"]) if row else (0, 0)

    def _transcript(self, path: str) -> StoredTranscript | None:
        return sessions.transcript(self._context.database, path_of(path))

    def set_transcript_mark(
        self,
        path: str,
        offset: int,
        line: int,
        *,
        messages: int = 0,
        is_incognito: bool = False,
        marker: str = "",
        clear: bytes | None = None,
    ) -> int:
        """Remember how far a transcript was read; how many messages it held so far.

        `messages` is how many the part held that was read just now; `marker` is what the turn is
        marked with in which it ends (`core.ingest.extract.echo`), `is_incognito` its one word of
        old. `clear` is which of its turns hold no secret (`core.ingest.extract.redacted`).
        """
        sessions.set_transcript_mark(
            self._context.database,
            path_of(path),
            offset,
            line,
            self._context.now_ms(),
            messages=messages,
            marker=MARKERS.index("incognito" if is_incognito else marker),
            clear=clear,
        )
        row = self._transcript(path)
        return (row and row["messages"]) or 0

    def clear_turns(self, path: str) -> bytes:
        """Which turns of a transcript hold no secret, as `set_transcript_mark` was told."""
        row = self._transcript(path)
        return (row and row["clear"]) or b""

    def is_incognito_at_mark(self, path: str) -> bool:
        """Whether the part of a transcript that was read ends in a turn that is to be forgotten."""
        return self.marker_at_mark(path) == "incognito"

    def marker_at_mark(self, path: str) -> str:
        """What the turn is marked with in which the part of a transcript ends that was read."""
        row = self._transcript(path)
        place = (row and row["incognito"]) or 0
        return MARKERS[place] if 0 <= place < len(MARKERS) else "private"


def name_of(value: str) -> str:
    """A name that a host gave, as the store keeps it; "" for none."""
    return outside_name(value) or ""


def path_of(value: str) -> str:
    """A path as the store can keep it: in a file's name, not every byte is a letter."""
    return value.encode("utf-8", "backslashreplace").decode()


def _session(row: CountedSession) -> Session:
    return Session(
        id=row["id"],
        agent=row["agent"],
        started_at=moment_at(row["started_at"]),
        ended_at=at(row["ended_at"]),
        end_reason=row["end_reason"],
        finalized_at=at(row["finalized_at"]),
        goal=row["goal"] or "",
        summary=row["summary"] or "",
        parent=row["parent"],
        source=row["source"],
        cwd=row["cwd"],
        is_incognito=bool(row["incognito"]),
        captures=row["captures"],
        refused=row["refused"],
        learned=row["memories"],
        messages=row["messages"] or 0,
    )
