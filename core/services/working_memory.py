"""Working memory: memories for the task at hand, as long as it is at hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...db import memories, sessions
from ...db.errors import BadInput
from ...db.images import Image
from ...db.store import Change
from ..ingest.drafts import (
    DEFAULT_IMPORTANCE,
    MOST_LOOKED_AT,
    WORKING_LIFE_MS,
    Draft,
    captured_content,
    outside_name,
)
from ..redaction.redact import redact
from ..sessions.work import is_same_task
from ..values import ACTIVE, DAY_MS, HANDOVER, STEP, Memory, Origin, to_ms

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from .writer import Writer

DONE = ("completed", "deleted", "cancelled")  # states of a task whose working memory is cleared
AT_WORK = ("in_progress", "active")  # states of a task that is being worked on

TASK_DAYS = 14  # how long an open task of a list is held after its last sign

MOST_TASKS = 100  # tasks of one list that are held
MOST_HELD = 1_000  # working memories of one question

STEP_IMPORTANCE: Mapping[str, float] = {"reasoning": 0.5, "tool_output": 0.7}
"""Importance of a step of a task, by its kind."""

_ENDINGS = {
    "completed": ("complete", "an agent finished it"),
    "cancelled": ("cancel", "an agent took it off its list"),
}

_STEP = re.compile(r"#step-[0-9a-z]{8}\Z")
"""The suffix of a task's id for one of its steps; hosts and users use "#" as well."""

PROMPT_TASK = "prompt"  # the task id of the last prompt, for agents that keep no list


@dataclass(frozen=True, slots=True)
class Task:
    """An item of an agent's list, in its present state."""

    id: str  # stable within the session
    content: str
    status: str = "pending"  # pending, one of AT_WORK, or one of DONE
    priority: int = 3  # 1-5


