"""Stores of task, project and global items, and the context assembled from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, Self
from uuid import uuid4

from ..db.errors import BadInput, Refused
from .backends import ContextItem, CoreBackend, InMemoryBackend, MemoryBackend
from .context import Confirm
from .recall.budget import SCOPE_SHARES

if TYPE_CHECKING:
    from .compat import MemoryCoordinator

TOKENS_OF_AN_ITEM = 10  # assumed where only the number of items can be limited

MAX_OF_A_STAGE = 1_000


class _Store(ABC):
    """The common part of the stores of all scopes."""

    backend: MemoryBackend

    @property
    @abstractmethod
    def source(self) -> str:
        """Return the source that its items carry."""

    def promote(self, item_id: str, store: _Store) -> ContextItem:
        """Copy an item into another scope. Raises BadInput for none, Refused without consent."""
        item = self.backend.get(item_id)
        if item is None:
            raise BadInput(f"There is no item {item_id!r}.")
        if not store.agrees(f"Add for every project: '{item.text}'?"):
            raise Refused("It was not agreed to: nothing was changed.")
        tags = [store.source.split("/")[0], *(tag for tag in item.tags if tag not in SCOPE_SHARES)]
        named = f"{item.kind}-{uuid4()}"
        copy = replace(item, context_item_id=named, source=store.source, tags=tags)
        store.backend.add(copy)
        return copy

    def agrees(self, _question: str) -> bool:
        """Return True where the user agrees, or need not be asked."""
        return True

    def _add(
        self, kind: str, text: str, importance: float, tags: Sequence[str], /, **payload: Any
    ) -> ContextItem:
        now, source = datetime.now().astimezone().isoformat(), payload.pop("source", self.source)
        tags, cost = [source.split("/")[0], *tags], len(text.split())
        named = f"{kind}-{uuid4()}"
        item = ContextItem(named, kind, source, now, tags, importance, cost, payload)
        self.backend.add(item)
        return item


@dataclass
class TaskMemoryStore(_Store):
    """The reasoning and tool outputs of one task; cleared when it ends."""

    task_id: str
    backend: MemoryBackend = field(default_factory=InMemoryBackend)

    @property
    def source(self) -> str:
        return f"task/{self.task_id}"

    def add_reasoning(self, text: str, stage_id: str) -> ContextItem:
        """Keep the reasoning of a stage, of importance 0.5."""
        stage = f"{self.source}/{stage_id}"
        return self._add("reasoning", text, 0.5, (stage_id,), source=stage, text=text)

    def add_tool_output(self, tool_id: str, output: Any) -> ContextItem:
        """Keep a tool's output, a JSON value, of importance 0.7."""
        tags = ("tool", tool_id)
        return self._add("tool_output", str(output), 0.7, tags, tool_id=tool_id, output=output)

    def get_stage_outputs(self, stage_id: str) -> list[ContextItem]:
        """Return the items of a stage, the newest first; at most 1,000."""
        return self.backend.query({"source": f"{self.source}/{stage_id}"}, limit=MAX_OF_A_STAGE)

    def clear(self) -> None:
        """Clear the task's items. Promote those to keep before."""
        self.backend.clear()