class WorkingMemory:
    """Created when a task begins, injected with every prompt, cleared when the task is done."""

    _context: Context
    _writer: Writer

    def create_working_memory(
        self,
        content: str,
        session_id: str | None = None,
        *,
        todo_id: str | None = None,
        context_type: str = "task_context",
        scope: str = "task",
        priority: int = 3,
        expires: datetime | None = None,
    ) -> Memory:
        """Hold a text for the task at hand, in place of its last one. Raises BadInput."""
        session = outside_name(session_id or self._context.session)
        with self._context.change("add", session=session) as change:
            memory, _ = self._hold(
                change,
                session,
                Task(outside_name(todo_id) or "", content, priority=priority),
                expires=to_ms(expires),
                context_type=context_type,
                scope=scope,
            )
        return self._context.resolve(memory)

    def sync_tasks(
        self,
        session: str,
        tasks: Sequence[Task],
        *,
        is_whole: bool = True,
        agent: str | None = None,
        privacy: str = "public",
    ) -> tuple[int, int]:
        """Set the session's working memory by its list; return (held, cleared).

        Each open task is held under its id for 14 days, the one at work with
        the tag `active`. Done ones are cleared, and so are those that a list which
        `is_whole` no longer names. `agent` is the owner of the list, `privacy` that of its turn.
        """
        session = outside_name(session) or ""
        held = cleared = 0
        with self._context.change("task", session=session, actor="rule") as change:
            existing = {row["todo_id"] or "": row for row in self._held_all(session)}
            status = {task.id: task.status for task in tasks}
            open_ones = {task.id: task for task in tasks if task.status not in DONE}  # each once
            for task in list(open_ones.values())[:MOST_TASKS]:
                text = captured_content(redact(task.content[:MOST_LOOKED_AT]).value)
                if text:
                    _, is_written = self._hold(
                        change,
                        session,
                        replace(task, content=text),
                        life=TASK_DAYS * DAY_MS,
                        tags=(ACTIVE,) if task.status in AT_WORK else (),
                        agent=outside_name(agent),
                        privacy=privacy,
                    )
                    held += is_written
            for todo_id, row in existing.items():
                task_id = _task_of(todo_id)
                is_gone = is_whole and task_id not in (*status, "", PROMPT_TASK)
                if is_gone or status.get(task_id) in DONE:
                    cleared += self._clear(change, row["id"])
        return held, cleared

    def hold_prompt(self, session: str, prompt: str, *, privacy: str = "public") -> None:
        """Hold the last prompt, redacted, at most 500 characters; `privacy` is its mark."""
        session = outside_name(session) or ""
        text = captured_content(redact(prompt[:MOST_LOOKED_AT]).value)
        if text:
            with self._context.change("task", session=session, actor="rule") as change:
                self._hold(
                    change,
                    session,
                    Task(PROMPT_TASK, f"Asked for now: {text}", priority=2),
                    context_type="state",
                    scope="session",
                    privacy=privacy,
                )

    def hand_over(self, text: str, origin: Origin, *, is_unsolved: bool) -> None:
        """Hold a session's handover to the next one, in place of the one that it received.

        `text` may be "". It is worth 0.9 if something `is_unsolved`, which is critical.
        """
        session = outside_name(origin.session) or ""
        stored = sessions.named(self._context.database, [session])
        began = stored[0]["started_at"] if stored else 0
        with self._context.change("task", session=session, actor="rule") as change:
            for row in memories.working(*self._context.here):
                image = change.get("memory", row["id"]) if row["todo_id"] == HANDOVER else None
                is_own = image is not None and image["session"] == session
                if image and not (is_own and text) and (is_own or image["updated_at"] < began):
                    self._clear(change, row["id"])
            if text:
                self._hold(
                    change,
                    session,
                    Task(HANDOVER, text),
                    life=TASK_DAYS * DAY_MS,
                    context_type="state",
                    scope="session",
                    importance=0.9 if is_unsolved else 0.75,
                    tags=(HANDOVER,),
                    origin=origin,
                )

    def note_step(
        self, content: str, session: str, *, todo_id: str, stage: str, kind: str = "reasoning"
    ) -> Memory:
        """Hold `reasoning` (importance 0.5) or `tool_output` (0.7) of a stage until its task ends.

        Raises BadInput.
        """
        if kind not in STEP_IMPORTANCE:
            raise BadInput(f"A step is no {kind!r}.", hint=f"Use: {', '.join(STEP_IMPORTANCE)}.")
        session = outside_name(session) or ""
        with self._context.change("add", session=session) as change:
            step = f"{outside_name(todo_id) or ''}#step-{self._context.new_id()[-8:]}"
            memory = self._hold_step(change, session, step, stage, kind, content)
        return self._context.resolve(memory)

    def note_steps(
        self, todo_id: str, steps: Sequence[tuple[str, str, str, str, Origin]], *, most: int
    ) -> None:
        """Hold steps of a session's task, each once, and of each task the newest `most`.

        A step is its name of eight hexadecimal digits, its stage, its kind, its text and where it
        was said.
        """
        session, task = outside_name(steps[0][4].session) or "", outside_name(todo_id) or ""
        with self._context.change("task", session=session, actor="rule") as change:
            existing = {row["todo_id"]: row["id"] for row in self._held_all(session)}
            if task not in existing:
                return  # it is done, or off the record
            held = [id for name, id in existing.items() if name != task and _task_of(name) == task]
            for name, stage, kind, text, origin in steps:
                step, text = f"{task}#step-{name}", redact(text[:MOST_LOOKED_AT]).value
                if step not in existing and (text := captured_content(text)):
                    more = {"origin": origin, "life": TASK_DAYS * DAY_MS}
                    held.append(self._hold_step(change, session, step, stage, kind, text, **more))
            for memory in held[: max(len(held) - most, 0)]:
                self._clear(change, memory)

    def _hold_step(
        self, change: Change, session: str, step: str, stage: str, kind: str, text: str, **more: Any
    ) -> str:
        memory, _ = self._hold(
            change,
            session,
            Task(step, text),
            context_type="state" if kind == "reasoning" else "references",
            scope="subtask",
            importance=STEP_IMPORTANCE[kind],
            tags=(STEP, kind, stage),
            **more,
        )
        return memory

    def working_memory(
        self, session: str, *, todo_id: str | None = None, stage: str | None = None
    ) -> list[Memory]:
        """Return the working memory of a session, task or stage, oldest first; at most 1,000."""
        wanted = outside_name(todo_id) if todo_id is not None else None
        matches = (
            self._context.resolve(row["id"])
            for row in self._held_all(outside_name(session) or "")
            if wanted in (None, _task_of(row["todo_id"] or ""))
        )
        of_stage = (item for item in matches if stage is None or stage in item.tags)
        return list(islice(of_stage, MOST_HELD))

    def complete_task(self, session: str, todo_id: str) -> int:
        return self._clear_all(session, todo_id, actor="rule")

    def clear_working_memory(self, session_id: str, todo_id: str | None = None) -> int:
        """Clear the working memory of a session, or of one task; return how many memories."""
        return self._clear_all(session_id, todo_id)

    def end_todos(
        self,
        session: str,
        finished: Sequence[tuple[str, datetime | None]],
        status: str = "completed",
    ) -> list[str]:
        """End open intentions with these words, each given with its end; return their ids.

        `status` is completed or cancelled.
        """
        ended = list[str]()
        if not finished:
            return ended
        details = [(words, to_ms(done)) for words, done in finished]
        waiting = memories.intentions(*self._context.here)
        with self._context.change(*_ENDINGS[status], session=session, actor="rule") as change:
            for row in waiting:
                if any(
                    is_same_task(words, row["content"])
                    and (done_ms is None or done_ms >= row["created_at"])
                    for words, done_ms in details
                ):
                    image = change.get("memory", row["id"])
                    assert image is not None
                    change.put("memory", self._writer.ended(image, change, status))
                    ended.append(row["id"])
        return ended

    def begin_todos(self, session: str, begun: Sequence[str]) -> list[str]:
        """Mark the project's pending intentions with these words as active. Return their ids."""
        marked = list[str]()
        if not begun:
            return marked
        waiting = memories.intentions(*self._context.here)
        same = [row["id"] for row in waiting if any(is_same_task(w, row["content"]) for w in begun)]
        with self._context.change(
            "edit", session=session, actor="rule", reason="an agent began it"
        ) as change:
            for memory in same:
                image = change.get("memory", memory)
                if image is not None and image["details"]["status"] == "pending":
                    details = {**image["details"], "status": "active"}
                    change.put("memory", {**image, "details": details})
                    marked.append(memory)
        return marked

    # --- one task

    def _held_all(self, session: str) -> list[Image]:
        rows = memories.working(*self._context.here, session=session)
        return [row for row in rows if row["todo_id"] != HANDOVER]  # it is for the next session

    def _hold(
        self,
        change: Change,
        session: str | None,
        task: Task,
        *,
        expires: int | None = None,
        life: int | None = None,
        context_type: str = "task_context",
        scope: str = "task",
        importance: float = DEFAULT_IMPORTANCE,
        tags: Sequence[str] = (),
        agent: str | None = None,
        privacy: str = "public",
        origin: Origin | None = None,
    ) -> tuple[str, bool]:
        """Hold a task's text for `life` ms; return the memory's id, and True if it was written."""
        life = life or WORKING_LIFE_MS
        until = expires if expires is not None else self._context.now_ms() + life
        details: dict[str, Any] = {
            "todo_id": task.id or None,
            "context_type": context_type,
            "scope": scope,
            "priority": task.priority,
            "expires_at": until,
        }
        image, _ = self._writer.image(
            change,
            Draft(
                content=task.content,
                type="working",
                category="task_progress",
                scope="session" if scope == "session" else "task",
                expires=until,
                importance=importance,
                tags=tuple(tags),
                privacy=privacy,
                origin=origin or Origin(session, agent or self._context.agent),
                details=details,
            ),
        )
        is_new = not task.id or task.id != _task_of(task.id)  # a step's id was made just now
        rows = () if is_new else memories.working(*self._context.here, session=session or "")
        row = next((row for row in rows if row["todo_id"] == task.id), None)
        existing = change.get("memory", row["id"]) if row else None
        if existing is None:
            self._context.ensure_project(change)
            change.put("memory", image)  # a forgotten text stays forgotten: a task is no wish
            return str(image["id"]), True
        is_same = (
            existing["content"] == image["content"]
            and existing["details"]["priority"] == task.priority
            and list(existing["tags"]) == list(image["tags"])
        )
        if is_same and existing["expires"] > self._context.now_ms() + life / 2:
            return str(existing["id"]), False  # held already, and for long enough
        same = ("privacy",) if existing["content"] == image["content"] else ()
        retained = {name: existing[name] for name in ("num", "id", "created_at", *same)}
        change.put("memory", {**image, **retained, "updated_at": self._context.now_ms()})
        return str(existing["id"]), True

    def _clear_all(self, session: str, todo_id: str | None, **who: Any) -> int:
        session = outside_name(session) or ""
        task = None if todo_id is None else outside_name(todo_id) or ""
        with self._context.change("clear", session=session, **who) as change:
            return sum(
                self._clear(change, row["id"])
                for row in self._held_all(session)
                if task in (None, _task_of(row["todo_id"] or ""))
            )

    def _clear(self, change: Change, memory: str) -> int:
        image = change.get("memory", memory)
        if image is None or image["retired_at"] is not None:
            return 0
        details = {**image["details"], "cleared_at": self._context.now_ms()}
        change.put("memory", {**self._writer.retired(image, "cleared", change), "details": details})
        return 1


def is_task(todo_id: str) -> bool:
    """Return True for an item of the agent's list: no step of one, and no prompt."""
    return todo_id not in ("", PROMPT_TASK, HANDOVER) and todo_id == _task_of(todo_id)


def _task_of(todo_id: str) -> str:
    """Return the id of the task that a memory is held for, without its step."""
    return _STEP.sub("", todo_id)