@dataclass
class ProjectMemoryStore(_Store):
    """A project's decisions and rules; above `max_items` the least important tenth is evicted."""

    project_id: str
    backend: MemoryBackend
    max_items: int = 1_000

    @property
    def source(self) -> str:
        return f"project/{self.project_id}"

    def add_decision(self, decision: str, tags: Sequence[str] = ()) -> ContextItem:
        """Keep a design decision, of importance 0.9."""
        return self._put("decision", decision, 0.9, tags, decision=decision)

    def add_convention(self, convention: str, scope: str) -> ContextItem:
        """Keep a convention of some part, of importance 0.8."""
        details = {"convention": convention, "scope": scope}
        return self._put("convention", convention, 0.8, (scope,), **details)

    def add_failure(self, failure: Any, lesson: str) -> ContextItem:
        """Keep a lesson, importance 0.85; `failure` is a word, or has `code` and `dict()`."""
        code = getattr(failure, "code", failure)
        code = str(getattr(code, "value", code))
        about = failure.dict() if hasattr(failure, "dict") else {"code": code}
        return self._put("failure", lesson, 0.85, (code,), failure=about, lesson=lesson)

    def query_decisions(self, tags: Sequence[str] | None = None) -> list[ContextItem]:
        """Return the decisions, or those with any of `tags`, the newest first; at most 100."""
        filters: dict[str, Any] = {"kind": "decision", "source": self.source}
        return self.backend.query({**filters, "tags": list(tags)} if tags else filters)

    def _put(
        self, kind: str, text: str, importance: float, tags: Sequence[str], /, **payload: Any
    ) -> ContextItem:
        item = self._add(kind, text, importance, (kind, *tags), **payload)
        if not isinstance(self.backend, CoreBackend) and self.backend.count() > self.max_items:
            items = self.backend.list_all()
            items.sort(key=lambda other: (other.importance or 0.0, other.timestamp))
            for evicted in items[: len(items) // 10]:
                self.backend.delete(evicted.context_item_id)
        return item


@dataclass
class GlobalMemoryStore(_Store):
    """Global items; `confirmation_callback` answers a question."""

    backend: MemoryBackend
    confirmation_callback: Confirm | None = None
    source = "global"

    def add_preference(
        self, preference: str, category: str, require_confirmation: bool = True
    ) -> ContextItem | None:
        """Keep a preference of the user, of importance 0.9; None if they declined."""
        question = f"Add global preference: '{preference}' (category: {category})?"
        if require_confirmation and not self.agrees(question):
            return None
        details = {"preference": preference, "category": category}
        return self._add("preference", preference, 0.9, ("preference", category), **details)

    def add_pattern(self, pattern: str, domain: str) -> ContextItem:
        """Keep a pattern of a domain, of importance 0.7."""
        details = {"pattern": pattern, "domain": domain}
        return self._add("pattern", pattern, 0.7, ("pattern", domain), **details)

    def query_preferences(self, category: str | None = None) -> list[ContextItem]:
        """Return the preferences, or those of one category, the newest first; at most 100."""
        filters: dict[str, Any] = {"kind": "preference", "source": "global"}
        return self.backend.query({**filters, "tags": [category]} if category else filters)

    def clear_all(self) -> bool:
        """Clear all global items; False if the user declined."""
        if not self.agrees("DANGER: Clear ALL global memory? This cannot be undone."):
            return False
        self.backend.clear()
        return True

    def agrees(self, question: str) -> bool:
        return self.confirmation_callback is None or self.confirmation_callback(question)


# --- assembling


class Task(Protocol):
    """An object with an id, and perhaps a `project_id` in its metadata."""

    @property
    def task_id(self) -> str: ...
    @property
    def metadata(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class ContextRequest:
    """The budget of a context, and its agent."""

    budget_tokens: int
    shares: Mapping[str, float] | None = None  # of task, project and global, relative to each other
    agent: str = ""
    head_tail_preserve: int = 0  # this many oldest and newest items come first


@dataclass(frozen=True)
class ContextPackage:
    """The items for one task."""

    context_package_id: str
    items: list[ContextItem]
    summary: str | None
    compression_ratio: float  # tokens of the items to those of all that were in question


@dataclass
class ContextAssembler:
    """Assembles context from the stores of three scopes, which `backend_of` makes by source."""

    task_stores: dict[str, TaskMemoryStore] = field(default_factory=dict)
    project_stores: dict[str, ProjectMemoryStore] = field(default_factory=dict)
    global_store: GlobalMemoryStore = None  # type: ignore[assignment]  # made by `backend_of`
    backend_of: Callable[[str], MemoryBackend] = lambda _source: InMemoryBackend()
    shares_by_agent: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.global_store = self.global_store or GlobalMemoryStore(self.backend_of("global"))

    @classmethod
    def over(cls, core: MemoryCoordinator, **more: Any) -> Self:
        """Return the assembler of a project's own memories."""
        return cls(backend_of=partial(CoreBackend, core), **more)

    def task_store(self, task_id: str) -> TaskMemoryStore:
        if task_id not in self.task_stores:
            store = TaskMemoryStore(task_id, self.backend_of(f"task/{task_id}"))
            self.task_stores[task_id] = store
        return self.task_stores[task_id]

    def project_store(self, project_id: str) -> ProjectMemoryStore:
        if project_id not in self.project_stores:
            store = ProjectMemoryStore(project_id, self.backend_of(f"project/{project_id}"))
            self.project_stores[project_id] = store
        return self.project_stores[project_id]

    def build_context(self, task: Task, request: ContextRequest) -> ContextPackage:
        """Return the items that fit, by importance: the task's, then each scope in its share."""
        shares = self.allocation(request)
        project = self.project_store(task.metadata.get("project_id", "default"))
        by_scope = {
            "task": self.task_store(task.task_id).backend.list_all(),
            "project": project.backend.query({}, shares["project"] // TOKENS_OF_AN_ITEM),
            "global": self.global_store.backend.query({}, shares["global"] // TOKENS_OF_AN_ITEM),
        }
        selected, unspent = list[ContextItem](), request.budget_tokens
        limits = {**shares, "task": unspent}
        passes = (
            *((by_scope[scope], limits[scope]) for scope in by_scope),
            (list(chain(*by_scope.values())), unspent),
        )
        preserved = request.head_tail_preserve
        for items, limit in passes:
            by_age, spent = sorted(items, key=lambda item: item.timestamp), 0
            ends = by_age[:preserved] + by_age[len(by_age) - preserved :]
            ranks = [(item not in ends, -(item.importance or 0.0)) for item in items]
            # the most important first, but before these the oldest and the newest
            for _, item in sorted(zip(ranks, items, strict=True), key=lambda pair: pair[0]):
                cost = item.token_cost or 0
                if item not in selected and cost <= unspent and spent + cost <= limit:
                    selected.append(item)
                    unspent, spent = unspent - cost, spent + cost
        total = sum(item.token_cost or 0 for items in by_scope.values() for item in items) or 1
        ratio = (request.budget_tokens - unspent) / total
        return ContextPackage(f"ctx-{task.task_id}", selected, None, ratio)

    def allocation(self, request: ContextRequest) -> dict[str, int]:
        """Return the tokens of each scope: 40/40/20 unless the agent or the request says other."""
        parts = {
            **SCOPE_SHARES,
            **self.shares_by_agent.get(request.agent, {}),
            **(request.shares or {}),
        }
        if {*parts} != {*SCOPE_SHARES} or min(parts.values()) < 0 or not any(parts.values()):
            raise BadInput(
                "The shares cannot be used.", hint="Give task, project and global 0 or more each."
            )
        total = sum(parts.values())
        return {scope: int(request.budget_tokens * part / total) for scope, part in parts.items()}

    def cleanup_task(self, task_id: str) -> None:
        """Clear a task that has ended."""
        if store := self.task_stores.pop(task_id, None):
            store.clear()
